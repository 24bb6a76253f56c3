// SPDX-License-Identifier: MIT
// covers: reports/compare/gate_rules.c reports/compare/gate_verdict.c
#include "base/status.h"
#include "reports/compare/gate_verdict.h"
#include "tests/reports/rows/record_fixture.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static ts_record old_rows[3], new_rows[3];
static ts_gate_rules rules;
static ts_gate_verdict verdict;
static bool is_partial;
static size_t new_count;

static void make_rows(void) {
  results_open();
  old_rows[0] = record_of("1", "wall", "growth", 0);
  old_rows[1] = record_of("1", "wall", "growth", 3);
  old_rows[2] = record_of("2", "arch", "opposing", 0);
  memcpy(new_rows, old_rows, sizeof new_rows);
  is_partial = false;
  new_count = 3;
}

static void drop_rows(void) {
  ts_gate_verdict_free(&verdict);
  ts_gate_rules_free(&rules);
  results_close();
}

TestSuite(reports_gate_rules, .init = make_rows, .fini = drop_rows, .timeout = 30);

static ts_status parse(const char *text) {
  ts_gate_rules_free(&rules);
  return ts_gate_rules_make(&rules, fixture_arena, text, "my.rules");
}

/// How many rules the new rows break.
static size_t broken_by(const char *text) {
  ts_rows_of old = rows_of(old_rows, 3), new = rows_of(new_rows, new_count);
  ts_difference d;
  ts_gate_verdict_free(&verdict);
  cr_assert_eq(parse(text), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_difference_make(&d, fixture_arena, &old, &new), TS_OK);
  cr_assert_eq(ts_gate_judge(&verdict, &rules, &d, &old, &new, is_partial), TS_OK, "%s",
               ts_status_detail());
  return verdict.broken.count;
}

static void expect_refused(const char *text, const char *line, const char *word) {
  cr_expect_eq(parse(text), TS_E_INPUT, "\"%s\"", text);
  cr_expect(fixture_detail_has(line) && fixture_detail_has(word), "%s", ts_status_detail());
}

Test(reports_gate_rules, equal_rows_break_nothing) {
  cr_expect_eq(broken_by(NULL), 0);
  cr_expect_eq(verdict.better.count, 0);
  cr_expect_eq(verdict.compared_count, 3);
}

Test(reports_gate_rules, each_default_rule_is_broken_by_its_column_going_the_wrong_way) {
  size_t count = 0;
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    if (!field->has_rule || field->kind == TS_FIELD_TEXT)
      continue;
    if (field->sense == TS_SENSE_NONE)
      continue; // may not change, either way
    bool is_highest = field->sense == TS_SENSE_HIGHER;
    double good = is_highest ? 3 : 2, bad = is_highest ? 2 : 3;
    ts_record old_row = old_rows[1], new_row = new_rows[1];
    ts_row_set_number(field, &old_rows[1], good);
    ts_row_set_number(field, &new_rows[1], bad);
    cr_expect_eq(broken_by(NULL), 1, "%s", field->column);
    cr_expect_eq(verdict.broken.items[0].pair, 1);
    cr_expect_eq(verdict.broken.items[0].field, field);
    ts_row_set_number(field, &old_rows[1], bad);
    ts_row_set_number(field, &new_rows[1], good);
    cr_expect_eq(broken_by(NULL), 0, "%s", field->column);
    cr_expect_eq(verdict.better.count, 1, "%s", field->column);
    old_rows[1] = old_row;
    new_rows[1] = new_row;
    count++;
  }
  cr_expect_geq(count, 12, "%zu default rules", count);
}

Test(reports_gate_rules, the_envelope_may_not_change_unseen) {
  ts_record old_row = old_rows[1], new_row = new_rows[1];
  old_rows[1].envelope_m = 0.01;
  new_rows[1].envelope_m = 1;
  cr_expect_eq(broken_by(NULL), 1, "larger");
  old_rows[1].envelope_m = 1;
  new_rows[1].envelope_m = 0.01;
  cr_expect_eq(broken_by(NULL), 1, "smaller");
  old_rows[1] = old_row;
  new_rows[1] = new_row;
  new_rows[1].envelope = "dilated";
  cr_expect_eq(broken_by(NULL), 1, "of another kind");
  new_rows[1] = new_row;
}

