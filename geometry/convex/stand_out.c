// SPDX-License-Identifier: MIT
#include "geometry/convex/stand_out.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/mesh/bvh.h"
#include "geometry/tet.h"
#include "geometry/tolerances.h"

#include <math.h>
#include <stdbool.h>

/// A part of a hull's face, no point of which is farther than `most_m` from the solid.
typedef struct node {
  ts_vec3 corners[3];
  double most_m;
} node;

typedef struct search {
  const ts_mesh *solid;
  ts_bvh *triangles, *tets;
  ts_vec3 point;
  double distance_m; ///< from `point` to the nearest triangle visited
  uint32_t nearest;
  bool is_inside; ///< of a tet visited
  double found_m; ///< largest distance so far
  double least_m;
  ts_arena *arena;
  size_t count, capacity;
  node *waiting; ///< [count] a heap: none has more than the one at half its place
} search;

static double distance_from(const search *s, uint32_t triangle, ts_vec3 point) {
  const uint32_t *t = s->solid->triangles[triangle];
  const ts_vec3 corners[3] = {s->solid->vertices[t[0]], s->solid->vertices[t[1]],
                              s->solid->vertices[t[2]]};
  return ts_closest_point_triangle(point, corners).distance_m;
}

static ts_status visit_triangle(void *context, uint32_t item, uint32_t unused) {
  (void)unused;
  search *s = context;
  double distance_m = distance_from(s, item, s->point);
  if (distance_m < s->distance_m) {
    s->distance_m = distance_m;
    s->nearest = item;
  }
  return TS_OK;
}

static ts_status visit_tet(void *context, uint32_t item, uint32_t unused) {
  (void)unused;
  search *s = context;
  const uint32_t *t = s->solid->tets[item];
  bool is_inside = true;
  for (int k = 0; k < 4; k++) {
    ts_vec3 corners[4];
    for (int i = 0; i < 4; i++)
      corners[i] = i == k ? s->point : s->solid->vertices[t[i]];
    is_inside = is_inside && ts_tet_volume(corners) >= 0;
  }
  s->is_inside = s->is_inside || is_inside;
  return TS_OK;
}

static ts_status build_boxes(search *s) {
  const ts_mesh *mesh = s->solid;
  TS_TRY(ts_bvh_create_for_mesh(&s->triangles, s->arena, mesh));
  ts_aabb *boxes = ts_arena_array(s->arena, mesh->tet_count, sizeof *boxes);
  if (!boxes)
    return TS_E_MEMORY;
  for (size_t i = 0; i < mesh->tet_count; i++) {
    boxes[i] = ts_aabb_empty();
    for (int k = 0; k < 4; k++)
      boxes[i] = ts_aabb_add(boxes[i], mesh->vertices[mesh->tets[i][k]]);
  }
  return ts_bvh_create(&s->tets, s->arena, boxes, mesh->tet_count);
}

/// Distance up to which the search need not go on.
static double enough(const search *s) {
  return fmax(1.1 * s->found_m, s->least_m);
}

static ts_status wait_for(search *s, const node *n) {
  if (n->most_m <= enough(s))
    return TS_OK;
  TS_TRY(TS_ARENA_GROW(s->waiting, s->capacity, s->count, 1, s->arena));
  size_t at = s->count++;
  for (; at > 0 && s->waiting[(at - 1) / 2].most_m < n->most_m; at = (at - 1) / 2)
    s->waiting[at] = s->waiting[(at - 1) / 2];
  s->waiting[at] = *n;
  return TS_OK;
}

static node take_first(search *s) {
  node first = s->waiting[0], last = s->waiting[--s->count];
  size_t at = 0;
  for (size_t below = 1; below < s->count; below = 2 * at + 1) {
    if (below + 1 < s->count && s->waiting[below + 1].most_m > s->waiting[below].most_m)
      below++;
    if (s->waiting[below].most_m <= last.most_m)
      break;
    s->waiting[at] = s->waiting[below];
    at = below;
  }
  s->waiting[at] = last;
  return first;
}

