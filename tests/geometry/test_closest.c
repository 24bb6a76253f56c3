// SPDX-License-Identifier: MIT
// covers: geometry/closest.c
#include "geometry/closest.h"
#include "geometry/vec3.h"
#include "tests/geometry/random_geometry.h"

#include <criterion/criterion.h>
#include <float.h>

// ---------------------------------------------------------------------------------------------
// The oracle: the closest points of two convex hulls are those of the affine hulls of some subsets
// of their corners, with weights that are not negative. All subsets are tried, in long double.

/// Solves m x = right, n <= 3; 0 when m is singular.
static int solve(long double x[3], long double m[3][3], long double right[3], int n) {
  long double scale = 0;
  for (int i = 0; i < n; i++)
    scale = fmaxl(scale, m[i][i]);
  for (int i = 0; i < n; i++) {
    int pivot = i;
    for (int k = i + 1; k < n; k++)
      if (fabsl(m[k][i]) > fabsl(m[pivot][i]))
        pivot = k;
    if (!(fabsl(m[pivot][i]) > 1e-26L * scale))
      return 0;
    for (int k = 0; k < n; k++) {
      long double kept = m[i][k];
      m[i][k] = m[pivot][k];
      m[pivot][k] = kept;
    }
    long double kept = right[i];
    right[i] = right[pivot];
    right[pivot] = kept;
    for (int k = i + 1; k < n; k++) {
      long double factor = m[k][i] / m[i][i];
      for (int l = i; l < n; l++)
        m[k][l] -= factor * m[i][l];
      right[k] -= factor * right[i];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    x[i] = right[i];
    for (int k = i + 1; k < n; k++)
      x[i] -= m[i][k] * x[k];
    x[i] /= m[i][i];
  }
  return 1;
}

static long double dot(const long double u[3], const long double v[3]) {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

static void difference(long double out[3], ts_vec3 from, ts_vec3 to) {
  out[0] = (long double)to.x - from.x;
  out[1] = (long double)to.y - from.y;
  out[2] = (long double)to.z - from.z;
}

/// Distance of the affine hulls of the corners in the two bit sets; INFINITY unless the closest
/// points have weights that are not negative.
static double subset_distance(const ts_vec3 *a, unsigned set_a, const ts_vec3 *b, unsigned set_b) {
  int first_a = __builtin_ctz(set_a), first_b = __builtin_ctz(set_b), n = 0, split;
  long double base[3], column[3][3];
  difference(base, b[first_b], a[first_a]);
  for (int i = first_a + 1; i < 4; i++)
    if (set_a >> i & 1)
      difference(column[n++], a[first_a], a[i]);
  split = n;
  for (int i = first_b + 1; i < 4; i++)
    if (set_b >> i & 1)
      difference(column[n++], b[i], b[first_b]);
  long double m[3][3], right[3], x[3];
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++)
      m[i][k] = dot(column[i], column[k]);
    right[i] = -dot(column[i], base);
  }
  if (!solve(x, m, right, n))
    return INFINITY;
  long double left_a = 1, left_b = 1, gap[3] = {base[0], base[1], base[2]};
  for (int i = 0; i < n; i++) {
    if (!(x[i] >= -1e-17L))
      return INFINITY;
    *(i < split ? &left_a : &left_b) -= x[i];
    for (int k = 0; k < 3; k++)
      gap[k] += x[i] * column[i][k];
  }
  return left_a >= -1e-17L && left_b >= -1e-17L ? (double)sqrtl(dot(gap, gap)) : INFINITY;
}

static double oracle(const ts_vec3 *a, int count_a, const ts_vec3 *b, int count_b) {
  double smallest = INFINITY;
  for (unsigned set_a = 1; set_a < 1u << count_a; set_a++)
    for (unsigned set_b = 1; set_b < 1u << count_b; set_b++)
      // Three degrees of freedom reach every optimum (Caratheodory).
      if (__builtin_popcount(set_a) + __builtin_popcount(set_b) <= 5)
        smallest = fmin(smallest, subset_distance(a, set_a, b, set_b));
  return smallest;
}

