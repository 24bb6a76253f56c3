// SPDX-License-Identifier: MIT
/// Convex polygons in a plane.
#ifndef TS_GEOMETRY_POLYGON_H
#define TS_GEOMETRY_POLYGON_H

#include "base/arena.h"
#include "geometry/vec3.h"

/// Convex hull of `count` points in the plane, counter-clockwise, starting at the smallest (x, then
/// y); collinear points are left out with an exact test. `points`, all finite, is sorted in place;
/// `out` must hold `count` points. Returns the number of corners: 0 for none, 1 for one place, 2
/// for a line.
size_t ts_convex_hull_2d(double (*out)[2], double (*points)[2], size_t count);

/// Area [m2] of a counter-clockwise polygon; negative when clockwise.
double ts_polygon_area_2d(const double (*corners)[2], size_t count);

/// Measure of the hull of `count` points projected along the unit `normal`: its area [m2]. Scratch
/// comes from the arena and goes back to it. Points that are not finite are left out.
ts_status ts_hull_area(double *out_m2, ts_arena *arena, const ts_vec3 *points, size_t count,
                       ts_vec3 normal);

/// Length [m] of the smallest interval that holds the points projected on the unit `direction`; 0
/// for fewer than two points. Points that are not finite are left out.
double ts_hull_length(const ts_vec3 *points, size_t count, ts_vec3 direction);

/// Clips the convex polygon or segment `subject` (2 corners: a segment) by the convex polygon
/// `clip`, both projected along the unit `normal`, about which `clip` (3 corners at least) is
/// counter-clockwise. The result keeps the height of `subject` along the normal. Corners that
/// deviate no more than `corner_tolerance_m` from the chord of their neighbours, or lie that close
/// together, are dropped, the smallest deviation first; seen along the normal. A polygon comes back
/// counter-clockwise about `normal`, whichever way `subject` runs. A segment no more than the
/// tolerance outside a side is still inside, so that one along a side stays. `out` must hold
/// subject_count + clip_count points and be another array than `subject` and `clip`. Returns the
/// number of corners; fewer than 3 (a polygon) or 2 (a segment) when nothing with a measure is
/// left.
size_t ts_polygon_clip(ts_vec3 *out, const ts_vec3 *subject, size_t subject_count,
                       const ts_vec3 *clip, size_t clip_count, ts_vec3 normal,
                       double corner_tolerance_m);

/// Convex hull of points [count] of a plane with the unit `normal`, counter-clockwise about it,
/// without corners that deviate by no more than `corner_tolerance_m`, as ts_polygon_clip() drops
/// them. `out` has room for `count`; fewer than 3 when it has no area. Scratch is from the arena
/// and goes back to it.
ts_status ts_hull_in_plane(ts_vec3 *out, size_t *out_count, ts_arena *arena, const ts_vec3 *points,
                           size_t count, ts_vec3 normal, double corner_tolerance_m);

/// Distance [m] from a point to the convex hull of a point (1), segment (2) or planar convex
/// polygon with the unit `normal` about which it is counter-clockwise (3 and more; `normal` is not
/// used for fewer). Infinite for none, NaN when the point is not finite.
double ts_convex_distance(ts_vec3 point, const ts_vec3 *corners, size_t count, ts_vec3 normal);

#endif
