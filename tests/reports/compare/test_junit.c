// SPDX-License-Identifier: MIT
// covers: reports/compare/junit.c reports/rows/contacts_at_fault.c reports/rows/contact_kind.c
#include "reports/compare/junit.h"

#include "base/status.h"
#include "reports/rows/contact_kind.h"
#include "reports/rows/contacts_at_fault.h"
#include "reports/rows/rows.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(reports_junit, .init = results_open, .fini = results_close, .timeout = 30);

static const char *print(const ts_junit_case *cases, size_t count) {
  char *text = NULL;
  size_t bytes;
  FILE *file = open_memstream(&text, &bytes);
  ts_junit_print(file, "a & b", cases, count);
  fclose(file);
  const char *copy = ts_arena_string(fixture_arena, text);
  free(text);
  return copy;
}

static void expect_has(const char *text, const char *part) {
  cr_expect(strstr(text, part) != NULL, "no %s in:\n%s", part, text);
}

Test(reports_junit, cases_are_counted_and_in_the_order_of_the_schema) {
  const ts_junit_case cases[] = {
      {.class_name = "wall", .name = "growth", .time_ns = 1500},
      {.class_name = "wall", .name = "skips", .time_ns = (double)NAN, .skipped = "no tets"},
      {.class_name = "arch",
       .name = "fails",
       .time_ns = 2.5e9,
       .message = "it fell",
       .failure = "it fell\nfar",
       .output = "said"},
  };
  const char *text = print(cases, 3);
  expect_has(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"a &amp; b\" "
                   "tests=\"3\" failures=\"1\" errors=\"0\" time=\"2.500001500\">");
  expect_has(text, "<testsuite name=\"a &amp; b\" tests=\"3\" failures=\"1\" errors=\"0\" "
                   "skipped=\"1\" time=\"2.500001500\">");
  expect_has(text, "<testcase name=\"growth\" classname=\"wall\" time=\"0.000001500\"/>\n");
  expect_has(text, "time=\"0.000000000\">\n      <skipped>no tets</skipped>\n    </testcase>");
  expect_has(text, "<failure type=\"gate\" message=\"it fell\">it fell\nfar</failure>\n"
                   "      <system-out>said</system-out>\n    </testcase>\n  </testsuite>");
}

Test(reports_junit, no_cases_are_an_empty_suite) {
  expect_has(print(NULL, 0), "tests=\"0\"");
}

Test(reports_junit, text_is_escaped_in_attributes_and_elements) {
  const ts_junit_case c = {.class_name = "<\"&'>",
                           .name = "a\nb\tc",
                           .message = "x",
                           .failure = "1 < 2 && \"so\"\r\n]]>"};
  const char *text = print(&c, 1);
  expect_has(text, "classname=\"&lt;&quot;&amp;'&gt;\"");
  expect_has(text, "name=\"a&#10;b&#9;c\"");
  expect_has(text, ">1 &lt; 2 &amp;&amp; \"so\"&#13;\n]]&gt;</failure>");
}

