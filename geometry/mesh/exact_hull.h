// SPDX-License-Identifier: MIT
/// The convex hull of points, by Quickhull (Barber, Dobkin, Huhdanpaa 1996) with exact orientation
/// tests, so that it is convex whatever the points are.
#ifndef TS_GEOMETRY_EXACT_HULL_H
#define TS_GEOMETRY_EXACT_HULL_H

#include "base/arena.h"
#include "base/types.h"

/// A triangle of a hull, counter-clockwise seen from outside.
typedef struct ts_hull_face {
  uint32_t corner[3];    ///< indices of points
  uint32_t neighbour[3]; ///< the face beyond the edge from corner i to the next
} ts_hull_face;

typedef struct ts_exact_hull {
  /// How many points span the set: 1 when all are one point, 2 on a line, 3 in a plane, else 4.
  int span;
  size_t face_count; ///< 0 unless the span is 4
  ts_hull_face *faces;
} ts_exact_hull;

/// The hull of points[which[i]], i below `count`; in the arena, as is what it takes to make. No
/// point is strictly outside of any face. A plane face is cut into triangles, and may have corners
/// along its edges and within. `flat` is the distance from a point, line or plane up to which the
/// points are taken to span no more than it [unit of the points]. Coordinates are finite, and
/// neither their products nor those of their differences, in threes, overflow or underflow. Same
/// points in the same order, same faces.
ts_status ts_exact_hull_create(ts_exact_hull *out, ts_arena *arena, const ts_vec3 *points,
                               const uint32_t *which, size_t count, double flat);

#endif
