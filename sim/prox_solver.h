// SPDX-License-Identifier: MIT
/// The contact solver of the simulator PROX (sim/prox_world.h); for sim/ only.
#ifndef TS_SIM_PROX_SOLVER_H
#define TS_SIM_PROX_SOLVER_H

#include "sim/prox_world.h"

typedef struct ts_prox_solver_body {
  int32_t is_fixed;
  float centre[3];
  float velocity[6]; ///< linear, angular; in: before the step, out: after it
  float change[6];   ///< what the forces other than those of contacts change in it
  float inverse_mass, inverse_inertia[3][3];
} ts_prox_solver_body;

typedef struct ts_prox_solver_params {
  float friction, friction_fixed;
  int32_t sweeps;
} ts_prox_solver_params;

typedef struct ts_prox_contact ts_prox_contact;

/// All zero is an empty one.
typedef struct ts_prox_solver {
  size_t capacity, body_capacity;
  ts_prox_contact *contacts; ///< [capacity]
  float (*w)[6];             ///< [body_capacity] velocities that the sweeps have led to
} ts_prox_solver;

void ts_prox_solver_clear(ts_prox_solver *solver);

/// Solves, and updates the velocities of bodies [body_count]. Status as ts_prox_world_end_step.
ts_status ts_prox_solver_solve(ts_prox_report *out, ts_prox_solver *solver,
                               ts_prox_solver_body *bodies, size_t body_count,
                               const ts_contact_set *sets, size_t set_count,
                               const ts_prox_solver_params *params);

#endif
