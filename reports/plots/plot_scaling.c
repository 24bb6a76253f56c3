// SPDX-License-Identifier: MIT
/// Time against problem size: curves over a swept parameter that counts something, with fitted
/// exponents.
#include "base/number.h"
#include "base/status.h"
#include "reports/plots/plot_kinds.h"
#include "reports/plots/plot_sweep.h"

#include <math.h>

#define VALUES_MIN  ((size_t)3) ///< with two, a fit means nothing
#define CURVES_MANY 8           ///< more are hard to tell apart in one column of a paper

/// A line fitted to the points: time = factor x^exponent if `is_power`, else factor base^x.
typedef struct fit {
  double slope, intercept; ///< of ln time over ln x or x
} fit;

static fit fit_line(const ts_plot_points *points, bool is_power) {
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (size_t i = 0; i < points->count; i++) {
    mean_x += (is_power ? log(points->x[i]) : points->x[i]) / (double)points->count;
    mean_y += log(points->y[i].mean) / (double)points->count;
  }
  for (size_t i = 0; i < points->count; i++) {
    double dx = (is_power ? log(points->x[i]) : points->x[i]) - mean_x;
    xx += dx * dx;
    xy += dx * (log(points->y[i].mean) - mean_y);
  }
  return (fit){xy / xx, mean_y - xy / xx * mean_x};
}

static bool is_size(const ts_plot_sweep *sweep) {
  if (sweep->is_of_simulation)
    return false;
  for (size_t i = 0; i < sweep->source.count; i++)
    if (sweep->values[i] != floor(sweep->values[i]) || sweep->values[i] < 0)
      return false;
  return true;
}

/// Whether all values fit on a logarithmic axis.
static bool is_positive(const ts_plot_sweep *sweep) {
  for (size_t i = 0; i < sweep->source.count; i++)
    if (!(sweep->values[i] > 0))
      return false;
  return true;
}

static const ts_field *time_field(void) {
  return ts_row_find(&ts_summary_rows, "generate_ns_median");
}

static ts_status add_curve(ts_plot_page *page, const ts_plot_sweep *sweep, const ts_plot_run *run,
                           const ts_plot_points *points) {
  ts_arena *arena = page->book->arena;
  const char *label = ts_axis_label(arena, &sweep->source.methods.entries[run->method_entry]);
  const char *style = ts_plot_style(arena, &sweep->source, run->method_entry);
  bool is_power = is_positive(sweep);
  size_t curve = run->method_entry + 1;
  fit line = fit_line(points, is_power);
  char number[TS_NUMBER_BYTES];
  snprintf(number, sizeof number, "%.2f", is_power ? line.slope : exp(line.slope));
  const char *title = !label     ? NULL
                      : is_power ? ts_arena_format(arena, "%s: exponent %s", label, number)
                                 : ts_arena_format(arena, "%s: x %s per level", label, number);
  const char *quoted = title ? ts_plot_quote(arena, title) : NULL;
  if (!quoted || !style)
    return TS_E_MEMORY;
  for (size_t i = 0; i < points->count; i++) {
    double x = points->x[i];
    ts_plot_number(page, (double)curve);
    ts_plot_text(page, label);
    ts_plot_number(page, x);
    ts_plot_number(page, points->y[i].mean * 1e-9);
    ts_plot_number(page, exp(line.intercept + line.slope * (is_power ? log(x) : x)) * 1e-9);
    ts_plot_number(page, points->y[i].low * 1e-9);
    ts_plot_number(page, points->y[i].high * 1e-9);
    ts_plot_end_row(page);
  }
  if (ts_plot_points_have_intervals(points))
    ts_plot_say(page,
                "  data using (only(%zu, \"value\")):\"time_s\":\"time_low_s\":\"time_high_s\" "
                "with yerrorbars %s " TS_PLOT_BARS " notitle, \\\n",
                curve, style);
  ts_plot_say(
      page,
      "  data using (only(%zu, \"value\")):\"fit_s\" with lines %s notitle, \\\n"
      "  data using (only(%zu, \"value\")):\"time_s\" with points %s ps 1.3 * symbol notitle, \\\n"
      "  keyentry with linespoints %s title label(%s)",
      curve, style, curve, style, style, quoted);
  return TS_OK;
}

