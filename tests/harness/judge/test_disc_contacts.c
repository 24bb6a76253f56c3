// SPDX-License-Identifier: MIT
// covers: harness/judge/pair_motion.c harness/judge/metrics/area_coverage.c
// covers: harness/judge/metrics/excess.c cases/scene/minimum.c cases/truth/motion_truth.c
/// A cylinder that stands on a slab: the few contacts that engines give its cap are right wherever
/// they are spread around the rim, and those that are not spread are not.
#include "base/status.h"
#include "cases/truth/derived_truth.h"
#include "harness/judge/metrics/metric.h"
#include "tests/harness/judge/scoring_fixture.h"

#include <criterion/criterion.h>
#include <math.h>

#define PI 3.14159265358979323846

TestSuite(judge_disc_contacts, .init = scoring_setup, .fini = scoring_teardown);

#define RADIUS_M 0.3

static ts_scene *standing_cylinder(void) {
  const ts_geometry shapes[2] = {
      {.kind = TS_GEOMETRY_BOX, .half_size_m = {1, 0.25, 1}},
      {.kind = TS_GEOMETRY_CYLINDER, .radius_m = RADIUS_M, .half_length_m = 0.4}};
  const double heights_m[2] = {-0.25, 0.4};
  ts_scene *scene;
  cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
  for (int i = 0; i < 2; i++) {
    int32_t shape, body;
    cr_assert_eq(ts_scene_add_primitive(&shape, scene, "shape", &shapes[i], 0.01), TS_OK);
    const ts_pose pose = {{1, 0, 0, 0}, {0, heights_m[i], 0}};
    cr_assert_eq(ts_scene_add_body(&body, scene, "body", shape, pose, i == 0), TS_OK);
  }
  cr_assert_eq(ts_derive_truth(scene, 1e-6), TS_OK, "%s", ts_status_detail());
  return scene;
}

/// Scores contacts around the rim, at equal steps over `turn` of a whole turn.
static ts_record score_rim(int count, double first_rad, double turn) {
  extern const ts_metric ts_metric_motion, ts_metric_area_coverage, ts_metric_excess,
      ts_metric_phantom;
  ts_contact contacts[16];
  for (int i = 0; i < count; i++) {
    double angle = first_rad + 2 * PI * turn * i / count;
    contacts[i] = contact_at(RADIUS_M * cos(angle), 0, RADIUS_M * sin(angle), up, 0);
  }
  ts_judgement judgement;
  ts_scoring scoring = default_scoring();
  ts_contact_set set = set_of(0, 1, contacts, (size_t)count);
  scoring.takes = UINT32_MAX;
  cr_assert_eq(ts_judge(&judgement, arena, standing_cylinder(), &set, 1, no_envelope, scoring),
               TS_OK);
  ts_record record = {.blocked_wrongly_percent = NAN};
  cr_assert_eq(ts_metric_motion.compute(&record, &judgement), TS_OK);
  cr_assert_eq(ts_metric_area_coverage.compute(&record, &judgement), TS_OK);
  cr_assert_eq(ts_metric_excess.compute(&record, &judgement), TS_OK);
  cr_assert_eq(ts_metric_phantom.compute(&record, &judgement), TS_OK);
  return record;
}

Test(judge_disc_contacts, three_or_four_spread_around_the_rim_represent_the_disc) {
  for (int count = 3; count <= 8; count++)
    for (int i = 0; i < 5; i++) {
      ts_record r = score_rim(count, 0.2 * i, 1);
      cr_expect_eq(r.phantom, 0, "%d contacts, %g rad", count, 0.2 * i);
      cr_expect_eq(r.contacts_missing, 0);
      cr_expect_eq(r.blocked_wrongly_percent, 0);
      cr_expect_eq(r.freed_wrongly_percent, 0, "%d contacts, %g rad: %g", count, 0.2 * i,
                   r.freed_wrongly_percent);
      cr_expect_lt(r.wrench_residual_max, 1e-3);
      cr_expect_lt(r.wrench_missing_max, 1e-3);
      cr_expect_geq(r.area_coverage, 1 - 2e-4);
      cr_expect_float_eq(r.excess_factor, count / 3.0, 1e-12);
    }
}

Test(judge_disc_contacts, contacts_on_half_of_the_rim_let_the_cylinder_fall_over) {
  ts_record r = score_rim(4, 0, 0.5);
  cr_expect_eq(r.phantom, 0);
  cr_expect_eq(r.blocked_wrongly_percent, 0);
  cr_expect_gt(r.freed_wrongly_percent, 0.5);
  cr_expect_gt(r.wrench_missing_max, 0.1);
  cr_expect_lt(r.area_coverage, 1);
  r = score_rim(2, 0, 1);
  cr_expect_eq(r.contacts_missing, 1);
}
