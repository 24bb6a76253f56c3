// SPDX-License-Identifier: MIT
// covers: geometry/mesh/mesh.c
#include "base/random.h"
#include "geometry/tolerances.h"
#include "tests/geometry/mesh/solids.h"

#include <stdlib.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_mesh, .init = setup, .fini = teardown);

/// The solid is refused, with all of the words in the message and nothing left in the arena.
static void expect_refused(const solid *s, const char *first_words, const char *second_words) {
  size_t used = ts_arena_used(arena);
  ts_mesh *mesh = NULL;
  cr_assert_eq(solid_try(&mesh, arena, s), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), first_words), "%s", ts_status_detail());
  cr_expect(strstr(ts_status_detail(), second_words), "%s", ts_status_detail());
  cr_expect_null(mesh);
  cr_expect_eq(ts_arena_used(arena), used);
}

Test(geometry_mesh, twins_run_the_other_way) {
  solid s = solid_groove();
  const ts_mesh *mesh = solid_mesh(arena, &s);
  for (uint32_t h = 0; h < 3 * mesh->triangle_count; h++) {
    uint32_t twin = mesh->edge_twin[h];
    cr_assert_neq(twin, h);
    cr_assert_eq(mesh->edge_twin[twin], h);
    cr_assert_eq(mesh->triangles[h / 3][h % 3], mesh->triangles[twin / 3][(twin % 3 + 1) % 3]);
    cr_assert_eq(mesh->triangles[twin / 3][twin % 3], mesh->triangles[h / 3][(h % 3 + 1) % 3]);
  }
}

Test(geometry_mesh, an_edge_has_one_id_on_both_sides) {
  solid s = solid_box(1, 2, 3, 0);
  const ts_mesh *mesh = solid_mesh(arena, &s);
  uint8_t seen[36] = {0};
  size_t ids = 0;
  for (size_t t = 0; t < 12; t++)
    for (int i = 0; i < 3; i++) {
      uint32_t id = ts_mesh_edge_id(mesh, t, i), twin = mesh->edge_twin[3 * t + (size_t)i];
      cr_assert_eq(id, ts_mesh_edge_id(mesh, twin / 3, (int)(twin % 3)));
      cr_assert(id == 3 * t + (size_t)i || id == twin);
      ids += !seen[id];
      seen[id] = 1;
    }
  cr_assert_eq(ids, 18);
}

Test(geometry_mesh, a_copy_is_kept) {
  solid s = solid_tet(1, 1, 1);
  const ts_mesh *mesh = solid_mesh(arena, &s);
  memset(&s, 0xff, sizeof s);
  cr_assert_eq(mesh->triangles[3][2], 3);
  cr_assert_eq(mesh->vertices[1].x, 1);
  cr_assert_eq(mesh->tet_count, 0);
}

Test(geometry_mesh, no_triangle_is_refused) {
  solid s = {0};
  expect_refused(&s, "no triangle", "closed surface");
}

Test(geometry_mesh, very_large_counts_are_refused_before_anything_is_read) {
  ts_mesh *mesh;
  cr_assert_eq(ts_mesh_create(&mesh, arena, NULL, SIZE_MAX, NULL, 4), TS_E_INPUT);
  cr_assert_eq(ts_mesh_create(&mesh, arena, NULL, 4, NULL, ((size_t)1 << 30) + 1), TS_E_INPUT);
  cr_assert(strstr(ts_status_detail(), "1073741825"), "%s", ts_status_detail());
}

Test(geometry_mesh, coordinates_that_are_not_finite_are_refused) {
  solid s = solid_box(1, 1, 1, 0);
  s.vertices[5].y = NAN;
  s.vertices[6].z = INFINITY;
  expect_refused(&s, "vertex 5", "finite");
}

Test(geometry_mesh, coordinates_too_large_to_square_are_refused) {
  solid s = solid_box(1, 1, 1, 0);
  solid_scale(&s, 1e200);
  ts_mesh *mesh;
  cr_assert_eq(solid_try(&mesh, arena, &s), TS_E_INPUT);
}

Test(geometry_mesh, an_index_out_of_range_is_refused) {
  solid s = solid_box(1, 1, 1, 0);
  s.triangles[7][1] = 8;
  expect_refused(&s, "triangle 7", "vertex 8");
}

