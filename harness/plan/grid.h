// SPDX-License-Identifier: MIT
/// A small text table, printed with aligned columns or as Markdown.
///
/// On a terminal that is too narrow, columns marked 'w' are wrapped at blanks and, where that is
/// not enough, other columns but the first are left out, the last one first. A table without 'w'
/// and one that does not go to a terminal are printed whole, a line for each row.
#ifndef TS_HARNESS_GRID_H
#define TS_HARNESS_GRID_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct ts_grid {
  ts_arena *arena;
  size_t column_count, row_count, capacity;
  const char *alignment;  ///< [column_count] of 'l', 'r', and 'w': left, may be wrapped
  const char **cells;     ///< [row_count][column_count], the first row is the header
  bool is_from_elsewhere; ///< its texts are not Markdown, which is escaped there
  const char *whole;      ///< command that prints it, for readers of a narrow one; NULL: none
} ts_grid;

/// An empty table. `alignment` has one letter per column and is borrowed.
ts_grid ts_grid_start(ts_arena *arena, const char *alignment);

/// Adds a row of [column_count] texts, borrowed until the table is printed; NULL counts as "". The
/// first row is the header.
ts_status ts_grid_add(ts_grid *grid, const char *const *cells);

/// Prints the table, each line indented by `indent` blanks, and below it which columns were left
/// out; or as Markdown.
ts_status ts_grid_print(FILE *file, const ts_grid *grid, int indent, bool as_markdown);

#endif
