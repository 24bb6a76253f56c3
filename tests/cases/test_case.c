// SPDX-License-Identifier: MIT
// covers: cases/arch.c cases/case.c cases/cliff_edges.c cases/internal_edges.c cases/pillar.c
// covers: cases/point_in_crack.c cases/sliding_point.c cases/two_points.c cases/wall.c
#include "tests/cases/case_fixture.h"

#include "base/param.h"
#include "base/status.h"

#include <criterion/criterion.h>
#include <string.h>

Test(cases_case, the_thirteen_are_in_the_order_of_the_tables_and_come_first) {
  const char *const names[] = {
      "pillar",         "wall",          "arch",          "spike_in_crack", "spike_in_hole",
      "wedge_in_crack", "sliding_spike", "sliding_wedge", "spikes",         "spike_and_wedge",
      "wedges",         "cliff_edges",   "internal_edges"};
  const size_t count = sizeof names / sizeof *names;
  for (size_t i = 0; i < count; i++) {
    cr_assert(ts_cases[i]);
    cr_expect_str_eq(ts_cases[i]->name, names[i]);
  }
  for (size_t i = 0; ts_cases[i]; i++)
    cr_expect((i < count) == (strcmp(ts_cases[i]->suite, "erleben") == 0), "%s", ts_cases[i]->name);
}

