// SPDX-License-Identifier: MIT
// covers: methods/sdf_samples/sdf_samples.c methods/sdf_samples/sdf_shape.c
#include "base/param.h"
#include "base/status.h"
#include "tests/methods/method_fixture.h"

#include "geometry/vec3.h"
#include <criterion/criterion.h>

extern const ts_method ts_method_sdf_samples;

static const ts_method *const method = &ts_method_sdf_samples;
static const ts_vec3 up = {0, 1, 0};
static method_fixture f;

static void setup(void) {
  fixture_open(&f);
}

static void teardown(void) {
  fixture_close(&f);
}

TestSuite(methods_sdf_samples, .init = setup, .fini = teardown);

enum { VALUES_MAX = 8, VERTICES = 0, EDGES = 1, TRIANGLES = 2 };

/// The defaults, but for kind of samples and field, lengths at a scale.
static void set_values(double values[VALUES_MAX], int samples, int on_grid, double scale) {
  cr_assert_leq(method->param_count, VALUES_MAX);
  ts_param_defaults(values, method->params, method->param_count);
  values[ts_param_find(method->params, method->param_count, "samples")] = samples;
  values[ts_param_find(method->params, method->param_count, "field")] = on_grid;
  ts_param_scale_lengths(values, method->params, method->param_count, values, scale);
}

/// A unit cube with its bottom 0.01 above the top of a slab, which is at 0.
static fixture_pair cube_over_slab(void) {
  return (fixture_pair){
      {fixture_box(&f, (ts_vec3){-2, -1, -2}, (ts_vec3){2, 0, 2}, 0, 1),
       fixture_box(&f, (ts_vec3){-0.5, -0.5, -0.5}, (ts_vec3){0.5, 0.5, 0.5}, 1, 0)},
      {ts_pose_identity(), fixture_shift(0.3, 0.51, -0.2)}};
}

static void expect_at(fixture_contacts set, double x, double z) {
  cr_expect_eq(fixture_count_at(set, (ts_vec3){0.3 + x, 0.005, -0.2 + z}), 1, "%g %g", x, z);
}

Test(methods_sdf_samples, a_cube_over_a_slab_has_its_corners_by_vertices) {
  fixture_pair pair = cube_over_slab();
  fixture_contacts set = fixture_run(&f, method, NULL, &pair);
  cr_assert_eq(set.count, 4, "%zu", set.count);
  cr_expect_eq(fixture_count_normal(set, up), 4);
  for (int i = 0; i < 4; i++) {
    expect_at(set, i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5);
    cr_expect_float_eq(set.contacts[i].gap_m, 0.01, 1e-12);
    cr_expect_eq(set.contacts[i].feature_a.kind, TS_FEATURE_FACE);
    cr_expect_eq(set.contacts[i].feature_b.kind, TS_FEATURE_VERTEX);
  }
}

Test(methods_sdf_samples, by_edges_it_has_their_middles_and_the_ends_of_upright_ones) {
  fixture_pair pair = cube_over_slab();
  double values[VALUES_MAX];
  set_values(values, EDGES, 0, 1);
  fixture_contacts set = fixture_run(&f, method, values, &pair);
  cr_assert_eq(set.count, 8, "%zu", set.count);
  for (int i = 0; i < 2; i++) {
    double side = i ? 0.5 : -0.5;
    expect_at(set, side, 0);
    expect_at(set, 0, side);
    expect_at(set, side, -0.5);
    expect_at(set, side, 0.5);
  }
}

Test(methods_sdf_samples, by_triangles_it_has_a_point_of_each_near_one) {
  fixture_pair pair = cube_over_slab();
  double values[VALUES_MAX];
  set_values(values, TRIANGLES, 0, 1);
  fixture_contacts set = fixture_run(&f, method, values, &pair);
  cr_expect_geq(set.count, 4);
  cr_expect_eq(fixture_count_normal(set, up), set.count);
  size_t faces = 0;
  for (size_t i = 0; i < set.count; i++) {
    cr_expect_float_eq(set.contacts[i].gap_m, 0.01, 1e-12);
    faces += set.contacts[i].feature_b.kind == TS_FEATURE_FACE;
  }
  cr_expect_geq(faces, 2, "the two triangles of the bottom, at their centres");
}

Test(methods_sdf_samples, a_grid_has_the_same_contacts_before_a_flat_face_and_names_no_feature) {
  fixture_pair pair = cube_over_slab();
  fixture_contacts exact = fixture_run(&f, method, NULL, &pair);
  double values[VALUES_MAX];
  set_values(values, VERTICES, 1, 1);
  cr_assert_eq(fixture_try(&f, method, values, &pair), TS_OK);
  cr_assert_eq(f.set.count, exact.count);
  for (size_t i = 0; i < f.set.count; i++) {
    const ts_contact *c = &f.set.contacts[i];
    cr_expect_eq(fixture_count_at(exact, c->point), 1);
    cr_expect_leq(ts_vec3_distance(c->normal, up), 1e-9);
    cr_expect_eq(c->feature_a.kind, TS_FEATURE_NONE);
    cr_expect_eq(c->feature_b.kind, TS_FEATURE_VERTEX);
  }
}

