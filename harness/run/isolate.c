// SPDX-License-Identifier: MIT
#include "harness/run/isolate.h"

#include "base/clock.h"
#include "base/sanitizer.h"
#include "base/status.h"
#include "harness/run/cell_ipc.h"

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
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEBIBYTE    (1024.0 * 1024.0)
#define RESULT_FILE 3 // the child's descriptor of the file for its rows

/// Exit status of a child that has lost that file.
#define EXIT_FILE_LOST 113

struct ts_child {
  const ts_cell *cell;
  ts_limits limits;
  pid_t process;
  int exit_file;   ///< pidfd, or -1
  int result_file; ///< the child writes its rows here
  int64_t start_ns;
  bool is_over_time, is_over_memory; ///< and was killed for it
  bool is_reaped;
};

/// Resident and virtual memory of a process [bytes]; false when they cannot be read.
static bool process_memory(double *out_resident, double *out_virtual, pid_t process) {
  char path[64], text[128];
  snprintf(path, sizeof path, "/proc/%ld/statm", (long)process);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  if (count <= 0)
    return false;
  text[count] = '\0';
  char *end;
  double page = (double)sysconf(_SC_PAGESIZE);
  *out_virtual = (double)strtoull(text, &end, 10) * page;
  *out_resident = (double)strtoull(end, NULL, 10) * page;
  return true;
}

/// Backstop for allocations faster than the parent can watch: limits address space to what the
/// process has plus twice the memory limit. Not with AddressSanitizer, which reserves terabytes.
static void limit_address_space(double memory_bytes) {
  double resident, address_space;
  if (TS_HAS_ADDRESS_SANITIZER || !process_memory(&resident, &address_space, getpid()))
    return;
  double bytes = address_space + 2 * memory_bytes;
  if (bytes < 0x1p62)
    setrlimit(RLIMIT_AS, &(struct rlimit){(rlim_t)bytes, (rlim_t)bytes});
}

/// Resets signals to their defaults. A crash must end the child by its signal, whatever handlers
/// the parent or a sanitizer has installed. SIGXFSZ stays ignored: rows that exceed the file size
/// limit are reported as an error.
static void reset_signals(void) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP,  SIGPIPE, SIGSEGV, SIGBUS,
                                SIGFPE, SIGILL,  SIGABRT, SIGTRAP, SIGALRM};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    signal(signals[i], SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/// Closes all inherited files except standard error and the file for the rows. Opens none, so that
/// no limit on open files can interfere; `nothing` is /dev/null.
static void close_files(int result_file, int nothing) {
  if (dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0 ||
      dup2(result_file, RESULT_FILE) < 0)
    _exit(1);
  close_range(RESULT_FILE + 1, UINT32_MAX, 0);
}

/// Writes the row of a cell that failed for reasons of our own, replacing rows already begun.
static ts_status write_failure(const ts_cell *cell, ts_status status) {
  if (ftruncate(RESULT_FILE, 0) != 0)
    return TS_E_IO;
  ts_record record;
  ts_cell_record(&record, cell, ts_cell_outcome(status), ts_status_detail());
  return ts_cell_ipc_write(RESULT_FILE, &(ts_cell_rows){.records = &record, .record_count = 1});
}

/// Whether a descriptor still refers to the given file. The child checks before it writes: a method
/// may have closed the file for its rows, and another file may have its descriptor.
static bool is_same_file(const struct stat *file, int number) {
  struct stat now;
  return fstat(number, &now) == 0 && now.st_dev == file->st_dev && now.st_ino == file->st_ino;
}

static _Noreturn void run_child(const ts_cell *cell, const ts_timing *timing,
                                const ts_limits *limits, int result_file, int nothing,
                                pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1); // the parent died before the line above
  reset_signals();
  close_files(result_file, nothing);
  struct stat results;
  if (fstat(RESULT_FILE, &results) != 0)
    _exit(1);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  limit_address_space(limits->memory_bytes);
  ts_arena *arena;
  ts_cell_rows rows;
  ts_status status = ts_arena_create(&arena);
  if (status == TS_OK)
    status = ts_cell_run(&rows, arena, cell, timing);
  if (!is_same_file(&results, RESULT_FILE))
    _exit(EXIT_FILE_LOST);
  if (status == TS_OK)
    status = ts_cell_ipc_write(RESULT_FILE, &rows);
  if (status != TS_OK)
    status = write_failure(cell, status);
  _exit(status == TS_OK ? 0 : 1);
}

static void close_if_open(int file) {
  if (file >= 0)
    close(file);
}

ts_status ts_child_start(ts_child **out, const ts_cell *cell, const ts_timing *timing,
                         const ts_limits *limits) {
  ts_child *child = calloc(1, sizeof *child);
  if (!child)
    return ts_fail(TS_E_MEMORY, "out of memory");
  *child = (ts_child){.cell = cell, .limits = *limits, .exit_file = -1};
  child->result_file = memfd_create("touchstone-rows", MFD_CLOEXEC);
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (child->result_file < 0 || nothing < 0) {
    ts_status status = ts_fail(
        TS_E_IO, "cannot open the files that a cell needs: %s; see ulimit -n", strerror(errno));
    close_if_open(child->result_file);
    close_if_open(nothing);
    free(child);
    return status;
  }
  child->start_ns = ts_clock_ns();
  pid_t parent = getpid();
  child->process = fork();
  if (child->process == 0)
    run_child(cell, timing, limits, child->result_file, nothing, parent);
  close(nothing);
  if (child->process < 0) {
    ts_status status =
        ts_fail(TS_E_IO, "cannot start a process for a cell: %s; see ulimit -u", strerror(errno));
    close(child->result_file);
    free(child);
    return status;
  }
  setpgid(child->process, child->process); // in the child as well: either of the two may run first
  child->exit_file = pidfd_open(child->process, 0);
  *out = child;
  return TS_OK;
}

