// SPDX-License-Identifier: MIT
// covers: geometry/cone.c
#include "base/random.h"
#include "geometry/cone.h"
#include "geometry/vec3.h"

#include <criterion/criterion.h>
#include <math.h>

static const ts_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};

static ts_vec3 unit(double a, double b, double c) {
  return ts_vec3_unit((ts_vec3){a, b, c});
}

static void expect_direction(ts_vec3 is, ts_vec3 expected) {
  cr_expect_float_eq(ts_vec3_distance(is, expected), 0, 1e-12, "(%g, %g, %g)", is.x, is.y, is.z);
}

Test(cone, without_rays_there_is_no_direction) {
  cr_assert_eq(ts_cone_closest(x, NULL, 0).count, 0);
}

Test(cone, one_ray_is_the_answer_to_all) {
  ts_cone_direction c = ts_cone_closest(y, &x, 1);
  cr_assert_eq(c.count, 1);
  expect_direction(c.direction, x);
  cr_assert_float_eq(c.angle_rad, acos(0), 1e-15);
  cr_assert_eq(c.weights[0], 1);
  cr_assert_float_eq(ts_cone_closest(ts_vec3_scale(x, -1), &x, 1).angle_rad, acos(-1), 1e-15);
}

Test(cone, between_two_rays_is_their_arc) {
  const ts_vec3 rays[] = {x, y};
  ts_cone_direction c = ts_cone_closest(unit(1, 2, 0), rays, 2);
  cr_assert_eq(c.count, 2);
  cr_assert_float_eq(c.angle_rad, 0, 1e-15);
  expect_direction(c.direction, unit(1, 2, 0));
  expect_direction(ts_vec3_add_scaled(ts_vec3_scale(rays[c.rays[0]], c.weights[0]), c.weights[1],
                                      rays[c.rays[1]]),
                   c.direction);
  expect_direction(ts_cone_closest(unit(1, 2, 5), rays, 2).direction, unit(1, 2, 0));
  expect_direction(ts_cone_closest(unit(2, -1, 0), rays, 2).direction, x);
}

Test(cone, inside_three_rays_is_the_direction_itself) {
  const ts_vec3 rays[] = {x, y, z};
  ts_cone_direction c = ts_cone_closest(unit(1, 2, 3), rays, 3);
  cr_assert_eq(c.count, 3);
  expect_direction(c.direction, unit(1, 2, 3));
  expect_direction(ts_cone_closest(unit(1, 2, -3), rays, 3).direction, unit(1, 2, 0));
  expect_direction(ts_cone_closest(unit(-1, -2, 3), rays, 3).direction, z);
}

Test(cone, a_ray_that_the_others_span_and_a_double_one_change_nothing) {
  const ts_vec3 rays[] = {x, y, unit(1, 1, 0), x};
  ts_cone_direction c = ts_cone_closest(unit(3, 1, 4), rays, 4);
  expect_direction(c.direction, unit(3, 1, 0));
  cr_assert_eq(ts_cone_closest(x, rays, 4).count, 1, "a ray rather than a sum");
  cr_assert_eq(ts_cone_closest(x, rays, 4).rays[0], 0);
}

Test(cone, opposite_rays_span_nothing_between_them) {
  const ts_vec3 rays[] = {x, {-1, 0, 0}};
  ts_cone_direction c = ts_cone_closest(unit(1, 5, 0), rays, 2);
  cr_assert_eq(c.count, 1);
  expect_direction(c.direction, x);
}

