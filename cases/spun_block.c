// SPDX-License-Identifier: MIT
// A block that spins flat on a slab: friction at a single point of it has no torque about the
// vertical, so that a pair with one contact spins on for ever. Spread over the sole it slows the
// block down at a rate that is an integral over the sole.
#include "base/status.h"
#include "cases/case.h"
#include "cases/slab.h"

enum { PARAM_SPIN, PARAM_COUNT };

static const ts_param params_of_spun_block[PARAM_COUNT] = {
    [PARAM_SPIN] = {.name = "spin_rad_s",
                    .summary = "How fast the block spins about the vertical.",
                    .kind = TS_PARAM_REAL,
                    .default_value = 5,
                    .minimum = 0,
                    .maximum = 1000},
};

static ts_status build(ts_scene *scene, const double *params) {
  int32_t block;
  TS_TRY(ts_slab_with_block(&block, scene));
  scene->bodies[block].twist.angular_rad_s.y = params[PARAM_SPIN];
  return TS_OK;
}

static const ts_case_range ranges[] = {
    {"spin_rad_s", 1, 10},
    {NULL, 0, 0},
};

const ts_case ts_case_spun_block = {
    .name = "spun_block",
    .suite = "response",
    .summary = "A block spins flat on a slab; one normal, and only friction spread over its sole "
               "stops it.",
    .source = "touchstone, after Allard 2010, section 4.2",
    .params = params_of_spun_block,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
};
