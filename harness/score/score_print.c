// SPDX-License-Identifier: MIT
#include "harness/score/score_print.h"

#include "base/status.h"
#include "base/terminal.h"
#include "harness/picture/cell_snapshot.h"
#include "harness/plan/explain_command.h"
#include "harness/run/output.h"
#include "reports/export/region_text.h"
#include "reports/rows/contact_kind.h"
#include "reports/rows/contacts_at_fault.h"
#include "reports/tables/table.h"

#include <unistd.h>

/// Maximum number of regions listed; the others are only counted.
#define LISTED_MAX ((size_t)20)

/// Prints the results of the oracle, which are not in the table.
static void print_motion(FILE *file, const ts_record *record) {
  fprintf(file,
          "according to the oracle they block %.3g %% of the free motions and free %.3g %% of the "
          "blocked ones\n",
          record->blocked_wrongly_percent, record->freed_wrongly_percent);
}

/// "42 contacts: 38 correct, 2 incorrect, 2 phantom; 3 duplicates dropped".
static void print_kinds(FILE *file, const ts_cell_state *state) {
  size_t counts[TS_KIND_COUNT] = {0}, total = state->contact_row_count;
  for (size_t i = 0; i < total; i++)
    counts[ts_contact_row_kind(&state->contact_rows[i])]++;
  bool is_unknown = state->judgement.scene->truth_is_unknown;
  fprintf(file, "%zu contact%s", total, total == 1 ? "" : "s");
  if (is_unknown)
    fprintf(file, "; truth unknown");
  const char *before = ": ";
  for (int kind = 0; kind < TS_KIND_COUNT && !is_unknown; kind++) {
    if (counts[kind] == 0)
      continue;
    fprintf(file, "%s%zu %s", before, counts[kind], ts_contact_kind_words[kind]);
    before = ", ";
  }
  double dropped = state->record.contacts_delivered - state->record.contacts_unique;
  if (dropped > 0 && *state->record.modifiers)
    fprintf(file, "; %.0f of the file dropped, as duplicates or by modifiers", dropped);
  else if (dropped > 0)
    fprintf(file, "; %.0f duplicate%s dropped", dropped, dropped == 1 ? "" : "s");
  fputc('\n', file);
}

/// Lists the contacts at fault, worst first.
static ts_status print_faults(FILE *file, ts_arena *arena, const ts_cell_state *state,
                              const char *all) {
  ts_faults *faults = ts_arena_alloc(arena, sizeof *faults);
  if (!faults)
    return TS_E_MEMORY;
  for (size_t i = 0; i < state->contact_row_count; i++)
    ts_faults_add(faults, &state->contact_rows[i]);
  if (faults->count > 0)
    fprintf(file, "contacts at fault, worst first:\n");
  for (size_t i = 0; i < faults->listed; i++) {
    const char *line = ts_fault_describe(arena, &faults->worst[i]);
    if (!line)
      return TS_E_MEMORY;
    fprintf(file, "  %s\n", line);
  }
  if (faults->count > faults->listed)
    fprintf(file, "  and %zu more, all by: %s\n", faults->count - faults->listed, all);
  return TS_OK;
}

ts_status ts_score_print_table(FILE *file, ts_arena *arena, const ts_record *records,
                               size_t count) {
  bool is_terminal = isatty(STDOUT_FILENO);
  ts_table_style style = {.width = is_terminal ? ts_terminal_width(stdout, 100) : 120,
                          .colour = ts_output_has_colour()};
  return ts_table_print(file, arena, records, count, style);
}

static bool has_faults(const ts_cell_state *state) {
  size_t count;
  return ts_explain_first(&count, &state->record, 1) != NULL;
}

ts_status ts_score_print(FILE *file, ts_arena *arena, const ts_cell_state *state,
                         const char *envelope_source, const char *explain) {
  TS_TRY(ts_score_print_table(file, arena, &state->record, 1));
  fputc('\n', file);
  print_kinds(file, state);
  if (state->judgement.scene->oracle)
    print_motion(file, &state->record);
  if (state->record.envelope_m > 0)
    fprintf(file, "bodies %s by %.4g m (%s)\n", state->record.envelope, state->record.envelope_m,
            envelope_source);
  const char *all = ts_arena_format(arena, "%s --all", explain);
  ts_snapshot snapshot;
  if (!all)
    return TS_E_MEMORY;
  TS_TRY(ts_snapshot_of_state(&snapshot, arena, state));
  TS_TRY(ts_regions_print(file, arena, &snapshot, LISTED_MAX, all));
  if (!state->judgement.scene->truth_is_unknown)
    TS_TRY(print_faults(file, arena, state, all));
  if (has_faults(state))
    fprintf(file, "why: %s\n", explain);
  return TS_OK;
}
