// SPDX-License-Identifier: MIT
#include "methods/prox2018/prox_overlap.h"

#include "geometry/tet.h"
#include "geometry/tolerances.h"

static inline void project(ts_real *out_low, ts_real *out_high, const ts_real3 node[4],
                           ts_real3 n) {
  ts_real d0 = ts_real3_dot(n, node[0]), d1 = ts_real3_dot(n, node[1]);
  ts_real d2 = ts_real3_dot(n, node[2]), d3 = ts_real3_dot(n, node[3]);
  *out_low = ts_real_min(ts_real_min(d0, d1), ts_real_min(d2, d3));
  *out_high = ts_real_max(ts_real_max(d0, d1), ts_real_max(d2, d3));
}

/// Whether all nodes are in front of a face that, but for rounding, none of them is behind. The
/// plane has its offset from the normal made unit once, and its normal made unit twice: where those
/// differ, faces that touch are apart.
static bool is_in_front(const ts_real3 node[4], const ts_real3 other[4], int f) {
  const int *k = ts_prox_face_nodes[f];
  ts_real3 base = other[k[2]];
  ts_real3 n = ts_real3_cross(ts_real3_sub(other[k[0]], base), ts_real3_sub(other[k[1]], base));
  n = ts_real3_unit(ts_real3_dot(n, ts_real3_sub(other[f], base)) > 0 ? ts_real3_neg(n) : n);
  ts_real offset = ts_real3_dot(n, base);
  n = ts_real3_unit(n);
  for (int i = 0; i < 4; i++)
    if (!(ts_real3_dot(n, node[i]) - offset > 0))
      return false;
  return true;
}

/// Whether one tet is in front of a face of the other: by the normals of the pair, unless rounding
/// may have made the gap.
static bool any_face_separates(const ts_prox_pair *pair) {
  ts_real sure_m = (ts_real)(TS_REAL_TOLERANCE(TS_PROX_MARGIN) * (double)ts_prox_pair_reach(pair));
  for (int side = 0; side < 2; side++) {
    const ts_real3 *own = pair->corners[side], *other = pair->corners[1 - side];
    for (int f = 0; f < 4; f++) {
      ts_real3 n = pair->normals[side][f];
      ts_real low_m, high_m;
      project(&low_m, &high_m, other, n);
      ts_real gap_m = low_m - ts_real3_dot(n, own[ts_prox_face_nodes[f][2]]);
      if (gap_m > sure_m || (gap_m >= -sure_m && is_in_front(other, own, f)))
        return true;
    }
  }
  return false;
}

/// One vector for each edge of b, by coordinate: loops over them are short and alike, so that
/// compilers make vector instructions of them.
typedef struct lanes {
  ts_real x[6], y[6], z[6];
} lanes;

static inline void set_lane(lanes *out, int j, ts_real3 v) {
  out->x[j] = v.x;
  out->y[j] = v.y;
  out->z[j] = v.z;
}

/// The crosses of one edge of a with all edges of b, of any length.
typedef struct edge_crosses {
  const ts_prox_pair *pair;
  lanes edges;                   ///< of b
  lanes nodes[3];                ///< of b, without the one left out
  lanes axes;                    ///< the crosses
  ts_real low[2][6], high[2][6]; ///< [tet][edge of b] extents along them, in their lengths
} edge_crosses;

/// Both ends of an edge are equally far along its crosses, so PROX leaves one of them out. Which
/// one matters where tets touch, and where edges are nearly parallel and their cross is noise. It
/// is node 0 if the edge has it, else the end; for an edge of b with a higher number than the edge
/// of a it is always the end.
static int left_out(int edge, bool is_later) {
  return ts_tet_edge_nodes[edge][edge < 3 && !is_later ? 0 : 1];
}

/// The k-th of the three other nodes.
static inline ts_real3 without(const ts_real3 node[4], int out, int k) {
  return node[k < out ? k : k + 1];
}

static void set_nodes(edge_crosses *c, int i, int j) {
  int out = left_out(j, j > i);
  for (int k = 0; k < 3; k++)
    set_lane(&c->nodes[k], j, without(c->pair->corners[1], out, k));
}

static void edge_crosses_begin(edge_crosses *c, const ts_prox_pair *pair) {
  const ts_real3 *b = pair->corners[1];
  c->pair = pair;
  for (int j = 0; j < 6; j++) {
    set_lane(&c->edges, j, ts_real3_sub(b[ts_tet_edge_nodes[j][1]], b[ts_tet_edge_nodes[j][0]]));
    set_nodes(c, 0, j);
  }
}

/// The minimum and the maximum of three, for each edge of b.
static inline void set_extents(ts_real low[6], ts_real high[6], ts_real along[3][6]) {
  for (int j = 0; j < 6; j++)
    low[j] = ts_real_min(ts_real_min(along[0][j], along[1][j]), along[2][j]);
  for (int j = 0; j < 6; j++)
    high[j] = ts_real_max(ts_real_max(along[0][j], along[1][j]), along[2][j]);
}

