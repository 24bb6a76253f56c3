// SPDX-License-Identifier: MIT
/// What RESULTS on a command line means: a results folder, or a summary.csv by itself, such as a
/// baseline.
#ifndef TS_HARNESS_INPUT_H
#define TS_HARNESS_INPUT_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <stdbool.h>

typedef struct ts_input {
  const char *summary_path;
  const char *folder; ///< NULL when only a summary was given
  ts_record *records; ///< [count], in the order of the file
  size_t count;
  /// "15 of 143 cells: the run was cut short" where context.json tells of more cells than the
  /// summary has to their last step; NULL where all are there, or it does not tell.
  const char *shortfall;
  const bool *has_column; ///< [ts_summary_rows.field_count]: whether the file has the column
} ts_input;

/// Reads the rows at `path`, which is borrowed; the rest is the arena's. TS_E_INPUT, saying what to
/// do: nothing is there, a folder without results, a context.json that is none or tells of another
/// schema than ours, a row that stands twice, and what ts_summary_read() refuses.
ts_status ts_input_read(ts_input *out, ts_arena *arena, const char *path);

/// Says on standard error that the rows are not all of their run, where that is so.
void ts_input_warn(const ts_input *input);

#endif
