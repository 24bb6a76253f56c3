// SPDX-License-Identifier: MIT
#include "reports/compare/difference.h"

#include "base/status.h"
#include "tests/reports/rows/record_fixture.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static ts_record old_rows[3], new_rows[3];

static void make_rows(void) {
  fixture_open();
  old_rows[0] = record_of("1", "wall", "growth", 0);
  old_rows[1] = record_of("1", "wall", "growth", 3);
  old_rows[2] = record_of("2", "arch", "growth", 0);
  memcpy(new_rows, old_rows, sizeof new_rows);
}

TestSuite(reports_difference, .init = make_rows, .fini = fixture_close, .timeout = 30);

static ts_difference make(size_t old_count, size_t new_count) {
  ts_rows_of old = rows_of(old_rows, old_count), new = rows_of(new_rows, new_count);
  ts_difference d;
  cr_assert_eq(ts_difference_make(&d, fixture_arena, &old, &new), TS_OK, "%s", ts_status_detail());
  return d;
}

static ts_change only_change(void) {
  ts_difference d = make(3, 3);
  cr_assert_eq(d.change_count, 1, "%zu changes", d.change_count);
  return d.changes[0];
}

Test(reports_difference, equal_rows_have_no_change_whatever_their_order) {
  ts_record first = new_rows[0];
  new_rows[0] = new_rows[2];
  new_rows[2] = first;
  ts_difference d = make(3, 3);
  cr_expect_eq(d.change_count, 0);
  cr_expect_eq(d.matched_count, 3);
  for (size_t i = 0; i < 3; i++)
    cr_expect_str_eq(d.pairs[i].old->cell, d.pairs[i].new->cell);
}

Test(reports_difference, an_infinite_value_equals_itself_alone) {
  double *was = &old_rows[1].overlap_m_max, *is = &new_rows[1].overlap_m_max;
  *was = *is = (double)INFINITY;
  cr_expect_eq(make(3, 3).change_count, 0);
  *is = 1;
  cr_expect_eq(only_change().kind, TS_CHANGE_BETTER);
  *is = -(double)INFINITY;
  cr_expect_eq(only_change().kind, TS_CHANGE_BETTER);
  *was = 1;
  *is = (double)INFINITY;
  cr_expect_eq(only_change().kind, TS_CHANGE_WORSE);
}

Test(reports_difference, a_measure_is_worse_or_better_by_its_direction) {
  new_rows[1].quality_percent = 50;
  cr_expect_eq(only_change().kind, TS_CHANGE_WORSE);
  cr_expect_eq(only_change().pair, 1);
  cr_expect_eq(only_change().field, column("quality_percent"));
  new_rows[1] = old_rows[1];
  new_rows[2].phantom = 1;
  cr_expect_eq(only_change().kind, TS_CHANGE_WORSE);
  old_rows[2].phantom = 2;
  cr_expect_eq(only_change().kind, TS_CHANGE_BETTER);
  new_rows[2] = old_rows[2];
  new_rows[2].contacts = 5;
  cr_expect_eq(only_change().kind, TS_CHANGE_OTHER);
}

Test(reports_difference, tolerances_are_relative_above_one_and_absolute_below) {
  old_rows[0].area_coverage = 0.5;
  new_rows[0].area_coverage = 0.5 + 0.9e-6;
  cr_expect_eq(make(3, 3).change_count, 0);
  new_rows[0].area_coverage = 0.5 + 1.1e-6;
  cr_expect_eq(make(3, 3).change_count, 1);
  new_rows[0].area_coverage = old_rows[0].area_coverage;
  old_rows[0].kinetic_energy_j = 1e6;
  new_rows[0].kinetic_energy_j = 1e6 + 0.9;
  cr_expect_eq(make(3, 3).change_count, 0);
  new_rows[0].kinetic_energy_j = 1e6 + 1.1;
  cr_expect_eq(make(3, 3).change_count, 1);
}

Test(reports_difference, times_and_reasons_are_not_changes) {
  new_rows[0].generate_ns_median *= 5;
  new_rows[0].reason = "other";
  new_rows[0].memory_bytes_max = 7;
  cr_expect_eq(make(3, 3).change_count, 0);
}

Test(reports_difference, not_measured_equals_itself_and_losing_a_measure_is_worse) {
  old_rows[0].quality_percent = new_rows[0].quality_percent = (double)NAN;
  cr_expect_eq(make(3, 3).change_count, 0);
  old_rows[0].quality_percent = 100;
  cr_expect_eq(only_change().kind, TS_CHANGE_WORSE);
  old_rows[0].quality_percent = (double)NAN;
  new_rows[0].quality_percent = 100;
  cr_expect_eq(only_change().kind, TS_CHANGE_OTHER);
  old_rows[0].gap_error_m_max = new_rows[0].gap_error_m_max = INFINITY;
  cr_expect_eq(make(3, 3).change_count, 1, "infinity equals itself");
}