Test(cases_case, a_name_that_results_may_have_is_still_there) {
  const char *const names[] = {"spheres",
                               "tori",
                               "crossing_edges",
                               "box_in_corner",
                               "brick_over_four",
                               "peg_in_hole",
                               "cylinder_in_groove",
                               "box_in_box",
                               "saddle_on_saddle",
                               "spike_on_saddle",
                               "sphere_on_slab",
                               "sphere_on_sphere",
                               "incline",
                               "spun_block",
                               "sliding_block",
                               "leaning_stack",
                               "deep",
                               "dragged_rod",
                               "balanced_tip",
                               "rings",
                               "passing",
                               "heap",
                               "soft_beam",
                               "soft_chain",
                               "soft_block",
                               "soft_rain"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    cr_expect(ts_case_find(names[i]), "%s", names[i]);
  cr_expect(!ts_case_find("pillars"));
}

Test(cases_case, every_case_has_a_name_of_its_own_and_says_what_it_is) {
  for (size_t i = 0; ts_cases[i]; i++) {
    const ts_case *c = ts_cases[i];
    cr_expect(ts_case_find(c->name) == c, "%s", c->name);
    cr_expect(c->name[strspn(c->name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0', "%s",
              c->name);
    cr_expect(strlen(c->suite) > 0, "%s has no suite", c->name);
    cr_expect(strlen(c->summary) > 10, "%s: more than 10 characters of summary", c->name);
    cr_expect(strlen(c->source) > 10, "%s: more than 10 characters of source", c->name);
  }
}

Test(cases_case, parameters_are_named_once_and_their_defaults_are_in_range) {
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; ts_cases[i]; i++) {
    const ts_case *c = ts_cases[i];
    size_t count = ts_case_param_count(c);
    const ts_param *params = ts_case_params(arena, c);
    cr_assert(count == TS_COMMON_COUNT + c->param_count);
    for (size_t p = 0; p < count; p++) {
      cr_expect(ts_param_find(params, count, params[p].name) == (int)p, "%s", params[p].name);
      cr_expect(ts_param_check(&params[p], params[p].default_value) == TS_OK, "%s", params[p].name);
      cr_expect(strlen(params[p].summary) > 10, "%s", params[p].name);
    }
    cr_expect_str_eq(params[TS_COMMON_SCALE].name, "scale");
    cr_expect_str_eq(params[TS_COMMON_OFFSET_M].name, "offset_m");
  }
  ts_arena_destroy(arena);
}

typedef struct expected_motion {
  const char *name;
  double x, y;
} expected_motion;

Test(cases_case, the_upper_body_moves_as_in_the_table_and_the_lower_one_is_fixed) {
  const expected_motion expected[] = {
      {"spike_in_crack", 0.8, 0},      {"spike_in_hole", 0.8, 0}, {"wedge_in_crack", 0.8, 0},
      {"sliding_spike", -2.4, 0},      {"sliding_wedge", 2.4, 0}, {"spikes", -1.2, -4.8},
      {"spike_and_wedge", -1.2, -4.8}, {"wedges", 1.2, -4.8},     {"cliff_edges", 0, 0},
      {"internal_edges", 0, 0},
  };
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    const ts_scene *scene = build_default(arena, expected[i].name);
    cr_assert(scene->body_count == 2);
    const ts_twist *twist = &scene->bodies[1].twist;
    cr_expect(twist->linear_m_s.x == expected[i].x && twist->linear_m_s.y == expected[i].y &&
                  twist->linear_m_s.z == 0,
              "%s", expected[i].name);
    cr_expect(ts_vec3_norm(twist->angular_rad_s) == 0, "%s", expected[i].name);
    cr_expect(ts_vec3_norm(scene->bodies[0].twist.linear_m_s) == 0, "%s", expected[i].name);
    cr_expect(scene->bodies[0].is_fixed && !scene->bodies[1].is_fixed, "%s", expected[i].name);
    cr_expect(scene->bodies[1].density_kg_m3 == 2000, "%s", expected[i].name);
  }
  ts_arena_destroy(arena);
}

Test(cases_case, only_the_ground_of_a_structure_is_fixed) {
  const char *const names[] = {"pillar", "wall", "arch"};
  const size_t bodies[] = {8, 81, 14};
  ts_arena *arena = case_fixture_arena();
  for (int i = 0; i < 3; i++) {
    const ts_scene *scene = build_default(arena, names[i]);
    cr_expect(scene->body_count == bodies[i], "%s has %zu bodies", names[i], scene->body_count);
    for (size_t b = 0; b < scene->body_count; b++)
      cr_expect(scene->bodies[b].is_fixed == (b == 0), "body %zu of %s", b, names[i]);
    cr_expect_str_eq(scene->bodies[0].name, "ground");
  }
  ts_arena_destroy(arena);
}

static double largest_difference(const ts_scene *a, const ts_scene *b) {
  double largest = 0;
  for (size_t i = 0; i < a->body_count; i++)
    for (size_t v = 0; v < a->shapes[a->bodies[i].shape].mesh->vertex_count; v++)
      largest = fmax(largest, ts_vec3_distance(case_fixture_vertex(a, (int32_t)i, v),
                                               case_fixture_vertex(b, (int32_t)i, v)));
  return largest;
}

Test(cases_case, noise_moves_every_centre_along_x_and_z_within_its_size) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *still = build_default(arena, "wall");
  const ts_scene *moved = build_case(arena, "wall", {"perturb_m", 0.02});
  double largest = 0;
  for (size_t i = 0; i < still->body_count; i++) {
    ts_vec3 d = ts_vec3_sub(moved->bodies[i].pose.translation, still->bodies[i].pose.translation);
    cr_expect(d.y == 0);
    cr_expect(fabs(d.x) <= 0.02 && fabs(d.z) <= 0.02);
    cr_expect(d.x != 0 && d.z != 0 && d.x != d.z, "body %zu did not move, or only along a line", i);
    largest = fmax(largest, fabs(d.x));
  }
  cr_expect(largest > 0.015);
  ts_arena_destroy(arena);
}

Test(cases_case, equal_seeds_give_equal_bits_and_others_do_not) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *one = build_case(arena, "pillar", {"perturb_m", 0.01}, {"motion_seed", 3});
  const ts_scene *same = build_case(arena, "pillar", {"perturb_m", 0.01}, {"motion_seed", 3});
  cr_expect(largest_difference(one, same) == 0);
  const ts_scene *other =
      build_case(arena, "pillar", {"perturb_m", 0.01}, {"motion_seed", 3}, {"perturb_seed", 2});
  double difference = largest_difference(one, other);
  cr_expect(difference > 1e-4 && difference < 0.03, "%g", difference);
  const ts_scene *elsewhere = build_case(arena, "pillar", {"perturb_m", 0.01}, {"motion_seed", 4});
  cr_expect(largest_difference(one, elsewhere) > 0.1);
  ts_arena_destroy(arena);
}

Test(cases_case, a_seed_of_noise_alone_moves_nothing) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *plain = build_default(arena, "pillar");
  const ts_scene *seeded = build_case(arena, "pillar", {"perturb_seed", 5});
  cr_expect(largest_difference(plain, seeded) == 0);
  ts_arena_destroy(arena);
}

