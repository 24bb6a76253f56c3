// SPDX-License-Identifier: MIT
/// One moment of a cell: the contacts that a method finds at the poses of that moment, timed,
/// scored and turned into rows.
#ifndef TS_HARNESS_CELL_STATE_H
#define TS_HARNESS_CELL_STATE_H

#include "harness/judge/judge.h"
#include "harness/run/narrow_phase.h"
#include "harness/run/timing.h"
#include "reports/rows/results.h"

typedef struct ts_cell_state {
  ts_record record;         ///< Its identity is filled by whoever makes the moment.
  ts_contact_set *contacts; ///< [pair_count], canonical, sorted by (a, b)
  size_t pair_count;
  ts_judgement judgement; ///< of ts_cell_state_score()
  ts_samples prepare, generate;
  ts_contact_row *contact_rows;
  size_t contact_row_count;
  ts_sample_row *sample_rows;
  size_t sample_row_count;
} ts_cell_state;

/// Prepares the method and takes its contacts, both timed. The contacts are those of the first
/// pass; unless `timing` asks for one repeat only, a last pass after the timed ones must give the
/// same bits, or the method has failed.
ts_status ts_cell_state_measure(ts_cell_state *moment, ts_arena *arena, ts_narrow_phase *phase,
                                const ts_timing *timing);

/// Takes the contacts of a prepared method, untimed.
ts_status ts_cell_state_collect(ts_cell_state *moment, ts_arena *arena, ts_narrow_phase *phase);

/// Scores the contacts, found in that envelope, against the truth of `scene`, and makes the rows;
/// those of the contacts only when asked for.
ts_status ts_cell_state_score(ts_cell_state *moment, ts_arena *arena, const ts_scene *scene,
                              ts_envelope envelope, ts_scoring scoring, bool lists_contacts);

#endif
