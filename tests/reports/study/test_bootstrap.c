// SPDX-License-Identifier: MIT
// covers: reports/study/bootstrap.c
#include "reports/study/bootstrap.h"

#include <criterion/criterion.h>
#include <math.h>

static ts_arena *arena;

static void open_bootstrap(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void close_bootstrap(void) {
  ts_arena_destroy(arena);
}

TestSuite(reports_bootstrap, .init = open_bootstrap, .fini = close_bootstrap, .timeout = 30);

static ts_interval interval_of(const double *values, const size_t *strata, size_t count) {
  ts_interval interval;
  size_t used = ts_arena_used(arena);
  cr_assert_eq(ts_bootstrap_mean(&interval, arena, values, strata, count), TS_OK);
  cr_assert_eq(ts_arena_used(arena), used, "scratch memory is returned");
  return interval;
}

#define INTERVAL(values, strata) interval_of(values, strata, sizeof(values) / sizeof *(values))

Test(reports_bootstrap, no_values_have_no_mean_and_one_has_no_interval) {
  const double value = 5;
  ts_interval none = interval_of(NULL, NULL, 0), one = interval_of(&value, NULL, 1);
  cr_expect(isnan(none.mean) && isnan(none.low) && isnan(none.high));
  cr_expect_eq(one.mean, 5);
  cr_expect_eq(one.count, 1);
  cr_expect(isnan(one.low) && isnan(one.high));
}

Test(reports_bootstrap, equal_values_have_an_interval_of_no_width) {
  const double values[] = {100, 100, 100};
  ts_interval interval = INTERVAL(values, NULL);
  cr_expect_eq(interval.mean, 100);
  cr_expect_eq(interval.low, 100);
  cr_expect_eq(interval.high, 100);
}

Test(reports_bootstrap, the_interval_is_close_to_that_of_students_t_for_even_values) {
  // 1 to 20: mean 10.5, variance 35, t(19) = 2.093.
  double values[20];
  for (int i = 0; i < 20; i++)
    values[i] = i + 1;
  ts_interval interval = INTERVAL(values, NULL);
  double half = 2.093 * sqrt(35.0 / 20);
  cr_expect_float_eq(interval.mean, 10.5, 1e-12);
  cr_expect_float_eq(interval.low, 10.5 - half, 0.06 * half);
  cr_expect_float_eq(interval.high, 10.5 + half, 0.06 * half);
}

Test(reports_bootstrap, differences_between_strata_do_not_widen_the_interval) {
  const double values[] = {10, 11, 12, 90, 91, 92};
  const size_t strata[] = {7, 7, 7, 3, 3, 3};
  ts_interval together = INTERVAL(values, NULL), apart = INTERVAL(values, strata);
  cr_expect_eq(together.mean, apart.mean);
  cr_expect_gt(together.high - together.low, 50);
  // The mean of two means of three, each of variance 1: 1/6, with 4 degrees of freedom.
  cr_expect_float_eq((apart.high - apart.low) / 2, 2.776 * sqrt(1.0 / 6), 0.15);
}

Test(reports_bootstrap, strata_of_one_value_are_resampled_together) {
  const double values[] = {1, 5, 2, 8, 3};
  const size_t singles[] = {4, 3, 2, 1, 0};
  ts_interval together = INTERVAL(values, NULL), single = INTERVAL(values, singles);
  cr_expect_eq(together.mean, single.mean);
  cr_expect_eq(together.low, single.low);
  cr_expect_eq(together.high, single.high);
}

Test(reports_bootstrap, the_only_stratum_of_one_value_joins_another) {
  const double values[] = {1, 2, 3, 50};
  const size_t strata[] = {0, 0, 0, 1};
  ts_interval together = INTERVAL(values, NULL), joined = INTERVAL(values, strata);
  cr_expect_eq(together.low, joined.low);
  cr_expect_eq(together.high, joined.high);
}

Test(reports_bootstrap, the_order_of_the_values_does_not_matter) {
  const double forth[] = {0.1, 0.7, 0.3, 0.9, 0.2, 0.4}, back[] = {0.4, 0.2, 0.9, 0.3, 0.7, 0.1};
  const size_t strata_forth[] = {0, 1, 0, 1, 1, 0}, strata_back[] = {0, 1, 1, 0, 1, 0};
  ts_interval a = INTERVAL(forth, strata_forth), b = INTERVAL(back, strata_back);
  cr_expect_eq(a.mean, b.mean);
  cr_expect_eq(a.low, b.low);
  cr_expect_eq(a.high, b.high);
}

Test(reports_bootstrap, the_bits_are_the_same_everywhere) {
  const double values[] = {1.5, 2.25, 4, 7.125, 11, 3};
  const size_t strata[] = {0, 0, 1, 1, 1, 0};
  ts_interval interval = INTERVAL(values, strata);
  cr_expect_eq(interval.low, 0x1.4893ec4f68f98p-1, "%a", interval.low);
  cr_expect_eq(interval.high, 0x1.1f76c13b09706p+3, "%a", interval.high);
}
