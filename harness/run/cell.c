// SPDX-License-Identifier: MIT
#include "harness/run/cell.h"

#include "base/clock.h"
#include "base/status.h"
#include "harness/run/cell_state.h"
#include "harness/run/simulation.h"

#include <stdio.h>
#include <string.h>

/// A moment that gives a row.
typedef struct scored {
  ts_cell_state moment;
  struct scored *next;
} scored;

typedef struct run {
  ts_arena *arena;
  const ts_cell *cell;
  const ts_timing *timing;
  ts_scene *scene; ///< as built
  ts_narrow_phase *phase;
  ts_simulation *simulation;
  scored *first, *last;
} run;

/// The next moment, of a simulation step or 0; NULL when memory is out.
static scored *new_moment(run *r, int64_t step) {
  scored *s = ts_arena_alloc(r->arena, sizeof *s);
  if (!s)
    return NULL;
  ts_cell_state_begin(&s->moment, r->cell, (double)step);
  return s;
}

static void add_moment(run *r, scored *s) {
  if (r->last)
    r->last->next = s;
  else
    r->first = s;
  r->last = s;
}

/// What is known of the narrow phase at the poses of the moment.
static void record_phase(run *r, ts_cell_state *moment) {
  ts_cell_state_set_bodies(moment, r->scene, ts_narrow_phase_envelope(r->phase));
  moment->record.pairs_candidate = (double)ts_narrow_phase_pair_count(r->phase);
  moment->record.pairing_ns = (double)ts_narrow_phase_pairing_ns(r->phase);
}

/// Builds the scene and runs the method on it as built.
static ts_status run_as_built(run *r, ts_cell_state *moment) {
  int64_t start = ts_clock_ns();
  TS_TRY(ts_case_build(&r->scene, r->arena, r->cell->c, r->cell->case_values));
  moment->record.build_ns = (double)(ts_clock_ns() - start);
  moment->record.bodies = (double)r->scene->body_count;
  TS_TRY(ts_cell_narrow_phase(&r->phase, r->cell, r->scene));
  record_phase(r, moment);
  TS_TRY(ts_cell_state_measure(moment, r->arena, r->phase, r->timing));
  return ts_cell_state_score(moment, r->arena, r->scene, ts_narrow_phase_envelope(r->phase),
                             ts_cell_scoring(r->cell), true);
}

int64_t ts_cell_last_step(int64_t steps) {
  return steps == 0 ? TS_PUBLISHED_STEP : steps == 1 ? 0 : steps;
}

/// Whether a step that went well gives a row.
static bool is_scored(const ts_cell *cell, int64_t step) {
  return cell->steps > 0 || step == TS_PUBLISHED_STEP;
}

/// Whether the contacts of a step go to contacts.csv: those of a long run would fill the disk.
static bool lists_contacts(const ts_cell *cell, int64_t step) {
  return step == TS_PUBLISHED_STEP || step == ts_cell_last_step(cell->steps);
}

/// One time step; its contacts are those of the moment. The step that the published tables are
/// taken at is timed as the scene as built is.
static ts_status run_step(run *r, ts_cell_state *moment, int64_t step) {
  const ts_scene *scene;
  TS_TRY(ts_simulation_begin_step(&scene, r->simulation));
  TS_TRY(ts_narrow_phase_move(r->phase, scene));
  record_phase(r, moment);
  TS_TRY(step == TS_PUBLISHED_STEP ? ts_cell_state_measure(moment, r->arena, r->phase, r->timing)
                                   : ts_cell_state_collect(moment, r->arena, r->phase));
  if (is_scored(r->cell, step))
    TS_TRY(ts_cell_state_score(moment, r->arena, scene, ts_narrow_phase_envelope(r->phase),
                               ts_cell_scoring(r->cell), lists_contacts(r->cell, step)));
  TS_TRY(ts_simulation_end_step(r->simulation, moment->contacts, moment->pair_count));
  ts_simulation_record(&moment->record, r->simulation);
  return TS_OK;
}

