// SPDX-License-Identifier: MIT
// covers: sim/soft/soft_energy.c sim/soft/tet_body.c sim/soft/tet_elements.c
#include "tests/sim/soft/soft_scene.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <math.h>

static const ts_elastic rubber = {.young_pa = 2e5, .poisson = 0.4};
static const double g = 9.82;

/// A deformable cuboid of 8 kg and a rigid cube of 8 kg.
static void two_bodies(soft_scene *s) {
  soft_scene_init(s);
  tet_grid grid = {2, 2, 2, {-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}};
  soft_scene_add(s, tet_grid_mesh(s->arena, &grid), ts_pose_identity(), &rubber);
  soft_scene_add_cube(s, 0.2, (ts_pose){ts_quat_identity(), {1, 0, 0}}, false);
  soft_scene_add_cube(s, 2, (ts_pose){ts_quat_identity(), {0, -9, 0}}, true); // has no energy
}

static double total(const ts_soft_world *world) {
  ts_soft_energy e = ts_soft_world_get_energy(world);
  return e.kinetic_j + e.potential_j + e.elastic_j;
}

Test(soft_energy, bodies_at_rest_at_the_origin_have_none) {
  soft_scene s;
  two_bodies(&s);
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
  ts_soft_energy e = ts_soft_world_get_energy(world);
  cr_expect_eq(e.kinetic_j, 0);
  cr_expect_leq(fabs(e.potential_j), 1e-14);
  cr_expect_leq(e.elastic_j, 1e-24);
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
}

Test(soft_energy, what_moves_and_turns_has_that_of_its_mass) {
  soft_scene s;
  two_bodies(&s);
  s.bodies[0].twist = (ts_twist){{3, 0, 4}, {0, 0, 0}};
  s.bodies[1].twist = (ts_twist){{3, 0, 4}, {0, 2, 0}};
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
  double expected = 2 * 0.5 * 8 * 25 + 0.5 * (8 * 0.04 / 6) * 4;
  cr_expect_float_eq(ts_soft_world_get_energy(world).kinetic_j, expected, 1e-12);
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
}

Test(soft_energy, a_free_fall_loses_half_a_step_of_its_way_as_implicit_euler_does) {
  soft_scene s;
  two_bodies(&s);
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
  const double h = s.params.dt_s;
  for (int n = 1; n <= 30; n++) {
    soft_scene_step(&s, world);
    // v = g h n and y = -g h^2 n (n + 1) / 2, so that 1/2 v^2 + g y = -g h v / 2.
    ts_soft_energy e = ts_soft_world_get_energy(world);
    double v = g * h * n;
    cr_assert_float_eq(e.kinetic_j, 0.5 * 16 * v * v, 1e-10);
    cr_assert_float_eq(e.kinetic_j + e.potential_j, -16 * g * h * v / 2, 1e-10);
    cr_assert_leq(e.elastic_j, 1e-20);
  }
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
}

Test(soft_energy, a_stretch_has_the_energy_of_its_strain_turned_and_moved_or_not) {
  static const double scales[] = {1, 1e-3, 1e3};
  for (int k = 0; k < 9; k++) {
    double scale = scales[k % 3], e = 0.01;
    ts_pose moved = {ts_quat_from_axis_angle((ts_vec3){0, 0.6, 0.8}, 1.1 * (k / 3)),
                     ts_vec3_scale((ts_vec3){1, 2, 3}, k / 3 * scale)};
    ts_arena *arena;
    cr_assert_eq(ts_arena_create(&arena), TS_OK);
    tet_grid grid = {2, 1, 2, {0, 0, 0}, {0.2 * scale, 0.1 * scale, 0.2 * scale}};
    ts_body body = tet_grid_body(&rubber);
    ts_tet_body *tet = tet_grid_create(arena, &grid, &body, false, 0.01);
    size_t count = ts_tet_body_node_count(tet);
    ts_vec3 *x = ts_arena_array(arena, count, sizeof *x);
    ts_vec3 *still = ts_arena_array(arena, count, sizeof *still);
    for (size_t i = 0; i < count; i++) {
      ts_vec3 p = ts_tet_body_rest(tet)[i];
      p.x *= 1 + e;
      x[i] = ts_pose_point(moved, p);
    }
    ts_tet_body_set_state(tet, x, still);
    double volume = 0.004 * scale * scale * scale;
    double lambda = 2e5 * 0.4 / (1.4 * 0.2), mu = 2e5 / 2.8;
    double expected = volume * (mu + 0.5 * lambda) * e * e;
    cr_expect_float_eq(ts_tet_body_elastic_energy(tet), expected, 1e-10 * expected);
    ts_tet_body_destroy(tet);
    ts_arena_destroy(arena);
  }
}

