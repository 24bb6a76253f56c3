// SPDX-License-Identifier: MIT
// covers: cases/blocks.c cases/box_in_box.c cases/box_in_corner.c cases/brick_over_four.c
// covers: cases/crossing_edges.c cases/cylinder_in_groove.c cases/peg_in_hole.c
// covers: cases/resting_spheres.c cases/saddles.c
// Truth of the suite "extended" where noise has moved the bodies.
#include "tests/cases/extended_cases.h"
#include "tests/ldi/exact_overlap.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_vec3 moved_by(const ts_scene *scene, const ts_scene *built, size_t body) {
  return ts_vec3_sub(scene->bodies[body].pose.translation, built->bodies[body].pose.translation);
}

/// How far body 1 has moved against body 0.
static ts_vec3 apart_by(const ts_scene *scene, const ts_scene *built) {
  return ts_vec3_sub(moved_by(scene, built, 1), moved_by(scene, built, 0));
}

/// The depth that the truth gives, at its deepest; below 0 where all regions are open.
static double true_depth_m(const ts_scene *scene) {
  double depth_m = -INFINITY;
  for (size_t i = 0; i < scene->region_count; i++) {
    const ts_region *region = &scene->regions[i];
    const ts_feasible_set *all = &region->feasible[TS_REFERENCE_FEASIBLE];
    double least_m = INFINITY, most_m = -INFINITY;
    for (size_t n = 0; n < all->count; n++) {
      least_m = fmin(least_m, -all->normals[n].gap_m);
      most_m = fmax(most_m, -all->normals[n].gap_m);
    }
    depth_m = fmax(depth_m, region->needs_all ? most_m : least_m);
  }
  return depth_m;
}

static double overlap_m3(const ts_scene *scene) {
  enum { BODIES = 8 };
  exact_body bodies[BODIES];
  size_t last = scene->body_count - 1;
  cr_assert(last < BODIES);
  double volume_m3 = 0;
  for (size_t i = 0; i <= last; i++)
    cr_assert(exact_body_create(&bodies[i], scene->shapes[scene->bodies[i].shape].mesh,
                                scene->bodies[i].pose) == TS_OK);
  for (size_t i = 0; i < last; i++)
    volume_m3 += exact_overlap_volume(&bodies[i], &bodies[last]);
  for (size_t i = 0; i <= last; i++)
    exact_body_free(&bodies[i]);
  return volume_m3;
}

Test(cases_extended_moved, bodies_overlap_when_the_truth_says_so_and_not_otherwise) {
  const char *const names[] = {"crossing_edges",   "box_in_corner",      "brick_over_four",
                               "peg_in_hole",      "cylinder_in_groove", "box_in_box",
                               "saddle_on_saddle", "spike_on_saddle",    "sphere_on_slab"};
  ts_arena *arena = case_fixture_arena();
  size_t deep = 0, open = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (int seed = 1; seed <= 4; seed++) {
      const ts_scene *scene =
          build_case(arena, names[i], {"perturb_m", 0.02}, {"perturb_seed", seed});
      cr_assert(!scene->truth_is_unknown);
      double depth_m = true_depth_m(scene), volume_m3 = overlap_m3(scene);
      if (depth_m > 1e-4)
        cr_expect(volume_m3 > 1e-12, "%s, seed %d: %g deep", names[i], seed, depth_m);
      else
        cr_expect(fabs(volume_m3) < 1e-13, "%s, seed %d: %g m3", names[i], seed, volume_m3);
      deep += depth_m > 1e-4;
      open += depth_m < -1e-4;
    }
  cr_expect(deep > 8 && open > 0, "%zu deep, %zu open", deep, open);
  ts_arena_destroy(arena);
}

Test(cases_extended_moved, ridges_cross_where_their_lines_do) {
  ts_arena *arena = case_fixture_arena();
  const double angle_rad = 30 * 3.14159265358979323846 / 180;
  const ts_scene *built = build_default(arena, "crossing_edges");
  for (int seed = 1; seed <= 5; seed++) {
    const ts_scene *scene =
        build_case(arena, "crossing_edges", {"perturb_m", 0.03}, {"perturb_seed", seed});
    cr_assert(scene->region_count == 1);
    // The lower ridge runs along z, the upper one is turned from there towards x.
    ts_vec3 a = moved_by(scene, built, 0), d = apart_by(scene, built);
    ts_vec3 at = {a.x, 0, a.z + d.z - d.x / tan(angle_rad)};
    cr_expect(ts_vec3_distance(scene->regions[0].vertices[0], at) < 1e-15, "seed %d", seed);
    cr_expect(fabs(scene->regions[0].feasible[0].normals[0].gap_m) < 1e-16);
  }
  const ts_scene *gone =
      build_case(arena, "crossing_edges", {"crossing_deg", 0.01}, {"perturb_m", 0.03});
  cr_expect(gone->region_count == 0, "the ridges pass each other");
  cr_expect(fabs(overlap_m3(gone)) < 1e-13);
  ts_arena_destroy(arena);
}

