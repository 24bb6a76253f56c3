// SPDX-License-Identifier: MIT
/// Runs a plan: children in parallel, rows in plan order.
#ifndef TS_HARNESS_RUNNER_H
#define TS_HARNESS_RUNNER_H

#include "harness/pool/crew.h"
#include "harness/run/isolate.h"

typedef struct ts_run_options {
  int jobs;      ///< of this process, and of each rank
  ts_crew *crew; ///< of which this process is rank 0 (borrowed); NULL: this process alone
  ts_timing timing;
  ts_limits limits;
  bool show_progress;
} ts_run_options;

typedef struct ts_run_outcome {
  ts_record *records; ///< [record_count], the rows written, in the arena
  size_t record_count;
  size_t cell_count; ///< cells written
  int signal;        ///< SIGINT or SIGTERM if it ended the run early, else 0
} ts_run_outcome;

/// Runs the cells from `first` on and appends the rows of each as soon as all earlier ones are
/// written. On SIGINT and SIGTERM the children are killed, written rows stay, and the result is
/// TS_OK; further signals stay blocked, so that the program can still report it. `*out` is valid on
/// errors as well.
ts_status ts_run_plan(ts_run_outcome *out, ts_arena *arena, const ts_plan *plan, size_t first,
                      ts_results *results, const ts_run_options *options);

#endif
