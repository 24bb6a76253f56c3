// SPDX-License-Identifier: MIT
// covers: harness/simulation/simulation.c sim/prox_solver.c sim/prox_world.c
// covers: cases/scene/published_tets_table.c
// Runs of profile=prox2018 and stepper=prox2018 against those of the simulator: each method, step
// by step, to the bit. A difference in any contact or body reaches the uppermost one.
#include "base/param.h"
#include "cases/scene/scene.h"
#include "harness/plan/plan.h"
#include "harness/plan/simulation_params.h"
#include "methods/registry.h"
#include "tests/harness/judge/scoring_fixture.h"
#include "tests/harness/run/cell_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(harness_prox_steps, .init = scoring_setup, .fini = scoring_teardown, .timeout = 300);

/// What the simulator had in a step.
typedef struct prox_step {
  int contacts;
  float pose[7]; ///< of the uppermost body at the midpoint: position, then rotation (w, x, y, z)
} prox_step;

enum { STEPS_MAX = 32, UPPERMOST = 7 };

/// The steps of one method, in order; returns how many.
static size_t read_steps(prox_step out[STEPS_MAX], const char *method) {
  FILE *file = fopen(TS_REFERENCE_FOLDER "/scene_steps.csv", "r");
  cr_assert_not_null(file);
  char line[256];
  size_t count = 0;
  cr_assert_not_null(fgets(line, sizeof line, file));
  while (fgets(line, sizeof line, file)) {
    char scene[32], name[32];
    size_t step;
    prox_step s;
    float *p = s.pose;
    cr_assert_eq(sscanf(line, "%31[^,],%31[^,],%zu,%d,%f,%f,%f,%f,%f,%f,%f", scene, name, &step,
                        &s.contacts, &p[0], &p[1], &p[2], &p[3], &p[4], &p[5], &p[6]),
                 11, "%s", line);
    cr_assert_str_eq(scene, "pillar");
    if (strcmp(name, method) != 0)
      continue;
    cr_assert_lt(count, STEPS_MAX);
    cr_assert_eq(step, count + 1);
    out[count++] = s;
  }
  cr_assert_eq(fclose(file), 0);
  return count;
}

static void set_method(cell_draft *draft, const char *parameter, double value) {
  const ts_method *method = draft->cell.method;
  int index = ts_param_find(method->params, method->param_count, parameter);
  cr_assert_geq(index, 0, "parameter %s", parameter);
  draft->method_values[index] = value;
}

/// The pillar as it was simulated.
static ts_cell_rows run_published(const char *method, size_t steps) {
  cell_draft draft = draft_cell(arena, "pillar", ts_method_find(method));
  draft_set(arena, &draft, "tets", TS_TETS_PUBLISHED);
  set_method(&draft, "profile", 1);
  draft.scoring_values[TS_SCORING_RULE] = TS_RULE_PUBLISHED;
  draft.simulation_values[TS_SIMULATION_STEPPER] = TS_STEPPER_PROX;
  draft.simulation_values[TS_SIMULATION_FRICTION] = 0.65;
  draft.simulation_values[TS_SIMULATION_FRICTION_FIXED] = 0.75;
  return run_draft_steps(arena, &draft, (int64_t)steps);
}

static const ts_pose_row *uppermost(const ts_cell_rows *rows, double step) {
  for (size_t i = 0; i < rows->pose_count; i++)
    if (rows->poses[i].step == step && atoi(rows->poses[i].body) == UPPERMOST)
      return &rows->poses[i];
  cr_assert_fail("no pose in step %g", step);
  return NULL;
}

/// The simulator's name of the method, and ours.
static void expect_same_steps(const char *theirs, const char *ours) {
  prox_step expected[STEPS_MAX];
  size_t count = read_steps(expected, theirs);
  cr_assert_gt(count, 2, "%s", theirs);
  // A row before them has the contacts as built.
  ts_cell_rows rows = run_published(ours, count + 1);
  cr_assert_eq(rows.record_count, count + 1);
  for (size_t i = 0; i < count; i++) {
    const ts_record *r = &rows.records[i + 1];
    cr_expect_eq(r->contacts_unique, expected[i].contacts, "%s, step %zu: %g contacts, not %d",
                 ours, i + 1, r->contacts_unique, expected[i].contacts);
    const ts_pose_row *p = uppermost(&rows, r->step);
    const double pose[7] = {p->position_x_m, p->position_y_m, p->position_z_m, p->rotation_w,
                            p->rotation_x,   p->rotation_y,   p->rotation_z};
    for (int k = 0; k < 7; k++)
      cr_expect_eq(pose[k], (double)expected[i].pose[k], "%s, step %zu, number %d: %.9g, not %.9g",
                   ours, i + 1, k, pose[k], (double)expected[i].pose[k]);
  }
}

Test(harness_prox_steps, few_contacts_over_many_steps) {
  expect_same_steps("vertex", "vertex_only");
  expect_same_steps("consistent", "consistent_vertex");
}

Test(harness_prox_steps, eroded_bodies) {
  expect_same_steps("closest", "closest_points_tets");
}

Test(harness_prox_steps, many_contacts_over_a_few_steps) {
  expect_same_steps("intersection", "intersection_tets");
  expect_same_steps("opposing", "opposing");
}

Test(harness_prox_steps, the_methods_with_most_contacts) {
  expect_same_steps("sat", "volume_sat");
  expect_same_steps("restricted", "surface_sat");
  expect_same_steps("growth", "growth");
}
