// SPDX-License-Identifier: MIT
#include "harness/run/cell_process.h"

#include "base/process.h"
#include "base/sanitizer.h"
#include "base/status.h"
#include "harness/isolation/cell_ipc.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
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
/// the program or a sanitizer has installed. SIGXFSZ stays ignored: rows that exceed the file size
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

typedef struct output {
  pid_t process; ///< of the cell
  ts_cell_ipc_writer writer;
  struct stat file;
  struct rlimit size; ///< limit on file sizes
  int64_t step;       ///< of the state that began last
} output;

/// Ends the process if it may not hand over rows: it is a copy that the method has forked and from
/// which it has returned, too; or its file for the rows is no longer that, since a method may have
/// closed it, and another file may have its descriptor.
static void check_file(const output *o) {
  struct stat now;
  if (getpid() != o->process)
    _exit(0);
  if (fstat(o->writer.file, &now) != 0 || now.st_dev != o->file.st_dev ||
      now.st_ino != o->file.st_ino)
    _exit(TS_CELL_PROCESS_FILE_LOST);
}

static ts_status begin_state(void *context, int64_t step) {
  output *o = context;
  check_file(o);
  o->step = step;
  return ts_cell_ipc_begin(&o->writer, step);
}

static ts_status add_rows(void *context, const ts_cell_rows *rows) {
  output *o = context;
  check_file(o);
  // How far memory had grown at that step, so that the step which exceeds the limit is known.
  struct rusage usage = {0};
  getrusage(RUSAGE_SELF, &usage);
  ts_record record = rows->records[0];
  record.memory_bytes_max = (double)usage.ru_maxrss * 1024.0;
  ts_cell_rows with_memory = *rows;
  with_memory.records = &record;
  return ts_cell_ipc_append(&o->writer, &with_memory);
}

/// Ends the process of a cell that could not hand over what it had to.
static _Noreturn void complain(const output *o, ts_keeper_complaint *complaint) {
  struct rlimit now;
  if (getrlimit(RLIMIT_FSIZE, &now) == 0 && now.rlim_cur < o->size.rlim_cur)
    _exit(TS_CELL_PROCESS_LIMITED);
  snprintf(complaint->text, sizeof complaint->text, "%s", ts_status_detail());
  _exit(TS_CELL_PROCESS_COMPLAINS);
}

void ts_cell_process_run(void *context, ts_keeper_complaint *complaint, pid_t keeper) {
  const ts_cell_process *process = context;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != keeper)
    _exit(1); // the keeper died before the line above
  prctl(PR_SET_NAME, "touchstone-cell");
  close_range(TS_KEEPER_RESULT_FILE + 1, UINT32_MAX, 0);
  output o = {.process = getpid(),
              .writer = {.file = TS_KEEPER_RESULT_FILE, .end = TS_CELL_IPC_START}};
  if (fstat(o.writer.file, &o.file) != 0 || getrlimit(RLIMIT_FSIZE, &o.size) != 0)
    _exit(1);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  limit_address_space(process->memory_bytes);
  reset_signals(); // last: until here the process cannot be ended halfway
  const ts_cell_sink sink = {begin_state, add_rows, &o};
  ts_status status = ts_cell_run(&sink, process->cell, process->timing);
  check_file(&o);
  if (status == TS_E_IO)
    complain(&o, complaint);
  if (status != TS_OK) {
    ts_record record;
    ts_cell_record(&record, process->cell, ts_cell_outcome(status), ts_status_detail());
    record.step = (double)o.step;
    status = ts_cell_ipc_append(&o.writer, &(ts_cell_rows){.records = &record, .record_count = 1});
  }
  if (status == TS_OK)
    status = ts_cell_ipc_end(&o.writer);
  if (status != TS_OK)
    complain(&o, complaint);
  _exit(0);
}
