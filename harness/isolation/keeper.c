// SPDX-License-Identifier: MIT
#include "harness/isolation/keeper.h"

#include "base/clock.h"
#include "base/error_relay.h"
#include "base/process.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// Interval between two looks at time, memory and the program.
#define WATCH_MS 10

/// The system counts the memory of a large process page by page: a look takes its time from the
/// cell, and is not followed by the next before this many times as long, or a tenth of a second.
#define WATCH_SHARE   20
#define WATCH_MOST_MS 100

/// How long it tries to start the process of a cell while the system has none left: other cells may
/// end.
#define START_S 2.0

/// How long it waits for killed processes.
#define END_S 2.0

/// Children of one process that are looked at.
#define CHILDREN_MAX 256

typedef struct keeper {
  const ts_keeper_job *job;
  ts_keeper_report *report;
  pid_t cell;
  int cell_file;         ///< pidfd, or -1
  ts_error_relay errors; ///< what the cell says on standard error
  char name[300];        ///< of the cell, for messages
  int64_t start_ns;
  double memory_bytes;
} keeper;

static bool has_lasted(int64_t start_ns, double time_s) {
  return (double)(ts_clock_ns() - start_ns) > time_s * 1e9;
}

static void wake(int signal_number) {
  (void)signal_number;
}

/// Blocks all signals, those of a method that it sends to its parent among them; SIGTERM ends a
/// wait.
static void block_signals(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  signal(SIGCHLD, SIG_DFL); // otherwise there may be nothing to wait for
  sigaction(SIGTERM, &(struct sigaction){.sa_handler = wake}, NULL);
}

/// Waits until the cell ends, it says something that can be passed on, or a look is due.
static void wait_for_change(const keeper *k) {
  sigset_t but_term;
  sigfillset(&but_term);
  sigdelset(&but_term, SIGTERM);
  struct pollfd files[2] = {{.fd = k->cell_file, .events = POLLIN},
                            ts_error_relay_poll(&k->errors)};
  ppoll(files, 2, &(struct timespec){.tv_nsec = WATCH_MS * 1000000}, &but_term);
}

/// Whether a process is one of ours that asks the method again (ts_fresh): not what it has started.
static bool is_ours(pid_t process) {
  ts_process_facts facts;
  return ts_process_read(&facts, process) && strcmp(facts.name, TS_KEEPER_OWN_PROCESS_NAME) == 0;
}

/// Memory that the descendants of a process have for themselves, except the cell and ours.
static double memory_below(const keeper *k, pid_t process, int depth) {
  pid_t children[CHILDREN_MAX];
  size_t count = ts_process_children(children, CHILDREN_MAX, process);
  double bytes = 0;
  for (size_t i = 0; i < count && depth > 0; i++) {
    if (children[i] != k->cell && is_ours(children[i]))
      continue;
    if (children[i] != k->cell)
      bytes += ts_process_own_memory(children[i]);
    bytes += memory_below(k, children[i], depth - 1);
  }
  return bytes;
}

static void kill_cell(const keeper *k) {
  kill(-k->cell, SIGKILL); // its process group
  kill(k->cell, SIGKILL);
}

static void enforce_limits(keeper *k) {
  ts_keeper_report *report = k->report;
  double resident = 0, address_space = 0;
  ts_process_memory(&resident, &address_space, k->cell);
  k->memory_bytes = fmax(k->memory_bytes, resident + memory_below(k, getpid(), 8));
  report->is_over_memory = k->memory_bytes > k->job->memory_limit_bytes;
  report->is_over_time = has_lasted(k->start_ns, k->job->time_limit_s);
}

/// Whether the cell has ended. It is not waited for yet, so that its number stays its own.
static bool has_ended(const keeper *k) {
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)k->cell, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