Test(soft_energy, internal_forces_are_the_gradient_of_the_elastic_energy) {
  ts_arena *arena;
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  ts_tet_body *beam = tet_grid_beam(arena, 1, 0.01);
  tet_grid_bend(arena, beam, 1.2);
  size_t count = ts_tet_body_node_count(beam);
  ts_vec3 *x = ts_arena_copy(arena, ts_tet_body_positions(beam), count, sizeof *x);
  ts_vec3 *still = ts_arena_array(arena, count, sizeof *still);
  cr_assert_eq(ts_tet_body_linearise(beam), TS_OK);
  ts_vec3 *forces = ts_arena_copy(arena, ts_tet_body_internal_forces(beam), count, sizeof *forces);
  double largest = 0;
  for (size_t i = 0; i < count; i++)
    largest = fmax(largest, ts_vec3_norm(forces[i]));
  cr_assert_gt(largest, 1);
  for (size_t i = 4; i < count; i += 3) { // free nodes
    double energy[2];
    for (int side = 0; side < 2; side++) {
      ts_vec3 kept = x[i];
      x[i].y += side ? 1e-6 : -1e-6;
      ts_tet_body_set_state(beam, x, still);
      energy[side] = ts_tet_body_elastic_energy(beam);
      x[i] = kept;
    }
    double slope = (energy[1] - energy[0]) / 2e-6;
    cr_expect_float_eq(slope, forces[i].y, 1e-5 * largest, "%zu: %g, not %g", i, slope,
                       forces[i].y);
  }
  ts_tet_body_destroy(beam);
  ts_arena_destroy(arena);
}

Test(soft_energy, a_beam_that_swings_undamped_never_gains_energy) {
  soft_scene s;
  soft_scene_init(&s);
  tet_grid grid = tet_grid_beam_cells(2);
  static const uint32_t clamped[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  ts_elastic elastic = rubber;
  elastic.clamped = clamped;
  elastic.clamped_count = 9;
  soft_scene_add(&s, tet_grid_mesh(s.arena, &grid), ts_pose_identity(), &elastic);
  s.params.dt_s = 2e-3;
  ts_soft_world *world = soft_scene_world(&s, TS_COMPLIANCE_EXACT);
  double before = total(world), start = before, kinetic = 0, elastic_j = 0;
  for (int step = 0; step < 300; step++) {
    soft_scene_step(&s, world);
    double now = total(world);
    cr_assert_leq(now, before + 1e-9 * fabs(start), "step %d: %g J more", step, now - before);
    before = now;
    ts_soft_energy e = ts_soft_world_get_energy(world);
    kinetic = fmax(kinetic, e.kinetic_j);
    elastic_j = fmax(elastic_j, e.elastic_j);
  }
  cr_expect_gt(kinetic, 1, "it swings: %g", kinetic);
  cr_expect_gt(elastic_j, 10, "and bends: %g", elastic_j);
  cr_expect_lt(before, start - 0.1, "implicit Euler damps");
  ts_soft_world_destroy(world);
  soft_scene_release(&s);
}
