// SPDX-License-Identifier: MIT
/// A rank of a crew other than rank 0: runs the cells that it is handed.
#ifndef TS_HARNESS_SERVE_H
#define TS_HARNESS_SERVE_H

#include "harness/pool/crew.h"
#include "harness/pool/runner.h"

/// Runs cells of the plan until rank 0 has ended, which is TS_OK. Errors that stop this rank and
/// termination signals are reported to rank 0, which ends the run with one message.
ts_status ts_serve_cells(ts_crew *crew, ts_arena *arena, const ts_plan *plan,
                         const ts_run_options *options);

#endif
