// SPDX-License-Identifier: MIT
// covers: methods/method_state.c
#include "methods/method_state.h"

#include <criterion/criterion.h>

static const char *const words[] = {"renewed", "kept", NULL};
static const ts_param params[2] = {
    {.name = "size_m", .kind = TS_PARAM_REAL},
    {.name = "manifold", .kind = TS_PARAM_CHOICE, .choices = words},
};

Test(methods_method_state, without_a_parameter_the_method_says_it_once_for_all) {
  ts_method method = {.params = params, .param_count = 2};
  const double values[2] = {1, 1};
  cr_expect_not(ts_method_keeps_state(&method, values));
  method.keeps_state = 1;
  cr_expect(ts_method_keeps_state(&method, values));
  method.param_count = 0;
  cr_expect(ts_method_keeps_state(&method, NULL));
}

Test(methods_method_state, a_parameter_decides_by_being_0_or_not) {
  ts_method method = {
      .params = params, .param_count = 2, .keeps_state = 1, .keeps_state_if = "manifold"};
  cr_expect_not(ts_method_keeps_state(&method, (const double[]){1, 0}));
  cr_expect(ts_method_keeps_state(&method, (const double[]){0, 1}));
  method.keeps_state_if = "size_m";
  cr_expect_not(ts_method_keeps_state(&method, (const double[]){0, 1}));
  cr_expect(ts_method_keeps_state(&method, (const double[]){1e-9, 0}));
}

Test(methods_method_state, a_method_takes_no_shapes_where_its_parameter_is_0) {
  const uint32_t takes = TS_TAKES(TS_GEOMETRY_SPHERE) | TS_TAKES(TS_GEOMETRY_PLANE);
  ts_method method = {.params = params, .param_count = 2, .takes = takes};
  cr_expect_eq(ts_method_takes(&method, (const double[]){0, 0}), takes);
  method.takes_if = "manifold";
  cr_expect_eq(ts_method_takes(&method, (const double[]){1, 0}), 0);
  cr_expect_eq(ts_method_takes(&method, (const double[]){0, 1}), takes);
}
