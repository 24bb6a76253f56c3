// SPDX-License-Identifier: MIT
#include "harness/relations/relate_run.h"

#include "base/status.h"
#include "harness/run/progress.h"

#include <poll.h>
#include <string.h>

/// Longest wait for the end of a process [ms]: the progress line goes on meanwhile.
#define WAIT_MS 100

/// The same where the system does not report the end of a process.
#define WATCH_MS 5

/// A cell that runs.
typedef struct job {
  ts_kept *kept; ///< NULL: free
  ts_relate_cell cell;
} job;

typedef struct run {
  ts_arena *arena;
  const ts_plan *plan;
  const ts_relate_options *options;
  ts_relation_finding *findings;
  job *jobs;            ///< [options->jobs]
  struct pollfd *files; ///< [options->jobs]
  size_t started, done;
  int running;
} run;

/// Starts cells while there is room. A machine that has no process left is no error while one runs.
static ts_status start_cells(run *r) {
  for (int i = 0; i < r->options->jobs && r->started < r->plan->cell_count; i++) {
    job *j = &r->jobs[i];
    if (j->kept)
      continue;
    j->cell.cell = &r->plan->cells[r->started];
    memcpy(j->cell.is_wanted, r->options->is_wanted, sizeof j->cell.is_wanted);
    ts_status status = ts_relate_start(&j->kept, &j->cell, &r->options->limits);
    if (status != TS_OK) {
      j->kept = NULL;
      return r->running > 0 ? TS_OK : status;
    }
    r->started++;
    r->running++;
  }
  return TS_OK;
}

static void wait_for_end(run *r) {
  nfds_t used = 0;
  bool all_report = true;
  for (int i = 0; i < r->options->jobs; i++) {
    if (!r->jobs[i].kept)
      continue;
    int file = ts_kept_file(r->jobs[i].kept);
    all_report = all_report && file >= 0;
    r->files[used++] = (struct pollfd){.fd = file, .events = POLLIN};
  }
  poll(r->files, used, all_report ? WAIT_MS : WATCH_MS);
}

static ts_status collect_ended(run *r) {
  for (int i = 0; i < r->options->jobs; i++) {
    job *j = &r->jobs[i];
    if (!j->kept || !ts_kept_has_ended(j->kept))
      continue;
    size_t first = j->cell.cell->index * TS_RELATION_COUNT;
    ts_status status = ts_relate_collect(&r->findings[first], r->arena, &j->cell, j->kept);
    ts_kept_destroy(j->kept);
    j->kept = NULL;
    r->running--;
    r->done++;
    if (status != TS_OK)
      return status;
  }
  return TS_OK;
}

static ts_status run_cells(run *r, ts_progress *progress) {
  while (r->done < r->plan->cell_count) {
    TS_TRY(start_cells(r));
    ts_progress_show(progress, r->done, &r->plan->cells[r->started - 1]);
    wait_for_end(r);
    TS_TRY(collect_ended(r));
  }
  return TS_OK;
}

ts_status ts_relate_run(ts_relation_finding **out, ts_arena *arena, const ts_plan *plan,
                        const ts_relate_options *options) {
  size_t jobs = (size_t)options->jobs;
  run r = {.arena = arena,
           .plan = plan,
           .options = options,
           .findings = ts_arena_array(arena, plan->cell_count * TS_RELATION_COUNT,
                                      sizeof(ts_relation_finding)),
           .jobs = ts_arena_array(arena, jobs, sizeof(job)),
           .files = ts_arena_array(arena, jobs, sizeof(struct pollfd))};
  if (!r.findings || !r.jobs || !r.files)
    return TS_E_MEMORY;
  ts_progress progress =
      ts_progress_start(options->show_progress ? stderr : NULL, 0, plan->cell_count, false);
  ts_status status = run_cells(&r, &progress);
  ts_progress_clear(&progress);
  for (size_t i = 0; i < jobs; i++)
    ts_kept_destroy(r.jobs[i].kept);
  *out = r.findings;
  return status;
}
