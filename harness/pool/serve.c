// SPDX-License-Identifier: MIT
#include "harness/pool/serve.h"

#include "base/array.h"
#include "base/status.h"
#include "harness/isolation/cell_ipc.h"
#include "harness/pool/pool.h"
#include "harness/run/interrupt.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct serving {
  ts_crew *crew;
  ts_arena *arena;
  const ts_plan *plan;
  ts_pool *pool;
  uint64_t *cells; ///< [cell_count] to be started, in this order
  size_t cell_count, cell_capacity;
  bool has_ended; ///< rank 0 has
} serving;

static ts_status receive_cells(serving *s) {
  for (;;) {
    bool is_there;
    ts_message message;
    TS_TRY(ts_crew_next(&is_there, &s->has_ended, &message, s->crew));
    if (!is_there)
      return TS_OK;
    if (message.body >= 0)
      close(message.body);
    if (message.kind != TS_MESSAGE_CELL || message.number >= s->plan->cell_count)
      continue;
    TS_TRY(TS_ARENA_GROW(s->cells, s->cell_capacity, s->cell_count, 1, s->arena));
    s->cells[s->cell_count++] = message.number;
  }
}

/// Running out of processes is not an error as long as one cell runs.
static ts_status start_cells(serving *s) {
  while (s->cell_count > 0 && ts_pool_has_room(s->pool)) {
    ts_status status = ts_pool_start(s->pool, &s->plan->cells[s->cells[0]]);
    if (status != TS_OK)
      return ts_pool_running(s->pool) > 0 ? TS_OK : status;
    s->cell_count--;
    memmove(s->cells, s->cells + 1, s->cell_count * sizeof *s->cells);
  }
  return TS_OK;
}

static ts_status send_rows(void *context, const ts_pool_result *result) {
  serving *s = context;
  int file = memfd_create("touchstone-rows", MFD_CLOEXEC);
  ts_status status =
      file >= 0 ? ts_cell_ipc_write(file, &result->rows)
                : ts_fail(TS_E_IO, "cannot open a file for the rows of a cell: %s; see ulimit -n",
                          strerror(errno));
  ts_arena_destroy(result->arena);
  if (status == TS_OK)
    return ts_crew_send(s->crew, &(ts_message){.kind = TS_MESSAGE_ROWS,
                                               .number = result->cell->index,
                                               .run_ns = result->run_ns,
                                               .body = file});
  if (file >= 0)
    close(file);
  return status;
}

static ts_status serve(serving *s, ts_interrupt *interrupt) {
  bool has_told = false;
  for (;;) {
    TS_TRY(receive_cells(s));
    if (s->has_ended)
      return TS_OK;
    TS_TRY(start_cells(s));
    struct pollfd files[] = {ts_crew_poll(s->crew), {.fd = interrupt->file, .events = POLLIN}};
    ts_pool_wait(s->pool, files, 2);
    if (ts_interrupt_check(interrupt) != 0 && !has_told) {
      has_told = true;
      TS_TRY(ts_crew_send(s->crew, &(ts_message){.kind = TS_MESSAGE_SIGNAL,
                                                 .number = (uint64_t)interrupt->signal,
                                                 .body = -1}));
    }
    TS_TRY(ts_pool_poll(s->pool, send_rows, s));
  }
}

/// Tells rank 0 the detail line of the last failure, and waits until it has ended the run.
static ts_status tell_error(ts_crew *crew) {
  TS_TRY(ts_crew_send_text(crew, &(ts_message){.kind = TS_MESSAGE_ERROR}, ts_status_detail()));
  ts_message message;
  while (ts_crew_wait(&message, crew) == TS_OK)
    if (message.body >= 0)
      close(message.body);
  return TS_OK;
}

ts_status ts_serve_cells(ts_crew *crew, ts_arena *arena, const ts_plan *plan,
                         const ts_run_options *options) {
  serving s = {.crew = crew, .arena = arena, .plan = plan};
  TS_TRY(ts_pool_create(&s.pool, arena, options->jobs, &options->timing, &options->limits));
  ts_interrupt interrupt;
  ts_interrupt_start(&interrupt);
  ts_status status = serve(&s, &interrupt);
  ts_pool_stop(s.pool);
  if (status != TS_OK)
    status = tell_error(crew);
  ts_interrupt_end(&interrupt);
  return status;
}
