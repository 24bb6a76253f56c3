// SPDX-License-Identifier: MIT
#include "harness/run/cell_state.h"

#include "base/clock.h"
#include "base/geometry_kind.h"
#include "base/random.h"
#include "base/status.h"
#include "harness/judge/metrics/metric.h"
#include "harness/rows/pose_rows.h"
#include "harness/rows/region_rows.h"
#include "harness/rows/verdict_rows.h"
#include "methods/envelope.h"
#include "methods/method_state.h"
#include "reports/rows/contact_kind.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/// Maximum repeats of preparation: it may be slow, and only its minimum time is reported.
#define PREPARE_REPEATS_MAX 5

void ts_cell_record(ts_record *out, const ts_cell *cell, ts_outcome outcome, const char *reason) {
  ts_row_init(&ts_summary_rows, out);
  out->cell = cell->key;
  out->case_name = cell->c->name;
  out->case_parameters = cell->case_parameters;
  out->method = cell->method->name;
  out->method_parameters = cell->method_parameters;
  out->scoring_parameters = cell->scoring_parameters;
  out->simulation_parameters = cell->simulation_parameters;
  out->modifiers = cell->modifiers->text;
  out->step = 0;
  out->outcome = ts_outcomes[outcome].word;
  out->reason = reason;
}

ts_outcome ts_cell_outcome(ts_status status) {
  if (status > 0)
    return TS_OUTCOME_SKIPPED;
  return status == TS_OK         ? TS_OUTCOME_OK
         : status == TS_E_MEMORY ? TS_OUTCOME_OUT_OF_MEMORY
                                 : TS_OUTCOME_FAILED;
}

ts_scoring ts_cell_scoring(const ts_cell *cell) {
  const double *values = cell->scoring_values;
  return (ts_scoring){.reference = (ts_reference)(int)values[TS_SCORING_REFERENCE],
                      .normal_tolerance = values[TS_SCORING_NORMAL_TOLERANCE],
                      .rule = (ts_scoring_rule)(int)values[TS_SCORING_RULE],
                      .position_tolerance_relative = values[TS_SCORING_POSITION_TOLERANCE],
                      .takes = cell->method ? ts_method_takes(cell->method, cell->method_values)
                                            : UINT32_MAX,
                      .is_on_pieces = cell->method && cell->method->needs & TS_NEEDS_CONVEX};
}

bool ts_cell_moves_truth(const ts_cell *cell) {
  return !cell->c->is_deformable && cell->scoring_values[TS_SCORING_TRUTH] == TS_TRUTH_MOVED;
}

double ts_cell_contacts_time_s(const ts_cell *cell, int64_t step) {
  double ended = cell->c->is_deformable ? 1 : 1.5; // step 2 is that of the first time step
  return step > 0 ? ((double)step - ended) * cell->simulation_values[TS_SIMULATION_DT] : 0;
}

ts_status ts_cell_narrow_phase(ts_narrow_phase **out, const ts_cell *cell, const ts_scene *scene) {
  ts_scoring scoring = ts_cell_scoring(cell);
  TS_TRY(ts_narrow_phase_create(out, scene, cell->method, cell->method_values, scoring.reference));
  ts_narrow_phase_set_rule(*out, scoring.rule);
  ts_narrow_phase_set_modifiers(*out, cell->modifiers);
  return TS_OK;
}

/// State while measuring.
typedef struct work {
  ts_cell_state *state;
  ts_arena *arena;
  ts_narrow_phase *phase;
  const ts_timing *timing;
  const ts_method *method;
  uint64_t hash;        ///< of the contacts
  uint64_t next_number; ///< of nearby poses that no pass was at
  size_t stretches;
  ts_random random;
} work;

static ts_status time_prepare(ts_stretch *out, void *context, size_t passes) {
  work *w = context;
  for (size_t i = 0; i < passes; i++) {
    ts_narrow_phase_release(w->phase);
    int64_t waited_ns = ts_clock_waited_ns(), start_ns = ts_clock_ns();
    TS_TRY(ts_narrow_phase_prepare(w->phase));
    ts_stretch_add_time(out, start_ns);
    ts_narrow_phase_restore_numbers(w->phase);
    ts_stretch_add_wait(out, waited_ns);
  }
  return TS_OK;
}

static ts_status other_when_asked_again(void) {
  return ts_fail(TS_E_INPUT, "gives different contacts when called again");
}

