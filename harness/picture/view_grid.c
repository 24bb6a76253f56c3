// SPDX-License-Identifier: MIT
#include "harness/picture/view_grid.h"

#include "base/status.h"

/// Most cells in each direction; most entries per triangle, above which cells get larger. Without
/// the second many large triangles would each be in every cell.
#define ACROSS_MAX  256
#define ENTRIES_MAX 8

static size_t cell_along(double at, double min, double size, size_t across) {
  double cell = floor((at - min) / size);
  return cell >= (double)across ? across - 1 : cell > 0 ? (size_t)cell : 0;
}

typedef struct cells {
  size_t x0, x1, y0, y1; // to and including the last
} cells;

static cells cells_of(const ts_view_grid *g, ts_vec3 min, ts_vec3 max) {
  return (cells){cell_along(min.x, g->min_x, g->cell_x, g->across),
                 cell_along(max.x, g->min_x, g->cell_x, g->across),
                 cell_along(min.y, g->min_y, g->cell_y, g->across),
                 cell_along(max.y, g->min_y, g->cell_y, g->across)};
}

static size_t count_entries(const ts_view_grid *g) {
  size_t total = 0;
  for (size_t i = 0; i < g->triangle_count; i++) {
    cells c = cells_of(g, g->triangles[i].min, g->triangles[i].max);
    total += (c.x1 - c.x0 + 1) * (c.y1 - c.y0 + 1);
  }
  return total;
}

/// Chooses the size of cells. Returns the number of entries.
static size_t choose_cells(ts_view_grid *g, ts_vec3 min, ts_vec3 max) {
  size_t total;
  g->across = (size_t)ts_min(sqrt((double)g->triangle_count) / 2 + 1, ACROSS_MAX);
  do {
    g->cell_x = ts_max(max.x - min.x, 1e-300) / (double)g->across;
    g->cell_y = ts_max(max.y - min.y, 1e-300) / (double)g->across;
    total = count_entries(g);
    if (total <= ENTRIES_MAX * g->triangle_count || g->across == 1)
      return total;
    g->across = (g->across + 1) / 2;
  } while (true);
}

ts_status ts_view_grid_create(ts_view_grid *out, ts_arena *arena, const ts_view_triangle *triangles,
                              size_t count) {
  *out = (ts_view_grid){.triangle_count = count, .triangles = triangles, .across = 1};
  ts_vec3 min = {INFINITY, INFINITY, INFINITY}, max = {-INFINITY, -INFINITY, -INFINITY};
  for (size_t i = 0; i < count; i++) {
    min = ts_vec3_min(min, triangles[i].min);
    max = ts_vec3_max(max, triangles[i].max);
  }
  out->min_x = count > 0 ? min.x : 0;
  out->min_y = count > 0 ? min.y : 0;
  size_t entries = count > 0 ? choose_cells(out, min, max) : 0;
  size_t cell_count = out->across * out->across;
  out->starts = ts_arena_array(arena, cell_count + 1, sizeof *out->starts);
  out->items = ts_arena_array(arena, entries, sizeof *out->items);
  out->seen = ts_arena_array(arena, count, sizeof *out->seen);
  size_t *next = ts_arena_array(arena, cell_count, sizeof *next);
  if (!out->starts || !out->items || !out->seen || !next)
    return TS_E_MEMORY;
  // Twice over the triangles: the number of entries of each cell, then the entries.
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < count; i++) {
      cells c = cells_of(out, triangles[i].min, triangles[i].max);
      for (size_t y = c.y0; y <= c.y1; y++)
        for (size_t x = c.x0; x <= c.x1; x++) {
          size_t cell = y * out->across + x;
          if (pass == 0)
            out->starts[cell + 1]++;
          else
            out->items[next[cell]++] = (uint32_t)i;
        }
    }
    for (size_t i = 0; i < cell_count && pass == 0; i++) {
      next[i] = out->starts[i];
      out->starts[i + 1] += out->starts[i];
    }
  }
  return TS_OK;
}

size_t ts_view_grid_find(uint32_t *out, ts_view_grid *grid, ts_vec3 a, ts_vec3 b) {
  cells c = cells_of(grid, ts_vec3_min(a, b), ts_vec3_max(a, b));
  size_t count = 0;
  grid->search++;
  for (size_t y = c.y0; y <= c.y1; y++)
    for (size_t x = c.x0; x <= c.x1; x++)
      for (size_t i = grid->starts[y * grid->across + x];
           i < grid->starts[y * grid->across + x + 1]; i++) {
        uint32_t t = grid->items[i];
        if (grid->seen[t] == grid->search)
          continue;
        grid->seen[t] = grid->search;
        out[count++] = t;
      }
  return count;
}

size_t ts_view_grid_at(const uint32_t **out, const ts_view_grid *grid, ts_vec3 point) {
  cells c = cells_of(grid, point, point);
  size_t cell = c.y0 * grid->across + c.x0;
  *out = &grid->items[grid->starts[cell]];
  return grid->starts[cell + 1] - grid->starts[cell];
}
