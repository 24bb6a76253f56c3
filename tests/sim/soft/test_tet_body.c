// SPDX-License-Identifier: MIT
// covers: sim/soft/tet_body.c sim/soft/tet_elements.c sim/soft/tet_system.c
#include "tests/sim/soft/tet_grid.h"

#include "base/random.h"
#include "base/status.h"
#include "sim/soft/tet_elements.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static const ts_vec3 gravity = {0, -9.82, 0};
static const ts_vec3 weightless = {0, 0, 0};

/// A block of 2 x 2 x 3 cells of 0.1 m.
typedef struct block {
  ts_arena *arena;
  ts_elastic elastic;
  ts_body body; ///< to be changed before block_start()
  ts_tet_body *tets;
  size_t count;
  ts_vec3 *x, *v, *dq; ///< [count], scratch
} block;

static void block_init(block *b) {
  memset(b, 0, sizeof *b);
  cr_assert_eq(ts_arena_create(&b->arena), TS_OK);
  b->elastic = (ts_elastic){.young_pa = 1e5, .poisson = 0.4};
  b->body = tet_grid_body(&b->elastic);
}

static void block_start(block *b, double scale, bool clamps, double dt_s) {
  tet_grid grid = {
      2, 2, 3, {-0.1 * scale, -0.1 * scale, 0}, {0.1 * scale, 0.1 * scale, 0.3 * scale}};
  b->tets = tet_grid_create(b->arena, &grid, &b->body, clamps, dt_s);
  b->count = ts_tet_body_node_count(b->tets);
  b->x = ts_arena_array(b->arena, b->count, sizeof *b->x);
  b->v = ts_arena_array(b->arena, b->count, sizeof *b->v);
  b->dq = ts_arena_array(b->arena, b->count, sizeof *b->dq);
  memcpy(b->x, ts_tet_body_positions(b->tets), b->count * sizeof *b->x);
}

static void block_release(block *b) {
  ts_tet_body_destroy(b->tets);
  ts_arena_destroy(b->arena);
}

static void linearise(block *b) {
  cr_assert_eq(ts_tet_body_linearise(b->tets), TS_OK, "%s", ts_status_detail());
}

static void step(block *b, ts_vec3 acceleration) {
  linearise(b);
  ts_tet_body_free_motion(b->dq, b->tets, acceleration);
  ts_tet_body_move(b->tets, b->dq);
}

/// Moves the nodes to where `pose` has them, each by as much as `noise_m` more, and stops them.
static void place(block *b, ts_pose pose, double noise_m) {
  ts_random random = ts_random_seed(7, 0);
  for (size_t i = 0; i < b->count; i++) {
    b->x[i] = ts_pose_point(pose, ts_tet_body_rest(b->tets)[i]);
    b->x[i].x += ts_random_uniform(&random, -noise_m, noise_m);
    b->x[i].y += ts_random_uniform(&random, -noise_m, noise_m);
    b->x[i].z += ts_random_uniform(&random, -noise_m, noise_m);
  }
  ts_tet_body_set_state(b->tets, b->x, b->v);
}

static double largest(const ts_vec3 *values, size_t count) {
  double out = 0;
  for (size_t i = 0; i < count; i++)
    out = fmax(out, ts_vec3_norm(values[i]));
  return out;
}

static ts_pose some_pose(void) {
  return (ts_pose){ts_quat_unit((ts_quat){0.3, -0.5, 0.7, 0.2}), {0.4, -2, 1}};
}

static const ts_mesh *tet_mesh(ts_arena *arena, double scale) {
  static const uint32_t tet[1][4] = {{0, 1, 2, 3}};
  const ts_vec3 corners[4] = {{0, 0, 0}, {scale, 0, 0}, {0, scale, 0}, {0, 0, scale}};
  return tet_grid_around(arena, corners, 4, tet, 1);
}

/// A block of one tet: in place of block_start().
static void block_start_tet(block *b, double dt_s) {
  ts_shape shape = {.name = "tet", .mesh = tet_mesh(b->arena, 1)};
  cr_assert_eq(ts_tet_body_create(&b->tets, &shape, &b->body, dt_s), TS_OK, "%s",
               ts_status_detail());
  b->count = 4;
  b->x = ts_arena_array(b->arena, 4, sizeof *b->x);
  b->v = ts_arena_array(b->arena, 4, sizeof *b->v);
  b->dq = ts_arena_array(b->arena, 4, sizeof *b->dq);
  memcpy(b->x, ts_tet_body_positions(b->tets), 4 * sizeof *b->x);
}