Test(reports_gate_rules, default_rules_are_those_of_the_columns_in_their_order) {
  const char *text = ts_gate_default_rules(fixture_arena);
  static const char first[] = "outcome may not worsen\nenvelope may not change\n"
                              "envelope_m may not change\nquality_percent may not fall\n";
  cr_expect_eq(strncmp(text, first, strlen(first)), 0, "%s", text);
  cr_expect(strstr(text, "\ngap_error_m_max may not rise\n") != NULL, "%s", text);
  cr_expect(strstr(text, "\nexcess_factor may not worsen\narea_coverage may not worsen\n"), "%s",
            text);
  cr_expect(strstr(text, "\nfreed_wrongly_percent may not rise\n") != NULL, "%s", text);
  cr_expect(strstr(text, "\nrows may not vanish\n") != NULL, "%s", text);
  cr_expect_str_eq(ts_gate_default_rule(column("bodies")), "");
  cr_expect_str_eq(ts_gate_default_rule(column("generate_ns_min")), "");
}

Test(reports_gate_rules, every_column_with_a_sense_may_be_forbidden_to_worsen) {
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    const char *rule = ts_arena_format(fixture_arena, "%s may not worsen", field->column);
    if (field->role == TS_ROLE_IDENTITY)
      expect_refused(rule, "line 1", "identifies the row");
    else if (field->sense == TS_SENSE_NONE)
      expect_refused(rule, "line 1",
                     field->no_rule ? field->no_rule : "it is what the figures are about");
    else
      cr_expect_eq(parse(rule), TS_OK, "%s", ts_status_detail());
  }
}

Test(reports_gate_rules, a_column_of_motion_may_not_worsen) {
  const char *rule = "ignore all\nblocked_wrongly_percent may not worsen";
  old_rows[0].blocked_wrongly_percent = 10;
  new_rows[0].blocked_wrongly_percent = 12;
  cr_expect_eq(broken_by(rule), 1);
  cr_expect_eq(broken_by("ignore all\nblocked_wrongly_percent may not worsen by more than 3"), 0);
  new_rows[0].blocked_wrongly_percent = 8;
  cr_expect_eq(broken_by(rule), 0);
  cr_expect_eq(verdict.better.count, 1);
}

Test(reports_gate_rules, a_ratio_may_not_worsen_either_way) {
  old_rows[0].excess_factor = 0.72;
  new_rows[0].excess_factor = 0.36;
  cr_expect_eq(broken_by(NULL), 1);
  cr_expect_str_eq(verdict.broken.items[0].rule->text, "excess_factor may not worsen");
  cr_expect_eq(broken_by("excess_factor may not rise"), 0);
  cr_expect_eq(verdict.better.count, 0, "that is not better, though the rule allows it");
  cr_expect_eq(broken_by("excess_factor may not worsen by more than 0.5"), 0);
  cr_expect_eq(broken_by("excess_factor may not worsen by more than 0.3"), 1);
  old_rows[0].excess_factor = 1.5;
  new_rows[0].excess_factor = 1.2;
  cr_expect_eq(broken_by(NULL), 0);
  cr_expect_eq(verdict.better.count, 1);
  cr_expect_eq(broken_by("excess_factor may not change"), 1);
  new_rows[0].excess_factor = 2;
  cr_expect_eq(broken_by(NULL), 1);
  new_rows[0].excess_factor = 1 / 1.5;
  cr_expect_eq(broken_by(NULL), 0, "as far from 1 on the other side");
  cr_expect_eq(verdict.unjudged_count, 1);
}

Test(reports_gate_rules, a_worse_outcome_breaks_one_rule_and_a_better_one_is_reported) {
  new_rows[0].outcome = "crashed";
  new_rows[0].quality_percent = new_rows[0].phantom = (double)NAN;
  cr_expect_eq(broken_by(NULL), 1);
  cr_expect_str_eq(verdict.broken.items[0].rule->text, "outcome may not worsen");
  old_rows[0].outcome = "crashed";
  new_rows[0].outcome = "ok";
  cr_expect_eq(broken_by(NULL), 0);
  cr_expect_eq(verdict.better.count, 1);
}

