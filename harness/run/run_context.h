// SPDX-License-Identifier: MIT
/// What a results folder stores about its run, so that the run can be resumed.
#ifndef TS_HARNESS_RUN_CONTEXT_H
#define TS_HARNESS_RUN_CONTEXT_H

#include "harness/run/run_values.h"
#include "reports/rows/record.h"

#include <jansson.h>

/// In the object "run" of a context: the number of cells of the whole plan, of which the folder
/// gets those of its shard, "cells".
#define TS_PLAN_CELLS_KEY "plan_cells"

/// Adds to the context of a new run what is needed to make the same plan again, and its plug-ins:
/// file, hash, and the source of each method. `plan` is the whole one, `values` tell the shard.
/// Absolute paths are reduced to their last part.
ts_status ts_run_context_write(json_t *context, ts_arena *arena, const ts_run_values *values,
                               const ts_plan *plan);

/// Appends a part that begins at the cell `first`, with the options in `values` that may be given
/// anew (ts_context_add_part). TS_E_MEMORY.
ts_status ts_run_context_add_part(json_t *context, const ts_run_values *values, size_t first);

/// The shell command that goes on with the run in `folder`, in the arena, NULL when out of memory:
/// `program` ("touchstone") with the paths of plug-ins and scenes if one of them is absolute,
/// because the context has only their last part, and with --jobs and limits unless they are the
/// default.
char *ts_run_context_command(ts_arena *arena, const char *program, const ts_run_values *values,
                             const char *folder);

/// " --plugin PATH --scene PATH" with the paths of a run when one of them is absolute, because the
/// context has only their last part; "" when none is. In the arena, NULL when out of memory.
char *ts_run_context_paths(ts_arena *arena, const ts_run_values *values);

/// TS_E_INPUT, naming it, when an option is given (`given`, see ts_arguments) that a run which is
/// resumed cannot take, because it would change the contents of rows.
ts_status ts_run_context_check_given(uint64_t given);

/// Rebuilds the plan of a run from its context, reduced to its shard. On entry `values` has the
/// options given now (`given`, already checked); on return the options of the run are filled in for
/// the others.
/// `*out_first` is the first cell of the plan that has no rows among those kept, `records` [count].
/// TS_E_INPUT when this program would make another plan, plug-ins are missing or have changed, or
/// the rows are not those of the first cells.
ts_status ts_run_context_read(ts_run_values *values, ts_plan *out, size_t *out_first,
                              ts_arena *arena, const json_t *context, uint64_t given,
                              const ts_record *records, size_t count);

/// The plug-ins of a run from its context; NULL when it has none, or is NULL.
const json_t *ts_run_context_plugins(const json_t *context);

/// The plug-in file that has one of the "methods" or "modifiers", as it was given (only the last
/// part of an absolute path); NULL if none of `plugins`, which may be NULL, lists it.
const char *ts_run_context_plugin_of(const json_t *plugins, const char *what, const char *name);

/// The scene files of a run from its context, [{"file", "case", "parameters", "hash"}]; NULL for
/// none. Borrowed.
const json_t *ts_run_context_scenes(const json_t *context);

#endif
