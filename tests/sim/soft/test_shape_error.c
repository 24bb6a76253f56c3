// SPDX-License-Identifier: MIT
// covers: sim/soft/shape_error.c
#include "sim/soft/shape_error.h"
#include "tests/sim/soft/soft_scene.h"

#include <criterion/criterion.h>
#include <math.h>

static const ts_vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {1, 1, 1}};

Test(shape_error, a_fit_finds_the_rigid_motion_at_any_scale_and_far_from_the_origin) {
  const ts_pose motion = {ts_quat_from_axis_angle(ts_vec3_unit((ts_vec3){1, -2, 3}), 2.5),
                          {4, 5, -6}};
  const double cases[4][2] = {{1, 0}, {1e-3, 0}, {1e3, 0}, {1, 1e6}};
  for (int c = 0; c < 4; c++) {
    ts_vec3 from[5], to[5];
    double scale = cases[c][0], far = cases[c][1];
    for (int i = 0; i < 5; i++) {
      from[i] = ts_vec3_scale(points[i], scale);
      to[i] = ts_vec3_add(ts_pose_point(motion, from[i]), (ts_vec3){far, 0, 0});
    }
    ts_pose pose;
    double distance_m;
    ts_shape_fit(&pose, &distance_m, from, to, NULL, 5);
    cr_assert_leq(distance_m, 1e-14 * scale + 1e-14 + 1e-15 * far);
    for (int i = 0; i < 5; i++)
      cr_assert_leq(ts_vec3_distance(ts_pose_point(pose, from[i]), to[i]),
                    1e-14 * scale + 1e-14 + 1e-15 * far);
  }
}

Test(shape_error, what_a_fit_leaves_is_the_root_of_the_weighted_mean_square) {
  // Two pairs of points on a line that is stretched by 0.2 at each end; the third has no weight.
  const ts_vec3 from[3] = {{-1, 0, 0}, {1, 0, 0}, {0, 7, 0}};
  const ts_vec3 to[3] = {{0, -1.2, 5}, {0, 1.2, 5}, {9, 9, 9}};
  const double weights[3] = {2, 2, 0};
  double distance_m;
  ts_shape_fit(NULL, &distance_m, from, to, weights, 3);
  cr_assert_float_eq(distance_m, 0.2, 1e-14);
}

Test(shape_error, a_mirrored_shape_is_not_fitted_by_a_mirror) {
  ts_vec3 mirrored[5];
  double distance_m;
  ts_pose pose;
  for (int i = 0; i < 5; i++)
    mirrored[i] = (ts_vec3){-points[i].x, points[i].y, points[i].z};
  ts_shape_fit(&pose, &distance_m, points, mirrored, NULL, 5);
  cr_assert_gt(distance_m, 0.1);
}

Test(shape_error, one_point_and_none_have_an_answer) {
  ts_pose pose;
  double distance_m;
  ts_shape_fit(&pose, &distance_m, points + 1, points + 2, NULL, 1);
  cr_assert_eq(distance_m, 0);
  cr_assert_leq(ts_vec3_distance(ts_pose_point(pose, points[1]), points[2]), 1e-15);
  ts_shape_fit(&pose, &distance_m, NULL, NULL, NULL, 0);
  cr_assert(isnan(distance_m));
}

/// Two worlds of one clamped or free bar along z.
static void two_worlds(soft_scene *s, ts_soft_world *worlds[2], bool is_clamped) {
  static const uint32_t clamped[4] = {0, 1, 2, 3};
  tet_grid grid = {1, 1, 8, {-0.05, -0.05, 0}, {0.05, 0.05, 0.8}};
  ts_elastic elastic = {.young_pa = 1e5,
                        .poisson = 0.3,
                        .clamped_count = is_clamped ? 4 : 0,
                        .clamped = is_clamped ? clamped : NULL};
  soft_scene_init(s);
  ts_pose pose = {ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, 0.7), {1, 2, 3}};
  soft_scene_add(s, tet_grid_mesh(s->arena, &grid), pose, &elastic);
  for (int i = 0; i < 2; i++)
    worlds[i] = soft_scene_world(s, TS_COMPLIANCE_EXACT);
}

static void release(soft_scene *s, ts_soft_world *worlds[2]) {
  for (int i = 0; i < 2; i++)
    ts_soft_world_destroy(worlds[i]);
  soft_scene_release(s);
}

