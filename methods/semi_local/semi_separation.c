// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_separation.h"

#include "base/status.h"
#include "geometry/tolerances.h"
#include "methods/semi_local/semi_close.h"
#include "methods/semi_local/semi_crossings.h"

/// Pairs of triangles to look at. Bodies of some thousand triangles that lie deep in each other
/// have more.
enum { CLOSE_MAX = 1 << 20 };

/// How far a body reaches in a direction, and with which vertex.
static double farthest(uint32_t *out_vertex, const ts_semi_side *side, ts_vec3 direction) {
  double reach = -INFINITY;
  uint32_t at = 0;
  for (uint32_t i = 0; i < side->mesh->vertex_count; i++) {
    double along = ts_vec3_dot(direction, side->vertices[i]);
    if (along > reach) {
      reach = along;
      at = i;
    }
  }
  *out_vertex = at;
  return reach;
}

double ts_semi_gap_along(const ts_semi_pair *pair, ts_vec3 normal) {
  uint32_t at;
  double high = farthest(&at, &pair->side[0], normal);
  return -farthest(&at, &pair->side[1], ts_vec3_neg(normal)) - high;
}

/// Whether the gap along a normal is above `least_m`; if so, also how large it is. Ends as soon as
/// some vertices say that it is not.
static bool has_gap_above(double *out_m, const ts_semi_pair *pair, ts_vec3 normal, double least_m,
                          const uint32_t start[2]) {
  const ts_semi_side *side = pair->side;
  double high = ts_vec3_dot(normal, side[0].vertices[start[0]]);
  double low = ts_vec3_dot(normal, side[1].vertices[start[1]]);
  for (size_t i = 0; i < side[1].mesh->vertex_count && low - high > least_m; i++)
    low = ts_min(low, ts_vec3_dot(normal, side[1].vertices[i]));
  for (size_t i = 0; i < side[0].mesh->vertex_count && low - high > least_m; i++)
    high = ts_max(high, ts_vec3_dot(normal, side[0].vertices[i]));
  *out_m = low - high;
  return low - high > least_m;
}

typedef struct separation_search {
  const ts_semi_pair *pair;
  ts_semi_separation best;
  uint32_t farthest[2]; ///< a vertex of each body, the farthest along some of the best normals
} separation_search;

/// `start`: a vertex of each body that is likely to be the farthest.
static bool try_normal(separation_search *s, ts_vec3 normal, const uint32_t start[2]) {
  double gap;
  if (!(ts_vec3_norm2(normal) > 0.5) || !has_gap_above(&gap, s->pair, normal, s->best.gap_m, start))
    return false;
  s->best.normal = normal;
  s->best.gap_m = gap;
  return true;
}

/// Tries the faces around the vertices that are farthest along the best normal, until none is
/// better: soon close to the best of all, where the search for that begins.
static void climb(separation_search *s, double enough_m) {
  bool is_better = true;
  while (is_better && s->best.gap_m < enough_m) {
    is_better = false;
    uint32_t *at = s->farthest;
    (void)farthest(&at[0], &s->pair->side[0], s->best.normal);
    (void)farthest(&at[1], &s->pair->side[1], ts_vec3_neg(s->best.normal));
    for (int body = 0; body < 2; body++) {
      const ts_semi_side *side = &s->pair->side[body];
      const ts_patches *patches = side->patches;
      uint32_t c = patches->corner_of_vertex[at[body]];
      for (uint32_t k = 0; c != TS_NO_CORNER && k < patches->corners[c].patch_count; k++) {
        ts_vec3 n = side->normals[patches->patches_of_corners[patches->corners[c].first_patch + k]];
        is_better |= try_normal(s, body == 0 ? n : ts_vec3_neg(n), at);
      }
    }
  }
}

static ts_vec3 middle(const ts_semi_side *side) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < side->mesh->vertex_count; i++)
    sum = ts_vec3_add(sum, side->vertices[i]);
  return ts_vec3_scale(sum, 1.0 / (double)side->mesh->vertex_count);
}

/// An edge between two faces of a convex body. Its normals are the directions across it that face
/// away from both faces.
typedef struct ridge {
  uint32_t vertices[2];
  ts_vec3 along, into[2]; ///< unit: of the edge, and across it into either face
} ridge;

/// The triangles of a body that are close to the other one, and their ridges.
typedef struct close_side {
  const ts_semi_side *side;
  uint32_t *index; ///< [triangle_count] 1 + that of a close triangle; 0: not close
  size_t count;
  ts_vec3 *normals; ///< [count]
  /// Those of close triangle i, whose half edge is the id of the edge, are ridges[first_ridge[i]]
  /// up to, but not including, ridges[first_ridge[i + 1]].
  uint32_t *triangles, *first_ridge;
  ridge *ridges;
} close_side;

typedef struct close_list {
  const ts_semi_pair *pair;
  ts_semi_close *pairs;
  size_t count, capacity;
  close_side side[2];
} close_list;

static ts_status list_close(void *context, uint32_t triangle_0, uint32_t triangle_1) {
  close_list *list = context;
  if (list->count == CLOSE_MAX)
    return TS_OK;
  TS_TRY(TS_SEMI_GROW(list->pairs, list->capacity, list->count, list->pair->host));
  list->pairs[list->count++] = (ts_semi_close){{triangle_0, triangle_1}};
  const uint32_t triangles[2] = {triangle_0, triangle_1};
  for (int body = 0; body < 2; body++) {
    close_side *c = &list->side[body];
    if (!c->index[triangles[body]])
      c->index[triangles[body]] = (uint32_t)++c->count;
  }
  return TS_OK;
}

