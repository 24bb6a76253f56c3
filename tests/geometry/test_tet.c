// SPDX-License-Identifier: MIT
// covers: geometry/tet.c
#include "geometry/tet.h"
#include "geometry/vec3.h"
#include "tests/geometry/random_geometry.h"

#include <criterion/criterion.h>

static void place(ts_vec3 out[4], const ts_vec3 tet[4], double scale, ts_pose pose) {
  for (int i = 0; i < 4; i++)
    out[i] = ts_pose_point(pose, ts_vec3_scale(tet[i], scale));
}

static void random_tet(ts_random *random, ts_vec3 tet[4]) {
  for (int k = 0; k < 4; k++)
    tet[k] = random_point(random, 1);
}

static double smaller_volume(const ts_vec3 a[4], const ts_vec3 b[4]) {
  return fmin(fabs(ts_tet_volume(a)), fabs(ts_tet_volume(b)));
}

static const ts_vec3 corner_tet[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/// The six tets of a cube [0, 1]^3 around its diagonal: one for each order of the axes.
static void cube_tet(ts_vec3 out[4], int index) {
  static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  double at[3] = {0, 0, 0};
  for (int i = 0; i < 4; i++) {
    if (i > 0)
      at[orders[index][i - 1]] = 1;
    out[i] = (ts_vec3){at[0], at[1], at[2]};
  }
}

/// Volume common to the unit cube and the placed unit cube, tet by tet.
static double cube_cube_volume(ts_pose pose) {
  double volume = 0;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      ts_vec3 a[4], b[4];
      cube_tet(a, i);
      cube_tet(b, j);
      place(b, b, 1, pose);
      volume += ts_tet_tet_volume(a, b);
    }
  return volume;
}

