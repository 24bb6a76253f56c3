// SPDX-License-Identifier: MIT
#include "sim/solver.h"

#include "base/status.h"
#include "sim/params_check.h"
#include "sim/solver_state.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

ts_solver_params ts_solver_params_default(void) {
  return (ts_solver_params){
      .friction = 0.5,
      .friction_fixed = 0.5,
      .spin_length_m = 1,
      .sweeps = 1000,
      .order = TS_ORDER_GIVEN,
      .r_strategy = TS_R_TANGENTS,
      .r_reduction = 0.9,
      .r_least = 0.5,
  };
}

ts_status ts_solver_params_check(const ts_solver_params *params) {
  TS_TRY(ts_check_from_zero(params->friction, "friction"));
  TS_TRY(ts_check_from_zero(params->friction_fixed, "friction_fixed"));
  TS_TRY(ts_check_from_zero(params->spin_length_m, "spin_length_m"));
  TS_TRY(ts_check_from_zero(params->tolerance_kg_m_s, "tolerance_kg_m_s"));
  if (params->sweeps < 0)
    return ts_fail(TS_E_INPUT, "sweeps is %d: give a number from 0", (int)params->sweeps);
  if (params->order != TS_ORDER_GIVEN && params->order != TS_ORDER_FORTH_BACK)
    return ts_fail(TS_E_INPUT, "order is %d: give a ts_solver_order", (int)params->order);
  if (params->r_strategy < TS_R_ROWS || params->r_strategy > TS_R_FRICTION)
    return ts_fail(TS_E_INPUT, "r_strategy is %d: give a ts_solver_r", (int)params->r_strategy);
  if (!(params->r_reduction > 0 && params->r_reduction <= 1))
    return ts_fail(TS_E_INPUT, "r_reduction is %g: give a number above 0, up to 1",
                   params->r_reduction);
  if (!(params->r_least >= 0 && params->r_least <= 1))
    return ts_fail(TS_E_INPUT, "r_least is %g: give a number from 0 to 1", params->r_least);
  if (!(params->stabilisation >= 0 && params->stabilisation <= 1))
    return ts_fail(TS_E_INPUT, "stabilisation is %g: give a number from 0 to 1",
                   params->stabilisation);
  TS_TRY(ts_check_from_zero(params->corrects_beyond_m, "corrects_beyond_m"));
  return ts_response_params_check(&params->response);
}

ts_status ts_solver_create(ts_solver **out) {
  ts_solver *solver = calloc(1, sizeof *solver);
  if (!solver)
    return ts_fail(TS_E_MEMORY, "out of memory");
  *out = solver;
  return TS_OK;
}

void ts_solver_destroy(ts_solver *solver) {
  if (!solver)
    return;
  void *const arrays[] = {solver->rows,        solver->from,  solver->to,         solver->soft,
                          solver->frames,      solver->spans, solver->next_spans, solver->contacts,
                          solver->next_frames, solver->slots, solver->kept,       solver->shares};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    free(arrays[i]);
  free(solver);
}

/// The normal multiplier does not pull; those of friction are in the ball.
static inline void project(double x[TS_ROWS], double friction) {
  x[TS_ROW_NORMAL] = x[TS_ROW_NORMAL] > 0 ? x[TS_ROW_NORMAL] : 0;
  double radius = friction * x[TS_ROW_NORMAL];
  double norm2 =
      x[TS_ROW_S] * x[TS_ROW_S] + x[TS_ROW_T] * x[TS_ROW_T] + x[TS_ROW_SPIN] * x[TS_ROW_SPIN];
  if (norm2 > radius * radius) {
    double scale = radius / sqrt(norm2);
    x[TS_ROW_S] *= scale;
    x[TS_ROW_T] *= scale;
    x[TS_ROW_SPIN] *= scale;
  }
}

static inline ts_lanes product(const ts_lanes row[6], const ts_lanes a[3], const ts_lanes b[3]) {
  return (row[0] * a[0] + row[3] * b[0]) + (row[1] * a[1] + row[4] * b[1]) +
         (row[2] * a[2] + row[5] * b[2]);
}

