// SPDX-License-Identifier: MIT
/// touchstone history: a figure over several runs, as a table, a plot or a badge.
#include "base/status.h"
#include "harness/commands/gnuplot.h"
#include "harness/commands/method_styles.h"
#include "harness/commands/plot_folder.h"
#include "harness/history/history_table.h"
#include "harness/plan/exits.h"
#include "harness/plan/names.h"
#include "harness/plan/options.h"
#include "harness/run/output.h"
#include "reports/history/badge.h"
#include "reports/history/history_plot.h"
#include "reports/rows/rows.h"
#include "reports/tables/field_text.h"

#include <math.h>
#include <string.h>

typedef struct history_values {
  const char *figure, *cases, *methods, *format, *out, *plot, *badge, *badge_label;
  double step, green, yellow;
  bool may_replace;
} history_values;

typedef struct command {
  ts_arena *arena;
  history_values values;
  ts_badge_limits limits;
  ts_history_runs runs;
  ts_history history;
  const char *what; ///< what a figure is the mean of
  ts_interrupt interrupt;
} command;

static size_t list_formats(const char **out) {
  static const char *const formats[] = {"text", "csv", "markdown"};
  memcpy(out, formats, sizeof formats);
  return sizeof formats / sizeof *formats;
}

static ts_status check_format(const char *name) {
  const char *names[TS_OPTION_CHOICES_MAX];
  size_t count = list_formats(names);
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0)
      return TS_OK;
  return ts_names_unknown("format", name, names, count);
}

/// A column of numbers that are not part of the identity.
static ts_status find_figure(const ts_field **out, const char *name) {
  const char *names[TS_RECORD_FIELD_COUNT];
  size_t count = 0;
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    if (!ts_field_is_figure(field))
      continue;
    names[count++] = field->column;
    if (strcmp(field->column, name) == 0) {
      *out = field;
      return TS_OK;
    }
  }
  const char *nearest = ts_names_nearest(name, names, count);
  return ts_fail(TS_E_INPUT,
                 "--figure: there is no column of numbers \"%.60s\" in summary.csv%s%s%s; see "
                 "touchstone list columns",
                 name, nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                 nearest ? "\"?" : "");
}

static ts_status describe_mean(command *c) {
  const char *mean = c->history.field->role == TS_ROLE_TIME ? "geometric mean" : "mean";
  c->what = c->values.step == 0
                ? ts_arena_format(c->arena, "%s over the scenes as built", mean)
                : ts_arena_format(c->arena, "%s over the rows of step %.0f", mean, c->values.step);
  return c->what ? TS_OK : TS_E_MEMORY;
}

static ts_status write_table(command *c) {
  ts_output output;
  TS_TRY(ts_output_start(&output, c->values.out, c->values.may_replace));
  ts_status status = strcmp(c->values.format, "csv") == 0
                         ? ts_history_print_csv(output.file, c->arena, &c->history)
                         : ts_history_print(output.file, c->arena, &c->history, &c->runs, c->what,
                                            strcmp(c->values.format, "markdown") == 0);
  return ts_output_end(&output, status);
}

/// All rows, for the order of styles.
static ts_status order_styles(const char *const **out, size_t *out_count, const command *c) {
  size_t count = 0;
  for (size_t i = 0; i < c->runs.count; i++)
    count += c->runs.items[i].count;
  ts_record *all = ts_arena_array(c->arena, count, sizeof *all);
  if (!all)
    return TS_E_MEMORY;
  count = 0;
  for (size_t i = 0; i < c->runs.count; i++)
    for (size_t k = 0; k < c->runs.items[i].count; k++)
      all[count++] = c->runs.items[i].records[k];
  return ts_method_styles_order(out, out_count, c->arena, all, count);
}

