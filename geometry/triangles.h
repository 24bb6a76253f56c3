// SPDX-License-Identifier: MIT
/// Triangles that are not yet a mesh (ts_mesh_create checks that they are one), as files have them.
#ifndef TS_GEOMETRY_TRIANGLES_H
#define TS_GEOMETRY_TRIANGLES_H

#include "base/arena.h"

typedef struct ts_triangles {
  size_t vertex_count;
  ts_vec3 *vertices; ///< [vertex_count], in the file's own unit and frame
  size_t triangle_count;
  uint32_t (*triangles)[3]; ///< [triangle_count], all indices in range
} ts_triangles;

/// For each of the points, the first that is at the same place, equal to the bit; makes -0 0 in all
/// of them before. There is no tolerance, which would change the shape. Points need not be finite.
/// In `out` [count]; `arena` is for work and left as it was. O(n log n), whatever the points.
ts_status ts_find_equal_points(uint32_t *out, ts_arena *arena, ts_vec3 *points, size_t count);

/// What is left of triangles [count] whose corners name points: triangles that name one twice are
/// left out, points come in the order in which triangles use them, and those that none uses are
/// left out. A triangle of which two corners are one point has two edges that lie on each other, so
/// that a surface that is closed with it is closed without. In `arena`.
ts_status ts_triangles_keep_used(ts_triangles *out, ts_arena *arena, const ts_vec3 *points,
                                 size_t point_count, const uint32_t (*triangles)[3], size_t count);

#endif
