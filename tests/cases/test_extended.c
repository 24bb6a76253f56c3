// SPDX-License-Identifier: MIT
// covers: cases/ball.c cases/blocks.c cases/box_in_box.c cases/box_in_corner.c
// covers: cases/brick_over_four.c cases/crossing_edges.c cases/cylinder_in_groove.c
// covers: cases/peg_in_hole.c cases/resting_spheres.c cases/saddles.c
// The suite "extended": compares the truth by construction with independent geometry.
#include "base/param.h"
#include "base/random.h"
#include "base/status.h"
#include "cases/blocks.h"
#include "geometry/closest.h"
#include "tests/cases/extended_cases.h"
#include "tests/ldi/exact_overlap.h"

#include <criterion/criterion.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// ---- where ----------------------------------------------------------------------------------

static void expect_truth(const ts_scene *scene, const extended_case *e) {
  double s = scene->scale;
  for (int r = 0; r < TS_REFERENCE_COUNT; r++) {
    ts_truth_totals t = ts_scene_truth_totals(scene, (ts_reference)r);
    cr_expect(t.regions == e->regions, "%s: %zu regions", e->name, t.regions);
    cr_expect(t.minimum == e->minimum, "%s: minimum %zu", e->name, t.minimum);
    cr_expect_float_eq(t.area_m2 / (s * s), e->area_m2, 1e-13, "%s: %.17g m2, not %.17g", e->name,
                       t.area_m2 / (s * s), e->area_m2);
    cr_expect_float_eq(t.length_m / s, e->length_m, 1e-13, "%s: %.17g m", e->name, t.length_m / s);
    cr_expect(t.points == e->points, "%s: %zu points", e->name, t.points);
  }
}

/// Every corner and the middle of every region that is not open lie on both bodies.
static void expect_on_both(const ts_scene *scene, const char *name) {
  double far_m = ts_vec3_norm(scene->bodies[0].pose.translation);
  double rounding_m = 4e-15 * (scene->scale + far_m);
  for (size_t i = 0; i < scene->region_count; i++) {
    const ts_region *region = &scene->regions[i];
    if (ts_region_minimum(region, TS_REFERENCE_DESIGN,
                          (ts_touch_limits){1e-6 * scene->scale, 1e-6 * scene->scale}) == 0)
      continue;
    ts_vec3 sum = {0, 0, 0};
    for (size_t v = 0; v <= region->vertex_count; v++) {
      bool is_middle = v == region->vertex_count;
      ts_vec3 point =
          is_middle ? ts_vec3_scale(sum, 1 / (double)region->vertex_count) : region->vertices[v];
      sum = ts_vec3_add(sum, point);
      double off_a = case_fixture_surface_distance(scene, region->body_a, point);
      double off_b = case_fixture_surface_distance(scene, region->body_b, point);
      cr_expect(off_a <= rounding_m && off_b <= rounding_m, "%s, region %zu: off by %g and %g",
                name, i, off_a, off_b);
    }
  }
}

Test(cases_extended, truth_is_that_found_by_hand_and_lies_on_both_bodies) {
  ts_arena *arena = case_fixture_arena();
  extended_case cases[EXTENDED_MAX];
  size_t count = extended_cases(cases);
  for (size_t i = 0; i < count; i++) {
    const ts_scene *scene = extended_build(arena, &cases[i], NULL, 0);
    cr_expect_str_eq(ts_case_find(cases[i].name)->suite, "extended");
    expect_truth(scene, &cases[i]);
    expect_on_both(scene, cases[i].name);
  }
  ts_arena_destroy(arena);
}

Test(cases_extended, truth_goes_with_scale_and_motion) {
  ts_arena *arena = case_fixture_arena();
  extended_case cases[EXTENDED_MAX];
  size_t count = extended_cases(cases);
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < 4; k++) {
      const case_setting moved[2] = {{"scale", k % 2 == 0 ? 1e-3 : 1e3},
                                     {"motion_seed", k < 2 ? 0 : k}};
      const ts_scene *scene = extended_build(arena, &cases[i], moved, 2);
      expect_truth(scene, &cases[i]);
      expect_on_both(scene, cases[i].name);
    }
  ts_arena_destroy(arena);
}

Test(cases_extended, every_extended_case_is_in_the_table) {
  extended_case cases[EXTENDED_MAX];
  size_t count = extended_cases(cases);
  for (size_t i = 0; ts_cases[i]; i++) {
    bool is_listed = false;
    for (size_t k = 0; k < count; k++)
      is_listed |= strcmp(cases[k].name, ts_cases[i]->name) == 0;
    cr_expect(is_listed || strcmp(ts_cases[i]->suite, "extended") != 0,
              "%s: add the totals of its truth, computed by hand, to tests/cases/extended_cases.c",
              ts_cases[i]->name);
  }
}

