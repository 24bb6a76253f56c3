// SPDX-License-Identifier: MIT
// covers: reports/tables/table.c reports/tables/table_axis.c reports/tables/table_flags.c
// covers: reports/tables/table_text.c
#include "reports/tables/table.h"

#include "base/status.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(reports_table, .init = results_open, .fini = results_close);

static ts_record records[64];
static size_t record_count;

/// Adds a record with a case, a method and their parameters.
static ts_record *add(const char *case_name, const char *case_parameters, const char *method,
                      const char *method_parameters) {
  ts_record *record = &records[record_count++];
  ts_row_init(&ts_summary_rows, record);
  record->case_name = case_name;
  record->case_parameters = case_parameters;
  record->method = method;
  record->method_parameters = method_parameters;
  record->scoring_parameters = "reference=design";
  record->step = 0;
  record->outcome = "ok";
  return record;
}

static void measure(ts_record *record, double quality, double coverage, double excess,
                    double time_ns) {
  record->quality_percent = quality;
  record->coverage_percent = coverage;
  record->excess_factor = excess;
  record->generate_ns_median = time_ns;
}

static void fail(ts_record *record, const char *outcome, const char *reason) {
  record->outcome = outcome;
  record->reason = reason;
}

/// The table as text.
static const char *print(size_t width, bool colour) {
  char *text = NULL;
  size_t bytes = 0;
  FILE *file = open_memstream(&text, &bytes);
  cr_assert_eq(
      ts_table_print(file, fixture_arena, records, record_count, (ts_table_style){width, colour}),
      TS_OK);
  fclose(file);
  char *copy = ts_arena_string(fixture_arena, text);
  free(text);
  return copy;
}

static void add_plain(void) {
  measure(add("spikes", "scale=1", "closest_points", "erosion_m=0.01"), NAN, 0, 0, 83);
  measure(add("spikes", "scale=1", "intersection", ""), 50, 100, 4, 12.34);
  measure(add("wall", "scale=1;layers=10", "closest_points", "erosion_m=0.01"), 100, 100, 1,
          1234567);
  measure(add("wall", "scale=1;layers=10", "intersection", ""), 99.99, 0.001, 722.125, 999600);
}

Test(reports_table, cases_go_down_and_methods_across) {
  static const char expected[] =
      "                    closest_points                          intersection\n"
      "case     quality%  coverage%  excess     time   quality%  coverage%  excess     time\n"
      "------   ------------------------------------   ------------------------------------\n"
      "spikes          -        0.0    0.00  83.0 ns       50.0        100    4.00  12.3 ns\n"
      "wall          100        100    1.00  1.23 ms       99.9        0.1  722.13  1.00 ms\n"
      "\n"
      "4 rows, all ok\n";
  add_plain();
  cr_expect_str_eq(print(120, false), expected);
}

Test(reports_table, heads_are_short_where_the_width_is) {
  add_plain();
  cr_expect_str_eq(print(70, false),
                   "                closest_points                   intersection\n"
                   "case     qual%   cov%  excess     time   qual%   cov%  excess     time\n"
                   "------   -----------------------------   -----------------------------\n"
                   "spikes       -    0.0    0.00  83.0 ns    50.0    100    4.00  12.3 ns\n"
                   "wall       100    100    1.00  1.23 ms    99.9    0.1  722.13  1.00 ms\n"
                   "\n"
                   "4 rows, all ok\n");
}

Test(reports_table, methods_move_together_before_they_part) {
  add_plain();
  cr_expect_str_eq(print(68, false),
                   "               closest_points                  intersection\n"
                   "case    qual%   cov%  excess     time  qual%   cov%  excess     time\n"
                   "------  -----------------------------  -----------------------------\n"
                   "spikes      -    0.0    0.00  83.0 ns   50.0    100    4.00  12.3 ns\n"
                   "wall      100    100    1.00  1.23 ms   99.9    0.1  722.13  1.00 ms\n"
                   "\n"
                   "4 rows, all ok\n");
}

