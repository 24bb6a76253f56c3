// SPDX-License-Identifier: MIT
// covers: geometry/polygon.c
#include "base/random.h"
#include "base/status.h"
#include "geometry/polygon.h"
#include "geometry/pose.h"
#include "geometry/predicates.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

static const ts_vec3 up = {0, 0, 1};

/// `points` is left as it was; the buffers have not a byte more than they need, for the sanitizer.
static size_t hull_of(double (**out)[2], const double (*points)[2], size_t count) {
  double(*copy)[2] = malloc(count * sizeof *copy + !count);
  double(*hull)[2] = malloc(count * sizeof *hull + !count);
  if (count)
    memcpy(copy, points, count * sizeof *copy);
  size_t corners = ts_convex_hull_2d(hull, copy, count);
  free(copy);
  *out = hull;
  return corners;
}

Test(geometry_polygon, hull_of_little) {
  double(*hull)[2];
  cr_assert_eq(hull_of(&hull, NULL, 0), 0);
  free(hull);
  const double same[3][2] = {{0.1, 0.2}, {0.1, 0.2}, {0.1, 0.2}};
  cr_assert_eq(hull_of(&hull, same, 3), 1);
  cr_assert_eq(hull[0][1], 0.2);
  free(hull);
  cr_assert_eq(hull_of(&hull, same, 1), 1);
  free(hull);
  const double line[4][2] = {{1, 2}, {0, 0}, {2, 4}, {1, 2}};
  cr_assert_eq(hull_of(&hull, line, 4), 2);
  cr_assert(hull[0][0] == 0 && hull[1][0] == 2);
  free(hull);
  const double upright[3][2] = {{1, 3}, {1, -1}, {1, 0}};
  cr_assert_eq(hull_of(&hull, upright, 3), 2);
  cr_assert(hull[0][1] == -1 && hull[1][1] == 3);
  free(hull);
}

Test(geometry_polygon, hull_of_a_square_with_points_on_its_sides) {
  const double points[9][2] = {{1, 1}, {0, 0},   {0.5, 0}, {0.5, 0.5}, {1, 0},
                               {0, 1}, {0, 0.5}, {1, 0.5}, {0.5, 1}};
  const double expected[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  double(*hull)[2];
  cr_assert_eq(hull_of(&hull, points, 9), 4);
  cr_assert_eq(memcmp(hull, expected, sizeof expected), 0);
  cr_assert_eq(ts_polygon_area_2d((const double(*)[2])hull, 4), 1);
  free(hull);
}

Test(geometry_polygon, hull_when_every_point_is_a_corner) {
  // A parabola fills the lower chain alone, its mirror image the upper one: no room to spare.
  enum { n = 101 };
  for (int sign = -1; sign <= 1; sign += 2) {
    double points[n][2], (*hull)[2];
    for (int i = 0; i < n; i++) {
      points[i][0] = i * 0.125;
      points[i][1] = sign * (i * 0.125) * (i * 0.125);
    }
    cr_assert_eq(hull_of(&hull, (const double(*)[2])points, n), n);
    free(hull);
  }
}

Test(geometry_polygon, hull_distinguishes_nearly_collinear_points_exactly) {
  // The middle point is one unit in the last place below, on, or above the line.
  for (int k = -1; k <= 1; k++) {
    double mid = k < 0 ? nextafter(0.5, 0) : k > 0 ? nextafter(0.5, 1) : 0.5;
    const double points[3][2] = {{0, 0}, {0.5, mid}, {1, 1}};
    double(*hull)[2];
    cr_assert_eq(hull_of(&hull, points, 3), k ? 3 : 2);
    free(hull);
  }
}

Test(geometry_polygon, hull_of_random_points_holds_them_and_turns_left) {
  ts_random random = ts_random_seed(7, 0);
  for (int round = 0; round < 50; round++) {
    enum { n = 60 };
    double points[n][2], (*hull)[2], (*again)[2];
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 2; k++) // a coarse raster, so that many are collinear or the same
        points[i][k] = floor(ts_random_uniform(&random, 0, round < 25 ? 8 : 1e6)) * 0.1;
    size_t corners = hull_of(&hull, (const double(*)[2])points, n);
    cr_assert_geq(corners, 3);
    for (size_t i = 0; i < corners; i++) {
      const double *a = hull[i], *b = hull[(i + 1) % corners], *c = hull[(i + 2) % corners];
      cr_assert_eq(ts_orient2d(a, b, c), 1);
      for (int k = 0; k < n; k++)
        cr_assert_geq(ts_orient2d(a, b, points[k]), 0);
    }
    for (int i = n - 1; i > 0; i--) { // the order of the points does not matter
      uint64_t k = ts_random_u64(&random) % (uint64_t)(i + 1);
      double swapped[2] = {points[i][0], points[i][1]};
      memcpy(points[i], points[k], sizeof swapped);
      memcpy(points[k], swapped, sizeof swapped);
    }
    cr_assert_eq(hull_of(&again, (const double(*)[2])points, n), corners);
    cr_assert_eq(memcmp(hull, again, corners * sizeof *hull), 0);
    free(hull);
    free(again);
  }
}

