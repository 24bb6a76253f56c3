// SPDX-License-Identifier: MIT
/// Quality against time, with the Pareto front, the methods that no other beats in both: over all
/// cases, and one panel per case.
#include "base/number.h"
#include "base/status.h"
#include "reports/plots/plot_kinds.h"
#include "reports/plots/plot_mean.h"
#include "reports/plots/tradeoff.h"

#include <math.h>
#include <stdlib.h>

#define PANELS_MAX     ((size_t)16) ///< per page
#define ACROSS         ((size_t)4)
#define BOTTOM_PERCENT (-5.0)
#define PANEL_LETTERS  ((size_t)24) ///< of a line above a panel
#define PANEL_LABELS   3            ///< decades that fit below a panel, each with its label
#define LABELS         5            ///< the same for a plot

#define FRONT_STYLE "lt 1 lc rgb \"#999999\" dt solid lw 1.5"

static void add_number_ns(ts_plot_page *page, double time_ns) {
  ts_plot_number(page, time_ns * 1e-9);
}

static void add_point(ts_plot_page *page, size_t panel, size_t curve, const char *label,
                      const ts_interval *time_ns, const ts_interval *quality_percent,
                      bool is_best) {
  ts_plot_number(page, (double)panel);
  ts_plot_number(page, (double)curve);
  ts_plot_text(page, label);
  add_number_ns(page, time_ns->mean);
  ts_plot_number(page, quality_percent->mean);
  add_number_ns(page, time_ns->low);
  add_number_ns(page, time_ns->high);
  ts_plot_number(page, quality_percent->low);
  ts_plot_number(page, quality_percent->high);
  ts_plot_number(page, is_best);
  ts_plot_end_row(page);
}

static void add_corner(ts_plot_page *page, size_t panel, double time_ns, double quality_percent) {
  ts_interval time = {.mean = time_ns, .low = (double)NAN, .high = (double)NAN};
  ts_interval quality = {.mean = quality_percent, .low = (double)NAN, .high = (double)NAN};
  add_point(page, panel, 0, "front", &time, &quality, false);
}

/// Adds the front as curve 0: it starts at the bottom below its fastest point, and continues from
/// its best point to the slowest of all.
static void add_front(ts_plot_page *page, size_t panel, const ts_tradeoff *all) {
  double best = 0;
  for (size_t i = 0; i < all->count; i++) {
    const ts_tradeoff_point *p = &all->items[i];
    if (!p->is_best)
      continue;
    if (best == 0)
      add_corner(page, panel, p->time_ns.mean, BOTTOM_PERCENT);
    best = p->quality_percent.mean;
    add_corner(page, panel, p->time_ns.mean, best);
  }
  if (best > 0)
    add_corner(page, panel, 1.3 * all->items[all->count - 1].time_ns.mean, best);
}

static ts_status add_points(ts_plot_page *page, const ts_plot_source *source, size_t panel,
                            const ts_tradeoff *all) {
  add_front(page, panel, all);
  for (size_t i = 0; i < all->count; i++) {
    const ts_tradeoff_point *p = &all->items[i];
    const char *label = ts_axis_label(page->book->arena, &source->methods.entries[p->method]);
    if (!label)
      return TS_E_MEMORY;
    add_point(page, panel, p->method + 1, label, &p->time_ns, &p->quality_percent, p->is_best);
  }
  return TS_OK;
}

static bool has_interval(const ts_tradeoff_point *p) {
  return !isnan(p->time_ns.low) && !isnan(p->quality_percent.low);
}

static ts_status say_points(ts_plot_page *page, const ts_plot_source *source, size_t panel,
                            const ts_tradeoff *all) {
  ts_plot_say(page,
              "of(n, c) = column(\"panel\") == %zu ? only(n, c) : NaN\n"
              "plot data using (of(0, \"time_s\")):\"quality_percent\" with steps " FRONT_STYLE
              " notitle, \\\n"
              "  data using (column(\"is_on_front\") > 0 && column(\"panel\") == %zu ? "
              "column(\"time_s\") : NaN):\"quality_percent\" with points pt 6 ps 3.2 * symbol lc "
              "rgb \"#999999\" lw 1.5 notitle",
              panel, panel);
  for (size_t i = 0; i < all->count; i++) {
    const ts_tradeoff_point *p = &all->items[i];
    const char *style = ts_plot_style(page->book->arena, source, p->method);
    if (!style)
      return TS_E_MEMORY;
    if (has_interval(p))
      ts_plot_say(
          page,
          ", \\\n  data using (of(%zu, \"time_s\")):\"quality_percent\":\"time_low_s\":"
          "\"time_high_s\":\"quality_low\":\"quality_high\" with xyerrorbars %s " TS_PLOT_BARS
          " notitle",
          p->method + 1, style);
    ts_plot_say(page,
                ", \\\n  data using (of(%zu, \"time_s\")):\"quality_percent\" with points %s ps "
                "1.4 * symbol lw 1.5 notitle",
                p->method + 1, style);
  }
  return TS_OK;
}