// ---- which way ------------------------------------------------------------------------------

/// How fast a translation of b parts the bodies in truth: every region must let it go, one that
/// needs any normal when one of them does.
static double truth_margin(const ts_scene *scene, int32_t moved, ts_vec3 velocity) {
  double smallest = INFINITY;
  for (size_t i = 0; i < scene->region_count; i++) {
    const ts_region *region = &scene->regions[i];
    const ts_feasible_set *all = &region->feasible[TS_REFERENCE_FEASIBLE];
    cr_assert(region->body_b == moved);
    double largest = -INFINITY;
    for (size_t n = 0; n < all->count; n++) {
      double rate = ts_vec3_dot(all->normals[n].normal, velocity);
      if (ts_feasible_is_open(&all->normals[n], (ts_touch_limits){1e-6, 1e-6}))
        rate = INFINITY;
      largest = region->needs_all && n > 0 ? fmin(largest, rate) : fmax(largest, rate);
    }
    smallest = fmin(smallest, largest);
  }
  return smallest;
}

/// Overlap of the last body with all others when it is `by` off.
static double overlap_after(const exact_body *others, size_t count, exact_body *last, ts_pose pose,
                            ts_vec3 by) {
  pose.translation = ts_vec3_add(pose.translation, by);
  exact_body_place(last, pose);
  double volume_m3 = 0;
  for (size_t i = 0; i < count; i++)
    volume_m3 += exact_overlap_volume(&others[i], last);
  return volume_m3;
}

/// Small steps in random directions overlap exactly where the truth says blocked.
/// `steep` is the minimum share of a step that counts as blocked or free.
static void expect_blocked_as_in_truth(const ts_scene *scene, const char *name, double steep) {
  enum { STEPS = 100, BODIES = 8 };
  const double step_m = 5e-3, nothing_m3 = 2e-14;
  exact_body bodies[BODIES];
  size_t last = scene->body_count - 1;
  cr_assert(last < BODIES);
  for (size_t i = 0; i <= last; i++)
    cr_assert(exact_body_create(&bodies[i], scene->shapes[scene->bodies[i].shape].mesh,
                                scene->bodies[i].pose) == TS_OK);
  ts_pose pose = scene->bodies[last].pose;
  double at_rest_m3 = overlap_after(bodies, last, &bodies[last], pose, ts_vec3_make(0, 0, 0));
  cr_expect(fabs(at_rest_m3) < nothing_m3, "%s: overlap %g at rest", name, at_rest_m3);
  ts_random random = ts_random_seed(1, 1);
  size_t blocked = 0, freed = 0;
  for (int i = 0; i < STEPS; i++) {
    double height = ts_random_uniform(&random, -1, 1),
           angle = ts_random_uniform(&random, 0, 2 * pi);
    double across = sqrt(1 - height * height);
    ts_vec3 way = {across * cos(angle), height, across * sin(angle)};
    double margin = truth_margin(scene, (int32_t)last, way);
    if (fabs(margin) < steep)
      continue;
    double volume_m3 = overlap_after(bodies, last, &bodies[last], pose, ts_vec3_scale(way, step_m));
    cr_expect((volume_m3 > nothing_m3) == (margin < 0), "%s: margin %g, overlap %g m3 at %g %g %g",
              name, margin, volume_m3, way.x, way.y, way.z);
    blocked += margin < 0;
    freed += margin > 0;
  }
  cr_expect(blocked > STEPS / 8, "%s: %zu blocked", name, blocked);
  // All bodies can be lifted off; the peg without play can go no other way.
  double lifted_m3 = overlap_after(bodies, last, &bodies[last], pose, ts_vec3_make(0, step_m, 0));
  cr_expect(fabs(lifted_m3) < nothing_m3, "%s: overlap %g when lifted", name, lifted_m3);
  size_t minimum = ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN).minimum;
  cr_expect((freed > 0) == (minimum < 20), "%s: %zu free", name, freed);
  for (size_t i = 0; i <= last; i++)
    exact_body_free(&bodies[i]);
}

