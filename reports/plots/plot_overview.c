// SPDX-License-Identifier: MIT
#include "reports/plots/plot_overview.h"

#include "base/status.h"
#include "reports/plots/plot_course_draw.h"
#include "reports/plots/plot_range.h"
#include "reports/tables/field_text.h"

#include <math.h>

#define PANELS_MAX    ((size_t)16) ///< per page
#define ACROSS_MAX    ((size_t)4)
#define PANEL_LETTERS ((size_t)24) ///< of a line above a panel

static const struct overview {
  const char *name, *heading, *column;
} overviews[] = {
    {"all_cases-drift", "Drift over time", "drift_m_max"},
    {"all_cases-kinetic_energy", "Kinetic energy over time", "kinetic_energy_j"},
};

/// The cases that have curves.
typedef struct panels {
  ts_course_drawing *items; ///< [count]
  size_t count;
  size_t seeds;         ///< the largest number of rows of a stage
  bool has_simulations; ///< a case has several
} panels;

/// Panels beside each other: few of them fill the page, too.
static size_t across_of(const panels *all) {
  return all->count < ACROSS_MAX ? all->count : ACROSS_MAX;
}

static ts_status find_panels(panels *out, ts_arena *arena, const ts_plot_figure *figure,
                             const ts_plot_moving *moving) {
  *out = (panels){.items = ts_arena_array(arena, moving->source.cases.count, sizeof *out->items)};
  if (!out->items)
    return TS_E_MEMORY;
  const ts_plot_moment *moments = moving->moments;
  for (size_t first = 0, end; first < moving->count; first = end) {
    for (end = first + 1;
         end < moving->count && moments[end].case_entry == moments[first].case_entry;)
      out->has_simulations |= moments[end++].simulation != moments[first].simulation;
    ts_course_drawing *d = &out->items[out->count];
    *d = (ts_course_drawing){.figure = figure};
    TS_TRY(ts_plot_find_courses(&d->courses, arena, figure, &moments[first], end - first));
    ts_course_choose_panels(d);
    if (d->courses.count == 0 || d->count == 0)
      continue;
    TS_TRY(ts_course_name_methods(&d->courses, arena, &moving->source));
    out->seeds = d->courses.seeds > out->seeds ? d->courses.seeds : out->seeds;
    out->count++;
  }
  return TS_OK;
}

static ts_status say_panel(ts_plot_page *page, const ts_plot_source *source,
                           const ts_course_drawing *d, size_t place, size_t count, size_t across) {
  ts_arena *arena = page->book->arena;
  size_t lines = 0;
  const char *title = ts_plot_case_title(arena, &source->cases.entries[d->courses.case_entry], NAN);
  const char *heading = ts_field_heading(arena, ts_course_field(d, 0));
  const char *quoted = title ? ts_plot_title(arena, title, PANEL_LETTERS, &lines) : NULL;
  const char *label = heading ? ts_plot_quote(arena, heading) : NULL;
  if (!quoted || !label)
    return TS_E_MEMORY;
  ts_plot_say_panel(page, place);
  ts_plot_say(page, "set title %s\nset xlabel label(\"%s\")\nset ylabel label(%s)\n", quoted,
              place + across >= count ? "time [s]" : "", place % across == 0 ? label : "\"\"");
  ts_course_say_axis(page, d, 0);
  ts_course_say_curves(page, d, 0);
  ts_plot_say(page, "\n");
  ts_plot_say_no_axis(page);
  return TS_OK;
}

/// A step between tics of time, of which a panel has room for three: 1, 2 or 5 times a power of 10.
static double tic_step(const ts_course_drawing *drawings, size_t count) {
  double last = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < drawings[i].courses.count; k++) {
      const ts_plot_course *c = &drawings[i].courses.items[k];
      last = fmax(last, c->stages[c->count - 1].time_s);
    }
  double least = last / 3, power = last > 0 ? pow(10, floor(log10(least))) : 1;
  return least <= power       ? power
         : least <= 2 * power ? 2 * power
         : least <= 5 * power ? 5 * power
                              : 10 * power;
}