Test(reports_gate_rules, a_measure_that_is_lost_breaks_its_rule) {
  new_rows[0].quality_percent = new_rows[1].phantom = (double)NAN;
  cr_expect_eq(broken_by(NULL), 2);
  new_rows[1] = old_rows[1];
  old_rows[0].quality_percent = (double)NAN;
  new_rows[0].quality_percent = 3;
  cr_expect_eq(broken_by(NULL), 0);
}

Test(reports_gate_rules, times_and_columns_without_a_rule_are_not_judged) {
  new_rows[0].generate_ns_median *= 100;
  new_rows[0].contacts_hash = "other";
  cr_expect_eq(broken_by(NULL), 0);
  cr_expect_eq(verdict.unjudged_count, 1);
  cr_expect_eq(broken_by("generate_ns_median may not rise by more than 50%\n"), 1);
  cr_expect_eq(broken_by("contacts_hash may not change"), 1);
}

Test(reports_gate_rules, an_infinite_value_breaks_what_a_finite_one_would) {
  new_rows[0].overlap_m_max = 1;
  old_rows[0].overlap_m_max = (double)INFINITY;
  cr_expect_eq(broken_by("overlap_m_max may not change by more than 5%"), 1);
  cr_expect_eq(broken_by("overlap_m_max may not fall by more than 5%"), 1);
  cr_expect_eq(broken_by("overlap_m_max may not rise"), 0);
  new_rows[0].overlap_m_max = (double)INFINITY;
  cr_expect_eq(broken_by("overlap_m_max may not change"), 0);
  old_rows[0].overlap_m_max = 1;
  cr_expect_eq(broken_by("overlap_m_max may not rise by more than 5%"), 1);
}

Test(reports_gate_rules, the_sense_of_the_column_decides_what_is_better) {
  new_rows[0].quality_percent = 40;
  cr_expect_eq(broken_by("quality_percent may not rise"), 0);
  cr_expect_eq(verdict.better.count, 0);
  cr_expect_eq(verdict.unjudged_count, 1, "allowed, and counted");
  new_rows[0] = old_rows[0];
  new_rows[0].contacts = 3;
  cr_expect_eq(broken_by("contacts may not rise"), 0);
  cr_expect_eq(verdict.better.count, 0, "no number of contacts is better");
  old_rows[0].quality_percent = 40;
  cr_expect_eq(broken_by("quality_percent may not fall"), 0);
  cr_expect_eq(verdict.better.count, 1);
}

Test(reports_gate_rules, rules_that_judge_nothing_are_refused) {
  ts_rows_of old = rows_of(old_rows, 3), new = rows_of(new_rows, 3);
  ts_difference d;
  cr_assert_eq(ts_difference_make(&d, fixture_arena, &old, &new), TS_OK);
  cr_assert_eq(parse("ignore all"), TS_OK);
  cr_expect_eq(ts_gate_judge(&verdict, &rules, &d, &old, &new, false), TS_E_INPUT);
  cr_expect(fixture_detail_has("no rule judges any of the 3 rows"), "%s", ts_status_detail());
  ts_gate_verdict_free(&verdict);
  cr_assert_eq(parse("ignore all\nrows may not vanish"), TS_OK);
  cr_expect_eq(ts_gate_judge(&verdict, &rules, &d, &old, &new, true), TS_E_INPUT);
  ts_gate_verdict_free(&verdict);
  cr_expect_eq(ts_gate_judge(&verdict, &rules, &d, &old, &new, false), TS_OK);
}

Test(reports_gate_rules, a_rule_for_rows_that_there_are_not_is_known) {
  broken_by("case=wall ignore phantom\ncase=wal ignore phantom\nmethod=growth step=4 ignore all");
  size_t first = rules.count - 3;
  cr_expect(verdict.has_row[0]);
  cr_expect(verdict.has_row[first]);
  cr_expect_not(verdict.has_row[first + 1]);
  cr_expect_not(verdict.has_row[first + 2]);
}

