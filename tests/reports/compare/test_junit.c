// SPDX-License-Identifier: MIT
// covers: reports/compare/junit.c reports/rows/contacts_at_fault.c
#include "reports/compare/junit.h"

#include "base/status.h"
#include "reports/rows/contacts_at_fault.h"
#include "reports/rows/rows.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(reports_junit, .init = fixture_open, .fini = fixture_close, .timeout = 30);

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
      {"beyond \xf4\x90\x80\x80", "beyond ????"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    ts_junit_case c = {.class_name = "c", .name = texts[i].bytes};
    expect_has(print(&c, 1),
               ts_arena_format(fixture_arena, "name=\"%s\" classname", texts[i].shown));
  }
}

/// A contacts.csv: of cell "a" a right contact, a wrong one, a phantom and a speculative wrong one;
/// of cell "b" 30 wrong ones.
static const char *write_contacts(void) {
  ts_csv_buffer buffer = {0};
  cr_assert_eq(ts_rows_add_header(&buffer, &ts_contact_rows), TS_OK);
  for (int i = 0; i < 34; i++) {
    ts_contact_row row;
    ts_row_init(&ts_contact_rows, &row);
    row.cell = i < 4 ? "a" : "b";
    row.step = 3;
    row.body_a = 0;
    row.body_b = 1;
    row.point_x_m = i;
    row.correct = i == 0 || i == 2;
    row.normal_error_deg = row.correct ? 0 : 12.5;
    row.phantom = i == 2;
    row.speculative = i == 3;
    cr_assert_eq(ts_rows_add(&buffer, &ts_contact_rows, &row), TS_OK);
  }
  const char *path = fixture_path("contacts.csv");
  fixture_write(path, buffer.bytes, buffer.count);
  ts_csv_buffer_free(&buffer);
  return path;
}

Test(reports_junit, contacts_at_fault_are_wrong_or_phantom) {
  ts_fault_list lists[] = {
      {.cell = "b", .step = 3}, {.cell = "a", .step = 3}, {.cell = "a", .step = 0}};
  cr_assert_eq(ts_contacts_at_fault(lists, 3, fixture_arena, write_contacts()), TS_OK);
  cr_expect_str_eq(lists[1].cell, "a");
  cr_expect_eq(lists[0].fault_count, 0, "another step");
  cr_assert_eq(lists[1].fault_count, 2);
  expect_has(lists[1].lines[0], "point (1, ");
  expect_has(lists[1].lines[0], "normal off by 12.5 degrees");
  expect_has(lists[1].lines[1], "phantom");
  cr_expect_eq(lists[2].fault_count, 30);
  cr_expect_eq(lists[2].line_count, TS_FAULT_LINES_MAX);
}

Test(reports_junit, all_contacts_are_listed_if_none_can_be_blamed) {
  ts_fault_list list = {.cell = "a", .step = 3, .takes_all = true};
  cr_assert_eq(ts_contacts_at_fault(&list, 1, fixture_arena, write_contacts()), TS_OK);
  cr_expect_eq(list.line_count, 4);
}
