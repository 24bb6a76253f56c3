// SPDX-License-Identifier: MIT
/// A rod that is pulled across at one end, beside the same rod with friction spread evenly along
/// it: the limit of ever more contacts that all press alike.
#ifndef TS_HARNESS_ROD_DISTANCE_H
#define TS_HARNESS_ROD_DISTANCE_H

#include "harness/plan/plan.h"

/// A rod on a plane, seen from above. It starts at rest along x, its middle at the origin.
typedef struct ts_rod {
  double length_m, width_m;
  double pull_m_s2;     ///< the force along z at the end at +x, over the mass
  double friction_m_s2; ///< Coulomb coefficient times gravity
} ts_rod;

typedef struct ts_rod_place {
  double x_m, z_m; ///< its middle
  double turn_rad; ///< from x towards z
} ts_rod_place;

/// Where the rod is after `time_s`, in steps of at most `step_s`: each finds the velocities at
/// which what is left of the impulse and friction at TS_ROD_POINTS points balance (a convex
/// problem).
#define TS_ROD_POINTS 200
ts_rod_place ts_rod_slide(const ts_rod *rod, double time_s, double step_s);

typedef struct ts_rod_distance {
  double mean, max; ///< over the length of the rod
} ts_rod_distance;

/// Distances between points of the axes of two rods of that length.
ts_rod_distance ts_rod_compare(ts_rod_place a, ts_rod_place b, double length_m);

/// The same of the rod of a cell of the case dragged_rod, which is run again up to the step, and
/// the rod with evenly spread friction at that time. TS_E_INPUT for another case.
ts_status ts_rod_distance_of(ts_rod_distance *out, ts_arena *arena, const ts_cell *cell,
                             int64_t step);

#endif
