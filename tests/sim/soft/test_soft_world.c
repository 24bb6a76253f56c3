// SPDX-License-Identifier: MIT
// covers: sim/soft/soft_contacts.c sim/soft/soft_response.c sim/soft/soft_rigid.c
// covers: sim/soft/soft_step.c sim/soft/soft_world.c
#include "tests/sim/soft/soft_experiments.h"

#include "base/status.h"
#include "sim/soft/soft_response.h"

#include <criterion/criterion.h>
#include <math.h>

static ts_pose pose_at(double x, double y, double z) {
  return (ts_pose){ts_quat_identity(), {x, y, z}};
}

static void begin(ts_soft_world *world) {
  cr_assert_eq(ts_soft_world_begin_step(world), TS_OK, "%s", ts_status_detail());
}

static ts_soft_report end(ts_soft_world *world, const ts_contact_set *sets, size_t count) {
  ts_soft_report report;
  cr_assert_eq(ts_soft_world_end_step(&report, world, sets, count), TS_OK, "%s",
               ts_status_detail());
  return report;
}

static void push(ts_contact_set *set, ts_vec3 point, ts_vec3 normal, double gap_m) {
  ts_contact contact = {.point = point, .normal = normal, .gap_m = gap_m, .area_m2 = (double)NAN};
  cr_assert_eq(ts_contact_set_push(set, &contact, 1), TS_OK);
}

/// The lower corners of a cube of edge 1 above the plane y = 0 of body 0.
static void push_corners(ts_contact_set *set, const ts_soft_world *world, int32_t cube) {
  for (int i = 0; i < 4; i++) {
    ts_vec3 corner = {i & 1 ? 0.5 : -0.5, -0.5, i & 2 ? 0.5 : -0.5};
    ts_vec3 p = ts_pose_point(ts_soft_world_pose(world, (size_t)cube), corner);
    push(set, p, (ts_vec3){0, 1, 0}, p.y);
  }
}

static const ts_elastic soft = {.young_pa = 2e5, .poisson = 0.4, .stiffness_damping_s = 0.002};

/// A soft block of 0.2 x 0.1 x 0.2 m, 3 x 2 x 3 cells, its lowest nodes at y = 0.
static ts_mesh *small_block(ts_arena *arena) {
  tet_grid grid = {3, 2, 3, {-0.1, 0, -0.1}, {0.1, 0.1, 0.1}};
  return tet_grid_mesh(arena, &grid);
}

/// A ground with the plane y = 0 as body 0, and the small block as body 1 above it.
static void block_above_ground(soft_scene *s, double height_m) {
  soft_scene_init(s);
  soft_scene_add_cube(s, 1, ts_pose_identity(), true);
  soft_scene_add(s, small_block(s->arena), pose_at(0, height_m, 0), &soft);
  s->touches[s->touch_count++] =
      (soft_touch){.kind = SOFT_PLANE, .obstacle = 0, .body = 1, .reach_m = 0.02};
}

static ts_vec3 momentum(const ts_soft_world *world, size_t body) {
  const ts_tet_body *tet = ts_soft_world_tet_body(world, body);
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < ts_tet_body_node_count(tet); i++)
    sum = ts_vec3_add_scaled(sum, ts_tet_body_masses(tet)[i], ts_tet_body_velocities(tet)[i]);
  return sum;
}

