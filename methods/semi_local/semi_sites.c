// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_sites.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/tolerances.h"
#include "methods/semi_local/semi_run_pairs.h"

#include <stdlib.h>

/// A patch of the other body near a corner.
typedef struct near_patch {
  uint32_t patch, triangle;
  double distance_m;
  size_t next; ///< of the same corner: 1 + its index in corner_search::near; 0: none
} near_patch;

/// How close a corner is to a patch that faces it, and the last of those near it.
typedef struct fit {
  double distance_m;
  bool is_set;
  size_t last; ///< 1 + its index; 0: none
} fit;

/// The corners of one body and what of the other is near them.
typedef struct corner_search {
  const ts_semi_pair *pair;
  int body; ///< whose corners
  double reach_m;
  fit *fits; ///< [corner_count]
  near_patch *near;
  size_t count, capacity;
} corner_search;

/// Whether a corner faces a patch with this normal: some patch of it does, or it could rest on it,
/// as a needle does whose sides are nearly perpendicular to the surface under it.
static bool faces(const ts_semi_side *own, const ts_patch_corner *corner, ts_vec3 normal) {
  ts_vec3 around[TS_LOCAL_FACES_MAX];
  int count = 0;
  bool may_stand = false;
  for (uint32_t i = 0; i < corner->patch_count; i++) {
    ts_vec3 n = own->normals[own->patches->patches_of_corners[corner->first_patch + i]];
    double cosine = ts_vec3_dot(n, normal);
    if (cosine < TS_SEMI_FACING_COSINE)
      return true;
    may_stand |= cosine < 0;
    if (count < TS_LOCAL_FACES_MAX)
      around[count++] = n;
  }
  return may_stand && ts_noisy_cone_sine(ts_vec3_neg(normal), around, count,
                                         TS_CONE_NOISE * TS_SEMI_CONE_RAD) < TS_SEMI_CONE_WIDE_RAD;
}

static ts_status visit_corner(corner_search *search, uint32_t c, uint32_t triangle) {
  const ts_semi_pair *pair = search->pair;
  const ts_semi_side *own = &pair->side[search->body], *other = &pair->side[1 - search->body];
  const ts_patch_corner *corner = &own->patches->corners[c];
  ts_vec3 p = own->vertices[corner->vertex];
  uint32_t patch = other->patches->patch_of[triangle];
  double height = ts_vec3_dot(other->normals[patch], p) - other->offsets_m[patch];
  fit *best = &search->fits[c];
  double reach = ts_min(search->reach_m, own->shape->corner_reach_m[c]) + pair->s.snap_m;
  if (fabs(height) > reach ||
      (best->is_set && fabs(height) > ts_semi_slack(pair, best->distance_m)))
    return TS_OK;
  const uint32_t *v = other->mesh->triangles[triangle];
  const ts_vec3 corners[3] = {other->vertices[v[0]], other->vertices[v[1]], other->vertices[v[2]]};
  double distance = ts_closest_point_triangle(p, corners).distance_m;
  if (!(distance <= reach) || (best->is_set && distance > ts_semi_slack(pair, best->distance_m)))
    return TS_OK;
  if ((!best->is_set || distance < best->distance_m) && faces(own, corner, other->normals[patch]))
    *best = (fit){distance, true, best->last};
  TS_TRY(TS_SEMI_GROW(search->near, search->capacity, search->count, pair->host));
  search->near[search->count++] = (near_patch){patch, triangle, distance, best->last};
  best->last = search->count;
  return TS_OK;
}

static ts_status visit_corner_of_0(void *context, uint32_t corner, uint32_t triangle) {
  return visit_corner(context, corner, triangle);
}

static ts_status visit_corner_of_1(void *context, uint32_t triangle, uint32_t corner) {
  return visit_corner(context, corner, triangle);
}

static int compare_near(const void *left, const void *right) {
  const near_patch *l = left, *r = right;
  if (l->patch != r->patch)
    return l->patch < r->patch ? -1 : 1;
  if (l->distance_m != r->distance_m)
    return l->distance_m < r->distance_m ? -1 : 1;
  return (l->triangle > r->triangle) - (l->triangle < r->triangle);
}

