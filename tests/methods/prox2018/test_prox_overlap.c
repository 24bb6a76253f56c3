// SPDX-License-Identifier: MIT
// covers: methods/prox2018/prox_overlap.c methods/prox2018/prox_points.c
/// What the filters of prox_overlap and prox_points save, against the same arithmetic without any.
#include "methods/prox2018/prox_overlap.h"
#include "methods/prox2018/prox_points.h"
#include "tests/geometry/random_geometry.h"
#include "tests/methods/prox2018/prox_run.h"
#include "tests/methods/tet/tet_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static const int edge_nodes[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
/// Counter-clockwise from outside; face f lies opposite node f.
static const int face_nodes[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

static ts_real3 edge(const ts_real3 node[4], int e) {
  return ts_real3_sub(node[edge_nodes[e][1]], node[edge_nodes[e][0]]);
}

/// The extent along n of all nodes but one (-1: of all).
static void extent(ts_real *out_low, ts_real *out_high, const ts_real3 node[4], ts_real3 n,
                   int but) {
  *out_low = INFINITY;
  *out_high = -INFINITY;
  for (int i = 0; i < 4; i++)
    if (i != but) {
      *out_low = ts_real_min(*out_low, ts_real3_dot(n, node[i]));
      *out_high = ts_real_max(*out_high, ts_real3_dot(n, node[i]));
    }
}

static bool face_separates(const ts_real3 own[4], const ts_real3 other[4], int f) {
  const int *k = face_nodes[f];
  ts_real3 n = ts_real3_unit(
      ts_real3_cross(ts_real3_sub(own[k[1]], own[k[0]]), ts_real3_sub(own[k[2]], own[k[0]])));
  ts_real offset = ts_real3_dot(n, own[k[0]]);
  n = ts_real3_unit(n);
  int in_front = 0;
  for (int i = 0; i < 4; i++)
    in_front += ts_real3_dot(n, other[i]) - offset > 0;
  return in_front == 4;
}

static bool edges_separate(const ts_real3 a[4], const ts_real3 b[4], int i, int j) {
  // The node that is left out: of a by edge; of b for edges 01, 02, 03 of a, and for the others.
  static const int but_a[6] = {0, 0, 0, 2, 3, 3};
  static const int but_b[4][6] = {
      {0, 2, 3, 2, 3, 3}, {0, 0, 3, 2, 3, 3}, {0, 0, 0, 2, 3, 3}, {0, 0, 0, 2, 3, 3}};
  ts_real3 n = ts_real3_cross(edge(a, i), edge(b, j));
  ts_real low_a, high_a, low_b, high_b;
  extent(&low_a, &high_a, a, n, but_a[i]);
  extent(&low_b, &high_b, b, n, but_b[i < 3 ? i : 3][j]);
  return high_a < low_b || low_a > high_b;
}

static bool plain_overlap(const ts_prox_pair *pair) {
  const ts_real3 *a = pair->corners[0], *b = pair->corners[1];
  for (int f = 0; f < 4; f++)
    if (face_separates(a, b, f) || face_separates(b, a, f))
      return false;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      if (edges_separate(a, b, i, j))
        return false;
  return true;
}

typedef struct best_axis {
  ts_real overlap_m;
  ts_real3 axis;
  bool apart;
} best_axis;

static void look_at(best_axis *best, const ts_prox_pair *pair, ts_real3 n) {
  ts_real low_a, high_a, low_b, high_b;
  extent(&low_a, &high_a, pair->corners[0], n, -1);
  extent(&low_b, &high_b, pair->corners[1], n, -1);
  best->apart |= high_a < low_b || high_b < low_a;
  if (low_a <= low_b && high_a - low_b < best->overlap_m) {
    best->overlap_m = high_a - low_b;
    best->axis = n;
  }
  if (low_b <= low_a && high_b - low_a < best->overlap_m) {
    best->overlap_m = high_b - low_a;
    best->axis = ts_real3_neg(n);
  }
}

/// Every axis made unit and looked at.
static best_axis plain_axis(const ts_prox_pair *pair, ts_tet_axes axes) {
  best_axis best = {INFINITY, {0, 0, 0}, false};
  ts_prox_pair_planes planes;
  ts_prox_pair_planes_set(&planes, pair);
  for (int f = 0; f < 4; f++)
    for (int side = 0; side < 2; side++)
      if (axes.faces[side] >> f & 1)
        look_at(&best, pair, ts_real3_unit(planes.of[side][f].normal));
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      ts_real3 n = ts_real3_cross(edge(pair->corners[0], i), edge(pair->corners[1], j));
      ts_real length = ts_real3_norm(n);
      if (axes.edges[0] >> i & axes.edges[1] >> j & 1 && length > 10 * FLT_EPSILON)
        look_at(&best, pair, ts_real3_divide(n, length));
    }
  return best;
}

static ts_real plain_height(const ts_prox_plane *plane, ts_real3 p) {
  return ts_real3_dot(plane->normal, ts_real3_sub(p, plane->on));
}

static bool is_inside(const ts_prox_plane planes[4], ts_real3 p) {
  for (int f = 0; f < 4; f++)
    if (plain_height(&planes[f], p) > 0)
      return false;
  return true;
}

/// Every crossing made and looked at.
static void plain_node(ts_prox_points *out, ts_real3 node, const ts_prox_plane planes[4]) {
  if (is_inside(planes, node))
    out->points[out->count++] = node;
}

