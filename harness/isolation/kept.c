// SPDX-License-Identifier: MIT
#include "harness/isolation/kept.h"

#include "base/clock.h"
#include "base/process.h"
#include "base/status.h"
#include "base/terminal.h"
#include "harness/isolation/kept_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
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

/// How often ts_kept_wait() looks at the keeper, and from when on it shows the time.
#define LOOK_EVERY_MS 50
#define SHOW_AFTER_S  1.0

struct ts_kept {
  ts_kept_job job;
  pid_t keeper;
  int exit_file;            ///< pidfd of the keeper, or -1
  int result_file;          ///< the process writes its results here
  ts_keeper_report *report; ///< shared with the keeper
  int64_t start_ns;
  bool is_reaped;
  ts_kept *next; ///< of those that are not reaped
};

/// Those whose keepers are not reaped: what else this program has as children was left by a cell
/// whose method has ended its keeper.
static ts_kept *running;

// ---- start -------------------------------------------------------------------------------------

static void close_if_open(int file) {
  if (file >= 0)
    close(file);
}

static void free_kept(ts_kept *kept) {
  close_if_open(kept->exit_file);
  close_if_open(kept->result_file);
  if (kept->report != MAP_FAILED)
    munmap(kept->report, sizeof *kept->report);
  free(kept);
}

static ts_status allocate(ts_kept **out, const ts_kept_job *job) {
  ts_kept *kept = calloc(1, sizeof *kept);
  if (!kept)
    return ts_fail(TS_E_MEMORY, "out of memory");
  *kept = (ts_kept){.job = *job,
                    .exit_file = -1,
                    .result_file = memfd_create("touchstone-rows", MFD_CLOEXEC),
                    .report = mmap(NULL, sizeof *kept->report, PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS, -1, 0)};
  if (kept->result_file >= 0 && kept->report != MAP_FAILED) {
    *out = kept;
    return TS_OK;
  }
  ts_status status =
      kept->report == MAP_FAILED
          ? ts_fail(TS_E_MEMORY, "out of memory")
          : ts_fail(TS_E_IO, "cannot open the files that a cell needs: %s; see ulimit -n",
                    strerror(errno));
  free_kept(kept);
  return status;
}

static ts_status fork_keeper(ts_kept *kept) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0)
    return ts_fail(TS_E_IO, "cannot open the files that a cell needs: %s; see ulimit -n",
                   strerror(errno));
  const ts_keeper_job job = {.work = kept->job.work,
                             .context = kept->job.context,
                             .case_name = kept->job.case_name,
                             .method = kept->job.method,
                             .time_limit_s = kept->job.limits.time_s,
                             .memory_limit_bytes = kept->job.limits.memory_bytes,
                             .result_file = kept->result_file,
                             .nothing = nothing,
                             .program = getpid(),
                             .report = kept->report};
  kept->start_ns = ts_clock_ns();
  kept->keeper = fork();
  if (kept->keeper == 0)
    ts_keeper_run(&job);
  int error = errno;
  close(nothing);
  return kept->keeper > 0 ? TS_OK
                          : ts_fail(TS_E_IO, "cannot start a process for a cell: %s; see ulimit -u",
                                    strerror(error));
}

ts_status ts_kept_start(ts_kept **out, const ts_kept_job *job) {
  ts_kept *kept = NULL;
  TS_TRY(allocate(&kept, job));
  prctl(PR_SET_CHILD_SUBREAPER, 1); // for the children of a lost keeper
  ts_status status = fork_keeper(kept);
  if (status != TS_OK) {
    free_kept(kept);
    return status;
  }
  setpgid(kept->keeper, kept->keeper); // in the keeper as well: either of the two may run first
  kept->exit_file = pidfd_open(kept->keeper, 0);
  kept->next = running;
  running = kept;
  *out = kept;
  return TS_OK;
}

int ts_kept_file(const ts_kept *kept) {
  return kept->exit_file;
}

// ---- end ---------------------------------------------------------------------------------------

static bool is_keeper(pid_t process) {
  for (const ts_kept *kept = running; kept; kept = kept->next)
    if (kept->keeper == process)
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
static void reap(ts_kept *kept) {
  ts_process_facts facts = {.start_ticks = 0};
  bool is_known = ts_process_read(&facts, kept->keeper); // also of one that has ended
  while (waitpid(kept->keeper, NULL, 0) < 0 && errno == EINTR)
    continue;
  kept->is_reaped = true;
  ts_kept **at = &running;
  while (*at != kept)
    at = &(*at)->next;
  *at = kept->next;
  if (!kept->report->is_complete && is_known)
    end_orphans(facts.start_ticks);
}

/// Wakes a keeper that the method has stopped, and ends one that is lost.
static void nudge(ts_kept *kept) {
  siginfo_t info = {0};
  if (waitid(P_PID, (id_t)kept->keeper, &info, WSTOPPED | WNOHANG) == 0 && info.si_pid != 0)
    kill(kept->keeper, SIGCONT);
  if ((double)(ts_clock_ns() - kept->start_ns) > (kept->job.limits.time_s + LATE_S) * 1e9)
    kill(kept->keeper, SIGKILL);
}

static bool is_over(const ts_kept *kept) {
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)kept->keeper, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid != 0;
}

