// SPDX-License-Identifier: MIT
// covers: methods/edge_pair.c
#include "geometry/tolerances.h"
#include "methods/edge_pair.h"

#include <criterion/criterion.h>

/// Edges of length 2 along x, and at `angle_rad` to it in the plane z = `height_m`, that cross in
/// their middles at (0.3, 0, .) and (0.3, 0, height).
static void crossing(ts_vec3 a[2], ts_vec3 b[2], double angle_rad, double height_m) {
  a[0] = ts_vec3_make(-0.7, 0, 0), a[1] = ts_vec3_make(1.3, 0, 0);
  ts_vec3 half = {cos(angle_rad), sin(angle_rad), 0}, middle = {0.3, 0, height_m};
  b[0] = ts_vec3_sub(middle, half), b[1] = ts_vec3_add(middle, half);
}

Test(methods_edge_pair, square_edges_are_closest_where_they_cross) {
  ts_vec3 a[2], b[2];
  crossing(a, b, 1.5707963267948966, 0.5);
  ts_edge_pair pair;
  cr_assert(ts_edge_pair_cross(&pair, a, b));
  cr_assert_leq(ts_vec3_distance(pair.on_a, ts_vec3_make(0.3, 0, 0)), 1e-15);
  cr_assert_leq(ts_vec3_distance(pair.on_b, ts_vec3_make(0.3, 0, 0.5)), 1e-15);
  cr_assert_leq(ts_vec3_distance(pair.axis, ts_vec3_make(0, 0, 1)), 1e-15);
  cr_assert_float_eq(pair.inside_a_m, 1, 1e-15);
  cr_assert_float_eq(pair.inside_b_m, 1, 1e-15);
}

Test(methods_edge_pair, points_stay_exact_when_edges_are_nearly_parallel) {
  ts_vec3 a[2], b[2];
  static const double angles[] = {1e-2, 1e-4, 1e-6, 2e-7};
  for (size_t i = 0; i < 4; i++) {
    crossing(a, b, angles[i], 0.5);
    ts_edge_pair pair;
    cr_assert(ts_edge_pair_cross(&pair, a, b), "angle %g", angles[i]);
    double error = 4e-16 / angles[i];
    cr_expect_leq(fabs(pair.on_a.x - 0.3), error, "angle %g: %g", angles[i], pair.on_a.x - 0.3);
    cr_expect_leq(fabs(pair.on_b.x - 0.3), error, "angle %g: %g", angles[i], pair.on_b.x - 0.3);
  }
}

Test(methods_edge_pair, parallel_edges_have_no_cross) {
  ts_vec3 a[2], b[2];
  ts_edge_pair pair;
  crossing(a, b, 0, 0.5);
  cr_assert_not(ts_edge_pair_cross(&pair, a, b));
  crossing(a, b, 1e-8, 0.5);
  cr_assert_not(ts_edge_pair_cross(&pair, a, b));
  crossing(a, b, 3.141592653589793, 0.5);
  cr_assert_not(ts_edge_pair_cross(&pair, a, b));
}

Test(methods_edge_pair, parallel_is_decided_by_the_angle_and_not_by_the_lengths) {
  static const double scales[] = {1e-3, 1, 1e3};
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 3; j++) {
      ts_vec3 a[2], b[2];
      ts_edge_pair pair;
      crossing(a, b, 2 * TS_PARALLEL_SINE, 0);
      for (int k = 0; k < 2; k++)
        a[k] = ts_vec3_scale(a[k], scales[i]), b[k] = ts_vec3_scale(b[k], scales[j]);
      cr_expect(ts_edge_pair_cross(&pair, a, b), "lengths %g %g", scales[i], scales[j]);
      crossing(a, b, 0.5 * TS_PARALLEL_SINE, 0);
      for (int k = 0; k < 2; k++)
        a[k] = ts_vec3_scale(a[k], scales[i]), b[k] = ts_vec3_scale(b[k], scales[j]);
      cr_expect_not(ts_edge_pair_cross(&pair, a, b), "lengths %g %g", scales[i], scales[j]);
    }
}

Test(methods_edge_pair, an_edge_without_length_has_no_cross) {
  ts_vec3 a[2] = {{0, 0, 0}, {1, 0, 0}}, b[2] = {{0, 1, 0}, {0, 1, 0}};
  ts_edge_pair pair;
  cr_assert_not(ts_edge_pair_cross(&pair, a, b));
  cr_assert_not(ts_edge_pair_cross(&pair, b, a));
}

Test(methods_edge_pair, points_beyond_an_end_are_negative_inside) {
  ts_vec3 a[2] = {{0, 0, 0}, {1, 0, 0}}, b[2] = {{1.25, -3, 1}, {1.25, -1, 1}};
  ts_edge_pair pair;
  cr_assert(ts_edge_pair_cross(&pair, a, b));
  cr_assert_float_eq(pair.inside_a_m, -0.25, 1e-15);
  cr_assert_float_eq(pair.inside_b_m, -1, 1e-15);
}
