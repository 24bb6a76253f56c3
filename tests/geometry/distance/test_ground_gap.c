// SPDX-License-Identifier: MIT
// covers: geometry/distance/ground_gap.c
#include "geometry/distance/ground_gap.h"
#include "tests/geometry/mesh/curved.h"

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_ground_gap, .init = setup, .fini = teardown);

static const double scales[3] = {1e-3, 1, 1e3};

static const ts_mesh *cube(double size_m) {
  solid s = solid_box(size_m, size_m, size_m, 0);
  return solid_mesh(arena, &s);
}

/// The gap of a mesh of which the middle is there in the frame of the ground, with the ground at a
/// pose of its own.
static double gap_at(const ts_shape *ground, const ts_mesh *mesh, ts_vec3 there, double reach_m) {
  ts_quat turned = ts_quat_from_axis_angle(ts_vec3_unit((ts_vec3){1, -2, 3}), 0.7);
  ts_pose pose = {turned, {3, -2, 1}};
  double gap_m = NAN;
  size_t used = ts_arena_used(arena);
  cr_assert_eq(ts_ground_gap(&gap_m, arena, ground, pose, mesh,
                             ts_pose_mul(pose, (ts_pose){{1, 0, 0, 0}, there}), reach_m),
               TS_OK, "%s", ts_status_detail());
  cr_expect_eq(ts_arena_used(arena), used);
  return gap_m;
}

static const ts_shape plane = {.geometry = {.kind = TS_GEOMETRY_PLANE}};

Test(geometry_ground_gap, of_a_plane_is_the_height_of_the_lowest_vertex_anywhere) {
  for (int s = 0; s < 3; s++) {
    double scale = scales[s];
    const ts_mesh *mesh = cube(scale);
    const double heights[] = {0.75, 0.5, 0.4, -0.5, -30, -1e6};
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++)
      for (double x = 0; x < 1e5; x += 4e4) {
        double gap = gap_at(&plane, mesh, (ts_vec3){x * scale, heights[i] * scale, 0}, INFINITY);
        double rounding = 1e-14 * (fabs(heights[i]) + x + 5 / scale);
        cr_expect_float_eq(gap / scale, heights[i] - 0.5, rounding, "%g at %g: %.17g", heights[i],
                           x, gap / scale);
      }
  }
  cr_expect_eq(gap_at(&plane, cube(1), (ts_vec3){0, 0.75, 0}, 0.2), INFINITY, "beyond the reach");
}

/// Ground of so many cells of 1 m: heights by row.
static ts_shape ground_of(const double *heights, uint32_t side, double scale) {
  ts_vec3 *vertices = ts_arena_array(arena, side * side, sizeof *vertices);
  uint32_t(*triangles)[3] =
      ts_arena_array(arena, 2 * (size_t)(side - 1) * (side - 1), sizeof *triangles);
  ts_open_mesh *mesh = ts_arena_alloc(arena, sizeof *mesh);
  cr_assert(vertices && triangles && mesh);
  size_t count = 0;
  for (uint32_t r = 0; r < side; r++)
    for (uint32_t c = 0; c < side; c++)
      vertices[r * side + c] =
          (ts_vec3){(c - 0.5 * (side - 1)) * scale, heights[r * side + c] * scale,
                    (r - 0.5 * (side - 1)) * scale};
  for (uint32_t r = 0; r + 1 < side; r++)
    for (uint32_t c = 0; c + 1 < side; c++) {
      uint32_t near = r * side + c, far = near + side;
      const uint32_t corners[2][3] = {{near, far, far + 1}, {near, far + 1, near + 1}};
      memcpy(triangles[count], corners, sizeof corners);
      count += 2;
    }
  *mesh = (ts_open_mesh){side * side, vertices, count, (const uint32_t(*)[3])triangles};
  ts_shape shape = {.geometry = {.kind = TS_GEOMETRY_HEIGHTFIELD, .surface = mesh},
                    .ground = {.wanted_m = 2 * scale, .body_m = scale}};
  shape.ground.sheet = (ts_sheet){.up_local = {0, 1, 0}, .thickness_m = 2 * scale};
  ts_mesh *sheet;
  cr_assert_eq(ts_sheet_create(&sheet, &shape.ground.sheet, arena, mesh, INFINITY), TS_OK);
  shape.mesh = sheet;
  return shape;
}

static const double level[25] = {0};

Test(geometry_ground_gap, of_a_field_goes_on_below_its_sheet) {
  for (int s = 0; s < 3; s++) {
    double scale = scales[s];
    ts_shape ground = ground_of(level, 5, scale); // 4 m x 4 m
    const ts_mesh *mesh = cube(0.5 * scale);
    // Down to -1.5 it is the lower corners, below what is above them; deeper, they and then the
    // middle of the cube are nearest to the walls below the border.
    const struct {
      double height, expected;
    } cases[] = {{0.5, 0.25},   {0.25, 0},     {0, -0.25},  {-0.5, -0.75}, {-1, -1.25},
                 {-1.5, -1.75}, {-1.7, -1.75}, {-2.25, -2}, {-9, -2},      {-1e4, -2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      double gap = gap_at(&ground, mesh, (ts_vec3){0, cases[i].height * scale, 0}, INFINITY);
      double rounding = 1e-14 * (10 / scale + fabs(cases[i].height));
      cr_expect_float_eq(gap / scale, cases[i].expected, rounding, "%g: %.17g", cases[i].height,
                         gap / scale);
    }
    double beside = gap_at(&ground, mesh, (ts_vec3){3 * scale, -9 * scale, 0}, INFINITY);
    cr_expect_float_eq(beside / scale, 0.75, 1e-13 / scale + 1e-13, "a wall: %g", beside / scale);
  }
}

Test(geometry_ground_gap, of_a_surface_that_lies_above_itself_is_by_its_sheet_as_it_is) {
  ts_shape ground = ground_of(level, 5, 1);
  ground.ground.wanted_m = 7; // it was made thinner than that
  const ts_mesh *mesh = cube(0.5);
  cr_expect_float_eq(gap_at(&ground, mesh, (ts_vec3){0, -0.5, 0}, INFINITY), -0.75, 1e-14);
  cr_expect_float_eq(gap_at(&ground, mesh, (ts_vec3){0, -2.75, 0}, INFINITY), 0.5, 1e-14,
                     "below the sheet");
}

Test(geometry_ground_gap, of_hills_is_the_way_to_the_nearest_slope) {
  double heights[25];
  for (int i = 0; i < 25; i++)
    heights[i] = i % 5; // a slope of 45 degrees up along x, 0 at x = -2
  ts_shape ground = ground_of(heights, 5, 1);
  solid s = solid_box(0.02, 0.02, 0.02, 0);
  const ts_mesh *speck = solid_mesh(arena, &s);
  const double half = sqrt(0.5);
  // 1 m below the slope in the middle of it; its height is x + 2.
  double gap = gap_at(&ground, speck, (ts_vec3){0, 1, 0.1}, INFINITY);
  cr_expect_float_eq(gap, -half * 1.02, 1e-12, "%.17g", gap);
  gap = gap_at(&ground, speck, (ts_vec3){0, 3, 0.1}, INFINITY);
  cr_expect_float_eq(gap, half * 0.98, 1e-12, "%.17g", gap);
  // Deeper than the sheet, 2 m, is thick: the wall at z = 2 is the nearest, 1.5 m away.
  gap = gap_at(&ground, speck, (ts_vec3){0, -3, 0.5}, INFINITY);
  cr_expect_float_eq(gap, -1.51, 1e-12, "%.17g", gap);
}
