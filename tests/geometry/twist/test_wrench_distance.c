// SPDX-License-Identifier: MIT
// covers: geometry/twist/wrench_distance.c
#include "geometry/twist/wrench_distance.h"

#include <criterion/criterion.h>
#include <math.h>

static const ts_twist_frame frame = {{1, 0, 0, 0}, {0, 0, 0}, 1};

static ts_contact up(double x, double z) {
  return (ts_contact){.point = {x, 0, z}, .normal = {0, 1, 0}, .area_m2 = NAN};
}

static double distance(const ts_contact *from, size_t from_count, const ts_contact *to,
                       size_t to_count, size_t *worst) {
  double out;
  cr_assert_eq(ts_wrench_distance(&out, worst, &frame, from, from_count, to, to_count), TS_OK);
  return out;
}

// A contact inside the triangle of three others adds nothing; they block more than it does.
Test(wrench_distance, inside_and_outside) {
  ts_contact corners[] = {up(-1, -1), up(1, -1), up(0, 1)};
  ts_contact middle = up(0, 0);
  size_t worst;
  cr_assert_leq(distance(&middle, 1, corners, 3, &worst), 1e-12);
  cr_assert_eq(worst, 0);
  // The wrench (0, 1, 0; 1, 0, -1) / sqrt(3) from (0, 1, 0; 0, 0, 0): sqrt(2 / 3).
  cr_assert_float_eq(distance(corners, 2, &middle, 1, &worst), sqrt(2.0 / 3), 1e-12);
}

Test(wrench_distance, empty_sets) {
  ts_contact one = up(0, 0);
  size_t worst;
  cr_assert_eq(distance(&one, 1, NULL, 0, &worst), 1);
  cr_assert_eq(worst, 0);
  cr_assert_eq(distance(NULL, 0, &one, 1, &worst), 0);
  cr_assert_eq(worst, 0);
}

Test(wrench_distance, alternatives_have_no_cone) {
  ts_contact one = up(0, 0), other = up(0, 0);
  other.group = 1;
  cr_assert(isnan(distance(&one, 1, &other, 1, NULL)));
  cr_assert(isnan(distance(&other, 1, &one, 1, NULL)));
}

Test(wrench_distance, contacts_that_are_not_finite_are_left_out) {
  ts_contact bad = up(NAN, 0), good = up(0, 0);
  cr_assert_eq(distance(&bad, 1, &good, 1, NULL), 0);
  cr_assert_eq(distance(&good, 1, &bad, 1, NULL), 1);
}
