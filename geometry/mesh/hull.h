// SPDX-License-Identifier: MIT
/// The convex body that points span, as triangles for ts_mesh_create().
#ifndef TS_GEOMETRY_HULL_H
#define TS_GEOMETRY_HULL_H

#include "base/arena.h"
#include "base/types.h"

/// Largest number of points. Most clouds of that size take a few seconds; those with every point
/// on the hull, such as on a sphere, up to a minute and 400 MiB.
#define TS_HULL_POINTS_MAX ((size_t)1000000)

typedef struct ts_hull {
  size_t vertex_count;
  ts_vec3 *vertices; ///< [vertex_count], by x, then y, then z
  size_t triangle_count;
  uint32_t (*triangles)[3]; ///< [triangle_count], in ascending order, the lowest corner first
} ts_hull;

/// The hull of points [count], in any order, repeated or not; arrays in the arena, unit of the
/// points.
///
/// Vertices are points as given, to the bit. Of those that stand out of the hull of the others by
/// TS_HULL_FLAT_RELATIVE of its extent or less, one after the other is left out: what is in a face
/// or along an edge up to rounding, and all but one of points that are nearly one. The triangles
/// are the exact hull of the rest, so it is convex, and no triangle is degenerate. The order of the
/// points has no effect.
///
/// TS_E_INPUT with a message that says what to do: fewer than four points, or more than
/// TS_HULL_POINTS_MAX; a coordinate that is not finite; points that are all at one place, on a
/// line, or in a plane, within that distance.
ts_status ts_hull_of_points(ts_hull *out, ts_arena *arena, const ts_vec3 *points, size_t count);

#endif
