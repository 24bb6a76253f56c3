// SPDX-License-Identifier: MIT
// covers: cases/scene/joint_truth.c
#include "cases/scene/shapes.h"
#include "tests/cases/case_fixture.h"

#include "base/status.h"
#include "geometry/tolerances.h"

#include <criterion/criterion.h>
#include <string.h>

typedef struct expected_truth {
  const char *name;
  size_t regions, minimum;
  double area_m2, length_m;
  size_t points;
} expected_truth;

static const expected_truth expected_truths[] = {
    {"pillar", 7, 40, 0.89663, 0, 0},  {"wall", 213, 852, 37.59375, 0, 0},
    {"arch", 14, 56, 14, 0, 0},        {"spike_in_crack", 1, 2, 0, 0, 1},
    {"spike_in_hole", 1, 4, 0, 0, 1},  {"wedge_in_crack", 1, 4, 0, 3.2, 0},
    {"sliding_spike", 1, 1, 0, 0, 1},  {"sliding_wedge", 1, 2, 0, 3.2, 0},
    {"spikes", 1, 1, 0, 0, 1},         {"spike_and_wedge", 1, 1, 0, 0, 1},
    {"wedges", 1, 2, 0, 3.2, 0},       {"cliff_edges", 1, 4, 10.24, 0, 0},
    {"internal_edges", 1, 4, 4, 0, 0},
};

static void expect_truth(const ts_scene *scene, const expected_truth *e) {
  double s = scene->scale;
  for (int r = 0; r < TS_REFERENCE_COUNT; r++) {
    ts_truth_totals t = ts_scene_truth_totals(scene, (ts_reference)r);
    cr_expect(t.pairs == e->regions && t.regions == e->regions, "%s: %zu regions", e->name,
              t.regions);
    cr_expect(t.minimum == e->minimum, "%s: minimum %zu", e->name, t.minimum);
    // The paper gives the pillar's area with five decimals.
    double tolerance_m2 = strcmp(e->name, "pillar") == 0 ? 5e-6 : 1e-11;
    cr_expect_float_eq(t.area_m2 / (s * s), e->area_m2, tolerance_m2, "%s: %.17g m2", e->name,
                       t.area_m2);
    cr_expect_float_eq(t.length_m / s, e->length_m, 1e-12, "%s: %.17g m", e->name, t.length_m);
    cr_expect(t.points == e->points, "%s: %zu points", e->name, t.points);
  }
}

Test(cases_truth, totals_are_those_of_the_paper) {
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; i < sizeof expected_truths / sizeof *expected_truths; i++)
    expect_truth(build_default(arena, expected_truths[i].name), &expected_truths[i]);
  ts_arena_destroy(arena);
}

Test(cases_truth, totals_stay_under_scale_motion_and_offset) {
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; i < sizeof expected_truths / sizeof *expected_truths; i++) {
    const expected_truth *e = &expected_truths[i];
    expect_truth(build_case(arena, e->name, {"scale", 1e-6}, {"motion_seed", 9}), e);
    expect_truth(build_case(arena, e->name, {"scale", 1e6}, {"motion_seed", 9}), e);
    expect_truth(build_case(arena, e->name, {"scale", 1e-3}), e);
    expect_truth(build_case(arena, e->name, {"scale", 1e3}), e);
    for (int seed = 1; seed <= 5; seed++)
      expect_truth(build_case(arena, e->name, {"motion_seed", seed}, {"scale", 0.3}), e);
    const ts_scene *far = build_case(arena, e->name, {"offset_m", 1e4}, {"motion_seed", 7});
    for (int r = 0; r < TS_REFERENCE_COUNT; r++) {
      ts_truth_totals t = ts_scene_truth_totals(far, (ts_reference)r);
      cr_expect(t.minimum == e->minimum && t.regions == e->regions, "%s far away", e->name);
      cr_expect_float_eq(t.area_m2, e->area_m2, 1e-5, "%s far away: %g", e->name, t.area_m2);
    }
  }
  ts_arena_destroy(arena);
}

