// SPDX-License-Identifier: MIT
// covers: cases/scene_file/scene_file_read.c cases/scene_file/scene_file_truth.c
// covers: cases/scene_file/scene_file_write.c cases/truth/near_miss.c cases/truth/derived_truth.c
// covers: geometry/mesh/body.c
// Scenes as other programs write them: quaternions of a few digits, corners in single precision,
// poses out of a simulation. One tolerance of touch is for truth and scoring alike.
#include "base/status.h"
#include "cases/scene/shapes.h"
#include "cases/scene_file/scene_file.h"
#include "cases/truth/derived_truth.h"
#include "cases/truth/near_miss.h"
#include "geometry/tolerances.h"
#include "tests/cases/case_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static ts_arena *arena;

static void setup(void) {
  arena = case_fixture_arena();
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(cases_touch_tolerance, .init = setup, .fini = teardown);

static ts_status open_path(ts_scene_file *out, const char *path) {
  return ts_scene_file_open(out, arena, path);
}

/// Writes a scene of cubes of 1 m, by its bodies and what follows them, and reads it.
static ts_status read_cubes(ts_scene_file *out, const char *bodies) {
  char folder[] = "/tmp/ts_touch_XXXXXX";
  cr_assert_not_null(mkdtemp(folder));
  const char *obj = ts_arena_format(arena, "%s/cube.obj", folder);
  const char *path = ts_arena_format(arena, "%s/scene.json", folder);
  FILE *file = fopen(obj, "w");
  cr_assert_not_null(file);
  for (int i = 0; i < 8; i++)
    fprintf(file, "v %g %g %g\n", i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
  fputs("f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n", file);
  fclose(file);
  file = fopen(path, "w");
  cr_assert_not_null(file);
  fprintf(file,
          "{\"schema\": \"touchstone scene\", \"version\": 1, \"name\": \"cubes\","
          "\"shapes\": [{\"name\": \"cube\", \"mesh\": \"cube.obj\"}], \"bodies\": [%s}",
          bodies);
  fclose(file);
  ts_status status = open_path(out, path);
  char detail[1024];
  snprintf(detail, sizeof detail, "%s", ts_status_detail());
  unlink(obj);
  unlink(path);
  rmdir(folder);
  return status == TS_OK ? status : ts_fail(status, "%s", detail);
}

/// A cube on another, turned about its lower left edge by `tilt`, with the tolerance, 0: none.
static ts_status read_tilted(ts_scene_file *out, double tilt, double touch_relative) {
  ts_quat q = ts_quat_from_axis_angle(ts_vec3_make(0, 0, 1), tilt);
  ts_vec3 at =
      ts_vec3_sub(ts_vec3_make(-0.5, 0.5, 0), ts_quat_rotate(q, ts_vec3_make(-0.5, -0.5, 0)));
  const char *touch =
      touch_relative > 0 ? ts_arena_format(arena, ", \"touch_relative\": %g", touch_relative) : "";
  return read_cubes(
      out, ts_arena_format(arena,
                           "{\"name\": \"low\", \"shape\": \"cube\"}, {\"name\": \"high\", "
                           "\"shape\": \"cube\", \"pose\": {\"rotation_wxyz\": [%.17g, 0, 0, "
                           "%.17g], \"translation_m\": [%.17g, %.17g, 0]}}], \"truth\": "
                           "\"derived\"%s",
                           q.w, q.z, at.x, at.y, touch));
}

Test(cases_touch_tolerance, quaternions_of_a_few_digits_are_made_unit) {
  ts_scene *scene = case_fixture_open(arena, "seven_digits");
  for (int i = 0; i < 2; i++) {
    ts_quat q = scene->bodies[i].pose.rotation;
    cr_expect_float_eq(q.w * q.w + q.z * q.z, 1, 1e-15);
  }
  case_fixture_expect_totals(scene, "seven digits", 1, 4, 1);
  // Both turned by the same angle, told with 3 to 16 digits.
  for (int digits = 3; digits <= 16; digits++) {
    ts_scene_file file;
    const char *q = ts_arena_format(arena, "\"rotation_wxyz\": [%.*f, 0, 0, %.*f]", digits,
                                    cos(0.3), digits, sin(0.3));
    double angle = 2 * atan2(strtod(ts_arena_format(arena, "%.*f", digits, sin(0.3)), NULL),
                             strtod(ts_arena_format(arena, "%.*f", digits, cos(0.3)), NULL));
    ts_status status = read_cubes(
        &file, ts_arena_format(arena,
                               "{\"name\": \"a\", \"shape\": \"cube\", \"pose\": {%s}}, {\"name\": "
                               "\"b\", \"shape\": \"cube\", \"pose\": {%s, \"translation_m\": "
                               "[%.17g, %.17g, 0]}}], \"truth\": \"derived\"",
                               q, q, cos(angle), sin(angle)));
    cr_assert_eq(status, TS_OK, "%d digits: %s", digits, ts_status_detail());
    case_fixture_expect_totals(file.scene, q, 1, 4, 1);
  }
}

Test(cases_touch_tolerance, quaternions_in_single_precision_are_made_unit) {
  ts_scene *scene = case_fixture_open(arena, "bricks_of_floats");
  for (size_t i = 0; i < scene->body_count; i++) {
    ts_quat q = scene->bodies[i].pose.rotation;
    cr_expect_float_eq(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-15);
  }
  case_fixture_expect_totals(scene, "bricks", 2, 8, 6 * 3 + 3 * 3);
}

Test(cases_touch_tolerance, what_is_no_rotation_is_refused) {
  static const char *const bad[] = {"[1, 0, 0, 0.05]", "[0.99, 0, 0, 0]", "[0, 0, 0, 0]"};
  for (int i = 0; i < 3; i++) {
    ts_scene_file file;
    cr_expect_eq(read_cubes(&file, ts_arena_format(arena,
                                                   "{\"name\": \"a\", \"shape\": \"cube\", "
                                                   "\"pose\": {\"rotation_wxyz\": %s}}]",
                                                   bad[i])),
                 TS_E_INPUT, "%s", bad[i]);
    cr_expect(strstr(ts_status_detail(), "the quaternion has length"), "%s", ts_status_detail());
  }
}

Test(cases_touch_tolerance, noise_of_a_simulation_is_a_touch) {
  case_fixture_expect_totals(case_fixture_open(arena, "level"), "level", 1, 4, 1);
  ts_truth_totals t =
      ts_scene_truth_totals(case_fixture_open(arena, "level_large"), TS_REFERENCE_DESIGN);
  cr_expect(t.regions == 1 && t.minimum == 3, "%zu regions, minimum %zu", t.regions, t.minimum);
  cr_expect_float_eq(t.area_m2, 180000, 1);
  const double tilts[] = {0, 1e-12, 1e-9, 1e-8, 1e-7, 5e-7, -1e-8, -5e-7};
  for (size_t i = 0; i < sizeof tilts / sizeof *tilts; i++) {
    ts_scene_file file;
    cr_assert_eq(read_tilted(&file, tilts[i], 0), TS_OK, "%g: %s", tilts[i], ts_status_detail());
    case_fixture_expect_totals(file.scene, ts_arena_format(arena, "%g", tilts[i]), 1, 4, 1);
    cr_expect_null(file.scene->truth_note);
    cr_expect_eq(file.scene->touch_relative, TS_POSITION_RELATIVE);
  }
}

Test(cases_touch_tolerance, a_gap_that_is_larger_is_told_with_the_value_that_would_do) {
  ts_scene_file file;
  cr_assert_eq(read_tilted(&file, 1e-5, 0), TS_OK);
  case_fixture_expect_totals(file.scene, "tilted", 1, 2, 0);
  cr_assert_not_null(file.scene->truth_note);
  cr_expect(strstr(file.scene->truth_note, "0 (low) and 1 (high) come within 1e-05 m"), "%s",
            file.scene->truth_note);
  cr_expect(strstr(file.scene->truth_note, "\"touch_relative\": 1e-05") ||
                strstr(file.scene->truth_note, "\"touch_relative\": 2e-05"),
            "%s", file.scene->truth_note);
  cr_assert_eq(read_tilted(&file, 1e-5, 2e-5), TS_OK);
  case_fixture_expect_totals(file.scene, "by its value", 1, 4, 1);
  cr_expect_eq(file.scene->touch_relative, 2e-5);
  cr_expect_null(file.scene->truth_note);
  cr_expect_float_eq(ts_region_limits(file.scene, &file.scene->regions[0]).open_m, 2e-5, 1e-15);
  // Edges that cross: no vertex is near.
  const double across = sqrt(0.5);
  cr_assert_eq(
      read_cubes(&file, ts_arena_format(arena,
                                        "{\"name\": \"a\", \"shape\": \"cube\", \"pose\": "
                                        "{\"rotation_wxyz\": [%.17g, 0, 0, %.17g]}}, {\"name\": "
                                        "\"b\", \"shape\": \"cube\", \"pose\": {\"rotation_wxyz\": "
                                        "[%.17g, %.17g, 0, 0], \"translation_m\": [0, %.17g, "
                                        "0]}}], \"truth\": \"derived\"",
                                        cos(M_PI / 8), sin(M_PI / 8), cos(M_PI / 8), sin(M_PI / 8),
                                        2 * across + 3e-6)),
      TS_OK);
  cr_assert_not_null(file.scene->truth_note);
  cr_expect(strstr(file.scene->truth_note, "come within 3e-06 m"), "%s", file.scene->truth_note);
}

/// What is no more than noise becomes a touch with the value that the note gives.
Test(cases_touch_tolerance, an_overlap_at_a_tilt_has_its_truth_and_the_value_that_would_do) {
  ts_scene_file file;
  const double tilts[] = {-5e-6, -3e-5, -4e-4};
  for (int i = 0; i < 3; i++) {
    cr_assert_eq(read_tilted(&file, tilts[i], 0), TS_OK, "%s", ts_status_detail());
    case_fixture_expect_totals(file.scene, "tilted", 1, 2, 0);
    cr_expect_float_eq(file.scene->regions[0].feasible[0].normals[0].gap_m, tilts[i],
                       1e-3 * -tilts[i]);
    const char *note = file.scene->truth_note;
    if (tilts[i] < -1e-4) {
      cr_expect_null(note);
      continue;
    }
    const char *remedy = "\"touch_relative\": ";
    cr_assert(note && strstr(note, remedy), "%g: %s", tilts[i], note);
    double would_do = strtod(strstr(note, remedy) + strlen(remedy), NULL);
    cr_assert_eq(read_tilted(&file, tilts[i], would_do), TS_OK, "%s", ts_status_detail());
    case_fixture_expect_totals(file.scene, "by its value", 1, 4, 1);
  }
}

/// Cubes in each other have many ways out.
Test(cases_touch_tolerance, an_overlap_without_a_truth_is_refused_with_its_depth) {
  ts_scene_file file;
  cr_expect_eq(read_cubes(&file, "{\"name\": \"low\", \"shape\": \"cube\"}, {\"name\": \"high\", "
                                 "\"shape\": \"cube\", \"pose\": {\"translation_m\": [0.99998, "
                                 "0.99998, 0.25]}}], \"truth\": \"derived\""),
               TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "by 2e-05 m, more than touch_relative 1e-06"), "%s",
            ts_status_detail());
  cr_expect(strstr(ts_status_detail(), "if that is noise, touch_relative 2e-05 counts"), "%s",
            ts_status_detail());
  cr_expect_eq(read_cubes(&file, "{\"name\": \"low\", \"shape\": \"cube\"}, {\"name\": \"high\", "
                                 "\"shape\": \"cube\"}], \"truth\": \"derived\""),
               TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "no touch_relative up to 0.001 counts it"), "%s",
            ts_status_detail());
}
