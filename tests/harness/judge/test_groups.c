// SPDX-License-Identifier: MIT
// covers: harness/judge/pair_motion.c harness/judge/metrics/motion.c
// covers: harness/judge/metrics/normal_coverage.c
//
// What only shows when a pair has several groups of alternatives, or regions of both kinds.
#include "harness/judge/metrics/metric.h"
#include "harness/judge/pair_motion.h"

#include "geometry/tolerances.h"
#include "tests/harness/judge/scoring_fixture.h"

#include <criterion/criterion.h>
#include <math.h>

TestSuite(harness_groups, .init = scoring_setup, .fini = scoring_teardown, .timeout = 60);

static const ts_vec3 left = {-1, 0, 0};
static const region_spec square = SQUARE(0, 1);

static ts_contact alternative(ts_vec3 normal, uint32_t group) {
  ts_contact c = contact_at(0.5, 0, 0.5, normal, 0);
  c.group = group;
  return c;
}

static ts_pair_motion motion_of(const ts_contact *contacts, size_t count) {
  ts_contact_set set = set_of(0, 1, contacts, count);
  ts_judgement judgement = judge(scene_with(2, &square, 1), &set, 1, no_envelope);
  ts_pair_motion motion;
  cr_assert_eq(ts_motion_of_pair(&motion, &judgement, &judgement.pairs[0]), TS_OK);
  return motion;
}

/// Whether b may not move along (x, y, z), which is in the world, without turning.
static bool blocks(const ts_pair_motion *motion, double x, double y, double z) {
  ts_vec3 v = ts_quat_rotate(ts_quat_conjugate(motion->frame.axes), ts_vec3_make(x, y, z));
  const double twist[6] = {v.x, v.y, v.z, 0, 0, 0};
  return ts_motion_is_blocked(motion, twist, TS_TWIST_SPEED);
}

Test(harness_groups, each_of_two_groups_blocks_what_all_of_its_contacts_block) {
  const ts_contact contacts[] = {alternative(up, 3), alternative(right, 3), alternative(up, 7),
                                 alternative(left, 7)};
  ts_pair_motion motion = motion_of(contacts, 4);
  cr_assert_eq(motion.group_count, 2);
  cr_expect(blocks(&motion, -1, -1, 0), "the first");
  cr_expect(blocks(&motion, 1, -1, 0), "the second");
  cr_expect_not(blocks(&motion, 0, -1, 0), "one contact of each is no group");
  cr_expect_not(blocks(&motion, -1, 1, 0));
}

Test(harness_groups, the_second_group_does_not_begin_with_the_first) {
  const ts_contact contacts[] = {alternative(right, 1), alternative(up, 2), alternative(up, 2)};
  ts_pair_motion motion = motion_of(contacts, 3);
  cr_expect(blocks(&motion, 1, -1, 0), "the group of the two");
  cr_expect(blocks(&motion, -1, 1, 0), "the group of the one");
  cr_expect_not(blocks(&motion, 1, 1, 0));
}

Test(harness_groups, a_group_before_a_single_contact_leaves_both_as_they_are) {
  const ts_contact contacts[] = {alternative(right, 4), alternative(left, 4), alternative(up, 0)};
  ts_pair_motion motion = motion_of(contacts, 3);
  cr_assert_eq(motion.single_count, 1);
  cr_assert_eq(motion.group_count, 1);
  cr_expect(blocks(&motion, 0, -1, 0), "the single one");
  cr_expect_not(blocks(&motion, -1, 0, 0), "only one of the two blocks this");
  cr_expect_not(blocks(&motion, 1, 0, 0), "and only the other one this");
}

Test(harness_groups, a_group_with_a_speculative_contact_blocks_nothing) {
  const ts_contact contacts[] = {alternative(up, 4),
                                 {.point = {0.5, 0, 0.5}, .normal = up, .gap_m = 0.1, .group = 4}};
  ts_pair_motion motion = motion_of(contacts, 2);
  cr_expect_eq(motion.group_count, 0);
  cr_expect_not(blocks(&motion, 0, -1, 0));
}

