// SPDX-License-Identifier: MIT
/// A child process for each cell, with limits on time and memory.
#ifndef TS_HARNESS_ISOLATE_H
#define TS_HARNESS_ISOLATE_H

#include "harness/run/cell.h"

typedef struct ts_limits {
  double time_s;
  double memory_bytes; ///< resident
} ts_limits;

typedef struct ts_child ts_child;

/// Starts a cell in a child process, a copy of this one with a process group of its own, which dies
/// with its parent. It has no standard input, its standard output leads nowhere, and it holds no
/// file of this process but standard error. TS_E_IO: the system gives no further process or file.
ts_status ts_child_start(ts_child **out, const ts_cell *cell, const ts_timing *timing,
                         const ts_limits *limits);

/// Looks whether the child has ended, and ends it when it is over a limit. `*out_done` tells; the
/// rows are then in the arena: those of the cell, or one record that says crashed (which signal),
/// timed_out or out_of_memory. Every record has the largest resident memory of the process. Returns
/// at once. Not to be called again once it has told that the child is done. TS_E_MEMORY: this
/// process has no memory for the rows.
ts_status ts_child_poll(bool *out_done, ts_cell_rows *out, ts_child *child, ts_arena *arena);

/// A file descriptor, for poll(), that is readable once the child has ended; -1 when the system has
/// no such thing. Borrowed.
int ts_child_file(const ts_child *child);

/// Kills the child if it still runs, with all that it has started, and frees all. NULL is fine.
void ts_child_destroy(ts_child *child);

#endif
