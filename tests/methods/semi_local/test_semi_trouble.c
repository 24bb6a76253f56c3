// SPDX-License-Identifier: MIT
// covers: methods/semi_local/semi_*.c
/// Where semi_local has been wrong: needles, bodies thinner than the ranges, ridges that are nearly
/// parallel, and choices that other contacts leave none.
#include "base/param.h"
#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "tests/methods/semi_local/semi_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static const ts_method *const method = &ts_method_semi_local;
static method_fixture *const f = &semi_fixture;

TestSuite(methods_semi_trouble, .init = semi_open, .fini = semi_close);

static const ts_vec3 up = {0, 1, 0};

static size_t count_at(const ts_contact_set *set, ts_vec3 point) {
  size_t count = 0;
  for (size_t i = 0; i < set->count; i++)
    count += ts_vec3_distance(set->contacts[i].point, point) < 1e-9;
  return count;
}

static ts_pose turned(ts_quat rotation, ts_vec3 local, ts_vec3 to) {
  ts_pose pose = {ts_quat_unit(rotation), {0, 0, 0}};
  pose.translation = ts_vec3_sub(to, ts_quat_rotate(pose.rotation, local));
  return pose;
}

/// Its sides are at a right angle to the face, but for less than three degrees.
Test(methods_semi_trouble, a_needle_rests_on_a_face_however_thin) {
  static const double halves[] = {0.2, 0.05, 0.02, 0.005};
  for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
    const ts_contact_set *set =
        semi_run_moving(semi_box(2, 1, 2), fixture_spike(f, halves[i], 1),
                        fixture_upside_down(0.3, 0.5, 0.2), (ts_vec3){0, -1, 0});
    cr_assert_eq(set->count, 1, "half %g: %zu", halves[i], set->count);
    cr_expect_lt(ts_vec3_distance(set->contacts[0].normal, up), 1e-9);
  }
}

Test(methods_semi_trouble, nearly_parallel_ridges_push_up_where_they_cross_and_to_no_side) {
  static const double angles_rad[] = {3e-5, 1e-4, 3e-4, 1e-3, 1e-2};
  const ts_mesh *wedge = fixture_wedge(f, 0.3, 1.6, 1);
  for (size_t i = 0; i < sizeof angles_rad / sizeof *angles_rad; i++)
    for (int side = -1; side <= 1; side += 2) {
      ts_pose pose = fixture_upside_down(0.25, 0, 0);
      pose.rotation = ts_quat_mul(ts_quat_from_axis_angle(up, angles_rad[i]), pose.rotation);
      const ts_contact_set *set =
          semi_run_moving(wedge, wedge, pose, (ts_vec3){0, -0.1, 0.1 * side});
      cr_expect_eq(count_at(set, (ts_vec3){0.25, 0, 0}), 1, "%g rad", angles_rad[i]);
      for (size_t k = 0; k < set->count; k++)
        if (fabs(set->contacts[k].gap_m) < 1e-9)
          cr_expect_lt(ts_vec3_distance(set->contacts[k].normal, up), 1e-9, "%g rad",
                       angles_rad[i]);
    }
}

/// Two bars of 10 by 20 mm whose ridges touch. What lies within the ranges around, their far sides
/// too, has cross products along which the bars seem to be apart.
Test(methods_semi_trouble, thin_bars_touch_where_their_ridges_cross) {
  const ts_mesh *bar = semi_box(0.01, 0.02, 1);
  ts_vec3 touch = {-0.005, 0.01, -0.21343};
  ts_pose pose = turned((ts_quat){0.459257545, 0.014052755, 0.037320859, -0.887407562},
                        (ts_vec3){0.00165, 0.01, 0.5}, touch);
  ts_vec3 normal = ts_vec3_unit(
      ts_vec3_cross(ts_quat_rotate(pose.rotation, (ts_vec3){1, 0, 0}), (ts_vec3){0, 0, 1}));
  const ts_contact_set *set = semi_run_moving(bar, bar, pose, (ts_vec3){0.1, 0.02, 0.03});
  cr_assert_eq(count_at(set, touch), 1, "%zu contacts, none there", set->count);
  for (size_t i = 0; i < set->count; i++)
    if (ts_vec3_distance(set->contacts[i].point, touch) < 1e-9)
      cr_expect_lt(1 - fabs(ts_vec3_dot(set->contacts[i].normal, normal)), 1e-9);
}

