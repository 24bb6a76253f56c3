// SPDX-License-Identifier: MIT
// The leaderboard for programs: one list of values gives the keys of the JSON and the columns of
// the CSV.
#include "reports/board/board.h"

#include "base/file.h"
#include "base/number.h"
#include "base/status.h"
#include "reports/rows/csv.h"
#include "reports/tables/format_text.h"

#include <math.h>

/// A value of an entry: a text, or a number if there is no text.
typedef struct value {
  const char *key, *text;
  double number;
} value;

#define VALUES_MAX 40
#define SCHEMA     "touchstone leaderboard"
#define BYTES_MAX  ((size_t)100 << 20) // of a leaderboard.json: more than any has

typedef struct value_list {
  value items[VALUES_MAX];
  size_t count;
} value_list;

static void add_text(value_list *list, const char *key, const char *text) {
  list->items[list->count++] = (value){.key = key, .text = text};
}

static void add_number(value_list *list, const char *key, double number) {
  list->items[list->count++] = (value){.key = key, .number = number};
}

/// "quality_percent_mean" and so on.
static ts_status add_measure(value_list *list, ts_arena *arena, const ts_study_method *method,
                             ts_study_measure measure) {
  static const char *const suffixes[] = {"mean", "low", "high", "worst"};
  const ts_study_value *v = &method->values[measure];
  const double numbers[] = {v->mean.mean, v->mean.low, v->mean.high, v->worst};
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    const char *key = ts_arena_format(arena, "%s_%s", ts_study_field(measure)->column, suffixes[i]);
    if (!key)
      return TS_E_MEMORY;
    add_number(list, key, numbers[i]);
  }
  return TS_OK;
}

/// The same keys for every entry.
static ts_status list_values(value_list *out, ts_arena *arena, const ts_board *board, size_t i) {
  const ts_board_entry *e = &board->entries[i];
  const ts_study_method *m = &board->study.methods[i];
  *out = (value_list){.count = 0};
  add_text(out, "name", e->name);
  add_number(out, "rank_first", (double)m->rank_first);
  add_number(out, "rank_last", (double)m->rank_last);
  for (int k = 0; k < TS_STUDY_MEASURE_COUNT; k++)
    TS_TRY(add_measure(out, arena, m, (ts_study_measure)k));
  add_number(out, "perfect_percent", ts_study_perfect_percent(m));
  add_number(out, "scenes_missing", (double)e->missing);
  add_number(out, "scenes_skipped", (double)e->skipped);
  add_number(out, "scenes_failed", (double)e->failed);
  add_number(out, "scenes_found_nothing", (double)m->found_nothing);
  add_text(out, "method", e->method);
  add_text(out, "method_parameters", e->method_parameters);
  add_text(out, "source", e->source);
  add_text(out, "provider", e->provider);
  add_text(out, "program", e->program);
  add_text(out, "cpu", e->cpu);
  add_text(out, "system", e->system);
  add_text(out, "date", e->date);
  add_text(out, "command", e->command);
  return TS_OK;
}

static ts_status fill_entry(json_t *out, ts_arena *arena, const ts_board *board, size_t i) {
  value_list list;
  TS_TRY(list_values(&list, arena, board, i));
  for (size_t k = 0; k < list.count; k++) {
    const value *v = &list.items[k];
    TS_TRY(ts_json_set(out, v->key,
                       v->text ? ts_json_text(arena, v->text) : ts_json_number(v->number)));
  }
  return TS_OK;
}

static ts_status fill_board(json_t *out, ts_arena *arena, const ts_board *board) {
  TS_TRY(ts_json_set(out, "schema", json_string(SCHEMA)));
  TS_TRY(ts_json_set(out, "schema_version", json_integer(1)));
  TS_TRY(ts_json_set(out, "dataset", ts_json_text(arena, board->version)));
  TS_TRY(ts_json_set(out, "scenes", json_integer((json_int_t)board->scene_count)));
  json_t *entries = json_array();
  TS_TRY(ts_json_set(out, "entries", entries));
  for (size_t i = 0; i < board->entry_count; i++) {
    json_t *entry = json_object();
    TS_TRY(ts_json_append(entries, entry));
    TS_TRY(fill_entry(entry, arena, board, i));
  }
  return TS_OK;
}

ts_status ts_board_write_json(FILE *file, ts_arena *arena, const ts_board *board) {
  json_t *out = json_object();
  if (!out)
    return ts_fail(TS_E_MEMORY, "out of memory");
  ts_status status = fill_board(out, arena, board);
  if (status == TS_OK &&
      json_dumpf(out, file, JSON_INDENT(2) | JSON_REAL_PRECISION(TS_JSON_EXACT)) != 0)
    status = ts_fail(TS_E_MEMORY, "out of memory");
  json_decref(out);
  fputc('\n', file);
  return status;
}

ts_status ts_board_is_json(bool *out, ts_arena *arena, const char *path) {
  char *text;
  size_t count;
  *out = false;
  ts_status status = ts_file_read(&text, &count, arena, path, BYTES_MAX);
  if (status != TS_OK)
    return status == TS_E_MEMORY ? status : TS_OK;
  json_t *json = json_loadb(text, count, 0, NULL);
  const char *schema = json_string_value(json_object_get(json, "schema"));
  *out = schema && strcmp(schema, SCHEMA) == 0;
  json_decref(json);
  return TS_OK;
}

/// The line of an entry, or of the keys.
static ts_status add_line(ts_csv_buffer *buffer, ts_arena *arena, const ts_board *board,
                          const value_list *list, bool is_head) {
  TS_TRY(ts_csv_add_field(buffer, is_head ? "dataset" : board->version));
  for (size_t k = 0; k < list->count; k++) {
    const value *v = &list->items[k];
    char text[TS_NUMBER_BYTES];
    const char *number = isnan(v->number) ? "nan" : ts_number_format(text, v->number);
    const char *field = is_head ? v->key : v->text ? ts_text_utf8(arena, v->text) : number;
    TS_TRY(field ? ts_csv_add_field(buffer, field) : TS_E_MEMORY);
  }
  ts_csv_end_record(buffer);
  return TS_OK;
}

static ts_status add_lines(ts_csv_buffer *buffer, ts_arena *arena, const ts_board *board) {
  for (size_t i = 0; i < board->entry_count; i++) {
    value_list list;
    TS_TRY(list_values(&list, arena, board, i));
    if (i == 0)
      TS_TRY(add_line(buffer, arena, board, &list, true));
    TS_TRY(add_line(buffer, arena, board, &list, false));
  }
  return TS_OK;
}

ts_status ts_board_write_csv(FILE *file, ts_arena *arena, const ts_board *board) {
  ts_csv_buffer buffer = {.count = 0};
  ts_status status = add_lines(&buffer, arena, board);
  fwrite(buffer.bytes, 1, status == TS_OK ? buffer.count : 0, file);
  ts_csv_buffer_free(&buffer);
  return status;
}
