// SPDX-License-Identifier: MIT
// The surface of a polyhedron consists of open faces, open edges and corners. Where one such part
// of a body meets one of the other, the local surfaces are the same all along, so the demands of
// the place are computed once, at one of its points. Faces on faces come first, then edges, cut
// wherever their neighbourhood changes, then points. A demand that follows from earlier ones at the
// same place is left out.
#include "base/array.h"
#include "base/status.h"
#include "cases/truth/derived_search.h"
#include "geometry/polygon.h"
#include "geometry/tolerances.h"

#include <stdlib.h>

// ---- faces on faces ---------------------------------------------------------------------------

/// The overlap of a part of each body.
typedef struct piece {
  ts_derived_part part; ///< .patch of a
  /// With all corners that are more than rounding: a corner beside a cut hardly protrudes, and is
  /// one when the pieces are joined.
  ts_derived_part to_join;
  uint32_t patch_b;
  size_t order;
} piece;

typedef struct pieces {
  ts_derived_search *s;
  size_t count, capacity;
  piece *of;
} pieces;

static bool oppose(const ts_derived_search *s, ts_vec3 a, ts_vec3 b) {
  return ts_vec3_norm(ts_vec3_add(a, b)) <= s->pair->angles_rad[1];
}

static ts_status add_piece(pieces *all, ts_derived_part part, ts_derived_part to_join,
                           uint32_t patch_b) {
  TS_TRY(TS_ARENA_GROW(all->of, all->capacity, all->count, 1, all->s->pair->arena));
  all->of[all->count] = (piece){part, to_join, patch_b, all->count};
  all->count++;
  return TS_OK;
}

/// The overlap of two parts, without corners that protrude by no more than `corner_m`; no corners
/// when there is none. The smaller patch is cut by the larger one, so that its own corners come
/// through untouched.
static ts_status overlap(ts_derived_part *out, ts_derived_pair *pair, const ts_derived_part *a,
                         const ts_derived_part *b, double corner_m) {
  ts_vec3 normal = ts_derived_normal(&pair->side[0], a->patch);
  ts_vec3 *turned = ts_arena_array(pair->arena, b->count, sizeof *turned);
  ts_vec3 *corners = ts_arena_array(pair->arena, a->count + b->count, sizeof *corners);
  if (!turned || !corners)
    return TS_E_MEMORY;
  for (size_t i = 0; i < b->count; i++)
    turned[i] = b->corners[b->count - 1 - i];
  double area_a = pair->side[0].patches->patches[a->patch].area_m2;
  double area_b = pair->side[1].patches->patches[b->patch].area_m2;
  size_t count =
      area_a < area_b
          ? ts_polygon_clip(corners, a->corners, a->count, turned, b->count, normal, corner_m)
          : ts_polygon_clip(corners, turned, b->count, a->corners, a->count, normal, corner_m);
  *out = (ts_derived_part){a->patch, count < 3 ? 0 : count, corners};
  return TS_OK;
}

static ts_status meet_parts(void *context, uint32_t index_a, uint32_t index_b) {
  pieces *all = context;
  ts_derived_pair *pair = all->s->pair;
  const ts_derived_part *a = &pair->side[0].parts[index_a], *b = &pair->side[1].parts[index_b];
  ts_vec3 normal = ts_derived_normal(&pair->side[0], a->patch);
  ts_vec3 normal_b = ts_derived_normal(&pair->side[1], b->patch);
  if (!oppose(all->s, normal, normal_b)) // which spares the clipping
    return TS_OK;
  ts_derived_part part, to_join;
  TS_TRY(overlap(&part, pair, a, b, pair->touch_m));
  if (part.count == 0)
    return TS_OK;
  TS_TRY(overlap(&to_join, pair, a, b, TS_OUTLINE_CORNER * pair->touch_m));
  for (size_t i = 0; i < to_join.count; i++)
    if (!(ts_derived_height(a, normal, to_join.corners[i]) <= 2 * pair->touch_m &&
          ts_derived_height(b, normal_b, to_join.corners[i]) <= 2 * pair->touch_m))
      return TS_OK;
  return add_piece(all, part, to_join, b->patch);
}

static int compare_pieces(const void *left, const void *right) {
  const piece *l = left, *r = right;
  if (l->part.patch != r->part.patch)
    return l->part.patch < r->part.patch ? -1 : 1;
  if (l->patch_b != r->patch_b)
    return l->patch_b < r->patch_b ? -1 : 1;
  return (l->order > r->order) - (l->order < r->order);
}

/// The normal of a pair of patches: that of the larger one.
static ts_vec3 common_normal(const ts_derived_pair *pair, uint32_t patch_a, uint32_t patch_b) {
  bool is_of_a = pair->side[0].patches->patches[patch_a].area_m2 >=
                 pair->side[1].patches->patches[patch_b].area_m2;
  return is_of_a ? ts_derived_normal(&pair->side[0], patch_a)
                 : ts_vec3_neg(ts_derived_normal(&pair->side[1], patch_b));
}

/// The demands of one pair of patches, whose pieces [count] are joined.
static ts_status add_polygons(ts_derived_search *s, const piece *of, size_t count) {
  ts_arena *arena = s->pair->arena;
  ts_derived_part *parts = ts_arena_array(arena, count, sizeof *parts);
  ts_vec3 *normal = ts_arena_alloc(arena, sizeof *normal);
  if (!parts || !normal)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    parts[i] = count == 1 ? of[i].part : of[i].to_join;
  *normal = common_normal(s->pair, of[0].part.patch, of[0].patch_b);
  TS_TRY(ts_derived_join(parts, &count, arena, *normal, s->pair->touch_m));
  for (size_t i = 0; i < count; i++)
    TS_TRY(ts_derived_add_demand(s, parts[i].corners, parts[i].count,
                                 (ts_term){.count = 1, .normals = normal}));
  return TS_OK;
}

