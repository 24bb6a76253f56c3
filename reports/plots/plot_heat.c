// SPDX-License-Identifier: MIT
/// Heat maps: methods across, cases down, a map for each step and each measure that is shown so.
#include "base/status.h"
#include "reports/plots/plot_kinds.h"
#include "reports/rows/outcome.h"
#include "reports/tables/field_text.h"

#include <math.h>
#include <string.h>

#define CASES_MAX ((size_t)48) ///< per page

#define COLUMNS_ROOMY 15

/// A page: some of the entries of the case axis.
typedef struct map {
  const ts_plot_source *source;
  const ts_field *field;
  double best, worst; ///< of the measure, by its sense
  size_t case_count;
  const size_t *cases;  ///< [case_count]
  const size_t *row_of; ///< [source cases * source methods]; SIZE_MAX: no row
} map;

/// Plot elements for the fields.
enum { MISSING, LIGHT, DARK, FIELD_KINDS };

#define LIGHT_MIN 0.45 ///< shade from which black text is readable

/// Adds a field; returns its kind, or FIELD_KINDS if there is no row.
static int add_field(ts_plot_page *page, const map *m, size_t place, size_t method) {
  const ts_plot_source *source = m->source;
  size_t row = m->row_of[m->cases[place] * source->methods.count + method];
  if (row == SIZE_MAX)
    return FIELD_KINDS;
  const ts_record *record = &source->records[row];
  double value = ts_record_is_ok(record) ? ts_row_number(m->field, record) : (double)NAN;
  double shade = isnan(value) ? 0 : 1 - ts_field_weight(m->field, value, m->best, m->worst);
  char text[TS_NUMBER_BYTES] = "-";
  if (!isnan(value))
    ts_field_number_text(text, m->field, value);
  ts_plot_number(page, (double)method + 1);
  ts_plot_number(page, (double)place + 1);
  ts_plot_text(page, record->method);
  ts_plot_text(page, record->case_name);
  ts_plot_number(page, value);
  ts_plot_text(page, text);
  ts_plot_number(page, !isnan(value));
  ts_plot_number(page, shade);
  ts_plot_end_row(page);
  return isnan(value) ? MISSING : shade >= LIGHT_MIN ? LIGHT : DARK;
}

static ts_status say_tics(ts_plot_page *page, char axis, size_t count, const char *const *labels) {
  ts_plot_say(page, "set %ctics (", axis);
  for (size_t i = 0; i < count; i++) {
    const char *quoted = labels[i] ? ts_plot_quote(page->book->arena, labels[i]) : NULL;
    if (!quoted)
      return TS_E_MEMORY;
    ts_plot_say(page, "%s\\\n  tic(label(%s)) %zu", i ? ", " : "", quoted, i + 1);
  }
  ts_plot_say(page, ") scale 0\n");
  return TS_OK;
}

static ts_status say_labels(ts_plot_page *page, const map *m) {
  ts_arena *arena = page->book->arena;
  size_t method_count = m->source->methods.count;
  const char **labels = ts_arena_array(
      arena, m->case_count > method_count ? m->case_count : method_count, sizeof *labels);
  if (!labels)
    return TS_E_MEMORY;
  for (size_t i = 0; i < method_count; i++)
    labels[i] = ts_axis_label(arena, &m->source->methods.entries[i]);
  TS_TRY(say_tics(page, 'x', method_count, labels));
  for (size_t i = 0; i < m->case_count; i++)
    labels[i] = ts_plot_case_title(arena, &m->source->cases.entries[m->cases[i]], NAN);
  return say_tics(page, 'y', m->case_count, labels);
}

/// gnuplot 5.4 crashes on an empty set of labels, so only kinds that exist are drawn.
static void say_fields(ts_plot_page *page, const size_t counts[FIELD_KINDS]) {
  static const char *const parts[FIELD_KINDS] = {
      [MISSING] =
          "data using (missing(\"x\")):\"y\":(0.5):(0.5) with boxxyerror fc rgb "
          "\"#BDBDBD\", \\\n"
          "  data using (missing(\"x\")):\"y\":\"text\" with labels font small tc rgb \"#000000\"",
      [LIGHT] =
          "data using (light(\"x\")):\"y\":\"text\" with labels font small tc rgb \"#000000\"",
      [DARK] = "data using (dark(\"x\")):\"y\":\"text\" with labels font small tc rgb \"#FFFFFF\"",
  };
  const char *between = "plot ";
  if (counts[LIGHT] + counts[DARK] > 0) {
    ts_plot_say(page, "plot data using (measured(\"x\")):\"y\":(0.5):(0.5):\"shade\" "
                      "with boxxyerror fc palette");
    between = ", \\\n  ";
  }
  for (int i = 0; i < FIELD_KINDS; i++)
    if (counts[i] > 0) {
      ts_plot_say(page, "%s%s", between, parts[i]);
      between = ", \\\n  ";
    }
  ts_plot_say(page, "\n");
}

