// SPDX-License-Identifier: MIT
/// The process of a keeper (keeper.h), seen from within: how its work begins, and when it may write
/// its results.
#ifndef TS_HARNESS_KEPT_PROCESS_H
#define TS_HARNESS_KEPT_PROCESS_H

#include "harness/isolation/keeper.h"

#include <sys/resource.h>
#include <sys/stat.h>

/// Exit statuses that are no results.
enum {
  TS_KEPT_PROCESS_FILE_LOST = 113, ///< the method has closed the file for the results
  TS_KEPT_PROCESS_LIMITED = 114,   ///< the method has lowered a limit, and the file cannot grow
  TS_KEPT_PROCESS_COMPLAINS = 115, ///< this machine has something too little: see the complaint
};

typedef struct ts_kept_process {
  pid_t process;
  struct stat file;   ///< TS_KEEPER_RESULT_FILE as it begins
  struct rlimit size; ///< limit on file sizes
} ts_kept_process;

/// Begins the work: the process dies with its keeper, has no files open but those of ts_keeper_run,
/// leaves no core, is ended by signals as any process is, and may map at most what it has and twice
/// `memory_bytes`.
void ts_kept_process_begin(ts_kept_process *out, pid_t keeper, double memory_bytes);

/// Ends the process if it may not hand over results: it is a copy that the method has forked and
/// from which it has returned, too; or its file for them is no longer that, since a method may have
/// closed it, and another file may have its descriptor.
void ts_kept_process_check(const ts_kept_process *process);

/// Ends the process of work that could not hand over what it had to, for the reason of the last
/// ts_fail().
_Noreturn void ts_kept_process_complain(const ts_kept_process *process,
                                        ts_keeper_complaint *complaint);

#endif
