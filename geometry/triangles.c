// SPDX-License-Identifier: MIT
#include "geometry/triangles.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// By bits rather than by value: any order will do, and this one holds for NaN.
static int compare_points(const void *left, const void *right, void *context) {
  const ts_vec3 *points = context;
  uint32_t l = *(const uint32_t *)left, r = *(const uint32_t *)right;
  int order = memcmp(&points[l], &points[r], sizeof *points);
  return order != 0 ? order : (l > r) - (l < r);
}

// By sorting: a hash would be faster, but slow for points that were made to collide.
ts_status ts_find_equal_points(uint32_t *out, ts_arena *arena, ts_vec3 *points, size_t count) {
  ts_arena_mark mark = ts_arena_get_mark(arena);
  uint32_t *order = ts_arena_array(arena, count, sizeof *order);
  if (!order)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    points[i] = (ts_vec3){points[i].x + 0.0, points[i].y + 0.0, points[i].z + 0.0}; // no -0
    order[i] = (uint32_t)i;
  }
  if (count > 1)
    qsort_r(order, count, sizeof *order, compare_points, points);
  for (size_t i = 0; i < count; i++) {
    bool is_same = i > 0 && memcmp(&points[order[i]], &points[order[i - 1]], sizeof *points) == 0;
    out[order[i]] = is_same ? out[order[i - 1]] : order[i];
  }
  ts_arena_rewind(arena, mark);
  return TS_OK;
}

static bool repeats_corner(const uint32_t t[3]) {
  return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

ts_status ts_triangles_keep_used(ts_triangles *out, ts_arena *arena, const ts_vec3 *points,
                                 size_t point_count, const uint32_t (*triangles)[3], size_t count) {
  uint32_t *number = ts_arena_array(arena, point_count, sizeof *number); // plus 1; 0: not used yet
  size_t most = point_count < 3 * count ? point_count : 3 * count;
  ts_triangles kept = {.vertices = ts_arena_array(arena, most, sizeof *kept.vertices),
                       .triangles = ts_arena_array(arena, count, sizeof *kept.triangles)};
  if (!number || !kept.vertices || !kept.triangles)
    return TS_E_MEMORY;
  for (size_t t = 0; t < count; t++) {
    if (repeats_corner(triangles[t]))
      continue;
    for (int i = 0; i < 3; i++) {
      uint32_t point = triangles[t][i];
      if (number[point] == 0) {
        kept.vertices[kept.vertex_count++] = points[point];
        number[point] = (uint32_t)kept.vertex_count;
      }
      kept.triangles[kept.triangle_count][i] = number[point] - 1;
    }
    kept.triangle_count++;
  }
  *out = kept;
  return TS_OK;
}
