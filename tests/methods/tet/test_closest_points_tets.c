// SPDX-License-Identifier: MIT
// covers: methods/tet/closest_points_tets.c
#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "geometry/tet.h"
#include "methods/tet/tet_bodies.h"
#include "methods/tet/tet_kernels.h"
#include "tests/geometry/random_geometry.h"
#include "tests/methods/method_fixture.h"
#include "tests/methods/prox2018/prox_in_double.h"
#include "tests/methods/surface/closest_oracle.h"
#include "tests/methods/tet/prox_reference.h"
#include "tests/methods/tet/tet_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

extern const ts_method ts_method_closest_points;
extern const ts_method ts_method_closest_points_tets;

static const ts_method *const method = &ts_method_closest_points_tets;
static const ts_vec3 up = {0, 0, 1};
static const double limit_m = 0.02;
static ts_tet_contacts contacts; // large, and each test has a process of its own

static void find(const ts_tet_pair *pair) {
  ts_tet_closest_points(&contacts, pair, tet_pair_size_m(pair));
}

static size_t count_like(ts_vec3 point, ts_vec3 normal, double gap_m, double tolerance) {
  size_t count = 0;
  for (size_t i = 0; i < contacts.count; i++) {
    const ts_contact *c = &contacts.contacts[i];
    count += ts_vec3_distance(c->point, point) <= tolerance &&
             ts_vec3_distance(c->normal, normal) <= tolerance &&
             fabs(c->gap_m - gap_m) <= tolerance;
  }
  return count;
}

static ts_tet_pair make_pair(const ts_vec3 a[4], const ts_vec3 b[4]) {
  ts_tet_pair pair = {.surface = {15, 15}, .reach_m = limit_m};
  memcpy(pair.corners[0], a, sizeof pair.corners[0]);
  memcpy(pair.corners[1], b, sizeof pair.corners[1]);
  ts_tet_pair_set_normals(&pair);
  return pair;
}

/// Tips that meet across a gap.
static ts_tet_pair tips(double gap_m) {
  const ts_vec3 a[4] = {{0, 0, 0}, {1, 0, -2}, {-1, 1, -2}, {-1, -1, -2}};
  const ts_vec3 b[4] = {{1, 1, 2 + gap_m}, {0, 0, gap_m}, {1, -1, 2 + gap_m}, {-1, 0, 2 + gap_m}};
  return make_pair(a, b);
}

/// Ridges across a gap, b's turned about the vertical axis.
static ts_tet_pair ridges(double angle_rad, double gap_m) {
  const ts_vec3 a[4] = {{-1, 0, 0}, {1, 0, 0}, {0, -0.6, -1}, {0, 0.6, -1}};
  ts_vec3 b[4] = {{-0.5, 0, gap_m}, {1.5, 0, gap_m}, {0.5, -0.6, 1 + gap_m}, {0.5, 0.6, 1 + gap_m}};
  double c = cos(angle_rad), s = sin(angle_rad);
  for (int i = 0; i < 4; i++)
    b[i] = ts_vec3_make(c * b[i].x - s * b[i].y, s * b[i].x + c * b[i].y, b[i].z);
  return make_pair(a, b);
}

/// Equal triangles across a gap, the upper one as it is or turned by half a turn.
static ts_tet_pair triangles(bool turned, double gap_m) {
  const ts_vec3 a[4] = {{-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}, {0, 0, -2}};
  double s = turned ? -1 : 1;
  const ts_vec3 b[4] = {{-s, -s, gap_m}, {2 * s, -s, gap_m}, {-s, 2 * s, gap_m}, {0, 0, 2 + gap_m}};
  return make_pair(a, b);
}

Test(methods_closest_points_tets, contacts_are_those_of_brute_force_over_all_pairs_of_features) {
  ts_random random = ts_random_seed(1, 0);
  static closest_oracle o;
  size_t with = 0, without = 0, total = 0;
  for (int n = 0; n < 20000; n++) {
    ts_tet_pair pair = tet_pair_random(&random, 0.8);
    pair.reach_m = n % 2 ? 0.1 : 0.4;
    closest_oracle_find(&o, &pair);
    if (!o.clear)
      continue;
    find(&pair);
    cr_assert_eq(contacts.count, o.count, "pair %d: %zu contacts, not %zu", n, contacts.count,
                 o.count);
    for (size_t i = 0; i < o.count; i++) {
      const ts_contact *c = &o.contacts[i];
      cr_assert_eq(count_like(c->point, c->normal, c->gap_m, 1e-9), 1, "pair %d: no contact %zu", n,
                   i);
    }
    with += o.count > 0;
    without += o.count == 0;
    total += o.count;
  }
  cr_assert(with > 4000 && without > 4000 && total > 10000, "%zu with, %zu without, %zu in all",
            with, without, total);
}

