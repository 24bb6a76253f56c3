// SPDX-License-Identifier: MIT
// covers: cases/scene_file/scene_file_ground.c cases/scene_file/scene_file_primitives.c
// Static ground in scene files.
#include "cases/scene/ground.h"
#include "cases/scene_file/scene_file.h"
#include "tests/cases/case_fixture.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ts_arena *arena;
static char folder[] = "/tmp/ts_ground_XXXXXX";

static void put_bytes(const char *name, const void *bytes, size_t count) {
  FILE *file = fopen(name, "wb");
  cr_assert_not_null(file);
  cr_assert_eq(fwrite(bytes, 1, count, file), count);
  fclose(file);
}

static void put(const char *name, const char *text) {
  put_bytes(name, text, strlen(text));
}

/// A picture of 3 x 2 levels of 8 bits: 0 51 102 in its top row, 153 204 255 below.
static const unsigned char picture[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44,
    0x52, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x02, 0x08, 0x00, 0x00, 0x00, 0x00, 0xb8,
    0x1f, 0x39, 0xc6, 0x00, 0x00, 0x00, 0x10, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x60,
    0x30, 0x4e, 0x63, 0x98, 0x79, 0xe6, 0x3f, 0x00, 0x07, 0x9a, 0x02, 0xfe, 0x07, 0xb3, 0x50,
    0x57, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

static void setup(void) {
  arena = case_fixture_arena();
  cr_assert_not_null(mkdtemp(folder));
  cr_assert_eq(chdir(folder), 0);
  put("level.csv", "0,0,0,0\n0,0.5,0,0\n0,0,0,0.125\n");
  put("row.csv", "1,2,3\n");
  put("square.obj", "v -2 0 -2\nv -2 0 2\nv 2 0 2\nv 2 0 -2\nf 1 2 3\nf 1 3 4\n");
  put("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
  put_bytes("hill.png", picture, sizeof picture);
  put_bytes("cut.png", picture, sizeof picture - 20);
}

static void teardown(void) {
  char *command = ts_arena_format(arena, "rm -rf %s", folder);
  cr_expect_eq(system(command), 0);
}

TestSuite(cases_ground_files, .init = setup, .fini = teardown);

static ts_status open_scene(ts_scene_file *file, const char *shape, const char *is_fixed) {
  put("scene.json",
      ts_arena_format(arena,
                      "{\"schema\": \"touchstone scene\", \"version\": 1, \"name\": \"two\",\n"
                      " \"shapes\": [{\"name\": \"g\", %s},\n"
                      "  {\"name\": \"b\", \"box\": {\"size\": [1, 1, 1]}}],\n"
                      " \"bodies\": [{\"name\": \"p\", \"shape\": \"g\", \"is_fixed\": %s},\n"
                      "  {\"name\": \"q\", \"shape\": \"b\","
                      " \"pose\": {\"translation_m\": [0, 0.5, 0]}}]}\n",
                      shape, is_fixed));
  return ts_scene_file_open(file, arena, "scene.json");
}

static const ts_shape *read_shape(const char *shape) {
  ts_scene_file *file = ts_arena_alloc(arena, sizeof *file);
  cr_assert_eq(open_scene(file, shape, "true"), TS_OK, "%s: %s", shape, ts_status_detail());
  return &file->scene->shapes[0];
}

static void refuse(const char *shape, const char *words) {
  ts_scene_file file;
  cr_expect_eq(open_scene(&file, shape, "true"), TS_E_INPUT, "%s", shape);
  cr_expect(strstr(ts_status_detail(), words), "%s: %s", words, ts_status_detail());
  cr_expect(strstr(ts_status_detail(), "scene.json: shapes"), "%s", ts_status_detail());
}

Test(cases_ground_files, a_plane_needs_nothing_and_takes_its_lengths_in_the_unit_of_the_shape) {
  const ts_shape *plane = read_shape("\"plane\": {}");
  cr_expect_eq(plane->geometry.kind, TS_GEOMETRY_PLANE);
  cr_expect_eq(plane->ground.sheet.thickness_m, 2);
  plane = read_shape("\"plane\": {\"extent\": 500, \"thickness\": 20}, \"unit\": \"cm\"");
  cr_expect_eq(plane->bounds_local.high.x, 2.5);
  cr_expect_eq(plane->bounds_local.low.y, -0.2);
}

Test(cases_ground_files, numbers_of_a_csv_are_heights_and_levels_of_a_picture_become_some) {
  const ts_shape *shape =
      read_shape("\"heightfield\": {\"file\": \"level.csv\", \"size\": [3, 4]}");
  const ts_heightfield *field = shape->geometry.heightfield;
  cr_expect(field->row_count == 3 && field->column_count == 4);
  cr_expect(field->spacing_x_m == 1 && field->spacing_z_m == 2);
  cr_expect(field->heights_m[5] == 0.5 && field->heights_m[11] == 0.125);
  shape = read_shape("\"heightfield\": {\"file\": \"level.csv\", \"spacing\": [30, 40]},"
                     " \"unit\": \"mm\"");
  field = shape->geometry.heightfield;
  cr_expect(field->spacing_x_m == 0.03 && field->spacing_z_m == 0.04);
  cr_expect_eq(field->heights_m[5], 0.0005);
  shape = read_shape("\"heightfield\": {\"file\": \"hill.png\", \"size\": [3, 4], \"height\": 2,"
                     " \"base\": -1, \"thickness\": 0.5}");
  field = shape->geometry.heightfield;
  cr_expect(field->row_count == 2 && field->column_count == 3);
  for (int i = 0; i < 6; i++)
    cr_expect_float_eq(field->heights_m[i], -1 + 2 * i / 5.0, 1e-15);
  cr_expect_eq(shape->ground.sheet.thickness_m, 0.5);
}

Test(cases_ground_files, a_surface_is_a_file_or_says_its_thickness_beside_it) {
  cr_expect_eq(read_shape("\"surface\": \"square.obj\"")->ground.sheet.thickness_m, 2);
  const ts_shape *shape =
      read_shape("\"surface\": {\"file\": \"square.obj\", \"thickness\": 0.75}");
  cr_expect_eq(shape->ground.sheet.thickness_m, 0.75);
  cr_expect_eq(shape->geometry.surface->triangle_count, 2);
}

Test(cases_ground_files, ground_is_written_as_ground_and_comes_back_to_the_bit) {
  static const char *const shapes[] = {
      "\"plane\": {}", "\"surface\": \"square.obj\"",
      "\"heightfield\": {\"file\": \"hill.png\", \"size\": [0.7, 0.9], \"height\": 0.3}"};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    ts_scene_file file, again;
    ts_scene_part *parts, *parts_again;
    size_t count, count_again;
    cr_assert_eq(open_scene(&file, shapes[i], "true"), TS_OK);
    cr_assert_eq(ts_scene_transform(file.scene, 0.3, ts_pose_identity()), TS_OK);
    cr_assert_eq(ts_scene_file_write(&parts, &count, arena, file.scene, &file), TS_OK);
    for (size_t k = 0; k < count; k++)
      put_bytes(parts[k].name, parts[k].bytes, parts[k].byte_count);
    cr_assert_eq(ts_scene_file_open(&again, arena, "scene.json"), TS_OK, "%s", ts_status_detail());
    const ts_mesh *a = file.scene->shapes[0].mesh, *b = again.scene->shapes[0].mesh;
    cr_assert_eq(a->vertex_count, b->vertex_count);
    cr_assert_eq(a->triangle_count, b->triangle_count);
    cr_expect_eq(memcmp(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices), 0, "%s",
                 shapes[i]);
    cr_expect_eq(again.scene->shapes[0].geometry.kind, file.scene->shapes[0].geometry.kind);
    cr_assert_eq(ts_scene_file_write(&parts_again, &count_again, arena, again.scene, &again),
                 TS_OK);
    cr_assert_eq(count, count_again);
    for (size_t k = 0; k < count; k++)
      cr_expect_str_eq(parts[k].bytes, parts_again[k].bytes);
  }
}

Test(cases_ground_files, only_fixed_bodies_have_it) {
  ts_scene_file file;
  cr_expect_eq(open_scene(&file, "\"plane\": {}", "false"), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "scene.json: bodies[0]: body p is a plane"), "%s",
            ts_status_detail());
}

