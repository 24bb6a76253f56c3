// SPDX-License-Identifier: MIT
/// The triangles that face the viewer, in a grid over the page, so that those at a place are found
/// without looking at all of them.
#ifndef TS_HARNESS_VIEW_GRID_H
#define TS_HARNESS_VIEW_GRID_H

#include "base/arena.h"
#include "geometry/vec3.h"

#include <stdbool.h>

/// A triangle in the frame of the view.
typedef struct ts_view_triangle {
  ts_vec3 corners[3], normal; ///< the normal has z > 0
  ts_vec3 min, max;
} ts_view_triangle;

typedef struct ts_view_grid {
  size_t triangle_count;
  const ts_view_triangle *triangles; ///< [triangle_count]
  double min_x, min_y, cell_x, cell_y;
  size_t across;   ///< cells in each direction
  size_t *starts;  ///< [across * across + 1]: the entries of cell i are starts[i] to starts[i + 1]
  uint32_t *items; ///< triangles
  uint32_t *seen;  ///< [triangle_count], the number of the search that found it last
  uint32_t search;
} ts_view_grid;

/// Sorts the triangles [count], which are borrowed, into a grid.
ts_status ts_view_grid_create(ts_view_grid *out, ts_arena *arena, const ts_view_triangle *triangles,
                              size_t count);

/// The triangles whose bounds may meet those of a and b, each once, in a fixed order; `out` has
/// room for all of them.
size_t ts_view_grid_find(uint32_t *out, ts_view_grid *grid, ts_vec3 a, ts_vec3 b);

/// The entries [return value] of the cell at a point.
size_t ts_view_grid_at(const uint32_t **out, const ts_view_grid *grid, ts_vec3 point);

#endif
