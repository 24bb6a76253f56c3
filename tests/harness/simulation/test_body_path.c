// SPDX-License-Identifier: MIT
// covers: harness/simulation/body_path.c
// Bodies on given paths: where they are, and what a cell measures of contacts that follow them.
#include "harness/simulation/body_path.h"

#include "base/param.h"
#include "geometry/pose.h"
#include "harness/plan/plan.h"
#include "methods/registry.h"
#include "tests/harness/judge/scoring_fixture.h"
#include "tests/harness/run/cell_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(harness_body_path, .init = scoring_setup, .fini = scoring_teardown, .timeout = 120);

static const ts_scene *pillar_at(double scale) {
  const ts_case *c = ts_case_find("pillar");
  double values[32];
  ts_scene *scene;
  ts_param_defaults(values, ts_case_params(arena, c), ts_case_param_count(c));
  values[ts_param_find(ts_case_params(arena, c), ts_case_param_count(c), "scale")] = scale;
  cr_assert_eq(ts_case_build(&scene, arena, c, values), TS_OK);
  return scene;
}

static ts_body *bodies_at(const ts_scene *scene, const ts_body_path_params *params, int64_t k) {
  ts_body_path *path;
  ts_body *bodies = ts_arena_array(arena, scene->body_count, sizeof *bodies);
  cr_assert(bodies && ts_body_path_create(&path, arena, scene, params) == TS_OK);
  ts_body_path_at(path, bodies, k);
  return bodies;
}

/// The largest distance of a vertex of a body from where it is as built.
static double displacement(const ts_scene *scene, size_t body, const ts_body *bodies) {
  const ts_mesh *mesh = scene->shapes[scene->bodies[body].shape].mesh;
  double most_m = 0;
  for (size_t i = 0; i < mesh->vertex_count; i++)
    most_m =
        fmax(most_m, ts_vec3_distance(ts_pose_point(bodies[body].pose, mesh->vertices[i]),
                                      ts_pose_point(scene->bodies[body].pose, mesh->vertices[i])));
  return most_m;
}

Test(harness_body_path, bodies_oscillate_within_its_length_and_come_back_to_the_bit) {
  static const double scales[] = {1e-3, 1, 1e3};
  for (size_t s = 0; s < 3; s++) {
    const ts_scene *scene = pillar_at(scales[s]);
    const ts_body_path_params params = {.length_m = 1e-3 * scales[s], .steps = 64, .seed = 5};
    for (int64_t k = 0; k <= 128; k++) {
      const ts_body *bodies = bodies_at(scene, &params, k);
      double phase = fabs(sin(acos(-1) * (double)k / 32));
      for (size_t i = 0; i < scene->body_count; i++) {
        double moved_m = displacement(scene, i, bodies);
        cr_expect_leq(moved_m, params.length_m * (phase + 1e-6), "%zu at %d: %g", i, (int)k,
                      moved_m);
        if (scene->bodies[i].is_fixed)
          cr_expect_eq(moved_m, 0);
        else
          cr_expect_geq(moved_m, 0.7 * params.length_m * (phase - 1e-6), "%zu at %d: %g", i, (int)k,
                        moved_m);
        if (k % 64 == 0)
          cr_expect_eq(memcmp(&bodies[i].pose, &scene->bodies[i].pose, sizeof(ts_pose)), 0);
        cr_expect_eq(memcmp(&bodies[i].twist, &scene->bodies[i].twist, sizeof(ts_twist)), 0);
      }
    }
  }
}