static ts_status find_polygons(ts_derived_search *s) {
  pieces all = {.s = s};
  const ts_derived_pair *pair = s->pair;
  TS_TRY(ts_bvh_tandem(pair->side[0].part_boxes, pair->side[1].part_boxes, ts_pose_identity(),
                       pair->touch_m, meet_parts, &all));
  if (all.count > 1)
    qsort(all.of, all.count, sizeof *all.of, compare_pieces);
  for (size_t first = 0, end; first < all.count; first = end) {
    for (end = first + 1; end < all.count && all.of[end].part.patch == all.of[first].part.patch &&
                          all.of[end].patch_b == all.of[first].patch_b;)
      end++;
    TS_TRY(add_polygons(s, &all.of[first], end - first));
  }
  return TS_OK;
}

// ---- points -----------------------------------------------------------------------------------

typedef struct corner_work {
  ts_derived_search *s;
  int side;
} corner_work;

static ts_status meet_corner_part(void *context, uint32_t near_corner, uint32_t part_index) {
  corner_work *w = context;
  const ts_derived_pair *pair = w->s->pair;
  const ts_derived_side *side = &pair->side[w->side], *other = &pair->side[1 - w->side];
  const ts_derived_part *part = &other->parts[part_index];
  ts_vec3 point = side->vertices[side->corners[near_corner]];
  ts_vec3 normal = ts_derived_normal(other, part->patch);
  if (ts_convex_distance(point, part->corners, part->count, normal) <= pair->touch_m)
    return ts_derived_note_point(w->s, point);
  return TS_OK;
}

static ts_status meet_b_corner_part(void *context, uint32_t part, uint32_t corner) {
  return meet_corner_part(context, corner, part);
}

static ts_status collect_corners(corner_work *w) {
  const ts_derived_side *a = &w->s->pair->side[0], *b = &w->s->pair->side[1];
  bool is_a = w->side == 0;
  return ts_bvh_tandem(is_a ? a->corner_boxes : a->part_boxes,
                       is_a ? b->part_boxes : b->corner_boxes, ts_pose_identity(),
                       w->s->pair->touch_m, is_a ? meet_corner_part : meet_b_corner_part, w);
}

/// A point that was noted more than once demands nothing new the second time.
static ts_status find_points(ts_derived_search *s) {
  for (size_t i = 0; i < s->point_count && !s->out->overlap; i++) {
    ts_derived_terms terms = {0};
    TS_TRY(ts_derived_list_terms(&terms, s, s->points[i]));
    for (size_t k = 0; k < terms.count; k++)
      TS_TRY(ts_derived_add_demand(s, &s->points[i], 1, terms.terms[k]));
  }
  return TS_OK;
}

ts_status ts_derived_find(ts_derived_places *out, ts_derived_pair *pair) {
  *out = (ts_derived_places){0};
  ts_derived_search s = {.pair = pair, .out = out};
  TS_TRY(find_polygons(&s));
  for (int side = 0; side < 2; side++)
    TS_TRY(ts_derived_find_segments(&s, side));
  for (int side = 0; side < 2; side++) {
    corner_work work = {.s = &s, .side = side};
    TS_TRY(collect_corners(&work));
  }
  return find_points(&s);
}

// ---- features ---------------------------------------------------------------------------------

static bool holds_place(const ts_vec3 *feature, size_t count, ts_vec3 normal,
                        const ts_derived_demand *place, double touch_m) {
  for (size_t i = 0; i < place->vertex_count; i++)
    if (!(ts_convex_distance(place->vertices[i], feature, count, normal) <= touch_m))
      return false;
  return true;
}

ts_status ts_derived_feature(const ts_vec3 **out, size_t *out_count, ts_derived_pair *pair,
                             int side_index, const ts_derived_demand *place) {
  const ts_derived_side *side = &pair->side[side_index];
  const ts_vec3 none = {0, 0, 0};
  double touch_m = 3 * pair->touch_m;
  for (size_t i = 0; place->vertex_count == 1 && i < side->corner_count; i++) {
    *out = &side->vertices[side->corners[i]];
    *out_count = 1;
    if (holds_place(*out, *out_count, none, place, touch_m))
      return TS_OK;
  }
  ts_vec3 *ends = ts_arena_array(pair->arena, 2, sizeof *ends);
  if (!ends)
    return TS_E_MEMORY;
  for (size_t i = 0; place->vertex_count <= 2 && i < side->edge_count; i++) {
    ts_derived_ends(ends, side, side->edges[i]);
    *out = ends;
    *out_count = 2;
    if (holds_place(*out, *out_count, none, place, touch_m))
      return TS_OK;
  }
  for (size_t i = 0; i < side->part_count; i++) {
    *out = side->parts[i].corners;
    *out_count = side->parts[i].count;
    ts_vec3 normal = ts_derived_normal(side, side->parts[i].patch);
    if (holds_place(*out, *out_count, normal, place, touch_m))
      return TS_OK;
  }
  *out = place->vertices;
  *out_count = place->vertex_count;
  return TS_OK;
}
