// SPDX-License-Identifier: MIT
/// A study in words: the tables and notes that the summary, LaTeX and the page have in common.
#ifndef TS_REPORTS_STUDY_TABLE_H
#define TS_REPORTS_STUDY_TABLE_H

#include "reports/study/study.h"

/// A table of texts; all of it in the arena.
typedef struct ts_study_table {
  const char *title;
  size_t column_count, row_count;
  const char **heads; ///< [column_count]
  bool *is_text;      ///< [column_count]: words, otherwise numbers
  const char **cells; ///< [row_count][column_count]
} ts_study_table;

/// The rank of a method, "2", or "2-3" if it is not known which, "-" if nothing of it was judged;
/// in the arena, NULL when out of memory.
const char *ts_study_rank(ts_arena *arena, const ts_study_method *method);

/// A row for each method: rank, means with intervals, share of perfect rows, worst quality. Columns
/// of cells that failed, found nothing or were skipped are there if there are any.
ts_status ts_study_means_table(ts_study_table *out, ts_arena *arena, const ts_study *study);

/// A row for each method: the worst value of each measure, and where.
ts_status ts_study_worst_table(ts_study_table *out, ts_arena *arena, const ts_study *study);

/// A row for each pair of methods: which is ahead, and the differences on the cells that both ran.
ts_status ts_study_pairs_table(ts_study_table *out, ts_arena *arena, const ts_study *study);

/// Whether signs are of so few scenes that even the smallest p they can have, 2 / 2^scenes, is too
/// large after Holm: then no two methods are told apart, however they differ.
bool ts_study_is_too_small(const ts_study *study);

/// Sentences that say what was counted, resampled and compared: `*out` [*out_count], a paragraph
/// each.
ts_status ts_study_notes(const char ***out, size_t *out_count, ts_arena *arena,
                         const ts_study *study);

#endif
