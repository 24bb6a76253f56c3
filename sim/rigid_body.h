// SPDX-License-Identifier: MIT
/// A rigid body as the worlds of sim/ move it: by its centre of mass and its angular momentum.
#ifndef TS_SIM_RIGID_BODY_H
#define TS_SIM_RIGID_BODY_H

#include "geometry/mesh/body.h"
#include "sim/inertia.h"

/// How a body moves: of its centre of mass, in the world.
typedef struct ts_body_state {
  ts_quat rotation;
  ts_vec3 centre;
  ts_vec3 velocity_m_s;
  ts_vec3 spin_kg_m2_s; ///< Angular momentum about the centre.
} ts_body_state;

/// What a body is made of. The mass of a fixed one is infinite, its centre is its local origin, and
/// its inertia is not set.
typedef struct ts_body_properties {
  double mass_kg;
  ts_vec3 centre_local;
  ts_inertia inertia;
  ts_inertia damped; ///< Inertia and what a step of angular damping adds to it.
  ts_pose rest;      ///< as the body was created
} ts_body_properties;

/// TS_E_INPUT, with the body named by its index, for a pose or a twist that is not finite and a
/// rotation that is not a unit quaternion up to rounding.
ts_status ts_rigid_body_check_state(size_t body, ts_pose pose, ts_twist twist);

/// The properties of the body, with `damping_kg_m2` added to `damped`. TS_E_INPUT, with the body
/// named by `index`: a shape that is not there [shape_count], ts_rigid_body_check_state(), and of a
/// body that is not fixed: a density that is not above zero, mass or inertia out of what doubles
/// hold.
ts_status ts_rigid_body_make(ts_body_properties *out, const ts_shape *shapes, size_t shape_count,
                             const ts_body *body, size_t index, double damping_kg_m2);

/// The state of a body from its pose and twist.
ts_body_state ts_rigid_body_read(const ts_body_properties *properties, const ts_body *body);

/// Pose and twist of a body from its state; a fixed one stays as it is.
void ts_rigid_body_write(ts_body *body, const ts_body_properties *properties,
                         const ts_body_state *state);

/// Angular velocity of a body that is not fixed.
ts_vec3 ts_rigid_body_angular(const ts_body_properties *properties, const ts_body_state *state);

/// A rotation turned by an angular velocity for a time.
ts_quat ts_rigid_body_turned(ts_quat rotation, ts_vec3 angular_rad_s, double dt_s);

#endif
