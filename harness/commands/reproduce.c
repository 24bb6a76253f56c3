// SPDX-License-Identifier: MIT
#include "base/number.h"
#include "base/status.h"
#include "harness/paper/reproduction.h"
#include "harness/plan/exits.h"
#include "harness/plan/grid.h"
#include "harness/plan/options.h"
#include "harness/pool/runner.h"
#include "harness/run/run_folder.h"
#include "reports/rows/csv.h"
#include "reports/rows/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct reproduce_values {
  const char *source, *out;
  double nudges, jobs, time_limit_s;
  bool is_quiet;
} reproduce_values;

typedef struct reproduce {
  ts_arena *arena;
  reproduce_values values;
  const char *folder;
  ts_plan plan;
  ts_run_outcome outcome;
  ts_reproduction *figures; ///< [figure_count]
  size_t figure_count;
} reproduce;

static ts_status run_cells(reproduce *r, int count, char *const *arguments) {
  json_t *context = NULL;
  TS_TRY(ts_run_folder_context(&context, r->arena, "reproduce", count, arguments));
  ts_results *results = NULL;
  ts_status status = ts_results_create(&results, r->folder, context);
  json_decref(context);
  TS_TRY(status);
  ts_run_options options = {
      .jobs = (int)r->values.jobs,
      .timing = {.repeats = 1, .min_repeats = 1, .max_repeats = 1},
      .limits = {.time_s = r->values.time_limit_s, .memory_bytes = 4096 * 1024.0 * 1024.0},
      .show_progress = !r->values.is_quiet};
  status = ts_run_plan(&r->outcome, r->arena, &r->plan, 0, results, &options);
  ts_status closed = ts_results_close(results);
  return status != TS_OK ? status : closed;
}

static const char *mark_sign(ts_mark mark) {
  static const char *const signs[TS_MARK_COUNT] = {"=", "~", "!", "?", "*", ""};
  return signs[mark];
}

/// Our figure with as many decimals as the published one; with one more if it would otherwise look
/// equal although it differs, or if a tie was rounded the other way.
static const char *format_ours(ts_arena *arena, const ts_reproduction *figure, int column) {
  const char *point = strchr(figure->published->value, '.');
  int decimals = point ? (int)strlen(point + 1) : 0;
  double ours = figure->ours[column];
  if (isnan(ours))
    return "nan";
  const char *text = ts_arena_format(arena, "%.*f", decimals, ours);
  bool is_equal = figure->marks[column] == TS_MARK_EQUAL;
  if (!text || (is_equal ? strcmp(text, figure->published->value) == 0
                         : decimals >= 2 || ours == floor(ours)))
    return text;
  return ts_arena_format(arena, "%.*f", decimals + 1, ours);
}

static const char *reference_of(const ts_reproduction *figure) {
  return figure->source->is_closed_form ? "closed form" : "paper";
}

/// The figures of the nudged runs, as many decimals as the published one and one more.
static const char *format_nudged(ts_arena *arena, const ts_reproduction *f) {
  if (isnan(f->nudged_min))
    return "";
  const char *point = strchr(f->published->value, '.');
  int decimals = point ? (int)strlen(point + 1) : 0;
  return ts_arena_format(arena, "%.*f to %.*f", decimals, f->nudged_min, decimals, f->nudged_max);
}

/// Adds a row of the table by rules: `cells` without the one of nudged runs, which has a column
/// only where there were any.
static ts_status add_by_rules(ts_grid *grid, const reproduce *r, const char *const cells[11],
                              const char *nudged) {
  const char *row[12];
  size_t count = 0;
  for (size_t i = 0; i < 11; i++) {
    row[count++] = cells[i];
    if (i == 6 && r->values.nudges > 0)
      row[count++] = nudged;
  }
  return ts_grid_add(grid, row);
}