static ts_status fill_page(ts_plot_page *page, const map *m) {
  size_t counts[FIELD_KINDS + 1] = {0};
  for (size_t i = 0; i < m->case_count; i++)
    for (size_t k = 0; k < m->source->methods.count; k++)
      counts[add_field(page, m, i, k)]++;
  ts_plot_say(page, "unset key\nunset colorbox\nunset grid\nunset border\n"
                    "set palette defined (0 \"#0C2C84\", 1 \"#225EA8\", 2 \"#41B6C4\", "
                    "3 \"#C7E9B4\", 4 \"#FFFFE0\")\n"
                    "set cbrange [0:1]\n");
  TS_TRY(say_labels(page, m));
  // With more columns than this, numbers would overlap.
  double share = fmin(1, (double)COLUMNS_ROOMY / (double)m->source->methods.count);
  ts_plot_say(page,
              "small = sprintf(\",%%.3g\", %.3g * (format eq \"pdf\" ? 7.5 : is_tex ? 8 : 18))\n",
              share);
  ts_plot_say(
      page,
      "set xtics rotate by 30 right\n"
      "set xrange [0.5:%zu.5]\n"
      "set yrange [%zu.5:0.5]\n"
      "set style fill solid 1 border lc rgb \"#FFFFFF\"\n"
      "# Columns of measured fields, of unmeasured ones, and of those with light or dark shade.\n"
      "measured(c) = column(\"is_measured\") > 0 ? column(c) : NaN\n"
      "missing(c) = column(\"is_measured\") > 0 ? NaN : column(c)\n"
      "light(c) = column(\"shade\") >= %g ? measured(c) : NaN\n"
      "dark(c) = column(\"shade\") < %g ? measured(c) : NaN\n",
      m->source->methods.count, m->case_count, LIGHT_MIN, LIGHT_MIN);
  say_fields(page, counts);
  return TS_OK;
}

static ts_status make_page(ts_plot_book *book, const map *m, double step, size_t number) {
  ts_arena *arena = book->arena;
  char text[TS_NUMBER_BYTES];
  ts_number_format(text, step);
  const char *part =
      ts_arena_format(arena, step == 0 ? "%s-touch%.0s" : "%s-step%s", m->field->column, text);
  const char *what = ts_arena_format(arena, "%s%s; light: good, dark: bad, grey: not measured",
                                     step == 0 ? "scene as built" : "step ", step == 0 ? "" : text);
  if (part && number > 0)
    part = ts_arena_format(arena, "%s-%zu", part, number + 1);
  const char *heading = ts_field_heading(arena, m->field);
  if (!part || !what || !heading)
    return TS_E_MEMORY;
  ts_plot_page page;
  TS_TRY(ts_plot_begin(&page, book, part, heading, what,
                       (ts_plot_shape){2, 0.42 + 0.052 * (double)m->case_count, 0, 0},
                       "x,y,method,case,value,text,is_measured,shade"));
  return ts_plot_end_with(&page, fill_page(&page, m));
}

/// The pages of a measure at a step, each with some of the cases.
static ts_status make_step(ts_plot_book *book, map *m, double step) {
  size_t *cases = ts_arena_array(book->arena, m->source->cases.count, sizeof *cases);
  if (!cases)
    return TS_E_MEMORY;
  size_t count = 0;
  for (size_t i = 0; i < m->source->cases.count; i++)
    for (size_t k = 0; k < m->source->methods.count; k++) {
      size_t row = m->row_of[i * m->source->methods.count + k];
      if (row != SIZE_MAX && m->source->records[row].step == step) {
        cases[count++] = i;
        break;
      }
    }
  for (size_t first = 0; first < count; first += CASES_MAX) {
    m->cases = &cases[first];
    m->case_count = count - first < CASES_MAX ? count - first : CASES_MAX;
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
  size_t cell_count = source->cases.count * source->methods.count;
  size_t *row_of = ts_arena_array(book->arena, cell_count, sizeof *row_of);
  if (!row_of)
    return TS_E_MEMORY;
  memset(row_of, 0xff, cell_count * sizeof *row_of);
  for (size_t i = 0; i < source->count; i++)
    row_of[source->cases.entry_of[i] * source->methods.count + source->methods.entry_of[i]] = i;
  double steps[TS_PLOT_STEPS];
  size_t step_count = ts_plot_steps_shown(steps, source);
  const ts_field *fields[TS_RECORD_FIELD_COUNT];
  size_t field_count = ts_fields_shown(fields, TS_SHOWN_HEAT_MAP);
  for (size_t i = 0; i < field_count; i++)
    for (size_t k = 0; k < step_count; k++) {
      if (fields[i]->shown & TS_SHOWN_COHERENCE && k + 1 < step_count)
        continue;
      map m = {.source = source, .field = fields[i], .row_of = row_of};
      if (find_range(&m, steps[k]))
        TS_TRY(make_step(book, &m, steps[k]));
    }
  return TS_OK;
}

const ts_plot_kind ts_plot_heat_map = {
    .name = "heat_map",
    .figures = "",
    .summary = "Methods by cases, a map for each main measure, in numbers and shades.",
    .lacks = "no row that is ok has a measure that is shown so: touchstone run",
    .make = make,
};
