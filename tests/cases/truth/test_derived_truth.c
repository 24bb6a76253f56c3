// SPDX-License-Identifier: MIT
// covers: cases/truth/derived_edges.c cases/truth/derived_places.c cases/truth/derived_polygons.c
// covers: cases/truth/derived_runs.c cases/truth/derived_search.c cases/truth/derived_surface.c
// covers: cases/truth/derived_terms.c cases/truth/derived_truth.c cases/truth/touch.c
// The truth that geometry alone gives against the truth by design, against volumes, and where there
// is none.
#include "base/status.h"
#include "cases/truth/derived_truth.h"
#include "geometry/tolerances.h"
#include "tests/cases/extended_cases.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  arena = case_fixture_arena();
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

static const double same_normal = 1e-6;

/// A copy whose truth is derived; the scene keeps its own.
static ts_scene derive(const ts_scene *scene, const char *name) {
  ts_scene copy = *scene;
  ts_status status = ts_derive_truth(&copy, TS_TOUCH_RELATIVE);
  cr_assert_eq(status, TS_OK, "%s: %d %s", name, status, ts_status_detail());
  return copy;
}

static bool has_normal(const ts_feasible_set *set, ts_feasible normal, double same_m) {
  for (size_t i = 0; i < set->count; i++)
    if (ts_vec3_distance(set->normals[i].normal, normal.normal) <= same_normal &&
        fabs(set->normals[i].gap_m - normal.gap_m) <= same_m)
      return true;
  return false;
}

static bool same_normals(const ts_feasible_set *a, const ts_feasible_set *b, double same_m) {
  for (size_t i = 0; i < a->count; i++)
    if (!has_normal(b, a->normals[i], same_m))
      return false;
  return a->count == b->count;
}

static bool same_place(const ts_region *a, const ts_region *b, double same_m) {
  for (size_t i = 0; i < a->vertex_count; i++) {
    bool found = false;
    for (size_t k = 0; k < b->vertex_count; k++)
      found |= ts_vec3_distance(a->vertices[i], b->vertices[k]) <= same_m;
    if (!found)
      return false;
  }
  return a->kind == b->kind && a->vertex_count == b->vertex_count &&
         fabs(ts_region_measure(a) - ts_region_measure(b)) <= 1e-6 * ts_region_measure(a);
}

static bool is_closed(const ts_scene *scene, const ts_region *region) {
  return ts_region_needed_normals(region, TS_REFERENCE_FEASIBLE, ts_region_limits(scene, region)) >
         0;
}

/// How many demands of `region` some region of `other` has too: of one that needs all its normals
/// each is a demand, wherever else at the same place it is demanded; of one where any one will do
/// all of them together.
static size_t demands_met(const ts_region *region, const ts_scene *other, double same_m) {
  size_t count, met = 0;
  const ts_region *regions = ts_scene_pair_regions(&count, other, region->body_a, region->body_b);
  const ts_feasible_set *all = &region->feasible[TS_REFERENCE_FEASIBLE];
  for (size_t k = 0; k < count; k++) {
    const ts_feasible_set *theirs = &regions[k].feasible[TS_REFERENCE_FEASIBLE];
    if (!is_closed(other, &regions[k]) || !same_place(region, &regions[k], same_m))
      continue;
    bool any_here = !region->needs_all && all->count > 1;
    bool any_there = !regions[k].needs_all && theirs->count > 1;
    if (any_here && any_there)
      met += same_normals(all, theirs, same_m) &&
             same_normals(&region->feasible[TS_REFERENCE_DESIGN],
                          &regions[k].feasible[TS_REFERENCE_DESIGN], same_m);
    for (size_t n = 0; !any_here && !any_there && n < all->count; n++)
      met += has_normal(theirs, all->normals[n], same_m);
  }
  return met;
}

/// What the one demands, the other demands in the same place, once.
static void expect_demands(const char *name, const ts_scene *of, const ts_scene *other,
                           const char *what) {
  for (size_t i = 0; i < of->region_count; i++) {
    const ts_region *region = &of->regions[i];
    if (!is_closed(of, region))
      continue;
    size_t needed = region->needs_all ? region->feasible[TS_REFERENCE_FEASIBLE].count : 1;
    size_t met = demands_met(region, other, 1e-6 * case_fixture_pair_size(of, region));
    cr_expect_eq(met, needed, "%s, bodies %d and %d, region %zu: %zu of %zu demands %s", name,
                 region->body_a, region->body_b, i, met, needed, what);
  }
}

