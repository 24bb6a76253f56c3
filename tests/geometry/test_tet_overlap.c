// SPDX-License-Identifier: MIT
// covers: geometry/tet_overlap.c
#include "geometry/closest.h"
#include "geometry/tet.h"
#include "geometry/vec3.h"
#include "tests/geometry/random_geometry.h"

#include <criterion/criterion.h>

static const int edge_nodes[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// ---------------------------------------------------------------------------------------------
// The oracle: all 44 axes, every node projected, in long double.

typedef struct axis {
  long double x, y, z;
} axis;

static axis cross(ts_vec3 u0, ts_vec3 u1, ts_vec3 v0, ts_vec3 v1) {
  axis u = {(long double)u1.x - u0.x, (long double)u1.y - u0.y, (long double)u1.z - u0.z};
  axis v = {(long double)v1.x - v0.x, (long double)v1.y - v0.y, (long double)v1.z - v0.z};
  return (axis){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

/// How far b has to move along n, or against it, to be clear of a; -INFINITY when there is no axis
/// or when it is made of edges with a sine below `least_sine`.
static double clearance(axis n, double scale, const ts_vec3 a[4], const ts_vec3 b[4],
                        double least_sine) {
  long double length = sqrtl(n.x * n.x + n.y * n.y + n.z * n.z);
  if (!(length > least_sine * scale))
    return INFINITY;
  long double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < 8; i++) {
    ts_vec3 p = i < 4 ? a[i] : b[i - 4];
    long double x = (long double)p.x - a[0].x, y = (long double)p.y - a[0].y;
    long double along = (n.x * x + n.y * y + n.z * ((long double)p.z - a[0].z)) / length;
    low[i / 4] = fminl(low[i / 4], along);
    high[i / 4] = fmaxl(high[i / 4], along);
  }
  return (double)fminl(high[0] - low[1], high[1] - low[0]);
}

static double oracle_overlap(const ts_vec3 a[4], const ts_vec3 b[4], double least_sine) {
  double smallest = INFINITY;
  for (int i = 0; i < 4; i++) {
    const ts_vec3 *tets[2] = {a, b};
    for (int k = 0; k < 2; k++) {
      const ts_vec3 *t = tets[k], p = t[(i + 1) % 4];
      axis n = cross(p, t[(i + 2) % 4], p, t[(i + 3) % 4]);
      smallest = fmin(smallest, clearance(n, 1, a, b, 0));
    }
  }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      ts_vec3 p = a[edge_nodes[i][0]], q = a[edge_nodes[i][1]];
      ts_vec3 r = b[edge_nodes[j][0]], s = b[edge_nodes[j][1]];
      double scale = ts_vec3_distance(p, q) * ts_vec3_distance(r, s);
      smallest = fmin(smallest, clearance(cross(p, q, r, s), scale, a, b, least_sine));
    }
  return smallest;
}

// ---------------------------------------------------------------------------------------------

/// Places both tets: scaled, moved rigidly, shifted.
static void place(ts_vec3 out[2][4], const ts_vec3 a[4], const ts_vec3 b[4], double scale,
                  ts_pose pose, double offset) {
  pose.translation = ts_vec3_add(pose.translation, (ts_vec3){offset, offset, -offset});
  for (int i = 0; i < 4; i++) {
    out[0][i] = ts_pose_point(pose, ts_vec3_scale(a[i], scale));
    out[1][i] = ts_pose_point(pose, ts_vec3_scale(b[i], scale));
  }
}

/// A tet of a random shape; flat ones to one part in a hundred are among them.
static void random_pair(ts_random *random, ts_vec3 a[4], ts_vec3 b[4], double apart) {
  for (int k = 0; k < 4; k++) {
    a[k] = random_point(random, 1);
    b[k] = random_point(random, 1);
    b[k].x += apart;
  }
  double flatten = ts_random_unit(random) < 0.3 ? 0.01 : 1;
  a[3] = ts_vec3_lerp(ts_vec3_lerp(ts_vec3_lerp(a[0], a[1], 0.4), a[2], 0.6), a[3], flatten);
}

Test(geometry_tet_overlap, agrees_with_all_axes_at_every_scale_and_far_away) {
  ts_random random = ts_random_seed(1, 0);
  const double scales[3] = {1e-3, 1, 1e3};
  int count[2] = {0, 0};
  for (int i = 0; i < 3000; i++) {
    ts_vec3 a[4], b[4], placed[2][4];
    random_pair(&random, a, b, 0.3 * (i % 6));
    double offset = i % 2 ? 1e4 : 0, scale = scales[i % 3];
    place(placed, a, b, scale, random_pose(&random, 1), offset);
    double overlap = oracle_overlap(placed[0], placed[1], 0);
    if (fabs(overlap) < 1e-10 * (scale + offset))
      continue;
    int got = ts_tet_tet_overlap(placed[0], placed[1], 0);
    cr_assert_eq(got, overlap > 0, "pair %d: overlap %g", i, overlap);
    count[got]++;
  }
  cr_expect(count[0] > 800 && count[1] > 800, "%d apart, %d overlapping", count[0], count[1]);
}

Test(geometry_tet_overlap, agrees_with_the_distance) {
  ts_random random = ts_random_seed(2, 0);
  for (int i = 0; i < 2000; i++) {
    ts_vec3 a[4], b[4];
    random_pair(&random, a, b, 0.3 * (i % 6));
    cr_assert_eq(ts_tet_tet_overlap(a, b, 0), ts_closest_tet_tet(a, b).distance_m <= 1e-14,
                 "pair %d", i);
  }
}

/// Tets that have a volume in common overlap; those that have none touch at most.
Test(geometry_tet_overlap, agrees_with_the_volume_in_common) {
  ts_random random = ts_random_seed(11, 0);
  int count[2] = {0, 0};
  for (int i = 0; i < 6000; i++) {
    ts_vec3 a[4], b[4];
    random_pair(&random, a, b, 0.3 * (i % 6));
    double volume = ts_tet_tet_volume(a, b);
    double overlap = ts_tet_tet_least_overlap(a, b).overlap_m;
    int has_volume = volume > 1e-12;
    // A corner of depth h may hold as little as a fraction of h^3.
    if (!has_volume && overlap > -1e-9 && overlap < 1e-3)
      continue;
    cr_assert_eq(ts_tet_tet_overlap(a, b, 0), has_volume, "pair %d: %g m3, overlap %g", i, volume,
                 overlap);
    cr_assert_eq(overlap > 0, has_volume, "pair %d: %g m3, overlap %g", i, volume, overlap);
    count[has_volume]++;
  }
  cr_expect(count[0] > 1500 && count[1] > 1500, "%d apart, %d overlapping", count[0], count[1]);
}

Test(geometry_tet_overlap, order_of_nodes_and_tets_does_not_matter) {
  ts_random random = ts_random_seed(3, 0);
  for (int i = 0; i < 300; i++) {
    ts_vec3 a[4], b[4], turned[4];
    random_pair(&random, a, b, 0.9);
    int expected = ts_tet_tet_overlap(a, b, 0);
    cr_assert_eq(ts_tet_tet_overlap(b, a, 0), expected, "pair %d, swapped", i);
    for (int p = 0; p < 24; p++) {
      int left[4] = {0, 1, 2, 3}, code = p;
      for (int k = 4; k > 0; k--) {
        int pick = code % k;
        code /= k;
        turned[4 - k] = a[left[pick]];
        left[pick] = left[k - 1];
      }
      cr_assert_eq(ts_tet_tet_overlap(turned, b, 0), expected, "pair %d, order %d", i, p);
      cr_assert_eq(ts_tet_tet_overlap(b, turned, 0), expected, "pair %d, order %d", i, p);
    }
  }
}

static const ts_vec3 unit_tet[4] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}};

