// SPDX-License-Identifier: MIT
#include "tests/benchmark/bench_tori.h"

#include "base/param.h"
#include "base/status.h"
#include "cases/case.h"
#include "tests/geometry/random_geometry.h"

/// The case, its parameters [count], and the index of `triangles` among them.
typedef struct tori_case {
  const ts_case *c;
  const ts_param *params;
  size_t count;
  int triangles;
} tori_case;

static ts_status find_case(tori_case *out, ts_arena *arena) {
  const char *name = "tori";
  const ts_case *c = ts_case_find(name);
  if (!c)
    return ts_fail(TS_E_UNSUPPORTED, "there is no case %s", name);
  *out = (tori_case){c, ts_case_params(arena, c), ts_case_param_count(c), -1};
  if (!out->params)
    return TS_E_MEMORY;
  out->triangles = ts_param_find(out->params, out->count, "triangles");
  return out->triangles >= 0
             ? TS_OK
             : ts_fail(TS_E_UNSUPPORTED, "the case %s has no parameter triangles", name);
}

ts_status bench_tori_range(ts_param *out, ts_arena *arena) {
  tori_case found;
  TS_TRY(find_case(&found, arena));
  *out = found.params[found.triangles];
  return TS_OK;
}

ts_status bench_tori_build(bench_tori *out, ts_arena *arena, double triangles) {
  tori_case found;
  TS_TRY(find_case(&found, arena));
  double *values = ts_arena_array(arena, found.count, sizeof *values);
  if (!values)
    return TS_E_MEMORY;
  ts_param_defaults(values, found.params, found.count);
  TS_TRY(ts_param_check(&found.params[found.triangles], triangles));
  values[found.triangles] = triangles;
  ts_scene *scene;
  TS_TRY(ts_case_build(&scene, arena, found.c, values));
  if (scene->body_count != 2)
    return ts_fail(TS_E_UNSUPPORTED, "the case %s has %zu bodies, not 2", found.c->name,
                   scene->body_count);
  for (int body = 0; body < 2; body++) {
    out->mesh[body] = scene->shapes[scene->bodies[body].shape].mesh;
    out->pose[body] = scene->bodies[body].pose;
  }
  out->triangles = (double)out->mesh[0]->triangle_count;
  return TS_OK;
}

bench_tori bench_tori_moved(const bench_tori *tori, uint64_t motion_seed) {
  bench_tori moved = *tori;
  ts_random random = ts_random_seed(motion_seed, 0);
  ts_pose motion = random_pose(&random, 5);
  for (int body = 0; body < 2 && motion_seed > 0; body++)
    moved.pose[body] = ts_pose_mul(motion, tori->pose[body]);
  return moved;
}