/// Fills axes and extents for edge i of a; to be called for every edge, in ascending order.
static void edge_crosses_set(edge_crosses *c, int i) {
  const ts_real3 *a = c->pair->corners[0];
  const lanes *e = &c->edges;
  ts_real3 d = ts_real3_sub(a[ts_tet_edge_nodes[i][1]], a[ts_tet_edge_nodes[i][0]]);
  lanes n;
  for (int j = 0; j < 6; j++)
    n.x[j] = d.y * e->z[j] - d.z * e->y[j];
  for (int j = 0; j < 6; j++)
    n.y[j] = d.z * e->x[j] - d.x * e->z[j];
  for (int j = 0; j < 6; j++)
    n.z[j] = d.x * e->y[j] - d.y * e->x[j];
  c->axes = n;
  if (i == 1 || i == 2)
    set_nodes(c, i, i); // its number is no longer higher than that of a's edge
  ts_real along_a[3][6], along_b[3][6];
  for (int k = 0; k < 3; k++) {
    ts_real3 p = without(a, left_out(i, false), k);
    const lanes *q = &c->nodes[k];
    for (int j = 0; j < 6; j++)
      along_a[k][j] = n.x[j] * p.x + n.y[j] * p.y + n.z[j] * p.z;
    for (int j = 0; j < 6; j++)
      along_b[k][j] = n.x[j] * q->x[j] + n.y[j] * q->y[j] + n.z[j] * q->z[j];
  }
  set_extents(c->low[0], c->high[0], along_a);
  set_extents(c->low[1], c->high[1], along_b);
}

static inline bool any_separates(const edge_crosses *c) {
  ts_real gap[6];
  for (int j = 0; j < 6; j++)
    gap[j] = ts_real_max(c->low[1][j] - c->high[0][j], c->low[0][j] - c->high[1][j]);
  return ts_real_max(ts_real_max(ts_real_max(gap[0], gap[1]), ts_real_max(gap[2], gap[3])),
                     ts_real_max(gap[4], gap[5])) > 0;
}

bool ts_prox_overlap(const ts_prox_pair *pair) {
  if (any_face_separates(pair))
    return false;
  edge_crosses c;
  edge_crosses_begin(&c, pair);
  for (int i = 0; i < 6; i++) {
    edge_crosses_set(&c, i);
    if (any_separates(&c))
      return false;
  }
  return true;
}

typedef struct best_axis {
  ts_real overlap_m;
  ts_real3 axis;
} best_axis;

/// `n` is unit. False when the tets are apart along it.
static inline bool consider(best_axis *best, const ts_prox_pair *pair, ts_real3 n) {
  ts_real low_a, high_a, low_b, high_b;
  project(&low_a, &high_a, pair->corners[0], n);
  project(&low_b, &high_b, pair->corners[1], n);
  if (high_a < low_b || high_b < low_a)
    return false;
  if (low_a <= low_b && high_a - low_b < best->overlap_m)
    *best = (best_axis){high_a - low_b, n};
  if (low_b <= low_a && high_b - low_a < best->overlap_m)
    *best = (best_axis){high_b - low_a, ts_real3_neg(n)};
  return true;
}

static bool consider_faces(best_axis *best, const ts_prox_pair *pair,
                           const ts_prox_pair_planes *planes, ts_tet_axes axes) {
  for (int f = 0; f < 4; f++)
    for (int side = 0; side < 2; side++)
      if (axes.faces[side] >> f & 1 &&
          !consider(best, pair, ts_real3_unit(planes->of[side][f].normal)))
        return false;
  return true;
}

/// Bit j: the cross with edge j of b may be better than the best so far, or separate. Its overlap
/// before it is made unit decides, which saves the root of most crosses.
static unsigned worth_trying(const edge_crosses *c, const best_axis *best, ts_real reach_m) {
  const lanes *n = &c->axes;
  ts_real limit_m =
      (ts_real)((double)best->overlap_m + TS_REAL_TOLERANCE(TS_PROX_MARGIN) * (double)reach_m);
  ts_real rounding = ts_prox_height_rounding(reach_m), excess[6];
  for (int j = 0; j < 6; j++) {
    ts_real after = c->high[0][j] - c->low[1][j], before = c->high[1][j] - c->low[0][j];
    ts_real overlap = ts_real_max(ts_real_min(after, before) - rounding, 0);
    ts_real length2 = n->x[j] * n->x[j] + n->y[j] * n->y[j] + n->z[j] * n->z[j];
    excess[j] = overlap * overlap - limit_m * limit_m * length2;
  }
  unsigned worth = 0;
  for (int j = 0; j < 6; j++)
    worth |= (unsigned)!(excess[j] > 0) << j;
  return worth;
}

static bool consider_edges(best_axis *best, const edge_crosses *c, unsigned which) {
  for (; which; which &= which - 1) {
    int j = __builtin_ctz(which);
    ts_real3 n = {c->axes.x[j], c->axes.y[j], c->axes.z[j]};
    ts_real length = ts_real3_norm(n);
    if (length > ts_prox_small && !consider(best, c->pair, ts_real3_divide(n, length)))
      return false;
  }
  return true;
}

bool ts_prox_overlap_axis(ts_real3 *out, ts_prox_pair_planes *out_planes, const ts_prox_pair *pair,
                          ts_tet_axes axes) {
  best_axis best = {INFINITY, {0, 0, 0}};
  if (any_face_separates(pair))
    return false;
  ts_prox_pair_planes_set(out_planes, pair);
  if (!consider_faces(&best, pair, out_planes, axes))
    return false;
  ts_real reach_m = ts_prox_pair_reach(pair);
  edge_crosses c;
  edge_crosses_begin(&c, pair);
  for (int i = 0; i < 6; i++) {
    edge_crosses_set(&c, i);
    if (any_separates(&c))
      return false;
    if (axes.edges[0] >> i & 1 &&
        !consider_edges(&best, &c, axes.edges[1] & worth_trying(&c, &best, reach_m)))
      return false;
  }
  *out = best.axis;
  return ts_real3_norm2(best.axis) > 0;
}
