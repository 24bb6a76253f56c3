// SPDX-License-Identifier: MIT
/// How much of two solids is in the same place, exactly, by their surfaces alone.
///
/// Seen along a direction d, a solid is what lies below the triangles that face up less what lies
/// below those that face down. So the volume of what both share is a sum over pairs of triangles
/// that are above each other: the integral of the lower of their two heights, with the product of
/// their signs. Every term changes smoothly with the vertices; no point is asked for inside or
/// outside, and faces that lie in each other need no care.
#ifndef TS_GEOMETRY_MESH_OVERLAP_H
#define TS_GEOMETRY_MESH_OVERLAP_H

#include "geometry/mesh/mesh_columns.h"

typedef struct ts_mesh_overlap {
  /// Of the intersection [m3]; 0 where that is all that rounding leaves of it. A part that a
  /// surface winds around more than once, as where it crosses itself, counts as often.
  double volume_m3;
  /// The longest stretch along the direction inside both that a ends on its upper and b on its
  /// lower side [m], with its ends; 0: none. What is inside both where walls or edges lie on each
  /// other is none, and what is narrower than TS_TOUCH_RELATIVE of the smaller solid
  /// (geometry/distance/deepest_stretch.h).
  double deepest_m;
  ts_vec3 deepest_at; ///< its middle, in the world; NaN: none
} ts_mesh_overlap;

/// `along`: unit; the volume does not depend on it but for rounding. Both surfaces are closed and
/// their triangles counter-clockwise seen from outside. Scratch is from the arena and goes back to
/// it. TS_E_MEMORY; TS_E_INPUT for vertices that are not finite.
ts_status ts_mesh_overlap_measure(ts_mesh_overlap *out, ts_arena *arena, ts_placed_mesh a,
                                  ts_placed_mesh b, ts_vec3 along);

#endif
