// SPDX-License-Identifier: MIT
#include "reports/formats/format.h"

#include "base/status.h"
#include "reports/rows/outcome.h"
#include "reports/rows/sample_times.h"
#include "reports/tables/format_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
  FILE *file;
  ts_arena *arena;
  const ts_format_source *source;
  size_t written;
} writer;

static ts_status set_counter(json_t *entry, const ts_field *field, const ts_record *record) {
  double value = ts_row_number(field, record);
  return isfinite(value) ? ts_json_set(entry, field->column, ts_json_number(value)) : TS_OK;
}

/// Adds the user counters: the shown columns of the row, and the time of preparation; the time of
/// generating contacts is that of the entry itself. No column has the name of a field of the
/// format.
static ts_status set_counters(json_t *entry, const ts_record *record) {
  const ts_field *fields[TS_RECORD_FIELD_COUNT];
  size_t count = ts_fields_shown(fields, TS_SHOWN_PAGE);
  for (size_t i = 0; i < count; i++)
    if (fields[i]->role != TS_ROLE_TIME)
      TS_TRY(set_counter(entry, fields[i], record));
  return set_counter(entry, ts_row_find(&ts_summary_rows, "prepare_ns"), record);
}

static ts_status set_name(json_t *entry, const writer *w, size_t i, const char *aggregate) {
  const char *run_name = w->source->names[i], *name = run_name;
  if (aggregate)
    name = ts_arena_format(w->arena, "%s_%s", run_name, aggregate);
  if (!name)
    return TS_E_MEMORY;
  TS_TRY(ts_json_set(entry, "name", ts_json_text(w->arena, name)));
  TS_TRY(ts_json_set(entry, "run_name", ts_json_text(w->arena, run_name)));
  return ts_json_set(entry, "run_type", json_string(aggregate ? "aggregate" : "iteration"));
}

/// Only wall-clock time was measured. It is written as the CPU time too, which readers of the
/// format require.
static ts_status set_times(json_t *entry, double iterations, double time_ns) {
  TS_TRY(ts_json_set(entry, "iterations", ts_json_number(isnan(iterations) ? 1 : iterations)));
  TS_TRY(ts_json_set(entry, "real_time", json_real(time_ns)));
  TS_TRY(ts_json_set(entry, "cpu_time", json_real(time_ns)));
  return ts_json_set(entry, "time_unit", json_string("ns"));
}

static ts_status write_entry(writer *w, json_t *entry, ts_status status) {
  return ts_json_write(w->file, w->written++ > 0 ? ",\n" : "\n", entry, TS_JSON_EXACT, status);
}

static ts_status fill_repetition(json_t *entry, const writer *w, size_t i,
                                 const ts_sample_time *sample, size_t index, size_t count) {
  TS_TRY(set_name(entry, w, i, NULL));
  TS_TRY(ts_json_set(entry, "repetitions", json_integer((json_int_t)count)));
  TS_TRY(ts_json_set(entry, "repetition_index", json_integer((json_int_t)index)));
  TS_TRY(ts_json_set(entry, "threads", json_integer(1)));
  TS_TRY(set_times(entry, sample->passes, sample->time_ns));
  return set_counters(entry, &w->source->records[i]);
}

static ts_status fill_aggregate(json_t *entry, const writer *w, size_t i, const char *aggregate,
                                size_t count, double time_ns) {
  TS_TRY(set_name(entry, w, i, aggregate));
  TS_TRY(ts_json_set(entry, "repetitions", json_integer((json_int_t)count)));
  TS_TRY(ts_json_set(entry, "threads", json_integer(1)));
  TS_TRY(ts_json_set(entry, "aggregate_name", json_string(aggregate)));
  TS_TRY(ts_json_set(entry, "aggregate_unit", json_string("time")));
  TS_TRY(set_times(entry, (double)count, time_ns));
  return set_counters(entry, &w->source->records[i]);
}

static ts_status write_aggregate(writer *w, size_t i, const char *aggregate, size_t count,
                                 double time_ns) {
  json_t *entry = json_object();
  return write_entry(w, entry, fill_aggregate(entry, w, i, aggregate, count, time_ns));
}

/// Written as the library does for a benchmark that failed: no iterations and no time.
static ts_status fill_failure(json_t *entry, const writer *w, size_t i) {
  const ts_record *record = &w->source->records[i];
  const char *words = ts_record_outcome_words(record);
  const char *message =
      record->reason[0] ? ts_arena_format(w->arena, "%s: %s", words, record->reason) : words;
  if (!message)
    return TS_E_MEMORY;
  TS_TRY(set_name(entry, w, i, NULL));
  TS_TRY(ts_json_set(entry, "repetitions", json_integer(1)));
  TS_TRY(ts_json_set(entry, "repetition_index", json_integer(0)));
  TS_TRY(ts_json_set(entry, "threads", json_integer(1)));
  TS_TRY(ts_json_set(entry, "error_occurred", json_true()));
  TS_TRY(ts_json_set(entry, "error_message", ts_json_text(w->arena, message)));
  return set_times(entry, 0, 0);
}

