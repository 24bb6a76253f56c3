// SPDX-License-Identifier: MIT
#include "elastic/bulge_height.h"

#include "geometry/vec3.h"

#include <float.h>

static double determinant(ts_vec3 a, ts_vec3 b, ts_vec3 c) {
  return ts_vec3_dot(a, ts_vec3_cross(b, c));
}

void ts_bulge_cubic(double out[4], const ts_mesh *mesh, const ts_vec3 *vertices,
                    const ts_vec3 *moved, const ts_vec3 *directions) {
  double sums[4] = {0, 0, 0, 0};
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    const uint32_t *v = mesh->triangles[t];
    ts_vec3 p[3], m[3], d[3];
    for (int i = 0; i < 3; i++) {
      p[i] = vertices[v[i]];
      m[i] = moved[v[i]];
      d[i] = directions[v[i]];
    }
    sums[0] += determinant(m[0], m[1], m[2]) - determinant(p[0], p[1], p[2]);
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      sums[1] += determinant(d[i], m[j], m[k]);
      sums[2] += determinant(m[i], d[j], d[k]);
    }
    sums[3] += determinant(d[0], d[1], d[2]);
  }
  for (int i = 0; i < 4; i++)
    out[i] = sums[i] / 6;
}

static double evaluate(const double c[4], double h) {
  return ((c[3] * h + c[2]) * h + c[1]) * h + c[0];
}

/// The heights above 0 at which the cubic is level, rising; how many.
static int find_level(double out[2], const double c[4]) {
  double a = 3 * c[3], b = c[2], d = c[1]; // a h^2 + 2 b h + d
  double square = b * b - a * d;
  if (!(square >= 0))
    return 0;
  // The sum of two terms of one sign, and the other root from the product of both.
  double sum = -(b + copysign(sqrt(square), b)), roots[2] = {sum / a, d / sum};
  int count = 0;
  for (int i = 0; i < 2; i++)
    if (roots[i] > 0 && isfinite(roots[i]) && !(count == 1 && roots[i] == out[0]))
      out[count++] = roots[i];
  if (count == 2 && out[0] > out[1]) {
    double first = out[0];
    out[0] = out[1];
    out[1] = first;
  }
  return count;
}

/// A height beyond which the cubic has no root (Cauchy's bound).
static double find_bound(const double c[4]) {
  int degree = 3;
  while (degree > 0 && c[degree] == 0)
    degree--;
  double largest = 0;
  for (int i = 0; i < degree; i++)
    largest = ts_max(largest, fabs(c[i] / c[degree]));
  return ts_min(1 + largest, DBL_MAX);
}

/// Where the cubic, which rises or falls all the way from `low` to `high`, is 0: to the last bit.
static double bisect(const double c[4], double low, double high) {
  bool is_negative = evaluate(c, low) < 0;
  for (;;) {
    double middle = 0.5 * low + 0.5 * high;
    if (!(middle > low && middle < high))
      return high;
    *((evaluate(c, middle) < 0) == is_negative ? &low : &high) = middle;
  }
}

bool ts_smallest_positive_root(double *out, const double cubic[4]) {
  for (int i = 0; i < 4; i++)
    if (!isfinite(cubic[i]))
      return false;
  if (cubic[0] == 0) {
    *out = 0;
    return true;
  }
  double ends[3];
  int level_count = find_level(ends, cubic);
  ends[level_count] = find_bound(cubic);
  double low = 0;
  for (int i = 0; i <= level_count; i++) {
    double high = ends[i], value = evaluate(cubic, high);
    if (high <= low)
      continue;
    if (value == 0 || (evaluate(cubic, low) < 0) != (value < 0)) {
      *out = value == 0 ? high : bisect(cubic, low, high);
      return true;
    }
    double terms = fabs(cubic[0]) + fabs(cubic[1] * high) + fabs(cubic[2] * high * high) +
                   fabs(cubic[3] * high * high * high);
    if (i < level_count && fabs(value) <= 4 * DBL_EPSILON * terms) {
      *out = high;
      return true;
    }
    low = high;
  }
  return false;
}
