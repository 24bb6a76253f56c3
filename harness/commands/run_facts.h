// SPDX-License-Identifier: MIT
/// What differs between two runs, or between their parts, beyond the rows.
#ifndef TS_HARNESS_RUN_FACTS_H
#define TS_HARNESS_RUN_FACTS_H

#include "base/arena.h"

#include <jansson.h>

/// Lists the differences that make times of two runs hard to compare: machine, build, load, and the
/// number of jobs and limits of any part of either. "" when there are none, or when a side does not
/// record them. `*out` is in the arena; the contexts may be NULL. TS_E_MEMORY.
ts_status ts_run_facts_compare(const char **out, ts_arena *arena, const json_t *old,
                               const json_t *new);

#endif