Test(reports_gate_rules, a_pattern_nested_beyond_reason_is_refused) {
  static char text[40000] = "case=";
  memset(text + 5, '(', 15000);
  memset(text + 15005, ')', 15000);
  memcpy(text + 30005, " ignore all", 12);
  expect_refused(text, "line 1", "too long");
}

Test(reports_gate_rules, by_more_than_takes_units_and_percent) {
  new_rows[0].generate_ns_median = 15000;
  cr_expect_eq(broken_by("generate_ns_median may not rise by more than 50%"), 0);
  cr_expect_eq(broken_by("generate_ns_median may not rise by more than 49%"), 1);
  cr_expect_eq(broken_by("generate_ns_median may not rise by more than 5000"), 0);
  cr_expect_eq(broken_by("generate_ns_median may not change by more than 4999"), 1);
  new_rows[1].quality_percent = 98;
  cr_expect_eq(broken_by("quality_percent may not fall by more than 2"), 0);
  cr_expect_eq(broken_by("quality_percent may not fall by more than 1.5"), 1);
}

Test(reports_gate_rules, rows_of_the_baseline_may_not_vanish_unless_it_is_allowed) {
  new_count = 2;
  cr_expect_eq(broken_by(NULL), 1);
  cr_expect_null(verdict.broken.items[0].field);
  cr_expect_eq(broken_by("ignore rows"), 0);
  cr_expect_eq(verdict.absent_count, 1);
  cr_expect_eq(broken_by("case=arch ignore rows"), 0);
  cr_expect_eq(broken_by("case=wall ignore rows"), 1);
  is_partial = true;
  cr_expect_eq(broken_by(NULL), 0);
}

Test(reports_gate_rules, new_rows_are_reported_and_may_be_forbidden) {
  new_rows[2].cell = "3";
  is_partial = true;
  cr_expect_eq(broken_by(NULL), 0);
  cr_expect_eq(verdict.new_count, 1);
  cr_expect_eq(broken_by("rows may not appear"), 1);
}

Test(reports_gate_rules, the_last_rule_that_fits_a_row_counts) {
  for (int i = 0; i < 3; i++)
    new_rows[i].quality_percent = 90;
  cr_expect_eq(broken_by(NULL), 3);
  cr_expect_eq(broken_by("case=wall ignore quality_percent"), 1);
  cr_expect_eq(broken_by("case=wal ignore quality_percent"), 3, "names match from end to end");
  cr_expect_eq(broken_by("case=wal.|arch method=growth step=3 ignore quality_percent"), 2);
  cr_expect_eq(broken_by("ignore quality_percent\nmethod=opposing quality_percent may not fall"),
               1);
  cr_expect_eq(broken_by("method=opposing quality_percent may not fall\nignore quality_percent"),
               0);
  cr_expect_eq(broken_by("ignore all\nphantom may not rise"), 0);
}

Test(reports_gate_rules, all_means_every_judged_column) {
  new_rows[0].bodies = 9;
  new_rows[0].generate_ns_median = 1e9;
  cr_expect_eq(broken_by(NULL), 0);
  cr_expect_eq(broken_by("all may not change"), 1, "times are not judged");
  cr_expect_eq(broken_by("all may not worsen"), 0, "no number of bodies is better");
  new_rows[0].normal_error_deg_max = 1;
  cr_expect_eq(broken_by("all may not worsen"), 1);
}

Test(reports_gate_rules, comments_blanks_and_line_ends_of_any_kind_are_fine) {
  new_rows[0].quality_percent = 90;
  cr_expect_eq(broken_by("\xef\xbb\xbf# mine\r\n\r\n \t ignore\tquality_percent # for now\r\n"), 0);
  cr_assert_eq(parse("\n\n  bodies may not change   # so\n"), TS_OK);
  const ts_gate_rule *rule = &rules.rules[rules.count - 1];
  cr_expect_eq(rule->line, 3);
  cr_expect_str_eq(rule->text, "bodies may not change");
  cr_expect_eq(rules.rules[0].line, 0);
  cr_expect_eq(broken_by(""), 1);
}

