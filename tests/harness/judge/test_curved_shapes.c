// SPDX-License-Identifier: MIT
// covers: harness/judge/judge.c harness/judge/ahead.c harness/judge/pair_motion.c
/// A ball on a slab: contacts that were found on the ball are judged by the ball, those that were
/// found on its triangles are allowed the error of these, and no more.
#include "base/geometry_kind.h"
#include "base/status.h"
#include "geometry/tolerances.h"
#include "harness/judge/metrics/metric.h"
#include "tests/harness/judge/scoring_fixture.h"

#include <criterion/criterion.h>
#include <math.h>

TestSuite(judge_curved_shapes, .init = scoring_setup, .fini = scoring_teardown);

#define RADIUS_M 0.3
#define EXACT    UINT32_MAX

/// A slab with its top at y = 0, and a ball that is `height_m` above it.
static ts_scene *ball_above(double height_m, bool touches) {
  const ts_geometry slab = {.kind = TS_GEOMETRY_BOX, .half_size_m = {1, 0.25, 1}};
  const ts_geometry ball = {.kind = TS_GEOMETRY_SPHERE, .radius_m = RADIUS_M};
  const region_spec at_origin = {.a = 0,
                                 .b = 1,
                                 .vertex_count = 1,
                                 .normal_count = 1,
                                 .normals = {{.normal = {0, 1, 0}, .gap_m = height_m}}};
  ts_scene *scene = scene_with(0, &at_origin, touches);
  int32_t shape, body;
  cr_assert_eq(ts_scene_add_primitive(&shape, scene, "slab", &slab, 0), TS_OK);
  cr_assert_eq(
      ts_scene_add_body(&body, scene, "slab", shape, (ts_pose){{1, 0, 0, 0}, {0, -0.25, 0}}, true),
      TS_OK);
  cr_assert_eq(
      ts_scene_add_primitive(&shape, scene, "ball", &ball, TS_TESSELLATION_RELATIVE * RADIUS_M),
      TS_OK);
  const ts_pose pose = {{1, 0, 0, 0}, {0, RADIUS_M + height_m, 0}};
  cr_assert_eq(ts_scene_add_body(&body, scene, "ball", shape, pose, false), TS_OK);
  return scene;
}

static double error_m(const ts_scene *scene) {
  return scene->shapes[2].geometry.mesh_error_m;
}

static ts_judgement judge_on(const ts_scene *scene, uint32_t takes, const ts_contact *contacts,
                             size_t count) {
  ts_judgement judgement;
  ts_scoring scoring = default_scoring();
  ts_contact_set *set = ts_arena_alloc(arena, sizeof *set);
  *set = set_of(0, 1, contacts, count);
  scoring.takes = takes;
  cr_assert_eq(ts_judge(&judgement, arena, scene, set, 1, no_envelope, scoring), TS_OK);
  return judgement;
}

static ts_verdict verdict_on(const ts_scene *scene, uint32_t takes, ts_contact contact) {
  return judge_on(scene, takes, &contact, 1).pairs[0].verdicts[0];
}

static bool is_blamed(ts_verdict v) {
  return !v.is_correct || v.is_phantom || v.is_gap_wrong || v.is_wrong_ahead || v.is_flipped;
}

Test(judge_curved_shapes, a_contact_of_the_ball_is_judged_by_the_ball) {
  const ts_scene *scene = ball_above(0, true);
  ts_verdict v = verdict_on(scene, EXACT, contact_at(0, 0, 0, up, 0));
  cr_expect_not(is_blamed(v));
  cr_expect(verdict_on(scene, EXACT, contact_at(2e-3, 0, 0, up, 0)).is_phantom);
  cr_expect_not(verdict_on(scene, EXACT, contact_at(0, 0, 0, up_tilted(1), 0)).is_correct);
  cr_expect(verdict_on(scene, EXACT, contact_at(0, 0, 0, up, -1e-5)).is_gap_wrong);
}

Test(judge_curved_shapes, a_contact_of_triangles_may_be_as_far_off_as_they_are) {
  const ts_scene *scene = ball_above(0, true);
  double off_m = error_m(scene), beside_m = sqrt(2 * RADIUS_M * off_m);
  double angle_deg = scene->shapes[2].geometry.mesh_angle_rad * (180 / 3.14159265358979323846);
  const ts_contact right_ones[] = {
      contact_at(0, 0, 0, up, 0),
      contact_at(0, 0, 0, up, -off_m),
      contact_at(0.9 * beside_m, -0.09 * off_m, 0, up, -0.18 * off_m),
      contact_at(0, -0.09 * off_m, -0.9 * beside_m, up_tilted(0.99 * angle_deg), -0.18 * off_m),
  };
  for (size_t i = 0; i < sizeof right_ones / sizeof *right_ones; i++) {
    ts_verdict v = verdict_on(scene, 0, right_ones[i]);
    cr_expect_not(is_blamed(v), "contact %zu", i);
    cr_expect_leq(v.position_error_m, 1e-15, "contact %zu", i);
    cr_expect_leq(v.normal_error_deg, 1e-6, "contact %zu", i);
    cr_expect_leq(v.gap_error_m, 1e-15, "contact %zu", i);
  }
}

