// SPDX-License-Identifier: MIT
#include "harness/commands/gate.h"

#include "base/file.h"
#include "base/status.h"
#include "harness/plan/doc_page.h"
#include "harness/plan/exits.h"
#include "harness/plan/explain_command.h"
#include "harness/plan/options.h"
#include "harness/plan/shell_word.h"
#include "harness/run/output.h"
#include "reports/rows/csv.h"
#include "reports/rows/outcome.h"
#include "reports/tables/table_text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/// Maximum number of rows on only one side that are listed one by one: results of a part of the
/// suite lack hundreds.
#define ROWS_NAMED      20
#define RULES_BYTES_MAX ((off_t)1 << 20)

typedef struct gate_values {
  const char *baseline, *rules, *junit;
  bool is_strict, is_partial, updates;
} gate_values;

const char *ts_gate_command(const ts_gate *gate, size_t pair) {
  const ts_record *record = gate->comparison.difference.pairs[pair].new;
  return record ? gate->repeats.commands[record - gate->results.records] : NULL;
}

const char *ts_gate_explain(const ts_gate *gate, size_t pair) {
  const ts_record *record = gate->comparison.difference.pairs[pair].new;
  return record ? gate->explains[record - gate->results.records] : NULL;
}

/// The value of a limited column, and what the row has instead of one.
static const char *describe_limit(const ts_gate *gate, const ts_field *field,
                                  const ts_record *record) {
  const char *same, *is;
  if (ts_field_texts(&same, &is, gate->arena, field, record, record) != TS_OK)
    return NULL;
  if (ts_record_outcome(record) == TS_OUTCOME_OK)
    return ts_arena_format(gate->arena, "%s is %s", field->column, is);
  return ts_arena_format(gate->arena, "%s is %s (%s: %s)", field->column, is, record->outcome,
                         record->reason);
}

const char *ts_gate_describe(const ts_gate *gate, const ts_gate_finding *finding) {
  const ts_row_pair *pair = &gate->comparison.difference.pairs[finding->pair];
  if (!finding->field)
    return pair->new ? "the row is not in the baseline" : "the row is not in the results";
  if (ts_gate_rule_is_limit(finding->rule))
    return describe_limit(gate, finding->field, pair->new);
  const char *was, *is;
  if (ts_field_texts(&was, &is, gate->arena, finding->field, pair->old, pair->new) != TS_OK)
    return NULL;
  bool is_outcome = finding->field->offset == offsetof(ts_record, outcome);
  const char *reason = is_outcome ? pair->new->reason : "";
  return ts_arena_format(gate->arena, "%s was %s, is %s%s%s%s", finding->field->column, was, is,
                         reason[0] ? " (" : "", reason, reason[0] ? ")" : "");
}

const char *ts_gate_describe_rule(const ts_gate *gate, const ts_gate_rule *rule) {
  if (rule->line == 0)
    return ts_arena_format(gate->arena, "rule: %s", rule->text);
  return ts_arena_format(gate->arena, "rule: %s (%s, line %zu)", rule->text, gate->rules_name,
                         rule->line);
}

static ts_status fail_rules(const char *path, int error) {
  return ts_fail(TS_E_INPUT, "cannot read the rules %s: %s", path, strerror(error));
}

/// Reads the rules file into the arena.
static ts_status read_text(const char **out, ts_arena *arena, const char *path) {
  struct stat facts;
  int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return fail_rules(path, errno);
  bool is_fine = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
  size_t size = is_fine && facts.st_size <= RULES_BYTES_MAX ? (size_t)facts.st_size : 0;
  if (!is_fine || facts.st_size > RULES_BYTES_MAX) {
    close(file);
    return ts_fail(TS_E_INPUT, "%s is not a rules file; see %s", path, ts_doc_page(arena, "gate"));
  }
  char *text = ts_arena_alloc(arena, size + 1);
  size_t count = 0;
  ssize_t part = 1;
  while (text && count < size && (part = read(file, text + count, size - count)) > 0)
    count += (size_t)part;
  int error = errno;
  close(file);
  if (!text)
    return TS_E_MEMORY;
  if (part < 0)
    return fail_rules(path, error);
  if (memchr(text, '\0', count))
    return ts_fail(TS_E_INPUT, "%s is not text; see %s for the format of rules", path,
                   ts_doc_page(arena, "gate"));
  *out = text;
  return TS_OK;
}

