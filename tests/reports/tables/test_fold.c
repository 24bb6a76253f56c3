// SPDX-License-Identifier: MIT
// covers: reports/tables/fold.c
#include "reports/tables/fold.h"

#include "reports/tables/table.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(reports_fold, .init = results_open, .fini = results_close);

static ts_record records[16];
static size_t record_count;

/// A row of one draw of the wall, built with some layers.
static ts_record *add_wall(int layers, int seed, double quality) {
  ts_record *record = &records[record_count++];
  ts_row_init(&ts_summary_rows, record);
  record->cell = ts_arena_format(fixture_arena, "cell%zu", record_count);
  record->case_name = "wall";
  record->case_parameters =
      ts_arena_format(fixture_arena, "scale=1;motion_seed=%d;layers=%d", seed, layers);
  record->method = "growth";
  record->step = 0;
  record->outcome = "ok";
  record->quality_percent = quality;
  record->coverage_percent = 100;
  record->excess_factor = 1;
  record->phantom = 0;
  record->generate_ns_median = 2000;
  return record;
}

static ts_fold fold_by(const char *name) {
  ts_fold fold;
  cr_assert_eq(ts_fold_draws(&fold, fixture_arena, records, record_count, &name, name ? 1 : 0),
               TS_OK);
  return fold;
}

Test(reports_fold, draws_become_one_row_of_means_and_deviations) {
  add_wall(3, 1, 40);
  add_wall(3, 2, 50);
  add_wall(3, 3, 60)->phantom = 3;
  ts_fold fold = fold_by(NULL);
  cr_assert_eq(fold.count, 1);
  cr_expect_eq(fold.means[0].quality_percent, 50);
  cr_expect_float_eq(fold.spreads[0].quality_percent, 10, 1e-12);
  cr_expect_eq(fold.spreads[0].coverage_percent, 0);
  cr_expect_eq(fold.means[0].phantom, 1, "a fault in one draw is a fault of the case");
  cr_expect(isnan(fold.means[0].gap_error_m_max));
  cr_expect_str_eq(fold.means[0].case_parameters, "");
  cr_expect_eq(fold.draws_most, 3);
  cr_expect_eq(fold.row_count, 3);
}

Test(reports_fold, what_is_swept_keeps_rows_apart) {
  add_wall(3, 1, 40);
  add_wall(3, 2, 60);
  add_wall(20, 1, 90);
  ts_fold fold = fold_by("layers");
  cr_assert_eq(fold.count, 2);
  cr_expect_str_eq(fold.means[0].case_parameters, "layers=3");
  cr_expect_eq(fold.means[0].quality_percent, 50);
  cr_expect_str_eq(fold.means[1].case_parameters, "layers=20");
  cr_expect(isnan(fold.spreads[1].quality_percent), "one draw has no deviation");
}

Test(reports_fold, steps_and_methods_stay_apart) {
  add_wall(3, 1, 40);
  add_wall(3, 1, 50)->step = 3;
  add_wall(3, 1, 60)->method = "opposing";
  cr_expect_eq(fold_by(NULL).count, 3);
}

Test(reports_fold, a_draw_that_failed_is_left_out_and_counted) {
  add_wall(3, 1, 40);
  add_wall(3, 2, NAN)->outcome = "crashed";
  add_wall(3, 3, NAN)->outcome = "skipped";
  ts_fold fold = fold_by(NULL);
  cr_expect_str_eq(fold.means[0].outcome, "ok");
  cr_expect_eq(fold.means[0].quality_percent, 40);
  cr_expect_eq(fold.left_out, 2);
  cr_expect_eq(fold.left_out_failed, 1);
}

Test(reports_fold, without_any_row_that_is_ok_the_worst_outcome_is_shown) {
  add_wall(3, 1, NAN)->outcome = "skipped";
  ts_record *crashed = add_wall(3, 2, NAN);
  crashed->outcome = "crashed";
  crashed->reason = "a signal";
  ts_fold fold = fold_by(NULL);
  cr_expect_str_eq(fold.means[0].outcome, "crashed");
  cr_expect_str_eq(fold.means[0].reason, "a signal");
  cr_expect_eq(fold.left_out, 0);
}

Test(reports_fold, the_table_has_one_line_for_all_draws) {
  add_wall(3, 1, 40);
  add_wall(3, 2, 60);
  add_wall(3, 3, NAN)->outcome = "failed";
  ts_fold fold = fold_by("layers");
  char *text = NULL;
  size_t bytes = 0;
  FILE *file = open_memstream(&text, &bytes);
  cr_assert_eq(ts_table_print_folded(file, fixture_arena, &fold, (ts_table_style){0}), TS_OK);
  fclose(file);
  cr_expect(strstr(text, "wall   50.0+-14.1        100    1.00  2.00 us"), "%s", text);
  cr_expect(strstr(text, "1 of 3 rows not ok:\n  and 1 more, see summary.csv\n"), "%s", text);
  cr_expect(strstr(text, "3 of each case"), "%s", text);
  free(text);
}

Test(reports_fold, no_rows_fold_into_none) {
  cr_expect_eq(fold_by(NULL).count, 0);
}
