// SPDX-License-Identifier: MIT
// covers: harness/judge/judge.c
#include "geometry/tolerances.h"
#include "harness/judge/judge.h"
#include "tests/harness/judge/scoring_fixture.h"

#include <criterion/criterion.h>
#include <math.h>

TestSuite(harness_judge, .init = scoring_setup, .fini = scoring_teardown);

static const region_spec square[] = {SQUARE(0, 1)};

static const ts_envelope eroded = {TS_ENVELOPE_ERODED, 0, 0.01, 0};
static const ts_envelope dilated = {TS_ENVELOPE_DILATED, 0, 0.01, 0};

static ts_verdict on_square(ts_vec3 normal) {
  return judge_one(scene_with(2, square, 1), contact_at(0.5, 0, 0.5, normal, 0), no_envelope);
}

/// A groove along z: two walls at 45 degrees, both needed, with these gaps.
static ts_scene *groove(double gap_0, double gap_1, bool any_one) {
  double a = sqrt(0.5);
  const region_spec spec = {.a = 0,
                            .b = 1,
                            .any_one = any_one,
                            .vertex_count = 2,
                            .vertices = {{0, 0, 0}, {0, 0, 1}},
                            .normal_count = 2,
                            .normals = {{{a, a, 0}, gap_0}, {{-a, a, 0}, gap_1}}};
  return scene_with(2, &spec, 1);
}

static ts_vec3 wall(int side) {
  return (ts_vec3){side == 0 ? sqrt(0.5) : -sqrt(0.5), sqrt(0.5), 0};
}

Test(harness_judge, a_perfect_contact_has_no_fault) {
  ts_verdict v = on_square(up);
  cr_assert_eq(v.region, 0);
  cr_assert_eq(v.feasible, 0);
  cr_assert_eq(v.position_error_m, 0);
  cr_assert_eq(v.normal_error_deg, 0);
  cr_assert_eq(v.gap_error_m, 0);
  cr_assert(v.is_correct);
  cr_assert_not(v.is_flipped || v.is_invalid || v.is_phantom || v.is_speculative);
}

Test(harness_judge, in_a_carried_scene_the_gap_is_not_known_and_the_place_less_well) {
  ts_scene *scene = scene_with(2, square, 1);
  ts_contact beside = contact_at(0.5, 0.0009, 0.5, up, -0.25);
  ts_verdict still = judge_one(scene, beside, no_envelope);
  cr_assert_eq(still.gap_error_m, 0.25);
  cr_assert(still.is_phantom);
  scene->regions[0].place_error_m = 0.001;
  ts_verdict moved = judge_one(scene, beside, no_envelope);
  cr_assert(isnan(moved.gap_error_m));
  cr_assert_not(moved.is_phantom);
  cr_assert_eq(moved.position_error_m, 0.0009);
  cr_assert(moved.is_correct);
  cr_assert(judge_one(scene, contact_at(0.5, 0.0011, 0.5, up, 0), no_envelope).is_phantom);
  cr_assert_not(judge_one(scene, contact_at(0.5, 0.0209, 0.5, up, 0), eroded).is_phantom,
                "twice the envelope comes on top");
  cr_assert(judge_one(scene, contact_at(0.5, 0.0211, 0.5, up, 0), eroded).is_phantom);
}

Test(harness_judge, the_tolerance_of_a_pair_grows_by_its_own_motion) {
  const region_spec specs[] = {SQUARE(0, 1), SQUARE(0, 2)};
  ts_scene *scene = scene_with(3, specs, 2);
  scene->regions[1].place_error_m = 0.001;
  ts_judgement judgement = judge(scene, NULL, 0, no_envelope);
  cr_assert_eq(judgement.pair_count, 2);
  cr_assert_eq(judgement.pairs[0].position_tolerance_m, TS_POSITION_RELATIVE);
  cr_assert_eq(judgement.pairs[1].position_tolerance_m, TS_POSITION_RELATIVE + 0.001);
}

Test(harness_judge, a_normal_is_correct_up_to_the_tolerance) {
  double limit_deg = acos(1 - TS_NORMAL_TOLERANCE) * 180 / 3.14159265358979323846;
  cr_assert(on_square(up_tilted(0.999 * limit_deg)).is_correct);
  cr_assert_not(on_square(up_tilted(1.001 * limit_deg)).is_correct);
  cr_assert(on_square(up_tilted(180 - 0.999 * limit_deg)).is_correct, "direction up to sign");
}

