// SPDX-License-Identifier: MIT
// covers: methods/pressure/pressure_split.c
#include "geometry/mesh/mesh.h"
#include "geometry/tet.h"
#include "geometry/vec3.h"
#include "methods/pressure/pressure_split.h"
#include "tests/methods/method_fixture.h"

#include <criterion/criterion.h>
#include <math.h>

static method_fixture f;

static void setup(void) {
  fixture_open(&f);
}

static void teardown(void) {
  fixture_close(&f);
}

TestSuite(methods_pressure_split, .init = setup, .fini = teardown);

static double volume_of(const ts_pressure_tets *tets) {
  double volume_m3 = 0;
  for (size_t t = 0; t < tets->tet_count; t++) {
    ts_vec3 corners[4];
    for (int i = 0; i < 4; i++)
      corners[i] = tets->points[tets->tets[t][i]];
    cr_expect_gt(fabs(ts_tet_volume(corners)), 0);
    volume_m3 += fabs(ts_tet_volume(corners));
  }
  return volume_m3;
}

static size_t surface_faces(const ts_pressure_tets *tets) {
  size_t count = 0;
  for (size_t t = 0; t < tets->tet_count; t++)
    for (int i = 0; i < 4; i++)
      count += tets->faces[t] >> i & 1;
  return count;
}

/// Every tet has a node inside, its surface faces have none, and together they are the mesh.
static void expect_pressure_everywhere(const ts_pressure_tets *tets, const ts_mesh *mesh) {
  for (size_t t = 0; t < tets->tet_count; t++) {
    int inside = 0;
    for (int i = 0; i < 4; i++) {
      inside += !tets->on_surface[tets->tets[t][i]];
      for (int k = 0; k < 3 && tets->faces[t] >> i & 1; k++)
        cr_expect(tets->on_surface[tets->tets[t][ts_tet_face_nodes[i][k]]]);
    }
    cr_expect_gt(inside, 0, "tet %zu", t);
  }
  double volume_m3 = ts_mesh_mass_properties(mesh, 1).volume_m3;
  cr_expect_float_eq(volume_of(tets), volume_m3, 1e-12 * volume_m3);
  cr_expect_eq(surface_faces(tets), mesh->triangle_count);
}

static ts_pressure_tets split(const ts_mesh *mesh) {
  ts_pressure_tets tets;
  cr_assert_eq(ts_pressure_split(&tets, f.arena, mesh), TS_OK);
  return tets;
}

static const ts_mesh *filled(const ts_vec3 *vertices, const uint32_t (*triangles)[3],
                             size_t triangle_count, const uint32_t (*tets)[4], size_t tet_count) {
  ts_mesh *mesh;
  cr_assert_eq(ts_mesh_create(&mesh, f.arena, vertices, 5, triangles, triangle_count), TS_OK);
  cr_assert_eq(ts_mesh_set_tets(mesh, f.arena, tets, tet_count), TS_OK);
  return mesh;
}

static const uint32_t bipyramid[6][3] = {{0, 1, 3}, {1, 2, 3}, {2, 0, 3},
                                         {1, 0, 4}, {2, 1, 4}, {0, 2, 4}};

Test(methods_pressure_split, a_face_between_points_of_the_surface_gets_a_node) {
  // Concave: the lower tip is far to one side.
  static const ts_vec3 vertices[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, 1}, {2, 2, -0.5}};
  static const uint32_t two[2][4] = {{0, 1, 2, 3}, {0, 2, 1, 4}};
  const ts_mesh *mesh = filled(vertices, bipyramid, 6, two, 2);
  ts_pressure_tets tets = split(mesh);
  cr_expect_eq(tets.flat_count, 2);
  cr_expect_eq(tets.point_count, 5 + 1 + 2); // in the face, in each tet
  cr_expect_eq(tets.tet_count, 2 * (3 + 3)); // a surface face stays whole, the other is in three
  expect_pressure_everywhere(&tets, mesh);
}

Test(methods_pressure_split, an_edge_between_points_of_the_surface_gets_a_node) {
  static const ts_vec3 vertices[5] = {
      {1, 0, 0}, {-0.5, 0.8, 0}, {-0.5, -0.8, 0}, {0, 0, 1}, {0, 0, -2}};
  static const uint32_t three[3][4] = {{0, 1, 3, 4}, {1, 2, 3, 4}, {2, 0, 3, 4}};
  uint32_t tets_of[3][4];
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < 4; i++)
      tets_of[t][i] = three[t][i < 2 ? 1 - i : i]; // positive volumes
  const ts_mesh *mesh = filled(vertices, bipyramid, 6, (const uint32_t(*)[4])tets_of, 3);
  ts_pressure_tets tets = split(mesh);
  cr_expect_eq(tets.flat_count, 3);
  cr_expect_eq(tets.point_count, 5 + 1 + 3 + 3); // on the edge, in its faces, in the tets
  cr_expect_eq(tets.tet_count, 3 * (4 + 4 + 1 + 1));
  expect_pressure_everywhere(&tets, mesh);
}

Test(methods_pressure_split, tets_with_a_node_inside_stay) {
  static const ts_vec3 vertices[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.2, 0.2, 0.2}};
  static const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  static const uint32_t four[4][4] = {{0, 1, 2, 4}, {0, 3, 1, 4}, {0, 2, 3, 4}, {1, 3, 2, 4}};
  const ts_mesh *mesh = filled(vertices, faces, 4, four, 4);
  ts_pressure_tets tets = split(mesh);
  cr_expect_eq(tets.flat_count, 0);
  cr_expect_eq(tets.point_count, 5);
  cr_expect_eq(tets.tet_count, 4);
  expect_pressure_everywhere(&tets, mesh);
}

Test(methods_pressure_split, a_convex_mesh_is_cut_from_its_centre) {
  const ts_mesh *box = fixture_box(&f, (ts_vec3){1, 2, 3}, (ts_vec3){3, 3, 7}, 0, 1);
  ts_pressure_tets tets;
  cr_assert_eq(ts_pressure_fan(&tets, f.arena, box), TS_OK);
  cr_expect_eq(tets.tet_count, 12);
  cr_expect_eq(tets.point_count, 9);
  cr_expect_leq(ts_vec3_distance(tets.points[8], (ts_vec3){2, 2.5, 5}), 1e-14);
  expect_pressure_everywhere(&tets, box);
}
