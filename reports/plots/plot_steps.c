// SPDX-License-Identifier: MIT
/// Contacts per step: the number of unique contacts that each method finds while the scene moves.
#include "base/status.h"
#include "reports/plots/plot_kinds.h"
#include "reports/rows/outcome.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MIN ((size_t)4) ///< with fewer there is no trend
#define MARKS     8           ///< symbols on a curve

static bool is_in_course(const ts_record *record) {
  return ts_record_is_ok(record) && record->step > 0 && !isnan(record->contacts_unique);
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
  double step, contacts;
} point;

static int compare_points(const void *a, const void *b) {
  const point *x = a, *y = b;
  if (x->case_entry != y->case_entry)
    return x->case_entry < y->case_entry ? -1 : 1;
  if (x->method_entry != y->method_entry)
    return x->method_entry < y->method_entry ? -1 : 1;
  return (x->step > y->step) - (x->step < y->step);
}

static size_t count_course(const point *points, size_t count) {
  size_t end = 1;
  while (end < count && points[end].case_entry == points[0].case_entry &&
         points[end].method_entry == points[0].method_entry)
    end++;
  return end;
}

static ts_status add_course(ts_plot_page *page, const ts_plot_source *source, size_t curve,
                            const point *points, size_t count) {
  ts_arena *arena = page->book->arena;
  const char *label = ts_axis_label(arena, &source->methods.entries[points[0].method_entry]);
  const char *style = ts_plot_style(arena, source, points[0].method_entry);
  if (!label || !style)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    ts_plot_number(page, (double)curve);
    ts_plot_text(page, label);
    ts_plot_number(page, points[i].step);
    ts_plot_number(page, points[i].contacts);
    ts_plot_end_row(page);
  }
  // The first symbol of each curve has another offset, so that symbols of identical curves stay
  // visible.
  size_t interval = count / MARKS + 1, start = curve * interval / 3 % interval;
  ts_plot_say(page,
              "%s data using (only(%zu, \"step\")):\"contacts\" with lines %s notitle, \\\n"
              "  data using (only(%zu, \"step\")):(int(column(\"step\")) %% %zu == %zu ? "
              "column(\"contacts\") : NaN) with points %s notitle",
              curve == 1 ? "plot" : ", \\\n ", curve, style, curve, interval, start, style);
  return TS_OK;
}

static ts_status fill_page(ts_plot_page *page, const ts_plot_source *source, const point *points,
                           size_t count) {
  ts_plot_say(page, "set xlabel label(\"simulation step\")\n"
                    "set ylabel label(\"unique contacts\")\n"
                    "set yrange [0:*]\n"
                    "set offsets 0, 0, graph 0.05, 0\n");
  size_t curve = 0;
  for (size_t first = 0, length; first < count; first += length) {
    length = count_course(&points[first], count - first);
    TS_TRY(add_course(page, source, ++curve, &points[first], length));
  }
  for (size_t first = 0; first < count; first += count_course(&points[first], count - first))
    ts_plot_key_entry(page, source, points[first].method_entry, "linespoints");
  ts_plot_say(page, "\n");
  return TS_OK;
}

/// Makes a page of the points [count] of a case.
static ts_status make_page(ts_plot_book *book, const ts_plot_source *source, point *points,
                           size_t count) {
  size_t kept = 0, courses = 0;
  for (size_t first = 0, length; first < count; first += length) {
    length = count_course(&points[first], count - first);
    if (length < STEPS_MIN)
      continue;
    memmove(&points[kept], &points[first], length * sizeof *points);
    kept += length;
    courses++;
  }
  if (courses == 0)
    return TS_OK;
  const ts_axis_entry *entry = &source->cases.entries[points[0].case_entry];
  const char *part = ts_plot_case_part(book->arena, entry, NAN);
  const char *title = ts_plot_case_title(book->arena, entry, NAN);
  if (!part || !title)
    return TS_E_MEMORY;
  ts_plot_page page;
  TS_TRY(ts_plot_begin(&page, book, part, "Contacts in each simulation step", title,
                       (ts_plot_shape){1, 0.85, courses, ts_plot_method_letters(source)},
                       "curve,label,step,contacts"));
  return ts_plot_end_with(&page, fill_page(&page, source, points, kept));
}

static ts_status make(ts_plot_book *book, const ts_plot_source *source) {
  ts_plot_source courses;
  TS_TRY(drop_steps(&courses, book->arena, source));
  point *points = ts_arena_array(book->arena, courses.count, sizeof *points);
  if (!points)
    return TS_E_MEMORY;
  for (size_t i = 0; i < courses.count; i++)
    points[i] = (point){courses.cases.entry_of[i], courses.methods.entry_of[i],
                        courses.records[i].step, courses.records[i].contacts_unique};
  qsort(points, courses.count, sizeof *points, compare_points);
  for (size_t first = 0, end; first < courses.count; first = end) {
    end = first + 1;
    while (end < courses.count && points[end].case_entry == points[first].case_entry)
      end++;
    TS_TRY(make_page(book, &courses, &points[first], end - first));
  }
  return TS_OK;
}

const ts_plot_kind ts_plot_steps = {
    .name = "contacts_step",
    .figures = "22",
    .summary = "Unique contacts in each simulation step, one curve per method.",
    .lacks = "no cell has four steps or more: touchstone run --steps 100",
    .make = make,
};
