// SPDX-License-Identifier: MIT
/// OBJ files: each is refused or read as a mesh, which is the same to the bit after writing it.
#include "geometry/files/obj.h"
#include "geometry/mesh/mesh.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static void check_same(ts_arena *arena, const ts_mesh *mesh) {
  char *text = NULL;
  size_t count = 0;
  FILE *file = open_memstream(&text, &count);
  FUZZ_CHECK(file);
  ts_obj_write(file, mesh);
  FUZZ_CHECK(fclose(file) == 0);
  ts_triangles again;
  FUZZ_CHECK(ts_obj_parse(&again, arena, "again.obj", text, count) == TS_OK);
  FUZZ_CHECK(again.vertex_count == mesh->vertex_count &&
             again.triangle_count == mesh->triangle_count);
  FUZZ_CHECK(memcmp(again.vertices, mesh->vertices, again.vertex_count * sizeof(ts_vec3)) == 0);
  FUZZ_CHECK(memcmp(again.triangles, mesh->triangles,
                    again.triangle_count * sizeof *again.triangles) == 0);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ts_arena *arena;
  FUZZ_CHECK(ts_arena_create(&arena) == TS_OK);
  ts_triangles obj;
  if (fuzz_is_ok(ts_obj_parse(&obj, arena, "mesh.obj", (const char *)data, size))) {
    for (size_t t = 0; t < obj.triangle_count; t++)
      for (int i = 0; i < 3; i++)
        FUZZ_CHECK(obj.triangles[t][i] < obj.vertex_count);
    ts_mesh *mesh;
    if (fuzz_is_ok(ts_mesh_create(&mesh, arena, obj.vertices, obj.vertex_count,
                                  (const uint32_t(*)[3])obj.triangles, obj.triangle_count)))
      check_same(arena, mesh);
  }
  ts_arena_destroy(arena);
  return 0;
}
