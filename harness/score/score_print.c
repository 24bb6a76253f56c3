// SPDX-License-Identifier: MIT
#include "harness/score/score_print.h"

#include "base/status.h"
#include "base/terminal.h"
#include "harness/run/output.h"
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
  if (dropped > 0)
    fprintf(file, "; %.0f duplicate%s dropped", dropped, dropped == 1 ? "" : "s");
  fputc('\n', file);
}

/// Lists the contacts at fault, worst first.
static ts_status print_faults(FILE *file, ts_arena *arena, const ts_cell_state *state) {
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
    fprintf(file, "  and %zu more\n", faults->count - faults->listed);
  return TS_OK;
}

static void print_region(FILE *file, const ts_judgement *judgement, const ts_judged_pair *pair,
                         size_t index, size_t needed, size_t met) {
  static const char *const kinds[] = {"point", "segment", "polygon"};
  const ts_scene *scene = judgement->scene;
  const ts_region *region = &scene->regions[index];
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < region->vertex_count; i++) {
    sum.x += region->vertices[i].x;
    sum.y += region->vertices[i].y;
    sum.z += region->vertices[i].z;
  }
  double share = 1 / (double)region->vertex_count;
  fprintf(file, "  %s (%d) and %s (%d), region %zu, a %s about (%.4g, %.4g, %.4g): ",
          scene->bodies[region->body_a].name, region->body_a, scene->bodies[region->body_b].name,
          region->body_b, index - pair->first_region, kinds[region->kind], sum.x * share + 0.0,
          sum.y * share + 0.0, sum.z * share + 0.0);
  if (ts_judged_misses(judgement, pair, index))
    fprintf(file, "no contact\n");
  else
    fprintf(file, "%zu of %zu normal%s\n", met, needed, needed == 1 ? "" : "s");
}

/// Lists the regions that lack a contact, or a contact with a correct normal.
static void print_missed(FILE *file, const ts_judgement *judgement) {
  size_t regions = 0, missed = 0;
  for (int pass = 0; pass < 2; pass++) {
    size_t listed = 0;
    for (size_t p = 0; p < judgement->pair_count; p++) {
      const ts_judged_pair *pair = &judgement->pairs[p];
      for (size_t r = pair->first_region; r < pair->first_region + pair->region_count; r++) {
        size_t needed = ts_region_needed_normals(&judgement->scene->regions[r],
                                                 judgement->scoring.reference, pair->limits);
        size_t met = needed > 0 ? ts_judged_met_normals(judgement, pair, r) : 0;
        // Correct normals far away do not cover the region.
        bool lacks = met < needed || ts_judged_misses(judgement, pair, r);
        if (pass == 0) {
          regions += needed > 0;
          missed += lacks;
        } else if (lacks && listed++ < LISTED_MAX) {
          print_region(file, judgement, pair, r, needed, met);
        }
      }
    }
    if (pass == 0 && missed > 0)
      fprintf(file, "%zu of %zu region%s not covered:\n", missed, regions,
              regions == 1 ? " is" : "s are");
    else if (pass == 0 && regions > 0)
      fprintf(file, "every region is covered (%zu)\n", regions);
    if (pass == 1 && missed > LISTED_MAX)
      fprintf(file, "  and %zu more\n", missed - LISTED_MAX);
  }
}

ts_status ts_score_print_table(FILE *file, ts_arena *arena, const ts_record *records,
                               size_t count) {
  bool is_terminal = isatty(STDOUT_FILENO);
  ts_table_style style = {.width = is_terminal ? ts_terminal_width(stdout, 100) : 120,
                          .colour = ts_output_has_colour()};
  return ts_table_print(file, arena, records, count, style);
}

ts_status ts_score_print(FILE *file, ts_arena *arena, const ts_cell_state *state,
                         const char *envelope_source) {
  TS_TRY(ts_score_print_table(file, arena, &state->record, 1));
  fputc('\n', file);
  print_kinds(file, state);
  if (state->judgement.scene->oracle)
    print_motion(file, &state->record);
  if (state->record.envelope_m > 0)
    fprintf(file, "bodies %s by %.4g m (%s)\n", state->record.envelope, state->record.envelope_m,
            envelope_source);
  print_missed(file, &state->judgement);
  return state->judgement.scene->truth_is_unknown ? TS_OK : print_faults(file, arena, state);
}
