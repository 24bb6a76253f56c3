// SPDX-License-Identifier: MIT
// covers: methods/engines/libccd_gjk.c methods/engines/libccd_mpr.c
#include "tests/methods/engines/engine_driver.h"

#include <criterion/criterion.h>

#define DEPTH_M  0.01
#define ROUNDING 1e-12

static void check_depth_and_normal(const cube_errors *e, const char *name, size_t index) {
  cr_assert_eq(e->count, 1, "%s, pair %zu: %zu contacts", name, index, e->count);
  cr_expect_lt(e->normal, ROUNDING, "%s, pair %zu: normal off by %g", name, index, e->normal);
  cr_expect_lt(e->gap_m, ROUNDING, "%s, pair %zu: depth off by %g m", name, index, e->gap_m);
}

/// Both orders of every pair; returns the number of points off the plane between the faces.
static size_t check_cubes(const char *name) {
  engine_driver d;
  driver_open(&d, name);
  size_t off = 0;
  for (size_t i = 0; i < CUBE_PAIRS; i++)
    for (int swapped = 0; swapped < 2; swapped++) {
      cube_pair pair = cube_pair_make(&d, i, DEPTH_M);
      pair = swapped ? cube_pair_swap(&pair) : pair;
      cr_assert_eq(driver_run(&d, pair.mesh, pair.pose), TS_OK, "%s", d.message);
      cube_errors e = cube_errors_of(&d.set, &pair, DEPTH_M);
      check_depth_and_normal(&e, name, i);
      off += !(e.plane_m < ROUNDING && e.outside_m < ROUNDING);
    }
  driver_close(&d);
  return off;
}

Test(engines_libccd, mpr_on_cubes_has_the_right_normal_depth_and_point) {
  cr_expect_eq(check_cubes("libccd_mpr"), 0);
}

/// The position from libccd's GJK is the mean of half of the polytope's support points, wherever
/// they are. Its occasional error is libccd's: both plug-ins push their results by the same
/// function, and MPR's position is right.
Test(engines_libccd, gjk_on_cubes_has_the_right_normal_and_depth_but_its_point_may_be_off) {
  size_t off = check_cubes("libccd_gjk");
  cr_expect_gt(off, 0, "its point is always midway: then the page about engines is out of date");
  cr_expect_lt(off, CUBE_PAIRS);
}

Test(engines_libccd, cubes_apart_have_no_contact) {
  static const char *const names[] = {"libccd_gjk", "libccd_mpr"};
  for (size_t n = 0; n < 2; n++) {
    engine_driver d;
    driver_open(&d, names[n]);
    for (size_t i = 0; i < CUBE_PAIRS; i++) {
      cube_pair pair = cube_pair_make(&d, i, -DEPTH_M);
      cr_assert_eq(driver_run(&d, pair.mesh, pair.pose), TS_OK, "%s", d.message);
      cr_expect_eq(d.set.count, 0, "%s, pair %zu", names[n], i);
    }
    driver_close(&d);
  }
}

static const ts_mesh *spike(engine_driver *d) {
  static const ts_vec3 vertices[5] = {
      {-0.5, -1, -0.5}, {0.5, -1, -0.5}, {0.5, -1, 0.5}, {-0.5, -1, 0.5}, {0, 0, 0}};
  static const uint32_t triangles[6][3] = {{0, 1, 2}, {0, 2, 3}, {1, 0, 4},
                                           {2, 1, 4}, {3, 2, 4}, {0, 3, 4}};
  return driver_mesh(d, vertices, 5, triangles, 6);
}

/// libccd reports that the spikes overlap by zero, and divides its direction by that: a contact
/// without a normal, which must be pushed as one.
Test(engines_libccd, the_nan_normal_of_spike_on_spike_is_passed_on) {
  engine_driver d;
  driver_open(&d, "libccd_gjk");
  const ts_mesh *body = spike(&d);
  const ts_pose pose[2] = {{{1, 0, 0, 0}, {0, 0, 0}}, {{0, 1, 0, 0}, {0, -1e-3, 0}}};
  cr_assert_eq(driver_run(&d, (const ts_mesh *[2]){body, body}, pose), TS_OK, "%s", d.message);
  cr_assert_eq(d.set.count, 1);
  ts_vec3 normal = d.set.contacts[0].normal;
  cr_expect(isnan(normal.x) && isnan(normal.y) && isnan(normal.z), "%g %g %g", normal.x, normal.y,
            normal.z);
  driver_close(&d);
}

/// A double cone of many sides, sharp at the equator: libccd must refine to find its depth.
static const ts_mesh *spinning_top(engine_driver *d) {
  enum { SIDES = 64 };
  static ts_vec3 vertices[SIDES + 2];
  static uint32_t triangles[2 * SIDES][3];
  for (uint32_t i = 0; i < SIDES; i++) {
    double angle = 6.283185307179586 * i / SIDES;
    vertices[i] = ts_vec3_make(cos(angle), 0, sin(angle));
    uint32_t next = (i + 1) % SIDES;
    uint32_t upper[3] = {next, i, SIDES}, lower[3] = {i, next, SIDES + 1};
    for (int k = 0; k < 3; k++) {
      triangles[2 * i][k] = upper[k];
      triangles[2 * i + 1][k] = lower[k];
    }
  }
  vertices[SIDES] = ts_vec3_make(0, 1, 0);
  vertices[SIDES + 1] = ts_vec3_make(0, -1, 0);
  return driver_mesh(d, vertices, SIDES + 2, (const uint32_t(*)[3])triangles, 2 * SIDES);
}

static double depth_of_tops(const char *name, const char *parameter, double value) {
  engine_driver d;
  driver_open(&d, name);
  driver_set(&d, parameter, value);
  const ts_mesh *body = spinning_top(&d);
  const ts_pose pose[2] = {{{1, 0, 0, 0}, {0, 0, 0}}, {{1, 0, 0, 0}, {1.5, 0.1, 0.4}}};
  cr_assert_eq(driver_run(&d, (const ts_mesh *[2]){body, body}, pose), TS_OK, "%s", d.message);
  double gap_m = d.set.count ? d.set.contacts[0].gap_m : NAN;
  driver_close(&d);
  return -gap_m;
}

Test(engines_libccd, parameters_reach_the_engine) {
  double fine_m = depth_of_tops("libccd_gjk", "epa_tolerance_m", 1e-6);
  double coarse_m = depth_of_tops("libccd_gjk", "epa_tolerance_m", 0.5);
  cr_expect_gt(fabs(fine_m - coarse_m), 1e-4, "EPA: %.17g %.17g", fine_m, coarse_m);
  cr_expect(isnan(depth_of_tops("libccd_gjk", "max_iterations", 1)), "GJK needs more than a step");
  fine_m = depth_of_tops("libccd_mpr", "mpr_tolerance_m", 1e-9);
  coarse_m = depth_of_tops("libccd_mpr", "mpr_tolerance_m", 0.5);
  cr_expect_gt(fabs(fine_m - coarse_m), 1e-4, "MPR: %.17g %.17g", fine_m, coarse_m);
  double one_m = depth_of_tops("libccd_mpr", "max_iterations", 1);
  cr_expect_neq(one_m, depth_of_tops("libccd_mpr", "max_iterations", 0));
}