Test(methods_closest_points_tets, tips_are_found_up_to_the_limit_and_not_beyond) {
  ts_random random = ts_random_seed(2, 0);
  static const double scales[] = {1, 1e-3, 1e3};
  for (int n = 0; n < 60; n++) {
    double scale = scales[n % 3];
    ts_pose pose = random_pose(&random, n % 2 ? scale : 1e3 * scale);
    ts_tet_pair pair = tips(limit_m), moved = tet_pair_moved(&pair, scale, pose);
    find(&moved);
    cr_assert_eq(contacts.count, 1, "motion %d: %zu contacts", n, contacts.count);
    ts_vec3 point = ts_pose_point(pose, ts_vec3_make(0, 0, 0.5 * limit_m * scale));
    cr_expect_leq(ts_vec3_distance(contacts.contacts[0].point, point), 1e-9 * scale);
    cr_expect_leq(ts_vec3_distance(contacts.contacts[0].normal, ts_pose_direction(pose, up)), 1e-9);
    cr_expect_float_eq(contacts.contacts[0].gap_m, limit_m * scale, 1e-9 * scale);
    cr_expect(isnan(contacts.contacts[0].area_m2));
    pair = tips(limit_m + 1e-7);
    moved = tet_pair_moved(&pair, scale, pose);
    find(&moved);
    cr_assert_eq(contacts.count, 0, "motion %d: %zu contacts", n, contacts.count);
  }
}

/// Between the two: where the edges cross, and at the ends, whose distance is not yet beyond the
/// limit.
Test(methods_closest_points_tets, parallel_edges_meet_at_their_ends_and_others_where_they_cross) {
  ts_random random = ts_random_seed(3, 0);
  static const struct {
    double angle_rad;
    size_t crossings, ends;
  } cases[] = {{1.5707963267948966, 1, 0},
               {1, 1, 0},
               {0.1, 1, 0},
               {1e-3, 1, 0},
               {1e-6, 1, 2},
               {1e-8, 0, 2},
               {0, 0, 2}};
  for (int n = 0; n < 70; n++) {
    int k = n % 7;
    ts_pose pose = random_pose(&random, 1);
    ts_tet_pair pair = ridges(cases[k].angle_rad, limit_m), moved = tet_pair_moved(&pair, 1, pose);
    moved = tet_pair_reordered(&moved, n % 4);
    find(&moved);
    cr_assert_eq(contacts.count, cases[k].crossings + cases[k].ends, "angle %g: %zu contacts",
                 cases[k].angle_rad, contacts.count);
    tet_contacts_move(&contacts, 1, ts_pose_inverse(pose));
    double z = 0.5 * limit_m;
    double tolerance = cases[k].crossings && cases[k].ends ? 1e-4 : 1e-6;
    cr_expect_eq(count_like(ts_vec3_make(0, 0, z), up, limit_m, tolerance), cases[k].crossings);
    cr_expect_eq(count_like(ts_vec3_make(-0.5, 0, z), up, limit_m, 1e-4) +
                     count_like(ts_vec3_make(1, 0, z), up, limit_m, 1e-4),
                 cases[k].ends);
  }
}

Test(methods_closest_points_tets, parallel_faces_meet_in_corners_and_where_their_sides_cross) {
  ts_random random = ts_random_seed(4, 0);
  for (int n = 0; n < 60; n++) {
    ts_pose pose = random_pose(&random, n % 2 ? 1 : 1e3);
    ts_tet_pair inside = tet_pair_stacked(limit_m);
    inside.reach_m = limit_m;
    const ts_tet_pair pairs[3] = {inside, triangles(false, limit_m), triangles(true, limit_m)};
    static const size_t counts[3] = {3, 3, 6};
    for (int k = 0; k < 3; k++) {
      ts_tet_pair moved = tet_pair_moved(&pairs[k], 1, pose);
      find(&moved);
      cr_assert_eq(contacts.count, counts[k], "motion %d, pair %d: %zu contacts", n, k,
                   contacts.count);
      tet_contacts_move(&contacts, 1, ts_pose_inverse(pose));
      for (size_t i = 0; i < contacts.count; i++) {
        const ts_contact *c = &contacts.contacts[i];
        cr_expect_leq(ts_vec3_distance(c->normal, up), 1e-9);
        cr_expect_float_eq(c->gap_m, limit_m, 1e-9);
        cr_expect_float_eq(c->point.z, 0.5 * limit_m, 1e-9);
      }
    }
  }
}

