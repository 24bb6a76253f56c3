// SPDX-License-Identifier: MIT
/// The command `run` between the ranks of a crew: the options go from rank 0 to the others.
#ifndef TS_HARNESS_RUN_RANK_H
#define TS_HARNESS_RUN_RANK_H

#include "harness/pool/crew.h"
#include "harness/run/run_values.h"

/// Rank 0: gives the other ranks the options, so that they make the same plan. Without a crew
/// (NULL) there is nothing to do.
ts_status ts_run_rank_share(ts_crew *crew, ts_arena *arena, const ts_run_values *values);

/// A rank other than 0: makes the plan, reports it, and runs cells until rank 0 has ended.
ts_status ts_run_rank_serve(ts_crew *crew, ts_arena *arena);

#endif
