// SPDX-License-Identifier: MIT
/// The command that explains a row of results.
#ifndef TS_HARNESS_EXPLAIN_COMMAND_H
#define TS_HARNESS_EXPLAIN_COMMAND_H

#include "base/arena.h"
#include "reports/rows/record.h"

/// `*out` [count], in the arena: "touchstone explain wall opposing --step 3 results/latest" for
/// each of the records [count] of `results`, a results folder or a summary.csv, quoted for a shell.
/// Where several cells have the case and the method, it names the parameters that tell them apart
/// with --set, or the cell when there are many.
ts_status ts_explain_commands(const char *const **out, ts_arena *arena, const ts_record *records,
                              size_t count, const char *results);

/// The row to explain first: one that failed, else the one with the most faults, else the one
/// whose quality and coverage are lowest; NULL when all are right. `*out_count` is the number of
/// rows that are not.
const ts_record *ts_explain_first(size_t *out_count, const ts_record *records, size_t count);

#endif
