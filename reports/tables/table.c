// SPDX-License-Identifier: MIT
#include "reports/tables/table.h"

#include "base/number.h"
#include "base/status.h"
#include "reports/rows/outcome.h"
#include "reports/tables/field_text.h"
#include "reports/tables/table_axis.h"
#include "reports/tables/table_flags.h"
#include "reports/tables/table_text.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define GAP    ((size_t)2)  ///< between the columns of a method
#define LISTED ((size_t)20) ///< cells listed in the footnote

/// Widths of a column of values, so that tables of different runs look alike.
#define NUMBER_WIDTH_MIN ((size_t)5)
#define TIME_WIDTH_MIN   ((size_t)7)

typedef struct layout {
  bool is_narrow;    ///< the headings of the values; flags have none
  size_t flags_gap;  ///< before the flags of a method
  size_t method_gap; ///< before a method
} layout;

/// The first one that fits the width is used, otherwise the last, in blocks.
static const layout layouts[] = {{false, GAP, 3}, {true, 1, 3}, {true, 1, 2}};

typedef struct column {
  size_t width;
  size_t flag_count;  ///< maximum number of flags of its cells
  size_t flags_width; ///< width of the flags with the gap before them; 0 if there are none
  const char **lines; ///< name, then the parameters that distinguish it from others of that name,
                      ///< as many as fit a line
  size_t line_count;
} column;

typedef struct table {
  ts_arena *arena;
  const ts_record *records;
  const ts_record *spreads; ///< [count] standard deviations of folded rows; NULL: not folded
  size_t count;
  size_t total;                     ///< number of records, including those not shown
  size_t left_out, left_out_failed; ///< of folded rows, as in ts_fold
  ts_axis cases, methods;
  const char **labels; ///< [cases.count]
  size_t label_width;
  const layout *layout;
  size_t value_count;
  const ts_field *fields[TS_RECORD_FIELD_COUNT]; ///< [value_count], the values of a method
  const char *heads[TS_RECORD_FIELD_COUNT], *flags_head;
  size_t widths[TS_RECORD_FIELD_COUNT]; ///< [value_count]
  size_t values_width;                  ///< total width of the values of one method
  unsigned flags;                       ///< flags of any cell
  column *columns;                      ///< [methods.count]
  size_t *order;                        ///< [count], records sorted by case, then method
  size_t *row_start;                    ///< [cases.count + 1], into `order`
} table;

/// Room for a number and its spread.
#define VALUE_BYTES (2 * TS_NUMBER_BYTES + 2)

/// A value, and for a measure of folded rows how much it varies: "98.3+-0.4".
static const char *format_value(char out[VALUE_BYTES], const table *t, const ts_record *record,
                                const ts_field *field) {
  double value = ts_row_number(field, record);
  if (isnan(value))
    return "-";
  ts_field_number_text(out, field, value);
  double spread = t->spreads && field->role == TS_ROLE_MEASURE
                      ? ts_row_number(field, &t->spreads[record - t->records])
                      : 0;
  if (spread > 0) {
    char number[TS_NUMBER_BYTES];
    ts_field_number_text(number, field, spread);
    strcat(strcat(out, "+-"), number);
  }
  return out;
}

static const char *outcome_style(const ts_record *record) {
  return ts_record_has_failed(record) ? TS_RED : TS_DIM;
}

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

/// Breaks the name and the parameters of a method into lines of the column's width.
static ts_status break_lines(column *out, ts_arena *arena, const ts_axis_entry *method) {
  out->lines = ts_arena_array(arena, method->word_count + 1, sizeof *out->lines);
  if (!out->lines)
    return TS_E_MEMORY;
  out->lines[0] = method->name;
  out->line_count = 1;
  for (size_t i = 0; i < method->word_count; i++) {
    const char *word = method->words[i], *line = out->lines[out->line_count - 1];
    if (out->line_count == 1 || strlen(line) + 1 + strlen(word) > out->width)
      line = out->lines[out->line_count++] = word;
    else
      line = out->lines[out->line_count - 1] = ts_arena_format(arena, "%s %s", line, word);
    if (!line)
      return TS_E_MEMORY;
  }
  return TS_OK;
}

/// Finds the number of flags of each method, and collects those that occur.
static void find_flags(table *t) {
  char letters[TS_FLAGS_MAX + 1];
  for (size_t i = 0; i < t->count; i++) {
    unsigned flags = ts_flags_of(&t->records[i]);
    column *c = &t->columns[t->methods.entry_of[i]];
    c->flag_count = larger(c->flag_count, strlen(ts_flags_letters(letters, flags)));
    t->flags |= flags;
  }
}