/// A plate's edge on the edge of a box, its corner 3 cm on, 4 mm deeper than the top and beyond the
/// box: the top is no alternative, and no part of a mean.
Test(methods_semi_trouble, the_mean_is_of_normals_that_keep_bodies_apart_alike) {
  ts_vec3 touch = {0.5, -0.190997, 0.25};
  ts_pose pose = turned((ts_quat){0.392019012, -0.217836887, -0.044219064, -0.892699759},
                        (ts_vec3){-0.5, 0.35232, -0.003}, touch);
  ts_vec3 normal = ts_vec3_unit(
      ts_vec3_cross(ts_quat_rotate(pose.rotation, (ts_vec3){0, 1, 0}), (ts_vec3){0, 1, 0}));
  const ts_contact_set *set =
      semi_run_moving(semi_box(1, 0.7, 0.5), semi_box(1, 0.8, 0.006), pose, (ts_vec3){0, 0, -0.1});
  cr_assert_eq(count_at(set, touch), 1, "%zu contacts, none there", set->count);
  for (size_t i = 0; i < set->count; i++)
    cr_expect_lt(1 - fabs(ts_vec3_dot(set->contacts[i].normal, normal)), 1e-9);
}

/// An L, cut out of x, y > 0, from z = -0.5 to 0.5.
static const ts_mesh *l_block(void) {
  static const double profile[6][2] = {{-1, -1}, {1, -1}, {1, 0}, {0, 0}, {0, 1}, {-1, 1}};
  static const uint32_t cap[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}};
  return semi_extruded(profile, 6, cap, 0.5);
}

/// The edge of a turned box runs down a ridge of the L and on along its end face. Where the valley
/// ends, the end face needs its own normal, which will do for the ridge as well.
Test(methods_semi_trouble, a_choice_already_made_by_another_contact_is_not_reported) {
  ts_pose pose = turned(ts_quat_from_axis_angle(up, 0.2822), (ts_vec3){-0.35, 0.1, 0.35},
                        (ts_vec3){0, 0, -0.5});
  const ts_contact_set *set =
      semi_run_moving(l_block(), semi_box(0.7, 0.7, 0.7), pose, (ts_vec3){-0.063, 0.252, 0.452});
  ts_vec3 mixed = {0, 0, -0.5};
  cr_expect_eq(count_at(set, mixed), 1);
  for (size_t i = 0; i < set->count; i++)
    if (ts_vec3_distance(set->contacts[i].point, mixed) < 1e-9)
      cr_expect_lt(ts_vec3_distance(set->contacts[i].normal, (ts_vec3){0, 0, -1}), 1e-9);
}

/// A box on the edge of another, whose corner protrudes by a hundredth: the contact is where the
/// edge ends, not between it and the corner.
Test(methods_semi_trouble, a_protruding_ridge_is_reported_where_the_other_ends) {
  ts_pose pose = turned(ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, 0.7853981633974483),
                        (ts_vec3){-0.5, -0.5, 0.5}, (ts_vec3){0, 0.5, 0.51});
  const ts_contact_set *set =
      semi_run_moving(semi_box(2, 1, 1), semi_box(1, 1, 1), pose, (ts_vec3){0, -1, 0});
  cr_assert_eq(set->count, 2);
  cr_expect_eq(count_at(set, (ts_vec3){0, 0.5, 0.5}), 1, "z %g %g", set->contacts[0].point.z,
               set->contacts[1].point.z);
}

