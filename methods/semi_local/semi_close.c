// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_close.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/convex_runs.h"
#include "geometry/tolerances.h"

#include <stdlib.h>

typedef struct close_search {
  const ts_host *host;
  ts_semi_close *pairs;
  size_t count, capacity;
} close_search;

static ts_status list_pair(void *context, uint32_t triangle_0, uint32_t triangle_1) {
  close_search *search = context;
  TS_TRY(TS_SEMI_GROW(search->pairs, search->capacity, search->count, search->host));
  search->pairs[search->count++] = (ts_semi_close){{triangle_0, triangle_1}};
  return TS_OK;
}

ts_status ts_semi_find_close_pairs(ts_semi_close_pairs *out, const ts_semi_pair *pair) {
  close_search search = {.host = pair->host};
  TS_TRY(ts_bvh_tandem(pair->side[0].shape->surface, pair->side[1].shape->surface,
                       pair->other_to_frame, pair->s.snap_m, list_pair, &search));
  *out = (ts_semi_close_pairs){search.count, search.pairs};
  return TS_OK;
}

// ---- corners -----------------------------------------------------------------------------------

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

/// How far a corner may be from a triangle that matters.
static double corner_reach(const ts_semi_corner_search *search, uint32_t corner) {
  return ts_min(search->reach_m, search->own->shape->corner_reach_m[corner]) +
         search->pair->s.snap_m;
}

static void corners_of(ts_vec3 out[3], const ts_semi_side *side, uint32_t triangle) {
  for (int i = 0; i < 3; i++)
    out[i] = side->vertices[side->mesh->triangles[triangle][i]];
}

static double height_over(const ts_semi_side *side, uint32_t patch, ts_vec3 p) {
  return ts_vec3_dot(side->normals[patch], p) - side->offsets_m[patch];
}

/// Whether a corner may be within reach of a triangle of the other body.
static bool may_be_near(const ts_semi_corner_search *search, uint32_t corner, uint32_t triangle) {
  const ts_semi_side *other = search->other;
  ts_vec3 p = search->own->vertices[search->own->patches->corners[corner].vertex];
  double reach = corner_reach(search, corner);
  if (fabs(height_over(other, other->patches->patch_of[triangle], p)) > reach)
    return false;
  ts_vec3 v[3];
  corners_of(v, other, triangle);
  ts_aabb box = ts_aabb_add(ts_aabb_add((ts_aabb){v[0], v[0]}, v[1]), v[2]);
  return ts_aabb_contains(ts_aabb_inflate(box, reach), p);
}

/// Lists the triangles that may be near each corner.
static ts_status list_triangles(ts_semi_corner_search *search, int body,
                                const ts_semi_close_pairs *close) {
  const ts_semi_listed *corners = &search->own->shape->corners;
  for (size_t i = 0; i < close->count; i++) {
    uint32_t own = close->pairs[i].triangles[body];
    uint32_t other = close->pairs[i].triangles[1 - body];
    for (uint32_t k = corners->first[own]; k < corners->first[own + 1]; k++) {
      uint32_t corner = corners->items[k];
      if (!may_be_near(search, corner, other))
        continue;
      TS_TRY(TS_SEMI_GROW(search->triangles, search->capacity, search->count, search->pair->host));
      search->triangles[search->count++] = (ts_semi_near_triangle){other, search->last[corner]};
      search->last[corner] = (uint32_t)search->count;
    }
  }
  return TS_OK;
}

/// Whether no triangle near a corner faces it closely enough for a normal to keep both apart: most
/// corners of curved surfaces that cut through each other.
static bool is_apart(const ts_semi_corner_search *search, uint32_t corner) {
  enum { NORMALS_MAX = 64 };
  ts_vec3 own[NORMALS_MAX], other[NORMALS_MAX];
  const ts_patches *patches = search->own->patches;
  const ts_patch_corner *about = &patches->corners[corner];
  if (about->patch_count > NORMALS_MAX)
    return false;
  for (uint32_t i = 0; i < about->patch_count; i++)
    own[i] = search->own->normals[patches->patches_of_corners[about->first_patch + i]];
  size_t count = 0;
  for (uint32_t i = search->last[corner]; i; i = search->triangles[i - 1].next) {
    if (count == NORMALS_MAX)
      return false;
    uint32_t patch = search->other->patches->patch_of[search->triangles[i - 1].triangle];
    other[count++] = search->other->normals[patch];
  }
  return ts_normals_are_apart(own, about->patch_count, other, count, search->widest_rad);
}

