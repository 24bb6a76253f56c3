// SPDX-License-Identifier: MIT
/// Files of poses, an input of touchstone score, for two bodies.
#include "geometry/mesh/body.h"
#include "harness/score/poses_read.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const ts_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const uint32_t triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  const ts_pose pose = {{1, 0, 0, 0}, {0, 0, 0}};
  ts_arena *arena;
  ts_scene *scene;
  int32_t shape, body;
  FUZZ_CHECK(ts_arena_create(&arena) == TS_OK);
  FUZZ_CHECK(ts_scene_create(&scene, arena) == TS_OK);
  FUZZ_CHECK(ts_scene_add_shape(&shape, scene, "tet", corners, 4, triangles, 4) == TS_OK);
  FUZZ_CHECK(ts_scene_add_body(&body, scene, "fixed", shape, pose, true) == TS_OK);
  FUZZ_CHECK(ts_scene_add_body(&body, scene, "free", shape, pose, false) == TS_OK);
  fuzz_folder(data, size, "poses.csv");
  const ts_poses_source source = {
      .path = fuzz_path(arena, "poses.csv"), .scene = scene, .starts_anywhere = true};
  ts_poses *poses;
  if (fuzz_is_ok(ts_poses_open(&poses, arena, &source))) {
    bool found = true;
    ts_recorded_step step;
    double last = -1, last_s = -INFINITY;
    while (fuzz_is_ok(ts_poses_next(&found, &step, poses)) && found) {
      FUZZ_CHECK(step.step > last && !(step.time_s < last_s));
      for (int i = 0; i < 2; i++) {
        ts_pose p = step.bodies[i].pose;
        FUZZ_CHECK(isfinite(p.translation.x + p.translation.y + p.translation.z) ||
                   fabs(p.translation.x) > 1e300 || fabs(p.translation.y) > 1e300 ||
                   fabs(p.translation.z) > 1e300);
        double norm2 = p.rotation.w * p.rotation.w + p.rotation.x * p.rotation.x +
                       p.rotation.y * p.rotation.y + p.rotation.z * p.rotation.z;
        FUZZ_CHECK(fabs(norm2 - 1) < 1e-12);
      }
      last = step.step;
      last_s = step.time_s;
    }
    ts_poses_close(poses);
  }
  ts_arena_destroy(arena);
  return 0;
}
