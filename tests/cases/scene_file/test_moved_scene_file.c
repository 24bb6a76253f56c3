// SPDX-License-Identifier: MIT
// covers: cases/scene_file/scene_file_truth.c cases/scene_file/scene_file_write.c
// covers: cases/truth/told_truth.c
// The truth of bodies that have moved travels in a scene file, doubts and all.
#include "base/status.h"
#include "cases/scene_file/scene_file.h"
#include "cases/truth/moved_truth.h"
#include "geometry/pose.h"
#include "geometry/vec3.h"
#include "tests/cases/case_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ts_arena *arena;
static char folder[] = "/tmp/ts_moved_XXXXXX";

static void setup(void) {
  arena = case_fixture_arena();
  cr_assert_not_null(mkdtemp(folder));
  cr_assert_eq(chdir(folder), 0);
}

static void teardown(void) {
  char *command = ts_arena_format(arena, "rm -rf %s", folder);
  cr_expect_eq(system(command), 0);
  ts_arena_destroy(arena);
}

TestSuite(cases_moved_scene_file, .init = setup, .fini = teardown);

static void put(const char *name, const char *bytes, size_t count) {
  FILE *file = fopen(name, "wb");
  cr_assert_not_null(file);
  cr_assert_eq(fwrite(bytes, 1, count, file), count);
  fclose(file);
}

/// Writes a scene; the text of scene.json.
static const char *write_scene(const ts_scene *scene) {
  ts_scene_part *parts;
  size_t count;
  const ts_scene_file about = {.name = "moved"};
  cr_assert_eq(ts_scene_file_write(&parts, &count, arena, scene, &about), TS_OK, "%s",
               ts_status_detail());
  for (size_t i = 0; i < count; i++)
    put(parts[i].name, parts[i].bytes, parts[i].byte_count);
  return parts[0].bytes;
}

static const ts_scene *there_and_back(const ts_scene *scene) {
  ts_scene_file file;
  write_scene(scene);
  cr_assert_eq(ts_scene_file_open(&file, arena, "scene.json"), TS_OK, "%s", ts_status_detail());
  return file.scene;
}

/// A case whose last body has turned about its own origin and moved.
static ts_scene *moved(const char *case_name, double scale, double angle_rad, ts_vec3 by_m) {
  ts_scene *built = build_case(arena, case_name, {"scale", scale}, {"motion_seed", 5});
  ts_scene *there;
  ts_moved_truth *truth;
  ts_body *bodies = ts_arena_copy(arena, built->bodies, built->body_count, sizeof *bodies);
  ts_pose *pose = &bodies[built->body_count - 1].pose;
  ts_vec3 axis = ts_vec3_unit(ts_vec3_make(1, 2, -1));
  *pose = ts_pose_mul(
      *pose, (ts_pose){ts_quat_from_axis_angle(axis, angle_rad), ts_vec3_scale(by_m, scale)});
  cr_assert_eq(ts_moved_truth_create(&truth, arena, built), TS_OK);
  cr_assert_eq(ts_scene_at(&there, arena, built, bodies, truth), TS_OK);
  return there;
}

/// Where a gap does not vary, it does not matter where it is.
static bool is_same_normal(const ts_feasible *a, const ts_feasible *b) {
  bool varies = ts_vec3_norm2(a->gap_slope) > 0;
  return memcmp(&a->normal, &b->normal, sizeof a->normal) == 0 && a->gap_m == b->gap_m &&
         ts_vec3_distance(a->gap_slope, b->gap_slope) == 0 &&
         (!varies || memcmp(&a->gap_at, &b->gap_at, sizeof a->gap_at) == 0);
}

static void expect_same_region(const ts_region *a, const ts_region *b, const char *what) {
  cr_assert(a->body_a == b->body_a && a->body_b == b->body_b && a->kind == b->kind &&
                a->vertex_count == b->vertex_count && a->piece_count == b->piece_count,
            "%s", what);
  cr_expect_eq(memcmp(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices), 0, "%s",
               what);
  for (size_t v = 0; v < a->vertex_count; v++)
    cr_expect_eq(a->is_optional && a->is_optional[v], b->is_optional && b->is_optional[v], "%s",
                 what);
  for (int r = 0; r < TS_REFERENCE_COUNT; r++) {
    const ts_feasible_set *of_a = &a->feasible[r], *of_b = &b->feasible[r];
    cr_assert_eq(of_a->count, of_b->count, "%s", what);
    for (size_t i = 0; i < of_a->count; i++)
      cr_expect(is_same_normal(&of_a->normals[i], &of_b->normals[i]), "%s", what);
  }
  cr_expect_eq(a->place_error_m, b->place_error_m, "%s", what);
  cr_expect_eq(memcmp(&a->way_out, &b->way_out, sizeof a->way_out), 0, "%s", what);
}

static void expect_same_truth(const ts_scene *a, const ts_scene *b, const char *what) {
  cr_expect(a->truth_is_moved && b->truth_is_moved && !b->truth_is_unknown, "%s", what);
  cr_expect_eq(a->touch_relative, b->touch_relative, "%s", what);
  cr_expect_eq(a->closed_relative, b->closed_relative, "%s", what);
  cr_assert_eq(a->region_count, b->region_count, "%s", what);
  for (size_t i = 0; i < a->region_count; i++)
    expect_same_region(&a->regions[i], &b->regions[i], what);
  cr_assert_eq(a->unknown_count, b->unknown_count, "%s", what);
  for (size_t i = 0; i < a->unknown_count; i++) {
    const ts_unknown_pair *p = &a->unknown[i], *q = &b->unknown[i];
    cr_expect(p->body_a == q->body_a && p->body_b == q->body_b, "%s", what);
    cr_expect_str_eq(p->reason, q->reason);
  }
}

