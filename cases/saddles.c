// SPDX-License-Identifier: MIT
// Mixed vertices: a saddle on a saddle, and the tip of a spike on a saddle.
//
// The top of the block is y = a x^2 - b z^2 over a grid, whose cells are planar, since the height
// is a sum of one part along x and one along z. It rises along x, where its edges are ridges, and
// falls along z, where they are valleys. So the block is the union of two parts that are convex
// about the middle: the one whose top rises to +x and the one whose top rises to -x, with the
// slopes +-s across and falling by t to both sides of the ridge. What a convex part of one body
// and one of the other demand is the intersection of their normal cones, and every pair of parts
// demands its own:
//
//   The upper saddle is the same block, upside down and turned by 90 degrees. Of two parts the
//   cones are spanned by (-+s, 1, t), (-+s, 1, -t) and (t, 1, +-s), (-t, 1, +-s): with s < t they
//   have the one direction (-+s, 1, +-s) in common. All four are needed. None is a face's; each is
//   that of half a ridge of the one and half a ridge of the other.
//
//   The cone of the spike, whose flanks are steeper than all slopes, holds that of either part.
//   Of each part either of two face normals is right; both parts are needed.
#include "base/status.h"
#include "cases/blocks.h"
#include "cases/case.h"

static const double half_m = 1, bottom_m = -2;
static const double rise_1_m = 0.5, fall_1_m = 1; // a and b [1/m]

enum { PARAM_CELLS, PARAM_COUNT };
enum { CELLS_MAX = 32 };

static const ts_param params_of_saddles[PARAM_COUNT] = {
    [PARAM_CELLS] = {.name = "cells",
                     .summary = "Of a saddle's grid, along a side: the next even number, so that a "
                                "vertex is in the middle. The finer, the flatter there.",
                     .kind = TS_PARAM_INTEGER,
                     .default_value = 8,
                     .minimum = 2,
                     .maximum = CELLS_MAX},
};

/// A saddle, and what of it touches.
typedef struct saddle {
  int32_t shape;
  double step_m;               // of the grid
  double slope_up, slope_down; // of the cells around the middle: s and t
} saddle;

/// The pieces: the block is convex along z, so each strip between two lines of the grid is.
static ts_status add_strips(ts_scene *scene, int32_t shape, const ts_block_grid *grid) {
  uint32_t cells = grid->count[0];
  for (uint32_t i = 0; i < cells; i++) {
    ts_block_grid strip = {.count = {1, 1, cells}};
    ts_vec3 corners[4 * (CELLS_MAX + 1)];
    for (uint32_t k = 0; k <= cells; k++)
      for (uint32_t c = 0; c < 4; c++)
        corners[ts_block_corner(strip.count, c & 1, c >> 1, k)] =
            grid->corners[ts_block_corner(grid->count, i + (c & 1), c >> 1, k)];
    strip.corners = corners;
    TS_TRY(ts_shape_grid_piece(scene, shape, &strip));
  }
  return TS_OK;
}

static ts_status add_cut(int32_t *out, ts_scene *scene, ts_arena *scratch, uint32_t cells) {
  ts_block_grid grid = {.count = {cells, 1, cells}};
  ts_vec3 *corners =
      ts_arena_array(scratch, (size_t)2 * (cells + 1) * (cells + 1), sizeof *corners);
  if (!corners)
    return TS_E_MEMORY;
  for (uint32_t k = 0; k <= cells; k++)
    for (uint32_t i = 0; i <= cells; i++) {
      double x = half_m * (2.0 * i - cells) / cells, z = half_m * (2.0 * k - cells) / cells;
      double top = rise_1_m * x * x - fall_1_m * z * z;
      corners[ts_block_corner(grid.count, i, 0, k)] = ts_vec3_make(x, bottom_m, z);
      corners[ts_block_corner(grid.count, i, 1, k)] = ts_vec3_make(x, top, z);
    }
  grid.corners = corners;
  TS_TRY(ts_shape_grid(out, scene, "saddle", &grid));
  return add_strips(scene, *out, &grid);
}

static ts_status add_saddle(saddle *out, ts_scene *scene, double asked_cells) {
  uint32_t cells = ((uint32_t)asked_cells + 1) / 2 * 2;
  ts_arena *scratch;
  TS_TRY(ts_arena_create(&scratch));
  ts_status status = add_cut(&out->shape, scene, scratch, cells);
  ts_arena_destroy(scratch);
  out->step_m = 2 * half_m / cells;
  out->slope_up = rise_1_m * out->step_m;
  out->slope_down = fall_1_m * out->step_m;
  return status;
}

