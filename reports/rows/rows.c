// SPDX-License-Identifier: MIT
#include "reports/rows/rows.h"

#include "base/array.h"
#include "base/file.h"
#include "base/number.h"
#include "base/status.h"
#include "reports/rows/outcome.h"
#include "reports/rows/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ts_status ts_rows_add_header(ts_csv_buffer *buffer, const ts_row_type *type) {
  for (size_t i = 0; i < type->field_count; i++)
    TS_TRY(ts_csv_add_field(buffer, type->fields[i].column));
  ts_csv_end_record(buffer);
  return TS_OK;
}

ts_status ts_rows_add(ts_csv_buffer *buffer, const ts_row_type *type, const void *row) {
  for (size_t i = 0; i < type->field_count; i++) {
    const ts_field *field = &type->fields[i];
    TS_TRY(field->kind == TS_FIELD_TEXT ? ts_csv_add_field(buffer, ts_row_text(field, row))
                                        : ts_csv_add_number(buffer, ts_row_number(field, row)));
  }
  ts_csv_end_record(buffer);
  return TS_OK;
}

ts_status ts_rows_read_header(ts_row_columns *out, ts_arena *arena, const ts_row_type *type,
                              const ts_csv_record *header, const char *name) {
  out->count = header->field_count;
  out->fields = ts_arena_array(arena, out->count, sizeof(ts_field *));
  bool *is_there = ts_arena_array(arena, type->field_count, sizeof *is_there);
  if (!out->fields || !is_there)
    return TS_E_MEMORY;
  for (size_t i = 0; i < out->count; i++) {
    const ts_field *field = ts_row_find(type, header->fields[i]);
    out->fields[i] = field;
    if (!field)
      continue;
    if (is_there[field - type->fields])
      return ts_fail(TS_E_INPUT, "%s: duplicate column %s; keep one", name, field->column);
    is_there[field - type->fields] = true;
  }
  for (size_t i = 0; i < type->field_count; i++)
    if (type->fields[i].compare == TS_COMPARE_IDENTITY && !is_there[i] && !type->fields[i].may_lack)
      return ts_fail(TS_E_INPUT, "%s: the column %s is missing; it is needed to identify rows",
                     name, type->fields[i].column);
  return TS_OK;
}

ts_status ts_rows_check_width(const ts_row_columns *columns, const ts_csv_record *record,
                              const char *name) {
  if (record->is_cut)
    return ts_fail(TS_E_INPUT, "%s, line %zu: the line is cut off; the file is incomplete", name,
                   record->line);
  if (record->field_count != columns->count)
    return ts_fail(TS_E_INPUT, "%s, line %zu: %zu fields, but the header has %zu columns", name,
                   record->line, record->field_count, columns->count);
  return TS_OK;
}

static bool is_of_summary(const ts_field *field) {
  const ts_field *first = ts_summary_rows.fields;
  return field >= first && field < first + ts_summary_rows.field_count;
}

/// Why no run can have written this number to the column; NULL if one can. A simulation that blows
/// up or a method that divides by zero does write infinite energies, lengths and normals.
static const char *find_fault(const ts_field *field, double number) {
  static const char *const physical[] = {"J", "m", "m3", "N", "kg m/s"};
  bool is_physical = false;
  for (size_t i = 0; i < sizeof physical / sizeof *physical; i++)
    is_physical = is_physical || strcmp(field->unit, physical[i]) == 0;
  bool is_percent = strcmp(field->unit, "percent") == 0;
  bool is_cost = strcmp(field->unit, "ns") == 0 || strcmp(field->unit, "bytes") == 0;
  bool is_count = field->kind == TS_FIELD_COUNT;
  if (isnan(number))
    return NULL;
  if (is_count && (isinf(number) || number != floor(number)))
    return "and must be a whole number";
  if (isinf(number) && (is_percent || is_cost || (is_of_summary(field) && !is_physical)))
    return "and must be finite; write nan for what was not measured";
  if (number < 0 && (is_percent || is_cost || is_count))
    return "and must not be below 0";
  return is_percent && number > 100 ? "and must not be above 100" : NULL;
}

ts_status ts_rows_read_number(double *out, const ts_field *field, const ts_csv_record *record,
                              const char *text, const char *name) {
  *out = (double)NAN;
  if (text[0] == '\0')
    return TS_OK;
  if (ts_number_parse(out, text) != TS_OK)
    return ts_fail(TS_E_INPUT,
                   "%s, line %zu: %s is \"%.40s\", which is not a number; write nan for "
                   "what was not measured",
                   name, record->line, field->column, text);
  const char *fault = find_fault(field, *out);
  return fault ? ts_fail(TS_E_INPUT, "%s, line %zu: %s is %.40s, %s", name, record->line,
                         field->column, text, fault)
               : TS_OK;
}

/// A copy of `text` that lives as long as the arena.
static const char *keep_text(ts_arena *arena, const ts_field *field, const char *text,
                             const void *previous) {
  if (text[0] == '\0')
    return "";
  if (previous && strcmp(ts_row_text(field, previous), text) == 0)
    return ts_row_text(field, previous);
  return ts_arena_string(arena, text);
}

