// SPDX-License-Identifier: MIT
#include "reports/plots/plot_range.h"

#include <math.h>

#define TICS_MAX  8     ///< powers of ten on an axis
#define POWER_MIN 1e-30 ///< whatever is in the file
#define POWER_MAX 1e30
#define NOISE     9     ///< decades, from the power of ten above the largest value down to noise
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

/// The power of ten at or above the largest value, which is above 0.
static int top_power(const ts_plot_range *range) {
  return (int)ceil(log10(fmin(range->high, POWER_MAX)));
}

ts_plot_range ts_plot_range_renew(const ts_plot_range *range) {
  ts_plot_range renewed = ts_plot_range_start();
  if (range->high > 0)
    renewed.noise = pow(10, top_power(range) - NOISE);
  return renewed;
}

void ts_plot_range_add(ts_plot_range *range, double value) {
  range->has_zero |= value == 0;
  if (!isfinite(value))
    return;
  range->low = fmin(range->low, value);
  range->high = fmax(range->high, value);
  range->peak = fmax(range->peak, value);
  range->has_noise |= value > 0 && value < range->noise;
  if (value > 0 && value >= range->noise)
    range->least = fmin(range->least, fmax(value, POWER_MIN));
}

void ts_plot_range_end_curve(ts_plot_range *range) {
  if (range->peak > 0 && range->peak >= range->noise) {
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
  return range->low >= 0 && (range->high > HIDDEN * range->least || range->has_noise);
}

/// Adds the tics of powers of ten, from the last down to the first.
static void say_power_tics(ts_plot_page *page, int first, int last) {
  int interval = (last - first) / TICS_MAX + 1;
  for (int i = last; i >= first; i -= interval) {
    const char *between = i < last ? ", " : "";
    if (i < -3 || i > 3)
      ts_plot_say(page, "%s\"1e%d\" 1e%d", between, i, i);
    else
      ts_plot_say(page, "%s\"%g\" 1e%d", between, pow(10, i), i);
  }
}

/// Adds the place of what powers of ten cannot show, and the line above it, which breaks the axis.
static void say_place_below(ts_plot_page *page, const ts_plot_range *range, double place,
                            double line) {
  if (range->has_noise)
    ts_plot_say(page, ", \"<1e%d\" %.3g)\n", top_power(range) - NOISE, place);
  else
    ts_plot_say(page, ", \"0\" %.3g)\n", place);
  ts_plot_say(page,
              "set arrow from graph 0, first %.3g to graph 1, first %.3g nohead lw 0.8 dt (4,4) "
              "lc rgb \"#888888\"\n"
              "# Values that are %s are drawn at the lowest label.\n",
              line, line, range->has_noise ? "0 or rounding noise" : "0");
}

void ts_plot_say_powers(ts_plot_page *page, const ts_plot_range *range, const char *column) {
  int first = range->high > 0 ? (int)floor(log10(range->least)) : 0;
  int last = range->high > 0 ? top_power(range) : 0;
  last = last > first ? last : first + 1;
  double unit = (last - first) / 10.0, lowest = pow(10, first);
  double place = pow(10, first - 1.2 * unit);
  bool has_place = range->has_zero || range->has_noise;
  ts_plot_say(page, "set logscale y\nset yrange [%.3g:%.3g]\nset ytics (",
              has_place ? pow(10, first - 1.6 * unit) : lowest, pow(10, last + 0.2 * unit));
  say_power_tics(page, first, last);
  if (has_place)
    say_place_below(page, range, place, pow(10, first - 0.6 * unit));
  else
    ts_plot_say(page, ")\n");
  ts_plot_say(page, "placed(v) = v < %.3g ? %.3g : v\ndrawn(n) = placed(only(n, \"%s\"))\n", lowest,
              has_place ? place : lowest, column);
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
