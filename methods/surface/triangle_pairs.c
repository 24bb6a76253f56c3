// SPDX-License-Identifier: MIT
#include "methods/surface/triangle_pairs.h"

#include "base/status.h"
#include "geometry/tolerances.h"

// Blocks of a side that stay placed, by their numbers modulo this: those that a traversal comes
// back to soon. Few enough for the caches of the processor, which all of them would overflow;
// enough that one in ten blocks is placed twice at most.
#define SLOTS 256u

/// A block, and its number.
typedef struct slot {
  ts_triangle_block *block; ///< NULL: none so far
  uint32_t number;
} slot;

/// State of a traversal of the two hierarchies.
typedef struct visitor {
  const ts_triangle_pairs *pairs;
  float lane_reach; ///< in the unit of the lanes of blocks
  slot slots[2][SLOTS];
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

/// The block, placed unless it still is; NULL when out of memory.
static const ts_triangle_block *placed_block(visitor *v, int side, ts_bvh_block block) {
  slot *s = &v->slots[side][block.number % SLOTS];
  if (s->block && s->number == block.number)
    return s->block;
  const ts_host *host = v->pairs->batch.host;
  if (!s->block)
    s->block = host->scratch(host, sizeof *s->block);
  if (!s->block)
    return NULL;
  s->number = block.number;
  ts_triangle_block_place(s->block, v->pairs->side[side].surface, v->pairs->side[side].to_frame,
                          v->pairs->lane_frame, block);
  return s->block;
}

static ts_block_part part_of(const ts_block_lanes *lanes, uint32_t faces) {
  ts_block_part part = {.faces = faces};
  for (uint32_t left = faces; left; left &= left - 1) {
    part.edges |= lanes->face_edges[__builtin_ctz(left)];
    part.points |= lanes->face_points[__builtin_ctz(left)];
  }
  return part;
}

static ts_status visit_blocks(void *context, ts_bvh_block a, ts_bvh_block b) {
  visitor *v = context;
  ts_near_blocks near = {.blocks = {placed_block(v, 0, a), placed_block(v, 1, b)}};
  if (!near.blocks[0] || !near.blocks[1])
    return TS_E_MEMORY;
  for (int side = 0; side < 2; side++) {
    const ts_block_lanes *lanes = &near.blocks[side]->lanes;
    uint32_t faces =
        v->pairs->filter->faces_near(lanes, &near.blocks[1 - side]->lanes, v->lane_reach);
    if (!faces)
      return TS_OK;
    near.parts[side] = part_of(lanes, faces);
  }
  return v->visit(v->context, &near);
}

ts_status ts_triangle_pairs_visit(const ts_triangle_pairs *pairs, double reach_m,
                                  ts_block_visit visit, void *context) {
  // Twice the allowance: once for the caller's own closed tests, once for the boxes.
  const double margin_m = reach_m + 2 * pairs->allowance_m;
  visitor v = {.pairs = pairs,
               .lane_reach = ts_triangle_pairs_lane_length(pairs, margin_m),
               .visit = visit,
               .context = context};
  return ts_bvh_tandem_blocks(pairs->side[0].surface->bvh, pairs->side[1].surface->bvh,
                              pairs->side[1].to_frame, margin_m, visit_blocks, &v);
}

ts_status ts_triangle_pairs_push(ts_triangle_pairs *pairs, const ts_contact *contact) {
  return ts_contact_batch_push(&pairs->batch, contact);
}

ts_status ts_triangle_pairs_end(ts_triangle_pairs *pairs) {
  return ts_contact_batch_end(&pairs->batch);
}
