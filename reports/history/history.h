// SPDX-License-Identifier: MIT
/// The history of a figure: what each method comes to in one run after the other, and between which
/// runs it changed.
///
/// Rows are matched by their identity, as in difference.h. A figure is the mean of the rows of a
/// method that count (ts_row_counted), of times the geometric one. Two figures that are means of
/// other rows, because a case was added or has other parameters now, are not joined, and the change
/// between them is that of the rows that both have.
#ifndef TS_REPORTS_HISTORY_H
#define TS_REPORTS_HISTORY_H

#include "base/arena.h"
#include "reports/rows/record.h"
#include "reports/tables/table_axis.h"

#include <stdbool.h>

#define TS_HISTORY_NONE SIZE_MAX

/// A run, borrowed.
typedef struct ts_history_run {
  const char *name;    ///< in tables and plots: the name that was given, or the path
  const char *path;    ///< for commands
  const char *date;    ///< UTC, ISO 8601; "" when not known
  const char *version; ///< "0.2.0 1a2b3c4d"; "" when not known
  /// [count], those that the history is about: one step, each row once. The history is made of the
  /// texts of identity and the column `field` only.
  const ts_record *records;
  size_t count;
  /// Times compare with those of the run before, if both have the same number here.
  size_t machine;
} ts_history_run;

/// A method in a run.
typedef struct ts_history_point {
  double value;    ///< mean over the rows that count; NaN without any
  size_t rows;     ///< how many those are
  bool is_joined;  ///< The run before has the figure, as a mean of the same rows.
  size_t before;   ///< the last run before that has the figure; TS_HISTORY_NONE
  size_t common;   ///< rows that count in both
  double was, now; ///< means over these; NaN without any, or for times that do not compare
} ts_history_point;

typedef struct ts_history {
  const ts_field *field;
  const ts_history_run *runs; ///< [run_count], in order of time
  size_t run_count;
  ts_axis methods; ///< the curves: methods, with the parameters in which those of a name differ
  const ts_history_point *points; ///< [methods.count][run_count]; see ts_history_at()
  /// Where the figure changed most from one run to the next that has it, of times by their ratio;
  /// both TS_HISTORY_NONE when it did not change.
  size_t biggest_method, biggest_run;
} ts_history;

/// Makes the history of the column `field`, a number, from runs [run_count], at least one, in order
/// of time. TS_E_INPUT when there are several runs and no two in a row have a row in common that
/// counts, or no row counts at all; TS_E_MEMORY.
ts_status ts_history_make(ts_history *out, ts_arena *arena, const ts_history_run *runs,
                          size_t run_count, const ts_field *field);

const ts_history_point *ts_history_at(const ts_history *history, size_t method, size_t run);

/// "better", "worse", or "other" where the column has no best value or both are as good.
const char *ts_history_direction(const ts_field *field, double was, double now);

#endif
