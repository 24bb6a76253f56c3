// SPDX-License-Identifier: MIT
/// Heat maps: methods across, cases down, a map for each step and each measure that is shown so.
/// A field is the mean over the seeds; the last row is the mean over the cases, the last column
/// that over the methods.
#include "base/status.h"
#include "reports/plots/plot_kinds.h"
#include "reports/plots/plot_map.h"
#include "reports/plots/plot_mean.h"
#include "reports/rows/outcome.h"
#include "reports/tables/field_text.h"

#include <math.h>
#include <string.h>

#define CASES_MAX ((size_t)48) ///< per page

// Distance of the means from the last field, and half the height of their row, which has two lines.
#define MEAN_DISTANCE 1.25
#define MEAN_HALF     0.8

/// A page: some of the entries of the case axis at one step.
typedef struct map {
  const ts_plot_source *source;
  const ts_field *field;
  double best, worst; ///< of the measure, by its sense
  size_t all_count;
  const size_t *all; ///< [all_count], the entries of the case axis at the step
  size_t case_count;
  const size_t *cases;            ///< [case_count], those of the page
  const ts_interval *means;       ///< [methods], over `all`
  const double *mean_shades;      ///< [methods]
  const bool *is_incomplete;      ///< [methods]: the mean is over fewer cases than others
  const bool *is_incomplete_case; ///< [cases of the source]: over fewer methods
  bool has_incomplete;
} map;

/// A coloured field of the map.
typedef struct field_box {
  double x, y, half_height;
  const char *method, *case_name;
  ts_interval value;  ///< its ends are NaN where none is shown
  double shade;       ///< from 0, as bad as can be, to 1
  const char *suffix; ///< after the number
} field_box;

/// Adds a field, and counts it in `counts` [TS_MAP_PARTS].
static void add_field(ts_plot_page *page, const map *m, const field_box *box, size_t *counts) {
  double value = box->value.mean, shade = isnan(value) ? 0 : box->shade;
  char number[TS_NUMBER_BYTES] = "-", half[TS_NUMBER_BYTES] = "";
  if (!isnan(value))
    ts_field_number_text(number, m->field, value);
  if (!isnan(box->value.low))
    ts_field_number_text(half, m->field, (box->value.high - box->value.low) / 2);
  const char *text = ts_arena_format(page->book->arena, "%s%s", number, box->suffix);
  const char *spread = ts_arena_format(page->book->arena, "%s%s", half[0] ? "\xc2\xb1" : "", half);
  if (!text || !spread) {
    page->status = TS_E_MEMORY;
    return;
  }
  ts_plot_number(page, box->x);
  ts_plot_number(page, box->y);
  ts_plot_text(page, box->method);
  ts_plot_text(page, box->case_name);
  ts_plot_number(page, value);
  ts_plot_text(page, text);
  ts_plot_number(page, !isnan(value));
  ts_plot_number(page, shade);
  ts_plot_number(page, box->value.low);
  ts_plot_number(page, box->value.high);
  ts_plot_text(page, spread);
  ts_plot_number(page, box->half_height);
  ts_plot_end_row(page);
  ts_plot_map_count(counts, isnan(value) ? (double)NAN : shade, half[0] != 0);
}

static bool has_mean_row(const map *m) {
  return m->all_count > 1;
}

static bool has_mean_column(const map *m) {
  return m->source->methods.count > 1;
}

static double mean_row_y(const map *m) {
  return (double)m->case_count + MEAN_DISTANCE + MEAN_HALF - 0.5;
}

static double mean_column_x(const map *m) {
  return (double)m->source->methods.count + MEAN_DISTANCE;
}

/// The mean of the shades, not the shade of the mean: half as many contacts as needed and twice as
/// many do not add up to a good method.
static double shade_of(const map *m, const ts_plot_mean *mean) {
  double sum = 0;
  for (size_t i = 0; i < mean->count; i++)
    sum += 1 - ts_field_weight(m->field, mean->values[i], m->best, m->worst);
  return sum / (double)mean->count;
}