static ts_status print_by_rules(FILE *file, const reproduce *r, const ts_paper *paper,
                                bool as_markdown) {
  ts_grid grid = ts_grid_start(r->arena, r->values.nudges > 0 ? "llllrrllrlll" : "llllrrlrlll");
  TS_TRY(add_by_rules(&grid, r,
                      (const char *[]){"source", "case", "method", "metric", "published",
                                       "prox2018", "", "paper", "", "reason", "reason_paper"},
                      "nudged"));
  for (size_t i = 0; i < r->figure_count; i++) {
    const ts_reproduction *f = &r->figures[i];
    const ts_published *p = f->published;
    if (f->paper != paper)
      continue;
    const char *prox = format_ours(r->arena, f, TS_REPRODUCED_PROX2018);
    const char *text = format_ours(r->arena, f, TS_REPRODUCED_PAPER);
    const char *nudged = format_nudged(r->arena, f);
    if (!prox || !text || !nudged)
      return TS_E_MEMORY;
    TS_TRY(add_by_rules(&grid, r,
                        (const char *[]){p->source, p->scene, p->method, p->metric, p->value, prox,
                                         mark_sign(f->marks[TS_REPRODUCED_PROX2018]), text,
                                         mark_sign(f->marks[TS_REPRODUCED_PAPER]), f->reason,
                                         f->reason_paper},
                        nudged));
  }
  TS_TRY(ts_grid_print(file, &grid, 0, as_markdown));
  fputs("\n= equal to the last decimal printed, ~ within 2 percentage points or 5 percent, ! "
        "different, ? nothing to compare\n"
        "\n",
        file);
  return TS_OK;
}

static ts_status print_ours(FILE *file, const reproduce *r, const ts_paper *paper,
                            bool as_markdown) {
  ts_grid grid = ts_grid_start(r->arena, "lllllrrll");
  TS_TRY(ts_grid_add(&grid, (const char *[]){"source", "case", "metric", "unit", "reference",
                                             "value", "ours", "", "reason"}));
  for (size_t i = 0; i < r->figure_count; i++) {
    const ts_reproduction *f = &r->figures[i];
    const ts_published *p = f->published;
    if (f->paper != paper)
      continue;
    const char *ours = format_ours(r->arena, f, TS_REPRODUCED_OURS);
    if (!ours)
      return TS_E_MEMORY;
    TS_TRY(ts_grid_add(
        &grid, (const char *[]){p->source, p->scene, p->metric, p->unit, reference_of(f), p->value,
                                ours, mark_sign(f->marks[TS_REPRODUCED_OURS]), f->reason}));
  }
  TS_TRY(ts_grid_print(file, &grid, 0, as_markdown));
  fputs("\n= equal to the last decimal, ~ within 2 percentage points or 5 percent, ! different, "
        "? nothing to compare, * of another object: told, not compared\n"
        "\n",
        file);
  return TS_OK;
}

static bool is_chosen(const reproduce *r, const ts_paper *paper) {
  for (size_t i = 0; i < r->figure_count; i++)
    if (r->figures[i].paper == paper)
      return true;
  return false;
}

/// How many marks the counts of a paper have.
static int mark_count(const ts_paper *paper) {
  return ts_paper_has_rules(paper) ? TS_MARK_STAND_IN : TS_MARK_STAND_IN + 1;
}

/// Adds a row for each column: the number of figures of the source and metric of figure `first`
/// with each mark, unless an earlier figure has them.
static ts_status add_counts(ts_grid *grid, const reproduce *r, size_t first) {
  const ts_reproduction *f = &r->figures[first];
  const ts_published *p = f->published;
  size_t counts[TS_REPRODUCED_COUNT][TS_MARK_COUNT] = {{0}}, total = 0;
  for (size_t k = 0; k < r->figure_count; k++) {
    const ts_reproduction *other = &r->figures[k];
    if (strcmp(other->published->source, p->source) != 0 ||
        strcmp(other->published->metric, p->metric) != 0)
      continue;
    if (k < first)
      return TS_OK;
    total++;
    for (int column = 0; column < TS_REPRODUCED_COUNT; column++)
      counts[column][other->marks[column]]++;
  }
  for (int column = 0; column < TS_REPRODUCED_COUNT; column++) {
    if (!f->paper->column_sets[column])
      continue;
    const char *cells[4 + TS_MARK_COUNT] = {p->source, p->metric, ts_reproduced_names[column],
                                            ts_arena_format(r->arena, "%zu", total)};
    int count = 4 + mark_count(f->paper);
    for (int m = 0; 4 + m < count; m++)
      cells[4 + m] = ts_arena_format(r->arena, "%zu", counts[column][m]);
    for (int k = 0; k < count; k++)
      if (!cells[k])
        return TS_E_MEMORY;
    TS_TRY(ts_grid_add(grid, cells));
  }
  return TS_OK;
}

