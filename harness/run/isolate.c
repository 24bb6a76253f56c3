// SPDX-License-Identifier: MIT
#include "harness/run/isolate.h"

#include "base/status.h"
#include "geometry/mesh/helper_store.h"
#include "geometry/twist/twist_samples.h"
#include "harness/isolation/cell_ipc.h"
#include "harness/run/cell_process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MEBIBYTE (1024.0 * 1024.0)

/// From so many cells on, the twists that they are judged by are made once for all.
#define MANY_CELLS 8

struct ts_child {
  const ts_cell *cell;
  ts_limits limits;
  ts_kept *kept;
};

ts_status ts_child_start(ts_child **out, const ts_cell *cell, const ts_timing *timing,
                         const ts_limits *limits) {
  ts_child *child = calloc(1, sizeof *child);
  if (!child)
    return ts_fail(TS_E_MEMORY, "out of memory");
  *child = (ts_child){.cell = cell, .limits = *limits};
  ts_helper_store_open(); // the cells of a run fill the same shapes
  static int started;
  if (started < MANY_CELLS && ++started == MANY_CELLS)
    ts_twist_samples_keep();
  ts_cell_process process = {.cell = cell, .timing = timing, .memory_bytes = limits->memory_bytes};
  const ts_kept_job job = {.work = ts_cell_process_run,
                           .context = &process,
                           .case_name = cell->c->name,
                           .method = cell->method->name,
                           .limits = *limits};
  ts_status status = ts_kept_start(&child->kept, &job);
  if (status == TS_OK)
    *out = child;
  else
    free(child);
  return status;
}

int ts_child_file(const ts_child *child) {
  return ts_kept_file(child->kept);
}

void ts_child_destroy(ts_child *child) {
  if (!child)
    return;
  ts_kept_destroy(child->kept);
  free(child);
}

/// Room for rows and one more.
static ts_status grow(ts_cell_ipc_content *content, ts_arena *arena) {
  size_t count = content->rows.record_count;
  ts_record *records = ts_arena_array(arena, count + 1, sizeof *records);
  if (!records)
    return TS_E_MEMORY;
  if (count > 0)
    memcpy(records, content->records, count * sizeof *records);
  content->records = records;
  content->rows.records = records;
  return TS_OK;
}

/// Drops the rows of a step and those after it.
static void drop_from(ts_cell_rows *rows, double step) {
  for (int f = 0; f < TS_RESULTS_FILE_COUNT; f++) {
    const ts_row_type *type = ts_results_row_type(f);
    ts_rows_view view = ts_cell_rows_of(rows, f);
    while (view.count > 0 &&
           ts_row_step(type, (const char *)view.rows + (view.count - 1) * type->row_bytes) >= step)
      view.count--;
    ts_cell_rows_set(rows, f, view);
  }
}

/// Ends the rows with one at `step`, of an outcome and a reason.
static ts_status say(ts_cell_ipc_content *content, const ts_child *child, ts_arena *arena,
                     double step, ts_outcome outcome, const char *text) {
  drop_from(&content->rows, step);
  TS_TRY(grow(content, arena));
  char *reason = ts_arena_string(arena, text);
  if (!reason)
    return TS_E_MEMORY;
  ts_record *record = &content->records[content->rows.record_count++];
  ts_cell_record(record, child->cell, outcome, reason);
  record->step = step;
  return TS_OK;
}

/// The step at which memory exceeded the limit: the first that says so, or the last that began.
static double step_over_memory(const ts_cell_ipc_content *content, double limit) {
  for (size_t i = 0; i < content->rows.record_count; i++)
    if (content->records[i].memory_bytes_max > limit)
      return content->records[i].step;
  return (double)content->step;
}

/// Adds a row for how the cell has ended, if it did not end well.
static ts_status judge_end(ts_cell_ipc_content *content, const ts_child *child, ts_arena *arena) {
  char reason[TS_KEPT_REASON_BYTES];
  ts_outcome outcome = ts_kept_outcome(reason, child->kept, content->is_whole, content->is_damaged);
  if (outcome == TS_OUTCOME_OK)
    return TS_OK;
  double step = outcome == TS_OUTCOME_OUT_OF_MEMORY
                    ? step_over_memory(content, child->limits.memory_bytes)
                    : (double)content->step;
  return say(content, child, arena, step, outcome, reason);
}

/// The rows of a cell that has ended, none of them trusted.
static ts_status collect(ts_cell_rows *out, const ts_child *child, ts_arena *arena) {
  TS_TRY(ts_kept_check_machine(child->kept));
  ts_cell_ipc_content content;
  TS_TRY(ts_cell_ipc_read(&content, arena, ts_kept_results(child->kept),
                          fmax(child->limits.memory_bytes, MEBIBYTE), child->cell->key));
  TS_TRY(judge_end(&content, child, arena));
  const ts_keeper_report *report = ts_kept_report(child->kept);
  for (size_t i = 0; i < content.rows.record_count; i++) {
    content.records[i].memory_bytes_max = report ? report->memory_bytes : (double)NAN;
    content.records[i].processes_left = report ? report->processes_left : (double)NAN;
  }
  *out = content.rows;
  return TS_OK;
}

ts_status ts_child_poll(bool *out_done, ts_cell_rows *out, ts_child *child, ts_arena *arena) {
  *out_done = ts_kept_has_ended(child->kept);
  return *out_done ? collect(out, child, arena) : TS_OK;
}

ts_status ts_child_wait(ts_cell_rows *out, ts_child *child, ts_arena *arena) {
  ts_kept_wait(child->kept);
  return collect(out, child, arena);
}
