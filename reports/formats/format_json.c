// SPDX-License-Identifier: MIT
#include "reports/formats/format.h"

#include "base/status.h"
#include "reports/tables/format_text.h"

static ts_status fill_row(json_t *object, ts_arena *arena, const ts_record *record) {
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    TS_TRY(ts_json_set(object, field->column, ts_json_field(arena, field, record)));
  }
  return TS_OK;
}

static ts_status write_json(FILE *file, ts_arena *arena, const ts_format_source *source) {
  json_t *context = source->context ? json_deep_copy(source->context) : json_null();
  TS_TRY(ts_json_write(file, "{\"context\": ", context, TS_JSON_EXACT, TS_OK));
  fputs(",\n\"rows\": [", file);
  for (size_t i = 0; i < source->count; i++) {
    json_t *row = json_object();
    ts_status status = fill_row(row, arena, &source->records[i]);
    TS_TRY(ts_json_write(file, i > 0 ? ",\n" : "\n", row, TS_JSON_EXACT, status));
  }
  fputs("\n]}\n", file);
  return TS_OK;
}

const ts_format ts_format_json = {
    .name = "json",
    .readers = "scripts",
    .summary = "{context, rows: [{column: value}]}; null for nan and inf.",
    .reads = "context.json",
    .write = write_json,
};