Test(methods_closest_points_tets, features_that_touch_or_overlap_have_no_contact) {
  static const double gaps[] = {0, 1e-12, -1e-12, -0.005, -0.3};
  for (int k = 0; k < 5; k++) {
    ts_tet_pair stacked = tet_pair_stacked(gaps[k]);
    stacked.reach_m = limit_m;
    stacked.surface[0] = stacked.surface[1] = 15;
    const ts_tet_pair pairs[5] = {stacked, tips(gaps[k]), ridges(1, gaps[k]),
                                  triangles(false, gaps[k]), triangles(true, gaps[k])};
    // Flanks that slope stand beside each other, and apart, where tips and corners overlap little.
    for (int i = 0; i < (k == 3 ? 1 : 5); i++) {
      find(&pairs[i]);
      cr_expect_eq(contacts.count, 0, "pair %d, gap %g: %zu contacts", i, gaps[k], contacts.count);
    }
  }
}

/// b is tilted: one corner is in a, the others are in front of it.
Test(methods_closest_points_tets, overlap_in_one_place_does_not_hide_a_gap_in_another) {
  const ts_vec3 a[4] = {{-3, -3, 0}, {6, -3, 0}, {-3, 6, 0}, {0, 0, -2}};
  const ts_vec3 b[4] = {{0, 0, -0.01}, {1, 0, 0.015}, {0, 1, 0.01}, {0.3, 0.3, 1}};
  ts_tet_pair pair = make_pair(a, b);
  find(&pair);
  cr_assert_eq(contacts.count, 2);
  cr_expect_eq(count_like(ts_vec3_make(1, 0, 0.0075), up, 0.015, 1e-12), 1);
  cr_expect_eq(count_like(ts_vec3_make(0, 1, 0.005), up, 0.01, 1e-12), 1);
}

Test(methods_closest_points_tets, features_of_inner_faces_give_no_contact) {
  ts_tet_pair pair = tet_pair_stacked(limit_m);
  pair.reach_m = limit_m;
  find(&pair);
  cr_assert_eq(contacts.count, 3);
  pair.surface[0] = 1 << 0;
  find(&pair);
  cr_expect_eq(contacts.count, 0, "%zu contacts", contacts.count);
  pair.surface[0] = 1 << 3;
  // The flank has two of the corners, but straight down from them the body goes on.
  pair.surface[1] = 1 << 2;
  find(&pair);
  cr_expect_eq(contacts.count, 0, "%zu contacts", contacts.count);
  pair.surface[1] = 0;
  find(&pair);
  cr_expect_eq(contacts.count, 0);
}

/// A tip beside the edge of a flat top and a flank that leans inwards below it.
Test(methods_closest_points_tets, a_vector_leaves_an_edge_through_a_surface_face) {
  enum { FLANK = 1 << 2, TOP = 1 << 3 };
  const ts_vec3 a[4] = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {1, 1, -2}};
  const ts_vec3 directions[2] = {{0, -1, 0.2}, {0, -0.2, 1}};
  for (int k = 0; k < 2; k++) {
    ts_vec3 d = ts_vec3_unit(directions[k]), x = {1, 0, 0}, across = ts_vec3_cross(d, x);
    ts_vec3 tip = ts_vec3_add_scaled(x, 0.01, d), base = ts_vec3_add_scaled(x, 1, d);
    const ts_vec3 b[4] = {tip, ts_vec3_add_scaled(base, 0.3, x),
                          ts_vec3_add_scaled(base, 0.3, across),
                          ts_vec3_add_scaled(ts_vec3_add_scaled(base, -0.3, x), -0.3, across)};
    ts_tet_pair pair = make_pair(a, b);
    static const uint8_t surfaces[3] = {FLANK, TOP, FLANK | TOP};
    // The first direction rises above both, the second lies behind the flank.
    static const size_t counts[2][3] = {{1, 1, 1}, {0, 1, 1}};
    for (int i = 0; i < 3; i++) {
      pair.surface[0] = surfaces[i];
      find(&pair);
      cr_assert_eq(contacts.count, counts[k][i], "direction %d, surface %d: %zu", k, i,
                   contacts.count);
      cr_expect_eq(count_like(ts_vec3_mid(x, tip), d, 0.01, 1e-12), counts[k][i]);
    }
  }
}

