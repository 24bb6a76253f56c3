// SPDX-License-Identifier: MIT
/// The connected parts of the overlap of two bodies.
#ifndef TS_METHODS_SEMI_OVERLAP_H
#define TS_METHODS_SEMI_OVERLAP_H

#include "methods/semi_local/semi_crossings.h"

/// A point of a connected part of the overlap: a crossing, or a vertex inside the other body.
typedef struct ts_semi_overlap_point {
  uint32_t part; ///< ascending
  int body;      ///< whose vertex; -1: a crossing
  uint32_t index;
  uint32_t half_edge; ///< that begins in the vertex
  ts_vec3 point;
} ts_semi_overlap_point;

typedef struct ts_semi_overlap {
  ts_semi_crossings crossings;
  size_t point_count;
  ts_semi_overlap_point *points; ///< sorted by part
} ts_semi_overlap;

/// The points of the overlap, by connected parts; after crossings were found.
ts_status ts_semi_find_parts(ts_semi_overlap *overlap, ts_semi_pair *pair);

#endif