Test(geometry_mesh, a_repeated_vertex_is_refused) {
  solid s = solid_box(1, 1, 1, 0);
  s.triangles[7][1] = s.triangles[7][0];
  expect_refused(&s, "triangle 7 repeats", "three different corners");
  s = solid_box(1, 1, 1, 0);
  s.triangles[3][2] = s.triangles[3][0];
  expect_refused(&s, "triangle 3 repeats", "three different corners");
}

Test(geometry_mesh, a_flat_triangle_is_refused) {
  // The sides are fine, the cap's triangle 0 has its three corners on a line.
  solid s = solid_box(1, 1, 1, 0);
  s.vertices[1] = ts_vec3_mid(s.vertices[0], s.vertices[2]);
  expect_refused(&s, "triangle 0 (vertices 0, 2, 1)", "degenerate");
  // A needle just above the tolerance passes, one just below does not.
  s = solid_spike(1, 1);
  s.vertices[4] = (ts_vec3){0, -1, 3 * TS_DEGENERATE_TRIANGLE};
  solid_mesh(arena, &s);
  s.vertices[4].z = TS_DEGENERATE_TRIANGLE;
  expect_refused(&s, "triangle 2", "degenerate");
}

Test(geometry_mesh, corners_at_one_place_are_told_without_a_ratio) {
  solid s = solid_box(1, 1, 1, 0);
  s.vertices[1] = s.vertices[2] = s.vertices[0];
  expect_refused(&s, "triangle 0 (vertices 0, 2, 1)", "all its corners at one place");
}

Test(geometry_mesh, a_flat_sheet_is_told_as_one) {
  const ts_vec3 square[4] = {{0, 0, 0}, {4, 0, 3}, {4, 5, 3}, {0, 5, 0}};
  const uint32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
  ts_mesh *mesh;
  for (size_t count = 1; count <= 2; count++) {
    cr_assert_eq(ts_mesh_create(&mesh, arena, square, 4, triangles, count), TS_E_INPUT);
    cr_expect(strstr(ts_status_detail(), "a flat sheet"), "%s", ts_status_detail());
    cr_expect(strstr(ts_status_detail(), "give it a thickness"), "%s", ts_status_detail());
  }
  ts_vec3 bent[4];
  memcpy(bent, square, sizeof bent);
  bent[3].z = 1; // neither flat nor closed
  cr_assert_eq(ts_mesh_create(&mesh, arena, bent, 4, triangles, 2), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "has no partner"), "%s", ts_status_detail());
}

Test(geometry_mesh, an_open_surface_is_refused_with_its_first_edge) {
  solid s = solid_box(1, 1, 1, 0);
  // Without the last triangle, its three neighbours, 3, 8 and 10, miss a partner.
  s.triangle_count--;
  expect_refused(&s, "edge 7-4 of triangle 3 has no partner", "open");
}

Test(geometry_mesh, a_triangle_turned_round_is_refused) {
  solid s = solid_box(1, 1, 1, 0);
  uint32_t swapped = s.triangles[5][0];
  s.triangles[5][0] = s.triangles[5][1];
  s.triangles[5][1] = swapped;
  expect_refused(&s, "runs the same way in triangles", "not oriented");
}

Test(geometry_mesh, an_edge_of_four_triangles_is_refused) {
  // Two boxes that share the vertices of one edge.
  solid s = solid_box(1, 1, 1, 0), other = s;
  solid_join(&s, &other, (ts_vec3){1, 1, 0});
  for (size_t t = 12; t < 24; t++)
    for (int i = 0; i < 3; i++) {
      uint32_t *v = &s.triangles[t][i];
      *v = *v == 8 ? 2 : *v == 12 ? 6 : *v;
    }
  expect_refused(&s, "edge 2-6 is shared by 4 triangles", "not manifold");
}