Test(reports_gate_rules, an_invalid_rule_is_refused_with_its_line) {
  expect_refused("\n# x\nqualty_percent may not fall", "my.rules, line 3", "\"qualty_percent\"");
  expect_refused("quality_percent must not fall", "line 1", "not must");
  expect_refused("quality_percent may not drop", "line 1", "not drop");
  expect_refused("quality_percent may not", "line 1", "fall, rise");
  expect_refused("quality_percent", "line 1", "may not");
  expect_refused("case=wall", "line 1", "the column is missing");
  expect_refused("quality_percent may not fall by more than", "line 1", "number is missing");
  expect_refused("quality_percent may not fall by 3", "line 1", "more than");
  expect_refused("quality_percent may not fall by more than x%", "line 1", "\"x\"");
  expect_refused("quality_percent may not fall by more than -1", "line 1", "not below 0");
  expect_refused("quality_percent may not fall, please", "line 1", "fall,");
  expect_refused("quality_percent may not fall please", "line 1", "ends before \"please\"");
  expect_refused("case=( quality_percent may not fall", "line 1", "regular expression");
  expect_refused("case=a case=b quality_percent may not fall", "line 1", "duplicate");
  expect_refused("step=1 step=2 quality_percent may not fall", "line 1", "duplicate step=");
  expect_refused("step=99999999999999999999 ignore all", "line 1", "from 0 to 1000000000");
  expect_refused("step=1.5 quality_percent may not fall", "line 1", "whole");
  expect_refused("cell may not change", "line 1", "identifies the row");
  expect_refused("contacts_hash may not fall", "line 1", "is text");
  expect_refused("bodies may not worsen", "line 1", "better");
  expect_refused("rows may not fall", "line 1", "vanish");
  expect_refused("phantom may not vanish", "line 1", "rows may not vanish");
  expect_refused("all may not rise", "line 1", "worsen");
  expect_refused("outcome may not worsen by more than 1", "line 1", "numbers");
  expect_refused("a b c d e f g h i j k l m n o p q r", "line 1", "words");
}

/// What a file that lacks one column has.
static const bool *all_columns_but(const char *name) {
  bool *has = ts_arena_array(fixture_arena, ts_summary_rows.field_count, sizeof *has);
  cr_assert(has);
  for (size_t i = 0; i < ts_summary_rows.field_count; i++)
    has[i] = &ts_summary_rows.fields[i] != column(name);
  return has;
}

Test(reports_gate_rules, a_column_that_a_rule_judges_must_be_there) {
  ts_rows_of old = rows_of(old_rows, 3), new = rows_of(new_rows, 3);
  ts_difference d;
  old.has_column = all_columns_but("phantom");
  cr_assert_eq(ts_difference_make(&d, fixture_arena, &old, &new), TS_OK);
  cr_assert_eq(parse(NULL), TS_OK);
  cr_expect_eq(ts_gate_judge(&verdict, &rules, &d, &old, &new, false), TS_E_INPUT);
  cr_expect(fixture_detail_has("no column phantom"));
  ts_gate_verdict_free(&verdict);
  cr_assert_eq(parse("ignore phantom"), TS_OK);
  cr_expect_eq(ts_gate_judge(&verdict, &rules, &d, &old, &new, false), TS_OK);
}

Test(reports_gate_rules, a_gate_without_a_row_to_compare_is_refused) {
  for (int i = 0; i < 3; i++)
    new_rows[i].cell = "other";
  new_rows[1].step = 7;
  new_rows[2].step = 8;
  ts_rows_of old = rows_of(old_rows, 3), new = rows_of(new_rows, 3);
  ts_difference d;
  cr_assert_eq(ts_difference_make(&d, fixture_arena, &old, &new), TS_OK);
  cr_assert_eq(parse(NULL), TS_OK);
  cr_expect_eq(ts_gate_judge(&verdict, &rules, &d, &old, &new, true), TS_E_INPUT);
  cr_expect(fixture_detail_has("no row"));
}

/// How many rules the new rows break when there is no baseline.
static size_t broken_without_baseline(const char *text) {
  ts_rows_of none = rows_of(old_rows, 0), new = rows_of(new_rows, new_count);
  ts_difference d;
  ts_gate_verdict_free(&verdict);
  cr_assert_eq(parse(text), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_difference_make(&d, fixture_arena, &none, &new), TS_OK);
  cr_assert_eq(ts_gate_judge(&verdict, &rules, &d, NULL, &new, false), TS_OK, "%s",
               ts_status_detail());
  return verdict.broken.count;
}

