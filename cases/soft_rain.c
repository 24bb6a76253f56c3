// SPDX-License-Identifier: MIT
// Deformable tori that fall into an open box and heap up there: many bodies that deform, and
// contacts between any of them.
#include "base/random.h"
#include "base/status.h"
#include "cases/blocks.h"
#include "cases/case.h"
#include "cases/soft.h"

// Tori start lying about flat, in the cells of a grid: so far apart from middle to middle, moved by
// so much to each side at most, and leaning by so much at most. A torus reaches 0.13 m out, and
// 0.03 m + 0.1 m sin(20 degrees) = 0.0642 m up and down, so that cells are apart.
static const double across_m = 0.28, upwards_m = 0.135, aside_m = 0.008;
static const double lean_rad = 20 * 3.14159265358979323846 / 180;
// The lowest ones are that far above the floor, from middle to floor.
static const double lowest_m = 0.1;
// Of the box: what is free around the tori, and how thick floor and walls are.
static const double play_m = 0.02, wall_m = 0.1;

// Of the random numbers of a seed; cases/heap.c has the one before.
enum { STREAM_RAIN = 5 };

enum { PARAM_TORI = TS_SOFT_PARAM_COUNT, PARAM_SEED, PARAM_COUNT };

static const ts_param params_of_soft_rain[PARAM_COUNT] = {
    TS_SOFT_PARAMS(6e5, 2, 0.005),
    [PARAM_TORI] = {.name = "tori",
                    .summary = "Number of tori, 864 tets each; the paper has 40 bodies of about as "
                               "many.",
                    .kind = TS_PARAM_INTEGER,
                    .default_value = 8,
                    .minimum = 1,
                    .maximum = 200},
    [PARAM_SEED] = {.name = "seed",
                    .summary = "Seed of where the tori start in their cells and how they lean.",
                    .kind = TS_PARAM_INTEGER,
                    .default_value = 1,
                    .minimum = 0,
                    .maximum = 2147483648.0},
};

/// Columns of tori a side, so that there are at most twice as many layers as columns.
static uint32_t columns_for(uint32_t tori) {
  uint32_t n = 1;
  while (2 * n * n * n < tori)
    n++;
  return n;
}

/// Its floor is the plane y = 0; all tori start between its walls.
static ts_status add_box(ts_scene *scene, uint32_t columns) {
  enum { ACROSS = 3, LAYERS = 2 };
  const uint32_t count[3] = {ACROSS, LAYERS, ACROSS};
  double inner_m = 0.5 * across_m * columns + play_m;
  double height_m = lowest_m + 2 * columns * upwards_m;
  const double across[ACROSS + 1] = {-inner_m - wall_m, -inner_m, inner_m, inner_m + wall_m};
  const double up[LAYERS + 1] = {-wall_m, 0, height_m};
  bool is_solid[ACROSS * LAYERS * ACROSS];
  for (int i = 0; i < ACROSS * LAYERS * ACROSS; i++)
    is_solid[i] = true;
  is_solid[1 + ACROSS * (1 + LAYERS * 1)] = false; // the middle of the upper layer
  int32_t shape, body;
  TS_TRY(ts_shape_blocks(&shape, scene, "box", count, (const double *const[]){across, up, across},
                         is_solid));
  return ts_scene_add_body(&body, scene, "box", shape, ts_pose_identity(), true);
}

static ts_pose start_pose(uint32_t index, uint32_t columns, ts_random *random) {
  const double turn_rad = 6.28318530717958647693;
  double spin = ts_random_uniform(random, 0, turn_rad);
  double towards = ts_random_uniform(random, 0, turn_rad);
  double lean = ts_random_uniform(random, 0, lean_rad);
  double aside_x_m = ts_random_uniform(random, -aside_m, aside_m);
  double aside_z_m = ts_random_uniform(random, -aside_m, aside_m);
  uint32_t column = index % columns, row = index / columns % columns;
  double middle = 0.5 * (columns - 1);
  ts_vec3 axis = {cos(towards), 0, sin(towards)};
  return (ts_pose){.rotation = ts_quat_mul(ts_quat_from_axis_angle(axis, lean),
                                           ts_quat_from_axis_angle(ts_vec3_make(0, 1, 0), spin)),
                   .translation = {across_m * (column - middle) + aside_x_m,
                                   lowest_m + upwards_m * (index / (columns * columns)),
                                   across_m * (row - middle) + aside_z_m}};
}

static ts_status build(ts_scene *scene, const double *params) {
  uint32_t tori = (uint32_t)params[PARAM_TORI], columns = columns_for(tori);
  ts_random random = ts_random_seed((uint64_t)params[PARAM_SEED], STREAM_RAIN);
  int32_t shape, body;
  TS_TRY(add_box(scene, columns));
  TS_TRY(ts_soft_add_torus(&shape, scene, ts_quat_identity()));
  for (uint32_t i = 0; i < tori; i++) {
    const char *name = ts_arena_format(scene->arena, "torus_%u", i + 1);
    if (!name)
      return TS_E_MEMORY;
    TS_TRY(ts_soft_add_body(&body, scene, name, shape, start_pose(i, columns, &random), params,
                            NULL, 0));
  }
  scene->noise_hides_truth = true; // it may push tori into each other
  return TS_OK;
}

static const ts_case_range ranges[] = {
    {"young_pa", 3e5, 1e6},
    {"tori", 2, 12},
    {"seed", 1, 999999},
    {NULL, 0, 0},
};

const ts_case ts_case_soft_rain = {
    .name = "soft_rain",
    .suite = "soft",
    .summary = "Deformable tori fall into an open box and heap up in it; nothing touches as built.",
    .source = "Saupin 2008, Figure 4 and Table 2, with tori for dinosaurs",
    .params = params_of_soft_rain,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
    .is_deformable = true,
};