/// The normal of a triangle in the frame, from its own coordinates.
static ts_vec3 face_normal(const ts_semi_pair *pair, int body, size_t triangle) {
  ts_vec3 normal = ts_mesh_face_normal(pair->side[body].mesh, triangle);
  return body == 0 ? normal : ts_pose_direction(pair->other_to_frame, normal);
}

static ts_status list_ridges(close_list *list, int body) {
  close_side *c = &list->side[body];
  const ts_host *host = list->pair->host;
  const ts_mesh *mesh = c->side->mesh;
  c->normals = ts_semi_scratch(host, c->count, sizeof *c->normals);
  c->triangles = ts_semi_scratch(host, c->count, sizeof *c->triangles);
  c->first_ridge = ts_semi_scratch(host, c->count + 1, sizeof *c->first_ridge);
  c->ridges = ts_semi_scratch(host, 3 * c->count, sizeof *c->ridges);
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
      if (h > twin || ts_vec3_distance(beside, c->normals[i]) < TS_SEMI_FLAT_RIDGE)
        continue;
      ridge *r = &c->ridges[count++];
      r->vertices[0] = ts_semi_start(mesh, h);
      r->vertices[1] = ts_semi_start(mesh, twin);
      r->along = ts_vec3_unit(
          ts_vec3_sub(c->side->vertices[r->vertices[1]], c->side->vertices[r->vertices[0]]));
      r->into[0] = ts_vec3_cross(c->normals[i], r->along);
      r->into[1] = ts_vec3_cross(r->along, beside);
    }
  }
  c->first_ridge[c->count] = count;
  return TS_OK;
}

/// Tries the cross product of two ridges if it is a normal of both.
static void try_ridges(separation_search *s, const ridge *a, const ridge *b) {
  ts_vec3 cross = ts_vec3_cross(a->along, b->along);
  double a_0 = ts_vec3_dot(cross, a->into[0]), a_1 = ts_vec3_dot(cross, a->into[1]);
  double b_0 = ts_vec3_dot(cross, b->into[0]), b_1 = ts_vec3_dot(cross, b->into[1]);
  double e = TS_SEMI_RIDGE_ROUNDING;
  bool is_there = a_0 <= e && a_1 <= e && b_0 >= -e && b_1 >= -e;
  bool is_back = a_0 >= -e && a_1 >= -e && b_0 <= e && b_1 <= e;
  if (!is_there && !is_back)
    return;
  const uint32_t start[2] = {a->vertices[0], b->vertices[0]};
  ts_vec3 normal = ts_vec3_unit(cross);
  if (is_there)
    (void)try_normal(s, normal, start);
  if (is_back)
    (void)try_normal(s, ts_vec3_neg(normal), start);
}

/// Tries the normals of the close triangles.
static void try_faces(separation_search *s, const close_side sides[2]) {
  for (int body = 0; body < 2; body++) {
    const close_side *c = &sides[body];
    for (size_t i = 0; i < c->count; i++) {
      uint32_t start[2] = {s->farthest[0], s->farthest[1]};
      start[body] = c->side->mesh->triangles[c->triangles[i]][0];
      (void)try_normal(s, body == 0 ? c->normals[i] : ts_vec3_neg(c->normals[i]), start);
    }
  }
}

/// Bodies that have moved apart by the shortest way touch, and the points in which they do were no
/// farther from each other than that way is long. So the face, or the ridges, that it is
/// perpendicular to are among those that are this close.
static ts_status try_close(separation_search *s) {
  const ts_semi_pair *pair = s->pair;
  close_list list = {.pair = pair};
  for (int body = 0; body < 2; body++) {
    close_side *c = &list.side[body];
    c->side = &pair->side[body];
    c->index = ts_semi_scratch(pair->host, c->side->mesh->triangle_count, sizeof *c->index);
    if (!c->index)
      return TS_E_MEMORY;
  }
  TS_TRY(ts_bvh_tandem(pair->side[0].shape->triangles, pair->side[1].shape->triangles,
                       pair->other_to_frame, pair->s.snap_m - s->best.gap_m, list_close, &list));
  for (int body = 0; body < 2; body++)
    TS_TRY(list_ridges(&list, body));
  try_faces(s, list.side);
  for (size_t i = 0; i < list.count; i++) {
    const uint32_t *t = list.pairs[i].triangles;
    const uint32_t *first_0 = &list.side[0].first_ridge[list.side[0].index[t[0]] - 1];
    const uint32_t *first_1 = &list.side[1].first_ridge[list.side[1].index[t[1]] - 1];
    for (uint32_t k = first_0[0]; k < first_0[1]; k++)
      for (uint32_t l = first_1[0]; l < first_1[1]; l++)
        try_ridges(s, &list.side[0].ridges[k], &list.side[1].ridges[l]);
  }
  s->best.is_largest = list.count < CLOSE_MAX;
  return TS_OK;
}

ts_status ts_semi_find_separation(ts_semi_separation *out, const ts_semi_pair *pair,
                                  const ts_vec3 *directions, size_t count, double touch_m) {
  separation_search s = {.pair = pair, .best = {.gap_m = -INFINITY}};
  static const uint32_t first[2] = {0, 0};
  for (size_t i = 0; i < count && s.best.gap_m < -touch_m; i++)
    (void)try_normal(&s, directions[i], first);
  if (s.best.gap_m < -touch_m) {
    (void)try_normal(&s, ts_vec3_unit(ts_vec3_sub(middle(&pair->side[1]), middle(&pair->side[0]))),
                     first);
    if (!isfinite(s.best.gap_m)) // concentric
      (void)try_normal(&s, pair->side[0].normals[0], first);
    climb(&s, -touch_m);
  }
  if (s.best.gap_m < -touch_m)
    TS_TRY(try_close(&s));
  *out = s.best;
  return TS_OK;
}
