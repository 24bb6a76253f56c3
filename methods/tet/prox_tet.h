// SPDX-License-Identifier: MIT
/// The arithmetic of the simulator PROX on pairs of tets, operation by operation where rounding
/// decides the outcome: what TS_PROFILE_PROX2018 stands on.
#ifndef TS_METHODS_PROX_TET_H
#define TS_METHODS_PROX_TET_H

#include "geometry/tet.h"
#include "methods/tet/tet_points.h"

#include <stdbool.h>

/// The plane of a face: of its three corners the one whose cross product of edges comes out
/// longest.
typedef struct ts_prox_plane {
  ts_vec3 on;
  ts_vec3 normal; ///< outward, length twice the area
} ts_prox_plane;

/// Plane f lies opposite node f.
void ts_prox_planes(ts_prox_plane out[4], const ts_vec3 node[4]);

/// Those of both tets.
typedef struct ts_prox_pair_planes {
  ts_prox_plane of[2][4];
} ts_prox_pair_planes;

void ts_prox_pair_planes_set(ts_prox_pair_planes *out, const ts_tet_pair *pair);

/// The overlap test: separating axes without any allowance, so that rounding decides about tets
/// that only touch, in PROX's order of operations: the same for all of the 1,923 reference pairs.
bool ts_prox_overlap(const ts_tet_pair *pair);

/// Intersection points without any allowance: nodes on or behind all planes of the other tet, and
/// crossings of edges with planes, kept when they come out on or behind all planes, the one that
/// made them included. About three in ten are lost to rounding there. Duplicates stay.
void ts_prox_points(ts_tet_points *out, const ts_tet_pair *pair, const ts_prox_pair_planes *planes);

/// Sets the unit axis, from a to b, of least overlap among some of the 44: faces of a and b in
/// turn, then edge crosses, the first of equals. Which tet comes first along an axis, and so which
/// way the overlap is measured, is told by their near ends alone: where the extent of one contains
/// the other's the shorter way out may be the other one. Sets the planes as well. False, with the
/// outputs unset, when ts_prox_overlap says that the tets are apart, when they are so along one of
/// the axes made unit, or when a face without area among them leaves no direction.
bool ts_prox_least_overlap_axis(ts_vec3 *out, ts_prox_pair_planes *out_planes,
                                const ts_tet_pair *pair, ts_tet_axes axes);

/// Volume-SAT and Surface-SAT in PROX: the intersection points of overlapping tets, reported along
/// that axis.
void ts_prox_sat(ts_tet_contacts *out, const ts_tet_pair *pair, ts_tet_axes axes, double size_m);

#endif