Test(cases_truth, joints_of_the_pillar_have_the_documented_areas) {
  const double areas_m2[7] = {0.25, 0.16238, 0.10392, 0.08732, 0.07217, 0.05846, 0.16238};
  const size_t corners[7] = {4, 6, 6, 6, 6, 6, 6};
  ts_arena *arena = case_fixture_arena();
  const ts_scene *scene = build_default(arena, "pillar");
  for (int i = 0; i < 7; i++) {
    cr_expect_float_eq(ts_region_measure(&scene->regions[i]), areas_m2[i], 5e-6, "joint %d", i);
    cr_expect(scene->regions[i].vertex_count == corners[i], "joint %d has %zu corners", i,
              scene->regions[i].vertex_count);
  }
  ts_arena_destroy(arena);
}

typedef struct expected_normals {
  const char *name;
  bool needs_all;
  size_t design_count;
  ts_vec3 design[4];
  ts_vec3 published; // the one where it differs from the design's
  size_t feasible_count;
  ts_vec3 feasible[4];
} expected_normals;

static void expect_set(const ts_feasible_set *set, const ts_vec3 *expected, size_t count,
                       const char *what) {
  cr_assert(set->count == count, "%s: %zu normals", what, set->count);
  for (size_t i = 0; i < count; i++) {
    size_t matches = 0;
    for (size_t k = 0; k < count; k++)
      matches += ts_vec3_distance(set->normals[k].normal, expected[i]) < 1e-15;
    cr_expect(matches == 1, "%s: normal %zu", what, i);
    cr_expect(fabs(set->normals[i].gap_m) < 1e-15, "%s: gap %g", what, set->normals[i].gap_m);
    cr_expect_float_eq(ts_vec3_norm(set->normals[i].normal), 1, 2e-16);
  }
}

Test(cases_truth, normals_are_those_of_the_table) {
  const double a = sqrt(0.5), b = 1 / sqrt(10.0), c = 3 / sqrt(10.0);
  const expected_normals expected[] = {
      {"spikes",
       false,
       1,
       {{-c, b, 0}},
       {c, b, 0},
       4,
       {{c, b, 0}, {-c, b, 0}, {0, b, c}, {0, b, -c}}},
      {"spike_and_wedge", false, 1, {{-c, b, 0}}, {c, b, 0}, 2, {{c, b, 0}, {-c, b, 0}}},
      {"wedges", false, 1, {{c, b, 0}}, {-c, b, 0}, 2, {{c, b, 0}, {-c, b, 0}}},
      {"spike_in_hole",
       true,
       4,
       {{a, a, 0}, {-a, a, 0}, {0, a, a}, {0, a, -a}},
       {0, 0, 0},
       4,
       {{a, a, 0}, {-a, a, 0}, {0, a, a}, {0, a, -a}}},
      {"spike_in_crack", true, 2, {{a, a, 0}, {-a, a, 0}}, {0, 0, 0}, 2, {{a, a, 0}, {-a, a, 0}}},
      {"wedge_in_crack", true, 2, {{a, a, 0}, {-a, a, 0}}, {0, 0, 0}, 2, {{a, a, 0}, {-a, a, 0}}},
      {"sliding_spike", true, 1, {{0, 1, 0}}, {0, 0, 0}, 1, {{0, 1, 0}}},
      {"sliding_wedge", true, 1, {{0, 1, 0}}, {0, 0, 0}, 1, {{0, 1, 0}}},
      {"cliff_edges", true, 1, {{0, 1, 0}}, {0, 0, 0}, 1, {{0, 1, 0}}},
      {"internal_edges", true, 1, {{0, 1, 0}}, {0, 0, 0}, 1, {{0, 1, 0}}},
  };
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    const expected_normals *e = &expected[i];
    const ts_scene *scene = build_default(arena, e->name);
    cr_assert(scene->region_count == 1);
    const ts_region *region = &scene->regions[0];
    cr_expect(region->body_a == 0 && region->body_b == 1, "the lower body comes first");
    cr_expect(region->needs_all == e->needs_all, "%s", e->name);
    expect_set(&region->feasible[TS_REFERENCE_DESIGN], e->design, e->design_count, e->name);
    bool is_mirrored = ts_vec3_norm(e->published) > 0;
    expect_set(&region->feasible[TS_REFERENCE_PUBLISHED], is_mirrored ? &e->published : e->design,
               is_mirrored ? 1 : e->design_count, e->name);
    expect_set(&region->feasible[TS_REFERENCE_FEASIBLE], e->feasible, e->feasible_count, e->name);
  }
  ts_arena_destroy(arena);
}

