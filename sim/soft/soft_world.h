// SPDX-License-Identifier: MIT
/// A world of deformable and rigid bodies and its time step by a free and a corrective motion
/// (Saupin 2008): bodies move as if there were no contacts; contacts are found where they are then;
/// forces at them are solved for, and each body answers with its compliance. Where the bodies touch
/// is input.
///
/// sim/world.h is the one for rigid bodies alone: its contacts are constraints on velocities and
/// ignore gaps.
#ifndef TS_SIM_SOFT_WORLD_H
#define TS_SIM_SOFT_WORLD_H

#include "geometry/contact_set.h"
#include "sim/soft/compliance.h"
#include "sim/soft/delassus.h"

typedef struct ts_soft_world ts_soft_world;

typedef struct ts_soft_world_params {
  ts_vec3 gravity_m_s2;
  double dt_s;
  double friction, friction_fixed; ///< between two bodies that can move, and with a fixed one
  int32_t response;                ///< ts_compliance_kind
  ts_delassus_params solver;
  /// Whether each step is solved with the exact compliance, too, from the same state and contacts,
  /// to compare; nothing moves by that.
  bool compares_exact;
} ts_soft_world_params;

/// Gravity (0, -9.82, 0), dt 0.01 s, friction 0.5, exact, 1000 sweeps to 1e-10 m.
ts_soft_world_params ts_soft_world_params_default(void);

/// Bodies with `elastic` are deformable; others are rigid, and fixed ones never move. `shapes` stay
/// with the caller and must outlive the world; bodies are copied. TS_E_INPUT, with the body or the
/// parameter named: as ts_tet_body_create, and as ts_world_create for rigid ones; a deformable body
/// that is fixed. TS_E_MEMORY.
ts_status ts_soft_world_create(ts_soft_world **out, const ts_shape *shapes, size_t shape_count,
                               const ts_body *bodies, size_t body_count,
                               const ts_soft_world_params *params);
void ts_soft_world_destroy(ts_soft_world *world);

size_t ts_soft_world_body_count(const ts_soft_world *world);

/// The deformable body with that index; NULL for a rigid one.
const ts_tet_body *ts_soft_world_tet_body(const ts_soft_world *world, size_t body);

/// Where the nodes of a deformable body are [node_count], world: between begin and end of a step at
/// the end of the free motion. Borrowed.
const ts_vec3 *ts_soft_world_nodes(const ts_soft_world *world, size_t body);

/// The same of a rigid body; its pose is that of the local origin.
ts_pose ts_soft_world_pose(const ts_soft_world *world, size_t body);

/// Gives a deformable body another state, as ts_tet_body_set_state; between steps.
ts_status ts_soft_world_set_nodes(ts_soft_world *world, size_t body, const ts_vec3 *positions,
                                  const ts_vec3 *velocities);

/// Constant forces [count] (borrowed) that act on bodies from now on, in the free motion: ts_force.
/// On a deformable body they pull at the material point that is there at rest
/// (ts_tet_body_add_load). Those of before end. TS_E_INPUT for a body that is not there or is
/// fixed, and for numbers that are not finite: then all is as before.
ts_status ts_soft_world_set_forces(ts_soft_world *world, const ts_force *forces, size_t count);

/// The free motion. TS_E_INPUT when a system cannot be solved (ts_tet_body_linearise), and when
/// called out of turn.
ts_status ts_soft_world_begin_step(ts_soft_world *world);

/// What a step did.
typedef struct ts_soft_report {
  size_t constraint_count; ///< contacts between bodies of which one can move
  ts_delassus_report solver;
  /// Times [ns]: of the free motion; of W (with `exact`, the factor of A(q), which the free motion
  /// needs too); of the columns at rest that are made once; of the exact W to compare; of the
  /// forces; of the correction by them.
  double free_ns, compliance_ns, compliance_rest_ns, compliance_exact_ns, solve_ns, correction_ns;
  /// |dq - dq_exact| / |dq_exact| over the nodes of deformable bodies, with `compares_exact`; NaN
  /// where |dq_exact| is 0, or below TS_CORRECTION_LEAST_RELATIVE of the largest body.
  double response_error;
  /// | sum of m dq (1/h^2 + a/h) - sum of r | / sum of |r| over the free nodes of the deformable
  /// bodies without clamped nodes, r the contact forces; the largest of the bodies; NaN without a
  /// force. 0 for exact but for rounding.
  double momentum_defect;
  double normal_force_n; ///< sum over all contacts
} ts_soft_report;

/// Solves for the forces at the contacts of sets [count], found where the bodies are after the free
/// motion, corrects the motion and ends the step. Gaps are those of the surfaces themselves: the
/// caller subtracts what an envelope adds. Contacts of a group (ts_contact::group) are contacts
/// like any other, as in sim/solver.h. A contact acts on a deformable body at the point of its
/// surface that is nearest to its own among those that face it; at a vertex, if that is its feature
/// and lies within |gap| and TS_POSITION_RELATIVE of the body's size of it. Gravity and damping are
/// in the free motion; rigid bodies have no drag. On failure the world is as before the step.
/// TS_E_INPUT for a point, normal or gap that is not finite, a normal of length 0, a body that does
/// not exist, more contacts than ts_delassus_create takes, and numbers that are no longer finite;
/// TS_E_MEMORY. `out` may be NULL.
ts_status ts_soft_world_end_step(ts_soft_report *out, ts_soft_world *world,
                                 const ts_contact_set *sets, size_t count);

/// Energies of all bodies that are not fixed [J], between steps. The potential is that of gravity,
/// not of constant forces, and zero at the world's origin; clamped nodes have their share. Rigid
/// bodies have the kinetic energy of their translation and rotation, deformable ones that of their
/// nodes.
typedef struct ts_soft_energy {
  double kinetic_j, potential_j, elastic_j;
} ts_soft_energy;

ts_soft_energy ts_soft_world_get_energy(const ts_soft_world *world);

/// Force [N] of the last step along the normal of the contact with index `contact` among those of
/// all sets.
double ts_soft_world_force_n(const ts_soft_world *world, size_t contact);

#endif
