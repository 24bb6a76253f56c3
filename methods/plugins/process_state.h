// SPDX-License-Identifier: MIT
/// What of a process code that is loaded may change by the way, and what is to stay as it was.
#ifndef TS_METHODS_PROCESS_STATE_H
#define TS_METHODS_PROCESS_STATE_H

#include "base/types.h"

#include <fenv.h>
#include <signal.h>

enum { TS_PROCESS_STATE_SIGNALS = 32, TS_PROCESS_STATE_FILES = 32 };

typedef struct ts_process_state {
  fenv_t numbers; ///< rounding, and whether tiny numbers are zero, as -ffast-math has it
  char locale[256];
  struct sigaction signals[TS_PROCESS_STATE_SIGNALS]; ///< of signal i
  int output;                                         ///< where standard output led; -1: not known
  uint32_t files;                                     ///< bit i: file i was open
} ts_process_state;

/// Notes them, and lets standard output lead nowhere until they are restored.
void ts_process_state_save(ts_process_state *out);

/// Puts all back but files that have been closed: TS_E_INPUT when one has.
ts_status ts_process_state_restore(const ts_process_state *kept);

#endif
