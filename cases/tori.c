// SPDX-License-Identifier: MIT
// Two bumpy tori, one lying on the other and into it, of any number of triangles: how a method
// fares with the size of the meshes where bodies that are not convex touch in many places.
//
// Where the two surfaces cut each other is not known in closed form.
#include "base/status.h"
#include "cases/case.h"
#include "cases/torus.h"

// Bumps few enough that the coarsest mesh still has more than four edges to each, both ways.
static const ts_torus bumpy = {.axis_radius_m = 0.35,
                               .tube_radius_m = 0.13,
                               .bump_relative = 0.1,
                               .bumps_around_axis = 8,
                               .bumps_around_tube = 3,
                               .multiple = 1};

// Where the upper torus lies: turned about the axis and beside it, so that no bump lies over its
// like, and tilted, so that no two planes of the bodies are one. At this height the bodies overlap
// in eight patches along the ring, a quarter to a third of the tube's radius deep: deep enough for
// the coarsest mesh to have them all.
static const double turn_rad = 0.3, tilt_rad = 0.004;
static const ts_vec3 upper_centre_m = {0.03, 0.24, 0.02};

enum { PARAM_TRIANGLES, PARAM_COUNT };

static const ts_param params_of_tori[PARAM_COUNT] = {
    [PARAM_TRIANGLES] = {.name = "triangles",
                         .summary = "Of each torus: the nearest number that a grid of about square "
                                    "cells, two triangles each, has.",
                         .kind = TS_PARAM_INTEGER,
                         .default_value = 1e4,
                         .minimum = 1e3,
                         .maximum = 1e6},
};

static ts_status build(ts_scene *scene, const double *params) {
  int32_t shape, body;
  TS_TRY(ts_shape_torus(&shape, scene, &bumpy, params[PARAM_TRIANGLES]));
  TS_TRY(ts_scene_add_body(&body, scene, "lower", shape, ts_pose_identity(), true));
  ts_quat tilt = ts_quat_from_axis_angle(ts_vec3_make(1, 0, 0), tilt_rad);
  ts_quat turn = ts_quat_from_axis_angle(ts_vec3_make(0, 1, 0), turn_rad);
  ts_pose above = {ts_quat_mul(turn, tilt), upper_centre_m};
  TS_TRY(ts_scene_add_body(&body, scene, "upper", shape, above, false));
  scene->truth_is_unknown = true;
  return TS_OK;
}

static const ts_case_range ranges[] = {
    {"triangles", 1000, 4000},
    {NULL, 0, 0},
};

const ts_case ts_case_tori = {
    .name = "tori",
    .suite = "growth",
    .summary = "Two bumpy tori of any number of triangles, one lying on the other.",
    .source = "Allard 2010, Figure 1",
    .params = params_of_tori,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
};
