// SPDX-License-Identifier: MIT
#include "reports/rows/cell_rows.h"

#include "base/status.h"

#include <stddef.h>
#include <string.h>

const ts_row_type *ts_results_row_type(int file) {
#define ROW_TYPE(FILE, row, ...) [TS_##FILE##_FILE] = &ts_##row##_rows,
  static const ts_row_type *const types[TS_RESULTS_FILE_COUNT] = {
      TS_DETAIL_FILES(ROW_TYPE)[TS_SUMMARY_FILE] = &ts_summary_rows};
  return types[file];
}

ts_rows_view ts_cell_rows_of(const ts_cell_rows *rows, int file) {
  switch (file) {
#define VIEW(FILE, row, name, ...)                                                                 \
  case TS_##FILE##_FILE:                                                                           \
    return (ts_rows_view){rows->name, rows->row##_count};
    TS_DETAIL_FILES(VIEW)
  default:
    return (ts_rows_view){rows->records, rows->record_count};
  }
}

void ts_cell_rows_set(ts_cell_rows *rows, int file, ts_rows_view view) {
  switch (file) {
#define SET(FILE, row, name, ...)                                                                  \
  case TS_##FILE##_FILE:                                                                           \
    rows->name = view.rows;                                                                        \
    rows->row##_count = view.count;                                                                \
    break;
    TS_DETAIL_FILES(SET)
  default:
    rows->records = view.rows;
    rows->record_count = view.count;
  }
}

double ts_results_stated(const ts_record *record, int file) {
  switch (file) {
#define STATED(FILE, row, name, column)                                                            \
  case TS_##FILE##_FILE:                                                                           \
    return record->column;
    TS_DETAIL_FILES(STATED)
  default:
    return 1;
  }
}

/// How often a method was prepared is not in the summary.
#define COUNTED_PHASE "generate"

bool ts_results_is_counted(int file, const char *phase) {
  return file != TS_SAMPLES_FILE || strcmp(phase, COUNTED_PHASE) == 0;
}

const char *ts_results_counted_word(int file) {
  return file == TS_SAMPLES_FILE ? "rows of phase " COUNTED_PHASE : "rows";
}

double ts_row_step(const ts_row_type *type, const void *row) {
  return ts_row_number(ts_row_find(type, "step"), row);
}

size_t ts_cell_rows_count(const ts_cell_rows *rows, int file, double step) {
  const ts_row_type *type = ts_results_row_type(file);
  const ts_field *step_field = ts_row_find(type, "step"), *phase = ts_row_find(type, "phase");
  ts_rows_view view = ts_cell_rows_of(rows, file);
  size_t count = 0;
  for (size_t i = 0; i < view.count; i++) {
    const char *row = (const char *)view.rows + i * type->row_bytes;
    count += ts_row_number(step_field, row) == step &&
             ts_results_is_counted(file, phase ? ts_row_text(phase, row) : "");
  }
  return count;
}

static const char *keep_text(ts_arena *arena, const char *text, const char *before) {
  if (text[0] == '\0')
    return "";
  return before && strcmp(before, text) == 0 ? before : ts_arena_string(arena, text);
}

ts_status ts_row_keep_texts(const ts_row_type *type, void *row, ts_arena *arena,
                            const void *previous) {
  for (size_t i = 0; i < type->field_count; i++) {
    const ts_field *field = &type->fields[i];
    if (field->kind != TS_FIELD_TEXT)
      continue;
    const char *before = previous ? ts_row_text(field, previous) : NULL;
    const char *text = keep_text(arena, ts_row_text(field, row), before);
    if (!text)
      return TS_E_MEMORY;
    ts_row_set_text(field, row, text);
  }
  return TS_OK;
}

ts_status ts_cell_rows_copy(ts_cell_rows *out, ts_arena *arena, const ts_cell_rows *rows) {
  *out = (ts_cell_rows){0};
  for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++) {
    const ts_row_type *type = ts_results_row_type(f);
    ts_rows_view from = ts_cell_rows_of(rows, f);
    size_t bytes = type->row_bytes;
    char *copy = ts_arena_copy(arena, from.rows, from.count, bytes);
    if (!copy)
      return TS_E_MEMORY;
    for (size_t i = 0; i < from.count; i++)
      TS_TRY(
          ts_row_keep_texts(type, copy + i * bytes, arena, i > 0 ? copy + (i - 1) * bytes : NULL));
    ts_cell_rows_set(out, f, (ts_rows_view){copy, from.count});
  }
  return TS_OK;
}
