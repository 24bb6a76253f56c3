// SPDX-License-Identifier: MIT
// covers: harness/narrow_phase/candidates.c harness/run/cell.c harness/run/timing.c
#include "base/status.h"
#include "cases/scene/shapes.h"
#include "geometry/vec3.h"
#include "harness/controls/controls.h"
#include "harness/narrow_phase/narrow_phase.h"
#include "harness/run/cell.h"
#include "methods/registry.h"
#include "tests/harness/judge/scoring_fixture.h"
#include "tests/harness/run/cell_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(harness_cell, .init = scoring_setup, .fini = scoring_teardown, .timeout = 120);

// A method that records how it is called. Each test runs in its own process.
static struct {
  int shapes_prepared, pairs_prepared, shapes_released, pairs_released, generated;
  int fail_at_pair; ///< prepare_pair() fails at its n-th call; 0: never
  ts_status status; ///< result of prepare_pair() then, or of generate() of `failing`
  const char *message;
  ts_envelope envelope;
  ts_pair last_pair;
  double height_b_m; ///< of its mesh, which is freed when the cell ends
} spy;

static ts_status spy_prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh,
                                   const double *params) {
  (void)params;
  const ts_mesh **state = host->alloc(host, sizeof *state);
  *state = mesh;
  *out = state;
  spy.shapes_prepared++;
  return TS_OK;
}

static ts_status spy_prepare_pair(void **out, const ts_host *host, const ts_pair *pair,
                                  const void *shape_a, const void *shape_b, const double *params) {
  (void)params;
  cr_assert_eq(*(const ts_mesh *const *)shape_a, pair->mesh_a);
  cr_assert_eq(*(const ts_mesh *const *)shape_b, pair->mesh_b);
  if (spy.fail_at_pair && spy.pairs_prepared + 1 == spy.fail_at_pair)
    return spy.message ? host->fail(host, spy.status, spy.message) : spy.status;
  *out = host->alloc(host, sizeof(int));
  spy.pairs_prepared++;
  return TS_OK;
}

static void spy_release_shape(void *shape) {
  cr_assert(shape);
  spy.shapes_released++;
}

static void spy_release_pair(void *pair_state) {
  cr_assert(pair_state);
  spy.pairs_released++;
}

static double height_of(const ts_mesh *mesh) {
  ts_aabb box = ts_mesh_bounds(mesh);
  return box.high.y - box.low.y;
}

static ts_status spy_generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                              const void *shape_b, void *pair_state, const double *params) {
  (void)params;
  cr_assert(shape_a && shape_b && pair_state);
  spy.generated++;
  spy.last_pair = *pair;
  spy.height_b_m = height_of(pair->mesh_b);
  ts_contact contact = contact_at(pair->body_a, pair->body_b, 0, up, 0);
  ts_contact twice[] = {contact, contact};
  return host->push(host, twice, 2);
}

static const ts_method spy_method = {.abi = TS_METHOD_ABI,
                                     .struct_size = sizeof(ts_method),
                                     .name = "spy",
                                     .prepare_shape = spy_prepare_shape,
                                     .prepare_pair = spy_prepare_pair,
                                     .generate = spy_generate,
                                     .release_shape = spy_release_shape,
                                     .release_pair = spy_release_pair};

/// A method with just a generate().
static ts_method method_of(ts_status (*generate)(const ts_host *, const ts_pair *, const void *,
                                                 const void *, void *, const double *)) {
  return (ts_method){
      .abi = TS_METHOD_ABI, .struct_size = sizeof(ts_method), .name = "own", .generate = generate};
}

static ts_cell_rows run_timed(const char *case_name, const ts_method *method, ts_timing timing) {
  cell_draft draft = draft_cell(arena, case_name, method);
  ts_cell_rows rows;
  cr_assert_eq(collect_cell(&rows, arena, &draft.cell, &timing), TS_OK);
  return rows;
}

static ts_record run_once(const char *case_name, const ts_method *method) {
  return run_timed(case_name, method, once).records[0];
}

Test(harness_cell, a_row_identifies_its_cell) {
  cell_draft draft = draft_cell(arena, "wall", &spy_method);
  ts_record r = run_draft(arena, &draft).records[0];
  cr_assert_str_eq(r.cell, "0123456789abcdef");
  cr_assert_str_eq(r.case_name, "wall");
  cr_assert_str_eq(r.method, "spy");
  cr_assert_str_eq(r.case_parameters, "a=1");
  cr_assert_str_eq(r.method_parameters, "b=2");
  cr_assert_str_eq(r.scoring_parameters, "c=3");
  cr_assert_eq(r.step, 0);
  cr_assert_str_eq(r.outcome, "ok");
  cr_assert_str_eq(r.reason, "");
  cr_assert_str_eq(r.envelope, "none");
  cr_assert_eq(r.envelope_m, 0);
  cr_assert_eq(r.bodies, 10);
}