/// A block that is turned at rest, with one contact that is too deep by that share of its size.
static double error_at_scale(double scale, double depth) {
  soft_scene s;
  soft_scene_init(&s);
  s.params.gravity_m_s2 = (ts_vec3){0, 0, 0};
  s.params.compares_exact = true;
  s.params.solver.tolerance_m = 0;
  s.params.solver.sweeps = 20;
  ts_elastic elastic = soft;
  elastic.young_pa *= scale * scale;
  tet_grid grid = {
      3, 2, 3, {-0.1 * scale, 0, -0.1 * scale}, {0.1 * scale, 0.1 * scale, 0.1 * scale}};
  soft_scene_add_cube(&s, 100 * scale, ts_pose_identity(), true); // its size counts for nothing
  ts_pose turned = {ts_quat_from_axis_angle(ts_vec3_unit((ts_vec3){1, 2, 3}), 0.7), {0, 0, 0}};
  soft_scene_add(&s, tet_grid_mesh(s.arena, &grid), turned, &elastic);
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_INITIAL);
  ts_contact_set set = {.body_a = 0, .body_b = 1};
  begin(world);
  push(&set, ts_soft_world_nodes(world, 1)[0], (ts_vec3){0, 1, 0}, -depth * scale);
  double error = end(world, &set, 1).response_error;
  ts_contact_set_clear(&set);
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
  return error;
}

Test(soft_world, steps_have_an_error_from_the_same_share_of_the_size_on_at_any_scale) {
  double one = error_at_scale(1, 1e-8);
  cr_expect_gt(one, 0.01);
  cr_expect_float_eq(error_at_scale(1e-3, 1e-8), one, 1e-6 * one);
  cr_expect_float_eq(error_at_scale(1e3, 1e-8), one, 1e-6 * one);
  for (int k = -3; k <= 3; k += 3)
    cr_expect(isnan(error_at_scale(pow(10, k), 1e-13)), "1e%d", k);
}

// Rigid bodies.

Test(soft_world, a_rigid_cube_falls_lands_without_overlap_and_rests_on_its_weight) {
  soft_scene s;
  soft_scene_init(&s);
  soft_scene_add_cube(&s, 1, ts_pose_identity(), true);
  soft_scene_add_cube(&s, 1, pose_at(0, 0.6, 0), false);
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
  const double h = 0.01, g = 9.82;
  for (int step = 1; step <= 30; step++) {
    ts_contact_set set = {.body_a = 0, .body_b = 1};
    begin(world);
    push_corners(&set, world, 1);
    ts_soft_report report = end(world, &set, 1);
    double height = ts_soft_world_pose(world, 1).translation.y - 0.5;
    double falling = 0.1 - 0.5 * g * h * h * step * (step + 1);
    cr_assert_eq(report.constraint_count, 4);
    if (falling > 0) {
      cr_assert_float_eq(height, falling, 1e-12);
      cr_assert_eq(report.normal_force_n, 0);
    } else
      cr_assert_float_eq(height, 0, 1e-9);
    if (step == 30)
      cr_assert_float_eq(report.normal_force_n, 1000 * g, 1e-2);
    ts_contact_set_clear(&set);
  }
  double sum = 0;
  for (size_t i = 0; i < 4; i++)
    sum += ts_soft_world_force_n(world, i);
  cr_assert_float_eq(sum, 1000 * g, 1e-2);
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
}

Test(soft_world, two_rigid_cubes_that_collide_keep_their_momentum) {
  soft_scene s;
  soft_scene_init(&s);
  s.params.gravity_m_s2 = (ts_vec3){0, 0, 0};
  soft_scene_add_cube(&s, 1, pose_at(0, 0, 0), false);
  soft_scene_add_cube(&s, 0.8, pose_at(0.905, 0.3, 0.1), false);
  s.bodies[0].twist.linear_m_s = (ts_vec3){1, 0.2, 0};
  s.bodies[1].twist.linear_m_s = (ts_vec3){-2, 0, 0.1};
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
  ts_vec3 before[2], after[2], spun[2];
  for (int i = 0; i < 2; i++)
    before[i] =
        ts_vec3_scale(world->bodies[i].state.velocity_m_s, world->bodies[i].properties.mass_kg);
  ts_contact_set set = {.body_a = 0, .body_b = 1};
  begin(world);
  push(&set, (ts_vec3){0.5, 0.3, 0.2}, (ts_vec3){1, 0, 0}, -0.02);
  ts_soft_report report = end(world, &set, 1);
  cr_assert_gt(report.normal_force_n, 0);
  for (int i = 0; i < 2; i++) {
    const ts_body_state *state = &world->bodies[i].state;
    after[i] = ts_vec3_scale(state->velocity_m_s, world->bodies[i].properties.mass_kg);
    // About the point of the contact: what the forces at it cannot change.
    ts_vec3 arm = ts_vec3_sub((ts_vec3){0.5, 0.3, 0.2},
                              ts_vec3_add_scaled(world->bodies[i].before.centre, 0.01,
                                                 world->bodies[i].before.velocity_m_s));
    ts_vec3 gained = ts_vec3_cross(arm, ts_vec3_sub(after[i], before[i]));
    spun[i] = ts_vec3_sub(state->spin_kg_m2_s, gained);
    cr_assert_gt(ts_vec3_norm(state->spin_kg_m2_s), 1);
    cr_assert_leq(ts_vec3_norm(spun[i]), 1e-10);
  }
  ts_vec3 sum_before = ts_vec3_add(before[0], before[1]);
  cr_assert_leq(ts_vec3_distance(sum_before, ts_vec3_add(after[0], after[1])), 1e-10);
  ts_contact_set_clear(&set);
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
}

