// SPDX-License-Identifier: MIT
/// Stage 1 of a pair: which triangles are close.
#ifndef TS_METHODS_SEMI_CLOSE_H
#define TS_METHODS_SEMI_CLOSE_H

#include "methods/semi_local/semi_pair.h"

/// Triangles that may meet, or whose ridges may (ts_semi_shape::first_ridge).
typedef struct ts_semi_close {
  uint32_t triangles[2]; ///< of body 0, of body 1
} ts_semi_close;

typedef struct ts_semi_close_pairs {
  size_t count;
  const ts_semi_close *pairs; ///< [count], in the order of the hierarchies
} ts_semi_close_pairs;

/// In: the bodies. Out: all pairs of triangles that later stages have to consider, but for corners
/// near triangles, which have a hierarchy of their own.
ts_status ts_semi_find_close_pairs(ts_semi_close_pairs *out, const ts_semi_pair *pair);

#endif