static ts_status hash_again(uint64_t *out, ts_arena *arena, ts_narrow_phase *phase) {
  ts_contact_set *again;
  ts_arena_mark mark = ts_arena_get_mark(arena);
  TS_TRY(ts_narrow_phase_collect(&again, phase, arena));
  *out = ts_contact_sets_hash(again, ts_narrow_phase_pair_count(phase));
  ts_arena_rewind(arena, mark);
  return TS_OK;
}

/// Compares the contacts kept in a timed pass with those found at the same poses outside the clock.
static ts_status check_timed(work *w, uint64_t number) {
  uint64_t timed, again;
  TS_TRY(ts_narrow_phase_kept_hash(&timed, w->phase));
  TS_TRY(ts_narrow_phase_place(w->phase, number, 1));
  TS_TRY(hash_again(&again, w->arena, w->phase));
  w->state->timed_number = number;
  w->state->timed_hash = timed;
  return timed == again ? TS_OK : other_when_asked_again();
}

static bool is_power_of_two(size_t n) {
  return (n & (n - 1)) == 0;
}

/// Every pass is at poses that were not asked about before. Some of the stretches, ever fewer, are
/// checked by the contacts of one of their passes, any one.
static ts_status time_generate(ts_stretch *out, void *context, size_t passes) {
  work *w = context;
  size_t kept = ts_random_u64(&w->random) % passes, places = ts_narrow_phase_places(w->phase);
  uint64_t first = w->next_number;
  int64_t waited_ns = ts_clock_waited_ns();
  for (size_t done = 0, block; done < passes; done += block) {
    block = passes - done < places ? passes - done : places;
    TS_TRY(ts_narrow_phase_place(w->phase, first + done, block));
    int64_t start_ns = ts_clock_ns();
    for (size_t i = 0; i < block; i++)
      TS_TRY(ts_narrow_phase_pass(w->phase, i, done + i == kept));
    ts_stretch_add_time(out, start_ns);
    ts_narrow_phase_restore_numbers(w->phase);
  }
  ts_stretch_add_wait(out, waited_ns);
  w->next_number += passes;
  return is_power_of_two(++w->stretches) ? check_timed(w, first + kept) : TS_OK;
}

static ts_status measure_prepare(work *w) {
  if (!ts_narrow_phase_has_preparation(w->phase)) {
    w->state->record.prepare_ns = 0;
    return TS_OK;
  }
  if (ts_narrow_phase_keeps_state(w->phase) && w->state->record.step > 0)
    return TS_OK; // preparing anew would drop what it keeps
  ts_timing timing = *w->timing;
  if (timing.repeats != 1) {
    ts_stretch warm_up = {0};
    TS_TRY(time_prepare(&warm_up, w, 1));
    timing.max_repeats = PREPARE_REPEATS_MAX;
    if (timing.repeats > PREPARE_REPEATS_MAX)
      timing.repeats = PREPARE_REPEATS_MAX;
  }
  TS_TRY(ts_timing_sample(&w->state->prepare, w->arena, &timing, 1, time_prepare, w));
  ts_time_statistics statistics;
  TS_TRY(ts_samples_statistics(&statistics, w->arena, w->state->prepare));
  w->state->record.prepare_ns = statistics.min_ns;
  return TS_OK;
}

void ts_cell_state_begin(ts_cell_state *out, const ts_cell *cell, double step) {
  *out = (ts_cell_state){.pair_count = 0};
  ts_cell_record(&out->record, cell, TS_OUTCOME_OK, "");
  out->record.step = step;
}

void ts_cell_state_set_bodies(ts_cell_state *state, const ts_scene *scene, ts_envelope envelope) {
  state->record.envelope = ts_envelope_word(envelope.kind);
  state->record.envelope_m = envelope.kind == TS_ENVELOPE_NONE ? 0 : envelope.size_m;
  state->record.bodies = (double)scene->body_count;
}

void ts_cell_state_set_contacts(ts_cell_state *state, ts_contact_set *sets, size_t count) {
  state->contacts = sets;
  state->pair_count = count;
  double delivered = 0, unique = 0;
  for (size_t i = 0; i < count; i++) {
    delivered += (double)sets[i].delivered;
    unique += (double)sets[i].count;
  }
  state->record.contacts_delivered = delivered;
  state->record.contacts_unique = unique;
}

