// SPDX-License-Identifier: MIT
// Two equal spheres, one above the other, of any number of triangles: how a method fares with the
// size of the meshes, where the truth stays one point.
//
// The poles of the balls face each other on the line of centres. So the overlap along that line is
// that of the spheres, whatever the number of triangles, and the pair is symmetric about it however
// the upper sphere is turned: nothing in it points to one side. It is not the smallest possible
// translation that parts the meshes: two vertices slip past each other sooner, to any side, by a
// share of the depth that falls with the size of the triangles (below 1e-3 of it for 1e4
// triangles).
#include "base/status.h"
#include "cases/ball.h"
#include "cases/case.h"

static const double radius_m = 0.5;

// The upper sphere is turned about the line of centres, by twice the angle whose cosine and sine
// these are (32.5 degrees): no edge of it runs along one of the lower sphere, or in one plane with
// it.
static const ts_quat turn = {0.96, 0, 0.28, 0};

enum { PARAM_TRIANGLES, PARAM_DEPTH, PARAM_COUNT };

static const ts_param params_of_spheres[PARAM_COUNT] = {
    [PARAM_TRIANGLES] = {.name = "triangles",
                         .summary = "Of each sphere: the nearest number that is 8 n^2 for a whole "
                                    "n.",
                         .kind = TS_PARAM_INTEGER,
                         .default_value = 1e4,
                         .minimum = 1e3,
                         .maximum = 1e6},
    [PARAM_DEPTH] = {.name = "depth_m",
                     .summary = "How far the spheres of radius 0.5 m overlap, at scale 1; at 0 "
                                "they graze.",
                     .kind = TS_PARAM_REAL,
                     .default_value = 0.05,
                     .minimum = 0,
                     .maximum = 0.5},
};

static ts_status build(ts_scene *scene, const double *params) {
  int32_t shape, lower, upper;
  TS_TRY(ts_shape_ball(&shape, scene, radius_m, params[PARAM_TRIANGLES]));
  uint32_t lowest = (uint32_t)scene->shapes[shape].mesh->vertex_count - 1;
  TS_TRY(ts_scene_add_body(&lower, scene, "lower", shape, ts_pose_identity(), true));
  ts_pose above = {turn, {0, 2 * radius_m - params[PARAM_DEPTH], 0}};
  TS_TRY(ts_scene_add_body(&upper, scene, "upper", shape, above, false));
  // Away from the line of centres the meshes face each other with some vertex, edge or face.
  scene->noise_hides_truth = true;
  scene->stretch_hides_truth = true; // ellipsoids are not symmetric about the line of centres
  const ts_corners top = {1, {0}}, bottom = {1, {lowest}};
  return ts_shape_join_faces(scene, lower, &top, upper, &bottom, ts_vec3_make(0, 1, 0));
}

static const ts_case_range ranges[] = {
    {"stretch_x", 1, 1},       {"stretch_y", 1, 1},    {"stretch_z", 1, 1},
    {"triangles", 1000, 4000}, {"depth_m", 0.01, 0.1}, {NULL, 0, 0},
};

const ts_case ts_case_spheres = {
    .name = "spheres",
    .suite = "growth",
    .summary = "Two spheres of any number of triangles, one above the other, overlap; one normal, "
               "that of the line of centres.",
    .source = "touchstone, for methods that grow with the meshes",
    .params = params_of_spheres,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
};