Test(harness_judge, a_normal_is_judged_as_delivered) {
  cr_assert_not(on_square((ts_vec3){0, 1.5, 0}).is_correct, "right direction, wrong length");
  ts_vec3 long_and_tilted = ts_vec3_scale(up_tilted(10), 1 / cos(10 * 3.14159265358979 / 180));
  ts_verdict v = on_square(long_and_tilted);
  cr_assert(v.is_correct, "n.f is 1");
  cr_assert(v.is_invalid);
  cr_assert_float_eq(v.normal_error_deg, 10, 1e-9, "the error is that of the unit normal");
}

Test(harness_judge, the_normal_error_is_the_angle_up_to_sign) {
  cr_assert_float_eq(on_square(up_tilted(30)).normal_error_deg, 30, 1e-12);
  cr_assert_float_eq(on_square(up_tilted(150)).normal_error_deg, 30, 1e-12);
  cr_assert_float_eq(on_square(up_tilted(90)).normal_error_deg, 90, 1e-12);
  cr_assert_float_eq(on_square(up_tilted(1e-7)).normal_error_deg, 1e-7, 1e-14, "no acos");
}

Test(harness_judge, a_normal_is_flipped_when_it_points_to_a) {
  cr_assert(on_square(down).is_flipped);
  cr_assert(on_square(down).is_correct);
  cr_assert(on_square(up_tilted(91)).is_flipped);
  cr_assert_not(on_square(up_tilted(89)).is_flipped);
}

Test(harness_judge, a_sideways_normal_is_not_flipped_by_rounding) {
  cr_assert_not(on_square((ts_vec3){1, -1e-16, 0}).is_flipped);
  cr_assert_not(on_square(right).is_flipped);
}

Test(harness_judge, a_normal_as_close_to_two_feasible_ones_is_not_flipped_against_one) {
  ts_scene *scene = groove(0, 0, false);
  ts_verdict v = judge_one(scene, contact_at(0, 0, 0.5, right, 0), no_envelope);
  cr_assert_eq(v.feasible, 0);
  cr_assert_not(v.is_flipped);
  v = judge_one(scene, contact_at(0, 0, 0.5, (ts_vec3){-1, 1e-13, 0}, 0), no_envelope);
  cr_assert_eq(v.feasible, 1);
  cr_assert_not(v.is_flipped);
  cr_assert_float_eq(v.normal_error_deg, 45, 1e-9);
}

Test(harness_judge, a_normal_is_invalid_when_not_finite_zero_or_not_unit) {
  cr_assert(on_square((ts_vec3){NAN, 1, 0}).is_invalid);
  cr_assert(on_square((ts_vec3){0, INFINITY, 0}).is_invalid);
  cr_assert(on_square((ts_vec3){0, 0, 0}).is_invalid);
  cr_assert(on_square((ts_vec3){0, 1 + 2e-6, 0}).is_invalid);
  cr_assert(on_square((ts_vec3){0, 1 - 2e-6, 0}).is_invalid);
  cr_assert_not(on_square((ts_vec3){0, 1 + 0.5e-6, 0}).is_invalid);
}

Test(harness_judge, a_normal_without_direction_has_no_error_and_is_not_correct) {
  const ts_vec3 none[] = {{NAN, NAN, NAN}, {0, 0, 0}, {INFINITY, 0, 0}};
  for (int i = 0; i < 3; i++) {
    ts_verdict v = on_square(none[i]);
    cr_assert(isnan(v.normal_error_deg));
    cr_assert_not(v.is_correct || v.is_flipped);
    cr_assert_eq(v.region, 0, "the point still determines the region");
    cr_assert_not(v.is_phantom);
    cr_assert_eq(v.gap_error_m, 0);
  }
}

Test(harness_judge, a_contact_belongs_to_the_nearest_region) {
  const region_spec two[] = {
      {.a = 0,
       .b = 1,
       .vertex_count = 1,
       .vertices = {{0, 0, 0}},
       .normal_count = 1,
       .normals = {{{0, 1, 0}, 0}}},
      {.a = 0,
       .b = 1,
       .vertex_count = 1,
       .vertices = {{1, 0, 0}},
       .normal_count = 1,
       .normals = {{{1, 0, 0}, 0}}},
  };
  ts_scene *scene = scene_with(2, two, 2);
  ts_verdict v = judge_one(scene, contact_at(0.4, 0, 0, right, 0), no_envelope);
  cr_assert_eq(v.region, 0, "though its normal is that of the other one");
  cr_assert_float_eq(v.position_error_m, 0.4, 1e-15);
  cr_assert_not(v.is_correct, "only normals of its own region count");
  v = judge_one(scene, contact_at(0.6, 0, 0, up, 0), no_envelope);
  cr_assert_eq(v.region, 1);
}

