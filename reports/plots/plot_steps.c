// SPDX-License-Identifier: MIT
/// Columns over the steps while the scene moves, a curve for each method: the number of contacts,
/// and how the contacts of consecutive steps hold together.
#include "base/status.h"
#include "reports/plots/plot_kinds.h"
#include "reports/rows/outcome.h"
#include "reports/tables/field_text.h"

#include <math.h>
#include <stdlib.h>

#define STEPS_MIN ((size_t)4) ///< with fewer there is no trend
#define MARKS     8           ///< symbols on a curve
#define TICS_MAX  8           ///< powers of ten on an axis
#define POWER_MIN 1e-30       ///< whatever is in the file
#define POWER_MAX 1e30

static bool is_in_course(const ts_record *record) {
  return ts_record_is_ok(record) && record->step > 0;
}

/// Cases without the step, so that all rows of a cell form one curve.
static ts_status drop_steps(ts_plot_source *out, ts_arena *arena, const ts_plot_source *source) {
  ts_record *records = ts_arena_array(arena, source->count, sizeof *records);
  if (!records)
    return TS_E_MEMORY;
  *out = (ts_plot_source){.records = records,
                          .method_names = source->method_names,
                          .method_count = source->method_count};
  for (size_t i = 0; i < source->count; i++)
    if (is_in_course(&source->records[i])) {
      records[out->count] = source->records[i];
      records[out->count++].step = NAN;
    }
  TS_TRY(ts_axis_of_cases(&out->cases, arena, records, out->count));
  TS_TRY(ts_axis_of_methods(&out->methods, arena, records, out->count));
  size_t kept = 0;
  for (size_t i = 0; i < source->count; i++)
    if (is_in_course(&source->records[i]))
      records[kept++].step = source->records[i].step;
  return TS_OK;
}

typedef struct point {
  size_t case_entry, method_entry;
  const ts_record *record;
} point;

static int compare_points(const void *a, const void *b) {
  const point *x = a, *y = b;
  if (x->case_entry != y->case_entry)
    return x->case_entry < y->case_entry ? -1 : 1;
  if (x->method_entry != y->method_entry)
    return x->method_entry < y->method_entry ? -1 : 1;
  return (x->record->step > y->record->step) - (x->record->step < y->record->step);
}

/// The steps of a method in a case.
typedef struct course {
  const point *points; ///< [count]
  size_t count;
} course;

/// Finds the courses [returned count] among the points [count] of a case that have enough values.
static size_t find_courses(course *out, const ts_field *field, const point *points, size_t count) {
  size_t found = 0;
  for (size_t first = 0, end; first < count; first = end) {
    size_t measured = 0;
    for (end = first; end < count && points[end].method_entry == points[first].method_entry; end++)
      measured += isnan(ts_row_number(field, points[end].record)) ? 0 : 1;
    if (measured >= STEPS_MIN)
      out[found++] = (course){&points[first], end - first};
  }
  return found;
}

/// An axis of powers of ten. They have no 0, which is often the best value: it gets a place of its
/// own at the bottom, below a dashed line where the axis is broken.
static void say_log_axis(ts_plot_page *page, const ts_field *field, const course *courses,
                         size_t count) {
  double low = INFINITY, high = 0;
  bool has_zero = false;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < courses[i].count; k++) {
      double value = ts_row_number(field, courses[i].points[k].record);
      has_zero |= value == 0;
      if (value > 0 && isfinite(value)) {
        low = fmin(low, fmax(value, POWER_MIN));
        high = fmax(high, fmin(value, POWER_MAX));
      }
    }
  int first = high > 0 ? (int)floor(log10(low)) : 0, last = high > 0 ? (int)ceil(log10(high)) : 0;
  last = last > first ? last : first + 1;
  double unit = (last - first) / 10.0, zero = pow(10, first - 1.2 * unit);
  int interval = (last - first) / TICS_MAX + 1;
  ts_plot_say(page, "set logscale y\nset yrange [%.3g:%.3g]\nset ytics (",
              has_zero ? pow(10, first - 1.6 * unit) : pow(10, first), pow(10, last + 0.2 * unit));
  for (int i = last; i >= first; i -= interval) {
    const char *between = i < last ? ", " : "";
    if (i < -3 || i > 3)
      ts_plot_say(page, "%s\"1e%d\" 1e%d", between, i, i);
    else
      ts_plot_say(page, "%s\"%g\" 1e%d", between, pow(10, i), i);
  }
  if (has_zero)
    ts_plot_say(page,
                ", \"0\" %.3g)\n"
                "set arrow from graph 0, first %.3g to graph 1, first %.3g nohead lw 0.8 dt (4,4) "
                "lc rgb \"#888888\"\n"
                "# Zeros are drawn where the axis says 0.\n"
                "drawn(n) = only(n, \"%s\") == 0 ? %.3g : only(n, \"%s\")\n",
                zero, pow(10, first - 0.6 * unit), pow(10, first - 0.6 * unit), field->column, zero,
                field->column);
  else
    ts_plot_say(page, ")\ndrawn(n) = only(n, \"%s\")\n", field->column);
}

static void say_axis(ts_plot_page *page, const ts_field *field, const course *courses,
                     size_t count) {
  if (!ts_field_is_percent(field) && field->kind != TS_FIELD_COUNT) {
    say_log_axis(page, field, courses, count);
    return;
  }
  // Curves along the ends of the axis are beside the frame, not on it.
  ts_plot_say(page, ts_field_is_percent(field)
                        ? "set yrange [-3:103]\nset ytics 0, 20, 100\n"
                        : "set yrange [0:*]\nset offsets 0, 0, graph 0.05, 0\n");
  ts_plot_say(page, "drawn(n) = only(n, \"%s\")\n", field->column);
}