// The velocity singles out the flank that the upper body runs into: the one it violates by the
// smallest amount.
Test(cases_truth, the_design_normal_is_the_one_the_velocity_meets) {
  const char *const names[] = {"spikes", "spike_and_wedge", "wedges"};
  ts_arena *arena = case_fixture_arena();
  for (int i = 0; i < 3; i++) {
    const ts_scene *scene = build_default(arena, names[i]);
    const ts_region *region = &scene->regions[0];
    ts_vec3 velocity = scene->bodies[1].twist.linear_m_s;
    const ts_feasible_set *all = &region->feasible[TS_REFERENCE_FEASIBLE];
    ts_vec3 design = region->feasible[TS_REFERENCE_DESIGN].normals[0].normal;
    for (size_t k = 0; k < all->count; k++)
      cr_expect(ts_vec3_dot(all->normals[k].normal, velocity) <= ts_vec3_dot(design, velocity));
    cr_expect(ts_vec3_dot(design, velocity) < 0, "it must not be a separating motion");
  }
  ts_arena_destroy(arena);
}

Test(cases_truth, normals_of_the_wall_follow_equation_1) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *scene = build_default(arena, "wall");
  size_t beside = 0;
  for (size_t i = 0; i < scene->region_count; i++) {
    const ts_region *region = &scene->regions[i];
    double y_a = scene->bodies[region->body_a].pose.translation.y;
    double y_b = scene->bodies[region->body_b].pose.translation.y;
    ts_vec3 n = region->feasible[TS_REFERENCE_DESIGN].normals[0].normal;
    cr_expect(y_a == y_b ? n.x == 1 && n.y == 0 : n.x == 0 && n.y == 1, "region %zu", i);
    beside += y_a == y_b;
  }
  cr_expect(beside == 70);
  ts_arena_destroy(arena);
}

Test(cases_truth, normals_of_the_arch_are_those_of_its_joints) {
  const double pi = 3.14159265358979323846;
  ts_arena *arena = case_fixture_arena();
  const ts_scene *scene = build_default(arena, "arch");
  for (size_t i = 0; i < scene->region_count; i++) {
    const ts_region *region = &scene->regions[i];
    ts_vec3 n = region->feasible[TS_REFERENCE_DESIGN].normals[0].normal;
    ts_vec3 centre = ts_vec3_mid(region->vertices[0], region->vertices[2]);
    double angle = centre.y > 2 + 1e-9 ? atan2(centre.y - 2, centre.x) : centre.x > 0 ? 0 : pi;
    // Up at the pillars and the left springer, where the ring comes second; else along the ring.
    ts_vec3 along = {-sin(angle), cos(angle), 0};
    ts_vec3 expected = angle == pi ? ts_vec3_make(0, 1, 0) : along;
    cr_expect(ts_vec3_distance(n, expected) < 1e-15, "region %zu", i);
    cr_expect_float_eq(ts_region_measure(region), 1, 1e-14);
    cr_expect(fabs(region->feasible[0].normals[0].gap_m) < 1e-15, "faces coincide to rounding");
  }
  ts_arena_destroy(arena);
}

