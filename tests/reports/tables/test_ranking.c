// SPDX-License-Identifier: MIT
// covers: reports/tables/pivot.c reports/tables/ranking.c
#include "reports/tables/ranking.h"

#include "base/status.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(reports_ranking, .init = results_open, .fini = results_close);

static ts_record records[16];
static size_t record_count;

static ts_record *add(const char *case_name, const char *method, double quality, double coverage) {
  ts_record *record = &records[record_count++];
  ts_row_init(&ts_summary_rows, record);
  record->case_name = case_name;
  record->method = method;
  record->step = 0;
  record->outcome = "ok";
  record->contacts = coverage > 0 ? 4 : 0;
  record->quality_percent = quality;
  record->coverage_percent = coverage;
  record->excess_factor = 1.5;
  record->generate_ns_median = 2000;
  return record;
}

static ts_ranking make(void) {
  ts_ranking ranking;
  cr_assert_eq(ts_ranking_make(&ranking, fixture_arena, records, record_count), TS_OK);
  return ranking;
}

static const char *print(void) {
  char *text = NULL;
  size_t bytes = 0;
  FILE *file = open_memstream(&text, &bytes);
  ts_ranking ranking = make();
  ts_ranking_print(file, &ranking, (ts_table_style){0});
  fclose(file);
  char *copy = ts_arena_string(fixture_arena, text);
  free(text);
  return copy;
}

Test(reports_ranking, best_quality_comes_first) {
  add("wall", "first", 40, 100);
  add("wall", "second", 90, 50);
  add("arch", "first", 60, 100);
  add("arch", "second", 100, 70);
  ts_ranking ranking = make();
  cr_assert_eq(ranking.count, 2);
  cr_assert_eq(ranking.scene_count, 2);
  cr_assert_str_eq(ranking.ranks[0].method, "second");
  cr_assert_eq(ranking.ranks[0].quality_percent, 95);
  cr_assert_eq(ranking.ranks[0].coverage_percent, 60);
  cr_assert_eq(ranking.ranks[1].quality_percent, 50);
  cr_assert_eq(ranking.ranks[1].excess_factor, 1.5);
}

Test(reports_ranking, equal_quality_is_ordered_by_coverage_and_then_by_name) {
  add("wall", "low", 50, 20);
  add("wall", "two", 50, 80);
  add("wall", "one10", 50, 80);
  add("wall", "one9", 50, 80);
  ts_ranking ranking = make();
  cr_assert_str_eq(ranking.ranks[0].method, "one9");
  cr_assert_str_eq(ranking.ranks[1].method, "one10");
  cr_assert_str_eq(ranking.ranks[2].method, "two");
  cr_assert_str_eq(ranking.ranks[3].method, "low");
}

Test(reports_ranking, finding_nothing_counts_as_no_quality) {
  add("wall", "silent", 100, 100);
  add("arch", "silent", NAN, 0);
  ts_ranking ranking = make();
  cr_assert_eq(ranking.ranks[0].quality_percent, 50);
}

Test(reports_ranking, an_unknown_truth_counts_for_nothing) {
  add("wall", "method", 80, 100);
  add("tori", "method", NAN, NAN);
  cr_assert_eq(make().ranks[0].quality_percent, 80);
  cr_assert_eq(make().ranks[0].coverage_percent, 100);
}

Test(reports_ranking, a_failure_counts_as_zero_and_its_time_does_not_count) {
  add("wall", "method", 80, 100);
  ts_record *crashed = add("arch", "method", NAN, NAN);
  crashed->outcome = "crashed";
  crashed->generate_ns_median = NAN;
  ts_rank rank = make().ranks[0];
  cr_assert_eq(rank.failed, 1);
  cr_assert_eq(rank.quality_percent, 40);
  cr_assert_eq(rank.coverage_percent, 50);
  cr_assert_float_eq(rank.time_ns, 2000, 1e-9);
}

Test(reports_ranking, a_skipped_row_is_counted_and_otherwise_left_out) {
  add("wall", "method", 80, 100);
  add("arch", "method", NAN, NAN)->outcome = "skipped";
  ts_rank rank = make().ranks[0];
  cr_assert_eq(rank.skipped, 1);
  cr_assert_eq(rank.quality_percent, 80);
}

Test(reports_ranking, a_method_without_measurements_comes_last) {
  add("wall", "skips", NAN, NAN)->outcome = "skipped";
  add("wall", "poor", 0, 0);
  ts_ranking ranking = make();
  cr_assert_str_eq(ranking.ranks[1].method, "skips");
  cr_assert(isnan(ranking.ranks[1].quality_percent));
}

Test(reports_ranking, columns_are_aligned_and_failures_shown_only_where_there_are_any) {
  add("wall", "a", 100, 100);
  add("wall", "longer_name", 12.345, 6.7);
  const char *expected = "method       quality%  coverage%  excess     time\n"
                         "-----------  --------  ---------  ------  -------\n"
                         "a                 100        100    1.50  2.00 us\n"
                         "longer_name      12.3        6.7    1.50  2.00 us\n\n"
                         "Means over 1 scene as built,";
  cr_assert_eq(strncmp(print(), expected, strlen(expected)), 0, "%s", print());
  records[0].outcome = "failed";
  cr_assert_not_null(strstr(print(), "failed"));
  cr_assert_null(strstr(print(), "skipped"));
}

Test(reports_ranking, the_mean_of_times_is_the_geometric_one) {
  add("wall", "method", 80, 100)->generate_ns_median = 100;
  add("arch", "method", 80, 100)->generate_ns_median = 10000;
  cr_assert_float_eq(make().ranks[0].time_ns, 1000, 1e-9);
}

Test(reports_ranking, rows_in_motion_count_nowhere_and_their_failures_are_named) {
  add("wall", "method", 80, 100);
  add("wall", "method", 10, 10)->step = 3;
  ts_record *step = add("arch", "method", NAN, NAN);
  step->step = 3;
  step->outcome = "failed";
  add("ring", "method", NAN, NAN)->step = 3;
  records[record_count - 1].outcome = "skipped";
  ts_ranking ranking = make();
  cr_assert_eq(ranking.scene_count, 1);
  cr_assert_eq(ranking.ranks[0].quality_percent, 80);
  cr_assert_eq(ranking.ranks[0].failed, 0);
  cr_assert_eq(ranking.ranks[0].skipped, 0);
  cr_assert_not_null(strstr(print(), "1 row in motion failed, and counts nowhere."));
}

Test(reports_ranking, no_rows_give_no_ranks) {
  cr_assert_eq(make().count, 0);
}
