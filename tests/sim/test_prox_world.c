// SPDX-License-Identifier: MIT
// covers: sim/prox_solver.c sim/prox_world.c
// The time step of the published runs: motion, rest, friction and what it does otherwise.
#include "sim/prox_world.h"

#include "base/status.h"
#include "geometry/vec3.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const ts_prox_world_params usual = {.gravity_m_s2 = {0, -9.82, 0},
                                           .dt_s = 0.01,
                                           .friction = 0.5,
                                           .friction_fixed = 0.5,
                                           .sweeps = 200};

/// A fixed body and a cube of edge 1 and 12 kg over it, whose lower face is at y = 0.
typedef struct scene {
  ts_body bodies[2];
  ts_prox_mass masses[2];
  ts_contact contacts[4];
  ts_contact_set set;
  ts_prox_world *world;
} scene;

static void open_scene(scene *s, const ts_prox_world_params *params, ts_twist twist) {
  *s = (scene){.bodies = {{.is_fixed = 1, .pose = {{1, 0, 0, 0}, {0, -1, 0}}},
                          {.pose = {{1, 0, 0, 0}, {0, 0.5, 0}}, .twist = twist}},
               .masses = {{0, {{0}}}, {12, {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}}}};
  for (int i = 0; i < 4; i++)
    s->contacts[i] = (ts_contact){
        .point = {i & 1 ? 0.5 : -0.5, 0, i & 2 ? 0.5 : -0.5}, .normal = {0, 1, 0}, .area_m2 = NAN};
  s->set = (ts_contact_set){.body_a = 0, .body_b = 1, .contacts = s->contacts, .count = 4};
  cr_assert_eq(ts_prox_world_create(&s->world, s->bodies, s->masses, 2, params), TS_OK, "%s",
               ts_status_detail());
}

static ts_prox_report step(scene *s, size_t set_count) {
  ts_prox_report report;
  ts_prox_world_begin_step(s->world);
  cr_assert_eq(ts_prox_world_end_step(&report, s->world, &s->set, set_count), TS_OK, "%s",
               ts_status_detail());
  return report;
}

static const ts_body *cube(const scene *s) {
  return &ts_prox_world_bodies(s->world)[1];
}

static bool is_float(double x) {
  return (double)(float)x == x;
}

Test(sim_prox_world, a_free_body_falls_by_the_midpoint_rule_in_floats) {
  scene s;
  open_scene(&s, &usual, (ts_twist){{2, 0, 0}, {0, 0, 3}});
  step(&s, 0);
  const ts_body *b = cube(&s);
  cr_expect_float_eq(b->pose.translation.x, 0.02, 1e-8);
  cr_expect_float_eq(b->pose.translation.y, 0.5 - 0.5 * 9.82e-4, 1e-7);
  cr_expect_float_eq(b->twist.linear_m_s.y, -0.0982, 1e-8);
  cr_expect_float_eq(b->pose.rotation.z, sin(0.015), 1e-8);
  cr_expect_float_eq(b->pose.rotation.w, cos(0.015), 1e-7);
  cr_expect(is_float(b->pose.translation.x) && is_float(b->pose.rotation.z) &&
            is_float(b->twist.linear_m_s.y));
  ts_prox_world_destroy(s.world);
}

// A step of the simulator: with the orientation made unit only once, all four numbers of it are one
// unit in the last place less.
Test(sim_prox_world, orientations_are_made_unit_twice) {
  scene s;
  open_scene(&s, &usual, (ts_twist){{0, 0, 0}, {0, 0, 0}});
  ts_prox_world_destroy(s.world);
  s.bodies[1].pose.rotation =
      (ts_quat){-0x1.fef9dcp-13, -0x1.48fb9ap-12, 0x1.6a118cp-1, 0x1.6a024p-1};
  s.bodies[1].twist.angular_rad_s = (ts_vec3){-0x1.9a9756p-9, -0x1.4cf324p-10, 0x1.8eb272p-8};
  cr_assert_eq(ts_prox_world_create(&s.world, s.bodies, s.masses, 2, &usual), TS_OK);
  ts_prox_world_begin_step(s.world);
  ts_quat q = cube(&s)->pose.rotation;
  cr_expect_eq(q.w, -0x1.08697ap-12, "%a", q.w);
  cr_expect_eq(q.x, -0x1.569cdap-12, "%a", q.x);
  cr_expect_eq(q.y, 0x1.6a1246p-1, "%a", q.y);
  cr_expect_eq(q.z, 0x1.6a0186p-1, "%a", q.z);
  ts_prox_world_destroy(s.world);
}

Test(sim_prox_world, contacts_are_found_half_a_step_on) {
  scene s;
  open_scene(&s, &usual, (ts_twist){{2, 0, 0}, {0, 0, 0}});
  ts_prox_world_begin_step(s.world);
  cr_expect_float_eq(cube(&s)->pose.translation.x, 0.01, 1e-8);
  ts_prox_world_destroy(s.world);
}

