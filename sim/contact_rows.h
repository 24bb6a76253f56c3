// SPDX-License-Identifier: MIT
/// The four rows of a constraint as a sweep reads them: what ts_solver is made of, for sim/ alone.
#ifndef TS_SIM_CONTACT_ROWS_H
#define TS_SIM_CONTACT_ROWS_H

#include "sim/constraints.h"

enum { TS_ROW_NORMAL, TS_ROW_S, TS_ROW_T, TS_ROW_SPIN, TS_ROWS };

/// Two doubles that are added and multiplied side by side: the same bits as one by one.
typedef double ts_lanes __attribute__((vector_size(16)));

/// `row[i]` is what row i takes of the scaled velocities of body a, then of body b, each as
/// (linear, angular) [kg^-1/2]: with J the row's Jacobian and M the mass matrix, J M^-1/2. All zero
/// on the side of a fixed body.
typedef struct ts_contact_rows {
  ts_lanes row[TS_ROWS][6];
  ts_lanes r[2];    ///< r-factors [kg]; 0 for a row that nothing can move
  ts_lanes free[2]; ///< Velocities along the rows without contacts [m/s]; the normal's less what
                    ///< stabilisation asks for.
  double friction;
  uint32_t slot_a, slot_b; ///< Index of the scaled velocities.
} ts_contact_rows;

/// Unit normal and tangents, world.
typedef struct ts_contact_frame {
  ts_vec3 n, s, t;
} ts_contact_frame;

/// Fills all but the slots, from a constraint of finite numbers; `params` are checked.
void ts_contact_rows_fill(ts_contact_rows *out, ts_contact_frame *out_frame,
                          const ts_constraint *constraint, const ts_solver_body *a,
                          const ts_solver_body *b, const ts_solver_params *params);

#endif
