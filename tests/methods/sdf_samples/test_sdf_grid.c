// SPDX-License-Identifier: MIT
// covers: methods/sdf_samples/sdf_grid.c
#include "base/random.h"
#include "methods/sdf_samples/sdf_grid.h"
#include "tests/geometry/mesh/curved.h"
#include "tests/methods/method_fixture.h"

static method_fixture f;

static void setup(void) {
  fixture_open(&f);
}

static void teardown(void) {
  fixture_close(&f);
}

TestSuite(methods_sdf_grid, .init = setup, .fini = teardown);

static const ts_sdf_grid *grid_of(const ts_mesh *mesh, int cells, double reach_m) {
  ts_sdf_grid *grid;
  cr_assert_eq(ts_sdf_grid_create(&grid, f.arena, mesh, cells, reach_m), TS_OK);
  return grid;
}

static ts_vec3 random_direction(ts_random *random) {
  double x = ts_random_uniform(random, -1, 1), y = ts_random_uniform(random, -1, 1);
  return ts_vec3_unit((ts_vec3){x, y, ts_random_uniform(random, -1, 1)});
}

/// The largest error of the values at heights up to 0.05 above a unit sphere, beside the distance
/// to the sphere.
static double error_above_sphere(const ts_mesh *mesh, int cells) {
  const ts_sdf_grid *grid = grid_of(mesh, cells, 0.1);
  ts_random random = ts_random_seed(5, 1);
  double most_m = 0;
  for (int i = 0; i < 2000; i++) {
    ts_vec3 direction = random_direction(&random);
    double height_m = ts_random_uniform(&random, 0, 0.05);
    double value_m = ts_sdf_grid_value(grid, ts_vec3_scale(direction, 1 + height_m));
    cr_assert(isfinite(value_m));
    most_m = fmax(most_m, fabs(value_m - height_m));
  }
  return most_m;
}

Test(methods_sdf_grid, error_above_a_sphere_falls_with_the_square_of_the_cells) {
  const ts_mesh *sphere = sphere_mesh(f.arena, 1, 3e-5);
  double coarse_m = error_above_sphere(sphere, 8);
  double middle_m = error_above_sphere(sphere, 16), fine_m = error_above_sphere(sphere, 32);
  cr_expect(coarse_m > 3.4 * middle_m && coarse_m < 4.8 * middle_m, "%g %g", coarse_m, middle_m);
  cr_expect(middle_m > 3.4 * fine_m && middle_m < 4.8 * fine_m, "%g %g", middle_m, fine_m);
}

Test(methods_sdf_grid, normals_above_a_sphere_get_better_with_the_cells) {
  const ts_mesh *sphere = sphere_mesh(f.arena, 1, 1e-4);
  double most_rad[2] = {0, 0};
  for (int fine = 0; fine < 2; fine++) {
    const ts_sdf_grid *grid = grid_of(sphere, fine ? 32 : 8, 0.1);
    ts_random random = ts_random_seed(5, 2);
    for (int i = 0; i < 500; i++) {
      ts_vec3 direction = random_direction(&random);
      ts_vec3 normal = ts_sdf_grid_gradient(grid, ts_vec3_scale(direction, 1.03));
      most_rad[fine] = fmax(most_rad[fine], ts_vec3_angle(normal, direction));
    }
  }
  cr_expect(most_rad[1] < most_rad[0] / 4, "%g %g", most_rad[0], most_rad[1]);
}

Test(methods_sdf_grid, is_exact_in_front_of_a_face_at_every_scale) {
  for (int k = -1; k <= 1; k++) {
    double scale = pow(10, 3 * k);
    const ts_mesh *box = fixture_scaled(
        &f, fixture_box(&f, (ts_vec3){-1, -0.5, -0.7}, (ts_vec3){1, 0.5, 0.7}, 0, 1), scale);
    const ts_sdf_grid *grid = grid_of(box, 20, 0.1 * scale);
    for (int i = -10; i <= 10; i++) {
      double height = 0.01 * i; // within the solid too
      ts_vec3 point = ts_vec3_scale((ts_vec3){0.313 + height, 0.5 + height, -0.2}, scale);
      cr_expect_float_eq(ts_sdf_grid_value(grid, point), height * scale, 1e-13 * scale);
      ts_vec3 normal = ts_sdf_grid_gradient(grid, point);
      cr_expect_leq(ts_vec3_distance(normal, (ts_vec3){0, 1, 0}), 1e-10);
    }
  }
}

Test(methods_sdf_grid, rounds_an_edge) {
  const ts_mesh *box = fixture_box(&f, (ts_vec3){0, 0, 0}, (ts_vec3){1, 1, 1}, 0, 1);
  // Nodes are at whole tenths, the point beside the edge between them.
  const ts_sdf_grid *grid = grid_of(box, 10, 0.1);
  double on_edge_m = ts_sdf_grid_value(grid, (ts_vec3){1, 1, 0.5});
  double beside_m = ts_sdf_grid_value(grid, (ts_vec3){1.05, 1.05, 0.5});
  cr_expect_float_eq(on_edge_m, 0, 1e-12);
  cr_expect_gt(beside_m, 0.05 * sqrt(2) + 0.005);
}

Test(methods_sdf_grid, knows_nothing_beyond_its_band) {
  const ts_mesh *box = fixture_box(&f, (ts_vec3){-1, -1, -1}, (ts_vec3){1, 1, 1}, 0, 1);
  const ts_sdf_grid *grid = grid_of(box, 40, 0.05);
  static const ts_vec3 away[] = {{0, 0, 0}, {0, 1.5, 0}, {1e9, 0, 0}, {0, -1e300, 0}, {0, 0, NAN}};
  for (size_t i = 0; i < sizeof away / sizeof *away; i++) {
    cr_expect_eq(ts_sdf_grid_value(grid, away[i]), INFINITY, "%zu", i);
    cr_expect_eq(ts_vec3_norm(ts_sdf_grid_gradient(grid, away[i])), 0, "%zu", i);
  }
}

Test(methods_sdf_grid, does_not_depend_on_where_the_shape_is) {
  const ts_mesh *near = fixture_box(&f, (ts_vec3){0, 0, 0}, (ts_vec3){1, 0.5, 0.25}, 0, 1);
  const ts_vec3 shift = {4096, -8192, 1024};
  const ts_mesh *far = fixture_box(&f, shift, ts_vec3_add(shift, (ts_vec3){1, 0.5, 0.25}), 0, 1);
  const ts_sdf_grid *grids[2] = {grid_of(near, 16, 0.1), grid_of(far, 16, 0.1)};
  ts_random random = ts_random_seed(9, 1);
  for (int i = 0; i < 200; i++) {
    double x = ts_random_uniform(&random, -0.1, 1.1), y = ts_random_uniform(&random, -0.1, 0.6);
    ts_vec3 point = {x, y, 0.3};
    double value_m = ts_sdf_grid_value(grids[0], point);
    double far_m = ts_sdf_grid_value(grids[1], ts_vec3_add(point, shift));
    cr_expect(value_m == far_m || fabs(value_m - far_m) <= 1e-11, "%g %g", value_m, far_m);
  }
}
