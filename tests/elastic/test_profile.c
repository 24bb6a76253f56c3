// SPDX-License-Identifier: MIT
// covers: elastic/profile.c
#include "elastic/profile.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>

/// The basis functions of the spline by Cox and de Boor's recursion: what the profile is made of
/// without its Bezier points.
static double basis(int i, int degree, double t) {
  static const double knots[10] = {0, 0, 0, 0, 1.0 / 3, 2.0 / 3, 1, 1, 1, 1};
  if (degree == 0)
    return t >= knots[i] && t < knots[i + 1];
  double left = knots[i + degree] - knots[i], right = knots[i + degree + 1] - knots[i + 1];
  return (left > 0 ? (t - knots[i]) / left * basis(i, degree - 1, t) : 0) +
         (right > 0 ? (knots[i + degree + 1] - t) / right * basis(i + 1, degree - 1, t) : 0);
}

static double spline(const double points[6], double t) {
  double sum = 0;
  for (int i = 0; i < 6; i++)
    sum += points[i] * basis(i, 3, t);
  return sum;
}

static double height(double u, double depth, double slope, double bulge) {
  ts_profile_height at = ts_profile_at(u, depth, slope);
  return at.base_m + bulge * at.share;
}

Test(profile, is_the_clamped_spline_of_its_six_points) {
  const double depth = 0.3, slope = 0.7;
  double theta = atan2(slope, 2 * depth);
  const double across[6] = {0, 0.2 * cos(theta), 0.4, 0.6, 0.8, 1};
  const double base[6] = {-depth, depth * (0.4 * sin(theta) - 1)}, share[6] = {0, 0, 1};
  for (int i = 1; i < 200; i++) {
    double t = i / 200.0;
    ts_profile_height at = ts_profile_at(spline(across, t), depth, slope);
    cr_assert_float_eq(at.base_m, spline(base, t), 1e-14, "t %g", t);
    cr_assert_float_eq(at.share, spline(share, t), 1e-14, "t %g", t);
  }
}

Test(profile, starts_at_the_depth_with_the_slope_and_ends_level_at_0) {
  const double depths[] = {1e-3, 0.3, 1e3}, slopes[] = {-2, 0, 0.5, 40};
  for (int d = 0; d < 3; d++)
    for (int s = 0; s < 4; s++) {
      double depth = depths[d], slope = slopes[s] * depth, step = 1e-7;
      cr_assert_eq(height(0, depth, slope, depth), -depth);
      double rise = (height(step, depth, slope, depth) + depth) / step;
      cr_assert_float_eq(rise / depth, slope / depth, 1e-3 * (1 + fabs(slopes[s])),
                         "depth %g slope %g", depth, slope);
      cr_assert_eq(height(1, depth, slope, depth), 0);
      double before = height(1 - 1e-3, depth, slope, depth);
      cr_assert(fabs(before) < 1e-6 * depth, "%g", before);
    }
}

Test(profile, is_continuous_over_its_spans_and_up_to_its_ends) {
  const double depth = 0.2, slopes[] = {-1, 0, 3, 1e6};
  for (int s = 0; s < 4; s++) {
    double last = -depth;
    for (int i = 1; i <= 4000; i++) {
      double now = height(i / 4000.0, depth, slopes[s], 0.1);
      // A profile that starts straight up is steepest there: it goes with the cube root of u.
      cr_assert_lt(fabs(now - last), s == 3 && i < 40 ? 0.05 : 0.005, "u %g slope %g", i / 4000.0,
                   slopes[s]);
      last = now;
    }
  }
}

Test(profile, no_depth_leaves_the_bulge_alone) {
  const double slopes[] = {0, 0.4, -0.4};
  for (int s = 0; s < 3; s++)
    for (int i = 0; i <= 50; i++)
      cr_assert_eq(ts_profile_at(i / 50.0, 0, slopes[s]).base_m, 0);
}

Test(profile, the_bulge_has_one_hill_and_no_say_at_the_ends) {
  bool is_falling = false;
  double last = 0;
  for (int i = 0; i <= 1000; i++) {
    double share = ts_profile_at(i / 1000.0, 0.1, 0.2).share;
    cr_assert(share >= 0 && share <= 0.6);
    if (is_falling)
      cr_assert_leq(share, last);
    is_falling |= share < last;
    last = share;
  }
  cr_assert(is_falling);
  cr_assert_eq(last, 0);
}

Test(profile, what_is_outside_of_0_to_1_is_as_at_the_ends) {
  cr_assert_eq(height(-0.5, 0.1, 1, 1), -0.1);
  cr_assert_eq(height(2, 0.1, 1, 1), 0);
  cr_assert_eq(height(INFINITY, 0.1, 1, 1), 0);
}
