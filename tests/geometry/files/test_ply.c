// SPDX-License-Identifier: MIT
// covers: geometry/files/ply.c geometry/files/ply_header.c
#include "geometry/files/ply.h"

#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "tests/geometry/files/mesh_files.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static ts_arena *arena;

static void set_up(void) {
  ts_arena_create(&arena);
}

static void tear_down(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_ply, .init = set_up, .fini = tear_down);

static ts_status parse(ts_triangles *out, const void *bytes, size_t count) {
  return parse_exactly(out, arena, ts_ply_parse, "a.ply", bytes, count);
}

static ts_triangles parse_text(const char *text) {
  return parse_fine(arena, ts_ply_parse, "a.ply", text);
}

static void refuse(const char *text, const char *words) {
  expect_text_refused(arena, ts_ply_parse, "a.ply", text, words);
}

#define XYZ   "property double x\nproperty double y\nproperty double z\n"
#define FACES "property list uchar int vertex_indices\n"
#define HEAD(vertices, faces)                                                                      \
  "ply\nformat ascii 1.0\nelement vertex " #vertices "\n" XYZ "element face " #faces "\n" FACES    \
  "end_header\n"

Test(geometry_ply, doubles_come_back_to_the_bit) {
  ts_triangles m = parse_text(HEAD(3, 1) "0.1 0.30000000000000004 1e-300\n1 0 0\n"
                                         "-123456.78901234567 7 8\n3 0 1 2\n");
  cr_expect(m.vertices[0].x == 0.1 && m.vertices[0].y == 0.30000000000000004 &&
            m.vertices[0].z == 1e-300 && m.vertices[2].x == -123456.78901234567);
}

Test(geometry_ply, polygons_are_cut_into_triangles) {
  ts_triangles m =
      parse_text("ply\nformat ascii 1.0\nelement vertex 8\nproperty double x\nproperty double y\n"
                 "property double z\nproperty uchar red\nelement face 6\n"
                 "property list uchar uint vertex_index\nend_header\n"
                 "0 0 0 1\n1 0 0 1\n1 1 0 1\n0 1 0 1\n0 0 1 1\n1 0 1 1\n1 1 1 1\n0 1 1 1\n"
                 "4 3 2 1 0\n4 4 5 6 7\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n");
  cr_expect_eq(m.vertex_count, 8);
  cr_expect_eq(m.triangle_count, 12);
  ts_mesh *mesh;
  cr_expect_eq(ts_mesh_create(&mesh, arena, m.vertices, m.vertex_count,
                              (const uint32_t(*)[3])m.triangles, m.triangle_count),
               TS_OK, "%s", ts_status_detail());
}

Test(geometry_ply, vertices_at_one_place_are_joined_before_polygons_are_cut) {
  // The quad's third corner is its second again: a triangle.
  ts_triangles m = parse_text(HEAD(5, 1) "0 0 0\n1 0 0\n1 -0 0\n0 1 0\n9 9 9\n4 0 1 2 3\n");
  cr_expect_eq(m.vertex_count, 3);
  cr_assert_eq(m.triangle_count, 1);
}

Test(geometry_ply, other_elements_and_properties_are_passed_over) {
  const char *text =
      "ply\r\nformat ascii 1.0\r\ncomment made by hand\r\nobj_info x\r\nelement camera 2\r\n"
      "property list int float view\r\nproperty short id\r\nelement face 1\r\n"
      "property list uchar float texcoord\r\nproperty list int uint vertex_index\r\n"
      "property uchar flags\r\nelement edge 1\r\nproperty int vertex1\r\nproperty int vertex2\r\n"
      "element vertex 3\r\nproperty float quality\r\nproperty uchar z\r\nproperty short x\r\n"
      "property int y\r\nproperty list uchar int xs\r\nend_header\r\n"
      "2 0.5 nan 7\r\n0 8\r\n6 0 0 1 0 0 1 3 2 0 1 255\r\n0 1\r\n"
      "nan 5 -1 0 0\r\n1 6 1 0 2 8 9\r\n1 7 0 70000 0\r\n";
  ts_triangles m = parse_text(text);
  cr_assert_eq(m.triangle_count, 1);
  // In the order of their use: the vertices 2, 0, 1.
  cr_expect(m.vertices[0].x == 0 && m.vertices[0].y == 70000 && m.vertices[0].z == 7);
  cr_expect(m.vertices[1].x == -1 && m.vertices[1].y == 0 && m.vertices[1].z == 5);
}

static void add_word(mesh_file *f, uint64_t word, int bytes, bool is_big) {
  for (int i = 0; i < bytes; i++)
    add_bytes(f, arena, &(uint8_t){(uint8_t)(word >> 8 * (is_big ? bytes - 1 - i : i))}, 1);
}

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

