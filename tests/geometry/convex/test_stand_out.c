// SPDX-License-Identifier: MIT
// covers: geometry/convex/stand_out.c
#include "geometry/convex/stand_out.h"

#include "tests/geometry/convex/cell_solids.h"
#include "tests/geometry/random_geometry.h"

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_stand_out, .init = setup, .fini = teardown);

/// Of the hull of all of a solid.
static double of_hull(const cells *c, ts_pose pose, double scale, double least_m) {
  ts_mesh *mesh;
  ts_hull hull;
  double out_m;
  cr_assert_eq(cells_mesh(&mesh, arena, c, pose, scale), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_hull_of_points(&hull, arena, mesh->vertices, mesh->vertex_count), TS_OK);
  size_t used = ts_arena_used(arena);
  cr_assert_eq(ts_stand_out(&out_m, arena, mesh, &hull, 1, least_m), TS_OK);
  cr_expect_eq(ts_arena_used(arena), used);
  return out_m;
}

static cells angle(void) {
  cells c = cells_even();
  cells_fill(&c, (const int[]){0, 0, 0}, (const int[]){2, 1, 1}, true);
  cells_fill(&c, (const int[]){0, 0, 0}, (const int[]){1, 2, 1}, true);
  return c;
}

Test(geometry_stand_out, the_hull_of_a_box_stands_out_by_no_more_than_asked_for) {
  cells c = cells_even();
  cells_fill(&c, (const int[]){0, 0, 0}, (const int[]){3, 2, 2}, true);
  cr_expect_eq(of_hull(&c, ts_pose_identity(), 1, 1e-2), 1e-2);
}

Test(geometry_stand_out, the_hull_of_an_l_stands_out_by_half_a_leg_in_any_pose_and_at_any_scale) {
  cells c = angle();
  ts_random random = ts_random_seed(7, 1);
  static const double scales[] = {1, 1e-3, 1e3};
  for (int i = 0; i < 6; i++) {
    double scale = scales[i % 3];
    ts_pose pose = random_pose(&random, i < 3 ? scale : 1e4 * scale);
    double out_m = of_hull(&c, pose, scale, 1e-4 * scale);
    cr_expect_geq(out_m, 0.5 * scale * (1 - 1e-9), "%g", out_m);
    cr_expect_leq(out_m, 0.55 * scale * (1 + 1e-6), "%g", out_m);
  }
}

Test(geometry_stand_out,
     a_bay_is_measured_to_its_nearest_wall_and_a_hole_is_not_seen_from_outside) {
  cells c = cells_even(); // a bay 1 wide and 4 deep, in the side of a block
  cells_fill(&c, (const int[]){0, 0, 0}, (const int[]){3, 5, 5}, true);
  cells_fill(&c, (const int[]){1, 1, 0}, (const int[]){2, 5, 5}, false);
  double out_m = of_hull(&c, ts_pose_identity(), 1, 1e-4);
  cr_expect(out_m >= 0.5 && out_m <= 0.5500001, "%g", out_m);
}

Test(geometry_stand_out, what_is_within_the_solid_does_not_stand_out) {
  cells c = angle();
  ts_mesh *mesh;
  ts_hull hull;
  double out_m;
  cr_assert_eq(cells_mesh(&mesh, arena, &c, ts_pose_identity(), 1), TS_OK);
  static const ts_vec3 tip[4] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  cr_assert_eq(ts_hull_of_points(&hull, arena, tip, 4), TS_OK);
  cr_assert_eq(ts_stand_out(&out_m, arena, mesh, &hull, 1, 1e-3), TS_OK);
  cr_expect_eq(out_m, 1e-3);
}
