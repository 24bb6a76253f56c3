// SPDX-License-Identifier: MIT
// covers: cases/scene/excluded_pairs.c cases/scene_file/scene_file_excluded.c
// Pairs of bodies that never touch.

#include "base/geometry_kind.h"
#include "base/status.h"
#include "cases/scene/excluded_pairs.h"
#include "cases/scene_file/scene_file.h"
#include "cases/truth/derived_truth.h"
#include "geometry/tolerances.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ts_arena *arena;

static void set_up(void) {
  ts_arena_create(&arena);
}

static void tear_down(void) {
  ts_arena_destroy(arena);
}

TestSuite(cases_excluded_pairs, .init = set_up, .fini = tear_down);

// A row of touching cubes.
static ts_scene *row_of_cubes(size_t count) {
  ts_scene *scene;
  ts_geometry cube = {.kind = TS_GEOMETRY_BOX, .half_size_m = {0.5, 0.5, 0.5}};
  int32_t shape, body;
  cr_assert(ts_scene_create(&scene, arena) == TS_OK);
  cr_assert(ts_scene_add_primitive(&shape, scene, "cube", &cube, 0) == TS_OK);
  for (size_t i = 0; i < count; i++) {
    ts_pose pose = ts_pose_identity();
    pose.translation.x = (double)i;
    cr_assert(ts_scene_add_body(&body, scene, ts_arena_format(arena, "cube_%zu", i), shape, pose,
                                false) == TS_OK);
  }
  return scene;
}

Test(cases_excluded_pairs, excluded_pairs_are_known_in_either_order_and_once) {
  ts_scene *scene = row_of_cubes(4);
  cr_expect(!ts_scene_excludes(scene, 0, 1));
  cr_assert(ts_scene_exclude(scene, (ts_body_pair[]){{3, 2}, {0, 1}, {1, 0}}, 3) == TS_OK);
  cr_assert(ts_scene_exclude(scene, (ts_body_pair[]){{2, 3}, {1, 3}}, 2) == TS_OK);
  cr_assert(ts_scene_exclude(scene, NULL, 0) == TS_OK);
  cr_expect(scene->excluded_count == 3);
  cr_expect(ts_scene_excludes(scene, 0, 1) && ts_scene_excludes(scene, 3, 1));
  cr_expect(ts_scene_excludes(scene, 2, 3) && ts_scene_excludes(scene, 3, 2));
  cr_expect(!ts_scene_excludes(scene, 0, 2) && !ts_scene_excludes(scene, 1, 2));
}

Test(cases_excluded_pairs, a_body_that_does_not_exist_or_is_given_twice_is_refused) {
  ts_scene *scene = row_of_cubes(2);
  static const ts_body_pair bad[] = {{0, 2}, {-1, 0}, {1, 1}};
  for (size_t i = 0; i < 3; i++)
    cr_expect(ts_scene_exclude(scene, &bad[i], 1) == TS_E_INPUT);
  cr_expect(scene->excluded_count == 0);
}

Test(cases_excluded_pairs, the_broad_phase_and_the_truth_leave_them_out) {
  ts_scene *scene = row_of_cubes(4);
  ts_body_pair *pairs;
  size_t count;
  cr_assert(ts_scene_exclude(scene, (ts_body_pair[]){{1, 2}}, 1) == TS_OK);
  cr_assert(ts_scene_broad_phase(&pairs, &count, arena, scene, scene->shapes, 0) == TS_OK);
  cr_assert(count == 2);
  cr_expect(pairs[0].body_a == 0 && pairs[0].body_b == 1 && pairs[1].body_a == 2);
  cr_assert(ts_derive_truth(scene, TS_POSITION_RELATIVE) == TS_OK);
  cr_expect(scene->region_count == 2);
  // Deep overlap of the excluded is no reason to give up.
  scene->bodies[2].pose.translation.x = 1.5;
  scene->bodies[3].pose.translation.x = 2.5;
  cr_assert(ts_derive_truth(scene, TS_POSITION_RELATIVE) == TS_OK, "%s", ts_status_detail());
  cr_expect(scene->region_count == 2);
}

// ---- in scene files ---------------------------------------------------------------------------

#define SCENE_BEGIN                                                                                \
  "{\"schema\": \"touchstone scene\", \"version\": 1, \"name\": \"n\", \"shapes\": [{\"name\": "   \
  "\"c\", \"box\": {\"size\": [1, 1, 1]}}], \"bodies\": [{\"name\": \"a\", \"shape\": \"c\"}, "    \
  "{\"name\": \"b\", \"shape\": \"c\", \"pose\": {\"translation_m\": [1, 0, 0]}}, {\"name\": "     \
  "\"d\", \"shape\": \"c\", \"pose\": {\"translation_m\": [2, 0, 0]}}], "

static ts_status open_text(ts_scene_file *out, const char *rest) {
  char path[] = "/tmp/excluded_XXXXXX";
  int file = mkstemp(path);
  cr_assert(file >= 0);
  const char *text = ts_arena_format(arena, SCENE_BEGIN "%s}", rest);
  cr_assert(write(file, text, strlen(text)) == (ssize_t)strlen(text));
  close(file);
  ts_status status = ts_scene_file_open(out, arena, path);
  unlink(path);
  return status;
}

Test(cases_excluded_pairs, a_scene_file_says_which_and_an_export_says_the_same) {
  ts_scene_file file;
  ts_scene_part *parts;
  size_t count;
  ts_status status =
      open_text(&file, "\"truth\": \"derived\", \"excluded_pairs\": [[\"d\", \"b\"]]");
  cr_assert(status == TS_OK, "%s", ts_status_detail());
  cr_expect(file.scene->excluded_count == 1 && ts_scene_excludes(file.scene, 1, 2));
  cr_expect(file.scene->region_count == 1);
  cr_assert(ts_scene_file_write(&parts, &count, arena, file.scene, &file) == TS_OK);
  cr_expect(strstr(parts[0].bytes, "\"excluded_pairs\": [\n    [\"b\", \"d\"]]"), "%s",
            parts[0].bytes);
}

Test(cases_excluded_pairs, a_scene_file_that_errs_is_refused_with_the_place) {
  static const char *const bad[][2] = {
      {"\"excluded_pairs\": 1", "excluded_pairs: "},
      {"\"excluded_pairs\": [[\"a\"]]", "excluded_pairs[0]: has 1 names"},
      {"\"excluded_pairs\": [[\"a\", \"b\", \"d\"]]", "has 3 names"},
      {"\"excluded_pairs\": [[\"a\", \"d\"], [\"a\", \"x\"]]", "excluded_pairs[1][1]: "},
      {"\"excluded_pairs\": [[\"a\", \"a\"]]", "same body twice"},
      {"\"excluded_pairs\": [[\"a\", 1]]", "excluded_pairs[0][1]: "},
      {"\"excluded_pairs\": [[\"b\", \"a\"]], \"regions\": [{\"bodies\": [\"a\", \"b\"], \"kind\": "
       "\"point\", \"vertices_m\": [[0.5, 0, 0]], \"normals\": {\"design\": [{\"normal\": [1, 0, "
       "0]}]}}]",
       "leave out one or the other"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    ts_scene_file file;
    cr_expect(open_text(&file, bad[i][0]) == TS_E_INPUT, "%s", bad[i][0]);
    cr_expect(strstr(ts_status_detail(), bad[i][1]), "no %s: %s", bad[i][1], ts_status_detail());
  }
}
