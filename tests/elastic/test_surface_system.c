// SPDX-License-Identifier: MIT
// covers: elastic/surface_system.c elastic/cut_surface.c
#include "base/status.h"
#include "elastic/surface_system.h"
#include "geometry/tolerances.h"
#include "tests/elastic/deform_meshes.h"

#include <criterion/criterion.h>

static ts_arena *arena;

static void set_up(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void tear_down(void) {
  ts_arena_destroy(arena);
}

TestSuite(surface_system, .init = set_up, .fini = tear_down);

/// A direction along no edge or axis.
static ts_vec3 skew(void) {
  return ts_vec3_unit((ts_vec3){0.3, 0.8, 0.5});
}

typedef struct solved {
  ts_mesh *mesh;
  ts_deform_zone zone;
  ts_cut_surface surface;
  ts_surface_system system;
  double *values; ///< [free_count]
} solved;

static void solve(solved *out, ts_mesh *mesh, ts_deform_zone zone) {
  out->mesh = mesh;
  out->zone = zone;
  cr_assert_eq(ts_cut_surface_create(&out->surface, arena, mesh, &out->zone, INFINITY), TS_OK, "%s",
               ts_status_detail());
  cr_assert_eq(ts_surface_system_create(&out->system, arena, &out->surface), TS_OK, "%s",
               ts_status_detail());
  out->values = ts_arena_array(arena, out->surface.free_count, sizeof *out->values);
}

static void find_distances(solved *s, double extent_m) {
  double time_m2 = ts_surface_heat_time(s->mesh, extent_m);
  cr_assert_eq(ts_surface_distance(s->values, &s->system, time_m2), TS_OK);
}

/// Largest error, over the radius, of the distance from a cap of a sphere, up to one radius away.
static double cap_error(int level, double radius_m, ts_vec3 centre) {
  solved s;
  ts_mesh *mesh = deform_icosphere(arena, level, radius_m, centre);
  deform_plane plane = {skew(), ts_vec3_dot(skew(), centre) + 0.85 * radius_m, 0, 0};
  solve(&s, mesh, deform_plane_zone(arena, mesh, plane));
  find_distances(&s, radius_m);
  double worst = 0;
  for (size_t i = 0; i < s.surface.free_count; i++) {
    ts_vec3 p = ts_vec3_sub(mesh->vertices[s.surface.mesh_vertices[i]], centre);
    double exact = ts_vec3_angle(p, skew()) - acos(0.85);
    if (exact < 1)
      worst = ts_max(worst, fabs(s.values[i] / radius_m - exact));
  }
  ts_surface_system_destroy(&s.system);
  return worst;
}

Test(surface_system, the_distance_on_a_sphere_is_that_along_great_circles) {
  double coarse = cap_error(2, 1, (ts_vec3){0, 0, 0}), fine = cap_error(4, 1, (ts_vec3){0, 0, 0});
  cr_assert_lt(coarse, 0.02);
  cr_assert_lt(fine, 0.002);
}

Test(surface_system, the_distance_scales_and_does_not_care_where_it_is) {
  double here = cap_error(3, 1, (ts_vec3){0, 0, 0});
  cr_assert_float_eq(cap_error(3, 1e-3, (ts_vec3){0, 0, 0}), here, 1e-9);
  cr_assert_float_eq(cap_error(3, 1e3, (ts_vec3){0, 0, 0}), here, 1e-9);
  cr_assert_float_eq(cap_error(3, 1, (ts_vec3){1e5, -2e5, 3e5}), here, 1e-6);
}

/// Largest error, over the size of the block, of the distance from one of its sides on the flat
/// top.
static double block_error(int cells, double shear) {
  solved s;
  ts_mesh *mesh = deform_block(arena, cells, 1, shear, (ts_vec3){0, 0, 0});
  solve(&s, mesh, deform_plane_zone(arena, mesh, (deform_plane){{1, 0, 0}, 0.631, 0, 0}));
  find_distances(&s, 1);
  double worst = 0;
  for (size_t i = 0; i < s.surface.free_count; i++) {
    ts_vec3 p = mesh->vertices[s.surface.mesh_vertices[i]];
    if (p.y > 0.2499 && p.x > -0.3)
      worst = ts_max(worst, fabs(s.values[i] - (0.631 - p.x)));
  }
  ts_surface_system_destroy(&s.system);
  return worst;
}

Test(surface_system, the_distance_on_a_plane_is_a_straight_line_also_over_slivers) {
  cr_assert_lt(block_error(16, 0), 0.01);
  cr_assert_lt(block_error(16, 0.3), 0.02);
  cr_assert_lt(block_error(16, 0.49), 0.05);
}

/// Largest error of the harmonic field between 1 on a cap of a sphere and 0 on another.
static double harmonic_error(int level) {
  solved s;
  ts_mesh *mesh = deform_icosphere(arena, level, 1, (ts_vec3){0, 0, 0});
  deform_plane planes[2] = {{skew(), 0.85, 0, 0}, {ts_vec3_neg(skew()), 0.7, 0, 0}};
  solve(&s, mesh, deform_plane_zones(arena, mesh, planes, 2));
  double *fixed = ts_arena_array(arena, s.surface.fixed_count, sizeof *fixed);
  for (size_t i = 0; i < s.surface.fixed_count; i++)
    fixed[i] = ts_vec3_dot(s.surface.boundary[i], skew()) > 0;
  ts_surface_harmonic(s.values, &s.system, fixed);
  // Over the angle from the axis, ln tan of half of it is harmonic.
  double at_one = log(tan(0.5 * acos(0.85))), at_zero = log(tan(0.5 * acos(-0.7))), worst = 0;
  for (size_t i = 0; i < s.surface.free_count; i++) {
    double angle = ts_vec3_angle(mesh->vertices[s.surface.mesh_vertices[i]], skew());
    double exact = (log(tan(0.5 * angle)) - at_zero) / (at_one - at_zero);
    worst = ts_max(worst, fabs(s.values[i] - exact));
  }
  ts_surface_system_destroy(&s.system);
  return worst;
}

Test(surface_system, a_harmonic_field_is_right_to_second_order) {
  double coarse = harmonic_error(2), fine = harmonic_error(4);
  cr_assert_lt(fine, 1e-3);
  cr_assert_gt(coarse / fine, 12, "a quarter of the edges has a %g-th of the error", coarse / fine);
}

Test(surface_system, a_constant_boundary_makes_a_constant_field) {
  solved s;
  ts_mesh *mesh = deform_block(arena, 8, 1, 0.4, (ts_vec3){0, 0, 0});
  solve(&s, mesh, deform_plane_zone(arena, mesh, (deform_plane){skew(), 0.3, 0, 0}));
  double *fixed = ts_arena_array(arena, s.surface.fixed_count, sizeof *fixed);
  for (size_t i = 0; i < s.surface.fixed_count; i++)
    fixed[i] = 7;
  ts_surface_harmonic(s.values, &s.system, fixed);
  for (size_t i = 0; i < s.surface.free_count; i++)
    cr_assert_float_eq(s.values[i], 7, 1e-11);
  ts_surface_system_destroy(&s.system);
}

static double area_of(const ts_cut_surface *surface) {
  double sum = 0;
  for (size_t t = 0; t < surface->triangle_count; t++)
    sum += 0.5 * surface->triangles[t].x1_m * surface->triangles[t].y2_m;
  return sum;
}

Test(surface_system, the_cut_surface_is_what_is_below_the_plane) {
  ts_mesh *mesh = deform_block(arena, 7, 1, 0.4, (ts_vec3){0, 0, 0});
  ts_deform_zone zone = deform_plane_zone(arena, mesh, (deform_plane){{1, 0, 0}, 0.3, 0, 0});
  ts_cut_surface surface;
  cr_assert_eq(ts_cut_surface_create(&surface, arena, mesh, &zone, INFINITY), TS_OK);
  // Top and bottom, front and back, and one side.
  cr_assert_float_eq(area_of(&surface), 2 * 1.3 * 2 + 2 * 1.3 * 0.5 + 2 * 0.5, 1e-12);
}

Test(surface_system, what_is_within_reach_is_there_and_little_more) {
  ts_mesh *mesh = deform_icosphere(arena, 4, 1, (ts_vec3){0, 0, 0});
  ts_deform_zone zone = deform_plane_zone(arena, mesh, (deform_plane){skew(), 0.98, 0, 0});
  ts_cut_surface surface;
  cr_assert_eq(ts_cut_surface_create(&surface, arena, mesh, &zone, 0.5), TS_OK);
  cr_assert(surface.goes_on);
  for (size_t v = 0; v < mesh->vertex_count; v++) {
    double angle = ts_vec3_angle(mesh->vertices[v], skew()) - acos(0.98);
    if (!zone.is_inside[v] && angle < 0.5)
      cr_assert_neq(surface.free_vertices[v], TS_NOT_FREE);
    if (angle > 0.7)
      cr_assert_eq(surface.free_vertices[v], TS_NOT_FREE);
  }
  cr_assert_eq(ts_cut_surface_create(&surface, arena, mesh, &zone, 2), TS_OK);
  cr_assert_not(surface.goes_on);
}

Test(surface_system, a_boundary_through_vertices_is_moved_off_them) {
  ts_mesh *mesh = deform_block(arena, 8, 1, 0, (ts_vec3){0, 0, 0});
  // Through a row of vertices, and just before and behind it.
  const double offsets[] = {0.25, 0.25 - 1e-15, 0.25 + 1e-15, 0.25 + 1e-7, 0.25 - 1e-7};
  for (int k = 0; k < 5; k++) {
    solved s;
    solve(&s, mesh, deform_plane_zone(arena, mesh, (deform_plane){{1, 0, 0}, offsets[k], 0, 0}));
    for (size_t i = 0; i < s.surface.fixed_count; i++)
      cr_assert(s.surface.alphas[i] >= TS_ZONE_CUT_MIN &&
                s.surface.alphas[i] <= 1 - TS_ZONE_CUT_MIN);
    find_distances(&s, 0.8);
    for (size_t i = 0; i < s.surface.free_count; i++) {
      ts_vec3 p = mesh->vertices[s.surface.mesh_vertices[i]];
      if (fabs(p.y) > 0.2499 && p.x > -0.5)
        cr_assert_float_eq(s.values[i], 0.25 - p.x, 0.02, "offset %g", offsets[k]);
    }
    ts_surface_system_destroy(&s.system);
  }
}

Test(surface_system, a_part_of_the_mesh_without_a_way_to_the_zone_is_left_out) {
  // A shell within the block, turned inside out: the surface of a hole.
  ts_mesh *block = deform_block(arena, 6, 1, 0, (ts_vec3){0, 0, 0});
  ts_mesh *hole = deform_icosphere(arena, 1, 0.1, (ts_vec3){0, 0, 0});
  size_t vertex_count = block->vertex_count + hole->vertex_count;
  size_t triangle_count = block->triangle_count + hole->triangle_count;
  ts_vec3 *vertices = ts_arena_array(arena, vertex_count, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(arena, triangle_count, sizeof *triangles);
  memcpy(vertices, hole->vertices, hole->vertex_count * sizeof *vertices);
  memcpy(vertices + hole->vertex_count, block->vertices, block->vertex_count * sizeof *vertices);
  for (size_t t = 0; t < triangle_count; t++)
    for (int i = 0; i < 3; i++)
      triangles[t][i] = t < hole->triangle_count ? hole->triangles[t][2 - i]
                                                 : block->triangles[t - hole->triangle_count][i] +
                                                       (uint32_t)hole->vertex_count;
  ts_mesh *mesh;
  cr_assert_eq(ts_mesh_create(&mesh, arena, vertices, vertex_count, (const uint32_t(*)[3])triangles,
                              triangle_count),
               TS_OK, "%s", ts_status_detail());
  ts_deform_zone zone = deform_plane_zone(arena, mesh, (deform_plane){{1, 0, 0}, 0.5, 0, 0});
  ts_cut_surface surface;
  cr_assert_eq(ts_cut_surface_create(&surface, arena, mesh, &zone, INFINITY), TS_OK);
  for (size_t v = 0; v < hole->vertex_count; v++)
    cr_assert_eq(surface.free_vertices[v], TS_NOT_FREE);
  cr_assert_float_eq(area_of(&surface), 2 * 1.5 * 2 + 2 * 1.5 * 0.5 + 2 * 0.5, 1e-12);
}

Test(surface_system, crossings_that_are_not_those_of_the_zone_are_refused) {
  ts_mesh *mesh = deform_icosphere(arena, 1, 1, (ts_vec3){0, 0, 0});
  ts_deform_zone good = deform_plane_zone(arena, mesh, (deform_plane){skew(), 0.5, 0, 0});
  ts_cut_surface surface;
  for (int fault = 0; fault < 7; fault++) {
    ts_deform_zone zone = good;
    ts_zone_crossing *crossings =
        ts_arena_copy(arena, good.crossings, good.crossing_count, sizeof *crossings);
    uint8_t *is_inside = ts_arena_copy(arena, good.is_inside, mesh->vertex_count, 1);
    zone.crossings = crossings;
    zone.is_inside = is_inside;
    switch (fault) {
    case 0:
      crossings[0].inside = 10000;
      break;
    case 1:
      crossings[0].inside = crossings[0].outside;
      break;
    case 2:
      crossings[0].alpha = -0.1;
      break;
    case 3:
      crossings[0].alpha = NAN;
      break;
    case 4:
      crossings[0] = crossings[1];
      break;
    case 5:
      zone.crossing_count--;
      break;
    default:
      is_inside[crossings[0].inside] = 2;
      break;
    }
    cr_assert_eq(ts_cut_surface_create(&surface, arena, mesh, &zone, INFINITY), TS_E_INPUT,
                 "fault %d", fault);
  }
  // A crossing on no edge of the mesh.
  ts_deform_zone zone = good;
  ts_zone_crossing *crossings = ts_arena_array(arena, good.crossing_count + 1, sizeof *crossings);
  memcpy(crossings, good.crossings, good.crossing_count * sizeof *crossings);
  crossings[good.crossing_count] = crossings[0];
  for (uint32_t v = 0; v < mesh->vertex_count; v++)
    if (!good.is_inside[v] && ts_vec3_dot(mesh->vertices[v], skew()) < -0.9)
      crossings[good.crossing_count].outside = v;
  zone.crossings = crossings;
  zone.crossing_count++;
  cr_assert_eq(ts_cut_surface_create(&surface, arena, mesh, &zone, INFINITY), TS_E_INPUT);
  cr_assert(strstr(ts_status_detail(), "no edge") != NULL, "%s", ts_status_detail());
}