Test(soft_world, a_rigid_body_in_free_flight_keeps_its_angular_momentum_and_turns_by_it) {
  soft_scene s;
  soft_scene_init(&s);
  tet_grid grid = {1, 1, 1, {0, 0, 0}, {0.1, 0.2, 0.4}}; // its origin is no centre
  soft_scene_add(&s, tet_grid_mesh(s.arena, &grid), pose_at(0, 0, 0), NULL);
  soft_scene_add_cube(&s, 1, pose_at(3, 0, 0), false);
  for (int i = 0; i < 2; i++)
    s.bodies[i].twist.angular_rad_s = (ts_vec3){1, 2, 3};
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
  ts_vec3 spin = world->bodies[0].state.spin_kg_m2_s;
  for (int step = 0; step < 50; step++) {
    begin(world);
    end(world, NULL, 0);
  }
  cr_assert_eq(ts_vec3_distance(spin, world->bodies[0].state.spin_kg_m2_s), 0);
  ts_vec3 axis = ts_vec3_unit((ts_vec3){1, 2, 3});
  ts_quat turned = ts_quat_from_axis_angle(axis, 0.5 * sqrt(14));
  ts_quat is = ts_soft_world_pose(world, 1).rotation;
  cr_assert_float_eq(fabs(turned.w * is.w + turned.x * is.x + turned.y * is.y + turned.z * is.z), 1,
                     1e-12);
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
}

Test(soft_world, a_rigid_cube_on_a_slope_sticks_or_slides_as_coulomb_says) {
  for (int is_sliding = 0; is_sliding < 2; is_sliding++) {
    soft_scene s;
    soft_scene_init(&s);
    s.params.friction_fixed = 0.5;
    s.params.friction = 1e3; // not with a fixed body
    s.params.gravity_m_s2 = (ts_vec3){is_sliding ? 6 : 4, -10, 0};
    soft_scene_add_cube(&s, 1, ts_pose_identity(), true);
    soft_scene_add_cube(&s, 1, pose_at(0, 0.5, 0), false);
    ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
    for (int step = 0; step < 50; step++) {
      ts_contact_set set = {.body_a = 0, .body_b = 1};
      begin(world);
      push_corners(&set, world, 1);
      cr_assert(end(world, &set, 1).solver.converged);
      ts_contact_set_clear(&set);
    }
    double expected = is_sliding ? (6 - 0.5 * 10) * 1e-4 * 50 * 51 / 2 : 0;
    cr_assert_float_eq(ts_soft_world_pose(world, 1).translation.x, expected, 1e-6);
    ts_soft_world_destroy(world);
    soft_scene_release(&s);
  }
}

