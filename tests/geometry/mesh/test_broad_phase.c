// SPDX-License-Identifier: MIT
// covers: geometry/mesh/body.c geometry/mesh/broad_phase.c
#include "base/random.h"
#include "geometry/mesh/broad_phase.h"
#include "tests/geometry/mesh/solids.h"

#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_broad_phase, .init = setup, .fini = teardown);

static ts_shape box_shape(double width, double depth, double height) {
  solid s = solid_box(width, depth, height, 0);
  ts_mesh *mesh = solid_mesh(arena, &s);
  return (ts_shape){.name = "box", .mesh = mesh, .bounds_local = ts_mesh_bounds(mesh)};
}

static ts_body body_at(double x, double y, double z) {
  return (ts_body){.name = "body", .pose = {ts_quat_identity(), {x, y, z}}};
}

static size_t pairs_of(ts_body_pair **out, const ts_shape *shapes, const ts_body *bodies,
                       size_t count, double margin_m) {
  size_t pair_count = 0;
  cr_assert_eq(ts_broad_phase(out, &pair_count, arena, shapes, bodies, count, margin_m), TS_OK,
               "%s", ts_status_detail());
  return pair_count;
}

Test(geometry_broad_phase, no_body_and_one_body_make_no_pair) {
  ts_shape shape = box_shape(1, 1, 1);
  ts_body body = body_at(0, 0, 0);
  ts_body_pair *pairs = NULL;
  cr_assert_eq(pairs_of(&pairs, &shape, NULL, 0, 1), 0);
  cr_assert_eq(pairs_of(&pairs, &shape, &body, 1, 1), 0);
  cr_assert_not_null(pairs);
}

Test(geometry_broad_phase, pairs_are_those_of_the_boxes_and_come_sorted) {
  ts_random random = ts_random_seed(1, 0);
  const ts_shape shapes[2] = {box_shape(1, 0.5, 0.25), box_shape(0.2, 0.2, 3)};
  enum { n = 300 };
  ts_body bodies[n];
  for (int i = 0; i < n; i++) {
    double x = ts_random_uniform(&random, 0, 6), y = ts_random_uniform(&random, 0, 6);
    bodies[i] = body_at(x, y, ts_random_uniform(&random, 0, 6));
    double u = ts_random_unit(&random), v = ts_random_unit(&random);
    bodies[i].pose.rotation = ts_quat_uniform(u, v, ts_random_unit(&random));
    bodies[i].shape = i % 2;
    bodies[i].is_fixed = i % 3 == 0;
  }
  const double margins[3] = {0, 0.1, 10};
  for (int m = 0; m < 3; m++) {
    ts_body_pair *pairs;
    size_t count = pairs_of(&pairs, shapes, bodies, n, margins[m]), k = 0;
    for (int32_t i = 0; i < n; i++)
      for (int32_t j = i + 1; j < n; j++) {
        ts_aabb a = ts_body_bounds(&shapes[i % 2], bodies[i].pose);
        ts_aabb b = ts_body_bounds(&shapes[j % 2], bodies[j].pose);
        if (!ts_aabb_overlap(ts_aabb_inflate(a, margins[m]), b) ||
            (bodies[i].is_fixed && bodies[j].is_fixed))
          continue;
        cr_assert_lt(k, count, "pair %d %d is missing", i, j);
        cr_assert(pairs[k].body_a == i && pairs[k].body_b == j, "pair %zu is %d %d, not %d %d", k,
                  pairs[k].body_a, pairs[k].body_b, i, j);
        k++;
      }
    cr_assert_eq(k, count);
  }
}

Test(geometry_broad_phase, touching_bodies_pair_far_from_the_origin) {
  // Stacked boxes of a height that is not a binary fraction, so that tops and bottoms are rounded.
  ts_shape shape = box_shape(0.1, 0.1, 0.3);
  ts_random random = ts_random_seed(2, 0);
  for (int round = 0; round < 100; round++) {
    double far = 1e4 * ts_random_unit(&random);
    ts_body bodies[3] = {body_at(far, far, far), body_at(far, far, far + 0.3),
                         body_at(far + 0.1, far, far)};
    ts_body_pair *pairs;
    cr_assert_eq(pairs_of(&pairs, &shape, bodies, 3, 0), 3);
  }
  ts_body apart[2] = {body_at(1e4, 0, 0), body_at(1e4 + 0.1 + 1e-6, 0, 0)};
  ts_body_pair *pairs;
  cr_assert_eq(pairs_of(&pairs, &shape, apart, 2, 0), 0);
  cr_assert_eq(pairs_of(&pairs, &shape, apart, 2, 1.1e-6), 1);
}

Test(geometry_broad_phase, fixed_bodies_do_not_pair_with_each_other) {
  ts_shape shape = box_shape(1, 1, 1);
  ts_body bodies[3] = {body_at(0, 0, 0), body_at(0, 0, 0), body_at(0, 0, 0)};
  bodies[0].is_fixed = bodies[2].is_fixed = 1;
  ts_body_pair *pairs;
  cr_assert_eq(pairs_of(&pairs, &shape, bodies, 3, 0), 2);
  cr_assert(pairs[0].body_a == 0 && pairs[0].body_b == 1);
  cr_assert(pairs[1].body_a == 1 && pairs[1].body_b == 2);
}

Test(geometry_broad_phase, a_body_without_a_finite_pose_is_named) {
  ts_shape shape = box_shape(1, 1, 1);
  ts_body bodies[3] = {body_at(0, 0, 0), body_at(0, 0, 0), body_at(0, 0, 0)};
  const double wrong[2] = {NAN, INFINITY};
  for (int k = 0; k < 2; k++) {
    bodies[1].pose.translation.y = wrong[k];
    bodies[1].name = "stone";
    ts_body_pair *pairs;
    size_t count, used = ts_arena_used(arena);
    cr_assert_eq(ts_broad_phase(&pairs, &count, arena, &shape, bodies, 3, 0), TS_E_INPUT);
    cr_assert(strstr(ts_status_detail(), "body 1 (stone)"), "%s", ts_status_detail());
    cr_assert_eq(ts_arena_used(arena), used);
  }
}

Test(geometry_broad_phase, a_wall_of_many_bricks_has_six_neighbours_a_brick) {
  // Odd layers shifted by half a brick: two beside, two above, two below.
  enum { layers = 100, bricks = 100 };
  ts_shape shape = box_shape(0.625, 0.5, 0.4);
  ts_body *bodies = ts_arena_array(arena, layers * bricks, sizeof *bodies);
  for (int i = 0; i < layers; i++)
    for (int k = 0; k < bricks; k++)
      bodies[i * bricks + k] = body_at(0.625 * k + (i % 2) * 0.3125, 0, 0.4 * (i + 0.5));
  ts_body_pair *pairs;
  size_t beside = layers * (bricks - 1), above = (layers - 1) * (2 * bricks - 1);
  cr_assert_eq(pairs_of(&pairs, &shape, bodies, layers * bricks, 1e-9), beside + above);
}
