// SPDX-License-Identifier: MIT
// covers: harness/judge/judge.c harness/judge/metrics/excess.c harness/judge/metrics/area_coverage.c
// covers: harness/judge/metrics/contact_count.c cases/scene/region.c cases/scene/minimum.c
// Regions of bodies that have moved: gaps that are not the same everywhere, corners that may have a
// contact and need none, and pairs whose truth is unknown.
#include "harness/judge/metrics/metric.h"

#include "base/status.h"
#include "tests/harness/judge/scoring_fixture.h"

#include <criterion/criterion.h>
#include <math.h>

TestSuite(harness_moved, .init = scoring_setup, .fini = scoring_teardown);

/// The unit square between two cubes, as of moved bodies: its gap is `near_m` at x = 0 and `far_m`
/// at x = 1.
static ts_scene *tilted(double near_m, double far_m) {
  const region_spec square[] = {SQUARE(0, 1)};
  ts_scene *scene = scene_with(2, square, 1);
  scene->truth_is_moved = true;
  for (int r = 0; r < TS_REFERENCE_COUNT; r++) {
    ts_feasible *normal = scene->regions[0].feasible[r].normals;
    normal->gap_slope = ts_vec3_make(far_m - near_m, 0, 0);
    normal->gap_at = ts_vec3_make(near_m <= far_m ? 0 : 1, 0, 0.5);
    normal->gap_m = fmin(near_m, far_m);
  }
  scene->bodies[1].pose.translation = ts_vec3_make(0, 0, 0);
  scene->bodies[0].pose.translation = ts_vec3_make(0, -1, 0);
  return scene;
}

static ts_record measure(const ts_scene *scene, const ts_contact *contacts, size_t count) {
  ts_contact_set set = set_of(0, 1, contacts, count);
  ts_judgement judgement = judge(scene, &set, 1, no_envelope);
  ts_record record;
  ts_row_init(&ts_summary_rows, &record);
  cr_assert_eq(ts_metrics_compute(&record, &judgement), TS_OK, "%s", ts_status_detail());
  return record;
}

/// The corners at x = 0 and then those at x = 1, with these gaps.
static void fill(ts_contact out[4], double near_m, double far_m) {
  for (int i = 0; i < 4; i++)
    out[i] = contact_at(i / 2, 0, i % 2, up, i < 2 ? near_m : far_m);
}

Test(harness_moved, the_gap_is_that_of_the_surfaces_where_the_contact_is) {
  ts_scene *scene = tilted(-1e-3, 1e-3);
  const struct {
    double x, gap_m, error_m;
  } all[] = {{0, -1e-3, 0}, {0.25, -5e-4, 0}, {0.5, 0, 0}, {0.25, 0, 5e-4}, {0, 0, 1e-3}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    ts_verdict v = judge_one(scene, contact_at(all[i].x, 0, 0.5, up, all[i].gap_m), no_envelope);
    cr_expect(!v.is_phantom && !v.is_speculative && v.is_correct, "%zu", i);
    cr_expect_float_eq(v.gap_error_m, all[i].error_m, 1e-15, "%zu: %g", i, v.gap_error_m);
    cr_expect_eq(v.is_gap_wrong, all[i].error_m > 0, "%zu", i);
  }
}

Test(harness_moved, between_closed_and_open_any_number_of_contacts_is_right) {
  ts_scene *scene = tilted(0, 5e-7);
  ts_contact c[5];
  fill(c, 0, 5e-7);
  c[4] = contact_at(0.5, 0, 0.5, up, 2.5e-7);
  const double excess[] = {NAN, 0.5, 1, 1, 1, 1.25};
  for (size_t count = 1; count <= 5; count++) {
    ts_record r = measure(scene, c, count);
    cr_expect_eq(r.minimum, 2);
    cr_expect_eq(r.minimum_most, 4);
    cr_expect_float_eq(r.excess_factor, excess[count], 1e-15, "%zu: %g", count, r.excess_factor);
    cr_expect_eq(r.contacts_missing, count < 2 ? 1 : 0, "%zu", count);
    cr_expect(isnan(r.area_coverage), "how much of it touches is not known");
    cr_expect_eq(r.phantom + r.gaps_wrong + r.speculative_wrong + r.regions_missed, 0);
    cr_expect_eq(r.quality_percent, 100);
  }
}

Test(harness_moved, what_touches_only_within_the_tolerance_may_be_left_out) {
  ts_scene *scene = tilted(5e-7, 5e-7);
  ts_contact c[4];
  fill(c, 5e-7, 5e-7);
  ts_record none = measure(scene, NULL, 0), all = measure(scene, c, 4);
  cr_expect(none.minimum == 0 && none.minimum_most == 4 && none.pairs_touching == 0);
  cr_expect(isnan(none.quality_percent) && isnan(none.coverage_percent));
  cr_expect_eq(none.regions_missed + none.contacts_missing, 0);
  cr_expect_eq(all.quality_percent, 100);
  cr_expect_eq(all.excess_factor, 1);
  cr_expect_eq(all.phantom + all.gaps_wrong, 0);
  ts_contact wrong = contact_at(0.5, 0, 0.5, right, 0);
  cr_expect_eq(measure(scene, &wrong, 1).quality_percent, 0, "but not be anything");
  fill(c, 0, 0);
  cr_expect_eq(measure(tilted(2e-6, 2e-6), c, 4).phantom, 4, "above the tolerance nothing touches");
}