Test(geometry_polygon, hull_starts_at_the_same_zero) {
  double out[3][2], points[3][2] = {{-0.0, 0}, {0.0, 1}, {-0.0, 2}};
  cr_assert_eq(ts_convex_hull_2d(out, points, 3), 2);
  cr_assert_eq(signbit(out[0][0]), 0);
  cr_assert_eq(signbit(out[1][0]), 0);
}

Test(geometry_polygon, area_has_a_sign) {
  const double ccw[4][2] = {{1e8, 1e8}, {1e8 + 2, 1e8}, {1e8 + 2, 1e8 + 1}, {1e8, 1e8 + 1}};
  const double cw[3][2] = {{0, 0}, {0, 1}, {1, 0}};
  cr_assert_eq(ts_polygon_area_2d(ccw, 4), 2);
  cr_assert_eq(ts_polygon_area_2d(cw, 3), -0.5);
  cr_assert_eq(ts_polygon_area_2d(ccw, 2), 0);
  cr_assert_eq(ts_polygon_area_2d(NULL, 0), 0);
}

Test(geometry_polygon, hull_area_along_any_normal_far_away_and_at_any_scale) {
  ts_arena *arena;
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  ts_random random = ts_random_seed(11, 0);
  for (int round = 0; round < 30; round++) {
    double u1 = ts_random_unit(&random), u2 = ts_random_unit(&random);
    double scale = round % 3 == 0 ? 1e-3 : round % 3 == 1 ? 1 : 1e3;
    double far = round & 1 ? 1e4 : 0;
    ts_pose pose = {ts_quat_uniform(u1, u2, ts_random_unit(&random)), {far, -far, far}};
    ts_vec3 points[6] = {{0, 0, 0}, {2, 0, 5}, {2, 1, 1}, {0, 1, -3}, {1, 0.5, 0}, {NAN, 0, 0}};
    for (int i = 0; i < 6; i++)
      points[i] = ts_pose_point(pose, ts_vec3_scale(points[i], scale));
    double area = NAN;
    size_t used = ts_arena_used(arena);
    cr_assert_eq(ts_hull_area(&area, arena, points, 6, ts_pose_direction(pose, up)), TS_OK);
    double rounding = 1e-14 * scale * scale + 4e-16 * far * 20 * scale;
    cr_assert_float_eq(area, 2 * scale * scale, rounding, "%.17g at scale %g", area, scale);
    cr_assert_eq(ts_arena_used(arena), used);
  }
  ts_arena_destroy(arena);
}

Test(geometry_polygon, hull_area_loses_no_digits_far_away) {
  ts_arena *arena;
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  const ts_vec3 oblique = {0.6, 0, 0.8};
  ts_vec3 points[4];
  for (int i = 0; i < 4; i++) // exact in binary
    points[i] = (ts_vec3){10000 + 2 * (i % 2), -8000 + (i / 2), 9000};
  double area = NAN;
  cr_assert_eq(ts_hull_area(&area, arena, points, 4, oblique), TS_OK);
  cr_assert_float_eq(area, 1.6, 1e-15, "%.17g", area);
  ts_arena_destroy(arena);
}

Test(geometry_polygon, hull_area_of_fewer_than_three_is_zero) {
  ts_arena *arena;
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  const ts_vec3 points[3] = {{0, 0, 0}, {INFINITY, 0, 1}, {1, 1, 0}};
  double area = NAN;
  cr_assert_eq(ts_hull_area(&area, arena, NULL, 0, up), TS_OK);
  cr_assert_eq(area, 0);
  cr_assert_eq(ts_hull_area(&area, arena, points, 3, up), TS_OK);
  cr_assert_eq(area, 0);
  ts_arena_destroy(arena);
}