Test(reports_table, methods_that_do_not_fit_go_to_a_further_block) {
  add_plain();
  cr_expect_str_eq(print(67, false), "               closest_points\n"
                                     "case    qual%   cov%  excess     time\n"
                                     "------  -----------------------------\n"
                                     "spikes      -    0.0    0.00  83.0 ns\n"
                                     "wall      100    100    1.00  1.23 ms\n"
                                     "\n"
                                     "                intersection\n"
                                     "case    qual%   cov%  excess     time\n"
                                     "------  -----------------------------\n"
                                     "spikes   50.0    100    4.00  12.3 ns\n"
                                     "wall     99.9    0.1  722.13  1.00 ms\n"
                                     "\n"
                                     "4 rows, all ok\n");
  cr_expect_str_eq(print(1, false), print(67, false), "one method is always shown");
  cr_expect_str_eq(print(0, false), print(120, false), "no width is no limit");
}

/// The cells of add_plain(); the method intersection is flagged, once p, once fim.
static void add_flagged(void) {
  add_plain();
  records[0].case_name = records[1].case_name = "arch";
  for (int i = 0; i < 4; i++)
    records[i].normals_flipped = records[i].normals_invalid = records[i].phantom =
        records[i].regions_missed = 0;
  records[1].phantom = 3;
  records[3].normals_flipped = records[3].normals_invalid = records[3].regions_missed = 1;
}

Test(reports_table, what_the_measures_hide_is_flagged) {
  static const char expected[] =
      "                  closest_points                             intersection\n"
      "case   quality%  coverage%  excess     time   quality%  coverage%  excess     time  flags\n"
      "----   ------------------------------------   -------------------------------------------\n"
      "arch          -        0.0    0.00  83.0 ns       50.0        100    4.00  12.3 ns  p\n"
      "wall        100        100    1.00  1.23 ms       99.9        0.1  722.13  1.00 ms  fim\n"
      "\n"
      "flags: f flipped normals, i invalid normals, p phantom contacts, m missed regions\n"
      "       (columns normals_flipped, normals_invalid, phantom, regions_missed of summary.csv)\n"
      "4 rows, all ok\n";
  add_flagged();
  cr_expect_str_eq(print(89, false), expected);
}

Test(reports_table, flags_take_little_of_a_narrow_table) {
  add_flagged();
  records[3].normals_invalid = 0;
  cr_expect_str_eq(print(71, false),
                   "              closest_points                     intersection\n"
                   "case   qual%   cov%  excess     time   qual%   cov%  excess     time\n"
                   "----   -----------------------------   --------------------------------\n"
                   "arch       -    0.0    0.00  83.0 ns    50.0    100    4.00  12.3 ns p\n"
                   "wall     100    100    1.00  1.23 ms    99.9    0.1  722.13  1.00 ms fm\n"
                   "\n"
                   "flags: f flipped normals, p phantom contacts, m missed regions\n"
                   "       (columns normals_flipped, phantom, regions_missed\n"
                   "       of summary.csv)\n"
                   "4 rows, all ok\n");
}

Test(reports_table, flags_are_between_methods) {
  static const char expected[] =
      "                     closest_points                              intersection\n"
      "case   quality%  coverage%  excess     time  flags   quality%  coverage%  excess     time\n"
      "----   -------------------------------------------   ------------------------------------\n"
      "arch          -        0.0    0.00  83.0 ns  m           50.0        100    4.00  12.3 ns\n"
      "wall        100        100    1.00  1.23 ms              99.9        0.1  722.13  1.00 ms\n"
      "\n"
      "flags: m missed regions (column regions_missed of summary.csv)\n"
      "4 rows, all ok\n";
  add_flagged();
  records[0].regions_missed = 2;
  records[1].phantom = 0;
  records[3].normals_flipped = records[3].normals_invalid = records[3].regions_missed = 0;
  cr_expect_str_eq(print(0, false), expected);
}

Test(reports_table, cells_that_did_not_end_well_have_no_flags) {
  add_flagged();
  records[2].normals_flipped = 5;
  for (int i = 1; i < 4; i++)
    fail(&records[i], "failed", "");
  cr_expect(strstr(print(0, false), "flags") == NULL);
}

