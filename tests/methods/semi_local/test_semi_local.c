// SPDX-License-Identifier: MIT
// covers: methods/semi_local/*.c
#include "base/param.h"
#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "tests/methods/semi_local/semi_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static const ts_method *const method = &ts_method_semi_local;
static method_fixture *const f = &semi_fixture;

TestSuite(methods_semi_local, .init = semi_open, .fini = semi_close);

static const ts_vec3 up = {0, 1, 0};

/// A block with a groove of 90 degrees along z in its top, whose bottom line is the local z axis.
static const ts_mesh *grooved(void) {
  static const double profile[7][2] = {{-1, -0.5}, {1, -0.5},   {1, 0.5}, {0.5, 0.5},
                                       {0, 0},     {-0.5, 0.5}, {-1, 0.5}};
  static const uint32_t cap[5][3] = {{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 5}, {0, 5, 6}};
  return semi_extruded(profile, 7, cap, 2);
}

/// An arm along x with two legs down to y = -0.3. The outer side of the left leg has vertices at
/// y = 0; so has, at `inner_y`, the inner side of the right one.
static const ts_mesh *two_legs(double inner_y) {
  const double profile[10][2] = {{-1, -0.3},  {-0.6, -0.3}, {-0.6, 0.6}, {0.6, 0.6}, {0.6, inner_y},
                                 {0.6, -0.3}, {1, -0.3},    {1, 1},      {-1, 1},    {-1, 0}};
  static const uint32_t cap[8][3] = {{0, 1, 9}, {9, 1, 2}, {9, 2, 8}, {2, 3, 8},
                                     {3, 7, 8}, {3, 4, 7}, {4, 6, 7}, {4, 5, 6}};
  return semi_extruded(profile, 10, cap, 2);
}

/// Every contact has this normal and gap.
static void expect_all(fixture_contacts set, ts_vec3 normal, double gap_m, const char *what) {
  for (size_t i = 0; i < set.count; i++) {
    cr_expect_lt(ts_vec3_distance(set.contacts[i].normal, normal), 1e-9, "%s: contact %zu", what,
                 i);
    cr_expect_float_eq(set.contacts[i].gap_m, gap_m, 1e-9, "%s: gap %g", what,
                       set.contacts[i].gap_m);
  }
}

Test(methods_semi_local, a_box_on_a_box_touches_at_the_corners_of_what_they_share) {
  fixture_contacts set =
      semi_run(semi_box(2, 1, 2), ts_pose_identity(), semi_box(1, 1, 1), fixture_shift(0.75, 1, 0));
  cr_assert_eq(set.count, 4);
  expect_all(set, up, 0, "on the edge");
  for (int i = 0; i < 4; i++)
    cr_expect_eq(fixture_count_at(set, (ts_vec3){i & 1 ? 1 : 0.25, 0.5, i & 2 ? 0.5 : -0.5}), 1);
}

Test(methods_semi_local, gaps_and_overlaps_are_reported_in_range_and_not_beyond) {
  static const double gaps[] = {1e-4, 1e-3, 0.01, 0.019, -1e-4, -1e-3, -0.01, -0.049};
  for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
    fixture_contacts set = semi_run(semi_box(2, 1, 2), ts_pose_identity(), semi_box(1, 1, 1),
                                    fixture_shift(0.2, 1 + gaps[i], 0));
    cr_expect_eq(set.count, 4, "gap %g: %zu", gaps[i], set.count);
    expect_all(set, up, gaps[i], "boxes");
  }
  fixture_contacts apart = semi_run(semi_box(2, 1, 2), ts_pose_identity(), semi_box(1, 1, 1),
                                    fixture_shift(0.2, 1.03, 0));
  cr_expect_eq(apart.count, 0);
}

Test(methods_semi_local, a_tip_in_a_groove_needs_both_walls_and_on_a_face_one) {
  fixture_contacts set = semi_run(grooved(), ts_pose_identity(), fixture_spike(f, 0.2, 1),
                                  fixture_upside_down(0, 0, 0.3));
  cr_assert_eq(set.count, 2);
  for (int i = 0; i < 2; i++)
    cr_expect_eq(fixture_count_normal(set, ts_vec3_unit((ts_vec3){i ? -1 : 1, 1, 0})), 1);
  set = semi_run(semi_box(2, 1, 2), ts_pose_identity(), fixture_spike(f, 0.2, 1),
                 fixture_upside_down(0.3, 0.5, 0.3));
  cr_assert_eq(set.count, 1);
  expect_all(set, up, 0, "tip");
}

