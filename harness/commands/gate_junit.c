// SPDX-License-Identifier: MIT
#include "harness/commands/gate.h"

#include "base/status.h"
#include "harness/run/output.h"
#include "reports/compare/junit.h"
#include "reports/rows/contacts_at_fault.h"
#include "reports/rows/csv.h"
#include "reports/rows/outcome.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Appends to a text, which becomes NULL when out of memory.
static void add_text(char **text, ts_arena *arena, const char *more) {
  if (*text)
    *text = more ? ts_arena_format(arena, "%s%s", *text, more) : NULL;
}

static const ts_record *record_of(const ts_gate *g, size_t pair) {
  const ts_row_pair *rows = &g->comparison.difference.pairs[pair];
  return rows->new ? rows->new : rows->old;
}

/// The name of a test case, the same in every run: all parameters of the method, the parameters
/// that distinguish the case from others of its name, and the step.
static const char *name_of(const ts_gate *g, size_t pair) {
  const ts_record *r = record_of(g, pair);
  const char *words = g->cases[pair] + strlen(r->case_name);
  bool has_parameters = r->method_parameters[0] != '\0';
  const char *step = strstr(words, " step=") || strstr(words, " touch")
                         ? ""
                         : ts_arena_format(g->arena, " step=%.0f", r->step);
  return step ? ts_arena_format(g->arena, "%s%s%s%s%s%s", g->methods[pair],
                                has_parameters ? " (" : "", r->method_parameters,
                                has_parameters ? ")" : "", words, step)
              : NULL;
}

/// The findings of a pair, one line each; advances `*next` past them. NULL when out of memory, ""
/// when there are none.
static char *take_lines(const ts_gate *g, const ts_gate_findings *findings, size_t *next,
                        size_t pair) {
  char *text = ts_arena_string(g->arena, "");
  for (; *next < findings->count && findings->items[*next].pair == pair; ++*next) {
    const ts_gate_finding *finding = &findings->items[*next];
    add_text(&text, g->arena, ts_gate_describe(g, finding));
    add_text(&text, g->arena, "; ");
    add_text(&text, g->arena, ts_gate_describe_rule(g, finding->rule));
    add_text(&text, g->arena, "\n");
  }
  return text;
}

/// One list of contacts for each row that breaks a rule about a measure.
typedef struct row_faults {
  ts_fault_list *lists; ///< [count]
  size_t count;
} row_faults;

static ts_status find_faults(row_faults *out, const ts_gate *g) {
  const ts_gate_findings *broken = &g->verdict.broken;
  *out = (row_faults){ts_arena_array(g->arena, broken->count, sizeof *out->lists), 0};
  const char *path =
      g->results.folder ? ts_arena_format(g->arena, "%s/contacts.csv", g->results.folder) : NULL;
  if (!out->lists || (g->results.folder && !path))
    return TS_E_MEMORY;
  if (!path || !ts_csv_exists(path))
    return TS_OK;
  for (size_t i = 0; i < broken->count; i++) {
    const ts_gate_finding *finding = &broken->items[i];
    const ts_record *record = g->comparison.difference.pairs[finding->pair].new;
    if (!record || !finding->field)
      continue;
    if (i == 0 || broken->items[i - 1].pair != finding->pair)
      out->lists[out->count++] = (ts_fault_list){.cell = record->cell, .step = record->step};
  }
  return ts_contacts_at_fault(out->lists, out->count, path);
}

static void add_contacts(char **text, const ts_gate *g, const row_faults *faults, size_t pair) {
  const ts_record *record = record_of(g, pair);
  for (size_t i = 0; i < faults->count; i++) {
    const ts_fault_list *list = &faults->lists[i];
    if (list->step != record->step || strcmp(list->cell, record->cell) != 0)
      continue;
    const ts_faults *f = &list->faults;
    if (g->results.contacts_kept == TS_KEPT_NONE)
      add_text(text, g->arena,
               "contacts at fault: not listed, because the run had --contacts none\n");
    if (f->count > 0)
      add_text(text, g->arena,
               ts_arena_format(g->arena, "contacts at fault, the worst %zu of %zu:\n", f->listed,
                               f->count));
    for (size_t k = 0; k < f->listed; k++) {
      const char *line = ts_fault_describe(g->arena, &f->worst[k]);
      add_text(text, g->arena, line ? ts_arena_format(g->arena, "  %s\n", line) : NULL);
    }
    return;
  }
}

static ts_status fill_case(ts_junit_case *out, const ts_gate *g, const row_faults *faults,
                           size_t pair, size_t *next_broken, size_t *next_better) {
  const ts_record *record = record_of(g, pair);
  char *broken = take_lines(g, &g->verdict.broken, next_broken, pair);
  char *better = take_lines(g, &g->verdict.better, next_better, pair);
  *out = (ts_junit_case){.class_name = record->case_name,
                         .name = name_of(g, pair),
                         .time_ns = record->generate_ns_median};
  if (!broken || !better || !out->name)
    return TS_E_MEMORY;
  if (broken[0] != '\0') {
    out->message = ts_arena_format(g->arena, "%.*s", (int)strcspn(broken, "\n"), broken);
    add_contacts(&broken, g, faults, pair);
    const char *command = ts_gate_command(g, pair);
    if (command)
      add_text(
          &broken, g->arena,
          ts_arena_format(g->arena, "again: %s\nwhy: %s\n", command, ts_gate_explain(g, pair)));
    out->failure = broken;
    if (!out->message || !out->failure)
      return TS_E_MEMORY;
  } else if (ts_record_outcome(record) == TS_OUTCOME_SKIPPED) {
    out->skipped = record->reason;
  }
  if (better[0] != '\0')
    out->output = ts_arena_format(g->arena, "better than the baseline:\n%s", better);
  return better[0] != '\0' && !out->output ? TS_E_MEMORY : TS_OK;
}

ts_status ts_gate_write_junit(const ts_gate *gate, const char *path) {
  size_t count = 0, next_broken = 0, next_better = 0;
  const ts_difference *d = &gate->comparison.difference;
  ts_junit_case *cases = ts_arena_array(gate->arena, d->pair_count, sizeof *cases);
  row_faults faults;
  if (!cases)
    return TS_E_MEMORY;
  TS_TRY(find_faults(&faults, gate));
  for (size_t i = 0; i < d->pair_count; i++) {
    bool is_broken = next_broken < gate->verdict.broken.count &&
                     gate->verdict.broken.items[next_broken].pair == i;
    if (d->pairs[i].new || is_broken) // rows that may be absent are not test cases
      TS_TRY(fill_case(&cases[count++], gate, &faults, i, &next_broken, &next_better));
  }
  ts_output output;
  TS_TRY(ts_output_start(&output, path, true));
  ts_junit_print(output.file, "touchstone", cases, count);
  return ts_output_end(&output, TS_OK);
}