ts_status ts_cell_state_collect(ts_cell_state *state, ts_arena *arena, ts_narrow_phase *phase) {
  ts_contact_set *sets;
  TS_TRY(ts_narrow_phase_collect(&sets, phase, arena));
  ts_cell_state_set_contacts(state, sets, ts_narrow_phase_pair_count(phase));
  return TS_OK;
}

ts_status ts_cell_state_check_again(ts_cell_state *state, ts_arena *arena, ts_narrow_phase *phase) {
  uint64_t again;
  TS_TRY(hash_again(&again, arena, phase));
  return again == ts_contact_sets_hash(state->contacts, state->pair_count)
             ? TS_OK
             : other_when_asked_again();
}

/// Collects the contacts, after a first pass that is timed, at the same poses.
static ts_status measure_first(work *w) {
  ts_cell_state *state = w->state;
  ts_stretch stretch = {0};
  int64_t waited_ns = ts_clock_waited_ns(), start_ns = ts_clock_ns();
  TS_TRY(ts_narrow_phase_pass(w->phase, 0, true));
  ts_stretch_add_time(&stretch, start_ns);
  ts_narrow_phase_restore_numbers(w->phase);
  ts_stretch_add_wait(&stretch, waited_ns);
  double *times = ts_arena_array(w->arena, 2, sizeof *times);
  if (!times)
    return TS_E_MEMORY;
  times[0] = state->record.first_ns = stretch.time_ns;
  times[1] = stretch.waited_ns;
  state->generate = (ts_samples){.time_ns = times, .waited_ns = times + 1, .count = 1, .passes = 1};
  ts_contact_set *sets;
  uint64_t hashes[2];
  TS_TRY(ts_narrow_phase_collect_again(&sets, hashes, w->phase, w->arena));
  ts_cell_state_set_contacts(state, sets, ts_narrow_phase_pair_count(w->phase));
  w->hash = hashes[1];
  return hashes[0] == hashes[1] ? TS_OK : other_when_asked_again();
}

/// Finds whether the contacts depend on the poses at which the pairs were prepared: then that work
/// is part of an answer, and each timed pass does it.
static ts_status find_renewal(work *w) {
  uint64_t prepared_elsewhere;
  TS_TRY(ts_narrow_phase_prepare_pairs_at(w->phase, w->next_number++));
  TS_TRY(hash_again(&prepared_elsewhere, w->arena, w->phase));
  w->state->renews_pairs = prepared_elsewhere != w->hash;
  ts_narrow_phase_renew_pairs(w->phase, w->state->renews_pairs);
  return TS_OK;
}

static ts_status measure_generate(work *w) {
  ts_cell_state *state = w->state;
  // What is kept must not see other poses than those of the scene, and at these only the first pass
  // is one that was not asked for before.
  bool keeps_state = ts_narrow_phase_keeps_state(w->phase);
  bool is_cold = w->timing->repeats == 1 || keeps_state;
  TS_TRY(measure_first(w));
  if (!keeps_state && w->method->prepare_pair)
    TS_TRY(find_renewal(w));
  if (!is_cold || state->renews_pairs) {
    size_t passes = 1;
    if (!is_cold)
      TS_TRY(ts_timing_calibrate(&passes, w->timing, time_generate, w));
    TS_TRY(ts_timing_sample(&state->generate, w->arena, w->timing, passes, time_generate, w));
    TS_TRY(ts_narrow_phase_place(w->phase, 0, 1));
    TS_TRY(ts_cell_state_check_again(state, w->arena, w->phase));
  }
  TS_TRY(ts_narrow_phase_place(w->phase, 0, 1));
  ts_time_statistics statistics;
  TS_TRY(ts_samples_statistics(&statistics, w->arena, state->generate));
  state->record.generate_ns_min = statistics.min_ns;
  state->record.generate_ns_median = statistics.median_ns;
  state->record.generate_ns_mad = statistics.mad_ns;
  state->record.repeats = (double)state->generate.count;
  return TS_OK;
}

ts_status ts_cell_state_measure(ts_cell_state *state, ts_arena *arena, ts_narrow_phase *phase,
                                const ts_timing *timing) {
  work w = {.state = state,
            .arena = arena,
            .phase = phase,
            .timing = timing,
            .method = ts_narrow_phase_method(phase),
            .next_number = 1,
            .random = ts_random_seed(0, 0)};
  TS_TRY(measure_prepare(&w));
  return measure_generate(&w);
}