static int compare_distances(const void *left, const void *right) {
  const near_patch *l = left, *r = right;
  if (l->distance_m != r->distance_m)
    return l->distance_m < r->distance_m ? -1 : 1;
  return compare_near(left, right);
}

/// Gathers the patches within the slack of a corner, sorted; the nearest first when there are too
/// many for a neighbourhood.
static ts_status gather_near(near_patch **out, size_t *out_capacity, size_t *out_count,
                             const corner_search *search, uint32_t corner) {
  const fit *best = &search->fits[corner];
  double slack = ts_semi_slack(search->pair, best->distance_m);
  *out_count = 0;
  for (size_t i = best->last; i; i = search->near[i - 1].next) {
    if (search->near[i - 1].distance_m > slack)
      continue;
    TS_TRY(TS_SEMI_GROW(*out, *out_capacity, *out_count, search->pair->host));
    (*out)[(*out_count)++] = search->near[i - 1];
  }
  if (*out_count > 1)
    qsort(*out, *out_count, sizeof **out, compare_near);
  size_t kept = 0;
  for (size_t i = 0; i < *out_count; i++)
    if (i == 0 || (*out)[i].patch != (*out)[i - 1].patch)
      (*out)[kept++] = (*out)[i];
  if (kept > TS_LOCAL_FACES_MAX)
    qsort(*out, kept, sizeof **out, compare_distances);
  *out_count = kept;
  return TS_OK;
}

/// Adds the site of a corner where more patches meet than a neighbourhood has room for.
static ts_status add_crowded(ts_semi_site_list *list, const ts_semi_neighbourhood *n,
                             const ts_patch_corner *corner, const near_patch *near, size_t count) {
  int body = n->own_body;
  const ts_semi_side *own = &list->pair->side[body], *other = &list->pair->side[1 - body];
  ts_vec3 *normals =
      ts_semi_scratch(list->pair->host, corner->patch_count + count, sizeof *normals);
  if (!normals)
    return TS_E_MEMORY;
  ts_vec3 *of_other = normals + corner->patch_count;
  for (uint32_t i = 0; i < corner->patch_count; i++)
    normals[i] = own->normals[own->patches->patches_of_corners[corner->first_patch + i]];
  for (size_t i = 0; i < count; i++)
    of_other[i] = other->normals[near[i].patch];
  const ts_vec3 *of_body[2] = {body == 0 ? normals : of_other, body == 0 ? of_other : normals};
  const size_t counts[2] = {body == 0 ? corner->patch_count : count,
                            body == 0 ? count : corner->patch_count};
  return ts_semi_add_crowded(list, n, of_body, counts);
}

/// How far a point is from a body, of which `near` [count] are the patches near it; 0 inside.
static double distance_outside(const ts_semi_side *side, ts_vec3 p, const near_patch *near,
                               size_t count, double snap_m) {
  double distance = INFINITY;
  for (size_t i = 0; i < count; i++)
    distance = ts_min(distance, near[i].distance_m);
  // Beside a ridge a point may be behind one of its faces, but not behind both.
  for (size_t i = 0; i < count; i++)
    if (near[i].distance_m <= distance + snap_m &&
        ts_vec3_dot(side->normals[near[i].patch], p) > side->offsets_m[near[i].patch])
      return distance;
  return 0;
}

