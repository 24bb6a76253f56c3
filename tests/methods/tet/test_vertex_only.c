// SPDX-License-Identifier: MIT
// covers: methods/tet/vertex_only.c
#include "geometry/predicates.h"
#include "geometry/tolerances.h"
#include "methods/tet/tet_kernels.h"
#include "tests/geometry/random_geometry.h"
#include "tests/methods/prox2018/prox_in_double.h"
#include "tests/methods/tet/prox_reference.h"
#include "tests/methods/tet/tet_fixture.h"
#include "tests/methods/tet/tet_oracle.h"

#include <criterion/criterion.h>

/// Whether a point is in a tet, by exact signs of its barycentric coordinates; closed.
static bool is_inside(const ts_vec3 tet[4], ts_vec3 p) {
  int sign = ts_orient3d(tet[0], tet[1], tet[2], tet[3]);
  for (int i = 0; i < 4; i++) {
    ts_vec3 t[4] = {tet[0], tet[1], tet[2], tet[3]};
    t[i] = p;
    if (ts_orient3d(t[0], t[1], t[2], t[3]) * sign < 0)
      return false;
  }
  return true;
}

Test(methods_vertex_only, nodes_inside_are_those_with_barycentric_coordinates_above_zero) {
  ts_random random = ts_random_seed(1, 0);
  static ts_tet_contacts contacts;
  size_t inside_count = 0;
  for (int n = 0; n < 200000; n++) {
    ts_tet_pair pair = tet_pair_random(&random, 0.3);
    ts_tet_vertex_only(&contacts, &pair, tet_pair_size_m(&pair));
    size_t expected = 0;
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < 4; i++) {
        ts_vec3 node = pair.corners[side][i];
        if (!is_inside(pair.corners[1 - side], node))
          continue;
        expected++;
        size_t found = 0;
        for (size_t k = 0; k < contacts.count; k++)
          found += ts_vec3_distance(contacts.contacts[k].point, node) == 0;
        cr_expect_eq(found, 1, "pair %d: %zu contacts at a node inside", n, found);
      }
    cr_expect_eq(contacts.count, expected, "pair %d: %zu contacts, %zu nodes inside", n,
                 contacts.count, expected);
    inside_count += expected;
  }
  cr_assert_gt(inside_count, 500);
}

Test(methods_vertex_only, the_closest_surface_face_gives_normal_and_gap) {
  ts_random random = ts_random_seed(2, 0);
  static ts_tet_contacts contacts;
  size_t seen = 0;
  for (int n = 0; n < 20000; n++) {
    ts_tet_pair pair = tet_pair_random(&random, 0.3);
    ts_tet_vertex_only(&contacts, &pair, tet_pair_size_m(&pair));
    for (size_t k = 0; k < contacts.count; k++) {
      const ts_contact *contact = &contacts.contacts[k];
      int side = 1;
      for (int i = 0; i < 4; i++)
        if (ts_vec3_distance(contact->point, pair.corners[0][i]) == 0)
          side = 0;
      int best = -1;
      double least = INFINITY;
      for (int f = 0; f < 4; f++) {
        double distance = -oracle_height_m(pair.corners[1 - side], f, contact->point);
        if (pair.surface[1 - side] >> f & 1 && distance < least) {
          least = distance;
          best = f;
        }
      }
      cr_assert_geq(best, 0);
      cr_expect_float_eq(contact->gap_m, -least, 1e-14, "pair %d: gap %g, not %g", n,
                         contact->gap_m, -least);
      ts_vec3 normal = pair.normals[1 - side][best];
      cr_expect_leq(ts_vec3_distance(contact->normal, side == 1 ? normal : ts_vec3_neg(normal)),
                    1e-15, "pair %d", n);
      seen++;
    }
  }
  cr_assert_gt(seen, 300);
}