static ts_status read_rules(ts_gate *g, const char *path) {
  const char *text = NULL;
  if (path)
    TS_TRY(read_text(&text, g->arena, path));
  g->rules_name = path;
  return ts_gate_rules_make(&g->rules, g->arena, text, path);
}

/// Refuses to overwrite the summary.csv of a run, which would lose its times and every other column
/// that a baseline leaves out.
static ts_status check_is_no_run(const ts_gate *g) {
  char *path = realpath(g->baseline_path, NULL);
  const char *slash = path ? strrchr(path, '/') : NULL;
  const char *context =
      slash ? ts_arena_format(g->arena, "%.*s/context.json", (int)(slash - path), path) : NULL;
  free(path);
  if (!context || access(context, F_OK) != 0)
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "%s is in a results folder, and --update would remove the times from its rows; "
                 "name a file elsewhere",
                 g->baseline_path);
}

/// A baseline that does not exist yet has no rows.
static ts_status read_baseline(ts_gate *g, bool updates) {
  if (!g->baseline_path) {
    g->baseline = (ts_input){.summary_path = ""};
    return TS_OK;
  }
  if (access(g->baseline_path, F_OK) != 0) {
    if (!updates)
      return ts_fail(TS_E_INPUT,
                     "there is no baseline %s; check the results, then create it with: touchstone "
                     "gate %s --baseline %s --update",
                     g->baseline_path, g->results_path, g->baseline_path);
    g->baseline = (ts_input){.summary_path = g->baseline_path};
    return TS_OK;
  }
  TS_TRY(ts_input_read(&g->baseline, g->arena, g->baseline_path));
  if (updates)
    TS_TRY(check_is_no_run(g));
  if (updates && g->baseline.folder)
    return ts_fail(TS_E_INPUT, "%s is a results folder, but --update writes a file; name a file",
                   g->baseline_path);
  return TS_OK;
}

static ts_status compare(ts_gate *g) {
  ts_comparison *c = &g->comparison;
  *c = (ts_comparison){
      .old = {g->baseline.summary_path, g->baseline.records, g->baseline.count,
              g->baseline.has_column},
      .new = {g->results.summary_path, g->results.records, g->results.count, g->results.has_column},
      .limits = ts_time_limits_default,
  };
  TS_TRY(ts_difference_make(&c->difference, g->arena, &c->old, &c->new));
  return ts_difference_label(&g->cases, &g->methods, g->arena, &c->difference);
}

static ts_status find_commands(ts_gate *g) {
  json_t *context;
  TS_TRY(ts_input_context(&context, g->arena, &g->results));
  ts_status status =
      ts_reruns_of_run(&g->repeats, g->arena, g->results.records, g->results.count, context);
  json_decref(context);
  TS_TRY(status);
  return ts_explain_commands(&g->explains, g->arena, g->results.records, g->results.count,
                             g->results_path);
}

/// Times are reported if the baseline is a results folder, which has samples.
static ts_status compare_times(ts_gate *g) {
  if (!g->baseline.folder || !g->results.folder)
    return TS_OK;
  const char *old = ts_arena_format(g->arena, "%s/samples.csv", g->baseline.folder);
  const char *new = ts_arena_format(g->arena, "%s/samples.csv", g->results.folder);
  if (!old || !new)
    return TS_E_MEMORY;
  if (!ts_csv_exists(old) || !ts_csv_exists(new))
    return TS_OK;
  return ts_time_difference_make(&g->comparison.times, g->arena, &g->comparison.difference,
                                 &(ts_samples_of){.path = old}, &(ts_samples_of){.path = new},
                                 &g->comparison.limits);
}

static void put_cell(ts_pen *pen, const ts_gate *g, size_t pair) {
  ts_pen_put(pen, NULL, g->cases[pair]);
  ts_pen_put(pen, NULL, " x ");
  ts_pen_put(pen, NULL, g->methods[pair]);
  ts_pen_put(pen, NULL, ": ");
}

/// The commands that measure a row again and explain it; nothing when the results lack it.
static void put_commands(ts_pen *pen, const ts_gate *g, size_t pair) {
  if (!ts_gate_command(g, pair))
    return;
  ts_pen_put(pen, NULL, "  again: ");
  ts_pen_put(pen, NULL, ts_gate_command(g, pair));
  ts_pen_end_line(pen);
  ts_pen_put(pen, NULL, "  why: ");
  ts_pen_put(pen, NULL, ts_gate_explain(g, pair));
  ts_pen_end_line(pen);
}