/// A floor and a wall, then the floor again.
static const region_spec corner[] = {
    SQUARE(0, 1),
    {.a = 0,
     .b = 1,
     .vertex_count = 4,
     .vertices = {{0, 0, 0}, {0, 1, 0}, {0, 1, 1}, {0, 0, 1}},
     .normal_count = 1,
     .normals = {{{1, 0, 0}, 0}}},
    SQUARE(0, 1),
};

Test(harness_judge, the_normal_decides_between_regions_equally_near) {
  ts_scene *scene = scene_with(2, corner, 3);
  cr_assert_eq(judge_one(scene, contact_at(0, 0, 0.5, right, 0), no_envelope).region, 1);
  cr_assert_eq(judge_one(scene, contact_at(0, 0, 0.5, up, 0), no_envelope).region, 0,
               "the first of two alike");
  cr_assert_eq(judge_one(scene, contact_at(1e-10, 0, 0.5, right, 0), no_envelope).region, 1,
               "rounding of the point does not decide");
  cr_assert_eq(judge_one(scene, contact_at(0.9e-6, 0, 0.5, right, 0), no_envelope).region, 1,
               "nor does a distance within the tolerance");
  cr_assert_eq(judge_one(scene, contact_at(1.1e-6, 0, 0.5, right, 0), no_envelope).region, 0);
}

Test(harness_judge, by_the_published_rule_only_rounding_is_equally_near_at_any_size) {
  const double sizes[] = {1e-3, 1, 1e3};
  for (int i = 0; i < 3; i++) {
    ts_scene *scene = scene_with(2, corner, 2);
    cr_assert_eq(ts_scene_transform(scene, sizes[i], ts_pose_identity()), TS_OK);
    ts_contact contacts[] = {contact_at(1e-10 * sizes[i], 0, 0.5 * sizes[i], right, 0),
                             contact_at(1e-8 * sizes[i], 0, 0.5 * sizes[i], right, 0)};
    ts_contact_set set = set_of(0, 1, contacts, 2);
    ts_judgement judgement = judge_by(TS_RULE_PUBLISHED, scene, &set, 1, no_envelope);
    cr_expect_eq(judgement.pairs[0].verdicts[0].region, 1, "%g", sizes[i]);
    cr_expect_eq(judgement.pairs[0].verdicts[1].region, 0, "%g", sizes[i]);
  }
}

/// A box that overlaps a floor and a wall by 0.02 m: the foot of its edge in the wall is below the
/// floor, where the overlap with the wall has no end.
Test(harness_judge, a_second_overlap_clips_a_feature_by_its_whole_depth) {
  const region_spec nook[] = {
      {.a = 0,
       .b = 1,
       .vertex_count = 4,
       .vertices = {{0, -0.01, 0}, {0, -0.01, 1}, {1, -0.01, 1}, {1, -0.01, 0}},
       .normal_count = 1,
       .normals = {{{0, 1, 0}, -0.02}}},
      {.a = 0,
       .b = 1,
       .vertex_count = 2,
       .vertices = {{-0.01, 0, 0.5}, {-0.01, 1, 0.5}},
       .normal_count = 1,
       .normals = {{{1, 0, 0}, -0.02}}},
  };
  ts_scene *scene = scene_with(2, nook, 2);
  ts_contact foot = contact_at(-0.01, -0.02, 0.5, right, -0.02);
  ts_verdict v = judge_one(scene, foot, no_envelope);
  cr_expect_eq(v.region, 1);
  cr_expect_eq(v.position_error_m, 0);
  cr_expect(v.is_correct && !v.is_phantom && !v.is_gap_wrong);
  foot.point.y = -0.06;
  cr_expect(judge_one(scene, foot, no_envelope).is_phantom, "but by no more");
  foot.point.y = -0.02;
  ts_contact_set set = set_of(0, 1, &foot, 1);
  ts_judgement published = judge_by(TS_RULE_PUBLISHED, scene, &set, 1, no_envelope);
  cr_expect(published.pairs[0].verdicts[0].is_phantom, "not as published");
  ts_scene *floor_only = scene_with(2, nook, 1);
  v = judge_one(floor_only, contact_at(0.5, -0.021, 0.5, up, -0.02), no_envelope);
  cr_expect(v.is_phantom, "one overlap clips nothing of its own");
}

