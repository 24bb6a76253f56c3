// SPDX-License-Identifier: MIT
/// The regions of a snapshot in words: where bodies truly touch and a contact, or one with a right
/// normal, is missing. All texts are in the arena; NULL when out of memory.
#ifndef TS_REPORTS_REGION_TEXT_H
#define TS_REPORTS_REGION_TEXT_H

#include "base/arena.h"
#include "reports/export/snapshot.h"

#include <stdio.h>

/// "(0.5, 0, 1)", four digits each.
const char *ts_text_vector(ts_arena *arena, ts_vec3 v);

/// The same of a direction, to four decimals: what is left of rounding says nothing.
const char *ts_text_direction(ts_arena *arena, ts_vec3 v);

/// "high (1)": name and index of a body.
const char *ts_text_body(ts_arena *arena, const ts_snapshot *snapshot, int32_t body);

/// "low (0) and high (1), region 2, a polygon about (0, 0, 0.5): no contact; it needs (0, 0, 1)".
/// For one that has contacts "1 of 2 normals; not met: (0, 1, 0)". Normals are from a to b.
const char *ts_region_describe(ts_arena *arena, const ts_snapshot *snapshot,
                               const ts_snapshot_region *region);

/// The regions that lack a contact or a normal (ts_snapshot_region_is_lacking): those without a
/// contact first, then those that lack more normals, then in the order of the snapshot.
/// `*out` [*out_count] is in the arena.
ts_status ts_regions_lacking(const ts_snapshot_region ***out, size_t *out_count, ts_arena *arena,
                             const ts_snapshot *snapshot);

/// Number of regions that need a contact.
size_t ts_regions_needed(const ts_snapshot *snapshot);

/// Prints "3 of 40 regions are not covered:" and a line for each, at most `limit` of them; or that
/// every region is covered; nothing without regions. `all`: the command that lists the others;
/// NULL: only how many they are is said.
ts_status ts_regions_print(FILE *file, ts_arena *arena, const ts_snapshot *snapshot, size_t limit,
                           const char *all);

#endif