Test(harness_body_path, noise_is_another_one_for_each_body_step_and_seed) {
  const ts_scene *scene = pillar_at(1);
  const ts_body_path_params params = {.noise_m = 1e-6, .steps = 64, .seed = 1};
  ts_body_path_params other = params;
  other.seed = 2;
  double sum_m = 0;
  for (int64_t k = 1; k < 50; k++) {
    const ts_body *now = bodies_at(scene, &params, k), *next = bodies_at(scene, &params, k + 1);
    const ts_body *again = bodies_at(scene, &params, k), *of_other = bodies_at(scene, &other, k);
    for (size_t i = 1; i < scene->body_count; i++) {
      double moved_m = displacement(scene, i, now);
      cr_expect_leq(moved_m, 1e-6 * (1 + 1e-6), "%g", moved_m);
      sum_m += moved_m;
      cr_expect_eq(memcmp(&now[i].pose, &again[i].pose, sizeof(ts_pose)), 0);
      cr_expect_neq(memcmp(&now[i].pose, &next[i].pose, sizeof(ts_pose)), 0);
      cr_expect_neq(memcmp(&now[i].pose, &of_other[i].pose, sizeof(ts_pose)), 0);
    }
  }
  cr_expect_gt(sum_m / (49 * 7), 0.3e-6, "%g", sum_m / (49 * 7));
  cr_expect_eq(displacement(scene, 1, bodies_at(scene, &params, 0)), 0, "none as built");
}

static ts_record last_of(const ts_method *method, double path_m, double noise_m, double steps) {
  cell_draft draft = draft_cell(arena, "pillar", method);
  draft.simulation_values[TS_SIMULATION_STEPPER] = TS_STEPPER_PATH;
  draft.simulation_values[TS_SIMULATION_PATH] = path_m;
  draft.simulation_values[TS_SIMULATION_PATH_STEPS] = steps;
  draft.simulation_values[TS_SIMULATION_NOISE] = noise_m;
  ts_cell_rows rows = run_draft_steps(arena, &draft, 65); // a half
  cr_assert_eq(rows.record_count, 65);
  return rows.records[64];
}

static ts_record last_on_path(const ts_method *method, double path_m, double noise_m) {
  return last_of(method, path_m, noise_m, 128);
}

Test(harness_body_path, steps_too_long_to_follow_the_path_have_no_order) {
  cr_expect(isnan(last_of(control_named("control_ideal"), 1e-4, 0, 63).continuity_order));
  cr_expect_gt(last_of(control_named("control_ideal"), 1e-4, 0, 64).continuity_order, 0.8);
}

Test(harness_body_path, contacts_that_follow_are_continuous_and_contacts_that_hop_are_not) {
  ts_record ideal = last_on_path(control_named("control_ideal"), 1e-4, 0);
  ts_record hopping = last_on_path(control_named("control_hopping"), 1e-4, 0);
  cr_expect_gt(ideal.continuity_order, 0.9, "%g", ideal.continuity_order);
  cr_expect_lt(ideal.set_jump_per_m_max, 2, "%g", ideal.set_jump_per_m_max);
  cr_expect_lt(hopping.continuity_order, 0.2, "%g", hopping.continuity_order);
  cr_expect_gt(hopping.set_jump_m_max, 100 * ideal.set_jump_m_max);
}

Test(harness_body_path, nothing_is_solved_on_it) {
  ts_record r = last_on_path(control_named("control_ideal"), 1e-4, 0);
  cr_expect(isnan(r.kinetic_energy_j) && isnan(r.potential_energy_j) && isnan(r.solve_ns));
  cr_expect(isnan(r.impulse_jump_percent) && isnan(r.impulse_jump_percent_mean));
  cr_expect(r.drift_m_max > 0 && r.drift_m_max < 1e-4, "%g", r.drift_m_max);
  cr_expect_eq(r.pairs_unknown, 0);
}

Test(harness_body_path, what_noise_makes_of_the_contacts_has_no_order) {
  ts_record r = last_on_path(control_named("control_ideal"), 0, 1e-9);
  cr_expect(isnan(r.continuity_order));
  cr_expect(r.set_jump_m_max > 0 && r.set_jump_m_max < 1e-8, "%g", r.set_jump_m_max);
  cr_expect_eq(r.churn_percent_mean, 0);
}