/// The edge from the middle along the ridge to +x or -x, in the frame of the saddle.
static void half_ridge(ts_vec3 out[2], const saddle *s, double side) {
  out[0] = ts_vec3_make(0, 0, 0);
  out[1] = ts_vec3_make(side * s->step_m, s->slope_up * s->step_m, 0);
}

static ts_status build_saddle_on_saddle(ts_scene *scene, const double *params) {
  saddle s;
  int32_t lower, upper;
  TS_TRY(add_saddle(&s, scene, params[PARAM_CELLS]));
  TS_TRY(ts_scene_add_body(&lower, scene, "lower", s.shape, ts_pose_identity(), true));
  // Upside down, with x and z exchanged.
  const double a = sqrt(0.5);
  const ts_pose turned = {{0, a, 0, a}, {0, 0, 0}};
  TS_TRY(ts_scene_add_body(&upper, scene, "upper", s.shape, turned, false));
  ts_joint joint = {.body_a = lower, .body_b = upper, .count_a = 2, .count_b = 2};
  joint.needs_all = true;
  joint.normal_count[TS_REFERENCE_DESIGN] = 1;
  for (int i = 0; i < 4; i++) {
    double side_a = i & 1 ? 1 : -1, side_b = i & 2 ? 1 : -1;
    ts_vec3 ridge_a[2], ridge_b[2];
    half_ridge(ridge_a, &s, side_a);
    half_ridge(ridge_b, &s, side_b);
    ts_vec3 normal = ts_vec3_unit(ts_vec3_make(-side_a * s.slope_up, 1, side_b * s.slope_up));
    joint.feature_a_local = ridge_a;
    joint.feature_b_local = ridge_b;
    joint.normals_local[TS_REFERENCE_DESIGN] = &normal;
    TS_TRY(ts_scene_add_joint(scene, &joint));
  }
  return TS_OK;
}

static ts_status build_spike_on_saddle(ts_scene *scene, const double *params) {
  // Across the ridge, so that of each part the normal of the face it meets first is singled out.
  const ts_vec3 velocity_m_s = {0, -4.8, 1.2};
  saddle s;
  int32_t lower, upper, shape;
  TS_TRY(add_saddle(&s, scene, params[PARAM_CELLS]));
  TS_TRY(ts_scene_add_body(&lower, scene, "lower", s.shape, ts_pose_identity(), true));
  TS_TRY(ts_shape_spike(&shape, scene));
  TS_TRY(ts_scene_add_body(&upper, scene, "upper", shape, ts_spike_pose_down(0), false));
  scene->bodies[upper].twist.linear_m_s = velocity_m_s;
  const ts_vec3 tip = {0, 0, 0};
  ts_joint joint = {.body_a = lower, .body_b = upper, .count_a = 2, .count_b = 1};
  joint.feature_b_local = &tip;
  joint.normal_count[TS_REFERENCE_DESIGN] = 1;
  joint.normal_count[TS_REFERENCE_FEASIBLE] = 2;
  for (int side = -1; side <= 1; side += 2) {
    ts_vec3 ridge[2], normals[2];
    half_ridge(ridge, &s, side);
    for (int i = 0; i < 2; i++) // the one to +z first
      normals[i] =
          ts_vec3_unit(ts_vec3_make(-side * s.slope_up, 1, i == 0 ? s.slope_down : -s.slope_down));
    joint.feature_a_local = ridge;
    joint.normals_local[TS_REFERENCE_DESIGN] = normals;
    joint.normals_local[TS_REFERENCE_FEASIBLE] = normals;
    TS_TRY(ts_scene_add_joint(scene, &joint));
  }
  return TS_OK;
}

static const ts_case_range ranges_of_spike[] = {TS_SPIKE_RANGES, {"cells", 2, 16}, {NULL, 0, 0}};

static const ts_case_range ranges_of_saddles[] = {
    {"cells", 2, 16},
    {NULL, 0, 0},
};

const ts_case ts_case_saddle_on_saddle = {
    .name = "saddle_on_saddle",
    .suite = "extended",
    .summary =
        "Two saddles meet vertex to vertex; four normals of crossing ridges are needed, none "
        "of them a face's.",
    .source = "Erleben 2018, section 4.6",
    .params = params_of_saddles,
    .param_count = PARAM_COUNT,
    .build = build_saddle_on_saddle,
    .ranges = ranges_of_saddles,
};

const ts_case ts_case_spike_on_saddle = {
    .name = "spike_on_saddle",
    .suite = "extended",
    .summary = "A spike falls on the middle of a saddle; of the two faces to either side of the "
               "valley one each is needed.",
    .source = "Erleben 2018, section 4.6",
    .params = params_of_saddles,
    .param_count = PARAM_COUNT,
    .build = build_spike_on_saddle,
    .ranges = ranges_of_spike,
};