static ts_status measure_columns(table *t) {
  size_t head_length = strlen(t->flags_head);
  for (size_t i = 0; i < t->methods.count; i++) {
    const ts_axis_entry *method = &t->methods.entries[i];
    column *c = &t->columns[i];
    c->flags_width =
        c->flag_count > 0 ? t->layout->flags_gap + larger(c->flag_count, head_length) : 0;
    c->width = larger(t->values_width + c->flags_width, strlen(method->name));
    for (size_t w = 0; w < method->word_count; w++)
      c->width = larger(c->width, strlen(method->words[w]));
    TS_TRY(break_lines(c, t->arena, method));
  }
  return TS_OK;
}

/// "quality%", or "qual%" in a narrow table.
static const char *head_of(ts_arena *arena, const ts_field *field, bool is_narrow) {
  const char *label = ts_label_in_text(arena, is_narrow ? ts_field_narrow_label(field)
                                                        : ts_field_short_label(field));
  const char *sign = ts_field_is_percent(field) ? "%" : "";
  return label ? ts_arena_format(arena, "%s%s", label, sign) : NULL;
}

static ts_status measure_values(table *t) {
  t->values_width = t->value_count > 0 ? (t->value_count - 1) * GAP : 0;
  t->flags_head = t->layout->is_narrow ? "" : "flags";
  for (size_t v = 0; v < t->value_count; v++) {
    t->heads[v] = head_of(t->arena, t->fields[v], t->layout->is_narrow);
    if (!t->heads[v])
      return TS_E_MEMORY;
    bool is_time = t->fields[v]->role == TS_ROLE_TIME;
    t->widths[v] = larger(is_time ? TIME_WIDTH_MIN : NUMBER_WIDTH_MIN, strlen(t->heads[v]));
    for (size_t i = 0; i < t->count; i++) {
      char text[VALUE_BYTES];
      if (ts_record_is_ok(&t->records[i]))
        t->widths[v] =
            larger(t->widths[v], strlen(format_value(text, t, &t->records[i], t->fields[v])));
    }
    t->values_width += t->widths[v];
  }
  return TS_OK;
}

static size_t full_width(const table *t) {
  size_t width = t->label_width;
  for (size_t i = 0; i < t->methods.count; i++)
    width += t->layout->method_gap + t->columns[i].width;
  return width;
}

/// Sorts the records into the rows of the table: by case, method, and place, with counting sorts.
static ts_status order_records(table *t) {
  size_t most = larger(t->cases.count, t->methods.count);
  size_t *by_method = ts_arena_array(t->arena, t->count, sizeof *by_method);
  size_t *next = ts_arena_array(t->arena, most + 1, sizeof *next);
  t->order = ts_arena_array(t->arena, t->count, sizeof *t->order);
  t->row_start = ts_arena_array(t->arena, t->cases.count + 1, sizeof *t->row_start);
  if (!by_method || !next || !t->order || !t->row_start)
    return TS_E_MEMORY;
  for (size_t i = 0; i < t->count; i++)
    next[t->methods.entry_of[i] + 1]++;
  for (size_t m = 0; m < t->methods.count; m++)
    next[m + 1] += next[m];
  for (size_t i = 0; i < t->count; i++)
    by_method[next[t->methods.entry_of[i]]++] = i;
  for (size_t i = 0; i < t->count; i++)
    t->row_start[t->cases.entry_of[i] + 1]++;
  for (size_t c = 0; c < t->cases.count; c++)
    t->row_start[c + 1] += t->row_start[c];
  memcpy(next, t->row_start, t->cases.count * sizeof *next);
  for (size_t i = 0; i < t->count; i++)
    t->order[next[t->cases.entry_of[by_method[i]]]++] = by_method[i];
  return TS_OK;
}

/// The record of a case and a method, the last one when there are several; NULL when there is none.
static const ts_record *find_record(const table *t, size_t row, size_t method) {
  size_t low = t->row_start[row], high = t->row_start[row + 1];
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (t->methods.entry_of[t->order[middle]] <= method)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == t->row_start[row] || t->methods.entry_of[t->order[low - 1]] != method)
    return NULL;
  return &t->records[t->order[low - 1]];
}