/// Tets that touch unit_tet, and the direction in which to part them.
static const struct {
  const char *what;
  ts_vec3 tet[4], away;
} touching[] = {
    {"face on face", {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {1, 1, -3}}, {0, 0, -1}},
    {"part of a face", {{0.5, 0.5, 0}, {3, 0.5, 0}, {0.5, 3, 0}, {1, 1, -3}}, {0, 0, -1}},
    {"small face in a face", {{0.2, 0.2, 0}, {0.4, 0.2, 0}, {0.2, 0.4, 0}, {0, 0, -1}}, {0, 0, -1}},
    {"edge in a face", {{0.5, 0.5, 0}, {0.7, 0.9, 0}, {0, 2, -1}, {2, 0, -1}}, {0, 0, -1}},
    {"edge on an edge", {{0.5, 0, 0}, {1.5, 0, 0}, {1, -1, -1}, {1, -2, -1}}, {0, -1, -1}},
    {"edge across an edge", {{1, 1, -1}, {1, -1, 1}, {1, -3, -3}, {0.5, -3, -3}}, {0, -1, -1}},
    {"edge nearly along an edge",
     {{0.5, 1e-4, -1e-4}, {1.5, -1e-4, 1e-4}, {1, -3, -3}, {0.5, -3, -3}},
     {0, -1, -1}},
    {"node on a face", {{0.5, 0.5, 0}, {1, 1, -2}, {0, 1, -2}, {0, 0, -2}}, {0, 0, -1}},
    {"node on an edge", {{1, 0, 0}, {1, -1, -2}, {2, -2, -1}, {0, -2, -2}}, {0, -1, -1}},
    {"node on a node", {{0, 0, 0}, {-1, -2, -1}, {-1, -1, -2}, {-2, -1, -1}}, {-1, -1, -1}},
    {"slanted faces", {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {3, 3, 3}}, {1, 1, 1}},
};
enum { TOUCHING_COUNT = sizeof touching / sizeof *touching };

