// SPDX-License-Identifier: MIT
#include "cases/truth/new_touches.h"

#include "base/status.h"
#include "cases/scene/excluded_pairs.h"
#include "geometry/mesh/surfaces_near.h"

#include <stdlib.h>

struct ts_new_touches {
  ts_surface *surfaces; ///< [shape_count]
  size_t near_count;
  ts_body_pair *near; ///< [near_count] as built, sorted
};

static int compare_pairs(const void *left, const void *right) {
  const ts_body_pair *l = left, *r = right;
  if (l->body_a != r->body_a)
    return l->body_a < r->body_a ? -1 : 1;
  return (l->body_b > r->body_b) - (l->body_b < r->body_b);
}

static bool was_near(const ts_new_touches *t, ts_body_pair pair) {
  return t->near_count > 0 &&
         bsearch(&pair, t->near, t->near_count, sizeof pair, compare_pairs) != NULL;
}

/// The pairs that are near at the poses of a scene, without those that `known` has; NULL: all.
static ts_status find_near(ts_body_pair **out, size_t *out_count, ts_arena *arena,
                           const ts_scene *scene, const ts_surface *surfaces,
                           const ts_new_touches *known) {
  ts_body_pair *pairs;
  size_t count, found = 0;
  TS_TRY(ts_scene_broad_phase(&pairs, &count, arena, scene, scene->shapes, 0));
  for (size_t i = 0; i < count; i++) {
    if (known && was_near(known, pairs[i]))
      continue;
    const ts_body *a = &scene->bodies[pairs[i].body_a], *b = &scene->bodies[pairs[i].body_b];
    double size_m = ts_pair_size_m(&scene->shapes[a->shape], &scene->shapes[b->shape]);
    bool is_near;
    TS_TRY(ts_surfaces_are_near(&is_near, surfaces[a->shape], surfaces[b->shape],
                                ts_pose_relative(a->pose, b->pose),
                                scene->touch_relative * size_m));
    if (is_near)
      pairs[found++] = pairs[i];
  }
  *out = pairs;
  *out_count = found;
  return TS_OK;
}

ts_status ts_new_touches_create(ts_new_touches **out, ts_arena *arena, const ts_scene *built) {
  ts_new_touches *t = ts_arena_alloc(arena, sizeof *t);
  ts_surface *surfaces = ts_arena_array(arena, built->shape_count, sizeof *surfaces);
  if (!t || !surfaces)
    return TS_E_MEMORY;
  for (size_t i = 0; i < built->shape_count; i++) {
    ts_bvh *bvh;
    TS_TRY(ts_bvh_create_for_mesh(&bvh, arena, built->shapes[i].mesh));
    surfaces[i] = (ts_surface){built->shapes[i].mesh, bvh};
  }
  t->surfaces = surfaces;
  *out = t;
  return find_near(&t->near, &t->near_count, arena, built, surfaces, NULL);
}

ts_status ts_new_touches_find(ts_body_pair **out, size_t *out_count, const ts_scene *scene,
                              const ts_new_touches *touches) {
  return find_near(out, out_count, scene->arena, scene, touches->surfaces, touches);
}
