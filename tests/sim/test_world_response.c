// SPDX-License-Identifier: MIT
// covers: sim/response.c sim/constraints.c sim/position_step.c
#include "base/status.h"
#include "tests/sim/world_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const double g_m_s2 = 9.82;

/// What the three responses are called in messages.
static const char *const names[] = {"points", "volume", "penalty"};

/// A block of 500 kg on the ground, `along` x `along` cells of contact.
static const ts_vec3 block = {1, 0.5, 1};

static void start_block(world_fixture *f, int32_t response, int along) {
  fixture_init(f);
  fixture_add_box(f, (ts_vec3){20, 1, 20}, fixture_at(0, -0.5, 0), 1);
  int32_t box = fixture_add_box(f, block, fixture_at(0, 0.25, 0), 0);
  fixture_touch_cells(f, 0, (ts_vec3){0, 0.5, 0}, box, block, along, along);
  f->params.solver.spin_length_m = 0;
  f->params.solver.response.kind = response;
  f->params.solver.response.starts_even = 1;
  f->params.solver.response.stiffness_n_m5 = 1e7;
}

/// Gravity as on a slope whose tangent is `slope`, down along x.
static void tilt_gravity(world_fixture *f, double slope) {
  double length = sqrt(1 + slope * slope);
  f->params.gravity_m_s2 = (ts_vec3){g_m_s2 * slope / length, -g_m_s2 / length, 0};
}

static ts_world_motion motion_of(const world_fixture *f, size_t body) {
  return ts_world_get_motion(f->world, body);
}

Test(sim_world_response, free_flight_keeps_momentum_under_each) {
  for (int32_t response = 0; response <= TS_RESPONSE_PENALTY; response++) {
    world_fixture f;
    start_block(&f, response, 1);
    f.touch_count = 0;
    f.params.gravity_m_s2 = (ts_vec3){0, 0, 0};
    f.params.position_iterations = 10;
    f.bodies[1].twist = (ts_twist){{1, 2, -3}, {0.5, -4, 2}};
    fixture_start(&f);
    ts_world_momentum before = ts_world_get_momentum(f.world);
    fixture_steps(&f, 200);
    ts_world_momentum after = ts_world_get_momentum(f.world);
    double lost = ts_vec3_norm(ts_vec3_sub(after.linear_kg_m_s, before.linear_kg_m_s));
    double turned = ts_vec3_norm(ts_vec3_sub(after.angular_kg_m2_s, before.angular_kg_m2_s));
    cr_expect_lt(lost, 1e-12 * ts_vec3_norm(before.linear_kg_m_s), "%s: %g", names[response], lost);
    cr_expect_lt(turned, 1e-12 * ts_vec3_norm(before.angular_kg_m2_s), "%s: %g", names[response],
                 turned);
    fixture_release(&f);
  }
}

/// Two boxes in space that meet, one from above, off the middle, with a twist.
static void meet(world_fixture *f, int32_t response, int32_t rows, int32_t integration) {
  fixture_init(f);
  f->params.gravity_m_s2 = (ts_vec3){0, 0, 0};
  f->params.dt_s = 1e-3;
  fixture_add_box(f, block, fixture_at(0, -0.25, 0), 0);
  int32_t box = fixture_add_box(f, block, fixture_at(0.2, 0.25, 0.1), 0);
  f->bodies[box].twist = (ts_twist){{1, -2, 0.5}, {0.1, 1, 0.2}};
  touch *t = fixture_touch_cells(f, 0, (ts_vec3){0, 0.25, 0}, box, block, 4, 4);
  t->reach_m = 0.01;
  f->params.position_iterations = 10;
  f->params.solver.spin_length_m = 0;
  f->params.solver.response = (ts_response_params){.kind = response,
                                                   .rows = rows,
                                                   .integration = integration,
                                                   .starts_even = 1,
                                                   .stiffness_n_m5 = 1e7,
                                                   .viscosity_n_s_m3 = 1e4};
  fixture_start(f);
}

