// SPDX-License-Identifier: MIT
/// Models of MuJoCo with the files that they name, through the helper: what MuJoCo refuses, and
/// where it ends or crashes, must become a message.
#include "cases/scene_file/mjcf.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ts_arena *arena;
  FUZZ_CHECK(ts_arena_create(&arena) == TS_OK);
  fuzz_folder(data, size, "model.xml");
  ts_mjcf mjcf;
  if (fuzz_is_ok(ts_mjcf_read(&mjcf, arena, fuzz_path(arena, "model.xml")))) {
    const ts_scene *scene = mjcf.scene;
    FUZZ_CHECK(scene->body_count > 0);
    for (size_t i = 0; i < scene->body_count; i++) {
      FUZZ_CHECK((size_t)scene->bodies[i].shape < scene->shape_count);
      FUZZ_CHECK(scene->bodies[i].density_kg_m3 > 0);
    }
    for (size_t i = 0; i < scene->excluded_count; i++)
      FUZZ_CHECK((size_t)scene->excluded[i].body_b < scene->body_count);
  }
  ts_arena_destroy(arena);
  return 0;
}