Test(reports_difference, a_changed_outcome_is_the_one_change_of_its_row) {
  new_rows[1].outcome = "crashed";
  new_rows[1].quality_percent = (double)NAN;
  new_rows[1].contacts_hash = "";
  cr_expect_eq(only_change().kind, TS_CHANGE_OUTCOME_WORSE);
  old_rows[1].outcome = "skipped";
  cr_expect_eq(only_change().kind, TS_CHANGE_OUTCOME_WORSE);
  new_rows[1].outcome = "ok";
  cr_expect_eq(only_change().kind, TS_CHANGE_OUTCOME_BETTER);
  old_rows[1].outcome = "crashed";
  new_rows[1].outcome = "timed_out";
  cr_expect_eq(only_change().kind, TS_CHANGE_OTHER);
  new_rows[1].outcome = "melted";
  cr_expect_eq(only_change().kind, TS_CHANGE_OUTCOME_WORSE, "an unknown word is the worst");
}

Test(reports_difference, another_parameter_or_step_is_another_row) {
  new_rows[0].method_parameters = "x=1";
  new_rows[1].step = 4;
  ts_difference d = make(3, 3);
  cr_expect_eq(d.matched_count, 1);
  cr_expect_eq(d.counts[TS_CHANGE_VANISHED], 2);
  cr_expect_eq(d.counts[TS_CHANGE_APPEARED], 2);
  cr_expect_eq(d.pair_count, 5);
  cr_expect_null(d.pairs[3].old);
  cr_expect_eq(d.pairs[3].new, &new_rows[0]);
}

Test(reports_difference, changes_are_sorted_the_worst_first) {
  new_rows[0].quality_percent = 99;
  new_rows[1].outcome = "failed";
  old_rows[2].coverage_percent = 1;
  new_rows[2].bodies = 9;
  ts_difference d = make(3, 3);
  const ts_change_kind kinds[] = {TS_CHANGE_OUTCOME_WORSE, TS_CHANGE_WORSE, TS_CHANGE_OTHER,
                                  TS_CHANGE_BETTER};
  cr_assert_eq(d.change_count, 4);
  for (size_t i = 0; i < 4; i++)
    cr_expect_eq(d.changes[i].kind, kinds[i]);
}

Test(reports_difference, an_empty_side_makes_every_row_vanish_or_appear) {
  cr_expect_eq(make(3, 0).counts[TS_CHANGE_VANISHED], 3);
  cr_expect_eq(make(0, 3).counts[TS_CHANGE_APPEARED], 3);
  cr_expect_eq(make(0, 0).change_count, 0);
}

Test(reports_difference, two_rows_of_one_identity_are_refused) {
  new_rows[2] = new_rows[0];
  ts_rows_of old = rows_of(old_rows, 3), new = rows_of(new_rows, 3);
  ts_difference d;
  cr_expect_eq(ts_difference_make(&d, fixture_arena, &old, &new), TS_E_INPUT);
  cr_expect(fixture_detail_has("twice"));
}

Test(reports_difference, a_column_that_one_side_lacks_is_not_compared) {
  bool has[256] = {0};
  for (size_t i = 0; i < ts_summary_rows.field_count; i++)
    has[i] = &ts_summary_rows.fields[i] != column("phantom");
  ts_rows_of old = rows_of(old_rows, 3), new = rows_of(new_rows, 3);
  old_rows[0].phantom = 5;
  new.has_column = has;
  ts_difference d;
  cr_assert_eq(ts_difference_make(&d, fixture_arena, &old, &new), TS_OK);
  cr_expect_eq(d.change_count, 0);
}

Test(reports_difference, labels_name_what_distinguishes_rows) {
  ts_difference d = make(3, 3);
  const char *const *cases, *const *methods;
  cr_assert_eq(ts_difference_label(&cases, &methods, fixture_arena, &d), TS_OK);
  cr_expect_str_eq(cases[0], "wall touch");
  cr_expect_str_eq(cases[1], "wall step=3");
  cr_expect_str_eq(methods[2], "growth");
}

Test(reports_difference, every_measure_has_a_direction_and_facts_have_none) {
  const char *larger[] = {"quality_percent", "coverage_percent", "area_coverage"};
  const char *smaller[] = {"excess_factor",     "phantom",         "regions_missed",
                           "normals_flipped",   "normals_invalid", "gap_error_m_max",
                           "generate_ns_median"};
  for (size_t i = 0; i < 3; i++)
    cr_expect_eq(ts_field_direction(column(larger[i])), TS_LARGER_IS_BETTER);
  for (size_t i = 0; i < 7; i++)
    cr_expect_eq(ts_field_direction(column(smaller[i])), TS_SMALLER_IS_BETTER);
  cr_expect_eq(ts_field_direction(column("bodies")), TS_DIRECTION_NONE);
  cr_expect_eq(ts_field_direction(column("cell")), TS_DIRECTION_NONE);
}
