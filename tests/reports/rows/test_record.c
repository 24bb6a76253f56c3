// SPDX-License-Identifier: MIT
// covers: reports/rows/record.c
#include "reports/rows/record.h"

#include "base/feature.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

static const ts_row_type *const types[] = {&ts_summary_rows, &ts_contact_rows, &ts_sample_rows};
#define TYPE_COUNT (sizeof types / sizeof *types)

Test(reports_record, column_names_are_unique_and_plain) {
  for (size_t t = 0; t < TYPE_COUNT; t++)
    for (size_t i = 0; i < types[t]->field_count; i++) {
      const ts_field *field = &types[t]->fields[i];
      cr_expect_eq(strspn(field->column, "abcdefghijklmnopqrstuvwxyz0123456789_"),
                   strlen(field->column), "%s", field->column);
      cr_expect_eq(ts_row_find(types[t], field->column), field, "duplicate %s", field->column);
      cr_expect(field->meaning[0] != '\0' && strchr(field->meaning, '\n') == NULL);
    }
}

/// Whether the name of a column ends in its unit, as it must: in small letters, its parts joined by
/// "_". The longer units are matched whole, so that "m" is not found in "kg_m_s".
static bool names_unit(const ts_field *field) {
  char unit[32];
  size_t length = 0;
  for (const char *c = field->unit; *c; c++)
    unit[length++] = *c == ' ' || *c == '/' ? '_' : (char)tolower((unsigned char)*c);
  unit[length] = '\0';
  const char *found = strstr(field->column, unit);
  while (found) {
    bool starts = found > field->column && found[-1] == '_';
    if (starts && (found[length] == '\0' || found[length] == '_'))
      return true;
    found = strstr(found + 1, unit);
  }
  return false;
}

Test(reports_record, a_column_with_a_unit_has_it_in_its_name) {
  for (size_t t = 0; t < TYPE_COUNT; t++)
    for (size_t i = 0; i < types[t]->field_count; i++) {
      const ts_field *field = &types[t]->fields[i];
      cr_expect(field->unit[0] == '\0' || names_unit(field), "%s [%s]", field->column, field->unit);
    }
}

Test(reports_record, columns_have_a_tolerance_if_and_only_if_compared_by_it) {
  for (size_t t = 0; t < TYPE_COUNT; t++)
    for (size_t i = 0; i < types[t]->field_count; i++) {
      const ts_field *field = &types[t]->fields[i];
      cr_expect_eq(field->tolerance > 0, field->compare == TS_COMPARE_CLOSE, "%s", field->column);
      cr_expect(field->compare != TS_COMPARE_CLOSE || field->kind == TS_FIELD_REAL, "%s",
                field->column);
    }
}

Test(reports_record, every_column_has_a_role_a_sense_and_a_label) {
  for (size_t t = 0; t < TYPE_COUNT; t++)
    for (size_t i = 0; i < types[t]->field_count; i++) {
      const ts_field *field = &types[t]->fields[i];
      cr_expect_neq(field->role, TS_ROLE_MISSING, "%s: give it a .role", field->column);
      cr_expect_neq(field->sense, TS_SENSE_MISSING, "%s: give it a .sense", field->column);
      cr_expect(field->label && field->label[0], "%s: give it a .label", field->column);
      cr_expect_eq(field->role == TS_ROLE_IDENTITY, field->compare == TS_COMPARE_IDENTITY,
                   "%s: give it a .compare, unless it identifies the row", field->column);
    }
}

