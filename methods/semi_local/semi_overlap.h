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
  size_t count;
  const ts_semi_overlap_point *points; ///< [count] sorted by part
} ts_semi_overlap;

/// In: the crossings. Out: the points of the overlap, by connected parts.
ts_status ts_semi_find_overlap(ts_semi_overlap *out, const ts_semi_pair *pair,
                               const ts_semi_crossings *crossings);

#endif