Test(methods_vertex_only, faces_of_the_inside_give_no_contact) {
  ts_tet_pair pair = tet_pair_stacked(-0.25);
  static ts_tet_contacts contacts;
  ts_tet_vertex_only(&contacts, &pair, 1);
  cr_assert_eq(contacts.count, 3);
  for (size_t i = 0; i < 3; i++) {
    cr_expect_leq(ts_vec3_distance(contacts.contacts[i].normal, ts_vec3_make(0, 0, 1)), 1e-15);
    cr_expect_float_eq(contacts.contacts[i].gap_m, -0.25, 1e-15);
  }
  pair.surface[0] = 0;
  ts_tet_vertex_only(&contacts, &pair, 1);
  cr_assert_eq(contacts.count, 0);
}

Test(methods_vertex_only, faces_that_touch_are_found_wherever_they_are) {
  tet_kernel_assert_finds_a_touch(ts_tet_vertex_only);
  ts_tet_pair pair = tet_pair_stacked(3 * TS_TOUCH_RELATIVE);
  static ts_tet_contacts contacts;
  ts_tet_vertex_only(&contacts, &pair, 1);
  cr_assert_eq(contacts.count, 0);
}

Test(methods_vertex_only, prox2018_takes_the_farthest_surface_face) {
  ts_tet_pair pair = tet_pair_stacked(-0.25);
  pair.surface[0] = 15;
  static ts_tet_contacts contacts;
  prox_in_double(TS_TET_VERTEX_ONLY)(&contacts, &pair, 1);
  cr_assert_eq(contacts.count, 3);
  for (size_t i = 0; i < 3; i++) {
    double farthest = 0;
    for (int f = 0; f < 4; f++)
      farthest = fmax(farthest, -oracle_height_m(pair.corners[0], f, contacts.contacts[i].point));
    cr_expect_float_eq(contacts.contacts[i].gap_m, -farthest, 1e-14);
    cr_expect_lt(contacts.contacts[i].gap_m, -0.26);
  }
}

/// The tip of b stands in the middle of an edge of a, and b over it looks the same from both faces.
Test(methods_vertex_only, faces_as_close_that_look_as_much_towards_the_other_give_their_mean) {
  ts_tet_pair pair = {.corners = {{{0, 0, -1}, {0, 0, 1}, {-1, -2, 0}, {1, -2, 0}},
                                  {{0, 0, 0}, {-1, 2, 0}, {1, 2, 0}, {0, 2, 1}}},
                      .surface = {0xc, 0xf}};
  ts_tet_pair_set_normals(&pair);
  static ts_tet_contacts contacts;
  ts_tet_vertex_only(&contacts, &pair, 1);
  cr_assert_eq(contacts.count, 1);
  cr_expect_leq(ts_vec3_distance(contacts.contacts[0].normal, ts_vec3_make(0, 1, 0)), 1e-15);
  cr_expect_float_eq(contacts.contacts[0].gap_m, 0, 1e-15);
  // Moved to one side, b is rather in front of that face.
  for (int i = 1; i < 4; i++)
    pair.corners[1][i].x += 0.5;
  ts_tet_pair_set_normals(&pair);
  ts_tet_vertex_only(&contacts, &pair, 1);
  cr_assert_eq(contacts.count, 1);
  cr_expect_leq(ts_vec3_distance(contacts.contacts[0].normal, pair.normals[0][2]), 1e-15);
}

Test(methods_vertex_only, nothing_but_the_frame_changes_with_motion_scale_and_order) {
  tet_kernel_assert_invariant(ts_tet_vertex_only);
}

Test(methods_vertex_only, degenerate_tets_give_sound_contacts) {
  tet_kernel_assert_sound(TS_TET_VERTEX_ONLY);
}

/// No exception.
Test(methods_vertex_only, prox2018_agrees_with_the_reference) {
  prox_reference reference;
  prox_reference_open(&reference);
  prox_agreement agreement = prox_reference_compare(&reference, PROX_VERTEX_ONLY,
                                                    prox_in_double(TS_TET_VERTEX_ONLY), NULL);
  prox_reference_close(&reference);
  cr_expect_eq(agreement.agree, agreement.pairs, "%zu of %zu pairs agree", agreement.agree,
               agreement.pairs);
  cr_expect_eq(agreement.same_count, agreement.pairs, "%zu of %zu with the same count",
               agreement.same_count, agreement.pairs);
}
