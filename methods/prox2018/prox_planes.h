// SPDX-License-Identifier: MIT
/// The planes of the faces of a tet, as PROX makes them.
#ifndef TS_METHODS_PROX_PLANES_H
#define TS_METHODS_PROX_PLANES_H

#include "methods/prox2018/prox_pair.h"

/// The plane of a face: of its three corners the one whose cross product of edges is longest.
typedef struct ts_prox_plane {
  ts_real3 on;
  ts_real3 normal; ///< outward, length twice the area
} ts_prox_plane;

/// Plane f lies opposite node f.
void ts_prox_planes(ts_prox_plane out[4], const ts_real3 node[4]);

/// Those of both tets.
typedef struct ts_prox_pair_planes {
  ts_prox_plane of[2][4];
} ts_prox_pair_planes;

void ts_prox_pair_planes_set(ts_prox_pair_planes *out, const ts_prox_pair *pair);

/// Of a point above a plane, in lengths of its normal.
static inline ts_real ts_prox_height(const ts_prox_plane *plane, ts_real3 p) {
  return ts_real3_dot(plane->normal, ts_real3_sub(p, plane->on));
}

/// What rounding can do to the height of a point along the cross of two edges. With coordinates
/// below `reach_m`, edges stay below 2 reach_m, crosses below 8 reach_m^2, and sums of three
/// products, 8 roundings each, are off by less than half of this. Like the filter of a predicate,
/// it changes how much work is done and no answer.
ts_real ts_prox_height_rounding(ts_real reach_m);

/// The corners of face f in the order in which PROX tries them as its base.
extern const int ts_prox_face_nodes[4][3];

#endif
