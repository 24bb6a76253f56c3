// SPDX-License-Identifier: MIT
#include "geometry/mesh/mesh_split.h"

#include "base/status.h"

#include <stdbool.h>

#define NOT_CUT UINT32_MAX

/// One pass over a mesh.
typedef struct split_work {
  const ts_mesh *mesh;
  uint32_t *middles; ///< [3 * triangle_count] vertex in the middle of a half-edge, or NOT_CUT
  ts_vec3 *vertices;
  size_t vertex_count;
  uint32_t (*triangles)[3];
  size_t triangle_count;
} split_work;

static double length2(const split_work *w, uint32_t a, uint32_t b) {
  return ts_vec3_norm2(ts_vec3_sub(w->vertices[a], w->vertices[b]));
}

static void push(split_work *w, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t *corners = w->triangles[w->triangle_count++];
  corners[0] = a;
  corners[1] = b;
  corners[2] = c;
}

/// Puts a vertex in the middle of each edge that is too long. Returns how many there are.
static size_t cut_edges(split_work *w, double edge_max_m) {
  const ts_mesh *mesh = w->mesh;
  size_t before = w->vertex_count;
  for (size_t h = 0; h < 3 * mesh->triangle_count; h++) {
    const uint32_t *v = mesh->triangles[h / 3];
    uint32_t a = v[h % 3], b = v[(h + 1) % 3];
    w->middles[h] = NOT_CUT;
    if (mesh->edge_twin[h] < h) {
      w->middles[h] = w->middles[mesh->edge_twin[h]];
    } else if (length2(w, a, b) > edge_max_m * edge_max_m) {
      w->middles[h] = (uint32_t)w->vertex_count;
      w->vertices[w->vertex_count++] = ts_vec3_mid(w->vertices[a], w->vertices[b]);
    }
  }
  return w->vertex_count - before;
}

/// A triangle with two edges cut, that from corner 0 to 1 is not: a corner and a quadrangle, by its
/// shorter diagonal.
static void push_two_cut(split_work *w, const uint32_t v[3], const uint32_t m[3]) {
  push(w, m[1], v[2], m[2]);
  if (length2(w, v[0], m[1]) <= length2(w, v[1], m[2])) {
    push(w, v[0], v[1], m[1]);
    push(w, v[0], m[1], m[2]);
  } else {
    push(w, v[0], v[1], m[2]);
    push(w, v[1], m[1], m[2]);
  }
}

static void split_triangle(split_work *w, size_t t) {
  int cut_count = 0, first_cut = 0, first_whole = 0;
  for (int i = 2; i >= 0; i--) {
    bool is_cut = w->middles[3 * t + (size_t)i] != NOT_CUT;
    cut_count += is_cut;
    first_cut = is_cut ? i : first_cut;
    first_whole = is_cut ? first_whole : i;
  }
  // Turned so that the one edge that is different is the first.
  int turn = cut_count == 1 ? first_cut : cut_count == 2 ? first_whole : 0;
  uint32_t v[3], m[3];
  for (int i = 0; i < 3; i++) {
    v[i] = w->mesh->triangles[t][(i + turn) % 3];
    m[i] = w->middles[3 * t + (size_t)((i + turn) % 3)];
  }
  if (cut_count == 0) {
    push(w, v[0], v[1], v[2]);
  } else if (cut_count == 1) {
    push(w, v[0], m[0], v[2]);
    push(w, m[0], v[1], v[2]);
  } else if (cut_count == 2) {
    push_two_cut(w, v, m);
  } else {
    push(w, v[0], m[0], m[2]);
    push(w, m[0], v[1], m[1]);
    push(w, m[2], m[1], v[2]);
    push(w, m[0], m[1], m[2]);
  }
}

/// `*out` is the mesh itself when no edge is too long.
static ts_status split_once(const ts_mesh **out, ts_arena *arena, const ts_mesh *mesh,
                            double edge_max_m) {
  size_t half_edges = 3 * mesh->triangle_count, vertices = mesh->vertex_count + half_edges / 2;
  split_work work = {.mesh = mesh,
                     .middles = ts_arena_array(arena, half_edges, sizeof *work.middles),
                     .vertices = ts_arena_array(arena, vertices, sizeof *work.vertices),
                     .vertex_count = mesh->vertex_count,
                     .triangles =
                         ts_arena_array(arena, 4 * mesh->triangle_count, sizeof *work.triangles)};
  if (!work.middles || !work.vertices || !work.triangles)
    return TS_E_MEMORY;
  memcpy(work.vertices, mesh->vertices, mesh->vertex_count * sizeof *work.vertices);
  *out = mesh;
  if (cut_edges(&work, edge_max_m) == 0)
    return TS_OK;
  for (size_t t = 0; t < mesh->triangle_count; t++)
    split_triangle(&work, t);
  ts_mesh *made;
  TS_TRY(ts_mesh_create(&made, arena, work.vertices, work.vertex_count,
                        (const uint32_t(*)[3])work.triangles, work.triangle_count));
  *out = made;
  return TS_OK;
}

ts_status ts_mesh_split_edges(const ts_mesh **out, ts_arena *arena, const ts_mesh *mesh,
                              double edge_max_m) {
  for (const ts_mesh *before = NULL; before != mesh;) {
    before = mesh;
    TS_TRY(split_once(&mesh, arena, before, edge_max_m));
    if (mesh != before && mesh->triangle_count > TS_SPLIT_EDGES_TRIANGLES_MAX)
      return ts_fail(TS_E_INPUT,
                     "with edges of at most %g m it would have more than %zu triangles: give "
                     "longer ones",
                     edge_max_m, TS_SPLIT_EDGES_TRIANGLES_MAX);
  }
  *out = mesh;
  return TS_OK;
}
