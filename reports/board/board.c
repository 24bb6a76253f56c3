// SPDX-License-Identifier: MIT
#include "reports/board/board.h"

#include "base/status.h"
#include "reports/rows/outcome.h"

#include <stdlib.h>
#include <string.h>

/// The row with which a scene counts, as that of a method called like the entry.
static ts_record counted_row(const ts_board_entry *entry, const ts_board_scene *scene,
                             const ts_record *row) {
  ts_record out;
  ts_row_init(&ts_summary_rows, &out);
  if (row)
    out = *row;
  if (!row || !ts_record_is_ok(row))
    out.outcome = ts_outcomes[TS_OUTCOME_FAILED].word;
  out.cell = "";
  out.case_name = scene->case_name;
  out.case_parameters = scene->parameters;
  out.method = entry->name;
  out.method_parameters = out.scoring_parameters = out.simulation_parameters = "";
  out.step = 0;
  return out;
}

static void count_outcomes(ts_board_entry *entry, size_t scene_count) {
  entry->missing = entry->skipped = entry->failed = 0;
  for (size_t i = 0; i < scene_count; i++) {
    const ts_record *row = entry->rows[i];
    if (!row)
      entry->missing++;
    else if (ts_record_outcome(row) == TS_OUTCOME_SKIPPED)
      entry->skipped++;
    else
      entry->failed += !ts_record_is_ok(row);
  }
}

/// Brings the entries into the order of the methods of the study.
static ts_status put_in_order(ts_board *board, ts_arena *arena, const ts_board_entry *entries,
                              size_t count) {
  ts_board_entry *ordered = ts_arena_array(arena, count, sizeof *ordered);
  if (!ordered)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < count; k++)
      if (strcmp(board->study.methods[i].name, entries[k].name) == 0)
        ordered[i] = entries[k];
  board->entries = ordered;
  board->entry_count = count;
  return TS_OK;
}

ts_status ts_board_rank(ts_board *board, ts_arena *arena, ts_board_entry *entries, size_t count) {
  size_t scenes = board->scene_count;
  ts_record *records = ts_arena_array(arena, count * scenes, sizeof *records);
  if (!records)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    count_outcomes(&entries[i], scenes);
    for (size_t k = 0; k < scenes; k++)
      records[i * scenes + k] = counted_row(&entries[i], &board->scenes[k], entries[i].rows[k]);
  }
  TS_TRY(ts_study_make(&board->study, arena, records, count * scenes));
  board->case_count = board->study.case_count;
  return put_in_order(board, arena, entries, count);
}