Test(sim_world_response, momentum_goes_from_body_to_body_under_each) {
  for (int k = 0; k < 8; k++) {
    world_fixture f;
    int32_t response = k < 2   ? TS_RESPONSE_POINTS
                       : k < 4 ? TS_RESPONSE_VOLUME
                               : TS_RESPONSE_PENALTY;
    meet(&f, response, k % 2, k >= 6);
    ts_world_momentum before = ts_world_get_momentum(f.world);
    fixture_steps(&f, 100);
    ts_world_momentum after = ts_world_get_momentum(f.world);
    cr_expect_gt(ts_vec3_norm(motion_of(&f, 0).velocity_m_s), 0.1, "%d: nothing was passed on", k);
    // Poses advance from the midpoint, where impulses act, and a position step turns the bodies:
    // only the linear momentum is kept to rounding.
    double lost = ts_vec3_norm(ts_vec3_sub(after.linear_kg_m_s, before.linear_kg_m_s));
    cr_expect_lt(lost, 1e-12 * ts_vec3_norm(before.linear_kg_m_s), "%d: %g", k, lost);
    double turned = ts_vec3_norm(ts_vec3_sub(after.angular_kg_m2_s, before.angular_kg_m2_s));
    if (response != TS_RESPONSE_VOLUME)
      cr_expect_lt(turned, 1e-12 * ts_vec3_norm(before.angular_kg_m2_s), "%d: %g", k, turned);
    fixture_release(&f);
  }
}

Test(sim_world_response, with_a_row_for_each_contact_volumes_are_points_without_spin) {
  ts_body after[2];
  for (int32_t response = 0; response < 2; response++) {
    world_fixture f;
    start_block(&f, response, 3);
    f.params.solver.response.starts_even = 0;
    f.bodies[1].twist = (ts_twist){{1, 0, 0.3}, {0, 2, 0}};
    fixture_start(&f);
    fixture_steps(&f, 20);
    after[response] = ts_world_bodies(f.world)[1];
    fixture_release(&f);
  }
  cr_expect_eq(memcmp(&after[0].pose, &after[1].pose, sizeof(ts_pose)), 0);
  cr_expect_eq(memcmp(&after[0].twist, &after[1].twist, sizeof(ts_twist)), 0);
}

Test(sim_world_response, a_volume_block_sticks_and_slides_as_coulomb_says) {
  // Tangents over the coefficient of friction, and the speed after 1 s.
  static const double ratio[] = {0.999, 1.02, 1.2}, speed_m_s[] = {0, 0.08748, 0.84206};
  for (int i = 0; i < 3; i++) {
    world_fixture f;
    start_block(&f, TS_RESPONSE_VOLUME, 4);
    tilt_gravity(&f, 0.5 * ratio[i]);
    fixture_start(&f);
    fixture_steps(&f, 100);
    double speed = motion_of(&f, 1).velocity_m_s.x;
    cr_expect_float_eq(speed, speed_m_s[i], i ? 1e-3 * speed_m_s[i] : 1e-5, "%g: %g m/s", ratio[i],
                       speed);
    if (i == 0)
      cr_expect_lt(ts_world_largest_drift_m(f.world), 1e-5);
    fixture_release(&f);
  }
}

Test(sim_world_response, a_volume_block_stops_where_its_energy_is_used_up) {
  world_fixture f;
  start_block(&f, TS_RESPONSE_VOLUME, 4);
  f.bodies[1].twist.linear_m_s = (ts_vec3){2, 0, 0};
  fixture_start(&f);
  fixture_steps(&f, 100);
  double way_m = 2 * 2 / (2 * 0.5 * g_m_s2);
  cr_expect_float_eq(ts_world_largest_drift_m(f.world), way_m, 5e-3 * way_m);
  fixture_release(&f);
}

