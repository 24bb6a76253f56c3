// SPDX-License-Identifier: MIT
/// A shard: every n-th cell of a plan, so that several machines can share a plan without talking to
/// each other.
#ifndef TS_HARNESS_SHARD_H
#define TS_HARNESS_SHARD_H

#include "harness/plan/plan.h"

/// Largest number of shards of a plan.
#define TS_SHARD_COUNT_MAX 10000

/// Shard 3/16 has the cells 3, 19, 35, ... of the plan, counted from 1. 1/1 is the whole plan.
typedef struct ts_shard {
  size_t number; ///< 1 to `count`
  size_t count;
} ts_shard;

/// Reads "3/16"; NULL gives the whole plan. TS_E_INPUT, saying what is wrong.
ts_status ts_shard_parse(ts_shard *out, const char *text);

/// Number of cells of the shard of a plan with that many cells; 0 where there are more shards than
/// cells.
size_t ts_shard_cells(ts_shard shard, size_t plan_cells);

/// Leaves only the cells of the shard in the plan, in their order, numbered anew.
void ts_shard_take(ts_plan *plan, ts_shard shard);

#endif
