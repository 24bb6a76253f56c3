// SPDX-License-Identifier: MIT
// covers: geometry/mesh/mesh_split.c
#include "geometry/mesh/mesh_split.h"
#include "tests/geometry/mesh/solids.h"

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_mesh_split, .init = setup, .fini = teardown);

static const ts_mesh *box(double width, double depth, double height) {
  solid s = solid_box(width, depth, height, 0);
  ts_mesh *mesh;
  cr_assert_eq(
      ts_mesh_create(&mesh, arena, s.vertices, s.vertex_count, s.triangles, s.triangle_count),
      TS_OK, "%s", ts_status_detail());
  return mesh;
}

static double longest_edge(const ts_mesh *mesh) {
  double longest = 0;
  for (size_t h = 0; h < 3 * mesh->triangle_count; h++) {
    const uint32_t *v = mesh->triangles[h / 3];
    longest =
        ts_max(longest, ts_vec3_distance(mesh->vertices[v[h % 3]], mesh->vertices[v[(h + 1) % 3]]));
  }
  return longest;
}

Test(geometry_mesh_split, edges_are_short_enough_and_the_solid_is_the_same) {
  static const double edges[] = {3, 1.5, 1.4, 0.7, 0.3, 0.11};
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
    for (int k = 0; k < 3; k++) {
      double scale = k == 0 ? 1 : k == 1 ? 1e-3 : 1e3;
      const ts_mesh *mesh = box(scale, 1.3 * scale, 0.2 * scale), *out;
      cr_assert_eq(ts_mesh_split_edges(&out, arena, mesh, edges[i] * scale), TS_OK, "%s",
                   ts_status_detail());
      cr_expect_leq(longest_edge(out), edges[i] * scale);
      double volume = 0.26 * scale * scale * scale;
      cr_expect_float_eq(ts_mesh_mass_properties(out, 1).volume_m3, volume, 1e-13 * volume);
      cr_expect_arr_eq(out->vertices, mesh->vertices, 8 * sizeof *mesh->vertices);
    }
}

Test(geometry_mesh_split, nothing_is_made_where_no_edge_is_too_long) {
  const ts_mesh *mesh = box(1, 1, 1), *out;
  cr_assert_eq(ts_mesh_split_edges(&out, arena, mesh, 1.5), TS_OK);
  cr_expect_eq(out, mesh);
}

Test(geometry_mesh_split, long_and_thin_triangles_come_to_an_end) {
  const ts_mesh *mesh = box(1000, 1, 1), *out;
  cr_assert_eq(ts_mesh_split_edges(&out, arena, mesh, 10), TS_OK, "%s", ts_status_detail());
  cr_expect_leq(longest_edge(out), 10);
  cr_expect_float_eq(ts_mesh_mass_properties(out, 1).volume_m3, 1000, 1e-9);
}

Test(geometry_mesh_split, more_triangles_than_there_is_room_for_are_refused) {
  const ts_mesh *mesh = box(1, 1, 1), *out;
  cr_expect_eq(ts_mesh_split_edges(&out, arena, mesh, 1e-4), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "longer ones"), "%s", ts_status_detail());
}