static inline ts_lanes sum_pairs(ts_lanes a, ts_lanes b) {
  return (ts_lanes){a[0], b[0]} + (ts_lanes){a[1], b[1]};
}

/// Adds what a change of the multipliers does to the scaled velocities of a contact's bodies.
static inline void spread(ts_slot *a, ts_slot *b, const ts_contact_rows *c, ts_lanes normal_s,
                          ts_lanes t_spin) {
  const ts_lanes d[TS_ROWS] = {{normal_s[0], normal_s[0]},
                               {normal_s[1], normal_s[1]},
                               {t_spin[0], t_spin[0]},
                               {t_spin[1], t_spin[1]}};
  for (int i = 0; i < 3; i++) {
    a->v[i] +=
        (c->row[0][i] * d[0] + c->row[1][i] * d[1]) + (c->row[2][i] * d[2] + c->row[3][i] * d[3]);
    b->v[i] += (c->row[0][i + 3] * d[0] + c->row[1][i + 3] * d[1]) +
               (c->row[2][i + 3] * d[2] + c->row[3][i + 3] * d[3]);
  }
}

static inline double larger(double a, double b) {
  return a > b ? a : b;
}

/// One constraint: new multipliers from the velocities as they are, and new velocities from those.
/// All four rows see the same velocities. `soft` NULL: all are hard. Returns the largest change of
/// a multiplier.
static inline double update(ts_multipliers *to, const ts_multipliers *from,
                            const ts_contact_rows *c, const ts_multipliers *soft, ts_slot *slots,
                            double r_scale) {
  ts_slot *a = &slots[c->slot_a], *b = &slots[c->slot_b];
  ts_lanes u0 = sum_pairs(product(c->row[0], a->v, b->v), product(c->row[1], a->v, b->v));
  ts_lanes u1 = sum_pairs(product(c->row[2], a->v, b->v), product(c->row[3], a->v, b->v));
  u0 += c->free[0];
  u1 += c->free[1];
  if (soft) {
    u0 += soft->x[0] * from->x[0];
    u1 += soft->x[1] * from->x[1];
  }
  ts_lanes z0 = from->x[0] - c->r[0] * r_scale * u0;
  ts_lanes z1 = from->x[1] - c->r[1] * r_scale * u1;
  double x[TS_ROWS] = {z0[0], z0[1], z1[0], z1[1]};
  if (!soft)
    project(x, c->friction);
  to->x[0] = (ts_lanes){x[TS_ROW_NORMAL], x[TS_ROW_S]};
  to->x[1] = (ts_lanes){x[TS_ROW_T], x[TS_ROW_SPIN]};
  ts_lanes d0 = to->x[0] - from->x[0], d1 = to->x[1] - from->x[1];
  spread(a, b, c, d0, d1);
  return larger(larger(fabs(d0[0]), fabs(d0[1])), larger(fabs(d1[0]), fabs(d1[1])));
}

/// Inlined with `is_soft` known, so that hard rows do not pay for it.
static inline double sweep_rows(ts_solver *solver, double r_scale, int backwards, bool is_soft) {
  const ts_contact_rows *rows = solver->rows;
  const ts_multipliers *from = solver->from, *soft = solver->soft;
  ts_multipliers *to = solver->to;
  ts_slot *slots = solver->slots;
  double residual = 0;
  size_t count = solver->row_count;
  if (backwards)
    for (size_t i = count; i-- > 0;)
      residual = larger(
          update(&to[i], &from[i], &rows[i], is_soft ? &soft[i] : NULL, slots, r_scale), residual);
  else
    for (size_t i = 0; i < count; i++)
      residual = larger(
          update(&to[i], &from[i], &rows[i], is_soft ? &soft[i] : NULL, slots, r_scale), residual);
  return residual;
}

static double sweep(ts_solver *solver, double r_scale, int backwards, bool is_soft) {
  return is_soft ? sweep_rows(solver, r_scale, backwards, true)
                 : sweep_rows(solver, r_scale, backwards, false);
}

