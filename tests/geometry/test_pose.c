// SPDX-License-Identifier: MIT
// covers: geometry/pose.c
#include "tests/geometry/random_geometry.h"

#include <criterion/criterion.h>

static const double pi = 3.14159265358979323846;

static void expect_near(ts_vec3 got, ts_vec3 expected, double tolerance, const char *what) {
  cr_expect(ts_vec3_distance(got, expected) <= tolerance, "%s: (%g, %g, %g), not (%g, %g, %g)",
            what, got.x, got.y, got.z, expected.x, expected.y, expected.z);
}

static double quat_norm(ts_quat q) {
  return sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}

Test(geometry_pose, quarter_turns_go_the_right_way) {
  ts_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
  expect_near(ts_quat_rotate(ts_quat_from_axis_angle(z, pi / 2), x), y, 1e-15, "x about z");
  expect_near(ts_quat_rotate(ts_quat_from_axis_angle(x, pi / 2), y), z, 1e-15, "y about x");
  expect_near(ts_quat_rotate(ts_quat_from_axis_angle(y, pi / 2), z), x, 1e-15, "z about y");
  expect_near(ts_quat_rotate(ts_quat_from_axis_angle(z, -pi / 2), y), x, 1e-15, "back");
}

Test(geometry_pose, rotation_agrees_with_rodrigues) {
  ts_random random = ts_random_seed(1, 0);
  for (int i = 0; i < 500; i++) {
    ts_vec3 axis = ts_vec3_unit(random_point(&random, 1)), p = random_point(&random, 10);
    double angle = ts_random_uniform(&random, -7, 7), c = cos(angle), s = sin(angle);
    ts_vec3 expected = ts_vec3_scale(p, c);
    expected = ts_vec3_add_scaled(expected, s, ts_vec3_cross(axis, p));
    expected = ts_vec3_add_scaled(expected, (1 - c) * ts_vec3_dot(axis, p), axis);
    expect_near(ts_quat_rotate(ts_quat_from_axis_angle(axis, angle), p), expected, 1e-13, "turned");
  }
}

Test(geometry_pose, the_axes_of_a_rotation_give_it_back) {
  ts_random random = ts_random_seed(9, 0);
  for (int i = 0; i < 500; i++) {
    // Half turns too, where one component of the quaternion has all the digits.
    ts_quat q = i % 5 == 0 ? (ts_quat){0, i % 3 == 0, i % 3 == 1, i % 3 == 2}
                           : ts_quat_from_axis_angle(ts_vec3_unit(random_point(&random, 1)),
                                                     ts_random_uniform(&random, -4, 4));
    ts_vec3 x = ts_quat_rotate(q, (ts_vec3){1, 0, 0}), y = ts_quat_rotate(q, (ts_vec3){0, 1, 0});
    ts_vec3 z = ts_quat_rotate(q, (ts_vec3){0, 0, 1}), p = random_point(&random, 1);
    ts_quat got = ts_quat_from_axes(x, y, z);
    cr_expect_float_eq(quat_norm(got), 1, 1e-15);
    expect_near(ts_quat_rotate(got, p), ts_quat_rotate(q, p), 1e-14, "turned");
  }
}

Test(geometry_pose, rotation_keeps_lengths_and_handedness) {
  ts_random random = ts_random_seed(2, 0);
  for (int i = 0; i < 500; i++) {
    ts_quat q = random_rotation(&random);
    ts_vec3 u = random_point(&random, 3), v = random_point(&random, 3);
    ts_vec3 ru = ts_quat_rotate(q, u), rv = ts_quat_rotate(q, v);
    cr_assert_float_eq(ts_vec3_norm(ru), ts_vec3_norm(u), 1e-14);
    cr_assert_float_eq(ts_vec3_dot(ru, rv), ts_vec3_dot(u, v), 1e-13);
    expect_near(ts_vec3_cross(ru, rv), ts_quat_rotate(q, ts_vec3_cross(u, v)), 1e-13, "handed");
  }
}

Test(geometry_pose, product_does_the_right_factor_first) {
  ts_random random = ts_random_seed(3, 0);
  for (int i = 0; i < 200; i++) {
    ts_quat a = random_rotation(&random), b = random_rotation(&random);
    ts_vec3 p = random_point(&random, 1);
    expect_near(ts_quat_rotate(ts_quat_mul(a, b), p), ts_quat_rotate(a, ts_quat_rotate(b, p)),
                1e-14, "quaternions");
    ts_pose pose_a = random_pose(&random, 5), pose_b = random_pose(&random, 5);
    expect_near(ts_pose_point(ts_pose_mul(pose_a, pose_b), p),
                ts_pose_point(pose_a, ts_pose_point(pose_b, p)), 1e-13, "poses");
    expect_near(ts_pose_direction(ts_pose_mul(pose_a, pose_b), p),
                ts_pose_direction(pose_a, ts_pose_direction(pose_b, p)), 1e-14, "directions");
  }
}

Test(geometry_pose, products_stay_unit) {
  ts_random random = ts_random_seed(4, 0);
  ts_pose pose = ts_pose_identity(), step = random_pose(&random, 1e-3);
  for (int i = 0; i < 20000; i++)
    pose = ts_pose_mul(step, pose);
  cr_expect_float_eq(quat_norm(pose.rotation), 1, 1e-15);
}

