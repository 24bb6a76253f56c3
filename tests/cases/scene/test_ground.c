// SPDX-License-Identifier: MIT
// covers: cases/scene/ground.c
#include "cases/scene/ground.h"
#include "cases/scene/other_meshes.h"
#include "cases/scene/stretch.h"
#include "geometry/tolerances.h"
#include "tests/cases/case_fixture.h"

#include "base/random.h"
#include "base/status.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *arena;
static ts_scene *scene;

static void setup(void) {
  arena = case_fixture_arena();
  cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(cases_ground, .init = setup, .fini = teardown);

static const double heights[12] = {0, 0.1, 0.4, -0.2, 0.3, 0.2, 0, 0.5, 0.1, 0.1, -0.3, 0};
static const ts_heightfield field = {3, 4, heights, 0.5, 0.25};

static const ts_vec3 square[4] = {{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}};
static const uint32_t square_faces[2][3] = {{0, 1, 2}, {0, 2, 3}};
static const ts_open_mesh surface = {4, square, 2, square_faces};

static ts_pose at(double x, double y, double z) {
  return (ts_pose){{1, 0, 0, 0}, {x, y, z}};
}

static int32_t add_body(const char *name, int32_t shape, ts_pose pose, bool is_fixed) {
  int32_t body;
  cr_assert_eq(ts_scene_add_body(&body, scene, name, shape, pose, is_fixed), TS_OK, "%s",
               ts_status_detail());
  return body;
}

/// A plane, a surface and a height field, and a box of size 1 x 2 x 1 that moves, its middle so
/// high.
static void build(double height_m) {
  int32_t shape;
  cr_assert_eq(ts_scene_add_plane(&shape, scene, "plane", 0, 0), TS_OK);
  add_body("plane", shape, at(0, 0, 0), true);
  cr_assert_eq(ts_scene_add_surface(&shape, scene, "surface", &surface, 0), TS_OK);
  add_body("surface", shape, at(9, 0, 0), true);
  cr_assert_eq(ts_scene_add_heightfield(&shape, scene, "field", &field, 0), TS_OK);
  add_body("field", shape, at(-9, 0, 0), true);
  const ts_geometry box = {.kind = TS_GEOMETRY_BOX, .half_size_m = {0.5, 1, 0.5}};
  cr_assert_eq(ts_scene_add_primitive(&shape, scene, "box", &box, 0), TS_OK);
  add_body("box", shape, at(0, height_m, 0), false);
  cr_assert_eq(ts_scene_fit_ground(scene), TS_OK, "%s", ts_status_detail());
}

Test(cases_ground, it_is_twice_as_thick_as_what_moves_is_large) {
  build(1);
  cr_expect_eq(scene->shapes[0].ground.sheet.thickness_m, 4);
  cr_expect_eq(scene->shapes[1].ground.sheet.thickness_m, 4);
  cr_expect_eq(scene->shapes[2].ground.sheet.thickness_m, 5, "its top is 0.5 above the box");
  ts_aabb plane = scene->shapes[0].bounds_local;
  cr_expect(plane.high.y == 0 && plane.low.y == -4);
  cr_expect(plane.high.x == -plane.low.x && plane.high.x >= 20, "ten times the box beyond it");
}

Test(cases_ground, it_reaches_below_what_is_below_it) {
  build(-5);
  cr_expect_eq(scene->shapes[0].ground.sheet.thickness_m, 4 + 2 * 6);
  cr_expect(scene->shapes[0].bounds_local.low.y < -6);
}

Test(cases_ground, lengths_that_are_given_stay) {
  int32_t shape;
  cr_assert_eq(ts_scene_add_plane(&shape, scene, "plane", 7, 0.25), TS_OK);
  cr_assert_eq(ts_scene_fit_ground(scene), TS_OK);
  ts_aabb box = scene->shapes[0].bounds_local;
  cr_expect(box.low.x == -3.5 && box.high.z == 3.5 && box.low.y == -0.25);
}

Test(cases_ground, the_upper_side_of_a_field_has_its_heights_to_the_bit) {
  build(1);
  const ts_mesh *mesh = scene->shapes[2].mesh;
  for (size_t r = 0; r < 3; r++)
    for (size_t c = 0; c < 4; c++) {
      ts_vec3 v = mesh->vertices[4 * r + c];
      cr_expect(v.x == ((double)c - 1.5) * 0.5 && v.y == heights[4 * r + c] &&
                v.z == ((double)r - 1) * 0.25);
    }
  // Cells are cut from (row, column) to (row + 1, column + 1).
  for (uint32_t t = 0; t < 12; t += 2) {
    uint32_t near = t / 2 + t / 6;
    const uint32_t *first = mesh->triangles[t], *second = mesh->triangles[t + 1];
    cr_expect(first[0] == near && first[2] == near + 5 && second[0] == near &&
              second[1] == near + 5);
  }
  cr_expect_eq(scene->shapes[2].piece_count, 12);
  cr_expect_eq(scene->shapes[1].piece_count, 2);
}

Test(cases_ground, only_fixed_bodies_have_it) {
  int32_t shape, body;
  cr_assert_eq(ts_scene_add_plane(&shape, scene, "plane", 0, 0), TS_OK);
  cr_expect_eq(ts_scene_add_body(&body, scene, "p", shape, at(0, 0, 0), false), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "make it fixed"), "%s", ts_status_detail());
  cr_expect_eq(scene->body_count, 0);
}

