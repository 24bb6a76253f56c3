// SPDX-License-Identifier: MIT
// covers: cases/truth/new_touches.c
// Bodies that come to touch where they were not designed to have no truth there.
#include "cases/truth/new_touches.h"

#include "cases/scene/shapes.h"
#include "cases/truth/derived_truth.h"
#include "cases/truth/moved_truth.h"
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

TestSuite(cases_new_touches, .init = setup, .fini = teardown);

/// Unit cubes at these places along x, the first one fixed.
static ts_scene *cubes(const double *x, size_t count, double scale) {
  ts_scene *scene;
  cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
  int32_t shape, body;
  cr_assert_eq(ts_shape_box(&shape, scene, "cube", scale, scale, scale), TS_OK);
  for (size_t i = 0; i < count; i++) {
    ts_pose pose = {{1, 0, 0, 0}, {x[i] * scale, 0, 0}};
    cr_assert_eq(ts_scene_add_body(&body, scene, "cube", shape, pose, i == 0), TS_OK);
  }
  return scene;
}

static const ts_scene *moved(const ts_scene *built, size_t body, double x) {
  ts_scene *scene;
  ts_body *bodies = ts_arena_copy(arena, built->bodies, built->body_count, sizeof *bodies);
  ts_moved_truth *truth;
  bodies[body].pose.translation.x = x;
  cr_assert_eq(ts_moved_truth_create(&truth, arena, built), TS_OK);
  cr_assert_eq(ts_scene_at(&scene, arena, built, bodies, truth), TS_OK);
  return scene;
}

Test(cases_new_touches, are_the_pairs_that_were_apart_and_are_not) {
  static const double scales[] = {1e-3, 1, 1e3};
  for (int i = 0; i < 3; i++) {
    double s = scales[i];
    ts_scene *built = cubes((const double[]){0, 1, 3, 6}, 4, s); // the first two touch
    cr_assert_eq(ts_derive_truth(built, 1e-6), TS_OK);
    cr_assert_eq(built->region_count, 1);
    const ts_scene *apart = moved(built, 2, 4 * s), *touching = moved(built, 2, 5 * s);
    const ts_scene *inside = moved(built, 2, 0.9 * s), *close = moved(built, 2, (5 - 1e-4) * s);
    cr_expect_eq(apart->unknown_count, 0);
    cr_expect_eq(close->unknown_count, 0, "a ten-thousandth apart");
    cr_assert_eq(touching->unknown_count, 1);
    cr_expect(touching->unknown[0].body_a == 2 && touching->unknown[0].body_b == 3);
    cr_expect_not_null(strstr(touching->unknown[0].reason, "have come to touch"));
    cr_assert_eq(inside->unknown_count, 2, "of both that it has met");
    cr_expect(inside->unknown[0].body_a == 0 && inside->unknown[1].body_a == 1);
    cr_expect_eq(inside->region_count, 1, "the others are judged");
  }
}

Test(cases_new_touches, a_scene_in_which_nothing_touches_has_a_truth_in_motion) {
  ts_scene *built = cubes((const double[]){0, 2}, 2, 1);
  cr_assert_eq(ts_derive_truth(built, 1e-6), TS_OK);
  const ts_scene *apart = moved(built, 1, 1.5), *touching = moved(built, 1, 1);
  cr_expect(apart->truth_is_moved && apart->unknown_count == 0);
  cr_expect(touching->truth_is_moved && touching->unknown_count == 1);
}

Test(cases_new_touches, what_is_near_as_built_is_not_new) {
  // Bricks of the wall meet those beside the one below at edges only.
  ts_scene *wall = build_default(arena, "wall");
  ts_new_touches *touches;
  ts_body_pair *found;
  size_t count;
  cr_assert_eq(ts_new_touches_create(&touches, arena, wall), TS_OK);
  cr_assert_eq(ts_new_touches_find(&found, &count, wall, touches), TS_OK);
  cr_expect_eq(count, 0);
}

Test(cases_new_touches, a_pair_that_was_designed_to_touch_is_not_new) {
  ts_scene *built = cubes((const double[]){0, 1}, 2, 1);
  cr_assert_eq(ts_derive_truth(built, 1e-6), TS_OK);
  built->bodies[1].pose.translation.x = 1.01; // as noise does
  cr_assert_eq(ts_scene_resolve_truth(built), TS_OK);
  const ts_scene *touching = moved(built, 1, 1);
  cr_expect(touching->unknown_count == 0 && touching->region_count == 1);
}
