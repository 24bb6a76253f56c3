/// Where the surfaces of two bodies cut through each other, and the parts of the overlap.
#ifndef TS_METHODS_SEMI_OVERLAP_H
#define TS_METHODS_SEMI_OVERLAP_H

#include "methods/semi_pair.h"

/// An edge of one body that goes through a triangle of the other.
typedef struct ts_semi_crossing {
  ts_vec3 point;
  int body;           ///< whose edge
  uint32_t half_edge; ///< the id of the edge
  uint32_t inside;    ///< the end of the edge, a vertex, behind the triangle
  uint32_t triangle;  ///< of the other body
} ts_semi_crossing;

/// A point of a connected part of the overlap: a crossing, or a vertex inside the other body.
typedef struct ts_semi_overlap_point {
  uint32_t part; ///< ascending
  int body;      ///< whose vertex; -1: a crossing
  uint32_t index;
  ts_vec3 point;
} ts_semi_overlap_point;

typedef struct ts_semi_overlap {
  size_t crossing_count, crossing_capacity;
  ts_semi_crossing *crossings;
  uint8_t *is_on[2]; ///< [vertex_count] of each body: vertices on the surface of the other
  size_t point_count;
  ts_semi_overlap_point *points; ///< sorted by part
} ts_semi_overlap;

/// The crossings by more than the snap length. Where an edge ends within it of the other surface
/// that end is on the surface, and neither inside nor outside.
ts_status ts_semi_find_crossings(ts_semi_overlap *out, ts_semi_pair *pair);

/// The points of the overlap, by connected parts; after ts_semi_find_crossings() found some.
ts_status ts_semi_find_parts(ts_semi_overlap *overlap, ts_semi_pair *pair);

/// Whether surfaces that do not cross lie one inside the other.
bool ts_semi_is_inside(const ts_semi_pair *pair);

#endif
