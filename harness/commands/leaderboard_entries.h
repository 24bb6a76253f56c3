// SPDX-License-Identifier: MIT
/// The entries of a leaderboard, from results folders.
#ifndef TS_HARNESS_LEADERBOARD_ENTRIES_H
#define TS_HARNESS_LEADERBOARD_ENTRIES_H

#include "harness/dataset/manifest.h"
#include "reports/board/board.h"

/// Reads RESULTS or NAME=RESULTS [count] and ranks their methods: `*out`, in the arena. An entry is
/// called NAME, or NAME and its method if the results are of several; without NAME like its method.
/// `folder` is where the leaderboard will be written.
///
/// TS_E_INPUT, naming the results: a summary.csv alone; those that `folder` is in; of no data set,
/// of another version than that of `manifest`, of scenes with other parameters, or scored by other
/// rules than the defaults; two of the same rows; two entries of one name; and what ts_input_read()
/// refuses.
ts_status ts_board_make(ts_board *out, ts_arena *arena, const ts_manifest *manifest,
                        const char *const *results, size_t count, const char *folder);

#endif
