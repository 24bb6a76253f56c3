// SPDX-License-Identifier: MIT
// covers: harness/judge/metrics/area_coverage.c harness/judge/metrics/contact_count.c
// covers: harness/judge/metrics/excess.c harness/judge/metrics/metric.c
// covers: harness/judge/metrics/motion.c harness/judge/metrics/normal_coverage.c
// covers: harness/judge/metrics/normal_error.c harness/judge/metrics/normal_quality.c
// covers: harness/judge/metrics/phantom.c harness/judge/metrics/position.c
#include "geometry/tolerances.h"
#include "harness/judge/metrics/metric.h"
#include "tests/harness/judge/scoring_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(harness_metrics, .init = scoring_setup, .fini = scoring_teardown);

static const ts_envelope eroded = {TS_ENVELOPE_ERODED, 0, 0.01, 0};

#define A 0.70710678118654752440

/// Bodies 0 and 1 touch in the unit square, 1 and 2 in a segment of 2 m along x, 2 and 3 in a point
/// with two walls at 45 degrees, both needed. In total: 3 regions, 4 needed normals, minimum 8.
static const region_spec three[] = {
    SQUARE(0, 1),
    {.a = 1,
     .b = 2,
     .vertex_count = 2,
     .vertices = {{0, 0, 0}, {2, 0, 0}},
     .normal_count = 1,
     .normals = {{{0, 1, 0}, 0}}},
    {.a = 2,
     .b = 3,
     .vertex_count = 1,
     .vertices = {{0, 0, 0}},
     .normal_count = 2,
     .normals = {{{A, A, 0}, 0}, {{-A, A, 0}, 0}}},
};

static const ts_vec3 wall_0 = {A, A, 0}, wall_1 = {-A, A, 0};

static ts_record measure_by(ts_scoring_rule rule, const ts_scene *scene, const ts_contact_set *sets,
                            size_t count, ts_envelope envelope) {
  ts_record record;
  ts_row_init(&ts_summary_rows, &record);
  ts_judgement judgement = judge_by(rule, scene, sets, count, envelope);
  cr_assert_eq(ts_metrics_compute(&record, &judgement), TS_OK);
  return record;
}

static ts_record measure(const ts_scene *scene, const ts_contact_set *sets, size_t count,
                         ts_envelope envelope) {
  return measure_by(TS_RULE_TOUCHSTONE, scene, sets, count, envelope);
}

/// The measures of contacts of bodies 0 and 1 in a scene with one region.
static ts_record measure_pair(const region_spec *spec, const ts_contact *contacts, size_t count,
                              ts_envelope envelope) {
  ts_contact_set set = set_of(0, 1, contacts, count);
  return measure(scene_with(2, spec, 1), &set, 1, envelope);
}

static const region_spec square[] = {SQUARE(0, 1)};

/// Three vertices of the square, one of them with a wrong normal; one end of the segment; one wall.
static ts_record measure_some(void) {
  ts_contact on_square[] = {contact_at(0, 0, 0, up, 0), contact_at(0, 0, 1, up, 0),
                            contact_at(1, 0, 0, up_tilted(45), 0)};
  ts_contact on_segment[] = {contact_at(0, 0, 0, up, 0), contact_at(0.5, 0, 0, down, 0)};
  ts_contact on_point = contact_at(0, 0, 0, wall_1, 0);
  ts_contact_set sets[] = {set_of(0, 1, on_square, 3), set_of(1, 2, on_segment, 2),
                           set_of(2, 3, &on_point, 1)};
  return measure(scene_with(4, three, 3), sets, 3, no_envelope);
}

Test(harness_metrics, counts_are_those_of_truth_and_of_the_contacts) {
  ts_record r = measure_some();
  cr_assert_eq(r.bodies, 4);
  cr_assert_eq(r.pairs_touching, 3);
  cr_assert_eq(r.regions, 3);
  cr_assert_eq(r.minimum, 8);
  cr_assert_eq(r.contacts, 6);
  cr_assert_eq(r.speculative, 0);
}

Test(harness_metrics, quality_is_the_share_of_correct_contacts) {
  cr_assert_float_eq(measure_some().quality_percent, 100 * 5.0 / 6, 1e-12);
}

