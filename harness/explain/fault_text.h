// SPDX-License-Identifier: MIT
/// The contacts at fault of a snapshot, each with what would be right.
#ifndef TS_HARNESS_FAULT_TEXT_H
#define TS_HARNESS_FAULT_TEXT_H

#include "base/arena.h"
#include "reports/export/snapshot.h"

/// The contacts at fault, worst first (ts_fault_is_worse); `*out` [*out_count] is in the arena.
ts_status ts_faults_of_snapshot(const ts_contact_row ***out, size_t *out_count, ts_arena *arena,
                                const ts_snapshot *snapshot);

/// "incorrect: low (0) and high (1) at (0, 0, 0.5), normal (1, 0, 0), gap 0 m: the normal is off by
/// 90 degrees; right in region 0: (0, 0, 1)". NULL when out of memory.
const char *ts_fault_explain(ts_arena *arena, const ts_snapshot *snapshot,
                             const ts_contact_row *contact);

#endif
