// SPDX-License-Identifier: MIT
/// Cases down, methods across: what a table of results shows, and where.
#ifndef TS_REPORTS_PIVOT_H
#define TS_REPORTS_PIVOT_H

#include "base/arena.h"
#include "reports/tables/table_axis.h"

typedef struct ts_pivot {
  const ts_record **records; ///< [count], those that are shown, in the order of the file
  size_t count;
  ts_axis cases, methods;     ///< of them
  const char **case_labels;   ///< [cases.count]
  const char **method_labels; ///< [methods.count]
  size_t *order;              ///< [count], by case, then method, then place
} ts_pivot;

/// Of a cell with many steps the scene as built, step TS_PUBLISHED_STEP and the last one are shown,
/// and what did not end well.
ts_status ts_pivot_make(ts_pivot *out, ts_arena *arena, const ts_record *records, size_t count);

/// The record of a case and a method, the last one when there are several; NULL when there is none.
const ts_record *ts_pivot_find(const ts_pivot *cross, size_t row, size_t column);

#endif
