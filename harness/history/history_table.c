// SPDX-License-Identifier: MIT
#include "harness/history/history_table.h"

#include "base/markdown.h"
#include "base/status.h"
#include "base/utf8.h"
#include "harness/plan/grid.h"
#include "harness/plan/shell_word.h"
#include "reports/rows/csv.h"
#include "reports/tables/field_text.h"
#include "reports/tables/format_text.h"

#include <math.h>
#include <string.h>

#define WIDTH     100          ///< of a page of text; more runs go on in another table
#define CELL_ROOM 9            ///< of a figure with its gap
#define ACROSS    ((size_t)60) ///< most columns of a table

typedef struct printer {
  FILE *file;
  ts_arena *arena;
  const ts_history *history;
  bool as_markdown;
} printer;

/// Writes text that is not ours.
static void put(const printer *p, const char *text) {
  if (p->as_markdown)
    ts_markdown_put(p->file, text);
  else
    ts_utf8_put(p->file, text, strlen(text));
}

/// "2026-11-30T10:02:03Z" without the letters.
static const char *date_text(ts_arena *arena, const char *date) {
  return strlen(date) >= 16 && date[10] == 'T'
             ? ts_arena_format(arena, "%.10s %.5s", date, date + 11)
             : date;
}

static ts_status print_runs(const printer *p) {
  ts_grid grid = ts_grid_start(p->arena, "rlll");
  grid.is_from_elsewhere = true;
  TS_TRY(ts_grid_add(&grid, (const char *[]){"run", "date (UTC)", "results", "touchstone"}));
  for (size_t i = 0; i < p->history->run_count; i++) {
    const ts_history_run *run = &p->history->runs[i];
    const char *number = ts_arena_format(p->arena, "%zu", i + 1);
    const char *date = date_text(p->arena, run->date), *name = ts_text_utf8(p->arena, run->name);
    if (!number || !date || !name)
      return TS_E_MEMORY;
    TS_TRY(ts_grid_add(&grid, (const char *[]){number, date[0] ? date : "-", name,
                                               run->version[0] ? run->version : "-"}));
  }
  return ts_grid_print(p->file, &grid, 0, p->as_markdown);
}

/// A figure, with a star where it is not joined to that of the run before; "-" without one.
static const char *cell_text(const printer *p, size_t method, size_t run) {
  const ts_history_point *point = ts_history_at(p->history, method, run);
  char number[TS_NUMBER_BYTES];
  if (isnan(point->value))
    return "-";
  ts_field_number_text(number, p->history->field, point->value);
  bool is_apart = point->before != TS_HISTORY_NONE && !point->is_joined;
  return ts_arena_format(p->arena, "%s%s", number, is_apart ? "*" : "");
}

/// The methods by the runs `first` to `end`.
static ts_status print_part(const printer *p, size_t first, size_t end) {
  char alignment[ACROSS + 2] = "l";
  const char *cells[ACROSS + 1] = {"method"};
  for (size_t i = first; i < end; i++) {
    alignment[1 + i - first] = 'r';
    if (!(cells[1 + i - first] = ts_arena_format(p->arena, "run %zu", i + 1)))
      return TS_E_MEMORY;
  }
  alignment[1 + end - first] = '\0';
  ts_grid grid = ts_grid_start(p->arena, alignment);
  grid.is_from_elsewhere = true;
  TS_TRY(ts_grid_add(&grid, cells));
  for (size_t m = 0; m < p->history->methods.count; m++) {
    const char *label = ts_axis_label(p->arena, &p->history->methods.entries[m]);
    if (!label || !(cells[0] = ts_text_utf8(p->arena, label)))
      return TS_E_MEMORY;
    for (size_t i = first; i < end; i++)
      if (!(cells[1 + i - first] = cell_text(p, m, i)))
        return TS_E_MEMORY;
    TS_TRY(ts_grid_add(&grid, cells));
  }
  fputc('\n', p->file);
  return ts_grid_print(p->file, &grid, 0, p->as_markdown);
}

static ts_status print_figures(const printer *p) {
  size_t longest = strlen("method");
  for (size_t m = 0; m < p->history->methods.count; m++) {
    const char *label = ts_axis_label(p->arena, &p->history->methods.entries[m]);
    if (!label)
      return TS_E_MEMORY;
    longest = strlen(label) > longest ? strlen(label) : longest;
  }
  size_t across = longest + 2 * CELL_ROOM < WIDTH ? (WIDTH - longest) / CELL_ROOM : 2;
  across = p->as_markdown ? ACROSS : across;
  for (size_t first = 0; first < p->history->run_count; first += across) {
    size_t end = first + across < p->history->run_count ? first + across : p->history->run_count;
    TS_TRY(print_part(p, first, end));
  }
  return TS_OK;
}