/// The tip on a mixed corner: end of the groove.
Test(methods_semi_local, a_tip_at_the_end_of_a_groove_has_a_normal_for_each_run) {
  fixture_contacts set = semi_run(grooved(), ts_pose_identity(), fixture_spike(f, 0.2, 1),
                                  fixture_upside_down(0, 0, 2));
  cr_assert_eq(set.count, 2);
  for (int i = 0; i < 2; i++)
    cr_expect_gt(set.contacts[i].normal.y, 0.1);
}

Test(methods_semi_local, ridges_that_cross_have_one_contact_however_small_the_angle) {
  static const double angles_deg[] = {90, 5, 1, 0.5, 0.08, 0.01};
  const ts_mesh *wedge = fixture_wedge(f, 0.3, 1.6, 1);
  for (size_t i = 0; i < sizeof angles_deg / sizeof *angles_deg; i++) {
    ts_pose pose = fixture_upside_down(0, 0, 0);
    ts_quat turn = ts_quat_from_axis_angle(up, angles_deg[i] * 0.017453292519943295);
    pose.rotation = ts_quat_mul(turn, pose.rotation);
    fixture_contacts set = semi_run(wedge, ts_pose_identity(), wedge, pose);
    cr_expect_eq(set.count, 1, "%g degrees: %zu", angles_deg[i], set.count);
    expect_all(set, up, 0, "ridges");
  }
}

/// The far sides of two sheets, 0.01 thick, are within the range of depths and no contacts.
Test(methods_semi_local, thin_sheets_do_not_touch_through_each_other) {
  static const double gaps[] = {0, 0.004, -0.003};
  for (int i = 0; i < 3; i++) {
    fixture_contacts set =
        semi_run(semi_box(1, 0.01, 1), ts_pose_identity(), semi_box(0.5, 0.01, 0.5),
                 fixture_shift(0.1, 0.01 + gaps[i], 0.1));
    cr_expect_eq(set.count, 4, "gap %g: %zu", gaps[i], set.count);
    expect_all(set, up, gaps[i], "sheets");
  }
}

/// A block whose top is a U.
static const ts_mesh *u_block(void) {
  static const double profile[8][2] = {{-1, -1},    {1, -1},      {1, 1},    {0.5, 1},
                                       {0.5, -0.5}, {-0.5, -0.5}, {-0.5, 1}, {-1, 1}};
  static const uint32_t cap[6][3] = {{0, 1, 4}, {0, 4, 5}, {1, 2, 3},
                                     {1, 3, 4}, {0, 5, 6}, {0, 6, 7}};
  const ts_mesh *lying = semi_extruded(profile, 8, cap, 0.5);
  ts_vec3 vertices[16];
  for (size_t i = 0; i < lying->vertex_count; i++) {
    ts_vec3 v = lying->vertices[i];
    vertices[i] = ts_vec3_make(v.x, v.z, -v.y);
  }
  return fixture_mesh(f, vertices, lying->vertex_count, lying->triangles, lying->triangle_count);
}

/// A box across the arms of the U: two regions of one pair of patches.
Test(methods_semi_local, two_regions_stay_two) {
  fixture_contacts set =
      semi_run(u_block(), ts_pose_identity(), semi_box(1.6, 0.4, 0.4), fixture_shift(0, 0.7, -0.3));
  cr_assert_eq(set.count, 8, "%zu, not four for each arm", set.count);
  expect_all(set, up, 0, "across the arms");
}

/// A tip pushed into a ridge: its flanks cross the ridge too, and it is one place.
Test(methods_semi_local, one_place_seen_from_many_features_is_one) {
  static const double depths[] = {0, 1e-4, 1e-3, 0.01};
  for (int i = 0; i < 4; i++) {
    fixture_contacts set =
        semi_run(fixture_wedge(f, 0.3, 1.6, 1), ts_pose_identity(), fixture_spike(f, 0.3, 1),
                 fixture_upside_down(0, -depths[i], 0));
    cr_expect_eq(set.count, 1, "depth %g: %zu", depths[i], set.count);
  }
}

/// A ridge that sags by a millimetre in the middle stands on its ends.
Test(methods_semi_local, a_contact_above_the_lower_hull_of_its_neighbours_is_left_out) {
  const ts_vec3 vertices[7] = {{-1, -1, -0.3}, {1, -1, -0.3},  {1, -1, 0.3}, {-1, -1, 0.3},
                               {-1, 0, 0},     {0, -0.001, 0}, {1, 0, 0}};
  static const uint32_t triangles[10][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {1, 6, 2}, {3, 2, 5},
                                            {2, 6, 5}, {3, 5, 4}, {1, 0, 5}, {0, 4, 5}, {1, 5, 6}};
  const ts_mesh *ridge = fixture_mesh(f, vertices, 7, triangles, 10);
  fixture_contacts set =
      semi_run(semi_box(4, 1, 4), ts_pose_identity(), ridge, fixture_upside_down(0, 0.5, 0));
  cr_assert_eq(set.count, 2, "%zu", set.count);
  expect_all(set, up, 0, "ends");
}

