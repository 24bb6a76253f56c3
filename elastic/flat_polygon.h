// SPDX-License-Identifier: MIT
/// Convex polygons in the plane that a contact surface is projected on.
#ifndef TS_ELASTIC_FLAT_POLYGON_H
#define TS_ELASTIC_FLAT_POLYGON_H

#include "base/arena.h"
#include "geometry/aabb.h"

#include <stdbool.h>

/// Counter-clockwise; fewer than 3 corners: nothing.
typedef struct ts_flat_polygon {
  size_t count;
  double (*corners)[2]; ///< [count], in an arena
} ts_flat_polygon;

/// A linear function of the plane; what is at or above 0 is kept.
typedef struct ts_flat_line {
  double x, y, constant;
} ts_flat_line;

/// A copy of corners [count] in the arena.
ts_status ts_flat_polygon_create(ts_flat_polygon *out, ts_arena *arena, const double (*corners)[2],
                                 size_t count);

/// The part at which `line` is not below 0; `out` may be `polygon`. TS_E_MEMORY, as all of these.
ts_status ts_flat_polygon_clip(ts_flat_polygon *out, ts_arena *arena,
                               const ts_flat_polygon *polygon, ts_flat_line line);

/// What two polygons have in common.
ts_status ts_flat_polygon_overlap(ts_flat_polygon *out, ts_arena *arena, const ts_flat_polygon *a,
                                  const ts_flat_polygon *b);

/// Appends what is in `a` and not in `b`, which lies in it, to a growing array, in convex pieces.
ts_status ts_flat_polygon_subtract(ts_flat_polygon **list, size_t *count, size_t *capacity,
                                   ts_arena *arena, const ts_flat_polygon *a,
                                   const ts_flat_polygon *b);

/// Box of the corners, with z = 0.
ts_aabb ts_flat_polygon_bounds(const ts_flat_polygon *polygon);

double ts_flat_polygon_area(const ts_flat_polygon *polygon);

/// Mean of the corners, which is in it.
void ts_flat_polygon_middle(double *x, double *y, const ts_flat_polygon *polygon);

/// Whether it is no wider than this on the average, or nothing at all.
bool ts_flat_polygon_is_sliver(const ts_flat_polygon *polygon, double width_m);

/// Whether a line is within `tolerance` of 0 at all corners.
bool ts_flat_polygon_is_level(const ts_flat_polygon *polygon, ts_flat_line line, double tolerance);

/// Whether a point is no more than `tolerance_m` outside of any side.
bool ts_flat_polygon_holds(const ts_flat_polygon *polygon, double x, double y, double tolerance_m);

#endif
