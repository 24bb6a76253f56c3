// SPDX-License-Identifier: MIT
// covers: ldi/cells.c ldi/ldi.c
#include "ldi/scan.h"
#include "tests/ldi/ldi_fixture.h"

#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(ldi_measure, .init = setup, .fini = teardown);

Test(ldi_measure, whole_pixels_of_boxes_are_measured_exactly) {
  ts_ldi *ldi = ldi_open(ldi_box(arena, 2, 2, 2), ldi_box(arena, 1, 0.5, 2), 1);
  const int resolutions[] = {1, 2, 4, 64, 128};
  for (int i = 0; i < 5; i++) {
    // The overlap is 1 x 0.5 x 1.
    ldi_place(ldi, ldi_at(0, 0, 0), ldi_at(0.25, 0.25, 1), resolutions[i]);
    ts_ldi_overlap overlap = ldi_measure(ldi);
    for (int axis = 0; axis < 3; axis++)
      cr_expect_float_eq(overlap.view_volume_m3[axis], 0.5, 1e-14, "%d px, view %d: %.17g",
                         resolutions[i], axis, overlap.view_volume_m3[axis]);
    // a's top pushes up by 1 x 0.5, b's bottom down; a's sides are outside.
    ts_vec3 a = ldi_sum(overlap.gradient[0], 8), b = ldi_sum(overlap.gradient[1], 8);
    cr_expect_float_eq(a.z, 0.5, 1e-14);
    cr_expect(a.x == 0 && a.y == 0);
    cr_expect(b.x == 0 && b.y == 0);
    cr_expect_float_eq(b.z, -a.z, 1e-15);
  }
  ts_ldi_destroy(ldi);
}

Test(ldi_measure, the_finest_grid_measures_a_rod) {
  ts_ldi *ldi = ldi_open(ldi_box(arena, 2, 0.003, 0.002), ldi_cube(arena, 1), 2);
  ldi_place(ldi, ldi_at(0, 0, 0), ldi_at(0, 0, 0), TS_LDI_RESOLUTION_MAX);
  cr_assert_eq(ts_ldi_placed(ldi)->grid.size[0], 4096);
  ts_ldi_overlap overlap = ldi_measure(ldi);
  cr_expect_float_eq(overlap.view_volume_m3[1], 6e-6, 0.1 * 6e-6);
  cr_expect_float_eq(overlap.view_volume_m3[2], 6e-6, 0.1 * 6e-6);
  // Its ends are seen by few pixels, 13 x 9 of 12.3 x 8.2.
  cr_expect_float_eq(overlap.view_volume_m3[0], 6e-6, 0.2 * 6e-6);
  ts_ldi_destroy(ldi);
}

Test(ldi_measure, a_plate_thinner_than_a_pixel_is_seen_through_its_face) {
  ts_mesh *plate = ldi_box(arena, 4, 4, 1e-4);
  ts_ldi *ldi = ldi_open(plate, ldi_cube(arena, 1), 1);
  ldi_place(ldi, ldi_at(0, 0, 0.2), ldi_at(0, 0, 0), 64);
  ts_ldi_overlap overlap = ldi_measure(ldi);
  cr_expect_float_eq(overlap.view_volume_m3[2], 1e-4, 1e-12, "%.17g", overlap.view_volume_m3[2]);
  // Turned, the grid is laid over all of the cube, and each view sees it.
  ts_pose turned = {ts_quat_from_axis_angle(ts_vec3_unit(ts_vec3_make(1, -1, 0)), 0.9), {0, 0, 0}};
  ldi_place(ldi, turned, ldi_at(0, 0, 0), 64);
  overlap = ldi_measure(ldi);
  exact_body a, b;
  cr_assert_eq(exact_body_create(&a, plate, turned), TS_OK);
  cr_assert_eq(exact_body_create(&b, ldi_cube(arena, 1), ldi_at(0, 0, 0)), TS_OK);
  double exact = exact_overlap_volume(&a, &b);
  cr_expect_float_eq(overlap.view_volume_m3[2], exact, 0.01 * exact, "%g, not %g",
                     overlap.view_volume_m3[2], exact);
  exact_body_free(&a);
  exact_body_free(&b);
  ts_ldi_destroy(ldi);
}

