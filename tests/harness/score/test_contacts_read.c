// SPDX-License-Identifier: MIT
// covers: harness/score/contacts_read.c
#include "harness/score/contacts_read.h"

#include "base/status.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(harness_contacts_read, .init = results_open, .fini = results_close, .timeout = 60);

#define HEADER "body_a,body_b,point_x_m,point_y_m,point_z_m,normal_x,normal_y,normal_z"

static ts_contacts_reader *reader;

static ts_status open_text(const char *text) {
  const char *path = fixture_path("contacts.csv");
  fixture_write_text(path, text);
  return ts_contacts_reader_create(&reader, fixture_arena, path);
}

static ts_contacts_line next_line(void) {
  ts_contacts_line line;
  bool found = false;
  cr_assert_eq(ts_contacts_read(&found, &line, reader), TS_OK, "%s", ts_status_detail());
  cr_assert(found);
  return line;
}

/// The status of reading all rows of a text with a valid header.
static ts_status read_all(size_t *out_count, const char *text) {
  *out_count = 0;
  cr_assert_eq(open_text(text), TS_OK, "%s", ts_status_detail());
  ts_contacts_line line;
  bool found = true;
  ts_status status = TS_OK;
  while (status == TS_OK && found) {
    status = ts_contacts_read(&found, &line, reader);
    *out_count += status == TS_OK && found;
  }
  ts_contacts_reader_destroy(reader);
  return status;
}

#define EXPECT_NO_HEADER(text, words)                                                              \
  do {                                                                                             \
    cr_expect_eq(open_text(text), TS_E_INPUT, "%s", words);                                        \
    cr_expect(fixture_detail_has(words), "%s", ts_status_detail());                                \
  } while (0)

#define EXPECT_NO_ROW(row, words)                                                                  \
  do {                                                                                             \
    size_t count_;                                                                                 \
    cr_expect_eq(read_all(&count_, HEADER ",feature_a,feature_a_index,gap_m\n" row), TS_E_INPUT);  \
    cr_expect(fixture_detail_has(words), "%s", ts_status_detail());                                \
    cr_expect(fixture_detail_has("contacts.csv, line 2: "), "%s", ts_status_detail());             \
  } while (0)

Test(harness_contacts_read, columns_are_found_by_name_in_any_order) {
  cr_assert_eq(open_text("\xEF\xBB\xBF"
                         "note,normal_z,normal_y,normal_x,gap_m,body_b,body_a,point_x_m,point_z_m,"
                         "point_y_m,correct,feature_b,feature_b_index,envelope_m,envelope\r\n"
                         "\"a, \"\"b\"\"\", 3, 2 ,1,-0.5,cube,\"left foot\",1e-3,inf,,what,edge,7,"
                         "0.25,eroded\r\n"),
               TS_OK, "%s", ts_status_detail());
  ts_contacts_line line = next_line();
  cr_expect_str_eq(line.body_a, "left foot");
  cr_expect_str_eq(line.body_b, "cube");
  cr_expect_eq(line.row.point_x_m, 1e-3);
  cr_expect(isnan(line.row.point_y_m), "an empty field is not a number");
  cr_expect(isinf(line.row.point_z_m));
  cr_expect_eq(line.row.normal_x, 1);
  cr_expect_eq(line.row.normal_y, 2);
  cr_expect_eq(line.row.normal_z, 3);
  cr_expect_eq(line.row.gap_m, -0.5);
  cr_expect(isnan(line.row.area_m2));
  cr_expect_str_eq(line.row.feature_a, "");
  cr_expect_str_eq(line.row.feature_b, "edge");
  cr_expect_eq(line.row.feature_b_index, 7);
  cr_expect_str_eq(line.envelope, "eroded");
  cr_expect_eq(line.envelope_m, 0.25);
  cr_expect(isnan(line.row.correct), "a verdict in the file is not read");
  cr_expect_str_eq(line.record->fields[0], "a, \"b\"");
  bool found;
  cr_expect_eq(ts_contacts_read(&found, &line, reader), TS_OK);
  cr_expect_not(found);
  ts_contacts_reader_destroy(reader);
}

Test(harness_contacts_read, missing_values_are_empty_or_nan) {
  cr_assert_eq(open_text(HEADER "\n0,1,0,0,0,nan,NaN,-inf\n"), TS_OK);
  ts_contacts_line line = next_line();
  cr_expect(isnan(line.row.gap_m) && isnan(line.row.step) && isnan(line.envelope_m));
  cr_expect(isnan(line.row.normal_x) && isnan(line.row.normal_y) && isinf(line.row.normal_z));
  cr_expect_str_empty(line.row.cell);
  cr_expect_str_empty(line.row.method);
  cr_expect_str_empty(line.envelope);
  cr_expect(ts_contacts_has_column(reader, "normal_y"));
  cr_expect_not(ts_contacts_has_column(reader, "gap_m"));
  ts_contacts_reader_destroy(reader);
}

Test(harness_contacts_read, a_header_alone_has_no_rows) {
  size_t count;
  cr_expect_eq(read_all(&count, HEADER "\n"), TS_OK);
  cr_expect_eq(count, 0);
  cr_expect_eq(read_all(&count, HEADER "\n\r\n\n"), TS_OK);
  cr_expect_eq(count, 0);
}

