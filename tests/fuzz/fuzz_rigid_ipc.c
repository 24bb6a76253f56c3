// SPDX-License-Identifier: MIT
/// Scenes of rigid-ipc with their meshes.
#include "cases/scene_file/rigid_ipc.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  setenv("TOUCHSTONE_IMPORT", "/missing/touchstone-import", 1);
  ts_arena *arena;
  FUZZ_CHECK(ts_arena_create(&arena) == TS_OK);
  fuzz_folder(data, size, "scene.json");
  ts_rigid_ipc ipc;
  if (fuzz_is_ok(ts_rigid_ipc_read(&ipc, arena, fuzz_path(arena, "scene.json"))))
    for (size_t i = 0; i < ipc.scene->body_count; i++)
      FUZZ_CHECK((size_t)ipc.scene->bodies[i].shape < ipc.scene->shape_count);
  ts_arena_destroy(arena);
  return 0;
}
