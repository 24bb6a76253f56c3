// SPDX-License-Identifier: MIT
/// Columns over the steps while the scene moves, a curve for each method: the number of contacts,
/// how the contacts of consecutive steps hold together, and the motion over time. Several seeds are
/// one curve, their mean, in a band, the interval of the mean.
#include "base/status.h"
#include "reports/plots/plot_course_draw.h"
#include "reports/plots/plot_kinds.h"
#include "reports/plots/plot_overview.h"
#include "reports/plots/plot_range.h"
#include "reports/plots/plot_simulations.h"
#include "reports/tables/field_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW_STEPS 10          ///< up to this number, each has its tic
#define ACROSS    ((size_t)2) ///< panels beside each other

/// Adds what distinguishes the simulations to the labels, and dashes to the styles; where all
/// curves are of one method, only what differs remains, in styles of its own.
static ts_status name_simulations(ts_course_drawing *d, ts_arena *arena,
                                  const ts_plot_source *source) {
  ts_plot_courses *all = &d->courses;
  const char **lists = ts_arena_array(arena, all->count, sizeof *lists), **names;
  if (!lists)
    return TS_E_MEMORY;
  bool is_one_method = all->count > 1;
  for (size_t i = 0; i < all->count; i++) {
    lists[i] = all->items[i].simulation;
    is_one_method &= strcmp(all->items[i].method, all->items->method) == 0;
  }
  TS_TRY(ts_plot_name_simulations(&names, arena, lists, all->count));
  for (size_t i = 0; i < all->count; i++) {
    ts_plot_course *c = &all->items[i];
    size_t variant = 1;
    for (size_t k = 0; k < i; k++)
      variant += strcmp(all->items[k].method, c->method) == 0;
    if (is_one_method) {
      d->method = c->method;
      c->label += strlen(d->method);
      c->label += c->label[0] == ' ';
      c->style = ts_arena_format(arena, "ls %zu", i + 1);
    } else if (variant > 1) {
      size_t place = ts_plot_method_place(source, c->method) + 1;
      c->style = ts_arena_format(arena, "lt %zu dt %zu", place, variant);
    }
    if (names[i][0])
      c->label = ts_arena_format(arena, "%s%s%s", c->label, c->label[0] ? " " : "", names[i]);
    if (!c->label || !c->style)
      return TS_E_MEMORY;
  }
  return TS_OK;
}

static size_t label_letters(const ts_plot_courses *all) {
  size_t longest = 0;
  for (size_t i = 0; i < all->count; i++) {
    size_t letters = strlen(all->items[i].label);
    longest = letters > longest ? letters : longest;
  }
  return longest;
}

/// "curve,label,step,time_s,drift_m_max,drift_m_max_low,drift_m_max_high"; ends of intervals last.
static const char *make_header(ts_arena *arena, const ts_course_drawing *d) {
  const char *header = d->figure->is_of_motion ? "curve,label,step,time_s" : "curve,label,step";
  for (size_t i = 0; header && i < d->count; i++)
    header = ts_arena_format(arena, "%s,%s", header, ts_course_field(d, i)->column);
  for (size_t i = 0; header && i < d->count && d->courses.seeds > 1; i++)
    header = ts_arena_format(arena, "%s,%s_low,%s_high", header, ts_course_field(d, i)->column,
                             ts_course_field(d, i)->column);
  return header;
}

static void say_key(ts_plot_page *page, const ts_plot_courses *all) {
  for (size_t i = 0; i < all->count; i++)
    ts_plot_key_line(page, all->items[i].label, all->items[i].style, "linespoints");
}

static ts_status fill_plot(ts_plot_page *page, const ts_course_drawing *d) {
  ts_arena *arena = page->book->arena;
  const char *heading = ts_field_heading(arena, ts_course_field(d, 0));
  const char *label = heading ? ts_label_in_text(arena, heading) : NULL;
  const char *quoted = label ? ts_plot_quote(arena, label) : NULL;
  if (!quoted)
    return TS_E_MEMORY;
  ts_plot_say(page, "set ylabel label(%s)\n", quoted);
  ts_course_say_axis(page, d, 0);
  ts_course_say_curves(page, d, 0);
  say_key(page, &d->courses);
  ts_plot_say(page, "\n");
  return TS_OK;
}

