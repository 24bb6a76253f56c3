#include "harness/cell.h"

#include "base/clock.h"
#include "base/status.h"
#include "harness/judge.h"
#include "harness/metrics/metric.h"
#include "harness/narrow_phase.h"

#include <inttypes.h>
#include <math.h>

/// Preparation is repeated at most this often: it may be long, and only its least time is told.
#define PREPARE_REPEATS_MAX 5

typedef struct run {
  ts_arena *arena;
  const ts_cell *cell;
  const ts_timing *timing;
  ts_record *record;
  ts_scene *scene;
  ts_narrow_phase *phase;
  size_t pair_count;
  ts_contact_set *contacts; ///< [pair_count], canonical
  ts_samples prepare, generate;
} run;

void ts_cell_record(ts_record *out, const ts_cell *cell, const char *outcome, const char *reason) {
  ts_row_init(&ts_summary_rows, out);
  out->cell = cell->key;
  out->case_name = cell->c->name;
  out->case_parameters = cell->case_parameters;
  out->method = cell->method->name;
  out->method_parameters = cell->method_parameters;
  out->scoring_parameters = cell->scoring_parameters;
  out->step = 0;
  out->outcome = outcome;
  out->reason = reason;
}

static ts_status time_prepare(double *out_ns, void *context, size_t passes) {
  run *r = context;
  *out_ns = 0;
  for (size_t i = 0; i < passes; i++) {
    ts_narrow_phase_release(r->phase);
    int64_t start = ts_clock_ns();
    TS_TRY(ts_narrow_phase_prepare(r->phase));
    *out_ns += (double)(ts_clock_ns() - start);
  }
  return TS_OK;
}

static ts_status time_generate(double *out_ns, void *context, size_t passes) {
  run *r = context;
  int64_t start = ts_clock_ns();
  for (size_t i = 0; i < passes; i++)
    TS_TRY(ts_narrow_phase_pass(r->phase));
  *out_ns = (double)(ts_clock_ns() - start);
  return TS_OK;
}

static ts_status measure_prepare(run *r) {
  if (!ts_narrow_phase_has_preparation(r->phase)) {
    r->record->prepare_ns = 0;
    return TS_OK;
  }
  ts_timing timing = *r->timing;
  if (timing.repeats != 1) {
    double warm_up_ns;
    TS_TRY(time_prepare(&warm_up_ns, r, 1));
    timing.max_repeats = PREPARE_REPEATS_MAX;
    if (timing.repeats > PREPARE_REPEATS_MAX)
      timing.repeats = PREPARE_REPEATS_MAX;
  }
  TS_TRY(ts_timing_sample(&r->prepare, r->arena, &timing, 1, time_prepare, r));
  ts_time_statistics statistics;
  TS_TRY(ts_samples_statistics(&statistics, r->arena, r->prepare));
  r->record->prepare_ns = statistics.min_ns;
  return TS_OK;
}

static ts_status collect(run *r) {
  TS_TRY(ts_narrow_phase_collect(&r->contacts, r->phase, r->arena));
  double delivered = 0, unique = 0;
  for (size_t i = 0; i < r->pair_count; i++) {
    delivered += (double)r->contacts[i].delivered;
    unique += (double)r->contacts[i].count;
  }
  r->record->contacts_delivered = delivered;
  r->record->contacts_unique = unique;
  return TS_OK;
}

static ts_status check_same_again(run *r) {
  ts_contact_set *again;
  ts_arena_mark mark = ts_arena_get_mark(r->arena);
  TS_TRY(ts_narrow_phase_collect(&again, r->phase, r->arena));
  uint64_t hash = ts_contact_sets_hash(again, r->pair_count);
  ts_arena_rewind(r->arena, mark);
  if (hash == ts_contact_sets_hash(r->contacts, r->pair_count))
    return TS_OK;
  return ts_fail(TS_E_INPUT, "gives other contacts when asked again");
}

static ts_status measure_generate(run *r) {
  size_t passes = 1;
  bool is_cold = r->timing->repeats == 1;
  if (!is_cold) {
    TS_TRY(collect(r));
    TS_TRY(ts_timing_calibrate(&passes, r->timing, time_generate, r));
  }
  TS_TRY(ts_timing_sample(&r->generate, r->arena, r->timing, passes, time_generate, r));
  TS_TRY(is_cold ? collect(r) : check_same_again(r));
  ts_time_statistics statistics;
  TS_TRY(ts_samples_statistics(&statistics, r->arena, r->generate));
  r->record->generate_ns_min = statistics.min_ns;
  r->record->generate_ns_median = statistics.median_ns;
  r->record->generate_ns_mad = statistics.mad_ns;
  r->record->repeats = (double)r->generate.count;
  return TS_OK;
}

static ts_scoring scoring_of(const ts_cell *cell) {
  const double *values = cell->scoring_values;
  return (ts_scoring){.reference = (ts_reference)(int)values[TS_SCORING_REFERENCE],
                      .normal_tolerance = values[TS_SCORING_NORMAL_TOLERANCE],
                      .position_tolerance_relative = values[TS_SCORING_POSITION_TOLERANCE]};
}

static void record_envelope(ts_record *record, ts_envelope envelope) {
  record->envelope = envelope.kind == TS_ENVELOPE_ERODED    ? "eroded"
                     : envelope.kind == TS_ENVELOPE_DILATED ? "dilated"
                                                            : "none";
  record->envelope_m = envelope.kind == TS_ENVELOPE_NONE ? 0 : envelope.size_m;
}