Test(sim_soft_tet_body, masses_add_up_to_density_times_volume) {
  block b;
  block_init(&b);
  block_start(&b, 1, false, 0.01);
  cr_expect_leq(fabs(ts_tet_body_mass_kg(b.tets) - 1000 * 0.012), 1e-12);
  ts_vec3 centre = {0, 0, 0};
  for (size_t i = 0; i < b.count; i++)
    centre =
        ts_vec3_add_scaled(centre, ts_tet_body_masses(b.tets)[i] / 12, ts_tet_body_rest(b.tets)[i]);
  cr_expect_leq(ts_vec3_distance(centre, (ts_vec3){0, 0, 0.15}), 1e-14);
  cr_expect_leq(fabs(ts_tet_body_wave_ratio(b.tets) - 0.01 * 10 / 0.3), 1e-14);
  block_release(&b);
}

Test(sim_soft_tet_body, a_body_begins_at_its_pose_with_its_twist) {
  block b;
  block_init(&b);
  b.body.pose = some_pose();
  b.body.twist = (ts_twist){{1, 2, 3}, {-4, 0, 5}};
  block_start(&b, 1, true, 0.01);
  for (size_t i = 0; i < b.count; i++) {
    ts_vec3 at = ts_pose_point(b.body.pose, ts_tet_body_rest(b.tets)[i]);
    ts_vec3 speed = ts_twist_velocity_at(b.body.twist, b.body.pose, at);
    bool is_clamped = ts_tet_body_rest(b.tets)[i].z == 0;
    cr_expect_eq(ts_tet_body_is_clamped(b.tets, i), is_clamped);
    cr_expect_eq(ts_vec3_distance(ts_tet_body_positions(b.tets)[i], at), 0);
    cr_expect_eq(
        ts_vec3_distance(ts_tet_body_velocities(b.tets)[i], is_clamped ? weightless : speed), 0);
  }
  block_release(&b);
}

Test(sim_soft_tet_body, a_rigid_motion_makes_no_forces) {
  ts_random random = ts_random_seed(11, 0);
  block b;
  block_init(&b);
  block_start(&b, 1, false, 0.01);
  for (int i = 0; i < 30; i++) {
    double u[3] = {ts_random_unit(&random), ts_random_unit(&random), ts_random_unit(&random)};
    ts_pose pose = {ts_quat_uniform(u[0], u[1], u[2]), {3, -2, 1}};
    place(&b, i == 0 ? ts_pose_identity() : pose, 0);
    linearise(&b);
    // A strain of 1e-15 at 1e5 Pa on sides of 1e-2 m2.
    cr_expect_leq(largest(ts_tet_body_internal_forces(b.tets), b.count), 1e-10);
    for (size_t k = 0; k < b.count; k++)
      for (int c = 0; c < 3; c++) {
        ts_vec3 axis = {c == 0, c == 1, c == 2};
        ts_vec3 turned = ts_mat3_apply(ts_tet_body_node_rotations(b.tets)[k], axis);
        if (i > 0)
          cr_expect_leq(ts_vec3_distance(turned, ts_quat_rotate(pose.rotation, axis)), 1e-13);
      }
  }
  block_release(&b);
}

Test(sim_soft_tet_body, far_from_the_origin_only_the_digits_of_the_coordinates_are_lost) {
  block b;
  block_init(&b);
  block_start(&b, 1, false, 0.01);
  place(&b, some_pose(), 0.01);
  linearise(&b);
  ts_vec3 *near =
      ts_arena_copy(b.arena, ts_tet_body_internal_forces(b.tets), b.count, sizeof *near);
  for (size_t i = 0; i < b.count; i++)
    b.x[i] = ts_vec3_add(b.x[i], (ts_vec3){1e4, -1e4, 1e4});
  ts_tet_body_set_state(b.tets, b.x, b.v);
  linearise(&b);
  double size = largest(near, b.count);
  for (size_t i = 0; i < b.count; i++)
    cr_expect_leq(ts_vec3_distance(near[i], ts_tet_body_internal_forces(b.tets)[i]), 1e-9 * size);
  block_release(&b);
}

