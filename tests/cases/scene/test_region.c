// SPDX-License-Identifier: MIT
// covers: cases/scene/region.c
#include "tests/cases/case_fixture.h"

#include <criterion/criterion.h>

static ts_region region_of(ts_region_kind kind, ts_vec3 *vertices, size_t vertex_count,
                           ts_feasible *normals, size_t normal_count, bool needs_all) {
  ts_region region = {.body_a = 0,
                      .body_b = 1,
                      .kind = kind,
                      .needs_all = needs_all,
                      .vertex_count = vertex_count,
                      .vertices = vertices};
  for (int r = 0; r < TS_REFERENCE_COUNT; r++)
    region.feasible[r] = (ts_feasible_set){normal_count, normals};
  return region;
}

Test(cases_region, measures_are_area_length_or_one) {
  ts_vec3 corners[4] = {{1, 5, 1}, {3, 5, 1}, {3, 5, -2}, {1, 5, -2}};
  ts_feasible up = {{0, 1, 0}, 0};
  ts_region polygon = region_of(TS_REGION_POLYGON, corners, 4, &up, 1, true);
  cr_expect_float_eq(ts_region_measure(&polygon), 6, 1e-15);
  ts_region segment = region_of(TS_REGION_SEGMENT, corners + 1, 2, &up, 1, true);
  cr_expect_float_eq(ts_region_measure(&segment), 3, 1e-15);
  ts_region point = region_of(TS_REGION_POINT, corners, 1, &up, 1, true);
  cr_expect(ts_region_measure(&point) == 1);
}

Test(cases_region, open_normals_of_an_all_region_are_not_needed) {
  ts_vec3 point = {0, 0, 0};
  ts_feasible walls[2] = {{{1, 0, 0}, 0.01}, {{0, 1, 0}, -0.01}};
  ts_region region = region_of(TS_REGION_POINT, &point, 1, walls, 2, true);
  cr_expect(ts_feasible_is_open(&walls[0], (ts_touch_limits){1e-6, 1e-6}) &&
            !ts_feasible_is_open(&walls[1], (ts_touch_limits){1e-6, 1e-6}));
  cr_expect(ts_region_needed_normals(&region, TS_REFERENCE_DESIGN, (ts_touch_limits){1e-6, 1e-6}) ==
            1);
  cr_expect(ts_region_needed_normals(&region, TS_REFERENCE_DESIGN, (ts_touch_limits){0.02, 0.02}) ==
            2);
  walls[1].gap_m = 0.01;
  cr_expect(ts_region_needed_normals(&region, TS_REFERENCE_DESIGN, (ts_touch_limits){1e-6, 1e-6}) ==
            0);
}

// Convex bodies are apart as soon as one direction parts them, whichever one a reference asks for.
Test(cases_region, an_any_one_region_is_open_when_any_normal_is) {
  ts_vec3 ends[2] = {{0, 0, 0}, {0, 0, 1}};
  ts_feasible flanks[2] = {{{0.6, 0.8, 0}, 0.01}, {{-0.6, 0.8, 0}, -0.01}};
  ts_region region = region_of(TS_REGION_SEGMENT, ends, 2, flanks, 2, false);
  region.feasible[TS_REFERENCE_DESIGN] = (ts_feasible_set){1, &flanks[1]};
  cr_expect(ts_region_needed_normals(&region, TS_REFERENCE_DESIGN, (ts_touch_limits){1e-6, 1e-6}) ==
            0);
  cr_expect(
      ts_region_needed_normals(&region, TS_REFERENCE_FEASIBLE, (ts_touch_limits){1e-6, 1e-6}) == 0);
  cr_expect(ts_region_minimum(&region, TS_REFERENCE_DESIGN, (ts_touch_limits){1e-6, 1e-6}) == 0);
  flanks[0].gap_m = 0;
  cr_expect(ts_region_needed_normals(&region, TS_REFERENCE_DESIGN, (ts_touch_limits){1e-6, 1e-6}) ==
            1);
  cr_expect(
      ts_region_needed_normals(&region, TS_REFERENCE_FEASIBLE, (ts_touch_limits){1e-6, 1e-6}) == 1);
  cr_expect(ts_region_minimum(&region, TS_REFERENCE_FEASIBLE, (ts_touch_limits){1e-6, 1e-6}) == 2);
}