Test(cases_truth, equation_6_is_exact_but_for_the_two_springers) {
  ts_arena *arena = case_fixture_arena();
  for (int seed = 0; seed <= 2; seed++) {
    const ts_scene *scene = build_case(arena, "arch", {"motion_seed", seed});
    size_t inexact = 0;
    for (size_t i = 0; i < scene->region_count; i++) {
      const ts_region *region = &scene->regions[i];
      const ts_feasible_set *published = &region->feasible[TS_REFERENCE_PUBLISHED];
      cr_assert(published->count == 1);
      double q = ts_vec3_dot(published->normals[0].normal,
                             region->feasible[TS_REFERENCE_DESIGN].normals[0].normal);
      if (q > 1 - 1e-12)
        continue;
      inexact++;
      cr_expect_float_eq(q, 0.9945, 5e-5, "a perfect contact scores %g", q);
      cr_expect(scene->bodies[region->body_a].name[0] == 'p' &&
                scene->bodies[region->body_b].name[0] == 'r');
    }
    cr_expect(inexact == 2, "%zu", inexact);
  }
  ts_arena_destroy(arena);
}

Test(cases_truth, region_vertices_lie_on_both_surfaces) {
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; ts_cases[i]; i++) {
    for (int k = 0; k < 3; k++) {
      const ts_scene *scene =
          build_case(arena, ts_cases[i]->name, {"motion_seed", k}, {"scale", k == 2 ? 1e3 : 1});
      for (size_t r = 0; r < scene->region_count; r++) {
        const ts_region *region = &scene->regions[r];
        // Positions are rounded where the bodies are, up to 30 scales away from the origin.
        // And they lie midway between surfaces that overlap.
        double tolerance_m = 1e-12 * case_fixture_pair_size(scene, region) +
                             fabs(region->feasible[TS_REFERENCE_DESIGN].normals[0].gap_m) / 2;
        for (size_t v = 0; v < region->vertex_count; v++) {
          double on_a = case_fixture_surface_distance(scene, region->body_a, region->vertices[v]);
          double on_b = case_fixture_surface_distance(scene, region->body_b, region->vertices[v]);
          cr_expect(on_a <= tolerance_m && on_b <= tolerance_m, "%s region %zu: %g, %g",
                    ts_cases[i]->name, r, on_a, on_b);
        }
      }
    }
  }
  ts_arena_destroy(arena);
}

// The smallest (sign = 1) or largest (sign = -1) height of a body's vertices along n, times the
// sign.
static double extreme(const ts_scene *scene, int32_t body, ts_vec3 n, ts_vec3 from, double sign) {
  double smallest = INFINITY;
  size_t count = scene->shapes[scene->bodies[body].shape].mesh->vertex_count;
  for (size_t v = 0; v < count; v++) {
    ts_vec3 p = ts_vec3_sub(case_fixture_vertex(scene, body, v), from);
    smallest = fmin(smallest, sign * ts_vec3_dot(n, p));
  }
  return smallest;
}

