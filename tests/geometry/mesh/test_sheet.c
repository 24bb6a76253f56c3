// SPDX-License-Identifier: MIT
// covers: geometry/mesh/sheet.c geometry/mesh/sheet_layers.c
#include "geometry/mesh/sheet.h"
#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include "base/random.h"
#include "base/status.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_sheet, .init = setup, .fini = teardown);

static const uint32_t square_faces[2][3] = {{0, 1, 2}, {0, 2, 3}};

/// A level square of side 2 s at this height.
static void put_square(ts_vec3 out[4], double s, double height) {
  const ts_vec3 corners[4] = {{-s, height, -s}, {-s, height, s}, {s, height, s}, {s, height, -s}};
  memcpy(out, corners, sizeof corners);
}

/// The inside of a room: a floor and four walls, which face in.
static const ts_vec3 room_corners[8] = {{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1},
                                        {-1, 1, -1}, {-1, 1, 1}, {1, 1, 1}, {1, 1, -1}};
static const uint32_t room_faces[10][3] = {{0, 1, 2}, {0, 2, 3}, {0, 4, 5}, {0, 5, 1}, {3, 7, 4},
                                           {3, 4, 0}, {2, 6, 7}, {2, 7, 3}, {1, 5, 6}, {1, 6, 2}};

static ts_status try_sheet(ts_mesh **out, ts_sheet *sheet, const ts_open_mesh *surface,
                           double thickness_m, double layer_m) {
  *sheet = (ts_sheet){.thickness_m = thickness_m};
  (void)ts_open_mesh_up(&sheet->up_local, surface);
  return ts_sheet_create(out, sheet, arena, surface, layer_m);
}

static double tets_volume(const ts_mesh *mesh) {
  double sum = 0;
  for (size_t t = 0; t < mesh->tet_count; t++) {
    const uint32_t *c = mesh->tets[t];
    ts_vec3 a = mesh->vertices[c[0]];
    sum += ts_vec3_dot(ts_vec3_cross(ts_vec3_sub(mesh->vertices[c[1]], a),
                                     ts_vec3_sub(mesh->vertices[c[2]], a)),
                       ts_vec3_sub(mesh->vertices[c[3]], a)) /
           6;
  }
  return sum;
}

/// That each triangle of the surface is one of the sheet, with corners equal to the bit.
static void expect_upper_side(const ts_mesh *mesh, const ts_open_mesh *surface, size_t stride) {
  for (size_t t = 0; t < surface->triangle_count; t++)
    for (int i = 0; i < 3; i++)
      cr_expect_eq(memcmp(&mesh->vertices[mesh->triangles[stride * t][i]],
                          &surface->vertices[surface->triangles[t][i]], sizeof(ts_vec3)),
                   0, "corner %d of triangle %zu", i, t);
}

/// That a sheet, its tets and its pieces have the same volume, and the pieces are convex bodies.
static void expect_filled(const ts_mesh *mesh, const ts_sheet *sheet, const ts_open_mesh *surface) {
  double whole_m3 = ts_mesh_mass_properties(mesh, 1).volume_m3, sum_m3 = 0;
  cr_expect_float_eq(tets_volume(mesh), whole_m3, 1e-12 * whole_m3);
  for (size_t t = 0; t < surface->triangle_count; t++) {
    ts_mesh *piece;
    cr_assert_eq(ts_sheet_prism(&piece, arena, sheet, surface, t), TS_OK, "%s", ts_status_detail());
    sum_m3 += ts_mesh_mass_properties(piece, 1).volume_m3;
  }
  cr_expect_float_eq(sum_m3, whole_m3, 1e-12 * whole_m3);
}