Test(cases_case, noise_is_applied_before_the_scale) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *small = build_case(arena, "arch", {"perturb_m", 0.01});
  const ts_scene *large = build_case(arena, "arch", {"perturb_m", 0.01}, {"scale", 4});
  for (size_t i = 0; i < small->body_count; i++) {
    ts_vec3 expected = ts_vec3_scale(small->bodies[i].pose.translation, 4);
    cr_expect(ts_vec3_distance(large->bodies[i].pose.translation, expected) < 1e-14);
  }
  ts_arena_destroy(arena);
}

Test(cases_case, offset_moves_along_the_diagonal) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *near = build_default(arena, "spikes");
  const ts_scene *far = build_case(arena, "spikes", {"offset_m", 1000}, {"scale", 2});
  ts_vec3 d = ts_vec3_sub(far->bodies[0].pose.translation, near->bodies[0].pose.translation);
  cr_expect_float_eq(ts_vec3_norm(d), 1000, 1e-9);
  cr_expect(d.x == d.y && d.y == d.z && d.x > 0);
  ts_arena_destroy(arena);
}

Test(cases_case, a_scene_too_far_away_for_its_size_is_refused) {
  ts_arena *arena = case_fixture_arena();
  const ts_case *c = ts_case_find("wall");
  double values[TS_COMMON_COUNT + 2];
  ts_param_defaults(values, ts_case_params(arena, c), ts_case_param_count(c));
  ts_scene *scene;
  values[TS_COMMON_OFFSET_M] = 1e6;
  cr_expect_eq(ts_case_build(&scene, arena, c, values), TS_OK);
  values[TS_COMMON_SCALE] = 1e-3;
  cr_expect_eq(ts_case_build(&scene, arena, c, values), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "offset_m") != NULL, "%s", ts_status_detail());
  values[TS_COMMON_OFFSET_M] = 1e3;
  cr_expect_eq(ts_case_build(&scene, arena, c, values), TS_OK);
  ts_arena_destroy(arena);
}

Test(cases_case, a_motion_is_rigid_and_turns_velocities_with_the_bodies) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *still = build_default(arena, "spikes");
  for (int seed = 1; seed <= 20; seed++) {
    const ts_scene *moved = build_case(arena, "spikes", {"motion_seed", seed}, {"scale", 0.001});
    cr_expect_float_eq(ts_vec3_norm(moved->bodies[1].twist.linear_m_s),
                       0.001 * ts_vec3_norm(still->bodies[1].twist.linear_m_s), 1e-15);
    ts_vec3 local = ts_quat_rotate(ts_quat_conjugate(moved->bodies[1].pose.rotation),
                                   moved->bodies[1].twist.linear_m_s);
    // In its own frame the upper spike, which is upside down, still moves as before.
    cr_expect(ts_vec3_distance(local, ts_vec3_make(-0.0012, 0.0048, 0)) < 1e-15, "seed %d", seed);
    ts_vec3 at = moved->bodies[0].pose.translation;
    cr_expect(fmax(fabs(at.x), fmax(fabs(at.y), fabs(at.z))) <= 0.01, "seed %d", seed);
  }
  ts_arena_destroy(arena);
}

Test(cases_case, the_wall_grows_with_its_parameters) {
  const int sizes[][2] = {{1, 1}, {1, 5}, {5, 1}, {2, 2}, {3, 15}, {100, 100}};
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    int layers = sizes[i][0], span = sizes[i][1];
    const ts_scene *scene = build_case(arena, "wall", {"layers", layers}, {"span", span});
    size_t joints = (size_t)(span + layers * (span - 1) + (layers - 1) * (2 * span - 1));
    ts_truth_totals totals = ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN);
    cr_expect(scene->body_count == (size_t)(1 + layers * span));
    cr_expect(scene->shape_count == 2, "bricks share one shape");
    cr_expect(totals.regions == joints && totals.pairs == joints && totals.minimum == 4 * joints,
              "%d x %d: %zu regions, minimum %zu", layers, span, totals.regions, totals.minimum);
    double area_m2 =
        span * 0.3125 + layers * (span - 1) * 0.2 + (layers - 1) * (2 * span - 1) * 0.15625;
    cr_expect_float_eq(totals.area_m2, area_m2, 1e-12 * area_m2);
  }
  ts_arena_destroy(arena);
}

