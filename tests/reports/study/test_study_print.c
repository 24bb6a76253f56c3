// SPDX-License-Identifier: MIT
// covers: reports/study/study_print.c reports/study/study_table.c
#include "reports/study/study_print.h"

#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(reports_study_print, .init = results_open, .fini = results_close);

static ts_record records[128];
static size_t record_count;

static ts_record *add_seed(const char *case_name, int seed, const char *method, double quality) {
  ts_record *record = &records[record_count++];
  ts_row_init(&ts_summary_rows, record);
  record->cell = ts_arena_format(fixture_arena, "%04zu", record_count);
  record->case_name = case_name;
  record->case_parameters = ts_arena_format(fixture_arena, "motion_seed=%d", seed);
  record->method = method;
  record->step = 0;
  record->outcome = "ok";
  record->quality_percent = quality;
  record->contacts = 4;
  record->coverage_percent = 100;
  record->excess_factor = 1;
  record->generate_ns_median = 1500;
  return record;
}

/// Two cases with 20 seeds: one method is right, the other one varies.
static void add_two_methods(void) {
  for (int seed = 1; seed <= 20; seed++) {
    add_seed("wall", seed, "right", 100);
    add_seed("wall", seed, "varies", 40 + seed);
    add_seed("arch", seed, "right", 100);
    add_seed("arch", seed, "varies", 90);
  }
}

static const char *print_study(void) {
  char *text = NULL;
  size_t bytes = 0;
  FILE *file = open_memstream(&text, &bytes);
  ts_study study;
  cr_assert_eq(ts_study_make(&study, fixture_arena, records, record_count), TS_OK);
  cr_assert_eq(ts_study_print(file, fixture_arena, &study), TS_OK);
  fclose(file);
  char *copy = ts_arena_string(fixture_arena, text);
  free(text);
  return copy;
}

/// Whether the words are in the text, whatever the number of blanks between them.
static bool has_words(const char *text, const char *words) {
  char *narrow = ts_arena_string(fixture_arena, text), *end = narrow;
  for (const char *c = text; *c; c++)
    if (!strchr(" \n", *c) || (end > narrow && end[-1] != ' '))
      *end++ = *c == '\n' ? ' ' : *c;
  *end = '\0';
  return strstr(narrow, words) != NULL;
}

Test(reports_study_print, the_means_have_ranks_intervals_and_shares) {
  add_two_methods();
  const char *text = print_study();
  cr_expect(has_words(text, "| 1 | right | 100 (fixed) | 100 (fixed) | 1.00 (fixed) | 1.50 us"),
            "%s", text);
  cr_expect(has_words(text, "| 2 | varies | 70.3 [68.9, 71.6] | 100 (fixed) |"), "%s", text);
  cr_expect(has_words(text, "| 0.0 | 41.0 | 40 |"), "%s", text);
  cr_expect_null(strstr(text, "failed"), "there is no such column without failures");
}

Test(reports_study_print, lines_of_a_table_are_aligned) {
  add_two_methods();
  const char *text = print_study();
  size_t width = strcspn(text, "\n");
  for (int line = 0; line < 4; line++, text += width + 1)
    cr_expect_eq(strcspn(text, "\n"), width, "line %d", line);
}

Test(reports_study_print, the_worst_cell_and_the_pair_are_named) {
  add_two_methods();
  const char *text = print_study();
  cr_expect(has_words(text, "| varies | 41.0 | wall motion_seed=1 |"), "%s", text);
  cr_expect(has_words(text, "| right | > | varies | +29.75 [+"), "%s", text);
  cr_expect(has_words(text, "| 40/0/0 | <0.0001 | 0.00 (fixed) | 0/40/0 | 1.0000 |"), "%s", text);
}

Test(reports_study_print, notes_say_what_the_figures_are_about) {
  add_two_methods();
  const char *text = print_study();
  cr_expect(has_words(text, "Means over 40 scenes as built of 2 cases;"), "%s", text);
  cr_expect(has_words(text, "not about other cases."), "%s", text);
  cr_expect(has_words(text, "by Holm for 2 comparisons, at most 0.05"), "%s", text);
  cr_expect(has_words(text, "(fixed): the value is the same in each draw of a case."), "%s", text);
}

