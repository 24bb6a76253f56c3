// SPDX-License-Identifier: MIT
#include "methods/pressure/pressure_split.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "geometry/tet.h"
#include "geometry/vec3.h"

#include <stdlib.h>
#include <string.h>

#define NO_POINT UINT32_MAX

/// An edge or a face of some tets, by its ascending nodes; the last of an edge is NO_POINT.
typedef struct simplex {
  uint32_t nodes[3];
  uint32_t middle; ///< its new point; NO_POINT: none
  bool on_surface;
} simplex;

/// Distinct simplices, ascending by their nodes.
typedef struct simplex_set {
  size_t count;
  simplex *items; ///< [count]
} simplex_set;

typedef struct splitter {
  ts_arena *scratch;
  const ts_mesh *mesh;
  ts_pressure_tets *out;
  ts_arena *arena; ///< of `out`
  size_t point_capacity, flag_capacity;
  simplex_set edges, faces;
} splitter;

static int compare_simplices(const void *left, const void *right) {
  const uint32_t *l = ((const simplex *)left)->nodes, *r = ((const simplex *)right)->nodes;
  for (int i = 0; i < 3; i++)
    if (l[i] != r[i])
      return l[i] < r[i] ? -1 : 1;
  return 0;
}

static void swap_if_above(uint32_t *low, uint32_t *high) {
  if (*low > *high) {
    uint32_t kept = *low;
    *low = *high;
    *high = kept;
  }
}

static simplex make_simplex(uint32_t a, uint32_t b, uint32_t c, bool on_surface) {
  simplex s = {{a, b, c}, NO_POINT, on_surface};
  swap_if_above(&s.nodes[0], &s.nodes[1]);
  swap_if_above(&s.nodes[1], &s.nodes[2]);
  swap_if_above(&s.nodes[0], &s.nodes[1]);
  return s;
}

/// Sorts and joins equal ones: on the surface is what any of its tets has there.
static void make_distinct(simplex_set *set) {
  qsort(set->items, set->count, sizeof *set->items, compare_simplices);
  size_t kept = 0;
  for (size_t i = 0; i < set->count; i++)
    if (kept > 0 && compare_simplices(&set->items[kept - 1], &set->items[i]) == 0)
      set->items[kept - 1].on_surface |= set->items[i].on_surface;
    else
      set->items[kept++] = set->items[i];
  set->count = kept;
}

static simplex *find(const simplex_set *set, uint32_t a, uint32_t b, uint32_t c) {
  simplex key = make_simplex(a, b, c, false);
  return bsearch(&key, set->items, set->count, sizeof *set->items, compare_simplices);
}

static ts_status list_simplices(splitter *s) {
  size_t tet_count = s->mesh->tet_count;
  s->edges.items = ts_arena_array(s->scratch, 6 * tet_count, sizeof *s->edges.items);
  s->faces.items = ts_arena_array(s->scratch, 4 * tet_count, sizeof *s->faces.items);
  if (!s->edges.items || !s->faces.items)
    return TS_E_MEMORY;
  for (size_t t = 0; t < tet_count; t++) {
    const uint32_t *node = s->mesh->tets[t];
    for (int e = 0; e < 6; e++) {
      const int *faces = ts_tet_edge_faces[e];
      bool on_surface = s->mesh->tet_surface[t] & (1u << faces[0] | 1u << faces[1]);
      s->edges.items[s->edges.count++] = make_simplex(
          node[ts_tet_edge_nodes[e][0]], node[ts_tet_edge_nodes[e][1]], NO_POINT, on_surface);
    }
    for (int i = 0; i < 4; i++) {
      const int *f = ts_tet_face_nodes[i];
      s->faces.items[s->faces.count++] =
          make_simplex(node[f[0]], node[f[1]], node[f[2]], s->mesh->tet_surface[t] >> i & 1);
    }
  }
  make_distinct(&s->edges);
  make_distinct(&s->faces);
  return TS_OK;
}

static ts_status add_middle(uint32_t *out, splitter *s, const uint32_t *nodes, int count) {
  ts_pressure_tets *tets = s->out;
  TS_TRY(TS_ARENA_GROW(tets->points, s->point_capacity, tets->point_count, 1, s->arena));
  TS_TRY(TS_ARENA_GROW(tets->on_surface, s->flag_capacity, tets->point_count, 1, s->arena));
  ts_vec3 sum = {0, 0, 0};
  for (int i = 0; i < count; i++)
    sum = ts_vec3_add(sum, tets->points[nodes[i]]);
  *out = (uint32_t)tets->point_count;
  tets->on_surface[tets->point_count] = false;
  tets->points[tets->point_count++] = ts_vec3_scale(sum, 1.0 / count);
  return TS_OK;
}

/// Whether all nodes [count] are on the surface.
static bool are_on_surface(const splitter *s, const uint32_t *nodes, int count) {
  for (int i = 0; i < count; i++)
    if (!s->out->on_surface[nodes[i]])
      return false;
  return true;
}

static ts_status split_edges(splitter *s) {
  for (size_t i = 0; i < s->edges.count; i++) {
    simplex *edge = &s->edges.items[i];
    if (!edge->on_surface && are_on_surface(s, edge->nodes, 2))
      TS_TRY(add_middle(&edge->middle, s, edge->nodes, 2));
  }
  return TS_OK;
}

