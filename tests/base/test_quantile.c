// SPDX-License-Identifier: MIT
// covers: base/quantile.c
#include "base/quantile.h"

#include <criterion/criterion.h>
#include <math.h>

Test(base_quantile, quantiles_interpolate_between_neighbours) {
  double values[] = {3, 1, 2, 4};
  cr_assert_eq(ts_quantile(values, 4, 0), 1);
  cr_assert_eq(ts_quantile(values, 4, 0.5), 2.5);
  cr_assert_eq(ts_quantile(values, 4, 1), 4);
  cr_assert_float_eq(ts_quantile(values, 4, 0.95), 3.85, 1e-15);
}

Test(base_quantile, quantiles_leave_out_what_is_not_finite) {
  double values[] = {NAN, 5, INFINITY, 1, -INFINITY};
  cr_assert_eq(ts_quantile(values, 5, 0.5), 3);
  double none[] = {NAN};
  cr_assert(isnan(ts_quantile(none, 1, 0.5)));
  cr_assert(isnan(ts_quantile(NULL, 0, 0.5)));
}

Test(base_quantile, the_middle_of_an_odd_number_is_one_of_them) {
  double values[] = {4, 1, 3};
  cr_assert_eq(ts_quantile(values, 3, 0.5), 3);
  cr_assert_eq(ts_quantile(values, 1, 0.95), 1);
}
