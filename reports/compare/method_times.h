// SPDX-License-Identifier: MIT
/// Whether a method became slower as a whole: over many cells a change can be detected that is too
/// small for a single one.
#ifndef TS_REPORTS_METHOD_TIMES_H
#define TS_REPORTS_METHOD_TIMES_H

#include "reports/compare/time_difference.h"

/// Minimum number of cells of a method, minimum ratio of its times to the run's, either way, and
/// minimum share of its cells that changed in that direction. In runs of the same program on a busy
/// machine the ratio was at most 1.09.
#define TS_METHOD_CELLS_MIN 8
#define TS_METHOD_RATIO     1.2
#define TS_METHOD_SHARE     0.9

typedef struct ts_method_time {
  const char *method;
  size_t count;        ///< cells that were tested
  double ratio_to_run; ///< median over them
  ts_time_verdict verdict;
} ts_method_time;

/// The methods that have tested cells, by name. `*out` [*out_count] is in the arena.
ts_status ts_method_times_make(ts_method_time **out, size_t *out_count, ts_arena *arena,
                               const ts_difference *difference, const ts_time_difference *times);

#endif