Test(geometry_tet, volume_is_signed) {
  const ts_vec3 mirrored[4] = {{1, 0, 0}, {0, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const ts_vec3 flat[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {3, 2, 0}};
  cr_expect_eq(ts_tet_volume(corner_tet), 1.0 / 6);
  cr_expect_eq(ts_tet_volume(mirrored), -1.0 / 6);
  cr_expect_eq(ts_tet_volume(flat), 0);
}

Test(geometry_tet, volume_survives_motion_and_scale) {
  ts_random random = ts_random_seed(1, 0);
  for (int i = 0; i < 200; i++) {
    ts_vec3 tet[4], placed[4];
    random_tet(&random, tet);
    double scale = i % 2 ? 1e-3 : 1e3, cube = scale * scale * scale;
    place(placed, tet, scale, random_pose(&random, 1));
    cr_assert_float_eq(ts_tet_volume(placed), ts_tet_volume(tet) * cube, 2e-12 * cube);
  }
}

Test(geometry_tet, tet_has_its_own_volume_in_common_with_itself) {
  ts_random random = ts_random_seed(2, 0);
  for (int i = 0; i < 300; i++) {
    ts_vec3 tet[4];
    random_tet(&random, tet);
    double volume = fabs(ts_tet_volume(tet));
    const ts_vec3 mirrored[4] = {tet[1], tet[0], tet[2], tet[3]};
    cr_assert_float_eq(ts_tet_tet_volume(tet, tet), volume, 1e-13 * volume + 1e-15);
    cr_assert_float_eq(ts_tet_tet_volume(tet, mirrored), volume, 1e-13 * volume + 1e-15);
  }
}

Test(geometry_tet, shifted_corner_leaves_a_smaller_corner) {
  for (int i = 0; i <= 10; i++) {
    double shift = 0.1 * i, side = 1 - shift;
    ts_vec3 moved[4];
    for (int k = 0; k < 4; k++)
      moved[k] = ts_vec3_add(corner_tet[k], (ts_vec3){shift / 2, shift / 4, shift / 4});
    cr_expect_float_eq(ts_tet_tet_volume(corner_tet, moved), side * side * side / 6, 1e-16);
  }
}

Test(geometry_tet, tet_inside_counts_whole) {
  ts_random random = ts_random_seed(3, 0);
  for (int i = 0; i < 200; i++) {
    ts_vec3 inner[4], outer[4];
    for (int k = 0; k < 4; k++)
      outer[k] = ts_vec3_scale(ts_vec3_add(corner_tet[k], (ts_vec3){-0.25, -0.25, -0.25}), 30);
    random_tet(&random, inner);
    place(outer, outer, 1, random_pose(&random, 1));
    double volume = fabs(ts_tet_volume(inner));
    cr_assert_float_eq(ts_tet_tet_volume(inner, outer), volume, 1e-12 * volume);
    cr_assert_float_eq(ts_tet_tet_volume(outer, inner), volume, 1e-12 * volume);
  }
}

Test(geometry_tet, common_volume_is_symmetric) {
  ts_random random = ts_random_seed(4, 0);
  double total = 0;
  for (int i = 0; i < 2000; i++) {
    ts_vec3 a[4], b[4];
    random_tet(&random, a);
    random_tet(&random, b);
    double there = ts_tet_tet_volume(a, b), back = ts_tet_tet_volume(b, a);
    cr_assert_float_eq(there, back, 1e-12 * fmax(there, smaller_volume(a, b) * 0.01), "pair %d", i);
    cr_assert_eq(there > 0, back > 0, "pair %d: %g and %g", i, there, back);
    total += there;
  }
  cr_expect(total > 1);
}

Test(geometry_tet, common_volume_does_not_depend_on_the_order_of_nodes) {
  ts_random random = ts_random_seed(5, 0);
  for (int i = 0; i < 300; i++) {
    ts_vec3 a[4], b[4];
    random_tet(&random, a);
    random_tet(&random, b);
    double expected = ts_tet_tet_volume(a, b);
    for (int k = 1; k < 4; k++) {
      const ts_vec3 turned[4] = {a[k], a[(k + 1) % 4], a[(k + 3) % 4], a[(k + 2) % 4]};
      cr_assert_float_eq(ts_tet_tet_volume(turned, b), expected, 1e-15, "pair %d", i);
      cr_assert_float_eq(ts_tet_tet_volume(b, turned), expected, 1e-15, "pair %d", i);
    }
  }
}

/// Far away the coordinates are rounded to 2e-12: volumes change by that times an area.
Test(geometry_tet, common_volume_survives_motion_and_scale) {
  ts_random random = ts_random_seed(6, 0);
  for (int i = 0; i < 600; i++) {
    ts_vec3 a[4], b[4];
    random_tet(&random, a);
    random_tet(&random, b);
    double expected = ts_tet_tet_volume(a, b);
    double scale = i % 3 == 0 ? 1e-3 : i % 3 == 1 ? 1 : 1e3, cube = scale * scale * scale;
    double offset = i % 2 ? 1e4 : 0;
    ts_pose pose = random_pose(&random, 1);
    pose.translation.y += offset;
    place(a, a, scale, pose);
    place(b, b, scale, pose);
    double rounding = 1e-14 + 4e-15 * offset / scale;
    cr_assert_float_eq(ts_tet_tet_volume(a, b), expected * cube, 10 * rounding * cube, "pair %d",
                       i);
  }
}

Test(geometry_tet, parts_of_a_tet_add_up) {
  ts_random random = ts_random_seed(7, 0);
  for (int i = 0; i < 500; i++) {
    ts_vec3 a[4], b[4];
    random_tet(&random, a);
    random_tet(&random, b);
    // Four parts around an inner point.
    double w[4], sum = 0;
    for (int k = 0; k < 4; k++)
      sum += w[k] = ts_random_unit(&random);
    ts_vec3 inner = {0, 0, 0};
    for (int k = 0; k < 4; k++)
      inner = ts_vec3_add_scaled(inner, w[k] / sum, b[k]);
    double parts = 0;
    for (int k = 0; k < 4; k++) {
      ts_vec3 part[4] = {b[0], b[1], b[2], b[3]};
      part[k] = inner;
      parts += ts_tet_tet_volume(a, part);
    }
    cr_assert_float_eq(parts, ts_tet_tet_volume(a, b), 1e-14, "pair %d", i);
  }
}

Test(geometry_tet, shifted_cubes_share_a_box) {
  ts_random random = ts_random_seed(8, 0);
  for (int i = 0; i < 60; i++) {
    ts_pose pose = ts_pose_identity();
    pose.translation = random_point(&random, 1);
    if (i % 4 == 0)
      pose.translation.x = pose.translation.y = 0; // faces in common
    ts_vec3 t = pose.translation;
    double expected = (1 - fabs(t.x)) * (1 - fabs(t.y)) * (1 - fabs(t.z));
    cr_assert_float_eq(cube_cube_volume(pose), expected, 1e-14, "shift %d", i);
  }
  cr_expect_float_eq(cube_cube_volume(ts_pose_identity()), 1, 1e-14);
}

/// Area common to the unit square and a convex polygon: halfplane by halfplane.
static double area_in_unit_square(double (*corners)[2], int count) {
  for (int side = 0; side < 4; side++) {
    double kept[16][2];
    int kept_count = 0, axis = side / 2;
    double sign = side % 2 ? -1 : 1, limit = side % 2 ? 1 : 0;
    for (int i = 0; i < count; i++) {
      const double *p = corners[i], *q = corners[(i + 1) % count];
      double dp = sign * (p[axis] - limit), dq = sign * (q[axis] - limit);
      if (dp >= 0) {
        kept[kept_count][0] = p[0];
        kept[kept_count++][1] = p[1];
      }
      if ((dp < 0) != (dq < 0)) {
        double t = dp / (dp - dq);
        kept[kept_count][0] = p[0] + t * (q[0] - p[0]);
        kept[kept_count++][1] = p[1] + t * (q[1] - p[1]);
      }
    }
    count = kept_count;
    for (int i = 0; i < count; i++) {
      corners[i][0] = kept[i][0];
      corners[i][1] = kept[i][1];
    }
  }
  double area = 0;
  for (int i = 0; i < count; i++) {
    const double *p = corners[i], *q = corners[(i + 1) % count];
    area += 0.5 * (p[0] * q[1] - p[1] * q[0]);
  }
  return area;
}

Test(geometry_tet, cube_turned_about_an_axis_shares_a_prism) {
  ts_random random = ts_random_seed(9, 0);
  for (int i = 0; i < 60; i++) {
    double angle = ts_random_uniform(&random, -3, 3);
    ts_pose pose;
    pose.rotation = ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, angle);
    pose.translation = ts_vec3_scale(random_point(&random, 1), 0.6);
    double corners[16][2];
    for (int k = 0; k < 4; k++) {
      ts_vec3 p = ts_pose_point(pose, (ts_vec3){k == 1 || k == 2, k >= 2, 0});
      corners[k][0] = p.x;
      corners[k][1] = p.y;
    }
    double expected = area_in_unit_square(corners, 4) * (1 - fabs(pose.translation.z));
    cr_assert_float_eq(cube_cube_volume(pose), expected, 1e-13, "turn %d", i);
  }
}

/// Any rotation: counting the points of a grid that lie in both cubes.
Test(geometry_tet, cube_turned_at_random_shares_what_counting_says) {
  enum { STEPS = 60 };
  ts_random random = ts_random_seed(10, 0);
  for (int i = 0; i < 6; i++) {
    ts_pose pose = random_pose(&random, 1);
    pose.translation = ts_vec3_scale(pose.translation, 0.5);
    int inside = 0;
    for (int k = 0; k < STEPS * STEPS * STEPS; k++) {
      ts_vec3 p = {(k % STEPS + 0.5) / STEPS, (k / STEPS % STEPS + 0.5) / STEPS,
                   (k / STEPS / STEPS + 0.5) / STEPS};
      ts_vec3 q = ts_pose_point_local(pose, p);
      inside += q.x >= 0 && q.x <= 1 && q.y >= 0 && q.y <= 1 && q.z >= 0 && q.z <= 1;
    }
    double counted = (double)inside / (STEPS * STEPS * STEPS);
    cr_assert_float_eq(cube_cube_volume(pose), counted, 2e-3, "turn %d: %g, counted %g", i,
                       cube_cube_volume(pose), counted);
  }
}

Test(geometry_tet, touching_has_no_volume) {
  static const ts_vec3 others[][4] = {
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, -1}},         // a face
      {{0.1, 0.1, 0}, {2, 0.1, 0}, {0.1, 2, 0}, {0.3, 0.3, -1}}, // part of a face
      {{0.2, 0, 0}, {0.7, 0, 0}, {0, -1, 1}, {0, -1, -1}},       // an edge
      {{0, 0, 0}, {-1, -1, 0}, {-1, 0, -1}, {-1, -1, -1}},       // a node
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}},              // the slanted face
  };
  ts_random random = ts_random_seed(11, 0);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    cr_expect_eq(ts_tet_tet_volume(corner_tet, others[i]), 0, "pair %zu", i);
    for (int k = 0; k < 60; k++) {
      ts_pose pose = random_pose(&random, 1);
      double offset = k % 2 ? 1e4 : 0;
      pose.translation.x += offset;
      ts_vec3 a[4], b[4];
      place(a, corner_tet, 1, pose);
      place(b, others[i], 1, pose);
      double largest = offset > 0 ? 4e-12 : 1e-15;
      cr_assert(ts_tet_tet_volume(a, b) <= largest, "pair %zu, motion %d: %g", i, k,
                ts_tet_tet_volume(a, b));
      cr_assert(ts_tet_tet_volume(b, a) <= largest, "pair %zu, motion %d", i, k);
    }
  }
}

