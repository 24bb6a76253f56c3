// SPDX-License-Identifier: MIT
#include "cases/truth/touch.h"

#include "base/status.h"
#include "cases/scene/excluded_pairs.h"
#include "geometry/tolerances.h"

/// Largest coordinate that a body has in the world or in its own frame, or more.
static double reach_m(const ts_scene *scene, int32_t body) {
  ts_vec3 at = scene->bodies[body].pose.translation;
  return ts_aabb_largest_coordinate((ts_aabb){at, at}) +
         ts_aabb_largest_coordinate(scene->shapes[scene->bodies[body].shape].bounds_local);
}

double ts_touch_m(const ts_scene *scene, double touch_relative, int32_t body_a, int32_t body_b) {
  const ts_shape *a = &scene->shapes[scene->bodies[body_a].shape];
  const ts_shape *b = &scene->shapes[scene->bodies[body_b].shape];
  return touch_relative * ts_pair_size_m(a, b) +
         TS_MOTION_ROUNDING_RELATIVE * (reach_m(scene, body_a) + reach_m(scene, body_b));
}

ts_status ts_touch_candidates(ts_body_pair **out, size_t *out_count, ts_arena *arena,
                              const ts_scene *scene, double touch_relative) {
  double margin_m = 0;
  for (int32_t i = 0; i < (int32_t)scene->body_count; i++)
    margin_m = ts_max(margin_m, ts_touch_m(scene, touch_relative, i, i));
  return ts_scene_broad_phase(out, out_count, arena, scene, scene->shapes, margin_m);
}