Test(methods_closest_points_tets, nothing_but_the_frame_changes_with_motion_scale_and_order) {
  tet_kernel_assert_invariant_within(ts_tet_closest_points, 1);
}

Test(methods_closest_points_tets, degenerate_tets_give_sound_contacts) {
  tet_kernel_assert_sound_within(TS_TET_CLOSEST_POINTS, 0.1);
}

/// The reference's method has its limit fixed.
static void kernel_of_reference(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m) {
  ts_tet_pair within = *pair;
  within.reach_m = limit_m;
  prox_in_double(TS_TET_CLOSEST_POINTS)(out, &within, size_m);
}

Test(methods_closest_points_tets, prox2018_gives_what_the_reference_has) {
  prox_reference reference;
  prox_reference_open(&reference);
  prox_agreement agreement =
      prox_reference_compare(&reference, PROX_CLOSEST_POINTS, kernel_of_reference, NULL);
  cr_expect_eq(agreement.agree, reference.count, "%zu of %zu pairs agree", agreement.agree,
               reference.count);
  cr_expect_eq(agreement.same_count, agreement.agree);
  cr_expect_gt(agreement.with_contacts, 500);
  prox_reference_close(&reference);
}

static void find_prox(const ts_tet_pair *pair) {
  prox_in_double(TS_TET_CLOSEST_POINTS)(&contacts, pair, tet_pair_size_m(pair));
}

Test(methods_closest_points_tets, prox2018_gives_nodes_the_face_normal_and_what_is_left_as_gap) {
  static const double reaches_m[] = {0.02, 0.03, 0.01};
  for (int k = 0; k < 3; k++) {
    ts_tet_pair pair = tet_pair_stacked(0.015);
    pair.reach_m = reaches_m[k];
    find_prox(&pair);
    cr_assert_eq(contacts.count, k < 2 ? 3 : 0);
    for (size_t i = 0; i < contacts.count; i++) {
      cr_expect_leq(ts_vec3_distance(contacts.contacts[i].normal, up), 1e-15);
      cr_expect_float_eq(contacts.contacts[i].gap_m, reaches_m[k] - 0.015, 1e-15);
      cr_expect_float_eq(contacts.contacts[i].point.z, 0.0075, 1e-15);
    }
  }
}

/// The normal is square to a's edge and to the line from its start to the end of b's.
Test(methods_closest_points_tets, prox2018_gives_edges_a_normal_that_leans) {
  ts_tet_pair pair = ridges(1.5707963267948966, 0.01);
  find_prox(&pair);
  cr_assert_eq(contacts.count, 1);
  ts_vec3 leaning = ts_vec3_unit(ts_vec3_make(0, -0.01, 1.5));
  cr_expect_eq(count_like(ts_vec3_make(0, 0, 0.005), leaning, 0.01, 1e-12), 1);
}

/// Three edges of the upper tet cross the lower one's top. As b only one of them is looked at.
Test(methods_closest_points_tets, prox2018_gives_the_depth_of_the_deeper_end_where_edges_cross) {
  ts_tet_pair pair = tet_pair_stacked(-0.25);
  pair.reach_m = limit_m;
  pair.surface[1] = 15;
  find_prox(&pair);
  cr_assert_eq(contacts.count, 1);
  cr_expect_leq(ts_vec3_distance(contacts.contacts[0].normal, up), 1e-15);
  ts_tet_pair swapped = tet_pair_swapped(&pair);
  find_prox(&swapped);
  cr_assert_eq(contacts.count, 3);
  for (size_t i = 0; i < 3; i++) {
    cr_expect_leq(ts_vec3_distance(contacts.contacts[i].normal, ts_vec3_neg(up)), 1e-15);
    cr_expect_float_eq(contacts.contacts[i].gap_m, -0.25, 1e-15);
    cr_expect_float_eq(contacts.contacts[i].point.z, 0, 1e-15);
  }
}

/// The heights over its faces overflow.
Test(methods_closest_points_tets, prox2018_leaves_out_faces_that_cannot_be_computed_with) {
  ts_tet_pair pair = tet_pair_stacked(-0.25);
  pair.reach_m = limit_m;
  pair.surface[0] = pair.surface[1] = 15;
  ts_tet_pair huge = tet_pair_moved(&pair, 1e130, ts_pose_identity());
  find_prox(&huge);
  for (size_t i = 0; i < contacts.count; i++)
    cr_expect(ts_vec3_is_finite(contacts.contacts[i].point) &&
              isfinite(contacts.contacts[i].gap_m));
  pair = tet_pair_moved(&pair, 1e30, ts_pose_identity());
  find_prox(&pair);
  cr_expect_eq(contacts.count, 1);
}

