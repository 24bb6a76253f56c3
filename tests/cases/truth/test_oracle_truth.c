// SPDX-License-Identifier: MIT
// covers: cases/truth/oracle_truth.c
// The truth of motion alone: for which pairs it is found, about which point they turn, and the
// oracle's answers.
#include "cases/truth/oracle_truth.h"

#include "base/status.h"
#include "cases/truth/motion_truth.h"
#include "geometry/tolerances.h"
#include "geometry/twist/twist_samples.h"
#include "tests/cases/case_fixture.h"
#include "tests/cases/copies.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  unsetenv("TOUCHSTONE_TETGEN");
  arena = case_fixture_arena();
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(cases_oracle_truth, .init = setup, .fini = teardown);

static const ts_vec3 cube_corners[8] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                        {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
static const uint32_t cube_triangles[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7},
                                               {0, 1, 5}, {0, 5, 4}, {3, 7, 6}, {3, 6, 2},
                                               {0, 4, 7}, {0, 7, 3}, {1, 2, 6}, {1, 6, 5}};
static const uint32_t cube_tets[5][4] = {
    {0, 1, 3, 4}, {2, 3, 1, 6}, {5, 4, 6, 1}, {7, 6, 4, 3}, {1, 3, 4, 6}};

/// A box with tets of its own, with a corner at the origin; its triangles from `first` on.
static void add_box(ts_scene *scene, ts_vec3 size_m, size_t first, ts_pose pose) {
  ts_vec3 corners[8];
  uint32_t triangles[12][3];
  for (int i = 0; i < 8; i++)
    corners[i] = ts_vec3_make(cube_corners[i].x * size_m.x, cube_corners[i].y * size_m.y,
                              cube_corners[i].z * size_m.z);
  for (size_t i = 0; i < 12; i++)
    memcpy(triangles[i], cube_triangles[(first + i) % 12], sizeof triangles[i]);
  int32_t shape, body;
  cr_assert_eq(
      ts_scene_add_shape(&shape, scene, "cube", corners, 8, (const uint32_t(*)[3])triangles, 12),
      TS_OK, "%s", ts_status_detail());
  ts_mesh *mesh;
  cr_assert_eq(ts_mesh_create(&mesh, arena, corners, 8, (const uint32_t(*)[3])triangles, 12),
               TS_OK);
  cr_assert_eq(ts_mesh_set_tets(mesh, arena, cube_tets, 5), TS_OK, "%s", ts_status_detail());
  scene->shapes[shape].mesh = mesh;
  cr_assert_eq(ts_scene_add_body(&body, scene, scene->body_count == 0 ? "low" : "high", shape, pose,
                                 scene->body_count == 0),
               TS_OK);
}

static void add_cube(ts_scene *scene, double size_m, size_t first, ts_pose pose) {
  add_box(scene, ts_vec3_make(size_m, size_m, size_m), first, pose);
}

/// Two cubes, the upper one of a size at a place.
static ts_scene *cubes(double upper_m, ts_vec3 at) {
  ts_scene *scene;
  cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
  add_cube(scene, 1, 0, ts_pose_identity());
  add_cube(scene, upper_m, 0, (ts_pose){ts_quat_identity(), at});
  scene->truth_is_unknown = true;
  return scene;
}

static const ts_oracle_truth *find(ts_scene *scene) {
  cr_assert_eq(ts_oracle_truth_find(scene, TS_TOUCH_RELATIVE), TS_OK, "%s", ts_status_detail());
  cr_assert(scene->truth_is_unknown && scene->region_count == 0 && scene->joint_count == 0);
  return scene->oracle;
}

Test(cases_oracle_truth, cubes_that_touch_turn_about_the_middle_of_what_touches) {
  setenv("TOUCHSTONE_TETGEN", "/nowhere/touchstone-tetgen", 1); // they have tets of their own
  ts_scene *scene = cubes(0.5, ts_vec3_make(0.75, 0.5, 1));
  const ts_oracle_truth *truth = find(scene);
  cr_assert_eq(truth->pair_count, 1);
  const ts_oracle_pair *pair = &truth->pairs[0];
  cr_expect(pair->body_a == 0 && pair->body_b == 1);
  ts_twist_frame frame = ts_oracle_frame(scene, pair);
  cr_expect_float_eq(frame.centre.x, 0.875, 1e-12);
  cr_expect_float_eq(frame.centre.y, 0.75, 1e-12);
  cr_expect_float_eq(frame.centre.z, 1, 1e-12);
  cr_expect_float_eq(frame.length_m, 0.25 * sqrt(3.0), 1e-12);
  // Both classes are full: the last motion asked about completed one of them.
  cr_expect_geq(pair->free_count, TS_MOTION_SCENE_TWISTS);
  cr_expect_geq(pair->blocked_count, TS_MOTION_SCENE_TWISTS);
  cr_expect(pair->free_count == TS_MOTION_SCENE_TWISTS ||
            pair->blocked_count == TS_MOTION_SCENE_TWISTS);
}

