// SPDX-License-Identifier: MIT
// Shapes of a scene file that are given by a few lengths.
// covers: cases/scene_file/scene_file_primitives.c cases/scene_file/scene_file_write.c cases/scene/scene.c
#include "base/geometry_kind.h"
#include "base/status.h"
#include "cases/scene_file/scene_file.h"
#include "geometry/tolerances.h"
#include "tests/cases/case_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *arena;
static const char *folder;

static void setup(void) {
  arena = case_fixture_arena();
  folder = case_fixture_enter_folder(arena);
}

static void teardown(void) {
  case_fixture_remove_folder(arena, folder);
}

TestSuite(cases_primitive_shapes, .init = setup, .fini = teardown);

static ts_status open_scene(ts_scene_file *file, const char *shape) {
  case_fixture_put(
      "scene.json",
      ts_arena_format(
          arena,
          "{\"schema\": \"touchstone scene\", \"version\": 1, \"name\": \"one\",\n"
          " \"shapes\": [{\"name\": \"a\", %s}],\n"
          " \"bodies\": [{\"name\": \"p\", \"shape\": \"a\"}], \"truth\": \"untold\"}\n",
          shape));
  return ts_scene_file_open(file, arena, "scene.json");
}

static const ts_shape *read_shape(const char *shape) {
  ts_scene_file file;
  cr_assert_eq(open_scene(&file, shape), TS_OK, "%s", ts_status_detail());
  return &file.scene->shapes[0];
}

static void refuse(const char *shape, const char *words) {
  ts_scene_file file;
  cr_expect_eq(open_scene(&file, shape), TS_E_INPUT, "%s", shape);
  cr_expect(strstr(ts_status_detail(), words), "%s: %s", words, ts_status_detail());
}

static const char *const shapes[] = {
    "\"sphere\": {\"radius\": 0.3}",
    "\"capsule\": {\"radius\": 0.1, \"length\": 0.7}",
    "\"cylinder\": {\"radius\": 0.1, \"length\": 0.7, \"mesh_error\": 0.001}",
    "\"cone\": {\"radius\": 0.7, \"length\": 0.3}",
    "\"box\": {\"size\": [0.1, 0.2, 0.7]}",
};
#define SHAPES (sizeof shapes / sizeof *shapes)

Test(cases_primitive_shapes, lengths_are_those_of_the_file) {
  ts_geometry g = read_shape(shapes[0])->geometry;
  cr_expect(g.kind == TS_GEOMETRY_SPHERE && g.radius_m == 0.3);
  cr_expect(g.mesh_error_m > 0 && g.mesh_error_m <= TS_TESSELLATION_RELATIVE * 0.3);
  g = read_shape(shapes[1])->geometry;
  cr_expect(g.kind == TS_GEOMETRY_CAPSULE && g.radius_m == 0.1 && g.half_length_m == 0.35);
  g = read_shape(shapes[2])->geometry;
  cr_expect(g.kind == TS_GEOMETRY_CYLINDER && g.radius_m == 0.1 && g.half_length_m == 0.35);
  cr_expect(g.mesh_error_m > 0 && g.mesh_error_m <= 0.001);
  g = read_shape(shapes[3])->geometry;
  cr_expect(g.kind == TS_GEOMETRY_CONE && g.radius_m == 0.7 && g.half_length_m == 0.15);
  g = read_shape(shapes[4])->geometry;
  cr_expect(g.kind == TS_GEOMETRY_BOX && g.half_size_m.x == 0.05 && g.half_size_m.y == 0.1 &&
            g.half_size_m.z == 0.35 && g.mesh_error_m == 0);
}

Test(cases_primitive_shapes, lengths_are_in_the_unit_of_the_shape) {
  ts_geometry g = read_shape("\"unit\": \"mm\", \"capsule\": {\"radius\": 300, \"length\": 100,"
                             " \"mesh_error\": 1}")
                      ->geometry;
  cr_expect(g.radius_m == 0.3 && g.half_length_m == 0.05 && g.mesh_error_m <= 0.001);
  g = read_shape("\"unit\": \"in\", \"box\": {\"size\": [1, 10, 100]}")->geometry;
  cr_expect(g.half_size_m.x == 0.0127 && g.half_size_m.y == 0.127 && g.half_size_m.z == 1.27);
}

/// Whether two shapes are the same to the bit.
static void expect_same(const ts_shape *a, const ts_shape *b, const char *what) {
  cr_expect_eq(memcmp(&a->geometry, &b->geometry, sizeof a->geometry), 0, "%s", what);
  cr_assert_eq(a->mesh->vertex_count, b->mesh->vertex_count, "%s", what);
  cr_assert_eq(a->mesh->triangle_count, b->mesh->triangle_count, "%s", what);
  cr_expect_eq(memcmp(a->mesh->vertices, b->mesh->vertices,
                      a->mesh->vertex_count * sizeof *a->mesh->vertices),
               0, "%s", what);
  cr_expect_eq(memcmp(a->mesh->triangles, b->mesh->triangles,
                      a->mesh->triangle_count * sizeof *a->mesh->triangles),
               0, "%s", what);
}