/// A tip on a tip at the origin, where any of two normals is right; the second one with this gap.
#define TIP(gap)                                                                                   \
  {                                                                                                \
    .a = 0, .b = 1, .any_one = true, .vertex_count = 1, .vertices = {{3, 0, 0}},                   \
    .normal_count = 2, .normals = {                                                                \
      {{0.6, 0.8, 0}, 0},                                                                          \
      {{-0.6, 0.8, 0}, gap}                                                                        \
    }                                                                                              \
  }

static ts_record measure(const ts_scene *scene, const ts_contact *contacts, size_t count) {
  ts_contact_set set = set_of(0, 1, contacts, count);
  ts_judgement judgement = judge(scene, &set, 1, no_envelope);
  ts_record record;
  ts_row_init(&ts_summary_rows, &record);
  cr_assert_eq(ts_metrics_compute(&record, &judgement), TS_OK);
  return record;
}

Test(harness_groups, a_given_motion_counts_where_one_of_the_regions_is_any_one) {
  const region_spec both[] = {TIP(0), SQUARE(0, 1)};
  for (int turned = 0; turned < 2; turned++) {
    const region_spec specs[] = {both[turned], both[1 - turned]};
    ts_scene *scene = scene_with(2, specs, 2);
    scene->bodies[1].twist.linear_m_s = up;
    ts_contact contact = contact_at(0.5, 0, 0.5, up, 0);
    cr_expect_eq(measure(scene, &contact, 1).blocked_wrongly_given_percent, 0);
    contact.normal = down;
    cr_expect_gt(measure(scene, &contact, 1).blocked_wrongly_given_percent, 50);
  }
}

Test(harness_groups, an_open_tip_met_does_not_raise_the_coverage) {
  const region_spec specs[] = {TIP(0.01), SQUARE(0, 1)};
  const ts_contact contacts[] = {contact_at(0.5, 0, 0.5, up, 0),
                                 contact_at(3, 0, 0, ts_vec3_make(0.6, 0.8, 0), 0)};
  cr_expect_eq(measure(scene_with(2, specs, 2), contacts, 2).coverage_percent, 100);
}

Test(harness_groups, the_residual_of_an_only_contact_is_measured) {
  ts_contact contact = contact_at(0.5, 0, 0.5, up, 0);
  for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
    contact.normal = is_wrong ? right : up;
    ts_contact_set set = set_of(0, 1, &contact, 1);
    ts_judgement judgement = judge(scene_with(2, &square, 1), &set, 1, no_envelope);
    double residual;
    cr_assert_eq(ts_motion_residuals(&residual, &judgement, &judgement.pairs[0]), TS_OK);
    cr_expect(is_wrong ? residual > 0.5 : residual < 1e-12, "%g", residual);
  }
}

/// The contact of the second region lies between the normals of the first one, which has one of its
/// own. That one is its choice, and not the mean of the two.
Test(harness_groups, a_contact_of_another_region_does_not_change_what_a_region_has_chosen) {
  region_spec specs[2] = {{.a = 0, .b = 1, .any_one = true, .vertex_count = 1, .normal_count = 2},
                          {.a = 0, .b = 1, .any_one = true, .vertex_count = 1, .normal_count = 2}};
  specs[0].normals[0].normal = up_tilted(-20);
  specs[0].normals[1].normal = up_tilted(20);
  specs[1].normals[0].normal = up;
  specs[1].normals[1].normal = ts_vec3_make(0, 0.8, 0.6);
  const ts_contact contacts[] = {contact_at(0, 0, 0, up_tilted(20), 0), contact_at(0, 0, 0, up, 0)};
  const ts_scene *scene = scene_with(2, specs, 2);
  cr_expect_eq(measure(scene, contacts, 2).blocked_wrongly_percent, 0);
  const ts_contact other = contact_at(0, 0, 0, up_tilted(-20), 0);
  const ts_contact three[] = {contacts[0], contacts[1], other};
  cr_expect_gt(measure(scene, three, 3).blocked_wrongly_percent, 5, "both of the first are chosen");
}
