// SPDX-License-Identifier: MIT
// covers: methods/sdf_samples/sdf_field.c
#include "base/random.h"
#include "geometry/mesh/winding.h"
#include "methods/sdf_samples/sdf_field.h"
#include "tests/geometry/mesh/curved.h"
#include "tests/methods/method_fixture.h"

static method_fixture f;

static void setup(void) {
  fixture_open(&f);
}

static void teardown(void) {
  fixture_close(&f);
}

TestSuite(methods_sdf_field, .init = setup, .fini = teardown);

static ts_sdf_field field_of(const ts_mesh *mesh) {
  ts_bvh *bvh;
  cr_assert_eq(ts_bvh_create_for_mesh(&bvh, f.arena, mesh), TS_OK);
  return (ts_sdf_field){mesh, bvh, NULL, 1e-9};
}

/// 2 x 1 x 2 about the origin.
static const ts_mesh *slab(void) {
  return fixture_box(&f, (ts_vec3){-1, -0.5, -1}, (ts_vec3){1, 0.5, 1}, 0, 1);
}

Test(methods_sdf_field, has_the_sign_of_the_solid_and_the_gradient_of_its_distance) {
  ts_sdf_field field = field_of(torus_mesh(f.arena, 1, 0.4, 12, 8));
  ts_random random = ts_random_seed(2, 1);
  size_t inside_count = 0;
  for (int i = 0; i < 500; i++) {
    double x = ts_random_uniform(&random, -1.5, 1.5), y = ts_random_uniform(&random, -1.5, 1.5);
    ts_vec3 point = {x, y, ts_random_uniform(&random, -0.5, 0.5)};
    ts_sdf_value value = ts_sdf_at(&field, point);
    bool inside = ts_winding(field.mesh, field.mesh->vertices, point) > 0.5;
    cr_expect_eq(value.phi_m < 0, inside, "point %d: %g", i, value.phi_m);
    ts_vec3 foot = ts_vec3_add_scaled(point, -value.phi_m, value.gradient);
    cr_expect_leq(fabs(ts_sdf_at(&field, foot).phi_m), 1e-9, "point %d", i);
    inside_count += inside;
  }
  cr_expect(inside_count > 50 && inside_count < 450, "%zu", inside_count);
}

Test(methods_sdf_field, on_the_surface_the_gradient_is_the_normal_of_the_feature) {
  ts_sdf_field field = field_of(slab());
  static const struct {
    ts_vec3 at, normal;
    int32_t kind;
  } places[] = {{{0.3, 0.5, 0.2}, {0, 1, 0}, TS_FEATURE_FACE},
                {{1, 0.5, 0.2}, {1, 1, 0}, TS_FEATURE_EDGE},
                {{1, -0.5, -1}, {1, -1, -1}, TS_FEATURE_VERTEX}};
  for (size_t i = 0; i < 3; i++) {
    ts_sdf_value value = ts_sdf_at(&field, places[i].at);
    cr_expect_leq(fabs(value.phi_m), 1e-15);
    cr_expect_eq(value.feature.kind, places[i].kind, "%zu", i);
    cr_expect_leq(ts_vec3_distance(value.gradient, ts_vec3_unit(places[i].normal)), 1e-12);
  }
}

Test(methods_sdf_field, reaches_far_and_knows_no_place_that_is_not_finite) {
  ts_sdf_field field = field_of(slab());
  ts_sdf_value far = ts_sdf_at(&field, (ts_vec3){0, 1e6, 0});
  cr_expect_float_eq(far.phi_m, 1e6 - 0.5, 1e-9);
  cr_expect_leq(ts_vec3_distance(far.gradient, (ts_vec3){0, 1, 0}), 1e-12);
  cr_expect_eq(ts_sdf_at(&field, (ts_vec3){NAN, 0, 0}).phi_m, INFINITY);
}

Test(methods_sdf_field, among_equally_near_points_the_mesh_order_and_rounding_choose_nothing) {
  const ts_mesh *mesh = slab();
  for (uint64_t seed = 0; seed < 8; seed++) {
    ts_sdf_field field = field_of(seed ? fixture_shuffled(&f, mesh, seed) : mesh);
    double off = 1e-14 * ((double)seed - 4);
    ts_sdf_value value = ts_sdf_at(&field, (ts_vec3){0.1, off, 0.2}); // between bottom and top
    cr_expect_float_eq(value.phi_m, -0.5, 1e-12);
    cr_expect_leq(ts_vec3_distance(value.gradient, (ts_vec3){0, -1, 0}), 1e-12, "seed %d",
                  (int)seed);
  }
}