Test(harness_metrics, coverage_is_the_share_of_normals_met) {
  cr_assert_float_eq(measure_some().coverage_percent, 100 * 3.0 / 4, 1e-12);
}

Test(harness_metrics, excess_is_contacts_over_minimum) {
  cr_assert_float_eq(measure_some().excess_factor, 6.0 / 8, 1e-15);
}

Test(harness_metrics, kinds_of_regions_are_weighted_by_their_number) {
  // Half the square, a quarter of the segment, the point: (0.5 + 0.25 + 1) / 3.
  cr_assert_float_eq(measure_some().area_coverage, 1.75 / 3, 1e-12);
}

Test(harness_metrics, regions_of_one_kind_are_weighted_by_their_measure) {
  const region_spec squares[] = {SQUARE(0, 1),
                                 {.a = 1,
                                  .b = 2,
                                  .vertex_count = 4,
                                  .vertices = {{0, 0, 0}, {0, 0, 3}, {3, 0, 3}, {3, 0, 0}},
                                  .normal_count = 1,
                                  .normals = {{{0, 1, 0}, 0}}}};
  ts_contact corners[] = {contact_at(0, 0, 0, up, 0), contact_at(0, 0, 1, up, 0),
                          contact_at(1, 0, 1, up, 0), contact_at(1, 0, 0, up, 0)};
  ts_contact_set set = set_of(0, 1, corners, 4);
  ts_record r = measure(scene_with(3, squares, 2), &set, 1, no_envelope);
  cr_assert_float_eq(r.area_coverage, 1.0 / 10, 1e-12);
  cr_assert_eq(r.regions_missed, 1);
}

Test(harness_metrics, normal_errors_are_summarised_by_median_95th_percentile_and_maximum) {
  ts_contact contacts[11];
  for (int i = 0; i < 11; i++)
    contacts[i] = contact_at(0.05 * i, 0, 0, up_tilted(10 - i), 0);
  ts_record r = measure_pair(square, contacts, 11, no_envelope);
  cr_assert_float_eq(r.normal_error_deg_median, 5, 1e-9);
  cr_assert_float_eq(r.normal_error_deg_p95, 9.5, 1e-9);
  cr_assert_float_eq(r.normal_error_deg_max, 10, 1e-9);
}

Test(harness_metrics, flipped_and_invalid_normals_are_counted) {
  ts_contact contacts[] = {contact_at(0, 0, 0, down, 0), contact_at(0, 0, 1, up_tilted(170), 0),
                           contact_at(1, 0, 1, (ts_vec3){NAN, 0, 0}, 0),
                           contact_at(1, 0, 0, (ts_vec3){0, 2, 0}, 0)};
  ts_contact elsewhere[] = {contact_at(0, 0, 0, down, 0),
                            contact_at(1, 0, 0, (ts_vec3){0, 0, 0}, 0)};
  ts_contact_set sets[] = {set_of(0, 1, contacts, 4), set_of(1, 2, elsewhere, 2)};
  ts_record r = measure(scene_with(3, square, 1), sets, 2, no_envelope);
  cr_assert_eq(r.normals_flipped, 2, "of pairs that touch");
  cr_assert_eq(r.normals_invalid, 3, "of all pairs");
  cr_assert_float_eq(r.normal_error_deg_max, 10, 1e-9);
  cr_assert_eq(r.normal_error_deg_median, 0, "of 0, 0 and 10: the NaN has no say");
}

Test(harness_metrics, contacts_of_pairs_that_do_not_touch_are_only_phantoms) {
  ts_contact good = contact_at(0, 0, 0, up, 0), bad = contact_at(0, 0, 0, right, -1);
  ts_contact_set sets[] = {set_of(0, 1, &good, 1), set_of(1, 2, &bad, 1)};
  ts_record r = measure(scene_with(3, square, 1), sets, 2, no_envelope);
  cr_assert_eq(r.phantom, 1);
  cr_assert_eq(r.contacts, 1);
  cr_assert_eq(r.quality_percent, 100);
  cr_assert_eq(r.normal_error_deg_max, 0);
  cr_assert_eq(r.gap_error_m_max, 0);
}

