// SPDX-License-Identifier: MIT
#include "geometry/convex/convex_separation.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/tolerances.h"

#include <math.h>

/// Pairs of triangles to look at. Bodies of some thousand triangles that lie deep in each other
/// have more.
enum { CLOSE_MAX = 1 << 20 };

/// How far a body reaches in a direction, and with which vertex.
static double farthest(uint32_t *out_vertex, const ts_convex_pair *pair, int body,
                       ts_vec3 direction) {
  double reach = -INFINITY;
  uint32_t at = 0;
  for (uint32_t i = 0; i < pair->body[body].mesh->vertex_count; i++) {
    double along = ts_vec3_dot(direction, pair->vertices[body][i]);
    if (along > reach) {
      reach = along;
      at = i;
    }
  }
  *out_vertex = at;
  return reach;
}

double ts_convex_gap_along(const ts_convex_pair *pair, ts_vec3 normal) {
  uint32_t at;
  double high = farthest(&at, pair, 0, normal);
  return -farthest(&at, pair, 1, ts_vec3_neg(normal)) - high;
}

/// Whether the gap along a normal is above `least_m`; if so, also how large it is. Ends as soon as
/// some vertices say that it is not. `start`: a vertex of each body that is likely to be the
/// farthest.
static bool has_gap_above(double *out_m, const ts_convex_pair *pair, ts_vec3 normal, double least_m,
                          const uint32_t start[2]) {
  double high = ts_vec3_dot(normal, pair->vertices[0][start[0]]);
  double low = ts_vec3_dot(normal, pair->vertices[1][start[1]]);
  for (size_t i = 0; i < pair->body[1].mesh->vertex_count && low - high > least_m; i++)
    low = ts_min(low, ts_vec3_dot(normal, pair->vertices[1][i]));
  for (size_t i = 0; i < pair->body[0].mesh->vertex_count && low - high > least_m; i++)
    high = ts_max(high, ts_vec3_dot(normal, pair->vertices[0][i]));
  *out_m = low - high;
  return low - high > least_m;
}

// ---- normals of faces and of crossing ridges that are close -----------------------------------

/// What to do with such a normal, from body 0 to body 1. `start`: a vertex of each body that is
/// likely to be the farthest along it.
typedef void (*try_normal)(void *context, ts_vec3 normal, const uint32_t start[2]);

/// An edge between two faces of a convex body. Its normals are the directions across it that face
/// away from both faces.
typedef struct ridge {
  uint32_t vertices[2];
  ts_vec3 along, into[2]; ///< unit: of the edge, and across it into either face
} ridge;

/// The triangles of a body that are close to the other one, and their ridges.
typedef struct close_side {
  uint32_t *index; ///< [triangle_count] 1 + that of a close triangle; 0: not close
  size_t count;
  ts_vec3 *normals; ///< [count]
  /// Those of close triangle i, whose half edge is the id of the edge, are ridges[first_ridge[i]]
  /// up to, but not including, ridges[first_ridge[i + 1]].
  uint32_t *triangles, *first_ridge;
  ridge *ridges;
} close_side;

typedef struct close_pair {
  uint32_t triangles[2];
} close_pair;

typedef struct close_list {
  ts_arena *arena;
  const ts_convex_pair *pair;
  close_pair *pairs;
  size_t count, capacity;
  close_side side[2];
} close_list;

static ts_status list_close(void *context, uint32_t triangle_0, uint32_t triangle_1) {
  close_list *list = context;
  if (list->count == CLOSE_MAX)
    return TS_OK;
  TS_TRY(TS_ARENA_GROW(list->pairs, list->capacity, list->count, 1, list->arena));
  list->pairs[list->count++] = (close_pair){{triangle_0, triangle_1}};
  const uint32_t triangles[2] = {triangle_0, triangle_1};
  for (int body = 0; body < 2; body++) {
    close_side *c = &list->side[body];
    if (!c->index[triangles[body]])
      c->index[triangles[body]] = (uint32_t)++c->count;
  }
  return TS_OK;
}

/// The normal of a triangle in the frame, from its own coordinates.
static ts_vec3 face_normal(const ts_convex_pair *pair, int body, size_t triangle) {
  ts_vec3 normal = ts_mesh_face_normal(pair->body[body].mesh, triangle);
  return body == 0 ? normal : ts_pose_direction(pair->other_to_frame, normal);
}

/// A normal of body `body` as one from body 0 to body 1.
static ts_vec3 from_first(int body, ts_vec3 normal) {
  return body == 0 ? normal : ts_vec3_neg(normal);
}

static uint32_t start_of(const ts_mesh *mesh, uint32_t half_edge) {
  return mesh->triangles[half_edge / 3][half_edge % 3];
}

