// SPDX-License-Identifier: MIT
#include "cases/scene/shapes.h"

#include "base/status.h"

const ts_corners ts_hexahedron_faces[TS_FACE_COUNT] = {
    [TS_FACE_LEFT] = {4, {0, 4, 6, 2}},   [TS_FACE_RIGHT] = {4, {3, 7, 5, 1}},
    [TS_FACE_BOTTOM] = {4, {1, 5, 4, 0}}, [TS_FACE_TOP] = {4, {2, 6, 7, 3}},
    [TS_FACE_BACK] = {4, {0, 2, 3, 1}},   [TS_FACE_FRONT] = {4, {4, 5, 7, 6}},
};

const ts_corners ts_hexagon_bottom = {6, {5, 4, 3, 2, 1, 0}};
const ts_corners ts_hexagon_top = {6, {6, 7, 8, 9, 10, 11}};

ts_status ts_shape_hexahedron(int32_t *out, ts_scene *scene, const char *name,
                              const ts_vec3 corners[8], unsigned turned) {
  uint32_t triangles[2 * TS_FACE_COUNT][3];
  for (uint32_t face = 0; face < TS_FACE_COUNT; face++) {
    const uint32_t *v = ts_hexahedron_faces[face].vertex;
    // The diagonal starts at corner `from`.
    uint32_t from = turned & TS_FACE_BIT(face) ? 1 : 0;
    for (uint32_t half = 0; half < 2; half++)
      for (uint32_t i = 0; i < 3; i++)
        triangles[2 * face + half][i] = v[(from + 2 * half + i) % 4];
  }
  return ts_scene_add_shape(out, scene, name, corners, 8, (const uint32_t(*)[3])triangles,
                            2 * TS_FACE_COUNT);
}

ts_status ts_shape_box_turned(int32_t *out, ts_scene *scene, const char *name, double width_x,
                              double height_y, double depth_z, unsigned turned) {
  ts_vec3 corners[8];
  for (unsigned i = 0; i < 8; i++)
    corners[i] = ts_vec3_make((i & 1 ? 0.5 : -0.5) * width_x, (i & 2 ? 0.5 : -0.5) * height_y,
                              (i & 4 ? 0.5 : -0.5) * depth_z);
  return ts_shape_hexahedron(out, scene, name, corners, turned);
}

ts_status ts_shape_box(int32_t *out, ts_scene *scene, const char *name, double width_x,
                       double height_y, double depth_z) {
  return ts_shape_box_turned(out, scene, name, width_x, height_y, depth_z, 0);
}

ts_status ts_shape_cube(int32_t *out, ts_scene *scene, const char *name, double side) {
  return ts_shape_box_turned(out, scene, name, side, side, side,
                             TS_FACE_BIT(TS_FACE_BOTTOM) | TS_FACE_BIT(TS_FACE_TOP) |
                                 TS_FACE_BIT(TS_FACE_FRONT));
}

static void hexagon(ts_vec3 out[6], double radius, double y) {
  // Cosines and sines of 0, 60, ... degrees, without the rounding of the library's.
  const double half = 0.5, sine = 0.5 * sqrt(3.0);
  const double at[6][2] = {{1, 0},  {half, sine},   {-half, sine},
                           {-1, 0}, {-half, -sine}, {half, -sine}};
  for (int i = 0; i < 6; i++)
    out[i] = ts_vec3_make(radius * at[i][0], y, -radius * at[i][1]);
}

ts_status ts_shape_hexagonal_frustum(int32_t *out, ts_scene *scene, const char *name,
                                     double radius_bottom, double radius_top, double height_y) {
  enum { TOP = 6, CENTRE_BOTTOM = 12, CENTRE_TOP = 13 };
  ts_vec3 vertices[14];
  hexagon(vertices, radius_bottom, -0.5 * height_y);
  hexagon(vertices + TOP, radius_top, 0.5 * height_y);
  vertices[CENTRE_BOTTOM] = ts_vec3_make(0, -0.5 * height_y, 0);
  vertices[CENTRE_TOP] = ts_vec3_make(0, 0.5 * height_y, 0);
  uint32_t triangles[24][3];
  for (uint32_t left = 0; left < 6; left++) {
    uint32_t right = (left + 1) % 6;
    const uint32_t fan[4][3] = {
        {left, right, TOP + right},
        {left, TOP + right, TOP + left},
        {CENTRE_TOP, TOP + left, TOP + right},
        {CENTRE_BOTTOM, right, left},
    };
    for (uint32_t k = 0; k < 4; k++)
      for (uint32_t i = 0; i < 3; i++)
        triangles[4 * left + k][i] = fan[k][i];
  }
  TS_TRY(ts_scene_add_shape(out, scene, name, vertices, 14, (const uint32_t(*)[3])triangles, 24));
  scene->shapes[*out].is_conical = true;
  return TS_OK;
}