/// Builds the scene and runs the method on it, timed.
static ts_status measure(run *r) {
  int64_t start = ts_clock_ns();
  TS_TRY(ts_case_build(&r->scene, r->arena, r->cell->c, r->cell->case_values));
  r->record->build_ns = (double)(ts_clock_ns() - start);
  r->record->bodies = (double)r->scene->body_count;
  TS_TRY(ts_narrow_phase_create(&r->phase, r->scene, r->cell->method, r->cell->method_values,
                                scoring_of(r->cell).reference));
  record_envelope(r->record, ts_narrow_phase_envelope(r->phase));
  r->pair_count = ts_narrow_phase_pair_count(r->phase);
  r->record->pairs_candidate = (double)r->pair_count;
  r->record->pairing_ns = (double)ts_narrow_phase_pairing_ns(r->phase);
  TS_TRY(measure_prepare(r));
  return measure_generate(r);
}

static ts_status score(ts_judgement *out, run *r) {
  int64_t start = ts_clock_ns();
  TS_TRY(ts_judge(out, r->arena, r->scene, r->contacts, r->pair_count,
                  ts_narrow_phase_envelope(r->phase), scoring_of(r->cell)));
  TS_TRY(ts_metrics_compute(r->record, out));
  r->record->score_ns = (double)(ts_clock_ns() - start);
  r->record->contacts_hash =
      ts_arena_format(r->arena, "%016" PRIx64, ts_contact_sets_hash(r->contacts, r->pair_count));
  return r->record->contacts_hash ? TS_OK : TS_E_MEMORY;
}

static const char *feature_name(ts_feature feature) {
  switch (feature.kind) {
  case TS_FEATURE_VERTEX:
    return "vertex";
  case TS_FEATURE_EDGE:
    return "edge";
  case TS_FEATURE_FACE:
    return "face";
  default:
    return "none";
  }
}

static double feature_index(ts_feature feature) {
  return feature.kind == TS_FEATURE_NONE ? (double)NAN : (double)feature.index;
}

static ts_contact_row contact_row(const ts_record *record, const ts_judged_pair *pair, size_t i) {
  const ts_contact *contact = &pair->set->contacts[i];
  const ts_verdict *verdict = &pair->verdicts[i];
  ts_contact_row row;
  ts_row_init(&ts_contact_rows, &row);
  row.cell = record->cell;
  row.case_name = record->case_name;
  row.method = record->method;
  row.step = record->step;
  row.body_a = pair->set->body_a;
  row.body_b = pair->set->body_b;
  row.index = (double)i;
  row.point_x_m = contact->point.x;
  row.point_y_m = contact->point.y;
  row.point_z_m = contact->point.z;
  row.normal_x = contact->normal.x;
  row.normal_y = contact->normal.y;
  row.normal_z = contact->normal.z;
  row.gap_m = contact->gap_m;
  row.area_m2 = contact->area_m2;
  row.feature_a = feature_name(contact->feature_a);
  row.feature_a_index = feature_index(contact->feature_a);
  row.feature_b = feature_name(contact->feature_b);
  row.feature_b_index = feature_index(contact->feature_b);
  row.normal_error_deg = verdict->normal_error_deg;
  row.correct = verdict->is_correct;
  if (verdict->region != TS_NO_REGION)
    row.region = (double)(verdict->region - pair->first_region);
  row.position_error_m = verdict->position_error_m;
  row.phantom = verdict->is_phantom;
  row.speculative = verdict->is_speculative;
  return row;
}

static ts_status add_contact_rows(ts_cell_rows *out, run *r, const ts_judgement *judgement) {
  size_t total = 0, row = 0;
  for (size_t p = 0; p < judgement->pair_count; p++)
    total += judgement->pairs[p].set->count;
  ts_contact_row *rows = ts_arena_array(r->arena, total, sizeof *rows);
  if (!rows)
    return TS_E_MEMORY;
  for (size_t p = 0; p < judgement->pair_count; p++)
    for (size_t i = 0; i < judgement->pairs[p].set->count; i++)
      rows[row++] = contact_row(r->record, &judgement->pairs[p], i);
  out->contacts = rows;
  out->contact_count = total;
  return TS_OK;
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
  }
}

static ts_status add_sample_rows(ts_cell_rows *out, run *r) {
  size_t total = r->prepare.count + r->generate.count;
  ts_sample_row *rows = ts_arena_array(r->arena, total, sizeof *rows);
  if (!rows)
    return TS_E_MEMORY;
  fill_sample_rows(rows, r->record, "prepare", r->prepare);
  fill_sample_rows(rows + r->prepare.count, r->record, "generate", r->generate);
  out->samples = rows;
  out->sample_count = total;
  return TS_OK;
}

/// Turns a status into the row's outcome, with the detail line as the reason.
static ts_status note_outcome(run *r, ts_status status) {
  r->record->outcome = status > 0 ? "skipped" : status == TS_E_MEMORY ? "out_of_memory" : "failed";
  r->record->reason = ts_arena_string(r->arena, ts_status_detail());
  return r->record->reason ? TS_OK : TS_E_MEMORY;
}

ts_status ts_cell_run(ts_cell_rows *out, ts_arena *arena, const ts_cell *cell,
                      const ts_timing *timing) {
  run r = {.arena = arena, .cell = cell, .timing = timing};
  r.record = ts_arena_alloc(arena, sizeof *r.record);
  if (!r.record)
    return TS_E_MEMORY;
  ts_cell_record(r.record, cell, "ok", "");
  *out = (ts_cell_rows){.records = r.record, .record_count = 1};
  ts_judgement judgement;
  ts_status status = measure(&r);
  if (status != TS_OK) {
    status = note_outcome(&r, status);
  } else {
    status = score(&judgement, &r);
    if (status == TS_OK)
      status = add_contact_rows(out, &r, &judgement);
    if (status == TS_OK)
      status = add_sample_rows(out, &r);
  }
  ts_narrow_phase_destroy(r.phase);
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
