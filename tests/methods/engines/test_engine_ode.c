// SPDX-License-Identifier: MIT
// covers: methods/engines/ode_trimesh.c
#include "tests/methods/engines/engine_driver.h"

#include <criterion/criterion.h>

#define DEPTH_M  0.01
#define ROUNDING 1e-12

static void run(engine_driver *d, const cube_pair *pair) {
  cr_assert_eq(driver_run(d, pair->mesh, pair->pose), TS_OK, "%s", d->message);
}

/// Contacts of the two opposing faces are right. The others are of side faces inside the overlap:
/// they intersect, too, and ODE considers only two triangles at a time.
Test(engines_ode, cubes_face_to_face_have_the_right_normal_depth_and_point) {
  engine_driver d;
  driver_open(&d, "ode_trimesh");
  for (size_t i = 0; i < 2 * CUBE_PAIRS; i++) {
    cube_pair pair = cube_pair_make(&d, i / 2, DEPTH_M);
    pair = i % 2 ? cube_pair_swap(&pair) : pair;
    run(&d, &pair);
    size_t opposed = 0;
    for (size_t k = 0; k < d.set.count; k++) {
      const ts_contact *c = &d.set.contacts[k];
      double along = ts_vec3_dot(c->normal, pair.normal);
      if (fabs(along) < ROUNDING) {
        cr_expect_lt(fabs(c->gap_m + 0.75), ROUNDING, "pair %zu: gap %g m", i, c->gap_m);
        continue;
      }
      opposed++;
      double off_m = fabs(ts_vec3_dot(pair.normal, c->point) - pair.middle_m);
      cr_expect_lt(fabs(along - 1), ROUNDING, "pair %zu: a normal that is of no face", i);
      cr_expect_lt(fabs(c->gap_m + DEPTH_M), ROUNDING, "pair %zu: gap %g m", i, c->gap_m);
      cr_expect_lt(off_m, ROUNDING, "pair %zu: %g m off the plane", i, off_m);
    }
    cr_expect_geq(opposed, 4, "pair %zu: %zu", i, opposed);
    cr_expect_lt(cube_errors_of(&d.set, &pair, DEPTH_M).outside_m, ROUNDING, "pair %zu", i);
  }
  driver_close(&d);
}

static const ts_mesh *spike(engine_driver *d) {
  static const ts_vec3 vertices[5] = {
      {-0.2, 1, -0.2}, {0.2, 1, -0.2}, {0.2, 1, 0.2}, {-0.2, 1, 0.2}, {0, 0, 0}};
  static const uint32_t triangles[6][3] = {{1, 0, 2}, {2, 0, 3}, {0, 1, 4},
                                           {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  return driver_mesh(d, vertices, 5, triangles, 6);
}

/// A cube on an equal cube, edge above edge, with slight overlap: where the faces next to the edge
/// intersect, they are no deeper than the opposing faces, and ODE averages all of them. A tip in a
/// face goes through the same adapter and is right, so the tilt is ODE's.
Test(engines_ode, equal_cubes_have_tilted_normals_but_a_tip_in_a_face_does_not) {
  engine_driver d;
  driver_open(&d, "ode_trimesh");
  const ts_mesh *cube = driver_box(&d, ts_vec3_make(-0.5, -0.5, -0.5), ts_vec3_make(0.5, 0.5, 0.5));
  ts_pose pose[2] = {{{1, 0, 0, 0}, {0, 0, 0}}, {{1, 0, 0, 0}, {0, 1 - 1e-5, 0}}};
  cr_assert_eq(driver_run(&d, (const ts_mesh *[2]){cube, cube}, pose), TS_OK, "%s", d.message);
  size_t tilted = 0;
  for (size_t k = 0; k < d.set.count; k++) {
    double along = d.set.contacts[k].normal.y;
    tilted += along > 0.1 && along < 0.9998;
  }
  cr_expect_gt(tilted, 0, "of %zu contacts none is tilted by a degree", d.set.count);
  for (int swapped = 0; swapped < 2; swapped++) {
    pose[swapped] = (ts_pose){{1, 0, 0, 0}, {0, 0, 0}};
    pose[!swapped] = (ts_pose){{1, 0, 0, 0}, {0.1, 0.5 - DEPTH_M, 0.2}};
    const ts_mesh *mesh[2] = {swapped ? spike(&d) : cube, swapped ? cube : spike(&d)};
    cr_assert_eq(driver_run(&d, mesh, pose), TS_OK, "%s", d.message);
    cr_assert_eq(d.set.count, 1);
    const ts_contact *c = &d.set.contacts[0];
    cr_expect_lt(fabs(c->normal.y - (swapped ? -1 : 1)), ROUNDING);
    cr_expect_lt(fabs(c->gap_m + DEPTH_M), ROUNDING);
    ts_vec3 middle = ts_vec3_make(0.1, 0.5 - 0.5 * DEPTH_M, 0.2);
    cr_expect_lt(ts_vec3_distance(c->point, middle), ROUNDING, "%g m off",
                 ts_vec3_distance(c->point, middle));
  }
  driver_close(&d);
}

Test(engines_ode, cubes_apart_have_no_contact) {
  engine_driver d;
  driver_open(&d, "ode_trimesh");
  for (size_t i = 0; i < CUBE_PAIRS; i++) {
    cube_pair pair = cube_pair_make(&d, i, -DEPTH_M);
    run(&d, &pair);
    cr_expect_eq(d.set.count, 0, "pair %zu", i);
  }
  driver_close(&d);
}

Test(engines_ode, parameters_reach_the_engine) {
  engine_driver d;
  driver_open(&d, "ode_trimesh");
  cube_pair pair = cube_pair_make(&d, 0, DEPTH_M);
  run(&d, &pair);
  cr_assert_gt(d.set.count, 3);
  driver_set(&d, "max_contacts", 3);
  run(&d, &pair);
  cr_expect_eq(d.set.count, 3);
  driver_close(&d);
}
