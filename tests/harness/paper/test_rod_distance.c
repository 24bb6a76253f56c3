// SPDX-License-Identifier: MIT
// covers: harness/paper/rod_distance.c
#include "harness/paper/rod_distance.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(harness_rod_distance, .init = setup, .fini = teardown, .timeout = 60);

/// A rod of 2 m on friction of 5 m/s2, pulled with a share of what would move it sideways.
static ts_rod_place slide(double share, double time_s) {
  const ts_rod rod = {.length_m = 2, .width_m = 0.05, .pull_m_s2 = 5 * share, .friction_m_s2 = 5};
  return ts_rod_slide(&rod, time_s, 0.001);
}

Test(harness_rod_distance, a_rod_slips_at_root_2_less_1_of_its_friction) {
  double limit = sqrt(2) - 1;
  cr_expect_lt(fabs(slide(0.99 * limit, 0.5).turn_rad), 1e-3);
  cr_expect_gt(slide(1.02 * limit, 0.5).turn_rad, 5e-3);
}

Test(harness_rod_distance, it_turns_about_a_point_beyond_its_middle) {
  ts_rod_place at = slide(0.45, 0.1);
  cr_expect(at.turn_rad > 0 && at.z_m > 0);
  // At the limit its distance from the pulled end is half the length times the root of 2.
  cr_expect_float_eq(at.z_m / at.turn_rad, sqrt(2) - 1, 0.02, "%g", at.z_m / at.turn_rad);
}

Test(harness_rod_distance, without_friction_it_moves_as_free_bodies_do) {
  const ts_rod rod = {.length_m = 2, .width_m = 0, .pull_m_s2 = 3, .friction_m_s2 = 0};
  const double time_s = 0.1;
  ts_rod_place at = ts_rod_slide(&rod, time_s, 1e-4);
  cr_expect_float_eq(at.z_m, 0.5 * 3 * time_s * time_s, 1e-4);
  // Its moment of inertia over the mass is 1/3 m2, and the arm 1 m.
  cr_expect_float_eq(at.turn_rad, 0.5 * 9 * time_s * time_s, 1e-3);
  cr_expect_float_eq(at.x_m, 0, 1e-12);
}

Test(harness_rod_distance, shorter_steps_end_alike) {
  const ts_rod rod = {.length_m = 2, .width_m = 0.05, .pull_m_s2 = 2.25, .friction_m_s2 = 5};
  ts_rod_distance apart =
      ts_rod_compare(ts_rod_slide(&rod, 0.5, 1e-3), ts_rod_slide(&rod, 0.5, 2.5e-4), 2);
  cr_expect_lt(apart.max, 5e-4, "%g", apart.max);
}

Test(harness_rod_distance, distances_are_over_the_length) {
  ts_rod_distance shifted = ts_rod_compare((ts_rod_place){0.3, 0.4, 1}, (ts_rod_place){0, 0, 1}, 2);
  cr_expect_float_eq(shifted.mean, 0.25, 1e-12);
  cr_expect_float_eq(shifted.max, 0.25, 1e-12);
  ts_rod_distance turned =
      ts_rod_compare((ts_rod_place){0, 0, acos(-1.0)}, (ts_rod_place){0, 0, 0}, 2);
  cr_expect_float_eq(turned.max, 1, 1e-12, "its ends have changed places");
  cr_expect_float_eq(turned.mean, 0.5, 0.01);
}

static const ts_cell *cell_of(const char *name, size_t set_count, const ts_assignment *sets) {
  ts_plan_request request = {
      .cases = name, .methods = "ldi_volume", .steps = 51, .set_count = set_count, .sets = sets};
  ts_plan plan;
  cr_assert_eq(ts_plan_create(&plan, arena, &request), TS_OK, "%s", ts_status_detail());
  return &plan.cells[0];
}

Test(harness_rod_distance, one_contact_lets_the_rod_spin_and_many_hold_it) {
  ts_rod_distance one, many;
  ts_assignment sets[] = {
      {"response", "volume"}, {"spin_length_m", "0"}, {"resolution_px", "240"}, {"cell_px", "0"}};
  const ts_cell *cell = cell_of("dragged_rod", 4, sets);
  cr_assert_eq(ts_rod_distance_of(&one, arena, cell, 51), TS_OK, "%s", ts_status_detail());
  sets[3].value = "12";
  cell = cell_of("dragged_rod", 4, sets);
  cr_assert_eq(ts_rod_distance_of(&many, arena, cell, 51), TS_OK, "%s", ts_status_detail());
  cr_expect_gt(one.mean, 0.1);
  cr_expect_lt(many.mean, 0.02);
  cr_expect_gt(many.max, many.mean);
}

Test(harness_rod_distance, a_case_without_a_pull_is_refused) {
  ts_rod_distance out;
  cr_expect_eq(ts_rod_distance_of(&out, arena, cell_of("pillar", 0, NULL), 2), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "forces"), "%s", ts_status_detail());
}
