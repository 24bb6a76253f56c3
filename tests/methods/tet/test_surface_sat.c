// SPDX-License-Identifier: MIT
// covers: methods/tet/surface_sat.c methods/tet/tet_sat.c
#include "geometry/tet.h"
#include "geometry/tolerances.h"
#include "methods/tet/tet_kernels.h"
#include "tests/geometry/random_geometry.h"
#include "tests/methods/prox2018/prox_in_double.h"
#include "tests/methods/tet/prox_reference.h"
#include "tests/methods/tet/tet_fixture.h"
#include "tests/methods/tet/tet_oracle.h"

#include <criterion/criterion.h>

/// Edge e is one when it has no node that is the only one off a surface face.
static unsigned surface_edges(unsigned faces) {
  static const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  unsigned edges = 0;
  for (int e = 0; e < 6; e++)
    for (int f = 0; f < 4; f++)
      if (faces >> f & 1 && f != ends[e][0] && f != ends[e][1])
        edges |= 1u << e;
  return edges;
}

Test(methods_surface_sat, the_axis_is_the_least_among_those_of_surface_features) {
  ts_random random = ts_random_seed(1, 0);
  static ts_tet_contacts contacts, all;
  size_t judged = 0, other_than_volume = 0;
  for (int n = 0; n < 2000; n++) {
    ts_tet_pair pair = tet_pair_random(&random, 0.4);
    unsigned faces[2] = {pair.surface[0], pair.surface[1]};
    unsigned edges[2] = {surface_edges(faces[0]), surface_edges(faces[1])};
    ts_vec3 axis;
    double least_m = oracle_least_overlap(&axis, &pair, faces, edges, 1e-9);
    ts_tet_surface_sat(&contacts, &pair, tet_pair_size_m(&pair));
    ts_tet_volume_sat(&all, &pair, tet_pair_size_m(&pair));
    cr_assert_eq(contacts.count > 0, all.count > 0, "pair %d", n);
    for (size_t i = 0; i < contacts.count; i++) {
      cr_assert_float_eq(contacts.contacts[i].gap_m, -least_m, 1e-12, "pair %d", n);
      cr_assert_leq(ts_vec3_distance(contacts.contacts[i].normal, axis), 1e-11, "pair %d", n);
    }
    judged += contacts.count > 0;
    other_than_volume +=
        contacts.count && contacts.contacts[0].gap_m < all.contacts[0].gap_m - 1e-9;
  }
  cr_assert_gt(judged, 500);
  cr_assert_gt(other_than_volume, 20);
}

Test(methods_surface_sat, ties_go_to_faces_then_towards_the_other_centre_then_to_the_mean) {
  ts_random random = ts_random_seed(4, 0);
  oracle_tally tally = {0};
  for (int n = 0; n < 3000; n++) {
    ts_tet_pair pair = tet_pair_on_lattice(&random);
    unsigned faces[2] = {pair.surface[0], pair.surface[1]};
    unsigned edges[2] = {surface_edges(faces[0]), surface_edges(faces[1])};
    oracle_assert_axis_on_lattice(&tally, ts_tet_surface_sat, &pair, faces, edges, n);
  }
  cr_assert_gt(tally.with_axis, 1000, "%zu", tally.with_axis);
  cr_assert_gt(tally.touching, 150, "%zu", tally.touching);
  cr_assert_geq(tally.without_axis, 1, "%zu", tally.without_axis);
}

Test(methods_surface_sat, tets_on_the_surface_all_round_are_those_of_volume_sat) {
  ts_random random = ts_random_seed(2, 0);
  static ts_tet_contacts contacts, all;
  for (int n = 0; n < 500; n++) {
    ts_tet_pair pair = tet_pair_random(&random, 0.4);
    pair.surface[0] = pair.surface[1] = 15;
    ts_tet_surface_sat(&contacts, &pair, tet_pair_size_m(&pair));
    ts_tet_volume_sat(&all, &pair, tet_pair_size_m(&pair));
    tet_contacts_assert_same(&contacts, &all, 1e-12, 1, "all faces");
  }
}

Test(methods_surface_sat, no_axis_gives_no_number) {
  ts_tet_pair pair = tet_pair_stacked(-0.1);
  ts_tet_overlap none = ts_tet_tet_least_overlap_among(pair.corners[0], pair.corners[1],
                                                       (ts_tet_axes){{0, 0}, {0, 0}}, 0);
  cr_assert(isnan(none.overlap_m));
}

Test(methods_surface_sat, faces_that_touch_are_found_wherever_they_are) {
  tet_kernel_assert_finds_a_touch(ts_tet_surface_sat);
}

Test(methods_surface_sat, nothing_but_the_frame_changes_with_motion_scale_and_order) {
  tet_kernel_assert_invariant(ts_tet_surface_sat);
}

Test(methods_surface_sat, degenerate_tets_give_sound_contacts) {
  tet_kernel_assert_sound(TS_TET_SURFACE_SAT);
}

/// No exception.
Test(methods_surface_sat, prox2018_agrees_with_the_reference) {
  prox_reference reference;
  prox_reference_open(&reference);
  prox_agreement agreement = prox_reference_compare(&reference, PROX_SURFACE_SAT,
                                                    prox_in_double(TS_TET_SURFACE_SAT), NULL);
  prox_reference_close(&reference);
  cr_expect_eq(agreement.agree, agreement.pairs, "%zu of %zu pairs agree", agreement.agree,
               agreement.pairs);
  cr_expect_eq(agreement.same_count, agreement.pairs, "%zu of %zu with the same count",
               agreement.same_count, agreement.pairs);
}