// ---------------------------------------------------------------------------------------------

/// A point of a small integer grid, so that parallel, coplanar and coincident features are common.
static ts_vec3 grid_point(ts_random *random, double step) {
  ts_vec3 p = random_point(random, 2);
  return ts_vec3_scale((ts_vec3){floor(p.x), floor(p.y), floor(p.z)}, step);
}

/// What is the closest pair of the first `count_a` and `count_b` points: 1 a point, 2 a segment, 3
/// a triangle, 4 a tet.
static ts_closest closest_of(const ts_vec3 *a, int count_a, const ts_vec3 *b, int count_b) {
  if (count_a == 1) {
    if (count_b == 2) {
      double t = ts_closest_point_segment(a[0], b[0], b[1]);
      ts_vec3 edge = ts_vec3_sub(b[1], b[0]), gap = ts_vec3_sub(b[0], a[0]);
      return (ts_closest){a[0], ts_vec3_lerp(b[0], b[1], t),
                          ts_vec3_norm(ts_vec3_add_scaled(gap, t, edge))};
    }
    ts_closest_on_triangle found = ts_closest_point_triangle(a[0], b);
    return (ts_closest){a[0], found.point, found.distance_m};
  }
  if (count_a == 2)
    return ts_closest_segment_segment(NULL, NULL, a[0], a[1], b[0], b[1]);
  return count_a == 3 ? ts_closest_triangle_triangle(a, b) : ts_closest_tet_tet(a, b);
}

static double largest_coordinate(const ts_vec3 *p, int count) {
  double largest = 0;
  for (int i = 0; i < count; i++)
    largest = fmax(largest, fmax(fabs(p[i].x), fmax(fabs(p[i].y), fabs(p[i].z))));
  return largest;
}

/// Distance, and witnesses that lie in the sets and that far apart. `error_m` is what the distance
/// may be off.
static void expect_closest(const ts_vec3 *a, int count_a, const ts_vec3 *b, int count_b,
                           double error_m, int sample) {
  ts_closest got = closest_of(a, count_a, b, count_b);
  double expected = oracle(a, count_a, b, count_b);
  cr_assert(fabs(got.distance_m - expected) <= error_m,
            "%d-%d, sample %d: distance %.17g, not %.17g (%.3g off, %.3g allowed)", count_a,
            count_b, sample, got.distance_m, expected, got.distance_m - expected, error_m);
  double place =
      error_m + 1e-15 * fmax(largest_coordinate(a, count_a), largest_coordinate(b, count_b));
  cr_assert(fabs(ts_vec3_distance(got.on_a, got.on_b) - expected) <= 2 * place,
            "%d-%d, sample %d: witnesses are %.17g apart, not %.17g", count_a, count_b, sample,
            ts_vec3_distance(got.on_a, got.on_b), expected);
  double off_a = oracle(&got.on_a, 1, a, count_a), off_b = oracle(&got.on_b, 1, b, count_b);
  cr_assert(off_a <= place && off_b <= place,
            "%d-%d, sample %d: witnesses are %.3g and %.3g off the sets", count_a, count_b, sample,
            off_a, off_b);
  if (got.distance_m == 0)
    cr_assert(ts_vec3_distance(got.on_a, got.on_b) == 0, "%d-%d, sample %d: one point in common",
              count_a, count_b, sample);
}

static const int kinds[][2] = {{1, 2}, {1, 3}, {2, 2}, {3, 3}, {4, 4}};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

Test(geometry_closest, agrees_with_the_oracle_at_every_scale_and_far_away) {
  ts_random random = ts_random_seed(1, 0);
  const double scales[] = {1e-3, 1, 1e3};
  for (int i = 0; i < 900; i++) {
    double scale = scales[i % 3], offset = i % 2 ? 1e4 : 0, apart = 0.3 * (i % 7);
    ts_vec3 a[4], b[4];
    for (int k = 0; k < 4; k++) {
      a[k] = ts_vec3_scale(random_point(&random, 1), scale);
      b[k] = ts_vec3_scale(random_point(&random, 1), scale);
      b[k].y += apart * scale;
      a[k] = ts_vec3_add(a[k], (ts_vec3){offset, -offset, offset});
      b[k] = ts_vec3_add(b[k], (ts_vec3){offset, -offset, offset});
    }
    const int *kind = kinds[i % KIND_COUNT];
    expect_closest(a, kind[0], b, kind[1], 1e-14 * scale, i);
  }
}

