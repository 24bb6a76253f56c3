// SPDX-License-Identifier: MIT
/// The time step of the simulator PROX (github.com/diku-dk/PROX, master c6be72c), which the
/// published tables were made with: rigid bodies under Moreau's midpoint rule as in sim/world.h,
/// with what that simulator does otherwise. All in single precision, in its order of operations,
/// since at an exact touch rounding decides what the next step finds.
///
/// - Normals are taken as they are, of any length: one of length l weighs the multipliers of its
///   contact by 1 / l, and the ball of friction is in that measure; one tangent has its length too.
/// - R-factors are 1 / A_ii for each row; the start is cold; nothing is stabilised.
/// - When the largest change of a multiplier in a sweep is larger than in the last sweep that was
///   kept, the multipliers are rolled back and all r-factors multiplied by 0.9, without end. The
///   velocities that the sweep has led to are not rolled back: later sweeps start from them, though
///   they no longer belong to the multipliers. The step ends with the multipliers.
/// - Gyroscopic torque and damping are explicit.
/// - Orientations are made unit after each half of a step, and once more in the body, with which
///   contacts are found; the second half starts from the former, which rounding may have left
///   different.
#ifndef TS_SIM_PROX_WORLD_H
#define TS_SIM_PROX_WORLD_H

#include "geometry/contact_set.h"
#include "geometry/mesh/body.h"

typedef struct ts_prox_world ts_prox_world;

typedef struct ts_prox_world_params {
  ts_vec3 gravity_m_s2;
  double dt_s;
  double linear_damping_kg_s, angular_damping_kg_m2_s;
  double friction, friction_fixed;
  int32_t sweeps;
} ts_prox_world_params;

typedef struct ts_prox_report {
  int32_t sweeps, rollbacks;
  double residual_kg_m_s; ///< Largest change of a multiplier in the last sweep that was kept.
} ts_prox_report;

/// Mass and inertia about the centre of mass, local axes.
typedef struct ts_prox_mass {
  double mass_kg, inertia_kg_m2[3][3];
} ts_prox_mass;

/// Copies `bodies` [body_count], whose local origins are their centres of mass, up to rounding, and
/// `masses` [body_count], of which those of fixed bodies are not looked at. TS_E_INPUT, with the
/// body named, for a mass that is not above zero; TS_E_MEMORY.
ts_status ts_prox_world_create(ts_prox_world **out, const ts_body *bodies,
                               const ts_prox_mass *masses, size_t body_count,
                               const ts_prox_world_params *params);
void ts_prox_world_destroy(ts_prox_world *world);

/// Moves the bodies on to the midpoint, where contacts are to be found.
void ts_prox_world_begin_step(ts_prox_world *world);

/// Solves for the impulses at the contacts in sets [set_count], in the order given, and ends the
/// step. TS_E_INPUT for a contact that is not finite, or has no direction; TS_E_MEMORY.
ts_status ts_prox_world_end_step(ts_prox_report *out, ts_prox_world *world,
                                 const ts_contact_set *sets, size_t set_count);

/// Bodies with their present poses and twists: all numbers are floats. Borrowed.
const ts_body *ts_prox_world_bodies(const ts_prox_world *world);

#endif