Test(judge_curved_shapes, a_contact_of_triangles_that_is_farther_off_is_blamed) {
  const ts_scene *scene = ball_above(0, true);
  double off_m = error_m(scene), beside_m = sqrt(2 * RADIUS_M * off_m);
  double angle_deg = scene->shapes[2].geometry.mesh_angle_rad * (180 / 3.14159265358979323846);
  cr_expect(verdict_on(scene, 0, contact_at(1.1 * beside_m, 0, 0, up, 0)).is_phantom);
  cr_expect(verdict_on(scene, 0, contact_at(0, -2.1 * off_m, 0, up, 0)).is_phantom);
  cr_expect(verdict_on(scene, 0, contact_at(0, 0, 0, up, -1.1 * off_m)).is_gap_wrong);
  cr_expect_not(
      verdict_on(scene, 0, contact_at(0, 0, 0, up_tilted(1.2 * angle_deg + 0.9), 0)).is_correct);
  cr_expect(verdict_on(scene, 0, contact_at(0, 0, 0, down, 0)).is_flipped);
}

Test(judge_curved_shapes, what_is_exact_has_no_allowance_on_triangles) {
  const region_spec square = SQUARE(0, 1);
  const ts_scene *scene = scene_with(2, &square, 1);
  cr_expect_not(verdict_on(scene, 0, contact_at(0, 0, 0, up_tilted(1), 0)).is_correct);
  cr_expect(verdict_on(scene, 0, contact_at(0, 0, 0, up, -1e-5)).is_gap_wrong);
}

Test(judge_curved_shapes, a_gap_is_judged_by_the_ball) {
  const ts_scene *scene = ball_above(0.01, false);
  ts_verdict v = verdict_on(scene, EXACT, contact_at(0, 0.005, 0, up, 0.01));
  cr_expect(v.is_speculative);
  cr_expect_not(v.is_wrong_ahead);
  // Where the triangles are, the ball is not.
  v = verdict_on(scene, EXACT, contact_at(0, 0.005, 0, up, 0.01 - 0.5 * error_m(scene)));
  cr_expect(v.is_speculative && v.is_wrong_ahead);
  v = verdict_on(scene, EXACT, contact_at(0.02, 0.005, 0, up, 0.01));
  cr_expect(v.is_speculative && v.is_wrong_ahead);
}

Test(judge_curved_shapes, a_gap_of_triangles_may_be_as_far_off_as_they_are) {
  double off_m = error_m(ball_above(1, false));
  const ts_scene *scene = ball_above(0.01, false);
  ts_verdict v = verdict_on(scene, 0, contact_at(0, 0.005, 0, up, 0.01 - off_m));
  cr_expect(v.is_speculative && !v.is_wrong_ahead);
  v = verdict_on(scene, 0, contact_at(0, 0.005, 0, up, 0.01 - 2.1 * off_m));
  cr_expect(v.is_speculative && v.is_wrong_ahead);
  // So close that the triangles overlap the slab.
  scene = ball_above(0.3 * off_m, false);
  v = verdict_on(scene, 0, contact_at(0, 0, 0, up, -0.6 * off_m));
  cr_expect(v.is_speculative && !v.is_wrong_ahead && !v.is_phantom);
  cr_expect(verdict_on(scene, 0, contact_at(0, 0, 0, up, -2 * off_m)).is_phantom);
  cr_expect(verdict_on(scene, EXACT, contact_at(0, 0, 0, up, -0.6 * off_m)).is_phantom);
}

static double blocked_wrongly(const ts_judgement *judgement, double *out_freed,
                              double *out_residual) {
  extern const ts_metric ts_metric_motion;
  ts_record record = {.blocked_wrongly_percent = NAN};
  cr_assert_eq(ts_metric_motion.compute(&record, judgement), TS_OK);
  *out_freed = record.freed_wrongly_percent;
  *out_residual = record.wrench_residual_max;
  return record.blocked_wrongly_percent;
}

Test(judge_curved_shapes, motions_that_the_error_of_triangles_decides_are_not_counted) {
  const ts_scene *scene = ball_above(0, true);
  ts_contact tilted = contact_at(0.01, 0, 0, up_tilted(3), 0);
  double freed, residual;
  ts_judgement of_triangles = judge_on(scene, 0, &tilted, 1);
  cr_expect_eq(blocked_wrongly(&of_triangles, &freed, &residual), 0);
  cr_expect_eq(freed, 0);
  cr_expect_eq(residual, 0);
  ts_judgement of_ball = judge_on(scene, EXACT, &tilted, 1);
  cr_expect_gt(blocked_wrongly(&of_ball, &freed, &residual), 0.5);
  cr_expect_gt(freed, 0.5);
  cr_expect_gt(residual, 0.02);
  // Ten times as far off is seen on triangles, too.
  tilted.normal = up_tilted(30);
  of_triangles = judge_on(scene, 0, &tilted, 1);
  cr_expect_gt(blocked_wrongly(&of_triangles, &freed, &residual), 1);
}

Test(judge_curved_shapes, a_contact_beside_the_place_is_right_where_the_surfaces_are_as_close) {
  const ts_scene *scene = ball_above(0, true);
  // 1e-4 m aside the ball is 1.7e-8 m above the slab; 3 mm aside it is 15 um.
  ts_verdict v = verdict_on(scene, EXACT, contact_at(1e-4, 0, 0, up, 1.67e-8));
  cr_expect_not(is_blamed(v));
  cr_expect_eq(v.position_error_m, 0);
  cr_expect(verdict_on(scene, EXACT, contact_at(3e-3, 0, 0, up, 0)).is_phantom);
  cr_expect(verdict_on(scene, EXACT, contact_at(1e-4, 1e-5, 0, up, 0)).is_phantom);
  cr_expect(verdict_on(scene, EXACT, contact_at(1e-4, 0, 0, up, -1e-5)).is_phantom);
}
