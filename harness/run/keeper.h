// SPDX-License-Identifier: MIT
/// The process between the program and the process of a cell. It watches the cell and all that its
/// method starts, ends what is left of them, and passes on their standard error, up to a limit. So
/// a method finds no way to what is the program's: its parent is the keeper.
#ifndef TS_HARNESS_KEEPER_H
#define TS_HARNESS_KEEPER_H

#include "harness/run/cell_process.h"
#include "harness/run/isolate.h"

/// Bytes of a cell's standard error that are passed on.
#define TS_KEEPER_ERROR_BYTES_MAX 65536

/// What keeper and program tell each other, in memory that they share.
typedef struct ts_keeper_report {
  int32_t must_end;    ///< the program wants it to end everything; then a SIGTERM wakes it
  int32_t is_complete; ///< the members below are set
  int32_t start_error; ///< errno for which no process of the cell could be started; else 0
  int32_t wait_status; ///< of the process of the cell
  int32_t is_over_time, is_over_memory; ///< it was killed for that
  int32_t processes_left;               ///< that the method had started and that had to be ended
  double memory_bytes; ///< largest resident memory of all processes of the cell together
  ts_cell_complaint complaint;
} ts_keeper_report;

typedef struct ts_keeper_job {
  const ts_cell *cell;
  const ts_timing *timing;
  const ts_limits *limits;
  int result_file; ///< for the rows (cell_ipc.h)
  int nothing;     ///< /dev/null
  pid_t program;   ///< dies with it
  ts_keeper_report *report;
} ts_keeper_job;

/// Runs a cell in a child of this process, which was forked for it.
_Noreturn void ts_keeper_run(const ts_keeper_job *job);

#endif
