// SPDX-License-Identifier: MIT
#include "cases/slab.h"

#include "base/status.h"

static const double slab_height_m = 1;

static ts_status add_slab(int32_t *out_body, ts_scene *scene, double width_m, double depth_m) {
  int32_t shape;
  TS_TRY(ts_shape_box(&shape, scene, "slab", width_m, slab_height_m, depth_m));
  ts_pose below = {{1, 0, 0, 0}, {0, -0.5 * slab_height_m, 0}};
  return ts_scene_add_body(out_body, scene, "slab", shape, below, true);
}

ts_status ts_slab_add(int32_t *out_body, ts_scene *scene) {
  return add_slab(out_body, scene, 8, 4);
}

ts_status ts_slab_add_wide(int32_t *out_body, ts_scene *scene) {
  return add_slab(out_body, scene, 12, 12);
}

ts_status ts_slab_block(int32_t *out_shape, ts_scene *scene) {
  return ts_shape_box(out_shape, scene, "block", TS_BLOCK_WIDTH_M, TS_BLOCK_HEIGHT_M,
                      TS_BLOCK_WIDTH_M);
}

ts_status ts_slab_body(int32_t *out_body, ts_scene *scene, const char *name, int32_t shape,
                       ts_pose pose) {
  TS_TRY(ts_scene_add_body(out_body, scene, name, shape, pose, false));
  scene->bodies[*out_body].density_kg_m3 = TS_RESPONSE_DENSITY_KG_M3;
  return TS_OK;
}

ts_status ts_slab_with_block(int32_t *out_block, ts_scene *scene) {
  int32_t slab, shape;
  TS_TRY(ts_slab_add(&slab, scene));
  TS_TRY(ts_slab_block(&shape, scene));
  ts_pose above = {{1, 0, 0, 0}, {0, 0.5 * TS_BLOCK_HEIGHT_M, 0}};
  TS_TRY(ts_slab_body(out_block, scene, "block", shape, above));
  return ts_slab_join(scene, slab, *out_block);
}

ts_status ts_slab_join(ts_scene *scene, int32_t lower, int32_t upper) {
  return ts_shape_join_faces(scene, lower, &ts_hexahedron_faces[TS_FACE_TOP], upper,
                             &ts_hexahedron_faces[TS_FACE_BOTTOM], ts_vec3_make(0, 1, 0));
}
