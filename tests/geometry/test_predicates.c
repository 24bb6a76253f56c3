// SPDX-License-Identifier: MIT
// covers: geometry/predicates.c
#include "base/random.h"
#include "geometry/predicates.h"

#include <criterion/criterion.h>
#include <math.h>

typedef __int128 wide;

static int sign_of_wide(wide value) {
  return (value > 0) - (value < 0);
}

/// The oracle: integer coordinates up to 2^40 in size, whose determinant fits 128 bits.
static int oracle_orient3d(const ts_vec3 p[4]) {
  int64_t m[3][3];
  for (int i = 0; i < 3; i++) {
    m[i][0] = (int64_t)p[i + 1].x - (int64_t)p[0].x;
    m[i][1] = (int64_t)p[i + 1].y - (int64_t)p[0].y;
    m[i][2] = (int64_t)p[i + 1].z - (int64_t)p[0].z;
  }
  wide determinant = 0;
  for (int i = 0; i < 3; i++) {
    int u = (i + 1) % 3, v = (i + 2) % 3;
    determinant += ((wide)m[0][u] * m[1][v] - (wide)m[0][v] * m[1][u]) * m[2][i];
  }
  return sign_of_wide(determinant);
}

static int oracle_orient2d(const double a[2], const double b[2], const double c[2]) {
  wide left = (wide)((int64_t)b[0] - (int64_t)a[0]) * ((int64_t)c[1] - (int64_t)a[1]);
  wide right = (wide)((int64_t)b[1] - (int64_t)a[1]) * ((int64_t)c[0] - (int64_t)a[0]);
  return sign_of_wide(left - right);
}

/// An integer in [-limit, limit).
static double random_integer(ts_random *random, double limit) {
  return floor(ts_random_uniform(random, -limit, limit));
}

static ts_vec3 random_integers(ts_random *random, double limit) {
  ts_vec3 p;
  p.x = random_integer(random, limit);
  p.y = random_integer(random, limit);
  p.z = random_integer(random, limit);
  return p;
}

static int orient3d_of(const ts_vec3 p[4]) {
  return ts_orient3d(p[0], p[1], p[2], p[3]);
}

Test(geometry_predicates, sign_follows_the_right_hand) {
  ts_vec3 o = {0, 0, 0}, x = {1, 0, 0}, y = {0, 1, 0};
  cr_expect_eq(ts_orient3d(o, x, y, (ts_vec3){0.3, 0.3, 1}), 1);
  cr_expect_eq(ts_orient3d(o, x, y, (ts_vec3){0.3, 0.3, -1}), -1);
  cr_expect_eq(ts_orient3d(o, x, y, (ts_vec3){7, -5, 0}), 0);
  const double a[2] = {0, 0}, b[2] = {1, 0}, left[2] = {0, 1}, right[2] = {0, -1}, on[2] = {3, 0};
  cr_expect_eq(ts_orient2d(a, b, left), 1);
  cr_expect_eq(ts_orient2d(a, b, right), -1);
  cr_expect_eq(ts_orient2d(a, b, on), 0);
}

Test(geometry_predicates, agrees_with_integers_on_random_points) {
  ts_random random = ts_random_seed(1, 0);
  for (int i = 0; i < 20000; i++) {
    double limit = ldexp(1, 1 + i % 31); // the small ones are often coplanar
    ts_vec3 p[4];
    for (int k = 0; k < 4; k++)
      p[k] = random_integers(&random, limit);
    cr_assert_eq(orient3d_of(p), oracle_orient3d(p), "points %d", i);
  }
}

Test(geometry_predicates, agrees_with_integers_next_to_a_plane) {
  ts_random random = ts_random_seed(2, 0);
  int seen[3] = {0, 0, 0};
  for (int i = 0; i < 20000; i++) {
    // d = a + k1 (b - a) + k2 (c - a), then moved by less than two units: the determinant is up to
    // 2^60 smaller than its terms.
    ts_vec3 p[4];
    for (int k = 0; k < 3; k++)
      p[k] = random_integers(&random, 0x1p27);
    double k1 = random_integer(&random, 4), k2 = random_integer(&random, 4);
    ts_vec3 moved = random_integers(&random, 2);
    p[3].x = p[0].x + k1 * (p[1].x - p[0].x) + k2 * (p[2].x - p[0].x) + (i % 3 ? moved.x : 0);
    p[3].y = p[0].y + k1 * (p[1].y - p[0].y) + k2 * (p[2].y - p[0].y) + (i % 3 ? moved.y : 0);
    p[3].z = p[0].z + k1 * (p[1].z - p[0].z) + k2 * (p[2].z - p[0].z) + (i % 3 ? moved.z : 0);
    int expected = oracle_orient3d(p);
    cr_assert_eq(orient3d_of(p), expected, "points %d", i);
    seen[expected + 1]++;
  }
  cr_expect(seen[0] > 1000 && seen[1] > 1000 && seen[2] > 1000, "all three signs are exercised");
}

