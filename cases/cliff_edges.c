// SPDX-License-Identifier: MIT
// A cube that exactly covers the top of a frustum, so that edges meet all along the rim.
#include "base/status.h"
#include "cases/case.h"
#include "cases/scene/shapes.h"

static const double side_m = 3.2, half_bottom_m = 2.4, frustum_height_m = 3.2;

static ts_status add_frustum(int32_t *out, ts_scene *scene) {
  ts_vec3 corners[8];
  for (unsigned i = 0; i < 8; i++) {
    double half_m = i & 2 ? 0.5 * side_m : half_bottom_m;
    corners[i] = ts_vec3_make(i & 1 ? half_m : -half_m, (i & 2 ? 0.5 : -0.5) * frustum_height_m,
                              i & 4 ? half_m : -half_m);
  }
  return ts_shape_hexahedron(out, scene, "frustum", corners,
                             TS_FACE_BIT(TS_FACE_LEFT) | TS_FACE_BIT(TS_FACE_BACK) |
                                 TS_FACE_BIT(TS_FACE_FRONT));
}

static ts_status build(ts_scene *scene, const double *params) {
  (void)params;
  int32_t shape, frustum, cube;
  TS_TRY(add_frustum(&shape, scene));
  ts_pose below = {{1, 0, 0, 0}, {0, 0.5 * frustum_height_m, 0}};
  TS_TRY(ts_scene_add_body(&frustum, scene, "frustum", shape, below, true));
  TS_TRY(ts_shape_cube(&shape, scene, "cube", side_m));
  ts_pose above = {{1, 0, 0, 0}, {0, frustum_height_m + 0.5 * side_m, 0}};
  TS_TRY(ts_scene_add_body(&cube, scene, "cube", shape, above, false));
  return ts_shape_join_faces(scene, frustum, &ts_hexahedron_faces[TS_FACE_TOP], cube,
                             &ts_hexahedron_faces[TS_FACE_BOTTOM], ts_vec3_make(0, 1, 0));
}

const ts_case ts_case_cliff_edges = {
    .name = "cliff_edges",
    .suite = "erleben",
    .summary = "A cube exactly covers the top of a frustum; edges meet along the rim, one normal.",
    .source = "Erleben 2018, Table 4",
    .build = build,
};
