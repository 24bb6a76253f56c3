// SPDX-License-Identifier: MIT
/// The process of a cell.
#ifndef TS_HARNESS_CELL_PROCESS_H
#define TS_HARNESS_CELL_PROCESS_H

#include "harness/run/cell.h"

#include <sys/types.h>

/// Its descriptor of the file for its rows.
#define TS_CELL_PROCESS_FILE 3

/// Exit statuses that are no results.
enum {
  TS_CELL_PROCESS_FILE_LOST = 113, ///< the method has closed that file
  TS_CELL_PROCESS_LIMITED = 114,   ///< the method has lowered a limit, and the file cannot grow
  TS_CELL_PROCESS_COMPLAINS = 115, ///< this machine has something too little: see the complaint
};

/// What a process complains about, in memory that it shares with those that it is a child of. The
/// method may have written there, too.
typedef struct ts_cell_complaint {
  char text[512];
} ts_cell_complaint;

/// Runs a cell in this process, which was forked for it by `parent` and dies with it, and hands the
/// rows over as they are made (cell_ipc.h). `memory_bytes`: its address space is limited to what it
/// has and twice that.
_Noreturn void ts_cell_process_run(const ts_cell *cell, const ts_timing *timing,
                                   double memory_bytes, ts_cell_complaint *complaint, pid_t parent);

#endif