/// The panels [count], as many as a page takes.
static ts_status fill_page(ts_plot_page *page, const ts_plot_source *source,
                           ts_course_drawing *drawings, size_t count, size_t across) {
  size_t curves = 0;
  for (size_t i = 0; i < count; i++) {
    drawings[i].first_curve = curves;
    for (size_t k = 0; k < drawings[i].courses.count; k++)
      ts_course_add_data(page, &drawings[i], k);
    curves += drawings[i].courses.count;
  }
  ts_plot_say_panels(page, across, (count + across - 1) / across);
  // The text of tics is small, since gnuplot puts as many as on a large plot.
  ts_plot_say(page,
              "small = sprintf(\",%%.3g\", 0.72 * (format eq \"pdf\" ? 7.5 : is_tex ? 8 : 18))\n"
              "set tics font small\n"
              "set xtics %g\n",
              tic_step(drawings, count));
  for (size_t i = 0; i < count; i++)
    TS_TRY(say_panel(page, source, &drawings[i], i, count, across));
  ts_plot_say_key_strip(page);
  for (size_t i = 0; i < source->methods.count; i++)
    ts_plot_key_entry(page, source, i, "linespoints");
  ts_plot_say(page, "\nunset multiplot\n");
  return TS_OK;
}

static ts_status make_page(ts_plot_book *book, const ts_plot_source *source,
                           const struct overview *o, const panels *all, size_t number) {
  ts_arena *arena = book->arena;
  size_t seeds = all->seeds, across = across_of(all), first = number * PANELS_MAX;
  size_t count = all->count - first < PANELS_MAX ? all->count - first : PANELS_MAX;
  ts_course_drawing *drawings = &all->items[first];
  const char *part = number > 0 ? ts_arena_format(arena, "%s-%zu", o->name, number + 1) : o->name;
  const char *heading = ts_plot_mean_heading(arena, o->heading, seeds);
  const char *what =
      ts_arena_format(arena, "%zu cases%s", count, seeds > 1 ? ", bands: 95% intervals" : "");
  const char *header = seeds > 1
                           ? ts_arena_format(arena, "curve,label,step,time_s,%s,%s_low,%s_high",
                                             o->column, o->column, o->column)
                           : ts_arena_format(arena, "curve,label,step,time_s,%s", o->column);
  if (!part || !heading || !what || !header)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    drawings[i].courses.seeds = seeds; // the columns are the same for all
  double height = 0.2 + 0.5 * (double)((count + across - 1) / across);
  ts_plot_page page;
  TS_TRY(ts_plot_begin(
      &page, book, part, heading, what,
      (ts_plot_shape){2, height, source->methods.count, ts_plot_method_letters(source)}, header));
  return ts_plot_end_with(&page, fill_page(&page, source, drawings, count, across));
}

ts_status ts_plot_make_overviews(ts_plot_book *book, const ts_plot_source *source) {
  ts_plot_moving moving;
  TS_TRY(ts_plot_find_moving(&moving, book->arena, source, true));
  for (size_t i = 0; i < sizeof overviews / sizeof *overviews; i++) {
    const ts_plot_figure figure = {.name = overviews[i].name,
                                   .heading = overviews[i].heading,
                                   .count = 1,
                                   .fields = {ts_row_find(&ts_summary_rows, overviews[i].column)},
                                   .is_of_motion = true};
    panels all;
    TS_TRY(find_panels(&all, book->arena, &figure, &moving));
    if (all.count < 2 || all.has_simulations)
      continue;
    for (size_t number = 0; number * PANELS_MAX < all.count; number++)
      TS_TRY(make_page(book, &moving.source, &overviews[i], &all, number));
  }
  return TS_OK;
}