/// Whether a process that has seen nothing gives other contacts at the poses of that number than
/// those of that hash.
static ts_status differs_there(bool *out, ts_fresh *fresh, const ts_fresh_question *question,
                               uint64_t hash) {
  uint64_t fresh_hash;
  TS_TRY(ts_fresh_ask(&fresh_hash, fresh, question));
  *out = fresh_hash != hash;
  return TS_OK;
}

ts_status ts_cell_state_compare_fresh(ts_cell_state *state, ts_arena *arena, ts_narrow_phase *phase,
                                      ts_fresh *fresh, const ts_scene *scene) {
  ts_fresh_question question = {.bodies = scene->bodies, .renews_pairs = state->renews_pairs};
  bool differs = false;
  if (state->record.step > 0) {
    uint64_t hash = ts_contact_sets_hash(state->contacts, state->pair_count);
    TS_TRY(differs_there(&differs, fresh, &question, hash));
    state->record.differs_from_fresh = differs;
    if (ts_narrow_phase_keeps_state(phase))
      return TS_OK;
    if (differs)
      TS_TRY(ts_cell_state_check_again(state, arena, phase)); // random contacts differ, too
  }
  if (!differs && state->timed_number > 0) {
    question.number = state->timed_number;
    TS_TRY(differs_there(&differs, fresh, &question, state->timed_hash));
  }
  return differs
             ? ts_fail(TS_E_INPUT, "depends on what was asked before: gives other contacts when "
                                   "asked for the first time at the same poses")
             : TS_OK;
}

static void fill_sample_rows(ts_sample_row *rows, const ts_record *record, const char *phase,
                             ts_samples samples) {
  for (size_t i = 0; i < samples.count; i++) {
    ts_row_init(&ts_sample_rows, &rows[i]);
    rows[i].cell = record->cell;
    rows[i].case_name = record->case_name;
    rows[i].method = record->method;
    rows[i].step = record->step;
    rows[i].phase = phase;
    rows[i].sample = (double)i;
    rows[i].passes = (double)samples.passes;
    rows[i].time_ns = samples.time_ns[i];
    rows[i].waited_ns = samples.waited_ns[i];
  }
}

static ts_status add_sample_rows(ts_cell_state *state, ts_arena *arena) {
  size_t total = state->prepare.count + state->generate.count;
  ts_sample_row *rows = ts_arena_array(arena, total, sizeof *rows);
  if (!rows)
    return TS_E_MEMORY;
  fill_sample_rows(rows, &state->record, "prepare", state->prepare);
  fill_sample_rows(rows + state->prepare.count, &state->record, "generate", state->generate);
  state->sample_rows = rows;
  state->sample_row_count = total;
  return TS_OK;
}

/// Says why the truth of a pair is unknown, the first of those that are.
static ts_status explain_unknown(ts_record *record, ts_arena *arena,
                                 const ts_judgement *judgement) {
  const ts_scene *scene = judgement->scene;
  size_t p = 0;
  while (p < judgement->pair_count && !judgement->pairs[p].is_unknown)
    p++;
  if (p == judgement->pair_count)
    return TS_OK;
  const ts_contact_set *set = judgement->pairs[p].set;
  const char *reason = "they touch, and were not designed to";
  for (size_t i = 0; i < scene->unknown_count; i++)
    if (scene->unknown[i].body_a == set->body_a && scene->unknown[i].body_b == set->body_b)
      reason = scene->unknown[i].reason;
  record->reason = ts_arena_format(arena, "the truth of bodies %d (%s) and %d (%s) is unknown: %s",
                                   set->body_a, scene->bodies[set->body_a].name, set->body_b,
                                   scene->bodies[set->body_b].name, reason);
  return record->reason ? TS_OK : TS_E_MEMORY;
}

/// Says which shapes the contacts were found on.
static ts_status describe_shapes(ts_record *record, ts_arena *arena, const ts_scene *scene,
                                 uint32_t takes) {
  uint32_t kinds = 0;
  double error_m = 0;
  for (size_t i = 0; i < scene->body_count; i++) {
    const ts_geometry *geometry = &scene->shapes[scene->bodies[i].shape].geometry;
    kinds |= TS_TAKES(geometry->kind);
    if (!(takes & TS_TAKES(geometry->kind)))
      error_m = fmax(error_m, geometry->mesh_error_m);
  }
  const char *words = "";
  for (int32_t kind = TS_GEOMETRY_SPHERE; kind < TS_GEOMETRY_KIND_COUNT && words; kind++)
    if (kinds & takes & TS_TAKES(kind))
      words = ts_arena_format(arena, "%s%s%s", words, *words ? "+" : "", ts_geometry_words[kind]);
  record->shapes_native = words;
  record->mesh_error_m = error_m;
  return words ? TS_OK : TS_E_MEMORY;
}