Test(methods_sdf_field, an_edge_across_a_ridge_is_least_there) {
  ts_sdf_field field = field_of(fixture_wedge(&f, 0.5, 1, 1));
  // The ridge is along x through the origin.
  const ts_vec3 ends[2] = {{0.1, 0.2, -0.83}, {0.1, 0.2, 1.37}};
  ts_sdf_place place = ts_sdf_least_on_edge(&field, ends);
  cr_expect_leq(ts_vec3_distance(place.point, (ts_vec3){0.1, 0.2, 0}), 1e-7);
  cr_expect_float_eq(place.phi_m, 0.2, 1e-12);
  cr_expect_eq(place.kind, TS_FEATURE_EDGE);
  const ts_vec3 back[2] = {ends[1], ends[0]};
  ts_sdf_place reversed = ts_sdf_least_on_edge(&field, back);
  cr_expect_leq(ts_vec3_distance(place.point, reversed.point), 1e-7);
}

Test(methods_sdf_field, an_edge_along_a_face_is_taken_at_its_middle_a_steep_one_at_its_end) {
  ts_sdf_field field = field_of(slab());
  const ts_vec3 along[2] = {{-0.7, 0.6, 0.1}, {0.5, 0.6, 0.3}};
  ts_sdf_place place = ts_sdf_least_on_edge(&field, along);
  cr_expect_leq(ts_vec3_distance(place.point, (ts_vec3){-0.1, 0.6, 0.2}), 1e-12);
  cr_expect_eq(place.kind, TS_FEATURE_EDGE);
  const ts_vec3 steep[2] = {{-0.7, 0.9, 0.1}, {0.5, 0.6, 0.3}};
  place = ts_sdf_least_on_edge(&field, steep);
  cr_expect_leq(ts_vec3_distance(place.point, steep[1]), 1e-12);
  cr_expect_eq(place.kind, TS_FEATURE_VERTEX);
  cr_expect_eq(place.corner, 1);
}

Test(methods_sdf_field, an_edge_of_no_length_and_a_flat_triangle_are_points_and_edges) {
  ts_sdf_field field = field_of(slab());
  const ts_vec3 point = {0.2, 0.7, 0.2}, points[3] = {point, point, point};
  cr_expect_float_eq(ts_sdf_least_on_edge(&field, points).phi_m, 0.2, 1e-12);
  cr_expect_float_eq(ts_sdf_least_on_triangle(&field, points).phi_m, 0.2, 1e-12);
}

Test(methods_sdf_field, a_triangle_over_a_tip_comes_down_to_it) {
  ts_sdf_field field = field_of(fixture_spike(&f, 0.5, 1)); // tip at the origin
  const ts_vec3 corners[3] = {{-1, 0.1, -0.8}, {-0.3, 0.1, 1.2}, {1.1, 0.1, 0.1}};
  ts_sdf_place place = ts_sdf_least_on_triangle(&field, corners);
  cr_expect_eq(place.kind, TS_FEATURE_FACE);
  cr_expect_geq(place.phi_m, 0.1 - 1e-12);
  cr_expect_leq(place.phi_m, 0.13);
  cr_expect_float_eq(ts_sdf_at(&field, place.point).phi_m, place.phi_m, 1e-12);
}

Test(methods_sdf_field, a_triangle_along_a_face_is_taken_at_its_centre_a_steep_one_at_a_corner) {
  ts_sdf_field field = field_of(slab());
  const ts_vec3 along[3] = {{-0.6, 0.6, -0.6}, {0.6, 0.6, -0.3}, {0.3, 0.6, 0.6}};
  ts_sdf_place place = ts_sdf_least_on_triangle(&field, along);
  cr_expect_leq(ts_vec3_distance(place.point, (ts_vec3){0.1, 0.6, -0.1}), 1e-12);
  const ts_vec3 steep[3] = {{-0.6, 0.9, -0.6}, {0.6, 0.55, -0.3}, {0.3, 0.7, 0.6}};
  place = ts_sdf_least_on_triangle(&field, steep);
  cr_expect_leq(ts_vec3_distance(place.point, steep[1]), 1e-12);
  cr_expect_eq(place.kind, TS_FEATURE_VERTEX);
  cr_expect_eq(place.corner, 1);
}