Test(geometry_ply, binary_numbers_of_every_type_and_byte_order_are_read) {
  for (int is_big = 0; is_big < 2; is_big++) {
    mesh_file f = {0};
    add_text(&f, arena,
             "ply\nformat binary_%s_endian 1.0\nelement vertex 3\nproperty int8 a\n"
             "property double x\nproperty int16 y\nproperty uint32 z\nelement face 1\n"
             "property uint16 b\nproperty list int32 uint16 vertex_indices\nend_header\n",
             is_big ? "big" : "little");
    const double x[3] = {0.1, -1e-300, 3};
    const int16_t y[3] = {-32768, 5, 32767};
    const uint32_t z[3] = {0, UINT32_MAX, 7};
    for (int v = 0; v < 3; v++) {
      add_word(&f, 0xff, 1, is_big);
      add_word(&f, bits_of(x[v]), 8, is_big);
      add_word(&f, (uint16_t)y[v], 2, is_big);
      add_word(&f, z[v], 4, is_big);
    }
    add_word(&f, 99, 2, is_big);
    add_word(&f, 3, 4, is_big);
    for (uint64_t i = 0; i < 3; i++)
      add_word(&f, i, 2, is_big);
    ts_triangles m;
    cr_assert_eq(parse(&m, f.bytes, f.count), TS_OK, "%s", ts_status_detail());
    for (int v = 0; v < 3; v++)
      cr_expect(m.vertices[v].x == x[v] && m.vertices[v].y == y[v] && m.vertices[v].z == z[v],
                "vertex %d", v);
  }
}

Test(geometry_ply, files_that_are_cut_off_anywhere_are_refused) {
  mesh_source box = source_of_box(arena);
  for (int i = 2; i < 5; i++) {
    mesh_file f = file_forms[i].write(arena, &box);
    // The last digit of text may be missing: a shorter number is a number.
    size_t whole = f.count - (i == 4 ? 2 : 0);
    for (size_t count = 0; count < whole; count++) {
      ts_triangles read;
      cr_assert_eq(parse(&read, f.bytes, count), TS_E_INPUT, "%s: %zu bytes", file_forms[i].path,
                   count);
    }
  }
}

Test(geometry_ply, headers_that_say_no_surface_are_refused) {
  refuse("", "a.ply: it is empty");
  refuse("plyy\n", "does not begin with \"ply\"");
  refuse("ply\nformat ascii 1.0\n", "its header does not end");
  refuse("ply\nformat asci 1.0\nend_header\n", "line 2: \"format asci 1.0\" is not known");
  refuse("ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\nend_header\n",
         "line 4: \"property half x\" is not known");
  refuse("ply\nproperty float x\nend_header\n", "line 2: \"property float x\" is not known");
  refuse(
      "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nend_header\n",
      "no element vertex with x, y and z");
  refuse("ply\nformat ascii 1.0\nelement vertex 1\n" XYZ "end_header\n0 0 0\n", "cloud of points");
  refuse("ply\nformat ascii 1.0\nelement vertex 1\n" XYZ "element tristrips 1\n" FACES
         "end_header\n0 0 0\n1 0\n",
         "strips");
  refuse("ply\nformat ascii 1.0\nelement vertex 1\n" XYZ XYZ "end_header\n", "have x twice");
  refuse("ply\nformat ascii 1.0\nelement vertex 1\n" XYZ "element vertex 1\nend_header\n",
         "line 7: a second element vertex");
  refuse("ply\nformat ascii 1.0\nelement vertex 0\n" XYZ "element face 0\n" FACES
         "element other 4294967295\nend_header\n",
         "4294967295 rows of other without properties");
}

Test(geometry_ply, rows_that_are_wrong_are_refused) {
  refuse(HEAD(3, 1) "0 0 0\n1 0 0\n0 x 0\n3 0 1 2\n", "a.ply, line 12: \"x\" is not a number");
  refuse(HEAD(3, 1) "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "face 0 uses a vertex that is not there, 3");
  refuse(HEAD(3, 1) "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", "not there, -1");
  refuse(HEAD(3, 1) "0 0 0\n1 0 0\n0 1 0\n3 0 1 1.5\n", "not there, 1.5");
  refuse(HEAD(3, 1) "0 0 0\n1 0 0\n0 1 0\n-3 0 1 2\n", "a list has -3 entries");
  refuse(HEAD(3, 1) "0 0 0\n1 0 0\n0 nan 0\n3 0 1 2\n", "vertex 2 of face 0");
  refuse(HEAD(3, 2) "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
         "announces 2 rows of face where the file has 1");
  refuse(HEAD(3, 1) "0 0 0\n1 0 0\n0 1 0\n2 0 1\n", "no triangles");
  refuse(HEAD(4, 1) "0 0 0\n1 0 0\n1 1 0.1\n0 1 0\n4 0 1 2 3\n",
         "a.ply: face 0: the polygon is bent");
}

Test(geometry_ply, unused_vertices_need_not_be_finite) {
  cr_expect_eq(parse_text(HEAD(4, 1) "0 0 0\n1 0 0\nnan inf 0\n0 1 0\n3 0 1 3\n").vertex_count, 3);
}
