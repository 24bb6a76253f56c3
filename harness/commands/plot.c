// SPDX-License-Identifier: MIT
/// touchstone plot: draws all plots that the results allow.
#include "base/status.h"
#include "harness/agree/agreement_read.h"
#include "harness/commands/gnuplot.h"
#include "harness/commands/input.h"
#include "harness/commands/method_styles.h"
#include "harness/commands/plot_contacts.h"
#include "harness/commands/plot_folder.h"
#include "harness/plan/exits.h"
#include "harness/plan/grid.h"
#include "harness/plan/names.h"
#include "harness/plan/options.h"
#include "harness/plan/shell_word.h"
#include "reports/plots/plot_kinds.h"
#include "reports/plots/plot_style.h"
#include "reports/rows/csv.h"
#include "reports/rows/modified_names.h"
#include "reports/rows/outcome.h"

#include <string.h>
#include <sys/stat.h>

#define KIND_MAX   32
#define FORMAT_MAX 4

typedef struct plot_values {
  const char *out, *formats, *only;
  ts_texts cases, methods;
  bool is_listed, may_replace;
} plot_values;

typedef struct plot {
  ts_arena *arena;
  plot_values values;
  ts_input input;
  const ts_plot_kind *kinds[KIND_MAX];
  size_t kind_count;
  const char *formats[FORMAT_MAX];
  size_t format_count;
  ts_plot_source source;
  const char *program;               ///< gnuplot
  const char *left_out[KIND_MAX][2]; ///< name of a kind, and the reason
  size_t left_out_count;
  ts_interrupt interrupt;
} plot;

/// The next word of a comma-separated list, in the arena; NULL at its end or when out of memory.
static const char *next_word(ts_arena *arena, const char **list) {
  if (!**list)
    return NULL;
  size_t length = strcspn(*list, ",");
  const char *word = ts_arena_format(arena, "%.*s", (int)length, *list);
  *list += length + ((*list)[length] == ',');
  return word;
}

static size_t kind_names(const char **out) {
  size_t count = 0;
  for (; ts_plot_kinds[count]; count++)
    out[count] = ts_plot_kinds[count]->name;
  return count;
}

static size_t format_names(const char **out) {
  static const char *const names[FORMAT_MAX] = {"svg", "pdf", "png", "tex"};
  memcpy(out, names, sizeof names);
  return FORMAT_MAX;
}

static ts_status choose_kinds(plot *p) {
  const char *names[KIND_MAX], *list = p->values.only ? p->values.only : "";
  size_t count = kind_names(names);
  bool is_chosen[KIND_MAX] = {false};
  for (const char *word; (word = next_word(p->arena, &list));) {
    size_t i = 0;
    while (i < count && strcmp(names[i], word) != 0)
      i++;
    if (i == count)
      return ts_names_unknown("kind of plot", word, names, count);
    is_chosen[i] = true;
  }
  for (size_t i = 0; i < count; i++)
    if (!p->values.only || is_chosen[i])
      p->kinds[p->kind_count++] = ts_plot_kinds[i];
  return TS_OK;
}

static ts_status choose_formats(plot *p) {
  const char *known[FORMAT_MAX], *list = p->values.formats;
  format_names(known);
  for (const char *word; (word = next_word(p->arena, &list));) {
    size_t i = 0;
    while (i < FORMAT_MAX && strcmp(known[i], word) != 0)
      i++;
    if (i == FORMAT_MAX)
      return ts_names_unknown("format", word, known, FORMAT_MAX);
    for (size_t k = 0; k < p->format_count; k++)
      if (strcmp(p->formats[k], word) == 0)
        return ts_fail(TS_E_INPUT, "duplicate %s in --format; keep one", word);
    p->formats[p->format_count++] = known[i];
  }
  return TS_OK;
}

/// The contacts of the rows that are drawn: of each cell the first seed.
static ts_status read_contacts(plot *p) {
  bool are_needed = false;
  for (size_t i = 0; i < p->kind_count; i++)
    are_needed |= p->kinds[i]->needs_contacts;
  if (!are_needed || !p->input.folder || p->input.contacts_kept != TS_KEPT_ALL)
    return TS_OK;
  const char *path = ts_arena_format(p->arena, "%s/contacts.csv", p->input.folder);
  bool *is_drawn = ts_arena_array(p->arena, p->input.count, sizeof *is_drawn);
  if (!path || !is_drawn)
    return TS_E_MEMORY;
  if (!ts_csv_exists(path))
    return TS_OK;
  for (size_t i = 0; i < p->input.count; i++)
    is_drawn[i] = ts_plot_is_first(&p->source, i);
  return ts_plot_read_contacts(&p->source.contacts, p->arena, p->input.records, is_drawn,
                               p->input.count, path);
}

/// What methods agree on, if that is drawn and there are contacts.
static ts_status read_agreement(plot *p) {
  bool is_drawn = false;
  for (size_t i = 0; i < p->kind_count; i++)
    is_drawn |= p->kinds[i] == &ts_plot_agreement_map;
  if (!is_drawn || !p->source.contacts)
    return TS_OK;
  json_t *context;
  TS_TRY(ts_input_context(&context, p->arena, &p->input));
  ts_agreement agreement;
  ts_status status = ts_agreement_read(&agreement, p->arena, &p->source, p->input.records,
                                       p->input.folder, context);
  json_decref(context);
  TS_TRY(status);
  return ts_agreement_plot(&p->source.agreement, p->arena, &agreement);
}

