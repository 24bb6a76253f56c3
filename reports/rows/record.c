// SPDX-License-Identifier: MIT
#include "reports/rows/record.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define FIELD(row, kind_, member, column_, unit_, ...)                                             \
  {.kind = TS_FIELD_##kind_,                                                                       \
   .offset = offsetof(row, member),                                                                \
   .column = (column_),                                                                            \
   .unit = (unit_),                                                                                \
   __VA_ARGS__},
#define RECORD_FIELD(...)   FIELD(ts_record, __VA_ARGS__)
#define CONTACT_FIELD(...)  FIELD(ts_contact_row, __VA_ARGS__)
#define REGION_FIELD(...)   FIELD(ts_region_row, __VA_ARGS__)
#define SAMPLE_FIELD(...)   FIELD(ts_sample_row, __VA_ARGS__)
#define POSE_FIELD(...)     FIELD(ts_pose_row, __VA_ARGS__)
#define DEFORM_FIELD(...)   FIELD(ts_deform_row, __VA_ARGS__)
#define RELATION_FIELD(...) FIELD(ts_relation_row, __VA_ARGS__)

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const ts_field record_fields[] = {TS_RECORD_FIELDS(RECORD_FIELD)};
static const ts_field contact_fields[] = {TS_CONTACT_FIELDS(CONTACT_FIELD)};
static const ts_field region_fields[] = {TS_REGION_FIELDS(REGION_FIELD)};
static const ts_field sample_fields[] = {TS_SAMPLE_FIELDS(SAMPLE_FIELD)};
static const ts_field pose_fields[] = {TS_POSE_FIELDS(POSE_FIELD)};
static const ts_field deform_fields[] = {TS_DEFORM_FIELDS(DEFORM_FIELD)};
static const ts_field relation_fields[] = {TS_RELATION_FIELDS(RELATION_FIELD)};

const ts_row_type ts_summary_rows = {"summary", sizeof(ts_record), COUNT_OF(record_fields),
                                     record_fields};
const ts_row_type ts_contact_rows = {"contacts", sizeof(ts_contact_row), COUNT_OF(contact_fields),
                                     contact_fields};
const ts_row_type ts_region_rows = {"regions", sizeof(ts_region_row), COUNT_OF(region_fields),
                                    region_fields};
const ts_row_type ts_sample_rows = {"samples", sizeof(ts_sample_row), COUNT_OF(sample_fields),
                                    sample_fields};
const ts_row_type ts_pose_rows = {"poses", sizeof(ts_pose_row), COUNT_OF(pose_fields), pose_fields};
const ts_row_type ts_deform_rows = {"deform", sizeof(ts_deform_row), COUNT_OF(deform_fields),
                                    deform_fields};
const ts_row_type ts_relation_rows = {"relations", sizeof(ts_relation_row),
                                      COUNT_OF(relation_fields), relation_fields};

const char *const ts_role_names[TS_ROLE_COUNT] = {
    [TS_ROLE_MISSING] = "",        [TS_ROLE_IDENTITY] = "identity", [TS_ROLE_FACT] = "fact",
    [TS_ROLE_MEASURE] = "measure", [TS_ROLE_FAULT] = "fault",       [TS_ROLE_TIME] = "time",
};

const char *const ts_sense_names[TS_SENSE_COUNT] = {
    [TS_SENSE_MISSING] = "",
    [TS_SENSE_NONE] = "",
    [TS_SENSE_HIGHER] = "highest",
    [TS_SENSE_LOWER] = "lowest",
    [TS_SENSE_CLOSEST_TO_1] = "closest to 1",
    [TS_SENSE_RANKED] = "ok",
};

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

size_t ts_fields_shown(const ts_field *out[TS_RECORD_FIELD_COUNT], ts_shown where) {
  size_t count = 0;
  for (size_t i = 0; i < TS_RECORD_FIELD_COUNT; i++)
    if (record_fields[i].shown & where)
      out[count++] = &record_fields[i];
  return count;
}

const char *ts_field_short_label(const ts_field *field) {
  return field->short_label ? field->short_label : field->label;
}

const char *ts_field_narrow_label(const ts_field *field) {
  return field->narrow_label ? field->narrow_label : ts_field_short_label(field);
}

double ts_field_badness(const ts_field *field, double number) {
  if (field->sense == TS_SENSE_HIGHER)
    return -number;
  if (field->sense == TS_SENSE_LOWER)
    return number;
  if (field->sense == TS_SENSE_CLOSEST_TO_1)
    return number <= 0 ? (double)INFINITY : fabs(log2(number));
  return (double)NAN;
}