Test(cases_primitive_shapes, primitives_are_written_as_such_and_come_back_to_the_bit) {
  static const double scales[] = {1, 1e-3, 1e3, 0.7};
  for (size_t i = 0; i < SHAPES; i++)
    for (size_t k = 0; k < sizeof scales / sizeof *scales; k++) {
      ts_scene_file file, again;
      cr_assert_eq(open_scene(&file, shapes[i]), TS_OK, "%s", ts_status_detail());
      cr_assert_eq(ts_scene_transform(file.scene, scales[k], ts_pose_identity()), TS_OK);
      ts_scene_part *parts;
      size_t count;
      cr_assert_eq(ts_scene_file_write(&parts, &count, arena, file.scene, &file), TS_OK);
      cr_assert_eq(count, 1, "no mesh is written");
      case_fixture_put(parts[0].name, parts[0].bytes);
      cr_assert_eq(ts_scene_file_open(&again, arena, "scene.json"), TS_OK, "%s",
                   ts_status_detail());
      expect_same(&file.scene->shapes[0], &again.scene->shapes[0], shapes[i]);
    }
}

Test(cases_primitive_shapes, a_scaled_primitive_has_the_mesh_of_its_size) {
  for (size_t i = 0; i < SHAPES; i++) {
    ts_scene_file file;
    cr_assert_eq(open_scene(&file, shapes[i]), TS_OK);
    size_t vertices = file.scene->shapes[0].mesh->vertex_count;
    double error_m = file.scene->shapes[0].geometry.mesh_error_m;
    cr_assert_eq(ts_scene_transform(file.scene, 1e-3, ts_pose_identity()), TS_OK);
    const ts_shape *scaled = &file.scene->shapes[0];
    cr_expect_eq(scaled->mesh->vertex_count, vertices, "%s", shapes[i]);
    cr_expect_float_eq(scaled->geometry.mesh_error_m, 1e-3 * error_m, 1e-12 * error_m);
    cr_expect_float_eq(ts_aabb_extent(scaled->bounds_local),
                       ts_aabb_extent(ts_mesh_bounds(scaled->mesh)), 0);
  }
}

Test(cases_primitive_shapes, lengths_that_are_none_are_refused_with_their_key) {
  refuse("\"sphere\": {\"radius\": 0}",
         "scene.json: shapes[0].sphere.radius: is 0; give a number above 0");
  refuse("\"sphere\": {\"radius\": -1}", "shapes[0].sphere.radius: is -1");
  refuse("\"sphere\": {\"radius\": \"1\"}", "shapes[0].sphere.radius: ");
  refuse("\"sphere\": {}", "shapes[0].sphere.radius");
  refuse("\"sphere\": 0.1", "shapes[0].sphere");
  refuse("\"sphere\": {\"radius\": 1, \"length\": 1}", "\"length\" is not known here");
  refuse("\"capsule\": {\"radius\": 0.1}", "shapes[0].capsule.length");
  refuse("\"capsule\": {\"radius\": 0.1, \"length\": 0}",
         "shapes[0].capsule.length: is 0; give a number above 0");
  refuse(
      "\"cone\": {\"radius\": 0.1, \"length\": 1, \"mesh_error\": 1e-9}",
      "shapes[0].cone: a cone of radius 0.1 m has a mesh with an error of 1e-09 m; give 1e-06 m");
  refuse("\"box\": {\"size\": [1, 2, 0]}",
         "shapes[0].box.size: is [1, 2, 0]; give three numbers above 0");
  refuse("\"box\": {\"size\": [1, 2]}", "shapes[0].box.size: has 2 numbers; give 3");
  refuse("\"sphere\": {\"radius\": 1e308, \"mesh_error\": 1e307}, \"unit\": \"ft\"", "");
}

Test(cases_primitive_shapes, a_shape_is_one_thing) {
  refuse("\"sphere\": {\"radius\": 1}, \"box\": {\"size\": [1, 1, 1]}",
         "shapes[0]: has a sphere and a box; give one of them");
  refuse("\"sphere\": {\"radius\": 1}, \"mesh\": \"a.obj\"",
         "shapes[0]: is a sphere and has mesh, which belongs to a shape of triangles");
  refuse("\"cone\": {\"radius\": 1, \"length\": 1}, \"pieces\": []",
         "shapes[0]: is a cone and has pieces");
  refuse("\"unit\": \"mm\"", "a sphere, capsule, cylinder, cone or box");
}