Test(sim_soft_tet_body, internal_forces_and_their_moments_cancel_out) {
  block b;
  block_init(&b);
  block_start(&b, 1, false, 0.01);
  place(&b, some_pose(), 0.03);
  linearise(&b);
  const ts_vec3 *forces = ts_tet_body_internal_forces(b.tets);
  ts_vec3 sum = {0, 0, 0}, moment = {0, 0, 0};
  for (size_t i = 0; i < b.count; i++) {
    sum = ts_vec3_add(sum, forces[i]);
    moment = ts_vec3_add(moment, ts_vec3_cross(b.x[i], forces[i]));
  }
  double size = largest(forces, b.count);
  cr_expect_gt(size, 1);
  cr_expect_leq(ts_vec3_norm(sum), 1e-12 * size);
  cr_expect_leq(ts_vec3_norm(moment), 1e-12 * size);
  block_release(&b);
}

/// Stretches the block along z by 10 percent, and by Poisson's ratio less across.
Test(sim_soft_tet_body, a_uniform_stretch_is_held_by_the_stress_at_its_ends) {
  block b;
  block_init(&b);
  block_start(&b, 1, false, 0.01);
  for (size_t i = 0; i < b.count; i++) {
    ts_vec3 rest = ts_tet_body_rest(b.tets)[i];
    b.x[i] = (ts_vec3){rest.x * 0.96, rest.y * 0.96, rest.z * 1.1};
  }
  ts_tet_body_set_state(b.tets, b.x, b.v);
  linearise(&b);
  ts_vec3 low = {0, 0, 0}, high = {0, 0, 0};
  for (size_t i = 0; i < b.count; i++) {
    ts_vec3 force = ts_tet_body_internal_forces(b.tets)[i];
    double z = ts_tet_body_rest(b.tets)[i].z;
    if (z < 1e-9)
      low = ts_vec3_add(low, force);
    else if (z > 0.3 - 1e-9)
      high = ts_vec3_add(high, force);
    else
      cr_expect_leq(ts_vec3_norm(force), 1e-10);
  }
  const ts_vec3 expected = {0, 0, 1e5 * 0.1 * 0.04}; // E times strain times section
  cr_expect_leq(ts_vec3_distance(high, expected), 1e-9);
  cr_expect_leq(ts_vec3_distance(low, ts_vec3_neg(expected)), 1e-9);
  block_release(&b);
}

/// Energy of a tet with the deformation gradient f: V (mu |S - 1|^2 + lambda / 2 (tr S - 3)^2).
static double energy(const ts_tet_element *e, ts_tet_law law, const ts_vec3 *x) {
  ts_mat3 f = ts_tet_element_deformation(e, x);
  ts_mat3 s = ts_mat3_mul(ts_mat3_transpose(ts_mat3_rotation(f)), f);
  double square = 0, trace = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      double strain = s.m[i][k] - (i == k ? 1 : 0);
      square += strain * strain;
      trace += i == k ? strain : 0;
    }
  return e->volume_m3 * (law.mu_pa * square + 0.5 * law.lambda_pa * trace * trace);
}

Test(sim_soft_tet_body, forces_are_the_gradient_of_the_energy_also_of_inverted_tets) {
  ts_random random = ts_random_seed(5, 0);
  static const uint32_t nodes[4] = {0, 1, 2, 3};
  const ts_vec3 rest[4] = {{0.1, 0, 0}, {1, 0.2, 0}, {0, 1.1, 0.1}, {0, 0.1, 0.9}};
  ts_tet_law law = ts_tet_law_make(10, 0.3);
  ts_tet_element e;
  ts_tet_element_make(&e, rest, nodes);
  int inverted = 0;
  for (int trial = 0; trial < 50; trial++) {
    ts_vec3 x[4], forces[4];
    for (int i = 0; i < 4; i++)
      x[i] = (ts_vec3){ts_random_unit(&random), ts_random_unit(&random), ts_random_unit(&random)};
    ts_mat3 f = ts_tet_element_deformation(&e, x);
    inverted += ts_mat3_determinant(f) < 0;
    ts_tet_element_forces(forces, &e, law, f, ts_mat3_rotation(f));
    for (int i = 0; i < 12; i++) {
      double *c = i % 3 == 0 ? &x[i / 3].x : i % 3 == 1 ? &x[i / 3].y : &x[i / 3].z, at = *c;
      double d = 1e-6, force = i % 3 == 0   ? forces[i / 3].x
                               : i % 3 == 1 ? forces[i / 3].y
                                            : forces[i / 3].z;
      *c = at + d;
      double more = energy(&e, law, x);
      *c = at - d;
      double less = energy(&e, law, x);
      *c = at;
      cr_expect_leq(fabs((more - less) / (2 * d) - force), 1e-6, "trial %d, %d: %g not %g", trial,
                    i, force, (more - less) / (2 * d));
    }
  }
  cr_expect_gt(inverted, 5);
}

