// SPDX-License-Identifier: MIT
/// The layout of a table of results: cases down, methods across.
#ifndef TS_REPORTS_PIVOT_H
#define TS_REPORTS_PIVOT_H

#include "base/arena.h"
#include "reports/tables/table_axis.h"

typedef struct ts_pivot {
  const ts_record **records; ///< [count], the records that are shown, in the order of the file
  size_t count;
  ts_axis cases, methods;     ///< of them
  const char **case_labels;   ///< [cases.count]
  const char **method_labels; ///< [methods.count]
  size_t *order;              ///< [count], by case, then method, then place
} ts_pivot;

/// For a cell with many steps, the scene as built, step TS_PUBLISHED_STEP and the last step are
/// shown, and rows that are not ok.
ts_status ts_pivot_make(ts_pivot *out, ts_arena *arena, const ts_record *records, size_t count);

/// The record of a case and a method, the last one if there are several; NULL if there is none.
const ts_record *ts_pivot_find(const ts_pivot *cross, size_t row, size_t column);

#endif