/// For each source and metric, the number of figures with each mark.
static ts_status print_counts(FILE *file, const reproduce *r, const ts_paper *paper,
                              bool as_markdown) {
  ts_grid grid = ts_grid_start(r->arena, ts_paper_has_rules(paper) ? "lllrrrrr" : "lllrrrrrr");
  TS_TRY(ts_grid_add(&grid, (const char *[]){"source", "metric", "column", "figures", "equal",
                                             "close", "different", "missing", "stand_in"}));
  for (size_t i = 0; i < r->figure_count; i++)
    if (r->figures[i].paper == paper)
      TS_TRY(add_counts(&grid, r, i));
  return ts_grid_print(file, &grid, 0, as_markdown);
}

/// The figures of each paper, and their counts.
static ts_status print_papers(FILE *file, const reproduce *r, bool as_markdown) {
  bool is_first = true;
  for (size_t i = 0; ts_papers[i]; i++) {
    const ts_paper *paper = ts_papers[i];
    if (!is_chosen(r, paper))
      continue;
    if (!is_first)
      fputc('\n', file);
    is_first = false;
    TS_TRY((ts_paper_has_rules(paper) ? print_by_rules : print_ours)(file, r, paper, as_markdown));
    TS_TRY(print_counts(file, r, paper, as_markdown));
  }
  return TS_OK;
}

/// Which columns reproduce.csv has: those in which a figure has something.
typedef struct csv_columns {
  bool has[TS_REPRODUCED_COUNT];
  bool has_reference; ///< not all values are printed in a paper
  bool has_nudges;
} csv_columns;

static csv_columns find_columns(const reproduce *r) {
  csv_columns out = {.has = {false}};
  for (size_t i = 0; i < r->figure_count; i++) {
    for (int column = 0; column < TS_REPRODUCED_COUNT; column++)
      out.has[column] = out.has[column] || r->figures[i].marks[column] != TS_MARK_NONE;
    out.has_reference = out.has_reference || r->figures[i].source->is_closed_form;
    out.has_nudges = out.has_nudges || !isnan(r->figures[i].nudged_min);
  }
  return out;
}

static ts_status add_fields(ts_csv_buffer *buffer, const char *const *fields, size_t count) {
  for (size_t i = 0; i < count; i++)
    TS_TRY(ts_csv_add_field(buffer, fields[i]));
  return TS_OK;
}

static ts_status add_header(ts_csv_buffer *buffer, const csv_columns *columns) {
  static const char *const names[] = {"source", "case", "method", "unit", "metric", "published"};
  TS_TRY(add_fields(buffer, names, sizeof names / sizeof names[0]));
  for (int column = 0; column < TS_REPRODUCED_COUNT; column++)
    if (columns->has[column])
      TS_TRY(ts_csv_add_field(buffer, ts_reproduced_names[column]));
  for (int column = 0; column < TS_REPRODUCED_COUNT; column++)
    if (columns->has[column]) {
      char name[32];
      snprintf(name, sizeof name, "mark_%s", ts_reproduced_names[column]);
      TS_TRY(ts_csv_add_field(buffer, name));
    }
  if (columns->has_reference)
    TS_TRY(ts_csv_add_field(buffer, "reference"));
  if (columns->has_nudges) {
    TS_TRY(ts_csv_add_field(buffer, "nudged_min"));
    TS_TRY(ts_csv_add_field(buffer, "nudged_max"));
  }
  TS_TRY(ts_csv_add_field(buffer, "reason"));
  if (columns->has[TS_REPRODUCED_PAPER])
    TS_TRY(ts_csv_add_field(buffer, "reason_paper"));
  ts_csv_end_record(buffer);
  return TS_OK;
}