/// Writes text in the column of the flags.
static void put_flags(ts_pen *pen, const table *t, const column *c, const char *style,
                      const char *text) {
  pen->pending += t->layout->flags_gap;
  ts_pen_put_left(pen, style, text, c->flags_width - t->layout->flags_gap);
}

static void print_head(ts_pen *pen, const table *t, size_t first, size_t end) {
  size_t line_count = 0;
  for (size_t m = first; m < end; m++)
    line_count = larger(line_count, t->columns[m].line_count);
  for (size_t line = 0; line < line_count; line++) {
    pen->pending += t->label_width;
    for (size_t m = first; m < end; m++) {
      const column *c = &t->columns[m];
      pen->pending += t->layout->method_gap;
      ts_pen_put_centred(pen, line == 0 ? TS_BOLD : NULL,
                         line < c->line_count ? c->lines[line] : "", c->width);
    }
    ts_pen_end_line(pen);
  }
  ts_pen_put_left(pen, NULL, "case", t->label_width);
  for (size_t m = first; m < end; m++) {
    const column *c = &t->columns[m];
    pen->pending += t->layout->method_gap + c->width - c->flags_width - t->values_width;
    for (size_t v = 0; v < t->value_count; v++) {
      pen->pending += v > 0 ? GAP : 0;
      ts_pen_put_right(pen, NULL, t->heads[v], t->widths[v]);
    }
    if (c->flag_count > 0)
      put_flags(pen, t, c, NULL, t->flags_head);
  }
  ts_pen_end_line(pen);
  ts_pen_put_rule(pen, t->label_width);
  for (size_t m = first; m < end; m++) {
    pen->pending += t->layout->method_gap;
    ts_pen_put_rule(pen, t->columns[m].width);
  }
  ts_pen_end_line(pen);
}

static void print_cell(ts_pen *pen, const table *t, const ts_record *record, const column *c) {
  char text[VALUE_BYTES];
  pen->pending += t->layout->method_gap;
  if (!record) {
    pen->pending += c->width;
  } else if (!ts_record_is_ok(record)) {
    ts_pen_put_centred(pen, outcome_style(record), ts_record_outcome_words(record), c->width);
  } else {
    pen->pending += c->width - c->flags_width - t->values_width;
    for (size_t v = 0; v < t->value_count; v++) {
      const char *value = format_value(text, t, record, t->fields[v]);
      pen->pending += v > 0 ? GAP : 0;
      ts_pen_put_right(pen, value == text ? NULL : TS_DIM, value, t->widths[v]);
    }
    char letters[TS_FLAGS_MAX + 1];
    if (c->flag_count > 0)
      put_flags(pen, t, c, TS_DIM, ts_flags_letters(letters, ts_flags_of(record)));
  }
}

/// Prints the methods from `first` on that fit the width, at least one; returns the next method.
static size_t print_block(ts_pen *pen, const table *t, size_t first, size_t limit) {
  size_t end = first, width = t->label_width;
  do
    width += t->layout->method_gap + t->columns[end++].width;
  while (end < t->methods.count && width + t->layout->method_gap + t->columns[end].width <= limit);
  print_head(pen, t, first, end);
  for (size_t row = 0; row < t->cases.count; row++) {
    ts_pen_put_left(pen, NULL, t->labels[row], t->label_width);
    for (size_t m = first; m < end; m++)
      print_cell(pen, t, find_record(t, row, m), &t->columns[m]);
    ts_pen_end_line(pen);
  }
  return end;
}

/// Prints how many rows are not ok, and why.
static ts_status print_footnote(ts_pen *pen, const table *t) {
  size_t bad_count = t->left_out, failed_count = t->left_out_failed, listed = 0;
  for (size_t i = 0; i < t->count; i++) {
    bad_count += !ts_record_is_ok(&t->records[i]);
    failed_count += ts_record_has_failed(&t->records[i]);
  }
  if (t->count == 0) {
    fputs("no rows\n", pen->file);
    return TS_OK;
  }
  if (bad_count == 0) {
    fprintf(pen->file, "%zu row%s ok\n", t->total, t->total == 1 ? "" : "s, all");
    return TS_OK;
  }
  fprintf(pen->file, "%zu of %zu rows %s:\n", bad_count, t->total,
          failed_count == 0 ? "skipped" : "not ok");
  for (size_t i = 0; i < t->count && listed < LISTED; i++) {
    const ts_record *record = &t->records[i];
    if (ts_record_is_ok(record))
      continue;
    const char *method = ts_axis_label(t->arena, &t->methods.entries[t->methods.entry_of[i]]);
    if (!method)
      return TS_E_MEMORY;
    pen->pending = 2;
    ts_pen_put(pen, NULL, t->labels[t->cases.entry_of[i]]);
    ts_pen_put(pen, NULL, " x ");
    ts_pen_put(pen, NULL, method);
    ts_pen_put(pen, NULL, ": ");
    ts_pen_put(pen, outcome_style(record), ts_record_outcome_words(record));
    if (record->reason[0]) {
      ts_pen_put(pen, NULL, " (");
      ts_pen_put(pen, NULL, record->reason);
      ts_pen_put(pen, NULL, ")");
    }
    ts_pen_end_line(pen);
    listed++;
  }
  if (bad_count > listed)
    fprintf(pen->file, "  and %zu more, see summary.csv\n", bad_count - listed);
  return TS_OK;
}

