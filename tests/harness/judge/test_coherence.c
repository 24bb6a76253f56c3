// SPDX-License-Identifier: MIT
// covers: harness/judge/coherence.c harness/judge/metrics/coherence_columns.c
// Contact sets of two consecutive steps: what holds together, and what comes, goes or hops.
#include "harness/judge/coherence.h"

#include "base/status.h"
#include "geometry/tolerances.h"
#include "harness/judge/metrics/coherence_columns.h"
#include "tests/harness/judge/scoring_fixture.h"

#include <criterion/criterion.h>
#include <math.h>

static ts_coherence *coherence;
static double step_number;

static void setup(void) {
  scoring_setup();
  cr_assert_eq(ts_coherence_create(&coherence), TS_OK);
}

static void teardown(void) {
  ts_coherence_destroy(coherence);
  scoring_teardown();
}

TestSuite(harness_coherence, .init = setup, .fini = teardown);

static const region_spec square[] = {SQUARE(0, 1)};

/// Two cubes that touch in the unit square, with a gap along its normal.
static ts_scene *scene_at(double gap_m) {
  ts_scene *scene = scene_with(2, square, 1);
  scene->bodies[0].pose.translation = ts_vec3_make(0, -1, 0);
  scene->bodies[1].pose.translation = ts_vec3_make(0, gap_m, 0);
  for (int r = 0; r < TS_REFERENCE_COUNT; r++)
    scene->regions[0].feasible[r].normals[0].gap_m = gap_m;
  return scene;
}

static ts_coherence_step next_with(const ts_scene *scene, const ts_contact *contacts, size_t count,
                                   const double *impulses, const uint64_t *ids) {
  ts_contact_set set = set_of(0, 1, contacts, count);
  ts_judgement judgement = judge(scene, &set, 1, no_envelope);
  cr_assert_eq(
      ts_coherence_next(coherence, ++step_number, &judgement, (ts_contact_facts){impulses, ids}),
      TS_OK);
  return *ts_coherence_last(coherence);
}

static ts_coherence_step next_pushed(const ts_scene *scene, const ts_contact *contacts,
                                     size_t count, const double *impulses) {
  return next_with(scene, contacts, count, impulses, NULL);
}

static ts_coherence_step next(const ts_scene *scene, const ts_contact *contacts, size_t count) {
  return next_pushed(scene, contacts, count, NULL);
}

/// What the contacts `now` are after those of `before`, where nothing has moved.
static ts_coherence_step change(const ts_contact *before, size_t before_count,
                                const ts_contact *now, size_t now_count) {
  next(scene_at(0), before, before_count);
  return next(scene_at(0), now, now_count);
}

static void fill(ts_contact out[4]) {
  for (int i = 0; i < 4; i++) {
    out[i] = contact_at(i / 2, 0, i % 2, up, 0);
    out[i].feature_a = (ts_feature){TS_FEATURE_FACE, 7};
    out[i].feature_b = (ts_feature){TS_FEATURE_VERTEX, (uint32_t)i};
  }
}

Test(harness_coherence, the_first_step_has_nothing_to_be_compared_with) {
  ts_contact c[4];
  fill(c);
  ts_coherence_step s = next(scene_at(0), c, 4);
  cr_expect(isnan(s.churn_percent) && isnan(s.set_jump_m) && isnan(s.set_jump_per_m));
  cr_expect(isnan(s.cone_jump) && isnan(s.features_kept_percent));
}

static void expect_still(ts_coherence_step s, const char *what) {
  cr_expect_eq(s.churn_percent, 0, "%s", what);
  cr_expect_lt(s.set_jump_m, 1e-12, "%s: %g", what, s.set_jump_m);
  cr_expect_lt(s.set_jump_per_m, 1e-6, "%s: %g", what, s.set_jump_per_m);
  cr_expect_lt(s.cone_jump, 1e-9, "%s: %g", what, s.cone_jump);
  cr_expect_eq(s.features_kept_percent, 100, "%s", what);
}