Test(harness_metrics, a_contact_beside_its_region_is_a_phantom_and_counts) {
  ts_contact contacts[] = {contact_at(0, 0, 0, up, 0), contact_at(0, 0, 1, up, 0),
                           contact_at(2, 0, 0.5, up, 0)};
  ts_record r = measure_pair(square, contacts, 3, no_envelope);
  cr_assert_eq(r.phantom, 1);
  cr_assert_eq(r.contacts, 3);
  cr_assert_eq(r.area_coverage, 0, "the phantom makes no area");
  cr_assert_float_eq(r.position_error_m_max, 1, 1e-12);
  cr_assert_eq(r.regions_missed, 0);
  r = measure_pair(square, &contacts[2], 1, no_envelope);
  cr_assert_eq(r.regions_missed, 1, "a phantom does not cover its region");
  cr_assert_eq(r.coverage_percent, 100, "coverage counts normals, not places");
}

Test(harness_metrics, speculative_contacts_are_judged_by_measures_of_their_own) {
  ts_contact contacts[] = {contact_at(0.5, 0, 0.5, up_tilted(20), 0.1),
                           contact_at(9, 0, 0, up_tilted(10), 0.1)};
  ts_contact apart = contact_at(0, 0, 0, up, 0.1);
  ts_contact_set sets[] = {set_of(0, 1, contacts, 2), set_of(1, 2, &apart, 1)};
  ts_record r = measure(scene_with(3, square, 1), sets, 2, no_envelope);
  cr_assert_eq(r.speculative, 3);
  cr_assert_eq(r.speculative_wrong, 3);
  cr_assert_eq(r.contacts, 0);
  cr_assert_eq(r.quality_percent, 0, "none was found where some are needed");
  cr_assert_eq(r.coverage_percent, 0);
  cr_assert_eq(r.excess_factor, 0);
  cr_assert_eq(r.area_coverage, 0);
  cr_assert_eq(r.phantom, 0);
  cr_assert_eq(r.regions_missed, 1);
  cr_assert(isnan(r.position_error_m_max) && isnan(r.gap_error_m_max));
  cr_assert(isnan(r.normal_error_deg_max));
}

// A box on a floor has a wall beside it: the floor's normal says nothing about the wall's.
Test(harness_metrics, a_contact_ahead_of_a_touch_has_no_error_beside_one_that_touches) {
  ts_contact contacts[] = {contact_at(0.5, 0, 0.5, up, 0),
                           contact_at(0.5, 0.5, 0.5, ts_vec3_make(-1, 0, 0), 0.1),
                           contact_at(0.5, 0.5, 0.5, ts_vec3_scale(up, -1), 0.1)};
  ts_record r = measure_pair(square, contacts, 3, no_envelope);
  cr_assert_eq(r.speculative, 2);
  cr_assert_eq(r.normal_error_deg_max, 0);
  cr_assert_eq(r.normals_flipped, 0);
}

// Without gaps, none is wrong; a gap that is not a number is wrong where there are some.
Test(harness_metrics, gaps_are_judged_where_there_are_some) {
  ts_contact contact = contact_at(0.5, 0, 0.5, up, NAN);
  cr_assert_eq(measure_pair(square, &contact, 1, no_envelope).gaps_wrong, 1);
  ts_contact_set set = set_of(0, 1, &contact, 1);
  ts_scoring scoring = {TS_REFERENCE_DESIGN, TS_RULE_TOUCHSTONE, 1e-4, 1e-6, .has_no_gaps = true};
  ts_judgement judgement;
  cr_assert_eq(ts_judge(&judgement, arena, scene_with(2, square, 1), &set, 1, no_envelope, scoring),
               TS_OK);
  ts_record r;
  ts_row_init(&ts_summary_rows, &r);
  cr_assert_eq(ts_metrics_compute(&r, &judgement), TS_OK);
  cr_assert_eq(r.gaps_wrong, 0);
  cr_assert(isnan(r.gap_error_m_max));
  cr_assert_eq(r.quality_percent, 100);
}

