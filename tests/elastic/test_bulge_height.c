// SPDX-License-Identifier: MIT
// covers: elastic/bulge_height.c
#include "base/random.h"
#include "elastic/bulge_height.h"
#include "geometry/vec3.h"
#include "tests/elastic/deform_meshes.h"

#include <criterion/criterion.h>

/// scale (h - r0) (h - r1) (h - r2)
static void from_roots(double out[4], double scale, double r0, double r1, double r2) {
  out[3] = scale;
  out[2] = -scale * (r0 + r1 + r2);
  out[1] = scale * (r0 * r1 + r1 * r2 + r2 * r0);
  out[0] = -scale * r0 * r1 * r2;
}

static double root_of(double c0, double c1, double c2, double c3) {
  double cubic[4] = {c0, c1, c2, c3}, root = NAN;
  return ts_smallest_positive_root(&root, cubic) ? root : NAN;
}

Test(bulge_height, the_smallest_positive_root_of_three_is_found_at_every_scale) {
  ts_random random = ts_random_seed(2, 0);
  const double scales[] = {1e-9, 1, 1e9};
  for (int i = 0; i < 3000; i++) {
    double unit = scales[i % 3], roots[3], smallest = INFINITY;
    for (int k = 0; k < 3; k++) {
      roots[k] = ts_random_uniform(&random, -1, 1);
      if (roots[k] > 0)
        smallest = ts_min(smallest, roots[k]);
    }
    double cubic[4], found;
    from_roots(cubic, i % 2 ? 1e3 : -1e-3, unit * roots[0], unit * roots[1], unit * roots[2]);
    bool has_one = ts_smallest_positive_root(&found, cubic);
    cr_assert_eq(has_one, isfinite(smallest), "case %d", i);
    if (has_one) // two roots that are close are known to half of the digits
      cr_assert_float_eq(found / unit, smallest, 3e-8, "case %d: %g", i, found / unit);
  }
}

Test(bulge_height, lines_and_parabolas_are_cubics_too) {
  cr_assert_float_eq(root_of(-1, 2, 0, 0), 0.5, 1e-15);
  cr_assert_float_eq(root_of(-2, 0, 8, 0), 0.5, 1e-15);
  cr_assert_float_eq(root_of(-1, 0, 0, 8), 0.5, 1e-15);
  cr_assert_float_eq(root_of(-1, 2, 0, 1e-30), 0.5, 1e-15); // the other roots are 1e15 away
}

Test(bulge_height, a_root_is_known_to_its_last_digits_however_small) {
  cr_assert_float_eq(root_of(-1e-200, 1, 1, 1) / 1e-200, 1, 1e-15);
  cr_assert_float_eq(root_of(-1, 1e-9, 0, 0) / 1e9, 1, 1e-15);
}

Test(bulge_height, a_cubic_that_touches_0_has_a_root_there) {
  double cubic[4];
  from_roots(cubic, 1, 0.3, 0.3, -2);
  double found = NAN;
  cr_assert(ts_smallest_positive_root(&found, cubic));
  cr_assert_float_eq(found, 0.3, 1e-7);
}

Test(bulge_height, nothing_lost_needs_no_bulge) {
  cr_assert_eq(root_of(0, 1, 1, 1), 0);
  cr_assert_eq(root_of(0, 0, 0, 0), 0);
}

Test(bulge_height, no_positive_root_and_no_numbers_are_told) {
  cr_assert(isnan(root_of(-1, 0, 0, 0)));
  cr_assert(isnan(root_of(-1, -1, -1, -1)));
  cr_assert(isnan(root_of(1, 1, 0, 0)));
  cr_assert(isnan(root_of(-1, 0.5, -0.5, 0))); // comes near 0, and turns back
  cr_assert(isnan(root_of(NAN, 1, 0, 0)));
  cr_assert(isnan(root_of(-1, INFINITY, 0, 0)));
}

Test(bulge_height, the_cubic_is_the_volume_at_every_height) {
  ts_arena *arena;
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  const double scales[] = {1e-3, 1, 1e3};
  for (int s = 0; s < 3; s++) {
    ts_mesh *mesh = deform_icosphere(arena, 2, scales[s], (ts_vec3){0, 0, 0});
    ts_random random = ts_random_seed(3, (uint64_t)s);
    ts_vec3 *moved = ts_arena_array(arena, mesh->vertex_count, sizeof *moved);
    ts_vec3 *ways = ts_arena_array(arena, mesh->vertex_count, sizeof *ways);
    ts_vec3 *at = ts_arena_array(arena, mesh->vertex_count, sizeof *at);
    for (size_t v = 0; v < mesh->vertex_count; v++) {
      moved[v] = ts_vec3_scale(mesh->vertices[v], ts_random_uniform(&random, 0.9, 1));
      ways[v] = ts_vec3_make(ts_random_unit(&random), ts_random_unit(&random), -0.3);
    }
    double cubic[4], before = ts_mesh_mass_properties(mesh, 1).volume_m3;
    ts_bulge_cubic(cubic, mesh, mesh->vertices, moved, ways);
    for (int i = -2; i <= 2; i++) {
      double h = 0.02 * i * scales[s];
      for (size_t v = 0; v < mesh->vertex_count; v++)
        at[v] = ts_vec3_add_scaled(moved[v], h, ways[v]);
      ts_mesh *there;
      cr_assert_eq(ts_mesh_with_vertices(&there, arena, mesh, at), TS_OK);
      double change = ((cubic[3] * h + cubic[2]) * h + cubic[1]) * h + cubic[0];
      cr_assert_float_eq((ts_mesh_mass_properties(there, 1).volume_m3 - before) / before,
                         change / before, 1e-13);
    }
  }
  ts_arena_destroy(arena);
}

Test(bulge_height, what_does_not_move_changes_no_volume_at_all) {
  ts_arena *arena;
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  ts_mesh *mesh = deform_icosphere(arena, 2, 0.7, (ts_vec3){1, 2, 3});
  ts_vec3 *ways = ts_arena_array(arena, mesh->vertex_count, sizeof *ways);
  double cubic[4];
  ts_bulge_cubic(cubic, mesh, mesh->vertices, mesh->vertices, ways);
  for (int i = 0; i < 4; i++)
    cr_assert_eq(cubic[i], 0);
  ts_arena_destroy(arena);
}