Test(harness_coherence, what_stays_is_still) {
  ts_contact c[4];
  fill(c);
  expect_still(change(c, 4, c, 4), "the same");
}

Test(harness_coherence, the_scene_as_a_whole_may_move) {
  ts_contact c[4];
  fill(c);
  next(scene_at(0), c, 4);
  ts_scene *moved = scene_at(0);
  double half = sqrt(0.5);
  const ts_pose motion = {{half, 0, half, 0}, {3, 1, -2}};
  cr_assert_eq(ts_scene_transform(moved, 1, motion), TS_OK);
  for (int i = 0; i < 4; i++) {
    c[i].point = ts_pose_point(motion, c[i].point);
    c[i].normal = ts_pose_direction(motion, c[i].normal);
  }
  expect_still(next(moved, c, 4), "turned and far away");
}

Test(harness_coherence, a_contact_may_stay_with_either_body) {
  for (int with_b = 0; with_b < 2; with_b++) {
    ts_contact c[4];
    fill(c);
    next(scene_at(0), c, 4);
    ts_scene *moved = scene_at(0);
    moved->bodies[1].pose.translation.x += 1e-3;
    for (int i = 0; i < 4; i++)
      c[i].point.x += with_b ? 1e-3 : 0;
    ts_coherence_step s = next(moved, c, 4);
    cr_expect_lt(s.set_jump_m, 1e-12, "%g", s.set_jump_m);
    cr_expect_eq(s.churn_percent, 0);
    for (int i = 0; i < 4; i++)
      c[i].point.x += 5e-4; // with neither
    s = next(moved, c, 4);
    cr_expect_float_eq(s.set_jump_m, 5e-4, 1e-12);
    cr_expect_float_eq(s.set_jump_per_m, 500, 1e-6, "nothing has moved but by the tolerance");
  }
}

Test(harness_coherence, a_contact_that_is_lost_where_bodies_touch_is_churn) {
  ts_contact c[4];
  fill(c);
  ts_coherence_step lost = change(c, 4, c, 3);
  cr_expect_float_eq(lost.churn_percent, 100.0 / 7, 1e-12);
  cr_expect_float_eq(lost.set_jump_m, 1, 1e-12, "the nearest is a metre away");
  cr_expect_gt(lost.cone_jump, 0.3);
  cr_expect_eq(lost.features_kept_percent, 100, "of what is matched");
  ts_coherence_step back = next(scene_at(0), c, 4);
  cr_expect_float_eq(back.churn_percent, 100.0 / 7, 1e-12);
  ts_coherence_step all = next(scene_at(0), c, 0);
  cr_expect_eq(all.churn_percent, 100);
  cr_expect_gt(all.set_jump_m, 0.5, "the length of the frame");
}

Test(harness_coherence, what_comes_and_goes_with_the_touch_has_a_reason) {
  ts_contact c[4], none[1];
  fill(c);
  next(scene_at(0), c, 4);
  ts_coherence_step apart = next(scene_at(1e-3), none, 0);
  cr_expect_eq(apart.churn_percent, 0);
  cr_expect_eq(apart.set_jump_m, 0);
  cr_expect_eq(apart.cone_jump, 0);
  ts_coherence_step together = next(scene_at(0), c, 4);
  cr_expect_eq(together.churn_percent + together.set_jump_m, 0);
  // Ahead of a touch contacts are free to come and go.
  for (int i = 0; i < 4; i++)
    c[i].gap_m = 1e-4;
  next(scene_at(1e-4), c, 4);
  cr_expect_eq(next(scene_at(1e-4), c, 1).churn_percent, 0);
}

Test(harness_coherence, a_wrong_contact_has_no_reason_to_come) {
  ts_contact c[5];
  fill(c);
  c[4] = contact_at(0.5, 0, 0.5, right, 0);
  ts_coherence_step s = change(c, 4, c, 5);
  cr_expect_float_eq(s.churn_percent, 100.0 / 9, 1e-12);
  cr_expect_gt(s.cone_jump, 0.5);
}