/// Four points within two units of one line, up to 2^39 along it: the determinant is about 2^40 and
/// its terms are about 2^115.
Test(geometry_predicates, filter_never_contradicts_and_exact_path_is_needed) {
  ts_random random = ts_random_seed(3, 0);
  const double along[4] = {0, 3, -5, 7};
  int undecided = 0;
  for (int i = 0; i < 5000; i++) {
    ts_vec3 line = random_integers(&random, 0x1p36), p[4];
    for (int k = 0; k < 4; k++) {
      ts_vec3 moved = random_integers(&random, 2);
      p[k] = (ts_vec3){along[k] * line.x + moved.x, along[k] * line.y + moved.y,
                       along[k] * line.z + moved.z};
    }
    int filtered = ts_orient3d_filter(p[0], p[1], p[2], p[3]), expected = oracle_orient3d(p);
    cr_assert(filtered == 0 || filtered == expected, "points %d", i);
    cr_assert_eq(orient3d_of(p), expected, "points %d", i);
    undecided += filtered == 0 && expected != 0;
  }
  cr_expect(undecided > 3000, "only %d inputs needed the exact path", undecided);
}

/// a.x = 2^-54, so that b - a and c - a round: with the rounded differences the points would lie on
/// one line.
Test(geometry_predicates, differences_that_round_do_not_spoil_the_sign) {
  // The line through b and c is x = y; a lies to the right of it, by very little.
  const double a2[2] = {0x1p-54, 0}, b2[2] = {1, 1}, c2[2] = {2, 2};
  cr_expect_eq(ts_orient2d(a2, b2, c2), -1);
  ts_vec3 a3 = {0x1p-54, 0, 0}, b3 = {1, 1, 0}, c3 = {2, 2, 0};
  cr_expect_eq(ts_orient3d(a3, b3, c3, (ts_vec3){0, 0, 1}), -1);
  cr_expect_eq(ts_orient3d(a3, b3, c3, (ts_vec3){0, 0, -1}), 1);
  cr_expect_eq(ts_orient3d(a3, b3, c3, (ts_vec3){5, -3, 0}), 0);
}

/// The grid of Kettner et al. 2008: a point is moved by single units in the last place around a
/// place where plain evaluation gives a scatter of signs.
Test(geometry_predicates, grid_of_single_ulps_has_a_straight_boundary) {
  const double b[2] = {12, 12}, c[2] = {24, 24};
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++) {
      const double a[2] = {0.5 + i * 0x1p-53, 0.5 + j * 0x1p-53};
      // b and c lie on x = y, going up: a to the left of that line, y > x, is counter-clockwise.
      cr_assert_eq(ts_orient2d(a, b, c), (j > i) - (j < i), "column %d, row %d", i, j);
      ts_vec3 a3 = {a[0], a[1], 0}, b3 = {12, 12, 0}, c3 = {24, 24, 0}, up = {17, 3, 5};
      cr_assert_eq(ts_orient3d(a3, b3, c3, up), (j > i) - (j < i), "column %d, row %d", i, j);
    }
}

Test(geometry_predicates, point_moved_by_one_ulp_off_a_slanted_plane) {
  // x + y + z = 3 through three points of it; the fourth is moved by one unit in the last place.
  ts_vec3 a = {3, 0, 0}, b = {0, 3, 0}, c = {0, 0, 3};
  ts_random random = ts_random_seed(4, 0);
  for (int i = 0; i < 2000; i++) {
    // Multiples of 2^-40 keep x + y + z = 3 exact.
    double x = random_integer(&random, 0x1p40) * 0x1p-40;
    double y = random_integer(&random, 0x1p40) * 0x1p-40;
    double z = 3 - x - y;
    cr_assert_eq(ts_orient3d(a, b, c, (ts_vec3){x, y, z}), 0);
    cr_assert_eq(ts_orient3d(a, b, c, (ts_vec3){x, y, nextafter(z, 10)}), 1);
    cr_assert_eq(ts_orient3d(a, b, c, (ts_vec3){x, nextafter(y, -10), z}), -1);
  }
}

