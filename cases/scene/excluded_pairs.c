// SPDX-License-Identifier: MIT
#include "cases/scene/excluded_pairs.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static int compare_pairs(const void *left, const void *right) {
  const ts_body_pair *l = left, *r = right;
  if (l->body_a != r->body_a)
    return l->body_a < r->body_a ? -1 : 1;
  return (l->body_b > r->body_b) - (l->body_b < r->body_b);
}

static ts_body_pair ordered(int32_t a, int32_t b) {
  return a < b ? (ts_body_pair){a, b} : (ts_body_pair){b, a};
}

ts_status ts_scene_exclude(ts_scene *scene, const ts_body_pair *pairs, size_t count) {
  size_t before = scene->excluded_count, all_count = before + count, kept = 0;
  ts_body_pair *all = ts_arena_array(scene->arena, all_count, sizeof *all);
  if (!all)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    ts_body_pair pair = ordered(pairs[i].body_a, pairs[i].body_b);
    if (pair.body_a < 0 || pair.body_a == pair.body_b || (size_t)pair.body_b >= scene->body_count)
      return ts_fail(TS_E_INPUT, "the bodies %d and %d cannot be excluded: give two of the %zu",
                     pair.body_a, pair.body_b, scene->body_count);
    all[before + i] = pair;
  }
  if (before > 0)
    memcpy(all, scene->excluded, before * sizeof *all);
  if (all_count > 0)
    qsort(all, all_count, sizeof *all, compare_pairs);
  for (size_t i = 0; i < all_count; i++)
    if (i == 0 || compare_pairs(&all[i], &all[i - 1]) != 0)
      all[kept++] = all[i];
  scene->excluded = all;
  scene->excluded_count = kept;
  return TS_OK;
}

bool ts_scene_excludes(const ts_scene *scene, int32_t body_a, int32_t body_b) {
  ts_body_pair pair = ordered(body_a, body_b);
  return scene->excluded_count > 0 &&
         bsearch(&pair, scene->excluded, scene->excluded_count, sizeof pair, compare_pairs) != NULL;
}

ts_status ts_scene_broad_phase(ts_body_pair **out, size_t *out_count, ts_arena *arena,
                               const ts_scene *scene, const ts_shape *shapes, double margin_m) {
  ts_body_pair *pairs;
  size_t count, kept = 0;
  TS_TRY(ts_broad_phase(&pairs, &count, arena, shapes, scene->bodies, scene->body_count, margin_m));
  for (size_t i = 0; i < count; i++)
    if (!ts_scene_excludes(scene, pairs[i].body_a, pairs[i].body_b))
      pairs[kept++] = pairs[i];
  *out = pairs;
  *out_count = kept;
  return TS_OK;
}
