// SPDX-License-Identifier: MIT
#include "methods/hull_clip/clip_axis.h"

#include "base/status.h"
#include "geometry/tolerances.h"

/// The vertex of a body that is the least far along a direction.
static uint32_t lowest_along(const ts_clip_body *body, ts_vec3 direction) {
  double least = INFINITY;
  uint32_t at = 0;
  for (uint32_t i = 0; i < body->shape->vertex_count; i++) {
    double along = ts_vec3_dot(direction, body->vertices[i]);
    if (along < least) {
      least = along;
      at = i;
    }
  }
  return at;
}

// ---- normals of faces -------------------------------------------------------------------------

typedef struct face_search {
  const ts_clip_pair *pair;
  double *gaps_m[2]; ///< [face_count] of each body; -infinity: below the best
  double best_m;     ///< of those so far
  /// A vertex of each body that is likely to be the deepest in the other one: it bounds the gaps
  /// along the normals of that one from above.
  ts_vec3 deepest[2];
} face_search;

/// Finds the gap along a normal, unless it is below the best one so far.
static void try_face(face_search *s, int body, uint32_t face) {
  const ts_clip_body *of = &s->pair->body[body], *other = &s->pair->body[1 - body];
  ts_vec3 normal = of->normals[face], at = s->deepest[1 - body];
  double offset = of->offsets_m[face], least = s->best_m - s->pair->touch_m;
  double gap = ts_vec3_dot(normal, at) - offset;
  for (size_t i = 0; i < other->shape->vertex_count && gap >= least; i++) {
    double height = ts_vec3_dot(normal, other->vertices[i]) - offset;
    at = height < gap ? other->vertices[i] : at;
    gap = height < gap ? height : gap;
  }
  if (gap < least || of->shape->faces[face].count < 3)
    return;
  s->gaps_m[body][face] = gap;
  if (gap > s->best_m) {
    s->best_m = gap;
    s->deepest[1 - body] = at;
  }
}

/// The face that the likely deepest vertex of the other body is the farthest out of.
static uint32_t likely_face(const face_search *s, int body) {
  const ts_clip_body *of = &s->pair->body[body];
  double most = -INFINITY;
  uint32_t face = 0;
  for (uint32_t i = 0; i < of->shape->face_count; i++) {
    double height = ts_vec3_dot(of->normals[i], s->deepest[1 - body]) - of->offsets_m[i];
    if (height > most) {
      most = height;
      face = i;
    }
  }
  return face;
}

/// What is found does not depend on the order in which faces are tried, only how soon.
static ts_status search_faces(face_search *out, const ts_clip_pair *pair) {
  *out = (face_search){.pair = pair, .best_m = -INFINITY};
  ts_vec3 across = ts_vec3_sub(pair->body[1].centre, pair->body[0].centre);
  for (int k = 0; k < 2; k++) {
    const ts_clip_body *body = &pair->body[k];
    out->gaps_m[k] = pair->host->scratch(pair->host, body->shape->face_count * sizeof(double));
    if (!out->gaps_m[k])
      return TS_E_MEMORY;
    for (size_t i = 0; i < body->shape->face_count; i++)
      out->gaps_m[k][i] = -INFINITY;
    out->deepest[k] = body->vertices[lowest_along(body, k == 0 ? ts_vec3_neg(across) : across)];
  }
  for (int k = 0; k < 2; k++) {
    try_face(out, k, likely_face(out, k));
    for (uint32_t i = 0; i < pair->body[k].shape->face_count; i++)
      try_face(out, k, i);
  }
  return TS_OK;
}

static bool has_vertex_below(const ts_clip_body *body, uint32_t face, ts_vec3 normal,
                             double height) {
  const ts_clip_face *f = &body->shape->faces[face];
  for (uint32_t i = 0; i < f->count; i++)
    if (ts_vec3_dot(normal, body->vertices[f->corners[i]]) <= height)
      return true;
  return false;
}

/// Of the faces at the vertices of a body that are deepest behind a plane, the one most opposite to
/// it; of equally opposite ones the first.
static uint32_t find_incident(double *out_opposite, const ts_clip_pair *pair, int body,
                              ts_vec3 normal) {
  const ts_clip_body *of = &pair->body[body];
  double lowest = ts_vec3_dot(normal, of->vertices[lowest_along(of, normal)]);
  double least = INFINITY;
  uint32_t incident = 0;
  for (uint32_t i = 0; i < of->shape->face_count; i++) {
    double cosine = ts_vec3_dot(normal, of->normals[i]);
    if (cosine < least - TS_SAME_COSINE && of->shape->faces[i].count >= 3 &&
        has_vertex_below(of, i, normal, lowest + pair->touch_m)) {
      least = cosine;
      incident = i;
    }
  }
  *out_opposite = -least;
  return incident;
}

