// SPDX-License-Identifier: MIT
// covers: sim/soft/soft_world.c sim/soft/soft_rigid.c sim/soft/soft_step.c sim/soft/tet_body.c
#include "tests/sim/soft/soft_scene.h"

#include "base/status.h"
#include "sim/soft/soft_state.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const ts_elastic rubber = {.young_pa = 2e5, .poisson = 0.4};

/// Without gravity: a fixed cube, a rigid one of 8 kg, and a deformable one of 8 kg.
static void three_cubes(soft_scene *s) {
  soft_scene_init(s);
  s->params.gravity_m_s2 = (ts_vec3){0, 0, 0};
  soft_scene_add_cube(s, 1, ts_pose_identity(), true);
  soft_scene_add_cube(s, 0.2, (ts_pose){ts_quat_identity(), {5, 5, 0}}, false);
  tet_grid grid = {2, 2, 2, {-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}};
  ts_pose turned = {ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, 0.4), {0, 5, 0}};
  soft_scene_add(s, tet_grid_mesh(s->arena, &grid), turned, &rubber);
}

static void start_forces(ts_soft_world *world, const ts_force *forces, size_t count) {
  cr_assert_eq(ts_soft_world_set_forces(world, forces, count), TS_OK, "%s", ts_status_detail());
}

/// Linear momentum and its moment about `about` of the deformable body.
static ts_vec3 momentum_about(ts_vec3 *out_moment, const ts_soft_world *world, ts_vec3 about) {
  const ts_tet_body *tet = ts_soft_world_tet_body(world, 2);
  ts_vec3 sum = {0, 0, 0};
  *out_moment = (ts_vec3){0, 0, 0};
  for (size_t i = 0; i < ts_tet_body_node_count(tet); i++) {
    ts_vec3 p = ts_vec3_scale(ts_tet_body_velocities(tet)[i], ts_tet_body_masses(tet)[i]);
    ts_vec3 arm = ts_vec3_sub(ts_tet_body_positions(tet)[i], about);
    sum = ts_vec3_add(sum, p);
    *out_moment = ts_vec3_add(*out_moment, ts_vec3_cross(arm, p));
  }
  return sum;
}

Test(soft_forces, rigid_and_deformable_bodies_gain_force_times_time) {
  soft_scene s;
  three_cubes(&s);
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
  const ts_force pulls[] = {{1, {0, 0, 0}, {0, 80, 0}},
                            {2, {0.03, -0.02, 0.07}, {0, 60, 0}},
                            {2, {0, 0.1, 0}, {4, 20, -8}}}; // two at one body add up
  start_forces(world, pulls, 3);
  for (int step = 1; step <= 20; step++) {
    ts_vec3 moment, sum;
    soft_scene_step(&s, world);
    double time_s = 0.01 * step, way_m = 10 * 0.01 * 0.01 * step * (step + 1) / 2;
    cr_assert_float_eq(world->bodies[1].state.velocity_m_s.y, 10 * time_s, 1e-13);
    cr_assert_float_eq(ts_soft_world_pose(world, 1).translation.y, 5 + way_m, 1e-12);
    sum = momentum_about(&moment, world, (ts_vec3){0, 5, 0});
    cr_assert_leq(ts_vec3_distance(sum, ts_vec3_scale((ts_vec3){4, 80, -8}, time_s)),
                  1e-12 * 80 * time_s + 1e-13);
  }
  cr_expect_leq(ts_vec3_norm(world->bodies[1].state.spin_kg_m2_s), 1e-13, "through its centre");
  start_forces(world, NULL, 0); // and then goes on as it is
  soft_scene_step(&s, world);
  cr_expect_float_eq(world->bodies[1].state.velocity_m_s.y, 2, 1e-12);
  ts_vec3 moment;
  cr_expect_float_eq(momentum_about(&moment, world, (ts_vec3){0, 5, 0}).y, 16, 1e-11);
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
}