Test(geometry_polygon, hull_length_is_the_projected_interval) {
  const ts_vec3 points[5] = {
      {NAN, 0, 0}, {10001, 5, 0}, {10004, -5, 0}, {10002, 0, 9}, {10003, 0, INFINITY}};
  const ts_vec3 x = {1, 0, 0}, diagonal = {0.6, 0.8, 0};
  cr_assert_eq(ts_hull_length(points, 5, x), 3);
  cr_assert_float_eq(ts_hull_length(points, 5, diagonal), 8 - 1.8, 1e-14);
  cr_assert_eq(ts_hull_length(points, 2, x), 0);
  cr_assert_eq(ts_hull_length(points, 0, x), 0);
}

/// Clips into a buffer of exactly the promised size.
static size_t clip(ts_vec3 out[64], const ts_vec3 *subject, size_t subject_count, const ts_vec3 *by,
                   size_t clip_count, ts_vec3 normal, double tolerance_m) {
  ts_vec3 *exact = malloc((subject_count + clip_count) * sizeof *exact);
  size_t count =
      ts_polygon_clip(exact, subject, subject_count, by, clip_count, normal, tolerance_m);
  cr_assert_leq(count, subject_count + clip_count);
  memcpy(out, exact, count * sizeof *exact);
  free(exact);
  return count;
}

static double area_about(const ts_vec3 *corners, size_t count, ts_vec3 normal) {
  double twice = 0;
  for (size_t i = 2; i < count; i++)
    twice += ts_vec3_dot(normal, ts_vec3_cross(ts_vec3_sub(corners[i - 1], corners[0]),
                                               ts_vec3_sub(corners[i], corners[0])));
  return 0.5 * twice;
}

/// The square [x, x + side] x [y, y + side] at height z.
static void square(ts_vec3 out[4], double x, double y, double side, double z) {
  out[0] = (ts_vec3){x, y, z};
  out[1] = (ts_vec3){x + side, y, z};
  out[2] = (ts_vec3){x + side, y + side, z};
  out[3] = (ts_vec3){x, y + side, z};
}

static void reverse_order(ts_vec3 *points, size_t count) {
  for (size_t i = 0; i < count / 2; i++) {
    ts_vec3 swapped = points[i];
    points[i] = points[count - 1 - i];
    points[count - 1 - i] = swapped;
  }
}

/// A pose for each round, the first one none, odd ones far away.
static ts_pose round_pose(ts_random *random, int round) {
  if (round == 0)
    return ts_pose_identity();
  double u1 = ts_random_unit(random), u2 = ts_random_unit(random), far = round & 1 ? 1e4 : 1;
  return (ts_pose){ts_quat_uniform(u1, u2, ts_random_unit(random)), {far, -far, far}};
}

/// Side and origin of the clip square, corners and area expected.
typedef struct square_case {
  double x, y, side;
  size_t corners;
  double area;
} square_case;

Test(geometry_polygon, squares_clip_squares_wherever_they_are) {
  const square_case cases[] = {
      {0, 0, 1, 4, 1},            // the same
      {0.25, 0.5, 1, 4, 0.375},   // overlap at a corner
      {0.25, 0.25, 0.5, 4, 0.25}, // inside
      {-1, -1, 3, 4, 1},          // around
      {0.5, 0, 1, 4, 0.5},        // two shared lines
      {0, 0, 2, 4, 1},            // a shared corner
      {1, 0, 1, 0, 0},            // touching along a side
      {1, 0.5, 1, 0, 0},          // along half a side
      {1, 1, 1, 0, 0},            // at a corner
      {3, 0, 1, 0, 0},            // apart
  };
  ts_random random = ts_random_seed(5, 0);
  for (int round = 0; round < 21; round++) {
    ts_pose pose = round_pose(&random, round);
    double scale = round % 3 == 0 ? 1 : round % 3 == 1 ? 1e3 : 1e-3;
    // Coordinates are rounded, far away to 1.8e-12.
    double rounding = 1e-14 + (round & 1 ? 2e-11 : 0);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
      ts_vec3 subject[4], by[4], out[64], normal = ts_pose_direction(pose, up);
      square(subject, 0, 0, 1, 0);
      square(by, cases[c].x, cases[c].y, cases[c].side, 0.125);
      for (int i = 0; i < 4; i++) {
        subject[i] = ts_pose_point(pose, ts_vec3_scale(subject[i], scale));
        by[i] = ts_pose_point(pose, ts_vec3_scale(by[i], scale));
      }
      for (int way = 0; way < 2; way++) { // clockwise subjects come back turned round
        double tolerance = round & 1 ? 1e-11 + 1e-9 * scale : 1e-9 * scale;
        size_t count = clip(out, subject, 4, by, 4, normal, tolerance);
        double area = count < 3 ? 0 : area_about(out, count, normal);
        cr_expect(cases[c].corners ? count == cases[c].corners : count < 3,
                  "case %zu round %d: %zu corners", c, round, count);
        cr_expect_float_eq(area, cases[c].area * scale * scale, (1e-14 * scale + rounding) * scale,
                           "case %zu round %d: area %.17g", c, round, area);
        for (size_t i = 0; i < count; i++)
          cr_expect_float_eq(ts_vec3_dot(normal, ts_vec3_sub(out[i], subject[0])), 0,
                             1e-15 * scale + rounding);
        reverse_order(subject, 4);
      }
    }
  }
}