/// Turns a status into the moment's outcome, with the detail line as the reason, and drops its
/// rows.
static ts_status note_outcome(run *r, ts_cell_state *moment, ts_status status) {
  moment->record.outcome = ts_outcomes[ts_cell_outcome(status)].word;
  moment->record.reason = ts_arena_string(r->arena, ts_status_detail());
  moment->contact_row_count = moment->sample_row_count = 0;
  return moment->record.reason ? TS_OK : TS_E_MEMORY;
}

/// Throws away all that a moment holds behind `mark` but its record, so that the memory of a long
/// run does not grow by the contacts of every step.
static scored *keep_record(run *r, scored *s, ts_arena_mark mark) {
  ts_record record = s->moment.record;
  char hash[32];
  snprintf(hash, sizeof hash, "%s", record.contacts_hash);
  ts_arena_rewind(r->arena, mark);
  scored *kept = ts_arena_alloc(r->arena, sizeof *kept);
  record.contacts_hash = ts_arena_string(r->arena, hash);
  if (!kept || !record.contacts_hash)
    return NULL;
  kept->moment.record = record;
  return kept;
}

/// Runs the moments of the cell one after the other, until one does not go well.
static ts_status run_moments(run *r) {
  scored *built = new_moment(r, 0);
  if (!built)
    return TS_E_MEMORY;
  add_moment(r, built);
  ts_status status = run_as_built(r, &built->moment);
  if (status != TS_OK)
    return note_outcome(r, &built->moment, status);
  for (int64_t step = 2; step <= ts_cell_last_step(r->cell->steps); step++) {
    ts_arena_mark mark = ts_arena_get_mark(r->arena);
    scored *s = new_moment(r, step);
    if (!s)
      return TS_E_MEMORY;
    if (!r->simulation)
      status = ts_simulation_create(&r->simulation, r->scene, r->cell->simulation_values);
    if (status == TS_OK)
      status = run_step(r, &s->moment, step);
    if (status == TS_OK && !is_scored(r->cell, step)) {
      ts_arena_rewind(r->arena, mark);
      continue;
    }
    if (status == TS_OK && !lists_contacts(r->cell, step)) {
      s = keep_record(r, s, mark);
      if (!s)
        return TS_E_MEMORY;
    }
    add_moment(r, s);
    if (status != TS_OK)
      return note_outcome(r, &s->moment, status);
  }
  return TS_OK;
}

/// Joins the rows of all moments.
static ts_status join_rows(ts_cell_rows *out, const run *r) {
  *out = (ts_cell_rows){0};
  for (const scored *s = r->first; s; s = s->next) {
    out->record_count++;
    out->contact_count += s->moment.contact_row_count;
    out->sample_count += s->moment.sample_row_count;
  }
  ts_record *records = ts_arena_array(r->arena, out->record_count, sizeof *records);
  ts_contact_row *contacts = ts_arena_array(r->arena, out->contact_count, sizeof *contacts);
  ts_sample_row *samples = ts_arena_array(r->arena, out->sample_count, sizeof *samples);
  if (!records || !contacts || !samples)
    return TS_E_MEMORY;
  *out = (ts_cell_rows){.records = records, .contacts = contacts, .samples = samples};
  for (const scored *s = r->first; s; s = s->next) {
    const ts_cell_state *m = &s->moment;
    records[out->record_count++] = m->record;
    for (size_t i = 0; i < m->contact_row_count; i++)
      contacts[out->contact_count++] = m->contact_rows[i];
    for (size_t i = 0; i < m->sample_row_count; i++)
      samples[out->sample_count++] = m->sample_rows[i];
  }
  return TS_OK;
}

ts_status ts_cell_run(ts_cell_rows *out, ts_arena *arena, const ts_cell *cell,
                      const ts_timing *timing) {
  run r = {.arena = arena, .cell = cell, .timing = timing};
  ts_status status = run_moments(&r);
  if (status == TS_OK)
    status = join_rows(out, &r);
  ts_narrow_phase_destroy(r.phase); // before its scene, which is the simulation's
  ts_simulation_destroy(r.simulation);
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