Test(harness_cell, an_empty_record_has_no_measured_values) {
  cell_draft draft = draft_cell(arena, "wall", &spy_method);
  ts_record r;
  ts_cell_record(&r, &draft.cell, TS_OUTCOME_CRASHED, "signal 11");
  cr_assert_str_eq(r.outcome, "crashed");
  cr_assert_str_eq(r.reason, "signal 11");
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    if (field->kind != TS_FIELD_TEXT && field->compare != TS_COMPARE_IDENTITY)
      cr_expect(isnan(ts_row_number(field, &r)), "%s", field->column);
  }
}

Test(harness_cell, each_used_shape_and_pair_is_prepared_and_released_once) {
  ts_record r = run_once("wall", &spy_method);
  cr_assert_eq(spy.shapes_prepared, 2, "brick and ground");
  cr_assert_eq(spy.pairs_prepared, 2 * r.pairs_candidate,
               "once more, to see whether the contacts depend on where that is done");
  cr_assert_eq(spy.shapes_released, 2);
  cr_assert_eq(spy.pairs_released, spy.pairs_prepared);
  cr_assert_eq(spy.generated, 3 * r.pairs_candidate,
               "one pass is timed, one is collected, and one sees whether they depend on it");
  cr_assert_gt(r.pairs_candidate, 3);
}

Test(harness_cell, preparation_is_repeated_and_released_as_often) {
  ts_cell_rows rows = run_timed("wall", &spy_method, (ts_timing){3, 0, 1, 1});
  int times = 1 + 3; // a warm-up and three repeats
  cr_assert_eq(spy.shapes_prepared, 2 * times);
  cr_assert_eq(spy.shapes_released, spy.shapes_prepared);
  cr_assert_eq(spy.pairs_prepared, rows.records[0].pairs_candidate * (times + 1));
  cr_assert_eq(spy.pairs_released, spy.pairs_prepared);
}

Test(harness_cell, what_was_prepared_before_a_failure_is_released) {
  spy.fail_at_pair = 3;
  spy.status = TS_E_INPUT;
  spy.message = "pair three will not do";
  ts_cell_rows rows = run_timed("wall", &spy_method, once);
  cr_assert_str_eq(rows.records[0].outcome, "failed");
  cr_assert_str_eq(rows.records[0].reason, "bodies ground and brick_0_2: pair three will not do");
  cr_assert_eq(rows.contact_count + rows.sample_count, 0);
  cr_assert_eq(spy.generated, 0);
  cr_assert_eq(spy.pairs_prepared, 2);
  cr_assert_eq(spy.pairs_released, 2);
  cr_assert_eq(spy.shapes_released, 2);
  cr_assert(isnan(rows.records[0].quality_percent));
}