Test(reports_table, only_differences_are_shown) {
  static const char expected[] =
      "                          opposing                       opposing\n"
      "                      limit_m=0.01 a=1               limit_m=0.02 a=2\n"
      "case            qual%   cov%  excess     time  qual%   cov%  excess     time\n"
      "--------------  -----------------------------  -----------------------------\n"
      "wall layers=10    100    100    1.00  1.00 us    100    100    1.00   2.00 s\n"
      "wall layers=20    100    100    1.00  1.00 us    100    100    1.00   2.00 s\n"
      "arch\n"
      "\n"
      "                           growth\n"
      "case            qual%   cov%  excess     time\n"
      "--------------  -----------------------------\n"
      "wall layers=10\n"
      "wall layers=20\n"
      "arch              1.0    2.0    3.00  4.00 ns\n"
      "\n"
      "5 rows, all ok\n";
  const char *layers[] = {"scale=1;layers=10;bricks=8", "scale=1;layers=20;bricks=8"};
  for (int i = 0; i < 2; i++) {
    measure(add("wall", layers[i], "opposing", "limit_m=0.01;profile=paper;a=1"), 100, 100, 1, 1e3);
    measure(add("wall", layers[i], "opposing", "limit_m=0.02;profile=paper;a=2"), 100, 100, 1, 2e9);
  }
  measure(add("arch", "scale=2", "growth", "limit_m=0.5"), 1, 2, 3, 4);
  cr_expect_str_eq(print(80, false), expected);
}

Test(reports_table, scoring_distinguishes_columns_and_steps_lines) {
  static const char expected[] =
      "                             growth                                 growth\n"
      "                        reference=design                     reference=published\n"
      "case          quality%  coverage%  excess     time   quality%  coverage%  excess     time\n"
      "-----------   ------------------------------------   ------------------------------------\n"
      "arch touch         100        100    1.00  1.00 ns       90.0       90.0    1.00  1.00 ns\n"
      "arch step=3       80.0       80.0    1.00  1.00 ns\n"
      "\n"
      "3 rows, all ok\n";
  measure(add("arch", "", "growth", ""), 100, 100, 1, 1);
  measure(add("arch", "", "growth", ""), 90, 90, 1, 1);
  records[1].scoring_parameters = "reference=published";
  measure(add("arch", "", "growth", ""), 80, 80, 1, 1);
  records[2].step = 3;
  cr_expect_str_eq(print(0, false), expected);
}

Test(reports_table, parameters_of_the_simulation_distinguish_lines) {
  for (int i = 0; i < 2; i++) {
    measure(add("arch", "scale=1", "growth", ""), 100, 100, 1, 1);
    records[i].simulation_parameters = i ? "dt_s=0.02;sweeps=7" : "dt_s=0.01;sweeps=7";
    records[i].step = 3;
  }
  const char *text = print(0, false);
  cr_expect(strstr(text, "\narch dt_s=0.01  ") != NULL, "%s", text);
  cr_expect(strstr(text, "\narch dt_s=0.02  ") != NULL, "%s", text);
  cr_expect(strstr(text, "step=") == NULL && strstr(text, "sweeps") == NULL, "%s", text);
}

/// A cell with the scene as built and the steps 2 to `last`.
static void add_steps(const char *cell, const char *case_name, int last) {
  for (int step = 0; step <= last; step += step == 0 ? 2 : 1) {
    ts_record *record = add(case_name, "", "growth", "");
    measure(record, 100, 100, 1, 1);
    record->cell = cell;
    record->step = step;
  }
}