static ts_status fill_panels(ts_plot_page *page, const ts_course_drawing *d) {
  ts_plot_say_panels(page, ACROSS, (d->count + ACROSS - 1) / ACROSS);
  for (size_t i = 0; i < d->count; i++) {
    const char *heading = ts_field_heading(page->book->arena, ts_course_field(d, i));
    const char *quoted = heading ? ts_plot_quote(page->book->arena, heading) : NULL;
    if (!quoted)
      return TS_E_MEMORY;
    ts_plot_say_panel(page, i);
    ts_plot_say(page, "set title label(%s)\n", quoted);
    ts_course_say_axis(page, d, i);
    ts_course_say_curves(page, d, i);
    ts_plot_say(page, "\n");
    ts_plot_say_no_axis(page);
  }
  ts_plot_say_key_strip(page);
  say_key(page, &d->courses);
  ts_plot_say(page, "\nunset multiplot\n");
  return TS_OK;
}

/// Tics at whole steps: gnuplot would put some between them where there are few.
static void say_step_tics(ts_plot_page *page, const ts_plot_courses *all) {
  double first = INFINITY, last = 0;
  for (size_t i = 0; i < all->count; i++) {
    const ts_plot_course *c = &all->items[i];
    first = fmin(first, c->stages[0].step);
    last = fmax(last, c->stages[c->count - 1].step);
  }
  if (last - first <= FEW_STEPS)
    ts_plot_say(page, "set xtics 1\n");
}

static ts_status fill_page(ts_plot_page *page, const ts_course_drawing *d) {
  for (size_t i = 0; i < d->courses.count; i++)
    ts_course_add_data(page, d, i);
  ts_plot_say(page, "set xlabel label(\"%s%s\")\n",
              d->figure->is_of_motion ? "time [s]" : "simulation step",
              d->courses.seeds > 1 ? " (bands: 95% intervals)" : "");
  if (!d->figure->is_of_motion)
    say_step_tics(page, &d->courses);
  if (d->method)
    ts_plot_say_value_styles(page, d->courses.count);
  return d->count == 1 ? fill_plot(page, d) : fill_panels(page, d);
}

static ts_plot_shape shape_of(const ts_course_drawing *d, const ts_plot_source *source) {
  size_t letters =
      d->figure->is_of_motion ? label_letters(&d->courses) : ts_plot_method_letters(source);
  if (d->count == 1)
    return (ts_plot_shape){1, 0.85, d->courses.count, letters};
  return (ts_plot_shape){2, d->count > ACROSS ? 1.3 : 0.75, d->courses.count, letters};
}

/// Makes a page of the moments [count] of a case, if the columns have enough values.
static ts_status make_page(ts_plot_book *book, const ts_plot_source *source,
                           const ts_plot_figure *f, const ts_plot_moment *moments, size_t count) {
  ts_arena *arena = book->arena;
  ts_course_drawing d = {.figure = f};
  TS_TRY(ts_plot_find_courses(&d.courses, arena, f, moments, count));
  if (d.courses.count == 0)
    return TS_OK;
  ts_course_choose_panels(&d);
  TS_TRY(ts_course_name_methods(&d.courses, arena, source));
  if (f->is_of_motion)
    TS_TRY(name_simulations(&d, arena, source));
  const ts_axis_entry *entry = &source->cases.entries[d.courses.case_entry];
  const char *part = ts_plot_case_part(arena, entry, NAN);
  if (part && f->name)
    part = ts_arena_format(arena, "%s-%s", part, f->name);
  const char *title = ts_plot_case_title(arena, entry, NAN);
  if (title && d.method)
    title = ts_arena_format(arena, "%s: %s", d.method, title);
  const char *heading = ts_plot_mean_heading(arena, f->heading, d.courses.seeds);
  const char *header = make_header(arena, &d);
  if (!part || !title || !heading || !header)
    return TS_E_MEMORY;
  ts_plot_page page;
  TS_TRY(ts_plot_begin(&page, book, part, heading, title, shape_of(&d, source), header));
  return ts_plot_end_with(&page, fill_page(&page, &d));
}

