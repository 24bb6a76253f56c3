// SPDX-License-Identifier: MIT
/// Whether the rows of a complete results folder are still those that its run wrote.
#ifndef TS_REPORTS_VERIFY_H
#define TS_REPORTS_VERIFY_H

#include "base/arena.h"

/// Reads summary.csv and the files of TS_DETAIL_FILES through, compressed or not, and
/// compares them with the fingerprints in its journal. Without a journal, or behind the end of one
/// that is damaged, only compressed data are checked, which have a checksum of their own. Nothing
/// is changed. TS_E_INPUT, naming the file and what to do: a file that is missing or damaged, rows
/// of a cell that were changed, bytes that were added.
ts_status ts_results_verify(ts_arena *arena, const char *folder);

#endif
