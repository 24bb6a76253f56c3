// SPDX-License-Identifier: MIT
// Spheres of 72 to 20,000 triangles that rest, on a slab and on each other, with a vertex, an edge
// or a face: what a fine mesh of a curved body does to a method where the truth is that of three
// vertices at most, however close the others come.
#include "base/status.h"
#include "cases/ball.h"
#include "cases/case.h"
#include "geometry/tolerances.h"

static const double radius_m = 0.5;
static const double slab_width_m = 2, slab_height_m = 0.5;
static const double degree_rad = 0.01745329251994329577;

/// What of a sphere touches: the upper pole, the edge from there to the vertex 1, or the first
/// triangle.
static const ts_corners pole = {1, {0}}, edge = {2, {0, 1}}, face = {3, {0, 1, 2}};

#define PARAM_OF_TRIANGLES                                                                         \
  {                                                                                                \
    .name = "triangles",                                                                           \
    .summary = "Of a sphere: the nearest number that is 8 n^2 for a whole n.",                     \
    .kind = TS_PARAM_INTEGER, .default_value = 320, .minimum = 72, .maximum = 20000                \
  }

static ts_vec3 middle_of(const ts_mesh *mesh, const ts_corners *feature) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < feature->count; i++)
    sum = ts_vec3_add(sum, mesh->vertices[feature->vertex[i]]);
  return ts_vec3_scale(sum, 1 / (double)feature->count);
}

/// The direction in which nothing of the sphere is farther out than the feature. All vertices are
/// as far from the centre: from there the middle of an edge is at right angles to it.
static ts_vec3 out_of(const ts_mesh *mesh, const ts_corners *feature) {
  return feature->count == 3 ? ts_mesh_face_normal(mesh, 0)
                             : ts_vec3_unit(middle_of(mesh, feature));
}

/// The shortest turn of the feature to the top.
static ts_quat turn_up(const ts_mesh *mesh, const ts_corners *feature) {
  ts_vec3 out = out_of(mesh, feature);
  ts_vec3 axis = ts_vec3_cross(out, ts_vec3_make(0, 1, 0));
  return ts_quat_unit((ts_quat){1 + out.y, axis.x, axis.y, axis.z});
}

/// The feature at the bottom: upside down about the line in the plane through the axis of y that
/// the feature is symmetric about, so that one at the top lies on one at the bottom.
static ts_quat turn_down(const ts_mesh *mesh, const ts_corners *feature) {
  const double a = sqrt(0.5);
  ts_quat over = feature->count == 3 ? (ts_quat){0, a, 0, -a} : (ts_quat){0, 1, 0, 0};
  return ts_quat_mul(over, turn_up(mesh, feature));
}

/// The pose in which the middle of the feature is at `at`.
static ts_pose place(const ts_mesh *mesh, const ts_corners *feature, ts_quat rotation, ts_vec3 at) {
  ts_vec3 middle = ts_quat_rotate(rotation, middle_of(mesh, feature));
  return (ts_pose){rotation, ts_vec3_sub(at, middle)};
}

// ---- on a slab ------------------------------------------------------------------------------

enum { SLAB_TRIANGLES, SLAB_TOUCH, SLAB_PARAM_COUNT };
enum { SLAB_VERTEX, SLAB_EDGE, SLAB_FACE, SLAB_TOUCH_COUNT };
static const char *const slab_touches[SLAB_TOUCH_COUNT + 1] = {"vertex", "edge", "face", NULL};
static const ts_corners *const slab_features[SLAB_TOUCH_COUNT] = {&pole, &edge, &face};

static const ts_param params_on_slab[SLAB_PARAM_COUNT] = {
    [SLAB_TRIANGLES] = PARAM_OF_TRIANGLES,
    [SLAB_TOUCH] = {.name = "touch",
                    .summary = "What of the sphere lies on the slab.",
                    .kind = TS_PARAM_CHOICE,
                    .default_value = SLAB_VERTEX,
                    .choices = slab_touches},
};

static ts_status build_on_slab(ts_scene *scene, const double *params) {
  int32_t shape, slab, sphere;
  TS_TRY(ts_shape_box(&shape, scene, "slab", slab_width_m, slab_height_m, slab_width_m));
  ts_pose below = {{1, 0, 0, 0}, {0, -0.5 * slab_height_m, 0}};
  TS_TRY(ts_scene_add_body(&slab, scene, "slab", shape, below, true));
  TS_TRY(ts_shape_ball(&shape, scene, radius_m, params[SLAB_TRIANGLES]));
  const ts_mesh *mesh = scene->shapes[shape].mesh;
  const ts_corners *feature = slab_features[(int)params[SLAB_TOUCH]];
  ts_pose above = place(mesh, feature, turn_down(mesh, feature), ts_vec3_make(0, 0, 0));
  TS_TRY(ts_scene_add_body(&sphere, scene, "sphere", shape, above, false));
  return ts_shape_join_faces(scene, slab, &ts_hexahedron_faces[TS_FACE_TOP], sphere, feature,
                             ts_vec3_make(0, 1, 0));
}

