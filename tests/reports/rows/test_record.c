// SPDX-License-Identifier: MIT
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
      cr_expect_eq(ts_row_find(types[t], field->column), field, "%s stands twice", field->column);
      cr_expect(field->meaning[0] != '\0' && strchr(field->meaning, '\n') == NULL);
    }
}

/// Whether a column says its unit as columns do: in small letters, its parts joined by "_". The
/// longer units are matched whole, so that "m" is not found in "kg_m_s".
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
