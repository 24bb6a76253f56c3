// SPDX-License-Identifier: MIT
#include "harness/plan/grid.h"

#include "base/array.h"
#include "base/markdown.h"
#include "base/status.h"
#include "base/terminal.h"
#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

/// Columns are left out rather than wrapped to less than this, unless they need less.
#define WRAP_MIN   28
/// No column is wrapped to less than this.
#define WRAP_LEAST 8

ts_grid ts_grid_start(ts_arena *arena, const char *alignment) {
  return (ts_grid){.arena = arena, .column_count = strlen(alignment), .alignment = alignment};
}

ts_status ts_grid_add(ts_grid *grid, const char *const *cells) {
  TS_TRY(ts_array_grow(&grid->cells, grid->column_count * sizeof *grid->cells, &grid->capacity,
                       grid->row_count, 1, ts_array_from_arena, grid->arena));
  const char **row = grid->cells + grid->row_count++ * grid->column_count;
  for (size_t i = 0; i < grid->column_count; i++)
    row[i] = cells[i] ? cells[i] : "";
  return TS_OK;
}

static void put_markdown(FILE *file, const char *text, bool is_from_elsewhere) {
  if (is_from_elsewhere)
    ts_markdown_put(file, text);
  else
    for (const char *c = text; *c; c++)
      fprintf(file, *c == '|' ? "\\%c" : "%c", *c);
}

static void print_markdown(FILE *file, const ts_grid *grid) {
  for (size_t row = 0; row < grid->row_count; row++) {
    for (size_t i = 0; i < grid->column_count; i++) {
      fputs(i ? " | " : "| ", file);
      put_markdown(file, grid->cells[row * grid->column_count + i], grid->is_from_elsewhere);
    }
    fputs(" |\n", file);
    if (row > 0)
      continue;
    for (size_t i = 0; i < grid->column_count; i++)
      fputs(grid->alignment[i] == 'r' ? "|---:" : "|---", file);
    fputs("|\n", file);
  }
}

typedef struct layout {
  size_t *widths; ///< [column_count]; LEFT_OUT: not printed
  size_t indent;
} layout;
#define LEFT_OUT SIZE_MAX

static bool wraps(const ts_grid *grid, size_t column) {
  return grid->alignment[column] == 'w';
}

/// Width of the table if no column to wrap were wider than `most`.
static size_t width_with(const ts_grid *grid, const layout *l, size_t most) {
  size_t width = l->indent;
  for (size_t i = 0; i < grid->column_count; i++)
    if (l->widths[i] != LEFT_OUT)
      width += (i ? 2 : 0) + (wraps(grid, i) && l->widths[i] > most ? most : l->widths[i]);
  return width;
}

/// Leaves columns out and wraps others until the table is at most `width` wide.
static void fit(layout *l, const ts_grid *grid, size_t width) {
  for (size_t i = grid->column_count; i-- > 1 && width_with(grid, l, WRAP_MIN) > width;)
    if (!wraps(grid, i))
      l->widths[i] = LEFT_OUT;
  size_t most = width;
  while (most > WRAP_LEAST && width_with(grid, l, most) > width)
    most--;
  for (size_t i = 0; i < grid->column_count; i++)
    if (wraps(grid, i) && l->widths[i] > most) // LEFT_OUT are only others
      l->widths[i] = most;
}

/// Number of characters of `text` that go on a line of `width`: up to a blank, if there is one. A
/// longer word is broken behind an underscore, or else anywhere, except in a column as narrow as
/// any, where the table does not fit whatever is done. Not 0, unless the text is empty.
static size_t line_length(const char *text, size_t width) {
  size_t length = strlen(text);
  if (length <= width)
    return length;
  size_t end = width;
  while (end > 0 && text[end] != ' ')
    end--;
  if (end > 0)
    return end;
  if (width <= WRAP_LEAST)
    return strspn(text, " ") + strcspn(text + strspn(text, " "), " ");
  for (end = width; end > 0 && text[end - 1] != '_';)
    end--;
  return end > 0 ? end : width;
}

/// Prints the next line of each cell, and moves `rest` behind it; false: nothing was left.
static bool print_line(FILE *file, const ts_grid *grid, const layout *l, const char **rest) {
  bool any = false;
  size_t pending = l->indent; // no trailing blanks
  for (size_t i = 0; i < grid->column_count; i++) {
    size_t width = l->widths[i];
    if (width == LEFT_OUT)
      continue;
    size_t length = wraps(grid, i) ? line_length(rest[i], width) : strlen(rest[i]);
    size_t blanks = width > length ? width - length : 0;
    bool is_right = grid->alignment[i] == 'r';
    pending += (i ? 2 : 0) + (is_right ? blanks : 0);
    if (length > 0) {
      fprintf(file, "%*s", (int)pending, "");
      ts_utf8_put(file, rest[i], length);
      pending = 0;
      any = true;
    }
    pending += is_right ? 0 : blanks;
    rest[i] += length;
    rest[i] += wraps(grid, i) ? strspn(rest[i], " ") : 0;
  }
  if (any)
    fputc('\n', file);
  return any;
}

static void print_aligned(FILE *file, const ts_grid *grid, const layout *l, const char **rest) {
  for (size_t row = 0; row < grid->row_count; row++) {
    memcpy(rest, grid->cells + row * grid->column_count, grid->column_count * sizeof *rest);
    if (!print_line(file, grid, l, rest))
      fputc('\n', file);
    while (print_line(file, grid, l, rest))
      ;
  }
}

/// Says which columns a narrow terminal leaves out.
static void print_left_out(FILE *file, const ts_grid *grid, const layout *l, size_t width) {
  size_t count = 0, column = 0;
  for (size_t i = 0; i < grid->column_count; i++) {
    if (l->widths[i] != LEFT_OUT)
      continue;
    size_t length = strlen(grid->cells[i]);
    bool breaks = count > 0 && column + 3 + length > width; // ", " in front, "," behind
    column = count == 0 ? strlen("not shown: ") + length : breaks ? length : column + 2 + length;
    fprintf(file, "%s%s", count++ == 0 ? "\nnot shown: " : breaks ? ",\n" : ", ", grid->cells[i]);
  }
  if (count > 0 && grid->whole)
    fprintf(file, "\nto see all columns: %s | less -S", grid->whole);
  if (count > 0)
    fputc('\n', file);
}

ts_status ts_grid_print(FILE *file, const ts_grid *grid, int indent, bool as_markdown) {
  if (as_markdown) {
    print_markdown(file, grid);
    return TS_OK;
  }
  layout l = {.widths = ts_arena_array(grid->arena, grid->column_count, sizeof *l.widths),
              .indent = (size_t)indent};
  const char **rest = ts_arena_array(grid->arena, grid->column_count, sizeof *rest);
  if (!l.widths || !rest)
    return TS_E_MEMORY;
  for (size_t k = 0; k < grid->row_count * grid->column_count; k++) {
    size_t length = strlen(grid->cells[k]);
    if (length > l.widths[k % grid->column_count])
      l.widths[k % grid->column_count] = length;
  }
  size_t width = ts_terminal_width(file, SIZE_MAX);
  if (strchr(grid->alignment, 'w'))
    fit(&l, grid, width);
  print_aligned(file, grid, &l, rest);
  print_left_out(file, grid, &l, width);
  return TS_OK;
}