/// Adds the sites of one corner; `near` [count] are the patches near it.
static ts_status add_corner(ts_semi_site_list *list, const corner_search *search,
                            uint32_t corner_index, const near_patch *near, size_t count) {
  const ts_semi_pair *pair = search->pair;
  int body = search->body;
  const ts_semi_side *own = &pair->side[body];
  const ts_patch_corner *corner = &own->patches->corners[corner_index];
  ts_vec3 p = own->vertices[corner->vertex];
  ts_semi_neighbourhood n;
  n.surface[0].face_count = n.surface[1].face_count = 0;
  n.witness[0] = n.witness[1] = p;
  n.own_body = body;
  n.own = (ts_feature){TS_FEATURE_VERTEX, corner->vertex};
  n.slack_m = ts_semi_slack(pair, search->fits[corner_index].distance_m);
  n.beside_m = distance_outside(&pair->side[1 - body], p, near, count, pair->s.snap_m);
  for (uint32_t i = 0; i < corner->patch_count; i++) {
    uint32_t patch = own->patches->patches_of_corners[corner->first_patch + i];
    const ts_patch *about = &own->patches->patches[patch];
    ts_semi_neighbourhood_add(&n, pair, body, patch,
                              own->patches->triangles[about->first_triangle]);
  }
  for (size_t i = 0; i < count; i++)
    ts_semi_neighbourhood_add(&n, pair, 1 - body, near[i].patch, near[i].triangle);
  if (corner->patch_count > TS_LOCAL_FACES_MAX || count > TS_LOCAL_FACES_MAX)
    return add_crowded(list, &n, corner, near, count);
  // Most corners of curved surfaces that cut through each other.
  if (ts_local_surfaces_are_apart(&n.surface[0], &n.surface[1], ts_semi_widest_cone(pair)))
    return TS_OK;
  ts_semi_neighbourhood_link(&n, pair, body);
  ts_semi_neighbourhood_link(&n, pair, 1 - body);
  return ts_semi_add_run_pairs(list, &n);
}

/// Adds the sites of the corners of a body.
static ts_status find_corners(ts_semi_site_list *list, int body) {
  const ts_semi_pair *pair = list->pair;
  size_t corner_count = pair->side[body].patches->corner_count;
  corner_search search = {
      .pair = pair, .body = body, .reach_m = ts_max(pair->s.gap_m, pair->s.depth_m)};
  search.fits = ts_semi_scratch(pair->host, corner_count, sizeof *search.fits);
  if (!search.fits)
    return TS_E_MEMORY;
  const ts_semi_shape *shape_0 = pair->side[0].shape, *shape_1 = pair->side[1].shape;
  TS_TRY(ts_bvh_tandem(body == 0 ? shape_0->corners : shape_0->triangles,
                       body == 0 ? shape_1->triangles : shape_1->corners, pair->other_to_frame,
                       pair->s.snap_m, body == 0 ? visit_corner_of_0 : visit_corner_of_1, &search));
  near_patch *near = NULL;
  size_t count, capacity = 0;
  for (uint32_t c = 0; c < corner_count; c++) {
    if (!search.fits[c].is_set)
      continue;
    TS_TRY(gather_near(&near, &capacity, &count, &search, c));
    TS_TRY(add_corner(list, &search, c, near, count));
  }
  return TS_OK;
}

static void add_ridge(ts_semi_neighbourhood *n, const ts_semi_pair *pair, int body,
                      const ts_patch_edge *edge) {
  const ts_patches *patches = pair->side[body].patches;
  n->surface[body].face_count = 0;
  for (int i = 0; i < 2; i++)
    ts_semi_neighbourhood_add(
        n, pair, body, edge->patches[i],
        patches->triangles[patches->patches[edge->patches[i]].first_triangle]);
  n->surface[body].convex_with[0] = 2;
  n->surface[body].convex_with[1] = 1;
}

/// Whether a point of a ridge is at least `inside_m` from both ends.
static bool is_inside(const ts_vec3 ends[2], ts_vec3 p, double inside_m) {
  ts_vec3 along = ts_vec3_unit(ts_vec3_sub(ends[1], ends[0]));
  return ts_vec3_dot(along, ts_vec3_sub(p, ends[0])) >= inside_m &&
         ts_vec3_dot(along, ts_vec3_sub(ends[1], p)) >= inside_m;
}

/// What two ridges need to meet.
typedef struct ridge_search {
  const ts_semi_pair *pair;
  double reach_m;      ///< They come this close.
  double cosine, sine; ///< Some of their normals are opposite up to this angle.
} ridge_search;

