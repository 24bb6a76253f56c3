// SPDX-License-Identifier: MIT
#include "harness/isolation/kept_process.h"

#include "base/process.h"
#include "base/sanitizer.h"
#include "base/status.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

/// Backstop for allocations faster than the keeper can watch: limits address space to what the
/// process has plus twice the memory limit. Not with AddressSanitizer, which reserves terabytes.
static void limit_address_space(double memory_bytes) {
  double resident, address_space;
  if (TS_HAS_ADDRESS_SANITIZER || !ts_process_memory(&resident, &address_space, getpid()))
    return;
  double bytes = address_space + 2 * memory_bytes;
  if (bytes < 0x1p62)
    setrlimit(RLIMIT_AS, &(struct rlimit){(rlim_t)bytes, (rlim_t)bytes});
}

/// Resets signals to their defaults. A crash must end the process by its signal, whatever handlers
/// the program or a sanitizer has installed. SIGXFSZ stays ignored: results that exceed the file
/// size limit are reported as an error.
static void reset_signals(void) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP,  SIGPIPE, SIGSEGV, SIGBUS,
                                SIGFPE, SIGILL,  SIGABRT, SIGTRAP, SIGALRM};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    signal(signals[i], SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

void ts_kept_process_begin(ts_kept_process *out, pid_t keeper, double memory_bytes) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != keeper)
    _exit(1); // the keeper died before the line above
  prctl(PR_SET_NAME, "touchstone-cell");
  close_range(TS_KEEPER_RESULT_FILE + 1, UINT32_MAX, 0);
  *out = (ts_kept_process){.process = getpid()};
  if (fstat(TS_KEEPER_RESULT_FILE, &out->file) != 0 || getrlimit(RLIMIT_FSIZE, &out->size) != 0)
    _exit(1);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  limit_address_space(memory_bytes);
  reset_signals(); // last: until here the process cannot be ended halfway
}

void ts_kept_process_check(const ts_kept_process *process) {
  struct stat now;
  if (getpid() != process->process)
    _exit(0);
  if (fstat(TS_KEEPER_RESULT_FILE, &now) != 0 || now.st_dev != process->file.st_dev ||
      now.st_ino != process->file.st_ino)
    _exit(TS_KEPT_PROCESS_FILE_LOST);
}

_Noreturn void ts_kept_process_complain(const ts_kept_process *process,
                                        ts_keeper_complaint *complaint) {
  struct rlimit now;
  if (getrlimit(RLIMIT_FSIZE, &now) == 0 && now.rlim_cur < process->size.rlim_cur)
    _exit(TS_KEPT_PROCESS_LIMITED);
  snprintf(complaint->text, sizeof complaint->text, "%s", ts_status_detail());
  _exit(TS_KEPT_PROCESS_COMPLAINS);
}