Test(sim_world_response, a_spun_block_slows_down_by_its_cells) {
  // By uniform pressure at the centres of n x n cells; 11.27 rad/s2 for infinitely many.
  static const int along[] = {1, 2, 4, 8};
  static const double expected[] = {0, 10.42, 11.03, 11.21};
  for (int i = 0; i < 4; i++) {
    world_fixture f;
    start_block(&f, TS_RESPONSE_VOLUME, along[i]);
    fixture_start(&f);
    fixture_steps(&f, 6); // from here on pressures start where they were
    ts_twist spin = {{0, 0, 0}, {0, 5, 0}};
    cr_assert_eq(ts_world_set_state(f.world, 1, ts_world_bodies(f.world)[1].pose, spin), TS_OK);
    fixture_steps(&f, 20);
    double slowed = (5 - motion_of(&f, 1).angular_rad_s.y) / 0.2;
    cr_expect_float_eq(slowed, expected[i], fmax(1e-9, 0.015 * expected[i]), "%d: %g", along[i],
                       slowed);
    fixture_release(&f);
  }
}

/// Whether a rod of `cells` contacts moves when pulled across at its end, by a share of friction
/// times its weight.
static bool rod_moves(int cells, double share, bool starts_even) {
  world_fixture f;
  fixture_init(&f);
  ts_vec3 size = {2, 0.05, 0.05};
  fixture_add_box(&f, (ts_vec3){20, 1, 20}, fixture_at(0, -0.5, 0), 1);
  int32_t rod = fixture_add_box(&f, size, fixture_at(0, 0.025, 0), 0);
  fixture_touch_cells(&f, 0, (ts_vec3){0, 0.5, 0}, rod, size, cells, 1);
  f.params.solver.spin_length_m = 0;
  f.params.solver.response.kind = TS_RESPONSE_VOLUME;
  f.params.solver.response.starts_even = starts_even;
  fixture_start(&f);
  double weight_n = motion_of(&f, (size_t)rod).mass_kg * g_m_s2;
  fixture_steps(&f, 10); // pressures settle
  ts_force pull = {rod, {1, -0.025, 0}, {0, 0, share * 0.5 * weight_n}};
  cr_assert_eq(ts_world_set_forces(f.world, &pull, 1), TS_OK, "%s", ts_status_detail());
  fixture_steps(&f, 50);
  bool moves = ts_world_largest_drift_m(f.world) > 1e-4;
  fixture_release(&f);
  return moves;
}

Test(sim_world_response, a_rod_pulled_at_its_end_holds_as_its_cells_say) {
  static const int cells[] = {1, 2, 4, 8, 16};
  // 1/(n + 1) for 1 and 2 cells is not the law: 1 turns about its only contact at once.
  static const double limits[] = {0, 0.333, 0.4, 0.409, 0.413};
  for (int i = 0; i < 5; i++) {
    if (i > 0)
      cr_expect(!rod_moves(cells[i], 0.95 * limits[i], true), "%d cells", cells[i]);
    cr_expect(rod_moves(cells[i], 1.03 * limits[i] + 0.005, true), "%d cells", cells[i]);
  }
}

Test(sim_world_response, a_penalty_carries_a_weight_at_the_depth_that_it_says) {
  static const double stiffness[] = {1e6, 1e7};
  for (int i = 0; i < 2; i++)
    for (int along = 1; along <= 4; along *= 4) { // one volume, whatever the number of contacts
      world_fixture f;
      start_block(&f, TS_RESPONSE_PENALTY, along);
      f.params.solver.response.stiffness_n_m5 = stiffness[i];
      f.params.dt_s = 0.05;
      fixture_start(&f);
      fixture_steps(&f, 400);
      double depth_m = 0.25 - motion_of(&f, 1).centre.y, expected_m = 500 * g_m_s2 / stiffness[i];
      cr_expect_float_eq(depth_m, expected_m, 1e-3 * expected_m, "%g m, not %g", depth_m,
                         expected_m);
      cr_expect_eq(f.report.constraint_count, 1);
      fixture_release(&f);
    }
}

