// SPDX-License-Identifier: MIT
#include "harness/explain/measure_row.h"

#include "base/status.h"
#include "reports/rows/outcome.h"

ts_status ts_measure_row(ts_record *out, ts_arena *arena, const ts_cell *cell, int64_t step,
                         const ts_timing *timing, const ts_limits *limits) {
  ts_child *child;
  ts_cell_rows rows = {.record_count = 0};
  TS_TRY(ts_child_start(&child, cell, timing, limits));
  ts_status status = ts_child_wait(&rows, child, arena);
  ts_child_destroy(child);
  TS_TRY(status);
  for (size_t i = 0; i < rows.record_count; i++)
    if (rows.records[i].step == (double)step || !ts_record_is_ok(&rows.records[i])) {
      *out = rows.records[i];
      return TS_OK;
    }
  return ts_fail(TS_E_INPUT, "%s by %s has no row of step %lld", cell->c->name, cell->method->name,
                 (long long)step);
}
