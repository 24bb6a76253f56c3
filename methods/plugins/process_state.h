/// What of a process code that is loaded may change by the way, and what is to stay as it was.
#ifndef TS_METHODS_SURROUNDINGS_H
#define TS_METHODS_SURROUNDINGS_H

#include "base/types.h"

#include <fenv.h>
#include <signal.h>

enum { TS_SURROUNDINGS_SIGNALS = 32, TS_SURROUNDINGS_FILES = 32 };

typedef struct ts_surroundings {
  fenv_t numbers; ///< rounding, and whether tiny numbers are zero, as -ffast-math has it
  char locale[256];
  struct sigaction signals[TS_SURROUNDINGS_SIGNALS]; ///< of signal i
  int output;                                        ///< where standard output led; -1: not known
  uint32_t files;                                    ///< bit i: file i was open
} ts_surroundings;

/// Notes them, and lets standard output lead nowhere until they are restored.
void ts_surroundings_keep(ts_surroundings *out);

/// Puts all back but files that have been closed: TS_E_INPUT when one has.
ts_status ts_surroundings_restore(const ts_surroundings *kept);

#endif