static ts_status list_ridges(close_list *list, int body) {
  close_side *c = &list->side[body];
  ts_arena *arena = list->arena;
  const ts_mesh *mesh = list->pair->body[body].mesh;
  const ts_vec3 *vertices = list->pair->vertices[body];
  c->normals = ts_arena_array(arena, c->count, sizeof *c->normals);
  c->triangles = ts_arena_array(arena, c->count, sizeof *c->triangles);
  c->first_ridge = ts_arena_array(arena, c->count + 1, sizeof *c->first_ridge);
  c->ridges = ts_arena_array(arena, 3 * c->count, sizeof *c->ridges);
  if (!c->normals || !c->triangles || !c->first_ridge || !c->ridges)
    return TS_E_MEMORY;
  for (uint32_t t = 0; t < mesh->triangle_count; t++)
    if (c->index[t])
      c->triangles[c->index[t] - 1] = t;
  uint32_t count = 0;
  for (size_t i = 0; i < c->count; i++) {
    uint32_t t = c->triangles[i];
    c->normals[i] = face_normal(list->pair, body, t);
    c->first_ridge[i] = count;
    for (uint32_t h = 3 * t; h < 3 * t + 3; h++) {
      uint32_t twin = mesh->edge_twin[h];
      ts_vec3 beside = face_normal(list->pair, body, twin / 3);
      if (h > twin || ts_vec3_distance(beside, c->normals[i]) < TS_CONVEX_FLAT_RIDGE)
        continue;
      ridge *r = &c->ridges[count++];
      r->vertices[0] = start_of(mesh, h);
      r->vertices[1] = start_of(mesh, twin);
      r->along = ts_vec3_unit(ts_vec3_sub(vertices[r->vertices[1]], vertices[r->vertices[0]]));
      r->into[0] = ts_vec3_cross(c->normals[i], r->along);
      r->into[1] = ts_vec3_cross(r->along, beside);
    }
  }
  c->first_ridge[c->count] = count;
  return TS_OK;
}

/// Tries the normals of the close triangles.
static void try_faces(const close_list *list, try_normal attempt, void *context) {
  for (int body = 0; body < 2; body++) {
    const close_side *c = &list->side[body];
    for (size_t i = 0; i < c->count; i++) {
      uint32_t start[2] = {0, 0};
      start[body] = list->pair->body[body].mesh->triangles[c->triangles[i]][0];
      attempt(context, from_first(body, c->normals[i]), start);
    }
  }
}

/// Tries the cross product of two ridges if it is a normal of both.
static void try_ridges(const ridge *a, const ridge *b, try_normal attempt, void *context) {
  ts_vec3 cross = ts_vec3_cross(a->along, b->along);
  double a_0 = ts_vec3_dot(cross, a->into[0]), a_1 = ts_vec3_dot(cross, a->into[1]);
  double b_0 = ts_vec3_dot(cross, b->into[0]), b_1 = ts_vec3_dot(cross, b->into[1]);
  double e = TS_CONVEX_RIDGE_ROUNDING;
  bool is_there = a_0 <= e && a_1 <= e && b_0 >= -e && b_1 >= -e;
  bool is_back = a_0 >= -e && a_1 >= -e && b_0 <= e && b_1 <= e;
  if (!is_there && !is_back)
    return;
  const uint32_t start[2] = {a->vertices[0], b->vertices[0]};
  ts_vec3 normal = ts_vec3_unit(cross);
  if (!(ts_vec3_norm2(normal) > 0.5)) // parallel
    return;
  if (is_there)
    attempt(context, normal, start);
  if (is_back)
    attempt(context, ts_vec3_neg(normal), start);
}

static ts_status try_listed(close_list *list, double within_m, try_normal attempt, void *context) {
  const ts_convex_pair *pair = list->pair;
  for (int body = 0; body < 2; body++) {
    close_side *c = &list->side[body];
    c->index = ts_arena_array(list->arena, pair->body[body].mesh->triangle_count, sizeof *c->index);
    if (!c->index)
      return TS_E_MEMORY;
  }
  TS_TRY(ts_bvh_tandem(pair->body[0].bvh, pair->body[1].bvh, pair->other_to_frame,
                       pair->slack_m + within_m, list_close, list));
  for (int body = 0; body < 2; body++)
    TS_TRY(list_ridges(list, body));
  try_faces(list, attempt, context);
  for (size_t i = 0; i < list->count; i++) {
    const uint32_t *t = list->pairs[i].triangles;
    const uint32_t *first_0 = &list->side[0].first_ridge[list->side[0].index[t[0]] - 1];
    const uint32_t *first_1 = &list->side[1].first_ridge[list->side[1].index[t[1]] - 1];
    for (uint32_t k = first_0[0]; k < first_0[1]; k++)
      for (uint32_t l = first_1[0]; l < first_1[1]; l++)
        try_ridges(&list->side[0].ridges[k], &list->side[1].ridges[l], attempt, context);
  }
  return TS_OK;
}