Test(harness_moved, a_corner_that_is_apart_is_ahead_of_a_touch) {
  ts_scene *scene = tilted(0, 1e-3);
  ts_contact c[4];
  fill(c, 0, 1e-3);
  ts_record r = measure(scene, c, 4);
  cr_expect_eq(r.speculative, 2);
  cr_expect_eq(r.speculative_wrong, 0, "as the truth says of it");
  cr_expect_eq(r.excess_factor, 1);
  cr_expect_eq(r.coverage_percent, 100);
  fill(c, 0, 2e-3);
  cr_expect_eq(measure(scene, c, 4).speculative_wrong, 2, "twice as far as it is");
  fill(c, 0, 0);
  r = measure(scene, c, 4);
  cr_expect_eq(r.gaps_wrong, 2, "they do not touch there");
}

Test(harness_moved, optional_corners_are_not_missed) {
  static const bool is_optional[] = {false, true, false, true};
  ts_scene *scene = tilted(-1e-3, -1e-3);
  scene->regions[0].is_optional = is_optional;
  ts_contact c[] = {contact_at(0, 0, 0, up, -1e-3), contact_at(1, 0, 1, up, -1e-3)};
  ts_record r = measure(scene, c, 2);
  cr_expect(r.minimum == 2 && r.minimum_most == 4);
  cr_expect_eq(r.excess_factor, 1);
  cr_expect_eq(r.contacts_missing, 0);
}

Test(harness_moved, blocked_is_what_closed_corners_block_and_free_what_all_leave_free) {
  // Two corners touch for certain, two within the tolerance: two contacts free nothing that is
  // known to be blocked, and four block nothing that is known to be free.
  ts_scene *scene = tilted(0, 5e-7);
  ts_contact c[4];
  fill(c, 0, 5e-7);
  for (size_t count = 2; count <= 4; count += 2) {
    ts_record r = measure(scene, c, count);
    cr_expect_eq(r.blocked_wrongly_percent, 0, "%zu", count);
    cr_expect_eq(r.freed_wrongly_percent, 0, "%zu", count);
    cr_expect_lt(r.wrench_residual_max, 1e-12);
    cr_expect_lt(r.wrench_missing_max, 1e-12);
  }
  ts_record one = measure(scene, c, 1);
  cr_expect_gt(one.freed_wrongly_percent, 3);
  ts_record closed = measure(tilted(0, 0), c, 2);
  cr_expect_gt(closed.freed_wrongly_percent, 3, "where all touch, two are too few");
}

Test(harness_moved, an_unknown_pair_is_not_judged) {
  static const ts_unknown_pair unknown = {0, 1, "for a test"};
  ts_scene *scene = tilted(0, 0);
  scene->region_count = 0;
  scene->unknown = &unknown;
  scene->unknown_count = 1;
  ts_contact c[] = {contact_at(0, 0, 0, right, -0.3), contact_at(9, 0, 0, up, 0)};
  for (size_t count = 0; count <= 2; count += 2) {
    ts_record r = measure(scene, c, count);
    cr_expect_eq(r.pairs_unknown, 1, "%zu", count);
    cr_expect(isnan(r.quality_percent) && isnan(r.coverage_percent) && isnan(r.excess_factor));
    cr_expect(isnan(r.blocked_wrongly_percent) && isnan(r.freed_wrongly_percent));
    cr_expect_eq(r.phantom + r.gaps_wrong + r.normals_flipped + r.regions_missed, 0);
  }
}

Test(harness_moved, bodies_that_were_not_meant_to_touch_are_of_unknown_truth_where_they_do) {
  ts_scene *scene = tilted(0, 0);
  scene->region_count = 0;
  ts_contact c[] = {contact_at(0.5, 0, 0.5, up, 0)};
  ts_record touching = measure(scene, c, 1);
  cr_expect_eq(touching.pairs_unknown, 1);
  cr_expect_eq(touching.phantom, 0);
  scene->bodies[1].pose.translation.y += 1e-4;
  ts_record apart = measure(scene, c, 1);
  cr_expect_eq(apart.pairs_unknown, 0);
  cr_expect_eq(apart.phantom, 1);
  scene->bodies[1].pose.translation.y -= 0.3;
  cr_expect_eq(measure(scene, c, 1).pairs_unknown, 1, "they overlap");
  scene->truth_is_moved = false;
  cr_expect_eq(measure(scene, c, 1).phantom, 1, "as built they would be known");
}