Test(harness_judge, a_contact_is_phantom_beyond_the_position_tolerance) {
  ts_scene *scene = scene_with(2, square, 1);
  ts_verdict v = judge_one(scene, contact_at(0.5, 0.9e-6, 0.5, up, 0), no_envelope);
  cr_assert_not(v.is_phantom);
  v = judge_one(scene, contact_at(-1.1e-6, 0, 0.5, up, 0), no_envelope);
  cr_assert(v.is_phantom);
  cr_assert_float_eq(v.position_error_m, 1.1e-6, 1e-15);
  cr_assert_eq(v.region, 0);
}

Test(harness_judge, twice_the_envelope_is_added_to_the_position_tolerance) {
  ts_scene *scene = scene_with(2, square, 1);
  const ts_envelope both[] = {eroded, dilated};
  for (int i = 0; i < 2; i++) {
    cr_assert_not(judge_one(scene, contact_at(-0.02, 0, 0, up, 0), both[i]).is_phantom);
    cr_assert(judge_one(scene, contact_at(-0.0201, 0, 0, up, 0), both[i]).is_phantom);
  }
  const ts_envelope named_none = {TS_ENVELOPE_NONE, 0, 0.01, 0};
  cr_assert(judge_one(scene, contact_at(-0.02, 0, 0, up, 0), named_none).is_phantom);
}

Test(harness_judge, a_contact_ahead_of_the_touch_is_not_a_phantom_wherever_it_is) {
  ts_scene *scene = scene_with(2, square, 1);
  ts_verdict v = judge_one(scene, contact_at(-0.5, 0, 0, up, 0.1), no_envelope);
  cr_assert(v.is_speculative);
  cr_assert_not(v.is_phantom);
}

Test(harness_judge, a_contact_whose_point_is_not_finite_is_phantom) {
  ts_scene *scene = scene_with(2, square, 1);
  ts_verdict v = judge_one(scene, contact_at(NAN, 0, 0, up, 0), no_envelope);
  cr_assert(v.is_phantom);
  cr_assert(isnan(v.position_error_m));
  cr_assert_eq(v.region, 0);
  cr_assert(v.is_correct);
}

Test(harness_judge, a_contact_of_a_pair_that_does_not_touch_is_phantom) {
  ts_scene *scene = scene_with(3, square, 1);
  ts_contact contact = contact_at(0, 0, 0, up, 0);
  ts_contact_set set = set_of(1, 2, &contact, 1);
  ts_judgement judgement = judge(scene, &set, 1, no_envelope);
  cr_assert_eq(judgement.pair_count, 2);
  ts_verdict v = judgement.pairs[1].verdicts[0];
  cr_assert_eq(v.region, TS_NO_REGION);
  cr_assert(v.is_phantom);
  cr_assert(isnan(v.position_error_m) && isnan(v.normal_error_deg) && isnan(v.gap_error_m));
  cr_assert_not(v.is_correct || v.is_flipped || v.is_invalid);
  cr_assert_not(ts_judged_counts(&judgement.pairs[1], 0));
}

Test(harness_judge, a_contact_ahead_of_the_touch_is_speculative) {
  ts_scene *scene = scene_with(2, square, 1);
  cr_assert(judge_one(scene, contact_at(0, 0, 0, up, 1.1e-6), no_envelope).is_speculative);
  cr_assert_not(judge_one(scene, contact_at(0, 0, 0, up, 0.9e-6), no_envelope).is_speculative);
  cr_assert(judge_one(scene, contact_at(0, 0, 0, up, 0.0201), eroded).is_speculative);
  cr_assert_not(judge_one(scene, contact_at(0, 0, 0, up, 0.02), eroded).is_speculative);
  cr_assert_not(judge_one(scene, contact_at(0, 0, 0, up, NAN), no_envelope).is_speculative);
}

Test(harness_judge, a_positive_gap_at_an_open_normal_is_speculative) {
  ts_scene *scene = groove(0.005, 0, false);
  ts_contact at_open = contact_at(0, 0, 0.5, wall(0), 0.005);
  ts_contact at_closed = contact_at(0, 0, 0.5, wall(1), 0.005);
  cr_assert(judge_one(scene, at_open, eroded).is_speculative);
  cr_assert_not(judge_one(scene, at_closed, eroded).is_speculative);
  at_open.gap_m = 0;
  cr_assert_not(judge_one(scene, at_open, eroded).is_speculative, "claims a touch");
}

Test(harness_judge, what_dilation_explains_is_taken_off_at_an_open_normal) {
  ts_scene *scene = groove(0.005, 0, false);
  ts_contact contact = contact_at(0, 0, 0.5, wall(0), 0.005 - 0.02);
  cr_assert(judge_one(scene, contact, dilated).is_speculative);
  contact.gap_m = -0.021;
  cr_assert_not(judge_one(scene, contact, dilated).is_speculative);
}