/// A fork of two prongs along x: x -2 to 2, y -0.5 to 0.5, its prongs z -1 to 1 at both ends.
static ts_mesh *fork_mesh(void) {
  const double p[8][2] = {{-2, -1}, {-1, -1}, {-1, 0.5}, {1, 0.5},
                          {1, -1},  {2, -1},  {2, 1},    {-2, 1}};
  const uint32_t cap[6][3] = {{0, 1, 2}, {0, 2, 7}, {2, 3, 7}, {3, 6, 7}, {3, 4, 6}, {4, 5, 6}};
  solid s = solid_between(p, p, 8, cap, 6, -0.5, 0.5, 0);
  ts_pose upright = ts_pose_identity();
  upright.rotation = ts_quat_from_axis_angle(ts_vec3_make(1, 0, 0), 2 * atan(1));
  solid_move(&s, upright);
  return solid_mesh(arena, &s);
}

Test(ldi_measure, several_intervals_of_a_line_are_summed_up) {
  // A bar through both prongs: two intervals along x, as a bar in front of the fork has none.
  ts_ldi *ldi = ldi_open(fork_mesh(), ldi_box(arena, 8, 0.5, 0.5), 1);
  ldi_place(ldi, ts_pose_identity(), ldi_at(0, 0, -0.5), 64);
  ts_ldi_overlap overlap = ldi_measure(ldi);
  for (int axis = 0; axis < 3; axis++)
    cr_expect_float_eq(overlap.view_volume_m3[axis], 0.5, 1e-14, "view %d: %.17g", axis,
                       overlap.view_volume_m3[axis]);
  cr_expect_leq(ts_vec3_norm(ldi_sum(overlap.gradient[0], 16)), 1e-14);
  ldi_place(ldi, ts_pose_identity(), ldi_at(0, 0.8, -0.5), 64);
  cr_expect_eq(ldi_measure(ldi).volume_m3, 0);
  ts_ldi_destroy(ldi);
}