/// How well an axis suits where several separate equally well.
typedef struct suitability {
  double along;    ///< the cosine between it and the line through the centres
  double opposite; ///< minus the cosine between the normals of its two faces
} suitability;

static bool is_more_suitable(suitability a, suitability b) {
  if (fabs(a.along - b.along) > TS_SAME_COSINE)
    return a.along > b.along;
  return a.opposite > b.opposite + TS_SAME_COSINE;
}

ts_status ts_clip_find_face_axis(ts_clip_face_axis *out, const ts_clip_pair *pair) {
  face_search s;
  TS_TRY(search_faces(&s, pair));
  *out = (ts_clip_face_axis){.gap_m = s.best_m};
  if (!isfinite(s.best_m))
    return TS_OK;
  ts_vec3 across = ts_vec3_unit(ts_vec3_sub(pair->body[1].centre, pair->body[0].centre));
  suitability best = {-INFINITY, -INFINITY};
  for (int body = 0; body < 2; body++)
    for (uint32_t i = 0; i < pair->body[body].shape->face_count; i++) {
      ts_vec3 normal = pair->body[body].normals[i];
      if (!(s.gaps_m[body][i] >= s.best_m - pair->touch_m))
        continue;
      suitability fits = {.along = ts_vec3_dot(across, normal) * (body == 0 ? 1 : -1)};
      uint32_t incident = find_incident(&fits.opposite, pair, 1 - body, normal);
      if (is_more_suitable(fits, best)) {
        best = fits;
        *out = (ts_clip_face_axis){body, i, incident, s.gaps_m[body][i]};
      }
    }
  return TS_OK;
}

// ---- cross products of edges ------------------------------------------------------------------

/// The edges of a body that may beat the best axis so far.
typedef struct edge_list {
  uint32_t *edges; ///< [count]
  size_t count;
} edge_list;

/// A bound of the gap along all normals of an edge: `vertex`, of the other body, is no higher above
/// it along any of them.
static double height_above(const ts_clip_body *body, uint32_t index, ts_vec3 vertex) {
  const ts_clip_edge *edge = &body->shape->edges[index];
  ts_vec3 to = ts_vec3_sub(vertex, body->vertices[edge->vertices[0]]);
  double height = ts_max(ts_vec3_dot(body->normals[edge->faces[0]], to),
                         ts_vec3_dot(body->normals[edge->faces[1]], to));
  return height * (height > 0 ? edge->widening : 1);
}

/// Lists the edges of a body along whose normals the gap may be above a limit, as far as one vertex
/// of the other body tells.
static ts_status list_edges(edge_list *out, const ts_clip_pair *pair, int body, ts_vec3 deepest,
                            double least_m) {
  const ts_clip_body *of = &pair->body[body];
  out->edges = pair->host->scratch(pair->host, of->shape->edge_count * sizeof *out->edges);
  if (!out->edges)
    return TS_E_MEMORY;
  out->count = 0;
  for (uint32_t i = 0; i < of->shape->edge_count; i++)
    if (height_above(of, i, deepest) > least_m)
      out->edges[out->count++] = i;
  return TS_OK;
}

/// Takes out the edges for which any vertex of the other body tells that the gap is not above the
/// limit. One that has told for an edge does so for its neighbours, mostly.
static void shorten(edge_list *list, const ts_clip_pair *pair, int body, double least_m) {
  const ts_clip_body *of = &pair->body[body], *other = &pair->body[1 - body];
  size_t kept = 0, vertex = 0, count = other->shape->vertex_count;
  for (size_t i = 0; i < list->count; i++) {
    size_t tried = 0;
    while (tried < count && height_above(of, list->edges[i], other->vertices[vertex]) > least_m) {
      vertex = vertex + 1 < count ? vertex + 1 : 0;
      tried++;
    }
    if (tried == count)
      list->edges[kept++] = list->edges[i];
  }
  list->count = kept;
}

/// An edge in the frame.
typedef struct placed_edge {
  ts_vec3 from, along;
  ts_vec3 normals[2]; ///< of its faces, as from body 0 to body 1
} placed_edge;