Test(geometry_closest, agrees_with_the_oracle_on_a_small_grid) {
  ts_random random = ts_random_seed(2, 0);
  for (int i = 0; i < 3000; i++) {
    ts_vec3 a[4], b[4];
    for (int k = 0; k < 4; k++) {
      a[k] = grid_point(&random, 1);
      b[k] = grid_point(&random, 1);
    }
    const int *kind = kinds[i % KIND_COUNT];
    expect_closest(a, kind[0], b, kind[1], 1e-14, i);
  }
}

/// The same after rounding: what was parallel, coplanar or coincident now is so only nearly.
Test(geometry_closest, agrees_with_the_oracle_on_a_turned_grid) {
  ts_random random = ts_random_seed(3, 0);
  for (int i = 0; i < 3000; i++) {
    ts_pose pose = random_pose(&random, 1);
    double offset = i % 2 ? 1e4 : 0;
    ts_vec3 a[4], b[4];
    for (int k = 0; k < 4; k++) {
      a[k] = ts_pose_point(pose, grid_point(&random, 0.1));
      b[k] = ts_pose_point(pose, grid_point(&random, 0.1));
      a[k].z += offset;
      b[k].z += offset;
    }
    const int *kind = kinds[i % KIND_COUNT];
    expect_closest(a, kind[0], b, kind[1], 1e-14, i);
  }
}

Test(geometry_closest, point_on_a_segment_has_its_parameter) {
  ts_vec3 a = {1, 2, 3}, b = {5, 2, 3};
  cr_expect_eq(ts_closest_point_segment((ts_vec3){2, 9, -4}, a, b), 0.25);
  cr_expect_eq(ts_closest_point_segment((ts_vec3){-7, 2, 3}, a, b), 0);
  cr_expect_eq(ts_closest_point_segment((ts_vec3){7, 2, 3}, a, b), 1);
  cr_expect_eq(ts_closest_point_segment((ts_vec3){7, 2, 3}, a, a), 0, "no length");
}

