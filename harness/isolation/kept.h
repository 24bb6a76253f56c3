// SPDX-License-Identifier: MIT
/// Work in a process of its own under a keeper (keeper.h), seen from the program: every call of a
/// method that a command makes is one of these, whether it gives rows (harness/run/isolate.h) or
/// files (harness/run/kept_files.h).
#ifndef TS_HARNESS_KEPT_H
#define TS_HARNESS_KEPT_H

#include "base/types.h"
#include "harness/isolation/keeper.h"
#include "reports/rows/outcome.h"

#include <stdbool.h>

typedef struct ts_limits {
  double time_s;
  double memory_bytes; ///< resident
} ts_limits;

typedef struct ts_kept_job {
  /// As in ts_keeper_job: it writes its results to TS_KEEPER_RESULT_FILE, and does not return.
  void (*work)(void *context, ts_keeper_complaint *complaint, pid_t keeper);
  void *context;
  const char *case_name, *method; ///< for messages
  ts_limits limits;
} ts_kept_job;

typedef struct ts_kept ts_kept;

/// Starts the work. Process and keeper have their own process groups and die with this program, and
/// so does all that the method starts. Standard input and output are /dev/null, it inherits no open
/// file, and its standard error is passed on up to a limit. The texts of the job are borrowed.
/// TS_E_IO: the system has no process or file descriptor left; TS_E_MEMORY.
ts_status ts_kept_start(ts_kept **out, const ts_kept_job *job);

/// Whether it has ended, with all that the method has started. Does not wait. Do not call again
/// after it was true.
bool ts_kept_has_ended(ts_kept *kept);

/// Waits for the end. What is going on is shown on a terminal.
void ts_kept_wait(ts_kept *kept);

/// A file descriptor for poll() that becomes readable when the work ends; -1 if the system does not
/// support that. Borrowed.
int ts_kept_file(const ts_kept *kept);

// ---- after the end -----------------------------------------------------------------------------

/// The file with the results, of which nothing can be trusted: the method may have corrupted the
/// process that wrote it. Borrowed.
int ts_kept_results(const ts_kept *kept);

/// What the keeper has measured; NULL: it was ended.
const ts_keeper_report *ts_kept_report(const ts_kept *kept);

/// TS_E_IO when this machine had too little for the work, which says nothing about the method.
ts_status ts_kept_check_machine(const ts_kept *kept);

#define TS_KEPT_REASON_BYTES 256

/// How it ended, given how the results look: that they are whole, or else unreadable and not just
/// cut short. Anything but TS_OUTCOME_OK has a reason. Out of memory is judged by the peak.
ts_outcome ts_kept_outcome(char out_reason[TS_KEPT_REASON_BYTES], const ts_kept *kept,
                           bool is_whole, bool is_damaged);

/// Ends the work if it still runs, with all that it has started, and frees everything. NULL is
/// allowed.
void ts_kept_destroy(ts_kept *kept);

#endif
