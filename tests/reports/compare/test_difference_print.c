// SPDX-License-Identifier: MIT
// covers: reports/compare/difference_csv.c reports/compare/difference_print.c
#include "reports/compare/difference_print.h"

#include "base/status.h"
#include "tests/reports/rows/record_fixture.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static ts_record old_rows[3], new_rows[3];
static ts_comparison comparison;

static void make_rows(void) {
  results_open();
  old_rows[0] = record_of("1", "wall", "growth", 0);
  old_rows[1] = record_of("1", "wall", "growth", 3);
  old_rows[2] = record_of("2", "arch", "a|b", 0);
  memcpy(new_rows, old_rows, sizeof new_rows);
}

TestSuite(reports_difference_print, .init = make_rows, .fini = results_close, .timeout = 30);

enum format { TEXT, COLOUR, MARKDOWN, CSV };

static const char *print(enum format format) {
  char *text = NULL;
  size_t bytes;
  ts_comparison *c = &comparison;
  *c = (ts_comparison){.old = rows_of(old_rows, 3), .new = rows_of(new_rows, 3)};
  cr_assert_eq(ts_difference_make(&c->difference, fixture_arena, &c->old, &c->new), TS_OK);
  cr_assert_eq(ts_time_difference_make(&c->times, fixture_arena, &c->difference,
                                       &(ts_samples_of){.path = NULL},
                                       &(ts_samples_of){.path = NULL}, &ts_time_limits_default),
               TS_OK);
  FILE *file = open_memstream(&text, &bytes);
  ts_status status = format == CSV ? ts_comparison_print_csv(file, fixture_arena, c)
                     : format == MARKDOWN
                         ? ts_comparison_print_markdown(file, fixture_arena, c)
                         : ts_comparison_print_text(file, fixture_arena, c, format == COLOUR);
  cr_assert_eq(status, TS_OK, "%s", ts_status_detail());
  fclose(file);
  const char *copy = ts_arena_string(fixture_arena, text);
  free(text);
  return copy;
}

static void expect_has(const char *text, const char *part) {
  cr_expect(strstr(text, part) != NULL, "no %s in:\n%s", part, text);
}

Test(reports_difference_print, nothing_differs_is_said_in_one_line) {
  cr_expect_eq(strncmp(print(TEXT), "nothing differs in 3 rows\n", 26), 0);
}

Test(reports_difference_print, values_that_six_digits_do_not_distinguish_have_more) {
  old_rows[1].quality_percent = 33.333333333;
  new_rows[1].quality_percent = 33.333331;
  old_rows[2].area_coverage = 0.5;
  new_rows[2].area_coverage = (double)NAN;
  const char *text = print(TEXT);
  expect_has(text, "  33.3333333     33.333331\n");
  expect_has(text, "not measured");
  cr_expect_null(strchr(text, '\033'));
  expect_has(print(COLOUR), "\033[31mworse\033[0m\n");
}

Test(reports_difference_print, a_hash_is_reported_only_if_nothing_else_changed) {
  new_rows[0].contacts_hash = "00aa";
  expect_has(print(TEXT), "contacts_hash  00ff  00aa");
  new_rows[0].contacts = 5;
  cr_expect_null(strstr(print(TEXT), "contacts_hash"));
  expect_has(print(CSV), "contacts_hash,00ff,00aa,");
}

Test(reports_difference_print, bars_in_names_are_escaped_in_markdown) {
  new_rows[2].phantom = 7;
  expect_has(print(MARKDOWN), "**worse**\n\n| case | method | column | old | new |\n"
                              "|---|---|---|---:|---:|\n| arch | a\\|b | phantom | 0 | 7 |\n");
}

Test(reports_difference_print, control_characters_of_a_reason_do_not_reach_the_terminal) {
  new_rows[0].outcome = "crashed";
  new_rows[0].reason = "\033[2Jgone\n";
  const char *text = print(TEXT);
  cr_expect_null(strchr(text, '\033'));
  expect_has(text, "crashed ( [2Jgone )");
  cr_expect_null(strchr(print(MARKDOWN), '\033'));
}

Test(reports_difference_print, csv_has_a_line_for_each_change_and_each_time) {
  new_rows[0].phantom = 1;
  new_rows[1].step = 4;
  new_rows[2].generate_ns_median = 20000;
  const char *text = print(CSV);
  expect_has(text, "kind,cell,case,");
  expect_has(text, "\nvanished,1,wall,,growth,,,,3,,,,,,,,\n");
  expect_has(text, "\nworse,1,wall,,growth,,,,0,,phantom,0,1,,,,\n");
  expect_has(text, "\nappeared,1,wall,,growth,,,,4,,,,,,,,\n");
  expect_has(text,
             "\nuntested_time,2,arch,,a|b,,,,0,,generate_ns_median,10000,20000,2,2,nan,nan\n");
}

Test(reports_difference_print, no_row_in_common_is_explained) {
  for (int i = 0; i < 3; i++)
    new_rows[i].scoring_parameters = "x=2";
  expect_has(print(TEXT), "no row is in both");
}
