// SPDX-License-Identifier: MIT
// covers: reports/study/sign_test.c
#include "reports/study/sign_test.h"

#include <criterion/criterion.h>
#include <math.h>

TestSuite(reports_sign_test, .timeout = 30);

#define P(...)                                                                                     \
  ts_sign_test((const double[]){__VA_ARGS__},                                                      \
               sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

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
  cr_expect_eq(ts_sign_test(NULL, 0), 1);
}

Test(reports_sign_test, cells_without_a_difference_change_nothing) {
  cr_expect_eq(P(0, 1, 0, 2, 3, 0, 4, 5, 0), P(1, 2, 3, 4, 5));
}

Test(reports_sign_test, one_huge_difference_proves_nothing) {
  double differences[101] = {1000};
  for (int i = 1; i <= 100; i++)
    differences[i] = i % 2 ? 0.01 : -0.01;
  cr_expect_gt(ts_sign_test(differences, 101), 0.4);
}

Test(reports_sign_test, drawn_signs_agree_with_the_counted_ones) {
  // 15 ones and 5 minus ones: the sum is at least as far out when at most 5 or at least 15 of 20
  // coins are heads: 2 x 21,700 of 1,048,576.
  double differences[20];
  for (int i = 0; i < 20; i++)
    differences[i] = i < 5 ? -1 : 1;
  cr_expect_float_eq(ts_sign_test(differences, 20), 0.04139, 0.006);
}

Test(reports_sign_test, many_clear_differences_give_a_tiny_p_that_is_not_too_small) {
  double differences[50];
  for (int i = 0; i < 50; i++)
    differences[i] = 1;
  double p = ts_sign_test(differences, 50);
  cr_expect_leq(p, 1e-10);
  cr_expect_geq(p, 2 * pow(0.5, 50));
}
