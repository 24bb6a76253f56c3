// SPDX-License-Identifier: MIT
/// A history as text, Markdown or CSV.
#ifndef TS_HARNESS_HISTORY_TABLE_H
#define TS_HARNESS_HISTORY_TABLE_H

#include "harness/history/history_runs.h"

#include <stdio.h>

/// Prints the runs, a table of methods by runs, and the biggest change with the command that
/// compares the two runs. `what` says what a figure is the mean of. TS_E_MEMORY.
ts_status ts_history_print(FILE *file, ts_arena *arena, const ts_history *history,
                           const ts_history_runs *runs, const char *what, bool as_markdown);

/// Prints a row for each method and run that has the figure. TS_E_MEMORY.
ts_status ts_history_print_csv(FILE *file, ts_arena *arena, const ts_history *history);

#endif
