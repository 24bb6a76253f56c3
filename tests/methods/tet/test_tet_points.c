// SPDX-License-Identifier: MIT
// covers: methods/tet/tet_points.c
#include "geometry/tolerances.h"
#include "methods/tet/tet_points.h"
#include "tests/geometry/random_geometry.h"
#include "tests/methods/prox2018/prox_in_double.h"
#include "tests/methods/tet/prox_reference.h"
#include "tests/methods/tet/tet_fixture.h"
#include "tests/methods/tet/tet_oracle.h"

#include <criterion/criterion.h>

static size_t count_near(const ts_vec3 *points, size_t count, ts_vec3 p, double tolerance_m) {
  size_t near = 0;
  for (size_t i = 0; i < count; i++)
    near += ts_vec3_distance(points[i], p) <= tolerance_m;
  return near;
}

/// Nodes inside and crossings are the corners of the intersection, by other means.
Test(methods_tet_points, points_are_the_corners_of_the_intersection) {
  ts_random random = ts_random_seed(1, 0);
  size_t judged = 0;
  for (int n = 0; n < 3000; n++) {
    ts_tet_pair pair = tet_pair_random(&random, 0.4);
    double size_m = tet_pair_size_m(&pair);
    ts_vec3 corners[ORACLE_POINTS_MAX];
    bool clear;
    size_t count = oracle_corners(corners, &clear, &pair, 1e-6);
    if (!clear)
      continue;
    judged += count > 0;
    ts_tet_points points;
    ts_tet_points_find(&points, &pair, size_m);
    cr_assert_eq(points.count, count, "pair %d: %zu points, %zu corners", n, points.count, count);
    for (size_t i = 0; i < count; i++)
      cr_assert_eq(count_near(points.points, points.count, corners[i], 1e-9), 1, "pair %d", n);

    // PROX finds some of them, and nothing else.
    prox_in_double_points(&points, &pair);
    cr_assert_leq(points.count, count);
    for (size_t i = 0; i < points.count; i++)
      cr_assert_eq(count_near(corners, count, points.points[i], 1e-9), 1, "pair %d, prox", n);
  }
  cr_assert_gt(judged, 800, "%zu pairs with points", judged);
}

/// The face of b lies in that of a, whose plane is crossed by nothing.
Test(methods_tet_points, touching_faces_meet_in_the_corners_of_their_common_polygon) {
  ts_random random = ts_random_seed(2, 0);
  ts_tet_pair pair = tet_pair_stacked(0);
  pair.corners[1][0] = (ts_vec3){-1, 1, 0}; // sticks out: two corners become four
  pair.corners[1][1] = (ts_vec3){1, 0.5, 0};
  pair.corners[1][2] = (ts_vec3){1, 1.5, 0};
  static const ts_vec3 expected[] = {{0, 0.75, 0}, {1, 0.5, 0}, {1, 1.5, 0}, {0, 1.25, 0}};
  for (int n = 0; n < 200; n++) {
    static const double scales[] = {1e-3, 1, 1e3};
    double scale = scales[n % 3];
    ts_pose pose = random_pose(&random, n % 2 ? scale : 100 * scale);
    ts_tet_pair moved = tet_pair_moved(&pair, scale, pose);
    ts_tet_points points;
    ts_tet_points_find(&points, &moved, scale * 2);
    cr_assert_eq(points.count, 4, "motion %d: %zu points", n, points.count);
    for (int i = 0; i < 4; i++)
      cr_assert_eq(count_near(points.points, 4,
                              ts_pose_point(pose, ts_vec3_scale(expected[i], scale)), 1e-7 * scale),
                   1, "motion %d, corner %d", n, i);
  }
}

Test(methods_tet_points, tets_farther_apart_than_the_allowance_have_none) {
  ts_tet_points points;
  ts_tet_pair pair = tet_pair_stacked(0.5 * TS_TOUCH_RELATIVE);
  ts_tet_points_find(&points, &pair, 1);
  cr_assert_eq(points.count, 3);
  pair = tet_pair_stacked(3 * TS_TOUCH_RELATIVE);
  ts_tet_points_find(&points, &pair, 1);
  cr_assert_eq(points.count, 0);
}

