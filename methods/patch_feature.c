// SPDX-License-Identifier: MIT
#include "methods/patch_feature.h"

#include "geometry/closest.h"
#include "geometry/cone.h"
#include "geometry/mesh/mesh.h"
#include "geometry/tolerances.h"

/// A search for the nearest feature that has a normal.
typedef struct search {
  const ts_patches *patches;
  ts_vec3 place, outward;
  double same_m;
  bool takes_mixed; ///< corners with valleys have what is between the normals of their faces
  ts_feature best;
  double best_m; ///< how far it is from the place
} search;

// ---- normal cones ------------------------------------------------------------------------------

static bool is_below(const search *s, ts_vec3 direction) {
  return ts_vec3_dot(s->outward, ts_vec3_unit(direction)) <= TS_FEATURE_NORMAL;
}

static bool patch_has(const search *s, uint32_t patch) {
  return ts_vec3_distance(s->outward, s->patches->patches[patch].normal) <= TS_FEATURE_NORMAL;
}

/// Of an edge both faces are below the plane of the normal, which is on the side of free space. So
/// a valley has none.
static bool half_edge_has(const search *s, uint32_t half_edge) {
  const ts_mesh *mesh = s->patches->mesh;
  const uint32_t sides[2] = {half_edge, mesh->edge_twin[half_edge]};
  const uint32_t *corners = mesh->triangles[half_edge / 3];
  ts_vec3 along = ts_vec3_sub(s->patches->mesh->vertices[corners[(half_edge + 1) % 3]],
                              s->patches->mesh->vertices[corners[half_edge % 3]]);
  bool has = is_below(s, along) && is_below(s, ts_vec3_neg(along));
  ts_vec3 sum = {0, 0, 0};
  for (int i = 0; i < 2 && has; i++) {
    ts_vec3 normal = s->patches->patches[s->patches->patch_of[sides[i] / 3]].normal;
    ts_vec3 into = ts_vec3_cross(normal, i == 0 ? along : ts_vec3_neg(along));
    has = is_below(s, into);
    sum = ts_vec3_add(sum, normal);
  }
  return has && ts_vec3_dot(s->outward, sum) > 0;
}

/// More patches around a corner are not looked at: between their normals nearly all is.
enum { CORNER_PATCHES_MAX = 64 };

static uint32_t edge_of(const search *s, const ts_patch_corner *corner, uint32_t index) {
  return s->patches->edges_of_corners[corner->first_edge + index];
}

/// Whether a corner has valleys, and the direction is between the normals of its faces.
static bool mixed_corner_has(const search *s, const ts_patch_corner *corner) {
  bool has_valley = false;
  for (uint32_t i = 0; i < corner->edge_count; i++)
    has_valley |= !s->patches->edges[edge_of(s, corner, i)].is_convex;
  if (!has_valley || corner->patch_count > CORNER_PATCHES_MAX)
    return false;
  ts_vec3 normals[CORNER_PATCHES_MAX];
  for (uint32_t i = 0; i < corner->patch_count; i++)
    normals[i] =
        s->patches->patches[s->patches->patches_of_corners[corner->first_patch + i]].normal;
  return ts_cone_closest(s->outward, normals, corner->patch_count).angle_rad <= TS_FEATURE_NORMAL;
}

/// The same of a corner, with all its edges. The bottom of a pit has no normals.
static bool corner_has(const search *s, const ts_patch_corner *corner) {
  const ts_patches *patches = s->patches;
  const ts_vec3 *vertices = patches->mesh->vertices;
  ts_vec3 sum = {0, 0, 0};
  if (s->takes_mixed)
    return mixed_corner_has(s, corner);
  for (uint32_t i = 0; i < corner->edge_count; i++) {
    const uint32_t *ends = patches->edges[edge_of(s, corner, i)].vertices;
    uint32_t other = ends[0] == corner->vertex ? ends[1] : ends[0];
    if (!is_below(s, ts_vec3_sub(vertices[other], vertices[corner->vertex])))
      return false;
  }
  for (uint32_t i = 0; i < corner->patch_count; i++)
    sum = ts_vec3_add(
        sum, patches->patches[patches->patches_of_corners[corner->first_patch + i]].normal);
  return ts_vec3_dot(s->outward, sum) > 0;
}

static const ts_patch_corner *corner_at(const search *s, uint32_t vertex) {
  uint32_t corner = s->patches->corner_of_vertex[vertex];
  return corner == TS_NO_CORNER ? NULL : &s->patches->corners[corner];
}

static bool has_normal(const search *s, ts_feature feature) {
  switch (feature.kind) {
  case TS_FEATURE_FACE:
    return patch_has(s, s->patches->patch_of[feature.index]);
  case TS_FEATURE_EDGE:
    return half_edge_has(s, feature.index);
  case TS_FEATURE_VERTEX: {
    const ts_patch_corner *corner = corner_at(s, feature.index);
    return corner && corner_has(s, corner);
  }
  default:
    return false;
  }
}

