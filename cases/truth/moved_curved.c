// SPDX-License-Identifier: MIT
#include "cases/truth/moved_curved.h"

#include "base/array.h"
#include "base/status.h"
#include "cases/truth/touch.h"

/// What was found of the curved pairs.
typedef struct curved_list {
  size_t count, capacity;
  ts_region *regions;
  size_t unknown_count, unknown_capacity;
  ts_unknown_pair *unknown;
} curved_list;

static ts_status derive(curved_list *out, const ts_scene *scene, ts_curved_shapes *shapes,
                        ts_body_pair pair) {
  ts_arena *arena = scene->arena;
  ts_curved_truth found;
  double touch_m = ts_touch_m(scene, scene->touch_relative, pair.body_a, pair.body_b);
  ts_status status = ts_curved_truth_find(&found, arena, shapes, scene, pair, touch_m, true);
  if (status == TS_SKIPPED || status == TS_E_UNSUPPORTED) {
    const char *reason = ts_arena_string(arena, ts_status_detail());
    TS_TRY(TS_ARENA_GROW(out->unknown, out->unknown_capacity, out->unknown_count, 1, arena));
    out->unknown[out->unknown_count++] = (ts_unknown_pair){pair.body_a, pair.body_b, reason};
    return reason ? TS_OK : TS_E_MEMORY;
  }
  TS_TRY(status);
  TS_TRY(TS_ARENA_GROW(out->regions, out->capacity, out->count, found.count, arena));
  for (size_t i = 0; i < found.count; i++)
    out->regions[out->count++] = found.regions[i];
  return TS_OK;
}

static bool is_told(const ts_unknown_pair *told, size_t count, ts_body_pair pair) {
  for (size_t i = 0; i < count; i++)
    if (told[i].body_a == pair.body_a && told[i].body_b == pair.body_b)
      return true;
  return false;
}

static bool is_before(const ts_region *a, const ts_region *b) {
  return a->body_a < b->body_a || (a->body_a == b->body_a && a->body_b < b->body_b);
}

/// No pair has regions in both lists.
static ts_status merge(ts_moved_regions *regions, const curved_list *curved, ts_arena *arena) {
  size_t i = 0, k = 0, total = regions->count + curved->count;
  ts_region *all = ts_arena_array(arena, total, sizeof *all);
  if (!all)
    return TS_E_MEMORY;
  while (i + k < total) {
    bool is_other = k == curved->count ||
                    (i < regions->count && is_before(&regions->regions[i], &curved->regions[k]));
    all[i + k] = is_other ? regions->regions[i] : curved->regions[k];
    i += is_other;
    k += !is_other;
  }
  regions->regions = all;
  regions->count = total;
  size_t before = regions->unknown_count, unknown_count = before + curved->unknown_count;
  ts_unknown_pair *unknown = ts_arena_array(arena, unknown_count, sizeof *unknown);
  if (!unknown)
    return TS_E_MEMORY;
  for (size_t u = 0; u < unknown_count; u++)
    unknown[u] = u < before ? regions->unknown[u] : curved->unknown[u - before];
  regions->unknown = unknown;
  regions->unknown_count = unknown_count;
  return TS_OK;
}

ts_status ts_moved_curved_add(ts_moved_regions *regions, const ts_scene *scene,
                              ts_curved_shapes *shapes, const ts_unknown_pair *told, size_t count) {
  curved_list curved = {0};
  ts_body_pair *pairs;
  size_t pair_count;
  TS_TRY(ts_touch_candidates(&pairs, &pair_count, scene->arena, scene, scene->touch_relative));
  for (size_t i = 0; i < pair_count; i++)
    if (ts_curved_pair(scene, pairs[i]) && !is_told(told, count, pairs[i]))
      TS_TRY(derive(&curved, scene, shapes, pairs[i]));
  return merge(regions, &curved, scene->arena);
}