Test(soft_forces, a_force_off_the_centre_turns_a_body_by_its_torque) {
  // At a corner, and beyond the mesh: there the nearest tet bears it, with its whole moment.
  static const ts_vec3 points[] = {{0.1, 0.1, 0.1}, {0.15, 0.02, 0}, {0, -0.3, 0.4}};
  for (size_t i = 0; i < 3; i++) {
    soft_scene s;
    three_cubes(&s);
    s.bodies[1].pose.rotation = s.bodies[2].pose.rotation;
    ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
    const ts_force pulls[] = {{1, points[i], {2, -3, 1}}, {2, points[i], {2, -3, 1}}};
    start_forces(world, pulls, 2);
    soft_scene_step(&s, world);
    ts_vec3 torque =
        ts_vec3_cross(ts_quat_rotate(s.bodies[2].pose.rotation, points[i]), pulls[0].force_n);
    ts_vec3 expected = ts_vec3_scale(torque, 0.01), moment;
    cr_expect_leq(ts_vec3_distance(world->bodies[1].state.spin_kg_m2_s, expected), 1e-14);
    cr_expect_gt(ts_vec3_norm(ts_soft_world_pose(world, 1).translation), 0);
    ts_vec3 axis =
        ts_vec3_unit(ts_rigid_body_angular(&world->bodies[1].properties, &world->bodies[1].state));
    cr_expect_gt(ts_vec3_dot(axis, ts_vec3_unit(torque)), 1 - 1e-9);
    // Where the body was: the free motion solves the balance there, K being symmetric and without
    // force or moment for rigid motions of the body as it lies.
    const ts_tet_body *tet = ts_soft_world_tet_body(world, 2);
    moment = (ts_vec3){0, 0, 0};
    for (size_t k = 0; k < ts_tet_body_node_count(tet); k++) {
      ts_vec3 arm = ts_quat_rotate(s.bodies[2].pose.rotation, ts_tet_body_rest(tet)[k]);
      ts_vec3 p = ts_vec3_scale(ts_tet_body_velocities(tet)[k], ts_tet_body_masses(tet)[k]);
      moment = ts_vec3_add(moment, ts_vec3_cross(arm, p));
    }
    cr_expect_leq(ts_vec3_distance(moment, expected), 1e-12, "%zu: %g", i,
                  ts_vec3_distance(moment, expected));
    ts_soft_world_destroy(world);
    soft_scene_release(&s);
  }
}

Test(soft_forces, the_point_moves_with_the_material) {
  // A spinning body pulled at a corner along its own way out: the power of the force is that of its
  // point, so the momentum goes on along the force, and the moment follows the turned arm.
  soft_scene s;
  three_cubes(&s);
  s.bodies[2].pose.rotation = ts_quat_identity();
  s.elastic[2].young_pa = 1e9;
  s.bodies[1].twist.angular_rad_s = s.bodies[2].twist.angular_rad_s = (ts_vec3){0, 0, 2};
  s.params.dt_s = 1e-3;
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
  const ts_force pulls[] = {{1, {0.1, 0, 0}, {0, 1, 0}}, {2, {0.1, 0, 0}, {0, 1, 0}}};
  start_forces(world, pulls, 2);
  for (int step = 0; step < 300; step++) // turns by more than 34 degrees
    soft_scene_step(&s, world);
  const ts_tet_body *tet = ts_soft_world_tet_body(world, 2);
  ts_vec3 moment, centre = {0, 0, 0};
  for (size_t i = 0; i < ts_tet_body_node_count(tet); i++)
    centre = ts_vec3_add_scaled(centre, ts_tet_body_masses(tet)[i] / ts_tet_body_mass_kg(tet),
                                ts_tet_body_positions(tet)[i]);
  momentum_about(&moment, world, centre);
  // The rigid cube beside it gains the same; the lumped one has an inertia of its own.
  double rigid = world->bodies[1].state.spin_kg_m2_s.z - 8 * 0.04 / 6 * 2;
  const double *m = ts_tet_body_masses(tet);
  double inertia = 0;
  for (size_t i = 0; i < ts_tet_body_node_count(tet); i++) {
    ts_vec3 r = ts_tet_body_rest(tet)[i];
    inertia += m[i] * (r.x * r.x + r.y * r.y);
  }
  double arm_gain = 0, angle = 0, speed = 2, spin = inertia * 2;
  for (int step = 0; step < 300; step++) { // the same for a rigid body of that inertia
    spin += 1e-3 * 0.1 * cos(angle);
    arm_gain += 1e-3 * 0.1 * cos(angle);
    speed = spin / inertia;
    angle += 1e-3 * speed;
  }
  cr_expect_gt(angle, 0.59);
  cr_expect_float_eq(moment.z - inertia * 2, arm_gain, 0.01 * arm_gain, "%g, not %g",
                     moment.z - inertia * 2, arm_gain);
  cr_expect_float_eq(rigid, arm_gain, 0.01 * arm_gain, "%g, not %g", rigid, arm_gain);
  cr_expect_lt(arm_gain, 0.97 * 0.3 * 0.1, "a force that stays would gain more");
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
}

