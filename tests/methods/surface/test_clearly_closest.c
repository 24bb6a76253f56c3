// SPDX-License-Identifier: MIT
// covers: methods/surface/clearly_closest.c
#include "methods/surface/clearly_closest.h"

#include "base/random.h"
#include "geometry/closest.h"
#include "geometry/vec3.h"

#include <criterion/criterion.h>
#include <stdbool.h>

static ts_vec3 random_point(ts_random *random, double reach) {
  double x = ts_random_uniform(random, -reach, reach);
  double y = ts_random_uniform(random, -reach, reach);
  return (ts_vec3){x, y, ts_random_uniform(random, -reach, reach)};
}

/// How often each answer was given.
typedef struct answers {
  size_t unclear, clearly, clearly_not;
} answers;

static void check(answers *out, ts_clearness said, bool is, uint64_t round) {
  out->unclear += said == TS_UNCLEAR;
  out->clearly += said == TS_CLEARLY;
  out->clearly_not += said == TS_CLEARLY_NOT;
  cr_assert(said == TS_UNCLEAR || (said == TS_CLEARLY) == is, "round %u", (unsigned)round);
}

/// What is said of random triangles, some of them flat, and points, some of them in their planes.
static void ask(answers out[2], uint64_t seed, double flatness) {
  static const uint32_t triangle[1][3] = {{0, 1, 2}};
  ts_random random = ts_random_seed(seed, 0);
  for (uint64_t round = 0; round < 20000; round++) {
    ts_vec3 c[3], p = random_point(&random, 2);
    for (int i = 0; i < 3; i++)
      c[i] = random_point(&random, 1);
    c[2] = ts_vec3_lerp(ts_vec3_lerp(c[0], c[1], ts_random_unit(&random)), c[2], flatness);
    if (round % 4 == 0)
      p = ts_vec3_lerp(c[round / 4 % 3], c[round / 12 % 3], ts_random_uniform(&random, -1, 2));
    const ts_mesh mesh = {
        .vertex_count = 3, .vertices = c, .triangle_count = 1, .triangles = triangle};
    ts_closest_on_triangle r = ts_closest_point_triangle(p, c);
    for (uint32_t h = 0; h < 3; h++) {
      bool is_here = r.corner == (int)h;
      check(&out[0], ts_vertex_clearly_closest(&mesh, h, p), is_here && r.kind == TS_FEATURE_VERTEX,
            round);
      check(&out[1], ts_edge_clearly_closest(&mesh, h, p), is_here && r.kind == TS_FEATURE_EDGE,
            round);
    }
  }
}

Test(methods_clearly_closest, what_is_clear_is_what_the_closest_point_says) {
  answers all[2] = {{0, 0, 0}, {0, 0, 0}};
  ask(all, 1, 1);
  for (int i = 0; i < 2; i++) {
    cr_assert_gt(all[i].clearly, 5000);
    cr_assert_gt(all[i].clearly_not, 5000);
    cr_assert_lt(all[i].unclear, 20000, "%zu of 60000", all[i].unclear);
  }
}

Test(methods_clearly_closest, flat_triangles_are_not_answered_wrongly) {
  answers all[2] = {{0, 0, 0}, {0, 0, 0}};
  for (int power = 1; power <= 17; power += 2)
    ask(all, 2 + (uint64_t)power, pow(10, -power));
  for (int i = 0; i < 2; i++)
    cr_assert_gt(all[i].unclear, 20000);
}
