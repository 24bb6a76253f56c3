// SPDX-License-Identifier: MIT
/// What code that is called may change in its process as a side effect: it is found, named and
/// restored.
#ifndef TS_BASE_SURROUNDINGS_H
#define TS_BASE_SURROUNDINGS_H

#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/// Kinds of changes; bits, in the order of their words.
enum {
  TS_CHANGED_ROUNDING = 1 << 0,   ///< another rounding mode
  TS_CHANGED_TRAPS = 1 << 1,      ///< floating-point exceptions that end the process
  TS_CHANGED_SUBNORMALS = 1 << 2, ///< subnormal numbers flushed to zero
  TS_CHANGED_DIRECTORY = 1 << 3,  ///< the working directory
  TS_CHANGED_UMASK = 1 << 4,
  TS_CHANGED_SIGNALS = 1 << 5, ///< signals that are blocked
  TS_CHANGED_TIMER = 1 << 6,   ///< an alarm
  TS_CHANGED_LIMITS = 1 << 7,  ///< resource limits
  TS_CHANGED_LOCALE = 1 << 8,
};
#define TS_CHANGED_COUNT 9

/// Bytes of all their words together.
#define TS_CHANGED_TEXT_BYTES 128

typedef struct ts_surroundings {
  char directory[PATH_MAX]; ///< its path; "": unknown
  dev_t device;             ///< of the directory
  ino_t inode;
  mode_t umask;
  sigset_t blocked;
  struct rlimit limits[RLIM_NLIMITS];
  char locale[256];
} ts_surroundings;

/// Restores the numbers of a process as it begins: rounding to nearest, no traps, subnormals.
/// Returns what was changed.
uint32_t ts_surroundings_restore_numbers(void);

void ts_surroundings_save(ts_surroundings *out);

/// Restores all, except numbers, and returns what was changed. `*out_lost`, which may be NULL: what
/// could not be restored.
uint32_t ts_surroundings_restore(const ts_surroundings *kept, uint32_t *out_lost);

/// Their words: "rounding, umask".
void ts_surroundings_words(char out[TS_CHANGED_TEXT_BYTES], uint32_t changed);

#endif