int ts_child_file(const ts_child *child) {
  return child->exit_file;
}

/// Kills the child's process group. The child must not have been reaped yet, so that its pid, and
/// thus the group, cannot have been reused.
static void kill_group(const ts_child *child) {
  kill(-child->process, SIGKILL);
  kill(child->process, SIGKILL);
}

/// One record with an outcome and a reason.
static ts_status say(ts_record **out_records, ts_cell_rows *out, ts_child *child, ts_arena *arena,
                     ts_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

static ts_status say(ts_record **out_records, ts_cell_rows *out, ts_child *child, ts_arena *arena,
                     ts_outcome outcome, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  ts_record *record = ts_arena_alloc(arena, sizeof *record);
  char *reason = ts_arena_string(arena, text);
  if (!record || !reason)
    return TS_E_MEMORY;
  ts_cell_record(record, child->cell, outcome, reason);
  *out_records = record;
  *out = (ts_cell_rows){.records = record, .record_count = 1};
  return TS_OK;
}

static ts_status say_crashed(ts_record **out_records, ts_cell_rows *out, ts_child *child,
                             ts_arena *arena, int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    int number = WTERMSIG(wait_status);
    const char *name = sigabbrev_np(number);
    if (number == SIGKILL)
      return say(out_records, out, child, arena, TS_OUTCOME_CRASHED,
                 "killed by SIGKILL from outside; has the machine run out of memory?");
    return name ? say(out_records, out, child, arena, TS_OUTCOME_CRASHED, "SIG%s", name)
                : say(out_records, out, child, arena, TS_OUTCOME_CRASHED, "signal %d", number);
  }
  int code = WEXITSTATUS(wait_status);
  if (code == EXIT_FILE_LOST)
    return say(
        out_records, out, child, arena, TS_OUTCOME_CRASHED,
        "the file for the results was closed; a method must close only files that it has opened");
  struct stat facts;
  bool has_results = fstat(child->result_file, &facts) == 0 && facts.st_size > 0;
  if (code == 0 && has_results)
    return say(out_records, out, child, arena, TS_OUTCOME_CRASHED, "left unreadable results");
  return say(out_records, out, child, arena, TS_OUTCOME_CRASHED,
             "the process ended with exit status %d and without results", code);
}

/// Rows of a child that has ended, depending on how it ended.
static ts_status collect(ts_cell_rows *out, ts_child *child, ts_arena *arena, int wait_status,
                         double memory_bytes) {
  ts_record *records = NULL;
  ts_status status = TS_OK;
  bool has_ended_well = WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0;
  bool is_killed = WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGKILL;
  double limit = child->limits.memory_bytes;
  if (memory_bytes > limit || (child->is_over_memory && is_killed)) {
    // Decided by the peak memory, not by when the parent checked, so that it is reproducible.
    status = say(&records, out, child, arena, TS_OUTCOME_OUT_OF_MEMORY,
                 "used more than %.0f MiB of memory (%.0f MiB measured); run it again with a "
                 "higher --memory-limit",
                 limit / MEBIBYTE, memory_bytes / MEBIBYTE);
  } else if (child->is_over_time && is_killed) {
    status = say(&records, out, child, arena, TS_OUTCOME_TIMED_OUT,
                 "more than %g s; run it again with a higher --time-limit", child->limits.time_s);
  } else {
    status = has_ended_well ? ts_cell_ipc_read(out, &records, arena, child->result_file,
                                               fmax(limit, MEBIBYTE), child->cell->key)
                            : TS_E_INPUT;
    if (status == TS_E_INPUT)
      status = say_crashed(&records, out, child, arena, wait_status);
  }
  if (status != TS_OK)
    return status;
  for (size_t i = 0; i < out->record_count; i++)
    records[i].memory_bytes_max = memory_bytes;
  return TS_OK;
}

static void enforce_limits(ts_child *child) {
  if (child->is_over_time || child->is_over_memory)
    return;
  double resident = 0, address_space = 0;
  process_memory(&resident, &address_space, child->process);
  child->is_over_memory = resident > child->limits.memory_bytes;
  child->is_over_time = (double)(ts_clock_ns() - child->start_ns) > child->limits.time_s * 1e9;
  if (child->is_over_time || child->is_over_memory)
    kill_group(child);
}

ts_status ts_child_poll(bool *out_done, ts_cell_rows *out, ts_child *child, ts_arena *arena) {
  *out_done = false;
  siginfo_t info = {0};
  if (waitid(P_PID, (id_t)child->process, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
    return ts_fail(TS_E_IO, "cannot wait for the process of a cell: %s", strerror(errno));
  if (info.si_pid == 0) {
    enforce_limits(child);
    return TS_OK;
  }
  kill_group(child); // processes that it started and left behind
  int wait_status = 0;
  struct rusage usage = {0};
  if (wait4(child->process, &wait_status, 0, &usage) != child->process)
    return ts_fail(TS_E_IO, "cannot wait for the process of a cell: %s", strerror(errno));
  child->is_reaped = true;
  *out_done = true;
  return collect(out, child, arena, wait_status, (double)usage.ru_maxrss * 1024.0);
}

void ts_child_destroy(ts_child *child) {
  if (!child)
    return;
  if (!child->is_reaped) {
    kill_group(child);
    while (waitpid(child->process, NULL, 0) < 0 && errno == EINTR)
      continue;
  }
  close_if_open(child->exit_file);
  close(child->result_file);
  free(child);
}