static void refuse_field(ts_heightfield wrong, const char *words) {
  int32_t shape;
  cr_expect_eq(ts_scene_add_heightfield(&shape, scene, "f", &wrong, 0), TS_E_INPUT, "%s", words);
  cr_expect(strstr(ts_status_detail(), words), "%s: %s", words, ts_status_detail());
}

Test(cases_ground, what_is_no_ground_is_refused) {
  const double lost[4] = {0, 0, NAN, 0};
  int32_t shape;
  refuse_field((ts_heightfield){1, 4, heights, 1, 1}, "two rows and two columns");
  refuse_field((ts_heightfield){4, 1, heights, 1, 1}, "two rows and two columns");
  refuse_field((ts_heightfield){3, 4, heights, 0, 1}, "0 m apart along x");
  refuse_field((ts_heightfield){3, 4, heights, 1, -1}, "-1 m apart along z");
  refuse_field((ts_heightfield){3, 4, heights, 1, INFINITY}, "apart along z");
  refuse_field((ts_heightfield){2, 2, lost, 1, 1}, "height 0 of row 1 is nan");
  refuse_field((ts_heightfield){1000, 101, heights, 1, 1}, "ground may have 100000");
  refuse_field((ts_heightfield){SIZE_MAX / 2, 4, heights, 1, 1}, "ground may have 100000");
  cr_expect_eq(ts_scene_add_plane(&shape, scene, "p", -1, 0), TS_E_INPUT);
  cr_expect_eq(ts_scene_add_plane(&shape, scene, "p", NAN, 0), TS_E_INPUT);
  cr_expect_eq(ts_scene_add_plane(&shape, scene, "p", 0, INFINITY), TS_E_INPUT);
  const ts_open_mesh many = {4, square, TS_GROUND_TRIANGLES_MAX + 1, square_faces};
  cr_expect_eq(ts_scene_add_surface(&shape, scene, "s", &many, 0), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "100001 triangles; ground may have 100000"));
  cr_expect_eq(scene->shape_count, 0);
}

Test(cases_ground, scaled_it_is_what_it_is_when_made_at_that_size) {
  const double scales[] = {1e-3, 1e3, 0.7};
  for (int i = 0; i < 3; i++) {
    cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
    build(1);
    cr_assert_eq(ts_scene_transform(scene, scales[i], ts_pose_identity()), TS_OK);
    const ts_shape *scaled = &scene->shapes[2];
    double large[12];
    for (int k = 0; k < 12; k++)
      large[k] = heights[k] * scales[i];
    const ts_heightfield as_large = {3, 4, large, 0.5 * scales[i], 0.25 * scales[i]};
    ts_scene *other;
    int32_t shape;
    cr_assert_eq(ts_scene_create(&other, arena), TS_OK);
    cr_assert_eq(ts_scene_add_heightfield(&shape, other, "field", &as_large,
                                          scaled->ground.sheet.thickness_m),
                 TS_OK);
    cr_assert_eq(ts_scene_fit_ground(other), TS_OK);
    const ts_mesh *mesh = other->shapes[0].mesh;
    cr_expect_eq(
        memcmp(mesh->vertices, scaled->mesh->vertices, mesh->vertex_count * sizeof(ts_vec3)), 0,
        "scale %g", scales[i]);
    cr_expect_eq(scaled->geometry.heightfield->spacing_x_m, 0.5 * scales[i]);
    cr_expect_eq(scaled->pieces[3]->vertices[0].y, mesh->vertices[mesh->triangles[3][0]].y);
  }
}

Test(cases_ground, other_meshes_of_it_and_of_primitives_keep_their_exact_geometry_in_its_frame) {
  build(1);
  ts_pose before[4];
  for (int i = 0; i < 4; i++)
    before[i] = scene->bodies[i].pose;
  cr_assert_eq(ts_scene_other_meshes(scene, 5), TS_OK, "%s", ts_status_detail());
  for (int i = 0; i < 4; i++)
    cr_expect_eq(memcmp(&before[i], &scene->bodies[i].pose, sizeof before[i]), 0, "body %d", i);
  cr_expect(scene->shapes[3].mesh->triangle_count > 12, "the box is cut otherwise");
  cr_expect_eq(scene->shapes[3].geometry.half_size_m.y, 1);
  for (size_t v = 0; v < scene->shapes[3].mesh->vertex_count; v++) {
    ts_vec3 p = scene->shapes[3].mesh->vertices[v];
    cr_expect(fabs(p.x) == 0.5 || fabs(p.y) == 1 || fabs(p.z) == 0.5);
  }
  for (size_t v = 0; v < scene->shapes[0].mesh->vertex_count; v++)
    cr_expect(scene->shapes[0].mesh->vertices[v].y <= 0);
}

Test(cases_ground, stretched_it_is_the_mesh_that_it_had) {
  build(1);
  cr_assert_eq(ts_scene_stretch(scene, ts_vec3_make(1, 2, 1)), TS_OK);
  for (size_t i = 0; i < scene->shape_count; i++)
    cr_expect_eq(scene->shapes[i].geometry.kind, TS_GEOMETRY_MESH);
  cr_expect_eq(scene->shapes[2].mesh->vertices[2].y, 0.8);
}

Test(cases_ground, a_scene_of_ground_alone_has_a_size) {
  int32_t shape;
  cr_assert_eq(ts_scene_add_plane(&shape, scene, "plane", 0, 0), TS_OK);
  add_body("plane", shape, at(0, 0, 0), true);
  cr_assert_eq(ts_scene_fit_ground(scene), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(scene->shapes[0].bounds_local.low.y, -2);
  cr_expect_eq(scene->shapes[0].bounds_local.high.x, 10);
}
