// SPDX-License-Identifier: MIT
#include "harness/run/isolate.h"

#include "base/clock.h"
#include "base/process.h"
#include "base/status.h"
#include "harness/isolation/cell_ipc.h"
#include "harness/isolation/keeper.h"
#include "harness/run/cell_process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MEBIBYTE (1024.0 * 1024.0)

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
  ts_cell_process work = {
      .cell = child->cell, .timing = timing, .memory_bytes = child->limits.memory_bytes};
  const ts_keeper_job job = {.work = ts_cell_process_run,
                             .context = &work,
                             .case_name = child->cell->c->name,
                             .method = child->cell->method->name,
                             .time_limit_s = child->limits.time_s,
                             .memory_limit_bytes = child->limits.memory_bytes,
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
                     double step, ts_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

static ts_status say(ts_cell_ipc_content *content, const ts_child *child, ts_arena *arena,
                     double step, ts_outcome outcome, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
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

/// How the process of a cell has ended that should not have.
static const char *describe_end(char *out, size_t capacity, const ts_child *child,
                                bool is_damaged) {
  int wait_status = child->report->wait_status;
  if (WIFSIGNALED(wait_status)) {
    int number = WTERMSIG(wait_status);
    const char *name = sigabbrev_np(number);
    if (number == SIGKILL)
      return "killed by SIGKILL: by itself, from outside, or for want of memory";
    if (name)
      snprintf(out, capacity, "SIG%s", name);
    else
      snprintf(out, capacity, "signal %d", number);
    return out;
  }
  switch (WEXITSTATUS(wait_status)) {
  case TS_CELL_PROCESS_FILE_LOST:
    return "the file for the results was closed; a method must close only files that it has opened";
  case TS_CELL_PROCESS_LIMITED:
    return "the limit on file sizes was lowered, and there is no room for the results; a method "
           "must leave the limits of its process";
  default:
    if (is_damaged && WEXITSTATUS(wait_status) == 0)
      return "left unreadable results";
    snprintf(out, capacity,
             "the process ended with exit status %d before the cell had; a method must return",
             WEXITSTATUS(wait_status));
    return out;
  }
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
  const ts_keeper_report *report = child->report;
  double limit = child->limits.memory_bytes, step = (double)content->step;
  int wait_status = report->wait_status;
  bool is_killed = WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGKILL;
  if (!report->is_complete)
    return say(content, child, arena, step, TS_OUTCOME_CRASHED,
               "the process that watches over the cell was ended; a method must not signal its "
               "parent");
  if (report->memory_bytes > limit) // the peak decides, not when the keeper looked: reproducible
    return say(content, child, arena, step_over_memory(content, limit), TS_OUTCOME_OUT_OF_MEMORY,
               "used more than %.0f MiB of memory (%.0f MiB measured); run it again with a "
               "higher --memory-limit",
               limit / MEBIBYTE, report->memory_bytes / MEBIBYTE);
  if (report->is_over_time && is_killed)
    return say(content, child, arena, step, TS_OUTCOME_TIMED_OUT,
               "more than %g s; run it again with a higher --time-limit", child->limits.time_s);
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0 && content->is_whole)
    return TS_OK;
  char text[128];
  return say(content, child, arena, step, TS_OUTCOME_CRASHED, "%s",
             describe_end(text, sizeof text, child, content->is_damaged));
}

/// TS_E_IO when this machine had too little for the cell.
static ts_status check_machine(ts_keeper_report *report) {
  if (!report->is_complete)
    return TS_OK;
  if (report->start_error != 0)
    return ts_fail(TS_E_IO, "cannot start a process for a cell: %s; see ulimit -u",
                   strerror(report->start_error));
  if (WIFEXITED(report->wait_status) &&
      WEXITSTATUS(report->wait_status) == TS_CELL_PROCESS_COMPLAINS) {
    report->complaint.text[sizeof report->complaint.text - 1] = '\0';
    return ts_fail(TS_E_IO, "%s", report->complaint.text);
  }
  return TS_OK;
}

/// The rows of a cell that has ended. The method may have corrupted the process that wrote them,
/// and nothing is trusted.
static ts_status collect(ts_cell_rows *out, const ts_child *child, ts_arena *arena) {
  TS_TRY(check_machine(child->report));
  ts_cell_ipc_content content;
  TS_TRY(ts_cell_ipc_read(&content, arena, child->result_file,
                          fmax(child->limits.memory_bytes, MEBIBYTE), child->cell->key));
  TS_TRY(judge_end(&content, child, arena));
  for (size_t i = 0; i < content.rows.record_count; i++) {
    content.records[i].memory_bytes_max =
        child->report->is_complete ? child->report->memory_bytes : (double)NAN;
    content.records[i].processes_left =
        child->report->is_complete ? child->report->processes_left : (double)NAN;
  }
  *out = content.rows;
  return TS_OK;
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
  return collect(out, child, arena);
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
