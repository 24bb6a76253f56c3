// SPDX-License-Identifier: MIT
/// What the rows of the solver are made from: in which direction, where and how softly a contact,
/// or all contacts of a pair, push. For sim/ alone.
#ifndef TS_SIM_CONSTRAINTS_H
#define TS_SIM_CONSTRAINTS_H

#include "sim/solver.h"

#include <stdbool.h>

typedef struct ts_constraint {
  ts_vec3 normal; ///< Unit, world, from a to b.
  /// Moments of a unit impulse along the normal about the centres of the bodies [m].
  ts_vec3 moment_a, moment_b;
  ts_vec3 arm_a, arm_b; ///< From the centres to where friction acts [m].
  bool has_normal, has_friction;
  double spin_length_m;
  double parting_m_s; ///< Velocity along the normal that is asked for.
  /// Velocity that an impulse of 1 kg m/s gives up, along the normal and the tangents [1/kg]; 0:
  /// hard.
  double soft_normal, soft_tangent;
} ts_constraint;

/// Mean area of the contacts of a set [m2]; 0 without contacts.
double ts_constraint_mean_area(const ts_contact_set *set, const ts_response_params *params);

/// Whether a contact overlaps by enough to be corrected (ts_solver_params::corrects_beyond_m).
bool ts_constraint_is_too_deep(const ts_contact_set *set, size_t contact, double mean_area_m2,
                               double beyond_m, const ts_response_params *params);

/// A contact by itself.
void ts_constraint_of_contact(ts_constraint *out, const ts_contact *contact,
                              const ts_solver_body *a, const ts_solver_body *b,
                              const ts_solver_params *params, double dt_s);

/// The contacts of a pair as one, and the share of its impulse that each has (`shares`
/// [set->count]). `only_overlapping` leaves the others out. Returns the length of the sum of the
/// area vectors [m2]; 0 when it has no direction: `out` is then not to be used.
double ts_constraint_of_pair(ts_constraint *out, double *shares, const ts_contact_set *set,
                             const ts_solver_body *a, const ts_solver_body *b,
                             const ts_solver_params *params, double dt_s, bool only_overlapping);

#endif