// What a scene calls touching may be apart by so much, and the gap that it has is no error.
Test(harness_metrics, a_gap_within_the_touch_of_the_scene_is_no_error) {
  ts_scene *scene = scene_with(2, square, 1);
  ts_contact contact = contact_at(0.5, 0, 0.5, up, 5e-4);
  ts_contact_set set = set_of(0, 1, &contact, 1);
  scene->touch_relative = 1e-3;
  ts_record r = measure(scene, &set, 1, no_envelope);
  cr_assert_eq(r.gap_error_m_max, 0);
  set.contacts[0].gap_m = -3e-2;
  r = measure(scene, &set, 1, no_envelope);
  cr_assert_eq(r.gaps_wrong, 1);
}

Test(harness_metrics, a_place_is_no_better_known_than_the_touch_of_the_scene) {
  ts_scene *scene = scene_with(2, square, 1);
  ts_contact contact = contact_at(-5e-4, 0, 0.5, up, 0);
  ts_contact_set set = set_of(0, 1, &contact, 1);
  cr_assert_eq(measure(scene, &set, 1, no_envelope).phantom, 1);
  scene->touch_relative = 1e-3;
  cr_assert_eq(measure(scene, &set, 1, no_envelope).phantom, 0);
  set.contacts[0].point.x = -2e-3;
  cr_assert_eq(measure(scene, &set, 1, no_envelope).phantom, 1);
}

Test(harness_metrics, any_one_normal_is_enough_where_one_is) {
  region_spec spec = three[2];
  spec.a = 0;
  spec.b = 1;
  spec.any_one = true;
  ts_contact contacts[] = {contact_at(0, 0, 0, wall_1, 0), contact_at(0, 0, 0, wall_0, 0)};
  ts_record r = measure_pair(&spec, contacts, 1, no_envelope);
  cr_assert_eq(r.minimum, 1);
  cr_assert_eq(r.coverage_percent, 100);
  r = measure_pair(&spec, contacts, 2, no_envelope);
  cr_assert_eq(r.coverage_percent, 100, "two of one needed are no 200 percent");
  cr_assert_eq(r.excess_factor, 2);
}

Test(harness_metrics, coverage_needs_the_normal_at_its_own_region) {
  const region_spec corner[] = {SQUARE(0, 1),
                                {.a = 0,
                                 .b = 1,
                                 .vertex_count = 4,
                                 .vertices = {{0, 0, 0}, {0, 1, 0}, {0, 1, 1}, {0, 0, 1}},
                                 .normal_count = 1,
                                 .normals = {{{1, 0, 0}, 0}}}};
  ts_contact contacts[] = {contact_at(1, 0, 1, up, 0), contact_at(1, 0, 1, right, 0)};
  ts_contact_set set = set_of(0, 1, contacts, 2);
  ts_record r = measure(scene_with(2, corner, 2), &set, 1, no_envelope);
  cr_assert_eq(r.coverage_percent, 50);
  cr_assert_eq(r.quality_percent, 50);
  cr_assert_eq(r.regions_missed, 1);
}

Test(harness_metrics, open_normals_and_regions_are_not_needed) {
  region_spec spec = three[2];
  spec.a = 0;
  spec.b = 1;
  spec.normals[0].gap_m = 0.001;
  ts_contact contacts[] = {contact_at(0, 0, 0, wall_1, 0), contact_at(0, 0, 0, wall_0, 0.001)};
  ts_record r = measure_pair(&spec, contacts, 2, no_envelope);
  cr_assert_eq(r.minimum, 1);
  cr_assert_eq(r.contacts, 1);
  cr_assert_eq(r.speculative, 1);
  cr_assert_eq(r.coverage_percent, 100);
  contacts[1].gap_m = 0;
  r = measure_pair(&spec, contacts, 2, no_envelope);
  cr_assert_eq(r.contacts, 2, "it claims a touch");
  cr_assert_eq(r.coverage_percent, 100, "and covers no more by it");
  spec.normals[1].gap_m = 0.001;
  r = measure_pair(&spec, contacts, 0, no_envelope);
  cr_assert_eq(r.regions, 0);
  cr_assert_eq(r.regions_missed, 0);
  cr_assert(isnan(r.coverage_percent) && isnan(r.excess_factor) && isnan(r.area_coverage));
}

