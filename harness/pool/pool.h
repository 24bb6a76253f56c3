// SPDX-License-Identifier: MIT
/// A number of child processes with limits, each of which runs a cell.
#ifndef TS_HARNESS_POOL_H
#define TS_HARNESS_POOL_H

#include "harness/run/isolate.h"

#include <poll.h>

typedef struct ts_pool ts_pool;

/// A cell whose process has ended.
typedef struct ts_pool_result {
  const ts_cell *cell;
  ts_arena *arena; ///< owns the rows; the receiver destroys it
  ts_cell_rows rows;
  int64_t run_ns; ///< from the start of the process until its end was seen
} ts_pool_result;

/// Takes over a result, also when it fails.
typedef ts_status ts_pool_receiver(void *context, const ts_pool_result *result);

/// Of at most `jobs` cells at a time. `timing` and `limits` are borrowed; the arena owns the pool.
ts_status ts_pool_create(ts_pool **out, ts_arena *arena, int jobs, const ts_timing *timing,
                         const ts_limits *limits);

bool ts_pool_has_room(const ts_pool *pool);

/// Starts a cell (borrowed); there must be room. TS_E_IO when the system has no process or
/// descriptor left.
ts_status ts_pool_start(ts_pool *pool, const ts_cell *cell);

/// Number of cells that run.
int ts_pool_running(const ts_pool *pool);

/// Waits until a process ends, something happens at `others` [count] (at most
/// TS_POOL_OTHERS_MAX), whose events are then set, or the memory of the processes must be checked.
void ts_pool_wait(ts_pool *pool, struct pollfd *others, size_t count);

#define TS_POOL_OTHERS_MAX 4

/// Enforces the limits and passes each cell that has ended to the receiver. Does not wait.
ts_status ts_pool_poll(ts_pool *pool, ts_pool_receiver *receiver, void *context);

/// Kills the cells that still run. The pool must not be used afterwards. NULL is allowed.
void ts_pool_stop(ts_pool *pool);

#endif
