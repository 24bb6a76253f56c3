// SPDX-License-Identifier: MIT
// covers: harness/plan/grid.c ldi/pixel_grid.c
#include "tests/ldi/ldi_fixture.h"

static ts_aabb box(double x0, double y0, double z0, double x1, double y1, double z1) {
  return (ts_aabb){{x0, y0, z0}, {x1, y1, z1}};
}

static const ts_aabb everywhere = {{-1e4, -1e4, -1e4}, {1e4, 1e4, 1e4}};

static void expect_size(const ts_ldi_grid *grid, int x, int y, int z) {
  cr_expect(grid->size[0] == x && grid->size[1] == y && grid->size[2] == z,
            "%d x %d x %d, not %d x %d x %d", grid->size[0], grid->size[1], grid->size[2], x, y, z);
}

static bool has_pixels(const ts_ldi_grid *grid, double x_m, double y_m, double z_m) {
  return fabs(grid->pixel_m[0] - x_m) < 1e-15 && fabs(grid->pixel_m[1] - y_m) < 1e-15 &&
         fabs(grid->pixel_m[2] - z_m) < 1e-15;
}

Test(ldi_grid, the_longest_side_has_the_resolution_and_whole_pixels_fit_the_others) {
  ts_ldi_grid grid = ts_ldi_grid_fit(box(0, 0, 0, 3, 1, 2), box(1, -1, 0.3, 5, 4, 1), 100);
  // The boxes share 2 x 1 x 0.7: pixels of 0.02.
  expect_size(&grid, 100, 50, 35);
  cr_expect(has_pixels(&grid, 0.02, 0.02, 0.02));
  cr_expect_float_eq(grid.low.x, 1, 1e-15);
  cr_expect_float_eq(grid.low.y, 0, 1e-15);
  cr_expect_float_eq(grid.low.z, 0.3, 1e-15);
  // A part of a pixel makes one more, and all narrower; less than one makes one.
  grid = ts_ldi_grid_fit(box(0, 0, 0, 1, 0.5, 0.11), everywhere, 10);
  expect_size(&grid, 10, 5, 2);
  cr_expect(has_pixels(&grid, 0.1, 0.1, 0.055));
  cr_expect_eq(grid.low.z, 0);
  grid = ts_ldi_grid_fit(box(0, 0, 0, 1, 0.5, 0.001), everywhere, 10);
  expect_size(&grid, 10, 5, 1);
  cr_expect(has_pixels(&grid, 0.1, 0.1, 0.001));
}

Test(ldi_grid, boxes_apart_have_an_empty_one) {
  for (int axis = 0; axis < 3; axis++) {
    double shift[3] = {0, 0, 0};
    shift[axis] = 1.001;
    ts_aabb other = box(shift[0], shift[1], shift[2], shift[0] + 1, shift[1] + 1, shift[2] + 1);
    ts_ldi_grid grid = ts_ldi_grid_fit(box(0, 0, 0, 1, 1, 1), other, 16);
    cr_expect(ts_ldi_grid_is_empty(&grid));
    expect_size(&grid, 0, 0, 0);
  }
}

Test(ldi_grid, boxes_that_touch_have_an_empty_one) {
  ts_aabb unit = box(0, 0, 0, 1, 1, 1);
  const ts_aabb others[] = {box(0, 0, 1, 1, 1, 2), box(0, 1, 1, 1, 2, 2), box(1, 1, 1, 2, 2, 2),
                            box(0, 0, 1 - 1e-9, 1, 1, 2)}; // touching up to rounding
  for (int i = 0; i < 4; i++) {
    ts_ldi_grid grid = ts_ldi_grid_fit(unit, others[i], 16);
    cr_expect(ts_ldi_grid_is_empty(&grid), "%d", i);
  }
  ts_ldi_grid thin = ts_ldi_grid_fit(unit, box(0, 0, 1 - 1e-6, 1, 1, 2), 16);
  expect_size(&thin, 16, 16, 1);
}

Test(ldi_grid, both_ends_of_the_resolution_are_met) {
  ts_ldi_grid one = ts_ldi_grid_fit(box(0, 0, 0, 3, 2, 1), everywhere, 1);
  expect_size(&one, 1, 1, 1);
  cr_expect(has_pixels(&one, 3, 2, 1));
  ts_ldi_grid largest =
      ts_ldi_grid_fit(box(0, 0, 0, 1, 1e-4, 3), everywhere, TS_LDI_RESOLUTION_MAX);
  expect_size(&largest, 1366, 1, TS_LDI_RESOLUTION_MAX);
}

Test(ldi_grid, rounding_adds_no_row_of_pixels) {
  // 0.3 / (0.9 / 27) is a little more than 9 or less, depending on the last bit.
  for (int i = 1; i < 200; i++) {
    double pixel = 0.1 / i, far = 1000.0 / i;
    ts_aabb a = box(far, far, far, far + 27 * pixel, far + 9 * pixel, far + 3 * pixel);
    ts_ldi_grid grid = ts_ldi_grid_fit(a, everywhere, 27);
    expect_size(&grid, 27, 9, 3);
  }
}