Test(reports_table, of_many_steps_few_are_shown_and_all_are_counted) {
  static const char expected[] = "                              growth\n"
                                 "case           quality%  coverage%  excess     time\n"
                                 "------------   ------------------------------------\n"
                                 "arch touch          100        100    1.00  1.00 ns\n"
                                 "arch step=3         100        100    1.00  1.00 ns\n"
                                 "arch step=20        100        100    1.00  1.00 ns\n"
                                 "wall touch          100        100    1.00  1.00 ns\n"
                                 "wall step=3         100        100    1.00  1.00 ns\n"
                                 "wall step=7                   failed\n"
                                 "\n"
                                 "1 of 27 rows not ok:\n"
                                 "  wall step=7 x growth: failed (no direction)\n";
  add_steps("first", "arch", 20);
  add_steps("second", "wall", 7);
  cr_assert_eq(record_count, 27);
  fail(&records[26], "failed", "no direction");
  cr_expect_str_eq(print(0, false), expected);
  records[26].outcome = "ok";
  cr_expect(strstr(print(0, false), "\n27 rows, all ok\n") != NULL);
}

Test(reports_table, a_step_that_is_not_ok_is_shown_in_any_position) {
  add_steps("only", "arch", 9);
  fail(&records[4], "failed", "why not");
  const char *text = print(0, false);
  cr_expect(strstr(text, "\narch step=5 ") != NULL, "%s", text);
  cr_expect(strstr(text, "\narch step=4 ") == NULL, "%s", text);
  cr_expect(strstr(text, "1 of 9 rows not ok:\n  arch step=5 x growth: failed") != NULL, "%s",
            text);
}

Test(reports_table, words_that_do_not_fit_a_column_take_more_lines) {
  static const char expected[] = "                 growth\n"
                                 "          a_rather_long_name=1\n"
                                 "           another_long_name=1\n"
                                 "case  qual%   cov%  excess     time\n"
                                 "----  -----------------------------\n"
                                 "arch      -      -       -        -\n"
                                 "\n"
                                 "                         growth\n"
                                 "      one_that_is_wider_than_the_column_m=12345678\n"
                                 "        a_rather_long_name=2 another_long_name=2\n"
                                 "case                 qual%   cov%  excess     time\n"
                                 "----  --------------------------------------------\n"
                                 "arch                     -      -       -        -\n"
                                 "\n"
                                 "2 rows, all ok\n";
  add("arch", "", "growth", "a_rather_long_name=1;another_long_name=1");
  add("arch", "", "growth",
      "one_that_is_wider_than_the_column_m=12345678;a_rather_long_name=2;another_long_name=2");
  cr_expect_str_eq(print(60, false), expected);
}

Test(reports_table, parameters_that_come_with_another_one_are_not_named) {
  // Both responses have areas; the volume has iterations, and two stiffnesses differ.
  add("arch", "scale=1;dt=1", "growth", "");
  add("arch", "scale=1;dt=1;response=volume;areas=given;iterations=10", "growth", "");
  add("arch", "scale=1;dt=1;response=penalty;areas=given;stiffness=1", "growth", "");
  add("arch", "scale=1;dt=1;response=penalty;areas=given;stiffness=2", "growth", "");
  const char *text = print(0, false);
  cr_expect(strstr(text, "\narch ") && strstr(text, "\narch response=volume  "), "%s", text);
  cr_expect(strstr(text, "\narch response=penalty stiffness=1 "), "%s", text);
  cr_expect(strstr(text, "\narch response=penalty stiffness=2 "), "%s", text);
  cr_expect(!strstr(text, "areas") && !strstr(text, "iterations"), "%s", text);
}

Test(reports_table, cells_that_did_not_end_well_are_named) {
  add_plain();
  fail(&records[1], "crashed", "SIGSEGV");
  fail(&records[2], "timed_out", "over\n10 s \033[31m");
  fail(add("arch", "", "intersection", ""), "skipped", "");
  cr_expect_str_eq(print(80, false),
                   "                closest_points                   intersection\n"
                   "case     qual%   cov%  excess     time   qual%   cov%  excess     time\n"
                   "------   -----------------------------   -----------------------------\n"
                   "spikes       -    0.0    0.00  83.0 ns              crashed\n"
                   "wall               timed out              99.9    0.1  722.13  1.00 ms\n"
                   "arch                                                skipped\n"
                   "\n"
                   "3 of 5 rows not ok:\n"
                   "  spikes x intersection: crashed (SIGSEGV)\n"
                   "  wall x closest_points: timed out (over 10 s  [31m)\n"
                   "  arch x intersection: skipped\n");
}

