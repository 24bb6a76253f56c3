// SPDX-License-Identifier: MIT
// covers: methods/tet/opposing.c
#include "geometry/tolerances.h"
#include "methods/tet/tet_kernels.h"
#include "tests/geometry/random_geometry.h"
#include "tests/methods/prox2018/prox_in_double.h"
#include "tests/methods/tet/prox_reference.h"
#include "tests/methods/tet/tet_fixture.h"
#include "tests/methods/tet/tet_oracle.h"

#include <criterion/criterion.h>
#include <stdio.h>

/// All pairs of surface faces in turn, as Algorithm 1 says. Returns 0 when there is none;
/// `*out_clear` is set unless rounding may decide.
static int brute_force(ts_vec3 *out_normal, bool *out_clear, const ts_tet_pair *pair) {
  double best = 0;
  int found = 0;
  *out_clear = true;
  *out_normal = ts_vec3_make(0, 0, 0);
  for (int k = 0; k < 16; k++) {
    int f = k / 4, g = k % 4;
    if (!(pair->surface[0] >> f & 1) || !(pair->surface[1] >> g & 1))
      continue;
    ts_vec3 na = oracle_outward(pair->corners[0], f), nb = oracle_outward(pair->corners[1], g);
    double front_b = oracle_height_m(pair->corners[0], f, pair->corners[1][g]);
    double front_a = oracle_height_m(pair->corners[1], g, pair->corners[0][f]);
    double cosine = ts_vec3_dot(na, nb);
    if (fabs(front_a) < 1e-7 || fabs(front_b) < 1e-7 || fabs(cosine) < 1e-7 ||
        (found && fabs(cosine - best) < 1e-7))
      *out_clear = false;
    if (front_a <= 0 || front_b <= 0 || cosine >= best)
      continue;
    best = cosine;
    found = 1;
    *out_normal = ts_vec3_unit(ts_vec3_sub(na, nb));
  }
  return found;
}

Test(methods_opposing, the_normal_is_that_of_brute_force_over_all_pairs_of_faces) {
  ts_random random = ts_random_seed(1, 0);
  static ts_tet_contacts contacts;
  size_t with = 0, without = 0;
  for (int n = 0; n < 3000; n++) {
    ts_tet_pair pair = tet_pair_random(&random, 0.4);
    ts_vec3 corners[ORACLE_POINTS_MAX], normal;
    bool clear_points, clear_normal;
    size_t count = oracle_corners(corners, &clear_points, &pair, 1e-6);
    int found = brute_force(&normal, &clear_normal, &pair);
    if (!clear_points || !clear_normal || !count)
      continue;
    ts_tet_opposing(&contacts, &pair, tet_pair_size_m(&pair));
    with += found != 0;
    without += found == 0;
    double low_m = INFINITY, high_m = -INFINITY;
    for (size_t i = 0; i < count && found; i++) {
      low_m = fmin(low_m, ts_vec3_dot(normal, corners[i]));
      high_m = fmax(high_m, ts_vec3_dot(normal, corners[i]));
    }
    char what[32];
    snprintf(what, sizeof what, "pair %d", n);
    oracle_assert_reported(&contacts, corners, found ? count : 0, normal, 0.5 * (low_m + high_m),
                           low_m - high_m, what);
  }
  cr_assert_gt(with, 300, "%zu", with);
  cr_assert_gt(without, 30, "%zu", without);
}

/// b is in the bottom of a, whose top opposes the bottom of b exactly, but all of a lies between.
Test(methods_opposing, faces_with_a_tet_sandwiched_between_them_are_refused) {
  static ts_tet_contacts contacts;
  ts_tet_pair pair = {
      .corners = {{{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {1, 1, -2}},
                  {{0.9, 0.9, -2.5}, {1.3, 0.9, -2.5}, {0.9, 1.3, -2.5}, {1, 1, -1}}},
      .surface = {1u << 3, 1u << 3}};
  ts_tet_pair_set_normals(&pair);
  ts_tet_opposing(&contacts, &pair, 1);
  cr_assert_eq(contacts.count, 0);
  ts_tet_volume_sat(&contacts, &pair, 1);
  cr_assert_gt(contacts.count, 0, "they do overlap");
}

Test(methods_opposing, faces_that_touch_are_found_wherever_they_are) {
  tet_kernel_assert_finds_a_touch(ts_tet_opposing);
}

/// The tip of b stands in the middle of the face of a; two of its flanks mirror each other.
Test(methods_opposing, of_pairs_that_are_equal_the_mean_is_taken) {
  static ts_tet_contacts contacts;
  ts_tet_pair pair = {.corners = {{{-3, -3, 0}, {3, -3, 0}, {0, 3, 0}, {0, -1, -2}},
                                  {{0, -1, 0}, {1, -1, 2}, {-1, -1, 2}, {0, 0, 1}}},
                      .surface = {1u << 3, 0x6}};
  ts_tet_pair_set_normals(&pair);
  ts_vec3 mean = ts_vec3_sub(ts_vec3_make(0, 0, 1), oracle_outward(pair.corners[1], 1));
  mean.x = 0;
  for (int steps = 0; steps < 4; steps++) {
    ts_tet_pair reordered = tet_pair_reordered(&pair, steps);
    ts_tet_opposing(&contacts, &reordered, 2);
    cr_assert_eq(contacts.count, 1);
    cr_expect_leq(ts_vec3_distance(contacts.contacts[0].normal, ts_vec3_unit(mean)), 1e-12);
  }
}

/// Two right-angled corners that overlap little along x and much along y: both pairs of faces are
/// exactly opposite.
Test(methods_opposing, of_pairs_that_oppose_as_well_the_closer_is_taken) {
  static ts_tet_contacts contacts;
  ts_tet_pair pair = {
      .corners = {{{0, 0, 0}, {-2, 0, 0}, {0, -2, 0}, {0, 0, -2}},
                  {{-0.1, -0.5, -1}, {2, -0.5, -1}, {-0.1, 2, -1}, {-0.1, -0.5, 1}}},
      .surface = {0x6, 0x6}};
  ts_tet_pair_set_normals(&pair);
  for (int steps = 0; steps < 4; steps++) {
    ts_tet_pair reordered = tet_pair_reordered(&pair, steps);
    ts_tet_opposing(&contacts, &reordered, 2);
    cr_assert_gt(contacts.count, 0);
    cr_expect_leq(ts_vec3_distance(contacts.contacts[0].normal, ts_vec3_make(1, 0, 0)), 1e-12);
  }
}

Test(methods_opposing, nothing_but_the_frame_changes_with_motion_scale_and_order) {
  tet_kernel_assert_invariant(ts_tet_opposing);
}

Test(methods_opposing, degenerate_tets_give_sound_contacts) {
  tet_kernel_assert_sound(TS_TET_OPPOSING);
}

/// No exception.
Test(methods_opposing, prox2018_agrees_with_the_reference) {
  prox_reference reference;
  prox_reference_open(&reference);
  prox_agreement agreement =
      prox_reference_compare(&reference, PROX_OPPOSING, prox_in_double(TS_TET_OPPOSING), NULL);
  prox_reference_close(&reference);
  cr_expect_eq(agreement.agree, agreement.pairs, "%zu of %zu pairs agree", agreement.agree,
               agreement.pairs);
  cr_expect_eq(agreement.same_count, agreement.pairs, "%zu of %zu with the same count",
               agreement.same_count, agreement.pairs);
}
