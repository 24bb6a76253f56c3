// SPDX-License-Identifier: MIT
// Two ridges that cross: the normal belongs to no face of either body, and the smaller the angle
// the harder it is to distinguish from that of ridges which lie along each other.
#include "base/status.h"
#include "cases/case.h"
#include "cases/scene/shapes.h"

static const double degree_rad = 0.01745329251994329577;

enum { PARAM_ANGLE, PARAM_COUNT };

static const ts_param params_of_crossing_edges[PARAM_COUNT] = {
    [PARAM_ANGLE] = {.name = "crossing_deg",
                     .summary = "Between the two ridges, seen from above.",
                     .kind = TS_PARAM_REAL,
                     .default_value = 30,
                     .minimum = 0.01,
                     .maximum = 90},
};

static ts_status build(ts_scene *scene, const double *params) {
  int32_t shape, lower, upper;
  TS_TRY(ts_shape_wedge(&shape, scene));
  TS_TRY(ts_scene_add_body(&lower, scene, "lower", shape, ts_pose_identity(), true));
  ts_pose pose = ts_spike_pose_down(0);
  ts_quat turn = ts_quat_from_axis_angle(ts_vec3_make(0, 1, 0), params[PARAM_ANGLE] * degree_rad);
  pose.rotation = ts_quat_mul(turn, pose.rotation);
  TS_TRY(ts_scene_add_body(&upper, scene, "upper", shape, pose, false));
  return ts_shape_join_faces(scene, lower, &ts_wedge_ridge, upper, &ts_wedge_ridge,
                             ts_vec3_make(0, 1, 0));
}

static const ts_case_range ranges[] = {
    {"perturb_m", 0, 0.05},
    {"perturb_seed", 1, 999999},
    {"crossing_deg", 10, 90},
    {NULL, 0, 0},
};

const ts_case ts_case_crossing_edges = {
    .name = "crossing_edges",
    .suite = "extended",
    .summary =
        "The ridges of two wedges cross at 30 degrees, or any other angle; one normal, their "
        "cross product.",
    .source = "touchstone, after Erleben 2018, section 4.2",
    .params = params_of_crossing_edges,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
};
