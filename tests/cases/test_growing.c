// SPDX-License-Identifier: MIT
// covers: cases/spheres.c cases/tori.c cases/torus.c
#include "base/param.h"
#include "base/status.h"
#include "tests/cases/case_fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static const char *const growing[] = {"spheres", "tori"};

// ---- both -----------------------------------------------------------------------------------

Test(cases_growing, they_are_a_suite_of_their_own) {
  for (int i = 0; i < 2; i++) {
    const ts_case *c = ts_case_find(growing[i]);
    cr_assert(c != NULL, "%s", growing[i]);
    cr_expect_str_eq(c->suite, "growth");
    cr_expect(strlen(c->summary) > 10 && strlen(c->source) > 10);
  }
}

Test(cases_growing, meshes_have_about_as_many_triangles_as_asked_for) {
  const double asked[] = {1e3, 1001, 2500, 1e4, 12345, 1e5};
  ts_arena *arena = case_fixture_arena();
  for (int i = 0; i < 2; i++)
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
      const ts_scene *scene = build_case(arena, growing[i], {"triangles", asked[k]});
      cr_assert(scene->body_count == 2 && scene->shape_count == 1);
      double triangles = (double)scene->shapes[0].mesh->triangle_count;
      // Half a step from 8 n^2 to 8 (n + 1)^2, which is the coarser of the two.
      cr_expect(fabs(triangles - asked[k]) <= sqrt(8 * asked[k]) + 4, "%s of %g: %g", growing[i],
                asked[k], triangles);
    }
  ts_arena_destroy(arena);
}

/// Least height against longest edge of the worst triangle; 0.87 when all are equilateral.
static double worst_triangle(const ts_mesh *mesh) {
  double worst = INFINITY;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    const uint32_t *v = mesh->triangles[t];
    ts_vec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
    double longest_m =
        fmax(ts_vec3_distance(a, b), fmax(ts_vec3_distance(b, c), ts_vec3_distance(c, a)));
    double area_twice = ts_vec3_norm(ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a)));
    worst = fmin(worst, area_twice / (longest_m * longest_m));
  }
  return worst;
}

Test(cases_growing, no_triangle_is_a_sliver) {
  const double asked[] = {1e3, 1e4, 1e5};
  ts_arena *arena = case_fixture_arena();
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++) {
      const ts_scene *scene = build_case(arena, growing[i], {"triangles", asked[k]});
      double worst = worst_triangle(scene->shapes[0].mesh);
      cr_expect(worst > 0.3, "%s of %g: %g", growing[i], asked[k], worst);
    }
  ts_arena_destroy(arena);
}

Test(cases_growing, the_lower_body_is_fixed_and_the_upper_one_rests_on_it) {
  ts_arena *arena = case_fixture_arena();
  for (int i = 0; i < 2; i++) {
    const ts_scene *scene = build_default(arena, growing[i]);
    cr_expect(scene->bodies[0].is_fixed && !scene->bodies[1].is_fixed);
    cr_expect(scene->bodies[1].pose.translation.y > 0.2);
    cr_expect(ts_vec3_norm(scene->bodies[1].twist.linear_m_s) == 0);
  }
  ts_arena_destroy(arena);
}

Test(cases_growing, counts_out_of_range_are_refused) {
  ts_arena *arena = case_fixture_arena();
  for (int i = 0; i < 2; i++) {
    const ts_case *c = ts_case_find(growing[i]);
    const ts_param *params = ts_case_params(arena, c);
    int index = ts_param_find(params, ts_case_param_count(c), "triangles");
    cr_assert(index >= 0);
    cr_expect(ts_param_check(&params[index], 999) == TS_E_INPUT);
    cr_expect(ts_param_check(&params[index], 1e6 + 1) == TS_E_INPUT);
    cr_expect(ts_param_check(&params[index], 1e3) == TS_OK);
    cr_expect(ts_param_check(&params[index], 1e6) == TS_OK);
  }
  ts_arena_destroy(arena);
}

// ---- spheres --------------------------------------------------------------------------------

Test(cases_growing, every_vertex_is_on_its_sphere_and_two_are_the_poles) {
  ts_arena *arena = case_fixture_arena();
  for (double triangles = 1e3; triangles < 2e4; triangles *= 3) {
    const ts_scene *scene = build_case(arena, "spheres", {"triangles", triangles});
    const ts_mesh *mesh = scene->shapes[0].mesh;
    for (size_t v = 0; v < mesh->vertex_count; v++)
      cr_expect(fabs(ts_vec3_norm(mesh->vertices[v]) - 0.5) < 2e-16, "vertex %zu", v);
    ts_vec3 top = mesh->vertices[0], bottom = mesh->vertices[mesh->vertex_count - 1];
    cr_expect(top.x == 0 && top.y == 0.5 && top.z == 0);
    cr_expect(bottom.x == 0 && bottom.y == -0.5 && bottom.z == 0);
  }
  ts_arena_destroy(arena);
}