Test(cases_oracle_truth, a_corner_on_a_corner_is_a_touch) {
  ts_scene *scene = cubes(1, ts_vec3_make(1, 1, 1));
  const ts_oracle_truth *truth = find(scene);
  cr_assert_eq(truth->pair_count, 1);
  ts_vec3 corner = {1, 1, 1};
  cr_expect_lt(ts_vec3_distance(ts_oracle_frame(scene, &truth->pairs[0]).centre, corner), 1e-12);
}

Test(cases_oracle_truth, bodies_apart_have_no_pair_and_fixed_ones_neither) {
  cr_expect_eq(find(cubes(1, ts_vec3_make(0, 0, 1 + 1e-6)))->pair_count, 0);
  cr_expect_eq(find(cubes(1, ts_vec3_make(0, 0, 1 + 1e-10)))->pair_count, 1);
  ts_scene *fixed = cubes(1, ts_vec3_make(0, 0, 1));
  fixed->bodies[1].is_fixed = true;
  cr_expect_eq(find(fixed)->pair_count, 0);
}

static void expect_overlap(double upper_m, ts_vec3 at, const char *depth) {
  ts_scene *scene = cubes(upper_m, at);
  const char *words =
      ts_arena_format(arena, "the bodies 0 (low) and 1 (high) overlap by at least %s", depth);
  cr_expect_eq(ts_oracle_truth_find(scene, TS_TOUCH_RELATIVE), TS_SKIPPED, "%s", words);
  cr_expect(strstr(ts_status_detail(), words), "%s", ts_status_detail());
  cr_expect_null(scene->oracle);
}

Test(cases_oracle_truth, bodies_that_overlap_are_reported_with_their_depth) {
  expect_overlap(1, ts_vec3_make(0.1, 0.2, 1 - 1e-3), "0.001 m");
  expect_overlap(1, ts_vec3_make(0.1, 0.2, 1 - 1e-8), "1e-08 m");
}

Test(cases_oracle_truth, so_is_one_inside_the_other) {
  expect_overlap(0.25, ts_vec3_make(0.4, 0.4, 0.4), "");
}

/// One step, of 1e-3 half diagonals, takes the thinner ones through each other.
Test(cases_oracle_truth, bodies_thinner_than_the_step_are_refused) {
  static const double thick_m[] = {2e-3, 1e-3, 2e-4, 1e-5};
  for (int i = 0; i < 4; i++) {
    ts_scene *scene;
    cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
    ts_pose turned = {ts_quat_from_axis_angle(ts_vec3_unit(ts_vec3_make(1, 2, 3)), 0.4), {0, 0, 0}};
    ts_pose above = turned;
    above.translation = ts_quat_rotate(turned.rotation, ts_vec3_make(0.25, 0, thick_m[i]));
    add_box(scene, ts_vec3_make(1, 1, thick_m[i]), 0, turned);
    add_box(scene, ts_vec3_make(1, 1, thick_m[i]), 0, above);
    scene->truth_is_unknown = true;
    ts_status expected = i == 0 ? TS_OK : TS_SKIPPED;
    cr_expect_eq(ts_oracle_truth_find(scene, TS_TOUCH_RELATIVE), expected, "%g", thick_m[i]);
    cr_expect(i == 0 || strstr(ts_status_detail(), "through each other"), "%s", ts_status_detail());
  }
}

