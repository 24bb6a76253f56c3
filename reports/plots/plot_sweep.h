// SPDX-License-Identifier: MIT
/// Swept parameters, found from the rows: parameters that take several numbers where all else is
/// the same.
#ifndef TS_REPORTS_PLOT_SWEEP_H
#define TS_REPORTS_PLOT_SWEEP_H

#include "reports/plots/plot_page.h"

typedef struct ts_plot_sweep {
  const char *name;
  bool is_of_simulation; ///< A parameter of the simulation, not of case or method.
  /// The rows that are ok and have the parameter, as a source of their own: the parameter, and
  /// those whose name ends in "seed", are taken off, so that the rows of a curve have one entry of
  /// cases and one of methods.
  ts_plot_source source;
  const size_t *original; ///< [source.count], index of the row where it was read
  const double *values;   ///< [source.count], of the parameter
} ts_plot_sweep;

/// `*out` [*out_count] is the arena's.
ts_status ts_plot_find_sweeps(ts_plot_sweep **out, size_t *out_count, ts_arena *arena,
                              const ts_plot_source *source);

/// A curve over the parameter: rows of one entry of cases and one of methods, by value; rows of
/// equal value (which differ by a seed) follow each other.
typedef struct ts_plot_run {
  size_t case_entry, method_entry;
  size_t count, value_count; ///< rows, and different values
  const size_t *rows;        ///< [count], of the sweep's source
} ts_plot_run;

/// The curves with two values or more, by case, then method. `*out` [*out_count] is the arena's.
ts_status ts_plot_find_runs(ts_plot_run **out, size_t *out_count, ts_arena *arena,
                            const ts_plot_sweep *sweep);

/// Points of a curve: the mean of a field over the rows of equal value; those that have none are
/// left out. `x` and `y` have room for value_count. Returns how many.
size_t ts_plot_run_points(double *x, double *y, const ts_plot_sweep *sweep, const ts_plot_run *run,
                          const ts_field *field);

/// Adds to the script: range and tics of the x axis for the values of the curves [count]: the
/// values themselves where they are few.
ts_status ts_plot_say_sweep_axis(ts_plot_page *page, const ts_plot_sweep *sweep,
                                 const ts_plot_run *runs, size_t count, bool is_logarithmic);

#endif
