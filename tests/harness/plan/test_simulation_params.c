// SPDX-License-Identifier: MIT
// covers: harness/plan/simulation_params.c
#include "harness/plan/simulation_params.h"

#include "base/status.h"
#include "sim/soft/compliance.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(harness_simulation_params, .timeout = 30);

static void set_defaults(double values[TS_SIMULATION_COUNT]) {
  for (size_t i = 0; i < TS_SIMULATION_COUNT; i++)
    values[i] = ts_simulation_params[i].default_value;
}

Test(harness_simulation_params, responses_of_deformable_bodies_have_the_names_of_compliances) {
  const char *const *names = ts_simulation_params[TS_SIMULATION_RESPONSE].choices;
  for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++)
    cr_expect_str_eq(names[TS_RESPONSE_EXACT + kind], ts_compliances[kind].name);
  cr_expect_null(names[TS_RESPONSE_EXACT + TS_COMPLIANCE_COUNT]);
}

Test(harness_simulation_params, deformable_bodies_have_the_exact_response_by_default) {
  double values[TS_SIMULATION_COUNT];
  set_defaults(values);
  cr_assert_eq(ts_simulation_suit_bodies(values, "soft", true), TS_OK);
  cr_expect_eq(values[TS_SIMULATION_RESPONSE], TS_RESPONSE_EXACT);
  set_defaults(values);
  cr_assert_eq(ts_simulation_suit_bodies(values, "wall", false), TS_OK);
  cr_expect_eq(values[TS_SIMULATION_RESPONSE], 0);
}

static void expect_refused(int response, int stepper, bool is_deformable, const char *words) {
  double values[TS_SIMULATION_COUNT];
  set_defaults(values);
  values[TS_SIMULATION_RESPONSE] = response;
  values[TS_SIMULATION_STEPPER] = stepper;
  cr_expect_eq(ts_simulation_suit_bodies(values, "a_case", is_deformable), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), words), "%s", ts_status_detail());
  cr_expect(strstr(ts_status_detail(), "a_case"), "%s", ts_status_detail());
}

Test(harness_simulation_params, what_cannot_move_the_bodies_of_a_case_is_refused) {
  expect_refused(TS_RESPONSE_EXACT, TS_STEPPER_TOUCHSTONE, false, "response=exact");
  expect_refused(TS_RESPONSE_EXACT + 1, TS_STEPPER_TOUCHSTONE, false, "response=warped");
  expect_refused(1, TS_STEPPER_TOUCHSTONE, true, "response=volume");
  expect_refused(2, TS_STEPPER_TOUCHSTONE, true, "response=penalty");
  expect_refused(0, TS_STEPPER_PATH, true, "stepper=path");
  expect_refused(TS_RESPONSE_EXACT, TS_STEPPER_PROX, true, "stepper=prox2018");
}

Test(harness_simulation_params, parameters_of_rigid_bodies_do_nothing_to_deformable_ones) {
  double values[TS_SIMULATION_COUNT];
  const char *unless;
  set_defaults(values);
  cr_expect(ts_simulation_param_applies(&unless, TS_SIMULATION_DAMPING, values));
  cr_expect_not(ts_simulation_param_applies(&unless, TS_SIMULATION_RESIDUAL, values));
  values[TS_SIMULATION_RESPONSE] = TS_RESPONSE_EXACT;
  cr_expect_not(ts_simulation_param_applies(&unless, TS_SIMULATION_DAMPING, values));
  cr_expect(ts_simulation_param_applies(&unless, TS_SIMULATION_RESIDUAL, values));
  cr_expect_not(ts_simulation_param_applies(&unless, TS_SIMULATION_TWIN, values));
  values[TS_SIMULATION_RESPONSE] = TS_RESPONSE_EXACT + 1;
  cr_expect(ts_simulation_param_applies(&unless, TS_SIMULATION_TWIN, values));
}
