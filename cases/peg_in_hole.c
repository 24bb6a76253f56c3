// SPDX-License-Identifier: MIT
// A square peg in a square hole: every way but up is blocked at once, by faces that oppose each
// other. With some play there is a gap to the walls and only the floor holds.
#include "base/status.h"
#include "cases/blocks.h"
#include "cases/case.h"

static const double block_half_m = 1, block_bottom_m = -1.25;
static const double hole_half_m = 0.25, hole_depth_m = 0.75;
static const double peg_height_m = 1.5;

enum { PARAM_PLAY, PARAM_COUNT };

static const ts_param params_of_peg_in_hole[PARAM_COUNT] = {
    [PARAM_PLAY] =
        {.name = "play_m",
         .summary = "Gap between the peg and each of the four walls, at scale 1; at 0 they touch.",
         .kind = TS_PARAM_REAL,
         .default_value = 0,
         .minimum = 0,
         .maximum = 0.1},
};

static ts_status add_block(int32_t *out, ts_scene *scene) {
  enum { ACROSS = 3, LAYERS = 2 };
  const uint32_t count[3] = {ACROSS, LAYERS, ACROSS};
  const double across[ACROSS + 1] = {-block_half_m, -hole_half_m, hole_half_m, block_half_m};
  const double up[LAYERS + 1] = {block_bottom_m, -hole_depth_m, 0};
  bool is_solid[ACROSS * LAYERS * ACROSS];
  for (int i = 0; i < ACROSS * LAYERS * ACROSS; i++)
    is_solid[i] = true;
  is_solid[1 + ACROSS * (1 + LAYERS * 1)] = false; // the middle of the upper layer
  return ts_shape_blocks(out, scene, "block", count, (const double *const[]){across, up, across},
                         is_solid);
}

static ts_status build(ts_scene *scene, const double *params) {
  int32_t shape, block, peg;
  TS_TRY(add_block(&shape, scene));
  TS_TRY(ts_scene_add_body(&block, scene, "block", shape, ts_pose_identity(), true));
  double peg_m = 2 * (hole_half_m - params[PARAM_PLAY]);
  TS_TRY(ts_shape_box(&shape, scene, "peg", peg_m, peg_height_m, peg_m));
  ts_pose pose = {{1, 0, 0, 0}, {0, 0.5 * peg_height_m - hole_depth_m, 0}};
  TS_TRY(ts_scene_add_body(&peg, scene, "peg", shape, pose, false));

  // The rectangle of each wall: its low and its high corner; and its normal.
  const double r = hole_half_m, d = -hole_depth_m;
  const struct {
    ts_hexahedron_face face;
    ts_vec3 low, high, normal;
  } joints[] = {
      {TS_FACE_BOTTOM, {-r, d, -r}, {r, d, r}, {0, 1, 0}},
      {TS_FACE_LEFT, {-r, d, -r}, {-r, 0, r}, {1, 0, 0}},
      {TS_FACE_RIGHT, {r, d, -r}, {r, 0, r}, {-1, 0, 0}},
      {TS_FACE_BACK, {-r, d, -r}, {r, 0, -r}, {0, 0, 1}},
      {TS_FACE_FRONT, {-r, d, r}, {r, 0, r}, {0, 0, -1}},
  };
  for (size_t i = 0; i < sizeof joints / sizeof *joints; i++)
    TS_TRY(ts_block_join_rectangle(scene, block, joints[i].low, joints[i].high, peg, joints[i].face,
                                   joints[i].normal));
  return TS_OK;
}

const ts_case ts_case_peg_in_hole = {
    .name = "peg_in_hole",
    .suite = "extended",
    .summary = "A square peg on the floor of a square hole without play; the floor and four walls, "
               "five normals.",
    .source = "touchstone, after Erleben 2018, section 4.3",
    .params = params_of_peg_in_hole,
    .param_count = PARAM_COUNT,
    .build = build,
};
