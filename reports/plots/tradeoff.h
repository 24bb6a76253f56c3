// SPDX-License-Identifier: MIT
/// Quality against time over several cases, with the Pareto front: what the plot and the page draw.
#ifndef TS_REPORTS_TRADEOFF_H
#define TS_REPORTS_TRADEOFF_H

#include "reports/plots/plot_source.h"
#include "reports/study/bootstrap.h"

#include <stdbool.h>

typedef struct ts_tradeoff_point {
  size_t method; ///< entry of the method axis
  /// Means: of generate_ns_median the geometric one, of quality_percent the arithmetic one. Ends
  /// are NaN where there is no interval.
  ts_interval time_ns, quality_percent;
  size_t case_count; ///< cases in which it has a quality
  bool is_best;      ///< on the front: no other method is both faster and better
} ts_tradeoff_point;

typedef struct ts_tradeoff {
  ts_tradeoff_point *items; ///< [count], by time; methods without a time or a quality are left out
  size_t count;
} ts_tradeoff;

/// The means of the methods over the entries `cases` [count] of the case axis, in the arena.
ts_status ts_tradeoff_find(ts_tradeoff *out, ts_arena *arena, const ts_plot_source *source,
                           const size_t *cases, size_t count, bool has_intervals);

/// The entries of the case axis at a step in which two methods or more can be compared, ascending:
/// `*out` [*out_count], in the arena.
ts_status ts_tradeoff_cases(const size_t **out, size_t *out_count, ts_arena *arena,
                            const ts_plot_source *source, double step);

#endif