/// Makes a page for each case and each of the figures [count], all of motion or none.
static ts_status make_pages(ts_plot_book *book, const ts_plot_source *source,
                            const ts_plot_figure *figures, size_t count) {
  ts_plot_moving moving;
  TS_TRY(ts_plot_find_moving(&moving, book->arena, source, figures[0].is_of_motion));
  const ts_plot_moment *moments = moving.moments;
  for (size_t first = 0, end; first < moving.count; first = end) {
    end = first + 1;
    while (end < moving.count && moments[end].case_entry == moments[first].case_entry)
      end++;
    for (size_t i = 0; i < count; i++)
      TS_TRY(make_page(book, &moving.source, &figures[i], &moments[first], end - first));
  }
  return TS_OK;
}

/// A figure of one column over the steps.
static ts_status make_figure(ts_plot_figure *out, ts_arena *arena, const ts_field *field) {
  *out = (ts_plot_figure){
      .heading = ts_arena_format(arena, "%s by step", field->label),
      .count = 1,
      .fields = {field},
  };
  return out->heading ? TS_OK : TS_E_MEMORY;
}

static ts_status make_contacts(ts_plot_book *book, const ts_plot_source *source) {
  ts_plot_figure f;
  TS_TRY(make_figure(&f, book->arena, ts_row_find(&ts_summary_rows, "contacts_unique")));
  return make_pages(book, source, &f, 1);
}

static ts_status make_coherence(ts_plot_book *book, const ts_plot_source *source) {
  const ts_field *fields[TS_RECORD_FIELD_COUNT];
  size_t count = ts_fields_shown(fields, TS_SHOWN_STEPS);
  ts_plot_figure *figures = ts_arena_array(book->arena, count, sizeof *figures);
  if (!figures)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    TS_TRY(make_figure(&figures[i], book->arena, fields[i]));
    figures[i].name = fields[i]->column;
  }
  return make_pages(book, source, figures, count);
}

/// The figures of motion; those of several columns have a panel for each.
static const struct motion {
  const char *name, *heading;
  const char *columns[TS_PLOT_PANELS_MAX];
  bool is_linear;
} motions[] = {
    {.name = "energy",
     .heading = "Energies over time",
     .columns = {"kinetic_energy_j", "potential_energy_j", "elastic_energy_j",
                 "position_energy_j"}},
    {.name = "drift", .heading = "Drift over time", .columns = {"drift_m_max"}},
    // 1e-9 and 1e-3 degrees are both upright.
    {.name = "tilt", .heading = "Tilt over time", .columns = {"tilt_deg_max"}, .is_linear = true},
    {.name = "overlap", .heading = "Overlap over time", .columns = {"overlap_m3"}},
};
#define MOTION_COUNT (sizeof motions / sizeof *motions)

static ts_status make_motion(ts_plot_book *book, const ts_plot_source *source) {
  ts_plot_figure figures[MOTION_COUNT];
  for (size_t i = 0; i < MOTION_COUNT; i++) {
    figures[i] = (ts_plot_figure){.name = motions[i].name,
                                  .heading = motions[i].heading,
                                  .is_of_motion = true,
                                  .is_linear = motions[i].is_linear};
    for (size_t k = 0; k < TS_PLOT_PANELS_MAX && motions[i].columns[k]; k++)
      figures[i].fields[figures[i].count++] = ts_row_find(&ts_summary_rows, motions[i].columns[k]);
  }
  TS_TRY(make_pages(book, source, figures, MOTION_COUNT));
  return ts_plot_make_overviews(book, source);
}

const ts_plot_kind ts_plot_steps = {
    .name = "contacts_step",
    .figures = "22",
    .summary = "Unique contacts in each simulation step, one curve per method.",
    .lacks = "no cell has four steps or more: touchstone run --steps 100",
    .make = make_contacts,
};

const ts_plot_kind ts_plot_coherence = {
    .name = "coherence_step",
    .figures = "",
    .summary = "How the contacts of consecutive steps hold together, a plot for each column.",
    .lacks = "no cell has four steps or more that are compared: touchstone run --steps 100",
    .lacks_deformable = "it is not measured where bodies deform, and no other cell has four steps "
                        "or more that are compared",
    .make = make_coherence,
};

const ts_plot_kind ts_plot_motion = {
    .name = "motion_step",
    .figures = "",
    .summary = "Energies, drift, tilt and overlap over time, a curve per method and simulation.",
    .lacks = "no cell has four steps or more: touchstone run --steps 100",
    .make = make_motion,
};
