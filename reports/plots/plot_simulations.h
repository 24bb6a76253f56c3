// SPDX-License-Identifier: MIT
/// Simulations of the same scene in one plot: their order, and what distinguishes them.
#ifndef TS_REPORTS_PLOT_SIMULATIONS_H
#define TS_REPORTS_PLOT_SIMULATIONS_H

#include "base/arena.h"
#include "base/types.h"

/// Names each of the lists [count] of simulation parameters by those that two lists have with
/// different values: "response=volume dt_s=0.01"; "" where nothing differs. Parameters that matter
/// to one response only are named where they differ within it; a list without a response has
/// `response=points`. `*out` [count] is the arena's.
ts_status ts_plot_name_simulations(const char ***out, ts_arena *arena, const char *const *lists,
                                   size_t count);

#endif
