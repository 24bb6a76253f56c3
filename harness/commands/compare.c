// SPDX-License-Identifier: MIT
#include "base/status.h"
#include "harness/commands/input.h"
#include "harness/commands/run_facts.h"
#include "harness/plan/explain_command.h"
#include "harness/plan/names.h"
#include "harness/plan/options.h"
#include "harness/plan/plan.h"
#include "harness/run/output.h"
#include "reports/compare/difference_print.h"
#include "reports/rows/context.h"
#include "reports/rows/csv.h"
#include "reports/rows/modified_names.h"

#include <jansson.h>
#include <string.h>

typedef struct compare_values {
  const char *format, *out;
  bool may_replace, is_absolute, across_modifiers;
  double alpha, ratio;
} compare_values;

/// The samples of one side; without any, times are not tested. `cells`: as in ts_samples_of.
static ts_status find_samples(ts_samples_of *out, ts_arena *arena, const ts_input *input,
                              const char *const *cells) {
  *out = (ts_samples_of){.records = input->records, .cells = cells};
  if (!input->folder)
    return TS_OK;
  const char *path = ts_arena_format(arena, "%s/samples.csv", input->folder);
  if (!path)
    return TS_E_MEMORY;
  out->path = ts_csv_exists(path) ? path : NULL;
  return TS_OK;
}

static json_t *load_context(ts_arena *arena, const ts_input *input) {
  const char *path =
      input->folder ? ts_arena_format(arena, "%s/context.json", input->folder) : NULL;
  return path ? json_load_file(path, 0, NULL) : NULL;
}

/// What to bear in mind when times of the two are compared.
static ts_status describe_others(const char **out, ts_arena *arena, const ts_input *old,
                                 const ts_input *new) {
  json_t *was = load_context(arena, old), *is = load_context(arena, new);
  ts_status status = ts_run_facts_compare(out, arena, was, is);
  json_decref(was);
  json_decref(is);
  return status;
}

/// `cells` [2]: as in ts_samples_of, of old and new.
static ts_status make(ts_comparison *out, ts_arena *arena, const ts_input *old, const ts_input *new,
                      const char *const *const cells[2], const compare_values *values) {
  ts_samples_of old_samples, new_samples;
  *out = (ts_comparison){
      .old = {old->summary_path, old->records, old->count, old->has_column},
      .new = {new->summary_path, new->records, new->count, new->has_column},
      .old_shortfall = old->shortfall,
      .new_shortfall = new->shortfall,
      .limits = ts_time_limits_default,
  };
  out->limits.alpha = values->alpha;
  out->limits.ratio = values->ratio;
  out->limits.is_absolute = values->is_absolute;
  TS_TRY(describe_others(&out->others, arena, old, new));
  TS_TRY(find_samples(&old_samples, arena, old, cells[0]));
  TS_TRY(find_samples(&new_samples, arena, new, cells[1]));
  TS_TRY(ts_difference_make(&out->difference, arena, &out->old, &out->new));
  TS_TRY(ts_explain_commands(&out->explains, arena, new->records, new->count,
                             new->folder ? new->folder : new->summary_path));
  return ts_time_difference_make(&out->times, arena, &out->difference, &old_samples, &new_samples,
                                 &out->limits);
}

static ts_status print_text(FILE *file, ts_arena *arena, const ts_comparison *c, bool is_file) {
  return ts_comparison_print_text(file, arena, c, !is_file && ts_output_has_colour());
}

static ts_status print_markdown(FILE *file, ts_arena *arena, const ts_comparison *c, bool is_file) {
  (void)is_file;
  return ts_comparison_print_markdown(file, arena, c);
}

static ts_status print_csv(FILE *file, ts_arena *arena, const ts_comparison *c, bool is_file) {
  (void)is_file;
  return ts_comparison_print_csv(file, arena, c);
}

typedef ts_status (*printer)(FILE *file, ts_arena *arena, const ts_comparison *c, bool is_file);

static const struct {
  const char *name;
  printer print;
} formats[] = {{"text", print_text}, {"csv", print_csv}, {"markdown", print_markdown}};
#define FORMAT_COUNT (sizeof formats / sizeof *formats)

static size_t list_formats(const char **out) {
  for (size_t i = 0; i < FORMAT_COUNT; i++)
    out[i] = formats[i].name;
  return FORMAT_COUNT;
}

static ts_status find_printer(printer *out, const char *name) {
  const char *names[TS_OPTION_CHOICES_MAX];
  list_formats(names);
  for (size_t i = 0; i < FORMAT_COUNT; i++) {
    *out = formats[i].print;
    if (strcmp(name, formats[i].name) == 0)
      return TS_OK;
  }
  return ts_names_unknown("format", name, names, FORMAT_COUNT);
}

/// Two rows of one method that differ in their modifiers only cannot be told apart without them.
static ts_status check_once(ts_arena *arena, const ts_input *input) {
  const ts_rows_of rows = {input->summary_path, input->records, input->count, input->has_column};
  ts_status status = ts_rows_check_once(arena, &rows);
  if (status != TS_E_INPUT)
    return status;
  const char *why = ts_arena_string(arena, ts_status_detail());
  return why ? ts_fail(TS_E_INPUT,
                       "%s; --across-modifiers leaves modifiers aside, so give results that were "
                       "run with one --modify, or none",
                       why)
             : TS_E_MEMORY;
}

