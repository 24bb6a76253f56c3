// SPDX-License-Identifier: MIT
#include "methods/surface/triangle_pairs.h"

#include "base/status.h"
#include "geometry/tolerances.h"

/// State of a traversal of the two hierarchies.
typedef struct visitor {
  const ts_triangle_pairs *pairs;
  double margin_m;
  ts_triangle_visit visit;
  void *context;
} visitor;

void ts_triangle_pairs_begin(ts_triangle_pairs *out, const ts_host *host, const ts_pair *pair,
                             const void *surface_a, const void *surface_b) {
  out->side[0] = (ts_placed_surface){surface_a, ts_pose_identity()};
  out->side[1] = (ts_placed_surface){surface_b, ts_pose_relative(pair->pose_a, pair->pose_b)};
  out->allowance_m = TS_TOUCH_RELATIVE * pair->size_m;
  ts_contact_batch_begin(&out->batch, host, pair->pose_a);
}

ts_vec3 ts_triangle_pairs_vertex(const ts_triangle_pairs *pairs, int side, uint32_t vertex) {
  const ts_placed_surface *placed = &pairs->side[side];
  return ts_pose_point(placed->to_frame, placed->surface->mesh->vertices[vertex]);
}

void ts_triangle_pairs_corners(ts_vec3 out[3], const ts_triangle_pairs *pairs, int side,
                               uint32_t triangle) {
  const uint32_t *vertices = pairs->side[side].surface->mesh->triangles[triangle];
  for (int i = 0; i < 3; i++)
    out[i] = ts_triangle_pairs_vertex(pairs, side, vertices[i]);
}

ts_vec3 ts_triangle_pairs_normal(const ts_triangle_pairs *pairs, int side, uint32_t triangle) {
  const ts_placed_surface *placed = &pairs->side[side];
  return ts_pose_direction(placed->to_frame, placed->surface->face_normals[triangle]);
}

void ts_triangle_pairs_edge(ts_vec3 out[2], const ts_triangle_pairs *pairs,
                            const ts_triangle_pair *triangles, int side, int corner) {
  const ts_vec3 *corners = triangles->corners[side];
  int next = (corner + 1) % 3;
  bool forward = ts_surface_owns_edge(pairs->side[side].surface, triangles->triangle[side], corner);
  out[0] = corners[forward ? corner : next];
  out[1] = corners[forward ? next : corner];
}

static ts_aabb triangle_bounds(const ts_vec3 corners[3]) {
  return ts_aabb_add(ts_aabb_add(ts_aabb_add(ts_aabb_empty(), corners[0]), corners[1]), corners[2]);
}

static ts_status visit_items(void *context, uint32_t item_a, uint32_t item_b) {
  const visitor *v = context;
  ts_triangle_pair triangles = {.triangle = {item_a, item_b}};
  ts_triangle_pairs_corners(triangles.corners[0], v->pairs, 0, item_a);
  ts_triangle_pairs_corners(triangles.corners[1], v->pairs, 1, item_b);
  // Boxes around the moved triangle are tighter than the moved boxes of the hierarchy.
  ts_aabb box_a = ts_aabb_inflate(triangle_bounds(triangles.corners[0]), v->margin_m);
  if (!ts_aabb_overlap(box_a, triangle_bounds(triangles.corners[1])))
    return TS_OK;
  return v->visit(v->context, &triangles);
}

ts_status ts_triangle_pairs_visit(const ts_triangle_pairs *pairs, double reach_m,
                                  ts_triangle_visit visit, void *context) {
  // Twice the allowance: once for the caller's own closed tests, once for the boxes.
  visitor v = {pairs, reach_m + 2 * pairs->allowance_m, visit, context};
  return ts_bvh_tandem(pairs->side[0].surface->bvh, pairs->side[1].surface->bvh,
                       pairs->side[1].to_frame, v.margin_m, visit_items, &v);
}

ts_status ts_triangle_pairs_push(ts_triangle_pairs *pairs, const ts_contact *contact) {
  return ts_contact_batch_push(&pairs->batch, contact);
}

ts_status ts_triangle_pairs_end(ts_triangle_pairs *pairs) {
  return ts_contact_batch_end(&pairs->batch);
}
