// SPDX-License-Identifier: MIT
// covers: sim/soft/soft_contacts.c sim/soft/soft_step.c sim/soft/soft_world.c
#include "tests/sim/soft/soft_scene.h"

#include "base/status.h"
#include "sim/soft/soft_state.h"

#include <criterion/criterion.h>
#include <math.h>

static const ts_elastic jelly = {.young_pa = 1e5, .poisson = 0.3};

/// A ground, a soft block above it and a rigid cube above both.
static void three_bodies(soft_scene *s) {
  soft_scene_init(s);
  tet_grid grid = {2, 1, 2, {-0.1, 0, -0.1}, {0.1, 0.1, 0.1}};
  soft_scene_add_cube(s, 1, ts_pose_identity(), true);
  soft_scene_add(s, tet_grid_mesh(s->arena, &grid), ts_pose_identity(), &jelly);
  soft_scene_add_cube(s, 0.2, (ts_pose){ts_quat_identity(), {0, 0.205, 0}}, false);
  s->bodies[2].twist.angular_rad_s = (ts_vec3){0.3, 0.2, 0.1};
  s->touches[s->touch_count++] =
      (soft_touch){.kind = SOFT_PLANE, .obstacle = 0, .body = 1, .reach_m = 0.02};
}

static void check_refused(const soft_scene *s, const char *word) {
  ts_soft_world *world = NULL;
  cr_assert_eq(
      ts_soft_world_create(&world, s->shapes, s->body_count, s->bodies, s->body_count, &s->params),
      TS_E_INPUT, "%s was taken", word);
  cr_assert_null(world);
  cr_assert_not_null(strstr(ts_status_detail(), word), "\"%s\" does not say %s", ts_status_detail(),
                     word);
}

Test(soft_world_input, bodies_that_cannot_be_are_refused_by_their_number) {
  for (int fault = 0; fault < 6; fault++) {
    soft_scene s;
    three_bodies(&s);
    if (fault == 0)
      s.bodies[1].is_fixed = 1;
    else if (fault == 1)
      s.bodies[1].shape = 3;
    else if (fault == 2)
      s.bodies[1].pose.rotation.w = 2;
    else if (fault == 3)
      s.bodies[1].twist.linear_m_s.x = (double)NAN;
    else if (fault == 4)
      s.bodies[2].density_kg_m3 = 0;
    else
      s.bodies[2].pose.translation.y = INFINITY;
    check_refused(&s, fault < 4 ? "body 1" : "body 2");
    soft_scene_release(&s);
  }
}

Test(soft_world_input, what_the_tets_refuse_is_refused) {
  soft_scene s;
  three_bodies(&s);
  s.elastic[1].poisson = 0.5;
  check_refused(&s, "oisson");
  soft_scene_release(&s);
}

Test(soft_world_input, parameters_out_of_their_range_are_refused_by_name) {
  const char *names[] = {"gravity_m_s2", "dt_s",           "dt_s",   "friction",
                         "tolerance_m",  "friction_fixed", "sweeps", "response"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    soft_scene s;
    three_bodies(&s);
    ts_soft_world_params *p = &s.params;
    double *const values[6] = {&p->gravity_m_s2.z,     &p->dt_s,          &p->dt_s, &p->friction,
                               &p->solver.tolerance_m, &p->friction_fixed};
    const double bad[6] = {(double)NAN, 0, INFINITY, -0.1, -1e-9, (double)NAN};
    if (i < 6)
      *values[i] = bad[i];
    else if (i == 6)
      p->solver.sweeps = -1;
    else
      p->response = TS_COMPLIANCE_COUNT;
    check_refused(&s, names[i]);
    soft_scene_release(&s);
  }
}

/// What a world is, to compare.
typedef struct snapshot {
  ts_vec3 positions[32], velocities[32];
  ts_pose pose;
  ts_twist twist;
  ts_vec3 spin;
} snapshot;

static snapshot look(const ts_soft_world *world) {
  snapshot out;
  memset(&out, 0, sizeof out);
  const ts_tet_body *tet = ts_soft_world_tet_body(world, 1);
  size_t count = ts_tet_body_node_count(tet);
  cr_assert_leq(count, 32);
  memcpy(out.positions, ts_tet_body_positions(tet), count * sizeof *out.positions);
  memcpy(out.velocities, ts_tet_body_velocities(tet), count * sizeof *out.velocities);
  out.pose = ts_soft_world_pose(world, 2);
  out.twist = world->bodies[2].body.twist;
  out.spin = world->bodies[2].state.spin_kg_m2_s;
  return out;
}

static void check_same(const ts_soft_world *world, const snapshot *before) {
  snapshot now = look(world);
  cr_assert_eq(memcmp(&now, before, sizeof now), 0);
  cr_assert_eq(ts_soft_world_nodes(world, 1), ts_tet_body_positions(world->bodies[1].tet));
}

static const ts_contact good = {
    .point = {0.02, 0.105, 0.03}, .normal = {0, 1, 0}, .gap_m = -0.001, .area_m2 = 1};

typedef struct bad_contact {
  int32_t a, b;
  ts_vec3 point, normal;
  double gap_m;
  const char *word;
} bad_contact;

