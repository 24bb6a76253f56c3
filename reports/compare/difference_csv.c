// SPDX-License-Identifier: MIT
#include "base/number.h"
#include "base/status.h"
#include "reports/compare/difference_print.h"
#include "reports/rows/csv.h"

static ts_status add_number(ts_csv_buffer *buffer, double value) {
  char number[TS_NUMBER_BYTES];
  return ts_csv_add_field(buffer, ts_number_format(number, value));
}

/// The identity columns.
static ts_status add_identity(ts_csv_buffer *buffer, const ts_record *record) {
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    if (field->compare != TS_COMPARE_IDENTITY)
      continue;
    if (!record)
      TS_TRY(ts_csv_add_field(buffer, field->column));
    else if (field->kind == TS_FIELD_TEXT)
      TS_TRY(ts_csv_add_field(buffer, ts_row_text(field, record)));
    else
      TS_TRY(add_number(buffer, ts_row_number(field, record)));
  }
  return TS_OK;
}

static ts_status add_value(ts_csv_buffer *buffer, const ts_field *field, const ts_record *record) {
  if (field && field->kind != TS_FIELD_TEXT)
    return add_number(buffer, ts_row_number(field, record));
  return ts_csv_add_field(buffer, field ? ts_row_text(field, record) : "");
}

static const char *const time_columns[] = {"ratio", "ratio_to_run", "new_is_slower", "p"};
#define TIME_COLUMN_COUNT (sizeof time_columns / sizeof *time_columns)

static ts_status add_change(ts_csv_buffer *buffer, const ts_difference *d,
                            const ts_change *change) {
  const ts_row_pair *pair = &d->pairs[change->pair];
  TS_TRY(ts_csv_add_field(buffer, ts_change_names[change->kind]));
  TS_TRY(add_identity(buffer, pair->new ? pair->new : pair->old));
  TS_TRY(ts_csv_add_field(buffer, change->field ? change->field->column : ""));
  TS_TRY(add_value(buffer, change->field, pair->old));
  TS_TRY(add_value(buffer, change->field, pair->new));
  for (size_t i = 0; i < TIME_COLUMN_COUNT; i++)
    TS_TRY(ts_csv_add_field(buffer, ""));
  ts_csv_end_record(buffer);
  return TS_OK;
}

static ts_status add_time(ts_csv_buffer *buffer, const ts_difference *d, const ts_time_change *c) {
  static const char *const kinds[] = {
      [TS_TIME_UNTESTED] = "untested_time",
      [TS_TIME_SAME] = "same_time",
      [TS_TIME_SLOWER] = "slower",
      [TS_TIME_FASTER] = "faster",
  };
  const double numbers[] = {c->old_ns,       c->new_ns,        c->ratio,
                            c->ratio_to_run, c->new_is_slower, c->p};
  TS_TRY(ts_csv_add_field(buffer, kinds[c->verdict]));
  TS_TRY(add_identity(buffer, d->pairs[c->pair].new));
  TS_TRY(ts_csv_add_field(buffer, "generate_ns_median"));
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    TS_TRY(add_number(buffer, numbers[i]));
  ts_csv_end_record(buffer);
  return TS_OK;
}

static ts_status fill_csv(ts_csv_buffer *buffer, const ts_comparison *c) {
  TS_TRY(ts_csv_add_field(buffer, "kind"));
  TS_TRY(add_identity(buffer, NULL));
  TS_TRY(ts_csv_add_field(buffer, "column"));
  TS_TRY(ts_csv_add_field(buffer, "old"));
  TS_TRY(ts_csv_add_field(buffer, "new"));
  for (size_t i = 0; i < TIME_COLUMN_COUNT; i++)
    TS_TRY(ts_csv_add_field(buffer, time_columns[i]));
  ts_csv_end_record(buffer);
  for (size_t i = 0; i < c->difference.change_count; i++)
    TS_TRY(add_change(buffer, &c->difference, &c->difference.changes[i]));
  for (size_t i = 0; i < c->times.count; i++)
    TS_TRY(add_time(buffer, &c->difference, &c->times.changes[i]));
  return TS_OK;
}

ts_status ts_comparison_print_csv(FILE *file, ts_arena *arena, const ts_comparison *comparison) {
  (void)arena;
  ts_csv_buffer buffer = {0};
  ts_status status = fill_csv(&buffer, comparison);
  if (status == TS_OK)
    fwrite(buffer.bytes, 1, buffer.count, file);
  ts_csv_buffer_free(&buffer);
  return status;
}
