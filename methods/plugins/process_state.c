// SPDX-License-Identifier: MIT
#include "methods/plugins/process_state.h"

#include "base/status.h"

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static uint32_t open_files(void) {
  uint32_t files = 0;
  for (int i = 0; i < TS_PROCESS_STATE_FILES; i++)
    if (fcntl(i, F_GETFD) >= 0)
      files |= UINT32_C(1) << i;
  return files;
}

void ts_process_state_save(ts_process_state *out) {
  memset(out, 0, sizeof *out);
  fegetenv(&out->numbers);
  const char *locale = setlocale(LC_ALL, NULL);
  snprintf(out->locale, sizeof out->locale, "%s", locale ? locale : "C");
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
}

ts_status ts_process_state_restore(const ts_process_state *kept) {
  fflush(stdout);
  uint32_t closed = kept->files & ~open_files();
  if (kept->output >= 0) {
    dup2(kept->output, STDOUT_FILENO);
    close(kept->output);
  }
  for (int i = 1; i < TS_PROCESS_STATE_SIGNALS; i++)
    sigaction(i, &kept->signals[i], NULL);
  setlocale(LC_ALL, kept->locale);
  fesetenv(&kept->numbers);
  return closed ? ts_fail(TS_E_INPUT, "closes files that it did not open; keep them open") : TS_OK;
}
