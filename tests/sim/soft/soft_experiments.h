// SPDX-License-Identifier: MIT
/// Experiments on the error of responses, with exact contacts of surface nodes: a beam that falls
/// on a sphere, a chain of three links, a block on a slope. Each runs a world by each of the
/// compliances, with contacts of its own, and compares with that by the exact one.
#ifndef TS_TESTS_SIM_SOFT_EXPERIMENTS_H
#define TS_TESTS_SIM_SOFT_EXPERIMENTS_H

#include "tests/sim/soft/soft_scene.h"

/// What a world did; [2]: at the step of the largest deformation of the exact world, in the end.
/// The figures of Saupin 2008, Table 1, are of these two times.
typedef struct soft_result {
  double step_error_median, step_error_max; ///< NaN for exact
  double deformation[2], displacement[2];   ///< ts_shape_errors against the exact world
  double displacement_farthest;             ///< where the exact world is displaced the most
  double exact_deformation_m[2];
  double defect_median, defect_max;
  double gap_min_m;      ///< after a step
  double normal_force_n; ///< of the last step
  double rotation_rad;   ///< ts_shape_largest_rotation_rad in the end
  double sweeps_mean;
  int32_t contacts_max, unconverged;
  ts_vec3 centre_m, velocity_m_s; ///< of the mass of the first deformable body, in the end
  ts_vec3 velocity_half_m_s;      ///< after half of the steps
  uint64_t bits;                  ///< fingerprint of the deformable nodes after each step
} soft_result;

/// Runs the scene for so many steps by all compliances.
void soft_experiment_run(soft_result out[TS_COMPLIANCE_COUNT], const soft_scene *s, int steps);

/// B: a clamped beam falls on a fixed sphere.
void soft_experiment_beam(soft_scene *s, double young_pa, double drop_m);

/// C: a fixed ring, a soft torus, a free ring; hanging, or held out to the side.
void soft_experiment_chain(soft_scene *s, double young_pa, double dt_s, bool is_horizontal);

/// D: a soft block, whose rest frame is turned by 40 degrees about (1, 2, 3), on a slope. Lengths
/// and gravity are multiplied by `scale`, Young's modulus by its square: the motion is the same.
void soft_experiment_block(soft_scene *s, double slope_deg, double scale);

#endif
