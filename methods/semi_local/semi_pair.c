// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_pair.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/tolerances.h"

static ts_semi_side own_side(const ts_semi_shape *shape) {
  return (ts_semi_side){.shape = shape,
                        .patches = shape->patches,
                        .mesh = shape->patches->mesh,
                        .vertices = shape->patches->mesh->vertices,
                        .normals = shape->normals,
                        .offsets_m = shape->offsets_m};
}

/// The other body as seen from the frame: all of it, since it is the smaller one.
static ts_status moved_side(ts_semi_side *out, const ts_semi_shape *shape, ts_pose to_frame,
                            ts_semi_memory *memory) {
  *out = own_side(shape);
  size_t vertex_count = out->mesh->vertex_count, patch_count = out->patches->patch_count;
  ts_vec3 *vertices = ts_semi_scratch(memory, vertex_count, sizeof *vertices);
  ts_vec3 *normals = ts_semi_scratch(memory, patch_count, sizeof *normals);
  double *offsets = ts_semi_scratch(memory, patch_count, sizeof *offsets);
  if (!vertices || !normals || !offsets)
    return TS_E_MEMORY;
  for (size_t i = 0; i < vertex_count; i++)
    vertices[i] = ts_pose_point(to_frame, out->mesh->vertices[i]);
  for (size_t i = 0; i < patch_count; i++) {
    normals[i] = ts_pose_direction(to_frame, shape->normals[i]);
    offsets[i] = shape->offsets_m[i] + ts_vec3_dot(normals[i], to_frame.translation);
  }
  out->vertices = vertices;
  out->normals = normals;
  out->offsets_m = offsets;
  return TS_OK;
}

static void find_velocity(ts_semi_pair *out, const ts_pair *pair) {
  ts_pose frame = out->frame_to_world;
  ts_vec3 origin = frame.translation;
  ts_vec3 of_a = ts_twist_velocity_at(pair->twist_a, pair->pose_a, origin);
  ts_vec3 of_b = ts_twist_velocity_at(pair->twist_b, pair->pose_b, origin);
  ts_vec3 linear = ts_vec3_sub(of_b, of_a);
  ts_vec3 spin = ts_vec3_sub(pair->twist_b.angular_rad_s, pair->twist_a.angular_rad_s);
  if (out->is_swapped) {
    linear = ts_vec3_neg(linear);
    spin = ts_vec3_neg(spin);
  }
  ts_quat to_frame = ts_quat_conjugate(frame.rotation);
  out->velocity_m_s = ts_quat_rotate(to_frame, linear);
  out->spin_rad_s = ts_quat_rotate(to_frame, spin);
}

ts_status ts_semi_pair_create(ts_semi_pair *out, ts_semi_memory *memory, const ts_pair *pair,
                              const ts_semi_shape *shape_a, const ts_semi_shape *shape_b,
                              const ts_semi_settings *settings) {
  *out = (ts_semi_pair){.memory = memory, .s = *settings, .size_m = pair->size_m};
  out->is_swapped = shape_b->patches->mesh->triangle_count > shape_a->patches->mesh->triangle_count;
  const ts_semi_shape *shape_0 = out->is_swapped ? shape_b : shape_a;
  const ts_semi_shape *shape_1 = out->is_swapped ? shape_a : shape_b;
  ts_pose pose_1 = out->is_swapped ? pair->pose_a : pair->pose_b;
  out->frame_to_world = out->is_swapped ? pair->pose_b : pair->pose_a;
  out->other_to_frame = ts_pose_relative(out->frame_to_world, pose_1);
  out->side[0] = own_side(shape_0);
  find_velocity(out, pair);
  double opposite_rad = 2 * ts_semi_widest_cone(out);
  out->opposite = (ts_semi_angle){cos(opposite_rad), sin(opposite_rad)};
  return moved_side(&out->side[1], shape_1, out->other_to_frame, memory);
}

ts_vec3 ts_semi_velocity(const ts_semi_pair *pair, ts_vec3 point) {
  return ts_vec3_add(pair->velocity_m_s, ts_vec3_cross(pair->spin_rad_s, point));
}

double ts_semi_widest_cone(const ts_semi_pair *pair) {
  return ts_max(TS_SEMI_CONE_WIDE_RAD, pair->s.angle_rad);
}

uint32_t ts_semi_shared_edge(bool *out_is_convex, const ts_semi_side *side, uint32_t p, uint32_t q,
                             ts_vec3 near) {
  const ts_patches *patches = side->patches;
  if (patches->patches[q].edge_count < patches->patches[p].edge_count) {
    uint32_t swap = p;
    p = q;
    q = swap;
  }
  const ts_patch *patch = &patches->patches[p];
  uint32_t nearest = TS_SEMI_NO_EDGE;
  double distance_min = INFINITY;
  for (uint32_t i = 0; i < patch->edge_count; i++) {
    uint32_t e = patches->edges_of_patches[patch->first_edge + i];
    const ts_patch_edge *edge = &patches->edges[e];
    if (edge->patches[0] != q && edge->patches[1] != q)
      continue;
    ts_vec3 from = side->vertices[edge->vertices[0]], to = side->vertices[edge->vertices[1]];
    double t = ts_closest_point_segment(near, from, to);
    double distance = ts_vec3_distance(near, ts_vec3_lerp(from, to, t));
    if (!(distance < distance_min))
      continue;
    distance_min = distance;
    nearest = e;
    *out_is_convex = edge->is_convex;
  }
  return nearest;
}

bool ts_semi_closest_of_lines(ts_vec3 *out_a, ts_vec3 *out_b, const ts_vec3 a[2],
                              const ts_vec3 b[2], double snap_m) {
  ts_vec3 along_a = ts_vec3_sub(a[1], a[0]), along_b = ts_vec3_sub(b[1], b[0]);
  double length_a = ts_vec3_norm(along_a), length_b = ts_vec3_norm(along_b);
  if (!(length_a > 0 && length_b > 0))
    return false;
  ts_vec3 cross = ts_vec3_cross(along_a, along_b), apart = ts_vec3_sub(b[0], a[0]);
  double area2 = ts_vec3_norm2(cross);
  double parallel = TS_SEMI_PARALLEL_SNAPS * snap_m * ts_max(length_a, length_b);
  if (!(area2 > parallel * parallel))
    return false;
  double s = ts_vec3_dot(ts_vec3_cross(apart, along_b), cross) / area2;
  double t = ts_vec3_dot(ts_vec3_cross(apart, along_a), cross) / area2;
  *out_a = ts_vec3_add_scaled(a[0], s, along_a);
  *out_b = ts_vec3_add_scaled(b[0], t, along_b);
  return true;
}