Test(reports_junit, what_xml_cannot_hold_is_a_question_mark) {
  static const struct {
    const char *bytes, *shown;
  } texts[] = {
      {"a\001b\033[0m", "a?b?[0m"},
      {"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
      {"cut \xc3", "cut ?"},
      {"cut \xe2\x82", "cut ??"},
      {"latin \xe9t\xe9", "latin ?t?"},
      {"overlong \xc0\xaf", "overlong ??"},
      {"overlong \xe0\x80\xaf", "overlong ???"},
      {"surrogate \xed\xa0\x80", "surrogate ???"},
      {"none \xef\xbf\xbe", "none ???"},
      {"none \xf0\x9f\xbf\xbf", "none ????"},
      {"beyond \xf4\x90\x80\x80", "beyond ????"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    ts_junit_case c = {.class_name = "c", .name = texts[i].bytes};
    expect_has(print(&c, 1),
               ts_arena_format(fixture_arena, "name=\"%s\" classname", texts[i].shown));
  }
}

/// A contacts.csv: of cell "a" contacts with each fault and two without, of cell "b" 30 with wrong
/// normals, of which the last are the worst.
static const char *write_contacts(void) {
  ts_csv_buffer buffer = {0};
  cr_assert_eq(ts_rows_add_header(&buffer, &ts_contact_rows), TS_OK);
  for (int i = 0; i < 38; i++) {
    ts_contact_row row;
    ts_row_init(&ts_contact_rows, &row);
    row.cell = i < 8 ? "a" : "b";
    row.step = 3;
    row.body_a = 0;
    row.body_b = 1;
    row.point_x_m = i;
    row.correct = i < 8 && i != 1;
    row.normal_error_deg = row.correct ? 0 : 12.5 + i;
    row.speculative = i == 3 || i == 4;
    row.speculative_wrong = i == 4;
    row.phantom = i == 2;
    row.flipped = i == 5;
    row.gap_wrong = i == 6 || i == 7;
    row.gap_error_m = i == 7 ? (double)INFINITY : 0.35;
    cr_assert_eq(ts_rows_add(&buffer, &ts_contact_rows, &row), TS_OK);
  }
  const char *path = fixture_path("contacts.csv");
  fixture_write(path, buffer.bytes, buffer.count);
  ts_csv_buffer_free(&buffer);
  return path;
}

Test(reports_junit, contacts_at_fault_are_listed_worst_first) {
  static const char *const words[] = {"point (2, ", "phantom",
                                      "point (4, ", "ahead of a touch but not as the surfaces are",
                                      "point (1, ", "normal off by 13.5 degrees",
                                      "point (5, ", "flipped",
                                      "point (7, ", "gap off by inf m",
                                      "point (6, ", "gap off by 0.35 m"};
  ts_fault_list lists[] = {
      {.cell = "b", .step = 3}, {.cell = "a", .step = 3}, {.cell = "a", .step = 0}};
  cr_assert_eq(ts_contacts_at_fault(lists, 3, write_contacts()), TS_OK);
  cr_expect_eq(lists[0].faults.count, 0, "another step");
  cr_expect_str_eq(lists[1].cell, "a");
  cr_assert_eq(lists[1].faults.count, 6);
  for (size_t i = 0; i < 6; i++) {
    const char *line = ts_fault_describe(fixture_arena, &lists[1].faults.worst[i]);
    expect_has(line, words[2 * i]);
    expect_has(line, words[2 * i + 1]);
  }
  cr_expect_eq(lists[2].faults.count, 30);
  cr_assert_eq(lists[2].faults.listed, TS_FAULT_LINES_MAX);
  for (size_t i = 0; i < TS_FAULT_LINES_MAX; i++)
    cr_expect_eq(lists[2].faults.worst[i].point_x_m, 37 - (double)i);
}

Test(reports_junit, columns_that_an_older_file_lacks_are_no_faults) {
  ts_contact_row row;
  ts_row_init(&ts_contact_rows, &row);
  row.correct = 1;
  row.phantom = row.speculative = 0;
  cr_expect_eq(ts_contact_row_kind(&row), TS_KIND_CORRECT);
  row.speculative = 1;
  cr_expect_eq(ts_contact_row_kind(&row), TS_KIND_SPECULATIVE);
}

Test(reports_junit, a_contact_that_nothing_is_known_about_is_no_fault) {
  ts_contact_row row;
  ts_row_init(&ts_contact_rows, &row);
  row.speculative = 0;
  cr_expect_eq(ts_contact_row_kind(&row), TS_KIND_UNTOLD, "neither correct nor incorrect");
  cr_expect_not(ts_contact_kind_is_fault(TS_KIND_UNTOLD));
  ts_faults faults = {0};
  ts_faults_add(&faults, &row);
  cr_expect_eq(faults.count, 0);
}

Test(reports_junit, what_is_not_at_fault_is_never_worse) {
  ts_contact_row rows[3];
  for (int i = 0; i < 3; i++) {
    ts_row_init(&ts_contact_rows, &rows[i]);
    rows[i].correct = i;
    rows[i].phantom = rows[i].speculative = 0;
  }
  rows[2].normal_error_deg = 1; // of a correct one, nothing that orders it
  cr_expect(ts_fault_is_worse(&rows[0], &rows[1]));
  for (int i = 1; i < 3; i++)
    for (int k = 0; k < 3; k++)
      cr_expect_not(ts_fault_is_worse(&rows[i], &rows[k]), "%d %d", i, k);
}