/// Halves a node at its longest edge.
static ts_status halve(search *s, const node *n) {
  int longest = 0;
  double length2[3];
  for (int k = 0; k < 3; k++) {
    length2[k] = ts_vec3_norm2(ts_vec3_sub(n->corners[(k + 1) % 3], n->corners[k]));
    longest = length2[k] > length2[longest] ? k : longest;
  }
  ts_vec3 middle = ts_vec3_mid(n->corners[longest], n->corners[(longest + 1) % 3]);
  for (int i = 0; i < 2; i++) {
    node half = *n;
    half.corners[(longest + i) % 3] = middle;
    TS_TRY(wait_for(s, &half));
  }
  return TS_OK;
}

/// The distance of the point from the surface, where that is no more than `within_m`; else
/// HUGE_VAL.
static ts_status find_distance(search *s, double within_m) {
  s->distance_m = HUGE_VAL;
  TS_TRY(ts_bvh_near(s->triangles, s->point, within_m, visit_triangle, s));
  s->distance_m = s->distance_m <= within_m ? s->distance_m : HUGE_VAL;
  return TS_OK;
}

static ts_status look_at(search *s, node *n) {
  s->point =
      ts_vec3_scale(ts_vec3_add(ts_vec3_add(n->corners[0], n->corners[1]), n->corners[2]), 1.0 / 3);
  double radius_m = 0, most_m = 0;
  for (int k = 0; k < 3; k++)
    radius_m = fmax(radius_m, ts_vec3_distance(s->point, n->corners[k]));
  TS_TRY(find_distance(s, radius_m));
  if (s->distance_m + radius_m <= enough(s))
    return TS_OK; // whichever side the point is on
  s->is_inside = false;
  TS_TRY(ts_bvh_near(s->tets, s->point, 0, visit_tet, s));
  if (s->is_inside && s->distance_m == HUGE_VAL)
    return TS_OK; // all of the node is
  for (double reach_m = 2 * radius_m; s->distance_m == HUGE_VAL; reach_m *= 2)
    TS_TRY(find_distance(s, reach_m));
  double out_m = s->is_inside ? -s->distance_m : s->distance_m;
  s->found_m = fmax(s->found_m, out_m);
  // The distance from what is convex, as one triangle, is the largest at a corner.
  for (int k = 0; k < 3; k++)
    most_m = fmax(most_m, distance_from(s, s->nearest, n->corners[k]));
  n->most_m = fmin(n->most_m, fmin(most_m, out_m + radius_m));
  return halve(s, n);
}

static ts_status add_hull(search *s, const ts_hull *hull) {
  for (size_t f = 0; f < hull->triangle_count; f++) {
    node face = {.most_m = s->least_m}; // the corners are in the solid
    for (int k = 0; k < 3; k++)
      face.corners[k] = hull->vertices[hull->triangles[f][k]];
    for (int k = 0; k < 3; k++)
      face.most_m = fmax(face.most_m,
                         s->least_m + ts_vec3_distance(face.corners[k], face.corners[(k + 1) % 3]));
    TS_TRY(wait_for(s, &face));
  }
  return TS_OK;
}

static ts_status find(double *out_m, search *s, const ts_hull *hulls, size_t count) {
  TS_TRY(build_boxes(s));
  for (size_t i = 0; i < count; i++)
    TS_TRY(add_hull(s, &hulls[i]));
  size_t steps = 0;
  while (s->count > 0 && s->waiting[0].most_m > enough(s) && steps++ < TS_STAND_OUT_STEPS) {
    node first = take_first(s);
    TS_TRY(look_at(s, &first));
  }
  *out_m = s->count > 0 ? fmax(enough(s), s->waiting[0].most_m) : enough(s);
  return TS_OK;
}

ts_status ts_stand_out(double *out_m, ts_arena *arena, const ts_mesh *solid, const ts_hull *hulls,
                       size_t count, double least_m) {
  ts_arena_mark mark = ts_arena_get_mark(arena);
  search s = {.solid = solid, .arena = arena, .least_m = least_m};
  ts_status status = find(out_m, &s, hulls, count);
  ts_arena_rewind(arena, mark);
  return status;
}