/// The sides of a plate, and of a bar of three sides, in single precision.
Test(cone, rays_that_are_opposite_but_for_noise_span_nothing_across) {
  const ts_vec3 plate[] = {x, unit(-1, 3e-7, 0)};
  expect_direction(ts_cone_closest(unit(1, 5, 0), plate, 2).direction, x);
  const ts_vec3 bar[] = {x, unit(-1, 1.8, 1e-7), unit(-1, -1.7, 1e-7)};
  ts_cone_direction c = ts_cone_closest(unit(1, 1, 5), bar, 3);
  cr_expect_eq(c.count, 2);
  cr_expect_float_eq(c.direction.z, 0, 1e-6);
  const ts_vec3 blade[] = {x, unit(-1, 1e-3, 0)};
  expect_direction(ts_cone_closest(unit(1, 5, 0), blade, 2).direction, unit(1, 5, 0));
}

Test(cone, nearly_parallel_rays_are_told_apart_from_what_is_beside_them) {
  const ts_vec3 rays[] = {x, unit(1, 1e-5, 0)};
  ts_cone_direction c = ts_cone_closest(unit(1, 0.5e-5, 0), rays, 2);
  cr_assert_lt(c.angle_rad, 1e-9);
  c = ts_cone_closest(unit(1, 1, 0), rays, 2);
  expect_direction(c.direction, rays[1]);
}

static ts_vec3 near(ts_random *random, ts_vec3 axis, double width) {
  ts_vec3 away = {0, 0, 0};
  away.x = ts_random_uniform(random, -width, width);
  away.y = ts_random_uniform(random, -width, width);
  away.z = ts_random_uniform(random, -width, width);
  return ts_vec3_unit(ts_vec3_add(axis, away));
}

Test(cone, a_round_cone_holds_what_it_is_around_and_what_it_is_widened_by) {
  ts_random random = ts_random_seed(5, 1);
  for (int round = 0; round < 1000; round++) {
    ts_vec3 own[4], other[4];
    for (int i = 0; i < 4; i++) {
      own[i] = near(&random, x, 0.3);
      other[i] = near(&random, unit(1, 1, 0), 0.3);
    }
    ts_round_cone cone = ts_round_cone_around(own, 4), more = ts_round_cone_around(other, 4);
    cr_assert(cone.is_narrow && more.is_narrow);
    ts_round_cone_widen(&cone, &more);
    for (int i = 0; i < 4 && cone.is_narrow; i++) {
      cr_expect_geq(ts_vec3_dot(cone.axis, own[i]), cone.cosine - 1e-12);
      cr_expect_geq(ts_vec3_dot(cone.axis, other[i]), cone.cosine - 1e-12);
    }
  }
}

Test(cone, a_round_cone_of_all_directions_is_not_narrow) {
  const ts_vec3 opposite[] = {x, ts_vec3_neg(x)}, across[] = {y, z};
  cr_expect_not(ts_round_cone_around(opposite, 2).is_narrow);
  ts_round_cone cone = ts_round_cone_around(&x, 1), back = ts_round_cone_around(&opposite[1], 1);
  ts_round_cone_widen(&cone, &back);
  cr_expect_not(cone.is_narrow);
  back = ts_round_cone_around(across, 2);
  cr_expect_not(ts_round_cones_are_apart(&cone, &back, 1, 0));
}

Test(cone, round_cones_are_apart_by_more_than_the_angle) {
  const double angle_rad = 0.1;
  for (int i = 0; i < 100; i++) {
    double turn_rad = 0.02 * i;
    // Each reaches 0.2 from its axis.
    const ts_vec3 own[] = {unit(cos(0.2), sin(0.2), 0), unit(cos(0.2), -sin(0.2), 0)};
    const ts_vec3 other[] = {unit(cos(turn_rad + 0.2), sin(turn_rad + 0.2), 0),
                             unit(cos(turn_rad - 0.2), sin(turn_rad - 0.2), 0)};
    ts_round_cone a = ts_round_cone_around(own, 2), b = ts_round_cone_around(other, 2);
    if (fabs(turn_rad - 0.5) > 1e-9)
      cr_expect_eq(ts_round_cones_are_apart(&a, &b, cos(angle_rad), sin(angle_rad)), turn_rad > 0.5,
                   "%g", turn_rad);
  }
}
