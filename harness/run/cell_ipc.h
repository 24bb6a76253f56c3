// SPDX-License-Identifier: MIT
/// Rows of a cell on their way from the child process to its parent.
#ifndef TS_HARNESS_CELL_IPC_H
#define TS_HARNESS_CELL_IPC_H

#include "reports/rows/results.h"

/// Writes the rows to an empty file. The mark that makes them readable is written last, so that a
/// child that dies halfway leaves nothing that looks whole.
ts_status ts_cell_ipc_write(int file, const ts_cell_rows *rows);

/// Reads them back into the arena. TS_E_INPUT when they are not exactly what ts_cell_ipc_write
/// leaves for the cell `key`: whoever wrote them may have been damaged by the method it ran, so
/// nothing is believed. Files above `bytes_max` are refused. `*out_records` are those of `out`, for
/// changing.
ts_status ts_cell_ipc_read(ts_cell_rows *out, ts_record **out_records, ts_arena *arena, int file,
                           double bytes_max, const char *key);

#endif
