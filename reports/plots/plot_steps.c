// SPDX-License-Identifier: MIT
/// Columns over the steps while the scene moves, a curve for each method: the number of contacts,
/// how the contacts of consecutive steps hold together, and the motion over time.
#include "base/status.h"
#include "reports/plots/plot_kinds.h"
#include "reports/plots/plot_range.h"
#include "reports/plots/plot_simulations.h"
#include "reports/rows/outcome.h"
#include "reports/tables/field_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MIN  ((size_t)4) ///< with fewer there is no trend
#define MARKS      8           ///< symbols on a curve
#define PANELS_MAX ((size_t)4)
#define ACROSS     ((size_t)2) ///< panels beside each other

/// What a plot shows of a case: columns that share an axis of steps, or of time.
typedef struct figure {
  const char *name; ///< ends the name of the plot; NULL: the case is enough
  const char *heading;
  size_t count;
  const ts_field *fields[PANELS_MAX]; ///< [count], a panel each
  /// Over time, with a curve for each simulation of the scene; otherwise over the steps of one.
  bool is_of_motion;
  bool is_linear; ///< even where that hides the lower curves
} figure;

static bool is_in_course(const ts_record *record) {
  return ts_record_is_ok(record) && record->step > 0;
}

/// Cases without the step, so that all rows of a cell form one curve; if `is_of_motion`, without
/// the parameters of the simulation too, so that all simulations of a scene form one plot.
static ts_status drop_steps(ts_plot_source *out, ts_arena *arena, const ts_plot_source *source,
                            bool is_of_motion) {
  ts_record *records = ts_arena_array(arena, source->count, sizeof *records);
  if (!records)
    return TS_E_MEMORY;
  *out = (ts_plot_source){.records = records,
                          .method_names = source->method_names,
                          .method_count = source->method_count};
  for (size_t i = 0; i < source->count; i++)
    if (is_in_course(&source->records[i])) {
      records[out->count] = source->records[i];
      if (is_of_motion)
        records[out->count].simulation_parameters = "";
      records[out->count++].step = NAN;
    }
  TS_TRY(ts_axis_of_cases(&out->cases, arena, records, out->count));
  TS_TRY(ts_axis_of_methods(&out->methods, arena, records, out->count));
  size_t kept = 0;
  for (size_t i = 0; i < source->count; i++)
    if (is_in_course(&source->records[i])) {
      records[kept].simulation_parameters = source->records[i].simulation_parameters;
      records[kept++].step = source->records[i].step;
    }
  return TS_OK;
}

typedef struct point {
  size_t case_entry, method_entry;
  size_t simulation; ///< of the different ones, in the order of the rows; 0 outside of motion
  const ts_record *record;
} point;

static int compare_points(const void *a, const void *b) {
  const point *x = a, *y = b;
  if (x->case_entry != y->case_entry)
    return x->case_entry < y->case_entry ? -1 : 1;
  if (x->method_entry != y->method_entry)
    return x->method_entry < y->method_entry ? -1 : 1;
  if (x->simulation != y->simulation)
    return x->simulation < y->simulation ? -1 : 1;
  return (x->record->step > y->record->step) - (x->record->step < y->record->step);
}

/// Numbers the different simulations of the points [count].
static ts_status number_simulations(ts_arena *arena, point *points, size_t count) {
  const char **lists = ts_arena_array(arena, count, sizeof *lists);
  if (!lists)
    return TS_E_MEMORY;
  size_t list_count = 0, k = 0;
  for (size_t i = 0; i < count; i++) {
    const char *list = points[i].record->simulation_parameters;
    if (k == list_count || strcmp(lists[k], list) != 0) // mostly that of the previous row
      for (k = 0; k < list_count && strcmp(lists[k], list) != 0;)
        k++;
    if (k == list_count)
      lists[list_count++] = list;
    points[i].simulation = k;
  }
  return TS_OK;
}