static ts_interval without_interval(double mean) {
  return (ts_interval){.mean = mean, .low = (double)NAN, .high = (double)NAN};
}

/// Adds the fields of a case: one for each method with rows, and their mean.
static ts_status add_case(ts_plot_page *page, const map *m, size_t place, size_t *counts) {
  ts_plot_mean over_methods = {.field = m->field};
  field_box box = {.y = (double)place + 1,
                   .half_height = 0.5,
                   .case_name = m->source->cases.entries[m->cases[place]].name,
                   .suffix = ""};
  ts_arena *arena = page->book->arena;
  for (size_t i = 0; i < m->source->methods.count; i++) {
    ts_plot_mean over_seeds = {.field = m->field};
    if (ts_plot_cell_of(m->source, m->cases[place], i).count == 0)
      continue;
    TS_TRY(ts_plot_mean_add_cell(&over_seeds, arena, m->source, m->cases[place], i));
    TS_TRY(ts_plot_mean_add_cell(&over_methods, arena, m->source, m->cases[place], i));
    box.x = (double)i + 1;
    box.method = m->source->methods.entries[i].name;
    box.value = without_interval(ts_plot_mean_value(&over_seeds));
    box.shade = shade_of(m, &over_seeds);
    add_field(page, m, &box, counts);
  }
  if (!has_mean_column(m))
    return TS_OK;
  box.x = mean_column_x(m);
  box.method = "mean";
  box.value = without_interval(ts_plot_mean_value(&over_methods));
  box.shade = shade_of(m, &over_methods);
  box.suffix = m->is_incomplete_case[m->cases[place]] ? "*" : "";
  add_field(page, m, &box, counts);
  return TS_OK;
}

/// The mean of each method over all cases of the step.
static ts_status find_means(map *m, ts_arena *arena) {
  size_t count = m->source->methods.count, most = 0;
  ts_plot_mean *over_cases = ts_arena_array(arena, count, sizeof *over_cases);
  ts_interval *means = ts_arena_array(arena, count, sizeof *means);
  double *shades = ts_arena_array(arena, count, sizeof *shades);
  bool *is_incomplete = ts_arena_array(arena, count, sizeof *is_incomplete);
  if (!over_cases || !means || !shades || !is_incomplete)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    over_cases[i].field = m->field;
    for (size_t k = 0; k < m->all_count; k++)
      TS_TRY(ts_plot_mean_add_cell(&over_cases[i], arena, m->source, m->all[k], i));
    TS_TRY(ts_plot_mean_interval(&means[i], arena, &over_cases[i]));
    shades[i] = shade_of(m, &over_cases[i]);
    most = over_cases[i].cell_count > most ? over_cases[i].cell_count : most;
  }
  for (size_t i = 0; i < count; i++) {
    is_incomplete[i] = over_cases[i].measured > 0 && over_cases[i].cell_count < most;
    m->has_incomplete |= is_incomplete[i];
  }
  m->means = means;
  m->mean_shades = shades;
  m->is_incomplete = is_incomplete;
  return TS_OK;
}

/// Finds the cases in which fewer methods have a value than in others.
static ts_status find_incomplete_cases(map *m, ts_arena *arena) {
  size_t count = m->source->cases.count, most = 0;
  size_t *method_counts = ts_arena_array(arena, count, sizeof *method_counts);
  bool *is_incomplete = ts_arena_array(arena, count, sizeof *is_incomplete);
  if (!method_counts || !is_incomplete)
    return TS_E_MEMORY;
  for (size_t i = 0; i < m->all_count; i++) {
    ts_plot_mean mean = {.field = m->field};
    for (size_t k = 0; k < m->source->methods.count; k++)
      TS_TRY(ts_plot_mean_add_cell(&mean, arena, m->source, m->all[i], k));
    method_counts[m->all[i]] = mean.cell_count;
    most = mean.cell_count > most ? mean.cell_count : most;
  }
  for (size_t i = 0; i < m->all_count; i++) {
    size_t counted = method_counts[m->all[i]];
    is_incomplete[m->all[i]] = has_mean_column(m) && counted > 0 && counted < most;
    m->has_incomplete |= is_incomplete[m->all[i]];
  }
  m->is_incomplete_case = is_incomplete;
  return TS_OK;
}