Test(cases_oracle_truth, a_wide_tolerance_takes_rounded_coordinates) {
  const double off_m[] = {4e-7, -4e-7};
  for (int i = 0; i < 2; i++) {
    ts_scene *scene = cubes(1, ts_vec3_make(0, 0, 1 + off_m[i]));
    cr_assert_eq(ts_oracle_truth_find(scene, 1e-6), TS_OK, "%s", ts_status_detail());
    cr_expect_eq(scene->oracle->pair_count, 1);
    cr_expect_eq(scene->oracle->touch_relative, 1e-6);
  }
  const double wrong[] = {0, -1e-9, 1e-5, NAN, INFINITY};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    cr_expect_eq(ts_oracle_truth_find(cubes(1, ts_vec3_make(0, 0, 1)), wrong[i]), TS_E_INPUT);
}

Test(cases_oracle_truth, a_scene_that_it_refuses_stays_as_it_was) {
  ts_scene *scene = build_case(arena, "arch", {"perturb_m", 0.02});
  const ts_scene before = *scene;
  cr_expect_eq(ts_oracle_truth_find(scene, TS_TOUCH_RELATIVE), TS_SKIPPED);
  cr_expect_eq(memcmp(&before, scene, sizeof before), 0);
}

Test(cases_oracle_truth, without_tets_and_without_tetgen_it_says_what_to_do) {
  setenv("TOUCHSTONE_TETGEN", "/nowhere/touchstone-tetgen", 1);
  cr_expect_eq(ts_oracle_truth_find(build_default(arena, "pillar"), TS_TOUCH_RELATIVE), TS_SKIPPED);
  const char *words[] = {"cannot be filled", "install", "the file may give its \"tets\""};
  for (int i = 0; i < 3; i++)
    cr_expect(strstr(ts_status_detail(), words[i]), "%s", ts_status_detail());
}

static void expect_same_answers(const ts_oracle_pair *p, const ts_oracle_pair *q,
                                const char *what) {
  cr_assert(p->body_a == q->body_a && p->body_b == q->body_b, "%s", what);
  cr_assert_eq(p->try_count, q->try_count, "%s", what);
  cr_expect_eq(memcmp(p->answers, q->answers, p->try_count), 0, "%s", what);
  cr_expect_lt(ts_vec3_distance(p->centre, q->centre), 1e-12, "%s", what);
}

Test(cases_oracle_truth, the_order_of_the_triangles_decides_nothing) {
  const ts_oracle_truth *truth = find(cubes(0.5, ts_vec3_make(0.75, 0.5, 1)));
  ts_scene *other;
  cr_assert_eq(ts_scene_create(&other, arena), TS_OK);
  add_cube(other, 1, 5, ts_pose_identity());
  add_cube(other, 0.5, 7, (ts_pose){ts_quat_identity(), {0.75, 0.5, 1}});
  expect_same_answers(&truth->pairs[0], &find(other)->pairs[0], "triangles from another one on");
}

Test(cases_oracle_truth, refinement_and_published_tets_decide_nothing) {
  const ts_oracle_truth *truth = find(build_default(arena, "wedges"));
  const ts_oracle_truth *fine = find(build_case(arena, "wedges", {"refinement", 2}));
  expect_same_answers(&truth->pairs[0], &fine->pairs[0], "refined");
  ts_scene *published = build_default(arena, "wedges");
  published->tets = TS_TETS_PUBLISHED; // looked at, it would be a NULL
  expect_same_answers(&truth->pairs[0], &find(published)->pairs[0], "published");
}

/// How many motions, of the first of the twists that both pairs were asked about, were answered
/// otherwise.
static size_t different_answers(const ts_oracle_pair *p, const ts_oracle_pair *q) {
  size_t count = 0;
  for (size_t i = 0; i < p->try_count && i < q->try_count; i++)
    count += p->answers[i] != q->answers[i];
  return count;
}

Test(cases_oracle_truth, size_place_and_attitude_decide_nothing_but_what_rounding_may) {
  const char *names[] = {"spike_in_crack", "wedges", "cliff_edges"};
  for (int i = 0; i < 3; i++) {
    ts_scene *scene = build_default(arena, names[i]);
    const ts_oracle_truth *truth = find(scene);
    const double scales[] = {1e-3, 1e3};
    for (int k = 0; k < 2; k++) {
      ts_scene *moved = build_case(arena, names[i], {"scale", scales[k]}, {"motion_seed", 3},
                                   {"offset_m", 100 * scales[k]});
      const ts_oracle_truth *again = find(moved);
      cr_assert_eq(again->pair_count, truth->pair_count);
      cr_expect_leq(different_answers(&truth->pairs[0], &again->pairs[0]), 1, "%s", names[i]);
      cr_expect_lt(ts_vec3_distance(truth->pairs[0].centre, again->pairs[0].centre), 1e-9);
    }
  }
}

