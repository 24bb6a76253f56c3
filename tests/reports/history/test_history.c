// SPDX-License-Identifier: MIT
// Which figures of two runs are joined, and what changed between them.
// covers: reports/history/history.c
#include "reports/history/history.h"

#include "base/status.h"
#include "tests/reports/rows/record_fixture.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(reports_history, .init = results_open, .fini = results_close, .timeout = 30);

enum { RUNS = 4, ROWS = 4 };
static ts_record rows[RUNS][ROWS];
static ts_history_run runs[RUNS];

/// A row of that run, on its own cell.
static ts_record *add_row(size_t run, const char *case_name, const char *method, double quality) {
  ts_history_run *r = &runs[run];
  cr_assert_lt(r->count, ROWS);
  ts_record *row = &rows[run][r->count++];
  *row =
      record_of(ts_arena_format(fixture_arena, "%s %s", case_name, method), case_name, method, 0);
  row->quality_percent = quality;
  r->records = rows[run];
  r->name = r->path = ts_arena_format(fixture_arena, "run%zu", run);
  r->date = r->version = "";
  return row;
}

static ts_history make(size_t count, const char *figure) {
  ts_history h;
  cr_assert_eq(ts_history_make(&h, fixture_arena, runs, count, column(figure)), TS_OK, "%s",
               ts_status_detail());
  return h;
}

static ts_history_point point_of(const ts_history *h, size_t method, size_t run) {
  return *ts_history_at(h, method, run);
}

Test(reports_history, means_of_the_same_rows_are_joined_whatever_their_order) {
  add_row(0, "wall", "growth", 100);
  add_row(0, "arch", "growth", 50);
  add_row(1, "arch", "growth", 70);
  add_row(1, "wall", "growth", 100);
  ts_history h = make(2, "quality_percent");
  cr_expect_eq(h.methods.count, 1);
  cr_expect_eq(point_of(&h, 0, 0).value, 75);
  cr_expect_eq(point_of(&h, 0, 0).before, TS_HISTORY_NONE);
  cr_expect_eq(point_of(&h, 0, 1).value, 85);
  cr_expect(point_of(&h, 0, 1).is_joined);
  cr_expect_eq(h.biggest_method, 0);
  cr_expect_eq(h.biggest_run, 1);
}

Test(reports_history, a_case_that_is_added_breaks_the_curve_and_is_no_change) {
  add_row(0, "wall", "growth", 100);
  add_row(1, "wall", "growth", 100);
  add_row(1, "arch", "growth", 20);
  ts_history h = make(2, "quality_percent");
  ts_history_point p = point_of(&h, 0, 1);
  cr_expect_eq(p.value, 60);
  cr_expect_eq(p.rows, 2);
  cr_expect_not(p.is_joined);
  cr_expect_eq(p.common, 1);
  cr_expect_eq(p.was, 100);
  cr_expect_eq(p.now, 100);
  cr_expect_eq(h.biggest_run, TS_HISTORY_NONE);
}

Test(reports_history, a_case_with_other_parameters_is_another_row) {
  add_row(0, "wall", "growth", 100)->case_parameters = "layers=3";
  add_row(0, "arch", "growth", 50);
  add_row(1, "wall", "growth", 40)->case_parameters = "layers=4";
  add_row(1, "arch", "growth", 50);
  ts_history h = make(2, "quality_percent");
  cr_expect_eq(point_of(&h, 0, 1).common, 1);
  cr_expect_not(point_of(&h, 0, 1).is_joined);
  cr_expect_eq(h.biggest_run, TS_HISTORY_NONE);
}

Test(reports_history, a_method_with_other_parameters_is_another_curve) {
  add_row(0, "wall", "growth", 100)->method_parameters = "profile=paper";
  add_row(1, "wall", "growth", 40)->method_parameters = "profile=prox2018";
  add_row(0, "wall", "opposing", 1);
  add_row(1, "wall", "opposing", 1);
  ts_history h = make(2, "quality_percent");
  cr_expect_eq(h.methods.count, 3);
  cr_expect_eq(h.biggest_run, TS_HISTORY_NONE);
}

