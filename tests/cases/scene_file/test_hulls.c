// SPDX-License-Identifier: MIT
// Shapes that are hulls of points, and shapes in other units than metres.
// covers: cases/scene_file/scene_file_meshes.c cases/scene_file/scene_file_read.c
#include "cases/scene_file/scene_file.h"
#include "tests/cases/case_fixture.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *arena;
static const char *folder;

static const char cube_csv[] = "x,y,z\n0,0,0\n100,0,0\n0,100,0\n100,100,0\n0,0,100\n100,0,100\n"
                               "0,100,100\n100,100,100\n50,50,100\n";
static const char cube_points[] =
    "[[0, 0, 0], [100, 0, 0], [0, 100, 0], [100, 100, 0], [0, 0, 100],"
    " [100, 0, 100], [0, 100, 100], [100, 100, 100], [50, 50, 100]]";
static const char cube_obj[] = "v 0 0 0\nv 0 0 100\nv 0 100 0\nv 0 100 100\nv 100 0 0\n"
                               "v 100 0 100\nv 100 100 0\nv 100 100 100\nf 1 3 7 5\nf 2 6 8 4\n"
                               "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\n";

static void setup(void) {
  arena = case_fixture_arena();
  folder = case_fixture_enter_folder(arena);
  case_fixture_put("cube.csv", cube_csv);
  case_fixture_put("cube.obj", cube_obj);
}

static void teardown(void) {
  case_fixture_remove_folder(arena, folder);
}

TestSuite(cases_hulls, .init = setup, .fini = teardown);

static ts_status open_scene(ts_scene_file *file, const char *shape) {
  case_fixture_put(
      "scene.json",
      ts_arena_format(arena,
                      "{\"schema\": \"touchstone scene\", \"version\": 1, \"name\": \"two\",\n"
                      " \"shapes\": [{\"name\": \"a\", %s}],\n"
                      " \"bodies\": [{\"name\": \"p\", \"shape\": \"a\", \"is_fixed\": true},\n"
                      "  {\"name\": \"q\", \"shape\": \"a\","
                      " \"pose\": {\"translation_m\": [0, 0, 0.1]}}]}\n",
                      shape));
  return ts_scene_file_open(file, arena, "scene.json");
}

static const ts_mesh *read_shape(const char *shape) {
  ts_scene_file file;
  cr_assert_eq(open_scene(&file, shape), TS_OK, "%s", ts_status_detail());
  return file.scene->shapes[0].mesh;
}

static void refuse(const char *shape, const char *words) {
  ts_scene_file file;
  cr_expect_eq(open_scene(&file, shape), TS_E_INPUT, "%s", shape);
  cr_expect(strstr(ts_status_detail(), words), "%s: %s", words, ts_status_detail());
}

/// Whether the mesh is a cube with sides of `side_m`, as its vertices are sorted.
static void expect_cube(const ts_mesh *mesh, double side_m, const char *what) {
  cr_assert_eq(mesh->vertex_count, 8, "%s", what);
  cr_assert_eq(mesh->triangle_count, 12, "%s", what);
  for (int i = 0; i < 8; i++) {
    ts_vec3 v = mesh->vertices[i];
    cr_expect(v.x == (i & 4 ? side_m : 0) && v.y == (i & 2 ? side_m : 0) &&
                  v.z == (i & 1 ? side_m : 0),
              "%s: vertex %d", what, i);
  }
}

Test(cases_hulls, points_of_a_file_and_of_the_scene_make_the_same_hull) {
  expect_cube(read_shape("\"hull_of\": \"cube.csv\""), 100, "file");
  expect_cube(read_shape(ts_arena_format(arena, "\"hull_of\": %s", cube_points)), 100, "list");
}

Test(cases_hulls, a_unit_is_converted_to_the_double_nearest_to_its_length_in_metres) {
  static const struct {
    const char *unit;
    double side_m;
  } units[] = {{"m", 100}, {"cm", 1}, {"mm", 0.1}, {"um", 0.0001}, {"in", 2.54}, {"ft", 30.48}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    const char *unit = units[i].unit;
    const char *key = ts_arena_format(arena, "\"unit\": \"%s\"", unit);
    expect_cube(read_shape(ts_arena_format(arena, "\"mesh\": \"cube.obj\", %s", key)),
                units[i].side_m, unit);
    expect_cube(read_shape(ts_arena_format(arena, "%s, \"hull_of\": \"cube.csv\"", key)),
                units[i].side_m, unit);
  }
}

Test(cases_hulls, pieces_are_in_the_unit_of_their_shape) {
  ts_scene_file file;
  cr_assert_eq(open_scene(&file, "\"mesh\": \"cube.obj\", \"unit\": \"mm\","
                                 " \"pieces\": [\"cube.obj\"]"),
               TS_OK, "%s", ts_status_detail());
  cr_assert_eq(file.scene->shapes[0].piece_count, 1);
  expect_cube(file.scene->shapes[0].pieces[0], 0.1, "piece");
}