Test(sim_world_response, explicit_steps_hold_up_to_their_limit) {
  static const double ratios[] = {1.9, 2.1, 3};
  for (int i = 0; i < 6; i++) {
    world_fixture f;
    start_block(&f, TS_RESPONSE_PENALTY, 1);
    double ratio = ratios[i % 3];
    bool is_explicit = i < 3;
    f.params.solver.response.integration = is_explicit;
    double stiffness = 500 * ratio * ratio / (0.01 * 0.01);
    f.params.solver.response.stiffness_n_m5 = stiffness;
    f.bodies[1].pose.translation.y -= 1.01 * 500 * g_m_s2 / stiffness; // nearly at rest
    fixture_start(&f);
    fixture_steps(&f, 300);
    double drift_m = ts_world_largest_drift_m(f.world);
    cr_expect_eq(drift_m > 0.05, is_explicit && ratio > 2, "%g: %g m", ratio, drift_m);
    fixture_release(&f);
    if (!is_explicit)
      continue;
    start_block(&f, TS_RESPONSE_PENALTY, 1);
    f.params.solver.response.integration = TS_INTEGRATION_EXPLICIT;
    f.params.solver.response.stiffness_n_m5 = 500 * ratio * ratio / (0.01 * 0.01);
    f.bodies[1].pose.translation.y -= 1e-6; // overlaps
    fixture_start(&f);
    fixture_steps(&f, 1);
    cr_expect_float_eq(f.report.explicit_ratio, ratio, 1e-9);
    cr_expect_eq(f.report.sweeps, 0);
    fixture_release(&f);
  }
}

Test(sim_world_response, explicit_viscosity_holds_up_to_its_limit) {
  static const double ratios[] = {1.9, 2.1};
  for (int i = 0; i < 4; i++) { // rows of contacts, of the pair
    world_fixture f;
    start_block(&f, TS_RESPONSE_PENALTY, 4);
    double ratio = ratios[i % 2], k = 1e7;
    f.params.dt_s = 1e-3;
    f.params.solver.response.rows = i / 2;
    f.params.solver.response.integration = TS_INTEGRATION_EXPLICIT;
    // At the sole a push meets 1 / (1/m + h^2/I), h 0.25 m above it is the centre.
    double met_kg = 1 / (1 / 500.0 + 0.25 * 0.25 / (500 * (1 + 0.25) / 12));
    f.params.solver.response.viscosity_n_s_m3 = ratio * met_kg / 1e-3;
    f.bodies[1].pose.translation.y -= 500 * g_m_s2 / k;
    f.bodies[1].twist.linear_m_s = (ts_vec3){1e-6, 0, 0};
    fixture_start(&f);
    fixture_steps(&f, 1);
    cr_expect_float_eq(f.report.explicit_ratio, ratio, 0.02, "%g", f.report.explicit_ratio);
    fixture_steps(&f, 100);
    ts_world_energy energy = ts_world_get_energy(f.world);
    cr_expect_eq(energy.linear_j + energy.angular_j > 1e-6, ratio > 2, "%g: %g J", ratio,
                 energy.linear_j + energy.angular_j);
    fixture_release(&f);
  }
}

Test(sim_world_response, viscosity_lets_a_block_creep_at_the_speed_that_it_says) {
  for (int k = 0; k < 4; k++) { // rows of contacts, of the pair; implicit, explicit
    world_fixture f;
    start_block(&f, TS_RESPONSE_PENALTY, 4);
    f.params.dt_s = k < 2 ? 0.01 : 1e-3;
    f.params.solver.response.rows = k % 2;
    f.params.solver.response.integration = k / 2;
    f.params.solver.response.viscosity_n_s_m3 = 1e5;
    f.bodies[1].pose.translation.y -= 500 * g_m_s2 / 1e7; // at rest on its penalty
    fixture_start(&f);
    ts_force pull = {1, {0, -0.25, 0}, {500, 0, 0}}; // at its sole, so that it does not tilt
    cr_assert_eq(ts_world_set_forces(f.world, &pull, 1), TS_OK);
    fixture_steps(&f, k < 2 ? 10 : 50);
    // One volume holds no tilt: the block also turns, and what creeps is its sole.
    const ts_body *b = &ts_world_bodies(f.world)[1];
    ts_vec3 sole = ts_pose_point(b->pose, (ts_vec3){0, -0.25, 0});
    double speed = ts_twist_velocity_at(b->twist, b->pose, sole).x, expected = 500 / 1e5;
    cr_expect_float_eq(speed, expected, 0.02 * expected, "%d: %g, not %g", k, speed, expected);
    fixture_release(&f);
  }
}

