// SPDX-License-Identifier: MIT
/// The results folder of a command that runs cells: its name when none is given, what its context
/// tells of the command, and the warning at the end.
#ifndef TS_HARNESS_RUN_FOLDER_H
#define TS_HARNESS_RUN_FOLDER_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <jansson.h>

/// Where folders are made when no --out is given.
#define TS_RUN_FOLDER_PARENT "results"

/// "results/<prefix>20260102T030405Z", with "-2" and so on where that is taken; NULL when memory is
/// out.
const char *ts_run_folder_default(ts_arena *arena, const char *prefix);

/// The context of new results, with the whole command: "touchstone", `command`, then `arguments`
/// [count]. Owned by the caller.
ts_status ts_run_folder_context(json_t **out, ts_arena *arena, const char *command, int count,
                                char *const *arguments);

/// Tells on standard error which of the cells have not ended well, by the records [count] of all
/// `cell_count`; false when all have, or were skipped.
bool ts_run_folder_warn(const ts_record *records, size_t count, size_t cell_count,
                        const char *folder);

#endif
