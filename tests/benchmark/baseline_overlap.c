// SPDX-License-Identifier: MIT
#include "tests/benchmark/baseline_overlap.h"

static ts_vec3 minus(ts_vec3 a, ts_vec3 b) {
  return (ts_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double dot(ts_vec3 a, ts_vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static ts_vec3 cross(ts_vec3 a, ts_vec3 b) {
  return (ts_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

typedef struct interval {
  double low, high;
} interval;

// In this form they compile to one instruction each. Branches on data would measure the branch
// predictor, which does not correlate with the time of any kernel.
static double least(double a, double b) {
  return a < b ? a : b;
}

static double most(double a, double b) {
  return a > b ? a : b;
}

static interval of_four(double p, double q, double r, double s) {
  return (interval){least(least(p, q), least(r, s)), most(most(p, q), most(r, s))};
}

static int are_apart(interval a, interval b) {
  return a.high < b.low || b.high < a.low;
}

/// Whether the axis n separates; a vanishing cross product never does.
static int separates(ts_vec3 n, const ts_vec3 a[4], const ts_vec3 b[4]) {
  return are_apart(of_four(dot(n, a[0]), dot(n, a[1]), dot(n, a[2]), dot(n, a[3])),
                   of_four(dot(n, b[0]), dot(n, b[1]), dot(n, b[2]), dot(n, b[3])));
}

static int boxes_are_apart(const ts_vec3 a[4], const ts_vec3 b[4]) {
  return are_apart(of_four(a[0].x, a[1].x, a[2].x, a[3].x),
                   of_four(b[0].x, b[1].x, b[2].x, b[3].x)) ||
         are_apart(of_four(a[0].y, a[1].y, a[2].y, a[3].y),
                   of_four(b[0].y, b[1].y, b[2].y, b[3].y)) ||
         are_apart(of_four(a[0].z, a[1].z, a[2].z, a[3].z),
                   of_four(b[0].z, b[1].z, b[2].z, b[3].z));
}

/// Result of a face test; FACES_CONTAIN: a node of the other tet is inside, so they overlap.
typedef enum faces_answer { FACES_SEPARATE, FACES_CONTAIN, FACES_LEAVE_OPEN } faces_answer;

/// Each face of a against the nodes of b. Face f is opposite node f.
static faces_answer test_faces(const ts_vec3 a[4], const ts_vec3 b[4]) {
  static const int face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  int inside[4] = {1, 1, 1, 1};
  for (int f = 0; f < 4; f++) {
    ts_vec3 start = a[face[f][0]];
    ts_vec3 n = cross(minus(a[face[f][1]], start), minus(a[face[f][2]], start));
    double base = dot(n, start), apex = dot(n, a[f]) - base;
    int outside = 0;
    for (int j = 0; j < 4; j++) {
      double height = dot(n, b[j]) - base;
      outside += apex < 0 ? height > 0 : apex > 0 && height < 0;
      inside[j] &= apex < 0 ? height < 0 : apex > 0 && height > 0;
    }
    if (outside == 4)
      return FACES_SEPARATE;
  }
  return inside[0] || inside[1] || inside[2] || inside[3] ? FACES_CONTAIN : FACES_LEAVE_OPEN;
}

/// Edges 01 02 03 12 13 23.
static void set_edges(ts_vec3 out[6], const ts_vec3 node[4]) {
  out[0] = minus(node[1], node[0]);
  out[1] = minus(node[2], node[0]);
  out[2] = minus(node[3], node[0]);
  out[3] = minus(node[2], node[1]);
  out[4] = minus(node[3], node[1]);
  out[5] = minus(node[3], node[2]);
}

int baseline_overlap(const ts_vec3 a[4], const ts_vec3 b[4]) {
  if (boxes_are_apart(a, b))
    return 0;
  faces_answer of_a = test_faces(a, b);
  if (of_a != FACES_LEAVE_OPEN)
    return of_a == FACES_CONTAIN;
  faces_answer of_b = test_faces(b, a);
  if (of_b != FACES_LEAVE_OPEN)
    return of_b == FACES_CONTAIN;
  ts_vec3 edges_a[6], edges_b[6];
  set_edges(edges_a, a);
  set_edges(edges_b, b);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      if (separates(cross(edges_a[i], edges_b[j]), a, b))
        return 0;
  return 1;
}