static ts_status read_source(plot *p, const char *results) {
  TS_TRY(ts_input_read(&p->input, p->arena, results));
  TS_TRY(ts_name_modified(p->input.records, p->input.count, p->arena));
  TS_TRY(ts_input_filter(&p->input, p->arena, "case", &p->values.cases));
  TS_TRY(ts_input_filter(&p->input, p->arena, "method", &p->values.methods));
  if (p->input.count == 0)
    return ts_fail(TS_E_INPUT, "%s has no rows; let touchstone run finish", p->input.summary_path);
  TS_TRY(ts_method_styles_order(&p->source.method_names, &p->source.method_count, p->arena,
                                p->input.records, p->input.count));
  TS_TRY(ts_plot_source_make(&p->source, p->arena, p->input.records, p->input.count));
  TS_TRY(read_contacts(p));
  return read_agreement(p);
}

/// Records a kind without plots; fails if it was requested by name.
static ts_status leave_out(plot *p, const ts_plot_kind *kind, const char *why) {
  if (p->values.only)
    return ts_fail(TS_E_INPUT, "%s cannot be drawn from %s: %s", kind->name, p->input.summary_path,
                   why);
  p->left_out[p->left_out_count][0] = kind->name;
  p->left_out[p->left_out_count++][1] = why;
  return TS_OK;
}

/// Why there are no plots of a kind.
static const char *find_lack(const plot *p, const ts_plot_kind *kind) {
  for (size_t i = 0; kind->lacks_deformable && i < p->input.count; i++)
    if (p->input.records[i].nodes > 0)
      return kind->lacks_deformable;
  return kind->lacks;
}

static ts_status make_kind(plot *p, ts_plot_book *book, const ts_plot_kind *kind) {
  if (kind->needs_contacts && p->input.contacts_kept != TS_KEPT_ALL)
    return leave_out(p, kind, "the run did not keep all contacts; run it with --contacts all");
  if (kind->needs_contacts && !p->source.contacts)
    return leave_out(p, kind, "contacts.csv is missing; give the results folder");
  ts_plot_begin_kind(book, kind->name);
  ts_status status = kind->make(book, &p->source);
  if (status == TS_SKIPPED) {
    const char *why = ts_arena_format(
        p->arena, "all but the first %zu; select with --case and --method", TS_PLOT_KIND_MAX);
    if (!why)
      return TS_E_MEMORY;
    p->left_out[p->left_out_count][0] = kind->name;
    p->left_out[p->left_out_count++][1] = why;
    return TS_OK;
  }
  TS_TRY(status);
  return book->kind_count > 0 ? TS_OK : leave_out(p, kind, find_lack(p, kind));
}

static ts_status fail_empty(const plot *p) {
  const char *path = p->input.summary_path, *word = ts_shell_word(p->arena, path);
  if (!word)
    return TS_E_MEMORY;
  for (size_t i = 0; i < p->input.count; i++)
    if (ts_record_is_ok(&p->input.records[i]))
      return ts_fail(TS_E_INPUT,
                     "nothing can be drawn from %s: touchstone plot --list %s says what each kind "
                     "of plot lacks",
                     path, word);
  return ts_fail(TS_E_INPUT,
                 "nothing can be drawn from %s: none of the rows is ok; touchstone report %s has "
                 "the reasons",
                 path, word);
}

/// Writes the scripts of all kinds, or lists their names.
static ts_status make_book(plot *p, ts_plot_book *book) {
  for (size_t i = 0; i < p->kind_count; i++)
    TS_TRY(make_kind(p, book, p->kinds[i]));
  if (book->folder && book->count == 0)
    return fail_empty(p);
  return book->folder ? ts_plot_write_style(book, &p->source, p->formats[0]) : TS_OK;
}

static ts_status draw(plot *p, const ts_plot_book *book) {
  for (size_t i = 0; i < book->count; i++) {
    const char *script = ts_arena_format(p->arena, "%s.gp", book->names[i]);
    if (!script)
      return TS_E_MEMORY;
    for (size_t k = 0; k < p->format_count; k++)
      TS_TRY(
          ts_gnuplot_run(p->arena, p->program, book->folder, script, p->formats[k], &p->interrupt));
  }
  return TS_OK;
}

static void print_left_out(const plot *p) {
  for (size_t i = 0; i < p->left_out_count; i++)
    printf("left out: %s: %s\n", p->left_out[i][0], p->left_out[i][1]);
}

/// Draws all plots, or leaves no files behind.
static ts_status draw_into(plot *p, ts_plot_book *book, const char *path) {
  ts_plot_folder folder;
  TS_TRY(ts_plot_folder_start(&folder, p->arena, path, p->values.may_replace));
  book->folder = folder.draft;
  ts_status status = make_book(p, book);
  if (status == TS_OK)
    status = draw(p, book);
  return ts_plot_folder_end(&folder, p->arena, status);
}