Test(geometry_pose, inverse_undoes) {
  ts_random random = ts_random_seed(5, 0);
  for (int i = 0; i < 200; i++) {
    ts_pose pose = random_pose(&random, 5);
    ts_vec3 p = random_point(&random, 2);
    expect_near(ts_pose_point(ts_pose_inverse(pose), ts_pose_point(pose, p)), p, 1e-13, "inverse");
    expect_near(ts_pose_point_local(pose, ts_pose_point(pose, p)), p, 1e-13, "local point");
  }
}

Test(geometry_pose, unit_of_no_quaternion_is_the_identity) {
  const ts_quat bad[] = {{0, 0, 0, 0}, {NAN, 0, 0, 0}, {INFINITY, 0, 0, 0}, {0, 0, NAN, 1}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    ts_quat q = ts_quat_unit(bad[i]);
    cr_expect(q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0, "bad quaternion %zu", i);
  }
  ts_quat q = ts_quat_unit((ts_quat){0, 0, -2, 0});
  cr_expect(q.w == 0 && q.x == 0 && q.y == -1 && q.z == 0, "the direction is kept");
}

Test(geometry_pose, relative_pose_is_exact_near_the_origin) {
  ts_random random = ts_random_seed(6, 0);
  for (int i = 0; i < 200; i++) {
    ts_pose a = random_pose(&random, 2), b = random_pose(&random, 2);
    ts_vec3 p = random_point(&random, 1);
    expect_near(ts_pose_point(ts_pose_relative(a, b), p),
                ts_pose_point_local(a, ts_pose_point(b, p)), 1e-14, "relative");
  }
}

/// inverse(a) b would lose 1e-12 here: two translations of 1e4 m that almost cancel.
Test(geometry_pose, relative_pose_far_away_loses_nothing) {
  ts_random random = ts_random_seed(7, 0);
  for (int i = 0; i < 200; i++) {
    ts_pose a = random_pose(&random, 0), b = random_pose(&random, 0);
    // Multiples of 2^-20: the sum with 1e4 is exact.
    ts_vec3 d = {floor(ts_random_uniform(&random, -1, 1) * 0x1p20) * 0x1p-20, 0.25, -0.5};
    b.translation = d;
    ts_pose near = ts_pose_relative(a, b);
    ts_vec3 far = {1e4, -2e4, 3e4};
    a.translation = ts_vec3_add(a.translation, far);
    b.translation = ts_vec3_add(b.translation, far);
    ts_pose moved = ts_pose_relative(a, b);
    expect_near(moved.translation, near.translation, 1e-15, "translation");
    cr_expect_float_eq(moved.rotation.w, near.rotation.w, 1e-15);
  }
}

/// Uniform rotations: the mean of the rotation matrix and of the trace vanish, every direction is
/// hit alike, and the angle has density (1 - cos t) / pi, mean pi/2 + 2/pi.
Test(geometry_pose, uniform_rotations_are_uniform) {
  enum { COUNT = 40000 };
  ts_random random = ts_random_seed(8, 0);
  ts_vec3 mean[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  const ts_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double angle = 0;
  int octants[8] = {0};
  for (int i = 0; i < COUNT; i++) {
    ts_quat q = random_rotation(&random);
    cr_assert_float_eq(quat_norm(q), 1, 1e-15);
    for (int k = 0; k < 3; k++)
      mean[k] = ts_vec3_add_scaled(mean[k], 1.0 / COUNT, ts_quat_rotate(q, axes[k]));
    ts_vec3 z = ts_quat_rotate(q, axes[2]);
    octants[(z.x > 0) + 2 * (z.y > 0) + 4 * (z.z > 0)]++;
    angle += 2 * acos(fmin(1, fabs(q.w))) / COUNT;
  }
  // An entry has variance 1/3: its mean 0.0029; four of those.
  for (int k = 0; k < 3; k++)
    cr_expect(fmax(fabs(mean[k].x), fmax(fabs(mean[k].y), fabs(mean[k].z))) < 0.012, "axis %d", k);
  // 5000 each, standard deviation 66.
  for (int k = 0; k < 8; k++)
    cr_expect(octants[k] > 4700 && octants[k] < 5300, "octant %d: %d", k, octants[k]);
  cr_expect_float_eq(angle, pi / 2 + 2 / pi, 0.015);
}

Test(geometry_pose, velocity_of_a_material_point_is_the_derivative) {
  ts_random random = ts_random_seed(9, 0);
  ts_pose pose = random_pose(&random, 2);
  ts_twist twist;
  twist.linear_m_s = random_point(&random, 1);
  twist.angular_rad_s = random_point(&random, 1);
  ts_vec3 local = random_point(&random, 1);
  double h = 1e-6, spin = ts_vec3_norm(twist.angular_rad_s);
  ts_vec3 axis = ts_vec3_unit(twist.angular_rad_s), moved[2];
  for (int i = 0; i < 2; i++) {
    double time = i ? h : -h;
    ts_pose later = {ts_quat_mul(ts_quat_from_axis_angle(axis, spin * time), pose.rotation),
                     ts_vec3_add_scaled(pose.translation, time, twist.linear_m_s)};
    moved[i] = ts_pose_point(later, local);
  }
  ts_vec3 difference = ts_vec3_scale(ts_vec3_sub(moved[1], moved[0]), 1 / (2 * h));
  expect_near(ts_twist_velocity_at(twist, pose, ts_pose_point(pose, local)), difference, 1e-8,
              "velocity");
}
