// SPDX-License-Identifier: MIT
#include "harness/run/deaths.h"

ts_status ts_deaths_row(ts_cell_rows *out, ts_arena *arena, const ts_cell *cell) {
  ts_record *record = ts_arena_alloc(arena, sizeof *record);
  if (!record)
    return TS_E_MEMORY;
  ts_cell_record(record, cell, TS_OUTCOME_CRASHED, "the run ended in this cell twice");
  *out = (ts_cell_rows){.records = record, .record_count = 1};
  return TS_OK;
}