Test(methods_semi_local, a_tilted_box_touches_with_its_edge_and_keeps_its_lowest_point) {
  ts_pose pose = {ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, 0.2), {0, 0, 0}};
  pose.translation.y = 0.5 + 0.5 * (cos(0.2) + sin(0.2));
  fixture_contacts set = semi_run(semi_box(4, 1, 4), ts_pose_identity(), semi_box(1, 1, 1), pose);
  cr_assert_eq(set.count, 2);
  expect_all(set, up, 0, "edge");
  pose.rotation = ts_quat_mul(ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, 1e-4), pose.rotation);
  pose.translation.y -= 0.001;
  set = semi_run(semi_box(4, 1, 4), ts_pose_identity(), semi_box(1, 1, 1), pose);
  cr_assert_eq(set.count, 2);
  cr_expect_gt(fabs(set.contacts[0].gap_m - set.contacts[1].gap_m), 0.9e-4);
}

Test(methods_semi_local, of_alternatives_the_velocity_chooses_the_least_violated) {
  const ts_mesh *wedge = fixture_wedge(f, 0.3, 1.6, 1);
  // The smaller body comes second to the method's own frame: a spike has fewer triangles.
  const ts_mesh *lower[2] = {wedge, fixture_spike(f, 0.3, 1)};
  for (int i = 0; i < 4; i++) {
    double side = i % 2 ? 1 : -1;
    const ts_contact_set *set = semi_run_moving(lower[i / 2], wedge, fixture_upside_down(0, 0, 0),
                                                (ts_vec3){0, -1, 0.2 * side});
    cr_assert_eq(set->count, i < 2 ? 2 : 1, "%d: %zu", i, set->count);
    cr_expect_gt(set->contacts[0].normal.z * side, 0.9, "%d: towards the side that it moves to", i);
  }
}

Test(methods_semi_local, all_alternatives_are_reported_when_requested) {
  const ts_mesh *wedge = fixture_wedge(f, 0.3, 1.6, 1);
  fixture_pair pair = {{wedge, wedge}, {ts_pose_identity(), fixture_upside_down(0, 0, 0)}};
  cr_expect_eq(fixture_run(f, method, NULL, &pair).count, 2);
  fixture_contacts all = semi_run_with("alternatives", 1, &pair);
  cr_assert_eq(all.count, 4, "two normals at each end");
  for (size_t i = 0; i < 4; i++)
    for (size_t k = 0; k < 4; k++)
      cr_expect_eq(all.contacts[i].group == all.contacts[k].group,
                   fabs(all.contacts[i].point.x - all.contacts[k].point.x) < 1e-9);
  cr_expect_gt(all.contacts[0].group, 0);
}

Test(methods_semi_local, a_contact_needed_by_itself_is_in_no_group) {
  fixture_pair pair = {{grooved(), fixture_spike(f, 0.3, 1)},
                       {ts_pose_identity(), fixture_upside_down(0, 0, 0)}};
  fixture_contacts all = semi_run_with("alternatives", 1, &pair);
  cr_assert_geq(all.count, 2);
  for (size_t i = 0; i < all.count; i++)
    cr_expect_eq(all.contacts[i].group, 0);
}

/// Deeper than depth_m: the places and regions say nothing.
Test(methods_semi_local, deep_overlap_gets_the_way_out_that_is_shortest) {
  fixture_contacts set = semi_run(fixture_spike(f, 1, 2), ts_pose_identity(), semi_box(3, 1, 3),
                                  fixture_shift(0, 0.1, 0));
  cr_assert_geq(set.count, 1);
  for (size_t i = 0; i < set.count; i++) {
    cr_expect_lt(ts_vec3_distance(set.contacts[i].normal, up), 1e-9);
    cr_expect_float_eq(set.contacts[i].gap_m, -0.4, 1e-9, "%g", set.contacts[i].gap_m);
    cr_expect_lt(ts_vec3_distance(set.contacts[i].point, (ts_vec3){0, -0.2, 0}), 0.05);
  }
}

