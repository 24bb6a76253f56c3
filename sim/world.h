// SPDX-License-Identifier: MIT
/// A world of rigid bodies and its time step: Moreau's midpoint rule as in Erleben 2018, section 8,
/// and its simulator. Where the bodies touch is input.
///
/// A step of dt: poses go on by half a step with the velocities as they are; contacts are found;
/// impulses are solved for and velocities updated; poses go on by half a step with the new ones. So
/// the first step sees its contacts at t = dt / 2, the second at 3 dt / 2 ("simulation step 3").
///
/// Differences from the simulator of the paper: the state of a body's rotation is its angular
/// momentum, and a half step that leads to the midpoint uses the angular velocity there. Free
/// bodies so keep their angular momentum to rounding, and their energy to the third order in dt; an
/// explicit gyroscopic torque gains energy. Bodies with three equal moments of inertia move as in
/// the paper. Damping is implicit, so that it slows a light body instead of throwing it back.
#ifndef TS_SIM_WORLD_H
#define TS_SIM_WORLD_H

#include "geometry/mesh/body.h"
#include "sim/solver.h"

#include <stdbool.h>

typedef struct ts_world ts_world;

typedef struct ts_world_params {
  ts_vec3 gravity_m_s2;
  double dt_s;                    ///< Above zero.
  double linear_damping_kg_s;     ///< Force against the velocity of the centre of mass, N per m/s.
  double angular_damping_kg_m2_s; ///< Torque against the angular velocity, N m per rad/s.
  ts_solver_params solver;
  int32_t position_iterations; ///< Most position steps before a velocity solve; 0: none are made.
  /// Overlap up to which no position step is made [m]; 0: TS_POSITION_RELATIVE of the smallest body
  /// that moves. Of the mean of a pair with TS_ROWS_PAIR; see ts_solver_params::corrects_beyond_m.
  double position_tolerance_m;
  /// By how much bodies may move in a position step besides the extent of the overlap of their
  /// boxes [m], from 0: what an envelope adds to the bodies or takes from them.
  double position_reach_m;
} ts_world_params;

/// The paper's: gravity (0, -9.82, 0), dt 0.01 s, both dampings 0.01, ts_solver_params_default(),
/// no position steps.
ts_world_params ts_world_params_default(void);

/// Gives the contacts of all pairs at the present poses: `*out` [*out_count] sets, each of bodies
/// a < b, with normals from a to b; borrowed until the next call or the end of the step. `bodies`
/// [body_count] have the poses and twists of the midpoint. A status other than TS_OK ends the step
/// with it.
typedef ts_status (*ts_world_contacts)(void *context, const ts_contact_set **out, size_t *out_count,
                                       const ts_body *bodies, size_t body_count);

/// Copies `bodies` [body_count]; `shapes` stay with the caller, their meshes too, and must outlive
/// the world. Mass, centre and inertia of a body come from its mesh and density; the local origin
/// may lie anywhere. Twists are those of the local origin, as in ts_twist. A fixed body never
/// moves, whatever its twist, and may have any density. TS_E_INPUT, with the body or the parameter
/// named: a shape that is not there [shape_count], a pose or a twist that is not finite, a rotation
/// that is not a unit quaternion up to rounding, a density that is not above zero, mass or inertia
/// out of what doubles hold, a parameter out of its range. TS_E_MEMORY.
ts_status ts_world_create(ts_world **out, const ts_shape *shapes, size_t shape_count,
                          const ts_body *bodies, size_t body_count, const ts_world_params *params);
void ts_world_destroy(ts_world *world);

/// One step. `contacts` NULL: none. Whatever fails leaves the world as it was before the step (but
/// a warm start forgets): what the callback returns, what ts_solver_assemble refuses, and
/// velocities or poses that are no longer finite (TS_E_INPUT). `out` may be NULL.
ts_status ts_world_step(ts_solver_report *out, ts_world *world, ts_world_contacts contacts,
                        void *context);

/// The parts of ts_world_step, to find contacts in between: up to the midpoint, and
/// on from there with the contacts in sets [set_count]. Call them in turn. When the second fails,
/// the world is as before the first. All TS_E_INPUT when called out of turn.
///
/// With the response TS_RESPONSE_VOLUME the contacts may have to be found again: a position step
/// (Allard 2010, Eq. 18, 19) displaces bodies whose contacts overlap by more than the tolerance,
/// and leaves velocities and angular momenta as they are. ts_world_correct makes one, and says
/// whether bodies have moved: then find the contacts there, and call it again.
ts_status ts_world_begin_step(ts_world *world);
ts_status ts_world_correct(bool *out_moved, ts_world *world, const ts_contact_set *sets,
                           size_t set_count);
ts_status ts_world_end_step(ts_solver_report *out, ts_world *world, const ts_contact_set *sets,
                            size_t set_count);

/// Constant forces [count] (borrowed) that act on bodies from now on: ts_force. TS_E_INPUT for a
/// body that is not there or is fixed, and for numbers that are not finite.
ts_status ts_world_set_forces(ts_world *world, const ts_force *forces, size_t count);

/// What the response did in the last step.
typedef struct ts_world_response {
  int32_t position_iterations; ///< position steps made
  int32_t position_limited;    ///< islands that moved less than their contacts asked for, over them
  /// Potential energy that position steps have added since the world was made.
  double position_energy_j;
} ts_world_response;

ts_world_response ts_world_get_response(const ts_world *world);

/// Bodies [ts_world_body_count] with their present poses and twists; borrowed, current after each
/// step.
const ts_body *ts_world_bodies(const ts_world *world);
size_t ts_world_body_count(const ts_world *world);

/// Steps done times dt [s].
double ts_world_time_s(const ts_world *world);

/// Gives a body another pose and twist, of the local origin; its rest pose stays. TS_E_INPUT as in
/// ts_world_create, or in the midst of a step.
ts_status ts_world_set_state(ts_world *world, size_t body, ts_pose pose, ts_twist twist);

/// Normal impulse [kg m/s] of the last step at the contact with index `contact` among those of all
/// sets; 0 between two fixed bodies.
double ts_world_impulse(const ts_world *world, size_t contact);

/// How a body moves. That of a fixed body is at rest, its mass infinite and its centre its local
/// origin.
typedef struct ts_world_motion {
  double mass_kg;
  ts_vec3 centre;       ///< Centre of mass, world [m].
  ts_vec3 velocity_m_s; ///< Of the centre of mass.
  ts_vec3 angular_rad_s;
  ts_vec3 spin_kg_m2_s; ///< Angular momentum about the centre of mass.
} ts_world_motion;

ts_world_motion ts_world_get_motion(const ts_world *world, size_t body);

/// What the world was made from: the shape and the first pose of a body, the parameters. Borrowed.
const ts_shape *ts_world_shape(const ts_world *world, size_t body);
ts_pose ts_world_rest_pose(const ts_world *world, size_t body);
const ts_world_params *ts_world_get_params(const ts_world *world);

#endif