Test(harness_judge, an_any_one_region_is_open_along_all_its_normals) {
  ts_scene *scene = groove(0.005, -0.005, true);
  cr_assert(judge_one(scene, contact_at(0, 0, 0, wall(1), 1e-7), no_envelope).is_speculative);
  scene = groove(0, -0.005, true);
  cr_assert_not(judge_one(scene, contact_at(0, 0, 0, wall(1), 1e-7), no_envelope).is_speculative);
}

Test(harness_judge, a_pair_that_has_moved_apart_has_phantoms_and_nothing_in_c) {
  ts_scene *scene = groove(0.005, 0.005, false);
  ts_contact claims[2] = {contact_at(0, 0, 0.5, wall(0), -0.6),
                          contact_at(0, 0, 0.5, wall(1), 0.005)};
  ts_contact_set set = set_of(0, 1, claims, 2);
  ts_judgement judgement = judge(scene, &set, 1, no_envelope);
  cr_assert_eq(judgement.pair_count, 1);
  const ts_judged_pair *pair = &judgement.pairs[0];
  cr_assert_not(pair->touches);
  cr_assert(pair->verdicts[0].is_phantom && !pair->verdicts[0].is_speculative, "claims a touch");
  cr_assert(!pair->verdicts[1].is_phantom && pair->verdicts[1].is_speculative, "claims none");
  cr_assert_not(ts_judged_counts(pair, 0) || ts_judged_counts(pair, 1));
  cr_assert_eq(judge(groove(0.005, 0, false), &set, 1, no_envelope).pairs[0].touches, true);
}

static double gap_error(double true_gap, double gap, ts_envelope envelope) {
  ts_scene *scene = groove(true_gap, true_gap, false);
  return judge_one(scene, contact_at(0, 0, 0, wall(0), gap), envelope).gap_error_m;
}

Test(harness_judge, the_gap_error_is_what_the_envelope_does_not_explain) {
  cr_assert_float_eq(gap_error(0, -0.1, no_envelope), 0.1, 1e-15);
  cr_assert_float_eq(gap_error(0, 0.1, no_envelope), 0.1, 1e-15);
  cr_assert_float_eq(gap_error(-0.3, -0.1, no_envelope), 0.2, 1e-15);
  cr_assert_eq(gap_error(0, 0.02, eroded), 0);
  cr_assert_float_eq(gap_error(0, 0.03, eroded), 0.01, 1e-15);
  cr_assert_float_eq(gap_error(0, -0.01, eroded), 0.01, 1e-15);
  cr_assert_eq(gap_error(0, -0.02, dilated), 0);
  cr_assert_float_eq(gap_error(0, -0.03, dilated), 0.01, 1e-15);
  cr_assert_float_eq(gap_error(0, 0.01, dilated), 0.01, 1e-15);
  cr_assert_eq(gap_error(0, NAN, no_envelope), INFINITY, "seen by every rule");
  cr_assert_eq(gap_error(0, -INFINITY, no_envelope), INFINITY);
}

Test(harness_judge, the_gap_is_held_against_the_closest_feasible_normal) {
  ts_scene *scene = groove(-0.1, -0.2, false);
  cr_assert_eq(judge_one(scene, contact_at(0, 0, 0, wall(1), -0.2), no_envelope).gap_error_m, 0);
  cr_assert_float_eq(judge_one(scene, contact_at(0, 0, 0, wall(0), -0.2), no_envelope).gap_error_m,
                     0.1, 1e-15);
}

Test(harness_judge, the_reference_decides_which_normals_are_right) {
  ts_scene *scene = groove(0, 0, false);
  for (int r = 0; r < 2; r++)
    scene->regions[0].feasible[r].count = 1;
  scene->regions[0].feasible[TS_REFERENCE_PUBLISHED].normals[0].normal = wall(1);
  ts_contact contact = contact_at(0, 0, 0, wall(1), 0);
  ts_contact_set set = set_of(0, 1, &contact, 1);
  const bool expected[TS_REFERENCE_COUNT] = {false, true, true};
  for (int r = 0; r < TS_REFERENCE_COUNT; r++) {
    ts_scoring scoring = default_scoring();
    scoring.reference = (ts_reference)r;
    ts_judgement judgement;
    cr_assert_eq(ts_judge(&judgement, arena, scene, &set, 1, no_envelope, scoring), TS_OK);
    cr_assert_eq(judgement.pairs[0].verdicts[0].is_correct, expected[r], "reference %d", r);
  }
}