Test(soft_world, a_contact_of_two_fixed_bodies_has_no_force_and_does_not_count) {
  soft_scene s;
  soft_scene_init(&s);
  soft_scene_add_cube(&s, 1, ts_pose_identity(), true);
  soft_scene_add_cube(&s, 1, pose_at(0, 0.9, 0), true);
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
  ts_contact_set set = {.body_a = 0, .body_b = 1};
  begin(world);
  push(&set, (ts_vec3){0, 0.45, 0}, (ts_vec3){0, 1, 0}, -0.1);
  ts_soft_report report = end(world, &set, 1);
  cr_assert_eq(report.constraint_count, 0);
  cr_assert_eq(ts_soft_world_force_n(world, 0), 0);
  cr_assert(report.solver.converged);
  cr_assert(isnan(report.momentum_defect));
  cr_assert_eq(ts_soft_world_pose(world, 1).translation.y, 0.9);
  ts_contact_set_clear(&set);
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
}

// Deformable bodies.

Test(soft_world, the_momentum_of_a_deformable_body_changes_by_gravity_and_contact_forces_alone) {
  soft_scene s;
  block_above_ground(&s, 0.01);
  s.params.friction_fixed = 0;
  s.params.compares_exact = true;
  for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++) {
    ts_soft_world *world = soft_scene_world(&s, (ts_compliance_kind)kind);
    double largest_defect = 0;
    for (int step = 0; step < 15; step++) {
      ts_vec3 before = momentum(world, 1);
      ts_soft_report report = soft_scene_step(&s, world);
      double weight_n = -9.82 * ts_tet_body_mass_kg(ts_soft_world_tet_body(world, 1));
      double gained = momentum(world, 1).y - before.y;
      double given = 0.01 * (weight_n + report.normal_force_n);
      // The report's defect is what is missing, over the sum of the normal forces.
      double defect = fabs(gained - given) / (0.01 * fmax(report.normal_force_n, 1e-9));
      if (report.normal_force_n > 0)
        cr_assert_leq(fabs(defect - report.momentum_defect), 1e-9 + 0.5 * report.momentum_defect);
      if (kind == TS_COMPLIANCE_EXACT) {
        cr_assert_leq(fabs(gained - given), 1e-10);
        cr_assert(report.normal_force_n == 0 || report.momentum_defect < 1e-10);
        cr_assert(isnan(report.response_error) || report.response_error == 0);
      }
      largest_defect = fmax(largest_defect, report.momentum_defect);
    }
    if (kind == TS_COMPLIANCE_WARPED)
      cr_assert(largest_defect > 1e-9 && largest_defect < 0.01, "%g", largest_defect);
    ts_soft_world_destroy(world);
  }
  soft_scene_release(&s);
}

Test(soft_world, two_deformable_bodies_that_collide_keep_their_momentum) {
  soft_scene s;
  soft_scene_init(&s);
  s.params.gravity_m_s2 = (ts_vec3){0, 0, 0};
  soft_scene_add(&s, small_block(s.arena), pose_at(0, 0, 0), &soft);
  soft_scene_add(&s, small_block(s.arena), pose_at(0.02, 0.1, 0), &soft);
  s.bodies[0].twist.linear_m_s = (ts_vec3){0, 1, 0};
  s.bodies[1].twist.linear_m_s = (ts_vec3){0.3, -1, 0};
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
  ts_vec3 before = ts_vec3_add(momentum(world, 0), momentum(world, 1));
  double first = momentum(world, 1).y;
  ts_contact_set set = {.body_a = 0, .body_b = 1};
  begin(world);
  for (int i = -1; i <= 1; i++) // between nodes, on both
    push(&set, (ts_vec3){0.01 + 0.05 * i, 0.1, 0.04 * i}, (ts_vec3){0, 1, 0}, -0.02);
  ts_soft_report report = end(world, &set, 1);
  ts_vec3 after = ts_vec3_add(momentum(world, 0), momentum(world, 1));
  cr_assert_gt(report.normal_force_n, 1);
  cr_assert_gt(momentum(world, 1).y, first + 0.1);
  cr_assert_leq(ts_vec3_distance(before, after), 1e-10);
  ts_contact_set_clear(&set);
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
}