Test(harness_metrics, hulls_are_projected_along_the_normal) {
  ts_contact contacts[] = {contact_at(0, 0.005, 0, up, 0), contact_at(0, -0.005, 1, up, 0),
                           contact_at(1, 0.005, 1, up, 0), contact_at(1, -0.005, 0, up, 0)};
  cr_assert_float_eq(measure_pair(square, contacts, 4, eroded).area_coverage, 1, 1e-12);
  region_spec segment = three[1];
  segment.a = 0;
  segment.b = 1;
  ts_contact ends[] = {contact_at(0.25, 0.005, 0, up, 0), contact_at(1.75, 0, 0.005, up, 0)};
  cr_assert_float_eq(measure_pair(&segment, ends, 2, eroded).area_coverage, 0.75, 1e-12);
}

Test(harness_metrics, gaps_are_off_by_what_the_envelope_does_not_explain) {
  ts_contact contacts[] = {contact_at(0, 0, 0, up, 0.015), contact_at(1, 0, 0, up, -0.03)};
  cr_assert_float_eq(measure_pair(square, contacts, 2, eroded).gap_error_m_max, 0.03, 1e-15);
  cr_assert_float_eq(measure_pair(square, contacts, 1, eroded).gap_error_m_max, 0, 1e-15);
}

Test(harness_metrics, without_contacts_only_missed_regions_are_judged) {
  ts_record r = measure(scene_with(4, three, 3), NULL, 0, no_envelope);
  cr_assert_eq(r.contacts, 0);
  cr_assert_eq(r.quality_percent, 0);
  cr_assert_eq(r.contacts_missing, r.minimum);
  cr_assert_eq(r.coverage_percent, 0);
  cr_assert_eq(r.excess_factor, 0);
  cr_assert_eq(r.area_coverage, 0);
  cr_assert_eq(r.regions_missed, 3);
  cr_assert_eq(r.phantom, 0);
  cr_assert_eq(r.normals_flipped, 0);
  cr_assert_eq(r.normals_invalid, 0);
  cr_assert(isnan(r.normal_error_deg_median) && isnan(r.normal_error_deg_p95) &&
            isnan(r.normal_error_deg_max));
  cr_assert(isnan(r.position_error_m_max) && isnan(r.gap_error_m_max));
}

Test(harness_metrics, contacts_that_are_not_finite_do_not_spoil_the_sums) {
  ts_contact contacts[] = {contact_at(0, 0, 0, up, 0), contact_at(0, 0, 1, up, NAN),
                           contact_at(1, 0, 0, up, 0), contact_at(NAN, 0, 0, up, 0),
                           contact_at(INFINITY, 0, 0, up, 0)};
  ts_record r = measure_pair(square, contacts, 5, no_envelope);
  cr_assert_eq(r.phantom, 2);
  cr_assert_float_eq(r.area_coverage, 0.5, 1e-12);
  cr_assert_eq(r.position_error_m_max, 0);
  cr_assert_eq(r.gap_error_m_max, INFINITY, "a gap that is not finite is seen");
  cr_assert_eq(r.gaps_wrong, 1);
}

Test(harness_metrics, each_contact_that_is_lacking_counts) {
  ts_contact contacts[] = {contact_at(0.5, 0, 0.5, up, 0), contact_at(0, 0, 0, up, 0),
                           contact_at(1, 0, 0, up, 0), contact_at(1, 0, 1, up, 0),
                           contact_at(0, 0, 1, up, 0)};
  for (size_t count = 0; count <= 5; count++)
    cr_expect_eq(measure_pair(square, contacts, count, no_envelope).contacts_missing,
                 count < 4 ? (double)(4 - count) : 0, "%zu", count);
}

