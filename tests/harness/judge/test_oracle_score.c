// SPDX-License-Identifier: MIT
// covers: harness/controls/ideal.c harness/judge/judge.c
// Contacts scored on motion without known truth: by the oracle
// (cases/truth/oracle_truth.h).
#include "base/param.h"
#include "base/status.h"
#include "cases/case.h"
#include "geometry/tolerances.h"
#include "harness/judge/metrics/metric.h"
#include "harness/judge/pair_motion.h"
#include "harness/narrow_phase/narrow_phase.h"
#include "methods/registry.h"
#include "tests/harness/judge/scoring_fixture.h"
#include "tests/harness/run/cell_fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void oracle_setup(void) {
  unsetenv("TOUCHSTONE_TETGEN");
  scoring_setup();
}

TestSuite(harness_oracle_score, .init = oracle_setup, .fini = scoring_teardown);

static ts_record measure(const ts_judgement *judgement) {
  ts_record record;
  ts_row_init(&ts_summary_rows, &record);
  cr_assert_eq(ts_metrics_compute(&record, judgement), TS_OK, "%s", ts_status_detail());
  return record;
}

static ts_record measure_sets(const ts_scene *scene, const ts_contact_set *sets, size_t count) {
  ts_judgement judgement = judge(scene, sets, count, no_envelope);
  return measure(&judgement);
}

/// Three cubes in a row along x; the first two touch, the third is half a metre away.
static ts_scene *row_of_cubes(void) {
  ts_scene *scene = scene_with(3, NULL, 0);
  scene->bodies[1].pose.translation = ts_vec3_make(1, 0, 0);
  scene->bodies[2].pose.translation = ts_vec3_make(2.5, 0, 0);
  cr_assert_eq(ts_oracle_truth_find(scene, TS_TOUCH_RELATIVE), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(scene->oracle->pair_count, 1);
  return scene;
}

/// The vertices of the face that the first two cubes share.
static ts_contact_set corners(size_t count) {
  ts_contact *contacts = ts_arena_array(arena, 4, sizeof *contacts);
  for (size_t i = 0; i < 4; i++)
    contacts[i] = contact_at(1, i & 1, i >> 1, right, 0);
  return set_of(0, 1, contacts, count);
}

Test(harness_oracle_score, the_corners_of_a_face_block_what_it_blocks) {
  ts_contact_set set = corners(4);
  ts_record r = measure_sets(row_of_cubes(), &set, 1);
  cr_expect_lt(r.blocked_wrongly_percent, 0.1); // within the band that the oracle classifies as
                                                // free
  cr_expect_eq(r.freed_wrongly_percent, 0);
}

Test(harness_oracle_score, what_needs_regions_is_not_measured) {
  ts_contact_set set = corners(4);
  ts_judgement judgement = judge(row_of_cubes(), &set, 1, no_envelope);
  ts_record r = measure(&judgement);
  cr_expect(isnan(r.blocked_wrongly_sliding_percent) && isnan(r.blocked_wrongly_given_percent));
  cr_expect(isnan(r.wrench_residual_max) && isnan(r.wrench_missing_max));
  cr_expect(isnan(r.quality_percent) && isnan(r.coverage_percent) && isnan(r.phantom));
  cr_expect(isnan(r.pairs_touching) && isnan(r.minimum));
  double residuals[4];
  cr_assert_eq(ts_motion_residuals(residuals, &judgement, &judgement.pairs[0]), TS_OK);
  for (int i = 0; i < 4; i++)
    cr_expect(isnan(residuals[i]));
}

Test(harness_oracle_score, a_corner_too_few_frees_and_a_wall_too_many_blocks) {
  ts_scene *scene = row_of_cubes();
  ts_contact_set three = corners(3);
  ts_record few = measure_sets(scene, &three, 1);
  cr_expect(few.freed_wrongly_percent > 3 && few.freed_wrongly_percent < 30);
  ts_contact_set set = corners(4);
  ts_contact more[5];
  memcpy(more, set.contacts, 4 * sizeof *more);
  more[4] = contact_at(1, 0.5, 0.5, up, 0);
  set = set_of(0, 1, more, 5);
  ts_record many = measure_sets(scene, &set, 1);
  cr_expect_gt(many.blocked_wrongly_percent, 40);
  cr_expect_eq(many.freed_wrongly_percent, 0);
}

Test(harness_oracle_score, a_touch_without_contacts_is_freed) {
  ts_scene *scene = row_of_cubes();
  ts_judgement judgement = judge(scene, NULL, 0, no_envelope);
  cr_assert_eq(judgement.pair_count, 1);
  cr_expect(judgement.pairs[0].touches && judgement.pairs[0].set->count == 0);
  ts_record r = measure(&judgement);
  cr_expect_eq(r.freed_wrongly_percent, 100);
  cr_expect_eq(r.blocked_wrongly_percent, 0);
  cr_expect_eq(r.contacts, 0);
}

Test(harness_oracle_score, contacts_where_nothing_touches_block) {
  ts_scene *scene = row_of_cubes();
  ts_contact far = contact_at(2.25, 0.5, 0.5, right, 0);
  ts_contact_set sets[2] = {corners(4), set_of(1, 2, &far, 1)};
  ts_judgement judgement = judge(scene, sets, 2, no_envelope);
  cr_assert_eq(judgement.pair_count, 2);
  cr_expect(judgement.pairs[0].touches && !judgement.pairs[1].touches);
  // A contact blocks half of all motions, and the pairs have equal weight.
  ts_record r = measure(&judgement);
  cr_expect_float_eq(r.blocked_wrongly_percent, 25, 1);
  cr_expect_eq(r.freed_wrongly_percent, 0);
}

Test(harness_oracle_score, pairs_of_sets_and_of_the_oracle_come_in_one_order) {
  ts_scene *scene = scene_with(4, NULL, 0);
  for (int i = 0; i < 4; i++)
    scene->bodies[i].pose.translation = ts_vec3_make(i, 0, 0);
  cr_assert_eq(ts_oracle_truth_find(scene, TS_TOUCH_RELATIVE), TS_OK);
  cr_assert_eq(scene->oracle->pair_count, 3);
  ts_contact c = contact_at(0, 0, 0, right, 0);
  const ts_contact_set sets[] = {set_of(0, 2, &c, 1), set_of(0, 3, &c, 0), set_of(1, 2, &c, 1),
                                 set_of(1, 3, &c, 1)};
  ts_judgement judgement = judge(scene, sets, 4, no_envelope);
  const int32_t expected[][2] = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}};
  cr_assert_eq(judgement.pair_count, 5, "%zu", judgement.pair_count);
  for (size_t p = 0; p < 5; p++) {
    const ts_judged_pair *pair = &judgement.pairs[p];
    cr_expect(pair->set->body_a == expected[p][0] && pair->set->body_b == expected[p][1]);
    cr_expect_eq(pair->touches, expected[p][1] == expected[p][0] + 1);
    cr_expect_eq(pair->touches, pair->oracle != NULL);
    cr_expect_eq(pair->set->count, p == 1 || p == 2 || p == 3);
  }
}