Test(geometry_closest, triangle_distinguishes_face_edge_and_corner) {
  const ts_vec3 t[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const struct {
    ts_vec3 p, point;
    int kind, corner;
  } cases[] = {
      {{1, 1, 3}, {1, 1, 0}, TS_FEATURE_FACE, 0},     {{1, 1, 0}, {1, 1, 0}, TS_FEATURE_FACE, 0},
      {{1, -2, 1}, {1, 0, 0}, TS_FEATURE_EDGE, 0},    {{3, 3, -1}, {2, 2, 0}, TS_FEATURE_EDGE, 1},
      {{-1, 3, 0}, {0, 3, 0}, TS_FEATURE_EDGE, 2},    {{1, 0, 5}, {1, 0, 0}, TS_FEATURE_EDGE, 0},
      {{-1, -1, 2}, {0, 0, 0}, TS_FEATURE_VERTEX, 0}, {{6, 1, 0}, {4, 0, 0}, TS_FEATURE_VERTEX, 1},
      {{0, 9, 1}, {0, 4, 0}, TS_FEATURE_VERTEX, 2},   {{4, 0, 0}, {4, 0, 0}, TS_FEATURE_VERTEX, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ts_closest_on_triangle got = ts_closest_point_triangle(cases[i].p, t);
    cr_expect(ts_vec3_distance(got.point, cases[i].point) == 0, "case %zu: point", i);
    cr_expect_eq(got.distance_m, ts_vec3_distance(cases[i].p, cases[i].point), "case %zu", i);
    cr_expect_eq(got.kind, cases[i].kind, "case %zu: kind %d", i, got.kind);
    cr_expect(got.kind == TS_FEATURE_FACE || got.corner == cases[i].corner, "case %zu: corner", i);
  }
}

/// Needles and caps down to where a triangle counts as degenerate; the point is over the
/// inside.
Test(geometry_closest, thin_triangles_lose_no_digits) {
  ts_random random = ts_random_seed(4, 0);
  for (int i = 0; i < 600; i++) {
    double width = pow(10, -(i % 10)), height = i % 3 ? ts_random_unit(&random) : 0;
    double apex = i % 2 ? 0.4 : 0; // a cap, or a needle with a right angle
    double s = ts_random_uniform(&random, 0.05, 0.9),
           t = ts_random_uniform(&random, 0.05, 0.95 - s);
    ts_vec3 p = {s + t * apex, t * width, height};
    ts_vec3 triangle[3] = {{0, 0, 0}, {1, 0, 0}, {apex, width, 0}};
    ts_pose pose = random_pose(&random, 1);
    p = ts_pose_point(pose, p);
    for (int k = 0; k < 3; k++)
      triangle[k] = ts_pose_point(pose, triangle[k]);
    for (int first = 0; first < 3; first++) {
      const ts_vec3 turned[3] = {triangle[first], triangle[(first + 1) % 3],
                                 triangle[(first + 2) % 3]};
      ts_closest_on_triangle got = ts_closest_point_triangle(p, turned);
      // Rounding of the corners turns the plane by 1e-16 / width about the long edge.
      cr_assert(fabs(got.distance_m - height) <= 2e-15 + 1e-31 / (width * width),
                "sample %d: %.3g off", i, got.distance_m - height);
    }
  }
}

/// Two segments that cross at a small angle, or would if they were longer, at a distance of
/// `height`. The square of their sine rounds to nothing from 1e-8 downwards.
Test(geometry_closest, nearly_parallel_segments) {
  ts_random random = ts_random_seed(5, 0);
  for (int i = 0; i < 1000; i++) {
    double slope = pow(10, -(i % 18)), height = i % 3 ? ts_random_unit(&random) : 0;
    double cross_p = ts_random_uniform(&random, -0.4, 1.4);
    double cross_q = ts_random_uniform(&random, -0.4, 1.4);
    // Along x they meet at x = 0.
    ts_vec3 p[2] = {{-cross_p, 0, 0}, {1 - cross_p, 0, 0}};
    ts_vec3 q[2] = {{-cross_q, -cross_q * slope, height},
                    {1 - cross_q, (1 - cross_q) * slope, height}};
    ts_pose pose = random_pose(&random, 1);
    for (int k = 0; k < 2; k++) {
      p[k] = ts_pose_point(pose, p[k]);
      q[k] = ts_pose_point(pose, q[k]);
    }
    if (i % 2) {
      ts_vec3 kept = q[0];
      q[0] = q[1];
      q[1] = kept;
    }
    double s, t;
    ts_closest got = ts_closest_segment_segment(&s, &t, p[0], p[1], q[0], q[1]);
    if (cross_p >= 0 && cross_p <= 1 && cross_q >= 0 && cross_q <= 1) {
      cr_assert_float_eq(got.distance_m, height, 2e-15, "sample %d: %.3g off", i,
                         got.distance_m - height);
    } else {
      double smallest = INFINITY;
      for (int k = 0; k < 2; k++) {
        smallest = fmin(smallest, oracle(&p[k], 1, q, 2));
        smallest = fmin(smallest, oracle(&q[k], 1, p, 2));
      }
      cr_assert_float_eq(got.distance_m, smallest, 2e-15, "sample %d: %.3g off", i,
                         got.distance_m - smallest);
    }
    cr_assert(ts_vec3_distance(got.on_a, ts_vec3_lerp(p[0], p[1], s)) < 1e-15);
    cr_assert(ts_vec3_distance(got.on_b, ts_vec3_lerp(q[0], q[1], t)) < 1e-15);
  }
}

Test(geometry_closest, parallel_segments_answer_with_an_end) {
  ts_random random = ts_random_seed(6, 0);
  for (int i = 0; i < 500; i++) {
    ts_vec3 direction = random_point(&random, 1), p0 = random_point(&random, 1);
    ts_vec3 beside = ts_vec3_cross(direction, random_point(&random, 1));
    double from = ts_random_uniform(&random, -0.9, 0.9),
           length = ts_random_uniform(&random, 0.3, 2);
    ts_vec3 p1 = ts_vec3_add(p0, direction);
    ts_vec3 q0 = ts_vec3_add(ts_vec3_add_scaled(p0, from, direction), beside);
    ts_vec3 q1 = ts_vec3_add_scaled(q0, length, direction);
    double s, t;
    ts_closest got = ts_closest_segment_segment(&s, &t, p0, p1, q0, q1);
    cr_assert(s == 0 || s == 1 || t == 0 || t == 1, "sample %d: s %g, t %g", i, s, t);
    double expected = from > 1 || from + length < 0 ? oracle(&q1, 1, &p0, 1) : ts_vec3_norm(beside);
    if (from <= 1 && from + length >= 0)
      cr_assert_float_eq(got.distance_m, expected, 1e-14, "sample %d", i);
  }
}

Test(geometry_closest, segments_of_no_length_are_points) {
  ts_vec3 a = {1, 1, 1}, b = {3, 1, 1}, c = {2, 4, 5};
  double s, t;
  ts_closest point_segment = ts_closest_segment_segment(&s, &t, c, c, a, b);
  cr_expect_eq(point_segment.distance_m, 5);
  cr_expect_eq(t, 0.5);
  cr_expect_eq(ts_closest_segment_segment(NULL, &t, a, b, c, c).distance_m, 5);
  cr_expect_eq(ts_closest_segment_segment(NULL, NULL, a, a, b, b).distance_m, 2);
  cr_expect_eq(ts_closest_segment_segment(NULL, NULL, a, a, a, a).distance_m, 0);
}

static void place(ts_vec3 *out, const ts_vec3 *points, int count, ts_pose pose) {
  for (int i = 0; i < count; i++)
    out[i] = ts_pose_point(pose, points[i]);
}

/// Triangles in one plane, a corner in a face, an edge in a face, edges that cross: at rest,
/// turned, and far away, where only the rounding of the input is left.
Test(geometry_closest, touching_triangles_touch) {
  static const ts_vec3 base[3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
  static const ts_vec3 others[][3] = {
      {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}},             // the same
      {{0.5, 0.5, 0}, {2.5, 0.5, 0}, {0.5, 2.5, 0}}, // overlapping in the plane
      {{0.2, 0.2, 0}, {0.4, 0.2, 0}, {0.2, 0.4, 0}}, // inside
      {{-9, -9, 0}, {18, -9, 0}, {-9, 18, 0}},       // around
      {{0.5, 0.5, 0}, {1, 1, 3}, {0, 1, 3}},         // corner on the face
      {{0.3, 0.3, 0}, {0.9, 0.4, 0}, {0, 1, 3}},     // edge on the face
      {{1, 0, 0}, {1, -1, 1}, {1, -1, -1}},          // corner on an edge
      {{1, 0.5, -1}, {1, -0.5, 1}, {1, -9, 0}},      // edge across an edge
      {{2, 0, 0}, {3, 1, 1}, {3, -1, 4}},            // corner on a corner
      {{0, 0, 0}, {2, 0, 0}, {1, 1, 2}},             // an edge in common
  };
  ts_random random = ts_random_seed(7, 0);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    cr_expect(ts_closest_triangle_triangle(base, others[i]).distance_m <= 1e-16, "pair %zu", i);
    for (int k = 0; k < 60; k++) {
      ts_pose pose = random_pose(&random, 1);
      double offset = k % 2 ? 1e4 : 0, scale = k % 3 ? 1 : 1e-3;
      ts_vec3 a[3], b[3];
      for (int j = 0; j < 3; j++) {
        a[j] = ts_vec3_scale(base[j], scale);
        b[j] = ts_vec3_scale(others[i][j], scale);
      }
      pose.translation = ts_vec3_add(pose.translation, (ts_vec3){offset, offset, offset});
      place(a, a, 3, pose);
      place(b, b, 3, pose);
      double most = offset > 0 ? 8e-12 : 4e-15;
      ts_closest got = ts_closest_triangle_triangle(a, b),
                 back = ts_closest_triangle_triangle(b, a);
      cr_assert(got.distance_m <= most, "pair %zu, motion %d: %.3g", i, k, got.distance_m);
      cr_assert(back.distance_m <= most, "pair %zu, motion %d: %.3g", i, k, back.distance_m);
    }
  }
}

Test(geometry_closest, crossing_triangles_share_a_point) {
  const ts_vec3 a[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
                b[3] = {{1, 1, -1}, {1, 1, 1}, {5, 5, 0.5}};
  ts_closest got = ts_closest_triangle_triangle(a, b);
  cr_expect_eq(got.distance_m, 0);
  cr_expect(ts_vec3_distance(got.on_a, got.on_b) == 0, "one point");
  cr_expect(oracle(&got.on_a, 1, a, 3) < 1e-15 && oracle(&got.on_a, 1, b, 3) < 1e-15);
}

/// A blade that dips into a face by 1e-3 to 1e-15: crossing, though each vertex is nearly on the
/// plane.
Test(geometry_closest, shallow_crossings_are_seen) {
  for (int i = 3; i <= 15; i++) {
    double dip = pow(10, -i);
    const ts_vec3 a[3] = {{-3, -3, 0}, {3, -3, 0}, {0, 3, 0}};
    const ts_vec3 b[3] = {{-0.5, 0, dip}, {0.5, 0, -dip}, {0, 0, 1}};
    cr_expect(ts_closest_triangle_triangle(a, b).distance_m <= 3e-15, "dip %g", dip);
    cr_expect(ts_closest_triangle_triangle(b, a).distance_m <= 3e-15, "dip %g", dip);
  }
}

Test(geometry_closest, tet_inside_a_tet_has_no_distance) {
  const ts_vec3 outer[4] = {{0, 0, 0}, {9, 0, 0}, {0, 9, 0}, {0, 0, 9}};
  const ts_vec3 inner[4] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}};
  const ts_vec3 turned_over[4] = {inner[1], inner[0], inner[2], inner[3]};
  const ts_vec3 flat[4] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {2, 2, 1}};
  const ts_vec3 *insides[] = {inner, turned_over, flat};
  for (int i = 0; i < 3; i++) {
    ts_closest got = ts_closest_tet_tet(outer, insides[i]);
    cr_expect_eq(got.distance_m, 0, "%d: %g", i, got.distance_m);
    cr_expect(ts_vec3_distance(got.on_a, got.on_b) == 0);
    cr_expect(oracle(&got.on_a, 1, insides[i], 4) < 1e-15 &&
              oracle(&got.on_a, 1, outer, 4) < 1e-15);
    cr_expect_eq(ts_closest_tet_tet(insides[i], outer).distance_m, 0, "%d, the other way", i);
  }
}

