// SPDX-License-Identifier: MIT
/// Measures and the response of a simulation against a swept parameter, and the sorted normal
/// quality at each of its values.
#include "base/number.h"
#include "base/status.h"
#include "reports/plots/plot_curve.h"
#include "reports/plots/plot_kinds.h"
#include "reports/plots/plot_quality.h"
#include "reports/plots/plot_range.h"
#include "reports/plots/plot_sweep.h"
#include "reports/tables/field_text.h"

#include <math.h>
#include <string.h>

#define ACROSS ((size_t)2) ///< panels beside each other

/// The columns that have a panel.
typedef struct panels {
  const ts_field *fields[TS_RECORD_FIELD_COUNT]; ///< [count]
  size_t count;
} panels;

/// The columns that a metric fills, or those that the simulation does.
static panels find_panels(bool is_of_metrics) {
  panels p = {.count = 0};
  const ts_field *fields[TS_RECORD_FIELD_COUNT];
  size_t count = ts_fields_shown(fields, TS_SHOWN_SWEEP);
  for (size_t i = 0; i < count; i++)
    if ((fields[i]->metric != NULL) == is_of_metrics)
      p.fields[p.count++] = fields[i];
  return p;
}

/// Whether any of the curves has a value of the panel's measure; none has where the truth is
/// unknown.
static ts_status has_values(bool *out, ts_arena *arena, const ts_plot_sweep *sweep,
                            const ts_plot_run *runs, size_t count, const ts_field *field) {
  *out = false;
  for (size_t i = 0; i < count && !*out; i++) {
    ts_plot_points points;
    TS_TRY(ts_plot_run_points(&points, arena, sweep, &runs[i], field, false));
    *out = points.count > 0;
  }
  return TS_OK;
}

/// Adds a curve to the data and, if it has points, to the script.
static ts_status add_run(ts_plot_page *page, const ts_plot_sweep *sweep, const ts_plot_run *run,
                         const ts_field *field, const char **between) {
  ts_arena *arena = page->book->arena;
  const char *label = ts_axis_label(arena, &sweep->source.methods.entries[run->method_entry]);
  const char *style = ts_plot_style(arena, &sweep->source, run->method_entry);
  ts_plot_points points;
  if (!label || !style)
    return TS_E_MEMORY;
  TS_TRY(ts_plot_run_points(&points, arena, sweep, run, field, true));
  size_t curve = run->method_entry + 1;
  for (size_t i = 0; i < points.count; i++) {
    ts_plot_text(page, field->column);
    ts_plot_number(page, (double)curve);
    ts_plot_text(page, label);
    ts_plot_number(page, points.x[i]);
    ts_plot_number(page, points.y[i].mean);
    ts_plot_number(page, points.y[i].low);
    ts_plot_number(page, points.y[i].high);
    ts_plot_end_row(page);
  }
  if (points.count == 0)
    return TS_OK;
  if (ts_plot_points_have_intervals(&points)) {
    ts_plot_say(page,
                "%s data using (at(\"%s\", %zu, \"parameter\")):(drawn(%zu)):"
                "(placed(at(\"%s\", %zu, \"low\"))):(placed(at(\"%s\", %zu, \"high\"))) "
                "with yerrorbars %s " TS_PLOT_BARS " notitle",
                *between, field->column, curve, curve, field->column, curve, field->column, curve,
                style);
    *between = ", \\\n ";
  }
  ts_plot_say(
      page,
      "%s data using (at(\"%s\", %zu, \"parameter\")):(drawn(%zu)) with linespoints %s notitle",
      *between, field->column, curve, curve, style);
  *between = ", \\\n ";
  return TS_OK;
}

static ts_status add_runs(ts_plot_page *page, const ts_plot_sweep *sweep, const ts_plot_run *runs,
                          size_t count, const ts_field *field) {
  const char *between = "plot";
  for (size_t i = 0; i < count; i++)
    TS_TRY(add_run(page, sweep, &runs[i], field, &between));
  ts_plot_say(page, "\n");
  return TS_OK;
}

/// A column, for the rows of one curve of one measure only.
static const char say_at[] = "at(m, n, c) = strcol(\"measure\") eq m ? only(n, c) : NaN\n";

