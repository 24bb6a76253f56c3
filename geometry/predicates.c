// SPDX-License-Identifier: MIT
#include "geometry/predicates.h"

#include <math.h>

/// The unit roundoff of a double.
#define ROUNDOFF 0x1p-53

// Proven bounds, not tolerances: they decide when the exact path is taken and change no answer.
// A product in orient3d passes through seven roundings before the last sum (three differences, two
// products, the subtraction in the minor, the first sum); the last sum keeps the sign. So the error
// that matters is 7u + O(u^2) times the sum of magnitudes, and 8u covers the rounding of that sum
// too. In orient2d there are three before the last.
#define ORIENT3D_BOUND (8 * ROUNDOFF)
#define ORIENT2D_BOUND (4 * ROUNDOFF)

// An expansion: the exact sum of its terms, which do not overlap, are not zero and grow in size, so
// that the last one has the sign of the sum. No terms: zero.
//
// Lengths: a difference has up to 2 terms, a product of two of them 8, a minor 16, a minor times
// a difference 64, the sum of three of those 192.
enum { PRODUCT_TERMS = 8, MINOR_TERMS = 16, CUBIC_TERMS = 64 };

/// An expansion of the difference of two doubles.
typedef struct difference {
  double terms[2];
  int count;
} difference;

/// *out_error is such that a + b == result + *out_error exactly.
static double two_sum(double *out_error, double a, double b) {
  double sum = a + b;
  double b_part = sum - a, a_part = sum - b_part;
  *out_error = (a - a_part) + (b - b_part);
  return sum;
}

/// *out_error is such that a * b == result + *out_error exactly.
static double two_product(double *out_error, double a, double b) {
  double product = a * b;
  *out_error = fma(a, b, -product);
  return product;
}

/// a - b
static difference expand_difference(double a, double b) {
  difference out = {.count = 0};
  double error, sum = two_sum(&error, a, -b);
  if (error != 0)
    out.terms[out.count++] = error;
  if (sum != 0)
    out.terms[out.count++] = sum;
  return out;
}

/// e + f. The terms are taken in order of size from both, so that the running sum stays ahead of
/// the errors it leaves behind (Shewchuk's fast expansion sum; two_sum where his needs ordered
/// operands).
static int expand_sum(double *out, const double *e, int e_count, const double *f, int f_count) {
  int i = 0, j = 0, count = 0;
  double sum = 0, error;
  while (i < e_count || j < f_count) {
    int take_e = j == f_count || (i < e_count && fabs(e[i]) < fabs(f[j]));
    sum = two_sum(&error, sum, take_e ? e[i++] : f[j++]);
    if (error != 0)
      out[count++] = error;
  }
  if (sum != 0)
    out[count++] = sum;
  return count;
}

/// e * factor
static int expand_scale(double *out, const double *e, int e_count, double factor) {
  int count = 0;
  double sum = 0, error;
  for (int i = 0; i < e_count; i++) {
    double low, high = two_product(&low, e[i], factor);
    sum = two_sum(&error, sum, low);
    if (error != 0)
      out[count++] = error;
    sum = two_sum(&error, high, sum);
    if (error != 0)
      out[count++] = error;
  }
  if (sum != 0)
    out[count++] = sum;
  return count;
}

/// e * f. `out` holds 4 * e_count terms; e_count is at most MINOR_TERMS.
static int expand_product(double *out, const double *e, int e_count, difference f) {
  double parts[2][2 * MINOR_TERMS];
  int counts[2] = {0, 0};
  for (int i = 0; i < f.count; i++)
    counts[i] = expand_scale(parts[i], e, e_count, f.terms[i]);
  return expand_sum(out, parts[0], counts[0], parts[1], counts[1]);
}