/// The steps of a method in a case, under one simulation.
typedef struct course {
  const point *points; ///< [count]
  size_t count;
  const char *label, *style;
} course;

/// The courses of a plot.
typedef struct courses {
  course *items; ///< [count]
  size_t count;
  const char *method; ///< the method of all, where their labels do not name it; NULL otherwise
} courses;

/// When the time step of a row ends; NaN if its length is not known.
static double time_of(const ts_record *record) {
  static const char name[] = "dt_s=";
  for (const char *list = record->simulation_parameters; list && *list;) {
    if (strncmp(list, name, strlen(name)) == 0)
      return (record->step - 1) * strtod(list + strlen(name), NULL);
    list = strchr(list, ';');
    list = list ? list + 1 : NULL;
  }
  return NAN;
}

/// Finds the courses among the points [count] of a case that have enough values of some field.
static ts_status find_courses(courses *out, ts_arena *arena, const figure *f, const point *points,
                              size_t count) {
  *out = (courses){.items = ts_arena_array(arena, count, sizeof *out->items)};
  if (!out->items)
    return TS_E_MEMORY;
  for (size_t first = 0, end; first < count; first = end) {
    size_t measured[PANELS_MAX] = {0}, most = 0;
    for (end = first; end < count && points[end].method_entry == points[first].method_entry &&
                      points[end].simulation == points[first].simulation;
         end++)
      for (size_t i = 0; i < f->count; i++) {
        measured[i] += isnan(ts_row_number(f->fields[i], points[end].record)) ? 0 : 1;
        most = measured[i] > most ? measured[i] : most;
      }
    if (most >= STEPS_MIN && !(f->is_of_motion && isnan(time_of(points[first].record))))
      out->items[out->count++] = (course){.points = &points[first], .count = end - first};
  }
  return TS_OK;
}

/// Labels and styles of curves that differ in their method.
static ts_status name_methods(courses *all, ts_arena *arena, const ts_plot_source *source) {
  for (size_t i = 0; i < all->count; i++) {
    course *c = &all->items[i];
    c->label = ts_axis_label(arena, &source->methods.entries[c->points->method_entry]);
    c->style = ts_plot_style(arena, source, c->points->method_entry);
    if (!c->label || !c->style)
      return TS_E_MEMORY;
  }
  return TS_OK;
}

static const char *method_of(const course *c) {
  return c->points->record->method;
}

/// Adds what distinguishes the simulations to the labels, and dashes to the styles; where all
/// curves are of one method, only what differs remains, in styles of its own.
static ts_status name_simulations(courses *all, ts_arena *arena, const ts_plot_source *source) {
  const char **lists = ts_arena_array(arena, all->count, sizeof *lists), **names;
  if (!lists)
    return TS_E_MEMORY;
  bool is_one_method = all->count > 1;
  for (size_t i = 0; i < all->count; i++) {
    lists[i] = all->items[i].points->record->simulation_parameters;
    is_one_method &= strcmp(method_of(&all->items[i]), method_of(all->items)) == 0;
  }
  TS_TRY(ts_plot_name_simulations(&names, arena, lists, all->count));
  for (size_t i = 0; i < all->count; i++) {
    course *c = &all->items[i];
    size_t variant = 1;
    for (size_t k = 0; k < i; k++)
      variant += strcmp(method_of(&all->items[k]), method_of(c)) == 0;
    if (is_one_method) {
      all->method = method_of(c);
      c->label += strlen(all->method);
      c->label += c->label[0] == ' ';
      c->style = ts_arena_format(arena, "ls %zu", i + 1);
    } else if (variant > 1) {
      size_t place = ts_plot_method_place(source, method_of(c)) + 1;
      c->style = ts_arena_format(arena, "lt %zu dt %zu", place, variant);
    }
    if (names[i][0])
      c->label = ts_arena_format(arena, "%s%s%s", c->label, c->label[0] ? " " : "", names[i]);
    if (!c->label || !c->style)
      return TS_E_MEMORY;
  }
  return TS_OK;
}

