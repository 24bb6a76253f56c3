// SPDX-License-Identifier: MIT
/// Rows of many draws of the same cases, folded into one row for each case, method and step.
#ifndef TS_REPORTS_FOLD_H
#define TS_REPORTS_FOLD_H

#include "base/arena.h"
#include "reports/rows/record.h"

typedef struct ts_fold {
  size_t count;
  /// [count], in the order of the first row of each: means over its rows that are ok. If none is,
  /// it has the worst outcome of them and its reason. case_parameters has what was kept.
  const ts_record *means;
  const ts_record *spreads; ///< [count]: standard deviations, NaN with less than two rows
  size_t row_count;         ///< all rows
  size_t draws_most;        ///< rows of the largest group
  /// Rows that are not ok, although their group has some that are; and those of them that failed.
  size_t left_out, left_out_failed;
} ts_fold;

/// Folds records [count] that differ in nothing but parameters of the case; those called `kept`
/// [kept_count] keep rows apart. TS_E_MEMORY.
ts_status ts_fold_draws(ts_fold *out, ts_arena *arena, const ts_record *records, size_t count,
                        const char *const *kept, size_t kept_count);

#endif
