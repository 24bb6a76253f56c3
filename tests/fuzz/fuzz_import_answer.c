// SPDX-License-Identifier: MIT
/// Answers of the helper touchstone-import. This file replaces geometry/mesh/helper_process.c; the
/// input is how the helper ends (a byte), its exit code (a byte), and the rest of its answer.
#include "base/status.h"
#include "geometry/files/mesh_import.h"
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

/// Gives some file for whatever the answer asks for.
static ts_status read_other(char **out, size_t *out_count, void *context, const char *name) {
  static char bytes[] = "bytes";
  (void)context;
  *out = bytes;
  *out_count = strlen(name) % sizeof bytes;
  return TS_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  given = data;
  given_count = size;
  ts_arena *arena;
  FUZZ_CHECK(ts_arena_create(&arena) == TS_OK);
  ts_triangles mesh;
  ts_status status = ts_mesh_import(&mesh, arena, "mesh.glb", "glTF", 4, read_other, NULL);
  // A wrong helper program is an error of the installation.
  if (status != TS_E_IO && fuzz_is_ok(status)) {
    for (size_t t = 0; t < mesh.triangle_count; t++)
      for (int i = 0; i < 3; i++)
        FUZZ_CHECK(mesh.triangles[t][i] < mesh.vertex_count);
  }
  ts_arena_destroy(arena);
  return 0;
}
