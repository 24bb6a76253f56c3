// SPDX-License-Identifier: MIT
/// Several files that belong together, written into one folder: all of them or none.
#ifndef TS_REPORTS_FILE_SET_H
#define TS_REPORTS_FILE_SET_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct ts_file_of_set {
  const char *path; ///< below the folder; folders on the way are made
  const char *bytes;
  size_t byte_count;
} ts_file_of_set;

/// Refuses what is not a folder, and one that exists and is not empty (TS_E_INPUT), for which
/// `remedy` says what else to do: "add --force".
ts_status ts_file_set_check(const char *folder, const char *remedy);

/// Writes the files [count] to a draft within the folder, which is made if need be, and moves them
/// to their places once all are complete: the last file last, so that with it the set is whole.
/// Files of the same names are replaced; a file in a folder of the set is not, which has to be new.
/// On TS_E_IO nothing of a new set is left. Signals should be held meanwhile (ts_interrupt_hold).
ts_status ts_file_set_write(const ts_file_of_set *files, size_t count, ts_arena *arena,
                            const char *folder);

#endif