Test(harness_coherence, normals_and_gaps_that_hop_are_jumps) {
  ts_contact c[4], other[4];
  fill(c);
  fill(other);
  double length_m = 0.5 * sqrt(3), angle_deg = 0.5;
  other[2].normal = up_tilted(angle_deg);
  ts_coherence_step s = change(c, 4, other, 4);
  cr_expect_float_eq(s.set_jump_m, length_m * angle_deg * 3.14159265358979323846 / 180, 1e-9);
  cr_expect_eq(s.churn_percent, 0);
  other[2].normal = up_tilted(6);
  s = change(c, 4, other, 4);
  cr_expect_eq(s.churn_percent, 25, "no longer the same contact: one gone, one come");
  fill(other);
  other[1].gap_m = -2e-3;
  s = change(c, 4, other, 4);
  cr_expect_float_eq(s.set_jump_m, 2e-3, 1e-12);
  cr_expect_lt(s.cone_jump, 1e-9);
}

Test(harness_coherence, ids_are_counted_where_there_are_some) {
  ts_contact c[4], other[4];
  fill(c);
  fill(other);
  other[3].feature_b.index = 9;
  cr_expect_eq(change(c, 4, other, 4).features_kept_percent, 75);
  for (int i = 0; i < 4; i++)
    c[i].feature_a.kind = c[i].feature_b.kind = TS_FEATURE_NONE;
  cr_expect(isnan(change(c, 4, c, 4).features_kept_percent));
}

Test(harness_coherence, alternatives_may_be_swapped_where_any_one_is_right) {
  const region_spec ridge[] = {{.a = 0,
                                .b = 1,
                                .any_one = true,
                                .vertex_count = 2,
                                .vertices = {{0, 0, 0}, {0, 0, 1}},
                                .normal_count = 2,
                                .normals = {{{0.6, 0.8, 0}, 0}, {{-0.6, 0.8, 0}, 0}}}};
  ts_scene *scene = scene_with(2, ridge, 1);
  ts_contact one[2], other[2];
  for (int i = 0; i < 2; i++) {
    one[i] = contact_at(0, 0, i, ts_vec3_make(0.6, 0.8, 0), 0);
    other[i] = contact_at(0, 0, i, ts_vec3_make(-0.6, 0.8, 0), 0);
  }
  next(scene, one, 2);
  cr_expect_eq(next(scene, other, 2).churn_percent, 0);
  cr_expect_eq(next(scene, other, 0).churn_percent, 100, "but not be lost");
}

Test(harness_coherence, impulses_that_move_to_other_contacts_are_a_jump) {
  const double even[] = {1, 1, 1, 1}, shifted[] = {2, 0, 1, 1}, three[] = {2, 1, 1};
  ts_contact c[4];
  fill(c);
  cr_expect(isnan(next_pushed(scene_at(0), c, 4, even).impulse_jump_percent));
  cr_expect_eq(next_pushed(scene_at(0), c, 4, even).impulse_jump_percent, 0);
  cr_expect_eq(next_pushed(scene_at(0), c, 4, shifted).impulse_jump_percent, 25);
  next_pushed(scene_at(0), c, 4, even);
  cr_expect_eq(next_pushed(scene_at(0), c, 3, three).impulse_jump_percent, 25, "one is gone");
  cr_expect(isnan(next(scene_at(0), c, 4).impulse_jump_percent), "not known");
}

