// SPDX-License-Identifier: MIT
// covers: geometry/files/stl.c geometry/files/mesh_text.c
#include "geometry/files/stl.h"

#include "base/status.h"
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

TestSuite(geometry_stl, .init = set_up, .fini = tear_down);

#define FACET(a, b, c)                                                                             \
  "facet normal 0 0 0\nouter loop\nvertex " a "\nvertex " b "\nvertex " c "\nendloop\nendfacet\n"

static ts_status parse(ts_triangles *out, const void *bytes, size_t count) {
  return parse_exactly(out, arena, ts_stl_parse, "a.stl", bytes, count);
}

static ts_triangles parse_text(const char *text) {
  return parse_fine(arena, ts_stl_parse, "a.stl", text);
}

static void refuse(const char *text, const char *words) {
  expect_text_refused(arena, ts_stl_parse, "a.stl", text, words);
}

Test(geometry_stl, text_keeps_all_digits_of_a_double) {
  ts_triangles m = parse_text("solid a\n" FACET("0.1 0.30000000000000004 1e-300", "1 0 0",
                                                "-123456.78901234567 7 8") "endsolid a\n");
  cr_assert_eq(m.triangle_count, 1);
  cr_expect(m.vertices[0].x == 0.1 && m.vertices[0].y == 0.30000000000000004 &&
            m.vertices[0].z == 1e-300 && m.vertices[2].x == -123456.78901234567);
}

Test(geometry_stl, corners_that_differ_by_the_last_bit_of_a_double_stay_apart) {
  ts_triangles m = parse_text("solid\n" FACET("0.1 0 0", "1 0 0", "0 1 0")
                                  FACET("0.10000000000000002 0 0", "0 1 0", "1 0 0") "endsolid\n");
  cr_expect_eq(m.vertex_count, 4);
  cr_expect_eq(m.triangle_count, 2);
}

Test(geometry_stl, equal_corners_are_one_vertex_and_minus_zero_is_zero) {
  ts_triangles m = parse_text("solid\n" FACET("0 0 0", "1 0 0", "0 1 0")
                                  FACET("0 -0 0", "0 1 -0.0", "1 0 0") "endsolid\n");
  cr_expect_eq(m.vertex_count, 3);
  for (size_t v = 0; v < 3; v++)
    cr_expect(!signbit(m.vertices[v].x) && !signbit(m.vertices[v].y) && !signbit(m.vertices[v].z));
}

Test(geometry_stl, text_in_any_lines_and_letters_is_read) {
  ts_triangles m = parse_text(
      "\xef\xbb\xbf  SOLID solid facet normal\r\nFacet Normal nan -nan(ind) inf outer loop vertex "
      "0 "
      "0 0 vertex\n1 0 0\rvertex 0 1 0 EndLoop endfacet\nendsolid solid\nsolid second\n" FACET(
          "0 0 1", "1 0 1", "0 1 1") "endsolid");
  cr_expect_eq(m.triangle_count, 2);
  cr_expect_eq(m.vertex_count, 6);
}

Test(geometry_stl, errors_in_text_are_reported_with_their_line) {
  refuse("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n",
         "line 6: \"endloop\" where STL in text has vertex");
  refuse(
      "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 "
      "1 0\nendloop\n",
      "line 7: \"vertex\" where STL in text has endloop");
  refuse("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0,5 0\n",
         "a.stl, line 4: \"0,5\" is not a number");
  refuse("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 nan 0\n",
         "line 4: nan: every coordinate must be finite");
  refuse("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 1e999 0\n", "finite");
  refuse("solid\n\nfacett normal\n", "line 3: \"facett\" where STL in text has facet, or endsolid");
  refuse("solid\nfacet normal 0 0 1\nouter loop\n", "line 4: the text ends without vertex");
  refuse("solid a\nendsolid a\n", "no triangles");
  refuse("", "a.stl: it is empty");
  refuse("solid\n" FACET("0 0 0", "0 0 0", "0 1 0") "endsolid\n", "two corners at one place");
}

Test(geometry_stl, text_that_is_cut_off_anywhere_is_refused) {
  mesh_source box = source_of_box(arena);
  mesh_file f = file_forms[1].write(arena, &box);
  for (size_t count = 0; count + strlen("endsolid made\n") < f.count; count++) {
    ts_triangles read;
    cr_assert_eq(parse(&read, f.bytes, count), TS_E_INPUT, "%zu bytes", count);
  }
}

Test(geometry_stl, binary_that_begins_with_solid_is_known_by_its_size) {
  mesh_source box = source_of_box(arena);
  mesh_file f = file_forms[0].write(arena, &box);
  memcpy(f.bytes, "solid made by some programs", 27);
  ts_triangles m;
  cr_assert_eq(parse(&m, f.bytes, f.count), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(m.triangle_count, 12);
  cr_expect_eq(m.vertex_count, 8);
}

Test(geometry_stl, bytes_behind_the_triangles_are_passed_over) {
  mesh_source box = source_of_box(arena);
  mesh_file f = file_forms[0].write(arena, &box);
  add_bytes(&f, arena, "made by", 7);
  ts_triangles m;
  cr_assert_eq(parse(&m, f.bytes, f.count), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(m.triangle_count, 12);
}

Test(geometry_stl, binary_that_is_cut_off_anywhere_is_refused) {
  mesh_source box = source_of_box(arena);
  mesh_file f = file_forms[0].write(arena, &box);
  for (size_t count = 0; count < f.count; count++) {
    ts_triangles read;
    cr_assert_eq(parse(&read, f.bytes, count), TS_E_INPUT, "%zu bytes", count);
  }
  cr_expect(strstr(ts_status_detail(), "announces 12 triangles where the file has room for 11"),
            "%s", ts_status_detail());
}

Test(geometry_stl, a_coordinate_that_is_not_finite_is_reported_with_its_triangle) {
  mesh_source box = source_of_box(arena);
  box.vertices[3][1] = NAN; // first used by triangle 1
  mesh_file f = file_forms[0].write(arena, &box);
  ts_triangles m;
  cr_expect_eq(parse(&m, f.bytes, f.count), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "a.stl: triangle 1: every coordinate must be finite"), "%s",
            ts_status_detail());
}