/// A unit cube of five tets: one in the middle, which has no surface face, and one in each corner
/// whose number has an odd number of bits.
static const ts_mesh *cube(method_fixture *f) {
  static const uint32_t tets[5][4] = {
      {0, 3, 5, 6}, {1, 0, 3, 5}, {2, 0, 3, 6}, {4, 0, 5, 6}, {7, 3, 5, 6}};
  ts_vec3 vertices[8], centre = {0.5, 0.5, 0.5};
  for (int v = 0; v < 8; v++)
    vertices[v] = ts_vec3_make(v & 1, v >> 1 & 1, v >> 2);
  uint32_t oriented[5][4], surface[12][3];
  size_t count = 0;
  for (int t = 0; t < 5; t++) {
    memcpy(oriented[t], tets[t], sizeof oriented[t]);
    const uint32_t *v = tets[t];
    ts_vec3 e[3];
    for (int i = 0; i < 3; i++)
      e[i] = ts_vec3_sub(vertices[v[i + 1]], vertices[v[0]]);
    if (ts_vec3_dot(ts_vec3_cross(e[0], e[1]), e[2]) < 0)
      memcpy(oriented[t], (uint32_t[4]){v[0], v[2], v[1], v[3]}, sizeof oriented[t]);
    for (int i = 1; t > 0 && i < 4; i++) {
      uint32_t face[3] = {v[0], v[i], v[i % 3 + 1]};
      ts_vec3 n = ts_vec3_cross(ts_vec3_sub(vertices[face[1]], vertices[face[0]]),
                                ts_vec3_sub(vertices[face[2]], vertices[face[0]]));
      bool inwards = ts_vec3_dot(n, ts_vec3_sub(vertices[face[0]], centre)) < 0;
      memcpy(surface[count++], (uint32_t[3]){face[0], face[inwards ? 2 : 1], face[inwards ? 1 : 2]},
             sizeof surface[0]);
    }
  }
  const ts_mesh *closed = fixture_mesh(f, vertices, 8, (const uint32_t(*)[3])surface, 12);
  ts_mesh *mesh = NULL;
  cr_assert_eq(ts_mesh_with_vertices(&mesh, f->arena, closed, vertices), TS_OK);
  cr_assert_eq(ts_mesh_set_tets(mesh, f->arena, (const uint32_t(*)[4])oriented, 5), TS_OK, "%s",
               ts_status_detail());
  return mesh;
}

/// Contacts on tets have no features, which fixture_run asks for.
static fixture_contacts run(method_fixture *f, const double *values, const fixture_pair *pair) {
  cr_assert_eq(fixture_try(f, method, values, pair), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_contact_set_canonicalise(&f->set, 1), TS_OK);
  return (fixture_contacts){f->set.contacts, f->set.count, f->set.delivered};
}

/// b over a along y, shifted, and both moved.
static fixture_pair cubes(method_fixture *f, ts_vec3 shift, ts_pose motion) {
  const ts_mesh *mesh = cube(f);
  ts_pose over = fixture_shift(shift.x, 1 + shift.y, shift.z);
  return (fixture_pair){{mesh, mesh}, {motion, ts_pose_mul(motion, over)}};
}

Test(methods_closest_points_tets, cubes_of_tets_at_rest_have_the_contacts_of_their_surfaces) {
  static const ts_vec3 shifts[] = {
      {0, 0.02, 0}, {0.5, 0.02, 0.25}, {0.5, 0.02, 0}, {-0.3, 0.015, 0.7}, {1, 0.02, 0}};
  static const size_t counts[] = {5, 8, 7, 0, 2};
  for (int n = 0; n < 20; n++) {
    method_fixture f;
    fixture_open(&f);
    ts_pose motion = n < 5 ? ts_pose_identity() : fixture_motion((uint64_t)n, n % 2 ? 1 : 1e3);
    fixture_pair pair = cubes(&f, shifts[n % 5], motion);
    fixture_contacts surface = fixture_run(&f, &ts_method_closest_points, NULL, &pair);
    fixture_contacts tets = run(&f, NULL, &pair);
    fixture_expect_same(tets, surface, ts_pose_identity(), 1, 1e-9, 1e-9, "tets");
    cr_expect(counts[n % 5] == 0 || tets.count == counts[n % 5], "shift %d: %zu contacts", n % 5,
              tets.count);
    cr_expect_gt(tets.count, 0);
    fixture_close(&f);
  }
}