Test(harness_judge, pairs_of_sets_and_of_truth_are_merged_in_order) {
  const region_spec specs[] = {SQUARE(0, 2), SQUARE(0, 2), SQUARE(1, 2), SQUARE(2, 3)};
  ts_scene *scene = scene_with(4, specs, 4);
  ts_contact contact = contact_at(0, 0, 0, up, 0);
  const ts_contact_set sets[] = {set_of(0, 1, &contact, 1), set_of(0, 2, &contact, 1),
                                 set_of(0, 3, NULL, 0), set_of(1, 2, NULL, 0)};
  ts_judgement judgement = judge(scene, sets, 4, no_envelope);
  const int32_t expected[][2] = {{0, 1}, {0, 2}, {1, 2}, {2, 3}};
  const size_t regions[] = {0, 2, 1, 1}, contacts[] = {1, 1, 0, 0};
  cr_assert_eq(judgement.pair_count, 4, "an empty set of a pair that does not touch is no pair");
  for (size_t i = 0; i < 4; i++) {
    cr_assert_eq(judgement.pairs[i].set->body_a, expected[i][0]);
    cr_assert_eq(judgement.pairs[i].set->body_b, expected[i][1]);
    cr_assert_eq(judgement.pairs[i].region_count, regions[i]);
    cr_assert_eq(judgement.pairs[i].set->count, contacts[i]);
    cr_assert_eq(judgement.pairs[i].size_m, 1);
  }
  cr_assert_eq(judgement.pairs[2].first_region, 2);
}

/// Contacts of a pair that touches (one of them speculative), of a pair that was designed to touch
/// but is apart, and of one that was not designed to touch.
static ts_judgement judge_three_pairs(ts_scoring_rule rule) {
  const region_spec specs[] = {SQUARE(0, 1), SQUARE(1, 2)};
  ts_scene *scene = scene_with(4, specs, 2);
  for (int r = 0; r < TS_REFERENCE_COUNT; r++)
    scene->regions[1].feasible[r].normals[0].gap_m = 0.5;
  ts_contact touching[] = {contact_at(0.5, 0, 0.5, up, 0), contact_at(0.5, 0, 0.5, up, 0.1)};
  ts_contact open = contact_at(0.5, 0, 0.5, up, 0.4), away = contact_at(0.5, 0, 0.5, up, -0.1);
  ts_contact_set sets[] = {set_of(0, 1, touching, 2), set_of(1, 2, &open, 1),
                           set_of(2, 3, &away, 1)};
  return judge_by(rule, scene, sets, 3, no_envelope);
}

Test(harness_judge, by_the_published_rule_every_contact_counts) {
  ts_judgement ours = judge_three_pairs(TS_RULE_TOUCHSTONE);
  cr_assert_eq(ours.pair_count, 3);
  cr_expect_eq(ts_judgement_count(&ours), 1);
  cr_expect(ts_judged_counts(&ours.pairs[0], 0) && !ts_judged_counts(&ours.pairs[0], 1));
  ts_judgement published = judge_three_pairs(TS_RULE_PUBLISHED);
  cr_assert_eq(published.pair_count, 3);
  cr_expect_eq(ts_judgement_count(&published), 4);
  for (size_t p = 0; p < 3; p++)
    for (size_t i = 0; i < published.pairs[p].set->count; i++) {
      cr_expect(ts_judged_counts(&published.pairs[p], i), "pair %zu, contact %zu", p, i);
      cr_expect_not(published.pairs[p].verdicts[i].is_speculative);
    }
  cr_expect(ours.pairs[0].verdicts[1].is_speculative && ours.pairs[1].verdicts[0].is_speculative);
}

Test(harness_judge, the_published_rule_changes_neither_truth_nor_normals) {
  ts_judgement ours = judge_three_pairs(TS_RULE_TOUCHSTONE);
  ts_judgement published = judge_three_pairs(TS_RULE_PUBLISHED);
  for (size_t p = 0; p < 3; p++) {
    cr_expect_eq(published.pairs[p].touches, ours.pairs[p].touches);
    for (size_t i = 0; i < ours.pairs[p].set->count; i++) {
      const ts_verdict *a = &ours.pairs[p].verdicts[i], *b = &published.pairs[p].verdicts[i];
      cr_expect(a->region == b->region && a->is_correct == b->is_correct &&
                a->is_flipped == b->is_flipped && a->is_invalid == b->is_invalid);
    }
  }
  cr_expect(published.pairs[0].touches && !published.pairs[1].touches);
  cr_expect_eq(published.pairs[2].verdicts[0].region, TS_NO_REGION);
  cr_expect_not(published.pairs[2].verdicts[0].is_correct, "no normal is right where none is");
}

