// SPDX-License-Identifier: MIT
/// The rows of all shards, in the order of the plan.
#ifndef TS_HARNESS_MERGE_ROWS_H
#define TS_HARNESS_MERGE_ROWS_H

#include "harness/merge/shard_set.h"
#include "harness/run/interrupt.h"
#include "reports/rows/results.h"

/// Appends the rows of every cell of the plan to the results, cell by cell: memory does not grow
/// with their number. Shows progress on a terminal. Stops at a signal (see ts_interrupt_check),
/// with TS_OK. `*out_rows`: rows of the summary.
///
/// TS_E_INPUT, naming file and line: a file that is damaged or missing, has rows that its summary
/// lacks, or fewer. TS_E_IO when the results cannot be written.
ts_status ts_merge_rows(size_t *out_rows, ts_results *results, const ts_shard_set *set,
                        ts_interrupt *interrupt);

#endif
