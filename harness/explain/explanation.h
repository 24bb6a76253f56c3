// SPDX-License-Identifier: MIT
/// What is wrong with one row, in words and numbers, worst first.
#ifndef TS_HARNESS_EXPLANATION_H
#define TS_HARNESS_EXPLANATION_H

#include "harness/explain/motion_fault.h"
#include "harness/run/cell_state.h"
#include "reports/export/snapshot.h"

#include <stdio.h>

typedef struct ts_explanation {
  ts_record record;            ///< the row
  const ts_snapshot *snapshot; ///< its state; NULL: it was not made, and only the row is described
  size_t motion_count;
  const ts_motion_fault *motions; ///< [motion_count], worst first
  const char *truth_note;         ///< of the scene; NULL: none
} ts_explanation;

/// Takes the motions and the note of a judged state, in the arena, while its scene lives. The
/// record and the snapshot are the caller's to set. TS_E_MEMORY.
ts_status ts_explanation_look(ts_explanation *out, ts_arena *arena, const ts_cell_state *state);

/// One line that names the fault: "opposing on wall: 3 of 40 regions have no contact; 2 of 90
/// contacts are phantoms; worst: ...", or that nothing is wrong, or that the truth is unknown and
/// why, or how the row failed.
ts_status ts_explanation_print_headline(FILE *file, ts_arena *arena, const ts_explanation *e);

/// The sections below it, each with at most ten lines unless `is_all`: regions that lack something,
/// contacts at fault, motions, and the columns of the row that are not at their best.
ts_status ts_explanation_print_sections(FILE *file, ts_arena *arena, const ts_explanation *e,
                                        bool is_all);

#endif