/// Bodies that have moved apart by a way out touch, and the points in which they do were no farther
/// from each other than that way is long. So the face, or the ridges, that it is perpendicular to
/// are among those that are this close. `out_all`: false where there are too many.
static ts_status try_close(bool *out_all, const ts_convex_pair *pair, double within_m,
                           try_normal attempt, void *context) {
  close_list list = {.pair = pair};
  TS_TRY(ts_arena_create(&list.arena));
  ts_status status = try_listed(&list, within_m, attempt, context);
  *out_all = list.count < CLOSE_MAX;
  ts_arena_destroy(list.arena);
  return status;
}

// ---- the shortest way out ---------------------------------------------------------------------

typedef struct separation_search {
  const ts_convex_pair *pair;
  ts_convex_way best;
  bool is_better; ///< than when it was last set to false
} separation_search;

static void try_best(void *context, ts_vec3 normal, const uint32_t start[2]) {
  separation_search *s = context;
  double gap_m;
  if (!has_gap_above(&gap_m, s->pair, normal, s->best.gap_m, start))
    return;
  s->best = (ts_convex_way){normal, gap_m};
  s->is_better = true;
}

/// Tries the faces around a vertex. One that no face uses has none.
static void try_around(separation_search *s, int body, const uint32_t at[2]) {
  const ts_mesh *mesh = s->pair->body[body].mesh;
  uint32_t first = 0, end = 3 * (uint32_t)mesh->triangle_count;
  while (first < end && start_of(mesh, first) != at[body])
    first++;
  uint32_t h = first;
  while (h < end) {
    try_best(s, from_first(body, face_normal(s->pair, body, h / 3)), at);
    uint32_t before = h % 3 == 0 ? h + 2 : h - 1;
    h = mesh->edge_twin[before] == first ? end : mesh->edge_twin[before];
  }
}

/// Tries the faces around the vertices that are farthest along the best normal, until none is
/// better: soon close to the best of all, where the search for that begins.
static void climb(separation_search *s, double enough_m) {
  s->is_better = true;
  while (s->is_better && s->best.gap_m < enough_m) {
    s->is_better = false;
    uint32_t at[2];
    (void)farthest(&at[0], s->pair, 0, s->best.normal);
    (void)farthest(&at[1], s->pair, 1, ts_vec3_neg(s->best.normal));
    for (int body = 0; body < 2; body++)
      try_around(s, body, at);
  }
}

static ts_vec3 middle(const ts_convex_pair *pair, int body) {
  size_t count = pair->body[body].mesh->vertex_count;
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < count; i++)
    sum = ts_vec3_add(sum, pair->vertices[body][i]);
  return ts_vec3_scale(sum, 1.0 / (double)count);
}

ts_status ts_convex_separate(ts_convex_way *out, bool *out_is_largest, const ts_convex_pair *pair,
                             const ts_vec3 *directions, size_t count, double touch_m) {
  separation_search s = {.pair = pair, .best = {.gap_m = -INFINITY}};
  static const uint32_t first[2] = {0, 0};
  *out_is_largest = false;
  for (size_t i = 0; i < count && s.best.gap_m < -touch_m; i++)
    try_best(&s, directions[i], first);
  if (s.best.gap_m < -touch_m) {
    ts_vec3 between = ts_vec3_unit(ts_vec3_sub(middle(pair, 1), middle(pair, 0)));
    if (ts_vec3_norm2(between) > 0.5)
      try_best(&s, between, first);
    if (!isfinite(s.best.gap_m)) // concentric
      try_best(&s, face_normal(pair, 0, 0), first);
    climb(&s, -touch_m);
  }
  if (s.best.gap_m < -touch_m)
    TS_TRY(try_close(out_is_largest, pair, -s.best.gap_m, try_best, &s));
  *out = s.best;
  return TS_OK;
}

// ---- all ways out -----------------------------------------------------------------------------

typedef struct way_list {
  const ts_convex_pair *pair;
  double within_m;
  ts_convex_way *ways;
  size_t count, room;
  bool is_full;
} way_list;

static void add_way(void *context, ts_vec3 normal, const uint32_t start[2]) {
  way_list *list = context;
  double gap_m;
  if (!has_gap_above(&gap_m, list->pair, normal, -list->within_m, start))
    return;
  for (size_t i = 0; i < list->count; i++)
    if (ts_vec3_distance(list->ways[i].normal, normal) <= TS_PARALLEL_SINE) {
      if (gap_m > list->ways[i].gap_m)
        list->ways[i] = (ts_convex_way){normal, gap_m};
      return;
    }
  list->is_full |= list->count == list->room;
  if (!list->is_full)
    list->ways[list->count++] = (ts_convex_way){normal, gap_m};
}

ts_status ts_convex_list_ways(ts_convex_way *out, size_t *out_count, bool *out_is_complete,
                              size_t room, const ts_convex_pair *pair, double within_m) {
  way_list list = {.pair = pair, .within_m = within_m, .ways = out, .room = room};
  TS_TRY(try_close(out_is_complete, pair, within_m, add_way, &list));
  *out_is_complete &= !list.is_full;
  *out_count = list.count;
  return TS_OK;
}