static ts_status give_status(const ts_host *host, const ts_pair *pair, const void *shape_a,
                             const void *shape_b, void *pair_state, const double *params) {
  (void)pair, (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  return spy.message ? host->fail(host, spy.status, spy.message) : spy.status;
}

static ts_record run_with_status(ts_status status, const char *message) {
  spy.status = status;
  spy.message = message;
  ts_method method = method_of(give_status);
  return run_once("wall", &method);
}

Test(harness_cell, a_status_becomes_an_outcome_and_its_message_the_reason) {
  (void)ts_fail(TS_E_IO, "a message from long ago");
  ts_record r = run_with_status(TS_E_UNSUPPORTED, "no idea");
  cr_assert_str_eq(r.outcome, "failed");
  cr_assert_str_eq(r.reason, "no idea");
  r = run_with_status(TS_E_UNSUPPORTED, NULL);
  cr_assert_str_eq(r.outcome, "failed");
  cr_assert_str_eq(r.reason, "generate() says: unsupported");
  r = run_with_status(-77, NULL);
  cr_assert_str_eq(r.outcome, "failed");
  r = run_with_status(TS_SKIPPED, "not my kind of body");
  cr_assert_str_eq(r.outcome, "skipped");
  cr_assert_str_eq(r.reason, "not my kind of body");
  r = run_with_status(5, NULL);
  cr_assert_str_eq(r.outcome, "skipped");
  r = run_with_status(TS_E_MEMORY, "out of memory");
  cr_assert_str_eq(r.outcome, "out_of_memory");
}

Test(harness_cell, a_failed_row_keeps_what_was_known) {
  ts_record r = run_with_status(TS_E_INPUT, "no");
  cr_assert_eq(r.bodies, 10);
  cr_assert_gt(r.pairs_candidate, 0);
  cr_assert(isnan(r.contacts) && isnan(r.generate_ns_min) && isnan(r.quality_percent));
}

static ts_status generate_drifting(const ts_host *host, const ts_pair *pair, const void *shape_a,
                                   const void *shape_b, void *pair_state, const double *params) {
  (void)pair, (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  ts_contact contact = contact_at(++spy.generated, 0, 0, up, 0);
  return host->push(host, &contact, 1);
}

static ts_status generate_reordering(const ts_host *host, const ts_pair *pair, const void *shape_a,
                                     const void *shape_b, void *pair_state, const double *params) {
  (void)pair, (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  int first = spy.generated++ % 2;
  ts_contact contacts[] = {contact_at(first, 0, 0, up, 0), contact_at(1 - first, 0, 0, up, 0)};
  return host->push(host, contacts, 2);
}

static const ts_timing three_times = {3, 0, 1, 1};

Test(harness_cell, different_contacts_in_a_repeat_are_a_failure) {
  ts_method method = method_of(generate_drifting);
  for (int is_cold = 0; is_cold < 2; is_cold++) {
    ts_record r = run_timed("sliding_spike", &method, is_cold ? once : three_times).records[0];
    cr_assert_str_eq(r.outcome, "failed");
    cr_assert_str_eq(r.reason, "gives different contacts when called again");
  }
}

Test(harness_cell, the_order_in_which_contacts_come_does_not_matter) {
  ts_method method = method_of(generate_reordering);
  ts_record r = run_timed("sliding_spike", &method, three_times).records[0];
  cr_assert_str_eq(r.outcome, "ok", "%s", r.reason);
}

Test(harness_cell, one_repeat_is_one_cold_pass) {
  ts_method method = method_of(generate_reordering);
  ts_cell_rows rows = run_timed("sliding_spike", &method, once);
  cr_assert_eq(spy.generated, 2, "one timed, before one that is collected");
  cr_assert_eq(rows.records[0].repeats, 1);
  cr_assert_eq(rows.sample_count, 1);
  cr_assert_eq(rows.samples[0].time_ns, rows.records[0].generate_ns_min);
  cr_assert_eq(rows.records[0].generate_ns_mad, 0);
}

static size_t count_samples(ts_cell_rows rows, const char *phase) {
  size_t count = 0;
  for (size_t i = 0; i < rows.sample_count; i++)
    if (strcmp(rows.samples[i].phase, phase) == 0) {
      cr_assert_eq(rows.samples[i].sample, (double)count);
      cr_assert_geq(rows.samples[i].time_ns, 0);
      cr_assert_str_eq(rows.samples[i].case_name, "wall");
      count++;
    }
  return count;
}

Test(harness_cell, there_are_as_many_samples_as_repeats_requested) {
  ts_cell_rows rows = run_timed("wall", &spy_method, (ts_timing){7, 0, 1, 1});
  cr_assert_eq(count_samples(rows, "generate"), 7);
  cr_assert_eq(count_samples(rows, "prepare"), 5, "preparation is not repeated more often");
  cr_assert_eq(rows.records[0].repeats, 7);
  rows = run_timed("wall", &spy_method, (ts_timing){0, 0, 3, 100});
  cr_assert_eq(count_samples(rows, "generate"), 3, "at least min_repeats");
  rows = run_timed("wall", &spy_method, (ts_timing){0, 0.02, 8, 8});
  cr_assert_eq(count_samples(rows, "generate"), 8, "at most max_repeats");
  cr_assert_eq(count_samples(rows, "prepare"), 5);
  rows = run_timed("wall", &spy_method, (ts_timing){0, 0, 0, 0});
  cr_assert_eq(count_samples(rows, "generate"), 1, "at least one in any case");
}

Test(harness_cell, times_are_recorded_separately) {
  ts_record r = run_timed("wall", &spy_method, three_times).records[0];
  cr_assert_gt(r.build_ns, 0);
  cr_assert_gt(r.pairing_ns, 0);
  cr_assert_gt(r.prepare_ns, 0);
  cr_assert_gt(r.generate_ns_min, 0);
  cr_assert_leq(r.generate_ns_min, r.generate_ns_median);
  cr_assert_gt(r.score_ns, 0);
  cr_assert(isnan(r.memory_bytes_max), "that is the parent's to say");
  cell_draft draft = draft_cell(arena, "wall", ts_controls[0]);
  ts_cell_rows rows = run_draft(arena, &draft);
  cr_assert_eq(rows.records[0].prepare_ns, 0, "nothing to prepare takes no time");
  cr_assert_eq(count_samples(rows, "prepare"), 0);
}

static ts_status work_of_ten_ns(ts_stretch *out, void *context, size_t passes) {
  *(size_t *)context += passes;
  out->time_ns = 10 * (double)passes;
  return TS_OK;
}

Test(harness_cell, a_sample_is_long_against_the_clock) {
  size_t done = 0, passes = 0;
  cr_assert_eq(ts_timing_calibrate(&passes, &three_times, work_of_ten_ns, &done), TS_OK);
  cr_assert_geq(10 * passes, 1000, "a clock ticks in nanoseconds at best");
  ts_samples samples;
  done = 0;
  cr_assert_eq(ts_timing_sample(&samples, arena, &three_times, passes, work_of_ten_ns, &done),
               TS_OK);
  cr_assert_eq(done, 3 * passes);
  cr_assert_eq(samples.count, 3);
  cr_assert_eq(samples.passes, passes);
  cr_assert_float_eq(samples.time_ns[2], 10, 1e-12, "the time of one pass");
}

Test(harness_cell, the_minimum_time_is_filled_by_longer_samples_not_by_more_than_the_maximum) {
  const ts_timing two_seconds = {0, 2, 5, 1000};
  size_t done = 0, passes = 0;
  ts_samples samples;
  cr_assert_eq(ts_timing_calibrate(&passes, &two_seconds, work_of_ten_ns, &done), TS_OK);
  done = 0;
  cr_assert_eq(ts_timing_sample(&samples, arena, &two_seconds, passes, work_of_ten_ns, &done),
               TS_OK);
  cr_assert_leq(samples.count, 1000);
  cr_assert_geq(10 * done, 2000000000, "%zu ns", 10 * done);
  cr_assert_leq(10 * done, 3000000000, "%zu ns", 10 * done);
}

Test(harness_cell, many_samples_are_all_kept) {
  size_t done = 0;
  ts_samples samples;
  const ts_timing timing = {1000, 0, 1, 1};
  cr_assert_eq(ts_timing_sample(&samples, arena, &timing, 1, work_of_ten_ns, &done), TS_OK);
  cr_assert_eq(samples.count, 1000);
  for (size_t i = 0; i < samples.count; i++)
    cr_assert_eq(samples.time_ns[i], 10);
}

Test(harness_cell, samples_are_summarised_by_minimum_median_and_deviation) {
  double times[] = {9, 1, 2, 3, 100};
  ts_time_statistics s;
  cr_assert_eq(
      ts_samples_statistics(&s, arena, (ts_samples){.time_ns = times, .count = 5, .passes = 1}),
      TS_OK);
  cr_assert_eq(s.min_ns, 1);
  cr_assert_eq(s.median_ns, 3);
  cr_assert_eq(s.mad_ns, 2, "of 0, 1, 2, 6 and 97");
  cr_assert_eq(times[0], 9, "the samples stay in their order");
  cr_assert_eq(ts_samples_statistics(&s, arena, (ts_samples){.passes = 1}), TS_OK);
  cr_assert(isnan(s.min_ns) && isnan(s.median_ns) && isnan(s.mad_ns));
}

Test(harness_cell, crowded_samples_are_ignored_if_there_are_enough_others) {
  double times[] = {90, 1, 90, 2, 3, 4, 5}, waits[] = {80, 0, 10, 0.1, (double)NAN, 0, 0};
  ts_samples samples = {.time_ns = times, .waited_ns = waits, .count = 7, .passes = 1};
  ts_time_statistics s;
  cr_assert_eq(ts_samples_statistics(&s, arena, samples), TS_OK);
  cr_assert_eq(s.median_ns, 3);
  waits[6] = 1;
  cr_assert_eq(ts_samples_statistics(&s, arena, samples), TS_OK);
  cr_assert_eq(s.median_ns, 4, "of all: only four are left");
}

/// Samples of 10 ns, all but every `quiet_every`-th of them crowded; 0: all.
typedef struct crowd {
  size_t done, quiet_every;
} crowd;

static ts_status work_in_a_crowd(ts_stretch *out, void *context, size_t passes) {
  crowd *c = context;
  (void)passes;
  c->done++;
  bool is_quiet = c->quiet_every > 0 && c->done % c->quiet_every == 0;
  *out = (ts_stretch){10, is_quiet ? 0 : 8};
  return TS_OK;
}

Test(harness_cell, crowded_samples_do_not_count_towards_the_minimum_time) {
  const ts_timing hundred_ns = {0, 100e-9, 5, 1000};
  ts_samples samples;
  crowd half = {0, 2}, all = {0, 0}, none = {0, 1};
  cr_assert_eq(ts_timing_sample(&samples, arena, &hundred_ns, 1, work_in_a_crowd, &none), TS_OK);
  cr_expect_eq(samples.count, 10);
  cr_assert_eq(ts_timing_sample(&samples, arena, &hundred_ns, 1, work_in_a_crowd, &half), TS_OK);
  cr_expect_eq(samples.count, 20);
  cr_expect_eq(samples.waited_ns[0], 8);
  cr_expect_eq(samples.waited_ns[1], 0);
  cr_assert_eq(ts_timing_sample(&samples, arena, &hundred_ns, 1, work_in_a_crowd, &all), TS_OK);
  cr_expect_eq(samples.count, 40, "but there is an end");
  const ts_timing seven = {7, 0, 1, 1};
  cr_assert_eq(ts_timing_sample(&samples, arena, &seven, 1, work_in_a_crowd, &all), TS_OK);
  cr_expect_eq(samples.count, 7, "as many as asked for");
}

static int compare_rows(const ts_contact_row *a, const ts_contact_row *b) {
  const double keys[][2] = {{a->body_a, b->body_a},
                            {a->body_b, b->body_b},
                            {a->index, b->index},
                            {a->point_x_m, b->point_x_m}};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (keys[i][0] != keys[i][1])
      return keys[i][0] < keys[i][1] ? -1 : 1;
  return 0;
}

Test(harness_cell, contact_rows_come_by_pair_and_in_canonical_order) {
  cell_draft draft = draft_cell(arena, "wall", ts_controls[0]);
  ts_cell_rows rows = run_draft(arena, &draft);
  cr_assert_eq(rows.contact_count, rows.records[0].minimum);
  for (size_t i = 0; i < rows.contact_count; i++) {
    const ts_contact_row *row = &rows.contacts[i];
    cr_assert(i == 0 || compare_rows(row - 1, row) < 0, "row %zu", i);
    cr_assert_eq(row->region, 0, "counted within the pair");
    cr_assert_eq(row->correct, 1);
    cr_assert_eq(row->phantom + row->speculative, 0);
    cr_assert_str_eq(row->feature_a, "none");
    cr_assert(isnan(row->feature_a_index) && isnan(row->area_m2));
  }
}

static ts_status generate_features(const ts_host *host, const ts_pair *pair, const void *shape_a,
                                   const void *shape_b, void *pair_state, const double *params) {
  (void)pair, (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  ts_contact contact = contact_at(1, 2, 3, up, -4);
  contact.area_m2 = 5;
  contact.feature_a = (ts_feature){TS_FEATURE_FACE, 6};
  contact.feature_b = (ts_feature){TS_FEATURE_EDGE, 7};
  contact.group = 8;
  return host->push(host, &contact, 1);
}

Test(harness_cell, contact_rows_hold_all_of_a_contact) {
  ts_method method = method_of(generate_features);
  ts_cell_rows rows = run_timed("sliding_spike", &method, once);
  cr_assert_eq(rows.contact_count, 1);
  const ts_contact_row *r = &rows.contacts[0];
  const double numbers[] = {r->body_a,          r->body_b,    r->index,    r->point_x_m,
                            r->point_y_m,       r->point_z_m, r->normal_x, r->normal_y,
                            r->normal_z,        r->gap_m,     r->area_m2,  r->feature_a_index,
                            r->feature_b_index, r->group};
  // Its group is the first one.
  const double expected[] = {0, 1, 0, 1, 2, 3, 0, 1, 0, -4, 5, 6, 7, 1};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    cr_expect_eq(numbers[i], expected[i], "number %zu: %g", i, numbers[i]);
  cr_assert_str_eq(r->feature_a, "face");
  cr_assert_str_eq(r->feature_b, "edge");
  cr_assert_eq(r->phantom, 1);
  cr_assert_eq(r->normal_error_deg, 0);
  cr_assert_str_eq(r->cell, rows.records[0].cell);
}

Test(harness_cell, duplicates_are_delivered_and_not_counted) {
  ts_cell_rows rows = run_timed("wall", &spy_method, three_times);
  cr_assert_eq(rows.records[0].contacts_delivered, 2 * rows.records[0].pairs_candidate);
  cr_assert_eq(rows.contact_count, rows.records[0].pairs_candidate);
}

Test(harness_cell, equal_bits_give_equal_hashes) {
  ts_record a = run_once("wall", ts_controls[0]), b = run_once("wall", ts_controls[0]);
  cr_assert_str_eq(a.contacts_hash, b.contacts_hash);
  cr_assert_eq(strlen(a.contacts_hash), 16);
  cr_assert_eq(strspn(a.contacts_hash, "0123456789abcdef"), 16);
  cell_draft moved = draft_cell(arena, "wall", ts_controls[0]);
  draft_set(arena, &moved, "motion_seed", 1);
  cr_assert_str_neq(run_draft(arena, &moved).records[0].contacts_hash, a.contacts_hash);
}

Test(harness_cell, pairs_without_contacts_do_not_change_the_hash) {
  ts_contact contact = contact_at(0, 0, 0, up, 0);
  ts_contact_set sets[] = {set_of(0, 1, &contact, 1), set_of(0, 2, NULL, 0)};
  cr_assert_eq(ts_contact_sets_hash(sets, 1), ts_contact_sets_hash(sets, 2));
  sets[1] = set_of(0, 2, &contact, 1);
  cr_assert_neq(ts_contact_sets_hash(sets, 1), ts_contact_sets_hash(sets, 2));
}

Test(harness_cell, contacts_alone_are_those_of_the_rows) {
  const ts_method *method = ts_methods[0];
  cell_draft draft = draft_cell(arena, "wall", method);
  ts_cell_rows rows = run_draft(arena, &draft);
  ts_scene *scene;
  ts_contact_set *sets;
  size_t count, row = 0;
  cr_assert_eq(ts_case_build(&scene, arena, draft.cell.c, draft.case_values), TS_OK);
  cr_assert_eq(ts_cell_contacts(&sets, &count, arena, scene, method, draft.method_values), TS_OK);
  cr_assert_eq(count, rows.records[0].pairs_candidate);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < sets[i].count; k++, row++) {
      cr_assert_eq(sets[i].body_b, rows.contacts[row].body_b);
      cr_assert_eq(sets[i].contacts[k].point.x, rows.contacts[row].point_x_m);
      cr_assert_eq(sets[i].contacts[k].gap_m, rows.contacts[row].gap_m);
    }
  cr_assert_eq(row, rows.contact_count);
  cr_assert_gt(row, 0);
}

Test(harness_cell, contacts_alone_fail_as_the_method_does) {
  cell_draft draft = draft_cell(arena, "wall", &spy_method);
  ts_scene *scene;
  ts_contact_set *sets;
  size_t count;
  ts_method method = method_of(give_status);
  spy.status = TS_E_UNSUPPORTED;
  spy.message = "no idea";
  cr_assert_eq(ts_case_build(&scene, arena, draft.cell.c, draft.case_values), TS_OK);
  cr_assert_eq(ts_cell_contacts(&sets, &count, arena, scene, &method, NULL), TS_E_UNSUPPORTED);
  cr_assert_str_eq(ts_status_detail(), "no idea");
  cr_assert_eq(count, 0);
}

static const ts_param spy_params[] = {
    {.name = "size_m", .kind = TS_PARAM_REAL, .is_length = 1, .default_value = 0.01, .maximum = 9},
    {.name = "kind", .kind = TS_PARAM_REAL, .default_value = TS_ENVELOPE_ERODED, .maximum = 2},
};

static ts_status spy_envelope(ts_envelope *out, const double *params) {
  *out = spy.envelope;
  out->size_m = params[0];
  out->kind = (int32_t)params[1];
  return TS_OK;
}

static ts_method enveloped(void) {
  ts_method method = spy_method;
  method.envelope = spy_envelope;
  method.params = spy_params;
  method.param_count = 2;
  return method;
}

Test(harness_cell, bodies_are_put_in_the_envelope_at_the_scale_of_the_case) {
  static const struct {
    int kind, mode;
    double growth; ///< of the cube's height, relative to the size of the envelope
    const char *name;
  } expected[] = {{TS_ENVELOPE_ERODED, TS_ENVELOPE_FACES, -2, "eroded"},
                  {TS_ENVELOPE_ERODED, TS_ENVELOPE_VERTICES, -2 / 1.7320508075688772, "eroded"},
                  {TS_ENVELOPE_DILATED, TS_ENVELOPE_FACES, 2, "dilated"},
                  {TS_ENVELOPE_NONE, TS_ENVELOPE_FACES, 0, "none"}};
  ts_method method = enveloped();
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    cell_draft draft = draft_cell(arena, "internal_edges", &method);
    draft_set(arena, &draft, "scale", 10);
    draft.method_values[1] = expected[i].kind;
    spy.envelope.mode = expected[i].mode;
    ts_record r = run_draft(arena, &draft).records[0];
    cr_assert_str_eq(r.outcome, "ok", "%s", r.reason);
    cr_assert_str_eq(r.envelope, expected[i].name);
    cr_assert_float_eq(r.envelope_m, expected[i].kind ? 0.1 : 0, 1e-15);
    cr_assert_float_eq(spy.height_b_m, 20 + 0.1 * expected[i].growth, 1e-9);
    cr_assert_float_eq(spy.last_pair.size_m, 20, 1e-12, "as designed");
    cr_assert_float_eq(spy.last_pair.envelope.size_m, 0.1, 1e-15);
  }
}

Test(harness_cell, an_invalid_or_impossible_envelope_is_a_failure) {
  ts_method method = enveloped();
  const double sizes[] = {-1, NAN, INFINITY, 5};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    cell_draft draft = draft_cell(arena, "internal_edges", &method);
    draft.method_values[0] = sizes[i];
    ts_record r = run_draft(arena, &draft).records[0];
    cr_assert_str_eq(r.outcome, "failed", "%g", sizes[i]);
    cr_assert_neq(r.reason[0], '\0');
    cr_assert_eq(spy.generated, 0);
  }
}

static double candidates(ts_method *method, double reach_m) {
  spy.envelope.reach_m = reach_m;
  cell_draft draft = draft_cell(arena, "wall", method);
  draft.method_values[0] = 0;
  return run_draft(arena, &draft).records[0].pairs_candidate;
}

Test(harness_cell, candidates_come_as_close_as_the_reach) {
  ts_method method = enveloped();
  double touching = candidates(&method, 0), near = candidates(&method, 0.5);
  cr_assert_gt(near, touching);
  cr_assert_eq(candidates(&method, 0.001), touching);
}

Test(harness_cell, a_pair_is_posed_and_moves_as_its_bodies) {
  cell_draft draft = draft_cell(arena, "sliding_spike", &spy_method);
  run_draft(arena, &draft);
  cr_assert_eq(spy.last_pair.struct_size, sizeof(ts_pair));
  cr_assert_eq(spy.last_pair.body_a, 0);
  cr_assert_eq(spy.last_pair.body_b, 1);
  cr_assert_eq(spy.last_pair.twist_b.linear_m_s.x, -2.4);
  cr_assert_eq(spy.last_pair.twist_a.linear_m_s.x, 0);
}

static ts_record run_needing(const char *case_name, uint32_t needs) {
  ts_method method = spy_method;
  method.needs = needs;
  return run_once(case_name, &method);
}

Test(harness_cell, a_method_whose_requirements_are_not_met_is_skipped) {
  static const struct {
    const char *case_name;
    uint32_t needs;
    bool is_run;
  } expected[] = {
      {"wall", TS_NEEDS_TETS, true},     {"wall", TS_NEEDS_GL, false},
      {"wall", TS_NEEDS_CONVEX, true},   {"arch", TS_NEEDS_CONVEX, true},
      {"pillar", TS_NEEDS_CONVEX, true}, {"spike_in_hole", TS_NEEDS_CONVEX, true},
      {"tori", TS_NEEDS_CONVEX, false},  {"wall", TS_NEEDS_CLOSED, true},
      {"wall", TS_NEEDS_VELOCITY, true}, {"wall", TS_NEEDS_PENETRATION, true},
  };
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    ts_record r = run_needing(expected[i].case_name, expected[i].needs);
    cr_expect_str_eq(r.outcome, expected[i].is_run ? "ok" : "skipped", "%s needing %u: %s",
                     expected[i].case_name, expected[i].needs, r.reason);
    cr_expect_eq(r.reason[0] == '\0', expected[i].is_run);
  }
}

