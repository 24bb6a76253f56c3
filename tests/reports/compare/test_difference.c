// SPDX-License-Identifier: MIT
// covers: reports/compare/difference.c reports/rows/record_index.c
#include "reports/compare/difference.h"

#include "base/status.h"
#include "tests/reports/rows/record_fixture.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static ts_record old_rows[3], new_rows[3];

static void make_again(void) {
  old_rows[0] = record_of("1", "wall", "growth", 0);
  old_rows[1] = record_of("1", "wall", "growth", 3);
  old_rows[2] = record_of("2", "arch", "growth", 0);
  memcpy(new_rows, old_rows, sizeof new_rows);
}

static void make_rows(void) {
  results_open();
  make_again();
}

TestSuite(reports_difference, .init = make_rows, .fini = results_close, .timeout = 30);

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
  cr_expect(fixture_detail_has("duplicate"));
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

/// What the only change of the first row is when a column goes from one number to another.
static ts_change_kind change_of(const ts_field *field, double was, double is) {
  ts_row_set_number(field, &old_rows[0], was);
  ts_row_set_number(field, &new_rows[0], is);
  ts_change change = only_change();
  cr_expect_eq(change.field, field, "%s", field->column);
  make_again();
  return change.kind;
}

Test(reports_difference, every_column_is_worse_or_better_by_its_sense) {
  size_t count = 0;
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    bool is_compared = field->compare == TS_COMPARE_EXACT || field->compare == TS_COMPARE_CLOSE;
    if (!is_compared || field->kind == TS_FIELD_TEXT)
      continue;
    if (field->sense == TS_SENSE_NONE) {
      cr_expect_eq(change_of(field, 2, 3), TS_CHANGE_OTHER, "%s", field->column);
      cr_expect_eq(change_of(field, 3, 2), TS_CHANGE_OTHER, "%s", field->column);
      continue;
    }
    bool is_highest = field->sense == TS_SENSE_HIGHER;
    double good = is_highest ? 3 : 2, bad = is_highest ? 2 : 3;
    cr_expect_eq(change_of(field, good, bad), TS_CHANGE_WORSE, "%s", field->column);
    cr_expect_eq(change_of(field, bad, good), TS_CHANGE_BETTER, "%s", field->column);
    cr_expect_eq(change_of(field, good, (double)NAN), TS_CHANGE_WORSE, "%s", field->column);
    cr_expect_eq(change_of(field, (double)NAN, good), TS_CHANGE_OTHER, "%s", field->column);
    count++;
  }
  cr_expect_geq(count, 20, "%zu columns with a sense", count);
}

Test(reports_difference, the_columns_of_motion_get_worse_and_better) {
  static const char *const names[] = {
      "blocked_wrongly_percent",       "freed_wrongly_percent", "blocked_wrongly_sliding_percent",
      "blocked_wrongly_given_percent", "wrench_residual_max",   "wrench_missing_max"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    cr_expect_eq(change_of(column(names[i]), 0, 0.5), TS_CHANGE_WORSE, "%s", names[i]);
    cr_expect_eq(change_of(column(names[i]), 0.5, 0), TS_CHANGE_BETTER, "%s", names[i]);
  }
}

Test(reports_difference, a_ratio_gets_better_towards_one_from_either_side) {
  static const struct {
    double was, is;
    ts_change_kind kind;
  } changes[] = {
      {0.72, 0.36, TS_CHANGE_WORSE}, {0.36, 0.72, TS_CHANGE_BETTER}, {1.5, 1.2, TS_CHANGE_BETTER},
      {1.2, 1.5, TS_CHANGE_WORSE},   {0.9, 1.05, TS_CHANGE_BETTER},  {1, 0.99, TS_CHANGE_WORSE},
      {0.5, 2, TS_CHANGE_OTHER},     {1 / 3.0, 3, TS_CHANGE_OTHER},  {0, 5, TS_CHANGE_BETTER},
      {1.9, 0.5, TS_CHANGE_WORSE},
  };
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    double was = changes[i].was, is = changes[i].is;
    cr_expect_eq(change_of(column("excess_factor"), was, is), changes[i].kind, "%g to %g", was, is);
    cr_expect_eq(change_of(column("area_coverage"), was, is), changes[i].kind, "%g to %g", was, is);
  }
}
