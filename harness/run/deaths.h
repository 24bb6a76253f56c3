// SPDX-License-Identifier: MIT
/// Cells in which the program itself died, not only the process of the cell.
#ifndef TS_HARNESS_DEATHS_H
#define TS_HARNESS_DEATHS_H

#include "harness/run/cell.h"
#include "harness/run/isolate.h"

/// Runs a cell in which the program died twice (TS_HISTORY_TRIAL) once more, under a process of its
/// own in a session of its own: a method that kills its parent, its group or its ancestors ends
/// that one, and is convicted, whereas a cell that was only running when someone killed the program
/// gets its rows. Waits for the end. The rows are in the arena: those of the cell, or one record
/// with the outcome crashed. TS_SKIPPED: a termination signal is pending, and the cell was stopped.
ts_status ts_deaths_try(ts_cell_rows *out, ts_arena *arena, const ts_cell *cell,
                        const ts_timing *timing, const ts_limits *limits);

/// The rows of a cell in which the program died, so that the run can go on behind it: one record,
/// in the arena, that says that the cell crashed, with a `reason` (borrowed). TS_E_MEMORY.
ts_status ts_deaths_row(ts_cell_rows *out, ts_arena *arena, const ts_cell *cell,
                        const char *reason);

#endif