/// The surface of the other body passes through a vertex, which belongs to neither side: the
/// overlaps must not be taken for one over what lies outside.
Test(methods_semi_local, deep_overlaps_far_from_each_other_have_a_contact_each) {
  fixture_contacts set =
      semi_run(semi_box(4, 2, 6), fixture_shift(0, -1, 0), two_legs(0.3), fixture_shift(0, 0, 0));
  cr_assert_eq(set.count, 2);
  expect_all(set, up, -0.3, "legs");
  cr_expect_lt(set.contacts[0].point.x * set.contacts[1].point.x, 0, "one in each leg");
}

/// The edges of the rod are cut twice, and no vertex of either is inside.
Test(methods_semi_local, a_rod_through_a_plate_is_one_overlap) {
  fixture_contacts set =
      semi_run(semi_box(3, 0.3, 3), ts_pose_identity(), semi_box(0.2, 4, 0.2), ts_pose_identity());
  cr_assert_eq(set.count, 4, "the side of the rod on the rim");
  for (size_t i = 0; i < set.count; i++) {
    cr_expect_float_eq(fabs(set.contacts[i].normal.y), 0, 1e-9, "to the nearest rim");
    cr_expect_float_eq(set.contacts[i].gap_m, -1.6, 1e-9, "%g", set.contacts[i].gap_m);
  }
}

/// The corner of a thin plate beside the end of a ridge: the mean normal looks into the body.
Test(methods_semi_local, the_way_out_of_a_deep_overlap_may_be_against_its_mean_normal) {
  ts_pose wedge = {{-0.013224, -0.909918, 0.315126, 0.269389}, {2.07977, 0.887987, 1.16608}};
  ts_pose plate = {{0.030677, 0.180303, -0.289058, 0.939678}, {2.43449, 0.604004, 0.97294}};
  wedge.rotation = ts_quat_unit(wedge.rotation);
  plate.rotation = ts_quat_unit(plate.rotation);
  fixture_contacts set =
      semi_run(fixture_wedge(f, 0.2, 0.8, 0.7), wedge, semi_box(1, 0.8, 0.006), plate);
  cr_assert_geq(set.count, 1);
  for (size_t i = 0; i < set.count; i++)
    cr_expect_float_eq(set.contacts[i].gap_m, -0.01, 1e-4, "%g", set.contacts[i].gap_m);
}

/// No edge of either body goes through a face of the other.
Test(methods_semi_local, overlap_of_bodies_that_are_flush_is_not_missed) {
  const ts_mesh *cube = semi_box(1, 1, 1);
  fixture_contacts set = semi_run(cube, ts_pose_identity(), cube, fixture_shift(0.7, 0, 0));
  cr_assert_geq(set.count, 1);
  expect_all(set, (ts_vec3){1, 0, 0}, -0.3, "cubes");
  set = semi_run(cube, ts_pose_identity(), cube, fixture_shift(0, -0.9, 0));
  cr_assert_geq(set.count, 1);
  expect_all(set, (ts_vec3){0, -1, 0}, -0.1, "cubes");
  set = semi_run(cube, ts_pose_identity(), cube, ts_pose_identity());
  cr_assert_eq(set.count, 4);
  for (size_t i = 0; i < set.count; i++)
    cr_expect_float_eq(set.contacts[i].gap_m, -1, 1e-9);
  static const double profile[8][2] = {{-1, -0.3}, {1, -0.3}, {1, 0},  {1, 1},
                                       {0, 1},     {-1, 1},   {-1, 0}, {-1, -0.2}};
  static const uint32_t cap[6][3] = {{0, 1, 7}, {7, 1, 2}, {7, 2, 6},
                                     {6, 2, 3}, {6, 3, 4}, {6, 4, 5}};
  set = semi_run(semi_box(4, 2, 6), fixture_shift(0, -1, 0), semi_extruded(profile, 8, cap, 2),
                 ts_pose_identity());
  cr_assert_geq(set.count, 1);
  expect_all(set, up, -0.3, "a block with vertices in the other's face");
}

/// A cube of 10 mm, its top 2 mm below that of a slab.
Test(methods_semi_local, a_body_all_inside_another_leaves_where_the_way_is_shortest) {
  fixture_contacts set = semi_run(semi_box(0.2, 0.1, 0.2), ts_pose_identity(),
                                  semi_box(0.01, 0.01, 0.01), fixture_shift(0, 0.043, 0));
  cr_assert_eq(set.count, 4);
  expect_all(set, up, -0.012, "the top");
}

