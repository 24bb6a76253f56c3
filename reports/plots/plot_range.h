// SPDX-License-Identifier: MIT
/// The values on a y axis, and the axis that shows them: linear, or of powers of ten with a place
/// for 0.
#ifndef TS_REPORTS_PLOT_RANGE_H
#define TS_REPORTS_PLOT_RANGE_H

#include "reports/plots/plot_page.h"

typedef struct ts_plot_range {
  double low, high; ///< of the finite values; INFINITY and -INFINITY without any
  double noise; ///< smaller values, but 0, are rounding noise; 0 in a range that was not renewed
  double least; ///< the smallest value above 0 and noise, but not below what an axis can show
  bool has_zero, has_noise;
  double peak;                  ///< of the current curve
  double peak_least, peak_most; ///< of the curves that rise above 0 and noise
} ts_plot_range;

ts_plot_range ts_plot_range_start(void);

/// A range to add the same values to again, now that the largest is known: what is nine decades
/// below it is noise, on which no axis is spent.
ts_plot_range ts_plot_range_renew(const ts_plot_range *range);

/// Adds a value of the current curve; NaN is none.
void ts_plot_range_add(ts_plot_range *range, double value);

/// Ends the current curve.
void ts_plot_range_end_curve(ts_plot_range *range);

/// Whether all values are 0.
bool ts_plot_range_is_flat(const ts_plot_range *range);

/// Whether one of the curves would lie on the bottom of a linear axis that shows the others.
bool ts_plot_range_hides_curves(const ts_plot_range *range);

/// Whether the positive values, noise among them, span more than two decades, and no value is
/// negative.
bool ts_plot_range_spans_decades(const ts_plot_range *range);

/// Adds to the script: an axis of powers of ten, `placed(v)`, the place of a value, and `drawn(n)`,
/// that of a value of curve n, which is in `column`. Powers have no 0, which is often the best
/// value: it gets a place of its own at the bottom, below a dashed line where the axis is broken.
/// Noise has the same place, which then is labelled with its limit: "<1e-9". Ends of intervals that
/// are negative are there, too.
void ts_plot_say_powers(ts_plot_page *page, const ts_plot_range *range, const char *column);

/// The same for a linear axis from the lowest value or 0 to the highest. Curves along its ends are
/// beside the frame, not on it.
void ts_plot_say_linear(ts_plot_page *page, const ts_plot_range *range, const char *column);

/// Adds to the script: what takes such an axis back before the next panel.
void ts_plot_say_no_axis(ts_plot_page *page);

#endif
