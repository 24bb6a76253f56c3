// SPDX-License-Identifier: MIT
/// The process between the program and the process of a cell. It watches the cell and all that its
/// method starts, ends what is left of them, and passes on their standard error, up to a limit
/// (base/error_relay.h). So a method finds no way to what is the program's: its parent is the
/// keeper.
#ifndef TS_HARNESS_KEEPER_H
#define TS_HARNESS_KEEPER_H

#include <stdint.h>
#include <sys/types.h>

/// Name of processes that belong to a cell but not to its method: those that ask it again
/// (harness/run/fresh.h). They and what they start do not count as left behind.
#define TS_KEEPER_OWN_PROCESS_NAME "touchstone-new"

/// The descriptor that the process of a cell has of the file for its rows.
#define TS_KEEPER_RESULT_FILE 3

/// What the process of a cell complains about. The method may have written there, too.
typedef struct ts_keeper_complaint {
  char text[512];
} ts_keeper_complaint;

/// What keeper and program tell each other, in memory that they share.
typedef struct ts_keeper_report {
  int32_t must_end;    ///< the program wants it to end everything; then a SIGTERM wakes it
  int32_t is_complete; ///< the members below are set
  int32_t start_error; ///< errno for which no process of the cell could be started; else 0
  int32_t wait_status; ///< of the process of the cell
  int32_t is_over_time, is_over_memory; ///< it was killed for that
  int32_t processes_left;               ///< that the method had started and that had to be ended
  double memory_bytes; ///< largest resident memory of all processes of the cell together
  ts_keeper_complaint complaint;
} ts_keeper_report;

typedef struct ts_keeper_job {
  /// What the process of the cell does. It does not return, and dies with `keeper`.
  void (*work)(void *context, ts_keeper_complaint *complaint, pid_t keeper);
  void *context;
  const char *case_name, *method; ///< for messages
  double time_limit_s, memory_limit_bytes;
  int result_file; ///< for the rows (cell_ipc.h)
  int nothing;     ///< /dev/null
  pid_t program;   ///< dies with it
  ts_keeper_report *report;
} ts_keeper_job;

/// Runs a cell in a child of this process, which was forked for it.
_Noreturn void ts_keeper_run(const ts_keeper_job *job);

#endif
