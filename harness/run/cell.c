// SPDX-License-Identifier: MIT
#include "harness/run/cell.h"

#include "base/clock.h"
#include "base/status.h"
#include "geometry/tolerances.h"
#include "harness/judge/coherence.h"
#include "harness/judge/metrics/coherence_columns.h"
#include "harness/run/cell_state.h"
#include "harness/run/simulation.h"

#include <stdio.h>
#include <string.h>

/// A state of the cell that gets a row.
typedef struct scored {
  ts_cell_state state;
  struct scored *next;
} scored;

typedef struct run {
  ts_arena *arena;
  const ts_cell *cell;
  const ts_timing *timing;
  ts_scene *scene;       ///< as built
  ts_moved_truth *truth; ///< of where bodies move to; NULL: the truth is carried along
  ts_fresh *fresh;
  ts_narrow_phase *phase;
  ts_simulation *simulation;
  ts_coherence *coherence; ///< of consecutive steps
  ts_coherence *coarse;    ///< of every TS_COHERENCE_COARSE th step on a path; NULL: not on one
  scored *first, *last;
} run;

/// The next state: after a simulation step, or as built (0). NULL when out of memory.
static scored *new_state(run *r, int64_t step) {
  scored *s = ts_arena_alloc(r->arena, sizeof *s);
  if (!s)
    return NULL;
  ts_cell_state_begin(&s->state, r->cell, (double)step);
  return s;
}

static void add_state(run *r, scored *s) {
  if (r->last)
    r->last->next = s;
  else
    r->first = s;
  r->last = s;
}

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

/// Whether a step may have rows in contacts.csv and samples.csv. The contacts of all steps of a
/// long run would fill the disk.
static bool has_details(const ts_cell *cell, int64_t step) {
  return step == 0 || step == TS_PUBLISHED_STEP || step == ts_cell_last_step(cell->steps);
}

/// Scores the contacts of a step, and makes the rows that the cell asks for.
static ts_status score(const run *r, ts_cell_state *state, const ts_scene *scene, int64_t step) {
  TS_TRY(ts_cell_state_score(state, r->arena, scene, ts_narrow_phase_envelope(r->phase),
                             ts_cell_scoring(r->cell),
                             r->cell->contacts != TS_KEPT_NONE && has_details(r->cell, step)));
  if (r->cell->contacts == TS_KEPT_BAD)
    ts_cell_state_drop_right(state);
  return TS_OK;
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
  state->contact_row_count = state->sample_row_count = 0;
  return state->record.reason ? TS_OK : TS_E_MEMORY;
}

/// Frees everything that a state allocated after `mark` except its record, so that the memory of a
/// long run does not grow by the contacts of every step.
static scored *keep_record(run *r, scored *s, ts_arena_mark mark) {
  ts_record record = s->state.record;
  char hash[32], reason[512], shapes[128];
  snprintf(hash, sizeof hash, "%s", record.contacts_hash);
  snprintf(reason, sizeof reason, "%s", record.reason);
  snprintf(shapes, sizeof shapes, "%s", record.shapes_native);
  ts_arena_rewind(r->arena, mark);
  scored *kept = ts_arena_alloc(r->arena, sizeof *kept);
  record.contacts_hash = ts_arena_string(r->arena, hash);
  record.reason = ts_arena_string(r->arena, reason);
  record.shapes_native = ts_arena_string(r->arena, shapes);
  if (!kept || !record.contacts_hash || !record.reason || !record.shapes_native)
    return NULL;
  kept->state.record = record;
  return kept;
}

/// Runs the states of the cell in order, up to the first one that fails.
static ts_status run_states(run *r) {
  scored *built = new_state(r, 0);
  if (!built)
    return TS_E_MEMORY;
  add_state(r, built);
  ts_status status = run_as_built(r, &built->state);
  if (status != TS_OK)
    return note_outcome(r, &built->state, status);
  for (int64_t step = 2; step <= ts_cell_last_step(r->cell->steps); step++) {
    ts_arena_mark mark = ts_arena_get_mark(r->arena);
    scored *s = new_state(r, step);
    if (!s)
      return TS_E_MEMORY;
    if (!r->simulation)
      status = ts_simulation_create(&r->simulation, r->scene, r->truth, r->phase,
                                    r->cell->simulation_values);
    if (status == TS_OK)
      status = run_step(r, &s->state, step);
    if (status == TS_OK && !is_scored(r->cell, step)) {
      ts_arena_rewind(r->arena, mark);
      continue;
    }
    if (status == TS_OK && !has_details(r->cell, step)) {
      s = keep_record(r, s, mark);
      if (!s)
        return TS_E_MEMORY;
    }
    add_state(r, s);
    if (status != TS_OK)
      return note_outcome(r, &s->state, status);
  }
  return TS_OK;
}

/// Joins the rows of all states.
static ts_status join_rows(ts_cell_rows *out, const run *r) {
  *out = (ts_cell_rows){0};
  for (const scored *s = r->first; s; s = s->next) {
    out->record_count++;
    out->contact_count += s->state.contact_row_count;
    out->sample_count += s->state.sample_row_count;
  }
  ts_record *records = ts_arena_array(r->arena, out->record_count, sizeof *records);
  ts_contact_row *contacts = ts_arena_array(r->arena, out->contact_count, sizeof *contacts);
  ts_sample_row *samples = ts_arena_array(r->arena, out->sample_count, sizeof *samples);
  if (!records || !contacts || !samples)
    return TS_E_MEMORY;
  *out = (ts_cell_rows){.records = records, .contacts = contacts, .samples = samples};
  for (const scored *s = r->first; s; s = s->next) {
    const ts_cell_state *state = &s->state;
    records[out->record_count++] = state->record;
    for (size_t i = 0; i < state->contact_row_count; i++)
      contacts[out->contact_count++] = state->contact_rows[i];
    for (size_t i = 0; i < state->sample_row_count; i++)
      samples[out->sample_count++] = state->sample_rows[i];
  }
  return TS_OK;
}

ts_status ts_cell_run(ts_cell_rows *out, ts_arena *arena, const ts_cell *cell,
                      const ts_timing *timing) {
  run r = {.arena = arena, .cell = cell, .timing = timing};
  ts_status status = run_states(&r);
  if (status == TS_OK)
    status = join_rows(out, &r);
  ts_narrow_phase_destroy(r.phase); // before its scene, which is the simulation's
  ts_simulation_destroy(r.simulation);
  ts_fresh_destroy(r.fresh);
  ts_coherence_destroy(r.coherence);
  ts_coherence_destroy(r.coarse);
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