Test(harness_judge, nothing_to_judge_is_ok) {
  ts_scene *scene = scene_with(2, NULL, 0);
  ts_contact_set empty = set_of(0, 1, NULL, 0);
  cr_assert_eq(judge(scene, NULL, 0, no_envelope).pair_count, 0);
  ts_judgement judgement = judge(scene, &empty, 1, no_envelope);
  cr_assert_eq(judgement.pair_count, 0);
  cr_assert_eq(ts_judgement_count(&judgement), 0);
}

static ts_scene *scene_of_unknown_truth(void) {
  ts_scene *scene = scene_with(2, NULL, 0);
  scene->truth_is_unknown = true;
  return scene;
}

Test(harness_judge, without_truth_no_contact_is_at_fault) {
  ts_contact contact = contact_at(0.5, 3, 0.5, down, -0.1);
  ts_verdict v = judge_one(scene_of_unknown_truth(), contact, no_envelope);
  cr_assert_eq(v.region, TS_NO_REGION);
  cr_assert(isnan(v.position_error_m) && isnan(v.normal_error_deg) && isnan(v.gap_error_m));
  cr_assert_not(v.is_phantom || v.is_flipped || v.is_correct || v.is_invalid || v.is_speculative);
  cr_assert(judge_one(scene_with(2, NULL, 0), contact, no_envelope).is_phantom,
            "which it is where the truth is that nothing touches");
}

Test(harness_judge, without_truth_a_contact_is_judged_by_its_own_values) {
  ts_vec3 nothing = {0, 0, 0}, long_up = {0, 1.1, 0};
  cr_assert(
      judge_one(scene_of_unknown_truth(), contact_at(0, 0, 0, nothing, 0), no_envelope).is_invalid);
  cr_assert(
      judge_one(scene_of_unknown_truth(), contact_at(0, 0, 0, long_up, 0), no_envelope).is_invalid);
  ts_contact ahead = contact_at(0, 0, 0, up, 0.01);
  cr_assert(judge_one(scene_of_unknown_truth(), ahead, no_envelope).is_speculative);
  cr_assert_not(judge_one(scene_of_unknown_truth(), ahead, eroded).is_speculative);
}

Test(harness_judge, without_truth_every_pair_counts_under_both_rules) {
  ts_contact contacts[] = {contact_at(0, 0, 0, up, 0), contact_at(1, 0, 0, up, 0.5)};
  ts_contact_set set = set_of(0, 1, contacts, 2);
  ts_judgement judgement = judge(scene_of_unknown_truth(), &set, 1, no_envelope);
  cr_assert_eq(ts_judgement_count(&judgement), 1, "the other is ahead of a touch");
  judgement = judge_by(TS_RULE_PUBLISHED, scene_of_unknown_truth(), &set, 1, no_envelope);
  cr_assert_eq(ts_judgement_count(&judgement), 2);
  cr_assert_not(judgement.pairs[0].verdicts[0].is_phantom);
  cr_assert_not(judgement.pairs[0].verdicts[1].is_phantom);
  judgement = judge(scene_with(2, NULL, 0), &set, 1, no_envelope);
  cr_assert_eq(ts_judgement_count(&judgement), 0, "nothing touches in truth");
}

/// Two bodies edge on edge: any normal between these two separates them.
static const region_spec ridge[] = {{.a = 0,
                                     .b = 1,
                                     .any_one = true,
                                     .vertex_count = 2,
                                     .vertices = {{0, 0, 0}, {0, 0, 1}},
                                     .normal_count = 2,
                                     .normals = {{{0.6, 0.8, 0}, 0}, {{-0.6, 0.8, 0}, -0.1}}}};

Test(harness_judge, where_any_normal_is_right_so_is_each_between_them) {
  ts_scene *scene = scene_with(2, ridge, 1);
  ts_verdict v = judge_one(scene, contact_at(0, 0, 0.5, up, -0.0625), no_envelope);
  cr_expect(v.is_correct);
  cr_expect_eq(v.normal_error_deg, 0);
  cr_expect_float_eq(v.gap_error_m, 0, 1e-15, "half of the sum over the length of the sum");
  cr_expect_not(judge_one(scene, contact_at(0, 0, 0.5, right, 0), no_envelope).is_correct);
  v = judge_one(scene, contact_at(0, 0, 0.5, down, -0.0625), no_envelope);
  cr_expect(v.is_correct, "up to sign");
  cr_expect(v.is_flipped);
  ts_contact along = contact_at(0, 0, 0.5, (ts_vec3){0, 0, 1}, 0);
  cr_expect_float_eq(judge_one(scene, along, no_envelope).normal_error_deg, 90, 1e-9);
}