Test(reports_record, the_sense_follows_the_role) {
  for (size_t t = 0; t < TYPE_COUNT; t++)
    for (size_t i = 0; i < types[t]->field_count; i++) {
      const ts_field *field = &types[t]->fields[i];
      bool is_fact = field->role == TS_ROLE_IDENTITY || field->role == TS_ROLE_FACT;
      bool has_sense = field->sense != TS_SENSE_NONE;
      bool is_measure = field->role == TS_ROLE_MEASURE || field->role == TS_ROLE_FAULT;
      cr_expect(!is_fact || !has_sense, "%s: no value of a fact is better", field->column);
      cr_expect(!is_measure || has_sense, "%s: which value is the best?", field->column);
      cr_expect(field->role != TS_ROLE_FAULT || field->sense == TS_SENSE_LOWER, "%s",
                field->column);
      cr_expect_eq(field->sense == TS_SENSE_RANKED, has_sense && field->kind == TS_FIELD_TEXT, "%s",
                   field->column);
      cr_expect(field->sense != TS_SENSE_CLOSEST_TO_1 || field->far_off > 1,
                "%s: a ratio has a .far_off", field->column);
      cr_expect(field->sense == TS_SENSE_CLOSEST_TO_1 || field->sense == TS_SENSE_LOWER ||
                    field->far_off == 0,
                "%s: nothing is far off", field->column);
    }
}

Test(reports_record, a_column_of_the_summary_has_a_default_rule_or_a_reason) {
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    bool has_reason = field->no_rule && field->no_rule[0];
    if (field->role == TS_ROLE_IDENTITY)
      cr_expect(!field->has_rule && !has_reason, "%s", field->column);
    else
      cr_expect_neq(field->has_rule, has_reason, "%s: give it .has_rule or .no_rule, not both",
                    field->column);
    cr_expect(!field->has_rule || field->sense != TS_SENSE_NONE || field->role == TS_ROLE_FACT,
              "%s cannot get worse", field->column);
  }
}

Test(reports_record, faults_have_letters_and_no_letter_is_used_twice) {
  bool is_used[256] = {0};
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    cr_expect_eq(field->role == TS_ROLE_FAULT, field->flag != 0, "%s: a fault has a .flag",
                 field->column);
    if (!field->flag)
      continue;
    cr_expect(islower((unsigned char)field->flag), "%s", field->column);
    cr_expect_not(is_used[(unsigned char)field->flag], "the letter %c is used twice", field->flag);
    is_used[(unsigned char)field->flag] = true;
  }
}

Test(reports_record, what_is_shown_is_a_number_that_can_be_shown) {
  const ts_field *shown[TS_RECORD_FIELD_COUNT];
  static const ts_shown places[] = {TS_SHOWN_TABLE, TS_SHOWN_PAGE,  TS_SHOWN_HEAT_MAP,
                                    TS_SHOWN_SWEEP, TS_SHOWN_STEPS, TS_SHOWN_COHERENCE};
  for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
    size_t count = ts_fields_shown(shown, places[p]);
    cr_expect_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
      cr_expect_neq(shown[i]->kind, TS_FIELD_TEXT, "%s", shown[i]->column);
      bool has_badness = places[p] == TS_SHOWN_HEAT_MAP || places[p] == TS_SHOWN_COHERENCE;
      cr_expect(!has_badness || shown[i]->sense != TS_SENSE_NONE, "%s: which value is light?",
                shown[i]->column);
      // What is missing to 100 percent is how formats turn it where smaller must be better.
      if (places[p] == TS_SHOWN_TABLE || places[p] == TS_SHOWN_PAGE)
        cr_expect(shown[i]->sense != TS_SENSE_HIGHER || strcmp(shown[i]->unit, "percent") == 0,
                  "%s", shown[i]->column);
      if (places[p] == TS_SHOWN_TABLE)
        cr_expect_leq(strlen(ts_field_narrow_label(shown[i])), 6, "%s: give it a .narrow_label",
                      shown[i]->column);
    }
  }
}