/// `repeats`: each row is followed by its commands.
static ts_status print_findings(ts_pen *pen, const ts_gate *g, const ts_gate_findings *findings,
                                const char *word, const char *style, bool repeats) {
  size_t lone = 0;
  for (size_t i = 0; i < findings->count; i++) {
    const ts_gate_finding *finding = &findings->items[i];
    lone += !finding->field;
    if (!finding->field && lone > ROWS_NAMED)
      continue;
    const char *what = ts_gate_describe(g, finding);
    const char *rule = ts_gate_describe_rule(g, finding->rule);
    if (!what || !rule)
      return TS_E_MEMORY;
    ts_pen_put(pen, style, word);
    ts_pen_put(pen, NULL, ": ");
    put_cell(pen, g, finding->pair);
    ts_pen_put(pen, NULL, what);
    ts_pen_put(pen, NULL, "; ");
    ts_pen_put(pen, TS_DIM, rule);
    ts_pen_end_line(pen);
    bool is_last = i + 1 == findings->count || findings->items[i + 1].pair != finding->pair;
    if (is_last && repeats)
      put_commands(pen, g, finding->pair);
  }
  if (lone > ROWS_NAMED)
    printf("%s: and %zu more rows that only one side has; use --partial if the results are a part "
           "of the suite\n",
           word, lone - ROWS_NAMED);
  return TS_OK;
}

static ts_status print_times(ts_pen *pen, const ts_gate *g) {
  const ts_time_difference *t = &g->comparison.times;
  for (size_t i = 0; i < t->count; i++) {
    const ts_time_change *c = &t->changes[i];
    if (c->verdict != TS_TIME_SLOWER && c->verdict != TS_TIME_FASTER)
      continue;
    const char *text =
        ts_arena_format(g->arena, "%.2f times the old time; informational, not judged", c->ratio);
    if (!text)
      return TS_E_MEMORY;
    ts_pen_put(pen, TS_BOLD, c->verdict == TS_TIME_SLOWER ? "slower: " : "faster: ");
    put_cell(pen, g, c->pair);
    ts_pen_put(pen, NULL, text);
    ts_pen_end_line(pen);
  }
  return TS_OK;
}

static const char *plural(size_t count) {
  return count == 1 ? "" : "s";
}

static size_t count_rows(const ts_gate_findings *findings) {
  size_t count = 0;
  for (size_t i = 0; i < findings->count; i++)
    count += i == 0 || findings->items[i].pair != findings->items[i - 1].pair;
  return count;
}

static bool is_stale(const ts_gate *g) {
  return g->baseline_path && (g->verdict.better.count > 0 || g->verdict.new_count > 0);
}

/// How many rows were judged; those by limits alone were compared with nothing.
static void print_counts(FILE *file, const ts_gate *g) {
  size_t compared = g->verdict.compared_count, limited = g->verdict.limited_count;
  if (g->baseline_path)
    fprintf(file, "%zu row%s compared", compared, plural(compared));
  if (limited > 0 || !g->baseline_path)
    fprintf(file, "%s%zu row%s judged by limits%s", g->baseline_path ? ", " : "", limited,
            plural(limited), g->baseline_path ? " only" : "");
  fputc('\n', file);
}

/// The last lines: the result, and what to do.
static void print_summary(FILE *file, const ts_gate *g, bool has_failed) {
  const ts_gate_verdict *v = &g->verdict;
  size_t bad = count_rows(&v->broken);
  if (v->absent_count > 0)
    fprintf(file, "%zu row%s of the baseline %s not in the results, which the rules allow\n",
            v->absent_count, plural(v->absent_count), v->absent_count == 1 ? "is" : "are");
  if (v->unjudged_count > 0) {
    fprintf(file, "%zu row%s changed in ways that no rule forbids; see touchstone compare ",
            v->unjudged_count, plural(v->unjudged_count));
    ts_shell_put_operand(file, g->baseline_path);
    fputc(' ', file);
    ts_shell_put_operand(file, g->results_path);
    fputc('\n', file);
  }
  if (is_stale(g))
    fprintf(file,
            "%zu row%s better than the baseline, %zu not in it; --update makes the results the new "
            "baseline\n",
            count_rows(&v->better), count_rows(&v->better) == 1 ? " is" : "s are", v->new_count);
  if (v->broken.count > 0)
    fprintf(file, "gate: failed, %zu rule%s broken in %zu row%s; ", v->broken.count,
            plural(v->broken.count), bad, plural(bad));
  else
    fprintf(file, "gate: %s; ",
            has_failed ? "failed, because the baseline is stale and --strict was given" : "passed");
  print_counts(file, g);
}