bool ts_kept_has_ended(ts_kept *kept) {
  bool has_ended = is_over(kept);
  if (has_ended)
    reap(kept);
  else
    nudge(kept);
  return has_ended;
}

void ts_kept_wait(ts_kept *kept) {
  bool is_shown = ts_terminal_is_capable(stderr), was_shown = false;
  while (!ts_kept_has_ended(kept)) {
    struct pollfd end = {.fd = kept->exit_file, .events = POLLIN};
    poll(&end, 1, LOOK_EVERY_MS);
    double seconds = (double)(ts_clock_ns() - kept->start_ns) / 1e9;
    if (!is_shown || seconds < SHOW_AFTER_S)
      continue;
    fprintf(stderr, "\r\033[Krunning %s by %s, %.0f s", kept->job.case_name, kept->job.method,
            seconds);
    fflush(stderr);
    was_shown = true;
  }
  if (was_shown)
    fputs("\r\033[K", stderr);
}

/// Asks the keeper to end everything, and ends it if it does not.
static void end(ts_kept *kept) {
  kept->report->must_end = 1;
  kill(kept->keeper, SIGTERM);
  int64_t start_ns = ts_clock_ns();
  while (!is_over(kept)) {
    kill(kept->keeper, SIGCONT);
    if ((double)(ts_clock_ns() - start_ns) > LATE_S * 1e9)
      kill(kept->keeper, SIGKILL);
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  }
  reap(kept);
}

void ts_kept_destroy(ts_kept *kept) {
  if (!kept)
    return;
  if (!kept->is_reaped)
    end(kept);
  free_kept(kept);
}

// ---- what has come of it -----------------------------------------------------------------------

int ts_kept_results(const ts_kept *kept) {
  return kept->result_file;
}

const ts_keeper_report *ts_kept_report(const ts_kept *kept) {
  return kept->report->is_complete ? kept->report : NULL;
}

ts_status ts_kept_check_machine(const ts_kept *kept) {
  const ts_keeper_report *report = kept->report;
  if (!report->is_complete)
    return TS_OK;
  if (report->start_error != 0)
    return ts_fail(TS_E_IO, "cannot start a process for a cell: %s; see ulimit -u",
                   strerror(report->start_error));
  if (WIFEXITED(report->wait_status) &&
      WEXITSTATUS(report->wait_status) == TS_KEPT_PROCESS_COMPLAINS)
    return ts_fail(TS_E_IO, "%.*s", (int)sizeof report->complaint.text - 1, report->complaint.text);
  return TS_OK;
}

/// How a process has ended that should not have.
static void describe_end(char out[TS_KEPT_REASON_BYTES], int wait_status, bool is_damaged) {
  const size_t capacity = TS_KEPT_REASON_BYTES;
  if (WIFSIGNALED(wait_status)) {
    int number = WTERMSIG(wait_status);
    const char *name = sigabbrev_np(number);
    if (number == SIGKILL)
      snprintf(out, capacity, "killed by SIGKILL: by itself, from outside, or for want of memory");
    else if (name)
      snprintf(out, capacity, "SIG%s", name);
    else
      snprintf(out, capacity, "signal %d", number);
    return;
  }
  switch (WEXITSTATUS(wait_status)) {
  case TS_KEPT_PROCESS_FILE_LOST:
    snprintf(out, capacity,
             "the file for the results was closed; a method must close only files that it has "
             "opened");
    return;
  case TS_KEPT_PROCESS_LIMITED:
    snprintf(out, capacity,
             "the limit on file sizes was lowered, and there is no room for the results; a method "
             "must leave the limits of its process");
    return;
  default:
    if (is_damaged && WEXITSTATUS(wait_status) == 0)
      snprintf(out, capacity, "left unreadable results");
    else
      snprintf(out, capacity,
               "the process ended with exit status %d before the cell had; a method must return",
               WEXITSTATUS(wait_status));
  }
}

ts_outcome ts_kept_outcome(char out_reason[TS_KEPT_REASON_BYTES], const ts_kept *kept,
                           bool is_whole, bool is_damaged) {
  const ts_keeper_report *report = kept->report;
  double limit = kept->job.limits.memory_bytes;
  int wait_status = report->wait_status;
  bool is_killed = WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGKILL;
  if (!report->is_complete) {
    snprintf(out_reason, TS_KEPT_REASON_BYTES,
             "the process that watches over the cell was ended; a method must not signal its "
             "parent");
    return TS_OUTCOME_CRASHED;
  }
  if (report->memory_bytes > limit) { // not when the keeper looked: reproducible
    snprintf(out_reason, TS_KEPT_REASON_BYTES,
             "used more than %.0f MiB of memory (%.0f MiB measured); run it again with a higher "
             "--memory-limit",
             limit / MEBIBYTE, report->memory_bytes / MEBIBYTE);
    return TS_OUTCOME_OUT_OF_MEMORY;
  }
  if (report->is_over_time && is_killed) {
    snprintf(out_reason, TS_KEPT_REASON_BYTES,
             "more than %g s; run it again with a higher --time-limit", kept->job.limits.time_s);
    return TS_OUTCOME_TIMED_OUT;
  }
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0 && is_whole)
    return TS_OUTCOME_OK;
  describe_end(out_reason, wait_status, is_damaged);
  return TS_OUTCOME_CRASHED;
}
