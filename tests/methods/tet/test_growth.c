// SPDX-License-Identifier: MIT
// covers: methods/tet/growth.c
#include "geometry/closest.h"
#include "geometry/tet.h"
#include "geometry/tolerances.h"
#include "methods/tet/growth.h"
#include "methods/tet/tet_kernels.h"
#include "tests/geometry/random_geometry.h"
#include "tests/methods/prox2018/prox_in_double.h"
#include "tests/methods/tet/prox_reference.h"
#include "tests/methods/tet/tet_fixture.h"

#include <criterion/criterion.h>

/// Distance of the tets scaled about their centres.
static ts_closest closest_at(const ts_tet_pair *pair, double scale) {
  ts_vec3 scaled[2][4];
  for (int side = 0; side < 2; side++) {
    const ts_vec3 *p = pair->corners[side];
    ts_vec3 sum = ts_vec3_add(ts_vec3_add(p[0], p[1]), ts_vec3_add(p[2], p[3]));
    ts_vec3 center = ts_vec3_scale(sum, 0.25);
    for (int i = 0; i < 4; i++)
      scaled[side][i] = ts_vec3_lerp(center, p[i], scale);
  }
  return ts_closest_tet_tet(scaled[0], scaled[1]);
}

/// The largest scale at which the tets are at least that far apart, by bisection.
static double scale_at_distance(const ts_tet_pair *pair, double distance_m) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; i++) {
    double middle = 0.5 * (low + high);
    if (closest_at(pair, middle).distance_m > distance_m)
      low = middle;
    else
      high = middle;
  }
  return low;
}

Test(methods_growth, the_scale_lies_between_the_wanted_distance_and_the_touch_found_by_bisection) {
  ts_random random = ts_random_seed(6, 0);
  int seen = 0;
  for (int n = 0; n < 1000; n++) {
    ts_tet_pair pair = tet_pair_random(&random, 0.6);
    if (!ts_tet_tet_overlap(pair.corners[0], pair.corners[1], 0))
      continue;
    ts_growth growth = ts_tet_growth_separate(&pair, 0);
    cr_assert_gt(growth.scale, 0, "pair %d", n);
    double touch = scale_at_distance(&pair, 0);
    double wanted = scale_at_distance(&pair, growth.wanted_m);
    cr_expect_lt(growth.scale, touch, "pair %d: %.17g, touch at %.17g", n, growth.scale, touch);
    cr_expect_geq(growth.scale, wanted - 1e-12, "pair %d: %.17g, wanted at %.17g", n, growth.scale,
                  wanted);
    ts_closest closest = closest_at(&pair, growth.scale);
    ts_vec3 gap = ts_vec3_sub(closest.on_b, closest.on_a);
    cr_expect_leq(growth.distance_m, growth.wanted_m, "pair %d", n);
    cr_expect_leq(ts_vec3_distance(gap, growth.gap), 1e-12, "pair %d: gap off by %g", n,
                  ts_vec3_distance(gap, growth.gap));
    seen++;
  }
  cr_assert_geq(seen, 100, "%d pairs overlap", seen);
}

Test(methods_growth, stacked_faces_give_their_normal_and_the_extent_of_the_points) {
  static ts_tet_contacts contacts;
  static const double gaps[] = {-0.25, -1e-3, 0};
  for (size_t n = 0; n < 3; n++) {
    ts_tet_pair pair = tet_pair_stacked(gaps[n]);
    ts_tet_growth(&contacts, &pair, 1);
    cr_assert_geq(contacts.count, 3, "gap %g: %zu contacts", gaps[n], contacts.count);
    for (size_t i = 0; i < contacts.count; i++) {
      cr_expect_leq(ts_vec3_distance(contacts.contacts[i].normal, ts_vec3_make(0, 0, 1)), 1e-15);
      cr_expect_float_eq(contacts.contacts[i].gap_m, gaps[n], 1e-12);
    }
  }
}

Test(methods_growth, tets_apart_give_nothing) {
  static ts_tet_contacts contacts;
  ts_tet_pair pair = tet_pair_stacked(3 * TS_TOUCH_RELATIVE);
  ts_tet_growth(&contacts, &pair, 1);
  cr_assert_eq(contacts.count, 0);
  prox_in_double(TS_TET_GROWTH)(&contacts, &pair, 1);
  cr_assert_eq(contacts.count, 0);
}

Test(methods_growth, tets_about_one_centre_give_nothing) {
  static ts_tet_contacts contacts;
  ts_tet_pair pair = tet_pair_stacked(0);
  for (int i = 0; i < 4; i++)
    pair.corners[1][i] = pair.corners[0][i];
  ts_tet_pair_set_normals(&pair);
  ts_tet_growth(&contacts, &pair, 1);
  cr_assert_eq(contacts.count, 0);
}

Test(methods_growth, only_features_of_the_surface_give_normals) {
  // Seen from the side: the way between the centres is closer to slanted faces of the inside.
  static ts_tet_contacts contacts;
  ts_tet_pair pair = tet_pair_stacked(-0.25);
  for (int i = 0; i < 4; i++)
    pair.corners[1][i].x += 1.25;
  ts_tet_pair_set_normals(&pair);
  ts_tet_growth(&contacts, &pair, 1);
  cr_assert_gt(contacts.count, 0);
  cr_expect_leq(ts_vec3_distance(contacts.contacts[0].normal, ts_vec3_make(0, 0, 1)), 1e-15);
}

Test(methods_growth, nothing_but_the_frame_changes_with_motion_scale_and_order) {
  tet_kernel_assert_invariant(ts_tet_growth);
}

Test(methods_growth, degenerate_tets_give_sound_contacts) {
  tet_kernel_assert_sound(TS_TET_GROWTH);
}

/// No exception.
Test(methods_growth, prox2018_agrees_with_the_reference) {
  prox_reference reference;
  prox_reference_open(&reference);
  prox_agreement agreement =
      prox_reference_compare(&reference, PROX_GROWTH, prox_in_double(TS_TET_GROWTH), NULL);
  prox_reference_close(&reference);
  cr_expect_eq(agreement.agree, agreement.pairs, "%zu of %zu pairs agree", agreement.agree,
               agreement.pairs);
  cr_expect_eq(agreement.same_count, agreement.pairs, "%zu of %zu with the same count",
               agreement.same_count, agreement.pairs);
}