/// The corner of a turned box lies under a face, and its side passes the corner of the face by less
/// than the depth that is looked for and more than the gap.
Test(methods_semi_trouble, a_corner_beside_a_face_touches_nothing) {
  static const double beside_m[] = {0.022, 0.03, 0.045};
  for (size_t i = 0; i < sizeof beside_m / sizeof *beside_m; i++) {
    ts_pose pose = turned(ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, 0.3296),
                          (ts_vec3){-0.35, 0.1, 0.35}, (ts_vec3){1 + beside_m[i], -1, -0.5});
    const ts_contact_set *set =
        semi_run_moving(semi_box(2, 2, 1), semi_box(0.7, 0.7, 0.7), pose, (ts_vec3){0, 0, 0.1});
    cr_expect_eq(set->count, 3, "%g m beside: %zu", beside_m[i], set->count);
    cr_expect_eq(count_at(set, (ts_vec3){1, -1, -0.5}), 0, "%g m beside", beside_m[i]);
  }
}

enum { SIDES = 40 };

/// A cone of more sides than a place has room for, tip up at the origin.
static const ts_mesh *cone(void) {
  ts_vec3 vertices[SIDES + 2];
  uint32_t triangles[2 * SIDES][3];
  vertices[SIDES] = (ts_vec3){0, 0, 0};
  vertices[SIDES + 1] = (ts_vec3){0, -0.5, 0};
  for (uint32_t i = 0; i < SIDES; i++) {
    double angle = 2 * 3.14159265358979323846 * i / SIDES;
    uint32_t next = (i + 1) % SIDES;
    vertices[i] = (ts_vec3){cos(angle), -0.5, -sin(angle)};
    memcpy(triangles[2 * i], (uint32_t[3]){i, next, SIDES}, sizeof triangles[0]);
    memcpy(triangles[2 * i + 1], (uint32_t[3]){next, i, SIDES + 1}, sizeof triangles[0]);
  }
  return fixture_mesh(f, vertices, SIDES + 2, (const uint32_t(*)[3])triangles, 2 * SIDES);
}

Test(methods_semi_trouble, a_corner_of_more_patches_than_there_is_room_for_is_not_passed_over) {
  static const double gaps_m[2] = {0, 1e-2};
  for (int i = 0; i < 2; i++) {
    fixture_pair on_plate = {{cone(), semi_box(3, 1, 3)},
                             {ts_pose_identity(), fixture_shift(0.1, 0.5 + gaps_m[i], 0.1)}};
    fixture_contacts set = fixture_run(f, method, NULL, &on_plate);
    cr_assert_eq(set.count, 1, "%zu", set.count);
    cr_expect_lt(ts_vec3_distance(set.contacts[0].normal, up), 1e-9);
    cr_expect_float_eq(set.contacts[0].gap_m, gaps_m[i], 1e-9);
    fixture_pair tips = {{cone(), cone()},
                         {ts_pose_identity(), fixture_upside_down(0, gaps_m[i], 0)}};
    set = fixture_run(f, method, NULL, &tips);
    cr_assert_geq(set.count, 1);
    cr_expect_gt(set.contacts[0].normal.y, 0.85, "%g", set.contacts[0].normal.y);
  }
}

/// Both sides of each plate are in one run at the rim.
Test(methods_semi_trouble, thin_plates_with_flush_rims_are_parted_one_way) {
  const ts_mesh *plate = semi_box(1, 0.001, 1);
  for (int i = 1; i < 10; i++) {
    double overlap_m = 1e-4 * i;
    fixture_pair pair = {{plate, plate},
                         {ts_pose_identity(), fixture_shift(0, 1e-3 - overlap_m, 0)}};
    fixture_contacts set = fixture_run(f, method, NULL, &pair);
    cr_assert_geq(set.count, 1);
    for (size_t k = 0; k < set.count; k++) {
      double along = ts_vec3_dot(set.contacts[k].normal, up);
      cr_expect_float_eq(fabs(along), 1, 1e-9);
      cr_expect_float_eq(set.contacts[k].gap_m, along > 0 ? -overlap_m : overlap_m - 2e-3, 1e-9,
                         "overlap %g: normal %g gap %g", overlap_m, along, set.contacts[k].gap_m);
    }
  }
}