Test(cases_case, the_ground_is_as_published_until_the_wall_outgrows_it) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *fits = build_case(arena, "wall", {"span", 14});
  cr_expect(fits->shapes[0].bounds_local.high.x == 5);
  const ts_scene *wide = build_case(arena, "wall", {"span", 40});
  double reach = 0;
  for (size_t b = 1; b < wide->body_count; b++)
    reach = fmax(reach, fabs(wide->bodies[b].pose.translation.x) + 0.3125);
  cr_expect(wide->shapes[0].bounds_local.high.x > reach);
  cr_expect(wide->shapes[0].bounds_local.high.z == 5);
  ts_arena_destroy(arena);
}

Test(cases_case, the_arch_takes_any_number_of_stones) {
  const int stones[] = {3, 4, 7, 50, 101};
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; i < sizeof stones / sizeof *stones; i++) {
    const ts_scene *scene = build_case(arena, "arch", {"stones", stones[i]});
    ts_truth_totals totals = ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN);
    size_t joints = (size_t)stones[i] + 7;
    cr_expect(totals.regions == joints && totals.minimum == 4 * joints, "%d stones: %zu, %zu",
              stones[i], totals.regions, totals.minimum);
    cr_expect_float_eq(totals.area_m2, (double)joints, 1e-12);
  }
  ts_arena_destroy(arena);
}

Test(cases_case, joints_of_the_arch_are_as_wide_as_it_is_thick) {
  const double thick_m[] = {0.01, 0.05, 0.4, 0.5, 1.5}, depth_m = 2;
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; i < sizeof thick_m / sizeof *thick_m; i++)
    for (int k = 0; k < 2; k++) {
      double scale = k == 0 ? 1 : 0.1, area_m2 = thick_m[i] * depth_m * scale * scale;
      const ts_scene *scene = build_case(arena, "arch", {"thickness_m", thick_m[i]},
                                         {"scale", scale}, {"motion_seed", k});
      ts_truth_totals totals = ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN);
      cr_expect(totals.regions == 14 && totals.pairs == 14 && totals.minimum == 56);
      cr_expect_float_eq(totals.area_m2, 14 * area_m2, 1e-12 * area_m2);
      for (size_t r = 0; r < scene->region_count; r++) {
        const ts_region *region = &scene->regions[r];
        cr_expect_float_eq(ts_region_measure(region), area_m2, 1e-12 * area_m2, "%g m, region %zu",
                           thick_m[i], r);
        double tolerance_m = 1e-12 * case_fixture_pair_size(scene, region);
        cr_expect(fabs(region->feasible[0].normals[0].gap_m) <= tolerance_m);
        for (size_t v = 0; v < region->vertex_count; v++) {
          double on_a = case_fixture_surface_distance(scene, region->body_a, region->vertices[v]);
          double on_b = case_fixture_surface_distance(scene, region->body_b, region->vertices[v]);
          cr_expect(on_a <= tolerance_m && on_b <= tolerance_m, "%g m, region %zu: %g, %g",
                    thick_m[i], r, on_a, on_b);
        }
      }
    }
  ts_arena_destroy(arena);
}

Test(cases_case, the_arch_is_thick_inwards_only) {
  ts_arena *arena = case_fixture_arena();
  for (int k = 0; k < 2; k++) {
    double thickness_m = k == 0 ? 0.05 : 1.5, highest = 0, widest = 0, innermost = INFINITY;
    const ts_scene *scene = build_case(arena, "arch", {"thickness_m", thickness_m});
    for (size_t b = 1; b < scene->body_count; b++)
      for (size_t v = 0; v < 8; v++) {
        ts_vec3 p = case_fixture_vertex(scene, (int32_t)b, v);
        double radius = p.y < 2 ? fabs(p.x) : hypot(p.x, p.y - 2);
        highest = fmax(highest, p.y);
        widest = fmax(widest, radius);
        innermost = fmin(innermost, radius);
      }
    cr_expect_float_eq(widest, 2, 1e-12);
    cr_expect_float_eq(innermost, 2 - thickness_m, 1e-12);
    // The top corners of the crown's stone, half a stone from the crown.
    cr_expect_float_eq(highest, 2 + 2 * cos(3.14159265358979323846 / 14), 1e-12);
  }
  ts_arena_destroy(arena);
}