Test(harness_coherence, a_run_has_the_mean_and_the_worst_of_its_steps) {
  const double even[] = {1, 1, 1, 1}, shifted[] = {2, 0, 1, 1};
  ts_contact c[4], hopped[4];
  ts_record r = {.step = 0};
  fill(c);
  fill(hopped);
  hopped[2].point.x -= 1e-3;
  hopped[1].feature_b.index = 9;
  ts_coherence_fill(&r, coherence);
  cr_expect(isnan(r.set_jump_m) && isnan(r.set_jump_m_max) && isnan(r.churn_percent_mean));
  cr_expect(isnan(r.set_jump_step) && isnan(r.features_kept_percent_min));
  double first = step_number + 1;
  next_pushed(scene_at(0), c, 4, even);
  next_pushed(scene_at(0), hopped, 4, shifted);
  next_pushed(scene_at(0), hopped, 4, shifted);
  next_pushed(scene_at(0), hopped, 2, NULL);
  ts_coherence_fill(&r, coherence);
  cr_expect_float_eq(r.churn_percent, 100 * 2 / 6.0, 1e-12);
  cr_expect_float_eq(r.churn_percent_mean, 100 * 2 / 6.0 / 3, 1e-12, "%g", r.churn_percent_mean);
  cr_expect_eq(r.features_kept_percent, 100);
  cr_expect_eq(r.features_kept_percent_min, 75);
  cr_expect(isnan(r.impulse_jump_percent), "not known in the last step");
  cr_expect_float_eq(r.impulse_jump_percent_mean, 12.5, 1e-12);
  cr_expect_gt(r.set_jump_m_max, 0.5, "two are gone: %g", r.set_jump_m_max);
  cr_expect_eq(r.set_jump_step, first + 3);
  cr_expect_geq(r.cone_jump_max, r.cone_jump);
  cr_expect_eq(r.set_jump_per_m_max, r.set_jump_per_m);
}

Test(harness_coherence, a_missing_step_breaks_the_chain) {
  ts_contact c[4];
  fill(c);
  next(scene_at(0), c, 4);
  ts_coherence_break(coherence);
  cr_expect(isnan(next(scene_at(0), c, 2).churn_percent), "compared with nothing");
  cr_expect_eq(next(scene_at(0), c, 2).churn_percent, 0);
}

/// The order of a contact that is at place(k h) in step k of `count`, for steps of 1 and of 8.
static double order_of(double (*place)(double), double still_m) {
  ts_coherence *coarse;
  ts_contact c[4];
  fill(c);
  cr_assert_eq(ts_coherence_create(&coarse), TS_OK);
  for (int k = 0; k <= 64; k++) {
    c[0].point.x = place(k / 64.0);
    next(scene_at(0), c, 4);
    ts_contact_set set = set_of(0, 1, c, 4);
    ts_judgement judgement = judge(scene_at(0), &set, 1, no_envelope);
    if (k % TS_COHERENCE_COARSE == 0)
      cr_assert_eq(ts_coherence_next(coarse, k, &judgement, (ts_contact_facts){NULL, NULL}), TS_OK);
    if (k == 1)
      cr_expect(isnan(ts_coherence_order(coherence, coarse, still_m)), "not measured yet");
  }
  double order = ts_coherence_order(coherence, coarse, still_m);
  ts_coherence_destroy(coarse);
  return order;
}

static double smooth(double t) {
  return 5e-3 * t;
}
static double jumping(double t) {
  return t < 0.4 ? 0 : 5e-3;
}
static double root(double t) {
  return 5e-3 * sqrt(t);
}
static double still(double t) {
  return t < 0.4 ? 0 : 1e-9;
}

Test(harness_coherence, the_order_of_continuity_is_how_jumps_fall_with_the_steps) {
  cr_expect_float_eq(order_of(smooth, 1e-7), 1, 1e-6);
  cr_expect_eq(ts_coherence_last(coherence)->churn_percent, 0);
}

Test(harness_coherence, the_order_of_a_jump_is_0) {
  cr_expect_float_eq(order_of(jumping, 1e-7), 0, 1e-6);
}

Test(harness_coherence, the_order_of_a_root_is_a_half) {
  cr_expect_float_eq(order_of(root, 1e-7), 0.5, 1e-6);
}

Test(harness_coherence, what_stands_still_is_continuous) {
  cr_expect_eq(order_of(still, 1e-7), 1);
  cr_expect_float_eq(order_of(still, 1e-10), 0, 1e-6, "but for a finer limit");
}

