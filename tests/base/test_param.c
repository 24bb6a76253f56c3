// SPDX-License-Identifier: MIT
// covers: base/param.c
#include "base/param.h"
#include "base/status.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const char *const colours[] = {"red", "green", "blue", NULL};
static const ts_param params[] = {
    {"size_m", "A length.", TS_PARAM_REAL, 1, 0.5, 0, 10, NULL},
    {"layers", "A count.", TS_PARAM_INTEGER, 0, 3, 1, 8, NULL},
    {"colour", "A choice.", TS_PARAM_CHOICE, 0, 1, 0, 0, colours},
    {"seed", "Open above.", TS_PARAM_INTEGER, 0, 0, 0, INFINITY, NULL},
};
enum { COUNT = sizeof params / sizeof *params };

static ts_status parse(double *out, const char *name, const char *text) {
  return ts_param_parse(out, &params[ts_param_find(params, COUNT, name)], text);
}

Test(base_param, names_are_found_whole) {
  cr_assert_eq(ts_param_find(params, COUNT, "layers"), 1);
  cr_assert_eq(ts_param_find(params, COUNT, "layer"), -1);
  cr_assert_eq(ts_param_find(NULL, 0, "layers"), -1);
}

Test(base_param, values_in_range_are_read) {
  double value;
  cr_assert_eq(parse(&value, "size_m", "1e1"), TS_OK);
  cr_assert_eq(value, 10);
  cr_assert_eq(parse(&value, "colour", "blue"), TS_OK);
  cr_assert_eq(value, 2);
}

Test(base_param, values_out_of_range_are_refused_with_what_is_allowed) {
  static const char *const bad[][3] = {
      {"size_m", "-1", "a number from 0 to 10"},
      {"size_m", "nan", "a number from 0 to 10"},
      {"size_m", "inf", "a number from 0 to 10"},
      {"size_m", "big", "a number from 0 to 10"},
      {"layers", "2.5", "a whole number from 1 to 8"},
      {"layers", "9", "a whole number from 1 to 8"},
      {"seed", "-1", "a whole number, at least 0"},
      {"colour", "pink", "red, green or blue"},
      {"colour", "1", "red, green or blue"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    double value = -7;
    cr_assert_eq(parse(&value, bad[i][0], bad[i][1]), TS_E_INPUT, "%s=%s", bad[i][0], bad[i][1]);
    cr_assert_eq(value, -7, "a refused value must not be stored");
    cr_assert_not_null(strstr(ts_status_detail(), bad[i][2]), "%s", ts_status_detail());
  }
}

Test(base_param, joined_values_are_in_the_order_of_the_descriptors) {
  ts_arena *arena;
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  double values[COUNT];
  ts_param_defaults(values, params, COUNT);
  cr_assert_str_eq(ts_param_join(arena, params, COUNT, values),
                   "size_m=0.5;layers=3;colour=green;seed=0");
  cr_assert_str_eq(ts_param_join(arena, params, 0, values), "");
  ts_arena_destroy(arena);
}

Test(base_param, only_lengths_are_scaled) {
  double values[COUNT], scaled[COUNT];
  ts_param_defaults(values, params, COUNT);
  ts_param_scale_lengths(scaled, params, COUNT, values, 1000);
  cr_assert_eq(scaled[0], 500);
  cr_assert_eq(scaled[1], 3);
}

Test(base_param, a_list_of_a_row_has_whole_entries_only) {
  const char *list = "scale=1;angle=30";
  cr_expect(ts_param_list_has(list, "scale=1", 7));
  cr_expect(ts_param_list_has(list, "angle=30;more", 8), "the entry ends at its length");
  cr_expect_not(ts_param_list_has(list, "angle=3", 7));
  cr_expect_not(ts_param_list_has(list, "scale=10", 8));
  cr_expect_not(ts_param_list_has("", "scale=1", 7));
}