Test(geometry_mesh, solids_may_share_a_vertex) {
  solid s = solid_tet(1, 1, 1), other = solid_tet(-1, -1, -1);
  for (size_t t = 0; t < 4; t++) {
    uint32_t *v = other.triangles[t], swapped = v[0];
    v[0] = v[1];
    v[1] = swapped;
  }
  solid_join(&s, &other, (ts_vec3){0, 0, 0});
  for (size_t t = 4; t < 8; t++)
    for (int i = 0; i < 3; i++)
      if (s.triangles[t][i] == 4)
        s.triangles[t][i] = 0;
  const ts_mesh *mesh = solid_mesh(arena, &s);
  cr_assert_float_eq(ts_mesh_mass_properties(mesh, 1).volume_m3, 1.0 / 3, 1e-15);
}

Test(geometry_mesh, a_surface_turned_inside_out_is_refused) {
  solid s = solid_box(1, 1, 1, 0);
  for (size_t t = 0; t < s.triangle_count; t++) {
    uint32_t swapped = s.triangles[t][0];
    s.triangles[t][0] = s.triangles[t][1];
    s.triangles[t][1] = swapped;
  }
  expect_refused(&s, "volume is -1 m3", "inside out");
}

Test(geometry_mesh, a_folded_sheet_encloses_nothing) {
  ts_random random = ts_random_seed(3, 0);
  for (int n = 0; n < 100; n++) {
    solid s = {0};
    for (int i = 0; i < 3; i++) {
      double x = ts_random_uniform(&random, -1, 1), y = ts_random_uniform(&random, -1, 1);
      solid_add_vertex(&s, x, y, ts_random_uniform(&random, -1, 1));
    }
    solid_add_triangle(&s, 0, 1, 2);
    solid_add_triangle(&s, 1, 0, 2);
    expect_refused(&s, "encloses nothing", "volume");
  }
}

Test(geometry_mesh, unused_vertices_are_kept) {
  solid s = solid_box(1, 1, 1, 0);
  solid_add_vertex(&s, 9, 0, 0);
  const ts_mesh *mesh = solid_mesh(arena, &s);
  cr_assert_eq(mesh->vertex_count, 9);
  cr_assert_eq(ts_mesh_bounds(mesh).high.x, 9);
  cr_assert_float_eq(ts_mesh_mass_properties(mesh, 1).centre_local.x, 0, 1e-16);
}

Test(geometry_mesh, bounds_and_face_normals_of_a_box) {
  solid s = solid_box(2, 4, 6, 0);
  const ts_mesh *mesh = solid_mesh(arena, &s);
  ts_aabb box = ts_mesh_bounds(mesh);
  cr_assert_eq(box.low.x, -1);
  cr_assert_eq(box.high.z, 3);
  for (size_t t = 0; t < 12; t++) {
    ts_vec3 n = ts_mesh_face_normal(mesh, t), corner = mesh->vertices[mesh->triangles[t][0]];
    cr_assert_eq(ts_vec3_norm(n), 1);
    cr_assert_gt(ts_vec3_dot(n, corner), 0.9, "triangle %zu looks inwards", t);
  }
}

/// Deviation of the mass properties from those given, each relative to its own size.
static void expect_mass(const solid *s, double density, double volume, ts_vec3 centre,
                        double inertia[3][3], double tolerance) {
  ts_mass_properties m = ts_mesh_mass_properties(solid_mesh(arena, s), density);
  double size = ts_aabb_extent(ts_mesh_bounds(solid_mesh(arena, s)));
  double trace = inertia[0][0] + inertia[1][1] + inertia[2][2];
  cr_expect_float_eq(m.volume_m3 / volume, 1, tolerance, "volume %.17g", m.volume_m3);
  cr_expect_float_eq(m.mass_kg / (density * volume), 1, tolerance, "mass %.17g", m.mass_kg);
  // The centre is rounded to the coordinates where it is.
  double rounding = tolerance * size + 4e-16 * ts_vec3_norm(centre);
  cr_expect_leq(ts_vec3_distance(m.centre_local, centre), rounding, "centre (%.17g %.17g %.17g)",
                m.centre_local.x, m.centre_local.y, m.centre_local.z);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      cr_expect_leq(fabs(m.inertia_kg_m2[i][k] - inertia[i][k]), tolerance * trace,
                    "inertia %d %d is %.17g, not %.17g", i, k, m.inertia_kg_m2[i][k],
                    inertia[i][k]);
}

