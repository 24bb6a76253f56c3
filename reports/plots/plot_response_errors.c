// SPDX-License-Identifier: MIT
/// Error of the response of deformable bodies: over how far their nodes turn, and over how far a
/// wave goes in a time step. A swept parameter moves both; each simulation is a curve.
#include "base/status.h"
#include "reports/plots/plot_kinds.h"
#include "reports/plots/plot_range.h"
#include "reports/plots/plot_simulations.h"
#include "reports/plots/plot_sweep.h"
#include "reports/tables/field_text.h"

#include <math.h>
#include <string.h>

#define ERROR "response_error_percent_median"

enum { ROTATION, WAVE, AXIS_COUNT };

static const char *const axis_columns[AXIS_COUNT] = {"rotation_deg_max", "step_wave_ratio"};

/// A curve: the rows of one simulation over the swept parameter. Points of an axis have its column
/// in `y` and, as those of the error, the parameter in `x`.
typedef struct curve {
  ts_plot_points error, axes[AXIS_COUNT];
  const char *label;
} curve;

typedef struct figure {
  const ts_plot_sweep *sweep;
  /// The rows of the sweep without the parameters of the simulation: all simulations of a scene
  /// have one case entry.
  ts_plot_source scenes;
  curve *curves; ///< [count]
  const char **simulations;
  size_t count, seeds;
  double lowest[AXIS_COUNT], highest[AXIS_COUNT];
} figure;

/// The value of an axis where the parameter has that of an error.
static double place_of(const ts_plot_points *axis, double parameter) {
  for (size_t i = 0; i < axis->count; i++)
    if (axis->x[i] == parameter)
      return axis->y[i].mean;
  return NAN;
}

/// Adds a run as a curve if its error is known at two values of the parameter.
static ts_status add_curve(figure *f, ts_arena *arena, const ts_plot_run *run) {
  const ts_field *error = ts_row_find(&ts_summary_rows, ERROR);
  curve *c = &f->curves[f->count];
  TS_TRY(ts_plot_run_points(&c->error, arena, f->sweep, run, error, false));
  if (c->error.count < 2)
    return TS_OK;
  for (size_t a = 0; a < AXIS_COUNT; a++) {
    const ts_field *field = ts_row_find(&ts_summary_rows, axis_columns[a]);
    TS_TRY(ts_plot_run_points(&c->axes[a], arena, f->sweep, run, field, false));
    for (size_t i = 0; i < c->error.count; i++) {
      double place = place_of(&c->axes[a], c->error.x[i]);
      f->lowest[a] = fmin(f->lowest[a], place);
      f->highest[a] = fmax(f->highest[a], place);
    }
  }
  size_t seeds = ts_plot_run_seeds(f->sweep, run, 1);
  f->seeds = seeds > f->seeds ? seeds : f->seeds;
  f->simulations[f->count++] = f->sweep->source.records[run->rows[0]].simulation_parameters;
  return TS_OK;
}

/// Whether the curves are at different places of the axis.
static bool is_told(const figure *f, size_t axis) {
  return f->highest[axis] > f->lowest[axis] * (1 + 1e-9);
}

static void add_data(ts_plot_page *page, const figure *f) {
  for (size_t i = 0; i < f->count; i++)
    for (size_t k = 0; k < f->curves[i].error.count; k++) {
      const curve *c = &f->curves[i];
      ts_plot_number(page, (double)(i + 1));
      ts_plot_text(page, c->label);
      ts_plot_number(page, c->error.x[k]);
      for (size_t a = 0; a < AXIS_COUNT; a++)
        ts_plot_number(page, place_of(&c->axes[a], c->error.x[k]));
      ts_plot_number(page, c->error.y[k].mean);
      ts_plot_end_row(page);
    }
}

static void add_errors(ts_plot_range *range, const figure *f) {
  for (size_t i = 0; i < f->count; i++) {
    for (size_t k = 0; k < f->curves[i].error.count; k++)
      ts_plot_range_add(range, f->curves[i].error.y[k].mean);
    ts_plot_range_end_curve(range);
  }
}

/// One axis for all panels, so that their heights can be compared.
static void say_error_axis(ts_plot_page *page, const figure *f) {
  ts_plot_range range = ts_plot_range_start();
  add_errors(&range, f);
  range = ts_plot_range_renew(&range);
  add_errors(&range, f);
  if (ts_plot_range_spans_decades(&range) || ts_plot_range_hides_curves(&range))
    ts_plot_say_powers(page, &range, ERROR);
  else
    ts_plot_say_linear(page, &range, ERROR);
}

