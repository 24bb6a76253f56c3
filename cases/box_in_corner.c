// SPDX-License-Identifier: MIT
// A box in the corner of three walls, which are one body: three faces meet at once, and the edges
// and the corner between them add nothing that the faces do not say.
#include "base/status.h"
#include "cases/blocks.h"
#include "cases/case.h"

static const double thickness_m = 0.5, wall_m = 2, box_m = 1;

// Two cells a side, the one in the octant of the axes left out.
enum { CELLS = 2 };

static ts_status add_corner(int32_t *out, ts_scene *scene) {
  const uint32_t count[3] = {CELLS, CELLS, CELLS};
  const double planes[CELLS + 1] = {-thickness_m, 0, wall_m};
  bool is_solid[CELLS * CELLS * CELLS];
  for (int i = 0; i < CELLS * CELLS * CELLS; i++)
    is_solid[i] = i != CELLS * CELLS * CELLS - 1;
  return ts_shape_blocks(out, scene, "corner", count,
                         (const double *const[]){planes, planes, planes}, is_solid);
}

static ts_status build(ts_scene *scene, const double *params) {
  (void)params;
  int32_t shape, corner, box;
  TS_TRY(add_corner(&shape, scene));
  TS_TRY(ts_scene_add_body(&corner, scene, "corner", shape, ts_pose_identity(), true));
  TS_TRY(ts_shape_box(&shape, scene, "box", box_m, box_m, box_m));
  ts_pose pose = {{1, 0, 0, 0}, {0.5 * box_m, 0.5 * box_m, 0.5 * box_m}};
  TS_TRY(ts_scene_add_body(&box, scene, "box", shape, pose, false));
  const ts_vec3 origin = {0, 0, 0}, w = {wall_m, wall_m, wall_m};
  TS_TRY(ts_block_join_rectangle(scene, corner, origin, ts_vec3_make(w.x, 0, w.z), box,
                                 TS_FACE_BOTTOM, ts_vec3_make(0, 1, 0)));
  TS_TRY(ts_block_join_rectangle(scene, corner, origin, ts_vec3_make(0, w.y, w.z), box,
                                 TS_FACE_LEFT, ts_vec3_make(1, 0, 0)));
  return ts_block_join_rectangle(scene, corner, origin, ts_vec3_make(w.x, w.y, 0), box,
                                 TS_FACE_BACK, ts_vec3_make(0, 0, 1));
}

const ts_case ts_case_box_in_corner = {
    .name = "box_in_corner",
    .suite = "extended",
    .summary = "A box in the corner of a floor and two walls of one body; each of the three faces "
               "has its normal.",
    .source = "touchstone, after Erleben 2018, section 4.3",
    .build = build,
};