Test(harness_contacts_read, a_missing_column_is_reported_with_the_nearest_name) {
  EXPECT_NO_HEADER("body_a,body_b,point_x,point_y_m,point_z_m,normal_x,normal_y,normal_z\n",
                   "the column point_x_m is missing; is it \"point_x\"?");
  EXPECT_NO_HEADER("body_a,point_x_m,point_y_m,point_z_m,normal_x,normal_y,normal_z,bodyB\n",
                   "the column body_b is missing; is it \"bodyB\"?");
  EXPECT_NO_HEADER("body_a,point_x_m,point_y_m,point_z_m,normal_x,normal_y,normal_z\n",
                   "the column body_b is missing; the columns are");
  EXPECT_NO_HEADER("x,y,z\n", "the column body_a is missing; the columns are: x, y, z");
  EXPECT_NO_HEADER("0,1,0.5,0.5,0.5,0,1,0\n", "the column body_a is missing");
}

Test(harness_contacts_read, other_separators_are_reported) {
  EXPECT_NO_HEADER("body_a;body_b;point_x_m;point_y_m;point_z_m;normal_x;normal_y;normal_z\n",
                   "separated by commas");
  EXPECT_NO_HEADER("body_a\tbody_b\tpoint_x_m\n", "separated by commas");
}

Test(harness_contacts_read, an_invalid_header_is_refused) {
  EXPECT_NO_HEADER(
      "", "is empty; a file without contacts must still have a header line with the column names");
  EXPECT_NO_HEADER("\n\n", "is empty");
  EXPECT_NO_HEADER(HEADER, "has one line and does not end with a newline");
  EXPECT_NO_HEADER(HEADER ",normal_y\n", "duplicate column normal_y");
  EXPECT_NO_HEADER(HEADER ",body_a\n", "duplicate column body_a");
  EXPECT_NO_HEADER(HEADER ",envelope,envelope\n", "duplicate column envelope");
  cr_expect_eq(open_text(HEADER ",mine,mine\n"), TS_OK, "only our columns must be unique");
  ts_contacts_reader_destroy(reader);
}

Test(harness_contacts_read, a_missing_file_or_a_folder_is_refused) {
  cr_expect_eq(ts_contacts_reader_create(&reader, fixture_arena, fixture_path("none.csv")),
               TS_E_INPUT);
  cr_expect(fixture_detail_has("No such file"));
  cr_expect_eq(ts_contacts_reader_create(&reader, fixture_arena, fixture_path(".")), TS_E_INPUT);
  cr_expect(fixture_detail_has("is a folder; give a contacts file"));
}

Test(harness_contacts_read, an_invalid_row_is_refused) {
  EXPECT_NO_ROW("0,1,0,0,0,0,1,0,none,0\n", "10 fields, but the header has 11");
  EXPECT_NO_ROW("0,1,0,0,0,0,1,0,none,0,0,0\n", "12 fields");
  EXPECT_NO_ROW("0,1,0,0,0,0,1,0,none,0,0", "the file does not end with a newline");
  EXPECT_NO_ROW("0,1,\"0,5\",0,0,0,1,0,none,0,0\n", "point_x_m is \"0,5\", which is not a number");
  EXPECT_NO_ROW("0,1,0,0,0,0,1,0,none,0,1 mm\n", "gap_m is \"1 mm\"");
  EXPECT_NO_ROW("0,1,0,0,0,0,1,0,corner,0,0\n",
                "feature_a is \"corner\"; write none, vertex, edge or face");
  EXPECT_NO_ROW("0,1,0,0,0,0,1,0,face,0.5,0\n", "feature_a_index is 0.5, and must be a whole");
  EXPECT_NO_ROW("0,1,0,0,\"0,0,1,0,none,0,0\n", "the file does not end with a newline");
}

Test(harness_contacts_read, a_line_without_an_end_is_refused_before_memory_is_out) {
  const char *path = fixture_path("contacts.csv");
  size_t head = sizeof HEADER, count = head + 3 * (size_t)TS_CSV_RECORD_BYTES_MAX;
  char *text = malloc(count);
  cr_assert(text);
  memcpy(text, HEADER "\n", head);
  memset(text + head, '1', count - head);
  fixture_write(path, text, count);
  cr_assert_eq(ts_contacts_reader_create(&reader, fixture_arena, path), TS_OK);
  ts_contacts_line line;
  bool found;
  cr_expect_eq(ts_contacts_read(&found, &line, reader), TS_E_INPUT);
  cr_expect(fixture_detail_has("line 2: longer than 4194304 bytes"), "%s", ts_status_detail());
  ts_contacts_reader_destroy(reader);
  memset(text + head, '\n', count - head);
  text[head] = '"';
  fixture_write(path, text, count);
  cr_assert_eq(ts_contacts_reader_create(&reader, fixture_arena, path), TS_OK);
  cr_expect_eq(ts_contacts_read(&found, &line, reader), TS_E_INPUT, "a quote is not closed");
  ts_contacts_reader_destroy(reader);
  free(text);
}

Test(harness_contacts_read, kinds_of_features_are_known_by_name) {
  cr_expect_eq(ts_contacts_feature_kind(""), TS_FEATURE_NONE);
  cr_expect_eq(ts_contacts_feature_kind("none"), TS_FEATURE_NONE);
  cr_expect_eq(ts_contacts_feature_kind("vertex"), TS_FEATURE_VERTEX);
  cr_expect_eq(ts_contacts_feature_kind("edge"), TS_FEATURE_EDGE);
  cr_expect_eq(ts_contacts_feature_kind("face"), TS_FEATURE_FACE);
  cr_expect_eq(ts_contacts_feature_kind("Face"), -1);
}