/// Gives the bar the shape that `shape` makes of its rest positions, then moves it.
static void set_shape(const soft_scene *s, ts_soft_world *world, ts_vec3 (*shape)(ts_vec3, double),
                      double by, ts_pose move) {
  ts_vec3 positions[64], velocities[64] = {{0, 0, 0}};
  const ts_mesh *mesh = s->shapes[0].mesh;
  cr_assert_leq(mesh->vertex_count, 64);
  for (size_t i = 0; i < mesh->vertex_count; i++)
    positions[i] = ts_pose_point(move, shape(mesh->vertices[i], by));
  cr_assert_eq(ts_soft_world_set_nodes(world, 0, positions, velocities), TS_OK);
}

static ts_vec3 stretched(ts_vec3 p, double by) {
  return (ts_vec3){p.x, p.y, p.z * (1 + by)};
}

static ts_vec3 twisted(ts_vec3 p, double by) {
  return ts_quat_rotate(ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, by * p.z), p);
}

Test(shape_error, errors_are_relative_to_how_much_the_exact_shape_is_deformed_and_displaced) {
  soft_scene s;
  ts_soft_world *worlds[2];
  ts_shape_errors errors;
  two_worlds(&s, worlds, false);
  ts_shape_compare(&errors, worlds[0], worlds[1], s.shapes, s.bodies);
  cr_assert(isnan(errors.deformation) && isnan(errors.displacement));
  // Stretched by 10 and 11 percent; z of nodes is spread by sqrt(60/9) 0.1 m about the mean.
  ts_pose start = s.bodies[0].pose, moved = start;
  moved.translation.x += 2;
  set_shape(&s, worlds[0], stretched, 0.11, start);
  set_shape(&s, worlds[1], stretched, 0.1, start);
  ts_shape_compare(&errors, worlds[0], worlds[1], s.shapes, s.bodies);
  cr_assert_float_eq(errors.deformation, 0.1, 1e-12);
  cr_assert_float_eq(errors.displacement, 0.1, 1e-12);
  cr_assert_float_eq(errors.exact_deformation_m, 0.01 * sqrt(60.0 / 9), 1e-14);
  set_shape(&s, worlds[0], stretched, 0.1, moved); // the same shape elsewhere
  ts_shape_compare(&errors, worlds[0], worlds[1], s.shapes, s.bodies);
  cr_assert_leq(errors.deformation, 1e-12);
  cr_assert_float_eq(errors.displacement * errors.exact_displacement_m, 2, 1e-12);
  release(&s, worlds);
}

Test(shape_error, the_largest_rotation_of_a_rigid_motion_is_0_and_of_a_clamped_body_all_of_it) {
  soft_scene s;
  ts_soft_world *worlds[2];
  ts_pose turned = {ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, 0.9), {0, 1, 0}};
  for (int is_clamped = 0; is_clamped < 2; is_clamped++) {
    two_worlds(&s, worlds, is_clamped != 0);
    cr_assert_leq(ts_shape_largest_rotation_rad(worlds[0], s.bodies), 1e-13);
    set_shape(&s, worlds[0], stretched, 0, ts_pose_mul(turned, s.bodies[0].pose));
    double expected = is_clamped ? 0.9 : 0;
    cr_assert_float_eq(ts_shape_largest_rotation_rad(worlds[0], s.bodies), expected, 1e-13);
    release(&s, worlds);
  }
}

Test(shape_error, the_largest_rotation_of_a_twisted_bar_is_that_of_its_end) {
  soft_scene s;
  ts_soft_world *worlds[2];
  two_worlds(&s, worlds, true);
  set_shape(&s, worlds[0], twisted, 1.5, s.bodies[0].pose);
  double largest = ts_shape_largest_rotation_rad(worlds[0], s.bodies);
  cr_assert(largest > 1.5 * 0.7 && largest < 1.5 * 0.82, "%g", largest); // of the last cell
  release(&s, worlds);
  two_worlds(&s, worlds, false); // against the middle of the bar
  set_shape(&s, worlds[0], twisted, 1.5, s.bodies[0].pose);
  largest = ts_shape_largest_rotation_rad(worlds[0], s.bodies);
  cr_assert(largest > 1.5 * 0.3 && largest < 1.5 * 0.42, "%g", largest);
  release(&s, worlds);
}