Test(soft_world, a_contact_at_a_node_is_the_same_with_its_feature_and_by_its_place) {
  ts_vec3 at[2] = {{0, 0, 0}, {0, 0, 0}};
  for (int has_features = 0; has_features < 2; has_features++) {
    soft_scene s;
    block_above_ground(&s, -0.001);
    s.has_features = has_features != 0;
    ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_WARPED);
    soft_scene_step(&s, world); // the first, in which the face is flat
    at[has_features] = ts_soft_world_nodes(world, 1)[5];
    ts_soft_world_destroy(world);
    soft_scene_release(&s);
  }
  cr_assert_leq(ts_vec3_distance(at[0], at[1]), 1e-12);
}

/// A contact with a vertex feature far from its point, and one with a vertex that does not exist.
Test(soft_world, a_vertex_that_is_not_where_the_contact_is_does_not_count) {
  const uint32_t vertices[2] = {47, 4000000};
  for (int i = 0; i < 2; i++) {
    soft_scene s;
    block_above_ground(&s, 0);
    ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
    begin(world);
    ts_contact c = {.point = ts_soft_world_nodes(world, 1)[0],
                    .normal = {0, 1, 0},
                    .gap_m = -1e-3,
                    .feature_b = {TS_FEATURE_VERTEX, vertices[i]}};
    ts_contact_set set = {.body_a = 0, .body_b = 1, .contacts = &c, .count = 1};
    ts_soft_contacts made;
    cr_assert_eq(ts_soft_contacts_make(&made, world, &set, 1), TS_OK);
    const ts_tet_side *side = &made.sides[1].tet[0];
    double at_node = 0;
    for (int k = 0; k < 3; k++)
      at_node += side->nodes[k] == 0 ? side->weights[k] : 0;
    cr_assert_float_eq(at_node, 1, 1e-12);
    ts_soft_world_destroy(world);
    soft_scene_release(&s);
  }
}

Test(soft_world, tangential_rows_start_from_how_far_the_material_points_have_slid) {
  soft_scene s;
  soft_scene_init(&s);
  s.params.gravity_m_s2 = (ts_vec3){0, 0, 0};
  soft_scene_add(&s, small_block(s.arena), ts_pose_identity(), &soft);
  soft_scene_add_cube(&s, 0.2, pose_at(0, 0.2, 0), false);
  s.bodies[0].twist.linear_m_s = (ts_vec3){0.5, 0, 0.25};
  s.bodies[1].twist.linear_m_s = (ts_vec3){-0.5, 0, 0};
  s.bodies[1].twist.angular_rad_s = (ts_vec3){0, 2, 0};
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
  begin(world);
  ts_contact c = {.point = {0.05, 0.1, 0.02}, .normal = {0, 3, 0}, .gap_m = 1e-4};
  ts_contact_set set = {.body_a = 0, .body_b = 1, .contacts = &c, .count = 1};
  ts_soft_contacts made;
  cr_assert_eq(ts_soft_contacts_make(&made, world, &set, 1), TS_OK);
  ts_mat3 frame = made.sides[1].rigid[0].frame;
  ts_vec3 relative = ts_mat3_apply_transposed(frame, made.free_m[0]);
  // Cube less block: the cube's point from its turn by 0.02 rad about (-0.005, y, 0) and its way.
  ts_vec3 arm = {0.055, 0, 0.02};
  ts_vec3 from = ts_quat_rotate(ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, -0.02), arm);
  cr_assert_float_eq(relative.x, -0.005 + arm.x - from.x - 0.005, 1e-12);
  cr_assert_float_eq(relative.z, arm.z - from.z - 0.0025, 1e-12);
  cr_assert_float_eq(relative.y, 1e-4, 1e-15);
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
}

