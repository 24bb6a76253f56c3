// SPDX-License-Identifier: MIT
// covers: methods/tet/consistent_vertex.c methods/tet/tet_nodes.c
#include "geometry/tolerances.h"
#include "methods/tet/tet_kernels.h"
#include "tests/geometry/random_geometry.h"
#include "tests/methods/prox2018/prox_in_double.h"
#include "tests/methods/tet/prox_reference.h"
#include "tests/methods/tet/tet_fixture.h"
#include "tests/methods/tet/tet_oracle.h"

#include <criterion/criterion.h>

static bool is_inside(const ts_vec3 tet[4], ts_vec3 p) {
  for (int f = 0; f < 4; f++)
    if (oracle_height_m(tet, f, p) > 0)
      return false;
  return true;
}

/// The face through which the way from p, inside, to q leaves, found by bisection; -1: none. The
/// distance along it goes to `out_m`.
static int leaving_face(double *out_m, const ts_vec3 tet[4], ts_vec3 p, ts_vec3 q) {
  if (is_inside(tet, q))
    return -1;
  double low = 0, high = 1;
  for (int i = 0; i < 60; i++) {
    double middle = 0.5 * (low + high);
    if (is_inside(tet, ts_vec3_lerp(p, q, middle)))
      low = middle;
    else
      high = middle;
  }
  *out_m = low * ts_vec3_distance(p, q);
  int face = 0;
  ts_vec3 at = ts_vec3_lerp(p, q, low);
  for (int f = 1; f < 4; f++)
    if (fabs(oracle_height_m(tet, f, at)) < fabs(oracle_height_m(tet, face, at)))
      face = f;
  return face;
}

Test(methods_consistent_vertex, the_face_is_the_one_that_the_nearest_leaving_edge_crosses) {
  ts_random random = ts_random_seed(4, 0);
  static ts_tet_contacts contacts;
  size_t seen = 0, without = 0;
  for (int n = 0; n < 20000; n++) {
    ts_tet_pair pair = tet_pair_random(&random, 0.3);
    ts_tet_consistent_vertex(&contacts, &pair, tet_pair_size_m(&pair));
    size_t expected = 0;
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < 4; i++) {
        const ts_vec3 *nodes = pair.corners[side], *tet = pair.corners[1 - side];
        if (!is_inside(tet, nodes[i]))
          continue;
        int best = -1;
        double least = INFINITY, at;
        for (int j = 0; j < 4; j++) {
          int face = j == i ? -1 : leaving_face(&at, tet, nodes[i], nodes[j]);
          if (face >= 0 && pair.surface[1 - side] >> face & 1 && at < least) {
            least = at;
            best = face;
          }
        }
        if (best < 0) {
          without++;
          continue;
        }
        expected++;
        ts_vec3 normal = pair.normals[1 - side][best];
        bool found = false;
        for (size_t k = 0; k < contacts.count; k++) {
          const ts_contact *contact = &contacts.contacts[k];
          found |=
              ts_vec3_distance(contact->point, nodes[i]) == 0 &&
              ts_vec3_distance(contact->normal, side == 1 ? normal : ts_vec3_neg(normal)) < 1e-14 &&
              fabs(contact->gap_m - oracle_height_m(tet, best, nodes[i])) < 1e-14;
        }
        cr_expect(found, "pair %d, side %d, node %d, face %d", n, side, i, best);
      }
    cr_expect_eq(contacts.count, expected, "pair %d: %zu contacts, not %zu", n, contacts.count,
                 expected);
    seen += expected;
  }
  cr_assert_gt(seen, 200);
  cr_assert_gt(without, 50);
}

Test(methods_consistent_vertex, the_entry_decides_and_not_the_closest_face) {
  // The tip of b comes in from above, close to the slanted side of a, which is closer to it.
  ts_tet_pair pair = {.corners = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, -4}},
                                  {{0.5, 0.125, -0.25}, {0, 0, 2}, {1, 0, 2}, {0.5, 0.5, 2}}},
                      .surface = {15, 15}};
  ts_tet_pair_set_normals(&pair);
  static ts_tet_contacts contacts;
  ts_tet_consistent_vertex(&contacts, &pair, 1);
  cr_assert_eq(contacts.count, 1);
  cr_expect_leq(ts_vec3_distance(contacts.contacts[0].normal, ts_vec3_make(0, 0, 1)), 1e-15);
  cr_expect_float_eq(contacts.contacts[0].gap_m, -0.25, 1e-15);
  ts_tet_vertex_only(&contacts, &pair, 1);
  cr_assert_eq(contacts.count, 1);
  cr_expect_leq(ts_vec3_distance(contacts.contacts[0].normal, ts_vec3_make(0, -1, 0)), 1e-15);
}

Test(methods_consistent_vertex, faces_that_touch_are_found_wherever_they_are) {
  tet_kernel_assert_finds_a_touch(ts_tet_consistent_vertex);
}

Test(methods_consistent_vertex, prox2018_gives_one_contact_for_each_leaving_edge) {
  ts_tet_pair pair = tet_pair_stacked(-0.25);
  static ts_tet_contacts contacts;
  prox_in_double(TS_TET_CONSISTENT_VERTEX)(&contacts, &pair, 1);
  // Each of the three nodes below has one edge up to the apex.
  cr_assert_eq(contacts.count, 3);
  pair.corners[1][1].z = pair.corners[1][2].z = 1;
  ts_tet_pair_set_normals(&pair);
  prox_in_double(TS_TET_CONSISTENT_VERTEX)(&contacts, &pair, 1);
  cr_assert_eq(contacts.count, 3);
  for (size_t i = 1; i < 3; i++)
    cr_expect_leq(ts_vec3_distance(contacts.contacts[i].point, contacts.contacts[0].point), 0);
  ts_tet_consistent_vertex(&contacts, &pair, 1);
  cr_assert_eq(contacts.count, 1);
}

Test(methods_consistent_vertex, nothing_but_the_frame_changes_with_motion_scale_and_order) {
  tet_kernel_assert_invariant(ts_tet_consistent_vertex);
}

Test(methods_consistent_vertex, degenerate_tets_give_sound_contacts) {
  tet_kernel_assert_sound(TS_TET_CONSISTENT_VERTEX);
}

/// No exception.
Test(methods_consistent_vertex, prox2018_agrees_with_the_reference) {
  prox_reference reference;
  prox_reference_open(&reference);
  prox_agreement agreement = prox_reference_compare(&reference, PROX_CONSISTENT_VERTEX,
                                                    prox_in_double(TS_TET_CONSISTENT_VERTEX), NULL);
  prox_reference_close(&reference);
  cr_expect_eq(agreement.agree, agreement.pairs, "%zu of %zu pairs agree", agreement.agree,
               agreement.pairs);
  cr_expect_eq(agreement.same_count, agreement.pairs, "%zu of %zu with the same count",
               agreement.same_count, agreement.pairs);
}