/// Warns about rules that apply to no row: most often a name was mistyped.
static ts_status warn_rules(const ts_gate *g) {
  for (size_t i = 0; i < g->rules.count; i++) {
    const ts_gate_rule *rule = &g->rules.rules[i];
    if (g->verdict.has_row[i] || (!rule->case_name && !rule->method && isnan(rule->step)))
      continue;
    const char *text = ts_gate_describe_rule(g, rule);
    if (!text)
      return TS_E_MEMORY;
    fprintf(stderr, "touchstone: a rule applies to no row of the results or the baseline; %s\n",
            text);
  }
  return TS_OK;
}

static ts_status judge(int *out_exit, ts_gate *g, const char *junit) {
  TS_TRY(ts_gate_judge(&g->verdict, &g->rules, &g->comparison.difference,
                       g->baseline_path ? &g->comparison.old : NULL, &g->comparison.new,
                       g->is_partial));
  TS_TRY(warn_rules(g));
  TS_TRY(compare_times(g));
  TS_TRY(find_commands(g));
  if (junit)
    TS_TRY(ts_gate_write_junit(g, junit));
  ts_pen pen = {stdout, ts_output_has_colour(), 0};
  bool has_failed = g->verdict.broken.count > 0 || (g->is_strict && is_stale(g));
  TS_TRY(print_findings(&pen, g, &g->verdict.broken, "broken", TS_RED, true));
  TS_TRY(print_findings(&pen, g, &g->verdict.better, "better", TS_BOLD, false));
  TS_TRY(print_times(&pen, g));
  print_summary(stdout, g, has_failed);
  *out_exit = has_failed ? TS_EXIT_BROKEN_RULE : TS_EXIT_FINE;
  return TS_OK;
}

/// Refuses to replace a file that is not XML: it was probably not meant.
static ts_status check_junit(const char *path) {
  static const char start[] = "<?xml";
  struct stat facts;
  char bytes[sizeof start - 1];
  if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size == 0)
    return TS_OK;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t count = file < 0 ? 0 : read(file, bytes, sizeof bytes);
  if (file >= 0)
    close(file);
  if (count == (ssize_t)sizeof bytes && memcmp(bytes, start, sizeof bytes) == 0)
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "--junit %s already exists and is not XML; name another file, or remove it", path);
}

