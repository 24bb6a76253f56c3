// SPDX-License-Identifier: MIT
#include "harness/explain/measure_row.h"

#include "base/clock.h"
#include "base/status.h"
#include "base/terminal.h"
#include "harness/run/progress.h"
#include "reports/rows/outcome.h"

#include <poll.h>
#include <stdio.h>

/// How often the memory of the cell is looked at, and from when on its time is shown.
#define LOOK_EVERY_MS 50
#define SHOW_AFTER_S  1.0

static void show(const ts_cell *cell, double seconds) {
  fprintf(stderr, "\r\033[Krunning %s by %s, %.0f s", cell->c->name, cell->method->name, seconds);
  fflush(stderr);
}

/// Waits until the cell has ended.
static ts_status await(ts_cell_rows *out, ts_child *child, ts_arena *arena, const ts_cell *cell) {
  bool is_shown = ts_terminal_is_capable(stderr), was_shown = false, is_done = false;
  int64_t start = ts_clock_ns();
  ts_status status = TS_OK;
  while (status == TS_OK && !is_done) {
    struct pollfd end = {.fd = ts_child_file(child), .events = POLLIN};
    poll(&end, 1, LOOK_EVERY_MS);
    status = ts_child_poll(&is_done, out, child, arena);
    double seconds = (double)(ts_clock_ns() - start) / 1e9;
    if (is_shown && !is_done && seconds > SHOW_AFTER_S) {
      show(cell, seconds);
      was_shown = true;
    }
  }
  if (was_shown)
    fputs("\r\033[K", stderr);
  return status;
}

ts_status ts_measure_row(ts_record *out, ts_arena *arena, const ts_cell *cell, int64_t step,
                         const ts_timing *timing, const ts_limits *limits) {
  ts_child *child;
  ts_cell_rows rows = {.record_count = 0};
  TS_TRY(ts_child_start(&child, cell, timing, limits));
  ts_status status = await(&rows, child, arena, cell);
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