Test(cases_moved_scene_file, the_truth_of_moved_bodies_comes_back_to_the_bit) {
  static const double scales[] = {1, 1e-3, 1e3};
  size_t slopes = 0, optional = 0, errors = 0;
  for (size_t i = 0; ts_cases[i]; i++)
    for (size_t k = 0; k < sizeof scales / sizeof *scales; k++) {
      const ts_scene *scene =
          moved(ts_cases[i]->name, scales[k], 1e-3, ts_vec3_make(1e-4, -2e-4, 1e-4));
      if (scene->truth_is_unknown)
        continue;
      expect_same_truth(scene, there_and_back(scene), ts_cases[i]->name);
      for (size_t r = 0; r < scene->region_count; r++) {
        const ts_region *region = &scene->regions[r];
        for (size_t v = 0; v < region->vertex_count; v++)
          optional += region->is_optional && region->is_optional[v];
        slopes += ts_vec3_norm2(region->feasible[0].normals[0].gap_slope) > 0;
        errors += region->place_error_m > 0;
      }
    }
  cr_expect(slopes > 10 && optional > 10 && errors > 10, "%zu, %zu, %zu: these are told, too",
            slopes, optional, errors);
}

Test(cases_moved_scene_file, pairs_whose_truth_is_lost_come_back_with_their_reasons) {
  const ts_scene *scene = moved("arch", 1, 0.2, ts_vec3_make(0, 0, 0));
  cr_assert_gt(scene->unknown_count, 0);
  expect_same_truth(scene, there_and_back(scene), "arch");
}

Test(cases_moved_scene_file, what_is_unknown_stays_so_when_its_bodies_move_on) {
  const ts_scene *lost = moved("arch", 1, 0.2, ts_vec3_make(0, 0, 0));
  const ts_scene *read = there_and_back(lost);
  ts_moved_truth *truth;
  ts_scene *there;
  cr_assert_eq(ts_moved_truth_create(&truth, arena, read), TS_OK);
  cr_assert_eq(ts_scene_at(&there, arena, read, read->bodies, truth), TS_OK);
  cr_assert_geq(there->unknown_count, lost->unknown_count);
  for (size_t i = 0; i < lost->unknown_count; i++) {
    size_t k = 0;
    while (k < there->unknown_count && (there->unknown[k].body_a != lost->unknown[i].body_a ||
                                        there->unknown[k].body_b != lost->unknown[i].body_b))
      k++;
    cr_expect_lt(k, there->unknown_count, "%zu", i);
  }
}

Test(cases_moved_scene_file, a_truth_carried_along_says_how_well_places_are_known) {
  ts_scene *built = build_default(arena, "pillar"), *there;
  ts_body *bodies = ts_arena_copy(arena, built->bodies, built->body_count, sizeof *bodies);
  bodies[built->body_count - 1].pose.translation.x += 0.01;
  cr_assert_eq(ts_scene_carry(&there, arena, built, bodies), TS_OK);
  const ts_scene *read = there_and_back(there);
  cr_expect(!read->truth_is_moved);
  cr_assert_eq(read->region_count, there->region_count);
  for (size_t i = 0; i < read->region_count; i++)
    expect_same_region(&there->regions[i], &read->regions[i], "pillar");
}

/// The text with its first `old` replaced, opened as a scene.
static void expect_refused(const char *text, const char *old, const char *new, const char *word) {
  const char *at = strstr(text, old);
  cr_assert_not_null(at, "%s", old);
  const char *changed =
      ts_arena_format(arena, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
  put("scene.json", changed, strlen(changed));
  ts_scene_file file;
  cr_expect_eq(ts_scene_file_open(&file, arena, "scene.json"), TS_E_INPUT, "%s", new);
  cr_expect_not_null(strstr(ts_status_detail(), word), "no %s: %s", word, ts_status_detail());
  cr_expect_not_null(strstr(ts_status_detail(), "scene.json"), "%s", ts_status_detail());
}

Test(cases_moved_scene_file, what_cannot_be_is_refused_with_its_place) {
  const char *text = write_scene(moved("arch", 1, 0.2, ts_vec3_make(0, 0, 0)));
  expect_refused(text, "\"unknown_pairs\": [",
                 "\"unknown_pairs\": [{\"bodies\": [\"stone_1\", \"stone_1\"], \"reason\": \"\"}, ",
                 "unknown_pairs[0].bodies");
  expect_refused(text, "\"reason\": ", "\"why\": ", "why");
  expect_refused(text, "\"truth\": \"moved\"", "\"truth\": \"derived\"", "unknown_pairs");
  text = write_scene(moved("cliff_edges", 1, 1e-3, ts_vec3_make(0, 1e-4, 0)));
  expect_refused(text, "\"gap_at_m\": ", "\"comment\": ", "gap_slope");
  expect_refused(text, "\"place_error_m\": ", "\"place_error_m\": -", "place_error_m");
  expect_refused(text, "\"optional_corners\": [", "\"optional_corners\": [99, ",
                 "optional_corners[0]");
}