Test(methods_semi_trouble, beams_that_cross_with_flush_ends_have_the_depth_of_their_thickness) {
  for (int i = 1; i <= 6; i++) {
    double t = 0.02 * i;
    fixture_pair pair = {{semi_box(1, t, t), semi_box(t, 1, t)},
                         {ts_pose_identity(), fixture_shift(0.5 - 0.5 * t, 0, 0)}};
    fixture_contacts set = fixture_run(f, method, NULL, &pair);
    cr_assert_geq(set.count, 1, "%g", t);
    for (size_t k = 0; k < set.count; k++)
      cr_expect_float_eq(set.contacts[k].gap_m, -t, 1e-9, "%g: %g", t, set.contacts[k].gap_m);
  }
}

/// The way out is across the edges of the thick one, none of which is cut.
Test(methods_semi_trouble, a_rod_leaves_another_one_sideways) {
  ts_quat turn = ts_quat_mul(ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, 0.3),
                             ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, 0.4));
  fixture_pair pair = {{semi_box(1, 0.01, 0.01), semi_box(0.003, 1, 0.003)},
                       {ts_pose_identity(), {turn, {0, 0, 0}}}};
  fixture_contacts set = fixture_run(f, method, NULL, &pair);
  cr_assert_eq(set.count, 1);
  double depth_m = 0.005 * (sin(0.3) + cos(0.3)) + 0.0015 * (sin(0.4) + cos(0.4));
  cr_expect_float_eq(set.contacts[0].gap_m, -depth_m, 1e-9, "%g", set.contacts[0].gap_m);
}

/// Plates of 4 and 7 mm crosswise, turned and rounded: their two sides are opposite but for some
/// 1e-7, and the rim of the one is not among the normals of the other.
Test(methods_semi_trouble, plates_in_single_precision_have_the_normal_of_their_faces_alone) {
  static const double scales[3] = {1, 1e-3, 1e3};
  const ts_mesh *lower = semi_box(1.1, 0.004, 0.36), *upper = semi_box(0.34, 0.007, 0.93);
  ts_quat across = ts_quat_from_axis_angle(up, 0.3);
  for (uint64_t n = 0; n < 60; n++) {
    double scale = scales[n % 3];
    ts_pose where = fixture_motion(n, 4);
    ts_pose over = {across, {0.1 + 0.008 * (double)n, 0.0055, 0.07}};
    fixture_pair pair = {
        {semi_in_float(lower, where, scale), semi_in_float(upper, ts_pose_mul(where, over), scale)},
        {ts_pose_identity(), ts_pose_identity()}};
    fixture_contacts set = semi_run_scaled(scale, &pair);
    ts_vec3 normal = ts_pose_direction(where, up);
    cr_expect_geq(set.count, 3, "place %zu: %zu", (size_t)n, set.count);
    for (size_t i = 0; i < set.count; i++) {
      cr_expect_lt(ts_vec3_distance(set.contacts[i].normal, normal), 1e-5,
                   "place %zu: a normal off by %g", (size_t)n,
                   ts_vec3_distance(set.contacts[i].normal, normal));
      cr_expect_lt(fabs(set.contacts[i].gap_m), 5e-6 * scale);
    }
  }
}

/// A tip of five sides at the origin, downwards.
static const ts_mesh *stake(void) {
  ts_vec3 vertices[6] = {{0, 0, 0}};
  uint32_t triangles[8][3] = {{1, 2, 3}, {1, 3, 4}, {1, 4, 5}};
  for (uint32_t i = 0; i < 5; i++) {
    double angle = 0.3 + 1.2 * i + 0.05 * i * i;
    vertices[1 + i] = (ts_vec3){0.2 * cos(angle), 0.6, -0.2 * sin(angle)};
    memcpy(triangles[3 + i], (uint32_t[3]){0, 1 + (i + 1) % 5, 1 + i}, sizeof triangles[0]);
  }
  return fixture_mesh(f, vertices, 6, (const uint32_t(*)[3])triangles, 8);
}

enum { DRUM_SIDES = 60 };