Test(geometry_mesh, mass_of_a_box_at_any_scale) {
  for (int k = 0; k < 3; k++) {
    double scale = k == 0 ? 1e-3 : k == 1 ? 1 : 1e3, a = 1 * scale, b = 2 * scale, c = 5 * scale;
    solid s = solid_box(a, b, c, k & 1);
    double m = 7.0 * a * b * c / 12;
    double inertia[3][3] = {
        {m * (b * b + c * c), 0, 0}, {0, m * (a * a + c * c), 0}, {0, 0, m * (a * a + b * b)}};
    expect_mass(&s, 7, a * b * c, (ts_vec3){0, 0, 0}, inertia, 1e-15);
  }
}

Test(geometry_mesh, mass_far_from_the_local_origin_loses_no_digits) {
  // Coordinates with few enough bits for moving the mesh to be exact, too many for their products.
  ts_pose far = {ts_quat_identity(), {10000, -8000, 9000}};
  double a = 1 + ldexp(1, -20), b = 0.5 + ldexp(1, -21), c = 0.25 + ldexp(1, -22),
         m = 7.0 * a * b * c / 12;
  double inertia[3][3] = {
      {m * (b * b + c * c), 0, 0}, {0, m * (a * a + c * c), 0}, {0, 0, m * (a * a + b * b)}};
  solid s = solid_box(a, b, c, 0);
  solid_move(&s, far);
  expect_mass(&s, 7, a * b * c, far.translation, inertia, 1e-15);
}

Test(geometry_mesh, mass_of_a_tet) {
  double a = 1, b = 2, c = 3, density = 11, m = density * a * b * c / 6;
  solid s = solid_tet(a, b, c);
  double inertia[3][3] = {{3 * m / 80 * (b * b + c * c), m * a * b / 80, m * a * c / 80},
                          {m * a * b / 80, 3 * m / 80 * (a * a + c * c), m * b * c / 80},
                          {m * a * c / 80, m * b * c / 80, 3 * m / 80 * (a * a + b * b)}};
  expect_mass(&s, density, 1, (ts_vec3){a / 4, b / 4, c / 4}, inertia, 1e-15);
}

Test(geometry_mesh, mass_of_a_frustum) {
  double r = 0.25, q = 0.15, h = 0.7, density = 2000, root = sqrt(3);
  double low = 1.5 * root * r * r, high = 1.5 * root * q * q, mid = 1.5 * root * r * q;
  double volume = h / 3 * (low + mid + high);
  double z = h / 4 * (low + 2 * mid + 3 * high) / (low + mid + high);
  // Integrals over the height of r^4 and of z^2 r^2, r falling from r to q.
  double r4 = h / 5 * (pow(r, 5) - pow(q, 5)) / (r - q), d = q - r;
  double zz = pow(h, 3) * (r * r / 3 + 2 * r * d / 4 + d * d / 5) * 1.5 * root;
  double polar = density * 5 * root / 8 * r4;
  double across = 0.5 * polar + density * (zz - volume * z * z);
  double inertia[3][3] = {{across, 0, 0}, {0, across, 0}, {0, 0, polar}};
  solid s = solid_frustum(r, q, h);
  expect_mass(&s, density, volume, (ts_vec3){0, 0, z}, inertia, 1e-14);
}

Test(geometry_mesh, mass_turns_with_the_mesh) {
  solid s = solid_groove();
  ts_mass_properties before = ts_mesh_mass_properties(solid_mesh(arena, &s), 3);
  ts_pose pose = {ts_quat_uniform(0.2, 0.7, 0.4), {1, 2, 3}};
  solid_move(&s, pose);
  ts_mass_properties after = ts_mesh_mass_properties(solid_mesh(arena, &s), 3);
  ts_vec3 axis[3];
  for (int i = 0; i < 3; i++)
    axis[i] = ts_pose_direction(pose, (ts_vec3){i == 0, i == 1, i == 2});
  cr_assert_float_eq(after.volume_m3, before.volume_m3, 1e-13);
  cr_assert_lt(ts_vec3_distance(after.centre_local, ts_pose_point(pose, before.centre_local)),
               1e-14);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      double turned = 0;
      for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) {
          double u = p == 0 ? axis[i].x : p == 1 ? axis[i].y : axis[i].z;
          double v = q == 0 ? axis[k].x : q == 1 ? axis[k].y : axis[k].z;
          turned += u * after.inertia_kg_m2[p][q] * v;
        }
      cr_assert_float_eq(turned, before.inertia_kg_m2[i][k], 1e-12);
    }
}