Test(sim_prox_world, a_cube_on_four_contacts_stays_in_place_bit_for_bit) {
  scene s;
  open_scene(&s, &usual, (ts_twist){{0, 0, 0}, {0, 0, 0}});
  for (int i = 0; i < 20; i++)
    step(&s, 1);
  cr_expect_eq(cube(&s)->pose.translation.y, 0.5);
  cr_expect_lt(ts_vec3_norm(cube(&s)->twist.linear_m_s), 1e-6);
  ts_prox_world_destroy(s.world);
}

Test(sim_prox_world, friction_slows_a_sliding_cube) {
  scene s;
  open_scene(&s, &usual, (ts_twist){{2, 0, 0}, {0, 0, 0}});
  step(&s, 1);
  cr_expect_float_eq(cube(&s)->twist.linear_m_s.x, 2 - 0.5 * 0.0982, 2e-3);
  ts_prox_world_destroy(s.world);
}

Test(sim_prox_world, the_order_of_the_two_bodies_changes_nothing_but_rounding) {
  double x[2];
  for (int turned = 0; turned < 2; turned++) {
    scene s;
    open_scene(&s, &usual, (ts_twist){{1, -0.3, 0.2}, {0, 0.4, 0}});
    if (turned) {
      s.set.body_a = 1;
      s.set.body_b = 0;
      for (int i = 0; i < 4; i++)
        s.contacts[i].normal.y = -1;
    }
    step(&s, 1);
    x[turned] = cube(&s)->twist.linear_m_s.x;
    ts_prox_world_destroy(s.world);
  }
  cr_expect_float_eq(x[0], x[1], 1e-6);
}

// A normal of length 2 has half the multiplier, and friction half its reach for that.
Test(sim_prox_world, friction_is_measured_by_the_length_of_the_normal) {
  double slowed[2];
  for (int i = 0; i < 2; i++) {
    scene s;
    open_scene(&s, &usual, (ts_twist){{2, 0, 0}, {0, 0, 0}});
    for (int k = 0; k < 4; k++)
      s.contacts[k].normal.y = 1 + i;
    step(&s, 1);
    slowed[i] = 2 - cube(&s)->twist.linear_m_s.x;
    cr_expect_float_eq(cube(&s)->twist.linear_m_s.y, 0, 1e-4);
    ts_prox_world_destroy(s.world);
  }
  cr_expect_gt(slowed[0], 0.04);
  cr_expect_lt(slowed[1], 0.6 * slowed[0], "%g and %g", slowed[0], slowed[1]);
}

Test(sim_prox_world, every_rollback_shrinks_the_next_changes) {
  scene s;
  open_scene(&s, &usual, (ts_twist){{2, -1, 0.5}, {3, 1, -2}});
  ts_prox_report report = step(&s, 1);
  cr_expect_leq(report.sweeps, usual.sweeps);
  cr_expect_lt(report.rollbacks, report.sweeps);
  cr_expect_geq(report.residual_kg_m_s, 0);
  cr_expect_lt(report.residual_kg_m_s, 1);
  ts_prox_world_destroy(s.world);
}

Test(sim_prox_world, no_sweeps_no_impulses) {
  scene s;
  ts_prox_world_params params = usual;
  params.sweeps = 0;
  open_scene(&s, &params, (ts_twist){{0, 0, 0}, {0, 0, 0}});
  ts_prox_report report = step(&s, 1);
  cr_expect_eq(report.sweeps, 0);
  cr_expect_float_eq(cube(&s)->twist.linear_m_s.y, -0.0982, 1e-8);
  ts_prox_world_destroy(s.world);
}

Test(sim_prox_world, what_cannot_be_solved_for_is_refused_by_its_name) {
  const ts_vec3 bad[] = {{0, 0, 0}, {NAN, 1, 0}, {0, INFINITY, 0}};
  for (int i = 0; i < 3; i++) {
    scene s;
    open_scene(&s, &usual, (ts_twist){{0, 0, 0}, {0, 0, 0}});
    s.contacts[2].normal = bad[i];
    ts_prox_report report;
    ts_prox_world_begin_step(s.world);
    cr_expect_eq(ts_prox_world_end_step(&report, s.world, &s.set, 1), TS_E_INPUT);
    cr_expect(strstr(ts_status_detail(), "contact 2 of bodies 0 and 1"), "%s", ts_status_detail());
    ts_prox_world_destroy(s.world);
  }
  scene s = {.bodies = {{.pose = {{1, 0, 0, 0}, {0, 0, 0}}}}, .masses = {{0, {{0}}}}};
  cr_expect_eq(ts_prox_world_create(&s.world, s.bodies, s.masses, 1, &usual), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "body 0"), "%s", ts_status_detail());
}