/// The change of the forces with the rotations kept is K(q) du without an error, as they are
/// linear.
Test(sim_soft_tet_body, the_matrix_is_the_change_of_forces_with_rotations_kept) {
  block b;
  block_init(&b);
  b.elastic.mass_damping_1_s = 3;
  b.elastic.stiffness_damping_s = 0.02;
  const double h = 0.01;
  block_start(&b, 1, true, h);
  place(&b, some_pose(), 0.03);
  linearise(&b);
  tet_grid grid = {2, 2, 3, {-0.1, -0.1, 0}, {0.1, 0.1, 0.3}};
  const ts_mesh *mesh = tet_grid_mesh(b.arena, &grid);
  ts_random random = ts_random_seed(8, 0);
  ts_vec3 *by = ts_arena_array(b.arena, b.count, sizeof *by), *to = b.dq;
  ts_vec3 *got = ts_arena_array(b.arena, b.count, sizeof *got);
  ts_vec3 *change = ts_arena_array(b.arena, b.count, sizeof *change);
  for (size_t i = 0; i < b.count; i++) {
    if (!ts_tet_body_is_clamped(b.tets, i))
      by[i] = (ts_vec3){ts_random_unit(&random), ts_random_unit(&random), ts_random_unit(&random)};
    to[i] = ts_vec3_add(b.x[i], by[i]);
  }
  ts_tet_law law = ts_tet_law_make(1e5, 0.4);
  for (size_t e = 0; e < mesh->tet_count; e++) {
    ts_tet_element tet;
    ts_vec3 before[4], after[4];
    ts_tet_element_make(&tet, mesh->vertices, mesh->tets[e]);
    ts_mat3 f = ts_tet_element_deformation(&tet, b.x), r = ts_mat3_rotation(f);
    ts_tet_element_forces(before, &tet, law, f, r);
    ts_tet_element_forces(after, &tet, law, ts_tet_element_deformation(&tet, to), r);
    for (int i = 0; i < 4; i++)
      change[tet.nodes[i]] = ts_vec3_add(change[tet.nodes[i]], ts_vec3_sub(after[i], before[i]));
  }
  ts_tet_body_apply(got, b.tets, by);
  for (size_t i = 0; i < b.count; i++) {
    double mass = ts_tet_body_masses(b.tets)[i];
    ts_vec3 expected = ts_vec3_scale(change[i], 1 + 0.02 / h);
    expected = ts_vec3_add_scaled(expected, mass * (1 / (h * h) + 3 / h), by[i]);
    if (ts_tet_body_is_clamped(b.tets, i))
      expected = weightless;
    cr_expect_leq(ts_vec3_distance(got[i], expected), 1e-10 * (1 + ts_vec3_norm(expected)));
  }
  block_release(&b);
}

Test(sim_soft_tet_body, a_solve_undoes_the_matrix) {
  block b;
  block_init(&b);
  block_start(&b, 1, true, 0.01);
  place(&b, some_pose(), 0.03);
  linearise(&b);
  ts_vec3 *solved = ts_arena_array(b.arena, b.count, sizeof *solved);
  for (size_t i = 0; i < b.count; i++)
    b.v[i] = solved[i] = (ts_vec3){(double)i, 1, -(double)(i % 5)};
  cr_assert_eq(ts_tet_body_solve(solved, b.tets, TS_TET_FACTOR_NOW), TS_OK);
  ts_tet_body_apply(b.dq, b.tets, solved);
  for (size_t i = 0; i < b.count; i++)
    if (ts_tet_body_is_clamped(b.tets, i))
      cr_expect_eq(ts_vec3_norm(solved[i]), 0);
    else
      cr_expect_leq(ts_vec3_distance(b.dq[i], b.v[i]), 1e-10);
  block_release(&b);
}