/// After the edges: a face with a split edge is split, too.
static ts_status split_faces(splitter *s) {
  for (size_t i = 0; i < s->faces.count; i++) {
    simplex *face = &s->faces.items[i];
    bool is_split = !face->on_surface && are_on_surface(s, face->nodes, 3);
    for (int e = 0; e < 3; e++)
      is_split |=
          find(&s->edges, face->nodes[e], face->nodes[(e + 1) % 3], NO_POINT)->middle != NO_POINT;
    if (is_split)
      TS_TRY(add_middle(&face->middle, s, face->nodes, 3));
  }
  return TS_OK;
}

static ts_status add_tet(splitter *s, uint32_t a, uint32_t b, uint32_t c, uint32_t d,
                         uint8_t surface) {
  ts_pressure_tets *out = s->out;
  TS_TRY(TS_ARENA_GROW(out->tets, out->capacity, out->tet_count, 1, s->arena));
  TS_TRY(TS_ARENA_GROW(out->faces, out->face_capacity, out->tet_count, 1, s->arena));
  const uint32_t nodes[4] = {a, b, c, d};
  memcpy(out->tets[out->tet_count], nodes, sizeof nodes);
  out->faces[out->tet_count++] = surface;
  return TS_OK;
}

/// The tets between a point and a face.
static ts_status add_cone(splitter *s, uint32_t apex, const simplex *face) {
  const uint32_t *f = face->nodes;
  if (face->middle == NO_POINT)
    return add_tet(s, apex, f[0], f[1], f[2], face->on_surface);
  for (int i = 0; i < 3; i++) {
    uint32_t from = f[i], to = f[(i + 1) % 3];
    uint32_t middle = find(&s->edges, from, to, NO_POINT)->middle;
    if (middle != NO_POINT) {
      TS_TRY(add_tet(s, apex, face->middle, middle, to, 0));
      to = middle;
    }
    TS_TRY(add_tet(s, apex, face->middle, from, to, 0));
  }
  return TS_OK;
}

static ts_status split_tet(splitter *s, size_t tet) {
  const uint32_t *node = s->mesh->tets[tet];
  bool is_flat = are_on_surface(s, node, 4), is_split = is_flat;
  const simplex *faces[4];
  for (int i = 0; i < 4; i++) {
    const int *f = ts_tet_face_nodes[i];
    faces[i] = find(&s->faces, node[f[0]], node[f[1]], node[f[2]]);
    is_split |= faces[i]->middle != NO_POINT;
  }
  s->out->flat_count += is_flat;
  if (!is_split)
    return add_tet(s, node[0], node[1], node[2], node[3], s->mesh->tet_surface[tet]);
  uint32_t middle;
  TS_TRY(add_middle(&middle, s, node, 4));
  for (int i = 0; i < 4; i++)
    TS_TRY(add_cone(s, middle, faces[i]));
  return TS_OK;
}

static ts_status copy_points(ts_pressure_tets *out, ts_arena *arena, const ts_mesh *mesh) {
  out->point_count = mesh->vertex_count;
  out->points = ts_arena_copy(arena, mesh->vertices, mesh->vertex_count, sizeof *out->points);
  out->on_surface = ts_arena_array(arena, mesh->vertex_count, sizeof *out->on_surface);
  return out->points && out->on_surface ? TS_OK : TS_E_MEMORY;
}

static ts_status split(splitter *s) {
  TS_TRY(copy_points(s->out, s->arena, s->mesh));
  s->point_capacity = s->flag_capacity = s->out->point_count;
  for (size_t t = 0; t < s->mesh->tet_count; t++)
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < 3 && s->mesh->tet_surface[t] >> i & 1; k++)
        s->out->on_surface[s->mesh->tets[t][ts_tet_face_nodes[i][k]]] = true;
  TS_TRY(list_simplices(s));
  TS_TRY(split_edges(s));
  TS_TRY(split_faces(s));
  for (size_t t = 0; t < s->mesh->tet_count; t++)
    TS_TRY(split_tet(s, t));
  return TS_OK;
}

ts_status ts_pressure_split(ts_pressure_tets *out, ts_arena *arena, const ts_mesh *mesh) {
  *out = (ts_pressure_tets){0};
  splitter s = {.mesh = mesh, .out = out, .arena = arena};
  TS_TRY(ts_arena_create(&s.scratch));
  ts_status status = split(&s);
  ts_arena_destroy(s.scratch);
  return status;
}

ts_status ts_pressure_fan(ts_pressure_tets *out, ts_arena *arena, const ts_mesh *mesh) {
  *out =
      (ts_pressure_tets){.point_count = mesh->vertex_count + 1, .tet_count = mesh->triangle_count};
  out->points = ts_arena_array(arena, out->point_count, sizeof *out->points);
  out->on_surface = ts_arena_array(arena, out->point_count, sizeof *out->on_surface);
  out->tets = ts_arena_array(arena, out->tet_count, sizeof *out->tets);
  out->faces = ts_arena_array(arena, out->tet_count, sizeof *out->faces);
  if (!out->points || !out->on_surface || !out->tets || !out->faces)
    return TS_E_MEMORY;
  uint32_t centre = (uint32_t)mesh->vertex_count;
  memcpy(out->points, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
  memset(out->on_surface, true, mesh->vertex_count * sizeof *out->on_surface);
  out->points[centre] = ts_mesh_mass_properties(mesh, 1).centre_local;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    out->tets[t][0] = centre;
    memcpy(&out->tets[t][1], mesh->triangles[t], sizeof mesh->triangles[t]);
    out->faces[t] = 1; // opposite the centre
  }
  return TS_OK;
}
