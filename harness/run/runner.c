// SPDX-License-Identifier: MIT
#include "harness/run/runner.h"

#include "base/array.h"
#include "base/status.h"
#include "harness/run/deaths.h"
#include "harness/run/progress.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

/// Interval between checks of the children's memory.
#define WATCH_MS 10

/// Cells per job that may be done and waiting for an earlier one.
#define AHEAD_PER_JOB 32

/// A cell from its start until its rows are written.
typedef struct slot {
  ts_child *child; ///< NULL once done
  ts_arena *arena; ///< owns the rows
  ts_cell_rows rows;
} slot;

typedef struct run {
  const ts_plan *plan;
  ts_results *results;
  const ts_run_options *options;
  ts_arena *arena;
  ts_run_outcome *out;
  size_t record_capacity;
  size_t next_start, next_write; ///< cells; the ones in between are in the slots
  size_t slot_count;
  slot *slots; ///< [slot_count], cell i in slot i % slot_count
  int running;
  bool is_alone; ///< The cell that runs is one that the program died in before.
  int signal_file;
  struct pollfd *files; ///< [jobs + 1]
  ts_progress progress;
} run;

static slot *slot_of(run *r, size_t cell) {
  return &r->slots[cell % r->slot_count];
}

/// Notes that the cell begins, and starts it.
static ts_status start_child(run *r, slot *s, const ts_cell *cell) {
  TS_TRY(ts_results_begin(r->results, cell->key));
  ts_status status = ts_child_start(&s->child, cell, &r->options->timing, &r->options->limits);
  if (status != TS_OK)
    ts_results_ended(r->results, cell->key);
  r->running += status == TS_OK;
  return status;
}

static ts_status start_cell(run *r, size_t index) {
  slot *s = slot_of(r, index);
  const ts_cell *cell = &r->plan->cells[index];
  ts_cell_history history = ts_results_history(r->results, cell->key);
  *s = (slot){0};
  TS_TRY(ts_arena_create(&s->arena));
  ts_status status = history == TS_HISTORY_GUILTY ? ts_deaths_row(&s->rows, s->arena, cell)
                                                  : start_child(r, s, cell);
  if (status != TS_OK) {
    ts_arena_destroy(s->arena);
    *s = (slot){0};
    return status;
  }
  r->next_start++;
  r->is_alone = history == TS_HISTORY_SUSPECT;
  return TS_OK;
}

/// Whether the next cell may start: one that the program died in before runs alone, so that another
/// death is nobody else's.
static bool may_start(run *r) {
  if (r->next_start >= r->plan->cell_count || r->next_start - r->next_write >= r->slot_count)
    return false;
  const char *next = r->plan->cells[r->next_start].key;
  return r->running == 0 || (r->running < r->options->jobs && !r->is_alone &&
                             ts_results_history(r->results, next) == TS_HISTORY_CLEAN);
}

/// Starts cells up to the number of jobs. Running out of processes is not an error as long as one
/// cell runs.
static ts_status start_cells(run *r) {
  while (may_start(r)) {
    ts_status status = start_cell(r, r->next_start);
    if (status != TS_OK)
      return r->running > 0 ? TS_OK : status;
  }
  return TS_OK;
}

/// Waits until a child ends, a signal arrives, or memory must be checked. `*wait_ms` grows where
/// the system cannot report the end of a child.
static void wait_for_change(run *r, int *wait_ms) {
  nfds_t count = 0;
  bool all_report = true;
  r->files[count++] = (struct pollfd){.fd = r->signal_file, .events = POLLIN};
  for (size_t cell = r->next_write; cell < r->next_start; cell++) {
    const slot *s = slot_of(r, cell);
    if (!s->child)
      continue;
    int file = ts_child_file(s->child);
    all_report = all_report && file >= 0;
    r->files[count++] = (struct pollfd){.fd = file, .events = POLLIN};
  }
  poll(r->files, count, all_report ? WATCH_MS : *wait_ms);
  *wait_ms = *wait_ms < WATCH_MS ? *wait_ms + 1 : WATCH_MS;
}

/// The termination signal that has arrived; 0: none.
static int take_signal(run *r) {
  struct signalfd_siginfo info;
  if (read(r->signal_file, &info, sizeof info) != (ssize_t)sizeof info)
    return 0;
  return (int)info.ssi_signo;
}