Test(cases_region, distance_allows_half_the_largest_gap) {
  ts_vec3 corners[4] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}};
  ts_feasible up = {{0, 1, 0}, 0};
  ts_region region = region_of(TS_REGION_POLYGON, corners, 4, &up, 1, true);
  cr_expect(ts_region_distance(&region, ts_vec3_make(0.5, 0, 0.5)) == 0);
  cr_expect_float_eq(ts_region_distance(&region, ts_vec3_make(0.5, 0.25, 0.5)), 0.25, 1e-15);
  cr_expect_float_eq(ts_region_distance(&region, ts_vec3_make(4, 0, 5)), 5, 1e-15);
  up.gap_m = -0.4;
  cr_expect(ts_region_distance(&region, ts_vec3_make(0.5, 0.2, 0.5)) == 0);
  cr_expect_float_eq(ts_region_distance(&region, ts_vec3_make(0.5, -0.25, 0.5)), 0.05, 1e-15);
}

/// The memory of a flat place of two triangles that are apart.
typedef struct two_triangles {
  ts_vec3 corners[2][3], hull[4];
  ts_polygon pieces[2];
  ts_feasible up;
} two_triangles;

static ts_region in_pieces(two_triangles *place) {
  *place = (two_triangles){
      .corners = {{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}}, {{4, 0, 0}, {4, 0, 1}, {5, 0, 0}}},
      .hull = {{0, 0, 0}, {0, 0, 1}, {4, 0, 1}, {5, 0, 0}},
      .pieces = {{3, place->corners[0]}, {3, place->corners[1]}},
      .up = {{0, 1, 0}, 0}};
  ts_region region = region_of(TS_REGION_POLYGON, place->hull, 4, &place->up, 1, true);
  region.piece_count = 2;
  region.pieces = place->pieces;
  return region;
}

Test(cases_region, distance_of_a_place_in_pieces_is_that_of_the_nearest) {
  two_triangles place;
  ts_region region = in_pieces(&place);
  for (int i = 0; i < 2; i++) {
    const double x = 4.0 * i;
    cr_expect(ts_region_distance(&region, ts_vec3_make(x + 0.25, 0, 0.25)) == 0);
    cr_expect_float_eq(ts_region_distance(&region, ts_vec3_make(x + 0.25, 0.5, 0.25)), 0.5, 1e-15);
  }
  // Close to the one, closer to the other; in the hull, between them.
  cr_expect_float_eq(ts_region_distance(&region, ts_vec3_make(1.5, 0, 0)), 0.5, 1e-15);
  cr_expect_float_eq(ts_region_distance(&region, ts_vec3_make(3.125, 0, 0.5)), 0.875, 1e-15);
}

Test(cases_region, the_largest_gap_is_that_of_any_reference) {
  ts_vec3 corner = {0, 0, 0};
  ts_feasible level = {{0, 1, 0}, 0}, deep = {{0, 1, 0}, -0.25};
  for (int r = 0; r < TS_REFERENCE_COUNT; r++) {
    ts_region region = region_of(TS_REGION_POINT, &corner, 1, &level, 1, true);
    region.feasible[r].normals = &deep;
    cr_expect_eq(ts_region_largest_gap(&region), 0.25);
  }
}

Test(cases_region, a_copy_keeps_nothing_of_the_original) {
  ts_arena *arena = case_fixture_arena();
  two_triangles place;
  ts_region region = in_pieces(&place);
  cr_assert_eq(ts_region_copy(&region, arena), TS_OK);
  for (int i = 0; i < 3; i++)
    place.corners[0][i].y = place.corners[1][i].y = place.hull[i].y = 7;
  place.up.gap_m = 7;
  for (size_t p = 0; p < 2; p++)
    for (int i = 0; i < 3; i++)
      cr_expect_eq(region.pieces[p].vertices[i].y, 0);
  cr_expect_eq(region.vertices[0].y, 0);
  cr_expect_eq(ts_region_largest_gap(&region), 0);
  ts_arena_destroy(arena);
}

// Parts of one place that are level within the tolerance have gaps of their own.
Test(cases_region, of_parts_as_large_the_first_gives_the_normals) {
  ts_arena *arena = case_fixture_arena();
  ts_vec3 low[3] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}}, high[3] = {{1, 0, 1}, {1, 0, 0}, {0, 0, 1}};
  ts_feasible up[2] = {{{0, 1, 0}, 1e-9}, {{0, 1, 0}, 2e-9}};
  ts_region parts[2] = {region_of(TS_REGION_POLYGON, low, 3, &up[0], 1, true),
                        region_of(TS_REGION_POLYGON, high, 3, &up[1], 1, true)};
  cr_assert_eq(ts_region_join(parts, 2, arena, 1e-6), TS_OK);
  cr_expect_eq(parts[0].feasible[TS_REFERENCE_DESIGN].normals[0].gap_m, 1e-9);
  cr_expect_eq(parts[0].piece_count, 2);
  cr_expect_float_eq(ts_region_measure(&parts[0]), 1, 1e-12);
  ts_arena_destroy(arena);
}