/// Adds curve `place` of `count`. A step without a value interrupts it.
static ts_status add_course(ts_plot_page *page, const ts_plot_source *source, const ts_field *field,
                            const course *c, size_t place, size_t count) {
  ts_arena *arena = page->book->arena;
  const char *label = ts_axis_label(arena, &source->methods.entries[c->points[0].method_entry]);
  const char *style = ts_plot_style(arena, source, c->points[0].method_entry);
  if (!label || !style)
    return TS_E_MEMORY;
  for (size_t i = 0; i < c->count; i++) {
    ts_plot_number(page, (double)place + 1);
    ts_plot_text(page, label);
    ts_plot_number(page, c->points[i].record->step);
    ts_plot_number(page, ts_row_number(field, c->points[i].record));
    ts_plot_end_row(page);
  }
  // The first symbol of each curve has another offset, so that symbols of identical curves stay
  // visible.
  size_t interval = c->count / MARKS + 1, start = place * interval / count;
  ts_plot_say(page,
              "%s data using (only(%zu, \"step\")):(drawn(%zu)) with lines %s notitle, \\\n"
              "  data using (only(%zu, \"step\")):(int(column(\"step\")) %% %zu == %zu ? "
              "drawn(%zu) : NaN) with points %s notitle",
              place == 0 ? "plot" : ", \\\n ", place + 1, place + 1, style, place + 1, interval,
              start, place + 1, style);
  return TS_OK;
}

static ts_status fill_page(ts_plot_page *page, const ts_plot_source *source, const ts_field *field,
                           const course *courses, size_t count) {
  ts_arena *arena = page->book->arena;
  const char *heading = ts_field_heading(arena, field);
  const char *label = heading ? ts_label_in_text(arena, heading) : NULL;
  const char *quoted = label ? ts_plot_quote(arena, label) : NULL;
  if (!quoted)
    return TS_E_MEMORY;
  ts_plot_say(page, "set xlabel label(\"simulation step\")\nset ylabel label(%s)\n", quoted);
  say_axis(page, field, courses, count);
  for (size_t i = 0; i < count; i++)
    TS_TRY(add_course(page, source, field, &courses[i], i, count));
  for (size_t i = 0; i < count; i++)
    ts_plot_key_entry(page, source, courses[i].points[0].method_entry, "linespoints");
  ts_plot_say(page, "\n");
  return TS_OK;
}

/// Makes a page of the points [count] of a case, if the column has enough values.
static ts_status make_page(ts_plot_book *book, const ts_plot_source *source, const ts_field *field,
                           bool is_only_field, const point *points, size_t count) {
  ts_arena *arena = book->arena;
  course *courses = ts_arena_array(arena, source->methods.count, sizeof *courses);
  if (!courses)
    return TS_E_MEMORY;
  size_t course_count = find_courses(courses, field, points, count);
  if (course_count == 0)
    return TS_OK;
  const ts_axis_entry *entry = &source->cases.entries[points[0].case_entry];
  const char *part = ts_plot_case_part(arena, entry, NAN);
  if (part && !is_only_field)
    part = ts_arena_format(arena, "%s-%s", part, field->column);
  const char *heading = ts_arena_format(arena, "%s in each simulation step", field->label);
  const char *title = ts_plot_case_title(arena, entry, NAN);
  const char *header = ts_arena_format(arena, "curve,label,step,%s", field->column);
  if (!part || !heading || !title || !header)
    return TS_E_MEMORY;
  ts_plot_page page;
  TS_TRY(ts_plot_begin(&page, book, part, heading, title,
                       (ts_plot_shape){1, 0.85, course_count, ts_plot_method_letters(source)},
                       header));
  return ts_plot_end_with(&page, fill_page(&page, source, field, courses, course_count));
}

/// Makes a page for each case and each of the fields [count].
static ts_status make_pages(ts_plot_book *book, const ts_plot_source *source,
                            const ts_field *const *fields, size_t count) {
  ts_plot_source moving;
  TS_TRY(drop_steps(&moving, book->arena, source));
  point *points = ts_arena_array(book->arena, moving.count, sizeof *points);
  if (!points)
    return TS_E_MEMORY;
  for (size_t i = 0; i < moving.count; i++)
    points[i] = (point){moving.cases.entry_of[i], moving.methods.entry_of[i], &moving.records[i]};
  qsort(points, moving.count, sizeof *points, compare_points);
  for (size_t first = 0, end; first < moving.count; first = end) {
    end = first + 1;
    while (end < moving.count && points[end].case_entry == points[first].case_entry)
      end++;
    for (size_t i = 0; i < count; i++)
      TS_TRY(make_page(book, &moving, fields[i], count == 1, &points[first], end - first));
  }
  return TS_OK;
}

static ts_status make_contacts(ts_plot_book *book, const ts_plot_source *source) {
  const ts_field *field = ts_row_find(&ts_summary_rows, "contacts_unique");
  return make_pages(book, source, &field, 1);
}

static ts_status make_coherence(ts_plot_book *book, const ts_plot_source *source) {
  const ts_field *fields[TS_RECORD_FIELD_COUNT];
  return make_pages(book, source, fields, ts_fields_shown(fields, TS_SHOWN_STEPS));
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
