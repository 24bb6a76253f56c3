// SPDX-License-Identifier: MIT
#include "elastic/profile.h"

#include <math.h>

enum { CONTROL_POINTS = 6, SPANS = 3 };

/// The Bezier points of one span of the spline with control points p.
static void find_bezier(double out[4], const double p[CONTROL_POINTS], int span) {
  double second_start = (2 * p[2] + p[3]) / 3, second_end = (p[2] + 2 * p[3]) / 3;
  double first_end = 0.5 * (p[1] + p[2]), third_start = 0.5 * (p[3] + p[4]);
  // Knots are uniform: a joint is midway between its neighbours.
  double joints[SPANS + 1] = {p[0], 0.5 * (first_end + second_start),
                              0.5 * (second_end + third_start), p[5]};
  double inner[SPANS][2] = {{p[1], first_end}, {second_start, second_end}, {third_start, p[4]}};
  out[0] = joints[span];
  out[1] = inner[span][0];
  out[2] = inner[span][1];
  out[3] = joints[span + 1];
}

static double evaluate(const double b[4], double s) {
  double r = 1 - s;
  return r * r * r * b[0] + 3 * r * r * s * b[1] + 3 * r * s * s * b[2] + s * s * s * b[3];
}

static double derivative(const double b[4], double s) {
  double r = 1 - s;
  return 3 * (r * r * (b[1] - b[0]) + 2 * r * s * (b[2] - b[1]) + s * s * (b[3] - b[2]));
}

/// s from 0 to 1 at which a Bezier curve, which rises, is `value`. Newton's method, with a
/// bisection after each step: at the start of a steep profile the curve is flat, where Newton's
/// alone creeps.
static double find_place(const double b[4], double value) {
  double low = 0, high = 1, s = 0.5;
  for (int step = 0; step < 120; step++) {
    double above = evaluate(b, s) - value;
    if (above == 0)
      break;
    *(above < 0 ? &low : &high) = s;
    double next = s - above / derivative(b, s);
    if (step % 2 == 1 || !(next > low && next < high))
      next = 0.5 * (low + high);
    if (next == s || !(next > low && next < high))
      break;
    s = next;
  }
  return s;
}

ts_profile_height ts_profile_at(double u, double depth_m, double slope_m) {
  if (!(u > 0))
    return (ts_profile_height){-depth_m, 0};
  if (!(u < 1))
    return (ts_profile_height){0, 0};
  double along = 2 * depth_m, length = hypot(along, slope_m);
  double cosine = length > 0 ? along / length : 1, sine = length > 0 ? slope_m / length : 0;
  double abscissae[CONTROL_POINTS] = {0, 0.2 * cosine, 0.4, 0.6, 0.8, 1};
  double heights[CONTROL_POINTS] = {-depth_m, depth_m * (0.4 * sine - 1)};
  static const double shares[CONTROL_POINTS] = {0, 0, 1};
  double across[4], up[4], share[4];
  int span = 0;
  find_bezier(across, abscissae, span);
  while (span < SPANS - 1 && u > across[3])
    find_bezier(across, abscissae, ++span);
  double s = find_place(across, u);
  find_bezier(up, heights, span);
  find_bezier(share, shares, span);
  return (ts_profile_height){evaluate(up, s), evaluate(share, s)};
}
