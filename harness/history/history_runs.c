// SPDX-License-Identifier: MIT
#include "harness/history/history_runs.h"

#include "base/pattern.h"
#include "base/status.h"
#include "harness/commands/input.h"
#include "harness/commands/run_facts.h"
#include "harness/plan/shell_word.h"
#include "reports/rows/modified_names.h"
#include "reports/rows/rows.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define COMMIT_LENGTH 9 ///< of an abbreviated commit

/// A run while it is read.
typedef struct draft {
  ts_history_run run;
  json_t *context; ///< NULL: none
  dev_t device;    ///< with `file`: the identity of its summary.csv
  ino_t file;
} draft;

typedef struct reader {
  ts_arena *arena;
  const ts_history_choice *choice;
  regex_t cases, methods;
  draft *drafts; ///< [count]
  size_t count;
  size_t read, matching, rows; ///< of all runs: all, those that match the patterns, and kept
} reader;

/// A copy of a row whose texts are in the arena, shared with the previous one where they are equal.
static ts_status copy_row(ts_record *out, ts_arena *arena, const ts_record *row,
                          const ts_record *previous) {
  *out = *row;
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    if (field->kind != TS_FIELD_TEXT)
      continue;
    const char *text = ts_row_text(field, row);
    const char *shared = previous ? ts_row_text(field, previous) : "";
    if (strcmp(text, shared) != 0)
      shared = ts_arena_string(arena, text);
    if (!shared)
      return TS_E_MEMORY;
    ts_row_set_text(field, out, shared);
  }
  return TS_OK;
}

static ts_status keep_rows(ts_history_run *out, reader *r, const ts_input *input) {
  bool *is_kept = malloc(input->count + 1);
  if (!is_kept)
    return ts_fail(TS_E_MEMORY, "out of memory");
  for (size_t i = 0; i < input->count; i++) {
    const ts_record *row = &input->records[i];
    bool matches = (!r->choice->cases || ts_pattern_matches(&r->cases, row->case_name)) &&
                   (!r->choice->methods || ts_pattern_matches(&r->methods, row->method));
    is_kept[i] = matches && row->step == r->choice->step;
    r->read++;
    r->matching += matches;
    out->count += is_kept[i];
  }
  r->rows += out->count;
  ts_status status = TS_OK;
  ts_record *rows = NULL;
  if (r->rows > TS_HISTORY_ROWS_MAX)
    status = ts_fail(TS_E_INPUT,
                     "these runs have more than %zu rows at step %.0f; choose some of them with "
                     "--case and --method",
                     TS_HISTORY_ROWS_MAX, r->choice->step);
  else if (!(rows = ts_arena_array(r->arena, out->count, sizeof *rows)))
    status = TS_E_MEMORY;
  for (size_t i = 0, kept = 0; i < input->count && status == TS_OK; i++) {
    if (!is_kept[i])
      continue;
    status = copy_row(&rows[kept], r->arena, &input->records[i], kept > 0 ? &rows[kept - 1] : NULL);
    kept++;
  }
  free(is_kept);
  out->records = rows;
  return status;
}

/// Date and version of a run, from its context.
static ts_status fill_facts(draft *out, ts_arena *arena) {
  const char *date = json_string_value(json_object_get(out->context, "date"));
  const char *version = json_string_value(json_object_get(out->context, "version"));
  const char *commit = json_string_value(json_object_get(out->context, "commit"));
  bool has_commit = commit && strcmp(commit, "unknown") != 0;
  out->run.date = ts_arena_format(arena, "%.40s", date ? date : "");
  out->run.version = ts_arena_format(arena, "%.40s%s%.*s%s", version ? version : "",
                                     has_commit ? " " : "", COMMIT_LENGTH, has_commit ? commit : "",
                                     has_commit && strstr(commit, "-dirty") ? "-dirty" : "");
  return out->run.date && out->run.version ? TS_OK : TS_E_MEMORY;
}

static ts_status check_once(const reader *r, const draft *new, const char *summary_path) {
  for (size_t i = 0; i < r->count; i++)
    if (r->drafts[i].device == new->device && r->drafts[i].file == new->file)
      return ts_fail(TS_E_INPUT, "%s and %s are the same results; give each run once",
                     r->drafts[i].run.path, summary_path);
  return TS_OK;
}

static ts_status check_name(const reader *r, const char *name) {
  for (size_t i = 0; i < r->count; i++)
    if (strcmp(r->drafts[i].run.name, name) == 0)
      return ts_fail(TS_E_INPUT, "two runs are called \"%s\"; give each a name of its own", name);
  return TS_OK;
}