/// Whether the values are positive and span a range that is wide enough for a logarithmic axis.
static bool is_wide(const ts_plot_sweep *sweep, const ts_plot_run *runs, size_t count) {
  double min = INFINITY, max = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    min = fmin(min, sweep->values[runs[i].rows[0]]);
    max = fmax(max, sweep->values[runs[i].rows[runs[i].count - 1]]);
  }
  return min > 0 && max / min >= 8;
}

static ts_status fill_page(ts_plot_page *page, const ts_plot_sweep *sweep, const ts_plot_run *runs,
                           size_t count) {
  const panels shown = find_panels(true);
  const char *name = ts_plot_quote(page->book->arena, sweep->name);
  if (!name)
    return TS_E_MEMORY;
  ts_plot_say_panels(page, ACROSS, (shown.count + ACROSS - 1) / ACROSS);
  ts_plot_say(page,
              "set xlabel label(%s)\n"
              "set offsets 0, 0, graph 0.05, 0\n"
              "placed(v) = v\ndrawn(n) = only(n, \"value\")\n%s",
              name, say_at);
  TS_TRY(ts_plot_say_sweep_axis(page, sweep, runs, count, is_wide(sweep, runs, count)));
  for (size_t p = 0; p < shown.count; p++) {
    const ts_field *field = shown.fields[p];
    const char *title = ts_field_heading(page->book->arena, field);
    if (!title)
      return TS_E_MEMORY;
    ts_plot_say_panel(page, p);
    bool is_measured;
    TS_TRY(has_values(&is_measured, page->book->arena, sweep, runs, count, field));
    if (!is_measured) {
      ts_plot_say(page,
                  "set title label(\"%s\")\nset yrange [0:1]\n"
                  "set label 1 label(\"not measured\") at graph 0.5, 0.5 center\n"
                  "plot NaN notitle\nunset label 1\n",
                  title);
      continue;
    }
    ts_plot_say(page, "set title label(\"%s\")\nset yrange %s\n", title,
                ts_field_is_percent(field) ? "[-5:105]" : "[0:*]");
    TS_TRY(add_runs(page, sweep, runs, count, field));
  }
  ts_plot_say_key_strip(page);
  for (size_t i = 0; i < count; i++)
    ts_plot_key_entry(page, &sweep->source, runs[i].method_entry, "linespoints");
  ts_plot_say(page, "\nunset multiplot\n");
  return TS_OK;
}

/// Name ("perturb_m-pillar-touch") and title of the page for the case of a curve.
static ts_status name_page(const char **part, const char **title, ts_arena *arena,
                           const ts_plot_sweep *sweep, const ts_plot_run *run) {
  const ts_axis_entry *entry = &sweep->source.cases.entries[run->case_entry];
  double step = sweep->source.records[run->rows[0]].step;
  *part = ts_plot_case_part(arena, entry, step);
  *title = ts_plot_case_title(arena, entry, step);
  if (*part)
    *part = ts_arena_format(arena, "%s-%s", sweep->name, *part);
  return *part && *title ? TS_OK : TS_E_MEMORY;
}

/// "Measures against perturb_m, mean of 10 seeds, bars: 95% intervals".
static const char *name_heading(ts_arena *arena, const char *what, const ts_plot_sweep *sweep,
                                const ts_plot_run *runs, size_t count) {
  size_t seeds = ts_plot_run_seeds(sweep, runs, count);
  const char *heading = ts_plot_mean_heading(
      arena, ts_arena_format(arena, "%s against %s", what, sweep->name), seeds);
  return heading && seeds > 1 ? ts_arena_format(arena, "%s, bars: 95%% intervals", heading)
                              : heading;
}

