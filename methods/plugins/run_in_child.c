// SPDX-License-Identifier: MIT
#include "methods/plugins/run_in_child.h"

#include "base/clock.h"
#include "base/error_relay.h"
#include "base/status.h"

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
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define DETAIL_BYTES 1024

/// Address space that the child may use in addition to what it starts with.
#define MEMORY_BYTES 0x1p32

/// Shared by parent and child; followed by the result.
typedef struct shared {
  int32_t has_ended;
  ts_status status;
  char detail[DETAIL_BYTES];
} shared;

/// Limits the memory of the child. Without /proc there is no limit.
static void limit_memory(void) {
  char text[128];
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  ssize_t count = file >= 0 ? read(file, text, sizeof text - 1) : 0;
  if (file >= 0)
    close(file);
  if (count <= 0)
    return;
  text[count] = '\0';
  double bytes = (double)strtoull(text, NULL, 10) * (double)sysconf(_SC_PAGESIZE) + MEMORY_BYTES;
  if (bytes < 0x1p62)
    setrlimit(RLIMIT_AS, &(struct rlimit){(rlim_t)bytes, (rlim_t)bytes});
}

/// Signals end the child, whatever handlers this process or a sanitizer has installed.
static void reset_signals(void) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP,  SIGSEGV, SIGBUS,
                                SIGFPE, SIGILL,  SIGABRT, SIGTRAP, SIGALRM};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    signal(signals[i], SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void run_child(const ts_child_call *call, shared *s, int error, pid_t parent) {
  setpgid(0, 0);
  dup2(error, STDERR_FILENO);
  close(error);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
  reset_signals();
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  limit_memory();
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing >= 0 && dup2(nothing, STDOUT_FILENO) < 0)
    _exit(1);
  ts_status status = call->work(s + 1, call->context);
  s->status = status;
  snprintf(s->detail, sizeof s->detail, "%s", ts_status_detail());
  s->has_ended = 1;
  _exit(0);
}

/// Waits until the child has ended or its time is over; false in the latter case. Passes on what it
/// says on standard error.
static bool wait_for_end(pid_t process, double time_limit_s, ts_error_relay *errors) {
  int file = pidfd_open(process, 0);
  int64_t end_ns = ts_clock_ns() + (int64_t)(time_limit_s * 1e9);
  bool has_ended = false;
  for (;;) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0) {
      has_ended = true;
      break;
    }
    int64_t left_ms = (end_ns - ts_clock_ns()) / 1000000;
    if (left_ms <= 0)
      break;
    struct pollfd wait[2] = {{.fd = file, .events = POLLIN}, ts_error_relay_poll(errors)};
    int64_t look_ms = file >= 0 ? 100 : 5; // also whether standard error takes something again
    poll(wait, 2, (int)(left_ms < look_ms ? left_ms : look_ms));
    ts_error_relay_pass(errors);
  }
  if (file >= 0)
    close(file);
  return has_ended;
}

/// The status that the child wrote, which may be corrupt.
static ts_status take_status(const shared *s) {
  char detail[DETAIL_BYTES];
  memcpy(detail, s->detail, sizeof detail);
  detail[sizeof detail - 1] = '\0';
  return s->status == TS_OK ? TS_OK : ts_fail(s->status, "%s", detail);
}

static ts_status describe_end(int wait_status) {
  if (WIFEXITED(wait_status))
    return ts_fail(TS_E_INPUT, "exited with status %d", WEXITSTATUS(wait_status));
  int number = WTERMSIG(wait_status);
  const char *name = sigabbrev_np(number);
  return name ? ts_fail(TS_E_INPUT, "crashed with SIG%s", name)
              : ts_fail(TS_E_INPUT, "crashed with signal %d", number);
}

static ts_status run(const ts_child_call *call, shared *s) {
  fflush(stdout);
  ts_error_relay errors;
  int end;
  int error = ts_error_relay_open(&errors, &end, call->who);
  if (error != 0)
    return ts_fail(TS_E_IO, "cannot open a pipe: %s; see ulimit -n", strerror(error));
  pid_t parent = getpid();
  pid_t process = fork();
  if (process == 0)
    run_child(call, s, end, parent);
  error = errno;
  close(end);
  if (process < 0) {
    ts_error_relay_close(&errors);
    return ts_fail(TS_E_IO, "cannot start a process: %s; see ulimit -u", strerror(error));
  }
  setpgid(process, process); // in both processes, so that neither order is a race
  bool has_ended = wait_for_end(process, call->time_limit_s, &errors);
  // Not reaped yet, so its process ID cannot have been reused.
  kill(-process, SIGKILL);
  kill(process, SIGKILL);
  int wait_status = 0;
  pid_t waited;
  do {
    waited = waitpid(process, &wait_status, 0);
  } while (waited < 0 && errno == EINTR);
  error = errno;
  ts_error_relay_close(&errors);
  if (waited < 0)
    return ts_fail(TS_E_IO, "cannot wait for a process: %s", strerror(error));
  if (!has_ended && s->has_ended != 1)
    return ts_fail(TS_E_INPUT, "did not return within %g s", call->time_limit_s);
  return s->has_ended == 1 ? take_status(s) : describe_end(wait_status);
}

ts_status ts_run_in_child(bool *out_has_returned, const ts_child_call *call) {
  size_t bytes = sizeof(shared) + call->result_bytes;
  shared *s = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (s == MAP_FAILED)
    return ts_fail(TS_E_MEMORY, "out of memory");
  ts_status status = run(call, s);
  if (call->result_bytes > 0)
    memcpy(call->result, s + 1, call->result_bytes);
  if (out_has_returned)
    *out_has_returned = s->has_ended == 1;
  munmap(s, bytes);
  return status;
}
