// SPDX-License-Identifier: MIT
/// Rows of regions.csv: where the bodies of a judged state truly touch, and which contacts serve
/// each place.
#ifndef TS_HARNESS_REGION_ROWS_H
#define TS_HARNESS_REGION_ROWS_H

#include "base/arena.h"
#include "harness/judge/judge.h"
#include "reports/rows/record.h"

/// A row for each region of the judged scene, in its order; none where the truth is unknown. The
/// identity is that of `record`, whose texts are borrowed. `*out` [*out_count] is in the arena.
ts_status ts_region_rows_make(ts_region_row **out, size_t *out_count, ts_arena *arena,
                              const ts_record *record, const ts_judgement *judgement);

/// Whether the region of a row has fewer contacts than its minimum, or none with a normal that it
/// needs.
bool ts_region_row_is_lacking(const ts_region_row *row);

#endif
