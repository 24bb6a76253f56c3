// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_covers.h"

#include "base/status.h"
#include "geometry/convex_cover.h"
#include "geometry/tolerances.h"

#include <string.h>

/// The triangles around each vertex: those of v are in `triangles` from first[v] to first[v + 1].
typedef struct triangle_fans {
  uint32_t *first, *triangles; ///< [vertex_count + 1], [3 triangle_count]
} triangle_fans;

static ts_status list_fans(triangle_fans *out, ts_arena *arena, const ts_mesh *mesh) {
  size_t corners = 3 * mesh->triangle_count;
  uint32_t *first = ts_arena_array(arena, mesh->vertex_count + 2, sizeof *first);
  out->triangles = ts_arena_array(arena, corners, sizeof *out->triangles);
  if (!first || !out->triangles)
    return TS_E_MEMORY;
  // Counted two places on, so that filling moves each start to where it belongs.
  for (size_t c = 0; c < corners; c++)
    first[mesh->triangles[c / 3][c % 3] + 2]++;
  for (size_t v = 0; v < mesh->vertex_count; v++)
    first[v + 2] += first[v + 1];
  for (size_t c = 0; c < corners; c++)
    out->triangles[first[mesh->triangles[c / 3][c % 3] + 1]++] = (uint32_t)(c / 3);
  out->first = first;
  return TS_OK;
}

/// The local surface of a corner. False where it is convex, or has too many faces.
static bool look_at_corner(ts_local_surface *out, const ts_patches *patches,
                           const ts_patch_corner *corner) {
  const uint32_t *faces = patches->patches_of_corners + corner->first_patch;
  const uint32_t *edges = patches->edges_of_corners + corner->first_edge;
  bool has_valley = false;
  for (uint32_t e = 0; e < corner->edge_count; e++)
    has_valley |= !patches->edges[edges[e]].is_convex;
  if (!has_valley || corner->patch_count > TS_LOCAL_FACES_MAX)
    return false;
  memset(out, 0, sizeof *out);
  out->face_count = (int)corner->patch_count;
  for (uint32_t i = 0; i < corner->patch_count; i++)
    out->normals[i] = patches->patches[faces[i]].normal;
  for (uint32_t e = 0; e < corner->edge_count; e++) {
    const ts_patch_edge *edge = &patches->edges[edges[e]];
    uint32_t i = 0, k = 0;
    while (faces[i] != edge->patches[0])
      i++;
    while (faces[k] != edge->patches[1])
      k++;
    uint32_t *with = edge->is_convex ? out->convex_with : out->concave_with;
    with[i] |= 1u << k;
    with[k] |= 1u << i;
  }
  return true;
}

/// The cover of a corner where it is needed, else NULL.
static ts_status cover_corner(const ts_semi_cover **out, ts_arena *arena, ts_arena *scratch,
                              const ts_patches *patches, const ts_patch_corner *corner,
                              const triangle_fans *fans) {
  ts_local_surface surface;
  if (!look_at_corner(&surface, patches, corner))
    return TS_OK;
  const ts_mesh *mesh = patches->mesh;
  const uint32_t *faces = patches->patches_of_corners + corner->first_patch;
  uint32_t first = fans->first[corner->vertex], end = fans->first[corner->vertex + 1];
  ts_face_sector *sectors = ts_arena_array(scratch, end - first, sizeof *sectors);
  if (!sectors)
    return TS_E_MEMORY;
  for (uint32_t t = first; t < end; t++) {
    const uint32_t *v = mesh->triangles[fans->triangles[t]];
    int face = 0, at = 0;
    while (faces[face] != patches->patch_of[fans->triangles[t]])
      face++;
    while (v[at] != corner->vertex)
      at++;
    ts_vec3 point = mesh->vertices[corner->vertex];
    ts_vec3 from = mesh->vertices[v[(at + 1) % 3]], to = mesh->vertices[v[(at + 2) % 3]];
    sectors[t - first] = (ts_face_sector){.face = face,
                                          .from = ts_vec3_unit(ts_vec3_sub(from, point)),
                                          .to = ts_vec3_unit(ts_vec3_sub(to, point))};
  }
  ts_convex_run largest[TS_RUNS_MAX], runs[TS_RUNS_MAX];
  int largest_count = ts_convex_runs(largest, &surface);
  if (largest_count > 0)
    memcpy(runs, largest, (size_t)largest_count * sizeof *runs);
  int run_count =
      ts_convex_cover(runs, largest_count, &surface, sectors, end - first, TS_SEMI_CONE_WIDE_RAD);
  if (run_count < 0 ||
      (run_count == largest_count && memcmp(runs, largest, (size_t)run_count * sizeof *runs) == 0))
    return TS_OK;
  ts_semi_cover *cover = ts_arena_alloc(arena, sizeof *cover);
  if (!cover)
    return TS_E_MEMORY;
  cover->count = run_count;
  memcpy(cover->runs, runs, (size_t)run_count * sizeof *runs);
  *out = cover;
  return TS_OK;
}

static ts_status cover_corners(const ts_semi_cover *const **out, ts_arena *arena, ts_arena *scratch,
                               const ts_patches *patches) {
  const ts_semi_cover **covers = ts_arena_array(arena, patches->corner_count, sizeof *covers);
  if (!covers)
    return TS_E_MEMORY;
  triangle_fans fans;
  TS_TRY(list_fans(&fans, scratch, patches->mesh));
  for (size_t c = 0; c < patches->corner_count; c++) {
    ts_arena_mark mark = ts_arena_get_mark(scratch);
    TS_TRY(cover_corner(&covers[c], arena, scratch, patches, &patches->corners[c], &fans));
    ts_arena_rewind(scratch, mark);
    if (covers[c])
      *out = covers;
  }
  return TS_OK;
}

ts_status ts_semi_find_covers(const ts_semi_cover *const **out, ts_arena *arena,
                              const ts_patches *patches) {
  *out = NULL;
  bool has_valley = false;
  for (size_t e = 0; e < patches->edge_count; e++)
    has_valley |= !patches->edges[e].is_convex;
  if (!has_valley)
    return TS_OK;
  ts_arena *scratch;
  TS_TRY(ts_arena_create(&scratch));
  ts_status status = cover_corners(out, arena, scratch, patches);
  ts_arena_destroy(scratch);
  return status;
}
