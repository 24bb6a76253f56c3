// SPDX-License-Identifier: MIT
/// The closest points of two tets, as PROX finds them.
#ifndef TS_METHODS_PROX_DISTANCE_H
#define TS_METHODS_PROX_DISTANCE_H

#include "methods/prox2018/real3.h"

typedef struct ts_prox_distance {
  ts_real3 on_a, on_b;
  ts_real distance_m; ///< INFINITY where a coordinate is not finite
} ts_prox_distance;

/// Over pairs of nodes, nodes and edges, edges, and nodes and the faces that they are in front of,
/// in this order, the first of equals; each by PROX's own sequence of operations. Of tets that
/// overlap, that of their surfaces as far as those pairs tell.
ts_prox_distance ts_prox_tet_distance(const ts_real3 a[4], const ts_real3 b[4]);

#endif
