// SPDX-License-Identifier: MIT
#include "methods/hull_clip/clip_pair.h"

#include "base/status.h"
#include "geometry/pose.h"
#include "geometry/tolerances.h"

/// Below zero when the first number that differs, by more than the tolerance, is smaller in `one`.
static int compare_numbers(const double *one, const double *other, size_t count, double tolerance) {
  for (size_t i = 0; i < count; i++)
    if (fabs(one[i] - other[i]) > tolerance)
      return one[i] < other[i] ? -1 : 1;
  return 0;
}

/// The same from both bodies for half a turn, and for no turn.
static void turn_of(double out[3], ts_quat q) {
  out[0] = q.w * q.x;
  out[1] = q.w * q.y;
  out[2] = q.w * q.z;
}

/// The order of two bodies of one shape: by where each has the other, else by where they are.
static int compare_poses(ts_pose a, ts_pose b, double touch_m) {
  ts_pose from_a = ts_pose_relative(a, b), from_b = ts_pose_relative(b, a);
  const double places[2][3] = {{from_a.translation.x, from_a.translation.y, from_a.translation.z},
                               {from_b.translation.x, from_b.translation.y, from_b.translation.z}};
  double turns[2][3];
  turn_of(turns[0], from_a.rotation);
  turn_of(turns[1], from_b.rotation);
  const double world[2][7] = {{a.translation.x, a.translation.y, a.translation.z, a.rotation.w,
                               a.rotation.x, a.rotation.y, a.rotation.z},
                              {b.translation.x, b.translation.y, b.translation.z, b.rotation.w,
                               b.rotation.x, b.rotation.y, b.rotation.z}};
  int order = compare_numbers(places[0], places[1], 3, touch_m);
  if (order == 0)
    order = compare_numbers(turns[0], turns[1], 3, TS_TOUCH_RELATIVE);
  return order ? order : compare_numbers(world[0], world[1], 7, 0);
}

/// Moves a shape into the frame.
static ts_status place(ts_clip_body *out, const ts_host *host, const ts_clip_shape *shape,
                       ts_pose to_frame) {
  ts_vec3 *vertices = host->scratch(host, shape->vertex_count * sizeof *vertices);
  ts_vec3 *normals = host->scratch(host, shape->face_count * sizeof *normals);
  double *offsets = host->scratch(host, shape->face_count * sizeof *offsets);
  if (!vertices || !normals || !offsets)
    return TS_E_MEMORY;
  for (size_t i = 0; i < shape->vertex_count; i++)
    vertices[i] = ts_pose_point(to_frame, shape->vertices[i]);
  for (size_t i = 0; i < shape->face_count; i++) {
    normals[i] = ts_pose_direction(to_frame, shape->normals[i]);
    offsets[i] = ts_vec3_dot(normals[i], vertices[shape->faces[i].corners[0]]);
  }
  *out = (ts_clip_body){.shape = shape,
                        .vertices = vertices,
                        .normals = normals,
                        .offsets_m = offsets,
                        .centre = ts_pose_point(to_frame, shape->centre)};
  return TS_OK;
}

ts_status ts_clip_pair_create(ts_clip_pair *out, const ts_host *host, const ts_pair *pair,
                              const ts_clip_shape *a, const ts_clip_shape *b) {
  double touch_m = TS_TOUCH_RELATIVE * pair->size_m;
  int order = ts_clip_shape_compare(a, b);
  if (order == 0)
    order = compare_poses(pair->pose_a, pair->pose_b, touch_m);
  bool is_swapped = order > 0;
  const ts_clip_shape *first = is_swapped ? b : a, *second = is_swapped ? a : b;
  ts_pose pose = is_swapped ? pair->pose_b : pair->pose_a;
  ts_pose other = is_swapped ? pair->pose_a : pair->pose_b;
  *out = (ts_clip_pair){.host = host,
                        .body = {{.shape = first,
                                  .vertices = first->vertices,
                                  .normals = first->normals,
                                  .offsets_m = first->offsets_m,
                                  .centre = first->centre}},
                        .is_swapped = is_swapped,
                        .frame_to_world = pose,
                        .touch_m = touch_m};
  return place(&out->body[1], host, second, ts_pose_relative(pose, other));
}
