// SPDX-License-Identifier: MIT
#include "harness/run/isolate.h"

#include "base/clock.h"
#include "base/process.h"
#include "base/status.h"
#include "harness/run/cell_end.h"
#include "harness/run/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// By how much a keeper may be late, before it counts as lost.
#define LATE_S 3.0

/// Orphans of one lost keeper that are looked for at once.
#define ORPHANS_MAX 256

struct ts_child {
  const ts_cell *cell;
  ts_limits limits;
  pid_t keeper;
  int exit_file;            ///< pidfd of the keeper, or -1
  int result_file;          ///< the cell writes its rows here
  ts_keeper_report *report; ///< shared with the keeper
  int64_t start_ns;
  bool is_reaped;
  ts_child *next; ///< of those that are not reaped
};

/// The children whose keepers are not reaped: what else this program has as children was left by a
/// cell whose method has ended its keeper.
static ts_child *running;

static void close_if_open(int file) {
  if (file >= 0)
    close(file);
}

static void free_child(ts_child *child) {
  close_if_open(child->exit_file);
  close_if_open(child->result_file);
  if (child->report != MAP_FAILED)
    munmap(child->report, sizeof *child->report);
  free(child);
}

static ts_status allocate(ts_child **out, const ts_cell *cell, const ts_limits *limits) {
  ts_child *child = calloc(1, sizeof *child);
  if (!child)
    return ts_fail(TS_E_MEMORY, "out of memory");
  *child = (ts_child){.cell = cell,
                      .limits = *limits,
                      .exit_file = -1,
                      .result_file = memfd_create("touchstone-rows", MFD_CLOEXEC),
                      .report = mmap(NULL, sizeof *child->report, PROT_READ | PROT_WRITE,
                                     MAP_SHARED | MAP_ANONYMOUS, -1, 0)};
  if (child->result_file >= 0 && child->report != MAP_FAILED) {
    *out = child;
    return TS_OK;
  }
  ts_status status =
      child->report == MAP_FAILED
          ? ts_fail(TS_E_MEMORY, "out of memory")
          : ts_fail(TS_E_IO, "cannot open the files that a cell needs: %s; see ulimit -n",
                    strerror(errno));
  free_child(child);
  return status;
}

static ts_status fork_keeper(ts_child *child, const ts_timing *timing) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0)
    return ts_fail(TS_E_IO, "cannot open the files that a cell needs: %s; see ulimit -n",
                   strerror(errno));
  const ts_keeper_job job = {.cell = child->cell,
                             .timing = timing,
                             .limits = &child->limits,
                             .result_file = child->result_file,
                             .nothing = nothing,
                             .program = getpid(),
                             .report = child->report};
  child->start_ns = ts_clock_ns();
  child->keeper = fork();
  if (child->keeper == 0)
    ts_keeper_run(&job);
  int error = errno;
  close(nothing);
  return child->keeper > 0
             ? TS_OK
             : ts_fail(TS_E_IO, "cannot start a process for a cell: %s; see ulimit -u",
                       strerror(error));
}

ts_status ts_child_start(ts_child **out, const ts_cell *cell, const ts_timing *timing,
                         const ts_limits *limits) {
  ts_child *child = NULL;
  TS_TRY(allocate(&child, cell, limits));
  prctl(PR_SET_CHILD_SUBREAPER, 1); // for the children of a lost keeper
  ts_status status = fork_keeper(child, timing);
  if (status != TS_OK) {
    free_child(child);
    return status;
  }
  setpgid(child->keeper, child->keeper); // in the keeper as well: either of the two may run first
  child->exit_file = pidfd_open(child->keeper, 0);
  child->next = running;
  running = child;
  *out = child;
  return TS_OK;
}

int ts_child_file(const ts_child *child) {
  return child->exit_file;
}

static bool is_keeper(pid_t process) {
  for (const ts_child *child = running; child; child = child->next)
    if (child->keeper == process)
      return true;
  return false;
}

/// Ends what a lost keeper has left to this program: children that began after it, and are no
/// keepers. What this program was started with is older.
static void end_orphans(uint64_t since_ticks) {
  pid_t children[ORPHANS_MAX];
  for (size_t ended = 1; ended > 0;) {
    ended = 0;
    size_t count = ts_process_children(children, ORPHANS_MAX, getpid());
    for (size_t i = 0; i < count; i++) {
      ts_process_facts facts;
      if (is_keeper(children[i]) || !ts_process_read(&facts, children[i]) ||
          facts.start_ticks < since_ticks)
        continue;
      kill(children[i], SIGKILL);
      while (waitpid(children[i], NULL, 0) < 0 && errno == EINTR)
        continue;
      ended++;
    }
  }
}

/// Takes the end of the keeper, which has come or is certain to.
static void reap(ts_child *child) {
  ts_process_facts facts = {.start_ticks = 0};
  bool is_known = ts_process_read(&facts, child->keeper); // also of one that has ended
  while (waitpid(child->keeper, NULL, 0) < 0 && errno == EINTR)
    continue;
  child->is_reaped = true;
  ts_child **at = &running;
  while (*at != child)
    at = &(*at)->next;
  *at = child->next;
  if (!child->report->is_complete && is_known)
    end_orphans(facts.start_ticks);
}

/// Wakes a keeper that the method has stopped, and ends one that is lost.
static void nudge(ts_child *child) {
  siginfo_t info = {0};
  if (waitid(P_PID, (id_t)child->keeper, &info, WSTOPPED | WNOHANG) == 0 && info.si_pid != 0)
    kill(child->keeper, SIGCONT);
  if ((double)(ts_clock_ns() - child->start_ns) > (child->limits.time_s + LATE_S) * 1e9)
    kill(child->keeper, SIGKILL);
}

static bool has_ended(const ts_child *child) {
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)child->keeper, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid != 0;
}

ts_status ts_child_poll(bool *out_done, ts_cell_rows *out, ts_child *child, ts_arena *arena) {
  *out_done = has_ended(child);
  if (!*out_done) {
    nudge(child);
    return TS_OK;
  }
  reap(child);
  const ts_cell_end cell_end = {.cell = child->cell,
                                .limits = &child->limits,
                                .report = child->report,
                                .result_file = child->result_file};
  return ts_cell_end_collect(out, &cell_end, arena);
}

/// Asks the keeper to end everything, and ends it if it does not.
static void end(ts_child *child) {
  child->report->must_end = 1;
  kill(child->keeper, SIGTERM);
  int64_t start_ns = ts_clock_ns();
  while (!has_ended(child)) {
    kill(child->keeper, SIGCONT);
    if ((double)(ts_clock_ns() - start_ns) > LATE_S * 1e9)
      kill(child->keeper, SIGKILL);
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  }
  reap(child);
}

void ts_child_destroy(ts_child *child) {
  if (!child)
    return;
  if (!child->is_reaped)
    end(child);
  free_child(child);
}