Test(reports_table, rows_that_were_only_skipped_are_not_called_failures) {
  add_plain();
  fail(&records[1], "skipped", "needs tetrahedra");
  const char *text = print(80, false);
  cr_expect(strstr(text, " rows skipped:\n") != NULL, "%s", text);
  cr_expect(strstr(text, "not ok") == NULL, "%s", text);
}

Test(reports_table, a_long_list_of_failures_is_cut) {
  for (int i = 0; i < 23; i++)
    fail(add("wall", ts_arena_format(fixture_arena, "layers=%d", i), "growth", ""), "failed", "");
  const char *text = print(80, false);
  cr_expect(strstr(text, "23 of 23 rows not ok:\n  wall layers=0 x growth: failed\n") != NULL);
  cr_expect(strstr(text, "  wall layers=19 x growth: failed\n  and 3 more, see summary.csv\n"));
}

Test(reports_table, twenty_failures_are_all_listed) {
  for (int i = 0; i < 20; i++)
    fail(add("wall", ts_arena_format(fixture_arena, "layers=%d", i), "growth", ""), "failed", "");
  const char *text = print(80, false);
  cr_expect(strstr(text, "  wall layers=19 x growth: failed\n") != NULL);
  cr_expect(strstr(text, "more") == NULL);
}

Test(reports_table, colour_is_optional_and_changes_no_text) {
  add_flagged();
  fail(&records[1], "crashed", "SIGSEGV");
  const char *plain = print(80, false), *colour = print(80, true);
  cr_expect(strchr(plain, '\033') == NULL);
  cr_expect(strstr(colour, "\033[1mclosest_points\033[0m") != NULL);
  cr_expect(strstr(colour, "\033[31mcrashed\033[0m") != NULL);
  cr_expect(strstr(colour, " \033[2mfim\033[0m\n") != NULL, "%s", colour);
  char stripped[4096], *end = stripped;
  for (const char *c = colour; *c; c++) {
    if (*c == '\033')
      c += strcspn(c, "m");
    else
      *end++ = *c;
  }
  *end = '\0';
  cr_expect_str_eq(stripped, plain);
}

Test(reports_table, times_have_three_digits_and_a_unit) {
  static const struct {
    double time_ns;
    const char *text;
  } cases[] = {{0, "0.00 ns"},     {1.234, "1.23 ns"},   {9.996, "10.0 ns"},  {99.96, "100 ns"},
               {999.4, "999 ns"},  {999.6, "1.00 us"},   {1e6 / 3, "333 us"}, {999.6e6, "1.00 s"},
               {123.4e9, "123 s"}, {4567.8e9, "4568 s"}, {NAN, " -"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    record_count = 0;
    measure(add("c", "", "m", ""), 100, 100, 1, cases[i].time_ns);
    const char *line = strstr(print(0, false), "\nc ") + 1;
    size_t length = strcspn(line, "\n"), tail = strlen(cases[i].text);
    cr_expect(length > tail && strncmp(line + length - tail, cases[i].text, tail) == 0, "%.*s",
              (int)length, line);
  }
}

Test(reports_table, the_last_of_equal_cells_counts) {
  measure(add("c", "", "m", ""), 10, 10, 1, 1);
  measure(add("c", "", "m", ""), 20, 20, 1, 1);
  const char *text = print(0, false);
  cr_expect(strstr(text, "20.0") != NULL);
  cr_expect(strstr(text, "10.0") == NULL);
}

Test(reports_table, no_cells_are_said_to_be_none) {
  cr_expect_str_eq(print(80, false), "no rows\n");
}

Test(reports_table, a_full_disk_is_noticed) {
  add_plain();
  FILE *full = fopen("/dev/full", "w");
  cr_expect_eq(
      ts_table_print(full, fixture_arena, records, record_count, (ts_table_style){80, false}),
      TS_E_IO);
  cr_expect(fixture_detail_has("No space left on device"));
  fclose(full);
}
