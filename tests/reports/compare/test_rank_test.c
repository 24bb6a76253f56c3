// SPDX-License-Identifier: MIT
// covers: reports/compare/rank_test.c
#include "reports/compare/rank_test.h"

#include <criterion/criterion.h>
#include <math.h>

static ts_arena *arena;

static void open_arena(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void close_arena(void) {
  ts_arena_destroy(arena);
}

TestSuite(reports_rank_test, .init = open_arena, .fini = close_arena, .timeout = 30);

static ts_rank_test run_test(const double *old, size_t old_count, const double *new,
                             size_t new_count) {
  ts_rank_test test;
  cr_assert_eq(ts_rank_test_run(&test, arena, old, old_count, new, new_count), TS_OK);
  return test;
}

#define RUN(old, new) run_test(old, sizeof(old) / sizeof *(old), new, sizeof(new) / sizeof *(new))

Test(reports_rank_test, three_below_three_has_two_of_the_twenty_orders) {
  const double low[] = {1, 2, 3}, high[] = {6, 5, 4};
  ts_rank_test test = RUN(low, high);
  cr_expect(test.is_exact);
  cr_expect_float_eq(test.u, 9, 0);
  cr_expect_float_eq(test.new_is_larger, 1, 0);
  cr_expect_float_eq(test.p, 2.0 / 20, 1e-14);
}

Test(reports_rank_test, small_samples_follow_the_counted_orders) {
  // Orders of 2 and 3 with U = 0, 1, 2, 3: 1, 1, 2, 2 of the 10.
  const double old[] = {1, 4}, u5[] = {2, 5, 6}, u4[] = {2, 3, 5};
  ts_rank_test test = RUN(old, u5);
  cr_expect_float_eq(test.u, 5, 0);
  cr_expect_float_eq(test.p, 2 * 2.0 / 10, 1e-14);
  test = RUN(old, u4);
  cr_expect_float_eq(test.u, 4, 0);
  cr_expect_float_eq(test.p, 2 * 4.0 / 10, 1e-14);
}

Test(reports_rank_test, ties_are_halves_and_correct_the_variance) {
  // The new 2 is above 1 and ties with two, the 3 is above three and ties with one; 4 and 5 are
  // above all. Of the 8 numbers three are equal, and two others.
  const double old[] = {1, 2, 2, 3}, new[] = {2, 3, 4, 5};
  ts_rank_test test = RUN(old, new);
  cr_expect_not(test.is_exact);
  cr_expect_float_eq(test.u, (1 + 1.0) + (3 + 0.5) + 4 + 4, 1e-14);
  double variance = 16.0 / 12 * (9 - (24.0 + 6.0) / (8 * 7));
  double z = (13.5 - 8 - 0.5) / sqrt(variance);
  cr_expect_float_eq(test.p, erfc(z / sqrt(2)), 1e-14);
}

Test(reports_rank_test, swapping_the_samples_mirrors_the_effect) {
  double old[60], new[55];
  for (int i = 0; i < 60; i++)
    old[i] = (i * 37) % 61;
  for (int i = 0; i < 55; i++)
    new[i] = (i * 29) % 53 + 6;
  ts_rank_test forth = RUN(old, new), back = RUN(new, old);
  cr_expect_float_eq(forth.new_is_larger + back.new_is_larger, 1, 1e-12);
  cr_expect_float_eq(forth.p, back.p, 1e-12);
  cr_expect_gt(forth.new_is_larger, 0.5);
}

Test(reports_rank_test, the_exact_and_the_approximate_test_meet) {
  // 20 and 20 numbers are exact; one equal pair makes the test approximate.
  double old[20], new[20];
  for (int i = 0; i < 20; i++) {
    old[i] = 2 * i;
    new[i] = 2 * i + 7.5;
  }
  ts_rank_test exact = RUN(old, new);
  cr_expect(exact.is_exact);
  old[19] = 45.5;
  new[19] = 45.5;
  ts_rank_test close = RUN(old, new);
  cr_expect_not(close.is_exact);
  cr_expect_float_eq(exact.p, close.p, 0.02);
  cr_expect_lt(exact.p, 0.2);
}

Test(reports_rank_test, equal_numbers_and_equal_samples_are_not_significant) {
  const double same[] = {3, 3, 3, 3}, spread[] = {1, 2, 3, 4};
  cr_expect_float_eq(RUN(same, same).p, 1, 0);
  cr_expect_float_eq(RUN(spread, spread).p, 1, 0);
  cr_expect_float_eq(RUN(spread, spread).new_is_larger, 0.5, 0);
  const double one[] = {1}, other[] = {2};
  cr_expect_float_eq(RUN(one, other).p, 1, 1e-14, "two orders, either as likely");
}

Test(reports_rank_test, an_empty_sample_is_not_tested) {
  const double some[] = {1, 2};
  ts_rank_test test = run_test(some, 2, some, 0);
  cr_expect(isnan(test.p) && isnan(test.u) && isnan(test.new_is_larger));
}

Test(reports_rank_test, the_exact_shares_of_all_u_add_up) {
  // p of the least U is 2 / C(10, 4) = 2 / 210 for 4 and 6, either way round.
  const double four[] = {1, 2, 3, 4}, six[] = {5, 6, 7, 8, 9, 10};
  cr_expect_float_eq(RUN(four, six).p, 2.0 / 210, 1e-14);
  cr_expect_float_eq(RUN(six, four).p, 2.0 / 210, 1e-14);
}

Test(reports_rank_test, holm_multiplies_by_the_tests_that_are_left) {
  double p[] = {0.04, (double)NAN, 0.01, 0.03, 0.5};
  cr_assert_eq(ts_rank_adjust(p, arena, 5), TS_OK);
  cr_expect_float_eq(p[2], 4 * 0.01, 1e-15);
  cr_expect_float_eq(p[3], 3 * 0.03, 1e-15);
  cr_expect_float_eq(p[0], 0.09, 1e-15, "never below a smaller one");
  cr_expect_float_eq(p[4], 0.5, 1e-15);
  cr_expect(isnan(p[1]));
}
