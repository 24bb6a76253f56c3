// SPDX-License-Identifier: MIT
// A thin rod on a slab, pulled across at one end: it turns about a point of itself, and slips at a
// force that is sqrt 2 - 1 of what moves it sideways as a whole when friction is spread evenly
// along it. The force acts at the sole, so that it does not roll the rod over.
#include "base/status.h"
#include "cases/case.h"
#include "cases/slab.h"

static const double length_m = 2, thick_m = 0.05;
static const double gravity_m_s2 = 9.82; // a simulation's default

enum { PARAM_PULL, PARAM_COUNT };

static const ts_param params_of_dragged_rod[PARAM_COUNT] = {
    [PARAM_PULL] = {.name = "pull",
                    .summary = "Force along z at the end of the rod at +x, over its weight at "
                               "9.82 m/s2.",
                    .kind = TS_PARAM_REAL,
                    .default_value = 0.225,
                    .minimum = 0,
                    .maximum = 10},
};

static ts_status build(ts_scene *scene, const double *params) {
  int32_t slab, shape, rod;
  TS_TRY(ts_slab_add(&slab, scene));
  TS_TRY(ts_shape_box(&shape, scene, "rod", length_m, thick_m, thick_m));
  ts_pose above = {{1, 0, 0, 0}, {0, 0.5 * thick_m, 0}};
  TS_TRY(ts_slab_body(&rod, scene, "rod", shape, above));
  double weight_n = TS_RESPONSE_DENSITY_KG_M3 * length_m * thick_m * thick_m * gravity_m_s2;
  const ts_force pull = {.body = rod,
                         .point_local = {0.5 * length_m, -0.5 * thick_m, 0},
                         .force_n = {0, 0, params[PARAM_PULL] * weight_n}};
  TS_TRY(ts_scene_add_force(scene, &pull));
  return ts_slab_join(scene, slab, rod);
}

static const ts_case_range ranges[] = {
    {"pull", 0.05, 1},
    {NULL, 0, 0},
};

const ts_case ts_case_dragged_rod = {
    .name = "dragged_rod",
    .suite = "response",
    .summary = "A thin rod on a slab, pulled across at one end; one normal, and friction along the "
               "rod decides how it turns.",
    .source = "touchstone, after Allard 2010, Figure 7",
    .params = params_of_dragged_rod,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
};
