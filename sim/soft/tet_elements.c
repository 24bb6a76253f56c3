// SPDX-License-Identifier: MIT
#include "sim/soft/tet_elements.h"

ts_tet_law ts_tet_law_make(double young_pa, double poisson) {
  return (ts_tet_law){.lambda_pa = young_pa * poisson / ((1 + poisson) * (1 - 2 * poisson)),
                      .mu_pa = young_pa / (2 * (1 + poisson))};
}

void ts_tet_element_make(ts_tet_element *out, const ts_vec3 *rest, const uint32_t nodes[4]) {
  for (int i = 0; i < 4; i++)
    out->nodes[i] = nodes[i];
  ts_vec3 d1 = ts_vec3_sub(rest[nodes[1]], rest[nodes[0]]);
  ts_vec3 d2 = ts_vec3_sub(rest[nodes[2]], rest[nodes[0]]);
  ts_vec3 d3 = ts_vec3_sub(rest[nodes[3]], rest[nodes[0]]);
  double six_volumes = ts_vec3_dot(d1, ts_vec3_cross(d2, d3));
  ts_vec3 *g = out->gradients;
  g[1] = ts_vec3_scale(ts_vec3_cross(d2, d3), 1 / six_volumes);
  g[2] = ts_vec3_scale(ts_vec3_cross(d3, d1), 1 / six_volumes);
  g[3] = ts_vec3_scale(ts_vec3_cross(d1, d2), 1 / six_volumes);
  g[0] = ts_vec3_neg(ts_vec3_add(ts_vec3_add(g[1], g[2]), g[3]));
  out->volume_m3 = six_volumes / 6;
}

static void add_outer(ts_mat3 *out, ts_vec3 a, ts_vec3 b) {
  const double row[3] = {a.x, a.y, a.z}, column[3] = {b.x, b.y, b.z};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      out->m[i][k] += row[i] * column[k];
}

ts_mat3 ts_tet_element_deformation(const ts_tet_element *element, const ts_vec3 *positions) {
  // From differences, so that a body far from the origin loses no more digits than its coordinates.
  ts_mat3 f = {{{0}}};
  for (int i = 1; i < 4; i++)
    add_outer(&f, ts_vec3_sub(positions[element->nodes[i]], positions[element->nodes[0]]),
              element->gradients[i]);
  return f;
}

/// The strain: the symmetric part of R^T F - 1.
static ts_mat3 strain_of(ts_mat3 f, ts_mat3 r) {
  ts_mat3 stretch = ts_mat3_mul(ts_mat3_transpose(r), f), strain;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      double unit = i == k ? 1 : 0;
      strain.m[i][k] = 0.5 * (stretch.m[i][k] - unit + (stretch.m[k][i] - unit));
    }
  return strain;
}

static double trace_of(ts_mat3 a) {
  return a.m[0][0] + a.m[1][1] + a.m[2][2];
}

double ts_tet_element_energy(const ts_tet_element *element, ts_tet_law law, ts_mat3 f, ts_mat3 r) {
  ts_mat3 strain = strain_of(f, r);
  double squares = 0, trace = trace_of(strain);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      squares += strain.m[i][k] * strain.m[i][k];
  return element->volume_m3 * (law.mu_pa * squares + 0.5 * law.lambda_pa * trace * trace);
}

void ts_tet_element_forces(ts_vec3 out[4], const ts_tet_element *element, ts_tet_law law, ts_mat3 f,
                           ts_mat3 r) {
  ts_mat3 strain = strain_of(f, r), stress;
  double trace = trace_of(strain);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      stress.m[i][k] = 2 * law.mu_pa * strain.m[i][k] + law.lambda_pa * trace * (i == k ? 1 : 0);
  ts_mat3 turned = ts_mat3_scale(ts_mat3_mul(r, stress), element->volume_m3);
  for (int i = 1; i < 4; i++)
    out[i] = ts_mat3_apply(turned, element->gradients[i]);
  out[0] = ts_vec3_neg(ts_vec3_add(ts_vec3_add(out[1], out[2]), out[3]));
}

ts_mat3 ts_tet_element_stiffness(double volume_m3, ts_tet_law law, ts_vec3 row, ts_vec3 column) {
  const double a[3] = {row.x, row.y, row.z}, b[3] = {column.x, column.y, column.z};
  double lambda = volume_m3 * law.lambda_pa, mu = volume_m3 * law.mu_pa;
  double along = mu * ts_vec3_dot(row, column);
  ts_mat3 out;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      out.m[i][k] = lambda * (a[i] * b[k]) + mu * (a[k] * b[i]) + (i == k ? along : 0);
  return out;
}