/// The factor of now, at rest, is the one at rest; columns and solves by it agree.
Test(sim_soft_tet_body, columns_at_rest_are_those_of_the_inverse) {
  block b;
  block_init(&b);
  block_start(&b, 1, true, 0.01);
  linearise(&b);
  for (uint32_t node = 0; node < b.count; node += 5) {
    const ts_mat3 *column = NULL, *again = NULL;
    bool is_new = false;
    cr_assert_eq(ts_tet_body_rest_column(&column, &is_new, b.tets, node), TS_OK);
    cr_expect(is_new);
    cr_assert_eq(ts_tet_body_rest_column(&again, &is_new, b.tets, node), TS_OK);
    cr_expect(!is_new && again == column);
    memset(b.dq, 0, b.count * sizeof *b.dq);
    b.dq[node] = (ts_vec3){1, -2, 3};
    cr_assert_eq(ts_tet_body_solve(b.dq, b.tets, TS_TET_FACTOR_NOW), TS_OK);
    double size = largest(b.dq, b.count);
    cr_expect_eq(size > 0, !ts_tet_body_is_clamped(b.tets, node));
    for (size_t i = 0; i < b.count; i++)
      cr_expect_leq(ts_vec3_distance(ts_mat3_apply(column[i], (ts_vec3){1, -2, 3}), b.dq[i]),
                    1e-13 * size);
  }
  block_release(&b);
}

Test(sim_soft_tet_body, at_rest_nothing_moves) {
  block b;
  block_init(&b);
  b.body.pose = some_pose();
  block_start(&b, 1, false, 0.01);
  for (int i = 0; i < 100; i++)
    step(&b, weightless);
  for (size_t i = 0; i < b.count; i++)
    cr_expect_leq(ts_vec3_distance(ts_tet_body_positions(b.tets)[i], b.x[i]), 1e-12);
  block_release(&b);
}

Test(sim_soft_tet_body, a_fall_is_that_of_implicit_euler) {
  block b;
  block_init(&b);
  b.body.pose = some_pose();
  block_start(&b, 1, false, 0.01);
  for (int i = 0; i < 50; i++)
    step(&b, gravity);
  for (size_t i = 0; i < b.count; i++) {
    ts_vec3 fallen = ts_vec3_sub(ts_tet_body_positions(b.tets)[i], b.x[i]);
    cr_expect_leq(ts_vec3_distance(fallen, (ts_vec3){0, -9.82 * 1e-4 * 50 * 51 / 2, 0}), 1e-11);
    cr_expect_leq(ts_vec3_distance(ts_tet_body_velocities(b.tets)[i], (ts_vec3){0, -4.91, 0}),
                  1e-10);
  }
  block_release(&b);
}

Test(sim_soft_tet_body, mass_damping_slows_a_body_down_by_its_rate) {
  block b;
  block_init(&b);
  b.body.twist.linear_m_s = (ts_vec3){2, 0, -1};
  b.elastic.mass_damping_1_s = 5;
  block_start(&b, 1, false, 0.01);
  double left = 1;
  for (int i = 0; i < 20; i++) {
    step(&b, weightless);
    left /= 1.05;
    cr_expect_leq(
        ts_vec3_distance(ts_tet_body_velocities(b.tets)[7], (ts_vec3){2 * left, 0, -left}), 1e-12);
  }
  block_release(&b);
}

Test(sim_soft_tet_body, stiffness_damping_stops_a_vibration_but_no_flight) {
  block b;
  block_init(&b);
  b.elastic.stiffness_damping_s = 0.05;
  block_start(&b, 1, false, 0.01);
  for (size_t i = 0; i < b.count; i++)
    b.v[i] = (ts_vec3){1, 0, 0};
  place(&b, some_pose(), 0.02);
  linearise(&b);
  double before = largest(ts_tet_body_internal_forces(b.tets), b.count);
  for (int i = 0; i < 200; i++)
    step(&b, weightless);
  linearise(&b);
  cr_expect_leq(largest(ts_tet_body_internal_forces(b.tets), b.count), 1e-4 * before);
  double momentum = 0;
  for (size_t i = 0; i < b.count; i++)
    momentum += ts_tet_body_masses(b.tets)[i] * ts_tet_body_velocities(b.tets)[i].x;
  cr_expect_leq(fabs(momentum - 12), 1e-9);
  block_release(&b);
}

