// SPDX-License-Identifier: MIT
// covers: reports/rows/csv.c
#include "reports/rows/csv.h"

#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Reads all records of a text as "line:field|field|..." lines; the status of the read that ended
/// it.
static ts_status read_text(char *out, size_t size, const void *text, size_t count) {
  const char *path = fixture_path("some.csv");
  fixture_write(path, text, count);
  int fd = open(path, O_RDONLY);
  ts_csv_reader *reader;
  cr_assert_eq(ts_csv_reader_create(&reader, fd, "some.csv"), TS_OK);
  size_t used = 0;
  out[0] = '\0';
  ts_status status;
  for (;;) {
    ts_csv_record record;
    bool found = false;
    status = ts_csv_read(&found, &record, reader);
    if (status != TS_OK || !found)
      break;
    used += (size_t)snprintf(out + used, size - used, "%zu:", record.line);
    for (size_t i = 0; i < record.field_count; i++)
      used += (size_t)snprintf(out + used, size - used, "%s|", record.fields[i]);
    used += (size_t)snprintf(out + used, size - used, "%s", record.is_cut ? "CUT\n" : "\n");
  }
  ts_csv_reader_destroy(reader);
  close(fd);
  return status;
}

#define EXPECT_RECORDS(text, expected)                                                             \
  do {                                                                                             \
    char got[1024];                                                                                \
    cr_expect_eq(read_text(got, sizeof got, text, sizeof(text) - 1), TS_OK);                       \
    cr_expect_str_eq(got, expected);                                                               \
  } while (0)

#define EXPECT_REFUSED(text, reason)                                                               \
  do {                                                                                             \
    char got[1024];                                                                                \
    cr_expect_eq(read_text(got, sizeof got, text, sizeof(text) - 1), TS_E_INPUT);                  \
    cr_expect(fixture_detail_has(reason), "%s", reason);                                           \
  } while (0)

TestSuite(reports_csv, .init = results_open, .fini = results_close);

Test(reports_csv, only_what_needs_quotes_gets_them) {
  ts_csv_buffer buffer = {0};
  const char *const fields[] = {"plain",      "",     "in side", "a,b", "say \"so\"",
                                "two\nlines", "cr\r", " x",      "x\t", "'"};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    cr_assert_eq(ts_csv_add_field(&buffer, fields[i]), TS_OK);
  ts_csv_end_record(&buffer);
  const char expected[] =
      "plain,,in side,\"a,b\",\"say \"\"so\"\"\",\"two\nlines\",\"cr\r\",\" x\","
      "\"x\t\",'\n";
  cr_assert_eq(buffer.count, strlen(expected));
  cr_expect_arr_eq(buffer.bytes, expected, buffer.count);
  ts_csv_buffer_free(&buffer);
}

Test(reports_csv, every_byte_but_nul_comes_back) {
  char text[256];
  for (int i = 0; i < 255; i++)
    text[i] = (char)(i + 1);
  text[255] = '\0';
  ts_csv_buffer buffer = {0};
  for (int i = 0; i < 3; i++)
    cr_assert_eq(ts_csv_add_field(&buffer, text), TS_OK);
  ts_csv_end_record(&buffer);
  char got[2048], expected[2048];
  cr_assert_eq(read_text(got, sizeof got, buffer.bytes, buffer.count), TS_OK);
  snprintf(expected, sizeof expected, "1:%s|%s|%s|\n", text, text, text);
  cr_expect_str_eq(got, expected);
  ts_csv_buffer_free(&buffer);
}

Test(reports_csv, line_ends_may_be_lf_or_crlf) {
  EXPECT_RECORDS("a,b\nc,d\n", "1:a|b|\n2:c|d|\n");
  EXPECT_RECORDS("a,b\r\nc,d\r\n", "1:a|b|\n2:c|d|\n");
}

Test(reports_csv, a_byte_order_mark_is_not_part_of_the_first_field) {
  EXPECT_RECORDS("\xEF\xBB\xBF"
                 "a,b\n",
                 "1:a|b|\n");
  EXPECT_RECORDS("\xEF\xBB", "1:CUT\n");
}