Test(harness_metrics, a_region_covers_no_more_than_itself) {
  const region_spec two[] = {SQUARE(0, 1), SQUARE(1, 2)};
  ts_contact corners[] = {contact_at(-0.5, 0, -0.5, up, 0), contact_at(-0.5, 0, 1.5, up, 0),
                          contact_at(1.5, 0, 1.5, up, 0), contact_at(1.5, 0, -0.5, up, 0)};
  const ts_envelope large = {TS_ENVELOPE_ERODED, 0, 1, 0};
  ts_contact_set set = set_of(0, 1, corners, 4);
  cr_assert_eq(measure(scene_with(3, two, 2), &set, 1, large).area_coverage, 0.5,
               "four squares' worth of one do not make up for the other");
  cr_assert_eq(measure_by(TS_RULE_PUBLISHED, scene_with(3, two, 2), &set, 1, large).area_coverage,
               2, "as published");
}

Test(harness_metrics, each_metric_fills_its_columns_and_no_others) {
  ts_contact contact = contact_at(0, 0, 0, up, 0);
  contact.area_m2 = 1;
  ts_contact_set set = set_of(0, 1, &contact, 1);
  ts_judgement judgement = judge(scene_with(2, square, 1), &set, 1, no_envelope);
  for (size_t m = 0; ts_metrics[m]; m++) {
    ts_record record;
    ts_row_init(&ts_summary_rows, &record);
    cr_assert_eq(ts_metrics[m]->compute(&record, &judgement), TS_OK);
    for (size_t f = 0; f < ts_summary_rows.field_count; f++) {
      const ts_field *field = &ts_summary_rows.fields[f];
      // The given velocity has no influence where all normals are needed, as here.
      if (field->kind == TS_FIELD_TEXT ||
          strcmp(field->column, "blocked_wrongly_given_percent") == 0)
        continue;
      bool is_its_own = field->metric && strcmp(field->metric, ts_metrics[m]->name) == 0;
      cr_expect_eq(!isnan(ts_row_number(field, &record)), is_its_own, "%s and %s",
                   ts_metrics[m]->name, field->column);
    }
  }
}

Test(harness_metrics, every_metric_that_a_column_names_exists_and_each_fills_some) {
  size_t counts[64] = {0};
  for (size_t f = 0; f < ts_summary_rows.field_count; f++) {
    const ts_field *field = &ts_summary_rows.fields[f];
    bool is_found = !field->metric;
    for (size_t m = 0; ts_metrics[m] && !is_found; m++) {
      is_found = strcmp(field->metric, ts_metrics[m]->name) == 0;
      counts[m] += is_found;
    }
    cr_expect(is_found, "%s: there is no metric %s", field->column, field->metric);
  }
  for (size_t m = 0; ts_metrics[m]; m++)
    cr_expect_gt(counts[m], 0, "%s fills no column: name it as the .metric of one",
                 ts_metrics[m]->name);
}

Test(harness_metrics, the_arena_is_left_as_it_was) {
  ts_contact corners[] = {contact_at(0, 0, 0, up, 0), contact_at(0, 0, 1, up, 0),
                          contact_at(1, 0, 1, up, 0)};
  ts_contact_set set = set_of(0, 1, corners, 3);
  ts_judgement judgement = judge(scene_with(2, square, 1), &set, 1, no_envelope);
  ts_record record;
  size_t before = ts_arena_used(arena);
  cr_assert_eq(ts_metrics_compute(&record, &judgement), TS_OK);
  cr_assert_eq(ts_arena_used(arena), before);
}

Test(harness_metrics, by_the_published_rule_contacts_of_pairs_that_do_not_touch_count_as_wrong) {
  ts_scene *scene = scene_with(3, square, 1);
  ts_contact touching[] = {contact_at(0, 0, 0, up, 0), contact_at(1, 0, 1, up, 0.1)};
  ts_contact away = contact_at(0, 0, 0, up, 0);
  ts_contact_set sets[] = {set_of(0, 1, touching, 2), set_of(1, 2, &away, 1)};
  ts_record ours = measure_by(TS_RULE_TOUCHSTONE, scene, sets, 2, no_envelope);
  cr_expect_eq(ours.contacts, 1);
  cr_expect_eq(ours.speculative, 1);
  cr_expect_eq(ours.quality_percent, 100);
  cr_expect_float_eq(ours.excess_factor, 1.0 / 4, 1e-15);
  ts_record published = measure_by(TS_RULE_PUBLISHED, scene, sets, 2, no_envelope);
  cr_expect_eq(published.contacts, 3);
  cr_expect_eq(published.speculative, 0);
  cr_expect_float_eq(published.quality_percent, 100 * 2.0 / 3, 1e-12);
  cr_expect_float_eq(published.excess_factor, 3.0 / 4, 1e-15);
  cr_expect_eq(published.minimum, ours.minimum);
  cr_expect_eq(published.pairs_touching, 1);
  cr_expect_eq(published.coverage_percent, 100);
  cr_expect_eq(published.phantom, 1, "it is counted as before");
  cr_expect_eq(published.position_error_m_max, 0);
}

