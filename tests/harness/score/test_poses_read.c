// SPDX-License-Identifier: MIT
// covers: harness/score/poses_read.c harness/score/csv_table.c harness/score/body_words.c
#include "harness/score/poses_read.h"

#include "base/param.h"
#include "base/status.h"
#include "cases/case.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static ts_poses *poses;
static ts_poses_source source;

static const ts_scene *build(const char *name) {
  const ts_case *c = ts_case_find(name);
  size_t count = ts_case_param_count(c);
  double *values = ts_arena_array(fixture_arena, count, sizeof *values);
  ts_param_defaults(values, ts_case_params(fixture_arena, c), count);
  ts_scene *scene;
  cr_assert_eq(ts_case_build(&scene, fixture_arena, c, values), TS_OK, "%s", ts_status_detail());
  return scene;
}

/// A fixed frustum (0) and a cube (1) on it.
static void setup(void) {
  results_open();
  source = (ts_poses_source){.path = fixture_path("poses.csv"), .scene = build("cliff_edges")};
}

TestSuite(harness_poses_read, .init = setup, .fini = results_close, .timeout = 60);

#define HEADER                                                                                     \
  "step,time_s,body,position_x_m,position_y_m,position_z_m,rotation_w,rotation_x,rotation_y,"      \
  "rotation_z"

static ts_status open_text(const char *text) {
  fixture_write_text(source.path, text);
  return ts_poses_open(&poses, fixture_arena, &source);
}

/// The number of steps of a text, all of which are read.
static ts_status read_all(size_t *out_count, const char *text) {
  *out_count = 0;
  TS_TRY(open_text(text));
  bool is_there = true;
  ts_recorded_step step;
  ts_status status = TS_OK;
  while (status == TS_OK && is_there) {
    status = ts_poses_next(&is_there, &step, poses);
    *out_count += status == TS_OK && is_there;
  }
  ts_poses_close(poses);
  return status;
}

static void expect_refused(const char *text, const char *words) {
  size_t count;
  cr_expect_eq(read_all(&count, text), TS_E_INPUT, "%s", words);
  cr_expect(fixture_detail_has(words), "\"%s\" is not in: %s", words, ts_status_detail());
  cr_expect(fixture_detail_has("poses.csv"), "%s", ts_status_detail());
}

/// "step,time,cube,pose as the scene has it" for a cube that is moved by x.
static const char *row(double step, double x) {
  ts_vec3 t = source.scene->bodies[1].pose.translation;
  return ts_arena_format(fixture_arena, "%g,%g,cube,%.17g,%.17g,%.17g,1,0,0,0\n", step, step / 100,
                         t.x + x, t.y, t.z);
}

static const char *text_of(const char *header, const char *first, const char *second) {
  return ts_arena_format(fixture_arena, "%s\n%s%s", header, first, second);
}

Test(harness_poses_read, steps_come_in_order_with_the_poses_of_all_bodies) {
  const ts_body *built = source.scene->bodies;
  cr_assert_eq(open_text(text_of(HEADER, row(3, 0), row(7, 0.25))), TS_OK, "%s",
               ts_status_detail());
  bool is_there;
  ts_recorded_step step;
  cr_assert(ts_poses_next(&is_there, &step, poses) == TS_OK && is_there);
  cr_expect(step.step == 3 && step.time_s == 0.03 && step.line == 2);
  cr_expect_eq(memcmp(&step.bodies[0].pose, &built[0].pose, sizeof(ts_pose)), 0, "it is fixed");
  cr_expect_eq(memcmp(&step.bodies[1].pose, &built[1].pose, sizeof(ts_pose)), 0);
  cr_assert(ts_poses_next(&is_there, &step, poses) == TS_OK && is_there);
  cr_expect(step.step == 7 && step.line == 3);
  cr_expect_eq(step.bodies[1].pose.translation.x, built[1].pose.translation.x + 0.25);
  cr_assert_eq(ts_poses_next(&is_there, &step, poses), TS_OK);
  cr_expect_not(is_there);
  ts_poses_close(poses);
}

