// SPDX-License-Identifier: MIT
/// The rows of a cell whose process has ended, in whatever way.
#ifndef TS_HARNESS_CELL_END_H
#define TS_HARNESS_CELL_END_H

#include "harness/run/keeper.h"

/// A cell that has ended; all is borrowed.
typedef struct ts_cell_end {
  const ts_cell *cell;
  const ts_limits *limits;
  ts_keeper_report *report; ///< not complete: the keeper was ended
  int result_file;          ///< the rows (cell_ipc.h)
} ts_cell_end;

/// See ts_child_poll(). The method may have corrupted the process that wrote the rows, and nothing
/// of them is trusted.
ts_status ts_cell_end_collect(ts_cell_rows *out, const ts_cell_end *end, ts_arena *arena);

#endif
