// SPDX-License-Identifier: MIT
/// The results folder of a command that runs cells: its default name, the command in its context,
/// and the warning at the end.
#ifndef TS_HARNESS_RUN_FOLDER_H
#define TS_HARNESS_RUN_FOLDER_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <jansson.h>

/// Parent of the results folder when no --out is given.
#define TS_RUN_FOLDER_PARENT "results"

/// "results/<prefix>20260102T030405Z", with "-2" and so on if that exists; NULL when out of memory.
const char *ts_run_folder_default(ts_arena *arena, const char *prefix);

/// The context of new results, with the full command: "touchstone", `command`, then `arguments`
/// [count]. Owned by the caller.
ts_status ts_run_folder_context(json_t **out, ts_arena *arena, const char *command, int count,
                                char *const *arguments);

/// Lists the failed cells on standard error, from the records [count] of all `cell_count`; false
/// when every cell was ok or skipped.
bool ts_run_folder_warn(const ts_record *records, size_t count, size_t cell_count,
                        const char *folder);

/// Warns on standard error, once, of steps of an explicit penalty that are longer than it is stable
/// for, with the steps and the stiffness that are.
void ts_run_folder_warn_explicit(const ts_record *records, size_t count);

#endif