Test(geometry_tet_overlap, touching_counts_however_it_is_moved) {
  ts_random random = ts_random_seed(4, 0);
  const double scales[3] = {1, 1e-3, 1e3};
  for (int i = 0; i < TOUCHING_COUNT; i++) {
    cr_expect(ts_tet_tet_overlap(unit_tet, touching[i].tet, 0), "%s", touching[i].what);
    for (int k = 0; k < 120; k++) {
      ts_vec3 placed[2][4];
      place(placed, unit_tet, touching[i].tet, scales[k % 3], random_pose(&random, 1),
            k % 2 ? 1e4 : 0);
      cr_assert(ts_tet_tet_overlap(placed[0], placed[1], 0), "%s, motion %d", touching[i].what, k);
      cr_assert(ts_tet_tet_overlap(placed[1], placed[0], 0), "%s, motion %d", touching[i].what, k);
    }
  }
}

/// A gap of 1e-10 of a metre is seen at 1e4 m from the origin; 1e-13 near it.
Test(geometry_tet_overlap, small_gaps_separate) {
  ts_random random = ts_random_seed(5, 0);
  for (int i = 0; i < TOUCHING_COUNT; i++)
    for (int k = 0; k < 60; k++) {
      double offset = k % 2 ? 1e4 : 0, gap = offset > 0 ? 2e-10 : 2e-13;
      ts_vec3 moved[4], placed[2][4], away = ts_vec3_unit(touching[i].away);
      for (int j = 0; j < 4; j++)
        moved[j] = ts_vec3_add_scaled(touching[i].tet[j], gap, away);
      place(placed, unit_tet, moved, 1, random_pose(&random, 1), offset);
      cr_assert(!ts_tet_tet_overlap(placed[0], placed[1], 0), "%s, motion %d", touching[i].what, k);
    }
}

