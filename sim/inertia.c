// SPDX-License-Identifier: MIT
#include "sim/inertia.h"

#include <math.h>

static ts_vec3 times(const double m[3][3], ts_vec3 v) {
  return (ts_vec3){m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z,
                   m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
                   m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z};
}

static ts_vec3 transpose_times(const double m[3][3], ts_vec3 v) {
  return (ts_vec3){m[0][0] * v.x + m[1][0] * v.y + m[2][0] * v.z,
                   m[0][1] * v.x + m[1][1] * v.y + m[2][1] * v.z,
                   m[0][2] * v.x + m[1][2] * v.y + m[2][2] * v.z};
}

int ts_inertia_make(ts_inertia *out, const double local_kg_m2[3][3], double added) {
  double c[3][3] = {{0}}; // Cholesky: local = C C^T, C lower triangular
  for (int i = 0; i < 3; i++)
    for (int k = 0; k <= i; k++) {
      double sum = out->local[i][k] = out->local[k][i] = local_kg_m2[i][k] + (i == k ? added : 0);
      for (int j = 0; j < k; j++)
        sum -= c[i][j] * c[k][j];
      if (i == k && !(sum > 0))
        return 0;
      c[i][k] = i == k ? sqrt(sum) : sum / c[k][k];
    }
  // K is the transpose of C's inverse.
  double(*k)[3] = out->inverse_root;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      k[i][j] = 0;
  for (int i = 0; i < 3; i++)
    k[i][i] = 1 / c[i][i];
  k[0][1] = -c[1][0] * k[0][0] * k[1][1];
  k[1][2] = -c[2][1] * k[1][1] * k[2][2];
  k[0][2] = -(c[2][0] * k[0][0] + c[2][1] * k[0][1]) * k[2][2];
  ts_vec3 rows_sum = {k[0][0] + k[0][1] + k[0][2], k[1][1] + k[1][2], k[2][2]};
  return ts_vec3_is_finite(rows_sum);
}

ts_vec3 ts_inertia_momentum(const ts_inertia *inertia, ts_quat rotation, ts_vec3 angular_rad_s) {
  ts_vec3 local = ts_quat_rotate(ts_quat_conjugate(rotation), angular_rad_s);
  return ts_quat_rotate(rotation, times((const double(*)[3])inertia->local, local));
}

ts_vec3 ts_inertia_velocity(const ts_inertia *inertia, ts_quat rotation, ts_vec3 momentum) {
  const double(*k)[3] = (const double(*)[3])inertia->inverse_root;
  ts_vec3 local = ts_quat_rotate(ts_quat_conjugate(rotation), momentum);
  return ts_quat_rotate(rotation, times(k, transpose_times(k, local)));
}

void ts_inertia_inverse_root(double out[3][3], const ts_inertia *inertia, ts_quat rotation) {
  for (int j = 0; j < 3; j++) {
    ts_vec3 column = {inertia->inverse_root[0][j], inertia->inverse_root[1][j],
                      inertia->inverse_root[2][j]};
    column = ts_quat_rotate(rotation, column);
    out[0][j] = column.x;
    out[1][j] = column.y;
    out[2][j] = column.z;
  }
}