static placed_edge place_edge(const ts_clip_pair *pair, int body, uint32_t index) {
  const ts_clip_body *of = &pair->body[body];
  const ts_clip_edge *edge = &of->shape->edges[index];
  placed_edge placed = {.from = of->vertices[edge->vertices[0]]};
  placed.along = ts_vec3_sub(of->vertices[edge->vertices[1]], placed.from);
  for (int k = 0; k < 2; k++) {
    ts_vec3 normal = of->normals[edge->faces[k]];
    placed.normals[k] = body == 0 ? normal : ts_vec3_neg(normal);
  }
  return placed;
}

/// Whether the arcs between the normals cross: the ends of each lie on either side of the great
/// circle of the other, whose pole is the direction of the edge, and both arcs are on one half of
/// the sphere.
static bool arcs_cross(const placed_edge *a, const placed_edge *b) {
  double b_0 = ts_vec3_dot(a->along, b->normals[0]), b_1 = ts_vec3_dot(a->along, b->normals[1]);
  if (!((b_0 > 0 && b_1 < 0) || (b_0 < 0 && b_1 > 0)))
    return false;
  double a_0 = ts_vec3_dot(b->along, a->normals[0]), a_1 = ts_vec3_dot(b->along, a->normals[1]);
  if (!((a_0 > 0 && a_1 < 0) || (a_0 < 0 && a_1 > 0)))
    return false;
  // The point of b's arc on a's circle has to be on a's side of the sphere.
  ts_vec3 crossing =
      ts_vec3_add(ts_vec3_scale(b->normals[0], fabs(b_1)), ts_vec3_scale(b->normals[1], fabs(b_0)));
  return ts_vec3_dot(crossing, ts_vec3_add(a->normals[0], a->normals[1])) > 0;
}

/// The common normal, from body 0 to body 1; false for edges that have none.
static bool find_normal(ts_vec3 *out, const placed_edge *a, const placed_edge *b) {
  ts_vec3 cross = ts_vec3_cross(a->along, b->along);
  double sine = ts_vec3_norm(cross) / (ts_vec3_norm(a->along) * ts_vec3_norm(b->along));
  if (!(sine > TS_PARALLEL_SINE))
    return false;
  ts_vec3 normal = ts_vec3_unit(cross);
  bool is_out = ts_vec3_dot(normal, ts_vec3_add(a->normals[0], a->normals[1])) > 0;
  *out = is_out ? normal : ts_vec3_neg(normal);
  return true;
}

/// The best of all pairs of the lists.
static void try_edges(ts_clip_edge_axis *best, bool *found, const ts_clip_pair *pair,
                      const edge_list lists[2]) {
  for (size_t i = 0; i < lists[0].count; i++) {
    placed_edge a = place_edge(pair, 0, lists[0].edges[i]);
    for (size_t k = 0; k < lists[1].count; k++) {
      placed_edge b = place_edge(pair, 1, lists[1].edges[k]);
      ts_vec3 normal;
      if (!arcs_cross(&a, &b) || !find_normal(&normal, &a, &b))
        continue;
      double gap = ts_vec3_dot(normal, ts_vec3_sub(b.from, a.from));
      if (gap > best->gap_m + (*found ? pair->touch_m : 0)) {
        *best = (ts_clip_edge_axis){{lists[0].edges[i], lists[1].edges[k]}, normal, gap};
        *found = true;
      }
    }
  }
}

ts_status ts_clip_find_edge_axis(ts_clip_edge_axis *out, bool *out_found, const ts_clip_pair *pair,
                                 const ts_clip_face_axis *face, double above_m) {
  double least_m = face->gap_m + ts_max(above_m, pair->touch_m);
  ts_vec3 normal = pair->body[face->body].normals[face->face];
  if (face->body == 1)
    normal = ts_vec3_neg(normal);
  *out = (ts_clip_edge_axis){.gap_m = least_m};
  *out_found = false;
  edge_list lists[2];
  for (int k = 0; k < 2; k++) {
    const ts_clip_body *other = &pair->body[1 - k];
    uint32_t deepest = lowest_along(other, k == 0 ? normal : ts_vec3_neg(normal));
    TS_TRY(list_edges(&lists[k], pair, k, other->vertices[deepest], least_m));
    if (lists[k].count == 0)
      return TS_OK;
  }
  // Finely cut bodies that overlap deeply: shorter lists cost less than all pairs of long ones.
  size_t vertices[2] = {pair->body[0].shape->vertex_count, pair->body[1].shape->vertex_count};
  if (lists[0].count * lists[1].count > lists[0].count * vertices[1] + lists[1].count * vertices[0])
    for (int k = 0; k < 2; k++)
      shorten(&lists[k], pair, k, least_m);
  try_edges(out, out_found, pair, lists);
  return TS_OK;
}
