// SPDX-License-Identifier: MIT
/// Sorted values as a curve, thinned without a visible change.
#ifndef TS_REPORTS_PLOT_CURVE_H
#define TS_REPORTS_PLOT_CURVE_H

#include "reports/plots/plot_page.h"

/// Steps over the height of a plot. A single-column plot is 1.7 inches high, so a step is smaller
/// than a dot at 1,200 dpi and thinning changes no picture.
#define TS_PLOT_STAIRS 2000.0

typedef struct ts_plot_sorted {
  size_t curve;       ///< from 1; 0 has no marks
  const char *label;  ///< label of the curve in the data
  const char *column; ///< name of the column of the values
  const char *style;  ///< gnuplot style, such as "lt 3"
  size_t count;
  const double *values; ///< [count], descending: the best contact or the largest region first
  double min_step;      ///< Values that differ by less are merged into one step.
} ts_plot_sorted;

#define TS_PLOT_SORTED_HEADER "curve,label,mark,share_percent,"

/// Adds a curve to the data (columns TS_PLOT_SORTED_HEADER and `column`) and to the script: the
/// values as a staircase, each covering the same share of 0 to 100 percent. Rows with mark 1 are a
/// few points on it, spread over its length and offset from curve to curve, so that symbols do not
/// overlap where curves do.
void ts_plot_add_sorted(ts_plot_page *page, const ts_plot_sorted *sorted);

#endif
