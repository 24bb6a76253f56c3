// SPDX-License-Identifier: MIT
/// The smallest scene that still fails: bodies, then triangles, then digits are taken away as long
/// as a condition on its rows holds.
#ifndef TS_HARNESS_SHRINK_H
#define TS_HARNESS_SHRINK_H

#include "harness/shrink/draft.h"

#include <stdio.h>

/// Asks whether a draft still fails. `*out` is false for one that is refused, as when its surfaces
/// are not closed or its truth cannot be derived. An error ends the search.
typedef ts_status (*ts_still_fails)(bool *out, void *context, const ts_draft *draft);

typedef struct ts_shrink_job {
  ts_still_fails still_fails;
  void *context;
  size_t tries_max; ///< questions that are asked
  FILE *progress;   ///< where the size so far is shown; NULL: nowhere
} ts_shrink_job;

typedef struct ts_shrunk {
  size_t tries;     ///< questions that were asked
  bool is_smallest; ///< no body can be left out and no edge collapsed; else tries ran out, or a
                    ///< signal came
} ts_shrunk;

/// Makes a draft, which fails, smaller in place. Bodies are left out in halves, quarters and so on
/// (Zeller and Hildebrandt 2002, ddmin); edges are collapsed onto one of their ends; coordinates
/// are rounded to as few decimals as will do, those of a body together and then each. All that is
/// repeated until none makes it smaller. The same draft is asked about once only. Deterministic.
/// Memory is of `arena`. An interrupt (harness/run/interrupt.h) ends it early, with what there is.
ts_status ts_shrink(ts_shrunk *out, ts_draft *draft, ts_arena *arena, const ts_shrink_job *job);

#endif
