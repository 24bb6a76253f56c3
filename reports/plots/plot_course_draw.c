// SPDX-License-Identifier: MIT
#include "reports/plots/plot_course_draw.h"

#include "base/status.h"
#include "reports/plots/plot_range.h"
#include "reports/tables/field_text.h"

#include <math.h>

#define MARKS 8 ///< symbols on a curve

const ts_field *ts_course_field(const ts_course_drawing *d, size_t panel) {
  return d->figure->fields[d->indices[panel]];
}

ts_status ts_course_name_methods(ts_plot_courses *all, ts_arena *arena,
                                 const ts_plot_source *source) {
  for (size_t i = 0; i < all->count; i++) {
    ts_plot_course *c = &all->items[i];
    c->label = ts_axis_label(arena, &source->methods.entries[c->method_entry]);
    c->style = ts_plot_style(arena, source, c->method_entry);
    if (!c->label || !c->style)
      return TS_E_MEMORY;
  }
  return TS_OK;
}

static void add_curves(ts_plot_range *range, const ts_plot_courses *all, size_t index) {
  for (size_t i = 0; i < all->count; i++) {
    for (size_t k = 0; k < all->items[i].count; k++)
      ts_plot_range_add(range, all->items[i].stages[k].values[index].mean);
    ts_plot_range_end_curve(range);
  }
}

static ts_plot_range find_range(const ts_plot_courses *all, size_t index) {
  ts_plot_range range = ts_plot_range_start();
  add_curves(&range, all, index);
  range = ts_plot_range_renew(&range);
  add_curves(&range, all, index);
  return range;
}

/// Widens the range by the ends of intervals.
static void add_ends(ts_plot_range *range, const ts_plot_courses *all, size_t index) {
  for (size_t i = 0; i < all->count; i++)
    for (size_t k = 0; k < all->items[i].count; k++) {
      ts_plot_range_add(range, all->items[i].stages[k].values[index].low);
      ts_plot_range_add(range, all->items[i].stages[k].values[index].high);
    }
}

void ts_course_choose_panels(ts_course_drawing *d) {
  size_t flat = SIZE_MAX;
  for (size_t i = 0; i < d->figure->count; i++) {
    bool is_measured = false;
    for (size_t k = 0; k < d->courses.count && !is_measured; k++)
      is_measured = ts_plot_course_has(&d->courses.items[k], i);
    ts_plot_range range = find_range(&d->courses, i);
    if (is_measured && ts_plot_range_is_flat(&range))
      flat = flat < i ? flat : i;
    else if (is_measured)
      d->indices[d->count++] = i;
  }
  if (d->count == 0 && flat != SIZE_MAX)
    d->indices[d->count++] = flat;
}

void ts_course_say_axis(ts_plot_page *page, const ts_course_drawing *d, size_t panel) {
  const ts_plot_figure *f = d->figure;
  const ts_field *field = ts_course_field(d, panel);
  ts_plot_range range = find_range(&d->courses, d->indices[panel]);
  if (f->is_of_motion ? !f->is_linear && ts_plot_range_hides_curves(&range)
                      : !ts_field_is_percent(field) && field->kind != TS_FIELD_COUNT) {
    ts_plot_say_powers(page, &range, field->column);
    return;
  }
  if (f->is_of_motion) {
    add_ends(&range, &d->courses, d->indices[panel]);
    ts_plot_say_linear(page, &range, field->column);
    return;
  }
  // Curves along the ends of the axis are beside the frame, not on it.
  ts_plot_say(page, ts_field_is_percent(field)
                        ? "set yrange [-3:103]\nset ytics 0, 20, 100\n"
                        : "set yrange [0:*]\nset offsets 0, 0, graph 0.05, 0\n");
  ts_plot_say(page, "placed(v) = v\ndrawn(n) = only(n, \"%s\")\n", field->column);
}

void ts_course_add_data(ts_plot_page *page, const ts_course_drawing *d, size_t place) {
  const ts_plot_course *c = &d->courses.items[place];
  for (size_t i = 0; i < c->count; i++) {
    const ts_plot_stage *stage = &c->stages[i];
    ts_plot_number(page, (double)(d->first_curve + place + 1));
    ts_plot_text(page, c->label);
    ts_plot_number(page, stage->step);
    if (d->figure->is_of_motion)
      ts_plot_number(page, stage->time_s);
    for (size_t k = 0; k < d->count; k++)
      ts_plot_number(page, stage->values[d->indices[k]].mean);
    for (size_t k = 0; k < d->count && d->courses.seeds > 1; k++) {
      ts_plot_number(page, stage->values[d->indices[k]].low);
      ts_plot_number(page, stage->values[d->indices[k]].high);
    }
    ts_plot_end_row(page);
  }
}

void ts_course_say_curves(ts_plot_page *page, const ts_course_drawing *d, size_t panel) {
  const char *x = d->figure->is_of_motion ? "time_s" : "step", *between = "plot";
  const char *column = ts_course_field(d, panel)->column;
  const ts_plot_courses *all = &d->courses;
  for (size_t i = 0; i < all->count && all->seeds > 1; i++)
    if (ts_plot_course_has(&all->items[i], d->indices[panel])) {
      size_t n = d->first_curve + i + 1;
      ts_plot_say(page,
                  "%s data using (only(%zu, \"%s\")):(placed(only(%zu, \"%s_low\"))):"
                  "(placed(only(%zu, \"%s_high\"))) with filledcurves %s " TS_PLOT_BAND " notitle",
                  between, n, x, n, column, n, column, all->items[i].style);
      between = ", \\\n ";
    }
  for (size_t i = 0; i < all->count; i++) {
    const ts_plot_course *c = &all->items[i];
    size_t n = d->first_curve + i + 1;
    if (!ts_plot_course_has(c, d->indices[panel]))
      continue;
    // The first symbol of each curve has another offset, so that symbols of identical curves stay
    // visible.
    size_t interval = c->count / MARKS + 1, start = i * interval / all->count;
    ts_plot_say(page,
                "%s data using (only(%zu, \"%s\")):(drawn(%zu)) with lines %s notitle, \\\n"
                "  data using (only(%zu, \"%s\")):(int(column(\"step\")) %% %zu == %zu ? "
                "drawn(%zu) : NaN) with points %s notitle",
                between, n, x, n, c->style, n, x, interval, start, n, c->style);
    between = ", \\\n ";
  }
}
