// SPDX-License-Identifier: MIT
// covers: geometry/twist/wrench_distance.c
#include "geometry/twist/wrench_distance.h"

#include "base/random.h"

#include <criterion/criterion.h>
#include <math.h>

enum { COUNT_MAX = 30 };

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

/// A contact of a few points and normals, so that many are equal, opposite or sums of others.
static ts_contact drawn_contact(ts_random *random) {
  ts_contact c = {.area_m2 = NAN};
  double *values[] = {&c.point.x, &c.point.y, &c.point.z, &c.normal.x, &c.normal.y, &c.normal.z};
  for (size_t i = 0; i < 6; i++)
    *values[i] = (double)(ts_random_u64(random) % 3) - 1;
  return c;
}

/// Without corners that come first, and without an early end.
static double plain_distance(const ts_contact *from, size_t from_count, const ts_contact *to,
                             size_t to_count) {
  ts_twist_row rows[COUNT_MAX];
  size_t count = 0;
  double largest = 0;
  for (size_t i = 0; i < to_count; i++) {
    rows[count] = ts_twist_row_make(&frame, to[i].point, to[i].normal);
    count += ts_twist_row_unit(&rows[count]);
  }
  for (size_t i = 0; i < from_count; i++) {
    ts_twist_row row = ts_twist_row_make(&frame, from[i].point, from[i].normal);
    if (ts_twist_row_unit(&row))
      largest = fmax(ts_twist_row_residual(rows, count, &row), largest);
  }
  return largest;
}

Test(wrench_distance, corners_first_change_nothing) {
  ts_random random = ts_random_seed(7, 0);
  for (int i = 0; i < 2000; i++) {
    ts_contact sets[2][COUNT_MAX];
    size_t counts[2];
    for (int k = 0; k < 2; k++) {
      counts[k] = ts_random_u64(&random) % COUNT_MAX;
      for (size_t c = 0; c < counts[k]; c++)
        sets[k][c] = drawn_contact(&random);
    }
    double seen = distance(sets[0], counts[0], sets[1], counts[1], NULL);
    double plain = plain_distance(sets[0], counts[0], sets[1], counts[1]);
    cr_expect_float_eq(seen, plain, 1e-11, "%d: %.17g and %.17g", i, seen, plain);
  }
}

// The frame is that of the bodies, so that size and place of the scene do not matter.
Test(wrench_distance, in_its_frame_size_and_place_do_not_matter) {
  const double scales[] = {1e-3, 1, 1e3};
  double first = NAN;
  for (size_t s = 0; s < 3; s++) {
    ts_contact from[2] = {up(1, 0), up(0, 0)}, to[2] = {up(-1, -1), up(0, 1)};
    ts_vec3 centre = ts_vec3_scale((ts_vec3){100, 200, -300}, scales[s]);
    const ts_twist_frame far = {{1, 0, 0, 0}, centre, scales[s]};
    for (int i = 0; i < 2; i++) {
      from[i].point = ts_vec3_add_scaled(centre, scales[s], from[i].point);
      to[i].point = ts_vec3_add_scaled(centre, scales[s], to[i].point);
    }
    double out;
    cr_assert_eq(ts_wrench_distance(&out, NULL, &far, from, 2, to, 2), TS_OK);
    first = s == 0 ? out : first;
    cr_expect_float_eq(out, first, 1e-11);
  }
}