Test(geometry_polygon, the_result_keeps_the_height_of_the_subject) {
  // The subject rises with x: z = x.
  ts_vec3 subject[4], by[4], out[64];
  square(subject, 0, 0, 2, 0);
  for (int i = 0; i < 4; i++)
    subject[i].z = subject[i].x;
  square(by, 0.5, 0.5, 1, 77);
  cr_assert_eq(clip(out, subject, 4, by, 4, up, 1e-12), 4);
  for (int i = 0; i < 4; i++)
    cr_assert_float_eq(out[i].z, out[i].x, 1e-15);
  cr_assert_float_eq(area_about(out, 4, up), 1, 1e-15);
}

Test(geometry_polygon, a_subject_seen_edge_on_has_no_area) {
  const ts_vec3 subject[4] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
  ts_vec3 by[4], out[64];
  square(by, -1, -1, 3, 0);
  cr_assert_lt(clip(out, subject, 4, by, 4, up, 1e-9), 3);
}

Test(geometry_polygon, corners_within_the_tolerance_are_dropped) {
  // A square with a bulge of 1e-6 in one side and a corner cut by 1e-6.
  const ts_vec3 subject[6] = {{0, 0, 0},        {0.5, -1e-6, 0},  {1, 0, 0},
                              {1, 1 - 1e-6, 0}, {1 - 1e-6, 1, 0}, {0, 1, 0}};
  ts_vec3 by[4], out[64];
  square(by, -1, -1, 3, 0);
  cr_assert_eq(clip(out, subject, 6, by, 4, up, 1e-7), 6);
  cr_assert_eq(clip(out, subject, 6, by, 4, up, 2e-6), 4);
  cr_assert_float_eq(area_about(out, 4, up), 1, 2e-6);
  // Corners that lie on each other and on the sides go even without a tolerance.
  const ts_vec3 doubled[7] = {{0, 0, 0}, {0, 0, 0}, {0.5, 0, 0}, {1, 0, 0},
                              {1, 1, 0}, {0, 1, 0}, {0, 1, 0}};
  cr_assert_eq(clip(out, doubled, 7, by, 4, up, 0), 4);
}

Test(geometry_polygon, the_least_corner_goes_first) {
  // Corner 1 deviates by 3, corner 2 by 1; once corner 2 is gone, corner 1 deviates by more than
  // the tolerance of 3.2 from the new chord. Taken in order, both would go.
  const ts_vec3 subject[5] = {{0, 0, 0}, {10, -6, 0}, {20, -6, 0}, {40, 0, 0}, {20, 100, 0}};
  ts_vec3 by[4], out[64];
  square(by, -1000, -1000, 3000, 0);
  size_t count = clip(out, subject, 5, by, 4, up, 3.2);
  cr_assert_eq(count, 4);
  int kept = 0;
  for (size_t i = 0; i < count; i++)
    kept |= out[i].x == 10;
  cr_assert(kept);
}