/// What a star means, and for times why each run is not joined.
static void print_notes(const printer *p, const ts_history_runs *runs) {
  bool is_time = p->history->field->role == TS_ROLE_TIME, is_apart = false, is_missing = false;
  for (size_t i = 0; i < p->history->methods.count * p->history->run_count; i++) {
    const ts_history_point *point = &p->history->points[i];
    is_apart |= point->before != TS_HISTORY_NONE && !point->is_joined;
    is_missing |= isnan(point->value);
  }
  const char *end = p->as_markdown ? "\n\n" : "\n";
  fputc('\n', p->file);
  if (is_apart)
    fprintf(p->file,
            "%s not joined to the run before: the mean is over other rows%s, or that run lacks "
            "the method%s",
            p->as_markdown ? "\\*" : "*", is_time ? ", the machine is another one" : "", end);
  if (is_missing)
    fprintf(p->file, "- the run has no row with the figure%s", end);
  for (size_t i = 1; is_time && i < runs->count; i++)
    if (runs->other_machine[i]) {
      fprintf(p->file, "times of runs %zu and %zu do not compare: ", i, i + 1);
      put(p, runs->other_machine[i]);
      fputs(end, p->file);
    }
  if (!runs->have_dates && runs->count > 1)
    fprintf(p->file, "not every run has a date, so they are in the order given%s", end);
}

static ts_status print_biggest(const printer *p) {
  const ts_history *h = p->history;
  if (h->run_count < 2)
    return TS_OK;
  if (h->biggest_run == TS_HISTORY_NONE) {
    fputs("no figure changed from one run to the next\n", p->file);
    return TS_OK;
  }
  const ts_history_point *point = ts_history_at(h, h->biggest_method, h->biggest_run);
  char was[TS_NUMBER_BYTES], now[TS_NUMBER_BYTES];
  ts_field_number_text(was, h->field, point->was);
  ts_field_number_text(now, h->field, point->now);
  const char *label = ts_axis_label(p->arena, &h->methods.entries[h->biggest_method]);
  const char *direction = ts_history_direction(h->field, point->was, point->now);
  if (!label)
    return TS_E_MEMORY;
  fprintf(p->file, "biggest change: %s of ", h->field->column);
  put(p, label);
  fprintf(p->file, ", %s to %s%s%s, from run %zu to run %zu, over the %zu row%s that both have\n%s",
          was, now, strcmp(direction, "other") == 0 ? "" : ", ",
          strcmp(direction, "other") == 0 ? "" : direction, point->before + 1, h->biggest_run + 1,
          point->common, point->common == 1 ? "" : "s", p->as_markdown ? "\n    " : "  ");
  fputs("touchstone compare ", p->file);
  ts_shell_put_operand(p->file, h->runs[point->before].path);
  fputc(' ', p->file);
  ts_shell_put_operand(p->file, h->runs[h->biggest_run].path);
  fputc('\n', p->file);
  return TS_OK;
}

ts_status ts_history_print(FILE *file, ts_arena *arena, const ts_history *history,
                           const ts_history_runs *runs, const char *what, bool as_markdown) {
  const printer p = {file, arena, history, as_markdown};
  const char *heading = ts_field_heading(arena, history->field);
  if (!heading)
    return TS_E_MEMORY;
  fprintf(file, "%s%s: ", as_markdown ? "### " : "",
          history->field->role == TS_ROLE_TIME ? history->field->label : heading);
  put(&p, what);
  fputs("\n\n", file);
  TS_TRY(print_runs(&p));
  TS_TRY(print_figures(&p));
  print_notes(&p, runs);
  return print_biggest(&p);
}

static ts_status add_numbers(ts_csv_buffer *buffer, const double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    TS_TRY(ts_csv_add_number(buffer, values[i]));
  return TS_OK;
}

static ts_status add_point(ts_csv_buffer *buffer, const ts_history *history, const char *label,
                           size_t method, size_t run) {
  const ts_history_point *point = ts_history_at(history, method, run);
  const ts_history_run *facts = &history->runs[run];
  bool has_change = !isnan(point->was);
  const char *const texts[] = {history->field->column, label, facts->name, facts->date,
                               facts->version};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    TS_TRY(ts_csv_add_field(buffer, texts[i]));
  const double numbers[] = {(double)run + 1,
                            point->value,
                            (double)point->rows,
                            point->is_joined,
                            has_change ? (double)point->before + 1 : (double)NAN,
                            (double)point->common,
                            point->was,
                            point->now};
  TS_TRY(add_numbers(buffer, numbers, sizeof numbers / sizeof *numbers));
  TS_TRY(ts_csv_add_field(
      buffer, has_change ? ts_history_direction(history->field, point->was, point->now) : ""));
  ts_csv_end_record(buffer);
  return TS_OK;
}

static ts_status add_csv(ts_csv_buffer *buffer, ts_arena *arena, const ts_history *history) {
  static const char *const header[] = {"figure", "method", "results", "date",   "version",
                                       "run",    "value",  "rows",    "joined", "before",
                                       "common", "was",    "now",     "change"};
  for (size_t i = 0; i < sizeof header / sizeof *header; i++)
    TS_TRY(ts_csv_add_field(buffer, header[i]));
  ts_csv_end_record(buffer);
  for (size_t m = 0; m < history->methods.count; m++) {
    const char *label = ts_axis_label(arena, &history->methods.entries[m]);
    if (!label)
      return TS_E_MEMORY;
    for (size_t i = 0; i < history->run_count; i++)
      if (!isnan(ts_history_at(history, m, i)->value))
        TS_TRY(add_point(buffer, history, label, m, i));
  }
  return TS_OK;
}

ts_status ts_history_print_csv(FILE *file, ts_arena *arena, const ts_history *history) {
  ts_csv_buffer buffer = {0};
  ts_status status = add_csv(&buffer, arena, history);
  if (status == TS_OK)
    fwrite(buffer.bytes, 1, buffer.count, file);
  ts_csv_buffer_free(&buffer);
  return status;
}