Test(reports_study_print, one_scene_of_each_case_is_about_other_cases) {
  add_seed("wall", 1, "method", 90);
  add_seed("arch", 1, "method", 60);
  const char *text = print_study();
  cr_expect(
      has_words(
          text,
          "are about other cases like these, as if these had been drawn. Run with --seeds N,"),
      "%s", text);
  cr_expect(has_words(text, "]* |"), "two cells are not many: %s", text);
}

Test(reports_study_print, so_few_scenes_that_no_methods_can_be_told_apart_are_named) {
  static const char *const cases[] = {"a", "b", "c", "d", "e", "f", "g"};
  for (int c = 0; c < 7; c++) {
    add_seed(cases[c], 1, "one", 50);
    add_seed(cases[c], 1, "two", 60);
  }
  cr_expect_not(has_words(print_study(), "cannot tell so many methods apart"), "p is 2 of 128");
  add_seed("a", 1, "three", 70);
  cr_expect(has_words(print_study(), "cannot tell so many methods apart"), "6 comparisons");
}

Test(reports_study_print, failures_and_what_was_not_found_have_columns_and_a_note) {
  add_two_methods();
  records[1].outcome = "crashed";
  records[3].quality_percent = records[3].coverage_percent = records[3].contacts = 0;
  records[5].outcome = "skipped";
  const char *text = print_study();
  cr_expect(has_words(text, "cells | failed | nothing | skipped |"), "%s", text);
  cr_expect(has_words(text, "| 39 | 1 | 1 | 1 |"), "%s", text);
  cr_expect(has_words(text, "count as 0 where a method failed"), "%s", text);
  cr_expect(has_words(text, "on the cells that both ran."), "%s", text);
}

Test(reports_study_print, cells_whose_truth_is_not_known_are_told_from_those_that_were_judged) {
  add_two_methods();
  cr_expect_not(has_words(print_study(), "judged"), "all are");
  records[1].quality_percent = records[1].coverage_percent = NAN;
  const char *text = print_study();
  cr_expect(has_words(text, "cells | judged |"), "%s", text);
  cr_expect(has_words(text, "| 40 | 39 |"), "%s", text);
  cr_expect(has_words(text, "quality and coverage are over those that were judged"), "%s", text);
}

Test(reports_study_print, methods_that_ran_other_scenes_are_named) {
  add_two_methods();
  cr_expect_not(has_words(print_study(), "rows of all scenes"));
  add_seed("wall", 1, "guest", 90);
  cr_expect(has_words(print_study(), "Not all methods have rows of all scenes: a method's means"));
}

Test(reports_study_print, a_single_scene_has_no_intervals) {
  add_seed("wall", 1, "one", 50);
  add_seed("wall", 1, "two", 60);
  const char *text = print_study();
  cr_expect(has_words(text, "Values of 1 scene as built of 1 case: a single one has no interval."),
            "%s", text);
  cr_expect_not(has_words(text, "bootstrap"), "%s", text);
}

Test(reports_study_print, methods_that_are_not_told_apart_share_their_ranks) {
  for (int seed = 1; seed <= 6; seed++) {
    add_seed("wall", seed, "one", 50 + seed);
    add_seed("wall", seed, "two", seed % 2 ? 51 + seed : 49 + seed);
  }
  const char *text = print_study();
  cr_expect(has_words(text, "| 1-2 | one |"), "%s", text);
  cr_expect(has_words(text, "| one | = | two |"), "%s", text);
}

Test(reports_study_print, a_bar_in_a_name_does_not_end_its_cell) {
  add_seed("wall", 1, "a|b", 50);
  add_seed("wall", 2, "a|b", 60);
  cr_expect(has_words(print_study(), "| a\\|b |"));
}

Test(reports_study_print, a_method_that_was_only_skipped_has_no_rank) {
  add_two_methods();
  add_seed("wall", 1, "skips", NAN)->outcome = "skipped";
  const char *text = print_study();
  cr_expect(has_words(text, "| - | skips | - | - | - | - | - | - | 0 | 1 |"), "%s", text);
  cr_expect(has_words(text, "| right | - | skips | - | 0/0/0 | - |"), "%s", text);
}
