// SPDX-License-Identifier: MIT
/// Runs the cells of relate: several at a time, each in a process of its own.
#ifndef TS_HARNESS_RELATE_RUN_H
#define TS_HARNESS_RELATE_RUN_H

#include "harness/relations/relate_cell.h"

typedef struct ts_relate_options {
  int jobs;
  ts_limits limits;
  bool is_wanted[TS_RELATION_COUNT];
  bool show_progress; ///< on standard error, if that is a terminal
} ts_relate_options;

/// `*out` [plan->cell_count * TS_RELATION_COUNT], cell by cell, in the arena; the findings that are
/// wanted are set. They do not depend on the jobs. TS_E_IO: the system has no process or descriptor
/// for a single cell; TS_E_MEMORY.
ts_status ts_relate_run(ts_relation_finding **out, ts_arena *arena, const ts_plan *plan,
                        const ts_relate_options *options);

#endif