static void swap_points(ts_vec3 p[4], int i, int j) {
  ts_vec3 kept = p[i];
  p[i] = p[j];
  p[j] = kept;
}

Test(geometry_predicates, swapping_two_points_flips_the_sign) {
  ts_random random = ts_random_seed(5, 0);
  for (int i = 0; i < 3000; i++) {
    // Nearly coplanar, with coordinates that are not integers, 1e4 from the origin for half of
    // them.
    double offset = i % 2 ? 1e4 : 0;
    ts_vec3 p[4];
    for (int k = 0; k < 3; k++) {
      double x = ts_random_uniform(&random, -1, 1), y = ts_random_uniform(&random, -1, 1);
      double z = ts_random_uniform(&random, -1, 1);
      p[k] = (ts_vec3){x + offset, y + offset, z + offset};
    }
    double s = ts_random_unit(&random), t = ts_random_unit(&random);
    p[3] = (ts_vec3){p[0].x + s * (p[1].x - p[0].x) + t * (p[2].x - p[0].x),
                     p[0].y + s * (p[1].y - p[0].y) + t * (p[2].y - p[0].y),
                     p[0].z + s * (p[1].z - p[0].z) + t * (p[2].z - p[0].z)};
    int sign = orient3d_of(p);
    for (int a = 0; a < 4; a++)
      for (int b = a + 1; b < 4; b++) {
        swap_points(p, a, b);
        cr_assert_eq(orient3d_of(p), -sign, "points %d, swap of %d and %d", i, a, b);
        swap_points(p, a, b);
      }
  }
}

Test(geometry_predicates, agrees_with_integers_far_from_the_origin) {
  // Coordinates 1e4 + k 2^-39: differences are small integers times 2^-39, exact for the oracle.
  ts_random random = ts_random_seed(6, 0);
  for (int i = 0; i < 5000; i++) {
    ts_vec3 whole[4], far[4];
    for (int k = 0; k < 4; k++) {
      whole[k] = random_integers(&random, i % 2 ? 4 : 0x1p20);
      far[k] = (ts_vec3){1e4 + whole[k].x * 0x1p-39, 1e4 + whole[k].y * 0x1p-39,
                         1e4 + whole[k].z * 0x1p-39};
    }
    cr_assert_eq(orient3d_of(far), oracle_orient3d(whole), "points %d", i);
  }
}

Test(geometry_predicates, coordinates_of_very_different_size) {
  // A plane through huge points, a test point that differs from the plane in its last bits only.
  ts_vec3 a = {0x1p60, 0, 0}, b = {0, 0x1p60, 0}, c = {-0x1p60, 0, 0};
  cr_expect_eq(ts_orient3d(a, b, c, (ts_vec3){1, 1, 0x1p-60}), 1);
  cr_expect_eq(ts_orient3d(a, b, c, (ts_vec3){1, 1, -0x1p-60}), -1);
  cr_expect_eq(ts_orient3d(a, b, c, (ts_vec3){0x1p-60, 0x1p60, 0}), 0);
  // The plane x = y + 2^-60 z: only exact sums see the last term beside 2^60.
  ts_vec3 o = {0, 0, 0}, e = {0x1p60, 0x1p60, 0}, f = {0x1p-60, 0, 1};
  cr_expect_eq(ts_orient3d(o, e, f, (ts_vec3){0x1p60, 0x1p60, 0x1p-60}), -1);
  cr_expect_eq(ts_orient3d(o, e, f, (ts_vec3){0x1p60, 0x1p60, -0x1p-60}), 1);
}

Test(geometry_predicates, orient2d_agrees_with_integers) {
  ts_random random = ts_random_seed(7, 0);
  for (int i = 0; i < 20000; i++) {
    double limit = ldexp(1, 1 + i % 31), p[3][2];
    for (int k = 0; k < 3; k++) {
      p[k][0] = random_integer(&random, limit);
      p[k][1] = random_integer(&random, limit);
    }
    if (i % 2) { // nearly collinear
      p[2][0] = 2 * p[1][0] - p[0][0];
      p[2][1] = 2 * p[1][1] - p[0][1] + random_integer(&random, 2);
    }
    int expected = oracle_orient2d(p[0], p[1], p[2]);
    cr_assert_eq(ts_orient2d(p[0], p[1], p[2]), expected, "points %d", i);
    cr_assert_eq(ts_orient2d(p[1], p[0], p[2]), -expected, "points %d, swapped", i);
    cr_assert_eq(ts_orient2d(p[1], p[2], p[0]), expected, "points %d, turned", i);
  }
}
