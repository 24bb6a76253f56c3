// SPDX-License-Identifier: MIT
#include "reports/formats/format.h"

#include "base/number.h"
#include "base/status.h"
#include "reports/rows/outcome.h"
#include "reports/tables/field_text.h"
#include "reports/tables/format_text.h"

#include <math.h>

typedef struct writer {
  FILE *file;
  ts_arena *arena;
  size_t written;
} writer;

/// Adds one entry; none for a value that was not measured.
static ts_status fill_entry(json_t *entry, ts_arena *arena, const char *name, const char *unit,
                            double value) {
  TS_TRY(ts_json_set(entry, "name", ts_json_text(arena, name)));
  TS_TRY(ts_json_set(entry, "unit", json_string(unit)));
  return ts_json_set(entry, "value", ts_json_number(value));
}

static ts_status write_entry(writer *w, json_t *entry, ts_status status) {
  return ts_json_write(w->file, w->written++ > 0 ? ",\n" : "[\n", entry, TS_JSON_CHARTS, status);
}

static ts_status write_measure(writer *w, const char *name, const char *measure, const char *unit,
                               double value) {
  if (!isfinite(value))
    return TS_OK;
  const char *full = ts_arena_format(w->arena, "%s %s", name, measure);
  if (!full)
    return TS_E_MEMORY;
  json_t *entry = json_object();
  return write_entry(w, entry, fill_entry(entry, w->arena, full, unit, value));
}

static ts_status fill_time(json_t *entry, ts_arena *arena, const char *name,
                           const ts_record *record) {
  char least[TS_NUMBER_BYTES], spread[TS_NUMBER_BYTES], repeats[TS_NUMBER_BYTES];
  ts_number_format(least, record->generate_ns_min);
  ts_number_format(repeats, record->repeats);
  const char *full = ts_arena_format(arena, "%s time", name);
  const char *extra = ts_arena_format(arena, "minimum: %s ns\nrepeats: %s", least, repeats);
  if (!full || !extra)
    return TS_E_MEMORY;
  TS_TRY(fill_entry(entry, arena, full, "ns", record->generate_ns_median));
  if (isfinite(record->generate_ns_mad)) {
    // The plus-minus sign and a plain number; the reader drops any other form.
    const char *range =
        ts_arena_format(arena, "\xc2\xb1 %s", ts_number_format(spread, record->generate_ns_mad));
    if (!range)
      return TS_E_MEMORY;
    TS_TRY(ts_json_set(entry, "range", json_string(range)));
  }
  return ts_json_set(entry, "extra", json_string(extra));
}

/// A measure of the table, converted so that smaller is better: for a share in percent the missing
/// part, for a ratio the factor by which it is off, either way.
static ts_status write_field(writer *w, const char *name, const ts_field *field,
                             const ts_record *record) {
  double value = ts_row_number(field, record);
  const char *label = ts_label_in_text(w->arena, ts_field_short_label(field));
  const char *unit = field->unit;
  if (field->sense == TS_SENSE_CLOSEST_TO_1) {
    value = value < 1 ? 1 / value : value;
    unit = "times off";
  } else if (field->sense == TS_SENSE_HIGHER) {
    value = 100 - value;
    label = label ? ts_arena_format(w->arena, "%s missing", label) : NULL;
  }
  return label ? write_measure(w, name, label, unit[0] ? unit : "-", value) : TS_E_MEMORY;
}

/// The sum of all faults; no entry if none was counted.
static ts_status write_faults(writer *w, const char *name, const ts_record *record) {
  const char *unit = "";
  double sum = 0;
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    if (field->role != TS_ROLE_FAULT || isnan(ts_row_number(field, record)))
      continue;
    const char *label = ts_label_in_text(w->arena, ts_field_short_label(field));
    unit = label ? ts_arena_format(w->arena, "%s%s%s", unit, unit[0] ? ", " : "", label) : NULL;
    if (!unit)
      return TS_E_MEMORY;
    sum += ts_row_number(field, record);
  }
  return unit[0] ? write_measure(w, name, "faults", unit, sum) : TS_OK;
}

static ts_status write_row(writer *w, const ts_record *record, const char *name) {
  if (!ts_record_is_ok(record))
    return TS_OK;
  if (isfinite(record->generate_ns_median)) {
    json_t *entry = json_object();
    TS_TRY(write_entry(w, entry, fill_time(entry, w->arena, name, record)));
  }
  const ts_field *fields[TS_RECORD_FIELD_COUNT];
  size_t count = ts_fields_shown(fields, TS_SHOWN_TABLE);
  for (size_t i = 0; i < count; i++)
    if (fields[i]->role == TS_ROLE_MEASURE)
      TS_TRY(write_field(w, name, fields[i], record));
  return write_faults(w, name, record);
}

static ts_status write_github_action(FILE *file, ts_arena *arena, const ts_format_source *source) {
  writer w = {file, arena, 0};
  double bad = 0;
  for (size_t i = 0; i < source->count; i++) {
    const ts_record *record = &source->records[i];
    bad += ts_record_has_failed(record);
    TS_TRY(write_row(&w, record, source->names[i]));
  }
  // Failed rows have no numbers; without a count of them a failure would go unnoticed.
  TS_TRY(write_measure(&w, "all", "failed", "rows", bad));
  fputs("\n]\n", file);
  return TS_OK;
}

const ts_format ts_format_github_action = {
    .name = "github-action-benchmark",
    .readers = "the GitHub action of that name, with tool customSmallerIsBetter",
    .summary = "Times, shortfalls in quality and coverage, and faults.",
    .reads = "",
    .write = write_github_action,
};