/// Calls `page` for the curves of each case and swept parameter whose step is shown.
static ts_status for_each_case(ts_plot_book *book, const ts_plot_source *source,
                               ts_status (*page)(ts_plot_book *book, const ts_plot_source *source,
                                                 const ts_plot_sweep *sweep,
                                                 const ts_plot_run *runs, size_t count)) {
  ts_plot_sweep *sweeps;
  size_t sweep_count;
  TS_TRY(ts_plot_find_sweeps(&sweeps, &sweep_count, book->arena, source));
  for (size_t s = 0; s < sweep_count; s++) {
    ts_plot_run *runs;
    size_t count;
    TS_TRY(ts_plot_find_runs(&runs, &count, book->arena, &sweeps[s]));
    for (size_t first = 0, end; first < count; first = end) {
      end = first + 1;
      while (end < count && runs[end].case_entry == runs[first].case_entry)
        end++;
      if (ts_plot_case_is_shown(&sweeps[s].source, runs[first].case_entry))
        TS_TRY(page(book, source, &sweeps[s], &runs[first], end - first));
    }
  }
  return TS_OK;
}

static ts_status make_measures_page(ts_plot_book *book, const ts_plot_source *source,
                                    const ts_plot_sweep *sweep, const ts_plot_run *runs,
                                    size_t count) {
  (void)source;
  const panels shown = find_panels(true);
  bool is_measured = false;
  for (size_t p = 0; p < shown.count && !is_measured; p++)
    TS_TRY(has_values(&is_measured, book->arena, sweep, runs, count, shown.fields[p]));
  if (!is_measured)
    return TS_OK;
  const char *part, *title;
  TS_TRY(name_page(&part, &title, book->arena, sweep, runs));
  const char *heading = name_heading(book->arena, "Measures", sweep, runs, count);
  if (!heading)
    return TS_E_MEMORY;
  ts_plot_page page;
  TS_TRY(ts_plot_begin(&page, book, part, heading, title,
                       (ts_plot_shape){2, 1.3, count, ts_plot_method_letters(&sweep->source)},
                       "measure,curve,label,parameter,value,low,high"));
  return ts_plot_end_with(&page, fill_page(&page, sweep, runs, count));
}

static ts_status make_measures(ts_plot_book *book, const ts_plot_source *source) {
  return for_each_case(book, source, make_measures_page);
}

/// Adds the values of the curves, and the ends of their intervals if wanted.
static ts_status add_curves(ts_plot_range *out, ts_arena *arena, const ts_plot_sweep *sweep,
                            const ts_plot_run *runs, size_t count, const ts_field *field,
                            bool has_ends) {
  for (size_t i = 0; i < count; i++) {
    ts_plot_points points;
    TS_TRY(ts_plot_run_points(&points, arena, sweep, &runs[i], field, has_ends));
    for (size_t k = 0; k < points.count; k++) {
      ts_plot_range_add(out, points.y[k].mean);
      ts_plot_range_add(out, points.y[k].low);
      ts_plot_range_add(out, points.y[k].high);
    }
    ts_plot_range_end_curve(out);
  }
  return TS_OK;
}

static ts_status find_range(ts_plot_range *out, ts_arena *arena, const ts_plot_sweep *sweep,
                            const ts_plot_run *runs, size_t count, const ts_field *field,
                            bool has_ends) {
  *out = ts_plot_range_start();
  TS_TRY(add_curves(out, arena, sweep, runs, count, field, has_ends));
  *out = ts_plot_range_renew(out);
  return add_curves(out, arena, sweep, runs, count, field, has_ends);
}

/// A panel of what contacts do. What is better the closer it is to 0 gets an axis of powers where
/// it comes close.
static ts_status fill_response_panel(ts_plot_page *page, const ts_plot_sweep *sweep,
                                     const ts_plot_run *runs, size_t count, const ts_field *field) {
  ts_arena *arena = page->book->arena;
  ts_plot_range range;
  TS_TRY(find_range(&range, arena, sweep, runs, count, field, false));
  if (ts_plot_range_hides_curves(&range) ||
      (field->sense == TS_SENSE_LOWER && ts_plot_range_spans_decades(&range)))
    ts_plot_say_powers(page, &range, "value");
  else {
    TS_TRY(find_range(&range, arena, sweep, runs, count, field, true));
    ts_plot_say_linear(page, &range, "value");
  }
  TS_TRY(add_runs(page, sweep, runs, count, field));
  ts_plot_say_no_axis(page);
  return TS_OK;
}