// ---- what is around ----------------------------------------------------------------------------

/// Takes a feature that is nearer than the best so far by more than rounding. They are offered in
/// the order of preference.
static void offer(search *s, int32_t kind, uint32_t index, double distance_m) {
  if (!(distance_m < s->best_m - s->same_m))
    return;
  s->best = (ts_feature){kind, index};
  s->best_m = distance_m;
}

static void offer_face(search *s, uint32_t patch) {
  const ts_patch *p = &s->patches->patches[patch];
  const uint32_t *triangles = &s->patches->triangles[p->first_triangle];
  for (uint32_t i = 0; patch_has(s, patch) && i < p->triangle_count; i++) {
    const uint32_t *corners = s->patches->mesh->triangles[triangles[i]];
    const ts_vec3 *v = s->patches->mesh->vertices;
    const ts_vec3 triangle[3] = {v[corners[0]], v[corners[1]], v[corners[2]]};
    offer(s, TS_FEATURE_FACE, triangles[0],
          ts_closest_point_triangle(s->place, triangle).distance_m);
  }
}

static void offer_edge(search *s, uint32_t edge) {
  const ts_patch_edge *e = &s->patches->edges[edge];
  if (!e->is_convex || !half_edge_has(s, e->half_edge))
    return;
  uint32_t id = ts_mesh_edge_id(s->patches->mesh, e->half_edge / 3, (int)(e->half_edge % 3));
  const ts_vec3 *v = s->patches->mesh->vertices;
  ts_vec3 from = v[e->vertices[0]], to = v[e->vertices[1]];
  double t = ts_closest_point_segment(s->place, from, to);
  offer(s, TS_FEATURE_EDGE, id, ts_vec3_distance(ts_vec3_lerp(from, to, t), s->place));
}

static void offer_corner(search *s, uint32_t vertex) {
  const ts_patch_corner *corner = corner_at(s, vertex);
  if (corner && corner_has(s, corner))
    offer(s, TS_FEATURE_VERTEX, vertex,
          ts_vec3_distance(s->patches->mesh->vertices[vertex], s->place));
}

/// Offers the patch, the patches beside it, the edges of both, and their corners: in three rounds,
/// faces first.
static void offer_around(search *s, uint32_t patch) {
  const ts_patches *all = s->patches;
  const ts_patch *p = &all->patches[patch];
  const uint32_t *edges = &all->edges_of_patches[p->first_edge];
  offer_face(s, patch);
  for (uint32_t i = 0; i < p->edge_count; i++)
    for (int k = 0; k < 2; k++)
      if (all->edges[edges[i]].patches[k] != patch)
        offer_face(s, all->edges[edges[i]].patches[k]);
  for (uint32_t i = 0; i < p->edge_count; i++)
    offer_edge(s, edges[i]);
  for (uint32_t i = 0; i < p->edge_count; i++)
    for (int k = 0; k < 2; k++)
      offer_corner(s, all->edges[edges[i]].vertices[k]);
}

static void offer_around_feature(search *s, ts_feature feature) {
  const ts_patches *patches = s->patches;
  const ts_patch_corner *corner;
  switch (feature.kind) {
  case TS_FEATURE_FACE:
    offer_around(s, patches->patch_of[feature.index]);
    break;
  case TS_FEATURE_EDGE:
    offer_around(s, patches->patch_of[feature.index / 3]);
    offer_around(s, patches->patch_of[s->patches->mesh->edge_twin[feature.index] / 3]);
    break;
  case TS_FEATURE_VERTEX:
    corner = corner_at(s, feature.index);
    for (uint32_t i = 0; corner && i < corner->patch_count; i++)
      offer_around(s, patches->patches_of_corners[corner->first_patch + i]);
    break;
  default:
    break;
  }
}

ts_feature ts_patch_feature_steady(const ts_patches *patches, ts_feature feature) {
  if (feature.kind == TS_FEATURE_FACE)
    feature.index =
        patches->triangles[patches->patches[patches->patch_of[feature.index]].first_triangle];
  return feature;
}

ts_feature ts_patch_feature(const ts_patches *patches, ts_feature named, ts_vec3 place,
                            ts_vec3 outward, double reach_m, double same_m) {
  search s = {.patches = patches,
              .place = place,
              .outward = outward,
              .same_m = same_m,
              .best = {TS_FEATURE_NONE, 0},
              .best_m = reach_m + same_m};
  for (int round = 0; round < 2; round++) {
    s.takes_mixed = round > 0;
    if (has_normal(&s, named))
      return ts_patch_feature_steady(patches, named);
    offer_around_feature(&s, named);
    if (s.best.kind != TS_FEATURE_NONE)
      return s.best;
  }
  return s.best;
}