static int by_angle(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/// A convex polygon of n corners on a circle, counter-clockwise.
static void random_polygon(ts_vec3 *out, size_t n, ts_random *random, double x, double y) {
  double angles[16];
  for (size_t i = 0; i < n; i++)
    angles[i] = ts_random_uniform(random, 0, 6.283185307179586);
  qsort(angles, n, sizeof *angles, by_angle);
  for (size_t i = 0; i < n; i++)
    out[i] = (ts_vec3){x + cos(angles[i]), y + sin(angles[i]), 0};
}

static int is_inside(ts_vec3 p, const ts_vec3 *corners, size_t count, double slack) {
  for (size_t i = 0; i < count; i++) {
    ts_vec3 edge = ts_vec3_unit(ts_vec3_sub(corners[(i + 1) % count], corners[i]));
    ts_vec3 inward = ts_vec3_cross(up, edge);
    if (ts_vec3_dot(inward, ts_vec3_sub(p, corners[i])) < -slack)
      return 0;
  }
  return 1;
}

Test(geometry_polygon, random_clips_hold_just_the_points_of_both) {
  ts_random random = ts_random_seed(13, 0);
  for (int round = 0; round < 200; round++) {
    ts_vec3 a[12], b[12], ab[64], ba[64];
    size_t na = 3 + ts_random_u64(&random) % 10, nb = 3 + ts_random_u64(&random) % 10;
    double x = ts_random_uniform(&random, -1.5, 1.5), y = ts_random_uniform(&random, -1.5, 1.5);
    random_polygon(a, na, &random, 0, 0);
    random_polygon(b, nb, &random, x, y);
    size_t n = clip(ab, a, na, b, nb, up, 1e-12), m = clip(ba, b, nb, a, na, up, 1e-12);
    double area = n < 3 ? 0 : area_about(ab, n, up);
    cr_assert_float_eq(area, m < 3 ? 0 : area_about(ba, m, up), 1e-11, "a by b, b by a");
    cr_assert_geq(area, 0);
    for (size_t i = 0; i < n; i++)
      cr_assert(is_inside(ab[i], a, na, 1e-9) && is_inside(ab[i], b, nb, 1e-9));
    for (int k = 0; k < 50; k++) {
      double px = ts_random_uniform(&random, -1, 1);
      ts_vec3 p = {px, ts_random_uniform(&random, -1, 1), 0};
      if (is_inside(p, a, na, -1e-9) && is_inside(p, b, nb, -1e-9))
        cr_assert(n >= 3 && is_inside(p, ab, n, 1e-9));
    }
  }
}

Test(geometry_polygon, clips_of_a_polygon_by_itself_turned_a_little_stay_within_bounds) {
  // Sides that nearly coincide: rounding decides for each corner whether it is in or out.
  ts_random random = ts_random_seed(17, 0);
  for (int round = 0; round < 300; round++) {
    ts_vec3 a[12], b[12], out[64];
    size_t n = 3 + ts_random_u64(&random) % 10;
    random_polygon(a, n, &random, 0, 0);
    ts_quat turn = ts_quat_from_axis_angle(up, ts_random_uniform(&random, -4e-16, 4e-16));
    for (size_t i = 0; i < n; i++)
      b[i] = ts_quat_rotate(turn, a[i]);
    double area = area_about(a, n, up);
    size_t count = clip(out, a, n, b, n, up, 1e-12);
    cr_assert_float_eq(count < 3 ? 0 : area_about(out, count, up), area, 1e-11);
  }
}

Test(geometry_polygon, nothing_to_clip_or_to_clip_by_leaves_nothing) {
  ts_vec3 by[4], out[8];
  square(by, 0, 0, 1, 0);
  cr_assert_eq(ts_polygon_clip(out, by, 1, by, 4, up, 0), 0);
  cr_assert_eq(ts_polygon_clip(out, by, 0, by, 4, up, 0), 0);
  cr_assert_eq(ts_polygon_clip(out, by, 4, by, 2, up, 0), 0);
}

typedef struct segment_case {
  ts_vec3 from, to;
  size_t count; ///< 2, or 0 for "fewer than 2"
  ts_vec3 first, last;
} segment_case;

Test(geometry_polygon, segments_are_clipped_too) {
  const segment_case cases[] = {
      {{-1, 0.5, 3}, {2, 0.5, 3}, 2, {0, 0.5, 3}, {1, 0.5, 3}},            // across
      {{0.25, 0.25, 0}, {0.5, 0.5, 0}, 2, {0.25, 0.25, 0}, {0.5, 0.5, 0}}, // inside
      {{0.5, 0.5, 0}, {0.5, 2.5, 4}, 2, {0.5, 0.5, 0}, {0.5, 1, 1}},       // out through the top
      {{-1, 0, 0}, {0.5, 0, 0}, 2, {0, 0, 0}, {0.5, 0, 0}},                // along a side
      {{0, 0, 0}, {1, 0, 0}, 2, {0, 0, 0}, {1, 0, 0}},                     // the side itself
      {{-1, 1, 0}, {1, -1, 0}, 0, {0, 0, 0}, {0, 0, 0}},                   // over a corner
      {{1, 0.5, 0}, {2, 0.5, 0}, 0, {0, 0, 0}, {0, 0, 0}},                 // touching from outside
      {{-1, -1, 0}, {2, -1, 0}, 0, {0, 0, 0}, {0, 0, 0}},                  // apart
      {{0.5, 0.5, 0}, {0.5, 0.5, 1}, 0, {0, 0, 0}, {0, 0, 0}},             // seen end on
  };
  ts_random random = ts_random_seed(19, 0);
  for (int round = 0; round < 21; round++) {
    ts_pose pose = round_pose(&random, round);
    double tolerance = round & 1 ? 1e-10 : 1e-9;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
      ts_vec3 subject[2] = {ts_pose_point(pose, cases[c].from), ts_pose_point(pose, cases[c].to)};
      ts_vec3 by[4], out[64];
      square(by, 0, 0, 1, 0);
      for (int i = 0; i < 4; i++)
        by[i] = ts_pose_point(pose, by[i]);
      size_t count = clip(out, subject, 2, by, 4, ts_pose_direction(pose, up), tolerance);
      cr_expect(cases[c].count ? count == 2 : count < 2, "case %zu round %d: %zu", c, round, count);
      if (cases[c].count && count == 2) {
        cr_expect_lt(ts_vec3_distance(out[0], ts_pose_point(pose, cases[c].first)), 1e-10);
        cr_expect_lt(ts_vec3_distance(out[1], ts_pose_point(pose, cases[c].last)), 1e-10);
      }
    }
  }
}

