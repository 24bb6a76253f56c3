// SPDX-License-Identifier: MIT
// A box on the floor of a hollow box that surrounds it: the outer body lies on every side of the
// inner one, and its hull, its box and its ball hold all of it.
#include "base/status.h"
#include "cases/blocks.h"
#include "cases/case.h"

static const double outer_half_m = 1, inner_half_m = 0.75, window_half_m = 0.125;
static const double box_m = 0.5;

enum { PARAM_LID, PARAM_COUNT };
enum { LID_NONE, LID_WINDOW, LID_CLOSED, LID_COUNT };
static const char *const lids[LID_COUNT + 1] = {"none", "window", "closed", NULL};

static const ts_param params_of_box_in_box[PARAM_COUNT] = {
    [PARAM_LID] = {.name = "lid",
                   .summary =
                       "Above the inner box: nothing, a lid with a small window, or a closed "
                       "lid, whose hollow TetGen would fill, so that methods on tets fail.",
                   .kind = TS_PARAM_CHOICE,
                   .default_value = LID_WINDOW,
                   .choices = lids},
};

enum { ACROSS = 5, LAYERS = 3 };

/// Floor, hollow and lid; the window is the middle of five cells a side.
static bool is_solid_at(int x, int y, int z, int lid) {
  bool is_rim = x == 0 || x == ACROSS - 1 || z == 0 || z == ACROSS - 1;
  if (y == 0 || (is_rim && y == 1))
    return true;
  if (y == 1 || lid == LID_NONE)
    return is_rim;
  return lid == LID_CLOSED || !(x == ACROSS / 2 && z == ACROSS / 2);
}

static ts_status add_outer(int32_t *out, ts_scene *scene, int lid) {
  const uint32_t count[3] = {ACROSS, LAYERS, ACROSS};
  const double across[ACROSS + 1] = {-outer_half_m, -inner_half_m, -window_half_m,
                                     window_half_m, inner_half_m,  outer_half_m};
  const double up[LAYERS + 1] = {-outer_half_m, -inner_half_m, inner_half_m, outer_half_m};
  bool is_solid[ACROSS * LAYERS * ACROSS];
  for (int i = 0; i < ACROSS * LAYERS * ACROSS; i++)
    is_solid[i] = is_solid_at(i % ACROSS, i / ACROSS % LAYERS, i / (ACROSS * LAYERS), lid);
  return ts_shape_blocks(out, scene, "outer", count, (const double *const[]){across, up, across},
                         is_solid);
}

static ts_status build(ts_scene *scene, const double *params) {
  int32_t shape, outer, inner;
  TS_TRY(add_outer(&shape, scene, (int)params[PARAM_LID]));
  TS_TRY(ts_scene_add_body(&outer, scene, "outer", shape, ts_pose_identity(), true));
  TS_TRY(ts_shape_box(&shape, scene, "inner", box_m, box_m, box_m));
  ts_pose pose = {{1, 0, 0, 0}, {0, 0.5 * box_m - inner_half_m, 0}};
  TS_TRY(ts_scene_add_body(&inner, scene, "inner", shape, pose, false));
  const double r = inner_half_m;
  return ts_block_join_rectangle(scene, outer, ts_vec3_make(-r, -r, -r), ts_vec3_make(r, -r, r),
                                 inner, TS_FACE_BOTTOM, ts_vec3_make(0, 1, 0));
}

static const ts_case_range ranges[] = {
    {"perturb_m", 0, 0.1},
    {"perturb_seed", 1, 999999},
    {"lid", LID_NONE, LID_WINDOW},
    {NULL, 0, 0},
};

const ts_case ts_case_box_in_box = {
    .name = "box_in_box",
    .suite = "extended",
    .summary = "A box on the floor of a hollow box that surrounds it; one normal, and the other "
               "five walls do not touch.",
    .source = "touchstone, for bodies that another one surrounds",
    .params = params_of_box_in_box,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
};