static ts_status make_plots(plot *p) {
  const char *path = p->values.out     ? p->values.out
                     : p->input.folder ? ts_arena_format(p->arena, "%s/plots", p->input.folder)
                                       : "plots";
  if (!path)
    return TS_E_MEMORY;
  ts_plot_book book = {.arena = p->arena};
  ts_interrupt_start(&p->interrupt);
  ts_status status = draw_into(p, &book, path);
  ts_interrupt_end(&p->interrupt);
  TS_TRY(status);
  print_left_out(p);
  printf("plots: %s (%zu, each with its script .gp and its data .csv)\n", path, book.count);
  return TS_OK;
}

static ts_status list_kinds(plot *p) {
  ts_grid grid = ts_grid_start(p->arena, "lll");
  TS_TRY(ts_grid_add(&grid, (const char *[]){"plot", "Erleben 2018", "summary"}));
  for (size_t i = 0; i < p->kind_count; i++)
    TS_TRY(ts_grid_add(
        &grid, (const char *[]){p->kinds[i]->name, p->kinds[i]->figures, p->kinds[i]->summary}));
  return ts_grid_print(stdout, &grid, 0, false);
}

static ts_status list_plots(plot *p) {
  ts_plot_book book = {.arena = p->arena};
  TS_TRY(make_book(p, &book));
  for (size_t i = 0; i < book.count; i++)
    printf("%s\n", book.names[i]);
  print_left_out(p);
  return TS_OK;
}

static ts_status plot_all(plot *p, int count, char *const *arguments) {
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&p->values, &parsed, p->arena, &ts_command_plot, count, arguments));
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_plot);
  TS_TRY(choose_kinds(p));
  TS_TRY(choose_formats(p));
  if (p->values.is_listed && parsed.operand_count == 0)
    return list_kinds(p);
  if (parsed.operand_count != 1)
    return ts_fail(TS_E_INPUT, "plot takes one results folder or summary.csv: touchstone plot "
                               "results/latest");
  if (!p->values.is_listed)
    TS_TRY(ts_gnuplot_find(&p->program, p->arena));
  TS_TRY(read_source(p, parsed.operands[0]));
  ts_input_warn(&p->input);
  return p->values.is_listed ? list_plots(p) : make_plots(p);
}

static ts_status run_plot(int *out_exit, int count, char *const *arguments) {
  plot p = {0};
  TS_TRY(ts_arena_create(&p.arena));
  ts_status status = plot_all(&p, count, arguments);
  ts_arena_destroy(p.arena);
  *out_exit = 0;
  if (status == TS_OK || p.interrupt.signal == 0)
    return status;
  fputs("touchstone: interrupted; no plots were kept\n", stderr);
  *out_exit = TS_EXIT_SIGNAL + p.interrupt.signal;
  return TS_OK;
}

#define MEMBER(name) .offset = offsetof(plot_values, name)

static const ts_option options[] = {
    {.name = "out",
     .argument = "DIR",
     .kind = TS_OPTION_TEXT,
     MEMBER(out),
     .help = "folder for the plots (default: RESULTS/plots, or plots for a summary.csv)"},
    {.name = "format",
     .argument = "LIST",
     .kind = TS_OPTION_TEXT,
     MEMBER(formats),
     .fallback = "svg",
     .choices = format_names,
     .help = "what to draw, several separated by commas; tex is cairolatex, a -tex.tex to \\input "
             "and its .pdf"},
    {.name = "only",
     .argument = "LIST",
     .kind = TS_OPTION_TEXT,
     MEMBER(only),
     .choices = kind_names,
     .help = "kinds of plots, separated by commas (default: all that the rows allow)"},
    {.name = "case",
     .argument = "RE",
     .kind = TS_OPTION_TEXTS,
     MEMBER(cases),
     .names = TS_NAMES_CASES,
     .help = "only rows of cases whose whole name matches the regular expression"},
    {.name = "method",
     .argument = "RE",
     .kind = TS_OPTION_TEXTS,
     MEMBER(methods),
     .names = TS_NAMES_METHODS,
     .help = "the same for methods; their colours do not change"},
    {.name = "list",
     .kind = TS_OPTION_SWITCH,
     MEMBER(is_listed),
     .help = "list the kinds of plots, or with RESULTS the plots that it allows; draw nothing"},
    {.name = "force",
     .kind = TS_OPTION_SWITCH,
     MEMBER(may_replace),
     .help = "replace earlier plots in the folder, with scripts and data, including edited ones"},
};

const ts_command ts_command_plot = {
    .name = "plot",
    .operands = "RESULTS",
    .summary = "Draws figures for a paper from results, with gnuplot.",
    .notes = "RESULTS is a results folder or a summary.csv. Each plot comes with its gnuplot "
             "script and data; look.gp has the settings that all share. To change a label, edit "
             "the script and run gnuplot NAME.gp in that folder.",
    .examples = "touchstone plot results/latest\n"
                "touchstone plot results/latest --only heat_map --format pdf\n"
                "touchstone plot --list\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_plot,
};
