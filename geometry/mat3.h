// SPDX-License-Identifier: MIT
/// 3 x 3 matrices, and the rotation that is nearest to one.
#ifndef TS_GEOMETRY_MAT3_H
#define TS_GEOMETRY_MAT3_H

#include "geometry/vec3.h"

/// m[row][column].
typedef struct ts_mat3 {
  double m[3][3];
} ts_mat3;

static inline ts_mat3 ts_mat3_identity(void) {
  return (ts_mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

/// The matrix with these columns.
static inline ts_mat3 ts_mat3_columns(ts_vec3 x, ts_vec3 y, ts_vec3 z) {
  return (ts_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

/// The matrix with these rows.
static inline ts_mat3 ts_mat3_rows(ts_vec3 x, ts_vec3 y, ts_vec3 z) {
  return (ts_mat3){{{x.x, x.y, x.z}, {y.x, y.y, y.z}, {z.x, z.y, z.z}}};
}

static inline ts_mat3 ts_mat3_transpose(ts_mat3 a) {
  return (ts_mat3){{{a.m[0][0], a.m[1][0], a.m[2][0]},
                    {a.m[0][1], a.m[1][1], a.m[2][1]},
                    {a.m[0][2], a.m[1][2], a.m[2][2]}}};
}

static inline ts_vec3 ts_mat3_apply(ts_mat3 a, ts_vec3 v) {
  return (ts_vec3){a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
                   a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
                   a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z};
}

/// The transpose of `a` applied to `v`.
static inline ts_vec3 ts_mat3_apply_transposed(ts_mat3 a, ts_vec3 v) {
  return (ts_vec3){a.m[0][0] * v.x + a.m[1][0] * v.y + a.m[2][0] * v.z,
                   a.m[0][1] * v.x + a.m[1][1] * v.y + a.m[2][1] * v.z,
                   a.m[0][2] * v.x + a.m[1][2] * v.y + a.m[2][2] * v.z};
}

static inline ts_mat3 ts_mat3_scale(ts_mat3 a, double s) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      a.m[i][k] *= s;
  return a;
}

static inline ts_mat3 ts_mat3_add(ts_mat3 a, ts_mat3 b) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      a.m[i][k] += b.m[i][k];
  return a;
}

static inline ts_mat3 ts_mat3_mul(ts_mat3 a, ts_mat3 b) {
  ts_mat3 out;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      out.m[i][k] = a.m[i][0] * b.m[0][k] + a.m[i][1] * b.m[1][k] + a.m[i][2] * b.m[2][k];
  return out;
}

/// `a` times the transpose of `b`.
static inline ts_mat3 ts_mat3_mul_transposed(ts_mat3 a, ts_mat3 b) {
  return ts_mat3_mul(a, ts_mat3_transpose(b));
}

double ts_mat3_determinant(ts_mat3 a);

/// The largest singular value: of a symmetric matrix, the largest eigenvalue by size. NaN for
/// numbers that are not finite.
double ts_mat3_norm(ts_mat3 a);

/// The rotation R (determinant +1) that makes the trace of R^T A largest: the rotation of the polar
/// decomposition, and of an inverted matrix that with the smallest singular value flipped. From the
/// singular value decomposition by Jacobi rotations, so that it depends on A alone. Where it is not
/// unique (rank 1 or less, or an inverted matrix whose two smallest singular values are equal) one
/// of them comes back, the same for the same input; the identity for zero, and for numbers that are
/// not finite.
ts_mat3 ts_mat3_rotation(ts_mat3 a);

#endif
