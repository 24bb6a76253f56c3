// SPDX-License-Identifier: MIT
#include "reports/history/history_plot.h"

#include "base/status.h"
#include "reports/plots/plot_style.h"
#include "reports/tables/field_text.h"

#include <math.h>
#include <string.h>

#define TICS_MAX    ((size_t)24) ///< more labels of runs would overlap
#define DATE_LENGTH 10           ///< of 2026-11-30
#define NAME_LENGTH ((size_t)20) ///< longest name of a run at the axis
#define TIC_LINES   0.34 ///< height of a letter of a label that stands at 60 degrees [lines]

/// Length of the folders that all names begin with: they tell no run from another.
static size_t common_folders(const ts_history *history) {
  const char *first = history->runs[0].name;
  size_t common = strlen(first);
  for (size_t i = 1; i < history->run_count; i++) {
    size_t k = 0;
    while (k < common && history->runs[i].name[k] == first[k])
      k++;
    common = k;
  }
  while (common > 0 && first[common - 1] != '/')
    common--;
  return common;
}

/// "2026-11-30 before"; the end of a long name, which differs most.
static const char *tic_label(ts_arena *arena, const ts_history_run *run, size_t skipped) {
  const char *name = run->name + skipped;
  size_t length = strlen(name);
  bool is_long = length > NAME_LENGTH;
  return ts_arena_format(arena, "%.*s%s%s%s", DATE_LENGTH, run->date,
                         run->date[0] && name[0] ? " " : "", is_long ? "..." : "",
                         is_long ? name + length - (NAME_LENGTH - 3) : name);
}

/// The label of every run at the axis, NULL for those without room. Counted from the newest, which
/// always has one. `*longest` is the length of the longest.
static ts_status make_tics(const char ***out, size_t *longest, ts_arena *arena,
                           const ts_history *history) {
  size_t skipped = common_folders(history), count = history->run_count;
  size_t stride = (count + TICS_MAX - 1) / TICS_MAX;
  const char **tics = ts_arena_array(arena, count, sizeof *tics);
  if (!tics)
    return TS_E_MEMORY;
  *longest = 0;
  for (size_t i = (count - 1) % stride; i < count; i += stride) {
    tics[i] = tic_label(arena, &history->runs[i], skipped);
    if (!tics[i])
      return TS_E_MEMORY;
    size_t length = strlen(tics[i]);
    *longest = length > *longest ? length : *longest;
  }
  *out = tics;
  return TS_OK;
}

static ts_status say_tics(ts_plot_page *page, const char *const *tics, size_t count,
                          size_t longest) {
  ts_plot_say(page, "set xrange [0.5:%zu.5]\nset xtics rotate by 60 right ( \\\n", count);
  for (size_t i = 0; i < count; i++) {
    const char *quoted = tics[i] ? ts_plot_quote(page->book->arena, tics[i]) : NULL;
    if (tics[i] && !quoted)
      return TS_E_MEMORY;
    if (tics[i])
      ts_plot_say(page, "  label(%s) %zu%s", quoted, i + 1, i + 1 < count ? ", \\\n" : ")\n");
  }
  ts_plot_say(page, "set bmargin %.3g + 1.05 * key_rows\n", 3 + TIC_LINES * (double)longest);
  return TS_OK;
}

