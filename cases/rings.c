// SPDX-License-Identifier: MIT
// Two rings, one through the other: bodies that cannot come apart, where overlap that is taken back
// along its shortest way throws them out of each other.
#include "base/status.h"
#include "cases/case.h"
#include "cases/slab.h"
#include "cases/torus.h"

enum { PARAM_TRIANGLES, PARAM_COUNT };

static const ts_param params_of_rings[PARAM_COUNT] = {
    [PARAM_TRIANGLES] = {.name = "triangles",
                         .summary = "Of each ring: the nearest number that a grid of about square "
                                    "cells has whose sides are multiples of 4.",
                         .kind = TS_PARAM_INTEGER,
                         .default_value = 2048,
                         .minimum = 500,
                         .maximum = 1e6},
};

// The fixed ring stands in the plane of x and y. The other one lies level on it inside, at the
// bottom, and sticks out to +x, so that it swings down. They meet vertex on vertex, and as the
// sections of the other ring are more curved than the hole that it lies in, in no other place.
static ts_status build(ts_scene *scene, const double *params) {
  const ts_torus *ring = &ts_torus_ring;
  const double a = sqrt(0.5);
  int32_t shape, body;
  TS_TRY(ts_shape_torus(&shape, scene, ring, params[PARAM_TRIANGLES]));
  const ts_pose standing = {{a, a, 0, 0}, {0, 0, 0}};
  TS_TRY(ts_scene_add_body(&body, scene, "fixed", shape, standing, true));
  double height_m = 2 * ring->tube_radius_m - ring->axis_radius_m;
  const ts_pose level = {{1, 0, 0, 0}, {ring->axis_radius_m, height_m, 0}};
  TS_TRY(ts_slab_body(&body, scene, "hanging", shape, level));
  scene->truth_is_unknown = true;
  return TS_OK;
}

static const ts_case_range ranges[] = {
    {"triangles", 500, 4000},
    {NULL, 0, 0},
};

const ts_case ts_case_rings = {
    .name = "rings",
    .suite = "response",
    .summary = "A ring hangs on a ring that it goes through, level at first, and swings down.",
    .source = "Faure 2008, Figure 10",
    .params = params_of_rings,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
};