/// Scaled velocities that follow from the multipliers of a warm start.
static void start_velocities(ts_solver *solver) {
  if (solver->slot_count == 0) // nothing is assembled
    return;
  memset(solver->slots, 0, solver->slot_count * sizeof *solver->slots);
  for (size_t i = 0; i < solver->row_count; i++) {
    const ts_contact_rows *c = &solver->rows[i];
    spread(&solver->slots[c->slot_a], &solver->slots[c->slot_b], c, solver->from[i].x[0],
           solver->from[i].x[1]);
  }
}

size_t ts_solver_new_pairs(const ts_solver *solver) {
  return solver->new_pairs;
}

void ts_solver_solve(ts_solver_report *out, ts_solver *solver, const ts_solver_params *params) {
  ts_solver_report report = {.contact_count = solver->contact_count - solver->ignored_count,
                             .ignored_count = solver->ignored_count,
                             .constraint_count = solver->constraint_count,
                             .r_scale = 1,
                             .explicit_ratio = solver->explicit_ratio};
  bool is_soft = params->response.kind == TS_RESPONSE_PENALTY;
  bool is_explicit = is_soft && params->response.integration == TS_INTEGRATION_EXPLICIT;
  start_velocities(solver);
  double last[2] = {INFINITY, INFINITY}; // forwards, backwards
  size_t slot_bytes = solver->slot_count * sizeof *solver->slots;
  int is_done = report.contact_count == 0 || is_explicit; // all is known then
  while (report.sweeps < params->sweeps && !is_done) {
    int may_roll_back = params->r_reduction < 1 && report.r_scale > params->r_least;
    if (may_roll_back)
      memcpy(solver->kept, solver->slots, slot_bytes);
    int backwards =
        params->order == TS_ORDER_FORTH_BACK && (report.sweeps - report.rollbacks) % 2 != 0;
    double residual = sweep(solver, report.r_scale, backwards, is_soft);
    report.sweeps++;
    if (may_roll_back && residual >= last[backwards]) {
      memcpy(solver->slots, solver->kept, slot_bytes);
      report.r_scale = larger(report.r_scale * params->r_reduction, params->r_least);
      report.rollbacks++;
    } else {
      ts_solver_swap_multipliers(solver);
      last[backwards] = residual;
      report.residual_kg_m_s = residual / report.r_scale;
      is_done = report.residual_kg_m_s <= params->tolerance_kg_m_s;
    }
  }
  for (size_t i = 0; i < solver->row_count; i++)
    report.largest_kg_m_s = larger(solver->from[i].x[0][0], report.largest_kg_m_s);
  *out = report;
}

ts_twist ts_solver_change(const ts_solver *solver, const ts_solver_body *bodies, size_t body) {
  if (bodies[body].is_fixed || body + 1 >= solver->slot_count)
    return (ts_twist){{0, 0, 0}, {0, 0, 0}};
  const ts_lanes *v = solver->slots[body + 1].v;
  const double(*m)[3] = bodies[body].inverse_root;
  double w[3] = {v[1][1], v[2][0], v[2][1]};
  ts_vec3 linear = {v[0][0], v[0][1], v[1][0]};
  return (ts_twist){ts_vec3_scale(linear, bodies[body].inverse_root_mass),
                    {m[0][0] * w[0] + m[0][1] * w[1] + m[0][2] * w[2],
                     m[1][0] * w[0] + m[1][1] * w[1] + m[1][2] * w[2],
                     m[2][0] * w[0] + m[2][1] * w[1] + m[2][2] * w[2]}};
}

void ts_solver_multipliers(double out[4], const ts_solver *solver, size_t contact) {
  const ts_contact_share *of = &solver->contacts[contact];
  for (int i = 0; i < TS_ROWS; i++)
    out[i] = of->row == TS_NO_ROW ? 0 : of->share * solver->from[of->row].x[i / 2][i % 2];
}