Test(sim_soft_tet_body, clamped_nodes_stay_and_hold_the_others) {
  block b;
  block_init(&b);
  b.elastic.stiffness_damping_s = 0.05;
  block_start(&b, 1, true, 0.01);
  for (int i = 0; i < 200; i++)
    step(&b, gravity);
  for (size_t i = 0; i < b.count; i++) {
    double moved = ts_vec3_distance(ts_tet_body_positions(b.tets)[i], b.x[i]);
    if (ts_tet_body_is_clamped(b.tets, i))
      cr_expect_eq(moved, 0);
    else
      cr_expect(moved > 1e-5 && moved < 0.1, "node %zu moved by %g", i, moved);
  }
  linearise(&b);
  for (size_t i = 0; i < b.count; i++) // in equilibrium with gravity
    cr_expect_leq(ts_vec3_distance(ts_tet_body_internal_forces(b.tets)[i],
                                   ts_tet_body_is_clamped(b.tets, i)
                                       ? weightless
                                       : ts_vec3_scale(gravity, ts_tet_body_masses(b.tets)[i])),
                  1e-4);
  block_release(&b);
}

/// Lengths times s, Young's modulus and gravity times s^2 and s: every step is the same times s.
Test(sim_soft_tet_body, similar_bodies_move_alike) {
  for (double s = 1e-3; s < 2e3; s *= 1e6) {
    block one, other;
    block_init(&one);
    block_init(&other);
    one.elastic.stiffness_damping_s = other.elastic.stiffness_damping_s = 0.01;
    other.elastic.young_pa *= s * s;
    block_start(&one, 1, true, 0.01);
    block_start(&other, s, true, 0.01);
    for (int i = 0; i < 20; i++) {
      step(&one, gravity);
      step(&other, ts_vec3_scale(gravity, s));
    }
    for (size_t i = 0; i < one.count; i++) {
      ts_vec3 scaled = ts_vec3_scale(ts_tet_body_positions(other.tets)[i], 1 / s);
      cr_expect_leq(ts_vec3_distance(scaled, ts_tet_body_positions(one.tets)[i]), 1e-12);
    }
    block_release(&one);
    block_release(&other);
  }
}

Test(sim_soft_tet_body, a_static_step_finds_the_equilibrium_of_a_column) {
  block b;
  block_init(&b);
  b.elastic.poisson = 0;
  block_start(&b, 1, true, INFINITY);
  step(&b, (ts_vec3){0, 0, -9.82});
  // The end of a column under its weight is at rho g L^2 / 2 E, but for the coarse mesh.
  double expected = -1000 * 9.82 * 0.09 / 2e5;
  for (size_t i = 0; i < b.count; i++)
    if (ts_tet_body_rest(b.tets)[i].z > 0.3 - 1e-9)
      cr_expect_leq(fabs(b.dq[i].z / expected - 1), 0.03, "%g not %g", b.dq[i].z, expected);
  cr_expect_eq(largest(ts_tet_body_velocities(b.tets), b.count), 0);
  cr_expect_eq(ts_tet_body_wave_ratio(b.tets), INFINITY);
  block_release(&b);
}

Test(sim_soft_tet_body, a_step_too_long_for_what_holds_the_body_is_refused) {
  for (int clamped = 0; clamped <= 3; clamped++)
    for (int k = 0; k < 2; k++) {
      static const uint32_t nodes[3] = {0, 1, 2};
      block b;
      block_init(&b);
      b.elastic.clamped_count = (size_t)clamped;
      b.elastic.clamped = clamped > 0 ? nodes : NULL;
      block_start_tet(&b, k == 0 ? INFINITY : 1e9);
      if (clamped == 3) {
        linearise(&b);
        block_release(&b);
        continue;
      }
      cr_expect_eq(ts_tet_body_linearise(b.tets), TS_E_INPUT, "%d clamped", clamped);
      cr_expect(strstr(ts_status_detail(), "body \"block\"") &&
                    strstr(ts_status_detail(), "clamp more of its nodes"),
                "%s", ts_status_detail());
      memset(b.dq, 0, b.count * sizeof *b.dq);
      cr_expect_eq(ts_tet_body_solve(b.dq, b.tets, TS_TET_FACTOR_REST), TS_E_INPUT);
      const ts_mat3 *column;
      cr_expect_eq(ts_tet_body_rest_column(&column, NULL, b.tets, 0), TS_E_INPUT);
      block_release(&b);
    }
}