static ts_status fill_response(ts_plot_page *page, const ts_plot_sweep *sweep,
                               const ts_plot_run *runs, size_t count, const panels *shown) {
  ts_arena *arena = page->book->arena;
  const char *name = ts_plot_quote(arena, sweep->name);
  if (!name)
    return TS_E_MEMORY;
  size_t across = shown->count < ACROSS ? shown->count : ACROSS;
  ts_plot_say_panels(page, across, (shown->count + across - 1) / across);
  ts_plot_say(page, "set xlabel label(%s)\n%s", name, say_at);
  TS_TRY(ts_plot_say_sweep_axis(page, sweep, runs, count, is_wide(sweep, runs, count)));
  for (size_t p = 0; p < shown->count; p++) {
    const char *heading = ts_field_heading(arena, shown->fields[p]);
    const char *quoted = heading ? ts_plot_quote(arena, heading) : NULL;
    if (!quoted)
      return TS_E_MEMORY;
    ts_plot_say_panel(page, p);
    ts_plot_say(page, "set title label(%s)\n", quoted);
    TS_TRY(fill_response_panel(page, sweep, runs, count, shown->fields[p]));
  }
  ts_plot_say_key_strip(page);
  for (size_t i = 0; i < count; i++)
    ts_plot_key_entry(page, &sweep->source, runs[i].method_entry, "linespoints");
  ts_plot_say(page, "\nunset multiplot\n");
  return TS_OK;
}

static ts_status make_response_page(ts_plot_book *book, const ts_plot_source *source,
                                    const ts_plot_sweep *sweep, const ts_plot_run *runs,
                                    size_t count) {
  (void)source;
  panels shown = find_panels(false);
  size_t kept = 0;
  for (size_t p = 0; p < shown.count; p++) {
    bool is_measured;
    TS_TRY(has_values(&is_measured, book->arena, sweep, runs, count, shown.fields[p]));
    if (is_measured)
      shown.fields[kept++] = shown.fields[p];
  }
  shown.count = kept;
  if (kept == 0)
    return TS_OK;
  const char *part, *title;
  TS_TRY(name_page(&part, &title, book->arena, sweep, runs));
  const char *heading = name_heading(book->arena, "Response", sweep, runs, count);
  if (!heading)
    return TS_E_MEMORY;
  ts_plot_page page;
  size_t down = (kept + ACROSS - 1) / ACROSS;
  TS_TRY(ts_plot_begin(&page, book, part, heading, title,
                       (ts_plot_shape){kept > 1 ? 2 : 1, 0.2 + 0.55 * (double)down, count,
                                       ts_plot_method_letters(&sweep->source)},
                       "measure,curve,label,parameter,value,low,high"));
  return ts_plot_end_with(&page, fill_response(&page, sweep, runs, count, &shown));
}

static ts_status make_response(ts_plot_book *book, const ts_plot_source *source) {
  return for_each_case(book, source, make_response_page);
}

static ts_status fill_quality_page(ts_plot_page *page, const ts_plot_source *source,
                                   const ts_plot_sweep *sweep, const ts_plot_run *run) {
  ts_arena *arena = page->book->arena;
  ts_plot_say_quality_axes(page);
  ts_plot_say_value_styles(page, run->value_count);
  size_t curve = 0;
  const char **labels = ts_arena_array(arena, run->value_count, sizeof *labels);
  if (!labels)
    return TS_E_MEMORY;
  for (size_t i = 0; i < run->count; i++) {
    double value = sweep->values[run->rows[i]];
    if (i > 0 && value == sweep->values[run->rows[i - 1]])
      continue; // differs by a seed
    const ts_plot_contacts *contacts = &source->contacts[sweep->original[run->rows[i]]];
    char number[TS_NUMBER_BYTES];
    const char *label =
        ts_arena_format(arena, "%s=%s", sweep->name, ts_number_format(number, value));
    const char *style = ts_arena_format(arena, "ls %zu", curve + 1);
    if (!label || !style)
      return TS_E_MEMORY;
    if (contacts->count == 0)
      continue;
    labels[curve++] = label;
    TS_TRY(ts_plot_add_quality(page, curve, label, style, contacts));
  }
  for (size_t i = 0; i < curve; i++) {
    const char *quoted = ts_plot_quote(arena, labels[i]);
    if (!quoted)
      return TS_E_MEMORY;
    ts_plot_say(page, ", \\\n  keyentry with linespoints ls %zu title label(%s)", i + 1, quoted);
  }
  ts_plot_say(page, "\n");
  return TS_OK;
}