static int compare_vertices(const void *left, const void *right) {
  const ts_vec3 *l = left, *r = right;
  if (l->y != r->y)
    return l->y < r->y ? -1 : 1;
  if (l->x != r->x)
    return l->x < r->x ? -1 : 1;
  return (l->z > r->z) - (l->z < r->z);
}

static bool same_sets(ts_vec3 *a, ts_vec3 *b, size_t count) {
  qsort(a, count, sizeof *a, compare_vertices);
  qsort(b, count, sizeof *b, compare_vertices);
  for (size_t i = 0; i < count; i++)
    if (compare_vertices(&a[i], &b[i]) != 0)
      return false;
  return true;
}

Test(cases_growing, a_quarter_turn_and_a_mirror_give_the_same_sphere_bit_for_bit) {
  ts_arena *arena = case_fixture_arena();
  const ts_mesh *mesh = build_default(arena, "spheres")->shapes[0].mesh;
  size_t count = mesh->vertex_count;
  ts_vec3 *plain = ts_arena_array(arena, count, sizeof *plain);
  ts_vec3 *turned = ts_arena_array(arena, count, sizeof *turned);
  ts_vec3 *mirrored = ts_arena_array(arena, count, sizeof *mirrored);
  for (size_t v = 0; v < count; v++) {
    ts_vec3 p = mesh->vertices[v];
    plain[v] = p;
    turned[v] = ts_vec3_make(p.z, p.y, -p.x);
    mirrored[v] = ts_vec3_make(p.x, -p.y, p.z);
  }
  cr_expect(same_sets(plain, turned, count));
  cr_expect(same_sets(plain, mirrored, count));
  ts_arena_destroy(arena);
}

/// How far the meshes of the two bodies overlap along `direction`.
static double overlap_along(const ts_scene *scene, ts_vec3 direction) {
  double highest_m = -INFINITY, lowest_m = INFINITY;
  for (size_t v = 0; v < scene->shapes[0].mesh->vertex_count; v++) {
    highest_m = fmax(highest_m, ts_vec3_dot(direction, case_fixture_vertex(scene, 0, v)));
    lowest_m = fmin(lowest_m, ts_vec3_dot(direction, case_fixture_vertex(scene, 1, v)));
  }
  return highest_m - lowest_m;
}

static void expect_overlap(const ts_scene *scene, double depth_m, const char *what) {
  cr_assert(scene->region_count == 1 && !scene->truth_is_unknown, "%s", what);
  const ts_region *region = &scene->regions[0];
  double size_m = scene->scale, far_m = ts_vec3_norm(scene->bodies[0].pose.translation);
  double rounding_m = 1e-15 * (size_m + far_m);
  cr_assert(region->kind == TS_REGION_POINT && region->body_a == 0 && region->body_b == 1);
  ts_vec3 apart = ts_vec3_sub(scene->bodies[1].pose.translation, scene->bodies[0].pose.translation);
  for (int r = 0; r < TS_REFERENCE_COUNT; r++) {
    cr_assert(region->feasible[r].count == 1);
    ts_feasible feasible = region->feasible[r].normals[0];
    cr_expect(ts_vec3_distance(feasible.normal, ts_vec3_unit(apart)) < 1e-14 + rounding_m / size_m,
              "%s", what);
    cr_expect(fabs(feasible.gap_m + depth_m) < 2e-16 * size_m, "%s: gap %g", what, feasible.gap_m);
  }
  ts_vec3 normal = region->feasible[0].normals[0].normal;
  cr_expect(fabs(overlap_along(scene, normal) - depth_m) < 4 * rounding_m, "%s: %g", what,
            overlap_along(scene, normal) - depth_m);
  ts_vec3 between =
      ts_vec3_mid(scene->bodies[0].pose.translation, scene->bodies[1].pose.translation);
  cr_expect(ts_vec3_distance(region->vertices[0], between) < 4 * rounding_m, "%s", what);
  cr_expect(ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN).minimum == 1, "%s", what);
}

Test(cases_growing, the_overlap_of_the_meshes_is_as_requested_from_grazing_to_half) {
  const double depths_m[] = {0, 1e-9, 0.05, 0.1, 0.5};
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; i < sizeof depths_m / sizeof *depths_m; i++)
    for (double triangles = 1e3; triangles < 2e4; triangles *= 3) {
      const ts_scene *scene =
          build_case(arena, "spheres", {"triangles", triangles}, {"depth_m", depths_m[i]});
      expect_overlap(scene, depths_m[i], "as built");
      cr_expect(scene->regions[0].feasible[0].normals[0].normal.y == 1);
    }
  ts_arena_destroy(arena);
}

