// SPDX-License-Identifier: MIT
#include "reports/rows/record.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define FIELD(row, kind, member, column, compare, tolerance, unit, meaning)                        \
  {TS_FIELD_##kind, offsetof(row, member), column, TS_COMPARE_##compare, tolerance, unit, meaning},
#define RECORD_FIELD(...)  FIELD(ts_record, __VA_ARGS__)
#define CONTACT_FIELD(...) FIELD(ts_contact_row, __VA_ARGS__)
#define SAMPLE_FIELD(...)  FIELD(ts_sample_row, __VA_ARGS__)

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const ts_field record_fields[] = {TS_RECORD_FIELDS(RECORD_FIELD)};
static const ts_field contact_fields[] = {TS_CONTACT_FIELDS(CONTACT_FIELD)};
static const ts_field sample_fields[] = {TS_SAMPLE_FIELDS(SAMPLE_FIELD)};

const ts_row_type ts_summary_rows = {"summary", sizeof(ts_record), COUNT_OF(record_fields),
                                     record_fields};
const ts_row_type ts_contact_rows = {"contacts", sizeof(ts_contact_row), COUNT_OF(contact_fields),
                                     contact_fields};
const ts_row_type ts_sample_rows = {"samples", sizeof(ts_sample_row), COUNT_OF(sample_fields),
                                    sample_fields};

void ts_row_init(const ts_row_type *type, void *row) {
  for (size_t i = 0; i < type->field_count; i++) {
    const ts_field *field = &type->fields[i];
    if (field->kind == TS_FIELD_TEXT)
      ts_row_set_text(field, row, "");
    else
      ts_row_set_number(field, row, (double)NAN);
  }
}

const char *ts_row_text(const ts_field *field, const void *row) {
  assert(field->kind == TS_FIELD_TEXT);
  const char *text;
  memcpy(&text, (const char *)row + field->offset, sizeof text);
  return text;
}

double ts_row_number(const ts_field *field, const void *row) {
  assert(field->kind != TS_FIELD_TEXT);
  double number;
  memcpy(&number, (const char *)row + field->offset, sizeof number);
  return number;
}

void ts_row_set_text(const ts_field *field, void *row, const char *text) {
  assert(field->kind == TS_FIELD_TEXT);
  memcpy((char *)row + field->offset, &text, sizeof text);
}

void ts_row_set_number(const ts_field *field, void *row, double number) {
  assert(field->kind != TS_FIELD_TEXT);
  memcpy((char *)row + field->offset, &number, sizeof number);
}

const ts_field *ts_row_find(const ts_row_type *type, const char *column) {
  for (size_t i = 0; i < type->field_count; i++)
    if (strcmp(type->fields[i].column, column) == 0)
      return &type->fields[i];
  return NULL;
}