Test(geometry_mesh, a_large_sphere_with_crowded_poles_is_taken) {
  // Rings of a latitude-longitude sphere; each pole has `around` triangles.
  enum { rings = 199, around = 400 };
  const double pi = 3.14159265358979323846;
  size_t vertex_count = 2 + rings * around, triangle_count = 2 * rings * around, t = 0;
  ts_vec3 *v = ts_arena_array(arena, vertex_count, sizeof *v);
  uint32_t(*triangles)[3] = ts_arena_array(arena, triangle_count, sizeof *triangles);
  v[0] = (ts_vec3){0, 0, -1};
  v[1] = (ts_vec3){0, 0, 1};
  for (uint32_t r = 0; r < rings; r++)
    for (uint32_t i = 0; i < around; i++) {
      double lat = pi * (r + 1) / (rings + 1) - pi / 2, lon = 2 * pi * i / around;
      v[2 + r * around + i] = (ts_vec3){cos(lat) * cos(lon), cos(lat) * sin(lon), sin(lat)};
    }
  for (uint32_t i = 0; i < around; i++) {
    uint32_t k = (i + 1) % around;
    uint32_t last = 2 + (rings - 1) * around;
    uint32_t fan[2][3] = {{0, 2 + k, 2 + i}, {1, last + i, last + k}};
    memcpy(triangles[t++], fan[0], sizeof fan[0]);
    memcpy(triangles[t++], fan[1], sizeof fan[1]);
    for (uint32_t r = 0; r + 1 < rings; r++) {
      uint32_t low = 2 + r * around, high = low + around;
      uint32_t quad[2][3] = {{low + i, low + k, high + k}, {low + i, high + k, high + i}};
      memcpy(triangles[t++], quad[0], sizeof quad[0]);
      memcpy(triangles[t++], quad[1], sizeof quad[1]);
    }
  }
  cr_assert_eq(t, triangle_count);
  ts_mesh *mesh;
  cr_assert_eq(ts_mesh_create(&mesh, arena, v, vertex_count, triangles, triangle_count), TS_OK,
               "%s", ts_status_detail());
  cr_assert_float_eq(ts_mesh_mass_properties(mesh, 1).volume_m3, 4 * pi / 3, 1e-3);
}

/// A box with a vertex (8) in its middle and a tet from there to each triangle.
static ts_mesh *box_with_middle(uint32_t (*tets)[4]) {
  solid s = solid_box(1, 2, 3, 0);
  solid_add_vertex(&s, 0.1, 0.2, -0.3);
  for (size_t t = 0; t < 12; t++) {
    tets[t][0] = s.triangles[t][0];
    tets[t][1] = s.triangles[t][2];
    tets[t][2] = s.triangles[t][1];
    tets[t][3] = 8;
  }
  return solid_mesh(arena, &s);
}

Test(geometry_mesh, tets_get_their_surface_flags) {
  uint32_t tets[12][4];
  ts_mesh *mesh = box_with_middle(tets);
  cr_assert_eq(ts_mesh_set_tets(mesh, arena, tets, 12), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(mesh->tet_count, 12);
  for (size_t t = 0; t < 12; t++)
    cr_assert_eq(mesh->tet_surface[t], 1u << 3, "tet %zu has flags %u", t, mesh->tet_surface[t]);
  solid s = solid_tet(1, 1, 1);
  ts_mesh *one = solid_mesh(arena, &s);
  uint32_t whole[1][4] = {{0, 1, 2, 3}};
  cr_assert_eq(ts_mesh_set_tets(one, arena, whole, 1), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(one->tet_surface[0], 15);
}

static void expect_tets_refused(ts_mesh *mesh, const uint32_t (*tets)[4], size_t count,
                                const char *words) {
  size_t used = ts_arena_used(arena);
  cr_assert_eq(ts_mesh_set_tets(mesh, arena, tets, count), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), words), "%s", ts_status_detail());
  cr_expect_eq(mesh->tet_count, 0);
  cr_expect_eq(ts_arena_used(arena), used);
}

