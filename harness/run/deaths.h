// SPDX-License-Identifier: MIT
/// Cells in which the program itself died, not only the process of the cell.
#ifndef TS_HARNESS_DEATHS_H
#define TS_HARNESS_DEATHS_H

#include "harness/run/cell.h"

/// The rows of a cell that ts_results_history() calls guilty, so that the run can go on behind it:
/// one record, in the arena, that says that the cell crashed. TS_E_MEMORY.
ts_status ts_deaths_row(ts_cell_rows *out, ts_arena *arena, const ts_cell *cell);

#endif