Test(geometry_tet, flat_tet_has_no_volume_in_common) {
  ts_random random = ts_random_seed(12, 0);
  const ts_vec3 flat[4] = {{0.1, 0.1, 0.2}, {0.5, 0.1, 0.2}, {0.1, 0.5, 0.2}, {0.6, 0.6, 0.2}};
  const ts_vec3 point[4] = {{0.2, 0.2, 0.2}, {0.2, 0.2, 0.2}, {0.2, 0.2, 0.2}, {0.2, 0.2, 0.2}};
  cr_expect_eq(ts_tet_tet_volume(corner_tet, flat), 0);
  cr_expect_eq(ts_tet_tet_volume(flat, corner_tet), 0);
  cr_expect_eq(ts_tet_tet_volume(corner_tet, point), 0);
  for (int i = 0; i < 200; i++) {
    // Flat but for rounding, so that its planes face any way.
    ts_pose pose = random_pose(&random, 1);
    ts_vec3 a[4], b[4];
    place(a, corner_tet, 1, pose);
    place(b, flat, 1, pose);
    cr_assert(ts_tet_tet_volume(a, b) <= 1e-16, "%g", ts_tet_tet_volume(a, b));
    cr_assert(ts_tet_tet_volume(b, a) <= 1e-16, "%g", ts_tet_tet_volume(b, a));
  }
}
