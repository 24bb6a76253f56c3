// SPDX-License-Identifier: MIT
/// Quality against time, one panel per case, with the Pareto front: the methods that no other beats
/// in both.
#include "base/number.h"
#include "base/status.h"
#include "reports/plots/plot_kinds.h"
#include "reports/rows/outcome.h"

#include <math.h>
#include <stdlib.h>

#define PANELS_MAX     ((size_t)16) ///< per page
#define ACROSS         ((size_t)4)
#define BOTTOM_PERCENT (-5.0)

typedef struct point {
  size_t method; ///< entry of the method axis
  double time_ns, quality_percent;
  bool is_best; ///< on the front
} point;

/// Sorts by time, then by descending quality.
static int compare_points(const void *a, const void *b) {
  const point *x = a, *y = b;
  if (x->time_ns != y->time_ns)
    return x->time_ns < y->time_ns ? -1 : 1;
  if (x->quality_percent != y->quality_percent)
    return x->quality_percent > y->quality_percent ? -1 : 1;
  return (x->method > y->method) - (x->method < y->method);
}

static ts_status find_points(point **out, size_t *out_count, double *out_step, ts_arena *arena,
                             const ts_plot_source *source, size_t entry) {
  const size_t *rows;
  size_t count;
  TS_TRY(ts_plot_rows_of_case(&rows, &count, arena, source, entry));
  *out = ts_arena_array(arena, count, sizeof **out);
  if (!*out)
    return TS_E_MEMORY;
  *out_count = 0;
  *out_step = count > 0 ? source->records[rows[0]].step : (double)NAN;
  for (size_t i = 0; i < count; i++) {
    const ts_record *r = &source->records[rows[i]];
    if (ts_record_is_ok(r) && r->generate_ns_median > 0 && !isnan(r->quality_percent))
      (*out)[(*out_count)++] = (point){source->methods.entry_of[rows[i]], r->generate_ns_median,
                                       r->quality_percent, false};
  }
  qsort(*out, *out_count, sizeof **out, compare_points);
  double best = -1;
  for (size_t i = 0; i < *out_count; i++)
    if ((*out)[i].quality_percent > best) {
      best = (*out)[i].quality_percent;
      (*out)[i].is_best = true;
    }
  return TS_OK;
}

static void add_point(ts_plot_page *page, size_t panel, size_t curve, const char *label,
                      double time_ns, double quality_percent) {
  ts_plot_number(page, (double)panel);
  ts_plot_number(page, (double)curve);
  ts_plot_text(page, label);
  ts_plot_number(page, time_ns * 1e-9);
  ts_plot_number(page, quality_percent);
  ts_plot_end_row(page);
}

/// Adds the front as curve 0: it starts at the bottom below its fastest point, and continues from
/// its best point to the slowest of all.
static void add_front(ts_plot_page *page, size_t panel, const point *points, size_t count) {
  double best = -1;
  for (size_t i = 0; i < count; i++) {
    if (!points[i].is_best)
      continue;
    if (best < 0)
      add_point(page, panel, 0, "front", points[i].time_ns, BOTTOM_PERCENT);
    best = points[i].quality_percent;
    add_point(page, panel, 0, "front", points[i].time_ns, best);
  }
  add_point(page, panel, 0, "front", 1.3 * points[count - 1].time_ns, best);
}

static ts_status add_points(ts_plot_page *page, const ts_plot_source *source, size_t panel,
                            const point *points, size_t count) {
  add_front(page, panel, points, count);
  for (size_t i = 0; i < count; i++) {
    const char *label =
        ts_axis_label(page->book->arena, &source->methods.entries[points[i].method]);
    if (!label)
      return TS_E_MEMORY;
    add_point(page, panel, points[i].method + 1, label, points[i].time_ns,
              points[i].quality_percent);
  }
  return TS_OK;
}

static ts_status say_points(ts_plot_page *page, const ts_plot_source *source, size_t panel,
                            const point *points, size_t count) {
  ts_plot_say(page,
              "plot data using (column(\"panel\") == %zu ? only(0, \"time_s\") : "
              "NaN):\"quality_percent\" with steps lt 1 lc rgb \"#999999\" "
              "dt solid lw 1.5 notitle",
              panel);
  for (size_t i = 0; i < count; i++) {
    const char *style = ts_plot_style(page->book->arena, source, points[i].method);
    if (!style)
      return TS_E_MEMORY;
    ts_plot_say(page,
                ", \\\n  data using (column(\"panel\") == %zu ? only(%zu, \"time_s\") : "
                "NaN):\"quality_percent\" with points %s ps 1.4 * symbol lw 1.5 notitle",
                panel, points[i].method + 1, style);
  }
  return TS_OK;
}

static void say_key(ts_plot_page *page, const ts_plot_source *source) {
  for (size_t i = 0; i < source->methods.count; i++)
    ts_plot_key_entry(page, source, i, "points");
  ts_plot_say(page, ", \\\n  keyentry with lines lt 1 lc rgb \"#999999\" dt solid lw 1.5 title "
                    "label(\"Pareto front\")\n");
}

/// The range of the times, widened until it contains two powers of ten, since only these have
/// labels.
static void say_time_axis(ts_plot_page *page, const point *points, size_t count) {
  double low = log10(points[0].time_ns * 1e-9) - 0.2;
  double high = log10(points[count - 1].time_ns * 1e-9) + 0.2;
  while (floor(high) - ceil(low) < 1) {
    double below = low - (ceil(low) - 1), above = floor(high) + 1 - high;
    if (below < above)
      low -= below + 0.05;
    else
      high += above + 0.05;
  }
  ts_plot_say(page,
              "set logscale x\nset format x \"%%.0s%%cs\"\nset xrange [%.3g:%.3g]\n"
              "set xtics %d\n",
              pow(10, low), pow(10, high), high - low > 3 ? 100 : 10);
}