Test(harness_cell, a_method_that_wants_opengl_of_the_host_learns_what_to_do) {
  ts_record r = run_needing("wall", TS_NEEDS_GL);
  cr_expect(strstr(r.reason, "create one in the method"), "%s", r.reason);
}

Test(harness_cell, convex_bodies_are_known_at_any_scale) {
  ts_method method = spy_method;
  method.needs = TS_NEEDS_CONVEX;
  for (int i = -1; i <= 1; i++) {
    cell_draft draft = draft_cell(arena, "pillar", &method);
    draft_set(arena, &draft, "scale", pow(10, 3 * i));
    cr_expect_str_eq(run_draft(arena, &draft).records[0].outcome, "ok");
  }
}

static ts_status prepare_noting(void **out, const ts_host *host, const ts_pair *pair,
                                const void *shape_a, const void *shape_b, const double *params) {
  (void)out, (void)pair, (void)shape_a, (void)shape_b, (void)params;
  (void)host->fail(host, TS_E_INPUT, "a note on something that was then dealt with");
  return TS_OK;
}

Test(harness_cell, a_note_from_preparation_is_not_a_reason_of_generation) {
  ts_method method = method_of(give_status);
  method.prepare_pair = prepare_noting;
  spy.status = TS_E_INPUT;
  cr_assert_str_eq(run_once("sliding_spike", &method).reason, "generate() says: bad input");
}

