// SPDX-License-Identifier: MIT
// A block on a slope: whether and how fast it slides is known from Coulomb's law, for any slope.
// The bodies lie along the axes and gravity is inclined, so that nothing but friction changes with
// the slope.
#include "base/status.h"
#include "cases/case.h"
#include "cases/slab.h"

enum { PARAM_SLOPE, PARAM_COUNT };

static const ts_param params_of_incline[PARAM_COUNT] = {
    [PARAM_SLOPE] = {.name = "slope",
                     .summary = "Tangent of the angle between gravity and the vertical of the "
                                "slab: the block slides towards +x where friction is below it.",
                     .kind = TS_PARAM_REAL,
                     .default_value = 0.45,
                     .minimum = 0,
                     .maximum = 3},
};

static ts_status build(ts_scene *scene, const double *params) {
  int32_t block;
  TS_TRY(ts_slab_with_block(&block, scene));
  scene->up = ts_vec3_unit(ts_vec3_make(-params[PARAM_SLOPE], 1, 0));
  return TS_OK;
}

static const ts_case_range ranges[] = {
    {"slope", 0, 1.5},
    {NULL, 0, 0},
};

const ts_case ts_case_incline = {
    .name = "incline",
    .suite = "response",
    .summary = "A block on a slope of any angle; one normal, and friction alone decides whether it "
               "slides.",
    .source = "touchstone, after Allard 2010, section 4.2",
    .params = params_of_incline,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
};
