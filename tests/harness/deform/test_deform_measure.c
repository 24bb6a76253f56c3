// SPDX-License-Identifier: MIT
// covers: harness/deform/deform_measure.c
// Two boxes whose vertices are moved by hand.
#include "harness/deform/deform_measure.h"

#include "base/status.h"
#include "geometry/mesh/mesh_split.h"
#include "tests/harness/deform/deform_fixture.h"

TestSuite(harness_deform_measure, .init = deform_setup, .fini = deform_teardown);

static ts_deform_pair pair;
static uint8_t *inside[2];
static ts_vec3 *after[2], *after_local[2];

/// Box b is 0.9 m above box a, along y; both have the vertices of edges of 0.5 m, and their facing
/// sides are the zone.
static void make_pair(void) {
  ts_scene *scene = deform_stack(2, 0.9, 1, ts_pose_identity());
  const ts_mesh *mesh;
  ts_bvh *tree;
  cr_assert_eq(ts_mesh_split_edges(&mesh, deform_arena, scene->shapes[0].mesh, 0.75), TS_OK);
  cr_assert_eq(ts_bvh_create_for_mesh(&tree, deform_arena, mesh), TS_OK);
  pair = (ts_deform_pair){.has_surface = true, .direction = {0, 1, 0}};
  cr_assert_eq(ts_elastic_pair_create(&pair.pair, deform_arena,
                                      (ts_elastic_shape){mesh, tree, scene->bodies[0].pose},
                                      (ts_elastic_shape){mesh, tree, scene->bodies[1].pose}),
               TS_OK);
  for (int i = 0; i < 2; i++) {
    size_t count = mesh->vertex_count;
    inside[i] = ts_arena_array(deform_arena, count, sizeof **inside);
    after[i] = ts_arena_copy(deform_arena, pair.pair->body[i].vertices, count, sizeof **after);
    after_local[i] = ts_arena_copy(deform_arena, mesh->vertices, count, sizeof **after_local);
    cr_assert(inside[i] && after[i] && after_local[i]);
    for (size_t v = 0; v < count; v++)
      inside[i][v] = mesh->vertices[v].y == (i == 0 ? 0.5 : -0.5);
    pair.sides[i] = (ts_deform_side){.mesh = mesh,
                                     .before = pair.pair->body[i].vertices,
                                     .after = after[i],
                                     .after_local = after_local[i],
                                     .zone = {.is_inside = inside[i]}};
  }
}

/// Moves what is in the zone of a side along y, by a height that is linear in x.
static void move_zone(int which, double by_m, double slope) {
  for (size_t v = 0; v < pair.sides[which].mesh->vertex_count; v++)
    if (inside[which][v]) {
      double moved = by_m + slope * after[which][v].x;
      after[which][v].y += moved;
      after_local[which][v].y += moved;
    }
}

Test(harness_deform_measure, what_both_share_is_that_of_the_moved_vertices) {
  ts_shared_volume shared;
  make_pair();
  cr_assert_eq(ts_deform_shared_volume(&shared, deform_arena, &pair, false), TS_OK);
  cr_expect_float_eq(shared.overlap_m3, 0.1, 1e-14);
  cr_expect_float_eq(shared.ldi_m3, 0.1, 1e-6);
  move_zone(0, -0.03, 0);
  move_zone(1, 0.03, 0.02);
  cr_assert_eq(ts_deform_shared_volume(&shared, deform_arena, &pair, true), TS_OK);
  cr_expect_float_eq(shared.overlap_m3, 0.04, 1e-14);
  cr_expect_float_eq(shared.deepest_m, 0.05, 1e-12);
  cr_expect_float_eq(shared.ldi_m3, 0.04, 1e-4);
  cr_assert_eq(ts_deform_shared_volume(&shared, deform_arena, &pair, false), TS_OK);
  cr_expect_float_eq(shared.overlap_m3, 0.1, 1e-14, "before is as it was");
}

/// The top of a is moved down by 1 m and this more, through its bottom, and b reaches below that.
static ts_shared_volume share_inside_out(double by_m) {
  ts_shared_volume shared;
  make_pair();
  move_zone(0, -1 - by_m, 0);
  move_zone(1, -2, 0);
  cr_assert_eq(ts_deform_shared_volume(&shared, deform_arena, &pair, true), TS_OK);
  return shared;
}

Test(harness_deform_measure, a_negative_volume_is_not_known_or_0_within_rounding) {
  ts_shared_volume shared = share_inside_out(0.5);
  cr_expect(isnan(shared.overlap_m3), "%g", shared.overlap_m3);
  cr_expect(isnan(share_inside_out(1e-11).overlap_m3));
  cr_expect_eq(share_inside_out(1e-13).overlap_m3, 0);
  cr_expect_eq(share_inside_out(0).overlap_m3, 0);
  cr_expect_float_eq(share_inside_out(-1e-3).overlap_m3, 1e-3, 1e-14);
}