Test(methods_tet_points, duplicates_are_dropped_within_the_tolerance) {
  ts_tet_points points = {4, {{0, 0, 0}, {1, 0, 0}, {0, 0, 5e-8}, {1, 1e-15, 0}}};
  ts_tet_points_drop_duplicates(&points, 1);
  cr_assert_eq(points.count, 2);
  cr_assert_eq(points.points[1].x, 1);
}

/// Apart by 1.5 tolerances along a diagonal: closer than one in each coordinate.
Test(methods_tet_points, duplicates_are_decided_by_distance_in_any_direction) {
  double step_m = 1.5e-7 / sqrt(3);
  ts_tet_points points = {2, {{0, 0, 0}, {step_m, step_m, step_m}}};
  ts_tet_points_drop_duplicates(&points, 1);
  cr_assert_eq(points.count, 2);
}

Test(methods_tet_points, the_report_moves_points_to_the_middle_of_their_extent) {
  ts_tet_points points = {4, {{0, 0, 0}, {1, 0, 1}, {0, 1, 4}, {1, 0, 3}}};
  static ts_tet_contacts contacts;
  ts_tet_points_report(&contacts, &points, ts_vec3_make(0, 0, 1), 1);
  cr_assert_eq(contacts.count, 3, "two points fall together: %zu", contacts.count);
  for (size_t i = 0; i < 3; i++) {
    cr_expect_eq(contacts.contacts[i].point.z, 2);
    cr_expect_eq(contacts.contacts[i].gap_m, -4);
    cr_expect_eq(contacts.contacts[i].normal.z, 1);
    cr_expect(isnan(contacts.contacts[i].area_m2));
    cr_expect_eq(contacts.contacts[i].feature_a.kind, TS_FEATURE_NONE);
  }
}

Test(methods_tet_points, the_other_report_moves_points_to_their_average) {
  ts_tet_points points = {4, {{0, 0, 0}, {1, 0, 1}, {0, 1, 4}, {1, 1, 3}}};
  static ts_tet_contacts contacts;
  ts_tet_points_report_average(&contacts, &points, ts_vec3_make(0, 0, 1), -0.5, 1);
  cr_assert_eq(contacts.count, 4);
  for (size_t i = 0; i < 4; i++) {
    cr_expect_eq(contacts.contacts[i].point.z, 2);
    cr_expect_eq(contacts.contacts[i].gap_m, -0.5);
  }
}

Test(methods_tet_points, no_points_make_no_contacts) {
  ts_tet_points points = {.count = 0};
  static ts_tet_contacts contacts;
  ts_tet_points_report(&contacts, &points, ts_vec3_make(0, 0, 1), 1);
  ts_tet_points_report_average(&contacts, &points, ts_vec3_make(0, 0, 1), -1, 1);
  cr_assert_eq(contacts.count, 0);
}

/// The comparison that other tests rely on detects different sets.
Test(methods_tet_points, sets_are_the_same_up_to_order_and_repetition_only) {
  ts_contact p = {.point = {1, 2, 3}, .normal = {0, 0, 1}, .gap_m = -1};
  ts_contact q = p, moved = p, turned = p, deeper = p;
  q.point.x = 2;
  moved.point.y += 2e-9;
  turned.normal.x = 2e-9;
  deeper.gap_m -= 2e-9;
  ts_contact one[] = {p, q}, other[] = {q, p, p};
  cr_assert(prox_same_contacts(one, 2, other, 3, 1e-9));
  cr_assert(prox_same_contacts(one, 0, other, 0, 1e-9));
  cr_assert_not(prox_same_contacts(one, 1, other, 3, 1e-9));
  cr_assert_not(prox_same_contacts(one, 2, other, 0, 1e-9));
  cr_assert_not(prox_same_contacts(&p, 1, &moved, 1, 1e-9));
  cr_assert_not(prox_same_contacts(&p, 1, &turned, 1, 1e-9));
  cr_assert_not(prox_same_contacts(&p, 1, &deeper, 1, 1e-9));
}
