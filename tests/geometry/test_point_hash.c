// SPDX-License-Identifier: MIT
// covers: geometry/point_hash.c
#include "geometry/point_hash.h"

#include "base/random.h"
#include "geometry/vec3.h"

#include <criterion/criterion.h>

enum { POINTS = 400 };

typedef struct query {
  const ts_vec3 *points;
  ts_vec3 at;
  double near_m;
  size_t found, asked;
} query;

/// Counts; never says so, so that it is asked about all.
static bool count_near(const void *context, size_t index) {
  query *q = *(query *const *)context;
  q->asked++;
  q->found += ts_vec3_distance(q->points[index], q->at) <= q->near_m;
  return false;
}

static bool is_seven(const void *context, size_t index) {
  (void)context;
  return index == 7;
}

Test(geometry_point_hash, every_near_point_is_found_around_the_origin_and_far_from_it) {
  static const double origins_m[] = {0, -3, 1e4, 1e9};
  ts_arena *arena;
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  ts_random random = ts_random_seed(1, 0);
  for (int o = 0; o < 4; o++) {
    ts_vec3 points[POINTS];
    ts_point_hash hash;
    double near_m = 0.05;
    cr_assert_eq(ts_point_hash_create(&hash, POINTS, near_m, ts_array_from_arena, arena), TS_OK);
    for (size_t i = 0; i < POINTS; i++) {
      points[i] =
          (ts_vec3){origins_m[o] + ts_random_uniform(&random, -0.3, 0.3),
                    ts_random_uniform(&random, -0.3, 0.3), ts_random_uniform(&random, -0.3, 0.3)};
      ts_point_hash_add(&hash, points[i], i);
    }
    size_t asked = 0;
    for (size_t i = 0; i < POINTS; i++) {
      query q = {points, points[i], near_m, 0, 0}, *context = &q;
      cr_expect(!ts_point_hash_any(&hash, points[i], count_near, &context));
      size_t near = 0;
      for (size_t k = 0; k < POINTS; k++)
        near += ts_vec3_distance(points[k], points[i]) <= near_m;
      cr_expect_geq(q.found, near, "origin %g", origins_m[o]);
      asked += q.asked;
    }
    cr_expect_lt(asked, POINTS * POINTS / 2, "most points are far and not asked about: %zu", asked);
    cr_expect(ts_point_hash_any(&hash, points[7], is_seven, NULL));
  }
  ts_arena_destroy(arena);
}
