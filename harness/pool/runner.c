// SPDX-License-Identifier: MIT
#include "harness/pool/runner.h"

#include "base/status.h"
#include "harness/pool/lead.h"
#include "harness/pool/pool.h"
#include "harness/pool/row_queue.h"
#include "harness/run/deaths.h"
#include "harness/run/interrupt.h"
#include "harness/run/progress.h"

/// Cells per job that may be done and waiting for an earlier one.
#define AHEAD_PER_JOB 32

typedef struct run {
  const ts_plan *plan;
  ts_results *results;
  const ts_run_options *options;
  ts_row_queue *queue;
  ts_pool *pool;
  ts_crew *crew; ///< NULL: this process alone
  ts_lead *lead; ///< of the crew
  ts_interrupt interrupt;
  ts_progress progress;
} run;

/// Runs a cell in which the program died twice apart from it, and waits for the end. Such a cell is
/// out alone, so that no other waits meanwhile.
static ts_status try_cell(run *r, const ts_cell *cell) {
  ts_arena *arena;
  ts_cell_rows rows;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = ts_deaths_try(&rows, arena, cell, &r->options->timing, &r->options->limits);
  if (status == TS_OK)
    return ts_row_queue_put(r->queue, cell, &rows, arena);
  ts_arena_destroy(arena);
  return status;
}

/// Starts cells up to the number of jobs. Running out of processes is not an error as long as one
/// cell runs.
static ts_status start_cells(run *r) {
  while (ts_pool_has_room(r->pool)) {
    const ts_cell *cell;
    TS_TRY(ts_row_queue_take(&cell, r->queue));
    if (!cell)
      return TS_OK;
    bool is_trial = ts_results_history(r->results, cell->key) == TS_HISTORY_TRIAL;
    ts_status status = is_trial ? try_cell(r, cell) : ts_pool_start(r->pool, cell);
    if (status != TS_OK) {
      TS_TRY(ts_row_queue_give_back(r->queue, cell));
      return ts_pool_running(r->pool) > 0 || status == TS_SKIPPED ? TS_OK : status;
    }
  }
  return TS_OK;
}

static ts_status put_rows(void *context, const ts_pool_result *result) {
  run *r = context;
  return ts_row_queue_put(r->queue, result->cell, &result->rows, result->arena);
}

static void wait_for_change(run *r) {
  struct pollfd others[2] = {{.fd = r->interrupt.file, .events = POLLIN}};
  if (r->crew)
    others[1] = ts_crew_poll(r->crew);
  ts_pool_wait(r->pool, others, r->crew ? 2 : 1);
}

static ts_status run_cells(run *r) {
  for (;;) {
    size_t written = ts_row_queue_written(r->queue);
    if (written == r->plan->cell_count)
      return TS_OK;
    TS_TRY(start_cells(r));
    if (r->lead)
      TS_TRY(ts_lead_hand_out(r->lead, r->queue));
    ts_progress_show(&r->progress, written, &r->plan->cells[written]);
    wait_for_change(r);
    if (ts_interrupt_check(&r->interrupt) != 0)
      return TS_OK;
    TS_TRY(ts_pool_poll(r->pool, put_rows, r));
    if (r->lead)
      TS_TRY(ts_lead_receive(r->lead, r->queue, &r->interrupt.signal));
    TS_TRY(ts_row_queue_write(r->queue));
    TS_TRY(ts_results_tick(r->results));
  }
}

ts_status ts_run_plan(ts_run_outcome *out, ts_arena *arena, const ts_plan *plan, size_t first,
                      ts_results *results, const ts_run_options *options) {
  *out = (ts_run_outcome){0};
  run r = {.plan = plan, .results = results, .options = options, .crew = options->crew};
  size_t ranks = r.crew ? (size_t)ts_crew_count(r.crew) : 1;
  TS_TRY(ts_row_queue_create(&r.queue, arena, plan, first, results,
                             ranks * (size_t)options->jobs * AHEAD_PER_JOB));
  if (r.crew)
    TS_TRY(ts_lead_create(&r.lead, arena, r.crew, plan, options->jobs));
  TS_TRY(ts_pool_create(&r.pool, arena, options->jobs, &options->timing, &options->limits));
  ts_interrupt_start(&r.interrupt);
  // mpiexec is between the ranks and the terminal, if there is one.
  r.progress = ts_progress_start(options->show_progress ? stderr : NULL, first, plan->cell_count,
                                 r.crew != NULL);
  ts_status status = run_cells(&r);
  out->cell_count = ts_row_queue_written(r.queue) - first;
  out->records = ts_row_queue_records(r.queue, &out->record_count);
  ts_pool_stop(r.pool);
  ts_row_queue_stop(r.queue);
  ts_progress_clear(&r.progress);
  ts_interrupt_end(&r.interrupt);
  out->signal = r.interrupt.signal;
  return status;
}