static size_t label_letters(const courses *all) {
  size_t longest = 0;
  for (size_t i = 0; i < all->count; i++) {
    size_t letters = strlen(all->items[i].label);
    longest = letters > longest ? letters : longest;
  }
  return longest;
}

static bool has_values(const course *c, const ts_field *field) {
  for (size_t i = 0; i < c->count; i++)
    if (!isnan(ts_row_number(field, c->points[i].record)))
      return true;
  return false;
}

static ts_plot_range find_range(const courses *all, const ts_field *field) {
  ts_plot_range range = ts_plot_range_start();
  for (size_t i = 0; i < all->count; i++) {
    for (size_t k = 0; k < all->items[i].count; k++)
      ts_plot_range_add(&range, ts_row_number(field, all->items[i].points[k].record));
    ts_plot_range_end_curve(&range);
  }
  return range;
}

/// Leaves the fields that have values, and of several only those that are not 0 throughout.
static void choose_panels(figure *f, const courses *all) {
  const ts_field *flat = NULL;
  size_t kept = 0;
  for (size_t i = 0; i < f->count; i++) {
    bool is_measured = false;
    for (size_t k = 0; k < all->count && !is_measured; k++)
      is_measured = has_values(&all->items[k], f->fields[i]);
    ts_plot_range range = find_range(all, f->fields[i]);
    if (is_measured && ts_plot_range_is_flat(&range))
      flat = flat ? flat : f->fields[i];
    else if (is_measured)
      f->fields[kept++] = f->fields[i];
  }
  if (kept == 0 && flat)
    f->fields[kept++] = flat;
  f->count = kept;
}

static void say_axis(ts_plot_page *page, const figure *f, const ts_field *field,
                     const courses *all) {
  ts_plot_range range = find_range(all, field);
  if (f->is_of_motion ? !f->is_linear && ts_plot_range_hides_curves(&range)
                      : !ts_field_is_percent(field) && field->kind != TS_FIELD_COUNT) {
    ts_plot_say_powers(page, &range, field->column);
    return;
  }
  if (f->is_of_motion) {
    ts_plot_say_linear(page, &range, field->column);
    return;
  }
  // Curves along the ends of the axis are beside the frame, not on it.
  ts_plot_say(page, ts_field_is_percent(field)
                        ? "set yrange [-3:103]\nset ytics 0, 20, 100\n"
                        : "set yrange [0:*]\nset offsets 0, 0, graph 0.05, 0\n");
  ts_plot_say(page, "drawn(n) = only(n, \"%s\")\n", field->column);
}

/// Adds the data of curve `place`. A step without a value interrupts it.
static void add_data(ts_plot_page *page, const figure *f, const course *c, size_t place) {
  for (size_t i = 0; i < c->count; i++) {
    const ts_record *record = c->points[i].record;
    ts_plot_number(page, (double)place + 1);
    ts_plot_text(page, c->label);
    ts_plot_number(page, record->step);
    if (f->is_of_motion)
      ts_plot_number(page, time_of(record));
    for (size_t k = 0; k < f->count; k++)
      ts_plot_number(page, ts_row_number(f->fields[k], record));
    ts_plot_end_row(page);
  }
}

/// Draws the curves that have values of the field.
static void say_curves(ts_plot_page *page, const figure *f, const ts_field *field,
                       const courses *all) {
  const char *x = f->is_of_motion ? "time_s" : "step", *between = "plot";
  for (size_t i = 0; i < all->count; i++) {
    const course *c = &all->items[i];
    if (!has_values(c, field))
      continue;
    // The first symbol of each curve has another offset, so that symbols of identical curves stay
    // visible.
    size_t interval = c->count / MARKS + 1, start = i * interval / all->count;
    ts_plot_say(page,
                "%s data using (only(%zu, \"%s\")):(drawn(%zu)) with lines %s notitle, \\\n"
                "  data using (only(%zu, \"%s\")):(int(column(\"step\")) %% %zu == %zu ? "
                "drawn(%zu) : NaN) with points %s notitle",
                between, i + 1, x, i + 1, c->style, i + 1, x, interval, start, i + 1, c->style);
    between = ", \\\n ";
  }
}

