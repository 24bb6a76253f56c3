// SPDX-License-Identifier: MIT
#include "geometry/mesh/broad_phase.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/mesh/bvh.h"
#include "geometry/tolerances.h"

#include <stdlib.h>
#include <string.h>

typedef struct pair_list {
  const ts_body *bodies;
  ts_body_pair *pairs; ///< malloc'ed
  size_t count, capacity;
} pair_list;

static ts_status push_pair(void *context, uint32_t item_a, uint32_t item_b) {
  pair_list *list = context;
  if (list->bodies[item_a].is_fixed && list->bodies[item_b].is_fixed)
    return TS_OK;
  TS_TRY(TS_HEAP_GROW(list->pairs, list->capacity, list->count, 1));
  list->pairs[list->count++] = (ts_body_pair){(int32_t)item_a, (int32_t)item_b};
  return TS_OK;
}

static int compare_pairs(const void *left, const void *right) {
  const ts_body_pair *a = left, *b = right;
  int by_a = (a->body_a > b->body_a) - (a->body_a < b->body_a);
  return by_a ? by_a : (a->body_b > b->body_b) - (a->body_b < b->body_b);
}

/// World boxes of all bodies; `out_largest` gets the largest coordinate in them.
static ts_status bound_bodies(ts_aabb *boxes, double *out_largest, const ts_shape *shapes,
                              const ts_body *bodies, size_t count) {
  double largest = 0;
  for (size_t i = 0; i < count; i++) {
    ts_aabb box = ts_body_bounds(&shapes[bodies[i].shape], bodies[i].pose);
    if (!ts_vec3_is_finite(box.low) || !ts_vec3_is_finite(box.high))
      return ts_fail(
          TS_E_INPUT,
          "body %zu (%s) has a non-finite pose: it is at (%g, %g, %g); give finite numbers", i,
          bodies[i].name ? bodies[i].name : "without a name", bodies[i].pose.translation.x,
          bodies[i].pose.translation.y, bodies[i].pose.translation.z);
    ts_vec3 far = ts_vec3_max(ts_vec3_neg(box.low), box.high);
    largest = fmax(largest, fmax(far.x, fmax(far.y, far.z)));
    boxes[i] = box;
  }
  *out_largest = largest;
  return TS_OK;
}

/// Fills `list` with the pairs, in no order; leaves nothing in the arena that matters.
static ts_status find_pairs(pair_list *list, ts_arena *arena, const ts_shape *shapes,
                            const ts_body *bodies, size_t count, double margin_m) {
  ts_aabb *boxes = ts_arena_array(arena, count, sizeof *boxes);
  if (!boxes)
    return TS_E_MEMORY;
  double largest = 0;
  ts_bvh *bvh = NULL;
  TS_TRY(bound_bodies(boxes, &largest, shapes, bodies, count));
  TS_TRY(ts_bvh_create(&bvh, arena, boxes, count));
  return ts_bvh_self(bvh, margin_m + TS_BOX_ROUNDING * largest, push_pair, list);
}

ts_status ts_broad_phase(ts_body_pair **out, size_t *out_count, ts_arena *arena,
                         const ts_shape *shapes, const ts_body *bodies, size_t body_count,
                         double margin_m) {
  pair_list list = {.bodies = bodies};
  ts_arena_mark mark = ts_arena_get_mark(arena);
  ts_status status = find_pairs(&list, arena, shapes, bodies, body_count, margin_m);
  ts_arena_rewind(arena, mark);
  if (status != TS_OK)
    goto done;
  ts_body_pair *pairs = ts_arena_array(arena, list.count, sizeof *pairs);
  if (!pairs) {
    status = TS_E_MEMORY;
    goto done;
  }
  if (list.count) {
    memcpy(pairs, list.pairs, list.count * sizeof *pairs);
    qsort(pairs, list.count, sizeof *pairs, compare_pairs);
  }
  *out = pairs;
  *out_count = list.count;
done:
  free(list.pairs);
  return status;
}
