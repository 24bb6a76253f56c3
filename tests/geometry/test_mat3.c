// SPDX-License-Identifier: MIT
// covers: geometry/mat3.c
#include "base/random.h"
#include "geometry/mat3.h"
#include "geometry/pose.h"

#include <criterion/criterion.h>
#include <float.h>

static ts_mat3 random_rotation(ts_random *random) {
  double u[3];
  for (int i = 0; i < 3; i++)
    u[i] = ts_random_unit(random);
  ts_quat q = ts_quat_uniform(u[0], u[1], u[2]);
  return ts_mat3_columns(ts_quat_rotate(q, (ts_vec3){1, 0, 0}),
                         ts_quat_rotate(q, (ts_vec3){0, 1, 0}),
                         ts_quat_rotate(q, (ts_vec3){0, 0, 1}));
}

static ts_mat3 diagonal(double x, double y, double z) {
  return (ts_mat3){{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

static double difference(ts_mat3 a, ts_mat3 b) {
  double worst = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      worst = fmax(worst, fabs(a.m[i][k] - b.m[i][k]));
  return worst;
}

static double trace_of_product(ts_mat3 r, ts_mat3 a) {
  double sum = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      sum += r.m[i][k] * a.m[i][k];
  return sum;
}

static void expect_rotation(ts_mat3 r) {
  double off = difference(ts_mat3_mul_transposed(r, r), ts_mat3_identity());
  cr_expect_leq(off, 4e-15, "off orthogonal by %g", off);
  cr_expect_leq(fabs(ts_mat3_determinant(r) - 1), 1e-14);
}

Test(geometry_mat3, the_determinant_is_the_volume_of_the_columns) {
  cr_expect_eq(ts_mat3_determinant(diagonal(2, 3, -5)), -30);
  ts_vec3 a = {1, 2, 3}, b = {-4, 0.5, 7}, c = {2, 2, -1};
  double volume = ts_vec3_dot(a, ts_vec3_cross(b, c));
  cr_expect_leq(fabs(ts_mat3_determinant(ts_mat3_columns(a, b, c)) - volume), 1e-13);
  cr_expect_leq(fabs(ts_mat3_determinant(ts_mat3_rows(a, b, c)) - volume), 1e-13);
}

Test(geometry_mat3, a_rotation_is_its_own) {
  ts_random random = ts_random_seed(1, 0);
  for (int i = 0; i < 1000; i++) {
    ts_mat3 r = random_rotation(&random), found = ts_mat3_rotation(r);
    cr_expect_leq(difference(found, r), 2e-15);
    expect_rotation(found);
  }
}

/// Stretches along any axes, of any condition.
Test(geometry_mat3, a_stretch_before_a_rotation_does_not_change_it) {
  ts_random random = ts_random_seed(2, 0);
  for (int i = 0; i < 1000; i++) {
    ts_mat3 r = random_rotation(&random), axes = random_rotation(&random);
    double size = pow(10, ts_random_uniform(&random, -150, 150));
    double thin = pow(10, ts_random_uniform(&random, -6, 0));
    ts_mat3 stretch =
        ts_mat3_mul(axes, diagonal(size, size * ts_random_uniform(&random, 0.1, 3), size * thin));
    stretch = ts_mat3_mul_transposed(stretch, axes);
    ts_mat3 found = ts_mat3_rotation(ts_mat3_mul(r, stretch));
    cr_expect_leq(difference(found, r), 1e-13, "size %g, thin %g: off by %g", size, thin,
                  difference(found, r));
    expect_rotation(found);
  }
}

/// No other rotation has a larger trace of R^T A, and none near it the same.
static void expect_largest_trace(ts_mat3 a, ts_random *random) {
  ts_mat3 found = ts_mat3_rotation(a);
  expect_rotation(found);
  double trace = trace_of_product(found, a);
  for (int i = 0; i < 50; i++)
    cr_expect_leq(trace_of_product(random_rotation(random), a), trace + 1e-13);
  for (int i = 0; i < 6; i++) {
    ts_vec3 axis = {i / 2 == 0, i / 2 == 1, i / 2 == 2};
    ts_quat q = ts_quat_from_axis_angle(axis, i % 2 ? 1e-3 : -1e-3);
    ts_mat3 turn = ts_mat3_columns(ts_quat_rotate(q, (ts_vec3){1, 0, 0}),
                                   ts_quat_rotate(q, (ts_vec3){0, 1, 0}),
                                   ts_quat_rotate(q, (ts_vec3){0, 0, 1}));
    cr_expect_leq(trace_of_product(ts_mat3_mul(turn, found), a), trace + 1e-13);
  }
}

Test(geometry_mat3, the_rotation_is_the_nearest_also_of_inverted_matrices) {
  ts_random random = ts_random_seed(3, 0);
  for (int i = 0; i < 200; i++) {
    ts_mat3 a;
    for (int k = 0; k < 9; k++)
      a.m[k / 3][k % 3] = ts_random_uniform(&random, -1, 1);
    expect_largest_trace(a, &random);
  }
  // The smallest of the stretches is flipped, wherever it is.
  cr_expect_eq(difference(ts_mat3_rotation(diagonal(3, 2, -1)), ts_mat3_identity()), 0);
  cr_expect_eq(difference(ts_mat3_rotation(diagonal(-1, 3, 2)), ts_mat3_identity()), 0);
  cr_expect_eq(difference(ts_mat3_rotation(diagonal(1, -3, 2)), diagonal(-1, -1, 1)), 0);
}

Test(geometry_mat3, matrices_of_lower_rank_have_a_rotation) {
  ts_random random = ts_random_seed(4, 0);
  for (int i = 0; i < 100; i++) {
    ts_mat3 u = random_rotation(&random), v = random_rotation(&random);
    for (int rank = 0; rank < 3; rank++) {
      ts_mat3 stretch = diagonal(rank > 0 ? 2 : 0, rank > 1 ? 1 : 0, 0);
      expect_largest_trace(ts_mat3_mul_transposed(ts_mat3_mul(u, stretch), v), &random);
    }
    expect_largest_trace(ts_mat3_mul_transposed(ts_mat3_mul(u, diagonal(1, 1, -1)), v), &random);
    expect_largest_trace(ts_mat3_mul_transposed(ts_mat3_mul(u, diagonal(1, 1e-200, 0)), v),
                         &random);
  }
  cr_expect_eq(difference(ts_mat3_rotation(diagonal(0, 0, 0)), ts_mat3_identity()), 0);
  cr_expect_eq(difference(ts_mat3_rotation(diagonal(1, 0, 0)), ts_mat3_identity()), 0);
  cr_expect_eq(difference(ts_mat3_rotation(diagonal(1, 1e-200, 1e-250)), ts_mat3_identity()), 0);
  expect_rotation(ts_mat3_rotation(diagonal(0, -1, 0)));
}

Test(geometry_mat3, numbers_at_the_ends_of_double_precision_do_not_matter) {
  ts_mat3 a = {{{1, 2, 0}, {-1, 0.5, 0.25}, {0.125, 0, 2}}}, r = ts_mat3_rotation(a);
  cr_expect_eq(difference(ts_mat3_rotation(ts_mat3_scale(a, 0x1p1000)), r), 0);
  cr_expect_eq(difference(ts_mat3_rotation(ts_mat3_scale(a, 0x1p-1000)), r), 0);
  expect_rotation(ts_mat3_rotation(ts_mat3_scale(a, DBL_TRUE_MIN)));
  a.m[1][2] = NAN;
  cr_expect_eq(difference(ts_mat3_rotation(a), ts_mat3_identity()), 0);
  a.m[1][2] = INFINITY;
  cr_expect_eq(difference(ts_mat3_rotation(a), ts_mat3_identity()), 0);
}

Test(geometry_mat3, the_norm_is_the_largest_stretch) {
  ts_random random = ts_random_seed(5, 0);
  for (int i = 0; i < 200; i++) {
    ts_mat3 u = random_rotation(&random), v = random_rotation(&random);
    double size = pow(10, ts_random_uniform(&random, -150, 150));
    double second = i % 2 ? 1 : ts_random_uniform(&random, 0, 1); // also twice the largest
    ts_mat3 a = ts_mat3_mul_transposed(ts_mat3_mul(u, diagonal(second * size, 0, -size)), v);
    cr_expect_float_eq(ts_mat3_norm(a) / size, 1, 1e-14);
  }
  cr_expect_eq(ts_mat3_norm(diagonal(0, 0, 0)), 0);
  cr_expect_eq(ts_mat3_norm(diagonal(1, -7, 2)), 7);
  cr_expect(isnan(ts_mat3_norm(diagonal(1, NAN, 2))));
  cr_expect(isnan(ts_mat3_norm(diagonal(INFINITY, 1, 2))));
}
