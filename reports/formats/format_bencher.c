// SPDX-License-Identifier: MIT
#include "reports/formats/format.h"

#include "base/status.h"
#include "reports/rows/outcome.h"
#include "reports/tables/format_text.h"

#include <math.h>

/// The name of a measure as shown by Bencher (at most 64 characters), and its slug for URLs.
static const char *name_of(ts_arena *arena, const ts_field *field) {
  if (field->series)
    return field->series;
  char *name = ts_arena_string(arena, field->column);
  for (char *c = name; c && *c; c++)
    if (*c == '_')
      *c = '-';
  return name;
}

static ts_status set_metric(json_t *benchmark, const char *measure, double value, double lower,
                            double upper) {
  if (!isfinite(value))
    return TS_OK;
  json_t *metric = json_object();
  TS_TRY(ts_json_set(benchmark, measure, metric)); // which owns it while it is filled
  TS_TRY(ts_json_set(metric, "value", ts_json_number(value)));
  if (isfinite(lower))
    TS_TRY(ts_json_set(metric, "lower_value", ts_json_number(lower)));
  return isfinite(upper) ? ts_json_set(metric, "upper_value", ts_json_number(upper)) : TS_OK;
}

static ts_status fill_benchmark(json_t *benchmark, ts_arena *arena, const ts_record *record) {
  const double none = (double)NAN;
  TS_TRY(set_metric(benchmark, "failed", ts_record_has_failed(record), none, none));
  if (!ts_record_is_ok(record))
    return TS_OK;
  // Bencher's own measure of a time, in nanoseconds.
  TS_TRY(set_metric(benchmark, "latency", record->generate_ns_median, record->generate_ns_min,
                    record->generate_ns_median + record->generate_ns_mad));
  const ts_field *fields[TS_RECORD_FIELD_COUNT];
  size_t count = ts_fields_shown(fields, TS_SHOWN_PAGE);
  for (size_t i = 0; i < count; i++) {
    if (fields[i]->sense == TS_SENSE_NONE || fields[i]->role == TS_ROLE_TIME)
      continue;
    const char *name = name_of(arena, fields[i]);
    if (!name)
      return TS_E_MEMORY;
    TS_TRY(set_metric(benchmark, name, ts_row_number(fields[i], record), none, none));
  }
  return TS_OK;
}

static ts_status write_bencher(FILE *file, ts_arena *arena, const ts_format_source *source) {
  fputc('{', file);
  for (size_t i = 0; i < source->count; i++) {
    TS_TRY(ts_json_write(file, i > 0 ? ",\n" : "\n", ts_json_text(arena, source->names[i]),
                         TS_JSON_CHARTS, TS_OK));
    json_t *benchmark = json_object();
    ts_status status = fill_benchmark(benchmark, arena, &source->records[i]);
    TS_TRY(ts_json_write(file, ": ", benchmark, TS_JSON_CHARTS, status));
  }
  fputs("\n}\n", file);
  return TS_OK;
}

const ts_format ts_format_bencher = {
    .name = "bencher",
    .readers = "bencher run --adapter json",
    .summary = "Bencher Metric Format: latency in ns, and the measures.",
    .reads = "",
    .write = write_bencher,
};
