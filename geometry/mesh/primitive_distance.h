// SPDX-License-Identifier: MIT
/// Distance of a point from the exact surface of a solid of ts_geometry.
#ifndef TS_GEOMETRY_PRIMITIVE_DISTANCE_H
#define TS_GEOMETRY_PRIMITIVE_DISTANCE_H

#include "geometry/mesh/body.h"

#include <stdbool.h>

/// A point of a surface.
typedef struct ts_nearest {
  ts_vec3 point;     ///< local [m]
  double distance_m; ///< from the point that was asked about; below 0: that is inside
} ts_nearest;

/// Whether the distance from a kind is known: the primitives, and a plane.
bool ts_geometry_has_distance(int32_t kind);

/// The point of the surface closest to `from` (local); of several, one of them: on the axis of a
/// cylinder or a cone it is that towards x. Rounding is about 1e-16 of the coordinates.
ts_nearest ts_geometry_nearest(const ts_geometry *geometry, ts_vec3 from);

/// The same for a torus; of several, on the axis that towards x, and in the middle of the tube that
/// towards y.
ts_nearest ts_torus_nearest(ts_torus_radii torus, ts_vec3 from);

/// How deep a segment goes into the solid: the largest depth [m] of its points, 0 when it stays
/// outside. The solids are convex; the result is within 1e-6 of the segment's length.
double ts_geometry_depth_along(const ts_geometry *geometry, ts_vec3 start, ts_vec3 stop);

#endif
