// SPDX-License-Identifier: MIT
// covers: geometry/files/obj.c
#include "geometry/files/obj.h"

#include "tests/geometry/mesh/solids.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_obj, .init = setup, .fini = teardown);

static ts_triangles parse(const char *text) {
  ts_triangles obj;
  // Not terminated: a reader that looks behind the end is caught by the sanitizer.
  size_t count = strlen(text);
  char *exact = malloc(count ? count : 1);
  memcpy(exact, text, count);
  ts_status status = ts_obj_parse(&obj, arena, "a.obj", exact, count);
  free(exact);
  cr_assert_eq(status, TS_OK, "%s", ts_status_detail());
  return obj;
}

static void expect_refused(const char *text, size_t count, const char *words) {
  ts_triangles obj;
  cr_expect_eq(ts_obj_parse(&obj, arena, "a.obj", text, count), TS_E_INPUT, "%s", words);
  cr_expect(strstr(ts_status_detail(), words), "%s: %s", words, ts_status_detail());
}

#define refuse(text, words) expect_refused(text, sizeof(text) - 1, words)

static void expect_triangle(const ts_triangles *obj, size_t index, uint32_t a, uint32_t b,
                            uint32_t c) {
  cr_assert_lt(index, obj->triangle_count);
  const uint32_t *t = obj->triangles[index];
  cr_expect(t[0] == a && t[1] == b && t[2] == c, "%u %u %u", t[0], t[1], t[2]);
}

