// SPDX-License-Identifier: MIT
/// Means of a column over rows, with their intervals: over the seeds of a cell, or over the cells
/// of a method.
#ifndef TS_REPORTS_PLOT_MEAN_H
#define TS_REPORTS_PLOT_MEAN_H

#include "reports/plots/plot_source.h"
#include "reports/study/bootstrap.h"

/// Collects the values of a column. Begins with all but `field` 0. The mean of a time is the
/// geometric one, that of anything else the arithmetic one.
typedef struct ts_plot_mean {
  const ts_field *field;
  double *values; ///< [count], in the arena
  size_t *strata; ///< [count]
  size_t count, capacity, strata_capacity;
  size_t measured;   ///< how many of the values were measured; the others count as 0
  size_t cell_count; ///< cells with a value
} ts_plot_mean;

/// Adds the value with which a row counts (ts_row_counted()), if it has one.
ts_status ts_plot_mean_add(ts_plot_mean *mean, ts_arena *arena, const ts_record *record,
                           size_t stratum);

/// Adds the rows of a cell, in the stratum of all cases of that name.
ts_status ts_plot_mean_add_cell(ts_plot_mean *mean, ts_arena *arena, const ts_plot_source *source,
                                size_t case_entry, size_t method_entry);

/// The mean; NaN if no value was measured.
double ts_plot_mean_value(const ts_plot_mean *mean);

/// The mean and its interval (ts_study_mean()). The ends of the interval are NaN where there is
/// none: for less than two values, and for values that are not finite. All NaN if no value was
/// measured.
ts_status ts_plot_mean_interval(ts_interval *out, ts_arena *arena, const ts_plot_mean *mean);

#endif
