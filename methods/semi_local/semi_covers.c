// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_covers.h"

#include "base/status.h"
#include "geometry/convex_cover.h"
#include "geometry/tolerances.h"

#include <string.h>

/// Stands for the cover of a corner that needs none.
static const ts_semi_cover no_cover;

static ts_status list_triangles(ts_semi_covers *covers) {
  const ts_mesh *mesh = covers->patches->mesh;
  size_t corners = 3 * mesh->triangle_count;
  uint32_t *first = ts_arena_array(covers->arena, mesh->vertex_count + 2, sizeof *first);
  uint32_t *triangles = ts_arena_array(covers->arena, corners, sizeof *triangles);
  if (!first || !triangles)
    return TS_E_MEMORY;
  // Counted two places on, so that filling moves each start to where it belongs.
  for (size_t c = 0; c < corners; c++)
    first[mesh->triangles[c / 3][c % 3] + 2]++;
  for (size_t v = 0; v < mesh->vertex_count; v++)
    first[v + 2] += first[v + 1];
  for (size_t c = 0; c < corners; c++)
    triangles[first[mesh->triangles[c / 3][c % 3] + 1]++] = (uint32_t)(c / 3);
  covers->first = first;
  covers->triangles = triangles;
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

/// The parts of its faces around a corner, in the arena.
static ts_status list_sectors(ts_face_sector **out, size_t *out_count, const ts_semi_covers *covers,
                              const ts_patch_corner *corner) {
  const ts_patches *patches = covers->patches;
  const ts_mesh *mesh = patches->mesh;
  const uint32_t *faces = patches->patches_of_corners + corner->first_patch;
  uint32_t first = covers->first[corner->vertex], end = covers->first[corner->vertex + 1];
  ts_face_sector *sectors = ts_arena_array(covers->arena, end - first, sizeof *sectors);
  if (!sectors)
    return TS_E_MEMORY;
  for (uint32_t t = first; t < end; t++) {
    const uint32_t *v = mesh->triangles[covers->triangles[t]];
    int face = 0, at = 0;
    while (faces[face] != patches->patch_of[covers->triangles[t]])
      face++;
    while (v[at] != corner->vertex)
      at++;
    ts_vec3 point = mesh->vertices[corner->vertex];
    ts_vec3 from = mesh->vertices[v[(at + 1) % 3]], to = mesh->vertices[v[(at + 2) % 3]];
    sectors[t - first] = (ts_face_sector){.face = face,
                                          .from = ts_vec3_unit(ts_vec3_sub(from, point)),
                                          .to = ts_vec3_unit(ts_vec3_sub(to, point))};
  }
  *out = sectors;
  *out_count = end - first;
  return TS_OK;
}

/// The runs of a corner's cover. Returns how many; -1 where it needs none, or has none.
static int find_runs(ts_convex_run runs[TS_RUNS_MAX], const ts_local_surface *surface,
                     const ts_face_sector *sectors, size_t sector_count) {
  ts_convex_run largest[TS_RUNS_MAX];
  int largest_count = ts_convex_runs(largest, surface);
  if (largest_count > 0)
    memcpy(runs, largest, (size_t)largest_count * sizeof *runs);
  int count =
      ts_convex_cover(runs, largest_count, surface, sectors, sector_count, TS_SEMI_CONE_WIDE_RAD);
  bool is_largest =
      count == largest_count && memcmp(runs, largest, (size_t)ts_max(count, 0) * sizeof *runs) == 0;
  return is_largest ? -1 : count;
}

static ts_status find_cover(const ts_semi_cover **out, ts_semi_covers *covers,
                            const ts_patch_corner *corner) {
  *out = &no_cover;
  ts_local_surface surface;
  if (!look_at_corner(&surface, covers->patches, corner))
    return TS_OK;
  if (!covers->first)
    TS_TRY(list_triangles(covers));
  ts_arena_mark mark = ts_arena_get_mark(covers->arena);
  ts_face_sector *sectors;
  size_t sector_count;
  TS_TRY(list_sectors(&sectors, &sector_count, covers, corner));
  ts_convex_run runs[TS_RUNS_MAX];
  int count = find_runs(runs, &surface, sectors, sector_count);
  ts_arena_rewind(covers->arena, mark);
  if (count < 0)
    return TS_OK;
  ts_semi_cover *cover = ts_arena_alloc(covers->arena, sizeof *cover);
  if (!cover)
    return TS_E_MEMORY;
  cover->count = count;
  memcpy(cover->runs, runs, (size_t)count * sizeof *runs);
  *out = cover;
  return TS_OK;
}

ts_status ts_semi_cover_of(const ts_semi_cover **out, ts_semi_covers *covers, uint32_t corner) {
  const ts_semi_cover **known = &covers->known[corner];
  if (!*known)
    TS_TRY(find_cover(known, covers, &covers->patches->corners[corner]));
  *out = *known == &no_cover ? NULL : *known;
  return TS_OK;
}

ts_status ts_semi_covers_create(ts_semi_covers **out, ts_arena *arena, const ts_patches *patches) {
  *out = NULL;
  bool has_valley = false;
  for (size_t e = 0; e < patches->edge_count && !has_valley; e++)
    has_valley = !patches->edges[e].is_convex;
  if (!has_valley)
    return TS_OK;
  ts_semi_covers *covers = ts_arena_alloc(arena, sizeof *covers);
  const ts_semi_cover **known = ts_arena_array(arena, patches->corner_count, sizeof *known);
  if (!covers || !known)
    return TS_E_MEMORY;
  *covers = (ts_semi_covers){.arena = arena, .patches = patches, .known = known};
  *out = covers;
  return TS_OK;
}
