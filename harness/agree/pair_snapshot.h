// SPDX-License-Identifier: MIT
/// Two bodies of a row of results, with the contacts that it has between them.
#ifndef TS_HARNESS_PAIR_SNAPSHOT_H
#define TS_HARNESS_PAIR_SNAPSHOT_H

#include "reports/export/snapshot.h"
#include "reports/rows/row_details.h"

/// Leaves two bodies of the scene of a row as built: they become bodies 0 and 1. `record` and
/// `details` are those of the whole row. `*out_why`: a sentence why it cannot be shown
/// (ts_row_snapshot_make); NULL: it can. In the arena. TS_E_MEMORY.
ts_status ts_pair_snapshot_make(ts_snapshot *out, const char **out_why, ts_arena *arena,
                                const ts_snapshot *built, const ts_record *record,
                                const ts_row_details *details, int32_t body_a, int32_t body_b);

#endif