Test(geometry_closest, same_tet_far_away_and_turned_touches) {
  ts_random random = ts_random_seed(8, 0);
  for (int i = 0; i < 100; i++) {
    // Two tets on the two sides of one face.
    ts_vec3 a[4], b[4];
    for (int k = 0; k < 4; k++)
      b[k] = a[k] = random_point(&random, 1);
    ts_vec3 normal = ts_vec3_cross(ts_vec3_sub(a[1], a[0]), ts_vec3_sub(a[2], a[0]));
    double height = ts_vec3_dot(normal, ts_vec3_sub(a[3], a[0])) / ts_vec3_norm2(normal);
    b[3] = ts_vec3_add_scaled(a[3], -2 * height, normal);
    ts_pose pose = random_pose(&random, 1);
    pose.translation.x += i % 2 ? 1e4 : 0;
    for (int k = 0; k < 4; k++) {
      a[k] = ts_pose_point(pose, a[k]);
      b[k] = ts_pose_point(pose, b[k]);
    }
    cr_assert(ts_closest_tet_tet(a, b).distance_m <= 1e-15, "sample %d", i);
    cr_assert_eq(ts_closest_tet_tet(a, a).distance_m, 0, "sample %d against itself", i);
  }
}

Test(geometry_closest, flat_input_is_the_set_of_points_it_is) {
  const ts_vec3 point[4] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  const ts_vec3 line[4] = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {2, 0, 0}};
  const ts_vec3 plane[4] = {{0, 0, 5}, {4, 0, 5}, {0, 4, 5}, {4, 4, 5}};
  cr_expect_float_eq(ts_closest_tet_tet(point, line).distance_m, sqrt(2), 1e-15);
  cr_expect_eq(ts_closest_tet_tet(point, plane).distance_m, 4);
  cr_expect_eq(ts_closest_tet_tet(line, plane).distance_m, 5);
  cr_expect_eq(ts_closest_tet_tet(point, point).distance_m, 0);
  cr_expect_float_eq(ts_closest_triangle_triangle(point, line).distance_m, sqrt(2), 1e-15);
  cr_expect_eq(ts_closest_point_triangle((ts_vec3){5, 0, 0}, line).distance_m, 2);
  cr_expect_eq(ts_closest_point_triangle((ts_vec3){2, 1, 0}, line).distance_m, 1);
  // The fourth corner of the plane is 4, 4: a diagonal of the square is not a boundary.
  const ts_vec3 above[4] = {{3.9, 3.9, 6}, {4, 4, 9}, {3, 4, 9}, {4, 3, 9}};
  cr_expect_float_eq(ts_closest_tet_tet(plane, above).distance_m, 1, 1e-15);
}

