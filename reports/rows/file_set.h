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
/// `remedy` says what else to do: "add --force"; NULL: nothing. Drafts of a process that was killed
/// do not count.
ts_status ts_file_set_check(const char *folder, const char *remedy);

/// Writes the files [count] to a draft within the folder, which is made if need be, and moves them
/// to their places once all are complete: the last file last, so that with it the set is whole.
/// Files of the same names are replaced; a file in a folder of the set is not, which has to be new.
/// On TS_E_IO nothing of a new set is left. Signals should be held meanwhile (ts_interrupt_hold).
/// Drafts that a killed process has left there are removed.
ts_status ts_file_set_write(const ts_file_of_set *files, size_t count, ts_arena *arena,
                            const char *folder);

/// Files of an earlier set, which a new one replaces.
typedef struct ts_earlier_files {
  size_t count;
  const char **names; ///< [count], in the folder itself; those that are not there do not matter
} ts_earlier_files;

/// The same with an earlier set of other files in the folder: they are removed in their order, once
/// the draft is complete and before anything takes its place. So files of both are never together;
/// when a file that names the others (a collection) is removed first and written last, a process
/// that is killed in between leaves none that names a file of the other set. TS_E_IO before
/// anything is removed where a name is that of a folder.
ts_status ts_file_set_replace(const ts_file_of_set *files, size_t count,
                              const ts_earlier_files *earlier, ts_arena *arena, const char *folder);

#endif
