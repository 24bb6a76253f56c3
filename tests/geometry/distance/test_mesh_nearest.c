// SPDX-License-Identifier: MIT
// covers: geometry/distance/mesh_nearest.c
#include "base/random.h"
#include "geometry/distance/mesh_nearest.h"
#include "geometry/mesh/winding.h"
#include "tests/geometry/mesh/curved.h"

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_mesh_nearest, .init = setup, .fini = teardown);

static ts_mesh_nearest nearest_to(const ts_mesh *mesh, ts_vec3 from, double enough_m) {
  ts_bvh *bvh;
  ts_mesh_nearest out;
  cr_assert_eq(ts_bvh_create_for_mesh(&bvh, arena, mesh), TS_OK);
  cr_assert_eq(ts_mesh_find_nearest(&out, mesh, bvh, from, enough_m), TS_OK);
  return out;
}

/// Compares with all triangles, and with solid angles.
static void expect_right_around(const ts_mesh *mesh, double size_m) {
  ts_random random = ts_random_seed(1, 1);
  size_t inside = 0;
  for (int k = 0; k < 200; k++) {
    double x = ts_random_uniform(&random, -1, 1), y = ts_random_uniform(&random, -1, 1);
    ts_vec3 from =
        ts_vec3_scale((ts_vec3){x, y, ts_random_uniform(&random, -1, 1)}, size_m * (k % 2 ? 1 : 2));
    double least_m = INFINITY;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
      ts_vec3 corners[3];
      for (int i = 0; i < 3; i++)
        corners[i] = mesh->vertices[mesh->triangles[t][i]];
      least_m = fmin(least_m, ts_closest_point_triangle(from, corners).distance_m);
    }
    ts_mesh_nearest nearest = nearest_to(mesh, from, 0);
    bool is_inside = ts_winding(mesh, mesh->vertices, from) > 0.5;
    cr_expect_eq(nearest.at.distance_m, least_m, "point %d", k);
    cr_expect_eq(ts_mesh_is_inside_of(mesh, &nearest, from), is_inside, "point %d", k);
    inside += is_inside;
  }
  cr_expect(inside > 5 && inside < 195, "%zu", inside);
}

Test(geometry_mesh_nearest, is_as_all_triangles_and_solid_angles_say) {
  static const double scales[3] = {1e-3, 1, 1e3};
  for (int s = 0; s < 3; s++) {
    solid groove = solid_groove(), spike = solid_spike(1, 1.5);
    solid_scale(&groove, scales[s]);
    solid_scale(&spike, scales[s]);
    expect_right_around(solid_mesh(arena, &groove), scales[s]);
    expect_right_around(solid_mesh(arena, &spike), scales[s]);
    expect_right_around(torus_mesh(arena, scales[s], 0.4 * scales[s], 12, 8), scales[s]);
  }
}

Test(geometry_mesh_nearest, at_edges_and_corners_the_side_is_by_all_faces_there) {
  solid s = solid_spike(0.1, 10);
  const ts_mesh *mesh = solid_mesh(arena, &s);
  // Beyond the tip, behind the plane of the face on the other side.
  ts_vec3 beside = {0.005, 0, 10.1};
  ts_mesh_nearest tip = nearest_to(mesh, beside, 0);
  cr_expect_eq(tip.at.kind, TS_FEATURE_VERTEX);
  cr_expect_not(ts_mesh_is_inside_of(mesh, &tip, beside));
  solid g = solid_groove();
  const ts_mesh *groove = solid_mesh(arena, &g);
  ts_vec3 below = {0, -0.1, 0}; // below the bottom of the groove, an edge that is nearest
  ts_mesh_nearest bottom = nearest_to(groove, below, 0);
  cr_expect_eq(bottom.at.kind, TS_FEATURE_EDGE);
  cr_expect(ts_mesh_is_inside_of(groove, &bottom, below));
}

Test(geometry_mesh_nearest, ends_at_what_is_near_enough_and_finds_nothing_near_nowhere) {
  const ts_mesh *mesh = torus_mesh(arena, 1, 0.4, 12, 8);
  ts_vec3 from = {0.1, 0, 0};
  double exact_m = nearest_to(mesh, from, 0).at.distance_m;
  double enough_m = nearest_to(mesh, from, 2).at.distance_m;
  cr_expect(enough_m >= exact_m && enough_m <= 2);
  cr_expect_eq(nearest_to(mesh, (ts_vec3){NAN, 0, 0}, 0).at.distance_m, INFINITY);
}
