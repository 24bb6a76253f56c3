// SPDX-License-Identifier: MIT
/// The published figures next to ours: which cells to run for them, their results, and how the two
/// compare.
#ifndef TS_HARNESS_REPRODUCTION_H
#define TS_HARNESS_REPRODUCTION_H

#include "harness/paper/published.h"

typedef enum ts_mark {
  TS_MARK_EQUAL,     ///< equal to the last printed decimal
  TS_MARK_CLOSE,     ///< within 2 percentage points, or within 5 percent
  TS_MARK_DIFFERENT, ///< neither
  TS_MARK_MISSING,   ///< we have no figure, or none is printed
  TS_MARK_STAND_IN,  ///< ours is of another object: printed, not compared
  TS_MARK_NONE,      ///< the paper has no such column
  TS_MARK_COUNT
} ts_mark;

extern const char *const ts_mark_names[TS_MARK_COUNT];

/// A published figure with ours.
typedef struct ts_reproduction {
  const ts_published *published;
  const ts_paper *paper;
  const ts_source *source;
  double ours[TS_REPRODUCED_COUNT]; ///< in the published unit; NaN: missing
  ts_mark marks[TS_REPRODUCED_COUNT];
  double nudged_min, nudged_max; ///< of ours in the first column, over nudged runs; NaN: none
  /// Why they differ in the first column, or what stands in; "" where they are equal or close.
  const char *reason;
  const char *reason_paper; ///< the same for the column `paper`
} ts_reproduction;

/// Plans the cells that the figures of the matching sources need, column by column; `sources` is an
/// extended regular expression that matches names of sources or of papers (NULL: all). TS_E_INPUT
/// when it matches none. `nudges`: how many nudged runs each figure has besides.
ts_status ts_reproduction_plan(ts_plan *out, ts_arena *arena, const char *sources, int nudges);

/// Computes the figures [*out_count] of those sources from the rows of that plan.
ts_status ts_reproduction_fill(ts_reproduction **out, size_t *out_count, ts_arena *arena,
                               const char *sources, int nudges, const ts_plan *plan,
                               const ts_record *records, size_t record_count);

#endif
