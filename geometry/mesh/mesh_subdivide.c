// SPDX-License-Identifier: MIT
#include "geometry/mesh/mesh_subdivide.h"

#include "base/status.h"
#include "geometry/vec3.h"

static ts_status subdivide_once(const ts_mesh **out, ts_arena *arena, const ts_mesh *mesh) {
  size_t half_edges = 3 * mesh->triangle_count, count = mesh->vertex_count;
  uint32_t *middles = ts_arena_array(arena, half_edges, sizeof *middles);
  ts_vec3 *vertices = ts_arena_array(arena, count + half_edges / 2, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(arena, 4 * mesh->triangle_count, sizeof *triangles);
  if (!middles || !vertices || !triangles)
    return TS_E_MEMORY;
  memcpy(vertices, mesh->vertices, count * sizeof *vertices);
  for (size_t h = 0; h < half_edges; h++) {
    const uint32_t *v = mesh->triangles[h / 3];
    if (mesh->edge_twin[h] < h) {
      middles[h] = middles[mesh->edge_twin[h]];
      continue;
    }
    middles[h] = (uint32_t)count;
    vertices[count++] = ts_vec3_mid(mesh->vertices[v[h % 3]], mesh->vertices[v[(h + 1) % 3]]);
  }
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    const uint32_t *v = mesh->triangles[t], *m = &middles[3 * t];
    const uint32_t pieces[4][3] = {
        {v[0], m[0], m[2]}, {m[0], v[1], m[1]}, {m[2], m[1], v[2]}, {m[0], m[1], m[2]}};
    memcpy(triangles[4 * t], pieces, sizeof pieces);
  }
  ts_mesh *made;
  TS_TRY(ts_mesh_create(&made, arena, vertices, count, (const uint32_t(*)[3])triangles,
                        4 * mesh->triangle_count));
  *out = made;
  return TS_OK;
}

ts_status ts_mesh_subdivide(const ts_mesh **out, ts_arena *arena, const ts_mesh *mesh, int times) {
  *out = mesh;
  for (int i = 0; i < times; i++) {
    if ((*out)->triangle_count > TS_SUBDIVIDE_TRIANGLES_MAX / 4)
      return ts_fail(TS_E_INPUT,
                     "%zu triangles, each cut into four %d times, are more than %zu: subdivide "
                     "less often",
                     mesh->triangle_count, times, TS_SUBDIVIDE_TRIANGLES_MAX);
    TS_TRY(subdivide_once(out, arena, *out));
  }
  return TS_OK;
}