/// A face on a face, tilted so that contacts pass the limit up to which cones are compared.
Test(harness_coherence, a_contact_that_passes_the_limit_of_near_changes_no_cone) {
  ts_contact c[4];
  fill(c);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 4; i++)
      c[i].gap_m = i / 2 ? 0 : TS_COHERENCE_NEAR * (k ? 1 + 1e-4 : 1 - 1e-4);
    ts_scene *scene = scene_at(0);
    scene->bodies[1].pose.translation.y = k * 1e-3; // what the motion explains
    ts_coherence_step s = next(scene, c, 4);
    if (k)
      cr_expect_lt(s.cone_jump, 1e-9, "%g", s.cone_jump);
  }
}

Test(harness_coherence, keys_of_the_generator_stand_for_the_ids_of_features) {
  const uint64_t keys[] = {9, 8, 7, 6}, one_new[] = {9, 8, 5, 6}, none[] = {0, 0, 0, 0};
  ts_contact c[4], other[4];
  fill(c);
  fill(other);
  other[0].feature_a.index = 1234;
  next_with(scene_at(0), c, 4, NULL, keys);
  cr_expect_eq(next_with(scene_at(0), other, 4, NULL, keys).features_kept_percent, 100);
  cr_expect_eq(next_with(scene_at(0), c, 4, NULL, one_new).features_kept_percent, 75);
  next_with(scene_at(0), c, 4, NULL, none);
  cr_expect(isnan(next_with(scene_at(0), c, 4, NULL, none).features_kept_percent), "it has none");
}

/// The contacts of a scene whose gap has grown by `motion_m`, as the method that followed a share
/// of it gives them.
static double stale_after(double motion_m, double followed, double slid_m) {
  ts_contact c[4];
  fill(c);
  next(scene_at(0), c, 4);
  ts_scene *moved = scene_at(motion_m);
  moved->bodies[1].pose.translation.x += slid_m;
  for (int i = 0; i < 4; i++)
    c[i].gap_m = followed * motion_m;
  return next(moved, c, 4).stale_percent;
}

Test(harness_coherence, contacts_that_do_not_follow_their_bodies_are_stale) {
  cr_expect_eq(stale_after(1e-4, 0, 0), 100);
  cr_expect_eq(stale_after(1e-4, 0.5, 0), 0, "wrong by half, and not left behind");
  cr_expect_eq(stale_after(-1e-4, 1, 0), 0);
  cr_expect_eq(stale_after(-1e-4, 0, 1e-3), 100, "they slide as well");
  cr_expect(isnan(stale_after(0, 0, 1e-3)), "bodies that slide do not change their gap");
  cr_expect(isnan(stale_after(1e-9, 0, 0)), "they have not moved");
}

Test(harness_coherence, contacts_that_stay_in_the_world_while_both_bodies_move_are_stale) {
  ts_contact c[4];
  fill(c);
  next(scene_at(0), c, 4);
  ts_scene *moved = scene_at(1e-4);
  moved->bodies[0].pose.translation.x += 1e-3;
  moved->bodies[1].pose.translation.x += 2e-3;
  cr_expect_eq(next(moved, c, 4).stale_percent, 100);
}

Test(harness_coherence, a_pair_with_one_contact_that_follows_is_not_stale) {
  ts_contact c[4];
  fill(c);
  next(scene_at(0), c, 4);
  c[2].gap_m = 1e-4;
  cr_expect_eq(next(scene_at(1e-4), c, 4).stale_percent, 0);
}

Test(harness_coherence, the_pair_that_jumps_most_is_named) {
  ts_contact c[4], hopped[4];
  fill(c);
  fill(hopped);
  hopped[1].point.x += 1e-3;
  ts_coherence_step still = change(c, 4, c, 4), jumped = change(c, 4, hopped, 4);
  cr_expect_eq(still.jump_bodies[0], -1);
  cr_expect(jumped.jump_bodies[0] == 0 && jumped.jump_bodies[1] == 1);
}

/// A square as it is, and with corners in the middle of its sides.
static const region_spec sides[] = {{.a = 0,
                                     .b = 1,
                                     .vertex_count = 8,
                                     .vertices = {{0, 0, 0},
                                                  {0, 0, 0.5},
                                                  {0, 0, 1},
                                                  {0.5, 0, 1},
                                                  {1, 0, 1},
                                                  {1, 0, 0.5},
                                                  {1, 0, 0},
                                                  {0.5, 0, 0}},
                                     .normal_count = 1,
                                     .normals = {{{0, 1, 0}, 0}}}};

