// SPDX-License-Identifier: MIT
// covers: cases/truth/told_truth.c
// Told truth in motion: where the surfaces say the same it has joints, and elsewhere it is unknown.
// That it is then right: test_truth_at_poses.c.
#include "cases/truth/told_truth.h"

#include "base/status.h"
#include "cases/truth/moved_truth.h"
#include "geometry/pose.h"
#include "geometry/tolerances.h"
#include "tests/cases/case_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  arena = case_fixture_arena();
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(cases_told_truth, .init = setup, .fini = teardown);

/// A case as a file tells it: regions without joints.
static ts_scene *told(const char *name) {
  ts_scene *scene = build_default(arena, name);
  scene->joint_count = 0;
  return scene;
}

static ts_told_truth find(const ts_scene *scene) {
  ts_told_truth truth;
  cr_assert_eq(ts_told_truth_find(&truth, arena, scene), TS_OK, "%s", ts_status_detail());
  return truth;
}

Test(cases_told_truth, every_pair_of_the_suite_has_the_joints_of_its_surfaces) {
  for (size_t i = 0; ts_cases[i]; i++) {
    if (strcmp(ts_cases[i]->suite, "erleben") != 0)
      continue;
    ts_scene *scene = told(ts_cases[i]->name);
    ts_told_truth truth = find(scene);
    cr_expect_eq(truth.unknown_count, 0, "%s", ts_cases[i]->name);
    cr_expect_gt(truth.scene->joint_count, 0);
    cr_expect_eq(scene->joint_count, 0, "the scene itself is not changed");
  }
}

Test(cases_told_truth, one_pair_that_is_told_otherwise_is_unknown_alone) {
  enum { NORMAL, CORNER, MISSING, DOUBLE, KINDS };
  for (int kind = 0; kind < KINDS; kind++) {
    ts_scene *scene = told("pillar");
    size_t last = scene->region_count - 1;
    ts_region *region = &scene->regions[2];
    cr_assert_eq(ts_region_copy(region, arena), TS_OK);
    int32_t a = region->body_a, b = region->body_b;
    if (kind == NORMAL) {
      for (int r = 0; r < TS_REFERENCE_COUNT; r++)
        region->feasible[r].normals[0].normal = ts_vec3_make(0.6, 0.8, 0);
    } else if (kind == CORNER) {
      region->vertices[0].x *= 1.001;
    } else if (kind == MISSING) {
      memmove(region, region + 1, (last - 2) * sizeof *region);
      scene->region_count--;
    } else {
      region->body_a = scene->regions[1].body_a; // a second region of another pair
      region->body_b = b = scene->regions[1].body_b;
      b = scene->regions[1].body_b;
      a = scene->regions[1].body_a;
    }
    ts_told_truth truth = find(scene);
    cr_assert_geq(truth.unknown_count, 1, "%d", kind);
    cr_expect(truth.unknown[0].body_a == a && truth.unknown[0].body_b == b, "%d", kind);
    cr_expect_eq(truth.unknown_count, kind == DOUBLE ? 2 : 1, "%d", kind);
    cr_expect_not_null(strstr(truth.unknown[0].reason, "say something else"));
    for (size_t i = 0; i < truth.scene->joint_count; i++)
      cr_expect(truth.scene->joints[i].body_a != a || truth.scene->joints[i].body_b != b);
    cr_expect_gt(truth.scene->joint_count, 3, "the other pairs are known");
  }
}

Test(cases_told_truth, what_cannot_be_derived_is_unknown_in_motion_and_says_why) {
  ts_scene *scene = told("pillar");
  scene->bodies[3].pose = scene->bodies[2].pose; // inside each other, with many ways out
  ts_told_truth truth = find(scene);
  cr_expect_eq(truth.unknown_count, 7);
  cr_expect_not_null(strstr(truth.unknown[0].reason, "cannot be derived from their surfaces"));
  ts_moved_truth *moved;
  ts_scene *there;
  cr_assert_eq(ts_moved_truth_create(&moved, arena, scene), TS_OK);
  cr_assert_eq(ts_scene_at(&there, arena, scene, scene->bodies, moved), TS_OK);
  cr_expect_eq(there->unknown_count, 7);
  cr_expect_eq(there->region_count, 0);
  for (size_t i = 1; i < there->unknown_count; i++)
    cr_expect_lt(there->unknown[i - 1].body_a, there->unknown[i].body_a, "they are sorted");
}

Test(cases_told_truth, noise_within_the_tolerance_of_the_file_changes_nothing) {
  ts_scene *scene = told("pillar");
  scene->touch_relative = 1e-3;
  for (size_t i = 1; i < scene->body_count; i++)
    scene->bodies[i].pose.translation.x += i % 2 ? 1e-5 : -1e-5;
  cr_expect_eq(find(scene).unknown_count, 0);
}
