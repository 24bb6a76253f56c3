// SPDX-License-Identifier: MIT
#include "harness/commands/input.h"

#include "base/pattern.h"
#include "base/status.h"
#include "base/utf8.h"
#include "reports/compare/difference.h"
#include "reports/rows/context.h"
#include "reports/rows/csv.h"
#include "reports/rows/outcome.h"
#include "reports/rows/results.h"
#include "reports/study/study.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// What the context says of a run; 0 and NaN when unknown.
typedef struct run_facts {
  size_t cells;
  double last_step;
  ts_contacts_kept contacts_kept;
} run_facts;

static run_facts read_facts(const json_t *context) {
  const json_t *cells = json_object_get(json_object_get(context, "run"), "cells");
  const json_t *last_step = json_object_get(context, TS_LAST_STEP_KEY);
  return (run_facts){json_integer_value(cells) > 0 ? (size_t)json_integer_value(cells) : 0,
                     json_is_number(last_step) ? json_number_value(last_step) : (double)NAN,
                     ts_context_contacts_kept(context)};
}

/// A folder put together by copying files may lack a context.
static ts_status check_context(run_facts *out, ts_arena *arena, const char *path) {
  if (access(path, F_OK) != 0 && errno == ENOENT)
    return TS_OK;
  json_t *context;
  TS_TRY(ts_context_read(&context, arena, path));
  *out = read_facts(context);
  json_decref(context);
  return TS_OK;
}

static ts_status read_columns(ts_input *out, ts_arena *arena, ts_csv_reader *reader) {
  bool *has = ts_arena_array(arena, ts_summary_rows.field_count, sizeof *has);
  if (!has)
    return TS_E_MEMORY;
  out->has_column = has;
  bool found;
  ts_csv_record header;
  TS_TRY(ts_csv_read(&found, &header, reader));
  for (size_t i = 0; found && i < header.field_count; i++) {
    const ts_field *field = ts_row_find(&ts_summary_rows, header.fields[i]);
    if (field)
      has[field - ts_summary_rows.fields] = true;
  }
  return TS_OK;
}