static ts_scene *scene_of(const region_spec *region) {
  ts_scene *scene = scene_with(2, region, region ? 1 : 0);
  scene->bodies[0].pose.translation = ts_vec3_make(0, -1, 0);
  scene->truth_is_moved = true;
  return scene;
}

Test(harness_coherence, corners_that_the_truth_gets_have_a_reason) {
  ts_contact c[8];
  fill(c);
  for (int i = 4; i < 8; i++) {
    double t = i % 2 ? 1 : 0;
    c[i] = i < 6 ? contact_at(t, 0, 0.5, up, 0) : contact_at(0.5, 0, t, up, 0);
  }
  next(scene_of(square), c, 4);
  ts_coherence_step came = next(scene_of(sides), c, 8);
  cr_expect(came.churn_percent == 0 && came.set_jump_m == 0, "%g, %g", came.churn_percent,
            came.set_jump_m);
  ts_coherence_step went = next(scene_of(square), c, 4);
  cr_expect(went.churn_percent == 0 && went.set_jump_m == 0, "%g, %g", went.churn_percent,
            went.set_jump_m);
  cr_expect_gt(next(scene_of(square), c, 8).churn_percent, 30, "the truth has no corners there");
  cr_expect_gt(next(scene_of(sides), c, 4).churn_percent, 30, "or has them before");
}

Test(harness_coherence,
     contacts_of_bodies_that_come_to_touch_have_a_reason_and_phantoms_have_none) {
  ts_contact c[4];
  fill(c);
  next(scene_of(NULL), c, 0);
  cr_expect_eq(next(scene_of(square), c, 4).churn_percent, 0);
  cr_expect_eq(next(scene_of(NULL), c, 0).churn_percent, 0, "and part");
  for (int i = 0; i < 4; i++)
    c[i].point.x += 5;
  cr_expect_eq(next(scene_of(square), c, 4).churn_percent, 100, "far from where they touch");
}

Test(harness_coherence, a_contact_that_parts_from_another_one_has_a_reason) {
  ts_contact c[5];
  fill(c);
  next(scene_of(square), c, 4);
  ts_scene *moved = scene_of(square);
  moved->bodies[1].pose.translation.x += 1e-4;
  c[4] = c[3];
  c[4].point.x -= 1.5e-4; // by no more than twice the motion
  cr_expect_eq(next(moved, c, 5).churn_percent, 0);
  next(scene_of(square), c, 4);
  c[4].point.x -= 1e-3;
  cr_expect_gt(next(moved, c, 5).churn_percent, 10);
}

Test(harness_coherence, contacts_that_move_with_neither_body_are_not_stale) {
  ts_contact c[4];
  fill(c);
  next(scene_at(0), c, 4);
  for (int i = 0; i < 4; i++)
    c[i].point.z += i < 2 ? 1e-5 : -1e-5; // a tenth of the motion
  cr_expect_eq(next(scene_at(1e-4), c, 4).stale_percent, 0, "their places have changed");
  fill(c);
  next(scene_at(0), c, 4);
  for (int i = 0; i < 4; i++)
    c[i].normal = up_tilted(0.01);
  cr_expect_eq(next(scene_at(1e-4), c, 4).stale_percent, 0, "their normals have");
}

Test(harness_coherence, pairs_of_many_contacts_are_left_out_of_the_cones) {
  enum { MANY = 130 };
  ts_contact many[MANY], one = contact_at(0.5, 0, 0.5, right, 0);
  for (int i = 0; i < MANY; i++)
    many[i] = contact_at(0.1 + 0.005 * i, 0, 0.5, up, 0);
  cr_expect_eq(change(many, MANY, &one, 1).cone_jump, 0);
  cr_expect_eq(change(&one, 1, many, MANY).cone_jump, 0);
  cr_expect_gt(change(&one, 1, many, 100).cone_jump, 0.1);
}
