// SPDX-License-Identifier: MIT
// covers: reports/study/sign_test.c
#include "reports/study/sign_test.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *arena;

static void open_sign_test(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void close_sign_test(void) {
  ts_arena_destroy(arena);
}

TestSuite(reports_sign_test, .init = open_sign_test, .fini = close_sign_test, .timeout = 30);

static double p_of(const double *differences, const size_t *strata, size_t count) {
  double p;
  ts_strata made;
  cr_assert_eq(ts_strata_make(&made, arena, differences, strata, count), TS_OK);
  size_t used = ts_arena_used(arena);
  cr_assert_eq(ts_sign_test(&p, arena, &made), TS_OK);
  cr_assert_eq(ts_arena_used(arena), used, "scratch memory is returned");
  return p;
}

#define P(...)                                                                                     \
  p_of((const double[]){__VA_ARGS__}, NULL, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

Test(reports_sign_test, five_differences_of_one_sign_have_two_of_the_32_signs) {
  cr_expect_eq(P(1, 2, 3, 4, 5), 2.0 / 32);
  cr_expect_eq(P(-1, -2, -3, -4, -5), 2.0 / 32);
}

Test(reports_sign_test, small_samples_follow_the_counted_signs) {
  // 3 + 2 - 1 = 4: at least that far are +-(3 + 2 + 1) and +-(3 + 2 - 1).
  cr_expect_eq(P(3, 2, -1), 4.0 / 8);
  // Sums of +-0.1 +-0.2 +-0.3 that are 0 but for rounding are all as far out.
  cr_expect_eq(P(0.1, 0.2, -0.3), 1);
}

Test(reports_sign_test, equal_methods_are_not_told_apart) {
  cr_expect_eq(P(0, 0, 0), 1);
  cr_expect(isnan(p_of(NULL, NULL, 0)), "nothing to compare");
}

Test(reports_sign_test, cells_without_a_difference_change_nothing) {
  cr_expect_eq(P(0, 1, 0, 2, 3, 0, 4, 5, 0), P(1, 2, 3, 4, 5));
}

Test(reports_sign_test, one_huge_difference_proves_nothing) {
  double differences[101] = {1000};
  for (int i = 1; i <= 100; i++)
    differences[i] = i % 2 ? 0.01 : -0.01;
  cr_expect_gt(p_of(differences, NULL, 101), 0.4);
}

Test(reports_sign_test, drawn_signs_agree_with_the_counted_ones) {
  // 15 ones and 5 minus ones: the sum is at least as far out when at most 5 or at least 15 of 20
  // coins are heads: 2 x 21,700 of 1,048,576.
  double differences[20];
  for (int i = 0; i < 20; i++)
    differences[i] = i < 5 ? -1 : 1;
  cr_expect_float_eq(p_of(differences, NULL, 20), 0.04139, 0.006);
}

Test(reports_sign_test, many_clear_differences_give_a_tiny_p_that_is_not_too_small) {
  double differences[50];
  for (int i = 0; i < 50; i++)
    differences[i] = 1;
  double p = p_of(differences, NULL, 50);
  cr_expect_leq(p, 1e-10);
  cr_expect_geq(p, 2 * pow(0.5, 50));
}

/// p of the sum of 1 to `count` with random signs being at least `far` from 0, counted.
static double counted_p(int count, int far) {
  static double ways[2000], next[2000];
  int most = count * (count + 1) / 2;
  cr_assert_lt(2 * most, 2000);
  memset(ways, 0, sizeof ways);
  ways[most] = 1; // at [most + sum]
  for (int i = 1; i <= count; i++) {
    memset(next, 0, sizeof next);
    for (int s = i; s + i <= 2 * most; s++) {
      next[s + i] += ways[s] / 2;
      next[s - i] += ways[s] / 2;
    }
    memcpy(ways, next, sizeof ways);
  }
  double p = 0;
  for (int s = 0; s <= 2 * most; s++)
    p += abs(s - most) >= far ? ways[s] : 0;
  return p;
}

Test(reports_sign_test, small_p_are_as_counted_and_have_no_floor) {
  static const int limits[] = {300, 340, 380, 410, 430};
  for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
    // 1 to 30 add up to 465: take minus signs from the largest on until the sum is at the limit.
    double differences[30];
    int excess = (465 - limits[k]) / 2;
    for (int i = 30; i >= 1; i--) {
      bool is_minus = i <= excess;
      excess -= is_minus ? i : 0;
      differences[i - 1] = is_minus ? -i : i;
    }
    cr_assert_eq(excess, 0);
    double p = p_of(differences, NULL, 30), exact = counted_p(30, limits[k] - limits[k] % 2 + 1);
    cr_expect_lt(fabs(log(p / exact)), 0.25, "%g is %g", p, exact);
    cr_expect_lt(p, 0.01);
  }
}

Test(reports_sign_test, few_different_numbers_have_a_p_as_counted) {
  // At least 40 of 50 coins show the same side.
  double differences[50], p, exact = 0, ways = 1;
  for (int i = 0; i < 50; i++)
    differences[i] = i < 10 ? -1 : 1;
  for (int tails = 0; tails <= 10; tails++) {
    exact += 2 * ways * pow(0.5, 50);
    ways = ways * (50 - tails) / (tails + 1);
  }
  p = p_of(differences, NULL, 50);
  cr_expect_lt(fabs(log(p / exact)), 0.25, "%g is %g", p, exact);
}

Test(reports_sign_test, negligible_p_is_a_bound) {
  double differences[200];
  for (int i = 0; i < 200; i++)
    differences[i] = i < 40 ? -1 : 1;
  // Of 200 coins at least 160 heads: 2 x 8.0e-19.
  double p = p_of(differences, NULL, 200);
  cr_expect(p > 1.6e-18 && p < 1e-16, "%g", p);
}

Test(reports_sign_test, in_strata_only_the_total_has_to_be_0) {
  // One method is better in one case and as much worse in the other, in every draw.
  const double even[] = {10, 10, 10, -10, -10, -10}, odd[] = {10, 10, 10, -9, -9, -9};
  const size_t strata[] = {0, 0, 0, 1, 1, 1};
  cr_expect_eq(p_of(even, strata, 6), 1);
  cr_expect_eq(p_of(odd, strata, 6), 0, "no draw changes that the total is 3");
}

Test(reports_sign_test, in_strata_the_deviations_from_their_means_get_the_signs) {
  // Deviations +-1 in each of two strata of two, made larger by sqrt(2): their sums are 0 in 6 of
  // 16 ways, +-2.83 in 8 and +-5.66 in 2. The standard error of the total is 2.83, with two degrees
  // of freedom: 6 of it is t 2.12, as rare as 1.37 for a normal one, which is a total of 3.89.
  const double near[] = {4, 2, 1, -1}, far[] = {8, 6, 1, -1}, farther[] = {12, 10, 1, -1};
  const size_t strata[] = {0, 0, 1, 1};
  cr_expect_eq(p_of(near, strata, 4), 2.0 / 16);
  cr_expect_float_eq(p_of(far, strata, 4), 0.0385, 0.004, "Student's t 4.95, which no signs reach");
  cr_expect_float_eq(p_of(farther, strata, 4), 0.0161, 0.003, "t 7.78");
}

Test(reports_sign_test, strata_of_one_difference_are_one_stratum) {
  const double differences[] = {1, 2, 3, 4, 5};
  const size_t strata[] = {0, 1, 2, 3, 4};
  cr_expect_eq(p_of(differences, strata, 5), 2.0 / 32);
}

Test(reports_sign_test, in_strata_deviations_that_are_rounding_are_none) {
  // The same difference in each draw of a case, as three ways of computing thirds round it. With
  // the sum of so many values their means are off by a few units in the last place.
  enum { CASES = 13, DRAWS = 100, COUNT = CASES * DRAWS };
  double differences[COUNT];
  size_t strata[COUNT];
  bool any_rounded = false;
  for (size_t i = 0; i < COUNT; i++) {
    size_t c = i / DRAWS;
    strata[i] = c;
    differences[i] = 100 - 100 * (double)(c + 1) / 3 / 7;
  }
  for (size_t c = 0; c < CASES; c++) {
    double sum = 0;
    for (size_t i = 0; i < DRAWS; i++)
      sum += differences[c * DRAWS + i];
    any_rounded = any_rounded || sum / DRAWS != differences[c * DRAWS];
  }
  cr_assert(any_rounded);
  cr_expect_eq(p_of(differences, strata, COUNT), 0);
}
