// SPDX-License-Identifier: MIT
#include "harness/run/cell.h"

#include "base/clock.h"
#include "base/status.h"
#include "base/surroundings.h"
#include "geometry/tolerances.h"
#include "harness/judge/coherence.h"
#include "harness/judge/metrics/coherence_columns.h"
#include "harness/run/cell_state.h"
#include "harness/run/modified_contacts.h"
#include "harness/simulation/simulation.h"

#include <stdbool.h>

typedef struct run {
  ts_arena *arena;
  const ts_cell *cell;
  const ts_timing *timing;
  const ts_cell_sink *sink;
  ts_scene *scene;       ///< as built
  ts_moved_truth *truth; ///< of where bodies move to; NULL: the truth is carried along
  ts_fresh *fresh;
  ts_narrow_phase *phase;
  ts_simulation *simulation;
  ts_coherence *coherence; ///< of consecutive steps
  ts_coherence *coarse;    ///< of every TS_COHERENCE_COARSE th step on a path; NULL: not on one
  ts_surroundings surroundings;
  uint32_t changed; ///< of them, by the method so far: TS_CHANGED_*
} run;

/// Records what the narrow phase knows at the poses of this state.
static void record_phase(run *r, ts_cell_state *state) {
  ts_cell_state_set_bodies(state, r->scene, ts_narrow_phase_envelope(r->phase));
  state->record.pairs_candidate = (double)ts_narrow_phase_pair_count(r->phase);
  state->record.pairing_ns = (double)ts_narrow_phase_pairing_ns(r->phase);
}

int64_t ts_cell_last_step(int64_t steps) {
  return steps == 0 ? TS_PUBLISHED_STEP : steps == 1 ? 0 : steps;
}

/// The impulses of the time step just ended, in the order of the judged pairs.
static ts_status find_impulses(double **out, const run *r, const ts_cell_state *state) {
  size_t count = 0, set = 0, first = 0;
  for (size_t p = 0; p < state->judgement.pair_count; p++)
    count += state->judgement.pairs[p].set->count;
  double *next = *out = ts_arena_array(r->arena, count, sizeof *next);
  if (!next)
    return TS_E_MEMORY;
  for (size_t p = 0; p < state->judgement.pair_count; p++) {
    const ts_contact_set *of = state->judgement.pairs[p].set;
    if (of->count == 0)
      continue; // not one of the sets
    for (; &state->contacts[set] != of; set++)
      first += state->contacts[set].count;
    for (size_t i = 0; i < of->count; i++)
      *next++ = ts_simulation_impulse(r->simulation, first + i);
  }
  return TS_OK;
}

/// Whether the cell moves its bodies along a path that is smooth, in steps that are short enough
/// for TS_COHERENCE_COARSE of them to follow it.
static bool is_on_path(const ts_cell *cell) {
  const double *values = cell->simulation_values;
  return values[TS_SIMULATION_STEPPER] == TS_STEPPER_PATH && values[TS_SIMULATION_PATH] > 0 &&
         values[TS_SIMULATION_NOISE] == 0 &&
         values[TS_SIMULATION_PATH_STEPS] >= 8 * TS_COHERENCE_COARSE;
}

/// How continuous the sets are on a path so far. The first step after the scene as built is 2.
static ts_status measure_continuity(run *r, ts_cell_state *state) {
  int64_t step = (int64_t)state->record.step;
  int64_t on_path = step == 0 ? 0 : step - 1;
  if (on_path % TS_COHERENCE_COARSE == 0)
    TS_TRY(ts_coherence_next(r->coarse, state->record.step, &state->judgement,
                             (ts_contact_facts){NULL, NULL}));
  double still_m =
      TS_COHERENCE_STILL * r->scene->scale * r->cell->simulation_values[TS_SIMULATION_PATH];
  state->record.continuity_order = ts_coherence_order(r->coherence, r->coarse, still_m);
  return TS_OK;
}

/// Compares the contacts with those of the step before. As built there are no impulses.
static ts_status measure_coherence(run *r, ts_cell_state *state) {
  double *impulses = NULL;
  if (r->simulation)
    TS_TRY(find_impulses(&impulses, r, state));
  TS_TRY(ts_coherence_next(r->coherence, state->record.step, &state->judgement,
                           (ts_contact_facts){impulses, NULL}));
  ts_coherence_fill(&state->record, r->coherence);
  return r->coarse ? measure_continuity(r, state) : TS_OK;
}

/// Whether a step may have rows in contacts.csv, regions.csv and samples.csv. The contacts of all
/// steps of a long run would fill the disk.
static bool has_details(const ts_cell *cell, int64_t step) {
  return step == 0 || step == TS_PUBLISHED_STEP || step == ts_cell_last_step(cell->steps);
}