static void say_front_key(ts_plot_page *page) {
  ts_plot_say(page, ", \\\n  keyentry with linespoints " FRONT_STYLE
                    " pt 6 ps 2 * symbol title label(\"Pareto front\")\n");
}

/// The range of the times, widened until it contains two powers of ten, since only these have
/// labels; over more than `labels_max` decades every other one.
static void say_time_axis(ts_plot_page *page, const ts_tradeoff *all, double labels_max) {
  double shortest = INFINITY, longest = 0;
  for (size_t i = 0; i < all->count; i++) { // fmin and fmax pass over NaN
    shortest = fmin(shortest, fmin(all->items[i].time_ns.mean, all->items[i].time_ns.low));
    longest = fmax(longest, fmax(all->items[i].time_ns.mean, all->items[i].time_ns.high));
  }
  double low = log10(shortest * 1e-9) - 0.2, high = log10(longest * 1e-9) + 0.2;
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
              pow(10, low), pow(10, high), high - low > labels_max ? 100 : 10);
}

static ts_status fill_grid(ts_plot_page *page, const ts_plot_source *source, const size_t *entries,
                           size_t count, size_t across) {
  ts_arena *arena = page->book->arena;
  ts_plot_say_panels(page, across, (count + across - 1) / across);
  ts_plot_say(page, "set yrange [%g:105]\nset ytics 25\n", BOTTOM_PERCENT);
  for (size_t i = 0; i < count; i++) {
    ts_tradeoff all;
    TS_TRY(ts_tradeoff_find(&all, arena, source, &entries[i], 1, false));
    TS_TRY(add_points(page, source, i + 1, &all));
    const char *title = ts_plot_case_title(arena, &source->cases.entries[entries[i]], NAN);
    size_t lines = 0;
    const char *quoted = title ? ts_plot_title(arena, title, PANEL_LETTERS, &lines) : NULL;
    if (!quoted)
      return TS_E_MEMORY;
    ts_plot_say_panel(page, i);
    ts_plot_say(page, "set title %s\nset xlabel label(\"%s\")\nset ylabel label(\"%s\")\n", quoted,
                i + across >= count ? "time" : "", i % across == 0 ? "quality [percent]" : "");
    say_time_axis(page, &all, PANEL_LABELS);
    TS_TRY(say_points(page, source, i + 1, &all));
    ts_plot_say(page, "\n");
  }
  ts_plot_say_key_strip(page);
  for (size_t i = 0; i < source->methods.count; i++)
    ts_plot_key_entry(page, source, i, "points");
  say_front_key(page);
  ts_plot_say(page, "unset multiplot\n");
  return TS_OK;
}

/// The key of the methods that are drawn; it says so where the mean of one is over fewer cases.
static ts_status say_single_key(ts_plot_page *page, const ts_plot_source *source,
                                const ts_tradeoff *all) {
  ts_arena *arena = page->book->arena;
  size_t most = 0;
  for (size_t i = 0; i < all->count; i++)
    most = all->items[i].case_count > most ? all->items[i].case_count : most;
  for (size_t i = 0; i < source->methods.count; i++)
    for (size_t k = 0; k < all->count; k++) {
      const ts_tradeoff_point *p = &all->items[k];
      if (p->method != i)
        continue;
      const char *label = ts_axis_label(arena, &source->methods.entries[i]);
      const char *style = ts_plot_style(arena, source, i);
      if (label && p->case_count < most)
        label = ts_arena_format(arena, "%s, %zu of %zu cases", label, p->case_count, most);
      if (!label || !style)
        return TS_E_MEMORY;
      ts_plot_key_line(page, label, style, "points");
    }
  say_front_key(page);
  return TS_OK;
}

static ts_status fill_single(ts_plot_page *page, const ts_plot_source *source,
                             const ts_tradeoff *all) {
  TS_TRY(add_points(page, source, 1, all));
  bool has_bars = false;
  for (size_t i = 0; i < all->count; i++)
    has_bars |= has_interval(&all->items[i]);
  ts_plot_say(page,
              "set xlabel label(\"%s\")\n"
              "set ylabel label(\"normal quality [percent]\")\n"
              "set yrange [%g:105]\nset ytics 25\n",
              has_bars ? "time, geometric mean (bars: 95% intervals)"
                       : "time to generate the contacts, median",
              BOTTOM_PERCENT);
  say_time_axis(page, all, LABELS);
  TS_TRY(say_points(page, source, 1, all));
  return say_single_key(page, source, all);
}

#define DATA_HEADER                                                                                \
  "panel,curve,label,time_s,quality_percent,time_low_s,time_high_s,quality_low,quality_high,"      \
  "is_on_front"

static size_t count_seeds(const ts_plot_source *source, const size_t *entries, size_t count) {
  size_t most = 0;
  for (size_t i = 0; i < count; i++) {
    size_t seeds = ts_plot_case_seeds(source, entries[i]);
    most = seeds > most ? seeds : most;
  }
  return most;
}