static void add_means(ts_plot_page *page, const map *m, size_t *counts) {
  for (size_t i = 0; i < m->source->methods.count; i++) {
    field_box box = {.x = (double)i + 1,
                     .y = mean_row_y(m),
                     .half_height = MEAN_HALF,
                     .method = m->source->methods.entries[i].name,
                     .case_name = "mean",
                     .value = m->means[i],
                     .shade = m->mean_shades[i],
                     .suffix = m->is_incomplete[i] ? "*" : ""};
    add_field(page, m, &box, counts);
  }
}

/// The methods, the cases, and the means at the end of both.
static ts_status say_labels(ts_plot_page *page, const map *m) {
  ts_arena *arena = page->book->arena;
  size_t method_count = m->source->methods.count;
  const char **labels = ts_arena_array(
      arena, 1 + (m->case_count > method_count ? m->case_count : method_count), sizeof *labels);
  if (!labels)
    return TS_E_MEMORY;
  for (size_t i = 0; i < method_count; i++)
    labels[i] = ts_axis_label(arena, &m->source->methods.entries[i]);
  labels[method_count] = "mean";
  TS_TRY(ts_plot_map_say_tics(page, 'x', method_count + has_mean_column(m), labels,
                              has_mean_column(m) ? mean_column_x(m) : (double)method_count));
  for (size_t i = 0; i < m->case_count; i++)
    labels[i] = ts_plot_case_title(arena, &m->source->cases.entries[m->cases[i]], NAN);
  labels[m->case_count] = ts_arena_format(arena, "mean of %zu cases", m->all_count);
  return ts_plot_map_say_tics(page, 'y', m->case_count + has_mean_row(m), labels,
                              has_mean_row(m) ? mean_row_y(m) : (double)m->case_count);
}

static ts_status fill_page(ts_plot_page *page, const map *m) {
  size_t counts[TS_MAP_PARTS] = {0};
  for (size_t i = 0; i < m->case_count; i++)
    TS_TRY(add_case(page, m, i, counts));
  if (has_mean_row(m))
    add_means(page, m, counts);
  double columns = (double)m->source->methods.count;
  ts_plot_map_say_settings(page, columns + (has_mean_column(m) ? MEAN_DISTANCE : 0),
                           has_mean_column(m) ? mean_column_x(m) + 0.5 : columns + 0.5,
                           has_mean_row(m) ? mean_row_y(m) + MEAN_HALF
                                           : (double)m->case_count + 0.5);
  TS_TRY(say_labels(page, m));
  ts_plot_map_say_fields(page, counts);
  return TS_OK;
}

/// The largest number of lines of a case's label, or of a method's.
static ts_status find_label_lines(size_t *of_cases, size_t *of_methods, ts_arena *arena,
                                  const map *m) {
  *of_cases = *of_methods = 1;
  for (size_t i = 0; i < m->case_count + m->source->methods.count; i++) {
    bool is_case = i < m->case_count;
    const char *label = is_case
                            ? ts_plot_case_title(arena, &m->source->cases.entries[m->cases[i]], NAN)
                            : ts_axis_label(arena, &m->source->methods.entries[i - m->case_count]);
    size_t lines = 0, *most = is_case ? of_cases : of_methods;
    if (!label ||
        !ts_plot_title(arena, label, is_case ? TS_MAP_Y_LETTERS : TS_MAP_X_LETTERS, &lines))
      return TS_E_MEMORY;
    *most = lines > *most ? lines : *most;
  }
  return TS_OK;
}

static size_t count_seeds(const map *m) {
  size_t most = 0;
  for (size_t i = 0; i < m->all_count; i++) {
    size_t seeds = ts_plot_case_seeds(m->source, m->all[i]);
    most = seeds > most ? seeds : most;
  }
  return most;
}