/// Finds which columns exist. The rows do not show it, since a missing number is NaN there.
static ts_status find_columns(ts_input *out, ts_arena *arena) {
  int file = open(out->summary_path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return ts_fail(TS_E_INPUT, "cannot read %s: %s", out->summary_path, strerror(errno));
  ts_csv_reader *reader;
  ts_status status = ts_csv_reader_create(&reader, file, out->summary_path);
  if (status == TS_OK) {
    status = read_columns(out, arena, reader);
    ts_csv_reader_destroy(reader);
  }
  close(file);
  return status;
}

/// Finds the files of a folder.
static ts_status open_folder(ts_input *out, run_facts *out_run, ts_arena *arena, const char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/')
    length--;
  const char *folder = ts_arena_format(arena, "%.*s", (int)length, path);
  const char *summary = folder ? ts_arena_format(arena, "%s/summary.csv", folder) : NULL;
  const char *context = folder ? ts_arena_format(arena, "%s/context.json", folder) : NULL;
  if (!summary || !context)
    return TS_E_MEMORY;
  if (!ts_csv_exists(summary))
    return ts_fail(TS_E_INPUT,
                   "%s holds no results: no summary.csv; give the folder that touchstone run "
                   "wrote",
                   folder);
  TS_TRY(check_context(out_run, arena, context));
  out->folder = folder;
  out->summary_path = ts_csv_find(arena, summary);
  return out->summary_path ? TS_OK : TS_E_MEMORY;
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/// Whether the run was killed between two steps of the last cell.
static bool is_last_short(const ts_input *input, double last_step) {
  const ts_record *last = input->count > 0 ? &input->records[input->count - 1] : NULL;
  return last && ts_record_is_ok(last) && last->step < last_step;
}

static ts_status count_cells(ts_input *out, ts_arena *arena, run_facts run) {
  const char **cells = ts_arena_array(arena, out->count, sizeof *cells);
  if (!cells)
    return TS_E_MEMORY;
  for (size_t i = 0; i < out->count; i++)
    cells[i] = out->records[i].cell;
  qsort(cells, out->count, sizeof *cells, compare_texts);
  size_t whole = 0;
  for (size_t i = 0; i < out->count; i++)
    whole += i == 0 || strcmp(cells[i - 1], cells[i]) != 0;
  whole -= is_last_short(out, run.last_step);
  if (whole >= run.cells)
    return TS_OK;
  out->shortfall =
      ts_arena_format(arena, "%zu of %zu cells: the run was cut short", whole, run.cells);
  return out->shortfall ? TS_OK : TS_E_MEMORY;
}

/// One line of text.
static bool is_name(const char *text) {
  const char *c = text;
  for (size_t length; *c; c += length) {
    length = ts_utf8_length(c);
    if (length == 0 || ts_utf8_control_length(c) > 0)
      return false;
  }
  return c > text && c - text <= 100;
}

ts_status ts_input_split(const char **out_name, const char **out_path, ts_arena *arena,
                         const char *operand) {
  struct stat facts;
  const char *equals = strchr(operand, '=');
  *out_name = NULL;
  *out_path = operand;
  if (!equals || stat(operand, &facts) == 0)
    return TS_OK;
  *out_path = equals + 1;
  *out_name = ts_arena_format(arena, "%.*s", (int)(equals - operand), operand);
  if (!*out_name)
    return TS_E_MEMORY;
  return is_name(*out_name)
             ? TS_OK
             : ts_fail(TS_E_INPUT,
                       "\"%.60s\": a name is 1 to 100 bytes of text in UTF-8, as in \"jolt "
                       "5.1=%.60s\"",
                       operand, *out_path);
}

void ts_input_warn(const ts_input *input) {
  if (!input->shortfall)
    return;
  fflush(stdout);
  fprintf(stderr, "touchstone: %s has %s; continue with touchstone run --resume %s\n",
          input->folder, input->shortfall, input->folder);
}

ts_status ts_input_read(ts_input *out, ts_arena *arena, const char *path) {
  *out = (ts_input){.summary_path = path};
  struct stat facts;
  run_facts run = {.last_step = (double)NAN};
  if (stat(path, &facts) != 0)
    return ts_fail(TS_E_INPUT,
                   "cannot read %s: %s; give a results folder of touchstone run, or a summary.csv",
                   path, strerror(errno));
  if (S_ISDIR(facts.st_mode))
    TS_TRY(open_folder(out, &run, arena, path));
  else if (!S_ISREG(facts.st_mode))
    return ts_fail(TS_E_INPUT,
                   "%s is a pipe or a device, and only regular files can be read; copy its output "
                   "to a file and give that",
                   path);
  TS_TRY(ts_summary_read(&out->records, &out->count, arena, out->summary_path));
  out->contacts_kept = run.contacts_kept;
  const ts_rows_of rows = {.name = out->summary_path, .records = out->records, .count = out->count};
  TS_TRY(ts_rows_check_once(arena, &rows));
  TS_TRY(count_cells(out, arena, run));
  return find_columns(out, arena);
}

/// Marks the rows in which the field matches the pattern.
static ts_status mark(bool *is_kept, const ts_input *input, const ts_field *field,
                      const char *pattern) {
  regex_t regex;
  if (ts_pattern_compile(&regex, pattern) != TS_OK)
    return ts_fail(TS_E_INPUT, "--%s \"%.300s\" is %s", field->column, pattern, ts_status_detail());
  bool any = false;
  for (size_t i = 0; i < input->count; i++)
    if (ts_pattern_matches(&regex, ts_row_text(field, &input->records[i])))
      any = is_kept[i] = true;
  regfree(&regex);
  return any ? TS_OK
             : ts_fail(TS_E_INPUT, "--%s %s matches no row of %s", field->column, pattern,
                       input->summary_path);
}

ts_status ts_input_filter(ts_input *input, ts_arena *arena, const char *option,
                          const ts_texts *patterns) {
  if (patterns->count == 0)
    return TS_OK;
  const ts_field *field = ts_row_find(&ts_summary_rows, option);
  bool *is_kept = ts_arena_array(arena, input->count, sizeof *is_kept);
  if (!is_kept)
    return TS_E_MEMORY;
  for (size_t i = 0; i < patterns->count; i++)
    TS_TRY(mark(is_kept, input, field, patterns->items[i]));
  size_t kept = 0;
  for (size_t i = 0; i < input->count; i++)
    if (is_kept[i])
      input->records[kept++] = input->records[i];
  input->count = kept;
  return TS_OK;
}

ts_status ts_input_study_fault(const char **out, ts_arena *arena, const ts_input *input) {
  *out = NULL;
  const char *missing = ts_study_missing_column(input->has_column);
  if (!missing)
    return TS_OK;
  *out =
      ts_arena_format(arena,
                      "%s has no column %s, which means of methods are made of; give the file as "
                      "touchstone wrote it",
                      input->summary_path, missing);
  return *out ? TS_OK : TS_E_MEMORY;
}

ts_status ts_input_context(json_t **out, ts_arena *arena, const ts_input *input) {
  *out = NULL;
  const char *path =
      input->folder ? ts_arena_format(arena, "%s/context.json", input->folder) : NULL;
  if (!path)
    return input->folder ? TS_E_MEMORY : TS_OK;
  if (access(path, F_OK) != 0)
    return TS_OK;
  json_error_t error;
  *out = json_load_file(path, 0, &error);
  return *out ? TS_OK : ts_fail(TS_E_INPUT, "%s, line %d: %s", path, error.line, error.text);
}