Test(ldi_grid, a_power_of_two_changes_no_digit) {
  ts_aabb a = box(0.1, -0.7, 0.3, 1.7, 0.9, 0.8), b = box(-1, -0.3, 0.2, 1.1, 3, 0.7);
  ts_ldi_grid grid = ts_ldi_grid_fit(a, b, 77);
  for (int power = -30; power <= 30; power += 10) {
    double by = ldexp(1, power);
    ts_aabb scaled[2] = {{ts_vec3_scale(a.low, by), ts_vec3_scale(a.high, by)},
                         {ts_vec3_scale(b.low, by), ts_vec3_scale(b.high, by)}};
    ts_ldi_grid other = ts_ldi_grid_fit(scaled[0], scaled[1], 77);
    expect_size(&other, grid.size[0], grid.size[1], grid.size[2]);
    for (int k = 0; k < 3; k++)
      cr_expect_eq(other.pixel_m[k], grid.pixel_m[k] * by);
    cr_expect_eq(other.low.x, grid.low.x * by);
    cr_expect_eq(other.low.y, grid.low.y * by);
    cr_expect_eq(other.low.z, grid.low.z * by);
  }
}

Test(ldi_grid, the_order_of_the_boxes_does_not_matter) {
  ts_aabb a = box(0.1, -0.7, 0.3, 1.7, 0.9, 0.8), b = box(-1, -0.3, 0.2, 1.1, 3, 0.7);
  ts_ldi_grid grid = ts_ldi_grid_fit(a, b, 64), other = ts_ldi_grid_fit(b, a, 64);
  for (int k = 0; k < 3; k++)
    cr_expect_eq(grid.pixel_m[k], other.pixel_m[k]);
  cr_expect_eq(ts_vec3_distance(grid.low, other.low), 0);
  expect_size(&other, grid.size[0], grid.size[1], grid.size[2]);
}

Test(ldi_grid, an_overlap_finer_than_the_coordinates_is_a_point) {
  ts_aabb a = box(1e4, 1e4, 1e4, 1e4 + 1, 1e4 + 1, 1e4 + 1), b = a;
  double far = 1e4 + 1;
  b.low = ts_vec3_make(far - 1e-9, far - 1e-9, far - 1e-9);
  ts_ldi_grid grid = ts_ldi_grid_fit(a, b, 16);
  cr_expect(ts_ldi_grid_is_empty(&grid));
  b.low.x = far - 1e-6;
  grid = ts_ldi_grid_fit(a, b, 16);
  cr_expect_not(ts_ldi_grid_is_empty(&grid));
}

Test(ldi_grid, views_are_right_handed) {
  ts_ldi_grid grid = {.pixel_m = {1, 1, 1}, .size = {2, 3, 5}};
  const int columns[3] = {3, 5, 2}, rows[3] = {5, 2, 3};
  for (int axis = 0; axis < 3; axis++) {
    cr_expect_eq(ts_ldi_column_count(&grid, axis), columns[axis]);
    cr_expect_eq(ts_ldi_row_count(&grid, axis), rows[axis]);
  }
}

Test(ldi_grid, bands_cover_every_row_once) {
  const int32_t sizes[][3] = {{1, 1, 1},          {128, 128, 128}, {4096, 3000, 5},
                              {4096, 4096, 4096}, {1, 1, 4096},    {181, 182, 183}};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    for (int axis = 0; axis < 3; axis++) {
      ts_ldi_grid grid = {.pixel_m = {1, 1, 1}, .size = {sizes[i][0], sizes[i][1], sizes[i][2]}};
      int32_t rows = 1 << ts_ldi_band_shift(&grid, axis), bands = ts_ldi_band_count(&grid, axis);
      cr_expect_geq(rows, 1);
      cr_expect_geq(bands * rows, ts_ldi_row_count(&grid, axis));
      cr_expect_lt((bands - 1) * rows, ts_ldi_row_count(&grid, axis));
    }
}

Test(ldi_grid, grid_coordinates_count_from_the_centre_of_the_first_cell) {
  ts_random random = ts_random_seed(1, 1);
  for (int n = 0; n < 100; n++) {
    ts_pose pose = random_pose(&random, 3);
    ts_ldi_grid grid = {
        .low = random_point(&random, 3), .pixel_m = {0.01, 0.01, 0.01}, .size = {9, 9, 9}};
    ts_ldi_affine to_grid = ts_ldi_affine_grid(pose, &grid), to_world = ts_ldi_affine_world(pose);
    ts_vec3 local = random_point(&random, 1), world = ts_pose_point(pose, local);
    double p[3], q[3];
    ts_ldi_affine_apply(p, &to_grid, local);
    ts_ldi_affine_apply(q, &to_world, local);
    cr_expect_float_eq(p[0], (world.x - grid.low.x) / 0.01 - 0.5, 1e-11);
    cr_expect_float_eq(p[1], (world.y - grid.low.y) / 0.01 - 0.5, 1e-11);
    cr_expect_float_eq(p[2], (world.z - grid.low.z) / 0.01 - 0.5, 1e-11);
    cr_expect_lt(ts_vec3_distance(ts_vec3_make(q[0], q[1], q[2]), world), 1e-14);
  }
}