const ts_corners ts_spike_tip = {1, {0}};

ts_status ts_shape_spike(int32_t *out, ts_scene *scene) {
  const double b = TS_SPIKE_HALF_BASE_M, y = -TS_SPIKE_HEIGHT_M;
  const ts_vec3 vertices[5] = {{0, 0, 0}, {-b, y, -b}, {b, y, -b}, {b, y, b}, {-b, y, b}};
  const uint32_t triangles[6][3] = {{0, 2, 1}, {0, 3, 2}, {0, 4, 3},
                                    {0, 1, 4}, {1, 2, 3}, {1, 3, 4}};
  return ts_scene_add_shape(out, scene, "spike", vertices, 5, triangles, 6);
}

const ts_corners ts_wedge_ridge = {2, {0, 1}};

ts_status ts_shape_wedge(int32_t *out, ts_scene *scene) {
  const double b = TS_SPIKE_HALF_BASE_M, y = -TS_SPIKE_HEIGHT_M, z = 2 * TS_SPIKE_HALF_BASE_M;
  const ts_vec3 vertices[6] = {{0, 0, -z}, {0, 0, z}, {-b, y, -z},
                               {b, y, -z}, {b, y, z}, {-b, y, z}};
  // The flanks are cut from the far end of the ridge to the near corner of the base.
  const uint32_t triangles[8][3] = {{0, 3, 2}, {1, 5, 4}, {0, 1, 3}, {1, 4, 3},
                                    {0, 2, 1}, {1, 2, 5}, {2, 3, 4}, {2, 4, 5}};
  return ts_scene_add_shape(out, scene, "wedge", vertices, 6, triangles, 8);
}

ts_pose ts_spike_pose_down(double x) {
  return (ts_pose){{0, 1, 0, 0}, {x, 0, 0}};
}

void ts_spike_flanks(ts_vec3 out[4]) {
  double length =
      sqrt(TS_SPIKE_HEIGHT_M * TS_SPIKE_HEIGHT_M + TS_SPIKE_HALF_BASE_M * TS_SPIKE_HALF_BASE_M);
  double across = TS_SPIKE_HEIGHT_M / length, up = TS_SPIKE_HALF_BASE_M / length;
  out[0] = ts_vec3_make(across, up, 0);
  out[1] = ts_vec3_make(-across, up, 0);
  out[2] = ts_vec3_make(0, up, across);
  out[3] = ts_vec3_make(0, up, -across);
}

static void take_vertices(ts_vec3 *out, const ts_scene *scene, int32_t body,
                          const ts_corners *corners) {
  const ts_mesh *mesh = scene->shapes[scene->bodies[body].shape].mesh;
  for (size_t i = 0; i < corners->count; i++)
    out[i] = mesh->vertices[corners->vertex[i]];
}

ts_status ts_shape_join(ts_scene *scene, const ts_joint *joint, const ts_corners *a,
                        const ts_corners *b) {
  enum { VERTICES_MAX = sizeof a->vertex / sizeof a->vertex[0] };
  ts_vec3 feature_a[VERTICES_MAX], feature_b[VERTICES_MAX];
  take_vertices(feature_a, scene, joint->body_a, a);
  take_vertices(feature_b, scene, joint->body_b, b);
  ts_joint complete = *joint;
  complete.count_a = a->count;
  complete.count_b = b->count;
  complete.feature_a_local = feature_a;
  complete.feature_b_local = feature_b;
  return ts_scene_add_joint(scene, &complete);
}

ts_status ts_shape_join_faces(ts_scene *scene, int32_t body_a, const ts_corners *a, int32_t body_b,
                              const ts_corners *b, ts_vec3 normal_local) {
  ts_joint joint = {.body_a = body_a, .body_b = body_b, .needs_all = true};
  joint.normal_count[TS_REFERENCE_DESIGN] = 1;
  joint.normals_local[TS_REFERENCE_DESIGN] = &normal_local;
  return ts_shape_join(scene, &joint, a, b);
}