static ts_status fill_panel(ts_plot_page *page, const figure *f, size_t axis) {
  const char *heading =
      ts_field_heading(page->book->arena, ts_row_find(&ts_summary_rows, axis_columns[axis]));
  const char *quoted = heading ? ts_plot_quote(page->book->arena, heading) : NULL;
  if (!quoted)
    return TS_E_MEMORY;
  bool is_wide = f->lowest[axis] > 0 && f->highest[axis] / f->lowest[axis] >= 8;
  if (is_wide)
    ts_plot_say(page, "set logscale x\nset xrange [%.9g:%.9g]\n", f->lowest[axis] / 1.2,
                f->highest[axis] * 1.2);
  else
    ts_plot_say(page, "unset logscale x\nset xrange [0:%.9g]\n", f->highest[axis] * 1.05);
  ts_plot_say(page, "set xlabel label(%s)\nplot", quoted);
  for (size_t i = 0; i < f->count; i++)
    ts_plot_say(page,
                "%s data using (only(%zu, \"%s\")):(drawn(%zu)) with linespoints ls %zu notitle",
                i == 0 ? "" : ", \\\n ", i + 1, axis_columns[axis], i + 1, i + 1);
  ts_plot_say(page, "\n");
  return TS_OK;
}

static ts_status fill_page(ts_plot_page *page, const figure *f) {
  const char *heading = ts_field_heading(page->book->arena, ts_row_find(&ts_summary_rows, ERROR));
  const char *quoted = heading ? ts_plot_quote(page->book->arena, heading) : NULL;
  size_t across = 0, panel = 0;
  if (!quoted)
    return TS_E_MEMORY;
  add_data(page, f);
  for (size_t a = 0; a < AXIS_COUNT; a++)
    across += is_told(f, a);
  ts_plot_say_value_styles(page, f->count);
  ts_plot_say_panels(page, across, 1);
  ts_plot_say(page, "unset title\nset ylabel label(%s)\n", quoted);
  say_error_axis(page, f);
  for (size_t a = 0; a < AXIS_COUNT; a++)
    if (is_told(f, a)) {
      ts_plot_say_panel(page, panel++);
      TS_TRY(fill_panel(page, f, a));
    }
  ts_plot_say_no_axis(page);
  ts_plot_say(page, "unset logscale x\n");
  ts_plot_say_key_strip(page);
  for (size_t i = 0; i < f->count; i++) {
    const char *style = ts_arena_format(page->book->arena, "ls %zu", i + 1);
    if (!style)
      return TS_E_MEMORY;
    ts_plot_key_line(page, f->curves[i].label, style, "linespoints");
  }
  ts_plot_say(page, "\nunset multiplot\n");
  return TS_OK;
}

/// Names the curves by what differs between their simulations; returns the longest length.
static ts_status name_curves(size_t *out_letters, const figure *f, ts_arena *arena) {
  const char **names;
  TS_TRY(ts_plot_name_simulations(&names, arena, f->simulations, f->count));
  *out_letters = 0;
  for (size_t i = 0; i < f->count; i++) {
    f->curves[i].label = names[i][0] ? names[i] : "error";
    size_t letters = strlen(f->curves[i].label);
    *out_letters = letters > *out_letters ? letters : *out_letters;
  }
  return TS_OK;
}

/// Makes the page of a figure; `row` is one of its rows in the sweep.
static ts_status make_page(ts_plot_book *book, const figure *f, size_t row) {
  ts_arena *arena = book->arena;
  const ts_axis_entry *scene = &f->scenes.cases.entries[f->scenes.cases.entry_of[row]];
  const ts_axis_entry *method = &f->scenes.methods.entries[f->scenes.methods.entry_of[row]];
  double step = f->scenes.records[row].step;
  const char *part = ts_plot_case_part(arena, scene, step);
  const char *title = ts_plot_case_title(arena, scene, step);
  const char *name = ts_axis_label(arena, method);
  const char *heading = ts_plot_mean_heading(
      arena, ts_arena_format(arena, "Error of a step as %s is swept", f->sweep->name), f->seeds);
  size_t letters;
  TS_TRY(name_curves(&letters, f, arena));
  if (!part || !title || !name || !heading)
    return TS_E_MEMORY;
  part = ts_arena_format(arena, "%s-%s-%s", f->sweep->name, part, name);
  title = ts_arena_format(arena, "%s: %s", name, title);
  if (!part || !title)
    return TS_E_MEMORY;
  ts_plot_page page;
  TS_TRY(ts_plot_begin(
      &page, book, part, heading, title,
      (ts_plot_shape){is_told(f, ROTATION) && is_told(f, WAVE) ? 2 : 1, 0.75, f->count, letters},
      "curve,label,parameter,rotation_deg_max,step_wave_ratio," ERROR));
  return ts_plot_end_with(&page, fill_page(&page, f));
}