Test(cases_oracle_truth, what_was_found_goes_with_the_scene_and_not_with_its_bodies) {
  ts_scene *scene = cubes(0.5, ts_vec3_make(0.75, 0.5, 1));
  const ts_oracle_truth *truth = find(scene);
  ts_pose motion = {ts_quat_from_axis_angle(ts_vec3_make(0, 0, 1), 0.5 * acos(-1)), {5, 0, 0}};
  cr_assert_eq(ts_scene_transform(scene, 2, motion), TS_OK);
  cr_expect_eq(scene->oracle, truth);
  ts_twist_frame frame = ts_oracle_frame(scene, &truth->pairs[0]);
  ts_vec3 expected = {5 - 1.5, 1.75, 2};
  cr_expect_lt(ts_vec3_distance(frame.centre, expected), 1e-12);
  cr_expect_float_eq(frame.length_m, 0.5 * sqrt(3.0), 1e-12);
  ts_scene *carried;
  cr_assert_eq(ts_scene_carry(&carried, arena, scene, scene->bodies), TS_OK);
  cr_expect(!carried->oracle && carried->truth_is_unknown);
}

/// A unit cube whose lower and upper faces are grids of n x n squares; TetGen fills it.
static int32_t add_grid_cube(ts_scene *scene, uint32_t n) {
  uint32_t side = n + 1, count = 0;
  ts_vec3 *corners = ts_arena_array(arena, 2 * side * side, sizeof *corners);
  uint32_t(*triangles)[3] = ts_arena_array(arena, 4 * n * n + 8 * n, sizeof *triangles);
  for (uint32_t i = 0; i < 2 * side * side; i++)
    corners[i] =
        ts_vec3_make((double)(i / side % side) / n, (double)(i % side) / n, i / (side * side));
  uint32_t rim[1024], rims = 0;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++) {
      uint32_t p = i * side + k, q = p + side, up = side * side;
      const uint32_t four[4][3] = {{p, q + 1, q},
                                   {p, p + 1, q + 1},
                                   {up + p, up + q, up + q + 1},
                                   {up + p, up + q + 1, up + p + 1}};
      memcpy(triangles[count], four, sizeof four);
      count += 4;
    }
  for (uint32_t i = 0; i < n; i++) // counter-clockwise from above
    rim[rims++] = i * side;
  for (uint32_t i = 0; i < n; i++)
    rim[rims++] = n * side + i;
  for (uint32_t i = n; i > 0; i--)
    rim[rims++] = i * side + n;
  for (uint32_t i = n; i > 0; i--)
    rim[rims++] = i;
  for (uint32_t i = 0; i < rims; i++) {
    uint32_t p = rim[i], q = rim[(i + 1) % rims], up = side * side;
    const uint32_t two[2][3] = {{p, q, up + q}, {p, up + q, up + p}};
    memcpy(triangles[count], two, sizeof two);
    count += 2;
  }
  int32_t shape;
  cr_assert_eq(ts_scene_add_shape(&shape, scene, "grid", corners, 2 * side * side,
                                  (const uint32_t(*)[3])triangles, count),
               TS_OK, "%s", ts_status_detail());
  return shape;
}

Test(cases_oracle_truth, fine_meshes_are_asked_about_fewer_motions) {
  ts_scene *scene;
  cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
  int32_t shape = add_grid_cube(scene, 16), body;
  for (int i = 0; i < 2; i++)
    cr_assert_eq(ts_scene_add_body(&body, scene, i ? "high" : "low", shape,
                                   (ts_pose){ts_quat_identity(), {0.02 * i, 0.02 * i, i}}, false),
                 TS_OK);
  const ts_oracle_pair *pair = &find(scene)->pairs[0];
  cr_expect_eq(pair->try_count, TS_ORACLE_TESTS / pair->tet_pairs);
  cr_expect(pair->free_count > 100 && pair->free_count < TS_MOTION_SCENE_TWISTS, "%zu",
            pair->free_count);
  cr_expect_gt(pair->blocked_count, 100);
}

