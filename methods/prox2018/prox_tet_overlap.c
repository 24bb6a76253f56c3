// SPDX-License-Identifier: MIT
#include "methods/prox2018/prox_tet_overlap.h"

#include "geometry/tet.h"
#include "geometry/tolerances.h"

#include <stdint.h>

// Why most edge crosses need no projection: see geometry/tet_overlap.c.

/// One tet of a pair, relative to its node 0, as it sees the other.
typedef struct solid {
  ts_real3 node[4];
  ts_real other_x[4], other_y[4], other_z[4]; ///< the other tet's nodes
  ts_real height[4][4]; ///< [face][node of the other], in lengths of the face normal
  ts_real apex;         ///< height of node f over face f, for every f: -6 times the volume
} solid;

typedef struct tet_pair {
  solid solid[2];
  ts_real rounding_m; ///< of the nodes as given
} tet_pair;

/// A set of edge crosses: bit 6 i + j for edge i of the first tet and edge j of the second.
typedef uint64_t edge_pairs;

static const edge_pairs all_edge_pairs = ((edge_pairs)1 << 36) - 1;

static inline ts_real min_of(const ts_real v[4]) {
  return ts_real_min(ts_real_min(v[0], v[1]), ts_real_min(v[2], v[3]));
}

static inline ts_real max_of(const ts_real v[4]) {
  return ts_real_max(ts_real_max(v[0], v[1]), ts_real_max(v[2], v[3]));
}

static ts_real reach(const ts_real3 p[4]) {
  ts_real of[4];
  for (int i = 0; i < 4; i++)
    of[i] = ts_real3_reach(p[i]);
  return max_of(of);
}

static inline void set_solid(solid *s, const ts_real3 own[4], const ts_real3 other[4]) {
  for (int i = 0; i < 4; i++) {
    s->node[i] = ts_real3_sub(own[i], own[0]);
    s->other_x[i] = other[i].x - own[0].x;
    s->other_y[i] = other[i].y - own[0].y;
    s->other_z[i] = other[i].z - own[0].z;
  }
}

/// Whether a gap, in lengths of n, separates. Rounded to ts_real only at the end.
static inline bool separates(const tet_pair *pair, ts_real gap, ts_real3 n) {
  double length = fabs((double)n.x) + fabs((double)n.y) + fabs((double)n.z);
  return (ts_real)((double)gap - (double)pair->rounding_m * length) > 0;
}

/// Whether the normal n of face f separates; n . node = base on the face. Fills the heights.
static inline bool face_separates(const tet_pair *pair, solid *s, int f, ts_real3 n, ts_real base) {
  ts_real *height = s->height[f];
  for (int j = 0; j < 4; j++)
    height[j] = n.x * s->other_x[j] + n.y * s->other_y[j] + n.z * s->other_z[j] - base;
  ts_real above = min_of(height) - ts_real_max(s->apex, 0);
  ts_real below = ts_real_min(s->apex, 0) - max_of(height);
  return separates(pair, ts_real_max(above, below), n);
}

static inline bool any_face_separates(const tet_pair *pair, solid *s) {
  const ts_real3 *node = s->node;
  ts_real3 n1 = ts_real3_cross(node[3], node[2]);
  s->apex = ts_real3_dot(n1, node[1]);
  if (face_separates(pair, s, 1, n1, 0) ||
      face_separates(pair, s, 2, ts_real3_cross(node[1], node[3]), 0) ||
      face_separates(pair, s, 3, ts_real3_cross(node[2], node[1]), 0))
    return true;
  ts_real3 n0 = ts_real3_cross(ts_real3_sub(node[2], node[1]), ts_real3_sub(node[3], node[1]));
  return face_separates(pair, s, 0, n0, ts_real3_dot(n0, node[1]));
}

/// What rounding can do to a height or to a difference of two, in either solid. It changes how much
/// work is done and no answer.
static ts_real height_rounding(const solid *s) {
  ts_real most = reach(s->node);
  for (int i = 0; i < 4; i++)
    most = ts_real_max(ts_real_max(most, ts_real_abs(s->other_x[i])),
                       ts_real_max(ts_real_abs(s->other_y[i]), ts_real_abs(s->other_z[i])));
  double size = (double)most;
  return (ts_real)(200 * TS_REAL_TOLERANCE(TS_PROX_ROUNDING) * size * size * size);
}

/// Whether a node of the other tet is inside for certain.
static inline bool contains_a_node(const solid *s, ts_real noise) {
  const ts_real(*h)[4] = s->height;
  ts_real outermost[4];
  if (s->apex < 0)
    for (int j = 0; j < 4; j++)
      outermost[j] = ts_real_max(ts_real_max(h[0][j], h[1][j]), ts_real_max(h[2][j], h[3][j]));
  else
    for (int j = 0; j < 4; j++)
      outermost[j] = -ts_real_min(ts_real_min(h[0][j], h[1][j]), ts_real_min(h[2][j], h[3][j]));
  return min_of(outermost) < -noise;
}