Test(geometry_polygon, distance_to_a_point_and_a_segment) {
  const ts_vec3 corners[2] = {{1, 0, 0}, {3, 0, 0}};
  cr_assert_eq(ts_convex_distance((ts_vec3){1, 3, 4}, corners, 1, up), 5);
  cr_assert_eq(ts_convex_distance((ts_vec3){2, 3, 4}, corners, 2, up), 5);
  cr_assert_eq(ts_convex_distance((ts_vec3){6, 0, 4}, corners, 2, up), 5);
  cr_assert_eq(ts_convex_distance((ts_vec3){2, 0, 0}, corners, 2, up), 0);
  cr_assert_eq(ts_convex_distance((ts_vec3){0, 0, 0}, corners, 0, up), INFINITY);
  cr_assert(isnan(ts_convex_distance((ts_vec3){NAN, 0, 0}, corners, 2, up)));
}

Test(geometry_polygon, distance_to_a_polygon_over_inside_sides_and_corners) {
  ts_random random = ts_random_seed(23, 0);
  for (int round = 0; round < 12; round++) {
    ts_pose pose = round_pose(&random, round);
    double scale = round % 3 == 0 ? 1 : round % 3 == 1 ? 1e3 : 1e-3;
    double rounding = 1e-14 * scale + (round & 1 ? 2e-11 : 1e-15);
    ts_vec3 corners[4], normal = ts_pose_direction(pose, up);
    square(corners, 0, 0, 1, 0);
    for (int i = 0; i < 4; i++)
      corners[i] = ts_pose_point(pose, ts_vec3_scale(corners[i], scale));
    const double expected[6][4] = {{0.5, 0.5, 2, 2}, {0.5, 0.25, -2, 2}, {0.5, 0.5, 0, 0},
                                   {0.5, -3, 4, 5},  {4, 5, 0, 5},       {1, 1, 0, 0}};
    for (int k = 0; k < 6; k++) {
      ts_vec3 p = {expected[k][0] * scale, expected[k][1] * scale, expected[k][2] * scale};
      double d = ts_convex_distance(ts_pose_point(pose, p), corners, 4, normal);
      cr_expect_float_eq(d, expected[k][3] * scale, rounding, "%d: %.17g", k, d);
    }
  }
}

Test(geometry_polygon, a_polygon_without_area_has_no_inside) {
  const ts_vec3 flat[4] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 0, 0}};
  cr_assert_eq(ts_convex_distance((ts_vec3){5, 0, 4}, flat, 4, up), 5);
  const ts_vec3 place[3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  cr_assert_eq(ts_convex_distance((ts_vec3){4, 5, 1}, place, 3, up), 5);
}