static void say_key(ts_plot_page *page, const courses *all) {
  for (size_t i = 0; i < all->count; i++)
    ts_plot_key_line(page, all->items[i].label, all->items[i].style, "linespoints");
}

static ts_status fill_plot(ts_plot_page *page, const figure *f, const courses *all) {
  ts_arena *arena = page->book->arena;
  const char *heading = ts_field_heading(arena, f->fields[0]);
  const char *label = heading ? ts_label_in_text(arena, heading) : NULL;
  const char *quoted = label ? ts_plot_quote(arena, label) : NULL;
  if (!quoted)
    return TS_E_MEMORY;
  ts_plot_say(page, "set ylabel label(%s)\n", quoted);
  say_axis(page, f, f->fields[0], all);
  say_curves(page, f, f->fields[0], all);
  say_key(page, all);
  ts_plot_say(page, "\n");
  return TS_OK;
}

static ts_status fill_panels(ts_plot_page *page, const figure *f, const courses *all) {
  ts_plot_say_panels(page, ACROSS, (f->count + ACROSS - 1) / ACROSS);
  for (size_t i = 0; i < f->count; i++) {
    const char *heading = ts_field_heading(page->book->arena, f->fields[i]);
    const char *quoted = heading ? ts_plot_quote(page->book->arena, heading) : NULL;
    if (!quoted)
      return TS_E_MEMORY;
    ts_plot_say_panel(page, i);
    ts_plot_say(page, "set title label(%s)\n", quoted);
    say_axis(page, f, f->fields[i], all);
    say_curves(page, f, f->fields[i], all);
    ts_plot_say(page, "\n");
    ts_plot_say_no_axis(page);
  }
  ts_plot_say_key_strip(page);
  say_key(page, all);
  ts_plot_say(page, "\nunset multiplot\n");
  return TS_OK;
}

static ts_status fill_page(ts_plot_page *page, const figure *f, const courses *all) {
  for (size_t i = 0; i < all->count; i++)
    add_data(page, f, &all->items[i], i);
  ts_plot_say(page, "set xlabel label(\"%s\")\n", f->is_of_motion ? "time [s]" : "simulation step");
  if (all->method)
    ts_plot_say_value_styles(page, all->count);
  return f->count == 1 ? fill_plot(page, f, all) : fill_panels(page, f, all);
}

static ts_plot_shape shape_of(const figure *f, const ts_plot_source *source, const courses *all) {
  size_t letters = f->is_of_motion ? label_letters(all) : ts_plot_method_letters(source);
  if (f->count == 1)
    return (ts_plot_shape){1, 0.85, all->count, letters};
  return (ts_plot_shape){2, f->count > ACROSS ? 1.3 : 0.75, all->count, letters};
}

