// SPDX-License-Identifier: MIT
// covers: methods/engines/fcl_convex.cc methods/engines/fcl_mesh.cc
#include "tests/methods/engines/engine_driver.h"

#include <criterion/criterion.h>

#define DEPTH_M  0.01
#define ROUNDING 1e-12

enum { LIBCCD, INDEP };

static void run(engine_driver *d, const cube_pair *pair) {
  cr_assert_eq(driver_run(d, pair->mesh, pair->pose), TS_OK, "%s", d->message);
}

static void check(const cube_errors *e, size_t index) {
  cr_assert_eq(e->count, 1, "pair %zu: %zu contacts", index, e->count);
  cr_expect_lt(e->gap_m, ROUNDING, "pair %zu: depth off by %g m", index, e->gap_m);
  cr_expect_lt(e->plane_m, ROUNDING, "pair %zu: %g m off the plane", index, e->plane_m);
  cr_expect_lt(e->outside_m, ROUNDING, "pair %zu: %g m outside", index, e->outside_m);
}

Test(engines_fcl, convex_on_cubes_has_the_right_normal_depth_and_point) {
  engine_driver d;
  driver_open(&d, "fcl_convex");
  for (size_t i = 0; i < 2 * CUBE_PAIRS; i++) {
    cube_pair pair = cube_pair_make(&d, i / 2, DEPTH_M);
    pair = i % 2 ? cube_pair_swap(&pair) : pair;
    run(&d, &pair);
    cube_errors e = cube_errors_of(&d.set, &pair, DEPTH_M);
    check(&e, i);
    cr_expect_lt(e.normal, ROUNDING, "pair %zu: normal off by %g", i, e.normal);
  }
  driver_close(&d);
}

/// GST_INDEP returns its normal in the local frame of the first shape, unlike its point, and unlike
/// GST_LIBCCD. The error disappears when the test applies the rotation, so it is FCL's.
Test(engines_fcl, convex_with_indep_has_its_normal_in_the_frame_of_a) {
  engine_driver d;
  driver_open(&d, "fcl_convex");
  driver_set(&d, "gjk_solver", INDEP);
  size_t wrong = 0;
  for (size_t i = 0; i < 2 * CUBE_PAIRS; i++) {
    cube_pair pair = cube_pair_make(&d, i / 2, DEPTH_M);
    pair = i % 2 ? cube_pair_swap(&pair) : pair;
    run(&d, &pair);
    cube_errors e = cube_errors_of(&d.set, &pair, DEPTH_M);
    check(&e, i);
    wrong += e.normal > 0.01;
    ts_vec3 turned = ts_pose_direction(pair.pose[0], d.set.contacts[0].normal);
    cr_expect_lt(ts_vec3_distance(turned, pair.normal), ROUNDING, "pair %zu", i);
  }
  cr_expect_eq(wrong, 2 * (CUBE_PAIRS - 6), "all but those along the axes are off");
  driver_close(&d);
}

Test(engines_fcl, cubes_apart_have_no_contact) {
  static const char *const names[] = {"fcl_convex", "fcl_convex", "fcl_mesh"};
  for (size_t n = 0; n < 3; n++) {
    engine_driver d;
    driver_open(&d, names[n]);
    if (n == 1)
      driver_set(&d, "gjk_solver", INDEP);
    for (size_t i = 0; i < CUBE_PAIRS; i++) {
      cube_pair pair = cube_pair_make(&d, i, -DEPTH_M);
      run(&d, &pair);
      cr_expect_eq(d.set.count, 0, "%s, pair %zu", names[n], i);
    }
    driver_close(&d);
  }
}

static bool is_feature_of(ts_feature feature, const ts_mesh *mesh, ts_pose pose, ts_vec3 normal) {
  cr_assert_eq(feature.kind, TS_FEATURE_FACE);
  cr_assert_lt(feature.index, mesh->triangle_count);
  const uint32_t *t = mesh->triangles[feature.index];
  const ts_vec3 *v = mesh->vertices;
  ts_vec3 across = ts_vec3_cross(ts_vec3_sub(v[t[1]], v[t[0]]), ts_vec3_sub(v[t[2]], v[t[0]]));
  return ts_vec3_distance(ts_pose_direction(pose, ts_vec3_unit(across)), normal) < ROUNDING;
}

/// Contacts of opposing faces are right. The others are of side faces inside the overlap, with the
/// normal of one of them and the depth along it: FCL considers nothing else. Each contact names its
/// triangles.
Test(engines_fcl, mesh_on_cubes_has_the_normal_of_a_face_and_is_midway_between_opposing_faces) {
  engine_driver d;
  driver_open(&d, "fcl_mesh");
  driver_set(&d, "max_contacts", 1000);
  for (size_t i = 0; i < 2 * CUBE_PAIRS; i++) {
    cube_pair pair = cube_pair_make(&d, i / 2, DEPTH_M);
    pair = i % 2 ? cube_pair_swap(&pair) : pair;
    run(&d, &pair);
    size_t opposed = 0, upright = 0;
    for (size_t k = 0; k < d.set.count; k++) {
      const ts_contact *c = &d.set.contacts[k];
      bool of_a = is_feature_of(c->feature_a, pair.mesh[0], pair.pose[0], c->normal);
      bool of_b = is_feature_of(c->feature_b, pair.mesh[1], pair.pose[1], ts_vec3_neg(c->normal));
      cr_expect(of_a || of_b, "pair %zu: a normal of neither face", i);
      upright += fabs(ts_vec3_dot(c->normal, pair.normal)) < ROUNDING;
      if (ts_vec3_distance(c->normal, pair.normal) > ROUNDING)
        continue;
      opposed++;
      double off_m = fabs(ts_vec3_dot(pair.normal, c->point) - pair.middle_m);
      cr_expect_lt(fabs(c->gap_m + DEPTH_M), ROUNDING, "pair %zu: gap %g m", i, c->gap_m);
      cr_expect_lt(off_m, ROUNDING, "pair %zu: %g m off the plane", i, off_m);
    }
    cr_expect_gt(opposed, 3, "pair %zu: %zu", i, opposed);
    cr_expect_eq(opposed + upright, d.set.count, "pair %zu: a normal that is neither", i);
    cr_expect_gt(upright, 0, "pair %zu", i);
  }
  driver_close(&d);
}

Test(engines_fcl, mesh_repeats_the_same_point) {
  engine_driver d;
  driver_open(&d, "fcl_mesh");
  cube_pair pair = cube_pair_make(&d, 0, DEPTH_M);
  run(&d, &pair);
  cr_expect_eq(d.set.count, 1, "FCL's default is one contact");
  driver_set(&d, "max_contacts", 1000);
  run(&d, &pair);
  size_t again = 0;
  for (size_t k = 0; k < d.set.count; k++)
    for (size_t j = 0; j < k; j++)
      again += ts_vec3_distance(d.set.contacts[j].point, d.set.contacts[k].point) < ROUNDING;
  cr_expect_gt(again, 0, "%zu contacts", d.set.count);
  driver_set(&d, "max_contacts", 7);
  run(&d, &pair);
  cr_expect_eq(d.set.count, 7);
  driver_close(&d);
}