// Independent of how the truth came about: along a feasible normal the upper body is above the
// plane through the region, and the lower one below it where it is convex, each by half the gap, so
// that any step along the normal parts bodies that touch and any step against it makes them
// overlap.
Test(cases_truth, feasible_normals_part_the_bodies) {
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; ts_cases[i]; i++) {
    // Of the extended cases most are concave next to their regions; they have tests of their own.
    if (strcmp(ts_cases[i]->suite, "extended") == 0)
      continue;
    const ts_scene *scene = build_case(arena, ts_cases[i]->name, {"motion_seed", 11});
    for (size_t r = 0; r < scene->region_count; r++) {
      const ts_region *region = &scene->regions[r];
      const ts_feasible_set *all = &region->feasible[TS_REFERENCE_FEASIBLE];
      double tolerance_m = 1e-12 * case_fixture_pair_size(scene, region);
      ts_vec3 from = region->vertices[0];
      for (size_t k = 0; k < all->count; k++) {
        ts_vec3 n = all->normals[k].normal;
        double half_m = all->normals[k].gap_m / 2;
        double b = extreme(scene, region->body_b, n, from, 1) - half_m;
        cr_expect(fabs(b) < tolerance_m, "%s region %zu normal %zu: %g", ts_cases[i]->name, r, k,
                  b);
        // Groove and pit are concave: several normals that are all needed.
        if (region->needs_all && all->count > 1)
          continue;
        double a = extreme(scene, region->body_a, n, from, -1) - half_m;
        cr_expect(fabs(a) < tolerance_m, "%s region %zu normal %zu: %g", ts_cases[i]->name, r, k,
                  a);
      }
    }
  }
  ts_arena_destroy(arena);
}

Test(cases_truth, every_wall_of_a_groove_or_pit_reaches_the_region) {
  const char *const names[] = {"spike_in_crack", "spike_in_hole", "wedge_in_crack"};
  ts_arena *arena = case_fixture_arena();
  for (int i = 0; i < 3; i++) {
    const ts_scene *scene = build_default(arena, names[i]);
    const ts_region *region = &scene->regions[0];
    const ts_mesh *mesh = scene->shapes[scene->bodies[0].shape].mesh;
    const ts_feasible_set *all = &region->feasible[TS_REFERENCE_DESIGN];
    for (size_t k = 0; k < all->count; k++) {
      size_t walls = 0;
      for (size_t t = 0; t < mesh->triangle_count; t++) {
        ts_vec3 n = ts_mesh_face_normal(mesh, t);
        ts_vec3 p = mesh->vertices[mesh->triangles[t][0]];
        walls += ts_vec3_distance(n, all->normals[k].normal) < 1e-15 &&
                 fabs(ts_vec3_dot(n, ts_vec3_sub(p, region->vertices[0]))) < 1e-15;
      }
      cr_expect(walls > 0, "%s normal %zu", names[i], k);
    }
  }
  ts_arena_destroy(arena);
}

Test(cases_truth, polygons_turn_counter_clockwise_about_the_first_normal) {
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; ts_cases[i]; i++) {
    const ts_scene *scene =
        build_case(arena, ts_cases[i]->name, {"motion_seed", 2}, {"perturb_m", 0.01});
    for (size_t r = 0; r < scene->region_count; r++) {
      const ts_region *region = &scene->regions[r];
      ts_vec3 n = region->feasible[TS_REFERENCE_DESIGN].normals[0].normal;
      size_t count = region->vertex_count;
      const ts_vec3 *v = region->vertices;
      for (size_t k = 0; count >= 3 && k < count; k++) {
        ts_vec3 side = ts_vec3_sub(v[(k + 1) % count], v[k]);
        ts_vec3 next = ts_vec3_sub(v[(k + 2) % count], v[(k + 1) % count]);
        cr_expect(ts_vec3_dot(ts_vec3_cross(side, next), n) > 0, "%s region %zu corner %zu",
                  ts_cases[i]->name, r, k);
      }
    }
  }
  ts_arena_destroy(arena);
}

Test(cases_truth, regions_are_sorted_by_their_bodies) {
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; ts_cases[i]; i++) {
    const ts_scene *scene = build_default(arena, ts_cases[i]->name);
    for (size_t r = 0; r < scene->region_count; r++) {
      const ts_region *now = &scene->regions[r];
      cr_expect(now->body_a < now->body_b);
      if (r > 0) {
        const ts_region *before = now - 1;
        cr_expect(before->body_a < now->body_a ||
                  (before->body_a == now->body_a && before->body_b <= now->body_b));
      }
    }
  }
  ts_arena_destroy(arena);
}
