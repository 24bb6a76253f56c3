// SPDX-License-Identifier: MIT
/// What a results folder keeps of the run that it belongs to, so that the run can go on.
#ifndef TS_HARNESS_RUN_CONTEXT_H
#define TS_HARNESS_RUN_CONTEXT_H

#include "harness/run/run_values.h"
#include "reports/rows/record.h"

#include <jansson.h>

/// Adds to the context of a new run what it takes to make the same plan again, and what the
/// plug-ins of its methods were: file, fingerprint, and where each method says it is from. Of a
/// path from the root only the last part.
ts_status ts_run_context_write(json_t *context, ts_arena *arena, const ts_run_values *values,
                               const ts_plan *plan);

/// Makes the plan of a run again from its context. `values` comes in with the options that are
/// given now (`given`, see ts_arguments), and goes out with those of the run under them.
/// `*out_first` is the first cell of the plan that is not among the rows kept, `records` [count].
/// TS_E_INPUT when an option is given that would change the plan, this program would make another
/// plan, plug-ins are not there or others than when it began, or the rows are not those of its
/// first cells.
ts_status ts_run_context_read(ts_run_values *values, ts_plan *out, size_t *out_first,
                              ts_arena *arena, const json_t *context, uint64_t given,
                              const ts_record *records, size_t count);

/// What a context tells of the plug-ins of its run; NULL when it tells nothing, or is NULL.
const json_t *ts_run_context_plugins(const json_t *context);

/// The file that a method was of, as it was given (of a path from the root the last part); NULL
/// when `plugins`, which may be NULL, do not tell.
const char *ts_run_context_plugin_of(const json_t *plugins, const char *method);

/// The scene files of a run, [{"file", "case", "parameters", "hash"}] as in its context; NULL for
/// none. Borrowed.
const json_t *ts_run_context_scenes(const json_t *context);

#endif