Test(cases_ground_files, what_is_no_ground_is_refused_with_file_and_key) {
  refuse("\"plane\": {\"extent\": 0}", "shapes[0].plane.extent: is 0; give a number above 0");
  refuse("\"plane\": {\"thickness\": -1}", "plane.thickness: is -1");
  refuse("\"plane\": {\"size\": 3}", "plane");
  refuse("\"plane\": {}, \"surface\": \"square.obj\"", "has a plane and a surface");
  refuse("\"plane\": {}, \"mesh\": \"square.obj\"", "is a plane and has mesh");
  refuse("\"surface\": \"square.obj\", \"pieces\": []", "is a surface and has pieces");
  refuse("\"surface\": \"flat.obj\"", "flat.obj: of 1 triangles none has an area");
  refuse("\"surface\": \"none.obj\"", "none.obj");
  refuse("\"surface\": 3", "shapes[0].surface");
  refuse("\"heightfield\": {\"file\": \"row.csv\", \"size\": [1, 1]}",
         "row.csv: has 1 row of 3 heights; give two rows and two columns at least");
  refuse("\"heightfield\": {\"file\": \"level.csv\"}", "heightfield.size");
  refuse("\"heightfield\": {\"file\": \"level.csv\", \"size\": [1, 0]}", "is [1, 0]; give two");
  refuse("\"heightfield\": {\"file\": \"level.csv\", \"size\": [1, 1], \"spacing\": [1, 1]}",
         "has a size and a spacing");
  refuse("\"heightfield\": {\"file\": \"level.csv\", \"size\": [1, 1], \"height\": 1}",
         "heightfield.height: belongs to a picture");
  refuse("\"heightfield\": {\"file\": \"hill.png\", \"size\": [1, 1]}", "heightfield.height");
  refuse("\"heightfield\": {\"file\": \"hill.png\", \"size\": [1, 1], \"height\": 0}",
         "heightfield.height: is 0");
  refuse("\"heightfield\": {\"file\": \"cut.png\", \"size\": [1, 1], \"height\": 1}",
         "heightfield.file: cut.png: is not a whole PNG picture: it is cut off");
  refuse("\"heightfield\": {\"file\": \"square.obj\", \"size\": [1, 1]}", "in a .csv or a .png");
  refuse("\"heightfield\": {\"file\": \"../level.csv\", \"size\": [1, 1]}", "heightfield.file");
}

Test(cases_ground_files, numbers_that_overflow_are_refused) {
  put("huge.csv", "0,1e308\n0,0\n");
  refuse("\"heightfield\": {\"file\": \"huge.csv\", \"size\": [1, 1]}", "too large for numbers");
  refuse("\"heightfield\": {\"file\": \"level.csv\", \"size\": [1e308, 1e308]}",
         "farther apart than numbers go");
  refuse("\"heightfield\": {\"file\": \"hill.png\", \"size\": [1, 1], \"height\": 1e308,"
         " \"base\": 1e308}",
         "every height must be finite");
  refuse("\"plane\": {\"extent\": 1e308}", "is 1e+308 m large and 2 m thick");
}

Test(cases_ground_files, the_hash_of_a_scene_is_of_its_heights_too) {
  ts_scene_file first, other;
  const char *shape = "\"heightfield\": {\"file\": \"level.csv\", \"size\": [1, 1]}";
  cr_assert_eq(open_scene(&first, shape, "true"), TS_OK);
  put("level.csv", "0,0,0,0\n0,0.5,0,0\n0,0,0,0.25\n");
  cr_assert_eq(open_scene(&other, shape, "true"), TS_OK);
  cr_expect_neq(first.hash, other.hash);
}
