// SPDX-License-Identifier: MIT
// A body on its way through a cube, at rest: the overlap volume grows, stays as long as the body is
// within, and falls again, and so does the force that follows from it.
#include "base/status.h"
#include "cases/ball.h"
#include "cases/case.h"
#include "cases/slab.h"

static const double cube_m = 1, small_cube_m = 0.5, radius_m = 0.3;

enum { PARAM_SHAPE, PARAM_DEPTH, PARAM_TRIANGLES, PARAM_COUNT };
enum { SPHERE, CUBE, SHAPE_COUNT };
static const char *const shapes[SHAPE_COUNT + 1] = {"sphere", "cube", NULL};

static const ts_param params_of_passing[PARAM_COUNT] = {
    [PARAM_SHAPE] = {.name = "shape",
                     .summary = "What passes: a sphere of radius 0.3 m, or a cube of side 0.5 m.",
                     .kind = TS_PARAM_CHOICE,
                     .default_value = SPHERE,
                     .choices = shapes},
    [PARAM_DEPTH] = {.name = "depth_m",
                     .summary = "How far it is past the first face of the cube of side 1 m, at "
                                "scale 1; it touches the last one from outside at 1.6 (sphere) or "
                                "1.5 (cube).",
                     .kind = TS_PARAM_REAL,
                     .default_value = 0.4,
                     .minimum = 0,
                     .maximum = 3},
    [PARAM_TRIANGLES] = {.name = "triangles",
                         .summary = "Of the sphere: the nearest number that is 8 n^2 for a whole "
                                    "n.",
                         .kind = TS_PARAM_INTEGER,
                         .default_value = 8192,
                         .minimum = 72,
                         .maximum = 1e6},
};

/// The vertex of a ball that is farthest to +x or -x, or the face of a cube.
static ts_corners farthest(const ts_mesh *mesh, int shape, bool is_right) {
  if (shape == CUBE)
    return ts_hexahedron_faces[is_right ? TS_FACE_RIGHT : TS_FACE_LEFT];
  uint32_t best = 0;
  for (uint32_t v = 1; v < mesh->vertex_count; v++)
    if (is_right ? mesh->vertices[v].x > mesh->vertices[best].x
                 : mesh->vertices[v].x < mesh->vertices[best].x)
      best = v;
  return (ts_corners){1, {best}};
}

static ts_status build(ts_scene *scene, const double *params) {
  int kind = (int)params[PARAM_SHAPE];
  double half_m = kind == SPHERE ? radius_m : 0.5 * small_cube_m;
  double depth_m = params[PARAM_DEPTH], exit_m = cube_m + 2 * half_m;
  int32_t shape, fixed, body;
  TS_TRY(ts_shape_box(&shape, scene, "block", cube_m, cube_m, cube_m));
  TS_TRY(ts_scene_add_body(&fixed, scene, "block", shape, ts_pose_identity(), true));
  if (kind == SPHERE)
    TS_TRY(ts_shape_ball(&shape, scene, radius_m, params[PARAM_TRIANGLES]));
  else
    TS_TRY(ts_shape_box(&shape, scene, "cube", small_cube_m, small_cube_m, small_cube_m));
  ts_pose pose = {{1, 0, 0, 0}, {depth_m - half_m - 0.5 * cube_m, 0, 0}};
  TS_TRY(ts_slab_body(&body, scene, shapes[kind], shape, pose));
  scene->truth_is_unknown = depth_m > 0 && depth_m < exit_m;
  if (depth_m != 0 && depth_m != exit_m)
    return TS_OK; // inside, or past it
  bool is_right = depth_m != 0;
  ts_corners of_body = farthest(scene->shapes[shape].mesh, kind, !is_right);
  return ts_shape_join_faces(scene, fixed,
                             &ts_hexahedron_faces[is_right ? TS_FACE_RIGHT : TS_FACE_LEFT], body,
                             &of_body, ts_vec3_make(is_right ? 1 : -1, 0, 0));
}

static const ts_case_range ranges[] = {
    {"shape", SPHERE, CUBE},
    {"depth_m", 0.05, 1.45},
    {"triangles", 72, 2000},
    {NULL, 0, 0},
};

const ts_case ts_case_passing = {
    .name = "passing",
    .suite = "response",
    .summary = "A sphere or a cube, anywhere on its way through a larger cube.",
    .source = "Faure 2008, Figure 6",
    .params = params_of_passing,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
};
