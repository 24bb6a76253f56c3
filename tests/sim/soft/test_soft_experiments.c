// SPDX-License-Identifier: MIT
// covers: sim/soft/*.c
// Parts of the experiments of benchmark_experiments, which runs them in full, that are short
// enough. The figures are those of a reference implementation in double precision.
#include "tests/sim/soft/soft_experiments.h"

#include <criterion/criterion.h>
#include <math.h>

static void check_ratio(double is, double reference, double ratio) {
  cr_assert(is <= ratio * reference && reference <= ratio * is, "%g, not %g", is, reference);
}

Test(soft_experiments, a_beam_on_a_sphere_is_displaced_as_the_responses_say_when_it_is_lowest) {
  soft_scene s;
  soft_result r[TS_COMPLIANCE_COUNT];
  soft_scene_init(&s);
  soft_experiment_beam(&s, 3e6, 0.05);
  soft_experiment_run(r, &s, 18);
  check_ratio(100 * r[TS_COMPLIANCE_WARPED].displacement_farthest, 0.06, 1.2);
  check_ratio(100 * r[TS_COMPLIANCE_INITIAL].displacement_farthest, 0.73, 1.2);
  check_ratio(100 * r[TS_COMPLIANCE_INITIAL].step_error_median, 5.66, 1.2);
  for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++) {
    cr_assert_gt(r[kind].contacts_max, 0);
    cr_assert_geq(r[kind].gap_min_m, -1e-7);
    cr_assert_eq(r[kind].unconverged, 0);
  }
  soft_scene_release(&s);
}

Test(soft_experiments, a_hanging_chain_is_wrong_by_warping_by_more_than_by_doing_nothing) {
  soft_scene s;
  soft_result r[TS_COMPLIANCE_COUNT];
  soft_scene_init(&s);
  soft_experiment_chain(&s, 6e5, 0.01, false);
  soft_experiment_run(r, &s, 10); // past the largest deformation
  const soft_result *warped = &r[TS_COMPLIANCE_WARPED], *initial = &r[TS_COMPLIANCE_INITIAL];
  check_ratio(100 * warped->deformation[0], 6.1, 1.5);
  check_ratio(100 * initial->deformation[0], 4.4, 1.5);
  check_ratio(100 * warped->displacement[0], 2.6, 1.5);
  cr_assert_gt(warped->step_error_median, initial->step_error_median);
  cr_assert_leq(r[TS_COMPLIANCE_EXACT].defect_max, 1e-10);
  cr_assert(warped->defect_max > 1e-4 && warped->defect_max < 0.13, "%g", warped->defect_max);
  cr_assert_leq(initial->defect_max, 1e-10, "nothing is turned, so that no net force is added");
  soft_scene_release(&s);
}

Test(soft_experiments, a_chain_that_swings_down_is_better_by_warping) {
  soft_scene s;
  soft_result r[TS_COMPLIANCE_COUNT];
  soft_scene_init(&s);
  soft_experiment_chain(&s, 1.5e5, 0.01, true);
  soft_experiment_run(r, &s, 24);
  cr_assert_lt(r[TS_COMPLIANCE_WARPED].step_error_median,
               0.8 * r[TS_COMPLIANCE_INITIAL].step_error_median);
  cr_assert_lt(r[TS_COMPLIANCE_WARPED].deformation[0], r[TS_COMPLIANCE_INITIAL].deformation[0]);
  cr_assert_eq(r[TS_COMPLIANCE_WARPED].unconverged, 0);
  soft_scene_release(&s);
}

Test(soft_experiments, a_block_slides_down_a_slope_by_the_rigid_law_and_warped_nearly_so) {
  soft_scene s;
  soft_result r[TS_COMPLIANCE_COUNT];
  soft_scene_init(&s);
  soft_experiment_block(&s, 28, 1);
  soft_experiment_run(r, &s, 100);
  double accelerations[TS_COMPLIANCE_COUNT];
  for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++)
    accelerations[kind] = 2 * (r[kind].velocity_m_s.x - r[kind].velocity_half_m_s.x);
  const double deg = 0.0174532925199432957692;
  double rigid = 9.82 * (sin(28 * deg) - 0.5 * cos(28 * deg));
  cr_assert_float_eq(accelerations[TS_COMPLIANCE_EXACT], rigid, 1e-4);
  cr_assert_float_eq(accelerations[TS_COMPLIANCE_WARPED], rigid, 0.006);
  cr_assert_float_eq(accelerations[TS_COMPLIANCE_WARPED], 0.27, 1e-4);
  cr_assert_float_eq(r[TS_COMPLIANCE_WARPED].defect_median, 4e-4, 1e-4);
  cr_assert_float_eq(1e3 * r[TS_COMPLIANCE_EXACT].centre_m.z, 0, 1e-3);
  cr_assert_float_eq(1e3 * r[TS_COMPLIANCE_INITIAL].centre_m.z, -8.1, 0.1);
  soft_scene_release(&s);
}

Test(soft_experiments, a_block_sticks_on_a_slope_below_the_angle_of_friction) {
  soft_scene s;
  soft_result r[TS_COMPLIANCE_COUNT];
  soft_scene_init(&s);
  soft_experiment_block(&s, 25, 1);
  soft_experiment_run(r, &s, 100);
  const double along_mm[TS_COMPLIANCE_COUNT] = {0.44, 0.43, 3.60}, across_mm[] = {0, 0, -0.39};
  for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++) {
    cr_assert_float_eq(1e3 * r[kind].centre_m.x, along_mm[kind], 0.006);
    cr_assert_float_eq(1e3 * r[kind].centre_m.z, across_mm[kind], 0.006);
    cr_assert_leq(ts_vec3_norm(r[kind].velocity_m_s), 1e-6);
  }
  soft_scene_release(&s);
}