Test(soft_world_input, a_step_with_bad_contacts_leaves_the_world_as_it_was) {
  const double nan = (double)NAN;
  const bad_contact bad[] = {
      {1, 2, {0, nan, 0}, {0, 1, 0}, 0, "point"},       {1, 2, {0, 0, 0}, {0, 0, 0}, 0, "normal"},
      {1, 2, {0, 0, 0}, {0, INFINITY, 0}, 0, "normal"}, {1, 2, {0, 0, 0}, {0, 1, 0}, nan, "gap"},
      {1, 3, {0, 0, 0}, {0, 1, 0}, 0, "3 bodies"},      {-1, 2, {0, 0, 0}, {0, 1, 0}, 0, "-1"},
      {2, 2, {0, 0, 0}, {0, 1, 0}, 0, "lower"},         {2, 1, {0, 0, 0}, {0, 1, 0}, 0, "lower"}};
  soft_scene s;
  three_bodies(&s);
  s.params.compares_exact = true;
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_WARPED);
  ts_soft_world *untouched = soft_scene_world(&s, TS_COMPLIANCE_WARPED);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    snapshot before = look(world);
    ts_contact contacts[2] = {good, good};
    contacts[1].point = bad[i].point;
    contacts[1].normal = bad[i].normal;
    contacts[1].gap_m = bad[i].gap_m;
    ts_contact_set sets[2] = {
        {.body_a = 1, .body_b = 2, .contacts = contacts, .count = 1},
        {.body_a = bad[i].a, .body_b = bad[i].b, .contacts = &contacts[1], .count = 1}};
    cr_assert_eq(ts_soft_world_begin_step(world), TS_OK);
    ts_soft_report report;
    cr_assert_eq(ts_soft_world_end_step(&report, world, sets, 2), TS_E_INPUT, "%zu", i);
    cr_assert_not_null(strstr(ts_status_detail(), bad[i].word), "%s", ts_status_detail());
    check_same(world, &before);
    // And it goes on as if nothing had been.
    cr_assert_eq(ts_soft_world_begin_step(world), TS_OK);
    cr_assert_eq(ts_soft_world_begin_step(untouched), TS_OK);
    cr_assert_eq(ts_soft_world_end_step(NULL, world, sets, 1), TS_OK, "%s", ts_status_detail());
    cr_assert_eq(ts_soft_world_end_step(NULL, untouched, sets, 1), TS_OK);
    snapshot other = look(untouched);
    check_same(world, &other);
    cr_assert_gt(ts_soft_world_force_n(world, 0), 0);
  }
  ts_soft_world_destroy(world);
  ts_soft_world_destroy(untouched);
  soft_scene_release(&s);
}

Test(soft_world_input, motions_that_overflow_end_the_step_and_leave_the_world_as_it_was) {
  soft_scene s;
  three_bodies(&s);
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
  snapshot before = look(world);
  ts_contact far = good;
  far.gap_m = -1e308;
  ts_contact_set set = {.body_a = 0, .body_b = 2, .contacts = &far, .count = 1};
  cr_assert_eq(ts_soft_world_begin_step(world), TS_OK);
  cr_assert_eq(ts_soft_world_end_step(NULL, world, &set, 1), TS_E_INPUT);
  check_same(world, &before);
  soft_scene_release(&s);
  ts_soft_world_destroy(world);

  three_bodies(&s);
  s.params.gravity_m_s2.y = -1e308;
  s.params.dt_s = 100;
  world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
  before = look(world);
  cr_assert_eq(ts_soft_world_begin_step(world), TS_E_INPUT);
  check_same(world, &before);
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
}

Test(soft_world_input, calls_out_of_turn_are_refused) {
  soft_scene s;
  three_bodies(&s);
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
  ts_vec3 positions[32] = {{0, 0, 0}};
  cr_assert_eq(ts_soft_world_end_step(NULL, world, NULL, 0), TS_E_INPUT);
  cr_assert_eq(ts_soft_world_begin_step(world), TS_OK);
  cr_assert_eq(ts_soft_world_begin_step(world), TS_E_INPUT);
  cr_assert_eq(ts_soft_world_set_nodes(world, 1, positions, positions), TS_E_INPUT);
  cr_assert_eq(ts_soft_world_end_step(NULL, world, NULL, 0), TS_OK);
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
}

Test(soft_world_input, nodes_are_set_of_deformable_bodies_and_to_finite_numbers) {
  soft_scene s;
  three_bodies(&s);
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
  ts_vec3 positions[32], velocities[32] = {{0, 0, 0}};
  size_t count = ts_tet_body_node_count(ts_soft_world_tet_body(world, 1));
  memcpy(positions, ts_soft_world_nodes(world, 1), count * sizeof *positions);
  cr_assert_eq(ts_soft_world_set_nodes(world, 2, positions, velocities), TS_E_INPUT);
  cr_assert_eq(ts_soft_world_set_nodes(world, 3, positions, velocities), TS_E_INPUT);
  velocities[7].x = INFINITY;
  cr_assert_eq(ts_soft_world_set_nodes(world, 1, positions, velocities), TS_E_INPUT);
  cr_assert_not_null(strstr(ts_status_detail(), "node 7 of body 1"), "%s", ts_status_detail());
  velocities[7].x = 1;
  positions[3].y += 0.01;
  cr_assert_eq(ts_soft_world_set_nodes(world, 1, positions, velocities), TS_OK);
  cr_assert_eq(ts_soft_world_nodes(world, 1)[3].y, positions[3].y);
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
}

Test(soft_world_input, forces_that_do_not_converge_are_reported_and_the_step_is_done) {
  soft_scene s;
  three_bodies(&s);
  s.params.solver.sweeps = 2;
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
  for (int step = 0; step < 5; step++) {
    ts_soft_report report = soft_scene_step(&s, world);
    if (step == 0)
      cr_assert(!report.solver.converged && report.solver.sweeps == 2 &&
                report.solver.residual_m > 1e-10);
  }
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
}