/// Whether a step after the one as built has rows in poses.csv.
static bool has_poses(const ts_cell *cell, const ts_cell_state *state) {
  bool lists_any = state->contact_row_count + state->region_row_count > 0;
  return !cell->c->is_deformable && // no pose says where its nodes are
         (cell->contacts == TS_KEPT_ALL || (cell->contacts == TS_KEPT_BAD && lists_any));
}

/// Scores the contacts of a step, and makes the rows that the cell asks for.
static ts_status score(const run *r, ts_cell_state *state, const ts_scene *scene, int64_t step) {
  TS_TRY(ts_cell_state_score(state, r->arena, scene, ts_narrow_phase_envelope(r->phase),
                             ts_cell_scoring(r->cell),
                             r->cell->contacts != TS_KEPT_NONE && has_details(r->cell, step)));
  const ts_contact_set *before = ts_narrow_phase_unmodified(r->phase);
  if (before) {
    state->record.modify_ns_median = ts_narrow_phase_modify_ns(r->phase);
    TS_TRY(ts_modified_contacts_measure(&state->record, scene, before, state->contacts,
                                        state->pair_count));
  }
  if (r->cell->contacts == TS_KEPT_BAD)
    ts_cell_state_drop_right(state);
  if (step == 0 || !has_poses(r->cell, state))
    return TS_OK;
  double time_s = ts_cell_contacts_time_s(r->cell, step);
  return ts_cell_state_list_poses(state, r->arena, scene, r->scene->bodies, time_s);
}

/// Builds the scene and runs the method on it as built.
static ts_status run_as_built(run *r, ts_cell_state *state) {
  int64_t start = ts_clock_ns();
  TS_TRY(ts_case_build(&r->scene, r->arena, r->cell->c, r->cell->case_values));
  state->record.build_ns = (double)(ts_clock_ns() - start);
  state->record.bodies = (double)r->scene->body_count;
  TS_TRY(ts_cell_narrow_phase(&r->phase, r->cell, r->scene));
  if (ts_cell_moves_truth(r->cell) && ts_cell_last_step(r->cell->steps) > 0)
    TS_TRY(ts_moved_truth_create(&r->truth, r->arena, r->scene));
  TS_TRY(
      ts_fresh_start(&r->fresh, r->phase, r->scene, r->truth)); // before the method has seen a body
  record_phase(r, state);
  TS_TRY(ts_cell_state_measure(state, r->arena, r->phase, r->timing));
  TS_TRY(ts_cell_state_compare_fresh(state, r->arena, r->phase, r->fresh, r->scene));
  TS_TRY(score(r, state, r->scene, 0));
  if (!r->truth) // changes have reasons where the truth moves with the bodies
    return TS_OK;
  TS_TRY(ts_coherence_create(&r->coherence));
  if (is_on_path(r->cell))
    TS_TRY(ts_coherence_create(&r->coarse));
  return measure_coherence(r, state);
}

/// Whether a successful step gets a row.
static bool is_scored(const ts_cell *cell, int64_t step) {
  return cell->steps > 0 || step == TS_PUBLISHED_STEP;
}

/// Runs one time step, with the contacts of this state. The step at which the published tables are
/// taken is timed in the same way as the scene as built.
static ts_status run_step(run *r, ts_cell_state *state, int64_t step) {
  const ts_scene *scene;
  TS_TRY(ts_simulation_begin_step(&scene, r->simulation));
  bool is_timed = step == TS_PUBLISHED_STEP;
  if (!is_timed || ts_simulation_displaces(r->simulation)) {
    ts_contact_set *sets;
    size_t count;
    TS_TRY(ts_simulation_find_contacts(&sets, &count, &scene, r->simulation, r->arena));
    ts_cell_state_set_contacts(state, sets, count);
  }
  record_phase(r, state);
  if (is_timed)
    TS_TRY(ts_cell_state_measure(state, r->arena, r->phase, r->timing));
  if (is_scored(r->cell, step)) {
    if (r->cell->c->is_deformable) // the other process does not have its meshes
      TS_TRY(ts_cell_state_check_again(state, r->arena, r->phase));
    else
      TS_TRY(ts_cell_state_compare_fresh(state, r->arena, r->phase, r->fresh, scene));
    TS_TRY(score(r, state, scene, step));
  } else if (r->coherence) { // for the step that follows
    TS_TRY(ts_judge(&state->judgement, r->arena, scene, state->contacts, state->pair_count,
                    ts_narrow_phase_envelope(r->phase), ts_cell_scoring(r->cell)));
  }
  TS_TRY(ts_simulation_end_step(r->simulation, state->contacts, state->pair_count));
  ts_simulation_record(&state->record, r->simulation);
  return r->coherence ? measure_coherence(r, state) : TS_OK;
}