Test(harness_judge, where_all_normals_are_needed_none_between_them_is_right) {
  region_spec groove_spec = ridge[0];
  groove_spec.any_one = false;
  ts_scene *scene = scene_with(2, &groove_spec, 1);
  cr_expect_not(judge_one(scene, contact_at(0, 0, 0.5, up, 0), no_envelope).is_correct);
}

Test(harness_judge, the_published_rule_knows_no_normals_between) {
  ts_scene *scene = scene_with(2, ridge, 1);
  ts_contact contact = contact_at(0, 0, 0.5, up, 0);
  ts_contact_set set = set_of(0, 1, &contact, 1);
  ts_judgement judgement = judge_by(TS_RULE_PUBLISHED, scene, &set, 1, no_envelope);
  cr_expect_not(judgement.pairs[0].verdicts[0].is_correct);
}

Test(harness_judge, a_gap_is_wrong_beyond_the_tolerance_in_either_direction) {
  ts_scene *scene = scene_with(2, square, 1);
  const struct {
    double gap_m;
    bool is_wrong;
  } all[] = {{0, false},    {-0.9e-6, false}, {0.9e-6, false},   {-1.1e-6, true},
             {-0.35, true}, {-1e30, true},    {-INFINITY, true}, {NAN, true}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    ts_verdict v = judge_one(scene, contact_at(0.5, 0, 0.5, up, all[i].gap_m), no_envelope);
    cr_expect_eq(v.is_gap_wrong, all[i].is_wrong, "%g", all[i].gap_m);
  }
  cr_expect_not(judge_one(scene, contact_at(0.5, 0.01, 0.5, up, -0.35), no_envelope).is_gap_wrong,
                "a phantom is wrong already");
  cr_expect_not(judge_one(scene, contact_at(0.5, 0, 0.5, up, 0.019), eroded).is_gap_wrong);
}

Test(harness_judge, a_contact_serves_every_region_whose_place_and_normal_it_has) {
  const region_spec halves[] = {{.a = 0,
                                 .b = 1,
                                 .vertex_count = 4,
                                 .vertices = {{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}},
                                 .normal_count = 1,
                                 .normals = {{{0, 1, 0}, 0}}},
                                {.a = 0,
                                 .b = 1,
                                 .vertex_count = 4,
                                 .vertices = {{1, 0, 0}, {1, 0, 1}, {2, 0, 1}, {2, 0, 0}},
                                 .normal_count = 1,
                                 .normals = {{{0, 1, 0}, 0}}},
                                {.a = 0,
                                 .b = 1,
                                 .vertex_count = 4,
                                 .vertices = {{1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {1, 0, 1}},
                                 .normal_count = 1,
                                 .normals = {{{1, 0, 0}, 0}}}};
  ts_scene *scene = scene_with(2, halves, 3);
  ts_contact contacts[] = {contact_at(1, 0, 0.5, up, 0)};
  ts_contact_set set = set_of(0, 1, contacts, 1);
  ts_judgement judgement = judge(scene, &set, 1, no_envelope);
  const ts_judged_pair *pair = &judgement.pairs[0];
  cr_expect(ts_judged_serves(&judgement, pair, 0, 0));
  cr_expect(ts_judged_serves(&judgement, pair, 0, 1));
  cr_expect_not(ts_judged_serves(&judgement, pair, 0, 2), "its normal is another");
  cr_expect_eq(ts_judged_missing_contacts(&judgement, pair, 0), 3);
  cr_expect_eq(ts_judged_missing_contacts(&judgement, pair, 2), 4);
}

Test(harness_judge, a_normal_without_direction_serves_no_region) {
  ts_scene *scene = scene_with(2, square, 1);
  const ts_vec3 bad[] = {{0, 0, 0}, {NAN, 0, 0}, {INFINITY, 0, 0}};
  for (size_t i = 0; i < 3; i++) {
    ts_contact contact = contact_at(0.5, 0, 0.5, bad[i], 0);
    ts_contact_set set = set_of(0, 1, &contact, 1);
    ts_judgement judgement = judge(scene, &set, 1, no_envelope);
    cr_expect(ts_judged_misses(&judgement, &judgement.pairs[0], 0), "%zu", i);
  }
}