static ts_narrow_phase *create_phase(ts_scene **out_scene, const ts_method *method) {
  cell_draft draft = draft_cell(arena, "wall", method);
  ts_narrow_phase *phase;
  cr_assert_eq(ts_case_build(out_scene, arena, draft.cell.c, draft.case_values), TS_OK);
  int32_t spare;
  cr_assert_eq(ts_shape_box(&spare, *out_scene, "spare", 1, 1, 1), TS_OK);
  cr_assert_eq(ts_narrow_phase_create(&phase, *out_scene, method, NULL, TS_REFERENCE_DESIGN),
               TS_OK);
  return phase;
}

Test(harness_cell, contacts_are_collected_afresh_whatever_passes_went_before) {
  ts_scene *scene;
  ts_narrow_phase *phase = create_phase(&scene, &spy_method);
  size_t count = ts_narrow_phase_pair_count(phase);
  ts_contact_set *sets;
  cr_assert_eq(ts_narrow_phase_prepare(phase), TS_OK);
  cr_assert_eq(spy.shapes_prepared, 2, "the spare shape is not in use");
  cr_assert_eq(ts_narrow_phase_pass(phase, 0, false), TS_OK);
  cr_assert_eq(ts_narrow_phase_collect(&sets, phase, arena), TS_OK);
  for (size_t i = 0; i < count; i++) {
    cr_assert_eq(sets[i].count, 1, "the spy gives one contact twice");
    cr_assert_eq(sets[i].delivered, 2);
  }
  ts_narrow_phase_destroy(phase);
  cr_assert_eq((size_t)spy.pairs_released, count);
}

