// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_neighbourhood.h"

#include "base/status.h"

void ts_semi_neighbourhood_add(ts_semi_neighbourhood *n, const ts_semi_pair *pair, int body,
                               uint32_t patch, uint32_t triangle) {
  ts_local_surface *surface = &n->surface[body];
  int at = surface->face_count;
  if (at == TS_LOCAL_FACES_MAX)
    return;
  surface->face_count++;
  surface->normals[at] = pair->side[body].normals[patch];
  surface->convex_with[at] = surface->concave_with[at] = 0;
  n->patches[body][at] = patch;
  n->triangles[body][at] = triangle;
}

/// The same where all edges are convex, and known by bits.
static void link_convex(ts_semi_neighbourhood *n, int body, const uint64_t *beside) {
  ts_local_surface *surface = &n->surface[body];
  for (int i = 0; i < surface->face_count; i++)
    for (int k = 0; k < surface->face_count; k++)
      if (beside[n->patches[body][i]] >> n->patches[body][k] & 1)
        surface->convex_with[i] |= 1u << k;
}

void ts_semi_neighbourhood_link(ts_semi_neighbourhood *n, const ts_semi_pair *pair, int body) {
  ts_local_surface *surface = &n->surface[body];
  const uint64_t *beside = pair->side[body].shape->beside;
  if (beside) {
    link_convex(n, body, beside);
    return;
  }
  for (int i = 0; i < surface->face_count; i++)
    for (int k = i + 1; k < surface->face_count; k++) {
      bool is_convex;
      if (ts_semi_shared_edge(&is_convex, &pair->side[body], n->patches[body][i],
                              n->patches[body][k], n->witness[body]) == TS_SEMI_NO_EDGE)
        continue;
      uint32_t *with = is_convex ? surface->convex_with : surface->concave_with;
      with[i] |= 1u << k;
      with[k] |= 1u << i;
    }
}

/// The two faces of a neighbourhood with the most edges, as bits.
static uint32_t widest_two(const ts_patches *patches, const uint32_t *faces, int face_count) {
  uint32_t out = 0;
  for (int chosen = 0; chosen < 2; chosen++) {
    int widest = -1;
    for (int i = 0; i < face_count; i++)
      if (!(out >> i & 1) && (widest < 0 || patches->patches[faces[i]].edge_count >
                                                patches->patches[faces[widest]].edge_count))
        widest = i;
    out |= 1u << widest;
  }
  return out;
}

/// A corner with its cover; without a cover there is none.
typedef struct covered_corner {
  const ts_patch_corner *corner;
  const ts_semi_cover *cover;
} covered_corner;

/// The corner with a cover that is nearest to the neighbourhood, within its slack.
static ts_status find_covered(covered_corner *out, const ts_semi_pair *pair,
                              const ts_semi_neighbourhood *n, int body) {
  const ts_semi_side *side = &pair->side[body];
  const ts_patches *patches = side->patches;
  ts_semi_covers *covers = side->shape->asked->covers;
  int face_count = n->surface[body].face_count;
  *out = (covered_corner){NULL, NULL};
  if (!covers || face_count < 3)
    return TS_OK;
  if (n->own_body == body) {
    uint32_t corner = patches->corner_of_vertex[n->own.index];
    out->corner = &patches->corners[corner];
    return ts_semi_cover_of(&out->cover, covers, corner);
  }
  // A corner has three faces or more and all of them have to be here, so that two faces need no
  // search: leave out the two that cost the most.
  uint32_t unsearched = widest_two(patches, n->patches[body], face_count);
  double nearest_m = n->slack_m;
  for (int i = 0; i < face_count; i++) {
    const ts_patch *patch = &patches->patches[n->patches[body][i]];
    for (uint32_t e = 0; e < 2 * patch->edge_count && !(unsearched >> i & 1); e++) {
      uint32_t edge = patches->edges_of_patches[patch->first_edge + e / 2];
      uint32_t vertex = patches->edges[edge].vertices[e % 2];
      uint32_t corner = patches->corner_of_vertex[vertex];
      double away = ts_vec3_distance(side->vertices[vertex], n->witness[body]);
      if (!(away <= nearest_m) ||
          (out->cover && away == nearest_m && vertex >= out->corner->vertex))
        continue;
      const ts_semi_cover *cover;
      TS_TRY(ts_semi_cover_of(&cover, covers, corner));
      if (!cover)
        continue;
      nearest_m = away;
      *out = (covered_corner){&patches->corners[corner], cover};
    }
  }
  return TS_OK;
}

/// Which of a neighbourhood's faces are the patches of a corner, as bits by the corner's order:
/// `at` [patch_count]. False when one is not there.
static bool find_faces(int *at, const ts_semi_neighbourhood *n, int body, const ts_patches *patches,
                       const ts_patch_corner *corner) {
  for (uint32_t i = 0; i < corner->patch_count; i++) {
    uint32_t patch = patches->patches_of_corners[corner->first_patch + i];
    at[i] = 0;
    while (at[i] < n->surface[body].face_count && n->patches[body][at[i]] != patch)
      at[i]++;
    if (at[i] == n->surface[body].face_count)
      return false;
  }
  return true;
}

static uint32_t renumber(uint32_t faces, const int *at, uint32_t count) {
  uint32_t out = 0;
  for (uint32_t i = 0; i < count; i++)
    if (faces >> i & 1)
      out |= 1u << at[i];
  return out;
}

ts_status ts_semi_neighbourhood_runs(ts_semi_run out[TS_RUNS_MAX], int *out_count,
                                     const ts_semi_pair *pair, const ts_semi_neighbourhood *n,
                                     int body) {
  ts_convex_run largest[TS_RUNS_MAX];
  int count = 0, largest_count = ts_convex_runs(largest, &n->surface[body]);
  covered_corner covered;
  TS_TRY(find_covered(&covered, pair, n, body));
  const ts_patch_corner *corner = covered.corner;
  const ts_semi_cover *cover = covered.cover;
  int at[TS_LOCAL_FACES_MAX];
  uint32_t of_corner = 0;
  if (cover && find_faces(at, n, body, pair->side[body].patches, corner)) {
    of_corner = renumber(UINT32_MAX, at, corner->patch_count);
    for (int i = 0; i < cover->count; i++)
      out[count++] =
          (ts_semi_run){.run = {.faces = renumber(cover->runs[i].faces, at, corner->patch_count),
                                .cuts = renumber(cover->runs[i].cuts, at, corner->patch_count)},
                        .cover = cover,
                        .of_cover = &cover->runs[i]};
  }
  bool fits = largest_count >= 0;
  for (int i = 0; i < largest_count && fits; i++) {
    if ((largest[i].faces & ~of_corner) == 0)
      continue;
    fits = count < TS_RUNS_MAX;
    if (fits)
      out[count++] = (ts_semi_run){.run = largest[i]};
  }
  *out_count = fits ? count : n->surface[body].face_count;
  for (int i = 0; i < n->surface[body].face_count && !fits; i++)
    out[i] = (ts_semi_run){.run = {.faces = 1u << i}};
  return TS_OK;
}
