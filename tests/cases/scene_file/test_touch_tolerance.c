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
#include <string.h>
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

Test(cases_touch_tolerance, an_overlap_is_told_with_its_depth_and_the_value_that_would_do) {
  ts_scene_file file;
  const double tilts[] = {-5e-6, -3e-5, -4e-4};
  const char *const told[] = {"by up to 1e-05 m, more than", "by up to 5e-05 m, more than",
                              "by up to 0.001 m, more than"};
  const double would_do[] = {1e-5, 5e-5, 1e-3};
  for (int i = 0; i < 3; i++) {
    cr_expect_eq(read_tilted(&file, tilts[i], 0), TS_E_INPUT);
    cr_expect(strstr(ts_status_detail(), told[i]), "%s", ts_status_detail());
    const char *remedy =
        ts_arena_format(arena, "if that is noise, touch_relative %g counts", would_do[i]);
    cr_expect(strstr(ts_status_detail(), remedy), "%s", ts_status_detail());
    cr_assert_eq(read_tilted(&file, tilts[i], would_do[i]), TS_OK, "%s", ts_status_detail());
    case_fixture_expect_totals(file.scene, told[i], 1, 4, 1);
  }
  // A corner within the face of another body: its depth is known.
  cr_expect_eq(read_cubes(&file, "{\"name\": \"low\", \"shape\": \"cube\"}, {\"name\": \"high\", "
                                 "\"shape\": \"cube\", \"pose\": {\"translation_m\": [0.25, "
                                 "0.99998, 0.25]}}], \"truth\": \"derived\""),
               TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "by 2e-05 m, more than touch_relative 1e-06"), "%s",
            ts_status_detail());
  cr_expect_eq(read_tilted(&file, -0.01, 0), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "deeper than the 0.001"), "%s", ts_status_detail());
}

Test(cases_touch_tolerance, steps_of_tolerances_grow_by_1_2_5) {
  cr_expect_float_eq(ts_near_miss_next(1e-6), 2e-6, 1e-18);
  cr_expect_float_eq(ts_near_miss_next(2e-6), 5e-6, 1e-18);
  cr_expect_float_eq(ts_near_miss_next(5e-6), 1e-5, 1e-17);
  cr_expect_float_eq(ts_near_miss_next(3.3e-4), 5e-4, 1e-16);
}

Test(cases_touch_tolerance, a_told_truth_may_have_its_own) {
  ts_scene_file file;
  const char *told = "{\"name\": \"low\", \"shape\": \"cube\"}, {\"name\": \"high\", \"shape\": "
                     "\"cube\", \"pose\": {\"translation_m\": [0, 1.00001, 0]}}], "
                     "\"touch_relative\": %s, \"truth\": \"told\", \"regions\": [{\"bodies\": "
                     "[\"low\", \"high\"], \"kind\": \"point\", \"vertices_m\": [[0, 0.5, 0]], "
                     "\"normals\": {\"design\": [{\"normal\": [0, 1, 0], \"gap_m\": 1e-5}]}}]";
  cr_assert_eq(read_cubes(&file, ts_arena_format(arena, told, "1e-6")), TS_OK);
  case_fixture_expect_totals(file.scene, "open", 0, 0, 0);
  cr_assert_eq(read_cubes(&file, ts_arena_format(arena, told, "1e-4")), TS_OK);
  case_fixture_expect_totals(file.scene, "closed", 1, 1, 0);
  ts_scene_part *parts;
  size_t count;
  const ts_scene_file about = {.name = "cubes"};
  cr_assert_eq(ts_scene_file_write(&parts, &count, arena, file.scene, &about), TS_OK);
  cr_expect_not_null(strstr(parts[0].bytes, "\"touch_relative\": 0.0001"));
  cr_expect_eq(read_cubes(&file, ts_arena_format(arena, told, "1e-8")), TS_E_INPUT);
  cr_expect_eq(read_cubes(&file, ts_arena_format(arena, told, "0.1")), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "touch_relative: is 0.1; give 1e-06"), "%s",
            ts_status_detail());
}

/// A coordinate as a file in single precision has it.
static double rounded(double x) {
  return (double)(float)x;
}

Test(cases_touch_tolerance, prisms_in_single_precision_are_convex_away_from_the_origin) {
  const ts_scene *scene = case_fixture_open(arena, "float_prism");
  for (int i = 0; i < 2; i++)
    cr_expect(ts_shape_is_convex(&scene->shapes[i]), "%d", i);
  case_fixture_expect_totals(scene, "prisms", 1, 6, 1.5 * sqrt(3));
}

Test(cases_touch_tolerance, boxes_in_single_precision_are_convex) {
  const ts_scene *scene = case_fixture_open(arena, "float_box");
  cr_expect(ts_shape_is_convex(&scene->shapes[1]));
  for (uint32_t turn = 0; turn < 40; turn++) {
    ts_scene *boxes;
    int32_t shape, piece;
    cr_assert_eq(ts_scene_create(&boxes, arena), TS_OK);
    cr_assert_eq(ts_shape_box(&shape, boxes, "box", 1, 0.6, 0.3), TS_OK);
    const ts_mesh *box = boxes->shapes[shape].mesh;
    ts_quat q = ts_quat_uniform(turn / 40.0, fmod(turn * 0.618, 1), fmod(turn * 0.414, 1));
    ts_vec3 corners[8];
    for (size_t v = 0; v < 8; v++) {
      ts_vec3 p = ts_quat_rotate(q, box->vertices[v]);
      corners[v] = ts_vec3_make(rounded(p.x), rounded(p.y), rounded(p.z));
    }
    cr_assert_eq(ts_scene_add_shape(&piece, boxes, "rounded", corners, 8,
                                    (const uint32_t(*)[3])box->triangles, 12),
                 TS_OK);
    cr_expect(ts_shape_is_convex(&boxes->shapes[piece]), "turn %u", turn);
    cr_expect_eq(
        ts_scene_add_piece(boxes, piece, corners, 8, (const uint32_t(*)[3])box->triangles, 12),
        TS_OK, "%s", ts_status_detail());
    cr_expect_eq(ts_scene_check_pieces(boxes), TS_OK);
  }
}
