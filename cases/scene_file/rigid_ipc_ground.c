// SPDX-License-Identifier: MIT
#include "cases/scene_file/rigid_ipc_ground.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/mesh/bvh.h"
#include "geometry/mesh/sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// An edge with its direction: `sign` is +1 from the lower vertex to the higher, else -1.
typedef struct edge_use {
  uint32_t low, high;
  int32_t sign;
} edge_use;

static int compare_uses(const void *left, const void *right) {
  const edge_use *l = left, *r = right;
  if (l->low != r->low)
    return l->low < r->low ? -1 : 1;
  return (l->high > r->high) - (l->high < r->high);
}

/// Whether an edge is used more often in one direction than in the other.
static ts_status has_border(bool *out, ts_arena *arena, const ts_open_mesh *mesh) {
  size_t count = 3 * mesh->triangle_count;
  edge_use *uses = ts_arena_array(arena, count, sizeof *uses);
  if (!uses)
    return TS_E_MEMORY;
  for (size_t h = 0; h < count; h++) {
    uint32_t from = mesh->triangles[h / 3][h % 3], to = mesh->triangles[h / 3][(h + 1) % 3];
    uses[h] = from < to ? (edge_use){from, to, 1} : (edge_use){to, from, -1};
  }
  if (count > 0)
    qsort(uses, count, sizeof *uses, compare_uses);
  *out = false;
  for (size_t first = 0, end; first < count && !*out; first = end) {
    int64_t sum = 0;
    for (end = first; end < count && compare_uses(&uses[first], &uses[end]) == 0; end++)
      sum += uses[end].sign;
    *out = sum != 0;
  }
  return TS_OK;
}

ts_status ts_rigid_ipc_close(bool *out_is_open, ts_open_mesh *mesh, ts_arena *arena) {
  TS_TRY(has_border(out_is_open, arena, mesh));
  if (!*out_is_open)
    return TS_OK;
  ts_open_mesh clean;
  size_t dropped;
  TS_TRY(ts_open_mesh_clean(&clean, &dropped, arena, mesh));
  TS_TRY(has_border(out_is_open, arena, &clean));
  if (!*out_is_open)
    *mesh = clean;
  return TS_OK;
}

/// The nearest triangle to a point so far.
typedef struct nearest {
  const ts_open_mesh *mesh;
  ts_vec3 point;
  double distance_m;
  double height_m; ///< of the point over the triangle's plane; of triangles as near the largest
} nearest;

static ts_status see_triangle(void *context, uint32_t triangle, uint32_t unused) {
  nearest *n = context;
  (void)unused;
  const uint32_t *t = n->mesh->triangles[triangle];
  const ts_vec3 *v = n->mesh->vertices;
  const ts_vec3 corners[3] = {v[t[0]], v[t[1]], v[t[2]]};
  ts_vec3 closest = ts_closest_point_triangle(n->point, corners).point;
  ts_vec3 area =
      ts_vec3_cross(ts_vec3_sub(corners[1], corners[0]), ts_vec3_sub(corners[2], corners[0]));
  double distance_m = ts_vec3_distance(n->point, closest);
  double height_m = ts_vec3_dot(ts_vec3_unit(area), ts_vec3_sub(n->point, closest));
  // Beside an edge both of its triangles are as near: the one that the point is over knows the
  // side.
  bool is_as_near = fabs(distance_m - n->distance_m) <= 1e-9 * distance_m;
  if (is_as_near ? fabs(height_m) > fabs(n->height_m) : distance_m < n->distance_m)
    n->height_m = height_m;
  n->distance_m = fmin(n->distance_m, distance_m);
  return TS_OK;
}

static ts_status find_height(double *out, const ts_open_mesh *mesh, const ts_bvh *boxes,
                             ts_vec3 point) {
  ts_aabb all = ts_aabb_add(ts_bvh_bounds(boxes), point);
  double far_m = ts_vec3_distance(all.low, all.high);
  nearest n = {.mesh = mesh, .point = point, .distance_m = INFINITY};
  for (double within_m = far_m / 64; n.distance_m > within_m && within_m <= 2 * far_m;
       within_m *= 2) {
    n.distance_m = INFINITY;
    TS_TRY(ts_bvh_near(boxes, point, within_m, see_triangle, &n));
  }
  *out = n.height_m;
  return TS_OK;
}

static ts_status box_triangles(ts_bvh **out, ts_arena *arena, const ts_open_mesh *mesh) {
  ts_aabb *boxes = ts_arena_array(arena, mesh->triangle_count, sizeof *boxes);
  if (!boxes)
    return TS_E_MEMORY;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    boxes[t] = ts_aabb_empty();
    for (int i = 0; i < 3; i++)
      boxes[t] = ts_aabb_add(boxes[t], mesh->vertices[mesh->triangles[t][i]]);
  }
  return ts_bvh_create(out, arena, boxes, mesh->triangle_count);
}

static ts_status turn_over(ts_open_mesh *mesh, ts_arena *arena) {
  uint32_t(*triangles)[3] = ts_arena_array(arena, mesh->triangle_count, sizeof *triangles);
  if (!triangles)
    return TS_E_MEMORY;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    const uint32_t *from = mesh->triangles[t];
    memcpy(triangles[t], (uint32_t[]){from[0], from[2], from[1]}, sizeof triangles[t]);
  }
  mesh->triangles = (const uint32_t(*)[3])triangles;
  return TS_OK;
}

ts_status ts_rigid_ipc_face(bool *out_is_divided, ts_open_mesh *mesh, ts_arena *arena,
                            const ts_vec3 *points, size_t count) {
  ts_bvh *boxes;
  TS_TRY(box_triangles(&boxes, arena, mesh));
  size_t in_front = 0, behind = 0;
  for (size_t i = 0; i < count; i++) {
    double height_m;
    TS_TRY(find_height(&height_m, mesh, boxes, points[i]));
    in_front += height_m > 0;
    behind += height_m < 0;
  }
  *out_is_divided = in_front > 0 && behind > 0;
  return behind > 0 && in_front == 0 ? turn_over(mesh, arena) : TS_OK;
}