Test(soft_world, contacts_between_clamped_nodes_have_no_force_and_throw_nothing) {
  soft_scene s;
  soft_scene_init(&s);
  // The face y = 0 has 16 nodes, of which those at z = -0.1 are clamped.
  static const uint32_t clamped[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  ts_elastic elastic = soft;
  elastic.clamped = clamped;
  elastic.clamped_count = 12;
  soft_scene_add_cube(&s, 1, ts_pose_identity(), true);
  soft_scene_add(&s, small_block(s.arena), ts_pose_identity(), &elastic);
  s.params.gravity_m_s2 = (ts_vec3){0, 0, 0};
  for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++) {
    ts_soft_world *world = soft_scene_world(&s, (ts_compliance_kind)kind);
    ts_contact_set set = {.body_a = 0, .body_b = 1};
    for (int i = 0; i < 20; i++) // along the edge, up to rounding
      push(&set, (ts_vec3){-0.1 + 0.01 * i, 1e-3, -0.1 + 1e-15 * (i % 3)}, (ts_vec3){0, 1, 0},
           -1e-3);
    begin(world);
    ts_soft_report report = end(world, &set, 1);
    cr_assert_eq(report.normal_force_n, 0);
    cr_assert_eq(report.constraint_count, 20);
    cr_assert(isnan(report.momentum_defect), "a clamped body has none");
    for (size_t i = 0; i < s.shapes[1].mesh->vertex_count; i++)
      cr_assert_leq(
          ts_vec3_distance(ts_soft_world_nodes(world, 1)[i], s.shapes[1].mesh->vertices[i]), 1e-12);
    ts_contact_set_clear(&set);
    ts_soft_world_destroy(world);
  }
  soft_scene_release(&s);
}

// All three compliances.

/// Whether W + shift is positive definite.
static bool is_definite(const ts_delassus *w, size_t count, double shift) {
  static double m[120][120];
  size_t n = 3 * count;
  cr_assert_leq(n, 120);
  memset(m, 0, sizeof m);
  for (size_t i = 0; i < count; i++) {
    ts_delassus_row row = ts_delassus_get_row(w, i);
    for (size_t k = 0; k < row.count; k++)
      for (size_t r = 0; r < 3; r++)
        for (size_t c = 0; c < 3; c++)
          m[3 * i + r][3 * row.contacts[k] + c] = row.blocks[k].m[r][c];
  }
  for (size_t i = 0; i < n; i++) {
    m[i][i] += shift;
    for (size_t k = 0; k < i; k++)
      for (size_t j = k + 1; j <= i; j++)
        m[i][j] -= m[i][k] * m[j][k] / m[k][k];
    if (!(m[i][i] > 0))
      return false;
  }
  return true;
}

Test(soft_world, w_is_symmetric_to_the_bit_and_positive_semidefinite) {
  soft_scene s;
  soft_scene_init(&s);
  soft_experiment_chain(&s, 1.5e5, 0.01, true);
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_WARPED);
  size_t compared = 0;
  for (int step = 0; step < 25; step++) {
    soft_scene_step(&s, world);
    if (step % 6 != 0)
      continue;
    ts_contact_set sets[SOFT_TOUCHES];
    ts_soft_contacts contacts;
    begin(world);
    soft_scene_contacts(&s, world, sets);
    cr_assert_eq(ts_soft_contacts_make(&contacts, world, sets, s.touch_count), TS_OK);
    for (int kind = 0; kind < TS_COMPLIANCE_COUNT && contacts.count > 0; kind++) {
      ts_soft_answer answer;
      cr_assert_eq(ts_soft_answer_make(&answer, world, &contacts, kind), TS_OK);
      cr_assert_eq(ts_delassus_asymmetry(answer.w), 0);
      double largest = ts_delassus_get_row(answer.w, 0).blocks[0].m[0][0];
      cr_assert(is_definite(answer.w, contacts.count, 1e-12 * largest), "%s",
                ts_compliances[kind].name);
      compared++;
    }
    end(world, sets, s.touch_count);
    soft_scene_clear(sets);
  }
  cr_assert_gt(compared, 6);
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
}

