/// What RESULTS on a command line means: a results folder, or a summary.csv by itself, such as a
/// baseline.
#ifndef TS_HARNESS_INPUT_H
#define TS_HARNESS_INPUT_H

#include "base/arena.h"
#include "reports/record.h"

#include <stdbool.h>

typedef struct ts_input {
  const char *summary_path;
  const char *folder; ///< NULL when only a summary was given
  ts_record *records; ///< [count], in the order of the file
  size_t count;
  const bool *has_column; ///< [ts_summary_rows.field_count]: whether the file has the column
} ts_input;

/// Reads the rows at `path`, which is borrowed; the rest is the arena's. TS_E_INPUT, saying what to
/// do: nothing is there, a folder without results, a context.json that is none or tells of another
/// schema than ours, and what ts_summary_read() refuses.
ts_status ts_input_read(ts_input *out, ts_arena *arena, const char *path);

#endif