/// Whether the arcs of normals of two ridges are farther than that from being opposite: most pairs
/// on surfaces that cut through each other.
static bool arcs_are_apart(const ridge_search *search, const ts_patch_edge *const edge[2]) {
  ts_vec3 sum[2];
  double cosine[2], sine[2];
  for (int i = 0; i < 2; i++) {
    const ts_vec3 *normals = search->pair->side[i].normals;
    sum[i] = ts_vec3_add(normals[edge[i]->patches[0]], normals[edge[i]->patches[1]]);
    // Half of the angle between two unit vectors.
    double quarter = ts_min(0.25 * ts_vec3_norm2(sum[i]), 1);
    cosine[i] = sqrt(quarter);
    sine[i] = sqrt(1 - quarter);
  }
  double cosine_of_both = cosine[0] * cosine[1] - sine[0] * sine[1];
  double sine_of_both = sine[0] * cosine[1] + cosine[0] * sine[1];
  double cosine_of_all = cosine_of_both * search->cosine - sine_of_both * search->sine;
  double sine_of_all = sine_of_both * search->cosine + cosine_of_both * search->sine;
  return sine_of_all > 0 &&
         -ts_vec3_dot(sum[0], sum[1]) < 4 * cosine[0] * cosine[1] * cosine_of_all;
}

/// Adds the site of two ridges, one of each body, if they meet between their ends.
static ts_status add_ridges(ts_semi_site_list *list, const ridge_search *search,
                            const uint32_t ridge[2]) {
  const ts_semi_pair *pair = search->pair;
  const ts_patch_edge *const edge[2] = {&pair->side[0].patches->edges[ridge[0]],
                                        &pair->side[1].patches->edges[ridge[1]]};
  if (arcs_are_apart(search, edge))
    return TS_OK;
  ts_vec3 ends[2][2];
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++)
      ends[i][k] = pair->side[i].vertices[edge[i]->vertices[k]];
  ts_semi_neighbourhood n;
  if (!ts_semi_closest_of_lines(&n.witness[0], &n.witness[1], ends[0], ends[1], pair->s.snap_m))
    return TS_OK;
  double distance = ts_vec3_distance(n.witness[0], n.witness[1]);
  n.slack_m = ts_semi_slack(pair, distance);
  if (!(distance <= search->reach_m) || !is_inside(ends[0], n.witness[0], n.slack_m) ||
      !is_inside(ends[1], n.witness[1], n.slack_m))
    return TS_OK;
  n.own_body = -1;
  n.beside_m = 0;
  n.own = (ts_feature){TS_FEATURE_NONE, 0};
  for (int i = 0; i < 2; i++)
    add_ridge(&n, pair, i, edge[i]);
  return ts_semi_add_run_pairs(list, &n);
}

/// Adds the sites of ridges that pass each other.
static ts_status find_ridges(ts_semi_site_list *list, const ts_semi_close_pairs *close) {
  const ts_semi_pair *pair = list->pair;
  double angle_rad = 2 * ts_semi_widest_cone(pair);
  const ridge_search search = {.pair = pair,
                               .reach_m = ts_max(pair->s.gap_m, pair->s.depth_m),
                               .cosine = cos(angle_rad),
                               .sine = sin(angle_rad)};
  const ts_semi_shape *of_0 = pair->side[0].shape, *of_1 = pair->side[1].shape;
  for (size_t i = 0; i < close->count; i++) {
    const uint32_t *t = close->pairs[i].triangles;
    for (uint32_t k = of_0->first_ridge[t[0]]; k < of_0->first_ridge[t[0] + 1]; k++)
      for (uint32_t l = of_1->first_ridge[t[1]]; l < of_1->first_ridge[t[1] + 1]; l++) {
        const uint32_t ridge[2] = {of_0->ridges[k], of_1->ridges[l]};
        TS_TRY(add_ridges(list, &search, ridge));
      }
  }
  return TS_OK;
}

ts_status ts_semi_find_sites(ts_semi_sites *out, const ts_semi_pair *pair,
                             const ts_semi_close_pairs *close, const ts_semi_regions *regions) {
  ts_semi_site_list list = {.pair = pair, .regions = regions};
  TS_TRY(find_corners(&list, 0));
  TS_TRY(find_corners(&list, 1));
  TS_TRY(find_ridges(&list, close));
  *out = (ts_semi_sites){list.count, list.sites, list.candidate_count, list.candidates};
  return TS_OK;
}
