// SPDX-License-Identifier: MIT
/// Inertia about the centre of mass, and its root: what turns angular momentum into angular
/// velocity and impulses into scaled velocities.
#ifndef TS_SIM_INERTIA_H
#define TS_SIM_INERTIA_H

#include "geometry/pose.h"

typedef struct ts_inertia {
  double local[3][3];        ///< Axes of the local frame [kg m2].
  double inverse_root[3][3]; ///< K, upper triangular, with K K^T = inverse(local).
} ts_inertia;

/// From a symmetric matrix, with `added` put on its diagonal [kg m2]. 0 when that is not positive
/// definite, or its inverse not finite: `out` is then not to be used.
int ts_inertia_make(ts_inertia *out, const double local_kg_m2[3][3], double added);

/// Angular momentum [kg m2/s] at an angular velocity [rad/s], both world, of a body with
/// `rotation`.
ts_vec3 ts_inertia_momentum(const ts_inertia *inertia, ts_quat rotation, ts_vec3 angular_rad_s);

/// Its inverse.
ts_vec3 ts_inertia_velocity(const ts_inertia *inertia, ts_quat rotation, ts_vec3 momentum);

/// B with B B^T the inverse inertia in the world: the rotation times K [kg^-1/2 m^-1].
void ts_inertia_inverse_root(double out[3][3], const ts_inertia *inertia, ts_quat rotation);

#endif