static ts_status make_page(ts_plot_book *book, const map *m, double step, size_t number) {
  ts_arena *arena = book->arena;
  char text[TS_NUMBER_BYTES];
  ts_number_format(text, step);
  const char *part =
      ts_arena_format(arena, step == 0 ? "%s-touch%.0s" : "%s-step%s", m->field->column, text);
  const char *what = step == 0 ? "scene as built" : ts_arena_format(arena, "step %s", text);
  what = what ? ts_arena_format(arena, "%s%s; light: good, dark: bad, grey: not measured%s", what,
                                has_mean_row(m) ? "; \xc2\xb1: half of the 95% interval" : "",
                                m->has_incomplete ? "; *: mean of fewer" : "")
              : NULL;
  if (part && number > 0)
    part = ts_arena_format(arena, "%s-%zu", part, number + 1);
  const char *heading =
      ts_plot_mean_heading(arena, ts_field_heading(arena, m->field), count_seeds(m));
  if (!part || !what || !heading)
    return TS_E_MEMORY;
  double lines = (double)m->case_count + (has_mean_row(m) ? MEAN_DISTANCE + 2 * MEAN_HALF - 1 : 0);
  size_t of_cases, of_methods;
  TS_TRY(find_label_lines(&of_cases, &of_methods, arena, m));
  double height = ts_plot_map_height(lines, of_methods, of_cases);
  ts_plot_page page;
  TS_TRY(ts_plot_begin(&page, book, part, heading, what, (ts_plot_shape){2, height, 0, 0},
                       "x,y,method,case,value,text,is_measured,shade,low,high,spread,half_height"));
  return ts_plot_end_with(&page, fill_page(&page, m));
}

/// The pages of a measure at a step, each with some of the cases.
static ts_status make_step(ts_plot_book *book, map *m, double step) {
  const ts_plot_source *source = m->source;
  size_t *all = ts_arena_array(book->arena, source->cases.count, sizeof *all);
  if (!all)
    return TS_E_MEMORY;
  for (size_t i = 0; i < source->cases.count; i++)
    if (ts_plot_case_step(source, i) == step)
      all[m->all_count++] = i;
  m->all = all;
  TS_TRY(find_incomplete_cases(m, book->arena));
  if (has_mean_row(m))
    TS_TRY(find_means(m, book->arena));
  for (size_t first = 0; first < m->all_count; first += CASES_MAX) {
    m->cases = &all[first];
    m->case_count = m->all_count - first < CASES_MAX ? m->all_count - first : CASES_MAX;
    TS_TRY(make_page(book, m, step, first / CASES_MAX));
  }
  return TS_OK;
}

/// Finds the range of the measure at a step; false when no row has a value.
static bool find_range(map *m, double step) {
  m->best = (double)INFINITY;
  m->worst = -(double)INFINITY;
  for (size_t i = 0; i < m->source->count; i++) {
    const ts_record *record = &m->source->records[i];
    double value = ts_row_number(m->field, record);
    if (!ts_record_is_ok(record) || record->step != step || isnan(value))
      continue;
    m->best = fmin(m->best, ts_field_badness(m->field, value));
    m->worst = fmax(m->worst, ts_field_badness(m->field, value));
  }
  return m->best <= m->worst;
}

static ts_status make(ts_plot_book *book, const ts_plot_source *source) {
  double steps[TS_PLOT_STEPS];
  size_t step_count = ts_plot_steps_shown(steps, source);
  const ts_field *fields[TS_RECORD_FIELD_COUNT];
  size_t field_count = ts_fields_shown(fields, TS_SHOWN_HEAT_MAP);
  for (size_t i = 0; i < field_count; i++)
    for (size_t k = 0; k < step_count; k++) {
      if (fields[i]->shown & TS_SHOWN_COHERENCE && k + 1 < step_count)
        continue;
      map m = {.source = source, .field = fields[i]};
      if (find_range(&m, steps[k]))
        TS_TRY(make_step(book, &m, steps[k]));
    }
  return TS_OK;
}

const ts_plot_kind ts_plot_heat_map = {
    .name = "heat_map",
    .figures = "",
    .summary = "Methods by cases, a map for each main measure, in numbers and shades, with means.",
    .lacks = "no row that is ok has a measure that is shown so: touchstone run",
    .make = make,
};