/// Makes a page of the points [count] of a case, if the columns have enough values.
static ts_status make_page(ts_plot_book *book, const ts_plot_source *source, figure f,
                           const point *points, size_t count) {
  ts_arena *arena = book->arena;
  courses all;
  TS_TRY(find_courses(&all, arena, &f, points, count));
  if (all.count == 0)
    return TS_OK;
  choose_panels(&f, &all);
  TS_TRY(name_methods(&all, arena, source));
  if (f.is_of_motion)
    TS_TRY(name_simulations(&all, arena, source));
  const ts_axis_entry *entry = &source->cases.entries[points[0].case_entry];
  const char *part = ts_plot_case_part(arena, entry, NAN);
  if (part && f.name)
    part = ts_arena_format(arena, "%s-%s", part, f.name);
  const char *title = ts_plot_case_title(arena, entry, NAN);
  if (title && all.method)
    title = ts_arena_format(arena, "%s: %s", all.method, title);
  const char *header = f.is_of_motion ? "curve,label,step,time_s" : "curve,label,step";
  for (size_t i = 0; header && i < f.count; i++)
    header = ts_arena_format(arena, "%s,%s", header, f.fields[i]->column);
  if (!part || !title || !header)
    return TS_E_MEMORY;
  ts_plot_page page;
  TS_TRY(ts_plot_begin(&page, book, part, f.heading, title, shape_of(&f, source, &all), header));
  return ts_plot_end_with(&page, fill_page(&page, &f, &all));
}

/// Makes a page for each case and each of the figures [count], all of motion or none.
static ts_status make_pages(ts_plot_book *book, const ts_plot_source *source, const figure *figures,
                            size_t count) {
  ts_plot_source moving;
  TS_TRY(drop_steps(&moving, book->arena, source, figures[0].is_of_motion));
  point *points = ts_arena_array(book->arena, moving.count, sizeof *points);
  if (!points)
    return TS_E_MEMORY;
  for (size_t i = 0; i < moving.count; i++)
    points[i] = (point){.case_entry = moving.cases.entry_of[i],
                        .method_entry = moving.methods.entry_of[i],
                        .record = &moving.records[i]};
  if (figures[0].is_of_motion)
    TS_TRY(number_simulations(book->arena, points, moving.count));
  qsort(points, moving.count, sizeof *points, compare_points);
  for (size_t first = 0, end; first < moving.count; first = end) {
    end = first + 1;
    while (end < moving.count && points[end].case_entry == points[first].case_entry)
      end++;
    for (size_t i = 0; i < count; i++)
      TS_TRY(make_page(book, &moving, figures[i], &points[first], end - first));
  }
  return TS_OK;
}

/// A figure of one column over the steps.
static ts_status make_figure(figure *out, ts_arena *arena, const ts_field *field) {
  *out = (figure){
      .heading = ts_arena_format(arena, "%s in each simulation step", field->label),
      .count = 1,
      .fields = {field},
  };
  return out->heading ? TS_OK : TS_E_MEMORY;
}

static ts_status make_contacts(ts_plot_book *book, const ts_plot_source *source) {
  figure f;
  TS_TRY(make_figure(&f, book->arena, ts_row_find(&ts_summary_rows, "contacts_unique")));
  return make_pages(book, source, &f, 1);
}

static ts_status make_coherence(ts_plot_book *book, const ts_plot_source *source) {
  const ts_field *fields[TS_RECORD_FIELD_COUNT];
  size_t count = ts_fields_shown(fields, TS_SHOWN_STEPS);
  figure *figures = ts_arena_array(book->arena, count, sizeof *figures);
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
  const char *columns[PANELS_MAX];
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
  figure figures[MOTION_COUNT];
  for (size_t i = 0; i < MOTION_COUNT; i++) {
    figures[i] = (figure){.name = motions[i].name,
                          .heading = motions[i].heading,
                          .is_of_motion = true,
                          .is_linear = motions[i].is_linear};
    for (size_t k = 0; k < PANELS_MAX && motions[i].columns[k]; k++)
      figures[i].fields[figures[i].count++] = ts_row_find(&ts_summary_rows, motions[i].columns[k]);
  }
  return make_pages(book, source, figures, MOTION_COUNT);
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
    .make = make_coherence,
};

const ts_plot_kind ts_plot_motion = {
    .name = "motion_step",
    .figures = "",
    .summary = "Energies, drift, tilt and overlap over time, a curve per method and simulation.",
    .lacks = "no cell has four steps or more: touchstone run --steps 100",
    .make = make_motion,
};
