// SPDX-License-Identifier: MIT
/// How far two convex bodies overlap, and along which directions they part.
///
/// The bodies part along a unit normal n, from body 0 to body 1, by moving body 1 along n by the
/// opposite of the gap along it. Which normals need looking at is known: the shortest ways out are
/// along normals of faces, or cross products of an edge of either body. They are searched among all
/// that are close enough to each other to matter.
#ifndef TS_GEOMETRY_CONVEX_SEPARATION_H
#define TS_GEOMETRY_CONVEX_SEPARATION_H

#include "geometry/mesh/surfaces_near.h"

/// Two convex bodies in the frame of body 0. Lengths [m].
typedef struct ts_convex_pair {
  ts_surface body[2];         ///< each in its own frame
  const ts_vec3 *vertices[2]; ///< [vertex_count of each] in the frame of body 0
  ts_pose other_to_frame;     ///< from the local frame of body 1
  double slack_m;             ///< by how much rounding may move a point
} ts_convex_pair;

/// A direction along which the bodies can part.
typedef struct ts_convex_way {
  ts_vec3 normal; ///< unit, from body 0 to body 1
  double gap_m;   ///< along it: how far body 1 begins above where body 0 ends
} ts_convex_way;

/// The gap [m] between both bodies along a unit normal from body 0 to body 1. Convex bodies that
/// overlap do so by the opposite of the largest of all directions; the gap along no direction is
/// larger than the true one.
double ts_convex_gap_along(const ts_convex_pair *pair, ts_vec3 normal);

/// In: directions [count] to begin with, as those of contacts. Out: the way with the largest gap
/// where the bodies overlap by more than `touch_m`, the least translation that parts them; else one
/// along which they do not. Bodies that lie so deep in each other, and are so finely meshed, that
/// not all directions were looked at get the largest gap of those that were: then `out_is_largest`
/// is false, as it is where they do not overlap. TS_E_MEMORY.
ts_status ts_convex_separate(ts_convex_way *out, bool *out_is_largest, const ts_convex_pair *pair,
                             const ts_vec3 *directions, size_t count, double touch_m);

/// All ways out no longer than `within_m`: the normals of faces, and cross products of ridges,
/// along which the gap is above -within_m, once each where several are equal within
/// TS_PARALLEL_SINE, in an order that depends on the bodies only. At most `room`:
/// `*out_is_complete` is false when there are more, or too many faces are close to look at all.
/// TS_E_MEMORY.
ts_status ts_convex_list_ways(ts_convex_way *out, size_t *out_count, bool *out_is_complete,
                              size_t room, const ts_convex_pair *pair, double within_m);

#endif