/// Starts a figure of the sweep, without curves; at most `most`.
static ts_status start_figure(figure *out, ts_arena *arena, const ts_plot_sweep *sweep,
                              const ts_plot_source *scenes, size_t most) {
  *out = (figure){.sweep = sweep,
                  .scenes = *scenes,
                  .curves = ts_arena_array(arena, most, sizeof *out->curves),
                  .simulations = ts_arena_array(arena, most, sizeof *out->simulations)};
  for (size_t a = 0; a < AXIS_COUNT; a++) {
    out->lowest[a] = INFINITY;
    out->highest[a] = -INFINITY;
  }
  return out->curves && out->simulations ? TS_OK : TS_E_MEMORY;
}

static ts_status drop_simulations(ts_plot_source *out, ts_arena *arena,
                                  const ts_plot_source *source) {
  ts_record *records = ts_arena_copy(arena, source->records, source->count, sizeof *records);
  if (!records)
    return TS_E_MEMORY;
  for (size_t i = 0; i < source->count; i++)
    records[i].simulation_parameters = "";
  *out = (ts_plot_source){.records = records,
                          .count = source->count,
                          .method_names = source->method_names,
                          .method_count = source->method_count};
  return ts_plot_source_index(out, arena);
}

/// Makes a page for each scene and method of a sweep.
static ts_status make_pages(ts_plot_book *book, const ts_plot_sweep *sweep) {
  ts_arena *arena = book->arena;
  ts_plot_source scenes;
  ts_plot_run *runs;
  size_t count;
  TS_TRY(drop_simulations(&scenes, arena, &sweep->source));
  TS_TRY(ts_plot_find_runs(&runs, &count, arena, sweep));
  bool *is_done = ts_arena_array(arena, count, sizeof *is_done);
  if (!is_done)
    return TS_E_MEMORY;
  for (size_t first = 0; first < count; first++) {
    size_t row = runs[first].rows[0];
    if (is_done[first] || !ts_plot_case_is_shown(&sweep->source, runs[first].case_entry))
      continue;
    figure f;
    TS_TRY(start_figure(&f, arena, sweep, &scenes, count));
    for (size_t i = first; i < count; i++)
      if (scenes.cases.entry_of[runs[i].rows[0]] == scenes.cases.entry_of[row] &&
          runs[i].method_entry == runs[first].method_entry) {
        is_done[i] = true;
        TS_TRY(add_curve(&f, arena, &runs[i]));
      }
    if (f.count > 0 && (is_told(&f, ROTATION) || is_told(&f, WAVE)))
      TS_TRY(make_page(book, &f, row));
  }
  return TS_OK;
}

static ts_status make_errors(ts_plot_book *book, const ts_plot_source *source) {
  ts_plot_sweep *sweeps;
  size_t count;
  TS_TRY(ts_plot_find_sweeps(&sweeps, &count, book->arena, source));
  for (size_t i = 0; i < count; i++)
    TS_TRY(make_pages(book, &sweeps[i]));
  return TS_OK;
}

const ts_plot_kind ts_plot_error_sweep = {
    .name = "error_sweep",
    .figures = "",
    .summary = "Error of a step of deformable bodies over how far they turn, and over how far a "
               "wave goes in a step, a curve per response.",
    .lacks = "no parameter has two numeric values with everything else equal and a response other "
             "than the exact one: touchstone run --case soft_beam --controls --method "
             "control_nodes --steps 121 --sweep response=warped,initial --sweep "
             "young_pa=1e5:3e6:6:log",
    .make = make_errors,
};