Test(geometry_obj, what_is_written_comes_back_to_the_bit) {
  solid s = solid_groove();
  for (size_t i = 0; i < s.vertex_count; i++)
    s.vertices[i] = (ts_vec3){s.vertices[i].x / 3, s.vertices[i].y * 1e-7 + 1e-9, -s.vertices[i].z};
  for (size_t i = 0; i < s.triangle_count; i++) {
    uint32_t *t = s.triangles[i], corner = t[0];
    t[0] = t[1];
    t[1] = corner;
  }
  s.vertices[s.vertex_count++] = (ts_vec3){-0.0, 5e-324, 1.7976931348623157e308}; // used by none
  ts_mesh mesh = {.vertex_count = s.vertex_count,
                  .vertices = s.vertices,
                  .triangle_count = s.triangle_count,
                  .triangles = (const uint32_t(*)[3])s.triangles};
  char *text;
  size_t count;
  FILE *file = open_memstream(&text, &count);
  ts_obj_write(file, &mesh);
  fclose(file);
  ts_triangles obj;
  cr_assert_eq(ts_obj_parse(&obj, arena, "a.obj", text, count), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(obj.vertex_count, s.vertex_count);
  cr_assert_eq(obj.triangle_count, s.triangle_count);
  cr_expect_eq(memcmp(obj.vertices, s.vertices, s.vertex_count * sizeof *s.vertices), 0);
  cr_expect_eq(memcmp(obj.triangles, s.triangles, s.triangle_count * sizeof *s.triangles), 0);
  free(text);
}

Test(geometry_obj, corners_come_in_all_their_forms) {
  ts_triangles obj = parse("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n"
                           "f 1 2 3\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\nf 1/1/1 2/1/1 3/1/1\n"
                           "f -3 -2 -1\nv 5 5 5\nf -4/-1 -3/1 -2/-1\n");
  cr_expect_eq(obj.vertex_count, 4);
  cr_assert_eq(obj.triangle_count, 6);
  for (size_t i = 0; i < 6; i++)
    expect_triangle(&obj, i, 0, 1, 2);
}

Test(geometry_obj, convex_polygons_become_fans) {
  ts_triangles obj = parse("v 0 0 0\nv 2 0 0\nv 3 1 0\nv 2 2 0\nv 0 2 0\nf 1 2 3 4 5\n");
  cr_assert_eq(obj.triangle_count, 3);
  expect_triangle(&obj, 0, 0, 1, 2);
  expect_triangle(&obj, 1, 0, 2, 3);
  expect_triangle(&obj, 2, 0, 3, 4);
  cr_expect_eq(parse("v 0 0 0\nv 1 0 0\nv 1 1 0.000001\nv 0 1 0\nf 1 2 3 4\n").triangle_count, 2,
               "bent by the last of six digits only");
}

Test(geometry_obj, polygons_that_are_not_convex_are_cut) {
  ts_triangles obj = parse("v 0 0 0\nv 2 0 0\nv 0.5 0.5 0\nv 0 2 0\nf 2 3 4 1\n");
  cr_assert_eq(obj.triangle_count, 2);
  cr_expect_eq(parse("v 0 0 0\nv 1 0 0\nv 1 1 0.0001\nv 0 1 0\nf 1 2 3 4\n").triangle_count, 2,
               "bent by the last of four digits");
}

Test(geometry_obj, polygons_that_say_no_surface_are_refused) {
  refuse("v 0 0 0\nv 1 0 0\nv 1 1 0.1\nv 0 1 0\nf 1 2 3 4\n", "line 5: the polygon is bent");
  // A star of five points, which turns left at every corner, and twice.
  refuse("v 1 0 0\nv -0.8 0.6 0\nv 0.3 -0.95 0\nv 0.3 0.95 0\nv -0.8 -0.6 0\nf 1 2 3 4 5\n",
         "line 6: the polygon crosses or touches itself");
  refuse("v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nf 1 2 3 4\n", "line 5: the polygon");
}

Test(geometry_obj, text_of_any_system_is_read) {
  const char *const texts[] = {"v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",
                               "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3",
                               "\xef\xbb\xbfv\t0  0 0 1 # at the origin\n\n  v 1 0 0 0.5 0.5 0.5\n"
                               "# v 9 9 9 \\\nv 8 8 8\nv 0 1 0\nf 1 2 3 # the end",
                               "v 0 \\\n0 0\nv 1 0 \\\r\n 0\nv 0 1 0\nf 1 \\\n 2 \\\n 3\n",
                               "mtllib a b.mtl\no thing\nv 0 0 0\ng one two\ns off\nusemtl #1\n"
                               "v 1 0 0\nv 0 1 0\nf 1 2 3\ng\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    ts_triangles obj = parse(texts[i]);
    cr_assert_eq(obj.vertex_count, 3, "text %zu: %zu", i, obj.vertex_count);
    cr_assert_eq(obj.triangle_count, 1, "text %zu", i);
    expect_triangle(&obj, 0, 0, 1, 2);
    cr_expect(obj.vertices[1].x == 1 && obj.vertices[2].y == 1);
  }
  cr_expect_eq(parse("").vertex_count, 0);
  refuse("v 0 0 0\\", "\"0\\\" is not a number"); // continued by nothing
}

Test(geometry_obj, numbers_do_not_hang_on_a_locale) {
  ts_triangles obj = parse("v 0.5 1e-3 +2.25\n");
  cr_expect(obj.vertices[0].x == 0.5 && obj.vertices[0].y == 0.001 && obj.vertices[0].z == 2.25);
  refuse("v 0,5 0 0\n", "line 1: \"0,5\" is not a number");
}

Test(geometry_obj, errors_are_reported_with_their_line) {
  refuse("v 0 0 0\nv 1 0\n", "line 2: a vertex has three numbers, x y z; here are 2");
  refuse("v 0 0 x\n", "line 1: \"x\" is not a number");
  refuse("v 0 0 1e999\n", "line 1: 1e999: every coordinate must be finite");
  refuse("v nan 0 0\n", "finite");
  refuse("v 0 0 0\nv 1 0 0\nf 1 2\n", "line 3: a face has three corners or more; here are 2");
  refuse("v 0 0 0\n\nf 1 1 2\n", "line 3: the face names vertex 2, but 1 vertices precede it");
  refuse("v 0 0 0\nf -2 1 1\n", "names vertex -2");
  refuse("v 0 0 0\nf 0 1 1\n", "\"0\" is not a corner");
  refuse("v 0 0 0\nf 1/ 1 1\n", "\"1/\" is not a corner");
  refuse("v 0 0 0\nf 1// 1 1\n", "\"1//\" is not a corner");
  refuse("v 0 0 0\nf 1/1/1/1 1 1\n", "is not a corner");
  refuse("v 0 0 0\nf 1.5 1 1\n", "is not a corner");
  refuse("v 0 0 0\nf 99999999999999999999 1 1\n", "is not a corner");
  refuse("v 0 0 0\nf 4294967297 1 1\n", "names vertex 4294967297");
  refuse("v 0 0 0\nl 1 1\n", "line 2: \"l\" is a line, without a surface");
  refuse("v 0 0 0\np 1\n", "line 2: \"p\" is points, without a surface");
  refuse("v 0 0 0\ncurv2 1\n", "\"curv2\" is not understood");
  refuse("solid a\nfacet normal 0 0 1\n", "line 1: \"solid\" is not understood");
  refuse("v 0 0 \0 0\n", "is not a number");
}

Test(geometry_obj, a_very_long_line_is_reported_in_short) {
  size_t count = 1 << 20;
  char *text = malloc(count);
  memset(text, '7', count);
  memcpy(text, "v ", 2);
  expect_refused(text, count, "is not a number");
  cr_expect_lt(strlen(ts_status_detail()), 200);
  memset(text, 'q', count);
  expect_refused(text, count, "is not understood");
  cr_expect_lt(strlen(ts_status_detail()), 400);
  free(text);
}
