#include "geometry/tolerances.h"
#include "methods/tet_kernels.h"
#include "tests/geometry/random_geometry.h"
#include "tests/methods/prox_reference.h"
#include "tests/methods/tet_fixture.h"
#include "tests/methods/tet_oracle.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static const unsigned all_faces[2] = {0xf, 0xf}, all_edges[2] = {0x3f, 0x3f};

Test(methods_volume_sat, normal_and_gap_are_those_of_the_least_of_the_44_axes) {
  ts_random random = ts_random_seed(1, 0);
  static ts_tet_contacts contacts;
  size_t judged = 0;
  for (int n = 0; n < 2000; n++) {
    ts_tet_pair pair = tet_pair_random(&random, 0.4);
    ts_vec3 axis;
    double second_m, least_m = oracle_least_overlap(&axis, &second_m, &pair, all_faces, all_edges);
    ts_tet_volume_sat(&contacts, &pair, TS_PROFILE_PAPER, tet_pair_size_m(&pair));
    if (fabs(least_m) < 1e-8)
      continue;
    cr_assert_eq(contacts.count > 0, least_m > 0, "pair %d, overlap %g", n, least_m);
    judged += contacts.count > 0;
    for (size_t i = 0; i < contacts.count; i++) {
      cr_assert_float_eq(contacts.contacts[i].gap_m, -least_m, 1e-12, "pair %d", n);
      if (second_m - least_m > 1e-9)
        cr_assert_leq(ts_vec3_distance(contacts.contacts[i].normal, axis), 1e-11, "pair %d", n);
    }
  }
  cr_assert_gt(judged, 500);
}

Test(methods_volume_sat, no_direction_of_a_dense_search_has_less_overlap) {
  ts_random random = ts_random_seed(2, 0);
  static ts_tet_contacts contacts;
  for (int n = 0; n < 100; n++) {
    ts_tet_pair pair = tet_pair_random(&random, 0.2);
    ts_tet_volume_sat(&contacts, &pair, TS_PROFILE_PAPER, tet_pair_size_m(&pair));
    if (!contacts.count)
      continue;
    for (int k = 0; k < 2000; k++) {
      ts_vec3 direction = ts_vec3_unit(random_point(&random, 1));
      cr_assert_geq(oracle_overlap_along(&pair, direction), -contacts.contacts[0].gap_m - 1e-12);
    }
  }
}

/// Every point is one of the corners of the intersection, moved along the normal to their average.
Test(methods_volume_sat, contacts_are_the_intersection_points_in_the_plane_of_their_average) {
  ts_random random = ts_random_seed(3, 0);
  static ts_tet_contacts contacts;
  size_t judged = 0;
  for (int n = 0; n < 500; n++) {
    ts_tet_pair pair = tet_pair_random(&random, 0.4);
    ts_vec3 corners[ORACLE_POINTS_MAX];
    bool clear;
    size_t count = oracle_corners(corners, &clear, &pair, 1e-6);
    if (!clear || !count)
      continue;
    judged++;
    ts_tet_volume_sat(&contacts, &pair, TS_PROFILE_PAPER, tet_pair_size_m(&pair));
    cr_assert_eq(contacts.count, count);
    ts_vec3 normal = contacts.contacts[0].normal;
    double sum_m = 0;
    for (size_t i = 0; i < count; i++)
      sum_m += ts_vec3_dot(normal, corners[i]);
    for (size_t i = 0; i < count; i++) {
      double move_m = sum_m / (double)count - ts_vec3_dot(normal, corners[i]);
      ts_vec3 expected = ts_vec3_add_scaled(corners[i], move_m, normal);
      size_t found = 0;
      for (size_t k = 0; k < count; k++)
        found += ts_vec3_distance(contacts.contacts[k].point, expected) <= 1e-9;
      cr_assert_geq(found, 1, "pair %d, corner %zu", n, i);
    }
  }
  cr_assert_gt(judged, 100);
}

Test(methods_volume_sat, touching_faces_have_no_depth_and_their_normal) {
  static ts_tet_contacts contacts;
  ts_tet_pair pair = tet_pair_stacked(0);
  ts_tet_volume_sat(&contacts, &pair, TS_PROFILE_PAPER, 2);
  cr_assert_eq(contacts.count, 3);
  for (size_t i = 0; i < 3; i++) {
    cr_expect_leq(ts_vec3_distance(contacts.contacts[i].normal, ts_vec3_make(0, 0, 1)), 1e-15);
    cr_expect_float_eq(contacts.contacts[i].gap_m, 0, 1e-15);
  }
}

Test(methods_volume_sat, nothing_but_the_frame_changes_with_motion_scale_and_order) {
  tet_kernel_assert_invariant(ts_tet_volume_sat);
}

Test(methods_volume_sat, degenerate_tets_give_sound_contacts) {
  tet_kernel_assert_sound(ts_tet_volume_sat);
}

/// Exceptions: tets that touch exactly, which the reference takes for apart.
Test(methods_volume_sat, prox2018_agrees_with_the_reference) {
  prox_reference reference;
  prox_reference_open(&reference);
  bool *disagree = calloc(reference.count, sizeof *disagree);
  prox_agreement agreement =
      prox_reference_compare(&reference, PROX_VOLUME_SAT, ts_tet_volume_sat, disagree);
  cr_assert_eq(agreement.agree_with_contacts, agreement.with_contacts);
  cr_assert_eq(agreement.same_count, agreement.agree);
  cr_assert_geq(agreement.agree, 1906, "%zu pairs agree", agreement.agree);
  for (size_t i = 0; i < reference.count; i++)
    cr_expect(!disagree[i] ||
                  (!reference.pairs[i].overlaps && reference.pairs[i].distance_m < 1e-14),
              "pair %d", reference.pairs[i].id);
  free(disagree);
  prox_reference_close(&reference);
}
