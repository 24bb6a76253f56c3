// SPDX-License-Identifier: MIT
/// The progress line of a run on a terminal.
#ifndef TS_HARNESS_PROGRESS_H
#define TS_HARNESS_PROGRESS_H

#include "harness/plan/plan.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct ts_progress {
  FILE *file;  ///< NULL: show nothing
  bool is_log; ///< not a terminal: whole lines
  size_t first, cell_count;
  int64_t start_ns, shown_ns;
} ts_progress;

/// Starts the progress of the cells `first` to `cell_count`. Shows nothing when `file` is NULL.
/// When it is not a capable terminal, it is a log if `may_log`, and else shows nothing.
ts_progress ts_progress_start(FILE *file, size_t first, size_t cell_count, bool may_log);

/// Updates the line, at most ten times a second, or adds one to the log every 30 s: `done` cells
/// are written, `current` (NULL: none) is running.
void ts_progress_show(ts_progress *progress, size_t done, const ts_cell *current);

/// Removes the line.
void ts_progress_clear(ts_progress *progress);

#endif
