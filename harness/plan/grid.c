// SPDX-License-Identifier: MIT
#include "harness/plan/grid.h"

#include "base/array.h"
#include "base/status.h"

#include <stdbool.h>
#include <string.h>

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

static void print_aligned(FILE *file, const ts_grid *grid, const int *widths, int indent) {
  for (size_t row = 0; row < grid->row_count; row++) {
    const char *const *cells = grid->cells + row * grid->column_count;
    size_t end = grid->column_count; // no trailing blanks
    while (end > 0 && cells[end - 1][0] == '\0')
      end--;
    fprintf(file, "%*s", end > 0 ? indent : 0, "");
    for (size_t i = 0; i < end; i++) {
      bool is_left = grid->alignment[i] == 'l';
      int width = is_left && i + 1 == end ? 0 : is_left ? -widths[i] : widths[i];
      fprintf(file, "%s%*s", i ? "  " : "", width, cells[i]);
    }
    fputc('\n', file);
  }
}

static void print_markdown(FILE *file, const ts_grid *grid) {
  for (size_t row = 0; row < grid->row_count; row++) {
    for (size_t i = 0; i < grid->column_count; i++) {
      fputs(i ? " | " : "| ", file);
      for (const char *c = grid->cells[row * grid->column_count + i]; *c; c++)
        fprintf(file, *c == '|' ? "\\%c" : "%c", *c);
    }
    fputs(" |\n", file);
    if (row > 0)
      continue;
    for (size_t i = 0; i < grid->column_count; i++)
      fputs(grid->alignment[i] == 'l' ? "|---" : "|---:", file);
    fputs("|\n", file);
  }
}

ts_status ts_grid_print(FILE *file, const ts_grid *grid, int indent, bool as_markdown) {
  if (as_markdown) {
    print_markdown(file, grid);
    return TS_OK;
  }
  int *widths = ts_arena_array(grid->arena, grid->column_count, sizeof *widths);
  if (!widths)
    return TS_E_MEMORY;
  for (size_t k = 0; k < grid->row_count * grid->column_count; k++) {
    int length = (int)strlen(grid->cells[k]);
    if (length > widths[k % grid->column_count])
      widths[k % grid->column_count] = length;
  }
  print_aligned(file, grid, widths, indent);
  return TS_OK;
}