Test(sim_world_response, a_stack_too_deep_is_lifted_in_one_position_step_without_motion) {
  world_fixture f;
  fixture_init(&f);
  fixture_add_box(&f, (ts_vec3){20, 1, 20}, fixture_at(0, -0.5, 0), 1);
  double overlap_m = 0.03;
  for (int i = 0; i < 5; i++) {
    int32_t box =
        fixture_add_box(&f, block, fixture_at(0, 0.25 + 0.5 * i - overlap_m * (i + 1), 0), 0);
    fixture_touch_cells(&f, box - 1, (ts_vec3){0, i ? 0.25 : 0.5, 0}, box, block, 2, 2);
  }
  f.params.solver.spin_length_m = 0;
  f.params.solver.sweeps = 20000;
  f.params.solver.response.kind = TS_RESPONSE_VOLUME;
  f.params.solver.response.starts_even = 1;
  f.params.position_iterations = 10;
  fixture_start(&f);
  fixture_steps(&f, 1);
  ts_world_response response = ts_world_get_response(f.world);
  cr_expect_eq(response.position_iterations, 1);
  cr_expect_eq(response.position_limited, 0);
  double lifted_j = 500 * g_m_s2 * overlap_m * (1 + 2 + 3 + 4 + 5);
  cr_expect_float_eq(response.position_energy_j, lifted_j, 1e-3 * lifted_j);
  for (size_t i = 1; i <= 5; i++)
    cr_expect_float_eq(motion_of(&f, i).centre.y, 0.25 + 0.5 * ((double)i - 1), 1e-5);
  ts_world_energy energy = ts_world_get_energy(f.world);
  cr_expect_lt(energy.linear_j + energy.angular_j, 1e-6);
  fixture_steps(&f, 1); // and stays
  cr_expect_eq(ts_world_get_response(f.world).position_iterations, 0);
  fixture_release(&f);
}

Test(sim_world_response, position_steps_of_an_island_go_no_further_than_its_boxes_overlap) {
  // Contacts that claim ten times the overlap of the boxes, and beside it a block that is right.
  world_fixture f;
  start_block(&f, TS_RESPONSE_VOLUME, 2);
  f.bodies[1].pose.translation.y -= 0.02;
  f.touches[0].plane_local.y += 0.2;
  int32_t beside = fixture_add_box(&f, block, fixture_at(5, 0.24, 0), 0);
  fixture_touch_cells(&f, 0, (ts_vec3){0, 0.5, 0}, beside, block, 2, 2);
  f.params.position_iterations = 1;
  f.params.gravity_m_s2 = (ts_vec3){0, 0, 0};
  fixture_start(&f);
  fixture_steps(&f, 1);
  ts_world_response response = ts_world_get_response(f.world);
  cr_expect_eq(response.position_limited, 1);
  // Up to half of the tolerance, which is a millionth of the size.
  cr_expect_float_eq(motion_of(&f, 1).centre.y, 0.25, 1e-6); // by 0.02, not by 0.22
  cr_expect_float_eq(motion_of(&f, 2).centre.y, 0.25, 1e-6); // by 0.01, as it asks for
  fixture_release(&f);
}

Test(sim_world_response, a_gap_is_room_to_move_in_a_position_step) {
  // Lifted at one end, a box may come down at the other, but not below the plane.
  world_fixture f;
  start_block(&f, TS_RESPONSE_VOLUME, 2);
  f.bodies[1].pose.rotation = ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, 0.02);
  f.bodies[1].pose.translation.y = 0.25 + 0.25 * sin(0.02) - 0.004;
  f.params.gravity_m_s2 = (ts_vec3){0, 0, 0};
  f.params.position_iterations = 40; // the turn takes the far end further than the boxes overlap
  fixture_start(&f);
  fixture_steps(&f, 1);
  const ts_contact_set *sets;
  size_t count;
  fixture_contacts(&f, &sets, &count, ts_world_bodies(f.world), f.body_count);
  for (size_t i = 0; i < sets[0].count; i++)
    cr_expect_gt(sets[0].contacts[i].gap_m, -2e-6, "%zu: %g after %d steps", i,
                 sets[0].contacts[i].gap_m,
                 (int)ts_world_get_response(f.world).position_iterations);
  fixture_release(&f);
}

