// SPDX-License-Identifier: MIT
// covers: methods/tet/tet_sat.c methods/tet/volume_sat.c
#include "geometry/tolerances.h"
#include "methods/tet/tet_kernels.h"
#include "tests/geometry/random_geometry.h"
#include "tests/methods/prox2018/prox_in_double.h"
#include "tests/methods/tet/prox_reference.h"
#include "tests/methods/tet/tet_fixture.h"
#include "tests/methods/tet/tet_oracle.h"

#include <criterion/criterion.h>
#include <stdio.h>

static const unsigned all_faces[2] = {0xf, 0xf}, all_edges[2] = {0x3f, 0x3f};

Test(methods_volume_sat, contacts_are_the_intersection_points_square_to_the_least_of_44_axes) {
  ts_random random = ts_random_seed(1, 0);
  static ts_tet_contacts contacts;
  size_t judged = 0, apart = 0;
  for (int n = 0; n < 3000; n++) {
    ts_tet_pair pair = tet_pair_random(&random, 0.4);
    ts_vec3 corners[ORACLE_POINTS_MAX], axis;
    bool clear;
    size_t count = oracle_corners(corners, &clear, &pair, 1e-6);
    double least_m = oracle_least_overlap(&axis, &pair, all_faces, all_edges, 1e-9);
    if (!clear || fabs(least_m) < 1e-8)
      continue;
    char what[32];
    snprintf(what, sizeof what, "pair %d", n);
    ts_tet_volume_sat(&contacts, &pair, tet_pair_size_m(&pair));
    cr_assert_eq(count > 0, least_m > 0, "%s", what);
    double sum_m = 0;
    for (size_t i = 0; i < count; i++)
      sum_m += ts_vec3_dot(axis, corners[i]);
    oracle_assert_reported(&contacts, corners, count, axis, count ? sum_m / (double)count : 0,
                           -least_m, what);
    judged += count > 0;
    apart += count == 0;
  }
  cr_assert_gt(judged, 500, "%zu", judged);
  cr_assert_gt(apart, 500, "%zu", apart);
}

Test(methods_volume_sat, ties_go_to_faces_then_towards_the_other_centre_then_to_the_mean) {
  ts_random random = ts_random_seed(4, 0);
  oracle_tally tally = {0};
  for (int n = 0; n < 3000; n++) {
    ts_tet_pair pair = tet_pair_on_lattice(&random);
    oracle_assert_axis_on_lattice(&tally, ts_tet_volume_sat, &pair, all_faces, all_edges, n);
  }
  cr_assert_gt(tally.with_axis, 1000, "%zu", tally.with_axis);
  cr_assert_gt(tally.touching, 300, "%zu", tally.touching);
  cr_assert_geq(tally.without_axis, 1, "%zu", tally.without_axis);
}

Test(methods_volume_sat, no_direction_of_a_dense_search_has_less_overlap) {
  ts_random random = ts_random_seed(2, 0);
  static ts_tet_contacts contacts;
  for (int n = 0; n < 100; n++) {
    ts_tet_pair pair = tet_pair_random(&random, 0.2);
    ts_tet_volume_sat(&contacts, &pair, tet_pair_size_m(&pair));
    if (!contacts.count)
      continue;
    for (int k = 0; k < 2000; k++) {
      ts_vec3 direction = ts_vec3_unit(random_point(&random, 1));
      cr_assert_geq(oracle_overlap_along(&pair, direction), -contacts.contacts[0].gap_m - 1e-12);
    }
  }
}

Test(methods_volume_sat, faces_that_touch_are_found_wherever_they_are) {
  tet_kernel_assert_finds_a_touch(ts_tet_volume_sat);
}

Test(methods_volume_sat, nothing_but_the_frame_changes_with_motion_scale_and_order) {
  tet_kernel_assert_invariant(ts_tet_volume_sat);
}

Test(methods_volume_sat, degenerate_tets_give_sound_contacts) {
  tet_kernel_assert_sound(TS_TET_VOLUME_SAT);
}

/// No exception.
Test(methods_volume_sat, prox2018_agrees_with_the_reference) {
  prox_reference reference;
  prox_reference_open(&reference);
  prox_agreement agreement =
      prox_reference_compare(&reference, PROX_VOLUME_SAT, prox_in_double(TS_TET_VOLUME_SAT), NULL);
  prox_reference_close(&reference);
  cr_expect_eq(agreement.agree, agreement.pairs, "%zu of %zu pairs agree", agreement.agree,
               agreement.pairs);
  cr_expect_eq(agreement.same_count, agreement.pairs, "%zu of %zu with the same count",
               agreement.same_count, agreement.pairs);
}