/// Says which convex pieces the contacts were found on, the worst kind of all shapes.
static void describe_pieces(ts_record *record, const ts_scene *scene, bool is_on_pieces) {
  static const char *const words[] = {"given", "exact", "approximate"};
  int worst = -1;
  record->pieces_error_m = 0;
  for (size_t i = 0; is_on_pieces && i < scene->body_count; i++) {
    const ts_shape *shape = &scene->shapes[scene->bodies[i].shape];
    if (shape->piece_count == 0 || ts_shape_is_convex(shape))
      continue;
    worst = (int)shape->pieces_kind > worst ? (int)shape->pieces_kind : worst;
    record->pieces_error_m = fmax(record->pieces_error_m, shape->pieces_error.distance_m);
  }
  record->pieces = worst < 0 ? "none" : words[worst];
}

/// Records how many rows there are of what can be left out.
static void count_rows(ts_cell_state *state) {
  state->record.contacts_listed = (double)state->contact_row_count;
  state->record.regions_listed = (double)state->region_row_count;
  state->record.poses_listed = (double)state->pose_row_count;
}

ts_status ts_cell_state_score(ts_cell_state *state, ts_arena *arena, const ts_scene *scene,
                              ts_envelope envelope, ts_scoring scoring, bool lists_contacts) {
  ts_record *record = &state->record;
  int64_t start = ts_clock_ns();
  TS_TRY(ts_judge(&state->judgement, arena, scene, state->contacts, state->pair_count, envelope,
                  scoring));
  TS_TRY(ts_metrics_compute(record, &state->judgement));
  record->score_ns = (double)(ts_clock_ns() - start);
  TS_TRY(explain_unknown(record, arena, &state->judgement));
  TS_TRY(describe_shapes(record, arena, scene, state->judgement.scoring.takes));
  describe_pieces(record, scene, scoring.is_on_pieces);
  uint64_t hash = ts_contact_sets_hash(state->contacts, state->pair_count);
  record->contacts_hash = ts_arena_format(arena, "%016" PRIx64, hash);
  if (!record->contacts_hash)
    return TS_E_MEMORY;
  if (lists_contacts) {
    TS_TRY(ts_verdict_rows_make(&state->contact_rows, &state->contact_row_count, arena, record,
                                &state->judgement));
    TS_TRY(ts_region_rows_make(&state->region_rows, &state->region_row_count, arena, record,
                               &state->judgement));
  }
  TS_TRY(add_sample_rows(state, arena));
  count_rows(state);
  return TS_OK;
}

void ts_cell_state_drop_right(ts_cell_state *state) {
  size_t kept = 0;
  for (size_t i = 0; i < state->contact_row_count; i++)
    if (ts_contact_kind_is_fault(ts_contact_row_kind(&state->contact_rows[i])))
      state->contact_rows[kept++] = state->contact_rows[i];
  state->contact_row_count = kept;
  kept = 0;
  for (size_t i = 0; i < state->region_row_count; i++)
    if (ts_region_row_is_lacking(&state->region_rows[i]))
      state->region_rows[kept++] = state->region_rows[i];
  state->region_row_count = kept;
  count_rows(state);
}

ts_status ts_cell_state_list_poses(ts_cell_state *state, ts_arena *arena, const ts_scene *scene,
                                   const ts_body *built, double time_s) {
  TS_TRY(ts_pose_rows_make(&state->pose_rows, &state->pose_row_count, arena, &state->record, scene,
                           built, time_s));
  count_rows(state);
  return TS_OK;
}

void ts_cell_state_drop_rows(ts_cell_state *state) {
  state->contact_row_count = state->region_row_count = 0;
  state->pose_row_count = state->sample_row_count = 0;
}

ts_cell_rows ts_cell_state_rows(const ts_cell_state *state) {
  return (ts_cell_rows){.records = &state->record,
                        .record_count = 1,
                        .contacts = state->contact_rows,
                        .contact_count = state->contact_row_count,
                        .regions = state->region_rows,
                        .region_count = state->region_row_count,
                        .poses = state->pose_rows,
                        .pose_count = state->pose_row_count,
                        .samples = state->sample_rows,
                        .sample_count = state->sample_row_count};
}
