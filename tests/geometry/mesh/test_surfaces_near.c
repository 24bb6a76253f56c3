// SPDX-License-Identifier: MIT
// covers: geometry/mesh/surfaces_near.c
#include "geometry/mesh/surfaces_near.h"

#include "base/arena.h"
#include "geometry/pose.h"
#include "tests/geometry/mesh/solids.h"

#include <criterion/criterion.h>
#include <math.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_surfaces_near, .init = setup, .fini = teardown);

/// A cube with this edge about the origin.
static ts_surface cube(double edge_m) {
  ts_mesh *mesh = ts_arena_alloc(arena, sizeof *mesh);
  ts_vec3 *vertices = ts_arena_array(arena, 8, sizeof *vertices);
  static const uint32_t triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                            {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                            {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  for (int i = 0; i < 8; i++)
    vertices[i] =
        ts_vec3_scale(ts_vec3_make(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1), edge_m / 2);
  *mesh = (ts_mesh){
      .vertex_count = 8, .triangle_count = 12, .vertices = vertices, .triangles = triangles};
  ts_bvh *bvh;
  cr_assert_eq(ts_bvh_create_for_mesh(&bvh, arena, mesh), TS_OK);
  return (ts_surface){mesh, bvh};
}

static bool are_near(ts_surface a, ts_surface b, ts_vec3 offset, double within_m) {
  bool is_near;
  ts_pose b_to_a = {{1, 0, 0, 0}, offset};
  cr_assert_eq(ts_surfaces_are_near(&is_near, a, b, b_to_a, within_m), TS_OK);
  return is_near;
}

Test(geometry_surfaces_near, is_by_distance_at_every_scale) {
  static const double scales[] = {1e-3, 1, 1e3};
  for (int i = 0; i < 3; i++) {
    double s = scales[i];
    ts_surface a = cube(s), b = cube(2 * s);
    cr_expect(are_near(a, b, ts_vec3_make(1.5 * s, 0, 0), 1e-9 * s), "faces touch");
    cr_expect(are_near(a, b, ts_vec3_make(1.501 * s, 0, 0), 2e-3 * s));
    cr_expect_not(are_near(a, b, ts_vec3_make(1.501 * s, 0, 0), 0.5e-3 * s));
    cr_expect(are_near(a, b, ts_vec3_make(1.5 * s, 1.5 * s, 1.5 * s), 1e-9 * s), "corners touch");
    cr_expect(are_near(a, b, ts_vec3_make(s, 0.2 * s, 0), 0), "they cross");
    cr_expect_not(are_near(a, b, ts_vec3_make(0.1 * s, 0, 0), 0.1 * s), "one is inside the other");
  }
}