Test(harness_poses_read, velocities_are_those_given_or_of_the_scene) {
  ts_vec3 t = source.scene->bodies[1].pose.translation;
  const char *text = ts_arena_format(
      fixture_arena,
      HEADER ",velocity_y_m_s,angular_z_rad_s\n0,0,1,%.17g,%.17g,%.17g,-1,0,0,0,2,3\n", t.x, t.y,
      t.z);
  cr_assert_eq(open_text(text), TS_OK, "%s", ts_status_detail());
  bool is_there;
  ts_recorded_step step;
  cr_assert_eq(ts_poses_next(&is_there, &step, poses), TS_OK, "%s", ts_status_detail());
  cr_expect(step.bodies[1].twist.linear_m_s.y == 2 && step.bodies[1].twist.angular_rad_s.z == 3);
  cr_expect_eq(step.bodies[1].twist.linear_m_s.x, source.scene->bodies[1].twist.linear_m_s.x);
  cr_expect_eq(step.bodies[1].pose.rotation.w, -1, "either sign of a quaternion will do");
  ts_poses_close(poses);
}

Test(harness_poses_read, a_quaternion_of_single_precision_is_made_unit) {
  ts_vec3 t = source.scene->bodies[1].pose.translation;
  source.starts_anywhere = true;
  const char *text = ts_arena_format(
      fixture_arena, HEADER "\n0,0,cube,%.9g,%.9g,%.9g,0.6001,0,0.8,0\n", t.x, t.y, t.z);
  cr_assert_eq(open_text(text), TS_OK);
  bool is_there;
  ts_recorded_step step;
  cr_assert_eq(ts_poses_next(&is_there, &step, poses), TS_OK, "%s", ts_status_detail());
  ts_quat q = step.bodies[1].pose.rotation;
  cr_expect_float_eq(q.w * q.w + q.y * q.y, 1, 1e-15);
  ts_poses_close(poses);
}

Test(harness_poses_read, the_first_step_is_as_the_scene_unless_it_may_be_any) {
  size_t count;
  cr_expect_eq(read_all(&count, text_of(HEADER, row(0, 1e-7), row(1, 5))), TS_OK, "%s",
               ts_status_detail());
  cr_expect_eq(count, 2);
  expect_refused(
      text_of(HEADER, row(0, 0.5), row(1, 0)),
      "line 2: in the first step body 1 (cube) is 0.5 m away from where the scene has it");
  cr_expect(fixture_detail_has("--first any"));
  source.starts_anywhere = true;
  cr_expect_eq(read_all(&count, text_of(HEADER, row(0, 0.5), row(1, 0))), TS_OK, "%s",
               ts_status_detail());
}

