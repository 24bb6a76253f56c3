// SPDX-License-Identifier: MIT
// covers: geometry/mesh/winding.c
#include "base/status.h"
#include "geometry/mesh/winding.h"

#include <criterion/criterion.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_winding, .init = setup, .fini = teardown);

/// A block with a notch along z: concave, 2 x 2 x 2 but for x > 0 and y > 0.
static const ts_vec3 vertices[12] = {{-1, -1, -1}, {1, -1, -1}, {1, 0, -1},  {0, 0, -1},
                                     {0, 1, -1},   {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1},
                                     {1, 0, 1},    {0, 0, 1},   {0, 1, 1},   {-1, 1, 1}};
static const uint32_t triangles[20][3] = {
    {0, 3, 1},   {1, 3, 2},  {0, 5, 3},  {3, 5, 4},   {6, 7, 9}, {7, 8, 9}, {6, 9, 11},
    {9, 10, 11}, {0, 1, 7},  {0, 7, 6},  {1, 2, 8},   {1, 8, 7}, {2, 3, 9}, {2, 9, 8},
    {3, 4, 10},  {3, 10, 9}, {4, 5, 11}, {4, 11, 10}, {5, 0, 6}, {5, 6, 11}};

static const ts_mesh *notched(void) {
  ts_mesh *mesh;
  cr_assert_eq(ts_mesh_create(&mesh, arena, vertices, 12, triangles, 20), TS_OK, "%s",
               ts_status_detail());
  return mesh;
}

Test(geometry_winding, is_one_inside_and_zero_outside_and_a_half_on_a_face) {
  const ts_mesh *mesh = notched();
  static const struct {
    ts_vec3 point;
    double winding;
  } cases[] = {{{-0.5, 0.5, 0}, 1},  {{0.5, -0.5, 0.9}, 1}, {{-1e-3, -1e-3, 0}, 1},
               {{0.5, 0.5, 0}, 0},   {{1e-3, 1e-3, 0}, 0},  {{1e6, 2, 3}, 0},
               {{0.5, 0, 0.2}, 0.5}, {{-1, 0.3, 0.1}, 0.5}, {{0, 0, 0.3}, 0.75},
               {{1, -1, 0.3}, 0.25}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    cr_expect_float_eq(ts_winding(mesh, mesh->vertices, cases[i].point), cases[i].winding, 1e-9,
                       "point %zu: %g", i, ts_winding(mesh, mesh->vertices, cases[i].point));
}

Test(geometry_winding, goes_with_vertices_that_have_moved_at_any_scale) {
  const ts_mesh *mesh = notched();
  static const double scales[3] = {1e-3, 1, 1e3};
  for (int s = 0; s < 3; s++) {
    ts_pose pose = {ts_quat_from_axis_angle(ts_vec3_unit((ts_vec3){1, 2, 3}), 0.7),
                    {300 * scales[s], -40 * scales[s], 5 * scales[s]}};
    ts_vec3 moved[12];
    for (int i = 0; i < 12; i++)
      moved[i] = ts_pose_point(pose, ts_vec3_scale(vertices[i], scales[s]));
    ts_vec3 in = ts_pose_point(pose, ts_vec3_scale((ts_vec3){-0.5, 0.5, 0}, scales[s]));
    ts_vec3 out = ts_pose_point(pose, ts_vec3_scale((ts_vec3){0.5, 0.5, 0}, scales[s]));
    cr_expect_float_eq(ts_winding(mesh, moved, in), 1, 1e-9);
    cr_expect_float_eq(ts_winding(mesh, moved, out), 0, 1e-9);
  }
}
