// SPDX-License-Identifier: MIT
// covers: geometry/cone_distance.c
#include "geometry/cone_distance.h"

#include "base/random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { RAYS_MAX = 12 };

static void random_vectors(double *out, size_t count, int dimension, ts_random *random) {
  for (size_t i = 0; i < count * (size_t)dimension; i++)
    out[i] = ts_random_uniform(random, -1, 1);
}

/// The distance by steps along one ray at a time, slow and sure.
static double slow_distance(const double *rays, int dimension, size_t count, const double *target) {
  double left[TS_CONE_DIMENSION_MAX], factor[RAYS_MAX] = {0}, sum = 0;
  for (int i = 0; i < dimension; i++)
    left[i] = target[i];
  for (int sweep = 0; sweep < 20000; sweep++)
    for (size_t k = 0; k < count; k++) {
      const double *ray = rays + k * (size_t)dimension;
      double along = 0, length2 = 0;
      for (int i = 0; i < dimension; i++) {
        along += ray[i] * left[i];
        length2 += ray[i] * ray[i];
      }
      double by = fmax(along / length2, -factor[k]);
      factor[k] += by;
      for (int i = 0; i < dimension; i++)
        left[i] -= by * ray[i];
    }
  for (int i = 0; i < dimension; i++)
    sum += left[i] * left[i];
  return sqrt(sum);
}

Test(geometry_cone_distance, distances_are_those_of_a_slow_method_in_any_dimension) {
  ts_random random = ts_random_seed(1, 0);
  for (int dimension = 1; dimension <= TS_CONE_DIMENSION_MAX; dimension++)
    for (size_t count = 0; count <= RAYS_MAX; count += 3) {
      double rays[RAYS_MAX * TS_CONE_DIMENSION_MAX], target[TS_CONE_DIMENSION_MAX];
      random_vectors(rays, count, dimension, &random);
      random_vectors(target, 1, dimension, &random);
      double exact = slow_distance(rays, dimension, count, target);
      cr_expect_float_eq(ts_cone_distance(rays, dimension, count, target, 0), exact, 1e-5,
                         "%d dimensions, %zu rays", dimension, count);
      double enough = exact + 0.1,
             stopped = ts_cone_distance(rays, dimension, count, target, enough);
      cr_expect(stopped >= exact - 1e-5 && stopped <= enough, "%d dimensions, %zu rays: %g",
                dimension, count, stopped);
    }
}

Test(geometry_cone_distance, a_sum_of_the_rays_is_in_the_cone_and_its_negative_is_not) {
  ts_random random = ts_random_seed(2, 0);
  double rays[4][7], sum[7] = {0}, negative[7];
  random_vectors(&rays[0][0], 4, 7, &random);
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 7; i++)
      sum[i] += (k + 1) * 0.1 * rays[k][i];
  for (int i = 0; i < 7; i++)
    negative[i] = -sum[i];
  cr_expect_lt(ts_cone_distance(&rays[0][0], 7, 4, sum, 0), 1e-12);
  cr_expect_gt(ts_cone_distance(&rays[0][0], 7, 4, negative, 0), 0.1);
}

// With more rays about, and rays next to it.
Test(geometry_cone_distance, a_ray_is_in_the_cone_and_what_is_next_to_it_is_as_far_off_as_it_is) {
  ts_random random = ts_random_seed(3, 0);
  for (int dimension = 2; dimension <= TS_CONE_DIMENSION_MAX; dimension++)
    for (int repeat = 0; repeat < 50; repeat++) {
      double rays[4 * TS_CONE_DIMENSION_MAX], target[TS_CONE_DIMENSION_MAX];
      random_vectors(rays, 4, dimension, &random);
      for (int k = 0; k < 4; k++) {
        const double *ray = rays + k * dimension;
        memcpy(target, ray, (size_t)dimension * sizeof *target);
        cr_expect_eq(ts_cone_distance(rays, dimension, 4, target, 0), 0);
        // Across it, in the plane of two coordinates.
        double by = 1e-11 / hypot(ray[0], ray[1]);
        target[0] -= by * ray[1];
        target[1] += by * ray[0];
        cr_expect_float_eq(ts_cone_distance(ray, dimension, 1, target, 0), 1e-11, 1e-14);
        for (int i = 0; i < dimension; i++)
          target[i] = 1e3 * ray[i];
        cr_expect_lt(ts_cone_distance(rays, dimension, 4, target, 0), 1e-9);
      }
    }
}
