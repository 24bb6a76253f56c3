// SPDX-License-Identifier: MIT
/// The process of a cell.
#ifndef TS_HARNESS_CELL_PROCESS_H
#define TS_HARNESS_CELL_PROCESS_H

#include "harness/isolation/keeper.h"
#include "harness/run/cell.h"

typedef struct ts_cell_process {
  const ts_cell *cell;
  const ts_timing *timing;
  double memory_bytes; ///< address space is limited to what the process has and twice that
} ts_cell_process;

/// The work of a keeper: runs a cell in this process, which was forked for it, and hands the rows
/// over as they are made (cell_ipc.h). `context` is a ts_cell_process.
_Noreturn void ts_cell_process_run(void *context, ts_keeper_complaint *complaint, pid_t keeper);

#endif