Test(cases_growing, the_truth_of_the_spheres_goes_with_scale_motion_and_offset) {
  const double scales[] = {1e-3, 1, 1e3}, offsets_m[] = {0, 100};
  ts_arena *arena = case_fixture_arena();
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 2; k++)
      for (int seed = 0; seed < 4; seed++) {
        const ts_scene *scene = build_case(arena, "spheres", {"scale", scales[i]},
                                           {"motion_seed", seed}, {"offset_m", offsets_m[k]});
        expect_overlap(scene, 0.05 * scales[i], "moved");
      }
  ts_arena_destroy(arena);
}

Test(cases_growing, noise_makes_the_truth_of_the_spheres_unknown) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *scene = build_case(arena, "spheres", {"perturb_m", 1e-3});
  cr_expect(scene->truth_is_unknown && scene->region_count == 0);
  const ts_scene *seeded = build_case(arena, "spheres", {"perturb_seed", 5});
  cr_expect(!seeded->truth_is_unknown && seeded->region_count == 1);
  ts_arena_destroy(arena);
}

// ---- tori -----------------------------------------------------------------------------------

static const double tube_m = 0.13;

/// How far a point lies within the smooth surface that the meshes sample, about.
static double depth_in_torus(ts_vec3 p) {
  double from_axis_m = hypot(p.x, p.z), beside_m = from_axis_m - 0.35;
  double bump = sin(3 * atan2(p.y, beside_m)) * cos(8 * atan2(-p.z, p.x));
  return tube_m * (1 + 0.1 * bump) - hypot(beside_m, p.y);
}

Test(cases_growing, the_torus_is_one_surface_whatever_the_triangles) {
  ts_arena *arena = case_fixture_arena();
  double volume_m3[3];
  for (int i = 0; i < 3; i++) {
    const ts_scene *scene = build_case(arena, "tori", {"triangles", 1e3 * pow(10, i)});
    const ts_mesh *mesh = scene->shapes[0].mesh;
    for (size_t v = 0; v < mesh->vertex_count; v++)
      cr_expect(fabs(depth_in_torus(mesh->vertices[v])) < 1e-15, "vertex %zu", v);
    volume_m3[i] = ts_mesh_mass_properties(mesh, 1).volume_m3;
    double extent_m = ts_aabb_extent(scene->shapes[0].bounds_local);
    cr_expect(extent_m > 0.94 && extent_m < 1, "%g", extent_m);
  }
  // Chords cut off a share that falls with the square of their length, as 1 over their number.
  double coarse = volume_m3[0] / volume_m3[2] - 1, fine = volume_m3[1] / volume_m3[2] - 1;
  cr_expect(coarse < 0 && coarse > -0.1, "%g", coarse);
  cr_expect(fine < 0 && coarse / fine > 8 && coarse / fine < 14, "%g %g", coarse, fine);
  ts_arena_destroy(arena);
}

/// The depth in the lower torus of every vertex of the upper one.
static double *vertex_depths(ts_arena *arena, const ts_scene *scene) {
  size_t count = scene->shapes[0].mesh->vertex_count;
  double *depths_m = ts_arena_array(arena, count, sizeof *depths_m);
  ts_pose lower = scene->bodies[0].pose;
  for (size_t v = 0; v < count; v++) {
    ts_vec3 local = ts_pose_point_local(lower, case_fixture_vertex(scene, 1, v));
    depths_m[v] = scene->scale * depth_in_torus(ts_vec3_scale(local, 1 / scene->scale));
  }
  return depths_m;
}

static uint32_t root_of(uint32_t *parents, uint32_t v) {
  while (parents[v] != v)
    v = parents[v] = parents[parents[v]];
  return v;
}

/// Connected sets of vertices that are inside.
static size_t patch_count(ts_arena *arena, const ts_mesh *mesh, const double *depths_m) {
  uint32_t *parents = ts_arena_array(arena, mesh->vertex_count, sizeof *parents);
  for (uint32_t v = 0; v < mesh->vertex_count; v++)
    parents[v] = v;
  for (size_t t = 0; t < mesh->triangle_count; t++)
    for (int i = 0; i < 3; i++) {
      uint32_t a = mesh->triangles[t][i], b = mesh->triangles[t][(i + 1) % 3];
      if (depths_m[a] > 0 && depths_m[b] > 0)
        parents[root_of(parents, a)] = root_of(parents, b);
    }
  size_t count = 0;
  for (uint32_t v = 0; v < mesh->vertex_count; v++)
    count += depths_m[v] > 0 && parents[v] == v;
  return count;
}

