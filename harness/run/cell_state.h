// SPDX-License-Identifier: MIT
/// One state of a cell (as built, or after N steps): the contacts that a method finds at its poses,
/// timed, scored and converted to rows.
#ifndef TS_HARNESS_CELL_STATE_H
#define TS_HARNESS_CELL_STATE_H

#include "harness/judge/judge.h"
#include "harness/narrow_phase/narrow_phase.h"
#include "harness/plan/plan.h"
#include "harness/run/fresh.h"
#include "harness/run/timing.h"
#include "reports/rows/outcome.h"
#include "reports/rows/results.h"

/// A record with the identity of a cell, an outcome and a reason, and nothing measured.
void ts_cell_record(ts_record *out, const ts_cell *cell, ts_outcome outcome, const char *reason);

/// The outcome of a cell that ended with that status.
ts_outcome ts_cell_outcome(ts_status status);

/// How a cell is scored, by its `scoring_values`.
ts_scoring ts_cell_scoring(const ts_cell *cell);

/// Whether the truth of a cell is that of where its bodies move to; not of deformable ones.
bool ts_cell_moves_truth(const ts_cell *cell);

/// When the contacts of a step are found, in seconds since the scene as built (step 0): amid the
/// time step, where rigid bodies are then; with deformable bodies at the end of it, after their
/// free motion (ts_simulation_begin_step).
double ts_cell_contacts_time_s(const ts_cell *cell, int64_t step);

/// The method of a cell on `scene`, which is as built, with duplicates dropped by the cell's rule;
/// errors of ts_narrow_phase_create().
ts_status ts_cell_narrow_phase(ts_narrow_phase **out, const ts_cell *cell, const ts_scene *scene);

typedef struct ts_cell_state {
  ts_record record;
  ts_contact_set *contacts; ///< [pair_count], canonical, sorted by (a, b)
  size_t pair_count;
  /// A timed pass whose contacts ts_cell_state_compare_fresh() compares: the number of its poses,
  /// and its hash. Number 0: none.
  uint64_t timed_number, timed_hash;
  bool renews_pairs;      ///< contacts depend on the poses at which the pairs were prepared
  ts_judgement judgement; ///< of ts_cell_state_score()
  ts_samples prepare, generate;
  ts_contact_row *contact_rows;
  size_t contact_row_count;
  ts_region_row *region_rows;
  size_t region_row_count;
  ts_pose_row *pose_rows;
  size_t pose_row_count;
  ts_sample_row *sample_rows;
  size_t sample_row_count;
} ts_cell_state;

/// Starts the state of a cell at a step: its record says which it is and that it is ok so far.
void ts_cell_state_begin(ts_cell_state *out, const ts_cell *cell, double step);

/// Records the bodies, and the envelope that the method gets them in.
void ts_cell_state_set_bodies(ts_cell_state *state, const ts_scene *scene, ts_envelope envelope);

/// Takes canonical sets [count] as its contacts (borrowed), and records how many there are.
void ts_cell_state_set_contacts(ts_cell_state *state, ts_contact_set *sets, size_t count);

/// Prepares the method, collects its contacts and times both. The contacts are those at the poses
/// of the scene; the timed passes are at nearby poses, each at another. A method that keeps state
/// between steps is timed in its first pass only, and its preparation only as built. Where contacts
/// depend on the poses at which pairs were prepared, a timed pass prepares them, too. The method
/// fails when it gives other contacts at the same poses, in a timed pass or in a later one.
ts_status ts_cell_state_measure(ts_cell_state *state, ts_arena *arena, ts_narrow_phase *phase,
                                const ts_timing *timing);

/// Collects the contacts of a prepared method, untimed.
ts_status ts_cell_state_collect(ts_cell_state *state, ts_arena *arena, ts_narrow_phase *phase);

/// The method fails when it gives other contacts when called again at the same poses.
ts_status ts_cell_state_check_again(ts_cell_state *state, ts_arena *arena, ts_narrow_phase *phase);

/// Compares its contacts with those that the method gives for `scene` in a process that has seen
/// nothing before, and records whether they differ: then the method fails, unless it keeps state
/// between steps. As built nothing was asked before, and only the contacts of a timed pass are
/// compared.
ts_status ts_cell_state_compare_fresh(ts_cell_state *state, ts_arena *arena, ts_narrow_phase *phase,
                                      ts_fresh *fresh, const ts_scene *scene);

/// Scores the contacts, found in that envelope, against the truth of `scene`, and makes the rows;
/// those of contacts and regions only if requested.
ts_status ts_cell_state_score(ts_cell_state *state, ts_arena *arena, const ts_scene *scene,
                              ts_envelope envelope, ts_scoring scoring, bool lists_contacts);

/// Drops the rows of contacts that are not at fault (ts_contact_kind_is_fault), and of regions that
/// lack nothing (ts_region_row_is_lacking).
void ts_cell_state_drop_right(ts_cell_state *state);

/// Adds the rows of poses (ts_pose_rows_make).
ts_status ts_cell_state_list_poses(ts_cell_state *state, ts_arena *arena, const ts_scene *scene,
                                   const ts_body *built, double time_s);

/// Drops all rows but the record, which goes on to say how many there were.
void ts_cell_state_drop_rows(ts_cell_state *state);

/// All rows, borrowed from the state.
ts_cell_rows ts_cell_state_rows(const ts_cell_state *state);

#endif