static ts_status add_figure(ts_csv_buffer *buffer, const ts_reproduction *f,
                            const csv_columns *columns) {
  const ts_published *p = f->published;
  const char *const fields[] = {p->source, p->scene, p->method, p->unit, p->metric, p->value};
  TS_TRY(add_fields(buffer, fields, sizeof fields / sizeof fields[0]));
  for (int column = 0; column < TS_REPRODUCED_COUNT; column++)
    if (columns->has[column]) {
      char ours[TS_NUMBER_BYTES];
      TS_TRY(ts_csv_add_field(buffer, ts_number_format(ours, f->ours[column])));
    }
  for (int column = 0; column < TS_REPRODUCED_COUNT; column++)
    if (columns->has[column])
      TS_TRY(ts_csv_add_field(buffer, ts_mark_names[f->marks[column]]));
  if (columns->has_reference)
    TS_TRY(ts_csv_add_field(buffer, reference_of(f)));
  if (columns->has_nudges) {
    char text[TS_NUMBER_BYTES];
    TS_TRY(ts_csv_add_field(buffer, ts_number_format(text, f->nudged_min)));
    TS_TRY(ts_csv_add_field(buffer, ts_number_format(text, f->nudged_max)));
  }
  TS_TRY(ts_csv_add_field(buffer, f->reason));
  if (columns->has[TS_REPRODUCED_PAPER])
    TS_TRY(ts_csv_add_field(buffer, f->reason_paper));
  ts_csv_end_record(buffer);
  return TS_OK;
}

static ts_status fill_csv(ts_csv_buffer *buffer, const reproduce *r) {
  csv_columns columns = find_columns(r);
  TS_TRY(add_header(buffer, &columns));
  for (size_t i = 0; i < r->figure_count; i++)
    TS_TRY(add_figure(buffer, &r->figures[i], &columns));
  return TS_OK;
}

static ts_status fail_write(const char *path, int error) {
  return ts_fail(TS_E_IO, "cannot write %s: %s; %s", path, strerror(error), ts_disk_remedy(error));
}

/// Writes the file at `path`, completely or not at all.
static ts_status write_file(ts_arena *arena, const char *path, const void *bytes, size_t count) {
  const char *draft = ts_arena_format(arena, "%s.draft", path);
  if (!draft)
    return TS_E_MEMORY;
  int file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0)
    return fail_write(path, errno);
  int error = ts_disk_write(file, bytes, count, 0);
  if (close(file) != 0 && error == 0)
    error = errno;
  if (error == 0 && rename(draft, path) != 0)
    error = errno;
  if (error == 0)
    return TS_OK;
  unlink(draft);
  return fail_write(path, error);
}

static ts_status write_csv(const reproduce *r, const char *path) {
  ts_csv_buffer buffer = {0};
  ts_status status = fill_csv(&buffer, r);
  if (status == TS_OK)
    status = write_file(r->arena, path, buffer.bytes, buffer.count);
  ts_csv_buffer_free(&buffer);
  return status;
}

static ts_status write_markdown(const reproduce *r, const char *path) {
  char *text = NULL;
  size_t count = 0;
  FILE *stream = open_memstream(&text, &count);
  if (!stream)
    return ts_fail(TS_E_MEMORY, "out of memory");
  ts_status status = print_papers(stream, r, true);
  bool is_whole = !ferror(stream);
  if ((fclose(stream) != 0 || !is_whole) && status == TS_OK)
    status = ts_fail(TS_E_MEMORY, "out of memory");
  if (status == TS_OK)
    status = write_file(r->arena, path, text, count);
  free(text);
  return status;
}