static ts_status fill_page(ts_plot_page *page, const ts_plot_sweep *sweep, const ts_plot_run *runs,
                           size_t count) {
  const char *name = sweep->name;
  if (ts_plot_run_seeds(sweep, runs, count) > 1)
    name = ts_arena_format(page->book->arena, "%s (bars: 95%% intervals)", name);
  name = name ? ts_plot_quote(page->book->arena, name) : NULL;
  if (!name)
    return TS_E_MEMORY;
  ts_plot_say(page,
              "set xlabel label(%s)\n"
              "set ylabel label(\"time to generate the contacts\")\n"
              "set logscale y\n"
              "set format y \"%%.0s%%cs\"\n",
              name);
  TS_TRY(ts_plot_say_sweep_axis(page, sweep, runs, count, is_positive(sweep)));
  ts_plot_say(page, "plot \\\n");
  bool is_first = true;
  for (size_t i = 0; i < count; i++) {
    ts_plot_points points;
    TS_TRY(ts_plot_run_points(&points, page->book->arena, sweep, &runs[i], time_field(), true));
    if (points.count < VALUES_MIN)
      continue;
    ts_plot_say(page, "%s", is_first ? "" : ", \\\n");
    is_first = false;
    TS_TRY(add_curve(page, sweep, &runs[i], &points));
  }
  ts_plot_say(page, "\n");
  return TS_OK;
}

/// How many of the curves have enough points to fit.
static ts_status count_fitted(size_t *out, ts_arena *arena, const ts_plot_sweep *sweep,
                              const ts_plot_run *runs, size_t count) {
  *out = 0;
  for (size_t i = 0; i < count; i++) {
    ts_plot_points points;
    TS_TRY(ts_plot_run_points(&points, arena, sweep, &runs[i], time_field(), false));
    *out += points.count >= VALUES_MIN;
  }
  return TS_OK;
}

/// Makes a page of the curves [count] of one case.
static ts_status make_page(ts_plot_book *book, const ts_plot_sweep *sweep, const ts_plot_run *runs,
                           size_t count) {
  ts_arena *arena = book->arena;
  size_t fitted, entry = runs[0].case_entry;
  TS_TRY(count_fitted(&fitted, arena, sweep, runs, count));
  if (fitted == 0 || !ts_plot_case_is_shown(&sweep->source, entry))
    return TS_OK;
  double step = sweep->source.records[runs[0].rows[0]].step;
  const char *part = ts_plot_case_part(arena, &sweep->source.cases.entries[entry], step);
  const char *title = ts_plot_case_title(arena, &sweep->source.cases.entries[entry], step);
  const char *heading =
      ts_plot_mean_heading(arena, ts_arena_format(arena, "Time against %s", sweep->name),
                           ts_plot_run_seeds(sweep, runs, count));
  if (part)
    part = ts_arena_format(arena, "%s-%s", sweep->name, part);
  if (!part || !title || !heading)
    return TS_E_MEMORY;
  bool are_many = fitted > CURVES_MANY;
  ts_plot_shape shape = {are_many ? 2 : 1, are_many ? 1.3 : 0.85, fitted,
                         ts_plot_method_letters(&sweep->source) + 15};
  ts_plot_page page;
  TS_TRY(ts_plot_begin(&page, book, part, heading, title, shape,
                       "curve,label,value,time_s,fit_s,time_low_s,time_high_s"));
  return ts_plot_end_with(&page, fill_page(&page, sweep, runs, count));
}

static ts_status make(ts_plot_book *book, const ts_plot_source *source) {
  ts_plot_sweep *sweeps;
  size_t sweep_count;
  TS_TRY(ts_plot_find_sweeps(&sweeps, &sweep_count, book->arena, source));
  for (size_t s = 0; s < sweep_count; s++) {
    if (!is_size(&sweeps[s]))
      continue;
    ts_plot_run *runs;
    size_t count;
    TS_TRY(ts_plot_find_runs(&runs, &count, book->arena, &sweeps[s]));
    for (size_t first = 0, end; first < count; first = end) {
      end = first + 1;
      while (end < count && runs[end].case_entry == runs[first].case_entry)
        end++;
      TS_TRY(make_page(book, &sweeps[s], &runs[first], end - first));
    }
  }
  return TS_OK;
}

const ts_plot_kind ts_plot_time_size = {
    .name = "time_size",
    .figures = "",
    .summary = "Time against a swept parameter that counts something, with fitted exponents.",
    .lacks = "no parameter of a case or method has three whole-number values: touchstone run "
             "--case wall --sweep layers=2,4,8",
    .make = make,
};
