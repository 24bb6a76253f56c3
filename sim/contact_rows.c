// SPDX-License-Identifier: MIT
#include "sim/contact_rows.h"

#include <math.h>
#include <string.h>

/// Writes what one row takes of a body: `along` its velocity at the contact, `about` its spin.
/// Returns what the body has along the row without contacts.
static double fill_row(ts_lanes out[3], const ts_solver_body *body, ts_vec3 along, ts_vec3 about) {
  if (body->is_fixed) {
    memset(out, 0, 3 * sizeof *out);
    return 0;
  }
  const double(*m)[3] = body->inverse_root;
  ts_vec3 v = ts_vec3_scale(along, body->inverse_root_mass);
  out[0] = (ts_lanes){v.x, v.y};
  out[1] = (ts_lanes){v.z, m[0][0] * about.x + m[1][0] * about.y + m[2][0] * about.z};
  out[2] = (ts_lanes){m[0][1] * about.x + m[1][1] * about.y + m[2][1] * about.z,
                      m[0][2] * about.x + m[1][2] * about.y + m[2][2] * about.z};
  return ts_vec3_dot(along, body->linear_m_s) + ts_vec3_dot(about, body->angular_rad_s);
}

static double row_product(const ts_lanes a[6], const ts_lanes b[6]) {
  ts_lanes sum = a[0] * b[0];
  for (int i = 1; i < 6; i++)
    sum += a[i] * b[i];
  return sum[0] + sum[1];
}

static double inverse_or_zero(double value) {
  return value > 0 ? 1 / value : 0;
}

static void fill_r_factors(ts_contact_rows *rows, int32_t strategy) {
  double r[TS_ROWS];
  for (int i = 0; i < TS_ROWS; i++)
    r[i] = inverse_or_zero(row_product(rows->row[i], rows->row[i]));
  if (strategy != TS_R_ROWS) {
    double ss = row_product(rows->row[TS_ROW_S], rows->row[TS_ROW_S]);
    double tt = row_product(rows->row[TS_ROW_T], rows->row[TS_ROW_T]);
    double st = row_product(rows->row[TS_ROW_S], rows->row[TS_ROW_T]);
    // The eigenvalue, and the Frobenius norm, do not depend on how the frame is turned about n.
    double largest = 0.5 * (ss + tt + sqrt((ss - tt) * (ss - tt) + 4 * st * st));
    r[TS_ROW_S] = r[TS_ROW_T] = inverse_or_zero(largest);
    if (strategy == TS_R_FRICTION) {
      double pp = row_product(rows->row[TS_ROW_SPIN], rows->row[TS_ROW_SPIN]);
      double sp = row_product(rows->row[TS_ROW_S], rows->row[TS_ROW_SPIN]);
      double tp = row_product(rows->row[TS_ROW_T], rows->row[TS_ROW_SPIN]);
      double norm2 = ss * ss + tt * tt + pp * pp + 2 * (st * st + sp * sp + tp * tp);
      r[TS_ROW_S] = r[TS_ROW_T] = r[TS_ROW_SPIN] = inverse_or_zero(sqrt(norm2));
    }
  }
  rows->r[0] = (ts_lanes){r[TS_ROW_NORMAL], r[TS_ROW_S]};
  rows->r[1] = (ts_lanes){r[TS_ROW_T], r[TS_ROW_SPIN]};
}

/// The velocity that stabilisation asks for along the normal: parting the bodies is positive.
static double parting_velocity(double gap_m, const ts_solver_params *params, double dt_s) {
  double overlap_m = -gap_m - params->allowance_m;
  return overlap_m > 0 ? params->stabilisation * overlap_m / dt_s : 0;
}

void ts_contact_rows_fill(ts_contact_rows *out, ts_contact_frame *out_frame,
                          const ts_contact *contact, const ts_solver_body *a,
                          const ts_solver_body *b, const ts_solver_params *params, double dt_s) {
  ts_contact_frame frame = {.n = ts_vec3_unit(contact->normal)};
  ts_vec3_tangents(&frame.s, &frame.t, frame.n);
  const ts_vec3 along[TS_ROWS] = {frame.n, frame.s, frame.t, {0, 0, 0}};
  ts_vec3 arm_a = ts_vec3_sub(contact->point, a->centre);
  ts_vec3 arm_b = ts_vec3_sub(contact->point, b->centre);
  ts_vec3 spin = ts_vec3_scale(frame.n, params->spin_length_m);
  double free[TS_ROWS];
  for (int i = 0; i < TS_ROWS; i++) {
    ts_vec3 about_a = i == TS_ROW_SPIN ? spin : ts_vec3_cross(arm_a, along[i]);
    ts_vec3 about_b = i == TS_ROW_SPIN ? spin : ts_vec3_cross(arm_b, along[i]);
    double velocity_a = fill_row(out->row[i], a, ts_vec3_neg(along[i]), ts_vec3_neg(about_a));
    double velocity_b = fill_row(out->row[i] + 3, b, along[i], about_b);
    free[i] = velocity_a + velocity_b;
  }
  free[TS_ROW_NORMAL] -= parting_velocity(contact->gap_m, params, dt_s);
  out->free[0] = (ts_lanes){free[TS_ROW_NORMAL], free[TS_ROW_S]};
  out->free[1] = (ts_lanes){free[TS_ROW_T], free[TS_ROW_SPIN]};
  out->friction = a->is_fixed || b->is_fixed ? params->friction_fixed : params->friction;
  fill_r_factors(out, params->r_strategy);
  *out_frame = frame;
}