static ts_status poll_children(run *r, bool *out_any_ended) {
  *out_any_ended = false;
  for (size_t cell = r->next_write; cell < r->next_start; cell++) {
    slot *s = slot_of(r, cell);
    if (!s->child)
      continue;
    bool is_done;
    TS_TRY(ts_child_poll(&is_done, &s->rows, s->child, s->arena));
    if (!is_done)
      continue;
    ts_child_destroy(s->child);
    s->child = NULL;
    r->running--;
    TS_TRY(ts_results_ended(r->results, r->plan->cells[cell].key));
    *out_any_ended = true;
  }
  return TS_OK;
}

/// Copies a record, which is freed with its slot, for the final table.
static ts_status keep_record(run *r, const ts_record *record) {
  ts_run_outcome *out = r->out;
  TS_TRY(TS_ARENA_GROW(out->records, r->record_capacity, out->record_count, 1, r->arena));
  ts_record *copy = &out->records[out->record_count];
  *copy = *record;
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    if (field->kind != TS_FIELD_TEXT)
      continue;
    char *text = ts_arena_string(r->arena, ts_row_text(field, record));
    if (!text)
      return TS_E_MEMORY;
    memcpy((char *)copy + field->offset, &text, sizeof text);
  }
  out->record_count++;
  return TS_OK;
}

/// Writes the cells that are done, up to the first one that is not.
static ts_status write_cells(run *r) {
  while (r->next_write < r->next_start) {
    slot *s = slot_of(r, r->next_write);
    if (s->child)
      return TS_OK;
    TS_TRY(ts_results_append(r->results, &s->rows));
    r->out->cell_count++;
    for (size_t i = 0; i < s->rows.record_count; i++)
      TS_TRY(keep_record(r, &s->rows.records[i]));
    ts_arena_destroy(s->arena);
    *s = (slot){0};
    r->next_write++;
  }
  return TS_OK;
}

static const ts_cell *current_cell(run *r) {
  for (size_t cell = r->next_write; cell < r->next_start; cell++)
    if (slot_of(r, cell)->child)
      return &r->plan->cells[cell];
  return NULL;
}

static ts_status run_cells(run *r) {
  int wait_ms = 1;
  while (r->next_write < r->plan->cell_count) {
    TS_TRY(start_cells(r));
    wait_for_change(r, &wait_ms);
    r->out->signal = take_signal(r);
    if (r->out->signal != 0)
      return TS_OK;
    bool any_ended;
    TS_TRY(poll_children(r, &any_ended));
    if (any_ended)
      wait_ms = 1;
    TS_TRY(write_cells(r));
    TS_TRY(ts_results_tick(r->results));
    ts_progress_show(&r->progress, r->next_write, current_cell(r));
  }
  return TS_OK;
}

static void stop_children(run *r) {
  for (size_t cell = r->next_write; cell < r->next_start; cell++) {
    slot *s = slot_of(r, cell);
    ts_child_destroy(s->child);
    ts_arena_destroy(s->arena);
  }
}

ts_status ts_run_plan(ts_run_outcome *out, ts_arena *arena, const ts_plan *plan, size_t first,
                      ts_results *results, const ts_run_options *options) {
  *out = (ts_run_outcome){0};
  size_t jobs = (size_t)options->jobs;
  run r = {.plan = plan,
           .results = results,
           .options = options,
           .arena = arena,
           .out = out,
           .next_start = first,
           .next_write = first,
           .slot_count = jobs * AHEAD_PER_JOB,
           .slots = ts_arena_array(arena, jobs * AHEAD_PER_JOB, sizeof *r.slots),
           .files = ts_arena_array(arena, jobs + 1, sizeof *r.files)};
  if (!r.slots || !r.files)
    return TS_E_MEMORY;
  // Signals are read from a file, so that they are handled between two steps, never within one.
  sigset_t taken, before;
  sigemptyset(&taken);
  sigaddset(&taken, SIGINT);
  sigaddset(&taken, SIGTERM);
  sigaddset(&taken, SIGHUP);
  sigprocmask(SIG_BLOCK, &taken, &before);
  r.signal_file = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
  r.progress = ts_progress_start(options->show_progress ? stderr : NULL, first, plan->cell_count);
  ts_status status = run_cells(&r);
  stop_children(&r);
  ts_progress_clear(&r.progress);
  if (r.signal_file >= 0)
    close(r.signal_file);
  // A signal is often followed by a second one, to the process and to its group; it must not end
  // the program before it has printed how to resume.
  if (out->signal == 0)
    sigprocmask(SIG_SETMASK, &before, NULL);
  return status;
}
