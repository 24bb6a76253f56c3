// SPDX-License-Identifier: MIT
/// The RESULTS argument of a command: a results folder, or just a summary.csv, such as a baseline.
#ifndef TS_HARNESS_INPUT_H
#define TS_HARNESS_INPUT_H

#include "base/arena.h"
#include "harness/plan/options.h"
#include "reports/rows/contact_kind.h"
#include "reports/rows/record.h"

#include <jansson.h>
#include <stdbool.h>

typedef struct ts_input {
  const char *summary_path;
  const char *folder; ///< NULL when only a summary.csv was given
  ts_record *records; ///< [count], in the order of the file
  size_t count;
  /// "15 of 143 cells: the run was cut short" if the summary has fewer complete cells than
  /// context.json lists; NULL if it has all, or if context.json does not say.
  const char *shortfall;
  ts_contacts_kept contacts_kept; ///< which contacts the run put into contacts.csv
  const bool *has_column; ///< [ts_summary_rows.field_count]: whether the file has the column
} ts_input;

/// Splits an operand "[NAME=]RESULTS"; what exists is a path, whatever is in it. `*out_name` is
/// NULL without a name. TS_E_INPUT when the name is not one line of 1 to 100 bytes of UTF-8.
ts_status ts_input_split(const char **out_name, const char **out_path, ts_arena *arena,
                         const char *operand);

/// Reads the rows at `path`, which is borrowed; everything else is in the arena. TS_E_INPUT, saying
/// what to do: no such path, a folder without results, a context.json that is damaged or of another
/// schema version, and what ts_summary_read() refuses.
ts_status ts_input_read(ts_input *out, ts_arena *arena, const char *path);

/// Keeps the rows whose case or method (the column that `option` names) matches one of the
/// patterns; all of them without patterns. TS_E_INPUT for one that is no pattern or matches no row.
ts_status ts_input_filter(ts_input *input, ts_arena *arena, const char *option,
                          const ts_texts *patterns);

/// The context.json of the folder, to be released by json_decref(); NULL when there is none.
/// TS_E_INPUT, with the line, when it is not JSON.
ts_status ts_input_context(json_t **out, ts_arena *arena, const ts_input *input);

/// Why no study can be made of the rows, with what to do; NULL if one can. `*out` is in the arena.
ts_status ts_input_study_fault(const char **out, ts_arena *arena, const ts_input *input);

/// Warns on standard error when the rows are not those of a complete run.
void ts_input_warn(const ts_input *input);

#endif