static void expect_same_truth(const char *name, const ts_scene *designed, const ts_scene *derived) {
  expect_demands(name, designed, derived, "are derived");
  expect_demands(name, derived, designed, "were designed");
  for (int r = 0; r < TS_REFERENCE_COUNT; r++) {
    if (r == TS_REFERENCE_PUBLISHED)
      continue;
    ts_truth_totals by_design = ts_scene_truth_totals(designed, (ts_reference)r);
    ts_truth_totals by_geometry = ts_scene_truth_totals(derived, (ts_reference)r);
    cr_expect_eq(by_geometry.minimum, by_design.minimum, "%s: %zu, %zu", name, by_geometry.minimum,
                 by_design.minimum);
    cr_expect_eq(by_geometry.pairs, by_design.pairs, "%s", name);
    cr_expect_float_eq(by_geometry.area_m2, by_design.area_m2, 1e-6 * by_design.area_m2 + 1e-300);
    cr_expect_float_eq(by_geometry.length_m, by_design.length_m,
                       1e-6 * by_design.length_m + 1e-300);
  }
}

static void expect_derived_as_designed(const char *name, const ts_scene *scene) {
  ts_scene derived = derive(scene, name);
  expect_same_truth(name, scene, &derived);
}

Test(cases_derived_truth, what_geometry_says_of_the_thirteen_cases_is_what_was_designed,
     .init = setup, .fini = teardown) {
  for (size_t i = 0; ts_cases[i]; i++) {
    if (strcmp(ts_cases[i]->suite, "erleben") != 0)
      continue;
    const char *name = ts_cases[i]->name;
    expect_derived_as_designed(name, build_default(arena, name));
    expect_derived_as_designed(name, build_case(arena, name, {"motion_seed", 7}));
    expect_derived_as_designed(name, build_case(arena, name, {"scale", 1e-3}, {"motion_seed", 3}));
  }
}

Test(cases_derived_truth, and_so_of_the_extended_ones, .init = setup, .fini = teardown) {
  extended_case all[EXTENDED_MAX];
  size_t count = extended_cases(all);
  const case_setting moved[] = {{"motion_seed", 7}, {"scale", 1e-3}};
  for (size_t i = 0; i < count; i++)
    for (size_t settings = 0; settings <= 2; settings++) {
      ts_arena_mark mark = ts_arena_get_mark(arena);
      char name[100];
      snprintf(name, sizeof name, "%s %s=%g %s=%g +%zu", all[i].name,
               all[i].settings[0].name ? all[i].settings[0].name : "", all[i].settings[0].value,
               all[i].settings[1].name ? all[i].settings[1].name : "", all[i].settings[1].value,
               settings);
      expect_derived_as_designed(name, extended_build(arena, &all[i], moved, settings));
      ts_arena_rewind(arena, mark);
    }
}

/// The truth derived as designed, with the bodies moved to where those of `moved` are.
static ts_scene derive_and_move(const ts_scene *built, const ts_scene *moved, const char *name) {
  ts_scene derived = derive(built, name);
  for (size_t i = 0; i < derived.body_count; i++)
    derived.bodies[i].pose = moved->bodies[i].pose;
  cr_assert_eq(ts_scene_resolve_truth(&derived), TS_OK, "%s", ts_status_detail());
  return derived;
}

Test(cases_derived_truth, moves_with_the_bodies_as_the_designed_one_does, .init = setup,
     .fini = teardown) {
  for (size_t i = 0; ts_cases[i]; i++) {
    if (strcmp(ts_cases[i]->suite, "erleben") != 0)
      continue;
    const char *name = ts_cases[i]->name;
    for (double seed = 1; seed < 4; seed++) {
      const case_setting turned = {"motion_seed", seed}, size = {"scale", seed == 2 ? 1e-3 : 1};
      const ts_scene *moved =
          build_case(arena, name, {"perturb_m", 0.02}, {"perturb_seed", seed}, turned, size);
      ts_scene derived = derive_and_move(build_case(arena, name, turned, size), moved, name);
      expect_same_truth(name, moved, &derived);
    }
  }
}
