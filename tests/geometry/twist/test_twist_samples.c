// SPDX-License-Identifier: MIT
// covers: geometry/twist/twist_samples.c
#include "geometry/twist/twist_samples.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { D = TS_TWIST_DIMENSIONS };

Test(geometry_twist_samples, every_coordinate_falls_once_into_each_part_of_equal_length) {
  enum { COUNT = 1024 };
  ts_twist_samples samples = ts_twist_samples_start(3 * COUNT);
  static int hits[D][COUNT];
  for (int i = 0; i < COUNT; i++) {
    uint32_t cube[D];
    ts_twist_samples_cube(cube, &samples);
    for (int d = 0; d < D; d++)
      hits[d][cube[d] >> 22]++;
  }
  for (int d = 0; d < D; d++)
    for (int i = 0; i < COUNT; i++)
      cr_assert_eq(hits[d][i], 1, "coordinate %d, part %d", d, i);
}

/// Largest number of points, of the first 2^bits, in a box of 2^-a by 2^-b in two coordinates,
/// a + b = bits: 2^t for the quality t of the pair.
static int most_in_a_box(int x, int y, int bits) {
  int largest = 0;
  for (int a = 0; a <= bits; a++) {
    static int hits[1 << 10];
    for (int i = 0; i < 1 << bits; i++)
      hits[i] = 0;
    ts_twist_samples samples = ts_twist_samples_start(0);
    for (int i = 0; i < 1 << bits; i++) {
      uint32_t cube[D];
      ts_twist_samples_cube(cube, &samples);
      uint64_t column = (uint64_t)cube[x] >> (32 - a), row = (uint64_t)cube[y] >> (32 - (bits - a));
      int *hit = &hits[(column << (bits - a)) + row];
      largest = ++*hit > largest ? *hit : largest;
    }
  }
  return largest;
}

// t of a pair is at most the sum of (degree - 1) of the polynomials of the two coordinates (Sobol):
// 0, 0, 1, 2, 2, 3.
Test(geometry_twist_samples,
     boxes_in_two_coordinates_hold_as_many_points_as_the_polynomials_allow) {
  const int spare[D] = {0, 0, 1, 2, 2, 3};
  for (int x = 0; x < D; x++)
    for (int y = x + 1; y < D; y++)
      cr_expect_leq(most_in_a_box(x, y, 9), 1 << (spare[x] + spare[y]), "coordinates %d and %d", x,
                    y);
  cr_expect_eq(most_in_a_box(0, 1, 10), 1);
}

Test(geometry_twist_samples, a_start_in_the_middle_gives_the_same_points) {
  const uint32_t starts[] = {0, 1, 7, 1000, 4096, 65537};
  for (size_t s = 0; s < sizeof starts / sizeof *starts; s++) {
    ts_twist_samples whole = ts_twist_samples_start(0), part = ts_twist_samples_start(starts[s]);
    uint32_t cube[D], other[D];
    for (uint32_t i = 0; i < starts[s]; i++)
      ts_twist_samples_cube(cube, &whole);
    for (int i = 0; i < 5; i++) {
      ts_twist_samples_cube(cube, &whole);
      ts_twist_samples_cube(other, &part);
      for (int d = 0; d < D; d++)
        cr_expect_eq(cube[d], other[d], "%u + %d", starts[s], i);
    }
  }
}

Test(geometry_twist_samples, blocks_have_the_same_twists_wherever_they_begin) {
  const uint32_t starts[] = {0, 1, 7, 64, 1000, 4096, 65537, UINT32_MAX - 40};
  ts_twist_samples sought = ts_twist_samples_start(12345);
  for (size_t s = 0; s < sizeof starts / sizeof *starts; s++) {
    ts_twist_samples single = ts_twist_samples_start(starts[s]);
    ts_twist_samples_seek(&sought, starts[s]);
    for (int i = 0; i < 8 * TS_TWIST_BLOCK; i++) {
      static ts_twist_block block;
      double twist[D];
      if (i % TS_TWIST_BLOCK == 0)
        ts_twist_samples_block(&block, &sought);
      ts_twist_samples_next(twist, &single);
      for (int d = 0; d < D; d++)
        cr_assert_eq(block.of[d][i % TS_TWIST_BLOCK], twist[d], "%u + %d", starts[s], i);
    }
    cr_expect_eq(memcmp(&sought, &single, sizeof single), 0);
  }
}

Test(geometry_twist_samples, kept_blocks_are_those_that_are_made) {
  cr_assert_null(ts_twist_samples_kept(0));
  ts_twist_samples_keep();
  ts_twist_samples samples = ts_twist_samples_start(0);
  for (uint32_t first = 0; first < TS_TWIST_SAMPLES_KEPT; first += TS_TWIST_BLOCK) {
    ts_twist_block made;
    ts_twist_samples_block(&made, &samples);
    cr_assert_eq(memcmp(ts_twist_samples_kept(first), &made, sizeof made), 0, "%u", first);
  }
  cr_assert_null(ts_twist_samples_kept(TS_TWIST_SAMPLES_KEPT));
  cr_assert_null(ts_twist_samples_kept(1));
}

Test(geometry_twist_samples, the_last_point_is_followed_by_the_first) {
  ts_twist_samples last = ts_twist_samples_start(UINT32_MAX), first = ts_twist_samples_start(0);
  uint32_t cube[D], other[D];
  ts_twist_samples_cube(cube, &last);
  ts_twist_samples_cube(cube, &last);
  ts_twist_samples_cube(other, &first);
  cr_expect_eq(last.index, first.index);
  for (int d = 0; d < D; d++)
    cr_expect(cube[d] == other[d] || cube[d] == (other[d] ^ 1), "the last bit may differ");
}

Test(geometry_twist_samples, twists_are_unit_and_favour_no_direction) {
  enum { COUNT = 4096 };
  ts_twist_samples samples = ts_twist_samples_start(0);
  double mean[D] = {0}, product[D][D] = {{0}};
  for (int i = 0; i < COUNT; i++) {
    double twist[D], norm2 = 0;
    ts_twist_samples_next(twist, &samples);
    for (int d = 0; d < D; d++) {
      norm2 += twist[d] * twist[d];
      mean[d] += twist[d] / COUNT;
      for (int e = 0; e < D; e++)
        product[d][e] += twist[d] * twist[e] / COUNT;
    }
    cr_assert_float_eq(norm2, 1, 1e-15);
  }
  // Random points would be off by 0.006 and 0.003.
  for (int d = 0; d < D; d++) {
    cr_expect_float_eq(mean[d], 0, 5e-4, "%d: %g", d, mean[d]);
    for (int e = 0; e < D; e++)
      cr_expect_float_eq(product[d][e], d == e ? 1.0 / 6 : 0, 1e-3, "%d %d: %g", d, e,
                         product[d][e]);
  }
}

Test(geometry_twist_samples, quantiles_are_those_of_the_normal_distribution) {
  for (int i = 1; i < 4000; i++) {
    double p = i / 4000.0, x = ts_normal_quantile(p);
    cr_expect_float_eq(0.5 * erfc(-x / sqrt(2)), p, 2e-9, "%g: %.17g", p, x);
  }
  for (double p = 1e-10; p < 0.02; p *= 7) {
    double x = ts_normal_quantile(p);
    cr_expect_float_eq(0.5 * erfc(-x / sqrt(2)) / p, 1, 1e-7, "%g", p);
    cr_expect_float_eq(ts_normal_quantile(1 - p), -x, 1e-5 * -x, "%g", p);
  }
  cr_expect_eq(ts_normal_quantile(0.5), 0);
}