// ---------------------------------------------------------------------------------------------
// Cases: the same contacts scored by design and by oracle.

/// Where any one normal is enough, the design picks one and treats what it leaves free as free; the
/// oracle knows what is really free.
static bool is_any_one(const ts_scene *scene) {
  for (size_t r = 0; r < scene->region_count; r++)
    if (!scene->regions[r].needs_all)
      return true;
  return false;
}

static const ts_scene *by_oracle(const ts_scene *designed) {
  ts_scene *scene = ts_arena_alloc(arena, sizeof *scene);
  *scene = *designed;
  cr_assert_eq(ts_oracle_truth_find(scene, TS_TOUCH_RELATIVE), TS_OK, "%s", ts_status_detail());
  return scene;
}

/// The contacts of a method, and its envelope.
static ts_contact_set *find_contacts(ts_envelope *envelope, size_t *count, const ts_scene *scene,
                                     const char *name) {
  const ts_method *method = ts_method_find(name);
  double *values = ts_arena_array(arena, method->param_count, sizeof *values);
  ts_param_defaults(values, method->params, method->param_count);
  return scoring_contacts(envelope, count, scene, method, values);
}

/// The centre of symmetric regions is that of their bounding box: the motions are then the same,
/// and only the classification differs.
static void expect_same_frames(const ts_scene *designed, const ts_scene *asked, const char *name) {
  size_t pairs = 0;
  for (size_t r = 0, count; r < designed->region_count; r += count, pairs++) {
    const ts_oracle_pair *pair = &asked->oracle->pairs[pairs];
    cr_assert_lt(pairs, asked->oracle->pair_count, "%s", name);
    const ts_region *regions = ts_scene_pair_regions(&count, designed, pair->body_a, pair->body_b);
    cr_assert_eq(regions, &designed->regions[r], "%s", name);
    ts_twist_frame f = ts_motion_frame(designed, pair->body_a, pair->body_b, regions, count);
    ts_twist_frame g = ts_oracle_frame(asked, pair);
    cr_expect_lt(ts_vec3_distance(f.centre, g.centre), 1e-12 * f.length_m, "%s", name);
    cr_expect_eq(f.length_m, g.length_m, "%s", name);
  }
  cr_expect_eq(pairs, asked->oracle->pair_count, "%s", name);
}

static void compare_case(const ts_case *c) {
  static const char *const methods[] = {"semi_local", // correct in all of them
                                        "opposing", "growth", "closest_points"};
  cell_draft draft = draft_cell(arena, c->name, ts_method_find(methods[0]));
  ts_scene *designed;
  cr_assert_eq(ts_case_build(&designed, arena, c, draft.case_values), TS_OK);
  const ts_scene *asked = by_oracle(designed);
  expect_same_frames(designed, asked, c->name);
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    ts_envelope envelope;
    size_t count;
    const ts_contact_set *sets = find_contacts(&envelope, &count, designed, methods[i]);
    ts_judgement of_design = judge(designed, sets, count, envelope);
    ts_judgement of_oracle = judge(asked, sets, count, envelope);
    ts_record d = measure(&of_design), o = measure(&of_oracle);
    const char *what =
        ts_arena_format(arena, "%s, %s: blocked %.3f, by the oracle %.3f; freed %.3f, %.3f",
                        c->name, methods[i], d.blocked_wrongly_percent, o.blocked_wrongly_percent,
                        d.freed_wrongly_percent, o.freed_wrongly_percent);
    cr_expect_lt(fabs(o.freed_wrongly_percent - d.freed_wrongly_percent), 0.6, "%s", what);
    if (!is_any_one(designed))
      cr_expect_lt(fabs(o.blocked_wrongly_percent - d.blocked_wrongly_percent), 0.8, "%s", what);
    else // no set can leave all free motions free: a single correct normal blocks half
      cr_expect(o.blocked_wrongly_percent > 43 && o.freed_wrongly_percent == 0 &&
                    (i > 0 || o.blocked_wrongly_percent < 59),
                "%s", what);
  }
}

Test(harness_oracle_score, the_oracle_scores_methods_as_the_design_does) {
  size_t cases = 0;
  for (size_t i = 0; ts_cases[i]; i++)
    if (strcmp(ts_cases[i]->suite, "erleben") == 0) {
      compare_case(ts_cases[i]);
      cases++;
    }
  cr_expect_eq(cases, 13);
}