Test(sim_soft_tet_body, a_density_that_its_stiffness_swallows_is_named) {
  block b;
  block_init(&b);
  b.body.density_kg_m3 = 1e-300;
  block_start(&b, 1, false, 0.01);
  cr_expect_eq(ts_tet_body_linearise(b.tets), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "density_kg_m3 1e-300") &&
                strstr(ts_status_detail(), "young_pa 100000"),
            "%s", ts_status_detail());
  block_release(&b);
}

Test(sim_soft_tet_body, positions_that_are_not_finite_are_refused_by_the_step) {
  block b;
  block_init(&b);
  block_start(&b, 1, false, 0.01);
  b.x[4].y = NAN;
  ts_tet_body_set_state(b.tets, b.x, b.v);
  cr_expect_eq(ts_tet_body_linearise(b.tets), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "forces at node"), "%s", ts_status_detail());
  b.x[4].y = 0;
  ts_tet_body_set_state(b.tets, b.x, b.v);
  linearise(&b);
  block_release(&b);
}

Test(sim_soft_tet_body, a_stiffness_that_overflows_is_refused_by_the_step) {
  static const double young[] = {1e308, 1.7e308};
  for (int i = 0; i < 2; i++) {
    block b;
    block_init(&b);
    b.elastic.young_pa = young[i];
    b.elastic.poisson = i == 0 ? 0.4 : 0.49; // of the second, lambda already is infinite
    b.elastic.stiffness_damping_s = 1e3;
    block_start(&b, 1, false, 0.01);
    cr_expect_eq(ts_tet_body_linearise(b.tets), TS_E_INPUT);
    memset(b.dq, 0, b.count * sizeof *b.dq);
    cr_expect_eq(ts_tet_body_solve(b.dq, b.tets, TS_TET_FACTOR_REST), TS_E_INPUT);
    block_release(&b);
  }
}

static double volume(const ts_vec3 *x) {
  return ts_vec3_dot(ts_vec3_sub(x[1], x[0]),
                     ts_vec3_cross(ts_vec3_sub(x[2], x[0]), ts_vec3_sub(x[3], x[0]))) /
         6;
}

/// Collapsed to a plane, a line or a point, and turned inside out: it comes back.
Test(sim_soft_tet_body, flat_and_inverted_tets_push_back) {
  const ts_vec3 states[][4] = {
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 0}},    // flat
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -0.2}},     // through the face
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, -0.9}}, // far through
      {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0.5, 0, 0}},      // in a line
      {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}},        // in a point
      {{0, 0, 0}, {1e-9, 0, 0}, {0, 1e-9, 0}, {0, 0, -1e-9}},
  };
  for (size_t s = 0; s < sizeof states / sizeof *states; s++) {
    block b;
    block_init(&b);
    b.elastic.stiffness_damping_s = 0.05;
    block_start_tet(&b, 0.01);
    memcpy(b.x, states[s], sizeof states[s]);
    ts_tet_body_set_state(b.tets, b.x, b.v);
    linearise(&b);
    cr_expect_gt(largest(ts_tet_body_internal_forces(b.tets), 4), 1);
    for (int i = 0; i < 300; i++)
      step(&b, weightless);
    cr_expect_leq(fabs(volume(ts_tet_body_positions(b.tets)) - 1.0 / 6), 1e-3, "state %zu: %g", s,
                  volume(ts_tet_body_positions(b.tets)));
    block_release(&b);
  }
}

Test(sim_soft_tet_body, the_same_input_gives_the_same_bits) {
  block pair[2];
  for (int i = 0; i < 2; i++) {
    block_init(&pair[i]);
    block_start(&pair[i], 1, true, 0.01);
    place(&pair[i], ts_pose_identity(), 0.02);
    for (int k = 0; k < 5; k++)
      step(&pair[i], gravity);
  }
  cr_expect_eq(memcmp(ts_tet_body_positions(pair[0].tets), ts_tet_body_positions(pair[1].tets),
                      pair[0].count * sizeof(ts_vec3)),
               0);
  for (int i = 0; i < 2; i++)
    block_release(&pair[i]);
}
