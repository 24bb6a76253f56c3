// SPDX-License-Identifier: MIT
#include "harness/narrow_phase/candidates.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/geometry_kind.h"
#include "base/status.h"
#include "cases/scene/excluded_pairs.h"
#include "geometry/tolerances.h"

/// Largest distance between the boxes of two candidate bodies [m].
static double reach_of(const ts_scene *scene, const ts_envelope *envelope) {
  double extent_m = 0;
  for (size_t i = 0; i < scene->shape_count; i++)
    extent_m = fmax(extent_m, ts_aabb_extent(scene->shapes[i].bounds_local));
  return envelope->reach_m + scene->touch_relative * extent_m;
}

static size_t part_count(const ts_parts *parts, const ts_body *body) {
  return parts->first[body->shape + 1] - parts->first[body->shape];
}

/// World-space boxes of the parts of a body.
static void bound_parts(ts_aabb *out, const ts_parts *parts, const ts_body *body) {
  const ts_part *part = &parts->items[parts->first[body->shape]];
  for (size_t i = 0; i < part_count(parts, body); i++)
    out[i] = ts_body_bounds(&(ts_shape){.mesh = part[i].outer}, body->pose);
}

static bool are_near(ts_aabb a, ts_aabb b, double reach_m) {
  double largest = fmax(ts_aabb_largest_coordinate(a), ts_aabb_largest_coordinate(b));
  return ts_aabb_overlap(ts_aabb_inflate(a, reach_m + TS_BOX_ROUNDING * largest), b);
}

/// Pairs of parts under construction.
typedef struct pair_list {
  ts_arena *arena;
  ts_part_pair *items;
  size_t count, capacity;
} pair_list;

static ts_status push(pair_list *list, ts_part_pair pair) {
  TS_TRY(TS_ARENA_GROW(list->items, list->capacity, list->count, 1, list->arena));
  list->items[list->count++] = pair;
  return TS_OK;
}

/// Adds the pairs of parts of two bodies that are within reach.
static ts_status push_parts(pair_list *list, const ts_parts *parts, const ts_body *a,
                            const ts_body *b, double reach_m) {
  size_t count_a = part_count(parts, a), count_b = part_count(parts, b);
  size_t first_a = parts->first[a->shape], first_b = parts->first[b->shape];
  if (count_a == 1 && count_b == 1) // the bodies themselves, which the broad phase has already
                                    // tested
    return push(list, (ts_part_pair){.part_a = first_a, .part_b = first_b});
  ts_aabb *boxes_a = ts_arena_array(list->arena, count_a, sizeof *boxes_a);
  ts_aabb *boxes_b = ts_arena_array(list->arena, count_b, sizeof *boxes_b);
  if (!boxes_a || !boxes_b)
    return TS_E_MEMORY;
  bound_parts(boxes_a, parts, a);
  bound_parts(boxes_b, parts, b);
  for (size_t i = 0; i < count_a; i++)
    for (size_t k = 0; k < count_b; k++)
      if (are_near(boxes_a[i], boxes_b[k], reach_m))
        TS_TRY(push(list, (ts_part_pair){.part_a = first_a + i, .part_b = first_b + k}));
  return TS_OK;
}

/// Ground stays where it is: what it shares with other ground is no contact.
static bool are_ground(const ts_scene *scene, const ts_body *a, const ts_body *b) {
  return ts_geometry_is_ground(scene->shapes[a->shape].geometry.kind) &&
         ts_geometry_is_ground(scene->shapes[b->shape].geometry.kind);
}

/// Finds candidate bodies and pairs of parts; pairing_ns is the time of this call.
static ts_status find(ts_candidates *out, ts_arena *arena, const ts_scene *scene,
                      const ts_parts *parts, double reach_m, bool is_turned) {
  ts_body_pair *found;
  size_t found_count;
  TS_TRY(ts_scene_broad_phase(&found, &found_count, arena, scene, parts->shapes, reach_m));
  out->items = ts_arena_array(arena, found_count, sizeof *out->items);
  pair_list list = {.arena = arena};
  if (!out->items)
    return TS_E_MEMORY;
  for (size_t i = 0; i < found_count; i++) {
    const ts_body *a = &scene->bodies[found[i].body_a], *b = &scene->bodies[found[i].body_b];
    if (are_ground(scene, a, b))
      continue;
    size_t first = list.count;
    TS_TRY(push_parts(&list, parts, is_turned ? b : a, is_turned ? a : b, reach_m));
    out->items[out->count++] =
        (ts_candidate){.body_a = found[i].body_a,
                       .body_b = found[i].body_b,
                       .is_turned = is_turned,
                       .size_m = ts_pair_size_m(&scene->shapes[a->shape], &scene->shapes[b->shape]),
                       .first = first,
                       .count = list.count - first};
  }
  out->part_pairs = list.items;
  out->pair_count = list.count;
  return TS_OK;
}

static ts_pair make_pair(const ts_candidate *candidate, const ts_part_pair *parts_of_pair,
                         const ts_scene *scene, const ts_parts *parts,
                         const ts_envelope *envelope) {
  int32_t first = candidate->is_turned ? candidate->body_b : candidate->body_a;
  int32_t second = candidate->is_turned ? candidate->body_a : candidate->body_b;
  const ts_body *a = &scene->bodies[first], *b = &scene->bodies[second];
  return (ts_pair){.struct_size = sizeof(ts_pair),
                   .body_a = first,
                   .body_b = second,
                   .mesh_a = parts->items[parts_of_pair->part_a].mesh,
                   .mesh_b = parts->items[parts_of_pair->part_b].mesh,
                   .pose_a = a->pose,
                   .pose_b = b->pose,
                   .twist_a = a->twist,
                   .twist_b = b->twist,
                   .envelope = *envelope,
                   .size_m = candidate->size_m,
                   .is_fixed_a = a->is_fixed,
                   .is_fixed_b = b->is_fixed};
}

ts_status ts_candidates_find(ts_candidates *out, ts_arena *arena, const ts_scene *scene,
                             ts_parts *parts, const ts_method *method,
                             const ts_envelope *envelope) {
  bool is_turned = scene->later_body_first && (method->needs & TS_NEEDS_TETS);
  *out = (ts_candidates){.count = 0};
  int64_t start = ts_clock_ns();
  TS_TRY(find(out, arena, scene, parts, reach_of(scene, envelope), is_turned));
  out->pairing_ns = ts_clock_ns() - start;
  out->pairs = ts_arena_array(arena, out->pair_count, sizeof *out->pairs);
  if (!out->pairs)
    return TS_E_MEMORY;
  for (size_t i = 0; i < out->count; i++) {
    const ts_candidate *candidate = &out->items[i];
    for (size_t p = candidate->first; p < candidate->first + candidate->count; p++) {
      const ts_part_pair *pair = &out->part_pairs[p];
      out->pairs[p] = make_pair(candidate, pair, scene, parts, envelope);
      parts->items[pair->part_a].is_used = parts->items[pair->part_b].is_used = true;
    }
  }
  return TS_OK;
}
