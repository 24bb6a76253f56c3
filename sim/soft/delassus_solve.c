// SPDX-License-Identifier: MIT
// The Gauss-Seidel sweeps on the blocks of W.
#include "geometry/tolerances.h"
#include "sim/soft/delassus.h"

#include <math.h>

/// The tangential block of a contact in its principal axes.
typedef struct tangents {
  double axis[2][2];    ///< unit eigenvectors in (s, t)
  double compliance[2]; ///< largest first; 0 where rounding is all that there is
} tangents;

static tangents find_tangents(const ts_mat3 *w) {
  double a = w->m[1][1], c = w->m[2][2], b = 0.5 * (w->m[1][2] + w->m[2][1]);
  double mean = 0.5 * (a + c), half = 0.5 * (a - c), radius = sqrt(half * half + b * b);
  // Of the two expressions for the first eigenvector, that without cancellation.
  double x = half >= 0 ? half + radius : b, y = half >= 0 ? b : radius - half;
  double length = sqrt(x * x + y * y);
  tangents out = {.axis = {{1, 0}, {0, 1}}, .compliance = {mean + radius, mean - radius}};
  if (length > 0) {
    out.axis[0][0] = out.axis[1][1] = x / length;
    out.axis[0][1] = y / length;
    out.axis[1][0] = -out.axis[0][1];
  }
  for (int i = 0; i < 2; i++)
    if (!(out.compliance[i] > TS_COMPLIANCE_ROUNDING * (mean + radius)))
      out.compliance[i] = 0;
  return out;
}

/// The force x with |x| <= radius that makes sum of 1/2 w x^2 + d x least, along the principal
/// axes: Coulomb's law, for the displacement w x + d is then 0, or -shift x with a shift above 0
/// and |x| = radius. The shift is where 1 / |x(shift)|, which is concave and grows, gets to
/// 1 / radius: Newton's steps from below never pass it.
static void solve_disc(double x[2], const double w[2], const double d[2], double radius) {
  double norm2 = 0;
  for (int i = 0; i < 2; i++) {
    x[i] = w[i] > 0 ? -d[i] / w[i] : 0;
    norm2 += x[i] * x[i];
  }
  if (norm2 <= radius * radius)
    return;
  double shift = 0;
  for (int i = 0; i < 2; i++)
    if (w[i] > 0)
      shift = ts_max(fabs(d[i]) / radius - w[i], shift);
  double norm = 0;
  for (int step = 0; step < 50; step++) {
    double slope = 0;
    norm2 = 0;
    for (int i = 0; i < 2; i++) {
      x[i] = w[i] > 0 ? -d[i] / (w[i] + shift) : 0;
      norm2 += x[i] * x[i];
      slope += w[i] > 0 ? x[i] * x[i] / (w[i] + shift) : 0;
    }
    norm = sqrt(norm2);
    double next = shift + norm2 * (norm / radius - 1) / slope;
    if (!(next > shift))
      break;
    shift = next;
  }
  for (int i = 0; i < 2; i++)
    x[i] = norm > 0 && isfinite(norm) ? x[i] * (radius / norm) : 0;
}

/// The tangential force at a contact that is displaced by `d` along (s, t) without it.
static void solve_tangents(double out[2], const tangents *t, const double d[2], double radius) {
  double principal_d[2], x[2];
  if (!(radius > 0)) {
    out[0] = out[1] = 0;
    return;
  }
  for (int i = 0; i < 2; i++)
    principal_d[i] = t->axis[i][0] * d[0] + t->axis[i][1] * d[1];
  solve_disc(x, t->compliance, principal_d, radius);
  for (int i = 0; i < 2; i++)
    out[i] = t->axis[0][i] * x[0] + t->axis[1][i] * x[1];
}

static ts_vec3 displacement(const ts_delassus_row *row, ts_vec3 free_m, const ts_vec3 *forces) {
  for (size_t k = 0; k < row->count; k++)
    free_m = ts_vec3_add(free_m, ts_mat3_apply(row->blocks[k], forces[row->contacts[k]]));
  return free_m;
}

/// A force that the laws allow, from any: what a solve starts from.
static ts_vec3 admissible(ts_vec3 f, double friction, const ts_mat3 *own) {
  if (!(own->m[0][0] > 0) || !(f.x > 0) || !ts_vec3_is_finite(f))
    return (ts_vec3){0, 0, 0};
  double norm = sqrt(f.y * f.y + f.z * f.z), radius = friction * f.x;
  double scale = norm > radius ? radius / norm : 1;
  return (ts_vec3){f.x, scale * f.y, scale * f.z};
}

/// A new force at contact i from those at the others; |W_ii df|.
static double update(ts_vec3 *forces, size_t i, const ts_delassus_row *row, ts_vec3 free_m,
                     double friction) {
  const ts_mat3 *own = &row->blocks[row->own];
  if (!(own->m[0][0] > 0))
    return 0;
  ts_vec3 d = displacement(row, free_m, forces), old = forces[i];
  ts_vec3 new = {ts_max(old.x - d.x / own->m[0][0], 0), 0, 0};
  // Displaced by the new normal force, and by no tangential one.
  d = ts_vec3_add(d, ts_mat3_apply(*own, ts_vec3_sub(new, old)));
  tangents t = find_tangents(own);
  double along[2];
  solve_tangents(along, &t, (const double[2]){d.y, d.z}, friction * new.x);
  new.y = along[0];
  new.z = along[1];
  forces[i] = new;
  return ts_vec3_norm(ts_mat3_apply(*own, ts_vec3_sub(new, old)));
}

/// Whether a sweep from these forces would move no contact by more than the tolerance.
static bool is_solved(ts_vec3 *forces, const ts_delassus *w, const ts_vec3 *free_m,
                      const double *friction, double tolerance_m) {
  bool is_still = true;
  for (size_t i = 0; i < ts_delassus_contact_count(w) && is_still; i++) {
    ts_delassus_row row = ts_delassus_get_row(w, i);
    ts_vec3 kept = forces[i];
    is_still = update(forces, i, &row, free_m[i], friction[i]) <= tolerance_m;
    forces[i] = kept;
  }
  return is_still;
}

ts_delassus_report ts_delassus_solve(ts_vec3 *forces, const ts_delassus *w, const ts_vec3 *free_m,
                                     const double *friction, const ts_delassus_params *params) {
  size_t count = ts_delassus_contact_count(w);
  for (size_t i = 0; i < count; i++) {
    ts_delassus_row row = ts_delassus_get_row(w, i);
    forces[i] = admissible(forces[i], friction[i], &row.blocks[row.own]);
  }
  ts_delassus_report report = {.residual_m = count > 0 ? (double)NAN : 0};
  bool is_done = count == 0;
  while (report.sweeps < params->sweeps && !is_done) {
    double residual = 0;
    for (size_t i = 0; i < count; i++) {
      ts_delassus_row row = ts_delassus_get_row(w, i);
      double moved = update(forces, i, &row, free_m[i], friction[i]);
      residual = moved <= residual || isnan(residual) ? residual : moved; // NaN stays
    }
    report.sweeps++;
    report.residual_m = residual;
    is_done = params->tolerance_m > 0 && residual <= params->tolerance_m;
  }
  report.converged = report.sweeps > 0
                         ? report.residual_m <= params->tolerance_m
                         : is_solved(forces, w, free_m, friction, params->tolerance_m);
  return report;
}
