// SPDX-License-Identifier: MIT
/// Before the first cell: all ranks plan with the options of rank 0, and rank 0 makes sure that
/// they would run the same cells with the same program.
#ifndef TS_HARNESS_MUSTER_H
#define TS_HARNESS_MUSTER_H

#include "harness/plan/plan.h"
#include "harness/pool/crew.h"

#include <jansson.h>

/// Rank 0: sends the options, "--name=value" [count], to all others. TS_E_INPUT for one that is not
/// UTF-8.
ts_status ts_muster_share(ts_crew *crew, const char *const *options, size_t count);

/// The others: waits for the options, in the form of argv. TS_SKIPPED when rank 0 has ended
/// instead.
ts_status ts_muster_receive(char ***out, int *out_count, ts_arena *arena, ts_crew *crew);

/// The others: tells rank 0 about this program, this machine and the plan, or why there is none:
/// `planned` is then an error with a detail line.
ts_status ts_muster_report(ts_crew *crew, ts_status planned, const ts_plan *plan);

/// Rank 0: waits for the reports and compares them with its own plan. TS_E_INPUT with one message
/// that names the ranks: another build, a plug-in that is missing or another one, another plan, a
/// rank that cannot plan or has died. Other machines are allowed, with a warning: `*out_mpi`, owned
/// by the caller, is for context.json:
/// {"ranks", "jobs_per_rank", "hosts": [{"name", "ranks", "differs" (a text, if it does)}]}.
ts_status ts_muster_check(json_t **out_mpi, ts_crew *crew, const ts_plan *plan, int jobs);

#endif