static ts_status make_table(table *t, size_t limit) {
  TS_TRY(ts_axis_of_cases(&t->cases, t->arena, t->records, t->count));
  TS_TRY(ts_axis_of_methods(&t->methods, t->arena, t->records, t->count));
  TS_TRY(order_records(t));
  t->labels = ts_arena_array(t->arena, t->cases.count, sizeof *t->labels);
  t->columns = ts_arena_array(t->arena, t->methods.count, sizeof *t->columns);
  if (!t->labels || !t->columns)
    return TS_E_MEMORY;
  t->label_width = strlen("case");
  for (size_t i = 0; i < t->cases.count; i++) {
    t->labels[i] = ts_axis_label(t->arena, &t->cases.entries[i]);
    if (!t->labels[i])
      return TS_E_MEMORY;
    t->label_width = larger(t->label_width, strlen(t->labels[i]));
  }
  find_flags(t);
  t->value_count = ts_fields_shown(t->fields, TS_SHOWN_TABLE);
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
    t->layout = &layouts[i];
    TS_TRY(measure_values(t));
    TS_TRY(measure_columns(t));
    if (full_width(t) <= limit)
      break;
  }
  return TS_OK;
}

/// Omits most of the steps of cells that have many.
static ts_status choose_records(table *t, const ts_record *records, const ts_record *spreads,
                                size_t count) {
  ts_record *kept = ts_arena_array(t->arena, count, sizeof *kept);
  ts_record *kept_spreads = ts_arena_array(t->arena, spreads ? count : 0, sizeof *kept_spreads);
  if (!kept || !kept_spreads)
    return TS_E_MEMORY;
  t->records = kept;
  t->spreads = spreads ? kept_spreads : NULL;
  for (size_t i = 0; i < count; i++) {
    if (!ts_record_is_tabulated(records, count, i))
      continue;
    if (spreads)
      kept_spreads[t->count] = spreads[i];
    kept[t->count++] = records[i];
  }
  return TS_OK;
}

/// Prints the table of records that have been chosen.
static ts_status print_table(FILE *file, table *t, ts_table_style style) {
  ts_pen pen = {file, style.colour, 0};
  size_t limit = style.width > 0 ? style.width : SIZE_MAX;
  TS_TRY(make_table(t, limit));
  for (size_t method = 0; method < t->methods.count;) {
    method = print_block(&pen, t, method, limit);
    fputc('\n', file);
  }
  ts_flags_explain(&pen, t->flags, limit);
  TS_TRY(print_footnote(&pen, t));
  if (fflush(file) != 0 || ferror(file))
    return ts_fail(TS_E_IO, "cannot write the table: %s", strerror(errno));
  return TS_OK;
}

ts_status ts_table_print(FILE *file, ts_arena *arena, const ts_record *records, size_t count,
                         ts_table_style style) {
  table t = {.arena = arena, .total = count};
  TS_TRY(choose_records(&t, records, NULL, count));
  return print_table(file, &t, style);
}

ts_status ts_table_print_folded(FILE *file, ts_arena *arena, const ts_fold *fold,
                                ts_table_style style) {
  table t = {.arena = arena,
             .total = fold->row_count,
             .left_out = fold->left_out,
             .left_out_failed = fold->left_out_failed};
  TS_TRY(choose_records(&t, fold->means, fold->spreads, fold->count));
  TS_TRY(print_table(file, &t, style));
  fprintf(file,
          "Means over the draws that are ok, %zu of each case, +- their standard deviation.\n",
          fold->draws_most);
  return TS_OK;
}
