// SPDX-License-Identifier: MIT
/// The row of one state of a cell, measured as a run does: in a process of its own, with limits.
#ifndef TS_HARNESS_MEASURE_ROW_H
#define TS_HARNESS_MEASURE_ROW_H

#include "harness/run/isolate.h"

/// Runs the cell, and gives the row of the step, or of the earlier one at which it ended otherwise;
/// in the arena. What is going on is shown on a terminal. TS_E_IO and TS_E_MEMORY as
/// ts_child_start() and ts_child_poll().
ts_status ts_measure_row(ts_record *out, ts_arena *arena, const ts_cell *cell, int64_t step,
                         const ts_timing *timing, const ts_limits *limits);

#endif