Test(reports_csv, blank_lines_are_counted_and_left_out) {
  EXPECT_RECORDS("\na\n\r\n\nb\n\n", "2:a|\n5:b|\n");
}

Test(reports_csv, line_ends_in_quotes_belong_to_the_field) {
  EXPECT_RECORDS("\"x\ny\",1\n\"\r\n\",2\nz,3\n", "1:x\ny|1|\n3:\r\n|2|\n5:z|3|\n");
}

Test(reports_csv, empty_fields_are_fields) {
  EXPECT_RECORDS(",,\n\"\",\n", "1:|||\n2:||\n");
}

Test(reports_csv, blanks_around_a_field_are_dropped_unless_quoted) {
  EXPECT_RECORDS(" a , b\n\" a \" , c\n", "1:a|b|\n2: a |c|\n");
}

Test(reports_csv, a_last_line_without_its_end_is_cut) {
  EXPECT_RECORDS("a\nb", "1:a|\n2:CUT\n");
  EXPECT_RECORDS("a\n\"b\n", "1:a|\n2:CUT\n");
  EXPECT_RECORDS("", "");
}

Test(reports_csv, a_quoted_field_without_its_end_is_cut) {
  EXPECT_RECORDS("a\n \"say \"\"so", "1:a|\n2:CUT\n");
}

Test(reports_csv, invalid_csv_is_refused_with_its_line) {
  EXPECT_REFUSED("a\n\"x\"y\n", "some.csv, line 2: misplaced quote");
  EXPECT_REFUSED("a\nb\nx\"y\"\n", "line 3: misplaced quote");
  EXPECT_REFUSED("a,b\nok,a\"bc,\nd,e\n", "line 2: misplaced quote");
  EXPECT_REFUSED("a,b\n\"o\nk\",a\"bc,\nd,e\n", "line 3: misplaced quote");
  EXPECT_REFUSED("a\rb\n", "line 1: carriage return");
  EXPECT_REFUSED("a\nb\0c\n", "line 2: NUL byte");
}

Test(reports_csv, a_folder_cannot_be_read) {
  int fd = open(fixture_path("."), O_RDONLY);
  ts_csv_reader *reader;
  ts_csv_record record;
  bool found;
  cr_assert_eq(ts_csv_reader_create(&reader, fd, "folder"), TS_OK);
  cr_expect_eq(ts_csv_read(&found, &record, reader), TS_E_IO);
  cr_expect(fixture_detail_has("cannot read folder: Is a directory"));
  ts_csv_reader_destroy(reader);
  close(fd);
}

Test(reports_csv, records_of_every_length_keep_their_place_in_the_file) {
  const char *path = fixture_path("long.csv");
  ts_csv_buffer buffer = {0};
  int64_t ends[64];
  char *text = calloc(1, 200001);
  for (size_t i = 0; i < 64; i++) {
    size_t length = i == 40 ? 200000 : i * 331;
    memset(text, 'a' + (int)i % 26, length);
    text[length] = '\0';
    cr_assert_eq(ts_csv_add_field(&buffer, "x"), TS_OK);
    cr_assert_eq(ts_csv_add_field(&buffer, text), TS_OK);
    ts_csv_end_record(&buffer);
    ends[i] = (int64_t)buffer.count;
  }
  fixture_write(path, buffer.bytes, buffer.count);
  int fd = open(path, O_RDONLY);
  ts_csv_reader *reader;
  cr_assert_eq(ts_csv_reader_create(&reader, fd, path), TS_OK);
  ts_csv_record record;
  bool found;
  for (size_t i = 0; i < 64; i++) {
    cr_assert_eq(ts_csv_read(&found, &record, reader), TS_OK);
    cr_assert(found);
    cr_expect_eq(record.start, i ? ends[i - 1] : 0);
    cr_expect_eq(record.end, ends[i]);
    cr_expect_eq(strlen(record.fields[1]), i == 40 ? 200000 : i * 331);
  }
  cr_assert_eq(ts_csv_read(&found, &record, reader), TS_OK);
  cr_expect_not(found);
  ts_csv_reader_destroy(reader);
  ts_csv_buffer_free(&buffer);
  free(text);
  close(fd);
}
