// SPDX-License-Identifier: MIT
// covers: methods/pressure/pressure_patch.c methods/pressure/pressure_field.c
#include "base/param.h"
#include "base/status.h"
#include "geometry/vec3.h"
#include "methods/pressure/pressure_patch.h"
#include "tests/methods/method_fixture.h"

#include <criterion/criterion.h>
#include <math.h>

extern const ts_method ts_method_pressure_field;

static const ts_method *const method = &ts_method_pressure_field;
static method_fixture f;

static void setup(void) {
  fixture_open(&f);
}

static void teardown(void) {
  fixture_close(&f);
}

TestSuite(methods_pressure_patch, .init = setup, .fini = teardown);

/// A slab with its top at 0, and a cube of side 1 that is 0.1 deep in it.
static fixture_pair cube_in_slab(void) {
  return (fixture_pair){
      {fixture_box(&f, (ts_vec3){-2, -1, -2}, (ts_vec3){2, 0, 2}, 0, 1),
       fixture_box(&f, (ts_vec3){-0.5, -0.5, -0.5}, (ts_vec3){0.5, 0.5, 0.5}, 1, 0)},
      {ts_pose_identity(), fixture_shift(0.3, 0.4, -0.2)}};
}

/// The patch of two bodies of a pair, `first` as body a, in the world.
static ts_pressure_patch patch_of(const fixture_pair *pair, int first, ts_pressure_rigid rigid) {
  ts_pressure_body *bodies[2];
  ts_pressure_patch patch = {.arena = f.arena};
  for (int i = 0; i < 2; i++)
    cr_assert_eq(ts_pressure_body_create(&bodies[i], pair->mesh[i]), TS_OK);
  ts_pose a = pair->pose[first], b = pair->pose[1 - first];
  cr_assert_eq(ts_pressure_patch_find(&patch, bodies[first], bodies[1 - first],
                                      ts_pose_relative(a, b), rigid, 1),
               TS_OK);
  for (int i = 0; i < 2; i++)
    ts_arena_destroy(bodies[i]->arena);
  for (size_t i = 0; i < patch.count; i++) {
    ts_pressure_cut *cut = &patch.cuts[i];
    cut->normal = ts_pose_direction(a, cut->normal);
    for (int k = 0; k < cut->count; k++)
      cut->corners[k] = ts_pose_point(a, cut->corners[k]);
  }
  return patch;
}

/// The area of the polygons with a normal, and the centre of it all.
static double area_along(ts_vec3 *out_centre, const ts_pressure_patch *patch, ts_vec3 normal) {
  double area_m2 = 0;
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < patch->count; i++) {
    const ts_pressure_cut *cut = &patch->cuts[i];
    if (ts_vec3_distance(cut->normal, normal) > 1e-9)
      continue;
    area_m2 += cut->area_m2;
    sum = ts_vec3_add_scaled(sum, cut->area_m2, ts_pressure_cut_centre(cut));
  }
  *out_centre = ts_vec3_scale(sum, 1 / area_m2);
  return area_m2;
}

Test(methods_pressure_patch, of_a_rigid_body_its_own_faces_are_the_surface_in_either_order) {
  fixture_pair pair = cube_in_slab();
  for (int first = 0; first < 2; first++) {
    ts_vec3 out_of_slab = {0, first == 0 ? 1 : -1, 0}, centre;
    // The cube does not give way: its bottom, whole, is the surface.
    ts_pressure_patch patch =
        patch_of(&pair, first, first == 0 ? TS_PRESSURE_RIGID_B : TS_PRESSURE_RIGID_A);
    cr_expect_float_eq(area_along(&centre, &patch, out_of_slab), 1, 1e-9);
    cr_expect_leq(ts_vec3_distance(centre, (ts_vec3){0.3, -0.1, -0.2}), 1e-9);
    // The slab does not: its top, as far as the cube's pressure grows from the bottom there.
    patch = patch_of(&pair, first, first == 0 ? TS_PRESSURE_RIGID_A : TS_PRESSURE_RIGID_B);
    cr_expect_float_eq(area_along(&centre, &patch, out_of_slab), 0.8 * 0.8, 1e-9);
    cr_expect_leq(ts_vec3_distance(centre, (ts_vec3){0.3, 0, -0.2}), 1e-9);
  }
}

Test(methods_pressure_patch, the_centre_of_a_polygon_is_that_of_its_area) {
  // A right trapezium, of a unit square and a triangle of half its area.
  ts_pressure_cut cut = {.normal = {0, 0, 1}, .count = 4};
  const ts_vec3 corners[4] = {{0, 0, 5}, {2, 0, 5}, {1, 1, 5}, {0, 1, 5}};
  for (int i = 0; i < 4; i++)
    cut.corners[i] = corners[i];
  ts_vec3 expected = {(1 * 0.5 + 0.5 * (4 / 3.0)) / 1.5, (1 * 0.5 + 0.5 / 3) / 1.5, 5};
  cr_expect_leq(ts_vec3_distance(ts_pressure_cut_centre(&cut), expected), 1e-15);
}

Test(methods_pressure_patch, polygons_are_dropped_by_their_share_of_the_largest) {
  ts_pressure_cut cuts[] = {{.area_m2 = 0.1}, {.area_m2 = 4}, {.area_m2 = 0.4}, {.area_m2 = 0.39}};
  ts_pressure_patch patch = {.count = 4, .cuts = cuts};
  ts_pressure_patch_drop_small(&patch, 0);
  cr_expect_eq(patch.count, 4);
  ts_pressure_patch_drop_small(&patch, 0.1);
  cr_assert_eq(patch.count, 2);
  cr_expect(patch.cuts[0].area_m2 == 4 && patch.cuts[1].area_m2 == 0.4);
  patch.count = 0;
  ts_pressure_patch_drop_small(&patch, 0.1);
  cr_expect_eq(patch.count, 0);
}

Test(methods_pressure_patch, each_polygon_has_a_contact_at_its_centroid) {
  double values[8];
  cr_assert_leq(method->param_count, 8);
  ts_param_defaults(values, method->params, method->param_count);
  int contacts = ts_param_find(method->params, method->param_count, "contacts");
  cr_assert_geq(contacts, 0);
  values[contacts] = 1;
  cr_assert_str_eq(method->params[contacts].choices[1], "centroids");
  fixture_pair pair = cube_in_slab();
  ts_pressure_patch patch = patch_of(&pair, 0, TS_PRESSURE_RIGID_NONE);
  f.set.count = 0;
  cr_assert_eq(fixture_try(&f, method, values, &pair), TS_OK);
  cr_expect_eq(f.set.delivered, patch.count);
  for (size_t i = 0; i < patch.count; i++) {
    ts_vec3 centre = ts_pressure_cut_centre(&patch.cuts[i]);
    size_t found = 0;
    for (size_t k = 0; k < f.set.count; k++)
      found += ts_vec3_distance(f.set.contacts[k].point, centre) <= 1e-9 &&
               ts_vec3_distance(f.set.contacts[k].normal, patch.cuts[i].normal) <= 1e-9;
    cr_expect_eq(found, 1, "polygon %zu", i);
  }
}