Test(methods_sdf_samples, a_tip_in_a_block_has_its_depth) {
  fixture_pair pair = {{fixture_spike(&f, 0.5, 1),
                        fixture_box(&f, (ts_vec3){-1, -0.1, -1}, (ts_vec3){1, 1, 1}, 0, 1)},
                       {ts_pose_identity(), ts_pose_identity()}};
  fixture_contacts set = fixture_run(&f, method, NULL, &pair);
  cr_assert_eq(set.count, 1, "%zu", set.count);
  cr_expect_float_eq(set.contacts[0].gap_m, -0.1, 1e-12);
  cr_expect_eq(fixture_count_normal(set, up), 1);
  cr_expect_eq(fixture_count_at(set, (ts_vec3){0, -0.05, 0}), 1);
  cr_expect_eq(set.contacts[0].feature_a.index, 4);
}

Test(methods_sdf_samples, what_is_beyond_the_reach_has_no_contact) {
  fixture_pair pair = cube_over_slab();
  pair.pose[1] = fixture_shift(0.3, 0.5 + 0.021, -0.2);
  for (int samples = VERTICES; samples <= TRIANGLES; samples++)
    for (int on_grid = 0; on_grid < 2; on_grid++) {
      double values[VALUES_MAX];
      set_values(values, samples, on_grid, 1);
      cr_assert_eq(fixture_try(&f, method, values, &pair), TS_OK);
      cr_expect_eq(f.set.count, 0);
    }
}

/// A wedge over a wedge, crossed, with everything askew.
static fixture_pair crossed_wedges(double scale) {
  const ts_mesh *wedge = fixture_scaled(&f, fixture_wedge(&f, 0.5, 1, 1), scale);
  ts_pose over = fixture_upside_down(0.05 * scale, 0.012 * scale, 0.1 * scale);
  ts_pose turned = {ts_quat_unit((ts_quat){1, 0, 0.7, 0.01}), {0, 0, 0}};
  return (fixture_pair){{wedge, wedge}, {ts_pose_identity(), ts_pose_mul(over, turned)}};
}

Test(methods_sdf_samples, order_motion_and_scale_change_nothing) {
  for (int samples = VERTICES; samples <= TRIANGLES; samples++) {
    double values[VALUES_MAX];
    set_values(values, samples, 0, 1);
    fixture_pair pairs[2] = {cube_over_slab(), crossed_wedges(1)};
    for (int p = 0; p < 2; p++) {
      fixture_pair pair = pairs[p];
      fixture_contacts expected = fixture_run(&f, method, values, &pair);
      cr_expect(p == 1 && samples == VERTICES ? expected.count == 0 : expected.count > 0);
      fixture_pair swapped = {{pair.mesh[1], pair.mesh[0]}, {pair.pose[1], pair.pose[0]}};
      fixture_expect_same(fixture_run(&f, method, values, &swapped), expected, ts_pose_identity(),
                          -1, 1e-9, 1e-9, "swapped");
      ts_pose motion = fixture_motion(7, 1000);
      fixture_pair moved = {{fixture_shuffled(&f, pair.mesh[0], 3), pair.mesh[1]},
                            {ts_pose_mul(motion, pair.pose[0]), ts_pose_mul(motion, pair.pose[1])}};
      fixture_expect_same(fixture_run(&f, method, values, &moved), expected, motion, 1, 1e-6, 1e-6,
                          "shuffled and moved");
    }
  }
}

Test(methods_sdf_samples, small_and_large_bodies_have_the_same_contacts) {
  static const double scales[] = {1e-3, 1, 1e3};
  for (int samples = EDGES; samples <= TRIANGLES; samples++)
    for (int on_grid = 0; on_grid < 2; on_grid++) {
      size_t counts[3];
      for (int i = 0; i < 3; i++) {
        double values[VALUES_MAX];
        set_values(values, samples, on_grid, scales[i]);
        fixture_pair pair = crossed_wedges(scales[i]);
        cr_assert_eq(fixture_try(&f, method, values, &pair), TS_OK);
        counts[i] = f.set.count;
      }
      cr_expect(counts[0] == counts[1] && counts[1] == counts[2], "%zu %zu %zu", counts[0],
                counts[1], counts[2]);
      cr_expect(on_grid || counts[1] > 0);
    }
}
