// SPDX-License-Identifier: MIT
// covers: cases/truth/motion_truth.c
#include "cases/truth/motion_truth.h"
#include "tests/cases/case_fixture.h"

#include <criterion/criterion.h>
#include <math.h>

static ts_arena *arena;

static void setup(void) {
  arena = case_fixture_arena();
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(cases_motion_frame, .init = setup, .fini = teardown);

/// Of bodies far from the origin; one has no point.
static ts_contact scattered[] = {{.point = {1e3, 2, 0}},
                                 {.point = {1e3 + 2, 2, 4}},
                                 {.point = {1e3, 2, 0}},
                                 {.point = {NAN, 0, 0}}};

static ts_contact_set of_pair(int32_t a, int32_t b, size_t count) {
  return (ts_contact_set){.body_a = a, .body_b = b, .contacts = scattered, .count = count};
}

static ts_twist_frame frame_of(const ts_scene *scene, const ts_contact_set *set) {
  return ts_motion_frame_or_box(scene, set->body_a, set->body_b,
                                ts_contact_points_box(ts_aabb_empty(), set->contacts, set->count));
}

Test(cases_motion_frame, the_regions_of_a_pair_decide_where_it_has_any) {
  ts_scene *scene = build_default(arena, "pillar");
  const ts_region *region = &scene->regions[0];
  ts_contact_set set = of_pair(region->body_a, region->body_b, 4);
  size_t count;
  const ts_region *regions = ts_scene_pair_regions(&count, scene, set.body_a, set.body_b);
  ts_twist_frame expected = ts_motion_frame(scene, set.body_a, set.body_b, regions, count);
  ts_twist_frame found = frame_of(scene, &set);
  cr_assert_gt(count, 0);
  cr_expect_eq(ts_vec3_distance(found.centre, expected.centre), 0);
  cr_expect_eq(found.length_m, expected.length_m);
}

Test(cases_motion_frame, the_box_of_the_contacts_decides_where_nothing_touches) {
  ts_scene *scene = build_default(arena, "pillar");
  int32_t top = (int32_t)scene->body_count - 1;
  size_t count;
  ts_scene_pair_regions(&count, scene, 0, top);
  cr_assert_eq(count, 0);
  ts_twist_frame expected = ts_motion_frame(scene, 0, top, NULL, 0);
  ts_contact_set set = of_pair(0, top, 4), none = of_pair(0, top, 0);
  ts_twist_frame found = frame_of(scene, &set);
  cr_expect_eq(found.length_m, expected.length_m);
  cr_expect_lt(ts_vec3_distance(found.centre, ts_vec3_make(1e3 + 1, 2, 2)), 1e-12);
  found = frame_of(scene, &none);
  cr_expect_eq(ts_vec3_distance(found.centre, expected.centre), 0);
}