/// A body of one tet knows all of its surface.
static const ts_mesh *one_tet(method_fixture *f, const ts_vec3 corners[4]) {
  const ts_mesh *closed = fixture_tet(f, corners);
  ts_mesh *mesh = NULL;
  cr_assert_eq(ts_mesh_with_vertices(&mesh, f->arena, closed, corners), TS_OK);
  static const uint32_t tets[2][1][4] = {{{0, 1, 2, 3}}, {{0, 2, 1, 3}}};
  cr_assert_eq(ts_mesh_set_tets(mesh, f->arena, tets[ts_tet_volume(corners) < 0], 1), TS_OK, "%s",
               ts_status_detail());
  return mesh;
}

Test(methods_closest_points_tets, bodies_of_one_tet_have_the_contacts_of_their_surfaces) {
  ts_random random = ts_random_seed(5, 0);
  size_t total = 0;
  for (int n = 0; n < 300; n++) {
    method_fixture f;
    fixture_open(&f);
    ts_tet_pair tets = tet_pair_random(&random, 0.6);
    fixture_pair pair = {{one_tet(&f, tets.corners[0]), one_tet(&f, tets.corners[1])},
                         {ts_pose_identity(), ts_pose_identity()}};
    fixture_contacts surface =
        fixture_run(&f, &ts_method_closest_points, (double[]){0.1, 0}, &pair);
    fixture_contacts found = run(&f, (double[]){TS_PROFILE_PAPER, 0.1}, &pair);
    char name[32];
    snprintf(name, sizeof name, "pair %d", n);
    fixture_expect_same(found, surface, ts_pose_identity(), 1, 1e-9, 1e-9, name);
    total += found.count;
    fixture_close(&f);
  }
  cr_assert_gt(total, 300, "%zu contacts", total);
}

Test(methods_closest_points_tets, the_limit_is_twice_the_erosion) {
  method_fixture f;
  fixture_open(&f);
  fixture_pair pair = cubes(&f, ts_vec3_make(0, 0.1, 0), ts_pose_identity());
  cr_expect_eq(run(&f, (double[]){TS_PROFILE_PAPER, 0.05}, &pair).count, 5);
  cr_expect_eq(run(&f, (double[]){TS_PROFILE_PAPER, 0.0499}, &pair).count, 0);
  cr_expect_eq(run(&f, (double[]){TS_PROFILE_PROX2018, 0.0499}, &pair).count, 0);
  fixture_contacts set = run(&f, (double[]){TS_PROFILE_PROX2018, 0.06}, &pair);
  cr_expect_geq(set.count, 4);
  for (size_t i = 0; i < set.count; i++)
    cr_expect_float_eq(set.contacts[i].gap_m, 0.02, 1e-6); // in single precision
  fixture_close(&f);
}

Test(methods_closest_points_tets, bodies_are_wanted_eroded_as_for_the_surfaces) {
  ts_envelope tets, surface;
  cr_assert_eq(method->envelope(&tets, (double[]){TS_PROFILE_PAPER, 0.03}), TS_OK);
  cr_assert_eq(ts_method_closest_points.envelope(&surface, (double[]){0.03, 0}), TS_OK);
  cr_expect_eq(tets.kind, surface.kind);
  cr_expect_eq(tets.mode, surface.mode);
  cr_expect_eq(tets.size_m, surface.size_m);
  cr_expect_eq(tets.reach_m, surface.reach_m);
  cr_assert_eq(method->param_count, 2);
  cr_expect_str_eq(method->params[0].name, "profile");
  cr_expect_str_eq(method->params[1].name, "erosion_m");
  cr_expect_eq(method->params[1].default_value, ts_method_closest_points.params[0].default_value);
}

Test(methods_closest_points_tets, a_mesh_without_tets_is_refused) {
  method_fixture f;
  fixture_open(&f);
  const ts_mesh *box = fixture_box(&f, ts_vec3_make(0, 0, 0), ts_vec3_make(1, 1, 1), 0, 0);
  fixture_pair pair = {{box, box}, {ts_pose_identity(), fixture_shift(0, 1, 0)}};
  cr_expect_eq(fixture_try(&f, method, NULL, &pair), TS_E_INPUT);
  fixture_close(&f);
}