/// The scene as a whole, moved: bodies, gravity, and twists.
static void move_scene(soft_scene *s, ts_pose by) {
  for (size_t i = 0; i < s->body_count; i++)
    s->bodies[i].pose = ts_pose_mul(by, s->bodies[i].pose);
  s->params.gravity_m_s2 = ts_pose_direction(by, s->params.gravity_m_s2);
}

Test(soft_world, a_world_that_is_moved_as_a_whole_moves_the_same_but_for_initial) {
  const ts_pose by = {ts_quat_from_axis_angle(ts_vec3_unit((ts_vec3){1, -2, 0.5}), 2.1),
                      {3, -40, 7}};
  for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++) {
    ts_vec3 nodes[2][64] = {{{0, 0, 0}}};
    size_t count = 0;
    for (int is_moved = 0; is_moved < 2; is_moved++) {
      soft_scene s;
      block_above_ground(&s, 0.003);
      s.params.gravity_m_s2.x = 3;
      if (is_moved)
        move_scene(&s, by);
      ts_soft_world *world = soft_scene_world(&s, (ts_compliance_kind)kind);
      for (int step = 0; step < 20; step++)
        soft_scene_step(&s, world);
      count = s.shapes[1].mesh->vertex_count;
      cr_assert_leq(count, 64);
      for (size_t i = 0; i < count; i++)
        nodes[is_moved][i] = is_moved ? ts_pose_point_local(by, ts_soft_world_nodes(world, 1)[i])
                                      : ts_soft_world_nodes(world, 1)[i];
      ts_soft_world_destroy(world);
      soft_scene_release(&s);
    }
    double worst = 0;
    for (size_t i = 0; i < count; i++)
      worst = fmax(worst, ts_vec3_distance(nodes[0][i], nodes[1][i]));
    if (kind == TS_COMPLIANCE_INITIAL)
      cr_assert_gt(worst, 1e-6, "the control does not see the motion");
    else
      cr_assert_leq(worst, 1e-8, "%s: %g m", ts_compliances[kind].name, worst);
  }
}

Test(soft_world, similar_worlds_of_a_thousandth_and_a_thousand_times_the_size_move_alike) {
  const double scales[3] = {1, 1e-3, 1e3};
  for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++) {
    ts_vec3 at[3];
    for (int i = 0; i < 3; i++) {
      soft_scene s;
      soft_scene_init(&s);
      soft_experiment_block(&s, 28, scales[i]);
      ts_soft_world *world = soft_scene_world(&s, (ts_compliance_kind)kind);
      for (int step = 0; step < 20; step++)
        cr_assert(soft_scene_step(&s, world).solver.converged);
      at[i] = ts_vec3_scale(ts_soft_world_nodes(world, 1)[37], 1 / scales[i]);
      cr_assert_leq(ts_vec3_distance(at[0], at[i]), 1e-8);
      ts_soft_world_destroy(world);
      soft_scene_release(&s);
    }
  }
}

Test(soft_world, the_same_world_gives_the_same_bits) {
  uint8_t bits[2][sizeof(ts_vec3) * 324];
  double forces[2] = {0, 0};
  for (int run = 0; run < 2; run++) {
    soft_scene s;
    soft_scene_init(&s);
    soft_experiment_chain(&s, 1.5e5, 0.01, true);
    s.params.compares_exact = run == 1; // which moves nothing
    ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_WARPED);
    for (int step = 0; step < 12; step++)
      forces[run] += soft_scene_step(&s, world).normal_force_n;
    memcpy(bits[run], ts_soft_world_nodes(world, 1), sizeof bits[run]);
    ts_soft_world_destroy(world);
    soft_scene_release(&s);
  }
  cr_assert_gt(forces[0], 0);
  cr_assert_eq(forces[0], forces[1]);
  cr_assert_eq(memcmp(bits[0], bits[1], sizeof bits[0]), 0);
}