static ts_status report(int *out_exit, reproduce *r) {
  const char *csv = ts_arena_format(r->arena, "%s/reproduce.csv", r->folder);
  const char *markdown = ts_arena_format(r->arena, "%s/reproduce.md", r->folder);
  if (!csv || !markdown)
    return TS_E_MEMORY;
  TS_TRY(ts_reproduction_fill(&r->figures, &r->figure_count, r->arena, r->values.source,
                              (int)r->values.nudges, &r->plan, r->outcome.records,
                              r->outcome.record_count));
  TS_TRY(write_csv(r, csv));
  TS_TRY(write_markdown(r, markdown));
  if (!r->values.is_quiet) {
    TS_TRY(print_papers(stdout, r, false));
    putchar('\n');
  }
  printf("results: %s (%zu figures), %s, %s/summary.csv\n", csv, r->figure_count, markdown,
         r->folder);
  if (ts_run_folder_warn(r->outcome.records, r->outcome.record_count, r->plan.cell_count,
                         r->folder))
    *out_exit = TS_EXIT_BAD_CELLS;
  return TS_OK;
}

static ts_status run_all(int *out_exit, reproduce *r, int count, char *const *arguments) {
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&r->values, &parsed, r->arena, &ts_command_reproduce, count, arguments));
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_reproduce);
  if (parsed.operand_count > 0)
    return ts_fail(TS_E_INPUT, "reproduce takes options only, not \"%s\"", parsed.operands[0]);
  TS_TRY(ts_reproduction_plan(&r->plan, r->arena, r->values.source, (int)r->values.nudges));
  r->folder = r->values.out ? r->values.out : ts_run_folder_default(r->arena, "reproduce-");
  if (!r->folder)
    return TS_E_MEMORY;
  TS_TRY(run_cells(r, count, arguments));
  if (r->outcome.signal != 0) {
    fprintf(stderr,
            "touchstone: interrupted with %zu of %zu cells done; their rows are in %s; for the "
            "figures run touchstone reproduce again\n",
            r->outcome.cell_count, r->plan.cell_count, r->folder);
    *out_exit = TS_EXIT_SIGNAL + r->outcome.signal;
    return TS_OK;
  }
  return report(out_exit, r);
}

static ts_status run_reproduce(int *out_exit, int count, char *const *arguments) {
  reproduce r = {0};
  TS_TRY(ts_arena_create(&r.arena));
  *out_exit = 0;
  ts_status status = run_all(out_exit, &r, count, arguments);
  ts_arena_destroy(r.arena);
  return status;
}

#define MEMBER(name) .offset = offsetof(reproduce_values, name)

static const ts_option options[] = {
    {.name = "source",
     .argument = "RE",
     .kind = TS_OPTION_TEXT,
     MEMBER(source),
     .help = "which figures (default: all; table6, table7 and allard2010_table1 take minutes), by "
             "source or by paper",
     .choices = ts_source_names},
    {.name = "out",
     .argument = "DIR",
     .kind = TS_OPTION_TEXT,
     MEMBER(out),
     .help = "folder for reproduce.csv, reproduce.md and the rows behind them "
             "(default: " TS_RUN_FOLDER_PARENT "/reproduce-<time>)"},
    {.name = "nudges",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(nudges),
     .fallback = "0",
     .minimum = 0,
     .maximum = 64,
     .help = "run figures of Erleben 2018 by the program's rules N times more, with friction moved "
             "by 1e-7, -1e-7, 2e-7 and so on; the columns nudged_min and nudged_max tell a "
             "difference from chaos"},
    {.name = "jobs",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(jobs),
     .fallback = "1",
     .minimum = 1,
     .maximum = 1024,
     .help = "number of cells to run in parallel"},
    {.name = "time-limit",
     .argument = "S",
     .kind = TS_OPTION_NUMBER,
     MEMBER(time_limit_s),
     .fallback = "1800",
     .minimum = 0.001,
     .maximum = 1e6,
     .help = "time limit of a cell in seconds"},
    {.name = "quiet",
     .kind = TS_OPTION_SWITCH,
     MEMBER(is_quiet),
     .help = "print no progress and no tables, only the location of the results"},
};

const ts_command ts_command_reproduce = {
    .name = "reproduce",
    .operands = "",
    .summary = "Compares figures of four papers with ours.",
    .notes = "The papers are Erleben 2018, Allard 2010, Faure 2008 and Saupin 2008.",
    .examples = "touchstone reproduce --jobs 2\n"
                "touchstone reproduce --source table8 --out results/table8\n"
                "touchstone reproduce --source 'allard2010.*|faure2008'\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_reproduce,
};
