// SPDX-License-Identifier: MIT
/// Process state that loaded code may change as a side effect and that must be restored.
#ifndef TS_METHODS_PROCESS_STATE_H
#define TS_METHODS_PROCESS_STATE_H

#include "base/arena.h"
#include "base/surroundings.h"

#include <fenv.h>
#include <signal.h>
#include <stdbool.h>

enum { TS_PROCESS_STATE_SIGNALS = 32, TS_PROCESS_STATE_FILES = 32 };

typedef struct ts_process_state {
  ts_surroundings surroundings; ///< directory, umask, blocked signals, alarm, limits, locale
  fenv_t numbers;               ///< rounding mode, and flush to zero, which -ffast-math sets
  struct sigaction signals[TS_PROCESS_STATE_SIGNALS]; ///< of signal i
  int output;                                         ///< copy of standard output; -1: none
  uint32_t files;                                     ///< bit i: file i was open
  char **environment;                                 ///< [environment_count], copies in the arena
  size_t environment_count;
  int niceness;
  size_t thread_count; ///< 0: unknown
} ts_process_state;

/// Saves the state, and redirects standard output to /dev/null until it is restored. TS_E_MEMORY.
ts_status ts_process_state_save(ts_process_state *out, ts_arena *arena);

/// Restores everything that can be; the environment may then be that in the arena. TS_E_INPUT, with
/// what the loaded code must not do: it has closed files, lowered limits or the priority for good,
/// or started threads.
ts_status ts_process_state_restore(const ts_process_state *kept);

/// Ends the processes that this process has started; whether there were any.
bool ts_process_state_end_children(void);

#endif
