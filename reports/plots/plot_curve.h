// SPDX-License-Identifier: MIT
/// Sorted values as a curve: few enough points to draw, and the same picture.
#ifndef TS_REPORTS_PLOT_CURVE_H
#define TS_REPORTS_PLOT_CURVE_H

#include "reports/plots/plot_page.h"

/// Stairs to the height of a plot. A column's plot is 1.7 inches high: less than a dot of 1,200 to
/// the inch, so that thinning changes no picture.
#define TS_PLOT_STAIRS 2000.0

typedef struct ts_plot_sorted {
  size_t curve;       ///< from 1; 0 gets no marks
  const char *label;  ///< of the curve, in the data
  const char *column; ///< of the values
  const char *style;  ///< gnuplot's: "lt 3"
  size_t count;
  const double *values; ///< [count], ascending
  double least;         ///< Values that differ by less make one stair.
} ts_plot_sorted;

#define TS_PLOT_SORTED_HEADER "curve,label,mark,share_percent,"

/// Adds a curve to data of the columns TS_PLOT_SORTED_HEADER and `column`, and to the script: the
/// values as a staircase, each of which takes the same share of 0 to 100 percent. Rows of mark 1
/// are a few points on it, spread over its length and shifted from curve to curve, so that the
/// symbols of curves that lie on each other do not.
void ts_plot_add_sorted(ts_plot_page *page, const ts_plot_sorted *sorted);

#endif