/// Two blades cross at a small angle, a gap apart: no face separates them, only the cross product
/// of the two edges does.
Test(geometry_tet_overlap, nearly_parallel_edges_separate) {
  ts_random random = ts_random_seed(6, 0);
  for (int i = 0; i < 400; i++) {
    double sine = pow(10, -1 - i % 7), gap = 0.1 * sine * (i % 2 ? 1 : -1);
    const ts_vec3 a[4] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, -1}, {0, 1, -1}};
    const ts_vec3 b[4] = {{-1, -sine, gap}, {1, sine, gap}, {0, -1, 1 + gap}, {0, 1, 1 + gap}};
    for (int f = 0; f < 4; f++) {
      const ts_vec3 *tets[2] = {a, b};
      for (int k = 0; k < 2; k++) {
        const ts_vec3 *t = tets[k], p = t[(f + 1) % 4];
        axis n = cross(p, t[(f + 2) % 4], p, t[(f + 3) % 4]);
        cr_assert(clearance(n, 1, a, b, 0) > 0.1 * sine, "no face separates");
      }
    }
    ts_vec3 placed[2][4];
    place(placed, a, b, 1, random_pose(&random, 1), 0);
    cr_assert_eq(ts_tet_tet_overlap(placed[0], placed[1], 0), gap < 0, "sine %g, gap %g", sine,
                 gap);
  }
}

Test(geometry_tet_overlap, tolerance_is_a_separation_along_the_best_axis) {
  ts_random random = ts_random_seed(7, 0);
  int seen = 0;
  for (int i = 0; i < 1500; i++) {
    ts_vec3 a[4], b[4];
    random_pair(&random, a, b, 0.5 * (i % 6));
    double separation = -oracle_overlap(a, b, 0);
    if (!(separation > 1e-6))
      continue;
    seen++;
    cr_assert(!ts_tet_tet_overlap(a, b, separation * 0.999), "pair %d, %g apart", i, separation);
    cr_assert(ts_tet_tet_overlap(a, b, separation * 1.001), "pair %d, %g apart", i, separation);
  }
  cr_expect(seen > 400);
}

Test(geometry_tet_overlap, least_overlap_agrees_with_all_axes) {
  ts_random random = ts_random_seed(8, 0);
  for (int i = 0; i < 2000; i++) {
    ts_vec3 a[4], b[4];
    random_pair(&random, a, b, 0.3 * (i % 6));
    double expected = oracle_overlap(a, b, 1e-7);
    ts_tet_overlap got = ts_tet_tet_least_overlap(a, b);
    cr_assert_float_eq(got.overlap_m, expected, 1e-13, "pair %d: %g, not %g", i, got.overlap_m,
                       expected);
    cr_assert_float_eq(ts_vec3_norm(got.axis), 1, 1e-15);
    ts_tet_overlap back = ts_tet_tet_least_overlap(b, a);
    cr_assert_float_eq(back.overlap_m, got.overlap_m, 1e-14, "pair %d, swapped", i);
    cr_assert(ts_vec3_norm(ts_vec3_add(back.axis, got.axis)) < 1e-9, "pair %d, swapped", i);
  }
}

/// Moving b by the overlap along the axis just parts the two: it points from a to b, and nothing
/// less along it would do.
Test(geometry_tet_overlap, least_overlap_is_the_way_out) {
  ts_random random = ts_random_seed(9, 0);
  int seen = 0;
  for (int i = 0; i < 1000; i++) {
    ts_vec3 a[4], b[4], out[4], not_quite[4];
    random_pair(&random, a, b, 0.2 * (i % 3));
    ts_tet_overlap got = ts_tet_tet_least_overlap(a, b);
    if (got.overlap_m < 1e-3)
      continue;
    seen++;
    for (int k = 0; k < 4; k++) {
      out[k] = ts_vec3_add_scaled(b[k], got.overlap_m + 1e-12, got.axis);
      not_quite[k] = ts_vec3_add_scaled(b[k], got.overlap_m - 1e-12, got.axis);
    }
    cr_assert(!ts_tet_tet_overlap(a, out, 0), "pair %d", i);
    cr_assert(ts_tet_tet_overlap(a, not_quite, 0), "pair %d", i);
  }
  cr_expect(seen > 300);
}