static ts_status prepare_pushing(void **out, const ts_host *host, const ts_pair *pair,
                                 const void *shape_a, const void *shape_b, const double *params) {
  (void)out, (void)pair, (void)shape_a, (void)shape_b, (void)params;
  ts_contact contact = contact_at(0, 0, 0, up, 0);
  return host->push(host, &contact, 1);
}

Test(harness_cell, contacts_pushed_outside_of_generate_are_refused) {
  ts_scene *scene;
  ts_method method = method_of(generate_features);
  method.prepare_pair = prepare_pushing;
  ts_narrow_phase *phase = create_phase(&scene, &method);
  cr_assert_eq(ts_narrow_phase_prepare(phase), TS_E_INPUT);
  cr_assert_eq(ts_narrow_phase_pass(phase, 0, false), TS_OK);
  cr_assert_eq(ts_narrow_phase_prepare(phase), TS_E_INPUT, "not after generate() either");
  ts_narrow_phase_destroy(phase);
}

static unsigned char *kept_memory;

static ts_status prepare_memory(void **out, const ts_host *host, const ts_pair *pair,
                                const void *shape_a, const void *shape_b, const double *params) {
  (void)out, (void)pair, (void)shape_a, (void)shape_b, (void)params;
  kept_memory = host->alloc(host, 1000);
  memset(kept_memory, 7, 1000);
  unsigned char *scratch = host->scratch(host, 1000);
  memset(scratch, 9, 1000);
  return TS_OK;
}

static ts_status generate_memory(const ts_host *host, const ts_pair *pair, const void *shape_a,
                                 const void *shape_b, void *pair_state, const double *params) {
  (void)pair, (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  static unsigned char *before;
  unsigned char *one = host->scratch(host, 1000), *two = host->scratch(host, 1000);
  cr_assert(one && two && (one + 1000 <= two || two + 1000 <= one), "each has its own");
  cr_assert_eq((uintptr_t)one % 16, 0);
  cr_assert(!before || before == one, "the same blocks serve each call");
  before = one;
  for (int i = 0; i < 1000; i++)
    cr_assert(one[i] == 0 && two[i] == 0 && kept_memory[i] == 7);
  memset(one, 1, 1000);
  memset(two, 1, 1000);
  return TS_OK;
}

Test(harness_cell, scratch_is_zeroed_and_reused_and_kept_memory_stays) {
  ts_method method = method_of(generate_memory);
  method.prepare_pair = prepare_memory;
  ts_record r = run_timed("wall", &method, three_times).records[0];
  cr_assert_str_eq(r.outcome, "ok", "%s", r.reason);
}