Test(geometry_mesh, tets_that_do_not_fill_the_surface_are_refused) {
  uint32_t tets[13][4];
  ts_mesh *mesh = box_with_middle(tets);
  expect_tets_refused(mesh, tets, 11, "fill the surface exactly once");
  memcpy(tets[12], tets[0], sizeof tets[0]);
  expect_tets_refused(mesh, tets, 13, "fill the surface exactly once");
  expect_tets_refused(mesh, tets, 0, "fill the surface exactly once");
  uint32_t swapped = tets[4][0];
  tets[4][0] = tets[4][1];
  tets[4][1] = swapped;
  expect_tets_refused(mesh, tets, 12, "tet 4");
  tets[4][0] = tets[4][1];
  expect_tets_refused(mesh, tets, 12, "not above zero");
  tets[4][0] = 9;
  expect_tets_refused(mesh, tets, 12, "tet 4 uses vertex 9");
  expect_tets_refused(mesh, tets, ((size_t)1 << 30) + 1, "more than");
}

Test(geometry_mesh, three_tets_on_one_face_are_refused) {
  // Three equal tets and nothing in the other two thirds: the volume is right, the tets are not.
  solid s = solid_tet(1, 1, 1), other = s;
  solid_join(&s, &other, (ts_vec3){5, 0, 0});
  solid_join(&s, &other, (ts_vec3){10, 0, 0});
  ts_mesh *mesh = solid_mesh(arena, &s);
  uint32_t tets[3][4] = {{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}};
  expect_tets_refused(mesh, tets, 3, "shared by 3 tets");
}

Test(geometry_mesh, other_positions_keep_the_connectivity) {
  uint32_t tets[12][4];
  ts_mesh *mesh = box_with_middle(tets), *moved = NULL;
  cr_assert_eq(ts_mesh_set_tets(mesh, arena, tets, 12), TS_OK);
  ts_vec3 vertices[9];
  for (size_t i = 0; i < 9; i++)
    vertices[i] = ts_vec3_scale(mesh->vertices[i], 2);
  cr_assert_eq(ts_mesh_with_vertices(&moved, arena, mesh, vertices), TS_OK);
  cr_assert_neq(moved->edge_twin, mesh->edge_twin);
  cr_assert_eq(memcmp(moved->edge_twin, mesh->edge_twin, 36 * sizeof *moved->edge_twin), 0);
  cr_assert_eq(memcmp(moved->tets, mesh->tets, sizeof tets), 0);
  cr_assert_eq(memcmp(moved->tet_surface, mesh->tet_surface, 12), 0);
  cr_assert_float_eq(ts_mesh_mass_properties(moved, 1).volume_m3, 48, 1e-12);
}

Test(geometry_mesh, other_positions_are_checked_too) {
  uint32_t tets[12][4];
  ts_mesh *mesh = box_with_middle(tets), *moved = NULL;
  cr_assert_eq(ts_mesh_set_tets(mesh, arena, tets, 12), TS_OK);
  size_t used = ts_arena_used(arena);
  ts_vec3 vertices[9];
  for (size_t i = 0; i < 9; i++)
    vertices[i] = ts_vec3_neg(mesh->vertices[i]);
  cr_assert_eq(ts_mesh_with_vertices(&moved, arena, mesh, vertices), TS_E_INPUT);
  cr_assert(strstr(ts_status_detail(), "inside out"), "%s", ts_status_detail());
  memcpy(vertices, mesh->vertices, sizeof vertices);
  vertices[8].x = 3; // outside: the surface is fine, a tet is not
  cr_assert_eq(ts_mesh_with_vertices(&moved, arena, mesh, vertices), TS_E_INPUT);
  cr_assert(strstr(ts_status_detail(), "tet "), "%s", ts_status_detail());
  vertices[8].x = NAN;
  cr_assert_eq(ts_mesh_with_vertices(&moved, arena, mesh, vertices), TS_E_INPUT);
  cr_assert(strstr(ts_status_detail(), "vertex 8"), "%s", ts_status_detail());
  cr_assert_eq(ts_arena_used(arena), used);
}