Test(cases_extended_moved, the_walls_of_the_hole_are_as_far_as_the_peg_moved) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *built = build_default(arena, "peg_in_hole");
  for (int seed = 1; seed <= 5; seed++) {
    const ts_scene *scene =
        build_case(arena, "peg_in_hole", {"perturb_m", 0.02}, {"perturb_seed", seed});
    ts_vec3 d = apart_by(scene, built);
    cr_assert(scene->region_count == 5);
    for (size_t i = 0; i < 5; i++) {
      const ts_feasible *wall = &scene->regions[i].feasible[0].normals[0];
      cr_expect_float_eq(wall->gap_m, ts_vec3_dot(wall->normal, d), 1e-15);
      double across_m = wall->normal.x != 0 ? 0.5 - fabs(d.z) : 0.5 - fabs(d.x);
      double other_m = wall->normal.y != 0 ? 0.5 - fabs(d.z) : 0.75;
      cr_expect_float_eq(ts_region_measure(&scene->regions[i]), across_m * other_m, 1e-14);
    }
    cr_expect(ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN).minimum == 12);
  }
  ts_arena_destroy(arena);
}

Test(cases_extended_moved, a_box_moved_in_its_corner_keeps_the_floor_and_the_walls_it_is_in) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *built = build_default(arena, "box_in_corner");
  size_t minima = 0;
  for (int seed = 1; seed <= 8; seed++) {
    const ts_scene *scene =
        build_case(arena, "box_in_corner", {"perturb_m", 0.02}, {"perturb_seed", seed});
    ts_vec3 d = apart_by(scene, built);
    size_t walls = (d.x < 0) + (d.z < 0);
    ts_truth_totals totals = ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN);
    cr_expect(totals.minimum == 4 * (1 + walls), "seed %d: %zu", seed, totals.minimum);
    minima |= (size_t)1 << walls;
  }
  cr_expect((minima & 3) == 3 || (minima & 6) == 6, "the seeds are all alike");
  ts_arena_destroy(arena);
}

Test(cases_extended_moved, the_joints_of_four_bricks_are_the_overlaps_of_their_bounds) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *scene = build_case(arena, "brick_over_four", {"perturb_m", 0.03});
  cr_assert(scene->region_count == 4);
  ts_aabb upper = ts_body_bounds(&scene->shapes[0], scene->bodies[4].pose);
  for (size_t i = 0; i < 4; i++) {
    const ts_region *region = &scene->regions[i];
    cr_assert(region->body_a == (int32_t)i && region->body_b == 4);
    ts_aabb lower = ts_body_bounds(&scene->shapes[0], scene->bodies[i].pose);
    ts_vec3 low = ts_vec3_max(lower.low, upper.low), high = ts_vec3_min(lower.high, upper.high);
    cr_expect_float_eq(ts_region_measure(region), (high.x - low.x) * (high.z - low.z), 1e-14);
    cr_expect(region->vertex_count == 4);
  }
  ts_arena_destroy(arena);
}

/// Off the middle one ridge of the lower saddle crosses one of the upper; the other halves pass.
Test(cases_extended_moved,
     of_four_crossings_of_the_saddles_one_is_left_and_is_as_deep_as_they_rise) {
  ts_arena *arena = case_fixture_arena();
  const double slope = 0.5 * 0.25, length = sqrt(1 + 2 * slope * slope);
  const ts_scene *built = build_default(arena, "saddle_on_saddle");
  for (int seed = 1; seed <= 5; seed++) {
    const ts_scene *scene =
        build_case(arena, "saddle_on_saddle", {"perturb_m", 0.02}, {"perturb_seed", seed});
    ts_vec3 a = moved_by(scene, built, 0), d = apart_by(scene, built);
    cr_assert(scene->region_count == 1, "seed %d: %zu regions", seed, scene->region_count);
    const ts_feasible *feasible = &scene->regions[0].feasible[0].normals[0];
    cr_expect_float_eq(feasible->gap_m, -slope * (fabs(d.x) + fabs(d.z)) / length, 1e-15);
    ts_vec3 at = {a.x + d.x, 0.5 * slope * (fabs(d.x) - fabs(d.z)), a.z};
    double off_m = ts_vec3_distance(scene->regions[0].vertices[0], at);
    cr_expect(off_m < slope * fabs(feasible->gap_m), "seed %d: %g m off", seed, off_m);
  }
  ts_arena_destroy(arena);
}

Test(cases_extended_moved, noise_makes_the_truth_of_a_sphere_on_a_sphere_unknown) {
  ts_arena *arena = case_fixture_arena();
  for (int touch = 0; touch < 3; touch++) {
    const ts_scene *moved =
        build_case(arena, "sphere_on_sphere", {"touch", touch}, {"perturb_m", 1e-3});
    cr_expect(moved->truth_is_unknown && moved->region_count == 0);
  }
  const ts_scene *slab = build_case(arena, "sphere_on_slab", {"perturb_m", 0.02});
  ts_vec3 sphere = slab->bodies[1].pose.translation;
  cr_assert(slab->region_count == 1);
  cr_expect(ts_vec3_distance(slab->regions[0].vertices[0], ts_vec3_make(sphere.x, 0, sphere.z)) <
            1e-15);
  ts_arena_destroy(arena);
}
