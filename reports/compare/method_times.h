// SPDX-License-Identifier: MIT
/// Whether a method became slower as a whole: over many cells a change shows that is too small for
/// any one of them.
#ifndef TS_REPORTS_METHOD_TIMES_H
#define TS_REPORTS_METHOD_TIMES_H

#include "reports/compare/time_difference.h"

/// Least cells of a method, least ratio of its times over the run's, either way, and least share of
/// its cells that went that way. Of runs of one program on a busy machine the ratio was 1.09 at
/// most.
#define TS_METHOD_CELLS_MIN 8
#define TS_METHOD_RATIO     1.2
#define TS_METHOD_SHARE     0.9

typedef struct ts_method_time {
  const char *method;
  size_t count;        ///< cells that were tested
  double ratio_to_run; ///< median over them
  ts_time_verdict verdict;
} ts_method_time;

/// The methods that have tested cells, by their name. `*out` [*out_count] is the arena's.
ts_status ts_method_times_make(ts_method_time **out, size_t *out_count, ts_arena *arena,
                               const ts_difference *difference, const ts_time_difference *times);

#endif