/// Refuses a word that is no outcome: it would count as a failure.
static ts_status check_outcome(const ts_csv_record *record, const char *word, const char *name) {
  if (ts_outcome_find(word) != TS_OUTCOME_UNKNOWN)
    return TS_OK;
  char words[128] = "";
  size_t length = 0;
  for (int i = 0; i < TS_OUTCOME_UNKNOWN; i++)
    length += (size_t)snprintf(words + length, sizeof words - length, "%s%s",
                               i == 0                       ? ""
                               : i + 1 < TS_OUTCOME_UNKNOWN ? ", "
                                                            : " or ",
                               ts_outcomes[i].word);
  return ts_fail(TS_E_INPUT, "%s, line %zu: outcome is \"%.40s\", and must be %s", name,
                 record->line, word, words);
}

ts_status ts_rows_read(void *row, ts_arena *arena, const ts_row_type *type,
                       const ts_row_columns *columns, const ts_csv_record *record,
                       const void *previous, const char *name) {
  TS_TRY(ts_rows_check_width(columns, record, name));
  ts_row_init(type, row);
  for (size_t i = 0; i < columns->count; i++) {
    const ts_field *field = columns->fields[i];
    if (!field)
      continue;
    if (field->kind == TS_FIELD_TEXT) {
      if (field->sense == TS_SENSE_RANKED)
        TS_TRY(check_outcome(record, record->fields[i], name));
      const char *text = keep_text(arena, field, record->fields[i], previous);
      if (!text)
        return TS_E_MEMORY;
      ts_row_set_text(field, row, text);
    } else {
      double number;
      TS_TRY(ts_rows_read_number(&number, field, record, record->fields[i], name));
      ts_row_set_number(field, row, number);
    }
  }
  return TS_OK;
}

ts_status ts_record_list_add(ts_record_list *list, const ts_record *record) {
  TS_TRY(TS_HEAP_GROW(list->records, list->capacity, list->count, 1));
  list->records[list->count++] = *record;
  return TS_OK;
}

ts_status ts_record_list_keep(ts_record **out, ts_arena *arena, const ts_record_list *list,
                              size_t count) {
  *out = ts_arena_array(arena, count, sizeof **out);
  if (!*out)
    return TS_E_MEMORY;
  if (count > 0)
    memcpy(*out, list->records, count * sizeof **out);
  return TS_OK;
}

/// Visits all rows of an open file.
static ts_status visit_rows(const ts_row_type *type, ts_arena *arena, ts_csv_reader *reader,
                            const char *name, ts_row_visit visit, void *context) {
  ts_csv_record record;
  ts_row_columns columns;
  bool found;
  TS_TRY(ts_csv_read(&found, &record, reader));
  if (!found || record.is_cut)
    return ts_fail(TS_E_INPUT, "%s: %s; a file in the form of %s.csv is needed", name,
                   found ? "its only line does not end with a newline (cut off?)"
                         : "the file is empty",
                   type->name);
  TS_TRY(ts_rows_read_header(&columns, arena, type, &record, name));
  void *row = ts_arena_alloc(arena, type->row_bytes);
  if (!row)
    return TS_E_MEMORY;
  ts_arena_mark mark = ts_arena_get_mark(arena);
  for (;;) {
    TS_TRY(ts_csv_read(&found, &record, reader));
    if (!found)
      return TS_OK;
    TS_TRY(ts_rows_read(row, arena, type, &columns, &record, NULL, name));
    TS_TRY(visit(context, row));
    ts_arena_rewind(arena, mark);
  }
}

ts_status ts_rows_visit(const ts_row_type *type, const char *path, ts_row_visit visit,
                        void *context) {
  int fd = -1;
  ts_arena *arena;
  ts_csv_reader *reader = NULL;
  TS_TRY(ts_arena_create(&arena));
  path = ts_csv_find(arena, path);
  ts_status status = path ? ts_file_open(&fd, path) : TS_E_MEMORY;
  if (status == TS_OK)
    status = ts_csv_reader_create(&reader, fd, path);
  if (status == TS_OK)
    status = visit_rows(type, arena, reader, path, visit, context);
  ts_csv_reader_destroy(reader);
  ts_arena_destroy(arena);
  if (fd >= 0)
    close(fd);
  return status;
}

/// A summary while it is read.
typedef struct summary_reading {
  ts_arena *arena;
  ts_record_list list;
} summary_reading;

static ts_status keep_record(void *context, const void *row) {
  summary_reading *r = context;
  ts_record record = *(const ts_record *)row;
  const ts_record *previous = r->list.count > 0 ? &r->list.records[r->list.count - 1] : NULL;
  TS_TRY(ts_row_keep_texts(&ts_summary_rows, &record, r->arena, previous));
  return ts_record_list_add(&r->list, &record);
}

ts_status ts_summary_read(ts_record **out, size_t *out_count, ts_arena *arena, const char *path) {
  summary_reading reading = {.arena = arena};
  ts_status status = ts_rows_visit(&ts_summary_rows, path, keep_record, &reading);
  if (status == TS_OK)
    status = ts_record_list_keep(out, arena, &reading.list, reading.list.count);
  if (status == TS_OK)
    *out_count = reading.list.count;
  free(reading.list.records);
  return status;
}

bool ts_field_is_figure(const ts_field *field) {
  return field->kind != TS_FIELD_TEXT && field->compare != TS_COMPARE_IDENTITY;
}
