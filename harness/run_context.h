/// What a results folder keeps of the run that it belongs to, so that the run can go on.
#ifndef TS_HARNESS_RUN_CONTEXT_H
#define TS_HARNESS_RUN_CONTEXT_H

#include "harness/run.h"
#include "reports/record.h"

#include <jansson.h>

/// Adds to the context of a new run what it takes to make the same plan again.
ts_status ts_run_context_write(json_t *context, ts_arena *arena, const ts_run_values *values,
                               const ts_plan *plan);

/// Makes the plan of a run again from its context. `values` comes in with the options that are
/// given now (`given`, see ts_arguments), and goes out with those of the run under them.
/// `*out_first` is the first cell of the plan that is not among the rows kept, `records` [count].
/// TS_E_INPUT when an option is given that would change the plan, this program would make another
/// plan, or the rows are not those of its first cells.
ts_status ts_run_context_read(ts_run_values *values, ts_plan *out, size_t *out_first,
                              ts_arena *arena, const json_t *context, uint64_t given,
                              const ts_record *records, size_t count);

#endif
