// SPDX-License-Identifier: MIT
/// How far convex bodies stand out of a solid that they stand for.
#ifndef TS_GEOMETRY_STAND_OUT_H
#define TS_GEOMETRY_STAND_OUT_H

#include "geometry/mesh/hull.h"
#include "geometry/mesh/mesh.h"

/// An upper bound of the distance [m] of the surfaces of the hulls [count] from the solid: no more
/// than a tenth above the largest such distance, or `least_m` where that is more. The corners of
/// the hulls are points of the solid, within `least_m`. `solid` has tets. Same input, same bits.
///
/// Branch and bound (a distance changes by no more than the way between two points), which ends
/// after TS_STAND_OUT_STEPS steps: then the bound is what is known by then, and may be larger.
ts_status ts_stand_out(double *out_m, ts_arena *arena, const ts_mesh *solid, const ts_hull *hulls,
                       size_t count, double least_m);

#endif
