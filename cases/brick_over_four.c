// SPDX-License-Identifier: MIT
// A brick on four bricks whose common corner lies below its middle: four regions of one plane on
// four bodies, none of which holds the others' corners.
#include "base/status.h"
#include "cases/case.h"
#include "cases/scene/shapes.h"

static const double width_m = 1, height_m = 0.5, depth_m = 0.75;

static ts_status build(ts_scene *scene, const double *params) {
  (void)params;
  int32_t shape, lower[4], upper;
  TS_TRY(ts_shape_box(&shape, scene, "brick", width_m, height_m, depth_m));
  for (unsigned i = 0; i < 4; i++) {
    ts_pose pose = {
        {1, 0, 0, 0},
        {(i & 1 ? 0.5 : -0.5) * width_m, -0.5 * height_m, (i & 2 ? 0.5 : -0.5) * depth_m}};
    const char *name = ts_arena_format(scene->arena, "lower_%d", (int)i + 1);
    if (!name)
      return TS_E_MEMORY;
    TS_TRY(ts_scene_add_body(&lower[i], scene, name, shape, pose, true));
  }
  ts_pose above = {{1, 0, 0, 0}, {0, 0.5 * height_m, 0}};
  TS_TRY(ts_scene_add_body(&upper, scene, "upper", shape, above, false));
  for (unsigned i = 0; i < 4; i++)
    TS_TRY(ts_shape_join_faces(scene, lower[i], &ts_hexahedron_faces[TS_FACE_TOP], upper,
                               &ts_hexahedron_faces[TS_FACE_BOTTOM], ts_vec3_make(0, 1, 0)));
  return TS_OK;
}

const ts_case ts_case_brick_over_four = {
    .name = "brick_over_four",
    .suite = "extended",
    .summary = "A brick on four bricks, their common corner below its middle; four rectangles, one "
               "vertical normal.",
    .source = "touchstone, after Erleben 2018, section 5",
    .build = build,
};
