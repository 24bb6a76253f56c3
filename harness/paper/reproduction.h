// SPDX-License-Identifier: MIT
/// The published figures beside ours: which cells have to run for them, what they give, and how the
/// two compare.
#ifndef TS_HARNESS_REPRODUCTION_H
#define TS_HARNESS_REPRODUCTION_H

#include "harness/paper/published.h"
#include "harness/plan/plan.h"

/// Whose rules our figure follows.
typedef enum ts_reproduced {
  TS_REPRODUCED_PROX2018, ///< the simulator of the paper's author
  TS_REPRODUCED_PAPER,    ///< the text of the paper
  TS_REPRODUCED_COUNT
} ts_reproduced;

typedef enum ts_mark {
  TS_MARK_EQUAL,     ///< as printed, to its last decimal
  TS_MARK_CLOSE,     ///< within 2 percent points, or within 5 percent
  TS_MARK_DIFFERENT, ///< neither
  TS_MARK_MISSING,   ///< there is no figure of ours, or none is printed
  TS_MARK_COUNT
} ts_mark;

extern const char *const ts_mark_names[TS_MARK_COUNT];

/// A published figure with ours.
typedef struct ts_reproduction {
  const ts_published *published;
  double ours[TS_REPRODUCED_COUNT]; ///< in the published unit; NaN: missing
  ts_mark marks[TS_REPRODUCED_COUNT];
  const char *reason; ///< why they differ, where it is known; ""
} ts_reproduction;

/// The figures of the sources that the extended regular expression `sources` matches (NULL: all),
/// and the cells that they need, prox2018 first. TS_E_INPUT when it matches none.
ts_status ts_reproduction_plan(ts_plan *out, ts_arena *arena, const char *sources);

/// Fills the figures [*out_count] of those sources from the rows of that plan.
ts_status ts_reproduction_fill(ts_reproduction **out, size_t *out_count, ts_arena *arena,
                               const char *sources, const ts_plan *plan, const ts_record *records,
                               size_t record_count);

#endif
