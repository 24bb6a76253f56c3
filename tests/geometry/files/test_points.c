// SPDX-License-Identifier: MIT
// covers: geometry/files/points.c
#include "geometry/files/points.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *arena;
static ts_vec3 *points;
static size_t count;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_points, .init = setup, .fini = teardown);

static ts_status parse_bytes(const char *text, size_t length, size_t limit) {
  // Not terminated: a reader that looks behind the end is caught by the sanitizer.
  char *exact = malloc(length ? length : 1);
  memcpy(exact, text, length);
  ts_status status = ts_points_parse(&points, &count, arena, "p.csv", exact, length, limit);
  free(exact);
  return status;
}

static void expect_points(const char *text, size_t wanted) {
  cr_assert_eq(parse_bytes(text, strlen(text), 100), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(count, wanted, "%s", text);
  for (size_t i = 0; i < count; i++)
    cr_expect(points[i].x == 3.0 * (double)i + 1 && points[i].y == 3.0 * (double)i + 2 &&
                  points[i].z == 3.0 * (double)i + 3,
              "%s", text);
}

static void refuse(const char *text, const char *words) {
  cr_expect_eq(parse_bytes(text, strlen(text), 2), TS_E_INPUT, "%s", text);
  cr_expect(strstr(ts_status_detail(), words), "%s: %s", words, ts_status_detail());
}

Test(geometry_points, a_line_is_a_point_with_commas_or_blanks_between_its_numbers) {
  expect_points("", 0);
  expect_points("1,2,3\n4,5,6\n", 2);
  expect_points("1,2,3\n4,5,6", 2);
  expect_points("1 2 3\n4\t5\t6\n", 2);
  expect_points("  1 , 2,3 \r\n+4,5e0,600e-2\r\n", 2);
}

Test(geometry_points, empty_lines_comments_names_of_columns_and_a_byte_order_mark_are_passed) {
  expect_points("x,y,z\n1,2,3\n", 1);
  expect_points("\xef\xbb\xbf\"x [m]\",\"y [m]\",\"z [m]\"\r\n1,2,3\r\n", 1);
  expect_points("# np.savetxt\n# x y z\n\nx y z\n\n1 2 3\n#\n4 5 6\n\n", 2);
}

Test(geometry_points, numbers_are_read_to_the_bit) {
  const char *text = "0.1,-0,4.9406564584124654e-324";
  cr_assert_eq(parse_bytes(text, strlen(text), 1), TS_OK);
  const ts_vec3 wanted = {0.1, -0.0, 4.9406564584124654e-324};
  cr_expect_eq(memcmp(points, &wanted, sizeof wanted), 0);
}

Test(geometry_points, what_is_not_a_point_is_refused_with_its_line) {
  refuse("1,2,3\n\n1,2\n", "p.csv, line 3: has 2 numbers; a point has three, x,y,z");
  refuse("1\n", "line 1: has 1 number; a point");
  refuse("1,2,3,4\n", "line 1: has 4 numbers");
  refuse("1,2,3,\n", "line 1: \"\" is not a number");
  refuse("1,,3\n", "line 1: \"\" is not a number");
  refuse("0,5;1,2;3,4\n", "line 1: \"5;1\" is not a number");
  refuse("x,2,3\n", "line 1: \"x\" is not a number");
  refuse("x,y,z\nx,y,z\n", "line 2: \"x\" is not a number");
  refuse("1,nan,3\n", "line 1: nan: every coordinate must be finite");
  refuse("1,2,-1e999\n", "line 1: -1e999: every coordinate must be finite");
  refuse("1,2,3\n1,2,3\n1,2,3\n", "line 3: more than 2 points");
}

Test(geometry_points, bytes_of_any_kind_are_refused) {
  cr_expect_eq(parse_bytes("1,2,\0", 5, 9), TS_E_INPUT);
  cr_expect_eq(parse_bytes("1,2,3\n\xff\xfe,1,2", 11, 9), TS_E_INPUT);
}
