// SPDX-License-Identifier: MIT
/// An overlap cut into cells, each with a volume and a gradient of its own (Allard 2010, section
/// 5).
///
/// A line of sight through an overlap from z- to z+ crosses some cells. Where a cell's wall at w
/// bounds its part, Eq. 22 and 23 spread the wall's pixel over both surfaces by w = t z+ +
/// (1 - t) z-, so that a cell pushes both bodies alike. What Eq. 24 then sums up for a part from w
/// to w' is (t' - t) (dz+ - dz-): the gradient of the whole interval times the share of its length
/// that is in the cell. That is how it is done here.
#ifndef TS_LDI_CELLS_H
#define TS_LDI_CELLS_H

#include "ldi/buffer.h"
#include "ldi/contact.h"

/// All zero at first; its memory serves again.
typedef struct ts_ldi_cells {
  ts_ldi_buffer table, sorted, load[2];
  size_t capacity, count;
  size_t visited; ///< of the sorted
} ts_ldi_cells;

void ts_ldi_cells_free(ts_ldi_cells *cells);

/// Forgets all that was added.
ts_status ts_ldi_cells_clear(ts_ldi_cells *cells);

/// Rows of a view, from first to end.
typedef struct ts_ldi_rows {
  int32_t first, end;
} ts_ldi_rows;

/// Adds the overlaps in those of `rows` that are in a rendered band to cells of `cell_px` pixels,
/// at least 1.
ts_status ts_ldi_cells_add(ts_ldi_cells *cells, const ts_ldi_pair *pair, const ts_ldi_image *image,
                           ts_ldi_rows rows, int cell_px);

/// Brings what was added into the order of cells, which ts_ldi_cells_visit needs.
ts_status ts_ldi_cells_sort(ts_ldi_cells *cells);

/// A cell that holds a part of the overlap.
typedef struct ts_ldi_cell {
  int32_t index[3];     ///< Along x, y and z.
  double volume_px3[3]; ///< As each view has it.
  ts_ldi_load loads[2]; ///< Until the next call.
} ts_ldi_cell;

typedef ts_status (*ts_ldi_cell_visit)(void *context, const ts_ldi_cell *cell);

/// Visits the cells of `parts` [part_count] together, x fastest: no result depends on how they are
/// shared out as long as each row of cells of a view is in one part. Anything but TS_OK ends the
/// visit and is passed on.
ts_status ts_ldi_cells_visit(ts_ldi_cells *parts, int part_count, const ts_ldi_pair *pair,
                             int cell_px, ts_ldi_cell_visit visit, void *context);

#endif
