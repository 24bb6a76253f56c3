// SPDX-License-Identifier: MIT
/// Answers of the helper touchstone-mjcf. This file replaces geometry/mesh/helper_process.c; the
/// input is how the helper ends (a byte), its exit code (a byte), and the rest of its answer.
#include "cases/scene_file/mjcf.h"
#include "geometry/mesh/helper_process.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static const uint8_t *given;
static size_t given_count;

ts_status ts_helper_ask(ts_helper_answer *out, ts_arena *arena,
                        const ts_helper_question *question) {
  *out = (ts_helper_answer){.end = given_count > 0 ? given[0] % 5 : TS_HELPER_GARBLED,
                            .code = given_count > 1 ? given[1] : -1};
  if (out->end != TS_HELPER_ANSWERED)
    return TS_OK;
  // The part of an answer that is always right: its first words, and its length.
  size_t rest = given_count > 2 ? given_count - 2 : 0;
  uint64_t count = 16 + rest;
  uint8_t *bytes = ts_arena_alloc(arena, count);
  if (!bytes)
    return TS_E_MEMORY;
  memcpy(bytes, question->answer_magic, 8);
  memcpy(bytes + 8, &count, sizeof count);
  if (rest > 0)
    memcpy(bytes + 16, given + 2, rest);
  out->bytes = bytes;
  out->byte_count = count;
  return TS_OK;
}

char *ts_helper_beside(ts_arena *arena, const char *name) {
  return ts_arena_string(arena, name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char model[] = "<mujoco/>\n==> mesh.obj\nv 0 0 0\n";
  given = data;
  given_count = size;
  ts_arena *arena;
  FUZZ_CHECK(ts_arena_create(&arena) == TS_OK);
  fuzz_folder((const uint8_t *)model, sizeof model - 1, "model.xml");
  ts_mjcf mjcf;
  ts_status status = ts_mjcf_read(&mjcf, arena, fuzz_path(arena, "model.xml#key"));
  // A wrong helper program is an error of the installation.
  if (status != TS_E_IO && fuzz_is_ok(status)) {
    FUZZ_CHECK(mjcf.scene->body_count > 0);
    for (size_t i = 0; i < mjcf.scene->body_count; i++)
      FUZZ_CHECK((size_t)mjcf.scene->bodies[i].shape < mjcf.scene->shape_count);
  }
  ts_arena_destroy(arena);
  return 0;
}