Test(geometry_tet_overlap, least_overlap_names_the_axis) {
  // A node of b 0.1 deep in the face z = 0 of a, opposite node 3.
  const ts_vec3 spike[4] = {{0.5, 0.5, 0.1}, {1.5, 1, -3}, {0, 1, -2.5}, {0, 0, -2}};
  ts_tet_overlap got = ts_tet_tet_least_overlap(unit_tet, spike);
  cr_expect_float_eq(got.overlap_m, 0.1, 1e-15);
  cr_expect(got.kind == TS_TET_AXIS_FACE_A && got.index == 3, "%d %d", got.kind, got.index);
  cr_expect(ts_vec3_distance(got.axis, (ts_vec3){0, 0, -1}) < 1e-15, "down");
  got = ts_tet_tet_least_overlap(spike, unit_tet);
  cr_expect(got.kind == TS_TET_AXIS_FACE_B && got.index == 3, "%d %d", got.kind, got.index);
  cr_expect(ts_vec3_distance(got.axis, (ts_vec3){0, 0, 1}) < 1e-15, "up");

  // Two ridges at right angles, 0.1 deep: edge 01 of a and edge 01 of b.
  const ts_vec3 below[4] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, -2}, {0, 1, -2}};
  const ts_vec3 above[4] = {{0, -1, -0.1}, {0, 1, -0.1}, {-1, 0, 2}, {1, 0, 2}};
  got = ts_tet_tet_least_overlap(below, above);
  cr_expect_float_eq(got.overlap_m, 0.1, 1e-15);
  cr_expect(got.kind == TS_TET_AXIS_EDGES && got.index == 0, "%d %d", got.kind, got.index);
  cr_expect(ts_vec3_distance(got.axis, (ts_vec3){0, 0, 1}) < 1e-15, "up");
}

Test(geometry_tet_overlap, faces_win_ties_however_they_are_moved) {
  ts_random random = ts_random_seed(10, 0);
  for (int k = 0; k < 200; k++) {
    // Face 3 of unit_tet on face 3 of this one, 0.01 deep: their edges span the same axis.
    const ts_vec3 b[4] = {{0.1, 0.2, 0.01}, {1.9, 0.1, 0.01}, {0.3, 2, 0.01}, {1, 1, -3}};
    ts_vec3 placed[2][4];
    place(placed, unit_tet, b, 1, random_pose(&random, 1), k % 2 ? 1e4 : 0);
    ts_tet_overlap got = ts_tet_tet_least_overlap(placed[0], placed[1]);
    cr_assert(got.kind == TS_TET_AXIS_FACE_A && got.index == 3, "motion %d: %d %d", k, got.kind,
              got.index);
    cr_assert_float_eq(got.overlap_m, 0.01, 1e-11);
  }
}

static const ts_tet_axes all_axes = {{0xf, 0xf}, {0x3f, 0x3f}};

Test(geometry_tet_overlap, a_face_wins_over_edges_that_are_better_by_less_than_the_tie) {
  // A ridge along x and, 0.1 below it, a face that is tilted by next to nothing: the cross of the
  // ridge and an edge of the face is better by as little.
  const ts_vec3 ridge[4] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, -2}, {0, 1, -2}};
  const ts_vec3 tilted[4] = {{-0.2, -1, -0.1}, {0.2, -1, -0.1 - 1e-10}, {0, 1, -0.1}, {0, 0, 2}};
  ts_tet_overlap got = ts_tet_tet_least_overlap(ridge, tilted);
  cr_expect_eq(got.kind, TS_TET_AXIS_EDGES);
  got = ts_tet_tet_least_overlap_among(ridge, tilted, all_axes, 1e-9);
  cr_expect(got.kind == TS_TET_AXIS_FACE_B && got.index == 3, "%d %d", got.kind, got.index);
  cr_expect_float_eq(got.overlap_m, 0.1, 1e-9);
}