/// Whether a step is short against what touches, and the test with many triangles not too long.
static bool is_coarse(const extended_case *c) {
  const case_setting finest[] = {{"sides", 12}, {"cells", 2}, {"triangles", 72}};
  for (int i = 0; i < 3 && c->settings[i].name; i++) {
    for (int k = 0; k < 3; k++)
      if (strcmp(c->settings[i].name, finest[k].name) == 0 &&
          c->settings[i].value > finest[k].value)
        return false;
    if (strcmp(c->settings[i].name, "crossing_deg") == 0 && c->settings[i].value < 1)
      return false; // a step sideways moves the crossing past the ends of the ridges
  }
  return true;
}

Test(cases_extended, bodies_overlap_at_the_first_step_that_the_truth_blocks_and_at_no_other) {
  ts_arena *arena = case_fixture_arena();
  extended_case cases[EXTENDED_MAX];
  size_t count = extended_cases(cases);
  for (size_t i = 0; i < count; i++)
    if (is_coarse(&cases[i])) {
      const ts_scene *scene = extended_build(arena, &cases[i], NULL, 0);
      expect_blocked_as_in_truth(scene, cases[i].name, 0.05);
    }
  ts_arena_destroy(arena);
}

/// Fine spheres are convex: one plane between them and all else says that nothing overlaps.
Test(cases_extended, the_plane_of_contact_parts_a_fine_sphere_from_what_it_lies_on) {
  ts_arena *arena = case_fixture_arena();
  const double triangles[] = {72, 320, 5120, 20000};
  const char *const names[] = {"sphere_on_slab", "sphere_on_sphere"};
  for (int k = 0; k < 24; k++) {
    const ts_scene *scene =
        build_case(arena, names[k % 2], {"triangles", triangles[k / 6]}, {"touch", k / 2 % 3});
    const ts_region *region = &scene->regions[0];
    ts_vec3 normal = region->feasible[0].normals[0].normal, at = region->vertices[0];
    size_t on_plane[2] = {0, 0};
    for (int32_t body = 0; body < 2; body++) {
      const ts_mesh *mesh = scene->shapes[scene->bodies[body].shape].mesh;
      for (size_t v = 0; v < mesh->vertex_count; v++) {
        ts_vec3 off = ts_vec3_sub(case_fixture_vertex(scene, body, v), at);
        double beyond_m = (body == 0 ? 1 : -1) * ts_vec3_dot(off, normal);
        cr_expect(beyond_m < 4e-16, "%s: vertex %zu is %g m beyond", names[k % 2], v, beyond_m);
        on_plane[body] += beyond_m > -1e-12;
      }
    }
    int touch = k / 2 % 3;
    size_t below = k % 2 == 0 ? 4 : touch == 1 ? 2 : 3, above = 1 + (size_t)touch;
    cr_expect(on_plane[0] == below && on_plane[1] == above, "%zu and %zu on the plane", on_plane[0],
              on_plane[1]);
  }
  ts_arena_destroy(arena);
}

/// The saddles' four normals: of no face, at the slopes of the ridges.
Test(cases_extended, the_normals_of_the_saddles_are_those_of_their_ridges) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *scene = build_default(arena, "saddle_on_saddle");
  const double slope = 0.5 * 0.25, length = sqrt(1 + 2 * slope * slope);
  size_t seen = 0;
  for (size_t i = 0; i < scene->region_count; i++) {
    const ts_feasible_set *set = &scene->regions[i].feasible[TS_REFERENCE_DESIGN];
    cr_assert(set->count == 1 && scene->regions[i].needs_all);
    ts_vec3 n = set->normals[0].normal;
    cr_expect_float_eq(fabs(n.x), slope / length, 1e-15);
    cr_expect_float_eq(n.y, 1 / length, 1e-15);
    cr_expect_float_eq(fabs(n.z), slope / length, 1e-15);
    seen |= (size_t)1 << ((n.x > 0) + 2 * (n.z > 0));
    for (int32_t body = 0; body < 2; body++) {
      const ts_mesh *mesh = scene->shapes[0].mesh;
      for (size_t t = 0; t < mesh->triangle_count; t++) {
        ts_vec3 face = ts_pose_direction(scene->bodies[body].pose, ts_mesh_face_normal(mesh, t));
        cr_expect(fabs(ts_vec3_dot(face, n)) < 1 - 1e-4, "triangle %zu has it", t);
      }
    }
  }
  cr_expect(seen == 0xf);
  ts_arena_destroy(arena);
}