Test(harness_poses_read, what_is_wrong_is_refused_with_its_line) {
  expect_refused("", "is empty; a file without poses");
  expect_refused(HEADER, "does not end with a newline");
  expect_refused("step,time_s,body\n", "the column position_x_m is missing");
  expect_refused("step,time_s,boddy,position_x_m,position_y_m,position_z_m,rotation_w,rotation_x,"
                 "rotation_y,rotation_z\n",
                 "the column body is missing; is it \"boddy\"?");
  expect_refused(HEADER ",step\n", "duplicate column step");
  expect_refused(text_of(HEADER, row(0, 0), "1,0.01,cube,0,0,0,1,0,0\n"), "line 3: 9 fields");
  expect_refused(text_of(HEADER, row(0, 0), "1,0.01,sphere,0,0,0,1,0,0,0\n"),
                 "line 3: there is no body \"sphere\"");
  expect_refused(text_of(HEADER, row(0, 0), "1,0.01,7,0,0,0,1,0,0,0\n"),
                 "line 3: body is 7, but the scene has 2 bodies");
  expect_refused(text_of(HEADER, row(0, 0), row(0, 0)),
                 "line 3: a second pose of body cube in step 0");
  expect_refused(text_of(HEADER, row(5, 0), row(4, 0)), "line 3: step 4 comes after step 5");
  expect_refused(text_of(HEADER, row(0, 0), "1,nan,cube,0,0,0,1,0,0,0\n"),
                 "line 3: time_s is not a finite number");
  expect_refused(text_of(HEADER, row(1, 0), "2,0.005,cube,0,0,0,1,0,0,0\n"),
                 "line 3: time_s is 0.005 after 0.01 in an earlier step");
  expect_refused(text_of(HEADER, row(1, 0), "1,0.02,frustum,0,0,0,1,0,0,0\n"),
                 "line 3: time_s is 0.02 after 0.01 in the same step");
  expect_refused(text_of(HEADER, row(0, 0), "1,0.01,cube,nan,0,0,1,0,0,0\n"),
                 "line 3: position_x_m is not a finite number");
  expect_refused(text_of(HEADER, row(0, 0), "1,0.01,cube,0,inf,0,1,0,0,0\n"),
                 "line 3: position_y_m is not a finite number");
  expect_refused(text_of(HEADER, row(0, 0), "1,0.01,cube,0,0,0,1,0,0,\n"),
                 "line 3: rotation_z is not a finite number");
  expect_refused(text_of(HEADER, row(0, 0), "1,0.01,cube,0,0,0,1,0.1,0,0\n"),
                 "line 3: the quaternion has length 1.00498756 instead of 1");
  expect_refused(text_of(HEADER, row(0, 0), "1,0.01,cube,0,0,0,0,0,0,0\n"),
                 "length 0 instead of 1");
  expect_refused(text_of(HEADER, row(0, 0), "1.5,0.01,cube,0,0,0,1,0,0,0\n"),
                 "step is 1.5, and must be a whole number");
  expect_refused(text_of(HEADER, row(0, 0), "-1,0.01,cube,0,0,0,1,0,0,0\n"), "must not be below 0");
  expect_refused(text_of(HEADER, row(0, 0), "1,0.01,frustum,0,0,0,1,0,0,0\n"),
                 "line 3: step 1 has no pose of body 1 (cube)");
}

Test(harness_poses_read, times_may_be_left_out) {
  ts_vec3 t = source.scene->bodies[1].pose.translation;
  const char *text = ts_arena_format(fixture_arena,
                                     "step,body,position_x_m,position_y_m,position_z_m,rotation_w,"
                                     "rotation_x,rotation_y,rotation_z\n"
                                     "0,1,%.17g,%.17g,%.17g,1,0,0,0\n1,1,0,0,0,1,0,0,0\n",
                                     t.x, t.y, t.z);
  size_t count;
  cr_expect_eq(read_all(&count, text), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(count, 2);
}

Test(harness_poses_read, a_file_without_steps_has_none) {
  size_t count;
  cr_expect_eq(read_all(&count, HEADER "\n"), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(count, 0);
}

#define CELL_HEADER "cell,case,method," HEADER

/// A step of a wall, and of two cells on the cliff.
static const char *several(void) {
  return ts_arena_format(fixture_arena,
                         "%s\nc1,wall,m,2,0.02,70,0,0,0,1,0,0,0\nab12,cliff_edges,m,%s"
                         "ac34,cliff_edges,n,%sac34,cliff_edges,n,%s",
                         CELL_HEADER, row(2, 0), row(2, 0), row(3, 0));
}

Test(harness_poses_read, poses_of_a_run_with_several_cells_are_selected_as_contacts_are) {
  size_t count;
  source.case_name = "cliff_edges";
  source.cell = "ac";
  cr_assert_eq(read_all(&count, several()), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(count, 2);
  source.cell = NULL;
  source.method = "m";
  cr_assert_eq(read_all(&count, several()), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(count, 1);
}

Test(harness_poses_read, poses_of_several_cells_or_of_none_that_is_asked_for_are_refused) {
  source.case_name = "cliff_edges";
  expect_refused(several(), "line 4: poses of case cliff_edges method n cell ac34, after those of "
                            "case cliff_edges method m cell ab12; select one with --method");
  source.cell = "ff";
  expect_refused(several(), "has no poses of the case, method and cell that are asked for; it has "
                            "those of case wall method m cell c1");
}