/// Times within one power of ten are read more easily from 0 on.
static bool needs_logarithm(const ts_history *history) {
  double least = INFINITY, most = 0;
  for (size_t i = 0; i < history->methods.count * history->run_count; i++) {
    double value = history->points[i].value;
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  return most >= 10 * least;
}

static void say_values(ts_plot_page *page, const ts_history *history) {
  if (history->field->role == TS_ROLE_TIME)
    ts_plot_say(page, "%s\nset format y \"%%.1s%%cs\"\n",
                needs_logarithm(history) ? "set logscale y" : "set yrange [0:*]");
  else if (ts_field_is_percent(history->field))
    ts_plot_say(page, "set yrange [0<*:*<100]\n");
  else
    ts_plot_say(page, "set offsets 0, 0, graph 0.05, graph 0.05\n");
}

static void add_row(ts_plot_page *page, const char *label, size_t curve, double run, double value,
                    size_t rows, const ts_history_run *facts) {
  ts_plot_number(page, (double)curve);
  ts_plot_text(page, label);
  ts_plot_number(page, run);
  ts_plot_number(page, value);
  ts_plot_number(page, (double)rows);
  ts_plot_text(page, facts ? facts->date : "");
  ts_plot_text(page, facts ? facts->name : "");
  ts_plot_end_row(page);
}

static ts_status add_curve(ts_plot_page *page, const ts_history *history, size_t method,
                           const ts_plot_source *source, bool is_first) {
  ts_arena *arena = page->book->arena;
  const char *label = ts_axis_label(arena, &history->methods.entries[method]);
  const char *style = ts_plot_style(arena, source, method);
  const char *quoted = label ? ts_plot_quote(arena, label) : NULL;
  if (!quoted || !style)
    return TS_E_MEMORY;
  double unit = history->field->role == TS_ROLE_TIME ? 1e-9 : 1;
  for (size_t i = 0; i < history->run_count; i++) {
    const ts_history_point *point = ts_history_at(history, method, i);
    // A row without a value interrupts the line.
    if (!point->is_joined && i > 0)
      add_row(page, label, method + 1, (double)i + 0.5, (double)NAN, 0, NULL);
    if (!isnan(point->value))
      add_row(page, label, method + 1, (double)i + 1, point->value * unit, point->rows,
              &history->runs[i]);
  }
  ts_plot_say(page,
              "%s  data using (only(%zu, \"run\")):\"value\" with linespoints %s ps 1.3 * symbol "
              "title label(%s)",
              is_first ? "plot \\\n" : ", \\\n", method + 1, style, quoted);
  return TS_OK;
}

static bool has_values(const ts_history *history, size_t method) {
  for (size_t i = 0; i < history->run_count; i++)
    if (!isnan(ts_history_at(history, method, i)->value))
      return true;
  return false;
}

static ts_status fill_page(ts_plot_page *page, const ts_history *history,
                           const ts_plot_source *source) {
  bool is_time = history->field->role == TS_ROLE_TIME, is_first = true;
  const char *heading =
      is_time ? history->field->label : ts_field_heading(page->book->arena, history->field);
  const char *label = heading ? ts_plot_quote(page->book->arena, heading) : NULL;
  if (!label)
    return TS_E_MEMORY;
  ts_plot_say(page, "set ylabel label(%s)\n", label);
  say_values(page, history);
  for (size_t m = 0; m < history->methods.count; m++) {
    if (!has_values(history, m))
      continue;
    TS_TRY(add_curve(page, history, m, source, is_first));
    is_first = false;
  }
  ts_plot_say(page, "\n");
  return TS_OK;
}

ts_status ts_history_plot(ts_plot_book *book, const ts_history *history, const char *what,
                          const char *const *method_names, size_t method_count,
                          const char *format) {
  const ts_plot_source source = {
      .methods = history->methods, .method_names = method_names, .method_count = method_count};
  const char *heading = ts_arena_format(book->arena, "%s of %zu run%s", history->field->label,
                                        history->run_count, history->run_count == 1 ? "" : "s");
  const char **tics;
  size_t longest;
  if (!heading)
    return TS_E_MEMORY;
  TS_TRY(make_tics(&tics, &longest, book->arena, history));
  const ts_plot_shape shape = {2, 0.9 + 0.014 * (double)longest, history->methods.count,
                               ts_plot_method_letters(&source)};
  ts_plot_begin_kind(book, "history");
  ts_plot_page page;
  TS_TRY(ts_plot_begin(&page, book, history->field->column, heading, what, shape,
                       "curve,label,run,value,rows,date,name"));
  ts_status status = say_tics(&page, tics, history->run_count, longest);
  if (status == TS_OK)
    status = fill_page(&page, history, &source);
  TS_TRY(ts_plot_end_with(&page, status));
  return ts_plot_write_style(book, &source, format);
}