/// Gives each row the identity that it would have without modifiers. `*out_cells` are the cells
/// that they had, under which their samples are.
static ts_status drop_modifiers(const char *const **out_cells, ts_input *input, ts_arena *arena) {
  const char **cells = ts_arena_array(arena, input->count, sizeof *cells);
  if (!cells)
    return TS_E_MEMORY;
  for (size_t i = 0; i < input->count; i++) {
    ts_record *r = &input->records[i];
    cells[i] = r->cell;
    if (!*r->modifiers)
      continue;
    r->modifiers = "";
    TS_TRY(ts_plan_name_row(&r->cell, arena, r));
  }
  *out_cells = cells;
  return check_once(arena, input);
}

static ts_status compare(ts_arena *arena, int count, char *const *arguments) {
  compare_values values = {0};
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&values, &parsed, arena, &ts_command_compare, count, arguments));
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_compare);
  if (parsed.operand_count != 2)
    return ts_fail(TS_E_INPUT, "compare takes two results, the old one and the new one: touchstone "
                               "compare results/old results/latest");
  printer print;
  TS_TRY(find_printer(&print, values.format));
  for (size_t i = 0; i < 2; i++)
    TS_TRY(ts_output_spare("--out", values.out, parsed.operands[i]));
  ts_output output;
  TS_TRY(ts_output_start(&output, values.out, values.may_replace));
  ts_input old, new;
  ts_comparison comparison;
  const char *const *cells[2] = {NULL, NULL};
  ts_status status = ts_input_read(&old, arena, parsed.operands[0]);
  if (status == TS_OK)
    status = ts_input_read(&new, arena, parsed.operands[1]);
  if (status == TS_OK && values.across_modifiers)
    status = drop_modifiers(&cells[0], &old, arena);
  if (status == TS_OK && values.across_modifiers)
    status = drop_modifiers(&cells[1], &new, arena);
  if (status == TS_OK)
    status = ts_name_modified(old.records, old.count, arena);
  if (status == TS_OK)
    status = ts_name_modified(new.records, new.count, arena);
  if (status == TS_OK)
    status = make(&comparison, arena, &old, &new, cells, &values);
  if (status == TS_OK) {
    ts_input_warn(&old);
    ts_input_warn(&new);
  }
  if (status == TS_OK)
    status = print(output.file, arena, &comparison, values.out != NULL);
  return ts_output_end(&output, status);
}

static ts_status run_compare(int *out_exit, int count, char *const *arguments) {
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = compare(arena, count, arguments);
  ts_arena_destroy(arena);
  *out_exit = 0;
  return status;
}

#define MEMBER(name) .offset = offsetof(compare_values, name)

static const ts_option options[] = {
    {.name = "format",
     .argument = "NAME",
     .kind = TS_OPTION_TEXT,
     MEMBER(format),
     .fallback = "text",
     .choices = list_formats,
     .help = "format of the comparison"},
    {.name = "out",
     .argument = "FILE",
     .kind = TS_OPTION_TEXT,
     MEMBER(out),
     .help = "file to write to instead of standard output"},
    {.name = "across-modifiers",
     .kind = TS_OPTION_SWITCH,
     MEMBER(across_modifiers),
     .help = "match rows whatever their modifiers: a method with the same one modified"},
    {.name = "force",
     .kind = TS_OPTION_SWITCH,
     MEMBER(may_replace),
     .help = "replace the file of --out if it exists"},
    {.name = "alpha",
     .argument = "P",
     .kind = TS_OPTION_NUMBER,
     MEMBER(alpha),
     .fallback = "0.01",
     .minimum = 0,
     .maximum = 1,
     .help = "significance level: maximum p, corrected for all cells, for a time to differ"},
    {.name = "time-ratio",
     .argument = "R",
     .kind = TS_OPTION_NUMBER,
     MEMBER(ratio),
     .fallback = "1.5",
     .minimum = 1,
     .maximum = 1e9,
     .help = "minimum ratio of times, either way, for a time to differ"},
    {.name = "absolute",
     .kind = TS_OPTION_SWITCH,
     MEMBER(is_absolute),
     .help = "compare times as measured; by default the overall speed-up or slow-down of the run "
             "is divided out"},
};

const ts_command ts_command_compare = {
    .name = "compare",
    .operands = "OLD NEW",
    .summary = "Compares two results, row by row and column by column.",
    .notes =
        "OLD and NEW are results folders, or summary.csv files. Rows are matched by all parameters "
        "of their cell and the step; each column is compared by its rule (touchstone list "
        "columns). Times are tested where both have samples.csv: a cell is slower when the rank "
        "test says so, in nine of ten pairs of samples, and when both its median and its fastest "
        "repeat changed by --time-ratio and by five times what is usual among the cells. Exit "
        "status 0 whatever differs; use touchstone gate to check rules.",
    .examples =
        "touchstone compare results/before results/latest\n"
        "touchstone compare --format markdown --out changes.md results/before results/latest\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_compare,
};