Test(sim_world_response, pushes_that_add_up_to_nothing_make_no_row_of_a_pair) {
  for (int32_t response = TS_RESPONSE_VOLUME; response <= TS_RESPONSE_PENALTY; response++) {
    world_fixture f;
    start_block(&f, response, 1);
    f.params.solver.response.rows = TS_ROWS_PAIR;
    f.params.solver.response.viscosity_n_s_m3 = 1;
    f.params.position_iterations = 3;
    f.touch_count = 0;
    fixture_start(&f);
    ts_contact contacts[2] = {
        {.point = {0.5, 0, 0}, .normal = {1, 0, 0}, .gap_m = -0.01, .area_m2 = 2},
        {.point = {-0.5, 0, 0}, .normal = {-1, 0, 0}, .gap_m = -0.01, .area_m2 = 2}};
    ts_contact_set set = {.body_a = 0, .body_b = 1, .contacts = contacts, .count = 2};
    bool moved;
    cr_assert_eq(ts_world_begin_step(f.world), TS_OK);
    cr_assert_eq(ts_world_correct(&moved, f.world, &set, 1), TS_OK);
    cr_assert_eq(ts_world_end_step(&f.report, f.world, &set, 1), TS_OK, "%s", ts_status_detail());
    cr_expect_eq(f.report.constraint_count, 0);
    cr_expect_eq(ts_world_impulse(f.world, 1), 0);
    cr_expect_float_eq(motion_of(&f, 1).velocity_m_s.y, -g_m_s2 * 0.01, 1e-12); // falls
    fixture_release(&f);
  }
}

Test(sim_world_response, areas_that_are_no_areas_are_named) {
  static const double areas[] = {NAN, INFINITY, -1};
  for (int i = 0; i < 3; i++) {
    world_fixture f;
    start_block(&f, TS_RESPONSE_VOLUME, 2);
    f.touches[0].area_m2 = areas[i];
    fixture_start(&f);
    cr_expect_eq(ts_world_step(NULL, f.world, fixture_contacts, &f), TS_E_INPUT);
    cr_expect_not_null(strstr(ts_status_detail(), "contact 0 of bodies 0 and 1 has an area of"));
    fixture_release(&f);
    start_block(&f, TS_RESPONSE_VOLUME, 2); // shared evenly
    f.touches[0].area_m2 = areas[i];
    f.params.solver.response.even_area_m2 = 1;
    fixture_start(&f);
    cr_expect_eq(ts_world_step(NULL, f.world, fixture_contacts, &f), TS_OK);
    fixture_release(&f);
  }
  world_fixture f; // no volume: no row
  start_block(&f, TS_RESPONSE_VOLUME, 2);
  f.touches[0].area_m2 = 0;
  fixture_start(&f);
  fixture_steps(&f, 1);
  cr_expect_eq(f.report.constraint_count, 0);
  fixture_release(&f);
}

Test(sim_world_response, contacts_of_a_pair_share_its_impulse_by_area) {
  world_fixture f;
  start_block(&f, TS_RESPONSE_VOLUME, 3);
  f.params.solver.response.rows = TS_ROWS_PAIR;
  fixture_start(&f);
  fixture_steps(&f, 1);
  cr_expect_eq(f.report.constraint_count, 1);
  for (size_t i = 0; i < 9; i++)
    cr_expect_float_eq(ts_world_impulse(f.world, i), 500 * g_m_s2 * 0.01 / 9, 1e-9);
  fixture_release(&f);
}