Test(methods_semi_local, a_body_all_inside_another_is_refused_with_a_reason) {
  fixture_pair pair = {{semi_box(4, 4, 4), semi_box(1, 1, 1)},
                       {ts_pose_identity(), ts_pose_identity()}};
  cr_expect_eq(fixture_try(f, method, NULL, &pair), TS_E_UNSUPPORTED);
  cr_expect_not_null(strstr(ts_status_detail(), "inside"));
  cr_expect_not_null(strstr(ts_status_detail(), "2.5 m"), "%s", ts_status_detail());
}

Test(methods_semi_local, motion_scale_mesh_order_and_swapping_change_nothing) {
  const ts_mesh *groove = grooved(), *wedge = fixture_wedge(f, 0.2, 1, 1);
  ts_quat turn = ts_quat_from_axis_angle(up, 1.5707963267948966);
  ts_pose pose = fixture_upside_down(0, 0, 0.3);
  pose.rotation = ts_quat_mul(turn, pose.rotation);
  fixture_contacts expected = semi_run(groove, ts_pose_identity(), wedge, pose);
  cr_assert_eq(expected.count, 4);
  for (uint64_t seed = 1; seed <= 10; seed++) {
    ts_pose motion = fixture_motion(seed, 10);
    fixture_contacts moved =
        semi_run(fixture_shuffled(f, groove, seed), motion, fixture_shuffled(f, wedge, seed + 100),
                 ts_pose_mul(motion, pose));
    fixture_expect_same(moved, expected, motion, 1, 1e-12, 1e-12, "moved");
    fixture_contacts swapped = semi_run(wedge, ts_pose_mul(motion, pose), groove, motion);
    fixture_expect_same(swapped, expected, motion, -1, 1e-12, 1e-12, "swapped");
  }
}

Test(methods_semi_local, noise_a_tenth_of_the_snap_length_changes_no_count) {
  const ts_mesh *meshes[2] = {grooved(), fixture_wedge(f, 0.2, 1, 1)};
  ts_quat turn = ts_quat_from_axis_angle(up, 1.5707963267948966);
  ts_pose pose = fixture_upside_down(0, 0, 0.3);
  pose.rotation = ts_quat_mul(turn, pose.rotation);
  ts_random random = ts_random_seed(8, 0);
  for (int n = 0; n < 20; n++) {
    const ts_mesh *noisy[2];
    for (int i = 0; i < 2; i++) {
      ts_vec3 *v = ts_arena_array(f->arena, meshes[i]->vertex_count, sizeof *v);
      for (size_t k = 0; k < meshes[i]->vertex_count; k++) {
        ts_vec3 shift = {ts_random_uniform(&random, -2e-6, 2e-6),
                         ts_random_uniform(&random, -2e-6, 2e-6),
                         ts_random_uniform(&random, -2e-6, 2e-6)};
        v[k] = ts_vec3_add(meshes[i]->vertices[k], shift);
      }
      ts_mesh *made = NULL;
      cr_assert_eq(ts_mesh_with_vertices(&made, f->arena, meshes[i], v), TS_OK);
      noisy[i] = made;
    }
    fixture_contacts set = semi_run(noisy[0], ts_pose_identity(), noisy[1], pose);
    cr_expect_eq(set.count, 4, "%d: %zu", n, set.count);
    for (size_t i = 0; i < set.count; i++)
      cr_expect_lt(fabs(set.contacts[i].gap_m), 2e-5);
  }
}

/// Whatever the poses: sound contacts (fixture_run checks them), or a reason.
Test(methods_semi_local, any_pose_gives_sound_contacts_or_a_reason) {
  const ts_mesh *meshes[4] = {grooved(), fixture_spike(f, 0.5, 1), fixture_wedge(f, 0.3, 1, 1),
                              semi_box(1, 0.02, 0.6)};
  size_t silent = 0, seen = 0;
  for (int n = 0; n < 600; n++) {
    ts_arena_mark mark = ts_arena_get_mark(f->arena);
    fixture_pair pair = {
        {meshes[n % 4], meshes[n / 4 % 4]},
        {fixture_motion((uint64_t)(2 * n + 1), 0.6), fixture_motion((uint64_t)(2 * n + 2), 0.6)}};
    ts_status status = fixture_try(f, method, NULL, &pair);
    cr_assert(status == TS_OK || status == TS_E_UNSUPPORTED, "%s", ts_status_detail());
    for (size_t i = 0; i < f->set.count; i++) {
      cr_assert(ts_vec3_is_finite(f->set.contacts[i].point) && isfinite(f->set.contacts[i].gap_m));
      cr_assert_float_eq(ts_vec3_norm(f->set.contacts[i].normal), 1, 1e-12);
    }
    seen++;
    silent += f->set.count == 0;
    ts_arena_rewind(f->arena, mark);
  }
  cr_expect_gt(seen - silent, 100);
}