static int compare_near(const void *left, const void *right) {
  const ts_semi_near_patch *l = left, *r = right;
  if (l->patch != r->patch)
    return l->patch < r->patch ? -1 : 1;
  if (l->distance_m != r->distance_m)
    return l->distance_m < r->distance_m ? -1 : 1;
  return (l->triangle > r->triangle) - (l->triangle < r->triangle);
}

static int compare_distances(const void *left, const void *right) {
  const ts_semi_near_patch *l = left, *r = right;
  if (l->distance_m != r->distance_m)
    return l->distance_m < r->distance_m ? -1 : 1;
  return compare_near(left, right);
}

/// Lists the patches near a corner, into search->near: those within the slack of the distance of
/// the nearest that faces it, and maybe others. Returns that distance in `*out_m`; infinite: none
/// does.
static ts_status measure_near(double *out_m, size_t *out_count, ts_semi_corner_search *search,
                              uint32_t corner) {
  const ts_semi_side *own = search->own, *other = search->other;
  const ts_patch_corner *about = &own->patches->corners[corner];
  ts_vec3 p = own->vertices[about->vertex];
  double reach = corner_reach(search, corner), within = reach;
  *out_m = INFINITY;
  *out_count = 0;
  for (uint32_t i = search->last[corner]; i; i = search->triangles[i - 1].next) {
    uint32_t triangle = search->triangles[i - 1].triangle;
    uint32_t patch = other->patches->patch_of[triangle];
    if (fabs(height_over(other, patch, p)) > within)
      continue;
    ts_vec3 v[3];
    corners_of(v, other, triangle);
    double distance = ts_closest_point_triangle(p, v).distance_m;
    if (!(distance <= within))
      continue;
    if (distance < *out_m && faces(own, about, other->normals[patch])) {
      *out_m = distance;
      within = ts_min(reach, ts_semi_slack(search->pair, distance));
    }
    TS_TRY(TS_SEMI_GROW(search->near, search->near_capacity, *out_count, search->pair->host));
    search->near[(*out_count)++] = (ts_semi_near_patch){patch, triangle, distance};
  }
  return TS_OK;
}

/// Keeps of the patches near a corner [*count] those within the slack, each once, sorted; the
/// nearest first when there are too many for a neighbourhood.
static void sort_near(ts_semi_near_patch *near, size_t *count, double slack_m) {
  size_t within = 0, kept = 0;
  for (size_t i = 0; i < *count; i++)
    if (near[i].distance_m <= slack_m)
      near[within++] = near[i];
  if (within > 1)
    qsort(near, within, sizeof *near, compare_near);
  for (size_t i = 0; i < within; i++)
    if (i == 0 || near[i].patch != near[i - 1].patch)
      near[kept++] = near[i];
  if (kept > TS_LOCAL_FACES_MAX)
    qsort(near, kept, sizeof *near, compare_distances);
  *count = kept;
}

ts_status ts_semi_corner_search_create(ts_semi_corner_search *out, const ts_semi_pair *pair,
                                       int body, const ts_semi_close_pairs *close) {
  *out = (ts_semi_corner_search){.pair = pair,
                                 .own = &pair->side[body],
                                 .other = &pair->side[1 - body],
                                 .reach_m = ts_max(pair->s.gap_m, pair->s.depth_m),
                                 .widest_rad = ts_semi_widest_cone(pair)};
  out->last = ts_semi_scratch(pair->host, out->own->patches->corner_count, sizeof *out->last);
  return out->last ? list_triangles(out, body, close) : TS_E_MEMORY;
}

ts_status ts_semi_find_near(size_t *out_count, double *out_slack_m, ts_semi_corner_search *search,
                            uint32_t corner) {
  double distance_m;
  *out_count = 0;
  if (!search->last[corner] || is_apart(search, corner))
    return TS_OK;
  TS_TRY(measure_near(&distance_m, out_count, search, corner));
  *out_slack_m = ts_semi_slack(search->pair, distance_m);
  if (isinf(distance_m))
    *out_count = 0;
  sort_near(search->near, out_count, *out_slack_m);
  return TS_OK;
}
