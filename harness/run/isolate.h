// SPDX-License-Identifier: MIT
/// Runs each cell in a child process, with limits on time and memory.
#ifndef TS_HARNESS_ISOLATE_H
#define TS_HARNESS_ISOLATE_H

#include "harness/run/cell.h"

typedef struct ts_limits {
  double time_s;
  double memory_bytes; ///< resident
} ts_limits;

typedef struct ts_child ts_child;

/// Starts a cell in a forked child process with its own process group, which dies with its parent.
/// Its standard input and output are /dev/null, and it inherits no open file except standard error.
/// TS_E_IO: the system has no process or file descriptor left.
ts_status ts_child_start(ts_child **out, const ts_cell *cell, const ts_timing *timing,
                         const ts_limits *limits);

/// Checks whether the child has ended, and kills it when it exceeds a limit. Does not wait. Once
/// `*out_done` is true, the rows are in the arena: those of the cell, or one record with the
/// outcome crashed (and the signal), timed_out or out_of_memory. Every record has the peak resident
/// memory of the process. Do not call again after `*out_done` was true. TS_E_MEMORY: this process
/// has no memory for the rows.
ts_status ts_child_poll(bool *out_done, ts_cell_rows *out, ts_child *child, ts_arena *arena);

/// A file descriptor for poll() that becomes readable when the child ends; -1 if the system does
/// not support that. Borrowed.
int ts_child_file(const ts_child *child);

/// Kills the child if it still runs, including its own children, and frees everything. NULL is
/// allowed.
void ts_child_destroy(ts_child *child);

#endif
