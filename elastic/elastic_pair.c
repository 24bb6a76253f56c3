// SPDX-License-Identifier: MIT
#include "elastic/elastic_pair.h"

#include "base/status.h"

/// Box of a body's triangles, seen through a pose, around the turned box of the local frame.
static ts_aabb placed_bounds(const ts_bvh *bvh, ts_pose pose) {
  ts_aabb local = ts_bvh_bounds(bvh), box = ts_aabb_empty();
  for (int i = 0; i < 8; i++) {
    ts_vec3 corner = {i & 1 ? local.high.x : local.low.x, i & 2 ? local.high.y : local.low.y,
                      i & 4 ? local.high.z : local.low.z};
    box = ts_aabb_add(box, ts_pose_point(pose, corner));
  }
  return box;
}

/// Vertices are turned about the middle of their own box, so that a mesh far from its local origin
/// loses no digits.
static ts_status place_body(ts_elastic_body *out, ts_arena *arena, ts_elastic_shape shape,
                            ts_pose to_frame) {
  const ts_mesh *mesh = shape.mesh;
  ts_vec3 *vertices = ts_arena_array(arena, mesh->vertex_count, sizeof *vertices);
  ts_vec3 *normals = ts_arena_array(arena, mesh->triangle_count, sizeof *normals);
  if (!vertices || !normals)
    return TS_E_MEMORY;
  ts_vec3 middle = ts_aabb_centre(ts_bvh_bounds(shape.bvh));
  ts_vec3 to = ts_pose_point(to_frame, middle);
  for (size_t i = 0; i < mesh->vertex_count; i++)
    vertices[i] =
        ts_vec3_add(to, ts_quat_rotate(to_frame.rotation, ts_vec3_sub(mesh->vertices[i], middle)));
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    const uint32_t *v = mesh->triangles[t];
    normals[t] = ts_vec3_unit(ts_vec3_cross(ts_vec3_sub(vertices[v[1]], vertices[v[0]]),
                                            ts_vec3_sub(vertices[v[2]], vertices[v[0]])));
  }
  *out = (ts_elastic_body){.mesh = mesh,
                           .bvh = shape.bvh,
                           .to_frame = to_frame,
                           .vertices = vertices,
                           .normals = normals};
  return TS_OK;
}

ts_status ts_elastic_pair_create(ts_elastic_pair **out, ts_arena *arena, ts_elastic_shape a,
                                 ts_elastic_shape b) {
  *out = NULL;
  ts_pose b_to_a = ts_pose_relative(a.pose, b.pose);
  ts_aabb box_a = ts_bvh_bounds(a.bvh), box_b = placed_bounds(b.bvh, b_to_a);
  ts_aabb box = {ts_vec3_max(box_a.low, box_b.low), ts_vec3_min(box_a.high, box_b.high)};
  if (!(box.low.x <= box.high.x && box.low.y <= box.high.y && box.low.z <= box.high.z))
    return TS_OK;
  ts_vec3 origin = ts_aabb_centre(box);
  ts_elastic_pair *pair = ts_arena_alloc(arena, sizeof *pair);
  if (!pair)
    return TS_E_MEMORY;
  pair->arena = arena;
  pair->size_m = ts_min(ts_aabb_extent(box_a), ts_aabb_extent(ts_bvh_bounds(b.bvh)));
  pair->frame_to_world = (ts_pose){a.pose.rotation, ts_pose_point(a.pose, origin)};
  ts_pose a_to_frame = {ts_quat_identity(), ts_vec3_neg(origin)};
  ts_pose b_to_frame = {b_to_a.rotation, ts_vec3_sub(b_to_a.translation, origin)};
  TS_TRY(place_body(&pair->body[0], arena, a, a_to_frame));
  TS_TRY(place_body(&pair->body[1], arena, b, b_to_frame));
  *out = pair;
  return TS_OK;
}