static ts_status draw(command *c, const char *program, const char *folder) {
  const char *const *names;
  size_t name_count;
  TS_TRY(order_styles(&names, &name_count, c));
  ts_plot_book book = {.arena = c->arena, .folder = folder};
  TS_TRY(ts_history_plot(&book, &c->history, c->what, names, name_count, "svg"));
  const char *script = ts_arena_format(c->arena, "%s.gp", book.names[0]);
  if (!script)
    return TS_E_MEMORY;
  return ts_gnuplot_run(c->arena, program, folder, script, "svg", &c->interrupt);
}

static ts_status write_plot(command *c) {
  const char *program;
  ts_plot_folder folder;
  TS_TRY(ts_gnuplot_find(&program, c->arena));
  ts_interrupt_start(&c->interrupt);
  ts_status status = ts_plot_folder_start(&folder, c->arena, c->values.plot, c->values.may_replace);
  if (status == TS_OK) {
    status = draw(c, program, folder.draft);
    status = ts_plot_folder_end(&folder, c->arena, status);
  }
  ts_interrupt_end(&c->interrupt);
  TS_TRY(status);
  printf("plot: %s/history-%s.svg\n", c->values.plot, c->history.field->column);
  return TS_OK;
}

/// "opposing normal quality": the figure of the one method.
static const char *badge_label(const command *c) {
  const char *method = ts_axis_label(c->arena, &c->history.methods.entries[0]);
  const char *figure = ts_label_in_text(c->arena, c->history.field->label);
  return method && figure ? ts_arena_format(c->arena, "%s %s", method, figure) : NULL;
}

static ts_status write_badge(command *c) {
  size_t count = c->history.methods.count;
  if (count != 1)
    return ts_fail(TS_E_INPUT,
                   "a badge shows one method, and these runs have %zu, counting those of other "
                   "parameters; choose one with --method",
                   count);
  const char *label = c->values.badge_label ? c->values.badge_label : badge_label(c);
  if (!label)
    return TS_E_MEMORY;
  double latest = ts_history_at(&c->history, 0, c->runs.count - 1)->value;
  ts_output output;
  TS_TRY(ts_output_start(&output, c->values.badge, c->values.may_replace));
  TS_TRY(ts_output_end(
      &output, ts_badge_write(output.file, c->arena, label, c->history.field, latest, &c->limits)));
  printf("badge: %s\n", c->values.badge);
  return TS_OK;
}

static ts_status check_outputs(const command *c) {
  for (size_t i = 0; i < c->runs.count; i++) {
    TS_TRY(ts_output_spare("--out", c->values.out, c->runs.items[i].path));
    TS_TRY(ts_output_spare("--badge", c->values.badge, c->runs.items[i].path));
  }
  bool has_limits = !isnan(c->limits.green) || !isnan(c->limits.yellow);
  if (!c->values.badge && (has_limits || c->values.badge_label))
    return ts_fail(TS_E_INPUT, "--green, --yellow and --badge-label are about a badge; add --badge "
                               "FILE");
  return ts_badge_check(&c->limits, c->history.field);
}

static ts_status show(command *c, int count, char *const *arguments) {
  ts_arguments parsed;
  history_values *v = &c->values;
  TS_TRY(ts_options_parse(v, &parsed, c->arena, &ts_command_history, count, arguments));
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_history);
  if (parsed.operand_count == 0)
    return ts_fail(TS_E_INPUT, "history takes the results of runs: touchstone history "
                               "results/before results/latest");
  TS_TRY(check_format(v->format));
  const ts_command *self = &ts_command_history;
  c->limits.green = parsed.given & ts_options_bit(self, "green") ? v->green : (double)NAN;
  c->limits.yellow = parsed.given & ts_options_bit(self, "yellow") ? v->yellow : (double)NAN;
  ts_history_choice choice = {.cases = v->cases, .methods = v->methods, .step = v->step};
  TS_TRY(find_figure(&choice.field, v->figure));
  TS_TRY(ts_history_runs_read(&c->runs, c->arena, parsed.operands, parsed.operand_count, &choice));
  TS_TRY(ts_history_make(&c->history, c->arena, c->runs.items, c->runs.count, choice.field));
  TS_TRY(check_outputs(c));
  TS_TRY(describe_mean(c));
  if (v->plot)
    TS_TRY(write_plot(c));
  if (v->badge)
    TS_TRY(write_badge(c));
  return v->out || !(v->plot || v->badge) ? write_table(c) : TS_OK;
}