Test(cases_hulls, a_hull_is_written_as_a_mesh_and_comes_back_to_the_bit) {
  ts_scene_file file, again;
  cr_assert_eq(open_scene(&file, "\"hull_of\": \"cube.csv\", \"unit\": \"mm\""), TS_OK);
  ts_scene_part *parts;
  size_t count;
  cr_assert_eq(ts_scene_file_write(&parts, &count, arena, file.scene, &file), TS_OK);
  for (size_t i = 0; i < count; i++)
    case_fixture_put(parts[i].name, parts[i].bytes);
  cr_expect(strstr(parts[0].bytes, "\"mesh\": \"a.obj\""));
  cr_expect_not(strstr(parts[0].bytes, "unit\":"));
  cr_assert_eq(ts_scene_file_open(&again, arena, "scene.json"), TS_OK, "%s", ts_status_detail());
  const ts_mesh *a = file.scene->shapes[0].mesh, *b = again.scene->shapes[0].mesh;
  cr_assert_eq(a->triangle_count, b->triangle_count);
  cr_expect_eq(memcmp(a->vertices, b->vertices, 8 * sizeof *a->vertices), 0);
  cr_expect_eq(memcmp(a->triangles, b->triangles, 12 * sizeof *a->triangles), 0);
}

Test(cases_hulls, the_hash_of_a_scene_is_of_its_points_too) {
  ts_scene_file first, other;
  cr_assert_eq(open_scene(&first, "\"hull_of\": \"cube.csv\""), TS_OK);
  case_fixture_put("cube.csv", ts_arena_format(arena, "%s\n", cube_csv));
  cr_assert_eq(open_scene(&other, "\"hull_of\": \"cube.csv\""), TS_OK);
  cr_expect_neq(first.hash, other.hash);
}

Test(cases_hulls, points_that_make_no_hull_are_refused_with_shape_key_and_file) {
  refuse("\"hull_of\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]",
         "scene.json: shapes[0].hull_of: has 3 points: a hull needs 4 or more");
  refuse("\"hull_of\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]",
         "scene.json: shapes[0].hull_of: all points are in one plane");
  refuse("\"hull_of\": [[0, 0, 0], [1, 0], [0, 1, 0], [1, 1, 0]]",
         "scene.json: shapes[0].hull_of[1]: has 2 numbers; give 3");
  case_fixture_put("bad.csv", "0,0,0\n1,0,0\n");
  refuse("\"hull_of\": \"bad.csv\"",
         "scene.json: shapes[0].hull_of: bad.csv: has 2 points: a hull needs 4");
  case_fixture_put("bad.csv", "0,0,0\n1,nan,0\n");
  refuse("\"hull_of\": \"bad.csv\"",
         "scene.json: shapes[0].hull_of: bad.csv, line 2: nan: every coordinate must be finite");
  case_fixture_put("bad.csv", "1,1,1\n1,1,1\n1,1,1\n1,1,1\n");
  refuse("\"hull_of\": \"bad.csv\"", "bad.csv: all points are at one place");
}

Test(cases_hulls, what_is_not_a_file_of_points_is_refused) {
  refuse("\"hull_of\": \"none.csv\"", "shapes[0].hull_of: ");
  refuse("\"hull_of\": \"../cube.csv\"", "shapes[0].hull_of: ");
  refuse("\"hull_of\": \"/etc/passwd\"", "shapes[0].hull_of: ");
  refuse("\"hull_of\": 3", "shapes[0].hull_of: is neither the name of a file");
  refuse("\"hull_of\": \"cube.csv\", \"mesh\": \"cube.obj\"",
         "shapes[0]: has a mesh and hull_of; give one of them");
  refuse("\"unit\": \"mm\"", "shapes[0]: has no surface; give the file of a mesh; hull_of");
}

Test(cases_hulls, more_points_than_the_limit_are_refused) {
  FILE *file = fopen("many.csv", "wb");
  cr_assert_not_null(file);
  for (int i = 0; i <= 1000000; i++)
    fputs("0,0,0\n", file);
  fclose(file);
  refuse("\"hull_of\": \"many.csv\"",
         "shapes[0].hull_of: many.csv, line 1000001: more than 1000000 points");
}

Test(cases_hulls, a_unit_that_is_not_known_is_refused) {
  refuse("\"mesh\": \"cube.obj\", \"unit\": \"mil\"",
         "shapes[0].unit: is \"mil\"; give m, cm, mm, um, in or ft");
  refuse("\"mesh\": \"cube.obj\", \"unit\": 0.001", "shapes[0].unit: is a number; give a text");
}

Test(cases_hulls, a_unit_of_the_whole_scene_is_refused_with_where_it_belongs) {
  case_fixture_put("scene.json",
                   "{\"schema\": \"touchstone scene\", \"version\": 1, \"unit\": \"mm\"}");
  ts_scene_file file;
  cr_expect_eq(ts_scene_file_open(&file, arena, "scene.json"), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "scene.json: unit: belongs to a shape"), "%s",
            ts_status_detail());
}
