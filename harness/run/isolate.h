// SPDX-License-Identifier: MIT
/// Runs each cell in a child process, with limits on time and memory.
#ifndef TS_HARNESS_ISOLATE_H
#define TS_HARNESS_ISOLATE_H

#include "harness/isolation/kept.h"
#include "harness/run/cell.h"

typedef struct ts_child ts_child;

/// Starts a cell in a process of its own (cell_process.h), kept as ts_kept_start() says. TS_E_IO:
/// the system has no process or file descriptor left.
ts_status ts_child_start(ts_child **out, const ts_cell *cell, const ts_timing *timing,
                         const ts_limits *limits);

/// Checks whether the cell has ended. Does not wait. Once `*out_done` is true, the rows are in the
/// arena: those of the states that were done and, when a limit was exceeded or the process crashed,
/// one more with the outcome, its reason and the step at which that happened. Every record has the
/// largest resident memory of the cell's processes, and how many its method has left. Do not call
/// again after `*out_done` was true. TS_E_IO: a limit of this machine has ended the cell, and there
/// are no rows; TS_E_MEMORY: this process has no memory for them.
ts_status ts_child_poll(bool *out_done, ts_cell_rows *out, ts_child *child, ts_arena *arena);

/// Waits until the cell has ended, as ts_child_poll() says. What is going on is shown on a
/// terminal.
ts_status ts_child_wait(ts_cell_rows *out, ts_child *child, ts_arena *arena);

/// A file descriptor for poll() that becomes readable when the child ends; -1 if the system does
/// not support that. Borrowed.
int ts_child_file(const ts_child *child);

/// Ends the cell if it still runs, with all that it has started, and frees everything. NULL is
/// allowed.
void ts_child_destroy(ts_child *child);

#endif
