// SPDX-License-Identifier: MIT
/// The runs of a history: read, reduced to the rows that matter, and put in order of time.
#ifndef TS_HARNESS_HISTORY_RUNS_H
#define TS_HARNESS_HISTORY_RUNS_H

#include "reports/history/history.h"

/// Most rows that are kept of all runs together: some 2 GiB.
#define TS_HISTORY_ROWS_MAX ((size_t)1000000)

/// Which rows the history is about.
typedef struct ts_history_choice {
  const ts_field *field;
  const char *cases, *methods; ///< regular expressions over whole names; NULL: all
  double step;
} ts_history_choice;

typedef struct ts_history_runs {
  /// [count], by their date, or as given if one of them has none.
  ts_history_run *items;
  size_t count;
  bool have_dates;
  /// [count]: why the times of a run do not compare with those of the run before; NULL: they do.
  const char **other_machine;
} ts_history_runs;

/// Reads the results in `operands` [count], "[NAME=]RESULTS" each, and warns on standard error of
/// those that were cut short. TS_E_INPUT, saying what to do: what ts_input_read() refuses, results
/// that are given twice, a column that a file does not have, a pattern that is none or that no row
/// matches, and more than TS_HISTORY_ROWS_MAX rows.
ts_status ts_history_runs_read(ts_history_runs *out, ts_arena *arena, const char *const *operands,
                               size_t count, const ts_history_choice *choice);

#endif