/// The answers are in the order of their twists in the sequence: they never contradict what the
/// design says of these, whose margin it gives, beyond the band that the oracle has
/// (test_truth_oracle).
static void expect_no_contradiction(const char *name, const ts_scene *designed) {
  ts_scene *scene = ts_arena_alloc(arena, sizeof *scene);
  *scene = *designed;
  const ts_oracle_truth *truth = find(scene);
  size_t pairs = 0, wrong = 0;
  for (size_t r = 0, count; r < designed->region_count; r += count, pairs++) {
    const ts_oracle_pair *pair = &truth->pairs[pairs];
    const ts_region *regions = ts_scene_pair_regions(&count, designed, designed->regions[r].body_a,
                                                     designed->regions[r].body_b);
    cr_assert_lt(pairs, truth->pair_count, "%s", name);
    cr_assert(pair->body_a == regions->body_a && pair->body_b == regions->body_b, "%s", name);
    ts_twist_frame frame = ts_oracle_frame(designed, pair);
    ts_twist_cone cone;
    cr_assert_eq(
        ts_motion_truth(&cone, arena, designed, &frame, regions, count, NULL, TS_CORNERS_ALL),
        TS_OK);
    ts_twist_samples samples =
        ts_twist_samples_start(ts_motion_first_twist(truth->pair_count, pairs));
    for (size_t i = 0; i < pair->try_count; i++) {
      double twist[6];
      ts_twist_samples_next(twist, &samples);
      double margin = ts_twist_cone_margin(&cone, twist);
      wrong += pair->answers[i] == TS_MOTION_FREE      ? margin < -2.5e-3
               : pair->answers[i] == TS_MOTION_BLOCKED ? margin > -1e-6
                                                       : fabs(margin) > 12e-3;
    }
  }
  cr_expect_eq(pairs, truth->pair_count, "%s", name);
  cr_expect_eq(wrong, 0, "%s: %zu answers", name, wrong);
}

Test(cases_oracle_truth, it_never_contradicts_the_design_of_the_thirteen_cases) {
  for (size_t i = 0; ts_cases[i]; i++) {
    if (!case_fixture_is_published(ts_cases[i]))
      continue;
    bool is_wall = strcmp(ts_cases[i]->name, "wall") == 0;
    expect_no_contradiction(ts_cases[i]->name,
                            is_wall ? build_case(arena, "wall", {"layers", 4}, {"span", 3})
                                    : build_default(arena, ts_cases[i]->name));
  }
}

Test(cases_oracle_truth, nor_where_nothing_but_edges_cross) {
  expect_no_contradiction("crossing_edges", build_default(arena, "crossing_edges"));
}

/// A crossing whose place a step of TS_ORACLE_STEP moves along the ridges by as much as they are
/// long.
Test(cases_oracle_truth, where_a_step_is_beyond_first_order_a_smaller_one_counts) {
  const double angles_deg[] = {0.01, 0.1, 1};
  for (int i = 0; i < 3; i++) {
    ts_scene *scene = build_case(arena, "crossing_edges", {"crossing_deg", angles_deg[i]});
    expect_no_contradiction("crossing_edges", scene);
    const ts_oracle_pair *pair = &find(scene)->pairs[0];
    cr_expect_eq(pair->contradicted_count, 0);
    cr_expect_lt(pair->step, 0.5 * TS_ORACLE_STEP, "%g degrees: %g", angles_deg[i], pair->step);
    cr_expect_null(scene->truth_note);
  }
  cr_expect_eq(find(build_default(arena, "wedges"))->pairs[0].step, TS_ORACLE_STEP);
}

/// In coordinates of single precision no step can be that small.
Test(cases_oracle_truth, where_no_smaller_one_may_be_taken_it_is_told) {
  ts_random random = ts_random_seed(5, 0);
  ts_pose motion;
  ts_scene *scene = copy_scene(&motion, build_case(arena, "crossing_edges", {"crossing_deg", 0.1}),
                               (copy_kind){.is_turned = true, .is_rounded = true}, &random);
  cr_assert_eq(ts_oracle_truth_find(scene, 1e-6), TS_OK, "%s", ts_status_detail());
  cr_expect_gt(scene->oracle->pairs[0].contradicted_count, 0);
  cr_expect_gt(scene->oracle->pairs[0].step, 1e-6);
  cr_assert_not_null(scene->truth_note);
  const char *words[] = {"are answered otherwise by a tenth of the step", "off exact touch"};
  for (int i = 0; i < 2; i++)
    cr_expect(strstr(scene->truth_note, words[i]), "%s", scene->truth_note);
}