/// A bumpy surface of n x n cells of side `cell_m`, at an offset from the origin.
static ts_open_mesh make_bumps(size_t n, double cell_m, ts_vec3 offset, uint64_t seed) {
  ts_random random = ts_random_seed(seed, 0);
  ts_vec3 *vertices = ts_arena_array(arena, (n + 1) * (n + 1), sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(arena, 2 * n * n, sizeof *triangles);
  for (size_t r = 0; r <= n; r++)
    for (size_t c = 0; c <= n; c++)
      vertices[r * (n + 1) + c] = ts_vec3_add(
          offset, ts_vec3_make(cell_m * (double)c, cell_m * ts_random_uniform(&random, -1, 1),
                               cell_m * (double)r));
  size_t count = 0;
  for (size_t r = 0; r < n; r++)
    for (size_t c = 0; c < n; c++) {
      uint32_t near = (uint32_t)(r * (n + 1) + c), far = near + (uint32_t)n + 1;
      const uint32_t cell[2][3] = {{near, far, far + 1}, {near, far + 1, near + 1}};
      memcpy(triangles[count], cell, sizeof cell);
      count += 2;
    }
  return (ts_open_mesh){(n + 1) * (n + 1), vertices, count, (const uint32_t(*)[3])triangles};
}

Test(geometry_sheet, one_surface_keeps_its_triangles_and_is_filled_whatever_its_size_and_place) {
  const double cells[] = {1e-3, 1, 1e3};
  for (int i = 0; i < 3; i++)
    for (int is_far = 0; is_far < 2; is_far++) {
      double far_m = is_far ? 1e4 * cells[i] : 0;
      ts_open_mesh bumps =
          make_bumps(6, cells[i], ts_vec3_make(far_m, -far_m, far_m), 3 + (uint64_t)i);
      ts_mesh *mesh;
      ts_sheet sheet;
      cr_assert_eq(try_sheet(&mesh, &sheet, &bumps, 3 * cells[i], 0.01 * cells[i]), TS_OK, "%s",
                   ts_status_detail());
      cr_expect_eq(sheet.form, TS_SHEET_ONE);
      cr_expect_eq(sheet.thickness_m, 3 * cells[i]);
      expect_upper_side(mesh, &bumps, 1);
      double far_share = is_far ? 1e-6 : 1e-12; // of the volume that rounding changes
      double whole_m3 = ts_mesh_mass_properties(mesh, 1).volume_m3;
      cr_expect_float_eq(tets_volume(mesh), whole_m3, far_share * whole_m3);
    }
}

Test(geometry_sheet, prisms_below_the_triangles_fill_it) {
  ts_open_mesh bumps = make_bumps(4, 1, ts_vec3_make(0, 0, 0), 9);
  ts_mesh *mesh;
  ts_sheet sheet;
  cr_assert_eq(try_sheet(&mesh, &sheet, &bumps, 5, 0.01), TS_OK);
  expect_filled(mesh, &sheet, &bumps);
}

Test(geometry_sheet, a_closed_surface_stays_as_it_is) {
  static const uint32_t lid[2][3] = {{4, 7, 6}, {4, 6, 5}};
  uint32_t faces[12][3];
  // Of the room with a lid, seen from outside.
  for (int t = 0; t < 10; t++)
    for (int i = 0; i < 3; i++)
      faces[t][i] = room_faces[t][2 - i];
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < 3; i++)
      faces[10 + t][i] = lid[t][2 - i];
  ts_open_mesh box = {8, room_corners, 12, (const uint32_t(*)[3])faces};
  ts_mesh *mesh;
  ts_sheet sheet;
  cr_assert_eq(try_sheet(&mesh, &sheet, &box, 1, 0.01), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(sheet.form, TS_SHEET_CLOSED);
  cr_expect_eq(sheet.thickness_m, 0);
  cr_expect_eq(mesh->triangle_count, 12);
  cr_expect_float_eq(ts_mesh_mass_properties(mesh, 1).volume_m3, 4, 1e-12);
}

Test(geometry_sheet, the_inside_of_a_room_gets_a_prism_behind_each_triangle) {
  ts_open_mesh room = {8, room_corners, 10, room_faces};
  ts_mesh *mesh;
  ts_sheet sheet;
  cr_assert_eq(try_sheet(&mesh, &sheet, &room, 0.5, 0.01), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(sheet.form, TS_SHEET_PRISMS);
  cr_expect_eq(ts_vec3_norm2(sheet.up_local), 0);
  cr_expect_eq(sheet.thickness_m, 0.5);
  expect_upper_side(mesh, &room, 8);
  expect_filled(mesh, &sheet, &room);
  for (size_t v = 0; v < mesh->vertex_count; v++) { // nothing stands out into the room
    ts_vec3 p = mesh->vertices[v];
    cr_expect(fabs(p.x) >= 1 || fabs(p.z) >= 1 || p.y <= 0, "(%g, %g, %g)", p.x, p.y, p.z);
  }
}

Test(geometry_sheet, edges_that_end_within_others_make_prisms_along_up) {
  // Two squares beside one that is twice as long.
  static const ts_vec3 vertices[9] = {{-1, 0, 0}, {-1, 0, 2}, {0, 0, 2}, {0, 0, 0}, {0, 0, 1},
                                      {1, 0, 1},  {1, 0, 0},  {1, 0, 2}, {0, 0, 2}};
  static const uint32_t faces[6][3] = {{0, 1, 2}, {0, 2, 3}, {3, 4, 5},
                                       {3, 5, 6}, {4, 8, 7}, {4, 7, 5}};
  const ts_open_mesh given = {9, vertices, 6, faces};
  ts_open_mesh soup;
  size_t dropped;
  cr_assert_eq(ts_open_mesh_clean(&soup, &dropped, arena, &given), TS_OK);
  cr_expect_eq(soup.vertex_count, 8, "two were at one place");
  ts_mesh *mesh;
  ts_sheet sheet;
  cr_assert_eq(try_sheet(&mesh, &sheet, &soup, 1, 0.01), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(sheet.form, TS_SHEET_PRISMS);
  cr_expect_eq(sheet.up_local.y, 1);
  cr_expect_float_eq(ts_mesh_mass_properties(mesh, 1).volume_m3, 4, 1e-12);
  expect_filled(mesh, &sheet, &soup);
}

Test(geometry_sheet, a_surface_above_itself_leaves_the_room_in_between) {
  ts_vec3 vertices[8];
  uint32_t faces[4][3];
  put_square(vertices, 4, 0);
  put_square(vertices + 4, 1, 1.2);
  memcpy(faces, square_faces, sizeof square_faces);
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < 3; i++)
      faces[2 + t][i] = square_faces[t][i] + 4;
  ts_open_mesh bridge = {8, vertices, 4, (const uint32_t(*)[3])faces};
  ts_mesh *mesh;
  ts_sheet sheet;
  cr_assert_eq(try_sheet(&mesh, &sheet, &bridge, 2, 0.01), TS_OK, "%s", ts_status_detail());
  cr_expect_float_eq(sheet.thickness_m, 0.06, 1e-15);
  // As thick as it was made, it is made so again.
  double thickness_m = sheet.thickness_m;
  cr_assert_eq(try_sheet(&mesh, &sheet, &bridge, thickness_m, 0.01), TS_OK);
  cr_expect_eq(sheet.thickness_m, thickness_m);
  // Nothing fits in between: the upper one counts.
  cr_assert_eq(try_sheet(&mesh, &sheet, &bridge, 2, 1.3), TS_OK);
  cr_expect_eq(sheet.thickness_m, 2);
}

Test(geometry_sheet, both_sides_of_a_wall_share_what_is_between_them) {
  // Two sides of a wall and its top, open below.
  static const ts_vec3 vertices[8] = {{0, 0, 0}, {0, 2, 0}, {0, 2, 3}, {0, 0, 3},
                                      {1, 0, 0}, {1, 2, 0}, {1, 2, 3}, {1, 0, 3}};
  static const uint32_t faces[6][3] = {{0, 3, 2}, {0, 2, 1}, {4, 5, 6},
                                       {4, 6, 7}, {1, 2, 6}, {1, 6, 5}};
  ts_open_mesh wall = {8, vertices, 6, faces};
  ts_mesh *mesh;
  ts_sheet sheet;
  cr_assert_eq(try_sheet(&mesh, &sheet, &wall, 5, 0.01), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(sheet.thickness_m, 0.5);
  for (size_t v = 0; v < mesh->vertex_count; v++)
    cr_expect(mesh->vertices[v].x >= 0 && mesh->vertices[v].x <= 1 && mesh->vertices[v].y <= 2);
}

Test(geometry_sheet, what_has_nothing_solid_behind_it_is_refused) {
  static const uint32_t both[4][3] = {{0, 1, 2}, {0, 2, 3}, {2, 1, 0}, {3, 2, 0}};
  ts_vec3 vertices[4];
  put_square(vertices, 1, 0);
  ts_open_mesh leaf = {4, vertices, 4, both};
  ts_mesh *mesh;
  ts_sheet sheet;
  cr_expect_eq(try_sheet(&mesh, &sheet, &leaf, 1, 0.01), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "triangles 0 and 2 face away"), "%s", ts_status_detail());
  // Two steep sides that meet above: no direction has both face it.
  static const ts_vec3 fin[6] = {{-0.05, 0, -2}, {-0.05, 0, 2}, {0, 2, 2},
                                 {0, 2, -2},     {0.05, 0, 2},  {0.05, 0, -2}};
  static const uint32_t sides[4][3] = {{0, 1, 2}, {0, 2, 3}, {3, 2, 4}, {3, 4, 5}};
  ts_open_mesh sharp = {6, fin, 4, sides};
  cr_expect_eq(try_sheet(&mesh, &sheet, &sharp, 1, 0.001), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "less than a right angle"), "%s", ts_status_detail());
}

Test(geometry_sheet, a_deep_valley_is_one_sheet_that_does_not_meet_itself) {
  static const ts_vec3 vertices[6] = {{-0.3, 2, -2}, {-0.3, 2, 2}, {0, 0, 2},
                                      {0, 0, -2},    {0.3, 2, 2},  {0.3, 2, -2}};
  static const uint32_t faces[4][3] = {{0, 1, 2}, {0, 2, 3}, {3, 2, 4}, {3, 4, 5}};
  ts_open_mesh valley = {6, vertices, 4, faces};
  ts_mesh *mesh;
  ts_sheet sheet;
  cr_assert_eq(try_sheet(&mesh, &sheet, &valley, 2, 0.01), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(sheet.form, TS_SHEET_ONE);
  cr_expect_eq(sheet.thickness_m, 2);
  cr_expect_float_eq(ts_mesh_mass_properties(mesh, 1).volume_m3, 2 * 0.6 * 4, 1e-12);
}

Test(geometry_sheet, triangles_without_area_and_repeated_ones_are_left_out) {
  static const ts_vec3 vertices[6] = {{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1},
                                      {1, 0, -1},  {0, 0, 0},  {7, 7, 7}};
  static const uint32_t faces[5][3] = {{0, 1, 2}, {0, 2, 3}, {1, 2, 0}, {0, 4, 2}, {1, 1, 2}};
  const ts_open_mesh dirty = {6, vertices, 5, faces};
  ts_open_mesh clean;
  size_t dropped;
  cr_assert_eq(ts_open_mesh_clean(&clean, &dropped, arena, &dirty), TS_OK);
  cr_expect_eq(dropped, 3);
  cr_expect_eq(clean.triangle_count, 2);
  cr_expect_eq(clean.vertex_count, 4);
  const ts_open_mesh flat = {6, vertices, 1, &faces[3]};
  cr_expect_eq(ts_open_mesh_clean(&clean, &dropped, arena, &flat), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "none has an area"), "%s", ts_status_detail());
  static const ts_vec3 lost[3] = {{0, 0, 0}, {0, 0, NAN}, {1, 0, 0}};
  const ts_open_mesh not_finite = {3, lost, 1, faces};
  cr_expect_eq(ts_open_mesh_clean(&clean, &dropped, arena, &not_finite), TS_E_INPUT);
  const ts_open_mesh out_of_range = {2, vertices, 1, faces};
  cr_expect_eq(ts_open_mesh_clean(&clean, &dropped, arena, &out_of_range), TS_E_INPUT);
}

Test(geometry_sheet, many_triangles_on_each_other_are_refused_in_bounded_time, .timeout = 60) {
  enum { COUNT = 3000 };
  ts_random random = ts_random_seed(1, 0);
  ts_vec3 *vertices = ts_arena_array(arena, 3 * COUNT, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(arena, COUNT, sizeof *triangles);
  for (uint32_t t = 0; t < COUNT; t++)
    for (uint32_t i = 0; i < 3; i++) {
      triangles[t][i] = 3 * t + i;
      vertices[3 * t + i] = ts_vec3_make(i == 2, ts_random_uniform(&random, 0, 1e-6), i == 1);
    }
  ts_open_mesh heap = {3 * COUNT, vertices, COUNT, (const uint32_t(*)[3])triangles};
  ts_mesh *mesh;
  ts_sheet sheet;
  cr_expect_eq(try_sheet(&mesh, &sheet, &heap, 1, 0.01), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "lie on each other"), "%s", ts_status_detail());
}
