// SPDX-License-Identifier: MIT
#include "methods/plugins/process_state.h"

#include "base/process.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/// Children that are looked at.
#define CHILDREN_MAX 64

static uint32_t open_files(void) {
  uint32_t files = 0;
  for (int i = 0; i < TS_PROCESS_STATE_FILES; i++)
    if (fcntl(i, F_GETFD) >= 0)
      files |= UINT32_C(1) << i;
  return files;
}

static ts_status save_environment(ts_process_state *out, ts_arena *arena) {
  while (environ && environ[out->environment_count])
    out->environment_count++;
  out->environment = ts_arena_array(arena, out->environment_count + 1, sizeof *out->environment);
  for (size_t i = 0; out->environment && i < out->environment_count; i++) {
    out->environment[i] = ts_arena_string(arena, environ[i]);
    if (!out->environment[i])
      return TS_E_MEMORY;
  }
  return out->environment ? TS_OK : TS_E_MEMORY;
}

/// Leaves the environment alone where it is as it was: the program may hold pointers into it.
static void restore_environment(const ts_process_state *kept) {
  size_t i = 0;
  while (environ && environ[i] && i < kept->environment_count &&
         strcmp(environ[i], kept->environment[i]) == 0)
    i++;
  if (i == kept->environment_count && environ && !environ[i])
    return;
  clearenv();
  for (i = 0; i < kept->environment_count; i++)
    putenv(kept->environment[i]);
}

ts_status ts_process_state_save(ts_process_state *out, ts_arena *arena) {
  memset(out, 0, sizeof *out);
  TS_TRY(save_environment(out, arena));
  fegetenv(&out->numbers);
  ts_surroundings_save(&out->surroundings);
  out->niceness = getpriority(PRIO_PROCESS, 0);
  out->thread_count = ts_process_thread_count();
  for (int i = 1; i < TS_PROCESS_STATE_SIGNALS; i++)
    sigaction(i, NULL, &out->signals[i]);
  fflush(stdout);
  out->output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, TS_PROCESS_STATE_FILES);
  out->files = open_files();
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing >= 0 && out->output >= 0)
    dup2(nothing, STDOUT_FILENO);
  if (nothing >= 0)
    close(nothing);
  return TS_OK;
}

bool ts_process_state_end_children(void) {
  pid_t children[CHILDREN_MAX];
  size_t count = ts_process_children(children, CHILDREN_MAX, getpid());
  for (size_t i = 0; i < count; i++) {
    kill(children[i], SIGKILL);
    while (waitpid(children[i], NULL, 0) < 0 && errno == EINTR)
      continue;
  }
  return count > 0;
}

ts_status ts_process_state_restore(const ts_process_state *kept) {
  uint32_t lost = 0;
  fflush(stdout);
  uint32_t closed = kept->files & ~open_files();
  ts_surroundings_restore(&kept->surroundings, &lost);
  if (kept->output >= 0) {
    dup2(kept->output, STDOUT_FILENO);
    close(kept->output);
  }
  for (int i = 1; i < TS_PROCESS_STATE_SIGNALS; i++)
    sigaction(i, &kept->signals[i], NULL);
  restore_environment(kept);
  fesetenv(&kept->numbers);
  if (getpriority(PRIO_PROCESS, 0) != kept->niceness &&
      setpriority(PRIO_PROCESS, 0, kept->niceness) != 0)
    return ts_fail(TS_E_INPUT, "lowers the priority of the process for good; leave it");
  if (lost & TS_CHANGED_LIMITS)
    return ts_fail(TS_E_INPUT, "lowers limits of the process for good (setrlimit); leave them");
  if (lost & TS_CHANGED_DIRECTORY)
    return ts_fail(TS_E_INPUT, "leaves a folder to which there is no way back; stay there");
  if (closed)
    return ts_fail(TS_E_INPUT, "closes files that it did not open; keep them open");
  if (ts_process_thread_count() > kept->thread_count)
    return ts_fail(TS_E_INPUT, "starts threads when it is loaded, which cells do not have; start "
                               "them in prepare_shape()");
  return TS_OK;
}