static void plain_crossing(ts_prox_points *out, const ts_real3 node[4],
                           const ts_prox_plane planes[4], int e, int f) {
  ts_real3 p = node[edge_nodes[e][0]], q = node[edge_nodes[e][1]];
  ts_real at_p = plain_height(&planes[f], p), at_q = plain_height(&planes[f], q);
  ts_real3 crossing =
      ts_real3_lerp(p, q, ts_real_abs(at_p) / (ts_real_abs(at_p) + ts_real_abs(at_q)));
  bool crosses = (at_p < 0 && at_q > 0) || (at_p > 0 && at_q < 0); // their product may underflow
  if (crosses && is_inside(planes, crossing))
    out->points[out->count++] = crossing;
}

/// In PROX's order: nodes, then edges and planes, those of b before those of a.
static void plain_points(ts_prox_points *out, const ts_prox_pair *pair,
                         const ts_prox_pair_planes *planes) {
  for (int i = 0; i < 4; i++)
    for (int side = 1; side >= 0; side--)
      plain_node(out, pair->corners[side][i], planes->of[1 - side]);
  for (int e = 0; e < 6; e++)
    for (int f = 0; f < 4; f++)
      for (int side = 1; side >= 0; side--)
        plain_crossing(out, pair->corners[side], planes->of[1 - side], e, f);
}

/// A pair of any kind: apart, deep, touching, with parallel edges; three in four moved, so that
/// what touched does so but for rounding, and scaled; of these one in three up to 50 sizes away.
static ts_prox_pair any_pair(ts_random *random, int n) {
  ts_tet_pair pair = n % 2 ? tet_pair_on_lattice(random) : tet_pair_random(random, 0.2 * (n % 5));
  for (int side = 0; side < 2; side++)
    if (ts_tet_volume(pair.corners[side]) < 0) {
      ts_vec3 swapped = pair.corners[side][0];
      pair.corners[side][0] = pair.corners[side][1];
      pair.corners[side][1] = swapped;
    }
  ts_tet_pair_set_normals(&pair);
  static const double scales[] = {1, 1e-3, 1e3};
  double scale = scales[n % 3];
  if (n % 4 != 1)
    pair = tet_pair_moved(&pair, scale, random_pose(random, n % 4 ? scale : 50 * scale));
  return prox_pair_of(&pair);
}

enum { PAIRS = 20000 };

Test(methods_prox_overlap, overlap_is_that_of_the_plain_test) {
  ts_random random = ts_random_seed(31, 0);
  int overlapping = 0;
  for (int n = 0; n < PAIRS; n++) {
    ts_prox_pair pair = any_pair(&random, n);
    bool expected = plain_overlap(&pair);
    cr_assert_eq(ts_prox_overlap(&pair), expected, "pair %d", n);
    overlapping += expected;
  }
  cr_assert(overlapping > PAIRS / 10 && overlapping < PAIRS * 9 / 10, "%d overlap", overlapping);
}

Test(methods_prox_overlap, axis_is_that_of_all_axes_made_unit) {
  ts_random random = ts_random_seed(32, 0);
  static const ts_tet_axes axes[] = {{{0xf, 0xf}, {0x3f, 0x3f}}, {{1, 8}, {0x38, 0x0b}}};
  int found = 0;
  for (int n = 0; n < PAIRS; n++) {
    ts_prox_pair pair = any_pair(&random, n);
    best_axis expected = plain_axis(&pair, axes[n / 7 % 2]);
    bool has_axis = plain_overlap(&pair) && !expected.apart;
    ts_real3 got = {0, 0, 0};
    ts_prox_pair_planes planes;
    cr_assert_eq(ts_prox_overlap_axis(&got, &planes, &pair, axes[n / 7 % 2]), has_axis, "pair %d",
                 n);
    if (!has_axis)
      continue;
    cr_assert(got.x == expected.axis.x && got.y == expected.axis.y && got.z == expected.axis.z,
              "pair %d: %g %g %g, not %g %g %g", n, got.x, got.y, got.z, expected.axis.x,
              expected.axis.y, expected.axis.z);
    found++;
  }
  cr_assert_gt(found, PAIRS / 10, "%d", found);
}

Test(methods_prox_overlap, points_are_those_of_all_crossings) {
  ts_random random = ts_random_seed(33, 0);
  size_t points = 0;
  for (int n = 0; n < PAIRS; n++) {
    ts_prox_pair pair = any_pair(&random, n);
    ts_prox_pair_planes planes;
    ts_prox_points got, expected = {.count = 0};
    ts_prox_pair_planes_set(&planes, &pair);
    plain_points(&expected, &pair, &planes);
    ts_prox_points_find(&got, &pair, &planes);
    cr_assert_eq(got.count, expected.count, "pair %d", n);
    for (size_t i = 0; i < got.count; i++)
      cr_assert_eq(memcmp(&got.points[i], &expected.points[i], sizeof got.points[i]), 0,
                   "pair %d, point %zu", n, i);
    points += got.count;
  }
  cr_assert_gt(points, PAIRS, "%zu", points);
}

Test(methods_prox_overlap, faces_without_area_leave_no_axis) {
  ts_tet_pair pair = tet_pair_stacked(-0.1);
  pair.corners[0][3] = ts_vec3_mid(pair.corners[0][0], pair.corners[0][1]);
  ts_prox_pair flat = prox_pair_of(&pair);
  ts_prox_pair_planes planes;
  ts_real3 axis;
  cr_assert(!ts_prox_overlap_axis(&axis, &planes, &flat, (ts_tet_axes){{4, 0}, {0, 0}}));
}

/// In each coordinate, against points that were kept.
Test(methods_prox_overlap, duplicates_are_dropped_within_ten_roundings) {
  ts_prox_points points = {4, {{0, 0, 0}, {1, 0, 0}, {0, 0, 5e-6F}, {1, 1e-6F, 0}}};
  ts_prox_points_drop_duplicates(&points);
  cr_assert_eq(points.count, 3);
  cr_expect_eq(points.points[2].z, 5e-6F);
}
