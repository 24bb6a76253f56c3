// SPDX-License-Identifier: MIT
#include "harness/run/deaths.h"

#include "base/status.h"
#include "harness/isolation/cell_ipc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define WATCH_MS 10

/// What the program and the process that stands in for it share.
typedef struct trial {
  const ts_cell *cell;
  const ts_timing *timing;
  const ts_limits *limits;
  int rows;     ///< file for the rows
  int life[2];  ///< pipe: its reading end, in the program, reports the end of the stand-in
  int leash[2]; ///< pipe: its reading end, in the stand-in, reports the end of the program
} trial;

ts_status ts_deaths_row(ts_cell_rows *out, ts_arena *arena, const ts_cell *cell,
                        const char *reason) {
  ts_record *record = ts_arena_alloc(arena, sizeof *record);
  if (!record)
    return TS_E_MEMORY;
  ts_cell_record(record, cell, TS_OUTCOME_CRASHED, reason);
  *out = (ts_cell_rows){.records = record, .record_count = 1};
  return TS_OK;
}

/// Runs the cell as the program does, and hands over its rows.
static _Noreturn void stand_in(const trial *t) {
  setsid();
  close(t->life[0]);
  close(t->leash[1]);
  ts_arena *arena;
  ts_child *child;
  ts_cell_rows rows;
  bool is_done = false;
  ts_status status = ts_arena_create(&arena);
  if (status == TS_OK)
    status = ts_child_start(&child, t->cell, t->timing, t->limits);
  while (status == TS_OK && !is_done) {
    struct pollfd leash = {.fd = t->leash[0], .events = POLLIN};
    if (poll(&leash, 1, WATCH_MS) > 0) { // the program has died, or wants to end
      ts_child_destroy(child);
      _exit(1);
    }
    status = ts_child_poll(&is_done, &rows, child, arena);
  }
  if (status == TS_OK)
    status = ts_cell_ipc_write(t->rows, &rows);
  _exit(status == TS_OK ? 0 : 1);
}

/// Whether SIGINT, SIGTERM or SIGHUP waits to be handled, which the runner has blocked.
static bool is_asked_to_end(void) {
  sigset_t pending;
  return sigpending(&pending) == 0 &&
         (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1 ||
          sigismember(&pending, SIGHUP) == 1);
}

/// Starts the stand-in as an orphan, so that the program is not among its ancestors.
static ts_status start(const trial *t) {
  pid_t middle = fork();
  if (middle == 0) {
    pid_t orphan = fork();
    if (orphan == 0)
      stand_in(t);
    _exit(orphan > 0 ? 0 : 1);
  }
  int status = 1;
  while (middle > 0 && waitpid(middle, &status, 0) < 0 && errno == EINTR)
    continue;
  return status == 0 ? TS_OK : ts_fail(TS_E_IO, "cannot start a process for a cell; see ulimit -u");
}

/// Waits for the end of the stand-in. TS_SKIPPED: the program was asked to end.
static ts_status await(trial *t) {
  close(t->life[1]);
  close(t->leash[0]);
  t->life[1] = t->leash[0] = -1;
  struct pollfd life = {.fd = t->life[0], .events = POLLIN};
  while (poll(&life, 1, WATCH_MS) <= 0)
    if (is_asked_to_end())
      return TS_SKIPPED;
  return TS_OK;
}

static void close_pipe(const int pipe[2]) {
  for (int i = 0; i < 2; i++)
    if (pipe[i] >= 0)
      close(pipe[i]);
}

ts_status ts_deaths_try(ts_cell_rows *out, ts_arena *arena, const ts_cell *cell,
                        const ts_timing *timing, const ts_limits *limits) {
  trial t = {.cell = cell, .timing = timing, .limits = limits, .life = {-1, -1}, .leash = {-1, -1}};
  t.rows = memfd_create("touchstone-trial", MFD_CLOEXEC);
  ts_status status = TS_OK;
  if (t.rows < 0 || pipe2(t.life, O_CLOEXEC) != 0 || pipe2(t.leash, O_CLOEXEC) != 0)
    status = ts_fail(TS_E_IO, "cannot open the files that a cell needs: %s; see ulimit -n",
                     strerror(errno));
  if (status == TS_OK)
    status = start(&t);
  if (status == TS_OK)
    status = await(&t);
  if (status == TS_OK) {
    ts_cell_ipc_content content;
    status = ts_cell_ipc_read(&content, arena, t.rows, limits->memory_bytes, cell->key);
    *out = content.rows;
    if (status == TS_OK && !content.is_whole)
      status = ts_deaths_row(out, arena, cell, "the run ended in this cell twice");
  }
  close_pipe(t.life);
  close_pipe(t.leash);
  if (t.rows >= 0)
    close(t.rows);
  return status;
}