/// A ball with a cavity.
static ts_mesh *hollow_ball(double radius, double cavity_radius) {
  const ts_mesh *ball = ldi_sphere(arena, 11, 20, radius);
  size_t n = ball->vertex_count, m = ball->triangle_count;
  ts_vec3 *vertices = ts_arena_array(arena, 2 * n, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(arena, 2 * m, sizeof *triangles);
  cr_assert(vertices && triangles);
  for (size_t i = 0; i < n; i++) {
    vertices[i] = ball->vertices[i];
    vertices[n + i] = ts_vec3_scale(ball->vertices[i], cavity_radius / radius);
  }
  for (size_t t = 0; t < m; t++)
    for (int i = 0; i < 3; i++) {
      triangles[t][i] = ball->triangles[t][i];
      triangles[m + t][i] = (uint32_t)n + ball->triangles[t][2 - i];
    }
  ts_mesh *mesh = NULL;
  cr_assert_eq(
      ts_mesh_create(&mesh, arena, vertices, 2 * n, (const uint32_t(*)[3])triangles, 2 * m), TS_OK,
      "%s", ts_status_detail());
  return mesh;
}

Test(ldi_measure, a_cavity_is_outside) {
  ts_mesh *hollow = hollow_ball(2, 1), *small = ldi_sphere(arena, 5, 8, 0.9);
  ts_ldi *ldi = ldi_open(hollow, small, 1);
  ldi_place(ldi, ts_pose_identity(), ts_pose_identity(), 64);
  cr_expect_eq(ldi_measure(ldi).volume_m3, 0);
  cr_expect_eq(ldi_find(arena, ldi, 0).count, 0);
  // Towards the wall it is pushed back from inside.
  ts_pose to_wall = ldi_at(0.4, 0, 0);
  ldi_place(ldi, ts_pose_identity(), to_wall, 64);
  exact_body a, b;
  cr_assert_eq(exact_body_create(&a, hollow, ts_pose_identity()), TS_OK);
  cr_assert_eq(exact_body_create(&b, small, to_wall), TS_OK);
  double exact = exact_overlap_volume(&a, &b);
  cr_expect_float_eq(ldi_measure(ldi).volume_m3, exact, 0.01 * exact);
  ldi_contacts found = ldi_find(arena, ldi, 0);
  cr_assert_eq(found.count, 1);
  cr_expect_lt(found.list[0].normal.x, -0.99);
  exact_body_free(&a);
  exact_body_free(&b);
  ts_ldi_destroy(ldi);
}

Test(ldi_measure, one_body_inside_the_other_is_its_own_volume_and_is_not_pushed) {
  ts_mesh *outer = ldi_sphere(arena, 11, 20, 3);
  const ts_mesh *inner[] = {ldi_cube(arena, 1), ldi_torus(arena, 16, 8, 1, 0.35), ldi_crack(arena)};
  ts_random random = ts_random_seed(6, 1);
  for (int i = 0; i < 3; i++) {
    ts_ldi *ldi = ldi_open(outer, inner[i], 1);
    double exact = ts_mesh_mass_properties(inner[i], 1).volume_m3;
    for (int n = 0; n < LDI_TRIES(20); n++) {
      ts_pose pose = random_pose(&random, 0.2);
      ldi_place(ldi, random_pose(&random, 0.05), pose, 100);
      ts_ldi_overlap overlap = ldi_measure(ldi);
      cr_expect_float_eq(overlap.volume_m3, exact, 0.01 * exact, "%g, not %g", overlap.volume_m3,
                         exact);
      for (size_t k = 0; k < outer->vertex_count; k++)
        cr_assert_eq(ts_vec3_norm(overlap.gradient[0][k]), 0);
      ts_vec3 rest = ldi_sum(overlap.gradient[1], inner[i]->vertex_count);
      cr_expect_leq(ts_vec3_norm(rest), 1e-13);
      cr_expect_eq(ldi_find(arena, ldi, 0).count, 0);
    }
    ts_ldi_destroy(ldi);
  }
}

Test(ldi_measure, a_body_on_itself_is_its_own_volume_and_is_not_pushed) {
  ts_mesh *mesh = ldi_torus(arena, 16, 8, 1, 0.35);
  double exact = ts_mesh_mass_properties(mesh, 1).volume_m3;
  ts_ldi *ldi = ldi_open(mesh, mesh, 1);
  ts_random random = ts_random_seed(7, 1);
  for (int n = 0; n < LDI_TRIES(20); n++) {
    ts_pose pose = n == 0 ? ts_pose_identity() : random_pose(&random, 3);
    ldi_place(ldi, pose, pose, 100);
    ts_ldi_overlap overlap = ldi_measure(ldi);
    cr_expect_float_eq(overlap.volume_m3, exact, 0.01 * exact);
    cr_expect_leq(ts_vec3_norm(ldi_sum(overlap.gradient[0], mesh->vertex_count)), 1e-13);
    for (size_t i = 0; i < mesh->vertex_count; i++)
      cr_assert_eq(ts_vec3_distance(overlap.gradient[0][i], overlap.gradient[1][i]), 0);
    cr_expect_eq(ldi_find(arena, ldi, 0).count, 0);
  }
  ts_ldi_destroy(ldi);
}

Test(ldi_measure, unused_vertices_are_never_pushed) {
  solid s = solid_box(1, 1, 1, 0);
  solid_add_vertex(&s, 0.2, 0.1, 0);
  ts_ldi *ldi = ldi_open(solid_mesh(arena, &s), ldi_cube(arena, 1), 1);
  ldi_place(ldi, ldi_at(0, 0, 0), ldi_at(0.3, 0.2, 0.5), 32);
  ts_ldi_overlap overlap = ldi_measure(ldi);
  cr_expect_eq(ts_vec3_norm(overlap.gradient[0][8]), 0);
  cr_expect_float_eq(overlap.volume_m3, 0.7 * 0.8 * 0.5, 0.02 * 0.28);
  ts_ldi_destroy(ldi);
}

static void expect_refused(ts_ldi *ldi, ts_pose a, ts_pose b, int resolution_px,
                           const char *words) {
  cr_expect_eq(ts_ldi_place(ldi, a, b, resolution_px), TS_E_INPUT, "%s", words);
  cr_expect(strstr(ts_status_detail(), words), "\"%s\" does not say %s", ts_status_detail(), words);
  cr_expect_eq(ldi_measure(ldi).volume_m3, 0);
  cr_expect_eq(ldi_find(arena, ldi, 0).count, 0);
}

Test(ldi_measure, poses_and_resolutions_out_of_range_are_refused) {
  ts_mesh *cube = ldi_cube(arena, 1);
  ts_ldi *ldi = ldi_open(cube, cube, 1);
  ts_pose fine = ldi_at(0.5, 0, 0), nan_quat = fine;
  nan_quat.rotation.x = NAN;
  const ts_pose bad[] = {ldi_at(NAN, 0, 0), ldi_at(0, INFINITY, 0), ldi_at(0, 0, -INFINITY),
                         nan_quat};
  for (int i = 0; i < 4; i++) {
    expect_refused(ldi, bad[i], fine, 16, "body a");
    expect_refused(ldi, fine, bad[i], 16, "body b");
  }
  const int resolutions[] = {0, -1, INT32_MIN, TS_LDI_RESOLUTION_MAX + 1};
  for (int i = 0; i < 4; i++)
    expect_refused(ldi, fine, fine, resolutions[i], "1 to 4096");
  // After all of that it still works.
  ldi_place(ldi, ldi_at(0, 0, 0), fine, 16);
  cr_expect_float_eq(ldi_measure(ldi).volume_m3, 0.5, 1e-14);
  ts_ldi_destroy(ldi);
}

Test(ldi_measure, coordinates_that_lose_a_body_are_refused) {
  ts_mesh *cube = ldi_cube(arena, 1);
  ts_ldi *ldi = ldi_open(cube, cube, 1);
  const double far[] = {1e14, 1e17, 1e200};
  for (int i = 0; i < 3; i++)
    expect_refused(ldi, ldi_at(far[i], 0, 0), ldi_at(far[i], 0.5, 0), 64,
                   "too far from the origin");
  ts_ldi_destroy(ldi);
}

Test(ldi_measure, no_thread_is_refused) {
  ts_mesh *cube = ldi_cube(arena, 1);
  ts_ldi *ldi = (ts_ldi *)cube;
  cr_expect_eq(ts_ldi_create_for_meshes(&ldi, &ts_ldi_backend_cpu, cube, cube, 0), TS_E_INPUT);
  cr_expect_null(ldi);
  cr_expect(strstr(ts_status_detail(), "at least 1"), "%s", ts_status_detail());
  ts_ldi_destroy(NULL);
}

Test(ldi_measure, meshes_that_would_break_it_are_refused_before_with_their_element_named) {
  ts_mesh *mesh;
  solid open = solid_box(1, 1, 1, 0);
  open.triangle_count--;
  cr_expect_eq(solid_try(&mesh, arena, &open), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "triangle"), "%s", ts_status_detail());
  solid not_finite = solid_box(1, 1, 1, 0);
  not_finite.vertices[5].y = NAN;
  cr_expect_eq(solid_try(&mesh, arena, &not_finite), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "vertex 5"), "%s", ts_status_detail());
  solid inverted = solid_box(1, 1, -1, 0);
  cr_expect_eq(solid_try(&mesh, arena, &inverted), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "volume"), "%s", ts_status_detail());
  solid two_sheets = solid_box(1, 1, 1, 0);
  solid_add_vertex(&two_sheets, 0, 0, 2);
  solid_add_triangle(&two_sheets, 4, 5, 8);
  cr_expect_eq(solid_try(&mesh, arena, &two_sheets), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "triangle"), "%s", ts_status_detail());
}
