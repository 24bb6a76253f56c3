// SPDX-License-Identifier: MIT
/// Passing the rows of a cell from the child process to its parent.
#ifndef TS_HARNESS_CELL_IPC_H
#define TS_HARNESS_CELL_IPC_H

#include "reports/rows/results.h"

/// Writes the rows to an empty file. The mark that makes them readable is written last, so that a
/// child that dies halfway leaves nothing that looks complete.
ts_status ts_cell_ipc_write(int file, const ts_cell_rows *rows);

/// Reads them back into the arena. TS_E_INPUT when they are not exactly what ts_cell_ipc_write
/// writes for the cell `key`: the method may have corrupted the process that wrote them, so nothing
/// is trusted. Files above `bytes_max` are refused. `*out_records` points to the records of `out`,
/// writable.
ts_status ts_cell_ipc_read(ts_cell_rows *out, ts_record **out_records, ts_arena *arena, int file,
                           double bytes_max, const char *key);

#endif