static int compare_times(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/// Mean, median and standard deviation of times [count], two or more; sorts them.
static void find_statistics(double out[3], double *times, size_t count) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < count; i++)
    sum += times[i];
  double mean = sum / (double)count;
  for (size_t i = 0; i < count; i++)
    squares += (times[i] - mean) * (times[i] - mean);
  qsort(times, count, sizeof *times, compare_times);
  out[0] = mean;
  out[1] = (times[(count - 1) / 2] + times[count / 2]) / 2;
  out[2] = sqrt(squares / (double)(count - 1));
}

static ts_status write_samples(writer *w, size_t i, const ts_sample_time *samples, size_t count) {
  double *times = ts_arena_array(w->arena, count, sizeof *times);
  if (!times)
    return TS_E_MEMORY;
  for (size_t k = 0; k < count; k++) {
    times[k] = samples[k].time_ns;
    json_t *entry = json_object();
    TS_TRY(write_entry(w, entry, fill_repetition(entry, w, i, &samples[k], k, count)));
  }
  if (count < 2)
    return TS_OK;
  double statistics[3];
  static const char *const aggregates[3] = {"mean", "median", "stddev"};
  find_statistics(statistics, times, count);
  for (size_t k = 0; k < 3; k++)
    TS_TRY(write_aggregate(w, i, aggregates[k], count, statistics[k]));
  return TS_OK;
}

static ts_status write_row(writer *w, const ts_sample_times *times, size_t i) {
  const ts_record *record = &w->source->records[i];
  size_t first = times->start[i], count = times->start[i + 1] - first;
  if (!ts_record_is_ok(record)) {
    json_t *entry = json_object();
    return write_entry(w, entry, fill_failure(entry, w, i));
  }
  if (count > 0)
    return write_samples(w, i, &times->items[first], count);
  if (isnan(record->generate_ns_median))
    return TS_OK;
  size_t repeats = record->repeats > 0 ? (size_t)record->repeats : 1;
  return write_aggregate(w, i, "median", repeats, record->generate_ns_median);
}

/// A copy of the value at a path of two keys, or `fallback` (of which it takes ownership) if there
/// is none.
static json_t *find_fact(const json_t *context, const char *group, const char *key,
                         json_t *fallback) {
  json_t *value = json_object_get(group ? json_object_get(context, group) : context, key);
  if (!value || json_is_null(value))
    return fallback;
  json_decref(fallback);
  return json_incref(value);
}

static ts_status fill_context(json_t *out, const json_t *context) {
  const char *type = json_string_value(json_object_get(json_object_get(context, "build"), "type"));
  bool is_release = type && strcmp(type, "Debug") != 0;
  const char *governor =
      json_string_value(json_object_get(json_object_get(context, "machine"), "frequency_governor"));
  TS_TRY(ts_json_set(out, "date", find_fact(context, NULL, "date", json_string(""))));
  TS_TRY(ts_json_set(out, "host_name", json_string(""))); // would identify people
  TS_TRY(ts_json_set(out, "executable", json_string("touchstone")));
  TS_TRY(ts_json_set(out, "num_cpus", find_fact(context, "machine", "cores", json_integer(0))));
  TS_TRY(ts_json_set(out, "mhz_per_cpu", json_integer(0)));
  TS_TRY(ts_json_set(out, "cpu_scaling_enabled",
                     json_boolean(governor && strcmp(governor, "performance") != 0)));
  TS_TRY(ts_json_set(out, "caches", json_array()));
  TS_TRY(ts_json_set(out, "load_avg", find_fact(context, "machine", "load_average", json_array())));
  TS_TRY(ts_json_set(out, "library_version",
                     find_fact(context, NULL, "version", json_string("unknown"))));
  TS_TRY(ts_json_set(out, "library_build_type", json_string(is_release ? "release" : "debug")));
  TS_TRY(ts_json_set(out, "json_schema_version", json_integer(1)));
  return ts_json_set(out, "touchstone", context ? json_deep_copy(context) : json_null());
}

static ts_status write_all(writer *w, const ts_sample_times *times) {
  json_t *context = json_object();
  TS_TRY(ts_json_write(w->file, "{\"context\": ", context, TS_JSON_EXACT,
                       fill_context(context, w->source->context)));
  fputs(",\n\"benchmarks\": [", w->file);
  for (size_t i = 0; i < w->source->count; i++) {
    ts_arena_mark mark = ts_arena_get_mark(w->arena);
    TS_TRY(write_row(w, times, i));
    ts_arena_rewind(w->arena, mark);
  }
  fputs("\n]}\n", w->file);
  return TS_OK;
}

static ts_status write_google_benchmark(FILE *file, ts_arena *arena,
                                        const ts_format_source *source) {
  ts_sample_times times;
  TS_TRY(ts_sample_times_read(&times, arena, source->folder, source->records, source->count));
  ts_status status = write_all(&(writer){file, arena, source, 0}, &times);
  ts_sample_times_free(&times);
  return status;
}

const ts_format ts_format_google_benchmark = {
    .name = "google-benchmark",
    .readers = "compare.py of google/benchmark, and other readers of its JSON",
    .summary = "Times, and measures as user counters.",
    .reads = "samples.csv, context.json",
    .write = write_google_benchmark,
};
