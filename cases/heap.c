// SPDX-License-Identifier: MIT
// Rings that fall on a slab and come to rest in a heap: many bodies that are not convex, any two of
// which may meet in several places, and any of which may hang in another.
#include "base/random.h"
#include "base/status.h"
#include "cases/case.h"
#include "cases/slab.h"
#include "cases/torus.h"

// How far the next ring is above the highest place of the last one, and how far to the side the
// middles of the rings are at most.
static const double apart_m = 0.05, aside_m = 0.1;

// Of the random numbers of a seed; other streams are those of the common parameters.
enum { STREAM_HEAP = 4 };

enum { PARAM_COUNT_OF_RINGS, PARAM_TRIANGLES, PARAM_SEED, PARAM_COUNT };

static const ts_param params_of_heap[PARAM_COUNT] = {
    [PARAM_COUNT_OF_RINGS] = {.name = "count",
                              .summary = "Number of rings.",
                              .kind = TS_PARAM_INTEGER,
                              .default_value = 10,
                              .minimum = 1,
                              .maximum = 100},
    [PARAM_TRIANGLES] = {.name = "triangles",
                         .summary = "Of each ring: the nearest number that a grid of about square "
                                    "cells has whose sides are multiples of 4.",
                         .kind = TS_PARAM_INTEGER,
                         .default_value = 500,
                         .minimum = 100,
                         .maximum = 1e5},
    [PARAM_SEED] = {.name = "seed",
                    .summary = "Seed of how the rings are turned.",
                    .kind = TS_PARAM_INTEGER,
                    .default_value = 1,
                    .minimum = 0,
                    .maximum = 2147483648.0},
};

/// How far a ring reaches up and down from its middle.
static double reach_m(ts_quat rotation) {
  double lean = ts_quat_rotate(rotation, ts_vec3_make(0, 1, 0)).y;
  double across = sqrt(fmax(0, 1 - lean * lean));
  return ts_torus_ring.axis_radius_m * across + ts_torus_ring.tube_radius_m;
}

static ts_quat random_turn(ts_random *random) {
  double u1 = ts_random_unit(random);
  double u2 = ts_random_unit(random);
  double u3 = ts_random_unit(random);
  return ts_quat_uniform(u1, u2, u3);
}

static ts_status build(ts_scene *scene, const double *params) {
  ts_random random = ts_random_seed((uint64_t)params[PARAM_SEED], STREAM_HEAP);
  int32_t shape, body;
  double top_m = 0;
  TS_TRY(ts_slab_add_wide(&body, scene));
  TS_TRY(ts_shape_torus(&shape, scene, &ts_torus_ring, params[PARAM_TRIANGLES]));
  for (int i = 0; i < (int)params[PARAM_COUNT_OF_RINGS]; i++) {
    ts_pose pose = {.rotation = random_turn(&random)};
    pose.translation.x = ts_random_uniform(&random, -aside_m, aside_m);
    pose.translation.z = ts_random_uniform(&random, -aside_m, aside_m);
    pose.translation.y = top_m + apart_m + reach_m(pose.rotation);
    top_m = pose.translation.y + reach_m(pose.rotation);
    const char *name = ts_arena_format(scene->arena, "ring_%d", i + 1);
    if (!name)
      return TS_E_MEMORY;
    TS_TRY(ts_slab_body(&body, scene, name, shape, pose));
  }
  // Nothing touches as built, and where the rings meet later no design says.
  scene->truth_is_unknown = true;
  return TS_OK;
}

static const ts_case_range ranges[] = {
    {"count", 2, 10},
    {"triangles", 100, 1000},
    {"seed", 1, 999999},
    {NULL, 0, 0},
};

const ts_case ts_case_heap = {
    .name = "heap",
    .suite = "response",
    .summary = "Rings fall on a slab out of a column, each turned at random, and come to rest in a "
               "heap.",
    .source = "touchstone, after the toys of Allard 2010, Table 1",
    .params = params_of_heap,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
};