Test(harness_deform_measure, a_stretch_that_does_not_end_on_both_is_not_known) {
  ts_shared_volume shared;
  make_pair();
  pair.direction = (ts_vec3){1, 0, 0}; // along the faces, which are flush at both ends
  cr_assert_eq(ts_deform_shared_volume(&shared, deform_arena, &pair, false), TS_OK);
  cr_expect_float_eq(shared.overlap_m3, 0.1, 1e-14);
  cr_expect_float_eq(shared.deepest_m, 1, 1e-12);
  pair.direction = (ts_vec3){0, -1, 0}; // what is inside both ends on a below and on b above
  cr_assert_eq(ts_deform_shared_volume(&shared, deform_arena, &pair, false), TS_OK);
  cr_expect_float_eq(shared.overlap_m3, 0.1, 1e-14);
  cr_expect(isnan(shared.deepest_m), "%g", shared.deepest_m);
  move_zone(0, -0.1, 0); // bodies that only touch have a depth of 0, along any direction
  cr_assert_eq(ts_deform_shared_volume(&shared, deform_arena, &pair, true), TS_OK);
  cr_expect_eq(shared.deepest_m, 0);
  cr_expect_eq(shared.ldi_m3, 0);
}

Test(harness_deform_measure, what_images_do_not_see_is_not_known) {
  ts_shared_volume shared;
  make_pair();
  move_zone(0, -0.1 + 1e-9, 0);
  cr_assert_eq(ts_deform_shared_volume(&shared, deform_arena, &pair, true), TS_OK);
  cr_expect_float_eq(shared.overlap_m3, 1e-9, 1e-15);
  cr_expect(isnan(shared.ldi_m3), "%g", shared.ldi_m3);
}

Test(harness_deform_measure, mismatch_of_planes_is_exact) {
  ts_zone_mismatch mismatch;
  make_pair();
  move_zone(0, -0.05, 0);
  move_zone(1, 0.05, 0);
  cr_assert_eq(ts_deform_mismatch(&mismatch, deform_arena, &pair, 0.1), TS_OK);
  cr_expect_lt(mismatch.max_m, 1e-15);
  // A gap of 0.01 m and a slope of 0.02 over a side of 1 m: 0.01^2 + 0.02^2 / 12.
  move_zone(1, 0.01, 0.02);
  cr_assert_eq(ts_deform_mismatch(&mismatch, deform_arena, &pair, 0.1), TS_OK);
  cr_expect_float_eq(mismatch.max_m, 0.02, 1e-14);
  cr_expect_float_eq(mismatch.rms_m, sqrt(1e-4 + 4e-4 / 12), 1e-14);
}

Test(harness_deform_measure, zones_that_are_not_above_each_other_have_no_mismatch) {
  ts_zone_mismatch mismatch;
  make_pair();
  memset(inside[1], 0, pair.sides[1].mesh->vertex_count);
  cr_assert_eq(ts_deform_mismatch(&mismatch, deform_arena, &pair, 0.1), TS_OK);
  cr_expect(isnan(mismatch.max_m) && isnan(mismatch.rms_m));
  make_pair(); // 0.1 m apart, and said to have overlapped by less
  cr_assert_eq(ts_deform_mismatch(&mismatch, deform_arena, &pair, 0.05), TS_OK);
  cr_expect(isnan(mismatch.max_m));
}

Test(harness_deform_measure, a_volume_error_is_what_was_cut_off) {
  make_pair();
  cr_expect_eq(ts_deform_volume_error(&pair.sides[0]), 0);
  move_zone(0, -0.05, 0);
  cr_expect_float_eq(ts_deform_volume_error(&pair.sides[0]), -0.05, 1e-14);
}

Test(harness_deform_measure, triangles_that_turn_over_are_counted) {
  make_pair();
  cr_expect_eq(ts_deform_turned_over(&pair.sides[0]), 0);
  move_zone(0, -0.2, 0);
  cr_expect_eq(ts_deform_turned_over(&pair.sides[0]), 0);
  move_zone(0, -1, 0); // through the other side of the box: its walls are inside out
  cr_expect_gt(ts_deform_turned_over(&pair.sides[0]), 0);
}

Test(harness_deform_measure, the_area_of_a_zone_is_cut_where_edges_leave_it) {
  make_pair();
  const ts_mesh *mesh = pair.sides[0].mesh;
  size_t count = 0;
  ts_zone_crossing *crossings =
      ts_arena_array(deform_arena, 3 * mesh->triangle_count, sizeof *crossings);
  cr_assert(crossings);
  for (size_t h = 3 * mesh->triangle_count; h-- > 0;) { // in any order
    const uint32_t *v = mesh->triangles[h / 3];
    uint32_t from = v[h % 3], to = v[(h + 1) % 3];
    if (inside[0][from] && !inside[0][to])
      crossings[count++] = (ts_zone_crossing){.inside = from, .outside = to, .alpha = 0};
  }
  pair.sides[0].zone.crossings = crossings;
  pair.sides[0].zone.crossing_count = count;
  double area;
  cr_assert_eq(ts_deform_zone_area(&area, deform_arena, &pair.sides[0]), TS_OK);
  cr_expect_float_eq(area, 1, 1e-14, "the top of the box");
  // Half way down the walls: their edges there are as long as 0.5 m, or the diagonals.
  for (size_t i = 0; i < count; i++)
    crossings[i].alpha = 0.5;
  cr_assert_eq(ts_deform_zone_area(&area, deform_arena, &pair.sides[0]), TS_OK);
  cr_expect_gt(area, 1.5);
  cr_expect_lt(area, 2.01);
}
