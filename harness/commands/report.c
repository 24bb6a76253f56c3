// SPDX-License-Identifier: MIT
#include "base/status.h"
#include "cases/case.h"
#include "harness/commands/input.h"
#include "harness/commands/method_styles.h"
#include "harness/plan/explain_command.h"
#include "harness/plan/names.h"
#include "harness/plan/options.h"
#include "harness/plan/shell_word.h"
#include "harness/run/output.h"
#include "harness/run/rerun.h"
#include "harness/view/report_views.h"
#include "methods/registry.h"
#include "reports/formats/format.h"
#include "reports/rows/modified_names.h"

#include <string.h>

typedef struct report_values {
  const char *format, *out;
  double views_mb;
  bool may_replace;
} report_values;

_Static_assert(TS_FORMAT_COUNT <= TS_OPTION_CHOICES_MAX, "raise TS_OPTION_CHOICES_MAX");

static size_t list_formats(const char **out) {
  size_t count = 0;
  for (; ts_formats[count]; count++)
    out[count] = ts_formats[count]->name;
  return count;
}

static ts_status find_format(const ts_format **out, const char *name) {
  if (strcmp(name, "junit") == 0)
    return ts_fail(TS_E_INPUT, "JUnit XML reports what passes, which needs a baseline: touchstone "
                               "gate RESULTS --baseline FILE --junit gate.xml");
  *out = ts_format_find(name);
  if (*out)
    return TS_OK;
  const char *names[TS_OPTION_CHOICES_MAX];
  return ts_names_unknown("format", name, names, list_formats(names));
}

static const char *case_summary(const char *name) {
  const ts_case *found = ts_case_find(name);
  return found ? found->summary : NULL;
}

static const char *method_summary(const char *name) {
  const ts_method *found = ts_method_find(name);
  return found ? found->summary : NULL;
}

static ts_status write_report(ts_arena *arena, const ts_format *format, const ts_input *input,
                              const char *path, const report_values *values) {
  const char *const *method_names;
  size_t method_count;
  TS_TRY(ts_method_styles_order(&method_names, &method_count, arena, input->records, input->count));
  const char *study_fault;
  TS_TRY(ts_input_study_fault(&study_fault, arena, input));
  json_t *context;
  TS_TRY(ts_input_context(&context, arena, input));
  ts_reruns repeats;
  const char *const *explains = NULL;
  ts_status status = ts_reruns_of_run(&repeats, arena, input->records, input->count, context);
  if (status == TS_OK)
    status = ts_explain_commands(&explains, arena, input->records, input->count,
                                 input->folder ? input->folder : input->summary_path);
  ts_format_source source = {.records = input->records,
                             .count = input->count,
                             .names = repeats.names,
                             .commands = repeats.commands,
                             .explains = explains,
                             .method_names = method_names,
                             .method_count = method_count,
                             .case_summary = case_summary,
                             .method_summary = method_summary,
                             .folder = input->folder,
                             .shortfall = input->shortfall,
                             .study_fault = study_fault,
                             .context = context};
  if (status == TS_OK && format->is_page && input->folder && values->views_mb > 0) {
    ts_views *views;
    status = ts_report_views(&views, arena, &source, values->views_mb);
    source.put_views = ts_views_put;
    source.views = views;
  }
  ts_output output;
  if (status == TS_OK)
    status = ts_output_start_large(&output, path, values->may_replace);
  if (status == TS_OK)
    status = ts_output_end(&output, format->write(output.file, arena, &source));
  json_decref(context);
  return status;
}

static ts_status report(ts_arena *arena, int count, char *const *arguments) {
  report_values values = {0};
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&values, &parsed, arena, &ts_command_report, count, arguments));
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_report);
  if (parsed.operand_count != 1)
    return ts_fail(TS_E_INPUT, "report takes one results folder, or a summary.csv: touchstone "
                               "report results/latest");
  const ts_format *format = NULL;
  TS_TRY(find_format(&format, values.format));
  ts_input input;
  TS_TRY(ts_output_spare("--out", values.out, parsed.operands[0]));
  TS_TRY(ts_input_read(&input, arena, parsed.operands[0]));
  TS_TRY(ts_name_modified(input.records, input.count, arena));
  const char *path = values.out;
  // The page in the folder was made from the results there, so it may be replaced.
  bool is_own = !path && format->is_page && input.folder;
  if (is_own) {
    path = ts_arena_format(arena, "%s/report.%s", input.folder, format->name);
    if (!path)
      return TS_E_MEMORY;
  }
  if (!path && format->is_page) {
    const char *word = ts_shell_word(arena, parsed.operands[0]);
    return word ? ts_fail(TS_E_INPUT,
                          "--out FILE is required for a page: touchstone report %s --out "
                          "report.html",
                          word)
                : TS_E_MEMORY;
  }
  values.may_replace = values.may_replace || is_own;
  TS_TRY(write_report(arena, format, &input, path, &values));
  if (path)
    printf("report: %s\n", path);
  ts_input_warn(&input);
  return TS_OK;
}

static ts_status run_report(int *out_exit, int count, char *const *arguments) {
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = report(arena, count, arguments);
  ts_arena_destroy(arena);
  *out_exit = 0;
  return status;
}

#define MEMBER(name) .offset = offsetof(report_values, name)

static const ts_option options[] = {
    {.name = "format",
     .argument = "NAME",
     .kind = TS_OPTION_TEXT,
     MEMBER(format),
     .fallback = "html",
     .choices = list_formats,
     .help = "format of the report, see touchstone list formats"},
    {.name = "out",
     .argument = "FILE",
     .kind = TS_OPTION_TEXT,
     MEMBER(out),
     .help =
         "file to write (default: report.html in the folder for html; otherwise standard output)"},
    {.name = "views",
     .argument = "MB",
     .kind = TS_OPTION_NUMBER,
     MEMBER(views_mb),
     .fallback = "1.5",
     .minimum = 0,
     .maximum = 1000,
     .help = "room for 3-D views in the page, in megabytes: the worst rows first; 0: no views"},
    {.name = "force",
     .kind = TS_OPTION_SWITCH,
     MEMBER(may_replace),
     .help = "replace the file if it exists"},
};

const ts_command ts_command_report = {
    .name = "report",
    .operands = "RESULTS",
    .summary = "Writes results as a page, or for other programs to read.",
    .notes = "RESULTS is a results folder or a summary.csv.",
    .examples = "touchstone report results/latest\n"
                "touchstone report results/latest --format latex --out tables.tex\n"
                "touchstone report results/latest --format google-benchmark --out new.json\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_report,
};