/// Reads one run; `scratch` is for all its rows.
static ts_status read_run(reader *r, ts_arena *scratch, const char *operand) {
  draft *d = &r->drafts[r->count];
  const char *name;
  ts_input input;
  struct stat facts;
  TS_TRY(ts_input_split(&name, &d->run.path, r->arena, operand));
  d->run.name = name ? name : d->run.path;
  TS_TRY(ts_input_read(&input, scratch, d->run.path));
  TS_TRY(ts_name_modified(input.records, input.count, scratch));
  if (stat(input.summary_path, &facts) == 0) {
    d->device = facts.st_dev;
    d->file = facts.st_ino;
    TS_TRY(check_once(r, d, d->run.path));
  }
  TS_TRY(check_name(r, d->run.name));
  if (!input.has_column[r->choice->field - ts_summary_rows.fields])
    return ts_fail(TS_E_INPUT,
                   "%s has no column %s; choose another --figure, or leave that run out",
                   input.summary_path, r->choice->field->column);
  TS_TRY(ts_input_context(&d->context, r->arena, &input));
  r->count++; // from here on the context is released with the others
  TS_TRY(fill_facts(d, r->arena));
  ts_input_warn(&input);
  return keep_rows(&d->run, r, &input);
}

static ts_status read_runs(reader *r, const char *const *operands, size_t count) {
  for (size_t i = 0; i < count; i++) {
    ts_arena *scratch;
    TS_TRY(ts_arena_create(&scratch));
    ts_status status = read_run(r, scratch, operands[i]);
    ts_arena_destroy(scratch);
    TS_TRY(status);
  }
  if (r->read == 0)
    return ts_fail(TS_E_INPUT, "%s has no rows%s; let touchstone run finish", r->drafts[0].run.path,
                   r->count > 1 ? ", nor have the other runs" : "");
  if (r->matching == 0) {
    const char *word = ts_shell_word(r->arena, r->drafts[0].run.path);
    return word ? ts_fail(TS_E_INPUT,
                          "no row of these runs has a case that matches --case and a method that "
                          "matches --method; touchstone report %s shows what there is",
                          word)
                : TS_E_MEMORY;
  }
  if (r->rows == 0)
    return ts_fail(TS_E_INPUT, "no row of these runs is of step %.0f; choose another --step",
                   r->choice->step);
  return TS_OK;
}

/// By date; those of one second as given.
static int compare_dates(const void *a, const void *b) {
  const draft *x = a, *y = b;
  int order = strcmp(x->run.date, y->run.date);
  return order != 0 ? order : (x->run.machine > y->run.machine) - (x->run.machine < y->run.machine);
}

static void sort_runs(ts_history_runs *out, reader *r) {
  out->have_dates = true;
  for (size_t i = 0; i < r->count; i++) {
    out->have_dates &= r->drafts[i].run.date[0] != '\0';
    r->drafts[i].run.machine = i; // the place, until machines are numbered
  }
  if (out->have_dates)
    qsort(r->drafts, r->count, sizeof *r->drafts, compare_dates);
}

/// Numbers the machines: what `compare` warns of makes the next one.
static ts_status number_machines(ts_history_runs *out, const reader *r) {
  for (size_t i = 0; i < r->count; i++) {
    const char *others = "";
    if (i > 0 && (!r->drafts[i - 1].context || !r->drafts[i].context))
      others = "there is no context.json to say on which machine";
    else if (i > 0)
      TS_TRY(
          ts_run_facts_compare(&others, r->arena, r->drafts[i - 1].context, r->drafts[i].context));
    out->items[i] = r->drafts[i].run;
    out->items[i].machine = i == 0 ? 0 : out->items[i - 1].machine + (others[0] != '\0');
    out->other_machine[i] = others[0] ? others : NULL;
  }
  out->count = r->count;
  return TS_OK;
}

static ts_status compile(regex_t *out, const char *option, const char *pattern) {
  if (!pattern || ts_pattern_compile(out, pattern) == TS_OK)
    return TS_OK;
  return ts_fail(TS_E_INPUT, "--%s \"%.300s\" is %s", option, pattern, ts_status_detail());
}

static ts_status read_compiled(ts_history_runs *out, reader *r, const char *const *operands,
                               size_t count) {
  r->drafts = ts_arena_array(r->arena, count, sizeof *r->drafts);
  out->items = ts_arena_array(r->arena, count, sizeof *out->items);
  out->other_machine = ts_arena_array(r->arena, count, sizeof *out->other_machine);
  if (!r->drafts || !out->items || !out->other_machine)
    return TS_E_MEMORY;
  ts_status status = read_runs(r, operands, count);
  if (status == TS_OK) {
    sort_runs(out, r);
    status = number_machines(out, r);
  }
  for (size_t i = 0; i < r->count; i++)
    json_decref(r->drafts[i].context);
  return status;
}

ts_status ts_history_runs_read(ts_history_runs *out, ts_arena *arena, const char *const *operands,
                               size_t count, const ts_history_choice *choice) {
  reader r = {.arena = arena, .choice = choice};
  *out = (ts_history_runs){0};
  TS_TRY(compile(&r.cases, "case", choice->cases));
  ts_status status = compile(&r.methods, "method", choice->methods);
  if (status == TS_OK) {
    status = read_compiled(out, &r, operands, count);
    if (choice->methods)
      regfree(&r.methods);
  }
  if (choice->cases)
    regfree(&r.cases);
  return status;
}