/// For each face, the edges of the other tet along which the height rises or falls for certain. Bit
/// stride * e is edge e.
static inline void slopes(edge_pairs rises[4], edge_pairs falls[4], const solid *s, ts_real noise,
                          int stride) {
  for (int f = 0; f < 4; f++) {
    const ts_real *height = s->height[f];
    rises[f] = falls[f] = 0;
#pragma GCC unroll 6
    for (int e = 0; e < 6; e++) {
      ts_real rise = height[ts_tet_edge_nodes[e][1]] - height[ts_tet_edge_nodes[e][0]];
      rises[f] |= (edge_pairs)(rise > noise) << stride * e;
      falls[f] |= (edge_pairs)(rise < -noise) << stride * e;
    }
  }
}

/// The edge crosses along which the second tet may come after the first, and before it.
static inline void set_candidates(edge_pairs *out_after, edge_pairs *out_before,
                                  const tet_pair *pair, ts_real noise) {
  edge_pairs rises[2][4], falls[2][4], above[2] = {0, 0}, below[2] = {0, 0};
  slopes(rises[0], falls[0], &pair->solid[0], noise, 1);
  slopes(rises[1], falls[1], &pair->solid[1], noise, 6);
  for (int i = 0; i < 6; i++) {
    int against = ts_tet_edge_faces[i][0], with = ts_tet_edge_faces[i][1];
    above[0] |= (falls[0][against] | rises[0][with]) << 6 * i;
    below[0] |= (rises[0][against] | falls[0][with]) << 6 * i;
    above[1] |= (rises[1][against] | falls[1][with]) << i;
    below[1] |= (falls[1][against] | rises[1][with]) << i;
  }
  *out_after = ~(above[0] | below[1]) & all_edge_pairs;
  *out_before = ~(below[0] | above[1]) & all_edge_pairs;
}

/// By how much the second tet would have to move along n to come after the first (positive: they
/// overlap), and against n to come before it; in lengths of n.
static inline void projected_overlaps(ts_real *out_after, ts_real *out_before, ts_real3 n,
                                      const solid *s) {
  ts_real p[4], q[4];
  for (int i = 0; i < 4; i++) {
    p[i] = ts_real3_dot(n, s->node[i]);
    q[i] = n.x * s->other_x[i] + n.y * s->other_y[i] + n.z * s->other_z[i];
  }
  *out_after = max_of(p) - min_of(q);
  *out_before = max_of(q) - min_of(p);
}

static inline ts_real3 edge_of(const solid *s, int e) {
  return ts_real3_sub(s->node[ts_tet_edge_nodes[e][1]], s->node[ts_tet_edge_nodes[e][0]]);
}

/// Whether one of the edge crosses separates. `side`: 1 with the second tet after the first, -1
/// before it.
static inline bool any_edges_separate(const tet_pair *pair, edge_pairs which, ts_real side) {
  const solid *s = &pair->solid[0], *t = &pair->solid[1];
  for (; which != 0; which &= which - 1) {
    int bit = __builtin_ctzll(which), i = bit / 6, j = bit % 6;
    ts_real3 n = ts_real3_cross(edge_of(s, i), edge_of(t, j));
    int start = ts_tet_edge_nodes[j][0];
    ts_real3 from = s->node[ts_tet_edge_nodes[i][0]];
    ts_real3 to = {s->other_x[start], s->other_y[start], s->other_z[start]};
    if (!(side * ts_real3_dot(n, ts_real3_sub(to, from)) > 0))
      continue;
    ts_real after, before;
    projected_overlaps(&after, &before, n, s);
    if (separates(pair, -ts_real_min(after, before), n))
      return true;
  }
  return false;
}

bool ts_prox_tet_overlap(const ts_real3 a[4], const ts_real3 b[4]) {
  tet_pair pair;
  pair.rounding_m = (ts_real)(TS_REAL_TOLERANCE(TS_PROX_MOTION_ROUNDING) *
                              (double)ts_real_max(reach(a), reach(b)));
  set_solid(&pair.solid[0], a, b);
  if (any_face_separates(&pair, &pair.solid[0]))
    return false;
  set_solid(&pair.solid[1], b, a);
  if (any_face_separates(&pair, &pair.solid[1]))
    return false;
  ts_real noise = height_rounding(&pair.solid[0]);
  if (contains_a_node(&pair.solid[0], noise) || contains_a_node(&pair.solid[1], noise))
    return true;
  edge_pairs after, before;
  set_candidates(&after, &before, &pair, noise);
  return !any_edges_separate(&pair, after, 1) && !any_edges_separate(&pair, before, -1);
}
