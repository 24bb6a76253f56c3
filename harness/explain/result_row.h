// SPDX-License-Identifier: MIT
/// Finding one row among the results of a run.
#ifndef TS_HARNESS_RESULT_ROW_H
#define TS_HARNESS_RESULT_ROW_H

#include "harness/plan/options.h"
#include "reports/rows/record.h"

/// What the row must have.
typedef struct ts_row_wish {
  const char *case_name, *method;
  double step;
  const char *cell;      ///< the fingerprint of its cell, or the beginning of it; NULL: any
  const char *modifiers; ///< their names, or their whole text; "none": none; NULL: none if there is
                         ///< such a row, else any
  ts_assignments sets;   ///< parameters, "name" or "owner.name", by their text or number
} ts_row_wish;

/// Finds the one row of `records` [count], of `results` (a folder or a summary.csv, for messages).
/// TS_E_INPUT, saying what there is instead or how to choose: the results have no such case, method
/// or step, or several cells that fit.
ts_status ts_result_row_find(const ts_record **out, ts_arena *arena, const ts_record *records,
                             size_t count, const ts_row_wish *wish, const char *results);

#endif