Test(cases_extended, the_velocity_of_the_spike_singles_out_a_face_of_each_part) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *scene = build_default(arena, "spike_on_saddle");
  ts_vec3 velocity = scene->bodies[1].twist.linear_m_s;
  cr_assert(scene->region_count == 2);
  for (size_t i = 0; i < 2; i++) {
    const ts_region *region = &scene->regions[i];
    cr_expect(!region->needs_all);
    const ts_feasible_set *design = &region->feasible[TS_REFERENCE_DESIGN];
    const ts_feasible_set *all = &region->feasible[TS_REFERENCE_FEASIBLE];
    cr_assert(design->count == 1 && all->count == 2);
    double rate = ts_vec3_dot(design->normals[0].normal, velocity);
    double other = ts_vec3_dot(all->normals[1].normal, velocity);
    cr_expect(other < rate && rate < 0, "%g %g", rate, other);
  }
  cr_expect(scene->regions[0].feasible[0].normals[0].normal.x *
                scene->regions[1].feasible[0].normals[0].normal.x <
            0);
  ts_arena_destroy(arena);
}

// ---- parameters -----------------------------------------------------------------------------

Test(cases_extended, sides_cells_and_triangles_are_rounded_as_documented) {
  ts_arena *arena = case_fixture_arena();
  for (int sides = 4; sides <= 20; sides++) {
    const ts_scene *scene = build_case(arena, "cylinder_in_groove", {"sides", sides});
    cr_expect(scene->shapes[1].mesh->vertex_count == 2 * (size_t)((sides + 3) / 4 * 4));
  }
  for (size_t cells = 2; cells <= 9; cells++) {
    size_t even = (cells + 1) / 2 * 2;
    const ts_scene *scene = build_case(arena, "saddle_on_saddle", {"cells", (double)cells});
    cr_expect(scene->shapes[0].mesh->triangle_count == 4 * even * even + 8 * even);
    cr_expect(scene->shapes[0].mesh->vertex_count == 2 * (even + 1) * (even + 1));
  }
  const ts_scene *scene = build_case(arena, "sphere_on_slab", {"triangles", 80});
  cr_expect(scene->shapes[1].mesh->triangle_count == 72);
  ts_arena_destroy(arena);
}

Test(cases_extended, edges_along_each_other_are_refused_with_a_reason) {
  ts_arena *arena = case_fixture_arena();
  const ts_case *c = ts_case_find("sphere_on_sphere");
  size_t count = ts_case_param_count(c);
  const ts_param *params = ts_case_params(arena, c);
  for (int turn_deg = 0; turn_deg <= 360; turn_deg += 180) {
    double values[32];
    ts_param_defaults(values, params, count);
    values[ts_param_find(params, count, "touch")] = 1;
    values[ts_param_find(params, count, "turn_deg")] = turn_deg;
    ts_scene *scene;
    cr_expect(ts_case_build(&scene, arena, c, values) == TS_E_INPUT);
    cr_expect(strstr(ts_status_detail(), "turn_deg") != NULL, "%s", ts_status_detail());
  }
  ts_arena_destroy(arena);
}

// ---- blocks ---------------------------------------------------------------------------------

Test(cases_extended, a_grid_of_blocks_has_the_volume_of_its_solid_cells) {
  ts_arena *arena = case_fixture_arena();
  const double x[4] = {0, 1, 3, 4}, y[3] = {0, 2, 3}, z[2] = {-1, 1};
  const uint32_t count[3] = {3, 2, 1};
  const bool solid[6] = {true, true, true, true, false, true};
  ts_scene *scene;
  int32_t shape;
  cr_assert(ts_scene_create(&scene, arena) == TS_OK);
  cr_assert(ts_shape_blocks(&shape, scene, "u", count, (const double *const[]){x, y, z}, solid) ==
            TS_OK);
  const ts_mesh *mesh = scene->shapes[0].mesh;
  cr_expect_float_eq(ts_mesh_mass_properties(mesh, 1).volume_m3, 2 * (4 * 3 - 2 * 1), 1e-14);
  cr_expect(mesh->vertex_count == 24 && mesh->triangle_count == 2 * (5 * 2 + 12));
  ts_arena_destroy(arena);
}

Test(cases_extended, blocks_that_meet_in_an_edge_alone_are_refused) {
  ts_arena *arena = case_fixture_arena();
  const double planes[3] = {0, 1, 2};
  const uint32_t count[3] = {2, 2, 1};
  const bool solid[4] = {true, false, false, true};
  ts_scene *scene;
  int32_t shape;
  cr_assert(ts_scene_create(&scene, arena) == TS_OK);
  cr_expect(ts_shape_blocks(&shape, scene, "x", count,
                            (const double *const[]){planes, planes, planes}, solid) == TS_E_INPUT);
  cr_expect(scene->shape_count == 0);
  ts_arena_destroy(arena);
}
