// SPDX-License-Identifier: MIT
/// glTF through the helper, in which assimp may crash, hang or exhaust memory: each of these must
/// become a message. The first line of the input is the file extension.
#include "geometry/files/mesh_import.h"
#include "geometry/mesh/mesh.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *line = size > 0 ? memchr(data, '\n', size) : NULL;
  if (!line || line - data > 8)
    return 0;
  ts_arena *arena;
  FUZZ_CHECK(ts_arena_create(&arena) == TS_OK);
  char *path = ts_arena_format(arena, "mesh.%.*s", (int)(line - data), (const char *)data);
  FUZZ_CHECK(path);
  ts_triangles mesh;
  size_t count = size - (size_t)(line + 1 - data);
  if (ts_mesh_import_takes(path) &&
      fuzz_is_ok(ts_mesh_import(&mesh, arena, path, line + 1, count, NULL, NULL))) {
    ts_mesh *closed;
    FUZZ_CHECK(mesh.triangle_count > 0);
    fuzz_is_ok(ts_mesh_create(&closed, arena, mesh.vertices, mesh.vertex_count,
                              (const uint32_t(*)[3])mesh.triangles, mesh.triangle_count));
  }
  ts_arena_destroy(arena);
  return 0;
}
