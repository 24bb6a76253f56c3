// SPDX-License-Identifier: MIT
// covers: reports/study/strata.c
#include "reports/study/strata.h"

#include <criterion/criterion.h>
#include <math.h>

static ts_arena *arena;

static void open_strata(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void close_strata(void) {
  ts_arena_destroy(arena);
}

TestSuite(reports_strata, .init = open_strata, .fini = close_strata);

static ts_strata strata_of(const double *values, const size_t *strata, size_t count) {
  ts_strata made;
  cr_assert_eq(ts_strata_make(&made, arena, values, strata, count), TS_OK);
  return made;
}

Test(reports_strata, values_are_sorted_into_their_strata) {
  const double values[] = {5, 1, 9, 3, 7, 2};
  const size_t numbers[] = {8, 2, 8, 2, 8, 2};
  ts_strata made = strata_of(values, numbers, 6);
  cr_assert_eq(made.count, 2);
  cr_expect_eq(made.mean, 4.5);
  cr_expect_eq(made.strata[0].sum, 6);
  cr_expect_eq(made.strata[0].variance, 1);
  cr_expect_eq(made.strata[1].count, 3);
  cr_expect_eq(made.strata[1].values[0], 5);
  cr_expect_eq(made.strata[1].variance, 4);
}

Test(reports_strata, no_values_have_no_mean) {
  ts_strata made = strata_of(NULL, NULL, 0);
  cr_expect_eq(made.count, 0);
  cr_expect(isnan(made.mean));
}

Test(reports_strata, single_values_go_together_and_a_lone_one_joins_another_stratum) {
  const double values[] = {5, 1, 9, 3, 7};
  const size_t two[] = {0, 1, 1, 2, 1}, one[] = {0, 1, 1, 0, 2};
  ts_strata made = strata_of(values, two, 5);
  cr_assert_eq(made.count, 2);
  cr_expect_eq(made.strata[1].count, 2, "5 and 3");
  made = strata_of(values, one, 5);
  cr_assert_eq(made.count, 2);
  cr_expect_eq(made.strata[0].count + made.strata[1].count, 5);
}

Test(reports_strata, the_factor_is_that_of_students_t) {
  // 2.228, 2.571 and 4.303 are its quantiles at 10, 5 and 2 degrees of freedom.
  static const struct {
    size_t count;
    double quantile;
  } known[] = {{11, 2.228}, {6, 2.571}, {3, 4.303}};
  for (size_t k = 0; k < 3; k++) {
    double values[11];
    for (size_t i = 0; i < 11; i++)
      values[i] = (double)(i * i);
    ts_strata made = strata_of(values, NULL, known[k].count);
    cr_expect_float_eq(ts_strata_student_factor(&made) * 1.95996, known[k].quantile,
                       0.01 * known[k].quantile);
  }
}

Test(reports_strata, equal_strata_add_their_degrees_of_freedom) {
  const double values[] = {1, 2, 3, 4, 11, 12, 13, 14};
  const size_t numbers[] = {0, 0, 0, 0, 1, 1, 1, 1};
  ts_strata made = strata_of(values, numbers, 8);
  cr_expect_float_eq(ts_strata_student_factor(&made) * 1.95996, 2.447, 0.003, "t at 3 + 3");
}

Test(reports_strata, the_error_of_the_mean_is_that_of_the_strata) {
  // Two means of three with variance 1: the mean of both has 1 / 6.
  const double values[] = {10, 11, 12, 90, 91, 92}, one = 1;
  const size_t numbers[] = {7, 7, 7, 3, 3, 3};
  ts_strata made = strata_of(values, numbers, 6), single = strata_of(&one, NULL, 1);
  cr_expect_float_eq(ts_strata_error(&made), sqrt(1.0 / 6), 1e-12);
  cr_expect_float_eq(ts_strata_half_width(&made), 2.776 * sqrt(1.0 / 6), 0.002);
  cr_expect(isnan(ts_strata_half_width(&single)));
}

Test(reports_strata, exceptions_are_counted_in_each_stratum) {
  const double values[] = {100, 100, 100, 50, 50, 50, 0};
  const size_t numbers[] = {0, 0, 0, 1, 1, 1, 1};
  ts_strata apart = strata_of(values, numbers, 7), together = strata_of(values, NULL, 7);
  cr_expect_eq(ts_strata_exceptions(&apart), 1);
  cr_expect_eq(ts_strata_exceptions(&together), 4);
}
