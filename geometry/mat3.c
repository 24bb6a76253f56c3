// SPDX-License-Identifier: MIT
#include "geometry/mat3.h"

#include <float.h>
#include <stdbool.h>

double ts_mat3_determinant(ts_mat3 a) {
  return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) -
         a.m[0][1] * (a.m[1][0] * a.m[2][2] - a.m[1][2] * a.m[2][0]) +
         a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}

/// The columns of A V, and those of V, a rotation.
typedef struct columns {
  ts_vec3 a[3], v[3];
} columns;

/// Turns columns p and q so that those of A V are at right angles; false if they already were.
static bool make_orthogonal(columns *c, int p, int q) {
  double pp = ts_vec3_norm2(c->a[p]), qq = ts_vec3_norm2(c->a[q]);
  double pq = ts_vec3_dot(c->a[p], c->a[q]);
  if (!(fabs(pq) > DBL_EPSILON * sqrt(pp) * sqrt(qq)))
    return false;
  double zeta = (qq - pp) / (2 * pq);
  double tangent = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
  double cosine = 1 / sqrt(1 + tangent * tangent), sine = cosine * tangent;
  ts_vec3 *both[] = {c->a, c->v};
  for (int i = 0; i < 2; i++) {
    ts_vec3 x = both[i][p], y = both[i][q];
    both[i][p] = ts_vec3_add_scaled(ts_vec3_scale(x, cosine), -sine, y);
    both[i][q] = ts_vec3_add_scaled(ts_vec3_scale(x, sine), cosine, y);
  }
  return true;
}

/// A quarter turn that puts the longer of two columns first: V stays a rotation.
static void put_longer_first(columns *c, int p, int q) {
  if (!(ts_vec3_norm2(c->a[q]) > ts_vec3_norm2(c->a[p])))
    return;
  ts_vec3 *both[] = {c->a, c->v};
  for (int i = 0; i < 2; i++) {
    ts_vec3 x = both[i][p];
    both[i][p] = both[i][q];
    both[i][q] = ts_vec3_neg(x);
  }
}

static ts_vec3 across(ts_vec3 a, ts_vec3 unit) {
  return ts_vec3_add_scaled(a, -ts_vec3_dot(a, unit), unit);
}

/// The largest entry by size; NaN when one is not finite.
static double largest_entry(ts_mat3 a) {
  double largest = 0;
  bool is_finite = true;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      largest = ts_max(largest, fabs(a.m[i][k]));
      is_finite = is_finite && isfinite(a.m[i][k]);
    }
  return is_finite ? largest : (double)NAN;
}

/// A over its largest entry, times V, so that its columns are at right angles, the longest first.
static columns decompose(ts_mat3 a, double largest) {
  columns c = {.v = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int k = 0; k < 3; k++) // by division: 1 / largest may overflow
    c.a[k] = (ts_vec3){a.m[0][k] / largest, a.m[1][k] / largest, a.m[2][k] / largest};
  // Convergence is quadratic: some five sweeps. The bound is for columns whose squares underflow.
  bool has_turned = true;
  for (int sweep = 0; sweep < 30 && has_turned; sweep++) {
    has_turned = make_orthogonal(&c, 0, 1);
    has_turned = make_orthogonal(&c, 0, 2) || has_turned;
    has_turned = make_orthogonal(&c, 1, 2) || has_turned;
  }
  put_longer_first(&c, 0, 1);
  put_longer_first(&c, 0, 2);
  put_longer_first(&c, 1, 2);
  return c;
}

double ts_mat3_norm(ts_mat3 a) {
  double largest = largest_entry(a);
  return largest > 0 ? largest * ts_vec3_norm(decompose(a, largest).a[0]) : largest;
}

ts_mat3 ts_mat3_rotation(ts_mat3 a) {
  double largest = largest_entry(a);
  if (!(largest > 0)) // and where it is NaN
    return ts_mat3_identity();
  columns c = decompose(a, largest);
  // U is made a rotation by its third column, so that the smallest singular value takes the sign
  // of the determinant, and need not be divided by.
  ts_vec3 u0 = ts_vec3_unit(c.a[0]);
  ts_vec3 u1 = ts_vec3_unit(across(ts_vec3_unit(c.a[1]), u0));
  if (!(ts_vec3_norm2(u1) > 0)) { // rank 1: any; the identity for diag(1, 0, 0)
    ts_vec3 by_1 = across(c.v[1], u0), by_2 = across(c.v[2], u0);
    u1 = ts_vec3_norm2(by_1) >= 0.5 ? ts_vec3_unit(by_1) : ts_vec3_cross(ts_vec3_unit(by_2), u0);
  }
  ts_vec3 u2 = ts_vec3_cross(u0, u1);
  return ts_mat3_mul_transposed(ts_mat3_columns(u0, u1, u2),
                                ts_mat3_columns(c.v[0], c.v[1], c.v[2]));
}