Test(cases_growing, the_tori_overlap_in_several_places_on_every_mesh) {
  ts_arena *arena = case_fixture_arena();
  for (double triangles = 1e3; triangles < 2e5; triangles *= 10) {
    const ts_scene *scene = build_case(arena, "tori", {"triangles", triangles});
    const ts_mesh *mesh = scene->shapes[0].mesh;
    double *depths_m = vertex_depths(arena, scene), deepest_m = 0;
    size_t inside = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
      deepest_m = fmax(deepest_m, depths_m[v]);
      inside += depths_m[v] > 0;
    }
    // Two of the eight patches may touch.
    size_t patches = patch_count(arena, mesh, depths_m);
    cr_expect(patches == 7 || patches == 8, "%g triangles: %zu", triangles, patches);
    cr_expect(deepest_m > 0.25 * tube_m && deepest_m < 0.4 * tube_m, "%g triangles: %g of the tube",
              triangles, deepest_m / tube_m);
    cr_expect(inside * 8 < mesh->vertex_count, "%zu of %zu", inside, mesh->vertex_count);
  }
  ts_arena_destroy(arena);
}

Test(cases_growing, the_upper_torus_is_turned_and_tilted_so_that_nothing_coincides) {
  ts_arena *arena = case_fixture_arena();
  const ts_scene *scene = build_default(arena, "tori");
  ts_vec3 axis = ts_pose_direction(scene->bodies[1].pose, ts_vec3_make(0, 1, 0));
  double tilt_rad = acos(axis.y);
  cr_expect(tilt_rad > 1e-3 && tilt_rad < 0.05, "%g", tilt_rad);
  ts_vec3 right = ts_pose_direction(scene->bodies[1].pose, ts_vec3_make(1, 0, 0));
  double bumps = atan2(-right.z, right.x) / (2 * pi / 8);
  cr_expect(fabs(bumps - round(bumps)) > 0.2, "turned by %g bumps", bumps);
  double *depths_m = vertex_depths(arena, scene);
  for (size_t v = 0; v < scene->shapes[0].mesh->vertex_count; v++)
    cr_expect(fabs(depths_m[v]) > 1e-9, "vertex %zu lies on the other torus", v);
  ts_arena_destroy(arena);
}

Test(cases_growing, the_truth_of_the_tori_is_unknown_at_any_scale_and_place) {
  const double scales[] = {1e-3, 1, 1e3};
  ts_arena *arena = case_fixture_arena();
  for (int i = 0; i < 3; i++) {
    const ts_scene *scene = build_case(arena, "tori", {"scale", scales[i]}, {"motion_seed", 2},
                                       {"offset_m", 100}, {"triangles", 1e3});
    cr_expect(scene->truth_is_unknown && scene->region_count == 0);
    const double *depths_m = vertex_depths(arena, scene);
    cr_expect(patch_count(arena, scene->shapes[0].mesh, depths_m) >= 3, "scale %g", scales[i]);
  }
  ts_arena_destroy(arena);
}

Test(cases_growing, the_thirteen_have_known_truth) {
  ts_arena *arena = case_fixture_arena();
  for (size_t i = 0; ts_cases[i]; i++)
    if (strcmp(ts_cases[i]->suite, "erleben") == 0) {
      const ts_scene *scene = build_case(arena, ts_cases[i]->name, {"perturb_m", 0.01});
      cr_expect(!scene->truth_is_unknown, "%s", ts_cases[i]->name);
    }
  ts_arena_destroy(arena);
}

Test(cases_growing, a_carried_scene_has_truth_if_the_built_one_has) {
  ts_arena *arena = case_fixture_arena();
  for (int i = 0; i < 2; i++) {
    const ts_scene *built = build_case(arena, growing[i], {"triangles", 1e3});
    ts_body moved[2] = {built->bodies[0], built->bodies[1]};
    moved[1].pose.translation.y += 0.001;
    ts_scene *carried;
    cr_assert(ts_scene_carry(&carried, arena, built, moved) == TS_OK, "%s", ts_status_detail());
    cr_expect(carried->truth_is_unknown == built->truth_is_unknown);
    cr_expect(carried->truth_is_unknown == (strcmp(growing[i], "tori") == 0));
    cr_expect(carried->region_count == built->region_count);
  }
  ts_arena_destroy(arena);
}

Test(cases_growing, published_tets_are_refused_with_a_reason) {
  ts_arena *arena = case_fixture_arena();
  for (int i = 0; i < 2; i++) {
    const ts_case *c = ts_case_find(growing[i]);
    double values[32];
    ts_param_defaults(values, ts_case_params(arena, c), ts_case_param_count(c));
    values[TS_COMMON_TETS] = TS_TETS_PUBLISHED;
    ts_scene *scene;
    cr_expect(ts_case_build(&scene, arena, c, values) == TS_E_INPUT);
    cr_expect(strstr(ts_status_detail(), "published") != NULL, "%s", ts_status_detail());
  }
  ts_arena_destroy(arena);
}
