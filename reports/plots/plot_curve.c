// SPDX-License-Identifier: MIT
#include "reports/plots/plot_curve.h"

#include <math.h>

#define MARKS ((size_t)5)

static void add_point(ts_plot_page *page, const ts_plot_sorted *sorted, int mark, double share,
                      double value) {
  ts_plot_number(page, (double)sorted->curve);
  ts_plot_text(page, sorted->label);
  ts_plot_number(page, mark);
  ts_plot_number(page, share);
  ts_plot_number(page, value);
  ts_plot_end_row(page);
}

static double share_of(size_t index, size_t count) {
  return 100 * (double)index / (double)count;
}

/// Selects the rows of a curve with `every`, because comparing a column in each row is much slower
/// in gnuplot.
static void say_rows(ts_plot_page *page, size_t first, const char *value, const char *with,
                     const char *style) {
  ts_plot_say(page, "%s data every ::%zu::%zu using \"share_percent\":\"%s\" with %s %s notitle",
              first == 0 ? "plot" : ", \\\n ", first, page->rows - 1, value, with, style);
}

void ts_plot_add_sorted(ts_plot_page *page, const ts_plot_sorted *sorted) {
  const double *values = sorted->values;
  size_t count = sorted->count, first_row = page->rows;
  if (count == 0)
    return;
  for (size_t first = 0, end; first < count; first = end) {
    end = first + 1;
    while (end < count && values[first] - values[end] < sorted->min_step)
      end++;
    add_point(page, sorted, 0, share_of(first, count), values[first]);
    add_point(page, sorted, 0, share_of(end, count), values[end - 1]);
  }
  say_rows(page, first_row, sorted->column, "lines", sorted->style);
  if (sorted->curve == 0)
    return;
  first_row = page->rows;
  // The golden ratio distributes the offsets evenly for any number of curves.
  double shift = fmod(0.5 + (double)sorted->curve * 0.6180339887498949, 1);
  for (size_t i = 0; i < MARKS; i++) {
    double share = ((double)i + shift) / (double)MARKS;
    size_t index = (size_t)(share * (double)count);
    add_point(page, sorted, 1, 100 * share, values[index < count ? index : count - 1]);
  }
  say_rows(page, first_row, sorted->column, "points", sorted->style);
}
