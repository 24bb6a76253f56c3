// SPDX-License-Identifier: MIT
// A beam, clamped at one end, bends down under its weight onto a fixed sphere below its other end,
// a little to one side: one body that deforms, contacts that wander, and a known end.
#include "base/status.h"
#include "cases/case.h"
#include "cases/soft.h"

static const double side_m = 0.2, length_m = 1, sphere_radius_m = 0.15;
static const double sphere_mesh_error_m = 5e-4;
// Where the sphere touches the lower side of the beam from below.
static const ts_vec3 touching_m = {0.013, -0.25, 0.8};

enum { PARAM_DROP = TS_SOFT_PARAM_COUNT, PARAM_CELLS, PARAM_COUNT };

static const ts_param params_of_soft_beam[PARAM_COUNT] = {
    TS_SOFT_PARAMS(1e6, 2, 0.01),
    [PARAM_DROP] = {.name = "drop_m",
                    .summary = "Gap between the beam and the sphere below it, at scale 1.",
                    .kind = TS_PARAM_REAL,
                    .default_value = 0.1,
                    .minimum = 1e-3,
                    .maximum = 1},
    [PARAM_CELLS] = {.name = "cells",
                     .summary = "Cells n across the beam, which has n x n x 5 n of them, five tets "
                                "each: 525 nodes for 4, 10,309 for 12.",
                     .kind = TS_PARAM_INTEGER,
                     .default_value = 4,
                     .minimum = 2,
                     .maximum = 16},
};

static ts_status add_sphere(ts_scene *scene, double drop_m) {
  const ts_geometry sphere = {.kind = TS_GEOMETRY_SPHERE, .radius_m = sphere_radius_m};
  ts_pose pose = {.rotation = {1, 0, 0, 0}, .translation = touching_m};
  int32_t shape, body;
  pose.translation.y -= drop_m;
  TS_TRY(ts_scene_add_primitive(&shape, scene, "sphere", &sphere, sphere_mesh_error_m));
  return ts_scene_add_body(&body, scene, "sphere", shape, pose, true);
}

static ts_status build(ts_scene *scene, const double *params) {
  uint32_t n = (uint32_t)params[PARAM_CELLS];
  TS_TRY(add_sphere(scene, params[PARAM_DROP]));
  int32_t shape, body;
  TS_TRY(ts_soft_add_block(&shape, scene, "beam",
                           &(ts_soft_block){.centre = {0, 0, 0.5 * length_m},
                                            .size = {side_m, side_m, length_m},
                                            .cells = {n, n, 5 * n},
                                            .rotation = ts_quat_identity()}));
  // Those at z = 0 come first.
  size_t clamped_count = (size_t)(n + 1) * (n + 1);
  uint32_t *clamped = ts_arena_array(scene->arena, clamped_count, sizeof *clamped);
  if (!clamped)
    return TS_E_MEMORY;
  for (size_t i = 0; i < clamped_count; i++)
    clamped[i] = (uint32_t)i;
  scene->noise_hides_truth = true; // it may push the sphere into the beam
  return ts_soft_add_body(&body, scene, "beam", shape, ts_pose_identity(), params, clamped,
                          clamped_count);
}

static const ts_case_range ranges[] = {
    {"young_pa", 2e5, 3e6},
    {"drop_m", 0.05, 0.3},
    {NULL, 0, 0},
};

const ts_case ts_case_soft_beam = {
    .name = "soft_beam",
    .suite = "soft",
    .summary = "A clamped beam bends down under its weight onto a fixed sphere; nothing touches as "
               "built.",
    .source = "touchstone, for the contact model of Saupin 2008",
    .params = params_of_soft_beam,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
    .is_deformable = true,
};