/// A prism of many sides about the z axis, one of its edges at the top.
static const ts_mesh *drum(void) {
  ts_vec3 vertices[2 * DRUM_SIDES];
  uint32_t triangles[4 * DRUM_SIDES - 4][3], count = 0;
  for (uint32_t i = 0; i < DRUM_SIDES; i++) {
    double angle = 2 * 3.14159265358979323846 * i / DRUM_SIDES;
    vertices[i] = (ts_vec3){-0.4 * sin(angle), 0.4 * cos(angle), -0.5};
    vertices[i + DRUM_SIDES] = (ts_vec3){-0.4 * sin(angle), 0.4 * cos(angle), 0.5};
  }
  for (uint32_t i = 0; i < DRUM_SIDES; i++) {
    uint32_t k = (i + 1) % DRUM_SIDES;
    memcpy(triangles[count++], (uint32_t[3]){i, k, k + DRUM_SIDES}, sizeof triangles[0]);
    memcpy(triangles[count++], (uint32_t[3]){i, k + DRUM_SIDES, i + DRUM_SIDES},
           sizeof triangles[0]);
  }
  for (uint32_t i = 1; i + 1 < DRUM_SIDES; i++) {
    memcpy(triangles[count++], (uint32_t[3]){0, i + 1, i}, sizeof triangles[0]);
    memcpy(triangles[count++], (uint32_t[3]){DRUM_SIDES, DRUM_SIDES + i, DRUM_SIDES + i + 1},
           sizeof triangles[0]);
  }
  return fixture_mesh(f, vertices, 2 * DRUM_SIDES, (const uint32_t(*)[3])triangles, count);
}

/// The normal of the one contact of a tip that stands on the top of a body, which is at `y`.
static ts_vec3 normal_under_stake(const ts_mesh *lower, double y, uint64_t place, double scale) {
  ts_pose where = fixture_motion(place, 2);
  fixture_pair pair = {
      {semi_in_float(lower, where, scale),
       semi_in_float(stake(), ts_pose_mul(where, fixture_shift(0.07, y, 0)), scale)},
      {ts_pose_identity(), ts_pose_identity()}};
  if (place == 0)
    pair = (fixture_pair){{fixture_scaled(f, lower, scale), fixture_scaled(f, stake(), scale)},
                          {ts_pose_identity(), fixture_shift(0.07 * scale, y * scale, 0)}};
  fixture_contacts set = semi_run_scaled(scale, &pair);
  cr_assert_eq(set.count, 1, "place %zu: %zu contacts", (size_t)place, set.count);
  ts_vec3 normal = set.contacts[0].normal;
  return place == 0 ? normal : ts_quat_rotate(ts_quat_conjugate(where.rotation), normal);
}

/// The crest of a roof whose slopes are 2 and 5 degrees is a ridge like any other; that of a prism
/// of 60 sides is a curve's.
Test(methods_semi_trouble, the_mean_of_two_normals_is_only_that_of_a_curve) {
  static const double scales[3] = {1, 1e-3, 1e3};
  static const double slopes_rad[2] = {0.035, 0.087};
  static const uint32_t cap[3][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}};
  const ts_quat crest = ts_quat_from_axis_angle(up, 1.5707963267948966);
  for (uint64_t place = 0; place < 9; place++) {
    double scale = scales[place % 3];
    for (int i = 0; i < 2; i++) {
      double eaves = -0.5 * tan(slopes_rad[i]);
      const double profile[5][2] = {{-0.5, -0.4}, {0.5, -0.4}, {0.5, eaves}, {0, 0}, {-0.5, eaves}};
      const ts_mesh *roof =
          semi_in_float(semi_extruded(profile, 5, cap, 0.6), (ts_pose){crest, {0, 0, 0}}, 1);
      ts_vec3 normal = normal_under_stake(roof, 0, place, scale);
      cr_expect_float_eq(acos(fmin(1, normal.y)), slopes_rad[i], 1e-4, "place %zu: %g rad",
                         (size_t)place, acos(normal.y));
    }
    const ts_mesh *lying = semi_in_float(drum(), (ts_pose){crest, {0, 0, 0}}, 1);
    ts_vec3 n = normal_under_stake(lying, 0.4, place, scale);
    cr_expect_lt(ts_vec3_distance(n, up), 1e-4, "place %zu: (%g, %g, %g)", (size_t)place, n.x, n.y,
                 n.z);
  }
}