Test(reports_record, badness_puts_numbers_in_order) {
  const ts_field *quality = ts_row_find(&ts_summary_rows, "quality_percent");
  const ts_field *phantom = ts_row_find(&ts_summary_rows, "phantom");
  const ts_field *excess = ts_row_find(&ts_summary_rows, "excess_factor");
  cr_expect_gt(ts_field_badness(quality, 50), ts_field_badness(quality, 51));
  cr_expect_lt(ts_field_badness(phantom, 1), ts_field_badness(phantom, 2));
  static const double away[] = {1, 0.95, 1.1, 0.72, 2, 0.36, 4, 0.1, INFINITY};
  for (size_t i = 1; i < sizeof away / sizeof *away; i++)
    cr_expect_lt(ts_field_badness(excess, away[i - 1]), ts_field_badness(excess, away[i]), "%g",
                 away[i]);
  cr_expect_eq(ts_field_badness(excess, 1), 0);
  cr_expect_eq(ts_field_badness(excess, 2), ts_field_badness(excess, 0.5));
  cr_expect_eq(ts_field_badness(excess, 0), (double)INFINITY);
  cr_expect(isnan(ts_field_badness(ts_row_find(&ts_summary_rows, "bodies"), 2)));
}

Test(reports_record, fields_of_a_row_do_not_overlap) {
  for (size_t t = 0; t < TYPE_COUNT; t++) {
    size_t bytes = 0;
    for (size_t i = 0; i < types[t]->field_count; i++) {
      cr_expect_eq(types[t]->fields[i].offset, bytes);
      bytes += types[t]->fields[i].kind == TS_FIELD_TEXT ? sizeof(char *) : sizeof(double);
    }
    cr_expect_eq(types[t]->row_bytes, bytes);
  }
}

Test(reports_record, a_new_row_has_no_values) {
  ts_record record;
  memset(&record, 0x55, sizeof record);
  ts_row_init(&ts_summary_rows, &record);
  cr_expect_str_eq(record.cell, "");
  cr_expect_str_eq(record.contacts_hash, "");
  cr_expect(isnan(record.step));
  cr_expect(isnan(record.memory_bytes_max));
}

Test(reports_record, accessors_reach_the_members) {
  ts_contact_row row;
  ts_row_init(&ts_contact_rows, &row);
  row.case_name = "wall";
  row.gap_m = -0.25;
  row.region = 7;
  cr_expect_str_eq(ts_row_text(ts_row_find(&ts_contact_rows, "case"), &row), "wall");
  cr_expect_eq(ts_row_number(ts_row_find(&ts_contact_rows, "gap_m"), &row), -0.25);
  cr_expect_eq(ts_row_number(ts_row_find(&ts_contact_rows, "region"), &row), 7);
  ts_row_set_text(ts_row_find(&ts_contact_rows, "method"), &row, "growth");
  ts_row_set_number(ts_row_find(&ts_contact_rows, "body_b"), &row, 3);
  cr_expect_str_eq(row.method, "growth");
  cr_expect_eq(row.body_b, 3);
}

Test(reports_record, an_unknown_column_is_not_found) {
  cr_expect_null(ts_row_find(&ts_summary_rows, "gap_m"));
  cr_expect_null(ts_row_find(&ts_summary_rows, ""));
  cr_expect_null(ts_row_find(&ts_summary_rows, "Case"));
}

Test(reports_record, rows_of_contacts_and_samples_name_their_cell_and_step) {
  for (size_t t = 0; t < TYPE_COUNT; t++) {
    const ts_field *cell = ts_row_find(types[t], "cell"), *step = ts_row_find(types[t], "step");
    cr_assert(cell && step != NULL);
    cr_expect_eq(cell->compare, TS_COMPARE_IDENTITY);
    cr_expect_eq(step->compare, TS_COMPARE_IDENTITY);
  }
}

Test(reports_record, the_meaning_of_a_feature_column_has_every_kind) {
  static const char *const columns[] = {"feature_a", "feature_b"};
  for (int i = 0; i < TS_FEATURE_KIND_COUNT; i++)
    for (size_t k = 0; k < 2; k++)
      cr_expect_not_null(
          strstr(ts_row_find(&ts_contact_rows, columns[k])->meaning, ts_feature_words[i]), "%s: %s",
          columns[k], ts_feature_words[i]);
}