/// a d - b c
static int expand_minor(double out[static MINOR_TERMS], difference a, difference b, difference c,
                        difference d) {
  double ad[PRODUCT_TERMS], bc[PRODUCT_TERMS];
  int ad_count = expand_product(ad, a.terms, a.count, d);
  int bc_count = expand_product(bc, b.terms, b.count, c);
  for (int i = 0; i < bc_count; i++)
    bc[i] = -bc[i];
  return expand_sum(out, ad, ad_count, bc, bc_count);
}

static int sign_of(double value) {
  return (value > 0) - (value < 0);
}

static int sign_of_expansion(const double *e, int count) {
  return count > 0 ? sign_of(e[count - 1]) : 0;
}

static int orient3d_exact(ts_vec3 a, ts_vec3 b, ts_vec3 c, ts_vec3 d) {
  const double from[3] = {a.x, a.y, a.z};
  const double to[3][3] = {{b.x, b.y, b.z}, {c.x, c.y, c.z}, {d.x, d.y, d.z}};
  difference rows[3][3];
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++)
      rows[row][column] = expand_difference(to[row][column], from[column]);

  double cubic[3][CUBIC_TERMS];
  int count[3];
  for (int column = 0; column < 3; column++) {
    int u = (column + 1) % 3, v = (column + 2) % 3;
    double minor[MINOR_TERMS];
    int minor_count = expand_minor(minor, rows[0][u], rows[0][v], rows[1][u], rows[1][v]);
    count[column] = expand_product(cubic[column], minor, minor_count, rows[2][column]);
  }
  double two[2 * CUBIC_TERMS], all[3 * CUBIC_TERMS];
  int two_count = expand_sum(two, cubic[0], count[0], cubic[1], count[1]);
  return sign_of_expansion(all, expand_sum(all, two, two_count, cubic[2], count[2]));
}

int ts_orient3d_filter(ts_vec3 a, ts_vec3 b, ts_vec3 c, ts_vec3 d) {
  double bx = b.x - a.x, by = b.y - a.y, bz = b.z - a.z;
  double cx = c.x - a.x, cy = c.y - a.y, cz = c.z - a.z;
  double dx = d.x - a.x, dy = d.y - a.y, dz = d.z - a.z;
  double by_cz = by * cz, bz_cy = bz * cy, bz_cx = bz * cx, bx_cz = bx * cz, bx_cy = bx * cy,
         by_cx = by * cx;
  double determinant = (by_cz - bz_cy) * dx + (bz_cx - bx_cz) * dy + (bx_cy - by_cx) * dz;
  double magnitude = (fabs(by_cz) + fabs(bz_cy)) * fabs(dx) +
                     (fabs(bz_cx) + fabs(bx_cz)) * fabs(dy) +
                     (fabs(bx_cy) + fabs(by_cx)) * fabs(dz);
  double bound = ORIENT3D_BOUND * magnitude;
  return (determinant > bound) - (determinant < -bound);
}

int ts_orient3d(ts_vec3 a, ts_vec3 b, ts_vec3 c, ts_vec3 d) {
  int sign = ts_orient3d_filter(a, b, c, d);
  return sign != 0 ? sign : orient3d_exact(a, b, c, d);
}

int ts_orient2d(const double a[2], const double b[2], const double c[2]) {
  double left = (b[0] - a[0]) * (c[1] - a[1]), right = (b[1] - a[1]) * (c[0] - a[0]);
  double determinant = left - right, bound = ORIENT2D_BOUND * (fabs(left) + fabs(right));
  if (determinant > bound || determinant < -bound)
    return sign_of(determinant);
  // On a line along an axis, as corners of boxes often are.
  if ((b[0] == a[0] || c[1] == a[1]) && (b[1] == a[1] || c[0] == a[0]))
    return 0;

  double minor[MINOR_TERMS];
  int count = expand_minor(minor, expand_difference(b[0], a[0]), expand_difference(b[1], a[1]),
                           expand_difference(c[0], a[0]), expand_difference(c[1], a[1]));
  return sign_of_expansion(minor, count);
}