/// unit_tet and a tip that touches its edge from node 0 to node 1, below and beside it: the faces
/// y = 0 and z = 0 have nothing between them but where the centre of the tip is.
Test(geometry_tet_overlap, of_equal_faces_the_one_towards_the_other_centre_wins) {
  ts_random random = ts_random_seed(12, 0);
  const ts_tet_axes faces_of_a = {{0xf, 0}, {0, 0}};
  for (int k = 0; k < 60; k++) {
    ts_vec3 tip[4] = {{1, 0, 0}, {0.5, -2, -3}, {1.5, -1, -3}, {1, -1, -2}}, placed[2][4];
    ts_pose pose = random_pose(&random, 1);
    place(placed, unit_tet, tip, 1, pose, k % 2 ? 1e3 : 0);
    ts_tet_overlap got = ts_tet_tet_least_overlap_among(placed[0], placed[1], faces_of_a, 1e-9);
    cr_assert_float_eq(got.overlap_m, 0, 1e-11);
    cr_assert_eq(got.index, 3, "motion %d", k);
    ts_vec3 down = ts_pose_direction(pose, (ts_vec3){0, 0, -1});
    cr_assert_leq(ts_vec3_distance(got.axis, down), 1e-11, "motion %d", k);

    // In the middle between both: neither.
    for (int i = 1; i < 4; i++)
      tip[i].y = tip[i].z = -i;
    tip[1].y -= 1, tip[2].z -= 1;
    place(placed, unit_tet, tip, 1, pose, k % 2 ? 1e3 : 0);
    got = ts_tet_tet_least_overlap_among(placed[0], placed[1], faces_of_a, 1e-9);
    ts_vec3 mean = ts_pose_direction(pose, ts_vec3_unit((ts_vec3){0, -1, -1}));
    cr_assert_leq(ts_vec3_distance(got.axis, mean), 1e-11, "motion %d", k);
  }
}

/// Side by side with their faces y = 0 in one plane: either way along y is as long.
Test(geometry_tet_overlap, ways_that_cancel_out_leave_no_axis) {
  ts_random random = ts_random_seed(13, 0);
  const ts_vec3 left[4] = {{0, 0, 0}, {-2, 0, 0}, {0, 0, 2}, {-1, 1, 1}};
  const ts_vec3 right[4] = {{0, 0, 0}, {2, 0, 0}, {0, 0, 2}, {1, 1, 1}};
  for (int k = 0; k < 60; k++) {
    ts_vec3 placed[2][4];
    place(placed, left, right, 1, random_pose(&random, 1), k % 2 ? 1e3 : 0);
    ts_tet_axes sides = {{1u << 3, 1u << 3}, {0, 0}};
    ts_tet_overlap got = ts_tet_tet_least_overlap_among(placed[0], placed[1], sides, 1e-9);
    cr_assert_float_eq(got.overlap_m, 1, 1e-11, "motion %d", k);
    cr_assert_eq(ts_vec3_norm(got.axis), 0, "motion %d", k);
  }
}

Test(geometry_tet_overlap, no_face_no_overlap) {
  const ts_vec3 line[4] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  ts_tet_overlap got = ts_tet_tet_least_overlap(line, line);
  cr_expect(isnan(got.overlap_m));
  cr_expect_eq(ts_vec3_norm(got.axis), 0);
  cr_expect_eq(ts_tet_tet_overlap(line, line, 0), 1);
}
