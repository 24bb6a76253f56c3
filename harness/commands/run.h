// SPDX-License-Identifier: MIT
/// The command `run`, by one process or by the ranks of a crew.
#ifndef TS_HARNESS_COMMAND_RUN_H
#define TS_HARNESS_COMMAND_RUN_H

#include "harness/pool/runner.h"
#include "harness/run/run_values.h"

/// As ts_command_run.run. `crew` (borrowed; NULL: none) has this process as one of its ranks: rank
/// 0 parses the arguments, writes the results and prints; the others only run cells, say nothing,
/// and return once rank 0 has ended.
ts_status ts_run_command(int *out_exit, int count, char *const *arguments, ts_crew *crew);

/// How the options say that cells are to be run. `crew` as above.
ts_run_options ts_run_options_of(const ts_run_values *values, ts_crew *crew);

#endif