// ---- on each other --------------------------------------------------------------------------

enum { PAIR_TRIANGLES, PAIR_TOUCH, PAIR_TURN, PAIR_PARAM_COUNT };
enum { PAIR_VERTEX_ON_FACE, PAIR_EDGE_ON_EDGE, PAIR_FACE_ON_FACE, PAIR_TOUCH_COUNT };
static const char *const pair_touches[PAIR_TOUCH_COUNT + 1] = {"vertex_on_face", "edge_on_edge",
                                                               "face_on_face", NULL};
static const ts_corners *const pair_features[PAIR_TOUCH_COUNT][2] = {
    {&face, &pole}, {&edge, &edge}, {&face, &face}}; // lower, upper

static const ts_param params_on_sphere[PAIR_PARAM_COUNT] = {
    [PAIR_TRIANGLES] = PARAM_OF_TRIANGLES,
    [PAIR_TOUCH] = {.name = "touch",
                    .summary = "What of the upper sphere lies on what of the lower one.",
                    .kind = TS_PARAM_CHOICE,
                    .default_value = PAIR_VERTEX_ON_FACE,
                    .choices = pair_touches},
    [PAIR_TURN] = {.name = "turn_deg",
                   .summary = "How far the upper sphere is turned about the vertical; at 0 equal "
                              "edges and faces lie upon each other.",
                   .kind = TS_PARAM_REAL,
                   .default_value = 30,
                   .minimum = 0,
                   .maximum = 360},
};

/// Edges along each other have two feasible normals and no velocity to choose.
static ts_status check_turn(int touch, double turn_rad, double turn_deg) {
  if (touch == PAIR_EDGE_ON_EDGE && fabs(sin(turn_rad)) <= TS_PARALLEL_SINE)
    return ts_fail(TS_E_INPUT,
                   "with turn_deg=%g the edges lie along each other and do not cross; take another "
                   "angle, or touch=face_on_face",
                   turn_deg);
  return TS_OK;
}

static ts_status build_on_sphere(ts_scene *scene, const double *params) {
  int touch = (int)params[PAIR_TOUCH];
  double turn_rad = params[PAIR_TURN] * degree_rad;
  TS_TRY(check_turn(touch, turn_rad, params[PAIR_TURN]));
  const ts_corners *below = pair_features[touch][0], *above = pair_features[touch][1];
  int32_t shape, lower, upper;
  TS_TRY(ts_shape_ball(&shape, scene, radius_m, params[PAIR_TRIANGLES]));
  const ts_mesh *mesh = scene->shapes[shape].mesh;
  const ts_vec3 origin = {0, 0, 0}, up = {0, 1, 0};
  ts_pose pose = place(mesh, below, turn_up(mesh, below), origin);
  TS_TRY(ts_scene_add_body(&lower, scene, "lower", shape, pose, true));
  ts_vec3 normal_local = ts_quat_rotate(ts_quat_conjugate(pose.rotation), up);
  ts_quat turn = ts_quat_from_axis_angle(up, turn_rad);
  pose = place(mesh, above, ts_quat_mul(turn, turn_down(mesh, above)), origin);
  TS_TRY(ts_scene_add_body(&upper, scene, "upper", shape, pose, false));
  // Beside their place the meshes face each other with some other vertex, edge or face.
  scene->noise_hides_truth = true;
  return ts_shape_join_faces(scene, lower, below, upper, above, normal_local);
}

static const ts_case_range slab_ranges[] = {
    {"perturb_m", 0, 0.2},
    {"perturb_seed", 1, 999999},
    {"triangles", 72, 2000},
    {"touch", SLAB_VERTEX, SLAB_FACE},
    {NULL, 0, 0},
};

static const ts_case_range pair_ranges[] = {
    {"triangles", 72, 2000},
    {"touch", PAIR_VERTEX_ON_FACE, PAIR_FACE_ON_FACE},
    {"turn_deg", 10, 80},
    {NULL, 0, 0},
};

const ts_case ts_case_sphere_on_slab = {
    .name = "sphere_on_slab",
    .suite = "extended",
    .summary =
        "A sphere of 72 to 20,000 triangles on a slab, with a vertex, an edge or a face; one "
        "normal.",
    .source = "touchstone, after Erleben 2018, section 4.1",
    .params = params_on_slab,
    .param_count = SLAB_PARAM_COUNT,
    .build = build_on_slab,
    .ranges = slab_ranges,
};

const ts_case ts_case_sphere_on_sphere = {
    .name = "sphere_on_sphere",
    .suite = "extended",
    .summary = "Two spheres of 72 to 20,000 triangles, vertex on face, edge on edge or face on "
               "face; one normal.",
    .source = "touchstone, after Erleben 2018, section 4.1",
    .params = params_on_sphere,
    .param_count = PAIR_PARAM_COUNT,
    .build = build_on_sphere,
    .ranges = pair_ranges,
};
