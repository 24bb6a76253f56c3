// SPDX-License-Identifier: MIT
/// Process state that loaded code may change as a side effect and that must be restored.
#ifndef TS_METHODS_PROCESS_STATE_H
#define TS_METHODS_PROCESS_STATE_H

#include "base/types.h"

#include <fenv.h>
#include <signal.h>

enum { TS_PROCESS_STATE_SIGNALS = 32, TS_PROCESS_STATE_FILES = 32 };

typedef struct ts_process_state {
  fenv_t numbers; ///< rounding mode, and flush to zero, which -ffast-math sets
  char locale[256];
  struct sigaction signals[TS_PROCESS_STATE_SIGNALS]; ///< of signal i
  int output;                                         ///< copy of standard output; -1: none
  uint32_t files;                                     ///< bit i: file i was open
} ts_process_state;

/// Saves the state, and redirects standard output to /dev/null until it is restored.
void ts_process_state_save(ts_process_state *out);

/// Restores everything except closed files: TS_E_INPUT if a file has been closed.
ts_status ts_process_state_restore(const ts_process_state *kept);

#endif