Test(harness_metrics, by_the_published_rule_contacts_alone_have_a_quality_of_zero) {
  ts_scene *scene = scene_with(3, square, 1);
  ts_contact away = contact_at(0, 0, 0, up, 0);
  ts_contact_set set = set_of(1, 2, &away, 1);
  ts_record r = measure_by(TS_RULE_PUBLISHED, scene, &set, 1, no_envelope);
  cr_expect_eq(r.quality_percent, 0);
  cr_expect_eq(r.coverage_percent, 0);
  cr_expect_float_eq(r.excess_factor, 1.0 / 4, 1e-15);
  cr_expect_eq(r.area_coverage, 0);
  cr_expect(isnan(r.normal_error_deg_max) && isnan(r.position_error_m_max));
  cr_expect_eq(measure(scene, &set, 1, no_envelope).quality_percent, 0, "nothing in C");
}

Test(harness_metrics, without_truth_measures_that_need_it_are_nan) {
  static const char *const known[] = {"bodies", "contacts", "speculative", "normals_invalid",
                                      "speculative_wrong"};
  ts_contact contacts[] = {contact_at(0, 0, 0, up, 0), contact_at(1, 0, 0, down, -0.5),
                           contact_at(2, 0, 0, up, 0.5), contact_at(3, 0, 0, (ts_vec3){0}, 0)};
  ts_contact_set set = set_of(0, 1, contacts, 4);
  ts_scene *scene = scene_with(2, NULL, 0);
  scene->truth_is_unknown = true;
  for (int rule = TS_RULE_TOUCHSTONE; rule <= TS_RULE_PUBLISHED; rule++) {
    ts_record r = measure_by((ts_scoring_rule)rule, scene, &set, 1, no_envelope);
    for (size_t f = 0; f < ts_summary_rows.field_count; f++) {
      const ts_field *field = &ts_summary_rows.fields[f];
      bool is_known = false;
      for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        is_known |= strcmp(field->column, known[i]) == 0;
      if (field->kind != TS_FIELD_TEXT)
        cr_expect_eq(!isnan(ts_row_number(field, &r)), is_known, "%s", field->column);
    }
    cr_assert_eq(r.bodies, 2);
    cr_assert_eq(r.contacts, rule == TS_RULE_PUBLISHED ? 4 : 3);
    cr_assert_eq(r.speculative, rule == TS_RULE_PUBLISHED ? 0 : 1);
    cr_assert_eq(r.normals_invalid, 1);
  }
}

Test(harness_metrics, without_truth_zero_contacts_are_zero_and_measures_nan) {
  ts_scene *scene = scene_with(2, NULL, 0);
  scene->truth_is_unknown = true;
  ts_record r = measure(scene, NULL, 0, no_envelope);
  cr_assert_eq(r.contacts, 0);
  cr_assert_eq(r.normals_invalid, 0);
  cr_assert(isnan(r.minimum) && isnan(r.phantom) && isnan(r.coverage_percent));
}

Test(harness_metrics, each_metric_declares_the_truth_that_it_needs) {
  for (size_t m = 0; ts_metrics[m]; m++) {
    const char *needs = ts_metrics[m]->needs;
    cr_expect(strcmp(needs, "normals") == 0 || strcmp(needs, "regions") == 0 ||
                  strcmp(needs, "motions") == 0 || strcmp(needs, "nothing") == 0,
              "%s needs %s", ts_metrics[m]->name, needs);
  }
}
