// SPDX-License-Identifier: MIT
/// What is measured of a world: energy, momentum, drift.
#ifndef TS_SIM_WORLD_MEASURES_H
#define TS_SIM_WORLD_MEASURES_H

#include "sim/world.h"

/// Energies of all bodies that are not fixed [J]; the potential is zero at the world's origin.
typedef struct ts_world_energy {
  double linear_j, angular_j, potential_j;
} ts_world_energy;

ts_world_energy ts_world_get_energy(const ts_world *world);

/// Linear momentum [kg m/s], and angular momentum about the world's origin [kg m2/s], of all bodies
/// that are not fixed.
typedef struct ts_world_momentum {
  ts_vec3 linear_kg_m_s, angular_kg_m2_s;
} ts_world_momentum;

ts_world_momentum ts_world_get_momentum(const ts_world *world);

/// How far a body is from where it was when the world was made: the largest displacement of any
/// vertex of its mesh [m], which no other point of the body exceeds. Exactly 0 for a fixed body.
double ts_world_drift_m(const ts_world *world, size_t body);

/// The largest drift of any body [m]; 0 without bodies.
double ts_world_largest_drift_m(const ts_world *world);

/// The largest angle of any body's vertical to where it was when the world was made [deg]: that of
/// the local direction that was along `up` (world, unit). Turns about it do not count. 0 without
/// bodies.
double ts_world_largest_tilt_deg(const ts_world *world, ts_vec3 up);

#endif
