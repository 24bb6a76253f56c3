// SPDX-License-Identifier: MIT
/// Files that are made with a method: in a process of its own (harness/isolation/kept.h), which
/// hands them over in memory. So the program writes and prints them itself, in its own folder and
/// with its own umask, whatever the method has done.
#ifndef TS_HARNESS_KEPT_FILES_H
#define TS_HARNESS_KEPT_FILES_H

#include "base/arena.h"
#include "harness/isolation/kept.h"
#include "reports/rows/file_set.h"

#include <stdio.h>

typedef struct ts_made_files {
  size_t count;
  ts_file_of_set *items; ///< [count]; paths are below a folder
} ts_made_files;

/// Appends a file that `write` writes, with a copy of its bytes in the arena; `path` is borrowed.
/// `items` must have room. The error of `write`, or TS_E_MEMORY.
ts_status ts_made_files_add(ts_made_files *files, ts_arena *arena, const char *path,
                            ts_status (*write)(FILE *file, void *context), void *context);

/// Writes all files but the last into a folder, in place of earlier ones there
/// (ts_file_set_replace), and prints the last, which is a text. A signal that arrives meanwhile
/// does not interrupt it; from then on one says that all is written (ts_interrupt_say).
ts_status ts_made_files_write(const ts_made_files *files, const ts_earlier_files *earlier,
                              ts_arena *arena, const char *folder);

typedef struct ts_kept_files_job {
  /// Makes the files, in memory that lives as long as the process. An error is that of the method,
  /// except TS_E_IO.
  ts_status (*make)(ts_made_files *out, void *context);
  void *context;
  const char *case_name, *method; ///< for messages
  ts_limits limits;
} ts_kept_files_job;

typedef struct ts_kept_files {
  ts_outcome outcome;
  const char *reason; ///< of an outcome that is not TS_OUTCOME_OK, as `run` gives it; else ""
  ts_made_files files;
} ts_kept_files;

/// Makes the files and waits for the end; what is going on is shown on a terminal. They are in the
/// arena. What the method has corrupted is an outcome, too. TS_E_IO: this machine has too little;
/// TS_E_MEMORY: this process has no memory for them.
ts_status ts_kept_files_make(ts_kept_files *out, ts_arena *arena, const ts_kept_files_job *job);

#endif
