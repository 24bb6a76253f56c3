// SPDX-License-Identifier: MIT
/// Scene files with their meshes: a scene is the same after writing and reading it again. Scenes of
/// rigid-ipc are read, too.
#include "cases/scene_file/scene_file.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

/// The files of a scene as one text, in the arena.
static const char *written(ts_arena *arena, const ts_scene_file *file, bool into_folder) {
  ts_scene_part *parts;
  size_t count, used = 0;
  FUZZ_CHECK(ts_scene_file_write(&parts, &count, arena, file->scene, file) == TS_OK);
  for (size_t i = 0; i < count; i++)
    used += parts[i].byte_count + 1;
  char *all = ts_arena_alloc(arena, used + 1), *end = all;
  FUZZ_CHECK(all && count > 0);
  for (size_t i = 0; i < count; i++) {
    if (into_folder)
      fuzz_write(parts[i].name, parts[i].bytes, parts[i].byte_count);
    memcpy(end, parts[i].bytes, parts[i].byte_count);
    end += parts[i].byte_count;
    *end++ = '\n';
  }
  return all;
}

static void check_same(ts_arena *arena, const ts_scene_file *file) {
  fuzz_folder(NULL, 0, "empty");
  const char *first = written(arena, file, true);
  ts_scene_file again;
  FUZZ_CHECK(fuzz_is_ok(ts_scene_file_open(&again, arena, fuzz_path(arena, "scene.json"))));
  FUZZ_CHECK(strcmp(first, written(arena, &again, false)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  setenv("TOUCHSTONE_IMPORT", "/missing/touchstone-import", 1);
  setenv("TOUCHSTONE_TETGEN", "/missing/touchstone-tetgen", 1); // the oracle has the file's tets
  ts_arena *arena;
  FUZZ_CHECK(ts_arena_create(&arena) == TS_OK);
  fuzz_folder(data, size, "scene.json");
  ts_scene_file file;
  if (fuzz_is_ok(ts_scene_file_open(&file, arena, fuzz_path(arena, "scene.json")))) {
    const ts_case *c;
    FUZZ_CHECK(ts_scene_file_case(&c, arena, &file) == TS_OK);
    // A scene of rigid-ipc may have a single body, which scene.json may not.
    if (file.scene->body_count > 1)
      check_same(arena, &file);
  }
  ts_arena_destroy(arena);
  return 0;
}
