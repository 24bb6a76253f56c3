// SPDX-License-Identifier: MIT
#include "reports/plots/plot_range.h"

#include <math.h>

#define TICS_MAX  8     ///< powers of ten on an axis
#define POWER_MIN 1e-30 ///< whatever is in the file
#define POWER_MAX 1e30
#define HIDDEN    100.0 ///< times as high is out of proportion
#define MARGIN    0.05  ///< of the height of a linear axis, above and below what it shows

ts_plot_range ts_plot_range_start(void) {
  return (ts_plot_range){.low = INFINITY,
                         .high = -INFINITY,
                         .least = INFINITY,
                         .peak = 0,
                         .peak_least = INFINITY,
                         .peak_most = 0};
}

void ts_plot_range_add(ts_plot_range *range, double value) {
  range->has_zero |= value == 0;
  if (!isfinite(value))
    return;
  range->low = fmin(range->low, value);
  range->high = fmax(range->high, value);
  range->peak = fmax(range->peak, value);
  if (value > 0)
    range->least = fmin(range->least, fmax(value, POWER_MIN));
}

void ts_plot_range_end_curve(ts_plot_range *range) {
  if (range->peak > 0) {
    range->peak_least = fmin(range->peak_least, range->peak);
    range->peak_most = fmax(range->peak_most, range->peak);
  }
  range->peak = 0;
}

bool ts_plot_range_is_flat(const ts_plot_range *range) {
  return range->has_zero && !(range->low < 0 || range->high > 0);
}

bool ts_plot_range_hides_curves(const ts_plot_range *range) {
  return range->low >= 0 && range->peak_most > HIDDEN * range->peak_least;
}

bool ts_plot_range_spans_decades(const ts_plot_range *range) {
  return range->low >= 0 && range->high > HIDDEN * range->least;
}

void ts_plot_say_powers(ts_plot_page *page, const ts_plot_range *range, const char *column) {
  double low = range->least, high = fmin(range->high, POWER_MAX);
  int first = high > 0 ? (int)floor(log10(low)) : 0, last = high > 0 ? (int)ceil(log10(high)) : 0;
  last = last > first ? last : first + 1;
  double unit = (last - first) / 10.0, zero = pow(10, first - 1.2 * unit);
  int interval = (last - first) / TICS_MAX + 1;
  ts_plot_say(page, "set logscale y\nset yrange [%.3g:%.3g]\nset ytics (",
              range->has_zero ? pow(10, first - 1.6 * unit) : pow(10, first),
              pow(10, last + 0.2 * unit));
  for (int i = last; i >= first; i -= interval) {
    const char *between = i < last ? ", " : "";
    if (i < -3 || i > 3)
      ts_plot_say(page, "%s\"1e%d\" 1e%d", between, i, i);
    else
      ts_plot_say(page, "%s\"%g\" 1e%d", between, pow(10, i), i);
  }
  if (range->has_zero)
    ts_plot_say(page,
                ", \"0\" %.3g)\n"
                "set arrow from graph 0, first %.3g to graph 1, first %.3g nohead lw 0.8 dt (4,4) "
                "lc rgb \"#888888\"\n"
                "# Zeros are drawn where the axis says 0.\n"
                "placed(v) = v < %.3g ? %.3g : v\n",
                zero, pow(10, first - 0.6 * unit), pow(10, first - 0.6 * unit),
                pow(10, first - 1.2 * unit), zero);
  else
    ts_plot_say(page, ")\nplaced(v) = v < %.3g ? %.3g : v\n", pow(10, first), pow(10, first));
  ts_plot_say(page, "drawn(n) = placed(only(n, \"%s\"))\n", column);
}

void ts_plot_say_linear(ts_plot_page *page, const ts_plot_range *range, const char *column) {
  double low = fmin(range->low, 0), high = fmax(range->high, 0);
  high = high > low ? high : 1; // nothing but zeros
  double margin = MARGIN * (high - low);
  ts_plot_say(page, "set yrange [%.6g:%.6g]\nplaced(v) = v\ndrawn(n) = only(n, \"%s\")\n",
              low - margin, high + margin, column);
}

void ts_plot_say_no_axis(ts_plot_page *page) {
  ts_plot_say(page, "unset logscale y\nset ytics autofreq\nunset arrow\n");
}