Test(reports_history, a_run_without_the_method_leaves_a_gap_that_the_change_spans) {
  add_row(0, "wall", "growth", 90);
  add_row(1, "wall", "opposing", 10);
  add_row(2, "wall", "growth", 60);
  add_row(3, "wall", "growth", 55);
  ts_history h = make(4, "quality_percent");
  cr_expect(isnan(point_of(&h, 0, 1).value));
  ts_history_point p = point_of(&h, 0, 2);
  cr_expect_not(p.is_joined);
  cr_expect_eq(p.before, 0);
  cr_expect_eq(p.was, 90);
  cr_expect(point_of(&h, 0, 3).is_joined);
  cr_expect_eq(h.biggest_run, 2);
}

Test(reports_history, a_failed_row_counts_as_0_in_quality_and_not_in_times) {
  add_row(0, "wall", "growth", 100);
  add_row(0, "arch", "growth", 100);
  add_row(1, "wall", "growth", 100);
  ts_record *failed = add_row(1, "arch", "growth", (double)NAN);
  failed->outcome = "crashed";
  failed->generate_ns_median = (double)NAN;
  ts_history quality = make(2, "quality_percent"), time = make(2, "generate_ns_median");
  cr_expect_eq(point_of(&quality, 0, 1).value, 50);
  cr_expect(point_of(&quality, 0, 1).is_joined);
  cr_expect_eq(point_of(&time, 0, 1).rows, 1);
  cr_expect_not(point_of(&time, 0, 1).is_joined);
}

Test(reports_history, times_have_geometric_means_and_join_on_one_machine_only) {
  double times[RUNS][2] = {{100, 10000}, {400, 10000}, {100, 10000}};
  for (size_t run = 0; run < 3; run++) {
    add_row(run, "wall", "growth", 100)->generate_ns_median = times[run][0];
    add_row(run, "arch", "growth", 100)->generate_ns_median = times[run][1];
    runs[run].machine = run < 2 ? 0 : 1;
  }
  ts_history h = make(3, "generate_ns_median");
  cr_expect_float_eq(point_of(&h, 0, 0).value, 1000, 1e-9);
  cr_expect_float_eq(point_of(&h, 0, 1).value, 2000, 1e-9);
  cr_expect(point_of(&h, 0, 1).is_joined);
  cr_expect_not(point_of(&h, 0, 2).is_joined);
  cr_expect(isnan(point_of(&h, 0, 2).was));
  cr_expect_eq(h.biggest_run, 1);
  ts_history quality = make(3, "quality_percent");
  cr_expect(point_of(&quality, 0, 2).is_joined);
}

Test(reports_history, of_equal_changes_the_newest_is_the_biggest) {
  double qualities[] = {100, 50, 50, 0};
  for (size_t run = 0; run < 4; run++)
    add_row(run, "wall", "growth", qualities[run]);
  cr_expect_eq(make(4, "quality_percent").biggest_run, 3);
}

Test(reports_history, one_run_is_a_history_of_one_point) {
  add_row(0, "wall", "growth", 90);
  ts_history h = make(1, "quality_percent");
  cr_expect_eq(point_of(&h, 0, 0).value, 90);
  cr_expect_eq(h.biggest_run, TS_HISTORY_NONE);
}

static void refuse(size_t count, const char *figure, const char *words) {
  ts_history h;
  cr_assert_eq(ts_history_make(&h, fixture_arena, runs, count, column(figure)), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), words), "%s", ts_status_detail());
}

Test(reports_history, runs_without_a_common_row_are_refused) {
  add_row(0, "wall", "growth", 90);
  add_row(1, "arch", "growth", 90);
  refuse(2, "quality_percent", "no row with quality_percent in common");
}

Test(reports_history, a_column_that_no_row_has_is_refused) {
  add_row(0, "wall", "growth", 90);
  refuse(1, "drift_m_max", "none of these rows has a value of drift_m_max");
}

Test(reports_history, a_change_is_better_or_worse_by_the_sense_of_the_column) {
  cr_expect_str_eq(ts_history_direction(column("quality_percent"), 50, 60), "better");
  cr_expect_str_eq(ts_history_direction(column("generate_ns_median"), 50, 60), "worse");
  cr_expect_str_eq(ts_history_direction(column("excess_factor"), 0.5, 1.5), "better");
  cr_expect_str_eq(ts_history_direction(column("contacts"), 5, 6), "other");
}