static ts_status fill_grid(ts_plot_page *page, const ts_plot_source *source, const size_t *entries,
                           size_t count) {
  ts_arena *arena = page->book->arena;
  ts_plot_say_panels(page, ACROSS, (count + ACROSS - 1) / ACROSS);
  ts_plot_say(page, "set yrange [%g:105]\nset ytics 25\n", BOTTOM_PERCENT);
  for (size_t i = 0; i < count; i++) {
    point *points;
    size_t point_count;
    double step;
    TS_TRY(find_points(&points, &point_count, &step, arena, source, entries[i]));
    TS_TRY(add_points(page, source, i + 1, points, point_count));
    const char *title = ts_plot_case_title(arena, &source->cases.entries[entries[i]], NAN);
    const char *quoted = title ? ts_plot_quote(arena, title) : NULL;
    if (!quoted)
      return TS_E_MEMORY;
    ts_plot_say_panel(page, i);
    ts_plot_say(page, "set title label(%s)\nset xlabel label(\"%s\")\nset ylabel label(\"%s\")\n",
                quoted, i + ACROSS >= count ? "time" : "",
                i % ACROSS == 0 ? "quality [percent]" : "");
    say_time_axis(page, points, point_count);
    TS_TRY(say_points(page, source, i + 1, points, point_count));
    ts_plot_say(page, "\n");
  }
  ts_plot_say_key_strip(page);
  say_key(page, source);
  ts_plot_say(page, "unset multiplot\n");
  return TS_OK;
}

static ts_status fill_single(ts_plot_page *page, const ts_plot_source *source, size_t entry) {
  point *points;
  size_t count;
  double step;
  TS_TRY(find_points(&points, &count, &step, page->book->arena, source, entry));
  TS_TRY(add_points(page, source, 1, points, count));
  ts_plot_say(page,
              "set xlabel label(\"time to generate the contacts, median\")\n"
              "set ylabel label(\"normal quality [percent]\")\n"
              "set yrange [%g:105]\nset ytics 25\n",
              BOTTOM_PERCENT);
  say_time_axis(page, points, count);
  TS_TRY(say_points(page, source, 1, points, count));
  say_key(page, source);
  return TS_OK;
}

#define DATA_HEADER "panel,curve,label,time_s,quality_percent"

static ts_status make_page(ts_plot_book *book, const ts_plot_source *source, const size_t *entries,
                           size_t count, double step, size_t number) {
  ts_arena *arena = book->arena;
  ts_plot_page page;
  char text[TS_NUMBER_BYTES];
  ts_number_format(text, step);
  if (count == 1) {
    const char *part = ts_plot_case_part(arena, &source->cases.entries[entries[0]], step);
    const char *title = ts_plot_case_title(arena, &source->cases.entries[entries[0]], step);
    if (!part || !title)
      return TS_E_MEMORY;
    TS_TRY(ts_plot_begin(
        &page, book, part, "Normal quality against time", title,
        (ts_plot_shape){1, 0.85, source->methods.count + 1, ts_plot_method_letters(source)},
        DATA_HEADER));
    return ts_plot_end_with(&page, fill_single(&page, source, entries[0]));
  }
  const char *part = step == 0 ? "touch" : ts_arena_format(arena, "step%s", text);
  const char *title = step == 0 ? "scene as built" : ts_arena_format(arena, "step %s", text);
  if (part && number > 0)
    part = ts_arena_format(arena, "%s-%zu", part, number + 1);
  if (!part || !title)
    return TS_E_MEMORY;
  double height = 0.15 + 0.45 * (double)((count + ACROSS - 1) / ACROSS);
  TS_TRY(ts_plot_begin(
      &page, book, part, "Normal quality against time to generate the contacts", title,
      (ts_plot_shape){2, height, source->methods.count + 1, ts_plot_method_letters(source)},
      DATA_HEADER));
  return ts_plot_end_with(&page, fill_grid(&page, source, entries, count));
}

static ts_status make(ts_plot_book *book, const ts_plot_source *source) {
  size_t total = source->cases.count;
  double *step_of = ts_arena_array(book->arena, total, sizeof *step_of);
  size_t *entries = ts_arena_array(book->arena, total, sizeof *entries);
  if (!step_of || !entries)
    return TS_E_MEMORY;
  for (size_t i = 0; i < total; i++) {
    point *points;
    size_t count;
    TS_TRY(find_points(&points, &count, &step_of[i], book->arena, source, i));
    if (count < 2)
      step_of[i] = (double)NAN;
  }
  double steps[TS_PLOT_STEPS];
  size_t step_count = ts_plot_steps_shown(steps, source);
  for (size_t s = 0; s < step_count; s++) {
    size_t count = 0;
    for (size_t i = 0; i < total; i++)
      if (step_of[i] == steps[s])
        entries[count++] = i;
    for (size_t first = 0; first < count; first += PANELS_MAX)
      TS_TRY(make_page(book, source, &entries[first],
                       count - first < PANELS_MAX ? count - first : PANELS_MAX, steps[s],
                       first / PANELS_MAX));
  }
  return TS_OK;
}

const ts_plot_kind ts_plot_quality_time = {
    .name = "quality_time",
    .figures = "",
    .summary = "Normal quality against time, with the methods that no other beats in both.",
    .lacks = "no case has two methods with a quality and a time: touchstone run",
    .make = make,
};
