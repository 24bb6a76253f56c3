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

/// 1 / (value + the softness): how far a multiplier must change for the velocity to be what is
/// asked; 0 where nothing can move.
static double soft_inverse(double value, double soft) {
  return value > 0 ? 1 / (value + soft) : 0;
}

static void fill_r_factors(ts_contact_rows *rows, const ts_constraint *constraint,
                           int32_t strategy) {
  const double soft[TS_ROWS] = {constraint->soft_normal, constraint->soft_tangent,
                                constraint->soft_tangent, 0};
  double r[TS_ROWS];
  for (int i = 0; i < TS_ROWS; i++)
    r[i] = soft_inverse(row_product(rows->row[i], rows->row[i]), soft[i]);
  if (strategy != TS_R_ROWS) {
    double ss = row_product(rows->row[TS_ROW_S], rows->row[TS_ROW_S]);
    double tt = row_product(rows->row[TS_ROW_T], rows->row[TS_ROW_T]);
    double st = row_product(rows->row[TS_ROW_S], rows->row[TS_ROW_T]);
    // The eigenvalue, and the Frobenius norm, do not depend on how the frame is turned about n.
    double largest = 0.5 * (ss + tt + sqrt((ss - tt) * (ss - tt) + 4 * st * st));
    r[TS_ROW_S] = r[TS_ROW_T] = soft_inverse(largest, constraint->soft_tangent);
    if (strategy == TS_R_FRICTION) {
      double pp = row_product(rows->row[TS_ROW_SPIN], rows->row[TS_ROW_SPIN]);
      double sp = row_product(rows->row[TS_ROW_S], rows->row[TS_ROW_SPIN]);
      double tp = row_product(rows->row[TS_ROW_T], rows->row[TS_ROW_SPIN]);
      double norm2 = ss * ss + tt * tt + pp * pp + 2 * (st * st + sp * sp + tp * tp);
      r[TS_ROW_S] = r[TS_ROW_T] = r[TS_ROW_SPIN] =
          soft_inverse(sqrt(norm2), constraint->soft_tangent);
    }
  }
  if (!constraint->has_normal)
    r[TS_ROW_NORMAL] = 0;
  if (!constraint->has_friction)
    r[TS_ROW_S] = r[TS_ROW_T] = r[TS_ROW_SPIN] = 0;
  rows->r[0] = (ts_lanes){r[TS_ROW_NORMAL], r[TS_ROW_S]};
  rows->r[1] = (ts_lanes){r[TS_ROW_T], r[TS_ROW_SPIN]};
}

void ts_contact_rows_fill(ts_contact_rows *out, ts_contact_frame *out_frame,
                          const ts_constraint *constraint, const ts_solver_body *a,
                          const ts_solver_body *b, const ts_solver_params *params) {
  ts_contact_frame frame = {.n = constraint->normal};
  ts_vec3_tangents(&frame.s, &frame.t, frame.n);
  const ts_vec3 along[TS_ROWS] = {frame.n, frame.s, frame.t, {0, 0, 0}};
  ts_vec3 spin = ts_vec3_scale(frame.n, constraint->spin_length_m);
  double free[TS_ROWS];
  for (int i = 0; i < TS_ROWS; i++) {
    ts_vec3 about_a = i == TS_ROW_SPIN     ? spin
                      : i == TS_ROW_NORMAL ? constraint->moment_a
                                           : ts_vec3_cross(constraint->arm_a, along[i]);
    ts_vec3 about_b = i == TS_ROW_SPIN     ? spin
                      : i == TS_ROW_NORMAL ? constraint->moment_b
                                           : ts_vec3_cross(constraint->arm_b, along[i]);
    double velocity_a = fill_row(out->row[i], a, ts_vec3_neg(along[i]), ts_vec3_neg(about_a));
    double velocity_b = fill_row(out->row[i] + 3, b, along[i], about_b);
    free[i] = velocity_a + velocity_b;
  }
  free[TS_ROW_NORMAL] -= constraint->parting_m_s;
  out->free[0] = (ts_lanes){free[TS_ROW_NORMAL], free[TS_ROW_S]};
  out->free[1] = (ts_lanes){free[TS_ROW_T], free[TS_ROW_SPIN]};
  out->friction = a->is_fixed || b->is_fixed ? params->friction_fixed : params->friction;
  fill_r_factors(out, constraint, params->r_strategy);
  *out_frame = frame;
}
