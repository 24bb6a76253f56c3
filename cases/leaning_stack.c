// SPDX-License-Identifier: MIT
// Blocks on each other, each a little to one side of the one below: the stack stands, but the
// pressure in its joints is not even, so that a response with one force a joint lets it lean over.
// Blocks that overlap as built show what taking the overlap back costs in energy.
#include "base/status.h"
#include "cases/case.h"
#include "cases/slab.h"

enum { PARAM_COUNT_OF_BLOCKS, PARAM_LEAN, PARAM_OVERLAP, PARAM_COUNT };

// Below a quarter of a metre, no block reaches the next but one, and up to half a metre of
// offset blocks part sooner upwards than sideways: what the joints say stays true.
static const ts_param params_of_leaning_stack[PARAM_COUNT] = {
    [PARAM_COUNT_OF_BLOCKS] = {.name = "count",
                               .summary = "Number of blocks.",
                               .kind = TS_PARAM_INTEGER,
                               .default_value = 3,
                               .minimum = 1,
                               .maximum = 50},
    [PARAM_LEAN] = {.name = "lean_m",
                    .summary = "How far each block lies beside the one below it, along x, at "
                               "scale 1.",
                    .kind = TS_PARAM_REAL,
                    .default_value = 0.05,
                    .minimum = 0,
                    .maximum = 0.5},
    [PARAM_OVERLAP] = {.name = "overlap_m",
                       .summary = "How deep each block lies in what is below it, at scale 1.",
                       .kind = TS_PARAM_REAL,
                       .default_value = 0,
                       .minimum = 0,
                       .maximum = 0.2},
};

static ts_status build(ts_scene *scene, const double *params) {
  int32_t below, shape, block;
  TS_TRY(ts_slab_add(&below, scene));
  TS_TRY(ts_slab_block(&shape, scene));
  double overlap_m = params[PARAM_OVERLAP], step_m = TS_BLOCK_HEIGHT_M - overlap_m;
  for (int i = 0; i < (int)params[PARAM_COUNT_OF_BLOCKS]; i++) {
    ts_pose pose = {{1, 0, 0, 0},
                    {i * params[PARAM_LEAN], 0.5 * TS_BLOCK_HEIGHT_M - overlap_m + i * step_m, 0}};
    const char *name = ts_arena_format(scene->arena, "block_%d", i + 1);
    if (!name)
      return TS_E_MEMORY;
    TS_TRY(ts_slab_body(&block, scene, name, shape, pose));
    TS_TRY(ts_slab_join(scene, below, block));
    below = block;
  }
  return TS_OK;
}

static const ts_case_range ranges[] = {
    {"count", 1, 8},
    {"lean_m", 0, 0.2},
    {NULL, 0, 0},
};

const ts_case ts_case_leaning_stack = {
    .name = "leaning_stack",
    .suite = "response",
    .summary = "Blocks on each other, each to one side of the one below; one vertical normal, and "
               "uneven pressure.",
    .source = "touchstone, after Allard 2010, section 4.2",
    .params = params_of_leaning_stack,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
};