/// Turns a status into the outcome of a state, with the detail line as the reason, and drops its
/// rows.
static ts_status note_outcome(run *r, ts_cell_state *state, ts_status status) {
  state->record.outcome = ts_outcomes[ts_cell_outcome(status)].word;
  state->record.reason = ts_arena_string(r->arena, ts_status_detail());
  ts_cell_state_drop_rows(state);
  return state->record.reason ? TS_OK : TS_E_MEMORY;
}

static ts_status begin_state(run *r, ts_cell_state *state, int64_t step) {
  ts_cell_state_begin(state, r->cell, (double)step);
  return r->sink->begin(r->sink->context, step);
}

/// Restores what the method has changed in this process, and says so.
static ts_status note_changes(run *r, ts_cell_state *state) {
  char words[TS_CHANGED_TEXT_BYTES];
  r->changed |= ts_surroundings_restore(&r->surroundings, NULL);
  if (r->phase) {
    ts_narrow_phase_restore_numbers(r->phase);
    r->changed |= ts_narrow_phase_numbers_changed(r->phase);
  }
  ts_surroundings_words(words, r->changed);
  state->record.left_changed = ts_arena_string(r->arena, words);
  return state->record.left_changed ? TS_OK : TS_E_MEMORY;
}

/// Hands over the rows of a state that ended with `status`.
static ts_status end_state(run *r, ts_cell_state *state, ts_status status) {
  if (status == TS_E_IO)
    return status; // of this machine, not of the method: see ts_cell_run()
  TS_TRY(note_changes(r, state));
  if (status != TS_OK)
    TS_TRY(note_outcome(r, state, status));
  ts_cell_rows rows = ts_cell_state_rows(state);
  return r->sink->add(r->sink->context, &rows);
}

/// Runs the state after a step; `*out_goes_on` is false when there is none after it.
static ts_status run_state(bool *out_goes_on, run *r, int64_t step) {
  ts_cell_state state;
  TS_TRY(begin_state(r, &state, step));
  ts_status status = TS_OK;
  if (!r->simulation)
    status = ts_simulation_create(&r->simulation, r->scene, r->truth, r->phase,
                                  r->cell->simulation_values);
  if (status == TS_OK)
    status = run_step(r, &state, step);
  *out_goes_on = status == TS_OK;
  return status == TS_OK && !is_scored(r->cell, step) ? TS_OK : end_state(r, &state, status);
}

/// Runs the states of the cell in order, up to the first one that fails. What a state has allocated
/// is freed once its rows are handed over, so that the memory of a long run does not grow.
static ts_status run_states(run *r) {
  ts_cell_state built;
  TS_TRY(begin_state(r, &built, 0));
  ts_status status = run_as_built(r, &built);
  TS_TRY(end_state(r, &built, status));
  bool goes_on = status == TS_OK;
  for (int64_t step = 2; goes_on && step <= ts_cell_last_step(r->cell->steps); step++) {
    ts_arena_mark mark = ts_arena_get_mark(r->arena);
    TS_TRY(run_state(&goes_on, r, step));
    ts_arena_rewind(r->arena, mark);
  }
  return TS_OK;
}

ts_status ts_cell_run(const ts_cell_sink *sink, const ts_cell *cell, const ts_timing *timing) {
  run r = {.sink = sink, .cell = cell, .timing = timing};
  ts_surroundings_save(&r.surroundings);
  TS_TRY(ts_arena_create(&r.arena));
  ts_status status = run_states(&r);
  ts_narrow_phase_destroy(r.phase); // before its scene, which is the simulation's
  ts_simulation_destroy(r.simulation);
  ts_fresh_destroy(r.fresh);
  ts_coherence_destroy(r.coherence);
  ts_coherence_destroy(r.coarse);
  ts_arena_destroy(r.arena);
  return status;
}

ts_status ts_cell_contacts(ts_contact_set **out, size_t *out_count, ts_arena *arena,
                           const ts_scene *scene, const ts_method *method,
                           const double *method_values) {
  ts_narrow_phase *phase;
  TS_TRY(ts_narrow_phase_create(&phase, scene, method, method_values, TS_REFERENCE_DESIGN));
  ts_status status = ts_narrow_phase_prepare(phase);
  if (status == TS_OK)
    status = ts_narrow_phase_collect(out, phase, arena);
  *out_count = status == TS_OK ? ts_narrow_phase_pair_count(phase) : 0;
  ts_narrow_phase_destroy(phase);
  return status;
}