Test(soft_forces, forces_on_bodies_that_cannot_move_or_are_not_there_are_refused) {
  soft_scene s;
  three_cubes(&s);
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
  const ts_force good = {2, {0, 0, 0}, {8, 0, 0}};
  start_forces(world, &good, 1);
  const ts_force bad[] = {{0, {0, 0, 0}, {1, 0, 0}},
                          {3, {0, 0, 0}, {1, 0, 0}},
                          {-1, {0, 0, 0}, {1, 0, 0}},
                          {1, {(double)NAN, 0, 0}, {1, 0, 0}},
                          {2, {0, 0, 0}, {INFINITY, 0, 0}}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const ts_force both[] = {{2, {0, 0, 0}, {0, 1, 0}}, bad[i]};
    cr_expect_eq(ts_soft_world_set_forces(world, both, 2), TS_E_INPUT, "%zu", i);
    cr_expect(strstr(ts_status_detail(), "force 1"), "%s", ts_status_detail());
  }
  soft_scene_step(&s, world); // those of before act
  ts_vec3 moment, sum = momentum_about(&moment, world, (ts_vec3){0, 5, 0});
  cr_expect_leq(ts_vec3_distance(sum, (ts_vec3){0.08, 0, 0}), 1e-13);
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
}

Test(soft_forces, what_pulls_at_clamped_nodes_does_nothing_and_overflow_is_refused) {
  soft_scene s;
  three_cubes(&s);
  static const uint32_t clamped[] = {0, 1, 2, 3, 4, 5, 6, 7, 8}; // all at low z
  s.elastic[2].clamped = clamped;
  s.elastic[2].clamped_count = 9;
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
  const ts_force low = {2, {0.1, 0.1, -0.1}, {100, 0, 0}}, high = {2, {0, 0, 0.1}, {100, 0, 0}};
  ts_vec3 moment;
  start_forces(world, &low, 1);
  soft_scene_step(&s, world);
  cr_expect_leq(ts_vec3_norm(momentum_about(&moment, world, (ts_vec3){0, 5, 0})), 1e-13);
  start_forces(world, &high, 1);
  soft_scene_step(&s, world);
  cr_expect_gt(momentum_about(&moment, world, (ts_vec3){0, 5, 0}).x, 1e-2);
  const ts_force huge[] = {{1, {0, 0, 0}, {1e308, 0, 0}}, {1, {0, 0, 0}, {1e308, 0, 0}}};
  start_forces(world, huge, 2);
  ts_pose before = ts_soft_world_pose(world, 1);
  ts_status status = TS_OK;
  for (int step = 0; step < 2000 && status == TS_OK; step++) {
    before = ts_soft_world_pose(world, 1);
    status = ts_soft_world_begin_step(world);
    if (status == TS_OK)
      status = ts_soft_world_end_step(NULL, world, NULL, 0);
  }
  cr_expect_eq(status, TS_E_INPUT);
  cr_expect_eq(ts_soft_world_pose(world, 1).translation.x, before.translation.x);
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
}
