// SPDX-License-Identifier: MIT
/// Rows of contacts.csv: the contacts of a judged state, each with its verdict.
#ifndef TS_HARNESS_VERDICT_ROWS_H
#define TS_HARNESS_VERDICT_ROWS_H

#include "base/arena.h"
#include "harness/judge/judge.h"
#include "reports/rows/record.h"

/// A row for each contact of the judged pairs, in their order. The identity is that of `record`,
/// whose texts are borrowed. `*out` [*out_count] is in the arena.
ts_status ts_verdict_rows_make(ts_contact_row **out, size_t *out_count, ts_arena *arena,
                               const ts_record *record, const ts_judgement *judgement);

#endif