/// Where a block is over its scale after 50 steps, on a slope, sliding, turning.
static ts_vec3 place_at_scale(double scale, int32_t response, int32_t rows) {
  world_fixture f;
  fixture_init(&f);
  ts_vec3 size = ts_vec3_scale(block, scale);
  fixture_add_box(&f, ts_vec3_scale((ts_vec3){20, 1, 20}, scale), fixture_at(0, -0.5 * scale, 0),
                  1);
  int32_t box = fixture_add_box(&f, size, fixture_at(0, 0.25 * scale, 0), 0);
  fixture_touch_cells(&f, 0, (ts_vec3){0, 0.5 * scale, 0}, box, size, 3, 3);
  f.bodies[box].twist = (ts_twist){{0.5 * scale, 0, 0}, {0, 1, 0}};
  f.params.gravity_m_s2 = ts_vec3_scale((ts_vec3){1, -9.82, 0}, scale);
  f.params.position_iterations = 10;
  f.params.solver.spin_length_m = 0;
  f.params.solver.response = (ts_response_params){.kind = response,
                                                  .rows = rows,
                                                  .starts_even = 1,
                                                  .stiffness_n_m5 = 1e7 / scale,
                                                  .viscosity_n_s_m3 = 1e4 * scale};
  fixture_start(&f);
  fixture_steps(&f, 50);
  ts_vec3 place = ts_vec3_scale(motion_of(&f, (size_t)box).centre, 1 / scale);
  fixture_release(&f);
  return place;
}

Test(sim_world_response, small_and_large_worlds_move_alike) {
  for (int32_t response = TS_RESPONSE_VOLUME; response <= TS_RESPONSE_PENALTY; response++)
    for (int32_t rows = 0; rows < 2; rows++) {
      ts_vec3 one = place_at_scale(1, response, rows);
      for (int i = -1; i < 2; i += 2) {
        double scale = pow(1000, i);
        double off = ts_vec3_norm(ts_vec3_sub(place_at_scale(scale, response, rows), one));
        cr_expect_lt(off, 1e-9, "%s, rows %d, scale %g: %g", names[response], (int)rows, scale,
                     off);
      }
    }
}

Test(sim_world_response, forces_act_at_their_points) {
  world_fixture f;
  start_block(&f, TS_RESPONSE_POINTS, 1);
  f.touch_count = 0;
  f.params.gravity_m_s2 = (ts_vec3){0, 0, 0};
  fixture_start(&f);
  ts_force force = {1, {0.5, 0, 0}, {0, 0, 100}};
  cr_assert_eq(ts_world_set_forces(f.world, &force, 1), TS_OK);
  fixture_steps(&f, 10);
  cr_expect_float_eq(motion_of(&f, 1).velocity_m_s.z, 100 * 0.1 / 500, 1e-12);
  cr_expect_float_eq(motion_of(&f, 1).spin_kg_m2_s.y, -0.5 * 100 * 0.1, 1e-4);
  ts_force bad[] = {{0, {0, 0, 0}, {1, 0, 0}},
                    {2, {0, 0, 0}, {1, 0, 0}},
                    {-1, {0, 0, 0}, {1, 0, 0}},
                    {1, {NAN, 0, 0}, {1, 0, 0}},
                    {1, {0, 0, 0}, {INFINITY, 0, 0}}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    cr_expect_eq(ts_world_set_forces(f.world, &bad[i], 1), TS_E_INPUT, "%zu", i);
  fixture_release(&f);
}

Test(sim_world_response, parameters_out_of_range_are_named) {
  static const char *const expected[] = {"position_iterations", "position_tolerance_m",
                                         "position_reach_m", "response.kind", "stiffness_n_m5"};
  for (int i = 0; i < 5; i++) {
    ts_world_params params = ts_world_params_default();
    params.position_iterations = i == 0 ? -1 : 0;
    params.position_tolerance_m = i == 1 ? NAN : 0;
    params.position_reach_m = i == 2 ? -1 : 0;
    params.solver.response.kind = i == 3 ? 7 : 0;
    params.solver.response.stiffness_n_m5 = i == 4 ? -1 : 0;
    ts_world *world;
    cr_expect_eq(ts_world_create(&world, NULL, 0, NULL, 0, &params), TS_E_INPUT);
    cr_expect_not_null(strstr(ts_status_detail(), expected[i]), "%s", ts_status_detail());
  }
}