/// Watches the cell until it has ended or must be ended; false: the program has.
static bool watch(keeper *k) {
  int64_t looked_ns = k->start_ns;
  double pause_s = WATCH_MS / 1000.0;
  while (!has_ended(k)) {
    wait_for_change(k);
    ts_error_relay_pass(&k->errors);
    if (getppid() != k->job->program)
      return false;
    if (k->report->must_end)
      return true;
    if (!has_lasted(looked_ns, pause_s))
      continue;
    int64_t begin_ns = ts_clock_ns();
    enforce_limits(k);
    looked_ns = ts_clock_ns();
    pause_s = fmin(fmax(WATCH_SHARE * 1e-9 * (double)(looked_ns - begin_ns), WATCH_MS / 1000.0),
                   WATCH_MOST_MS / 1000.0);
    if (k->report->is_over_time || k->report->is_over_memory)
      return true;
  }
  return true;
}

/// Waits for the children that have ended; the number of those that were killed and are not ours.
/// `*out_any`: some still run.
static int reap(bool *out_any) {
  int killed = 0;
  for (;;) {
    siginfo_t info = {0};
    *out_any = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
    if (!*out_any || info.si_pid == 0)
      return killed;
    bool is_killed = info.si_code == CLD_KILLED && info.si_status == SIGKILL;
    killed += is_killed && !is_ours(info.si_pid);
    waitpid(info.si_pid, NULL, 0);
  }
}

/// Ends all that the cell has left. Its descendants became children of this process when their
/// parents ended, whatever sessions or groups they are in.
static int end_rest(void) {
  int64_t start_ns = ts_clock_ns();
  int killed = 0;
  for (;;) {
    bool any = false;
    killed += reap(&any);
    if (!any || has_lasted(start_ns, END_S))
      return killed;
    pid_t children[CHILDREN_MAX];
    size_t count = ts_process_children(children, CHILDREN_MAX, getpid());
    for (size_t i = 0; i < count; i++)
      kill(children[i], SIGKILL);
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
  }
}

/// Starts the process of the cell, with a pipe as its standard error.
static int start_cell(keeper *k) {
  int end;
  snprintf(k->name, sizeof k->name, "%s x %s", k->job->case_name, k->job->method);
  int error = ts_error_relay_open(&k->errors, &end, k->name);
  if (error != 0)
    return error;
  int64_t start_ns = ts_clock_ns();
  pid_t keeper_process = getpid();
  while ((k->cell = fork()) < 0) {
    if (has_lasted(start_ns, START_S) || getppid() != k->job->program || k->report->must_end)
      return errno;
    nanosleep(&(struct timespec){.tv_nsec = WATCH_MS * 1000000}, NULL);
  }
  k->start_ns = ts_clock_ns();
  if (k->cell == 0) {
    dup2(end, STDERR_FILENO);
    k->job->work(k->job->context, &k->report->complaint, keeper_process);
    _exit(1);
  }
  setpgid(k->cell, k->cell); // in the cell as well: either of the two may run first
  close(end);
  k->cell_file = pidfd_open(k->cell, 0);
  return 0;
}

/// Ends everything, and reports how the cell has ended.
static void finish(keeper *k) {
  ts_keeper_report *report = k->report;
  struct rusage usage = {0};
  kill_cell(k);
  while (wait4(k->cell, &report->wait_status, 0, &usage) < 0 && errno == EINTR)
    continue;
  report->processes_left = end_rest();
  report->memory_bytes = fmax(k->memory_bytes, (double)usage.ru_maxrss * 1024.0);
  ts_error_relay_close(&k->errors);
}

/// Leaves open only standard error and the file for the rows, as TS_KEEPER_RESULT_FILE. Opens none,
/// so that no limit on open files can interfere.
static void close_files(const ts_keeper_job *job) {
  if (dup2(job->nothing, STDIN_FILENO) < 0 || dup2(job->nothing, STDOUT_FILENO) < 0 ||
      dup2(job->result_file, TS_KEEPER_RESULT_FILE) < 0)
    _exit(1);
  close_range(TS_KEEPER_RESULT_FILE + 1, UINT32_MAX, 0);
}

void ts_keeper_run(const ts_keeper_job *job) {
  keeper k = {.job = job, .report = job->report, .cell_file = -1};
  block_signals();
  setpgid(0, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1); // what loses its parent becomes a child of this process
  prctl(PR_SET_NAME, "touchstone-keep");
  close_files(job);
  k.report->start_error = start_cell(&k);
  if (k.report->start_error == 0) {
    watch(&k);
    finish(&k);
  }
  k.report->is_complete = 1;
  _exit(0);
}
