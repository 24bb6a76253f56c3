// SPDX-License-Identifier: MIT
/// What holds for the triangles of any file whose vertices are joined.
#ifndef TS_TESTS_FUZZ_TRIANGLES_H
#define TS_TESTS_FUZZ_TRIANGLES_H

#include "geometry/mesh/mesh.h"
#include "geometry/triangles.h"
#include "geometry/vec3.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

/// No index is out of range, no triangle has a corner twice, no vertex is unused, and vertices are
/// finite and come in the order of their use.
static inline void check_triangles(const ts_triangles *read) {
  uint32_t seen = 0;
  FUZZ_CHECK(read->triangle_count > 0);
  for (size_t t = 0; t < read->triangle_count; t++)
    for (int i = 0; i < 3; i++) {
      uint32_t corner = read->triangles[t][i];
      FUZZ_CHECK(corner <= seen && corner < read->vertex_count);
      FUZZ_CHECK(corner != read->triangles[t][(i + 1) % 3]);
      seen += corner == seen;
    }
  FUZZ_CHECK(seen == read->vertex_count);
  for (size_t v = 0; v < read->vertex_count; v++)
    FUZZ_CHECK(ts_vec3_is_finite(read->vertices[v]));
}

/// Reads an input twice: with the same result.
static inline int fuzz_triangles(ts_status (*parse)(ts_triangles *, ts_arena *, const char *,
                                                    const char *, size_t),
                                 const char *path, const uint8_t *data, size_t size) {
  ts_arena *arena;
  FUZZ_CHECK(ts_arena_create(&arena) == TS_OK);
  ts_triangles read, again;
  if (fuzz_is_ok(parse(&read, arena, path, (const char *)data, size))) {
    check_triangles(&read);
    FUZZ_CHECK(parse(&again, arena, path, (const char *)data, size) == TS_OK);
    FUZZ_CHECK(again.vertex_count == read.vertex_count &&
               memcmp(again.vertices, read.vertices, read.vertex_count * sizeof(ts_vec3)) == 0);
    ts_mesh *mesh;
    fuzz_is_ok(ts_mesh_create(&mesh, arena, read.vertices, read.vertex_count,
                              (const uint32_t(*)[3])read.triangles, read.triangle_count));
  }
  ts_arena_destroy(arena);
  return 0;
}

#endif