static const char *step_title(ts_arena *arena, double step) {
  char text[TS_NUMBER_BYTES];
  return step == 0 ? "scene as built"
                   : ts_arena_format(arena, "step %s", ts_number_format(text, step));
}

static const char *step_part(ts_arena *arena, double step) {
  char text[TS_NUMBER_BYTES];
  return step == 0 ? "touch" : ts_arena_format(arena, "step%s", ts_number_format(text, step));
}

/// Makes the page of the means over the cases [count].
static ts_status make_single(ts_plot_book *book, const ts_plot_source *source,
                             const size_t *entries, size_t count, const char *part,
                             const char *heading, const char *title) {
  ts_tradeoff all;
  TS_TRY(ts_tradeoff_find(&all, book->arena, source, entries, count, true));
  if (all.count < 2)
    return TS_OK;
  if (!part || !heading || !title)
    return TS_E_MEMORY;
  ts_plot_page page;
  TS_TRY(ts_plot_begin(&page, book, part, heading, title,
                       (ts_plot_shape){1, 0.85, all.count + 1, ts_plot_method_letters(source)},
                       DATA_HEADER));
  return ts_plot_end_with(&page, fill_single(&page, source, &all));
}

static const char heading_of_all[] = "Normal quality against time";

static ts_status make_case(ts_plot_book *book, const ts_plot_source *source, size_t entry,
                           double step) {
  return make_single(
      book, source, &entry, 1, ts_plot_case_part(book->arena, &source->cases.entries[entry], step),
      ts_plot_mean_heading(book->arena, heading_of_all, ts_plot_case_seeds(source, entry)),
      ts_plot_case_title(book->arena, &source->cases.entries[entry], step));
}

static ts_status make_mean(ts_plot_book *book, const ts_plot_source *source, const size_t *entries,
                           size_t count, double step) {
  const char *part = step_part(book->arena, step), *title = step_title(book->arena, step);
  size_t seeds = count_seeds(source, entries, count);
  if (!part || !title)
    return TS_E_MEMORY;
  part = ts_arena_format(book->arena, "all_cases-%s", part);
  title = seeds > 1 ? ts_arena_format(book->arena, "mean of %zu cases with %zu seeds, %s", count,
                                      seeds, title)
                    : ts_arena_format(book->arena, "mean of %zu cases, %s", count, title);
  return make_single(book, source, entries, count, part, heading_of_all, title);
}

static ts_status make_grid(ts_plot_book *book, const ts_plot_source *source, const size_t *entries,
                           size_t count, double step, size_t number) {
  ts_arena *arena = book->arena;
  const char *part = step_part(arena, step);
  const char *title = step_title(arena, step);
  const char *heading =
      ts_plot_mean_heading(arena, "Normal quality against time to generate the contacts",
                           count_seeds(source, entries, count));
  if (part && number > 0)
    part = ts_arena_format(arena, "%s-%zu", part, number + 1);
  if (!part || !title || !heading)
    return TS_E_MEMORY;
  // Few panels fill the page, too, but not one that goes on from a full one.
  size_t across = number == 0 && count < ACROSS ? count : ACROSS;
  double height = 0.15 + 0.45 * (double)((count + across - 1) / across);
  ts_plot_page page;
  TS_TRY(ts_plot_begin(
      &page, book, part, heading, title,
      (ts_plot_shape){2, height, source->methods.count + 1, ts_plot_method_letters(source)},
      DATA_HEADER));
  return ts_plot_end_with(&page, fill_grid(&page, source, entries, count, across));
}

/// The pages of a step: all its cases together, and each of those where methods can be compared.
static ts_status make_step(ts_plot_book *book, const ts_plot_source *source, double step) {
  const size_t *entries;
  size_t count;
  TS_TRY(ts_tradeoff_cases(&entries, &count, book->arena, source, step));
  if (count > 1)
    TS_TRY(make_mean(book, source, entries, count, step));
  for (size_t first = 0; first < count; first += PANELS_MAX) {
    size_t shown = count - first < PANELS_MAX ? count - first : PANELS_MAX;
    TS_TRY(shown > 1 ? make_grid(book, source, &entries[first], shown, step, first / PANELS_MAX)
                     : make_case(book, source, entries[first], step));
  }
  return TS_OK;
}

static ts_status make(ts_plot_book *book, const ts_plot_source *source) {
  double steps[TS_PLOT_STEPS];
  size_t count = ts_plot_steps_shown(steps, source);
  for (size_t i = 0; i < count; i++)
    TS_TRY(make_step(book, source, steps[i]));
  return TS_OK;
}

const ts_plot_kind ts_plot_quality_time = {
    .name = "quality_time",
    .figures = "",
    .summary = "Normal quality against time, over all cases and for each, with the methods that "
               "no other beats in both.",
    .lacks = "no case has two methods with a quality and a time: touchstone run",
    .make = make,
};
