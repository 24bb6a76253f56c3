// SPDX-License-Identifier: MIT
/// Swept parameters, detected from the rows: parameters with several numeric values while
/// everything else is equal.
#ifndef TS_REPORTS_PLOT_SWEEP_H
#define TS_REPORTS_PLOT_SWEEP_H

#include "reports/plots/plot_mean.h"
#include "reports/plots/plot_page.h"

typedef struct ts_plot_sweep {
  const char *name;
  bool is_of_simulation; ///< A parameter of the simulation rather than of case or method.
  /// The rows that have the parameter, as a separate source: the parameter is removed, so that all
  /// rows of a curve share one case entry and one method entry.
  ts_plot_source source;
  const size_t *original; ///< [source.count], index of the row in the original source
  const double *values;   ///< [source.count], value of the parameter
} ts_plot_sweep;

/// `*out` [*out_count] is the arena's.
ts_status ts_plot_find_sweeps(ts_plot_sweep **out, size_t *out_count, ts_arena *arena,
                              const ts_plot_source *source);

/// A curve over the parameter: the rows of one case entry and one method entry, sorted by value;
/// rows of equal value (which differ by a seed) are adjacent.
typedef struct ts_plot_run {
  size_t case_entry, method_entry;
  size_t count, value_count; ///< rows, and distinct values
  const size_t *rows;        ///< [count], rows of the sweep's source
} ts_plot_run;

/// The curves with two values or more, by case, then method. `*out` [*out_count] is the arena's.
ts_status ts_plot_find_runs(ts_plot_run **out, size_t *out_count, ts_arena *arena,
                            const ts_plot_sweep *sweep);

/// Points of a curve: the means of a column over the rows of equal value, which differ by seeds.
/// Values at which no row was measured are left out.
typedef struct ts_plot_points {
  size_t count;
  double *x;      ///< [count], ascending
  ts_interval *y; ///< [count]; their ends are NaN where there is no interval
} ts_plot_points;

/// With `has_intervals` false, which is faster, there are none.
ts_status ts_plot_run_points(ts_plot_points *out, ts_arena *arena, const ts_plot_sweep *sweep,
                             const ts_plot_run *run, const ts_field *field, bool has_intervals);

bool ts_plot_points_have_intervals(const ts_plot_points *points);

/// The largest number of rows of a value of the curves [count]: how many seeds were run.
size_t ts_plot_run_seeds(const ts_plot_sweep *sweep, const ts_plot_run *runs, size_t count);

/// Adds to the script: range and tics of the x axis for the values of the curves [count]; the tics
/// are the values themselves if there are few.
ts_status ts_plot_say_sweep_axis(ts_plot_page *page, const ts_plot_sweep *sweep,
                                 const ts_plot_run *runs, size_t count, bool is_logarithmic);

#endif
