// SPDX-License-Identifier: MIT
// covers: cases/case.c
// What a seed draws: values of parameters whose truth is known.
#include "base/param.h"
#include "geometry/tolerances.h"
#include "tests/cases/case_fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  arena = case_fixture_arena();
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(cases_draw, .init = setup, .fini = teardown, .timeout = 120);

static double *drawn(const ts_case *c, uint64_t seed) {
  size_t count = ts_case_param_count(c);
  double *values = ts_arena_array(arena, count, sizeof *values);
  ts_param_defaults(values, ts_case_params(arena, c), count);
  cr_assert_eq(ts_case_draw(values, arena, c, seed), TS_OK);
  return values;
}

Test(cases_draw, a_seed_draws_the_same_again_and_another_one_something_else) {
  for (size_t i = 0; ts_cases[i]; i++) {
    const ts_case *c = ts_cases[i];
    size_t bytes = ts_case_param_count(c) * sizeof(double);
    cr_expect_eq(memcmp(drawn(c, 7), drawn(c, 7), bytes), 0, "%s", c->name);
    cr_expect_neq(memcmp(drawn(c, 7), drawn(c, 8), bytes), 0, "%s", c->name);
  }
  const ts_case *crack = ts_case_find("wedge_in_crack"), *edges = ts_case_find("cliff_edges");
  cr_expect_neq(drawn(crack, 7)[TS_COMMON_STRETCH_X], drawn(edges, 7)[TS_COMMON_STRETCH_X],
                "each case has draws of its own");
}

Test(cases_draw, ranges_are_of_parameters_and_within_them) {
  for (size_t i = 0; ts_cases[i]; i++) {
    const ts_case *c = ts_cases[i];
    size_t count = ts_case_param_count(c);
    const ts_param *params = ts_case_params(arena, c);
    for (const ts_case_range *range = c->ranges; range && range->param; range++) {
      int index = ts_param_find(params, count, range->param);
      cr_assert(index >= 0, "%s has no %s", c->name, range->param);
      cr_expect_eq(ts_param_check(&params[index], range->low), TS_OK, "%s", c->name);
      cr_expect_eq(ts_param_check(&params[index], range->high), TS_OK, "%s", c->name);
      cr_expect_eq(ts_case_range_of(c, range->param), range);
    }
  }
}

Test(cases_draw, drawn_values_are_in_their_ranges_and_read_back_as_they_are_printed) {
  for (size_t i = 0; ts_cases[i]; i++) {
    const ts_case *c = ts_cases[i];
    const ts_param *params = ts_case_params(arena, c);
    for (uint64_t seed = 1; seed <= 50; seed++) {
      const double *values = drawn(c, seed);
      for (size_t p = 0; p < ts_case_param_count(c); p++) {
        const ts_case_range *range = ts_case_range_of(c, params[p].name);
        char buffer[32];
        double again;
        if (!range) {
          cr_expect_eq(values[p], params[p].default_value, "%s", params[p].name);
          continue;
        }
        cr_expect(values[p] >= range->low && values[p] <= range->high, "%s: %s=%.17g", c->name,
                  params[p].name, values[p]);
        cr_expect_eq(
            ts_param_parse(&again, &params[p], ts_param_format(buffer, &params[p], values[p])),
            TS_OK);
        cr_expect_eq(again, values[p], "%s: %s", c->name, params[p].name);
      }
    }
  }
}

Test(cases_draw, both_ends_of_a_whole_number_and_of_a_choice_are_drawn) {
  const ts_case *c = ts_case_find("sphere_on_slab");
  int touch = ts_param_find(ts_case_params(arena, c), ts_case_param_count(c), "touch");
  int counts[3] = {0};
  for (uint64_t seed = 1; seed <= 60; seed++)
    counts[(int)drawn(c, seed)[touch]]++;
  for (int i = 0; i < 3; i++)
    cr_expect_geq(counts[i], 8, "choice %d: %d times", i, counts[i]);
}

Test(cases_draw, later_parameters_are_left_out_of_the_text_at_their_defaults) {
  const ts_case *c = ts_case_find("arch");
  double values[TS_COMMON_COUNT + 2];
  ts_param_defaults(values, ts_case_params(arena, c), ts_case_param_count(c));
  const char *plain = "scale=1;motion_seed=0;perturb_m=0;perturb_seed=1;offset_m=0;refinement=0;"
                      "tets=tetgen;stones=7;thickness_m=0.5";
  cr_expect_str_eq(ts_case_parameters(arena, c, values), plain);
  values[TS_COMMON_MESH_SEED] = 3;
  values[TS_COMMON_STRETCH_Y] = 1.25;
  cr_expect(strstr(ts_case_parameters(arena, c, values),
                   ";tets=tetgen;mesh_seed=3;stretch_y=1.25;stones=7;"));
}

/// Every region is closed to the tolerance of touch, and there are as many corners as are needed.
static void expect_touches(const ts_case *c, const ts_scene *scene, uint64_t seed) {
  cr_assert_gt(scene->region_count, 0, "%s, seed %d", c->name, (int)seed);
  for (size_t i = 0; i < scene->region_count; i++) {
    const ts_region *region = &scene->regions[i];
    const ts_feasible_set *design = &region->feasible[TS_REFERENCE_DESIGN];
    double touch_m = TS_TOUCH_RELATIVE * case_fixture_pair_size(scene, region);
    for (size_t n = 0; n < design->count; n++) {
      cr_expect_float_eq(ts_vec3_norm(design->normals[n].normal), 1, 1e-12);
      cr_expect(fabs(design->normals[n].gap_m) <= touch_m, "%s, seed %d: gap %g", c->name,
                (int)seed, design->normals[n].gap_m);
    }
    for (size_t v = 0; v < region->vertex_count; v++) {
      cr_expect(case_fixture_surface_distance(scene, region->body_a, region->vertices[v]) <=
                    touch_m,
                "%s, seed %d", c->name, (int)seed);
      cr_expect(case_fixture_surface_distance(scene, region->body_b, region->vertices[v]) <=
                    touch_m,
                "%s, seed %d", c->name, (int)seed);
    }
  }
}

Test(cases_draw, drawn_bodies_touch_where_the_truth_says) {
  for (size_t i = 0; ts_cases[i]; i++) {
    const ts_case *c = ts_cases[i];
    const ts_scene *plain = build_default(arena, c->name);
    bool is_known = !plain->truth_is_unknown;
    if (is_known && plain->region_count == 0) {
      cr_expect(c->is_deformable, "%s: nothing touches", c->name);
      continue;
    }
    for (uint64_t seed = 1; seed <= 8 && is_known && strcmp(c->suite, "growth") != 0; seed++) {
      ts_scene *scene;
      cr_assert_eq(ts_case_build(&scene, arena, c, drawn(c, seed)), TS_OK, "%s", c->name);
      cr_expect(!scene->truth_is_unknown);
      expect_touches(c, scene, seed);
    }
  }
}