Test(geometry_closest, order_of_the_arguments_does_not_matter) {
  ts_random random = ts_random_seed(9, 0);
  for (int i = 0; i < 500; i++) {
    ts_vec3 a[4], b[4];
    for (int k = 0; k < 4; k++) {
      a[k] = random_point(&random, 1);
      b[k] = random_point(&random, 1);
      b[k].x += i % 3;
    }
    for (int k = 0; k < KIND_COUNT; k++) {
      if (kinds[k][0] != kinds[k][1])
        continue;
      ts_closest there = closest_of(a, kinds[k][0], b, kinds[k][1]);
      ts_closest back = closest_of(b, kinds[k][1], a, kinds[k][0]);
      cr_assert_float_eq(there.distance_m, back.distance_m, 1e-15, "sample %d", i);
    }
  }
}

Test(geometry_closest, a_segment_meets_a_triangle_at_its_ends_and_rims_too) {
  const ts_vec3 t[3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
  static const struct {
    ts_vec3 p, q;
    int meets;
    double at;
  } cases[] = {{{0.5, 0.5, -1}, {0.5, 0.5, 3}, 1, 0.25},  // through the face
               {{0.5, 0.5, 0}, {0.5, 0.5, 3}, 1, 0},      // from it
               {{0.5, 0.5, 3}, {0.5, 0.5, 0}, 1, 1},      // to it
               {{1, 1, -1}, {1, 1, 1}, 1, 0.5},           // through an edge
               {{-1, 0, -1}, {1, 0, 1}, 1, 0.5},          // through a corner
               {{1, 1.0000000001, -1}, {1, 1, 1}, 0, 0},  // beside the edge
               {{0.5, 0.5, 1e-300}, {0.5, 0.5, 1}, 0, 0}, // above
               {{-1, 0.5, 0}, {1, 0.5, 0}, 0, 0}};        // in the plane
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double at = 0;
    cr_expect_eq(ts_segment_meets_triangle(&at, cases[i].p, cases[i].q, t), cases[i].meets,
                 "case %zu", i);
    cr_expect_eq(at, cases[i].at, "case %zu: %g", i, at);
  }
}