static ts_status run_history(int *out_exit, int count, char *const *arguments) {
  command c = {0};
  TS_TRY(ts_arena_create(&c.arena));
  ts_status status = show(&c, count, arguments);
  ts_arena_destroy(c.arena);
  *out_exit = 0;
  if (status == TS_OK || c.interrupt.signal == 0)
    return status;
  fputs("touchstone: interrupted; no plot was kept\n", stderr);
  *out_exit = TS_EXIT_SIGNAL + c.interrupt.signal;
  return TS_OK;
}

#define MEMBER(name) .offset = offsetof(history_values, name)

static const ts_option options[] = {
    {.name = "figure",
     .argument = "COLUMN",
     .kind = TS_OPTION_TEXT,
     MEMBER(figure),
     .fallback = "quality_percent",
     .names = TS_NAMES_FIGURES,
     .help = "column of summary.csv, see touchstone list columns"},
    {.name = "case",
     .argument = "RE",
     .kind = TS_OPTION_TEXT,
     MEMBER(cases),
     .help = "only rows of cases whose whole name matches the regular expression"},
    {.name = "method",
     .argument = "RE",
     .kind = TS_OPTION_TEXT,
     MEMBER(methods),
     .help = "the same for methods"},
    {.name = "step",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(step),
     .fallback = "0",
     .minimum = 0,
     .maximum = 1e9,
     .help = "only rows of this step; 0: the scenes as built"},
    {.name = "format",
     .argument = "NAME",
     .kind = TS_OPTION_TEXT,
     MEMBER(format),
     .fallback = "text",
     .choices = list_formats,
     .help = "format of the table"},
    {.name = "out",
     .argument = "FILE",
     .kind = TS_OPTION_TEXT,
     MEMBER(out),
     .help = "file for the table (default: standard output, if there is no plot or badge)"},
    {.name = "plot",
     .argument = "DIR",
     .kind = TS_OPTION_TEXT,
     MEMBER(plot),
     .help = "draw the history with gnuplot: SVG, script and data in this folder, new or empty"},
    {.name = "badge",
     .argument = "FILE",
     .kind = TS_OPTION_TEXT,
     MEMBER(badge),
     .help = "write the figure of the latest run, of one method, as an SVG badge"},
    {.name = "badge-label",
     .argument = "TEXT",
     .kind = TS_OPTION_TEXT,
     MEMBER(badge_label),
     .help = "left half of the badge (default: the method and the figure)"},
    {.name = "green",
     .argument = "X",
     .kind = TS_OPTION_NUMBER,
     MEMBER(green),
     .minimum = -1e300,
     .maximum = 1e300,
     .help = "a badge is green if the figure is at least as good as this; without --green and "
             "--yellow it is blue"},
    {.name = "yellow",
     .argument = "X",
     .kind = TS_OPTION_NUMBER,
     MEMBER(yellow),
     .minimum = -1e300,
     .maximum = 1e300,
     .help = "otherwise yellow if it is at least as good as this, and else red"},
    {.name = "force",
     .kind = TS_OPTION_SWITCH,
     MEMBER(may_replace),
     .help = "replace files that exist, and earlier plots in the folder"},
};

const ts_command ts_command_history = {
    .name = "history",
    .operands = "[NAME=]RESULTS...",
    .summary = "Shows how a figure changed over several runs.",
    .notes =
        "RESULTS are results folders, or summary.csv files, each of another run; they are shown "
        "by their dates. Figures that are means of other rows are not joined, and neither are "
        "times of other machines. Use touchstone gate to fail when a figure gets worse.",
    .examples = "touchstone history results/*/\n"
                "touchstone history 'jolt 5.0=results/a' 'jolt 5.1=results/b' --plot history\n"
                "touchstone history results/latest --method mine --badge quality.svg --green 95 "
                "--yellow 80\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_history,
};
