// SPDX-License-Identifier: MIT
#include "methods/surface/triangle_pairs.h"

#include "base/status.h"
#include "geometry/tolerances.h"

/// State of a traversal of the two hierarchies.
typedef struct visitor {
  const ts_triangle_pairs *pairs;
  ts_triangle_block **blocks[2]; ///< by number; NULL: not placed yet
  ts_block_visit visit;
  void *context;
} visitor;

/// Coordinates of the points of both surfaces from the middle of a's, in half of the extent of all.
static ts_lane_frame lane_frame(const ts_placed_surface side[2]) {
  ts_aabb a = ts_bvh_bounds(side[0].surface->bvh), b = ts_bvh_bounds(side[1].surface->bvh);
  ts_vec3 origin = ts_aabb_centre(a);
  ts_vec3 half_a = ts_vec3_sub(a.high, origin), centre_b = ts_aabb_centre(b);
  double radius_m = ts_vec3_distance(ts_pose_point(side[1].to_frame, centre_b), origin) +
                    ts_vec3_distance(b.high, centre_b);
  radius_m = ts_max(radius_m, ts_max(half_a.x, ts_max(half_a.y, half_a.z)));
  return (ts_lane_frame){origin, radius_m > 0 ? 1 / radius_m : 0};
}

void ts_triangle_pairs_begin(ts_triangle_pairs *out, const ts_host *host, const ts_pair *pair,
                             const void *surface_a, const void *surface_b) {
  out->side[0] = (ts_placed_surface){surface_a, ts_pose_identity()};
  out->side[1] = (ts_placed_surface){surface_b, ts_pose_relative(pair->pose_a, pair->pose_b)};
  out->allowance_m = TS_TOUCH_RELATIVE * pair->size_m;
  out->filter = ts_block_filter_fastest();
  out->lane_frame = lane_frame(out->side);
  ts_contact_batch_begin(&out->batch, host, pair->pose_a);
}

ts_vec3 ts_triangle_pairs_vertex(const ts_triangle_pairs *pairs, int side, uint32_t vertex) {
  const ts_placed_surface *placed = &pairs->side[side];
  return ts_surface_placed_vertex(placed->surface, placed->to_frame, vertex);
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

/// The block, placed when it is first seen; NULL when out of memory.
static const ts_triangle_block *placed_block(const visitor *v, int side, ts_bvh_block block) {
  ts_triangle_block **placed = &v->blocks[side][block.number];
  if (!*placed) {
    const ts_host *host = v->pairs->batch.host;
    *placed = host->scratch(host, sizeof **placed);
    if (*placed)
      ts_triangle_block_place(*placed, v->pairs->side[side].surface, v->pairs->side[side].to_frame,
                              v->pairs->lane_frame, block);
  }
  return *placed;
}

static ts_status visit_blocks(void *context, ts_bvh_block a, ts_bvh_block b) {
  const visitor *v = context;
  const ts_triangle_block *const blocks[2] = {placed_block(v, 0, a), placed_block(v, 1, b)};
  return blocks[0] && blocks[1] ? v->visit(v->context, blocks) : TS_E_MEMORY;
}

ts_status ts_triangle_pairs_visit(const ts_triangle_pairs *pairs, double reach_m,
                                  ts_block_visit visit, void *context) {
  visitor v = {.pairs = pairs, .visit = visit, .context = context};
  const ts_host *host = pairs->batch.host;
  for (int side = 0; side < 2; side++) {
    size_t numbers = ts_bvh_block_numbers(pairs->side[side].surface->bvh);
    v.blocks[side] = host->scratch(host, numbers * sizeof *v.blocks[side]);
    if (!v.blocks[side])
      return TS_E_MEMORY;
  }
  // Twice the allowance: once for the caller's own closed tests, once for the boxes.
  return ts_bvh_tandem_blocks(pairs->side[0].surface->bvh, pairs->side[1].surface->bvh,
                              pairs->side[1].to_frame, reach_m + 2 * pairs->allowance_m,
                              visit_blocks, &v);
}

ts_status ts_triangle_pairs_push(ts_triangle_pairs *pairs, const ts_contact *contact) {
  return ts_contact_batch_push(&pairs->batch, contact);
}

ts_status ts_triangle_pairs_end(ts_triangle_pairs *pairs) {
  return ts_contact_batch_end(&pairs->batch);
}