Test(reports_gate_rules, a_limit_holds_whatever_the_value_was) {
  old_rows[0].quality_percent = new_rows[0].quality_percent = 94;
  cr_expect_eq(broken_by("case=wall step=0 quality_percent may not be below 95"), 1);
  cr_expect_eq(verdict.broken.items[0].pair, 0);
  cr_expect_eq(broken_by("case=wall step=0 quality_percent may not be below 94"), 0);
  cr_expect_eq(broken_by("case=wall step=0 quality_percent may not be above 93.5"), 1);
  cr_expect_eq(broken_by("case=wall quality_percent may not be below 95\n"
                         "case=wall quality_percent may not be above 93\nignore quality_percent"),
               0, "ignored");
}

Test(reports_gate_rules, limits_and_rules_about_changes_do_not_replace_each_other) {
  old_rows[0].quality_percent = 96;
  new_rows[0].quality_percent = 90;
  cr_expect_eq(broken_by("case=wall step=0 quality_percent may not be below 95"), 2,
               "the default rule holds, too");
  cr_expect_eq(broken_by("case=wall step=0 quality_percent may not be below 95\n"
                         "case=wall step=0 quality_percent may not be below 80"),
               1, "the last limit counts");
}

Test(reports_gate_rules, limits_need_no_baseline) {
  for (int i = 0; i < 3; i++)
    new_rows[i].quality_percent = 90 + i;
  cr_expect_eq(broken_without_baseline("quality_percent may not be below 91"), 1);
  cr_expect_eq(verdict.limited_count, 3);
  cr_expect_eq(broken_without_baseline("quality_percent may not be below 91\n"
                                       "rows may not appear"),
               1, "no row appears where there was none");
  new_rows[1].quality_percent = NAN;
  new_rows[1].outcome = "crashed";
  cr_expect_eq(broken_without_baseline("quality_percent may not be below 5"), 1, "not measured");
  new_rows[1].outcome = "skipped";
  cr_expect_eq(broken_without_baseline("quality_percent may not be below 5"), 0);
  cr_expect_eq(verdict.limited_count, 2);
}

Test(reports_gate_rules, without_a_baseline_and_without_limits_nothing_is_judged) {
  ts_rows_of none = rows_of(old_rows, 0), new = rows_of(new_rows, 3);
  ts_difference d;
  cr_assert_eq(ts_difference_make(&d, fixture_arena, &none, &new), TS_OK);
  cr_assert_eq(parse("quality_percent may not fall"), TS_OK);
  cr_expect_eq(ts_gate_judge(&verdict, &rules, &d, NULL, &new, false), TS_E_INPUT);
  cr_expect(fixture_detail_has("no rule judges any of the 3 rows"));
}

Test(reports_gate_rules, malformed_limits_are_refused) {
  expect_refused("quality_percent may not be under 95", "line 1", "below or above and a number");
  expect_refused("quality_percent may not be below", "line 1", "below or above and a number");
  expect_refused("quality_percent may not be below x", "line 1", "below or above and a number");
  expect_refused("quality_percent may not be below inf", "line 1", "below or above and a number");
  expect_refused("outcome may not be below 1", "line 1", "a column of numbers");
  expect_refused("all may not be above 1", "line 1", "a column of numbers");
  expect_refused("rows may not be above 1", "line 1", "a column of numbers");
  expect_refused("quality_percent may not be below 95 by more than 1", "line 1", "ends before");
}

Test(reports_gate_rules, a_column_that_is_limited_must_be_in_the_results) {
  ts_rows_of none = rows_of(old_rows, 0), new = rows_of(new_rows, 3);
  new.has_column = all_columns_but("phantom");
  ts_difference d;
  cr_assert_eq(ts_difference_make(&d, fixture_arena, &none, &new), TS_OK);
  cr_assert_eq(parse("phantom may not be above 0"), TS_OK);
  cr_expect_eq(ts_gate_judge(&verdict, &rules, &d, NULL, &new, false), TS_E_INPUT);
  cr_expect(fixture_detail_has("no column phantom, which a rule limits"));
}
