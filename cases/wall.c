// SPDX-License-Identifier: MIT
// A wall of bricks in running bond, without half bricks.
#include "base/status.h"
#include "cases/case.h"
#include "cases/scene/shapes.h"

#include <stdio.h>

static const double brick_width_m = 0.625, brick_height_m = 0.4, brick_depth_m = 0.5;
static const double ground_width_m = 10, ground_height_m = 1;

enum { PARAM_LAYERS, PARAM_SPAN, PARAM_COUNT };

static const ts_param params_of_wall[PARAM_COUNT] = {
    [PARAM_LAYERS] = {.name = "layers",
                      .summary = "Layers of bricks.",
                      .kind = TS_PARAM_INTEGER,
                      .default_value = 10,
                      .minimum = 1,
                      .maximum = 1000},
    [PARAM_SPAN] = {.name = "span",
                    .summary = "Bricks in each layer.",
                    .kind = TS_PARAM_INTEGER,
                    .default_value = 8,
                    .minimum = 1,
                    .maximum = 1000},
};

// The ground is 10 wide, as published, and wider only when half a brick beside the wall would not
// fit on it: a wall that hangs over its ground would have other joints.
static ts_status add_ground(int32_t *out, ts_scene *scene, int span) {
  double width_m = fmax(ground_width_m, brick_width_m * (span + 2));
  int32_t shape;
  TS_TRY(ts_shape_box(&shape, scene, "ground", width_m, ground_height_m, ground_width_m));
  ts_pose pose = {{1, 0, 0, 0}, {0, -0.5 * ground_height_m, 0}};
  return ts_scene_add_body(out, scene, "ground", shape, pose, true);
}

static ts_status add_brick(int32_t *out, ts_scene *scene, int32_t shape, int layer, int index,
                           int span) {
  // Odd layers are half a brick further.
  double half_steps = 2 * index - span + layer % 2;
  ts_pose pose = {{1, 0, 0, 0},
                  {0.5 * brick_width_m * half_steps, brick_height_m * (layer + 0.5), 0}};
  char name[48];
  snprintf(name, sizeof name, "brick_%d_%d", layer, index);
  return ts_scene_add_body(out, scene, name, shape, pose, false);
}

static ts_status join(ts_scene *scene, int32_t a, ts_hexahedron_face face_a, int32_t b,
                      ts_hexahedron_face face_b, ts_vec3 normal) {
  return ts_shape_join_faces(scene, a, &ts_hexahedron_faces[face_a], b,
                             &ts_hexahedron_faces[face_b], normal);
}

// The joints of a new brick with the ground or the two bricks below it, and with the one beside it.
static ts_status join_brick(ts_scene *scene, int32_t brick, int layer, int index, int span) {
  const ts_vec3 right = {1, 0, 0}, up = {0, 1, 0};
  if (layer == 0) {
    TS_TRY(join(scene, 0, TS_FACE_TOP, brick, TS_FACE_BOTTOM, up));
  } else {
    int first = layer % 2 ? index : index - 1;
    for (int below = first; below <= first + 1; below++)
      if (below >= 0 && below < span)
        TS_TRY(join(scene, brick - span + (below - index), TS_FACE_TOP, brick, TS_FACE_BOTTOM, up));
  }
  if (index > 0)
    TS_TRY(join(scene, brick - 1, TS_FACE_RIGHT, brick, TS_FACE_LEFT, right));
  return TS_OK;
}

static ts_status build(ts_scene *scene, const double *params) {
  int layers = (int)params[PARAM_LAYERS], span = (int)params[PARAM_SPAN];
  int32_t ground, shape;
  TS_TRY(add_ground(&ground, scene, span));
  TS_TRY(ts_shape_box(&shape, scene, "brick", brick_width_m, brick_height_m, brick_depth_m));
  for (int layer = 0; layer < layers; layer++) {
    for (int index = 0; index < span; index++) {
      int32_t brick;
      TS_TRY(add_brick(&brick, scene, shape, layer, index, span));
      TS_TRY(join_brick(scene, brick, layer, index, span));
    }
  }
  return TS_OK;
}

static const ts_case_range ranges[] = {
    {"layers", 2, 8},
    {"span", 3, 8},
    {NULL, 0, 0},
};

const ts_case ts_case_wall = {
    .name = "wall",
    .suite = "erleben",
    .summary = "Bricks in running bond; joints below, above and beside each brick.",
    .source = "Erleben 2018, section 5.1.1, Eq. 1-5",
    .params = params_of_wall,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
};