static size_t count_drawn(const ts_plot_source *source, const ts_plot_sweep *sweep,
                          const ts_plot_run *run) {
  size_t drawn = 0;
  for (size_t i = 0; i < run->count; i++)
    drawn += (i == 0 || sweep->values[run->rows[i]] != sweep->values[run->rows[i - 1]]) &&
             source->contacts[sweep->original[run->rows[i]]].count > 0;
  return drawn;
}

/// Length of the longest "name=value" in the key.
static size_t label_letters(const ts_plot_sweep *sweep, const ts_plot_run *run) {
  size_t longest = 0;
  for (size_t i = 0; i < run->count; i++) {
    char number[TS_NUMBER_BYTES];
    size_t letters = strlen(ts_number_format(number, sweep->values[run->rows[i]]));
    longest = letters > longest ? letters : longest;
  }
  return strlen(sweep->name) + 1 + longest;
}

static ts_status make_quality_pages(ts_plot_book *book, const ts_plot_source *source,
                                    const ts_plot_sweep *sweep, const ts_plot_run *runs,
                                    size_t count) {
  for (size_t i = 0; i < count; i++) {
    size_t drawn = count_drawn(source, sweep, &runs[i]);
    if (drawn < 2)
      continue;
    const char *part, *title;
    TS_TRY(name_page(&part, &title, book->arena, sweep, &runs[i]));
    const char *method =
        ts_axis_label(book->arena, &sweep->source.methods.entries[runs[i].method_entry]);
    if (!method)
      return TS_E_MEMORY;
    part = ts_arena_format(book->arena, "%s-%s", part, method);
    title = ts_arena_format(book->arena, "%s: %s", method, title);
    const char *heading = ts_plot_first_heading(book->arena, "Sorted normal quality", source,
                                                sweep->original[runs[i].rows[0]]);
    if (!part || !title || !heading)
      return TS_E_MEMORY;
    ts_plot_page page;
    TS_TRY(ts_plot_begin(&page, book, part, heading, title,
                         (ts_plot_shape){1, 0.85, drawn, label_letters(sweep, &runs[i])},
                         TS_PLOT_SORTED_HEADER "normal_quality"));
    TS_TRY(ts_plot_end_with(&page, fill_quality_page(&page, source, sweep, &runs[i])));
  }
  return TS_OK;
}

static ts_status make_quality(ts_plot_book *book, const ts_plot_source *source) {
  return for_each_case(book, source, make_quality_pages);
}

const ts_plot_kind ts_plot_measures_sweep = {
    .name = "measures_sweep",
    .figures = "",
    .summary = "Quality, coverage, excess and normal error against a swept parameter.",
    .lacks = "no parameter has two numeric values with everything else equal and a measure known: "
             "touchstone run --case pillar --sweep perturb_m=0,0.01,0.02,0.03",
    .make = make_measures,
};

const ts_plot_kind ts_plot_response_sweep = {
    .name = "response_sweep",
    .figures = "",
    .summary = "Overlap and contact force in a time step against a swept parameter.",
    .lacks = "no parameter has two numeric values with everything else equal in a time step: "
             "touchstone run --case passing --method ldi_volume --set response=penalty --steps 2 "
             "--sweep passing.depth_m=0:1.6:33",
    .make = make_response,
};

const ts_plot_kind ts_plot_normal_quality_sweep = {
    .name = "normal_quality_sweep",
    .figures = "30, 32, 34",
    .summary = "Sorted normal quality of a method, one curve per value of a swept parameter.",
    .lacks = "no parameter has two numeric values with everything else equal: touchstone run "
             "--preset perturbation (or refinement, time_step)",
    .needs_contacts = true,
    .make = make_quality,
};
