// SPDX-License-Identifier: MIT
// A pillar of seven stones on the ground: boxes at both ends, hexagonal frusta between them.
#include "base/status.h"
#include "cases/case.h"
#include "cases/scene/shapes.h"

#include <stdio.h>

enum { STONE_COUNT = 7 };

typedef struct pillar_stone {
  bool is_box;
  double width_m;         // of a box, along x and z
  double bottom_m, top_m; // circumradii of a frustum
  double height_m;
} pillar_stone;

// From below. The shaft tapers evenly over three stones of equal height.
static const pillar_stone stones[STONE_COUNT] = {
    {.is_box = true, .width_m = 0.5, .height_m = 0.21},
    {.bottom_m = 0.25, .top_m = 0.20, .height_m = 0.21},
    {.bottom_m = 0.20, .top_m = 0.55 / 3, .height_m = 2.8 / 3},
    {.bottom_m = 0.55 / 3, .top_m = 0.5 / 3, .height_m = 2.8 / 3},
    {.bottom_m = 0.5 / 3, .top_m = 0.15, .height_m = 2.8 / 3},
    {.bottom_m = 0.15, .top_m = 0.25, .height_m = 0.175},
    {.is_box = true, .width_m = 0.5, .height_m = 0.105},
};

static const double ground_width_m = 3, ground_height_m = 0.3;

static ts_status add_stone(int32_t *out, ts_scene *scene, int index, double base_y) {
  const pillar_stone *stone = &stones[index];
  char name[32];
  snprintf(name, sizeof name, "stone_%d", index);
  int32_t shape;
  if (stone->is_box)
    TS_TRY(ts_shape_box(&shape, scene, name, stone->width_m, stone->height_m, stone->width_m));
  else
    TS_TRY(ts_shape_hexagonal_frustum(&shape, scene, name, stone->bottom_m, stone->top_m,
                                      stone->height_m));
  ts_pose pose = {{1, 0, 0, 0}, {0, base_y + 0.5 * stone->height_m, 0}};
  return ts_scene_add_body(out, scene, name, shape, pose, false);
}

static ts_status build(ts_scene *scene, const double *params) {
  (void)params;
  int32_t shape, below;
  TS_TRY(ts_shape_box(&shape, scene, "ground", ground_width_m, ground_height_m, ground_width_m));
  ts_pose ground = {{1, 0, 0, 0}, {0, -0.5 * ground_height_m, 0}};
  TS_TRY(ts_scene_add_body(&below, scene, "ground", shape, ground, true));
  const ts_corners *top_of_below = &ts_hexahedron_faces[TS_FACE_TOP];
  double base_y = 0;
  for (int i = 0; i < STONE_COUNT; i++) {
    int32_t stone;
    TS_TRY(add_stone(&stone, scene, i, base_y));
    bool is_box = stones[i].is_box;
    const ts_corners *bottom = is_box ? &ts_hexahedron_faces[TS_FACE_BOTTOM] : &ts_hexagon_bottom;
    TS_TRY(ts_shape_join_faces(scene, below, top_of_below, stone, bottom, ts_vec3_make(0, 1, 0)));
    top_of_below = is_box ? &ts_hexahedron_faces[TS_FACE_TOP] : &ts_hexagon_top;
    below = stone;
    base_y += stones[i].height_m;
  }
  return TS_OK;
}

static const ts_case_range ranges[] = {
    {"perturb_m", 0, 0.02},
    {"perturb_seed", 1, 999999},
    {NULL, 0, 0},
};

const ts_case ts_case_pillar = {
    .name = "pillar",
    .suite = "erleben",
    .summary = "Seven stones stacked on the ground; every joint is a polygon with one vertical "
               "normal.",
    .source = "Erleben 2018, section 4, Figure 3",
    .build = build,
    .ranges = ranges,
};