/// Locks the folder of the baseline, so that of two concurrent updates the second starts from what
/// the first has written. The lock is released when the process ends. A folder that cannot be
/// locked is used without a lock.
static ts_status lock_baseline(ts_gate *g) {
  char *target = realpath(g->baseline_path, NULL);
  const char *folder = ts_file_folder(g->arena, target ? target : g->baseline_path);
  free(target);
  if (!folder)
    return TS_E_MEMORY;
  g->lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (g->lock < 0 || flock(g->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return TS_OK;
  fprintf(stderr, "touchstone: another gate --update is writing to %s; waiting for it to finish\n",
          folder);
  while (flock(g->lock, LOCK_EX) != 0)
    if (errno != EINTR)
      return ts_fail(TS_E_IO, "cannot lock %s: %s", folder, strerror(errno));
  return TS_OK;
}

/// Refuses outputs that are also inputs.
static ts_status check_outputs(const ts_gate *g, const gate_values *values) {
  TS_TRY(ts_output_spare("--junit", values->junit, g->baseline_path));
  TS_TRY(ts_output_spare("--junit", values->junit, values->rules));
  TS_TRY(ts_output_spare("--junit", values->junit, g->results_path));
  if (values->updates) {
    TS_TRY(ts_output_spare("--baseline", g->baseline_path, values->rules));
    TS_TRY(ts_output_spare("--baseline", g->baseline_path, g->results_path));
  }
  return values->junit ? check_junit(values->junit) : TS_OK;
}

/// Prints the options, then the default rules, which come from the list of columns.
static ts_status print_help(ts_arena *arena) {
  TS_TRY(ts_options_help(stdout, &ts_command_gate));
  const char *rules = ts_gate_default_rules(arena);
  if (!rules)
    return TS_E_MEMORY;
  printf("\nDefault rules (touchstone list rules says why other columns have none):\n");
  for (const char *line = rules; *line; line += strcspn(line, "\n") + 1)
    printf("  %.*s\n", (int)strcspn(line, "\n"), line);
  return TS_OK;
}

static ts_status run_all(int *out_exit, ts_gate *g, int count, char *const *arguments) {
  gate_values values = {0};
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&values, &parsed, g->arena, &ts_command_gate, count, arguments));
  if (parsed.wants_help)
    return print_help(g->arena);
  bool needs_baseline = !values.rules || values.updates || values.is_strict || values.is_partial;
  if (parsed.operand_count != 1 || (!values.baseline && needs_baseline))
    return ts_fail(TS_E_INPUT,
                   "gate takes the results and a baseline, or rules with limits: touchstone gate "
                   "results/latest --baseline baseline.csv, or --rules limits.rules");
  if (values.updates && (values.junit || values.is_strict))
    return ts_fail(TS_E_INPUT, "--update judges nothing; leave out --junit and --strict");
  g->results_path = parsed.operands[0];
  g->baseline_path = values.baseline;
  g->is_partial = values.is_partial;
  g->is_strict = values.is_strict;
  TS_TRY(check_outputs(g, &values));
  if (values.updates)
    TS_TRY(lock_baseline(g));
  TS_TRY(read_rules(g, values.rules));
  TS_TRY(ts_input_read(&g->results, g->arena, g->results_path));
  TS_TRY(read_baseline(g, values.updates));
  if (!values.updates || values.is_partial) // otherwise it is refused
    ts_input_warn(&g->results);
  ts_input_warn(&g->baseline);
  TS_TRY(compare(g));
  return values.updates ? ts_gate_update(g) : judge(out_exit, g, values.junit);
}

static ts_status run_gate(int *out_exit, int count, char *const *arguments) {
  ts_gate gate = {.lock = -1};
  TS_TRY(ts_arena_create(&gate.arena));
  *out_exit = 0;
  ts_status status = run_all(out_exit, &gate, count, arguments);
  ts_gate_verdict_free(&gate.verdict);
  ts_gate_rules_free(&gate.rules);
  if (gate.lock >= 0)
    close(gate.lock);
  ts_arena_destroy(gate.arena);
  return status;
}

#define MEMBER(name) .offset = offsetof(gate_values, name)

static const ts_option options[] = {
    {.name = "baseline",
     .argument = "FILE",
     .kind = TS_OPTION_TEXT,
     MEMBER(baseline),
     .help = "what the results must not be worse than: a summary.csv, a file made by --update, or "
             "a results folder; without one only limits of --rules are judged"},
    {.name = "rules",
     .argument = "FILE",
     .kind = TS_OPTION_TEXT,
     MEMBER(rules),
     .help = "rules in addition to the default ones (docs/gate.md)"},
    {.name = "partial",
     .kind = TS_OPTION_SWITCH,
     MEMBER(is_partial),
     .help = "the results are a part of the suite: rows of the baseline may be absent"},
    {.name = "strict",
     .kind = TS_OPTION_SWITCH,
     MEMBER(is_strict),
     .help = "also fail when the results are better than the baseline or have rows that it lacks"},
    {.name = "junit",
     .argument = "FILE",
     .kind = TS_OPTION_TEXT,
     MEMBER(junit),
     .help = "write JUnit XML, a test case for each row; an older file is replaced"},
    {.name = "update",
     .kind = TS_OPTION_SWITCH,
     MEMBER(updates),
     .help = "judge nothing: make the baseline from the results, and print what that changes"},
};

const ts_command ts_command_gate = {
    .name = "gate",
    .operands = "RESULTS",
    .summary = "Fails where results are worse than a baseline or a limit.",
    .notes = "Times are informational, never judged unless a rule says so.\n\nExit status: 0 no "
             "rule is broken; 1 one is, each printed in a line; 2 something given is wrong.",
    .examples = "touchstone gate results/latest --baseline baseline.csv --update\n"
                "touchstone gate results/latest --baseline baseline.csv --junit gate.xml\n"
                "touchstone gate results/fresh --rules limits.rules\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_gate,
};
