// SPDX-License-Identifier: MIT
#include "geometry/tet.h"
#include "geometry/tolerances.h"
#include "geometry/vec3.h"

// An axis n separates when the projections of the two tets on it are apart. That holds for any n,
// the rounding noise of a cross product that should vanish included, as long as the gap is larger
// than the rounding of the projections. So no axis is too short to be tried; gaps are compared in
// lengths of n.
//
// Most edge crosses need no projection. For n = ea x eb and a node v of a face that ea bounds,
// n . (v - start of ea) is, up to sign, the dot product of eb and that face's normal: a difference
// of two heights that the face tests have computed. Their signs show whether n has the rest of both
// tets on the two sides away from each other. If not, n is not a normal of their Minkowski
// difference, and another axis separates when n does. What rounding leaves open is not ruled out.

/// One tet of a pair, relative to its node 0, as it sees the other.
typedef struct solid {
  ts_vec3 node[4];
  double other_x[4], other_y[4], other_z[4]; ///< the other tet's nodes
  double height[4][4]; ///< [face][node of the other], in lengths of the face normal
  double apex;         ///< height of node f over face f, for every f: -6 times the volume
} solid;

typedef struct tet_pair {
  solid solid[2];
  double rounding_m;  ///< of the nodes as given
  double tolerance_m; ///< a gap up to this does not separate
  int is_apart;       ///< a gap that does not separate was seen
} tet_pair;

/// A set of edge crosses: bit 6 i + j for edge i of the first tet and edge j of the second.
typedef uint64_t edge_pairs;

static const edge_pairs all_edge_pairs = ((edge_pairs)1 << 36) - 1;

static inline double least_of(const double v[4]) {
  return ts_min(ts_min(v[0], v[1]), ts_min(v[2], v[3]));
}

static inline double most_of(const double v[4]) {
  return ts_max(ts_max(v[0], v[1]), ts_max(v[2], v[3]));
}

static double largest_coordinate(const ts_vec3 p[4]) {
  double of[4];
  for (int i = 0; i < 4; i++)
    of[i] = ts_max(fabs(p[i].x), ts_max(fabs(p[i].y), fabs(p[i].z)));
  return most_of(of);
}

static inline void set_solid(solid *s, const ts_vec3 own[4], const ts_vec3 other[4]) {
  for (int i = 0; i < 4; i++) {
    s->node[i] = ts_vec3_sub(own[i], own[0]);
    s->other_x[i] = other[i].x - own[0].x;
    s->other_y[i] = other[i].y - own[0].y;
    s->other_z[i] = other[i].z - own[0].z;
  }
}

static void set_pair(tet_pair *pair, const ts_vec3 a[4], const ts_vec3 b[4], double tolerance_m) {
  pair->rounding_m =
      TS_MOTION_ROUNDING_RELATIVE * ts_max(largest_coordinate(a), largest_coordinate(b));
  pair->tolerance_m = tolerance_m;
  pair->is_apart = 0;
}

/// Whether a gap, in lengths of n, separates.
static inline int separates(tet_pair *pair, double gap, ts_vec3 n) {
  double beyond = gap - pair->rounding_m * (fabs(n.x) + fabs(n.y) + fabs(n.z));
  if (!(beyond > 0))
    return 0;
  if (!(pair->tolerance_m > 0))
    return 1;
  pair->is_apart = 1;
  return beyond > pair->tolerance_m * ts_vec3_norm(n);
}

/// Whether the normal n of face f separates; n . node = base on the face. Fills the heights.
static inline int face_separates(tet_pair *pair, solid *s, int f, ts_vec3 n, double base) {
  double *height = s->height[f];
  for (int j = 0; j < 4; j++)
    height[j] = n.x * s->other_x[j] + n.y * s->other_y[j] + n.z * s->other_z[j] - base;
  double gap = ts_max(least_of(height) - ts_max(s->apex, 0), ts_min(s->apex, 0) - most_of(height));
  return separates(pair, gap, n);
}

static inline int any_face_separates(tet_pair *pair, solid *s) {
  const ts_vec3 *node = s->node;
  ts_vec3 n1 = ts_vec3_cross(node[3], node[2]);
  s->apex = ts_vec3_dot(n1, node[1]);
  if (face_separates(pair, s, 1, n1, 0) ||
      face_separates(pair, s, 2, ts_vec3_cross(node[1], node[3]), 0) ||
      face_separates(pair, s, 3, ts_vec3_cross(node[2], node[1]), 0))
    return 1;
  ts_vec3 n0 = ts_vec3_cross(ts_vec3_sub(node[2], node[1]), ts_vec3_sub(node[3], node[1]));
  return face_separates(pair, s, 0, n0, ts_vec3_dot(n0, node[1]));
}

/// What rounding can do to a height or to a difference of two, in either solid. With `size` the
/// largest coordinate of the first, nodes relative to the second's node 0 stay below 2 size,
/// normals below 8 size^2, and a sum of three products, 7 roundings each, is off by less than 4e-14
/// size^3. Like the filter of a predicate, it changes how much work is done and no answer.
static double height_rounding(const solid *s) {
  double size = largest_coordinate(s->node);
  for (int i = 0; i < 4; i++)
    size =
        ts_max(ts_max(size, fabs(s->other_x[i])), ts_max(fabs(s->other_y[i]), fabs(s->other_z[i])));
  return 200 * TS_ROUNDING_RELATIVE * size * size * size;
}

/// Whether a node of the other tet is inside for certain.
static inline int contains_a_node(const solid *s, double noise) {
  const double(*h)[4] = s->height;
  double outermost[4];
  if (s->apex < 0)
    for (int j = 0; j < 4; j++)
      outermost[j] = ts_max(ts_max(h[0][j], h[1][j]), ts_max(h[2][j], h[3][j]));
  else
    for (int j = 0; j < 4; j++)
      outermost[j] = -ts_min(ts_min(h[0][j], h[1][j]), ts_min(h[2][j], h[3][j]));
  return least_of(outermost) < -noise;
}

/// For each face, the edges of the other tet along which the height rises or falls for certain. Bit
/// stride * e is edge e.
static inline void slopes(edge_pairs rises[4], edge_pairs falls[4], const solid *s, double noise,
                          int stride) {
  for (int f = 0; f < 4; f++) {
    const double *height = s->height[f];
    rises[f] = falls[f] = 0;
#pragma GCC unroll 6
    for (int e = 0; e < 6; e++) {
      double rise = height[ts_tet_edge_nodes[e][1]] - height[ts_tet_edge_nodes[e][0]];
      rises[f] |= (edge_pairs)(rise > noise) << stride * e;
      falls[f] |= (edge_pairs)(rise < -noise) << stride * e;
    }
  }
}

/// The edge crosses along which the second tet may come after the first, and before it.
static inline void set_candidates(edge_pairs *out_after, edge_pairs *out_before,
                                  const tet_pair *pair, double noise) {
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
static inline void projected_overlaps(double *out_after, double *out_before, ts_vec3 n,
                                      const solid *s) {
  double p[4], q[4];
  for (int i = 0; i < 4; i++) {
    p[i] = ts_vec3_dot(n, s->node[i]);
    q[i] = n.x * s->other_x[i] + n.y * s->other_y[i] + n.z * s->other_z[i];
  }
  *out_after = most_of(p) - least_of(q);
  *out_before = most_of(q) - least_of(p);
}

static inline ts_vec3 edge_of(const solid *s, int e) {
  return ts_vec3_sub(s->node[ts_tet_edge_nodes[e][1]], s->node[ts_tet_edge_nodes[e][0]]);
}

/// Whether one of the edge crosses separates. `side`: 1 with the second tet after the first, -1
/// before it, 0 either.
static inline int any_edges_separate(tet_pair *pair, edge_pairs which, double side) {
  const solid *s = &pair->solid[0], *t = &pair->solid[1];
  for (; which != 0; which &= which - 1) {
    int bit = __builtin_ctzll(which), i = bit / 6, j = bit % 6;
    ts_vec3 n = ts_vec3_cross(edge_of(s, i), edge_of(t, j));
    if (side != 0) {
      int start = ts_tet_edge_nodes[j][0];
      ts_vec3 from = s->node[ts_tet_edge_nodes[i][0]];
      ts_vec3 to = {s->other_x[start], s->other_y[start], s->other_z[start]};
      if (!(side * ts_vec3_dot(n, ts_vec3_sub(to, from)) > 0))
        continue;
    }
    double after, before;
    projected_overlaps(&after, &before, n, s);
    if (separates(pair, -ts_min(after, before), n))
      return 1;
  }
  return 0;
}

int ts_tet_tet_overlap(const ts_vec3 a[4], const ts_vec3 b[4], double tolerance_m) {
  tet_pair pair;
  set_pair(&pair, a, b, tolerance_m);
  set_solid(&pair.solid[0], a, b);
  if (any_face_separates(&pair, &pair.solid[0]))
    return 0;
  set_solid(&pair.solid[1], b, a);
  if (any_face_separates(&pair, &pair.solid[1]))
    return 0;
  if (!pair.is_apart) {
    double noise = height_rounding(&pair.solid[0]);
    if (contains_a_node(&pair.solid[0], noise) || contains_a_node(&pair.solid[1], noise))
      return 1;
    edge_pairs after, before;
    set_candidates(&after, &before, &pair, noise);
    if (any_edges_separate(&pair, after, 1) || any_edges_separate(&pair, before, -1))
      return 0;
    if (!pair.is_apart)
      return 1;
  }
  // Apart, but so far by no more than the tolerance: an axis that is not a normal may separate them
  // further.
  return !any_edges_separate(&pair, all_edge_pairs, 0);
}

/// Both senses of all axes.
enum { WAYS_MAX = 2 * 44 };

/// The ways in which the second tet may leave the first that are about as short as the shortest.
typedef struct ways_out {
  double tie_m;                 ///< overlaps that differ by no more are equal
  double least_m;               ///< of all seen
  double bar_m;                 ///< longer ones are not kept
  size_t count, face_count;     ///< those of faces come first
  ts_tet_overlap way[WAYS_MAX]; ///< [count]
} ways_out;

static inline void add_way(ways_out *out, double overlap_m, ts_vec3 n, double scale,
                           ts_tet_axis_kind kind, int index) {
  if (!(overlap_m <= out->bar_m))
    return;
  if (overlap_m < out->least_m) {
    out->least_m = overlap_m;
    out->bar_m = ts_min(out->bar_m, overlap_m + out->tie_m);
  }
  out->way[out->count++] = (ts_tet_overlap){overlap_m, ts_vec3_scale(n, scale), kind, index};
}

static inline void consider_axis(ways_out *out, const tet_pair *pair, ts_vec3 n,
                                 ts_tet_axis_kind kind, int index) {
  double length = ts_vec3_norm(n);
  if (!(length > 0 && isfinite(length)))
    return;
  double after, before;
  projected_overlaps(&after, &before, n, &pair->solid[0]);
  add_way(out, after / length, n, 1 / length, kind, index);
  add_way(out, before / length, n, -1 / length, kind, index);
}

static void consider_edges(ways_out *out, const tet_pair *pair, edge_pairs which) {
  for (; which != 0; which &= which - 1) {
    int bit = __builtin_ctzll(which);
    ts_vec3 ea = edge_of(&pair->solid[0], bit / 6), eb = edge_of(&pair->solid[1], bit % 6);
    ts_vec3 n = ts_vec3_cross(ea, eb);
    double parallel = TS_PARALLEL_SINE * TS_PARALLEL_SINE * ts_vec3_norm2(ea) * ts_vec3_norm2(eb);
    if (ts_vec3_norm2(n) > parallel)
      consider_axis(out, pair, n, TS_TET_AXIS_EDGES, bit);
  }
}

static void consider_faces(ways_out *out, const tet_pair *pair, const uint8_t which[2]) {
  for (int side = 0; side < 2; side++)
    for (int f = 0; f < 4; f++) {
      if (!(which[side] >> f & 1))
        continue;
      const ts_vec3 *node = pair->solid[side].node;
      ts_vec3 corner = node[ts_tet_face_nodes[f][0]];
      ts_vec3 n = ts_vec3_cross(ts_vec3_sub(node[ts_tet_face_nodes[f][1]], corner),
                                ts_vec3_sub(node[ts_tet_face_nodes[f][2]], corner));
      consider_axis(out, pair, n, side == 0 ? TS_TET_AXIS_FACE_A : TS_TET_AXIS_FACE_B, f);
    }
}

/// Unit, from the centre of the first tet to that of the second; zero when they are in one place.
static ts_vec3 towards_other(const solid *s, double tie_m) {
  ts_vec3 apart = {0, 0, 0};
  for (int i = 0; i < 4; i++) {
    ts_vec3 other = {s->other_x[i], s->other_y[i], s->other_z[i]};
    apart = ts_vec3_add(apart, ts_vec3_sub(other, s->node[i]));
  }
  return ts_vec3_norm(apart) > 4 * tie_m ? ts_vec3_unit(apart) : (ts_vec3){0, 0, 0};
}

/// Adds a direction to the set unless it is there.
static void add_direction(ts_vec3 *set, size_t *count, ts_vec3 n) {
  for (size_t i = 0; i < *count; i++)
    if (ts_vec3_distance(set[i], n) <= TS_SAME_NORMAL)
      return;
  set[(*count)++] = n;
}

/// The one that ts_tet_tet_least_overlap_among promises.
static ts_tet_overlap choose_way(const ways_out *ways, const tet_pair *pair) {
  ts_tet_overlap best = {(double)NAN, {0, 0, 0}, TS_TET_AXIS_FACE_A, 0};
  ts_vec3 towards = towards_other(&pair->solid[0], ways->tie_m), equal[WAYS_MAX];
  double best_along = -2; // cosines
  size_t equal_count = 0;
  for (size_t i = ways->count > ways->face_count ? ways->face_count : 0; i < ways->count; i++) {
    const ts_tet_overlap *way = &ways->way[i];
    double along = ts_vec3_dot(way->axis, towards);
    if (!(way->overlap_m <= ways->least_m + ways->tie_m) ||
        along < best_along - TS_SAME_DIRECTION_RAD)
      continue;
    if (along > best_along + TS_SAME_DIRECTION_RAD) {
      best = *way;
      best_along = along;
      equal_count = 0;
    }
    add_direction(equal, &equal_count, way->axis);
  }
  if (equal_count > 0)
    best.overlap_m = ways->least_m;
  if (equal_count > 1) {
    ts_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < equal_count; i++)
      sum = ts_vec3_add(sum, equal[i]);
    best.axis = ts_vec3_norm(sum) > TS_PARALLEL_SINE ? ts_vec3_unit(sum) : (ts_vec3){0, 0, 0};
  }
  return best;
}

/// An axis that is not a normal of the Minkowski difference never has the minimum overlap.
/// It may have the largest separation, and at a touch in edges only be as good as the best.
static void consider_all_edges(ways_out *out, tet_pair *pair) {
  edge_pairs tried = 0, after, before;
  if (out->least_m >= -out->tie_m && !any_face_separates(pair, &pair->solid[0]) &&
      !any_face_separates(pair, &pair->solid[1])) {
    set_candidates(&after, &before, pair, height_rounding(&pair->solid[0]));
    tried = after | before;
    consider_edges(out, pair, tried);
    if (out->least_m >= -out->tie_m && (out->count == out->face_count || out->least_m > out->tie_m))
      return;
  }
  consider_edges(out, pair, all_edge_pairs & ~tried);
}

ts_tet_overlap ts_tet_tet_least_overlap_among(const ts_vec3 a[4], const ts_vec3 b[4],
                                              ts_tet_axes axes, double tie_m) {
  tet_pair pair;
  set_pair(&pair, a, b, tie_m);
  set_solid(&pair.solid[0], a, b);
  set_solid(&pair.solid[1], b, a);
  ways_out ways;
  ways.tie_m = tie_m + pair.rounding_m;
  ways.least_m = ways.bar_m = INFINITY;
  ways.count = 0;
  consider_faces(&ways, &pair, axes.faces);
  ways.face_count = ways.count;
  ways.bar_m = ways.least_m - ways.tie_m;
  edge_pairs which = 0;
  for (int i = 0; i < 6; i++)
    if (axes.edges[0] >> i & 1)
      which |= (edge_pairs)(axes.edges[1] & 0x3f) << 6 * i;
  if (which == all_edge_pairs && axes.faces[0] == 0xf && axes.faces[1] == 0xf)
    consider_all_edges(&ways, &pair);
  else
    consider_edges(&ways, &pair, which);
  return choose_way(&ways, &pair);
}

ts_tet_overlap ts_tet_tet_least_overlap(const ts_vec3 a[4], const ts_vec3 b[4]) {
  return ts_tet_tet_least_overlap_among(a, b, ts_tet_axes_all, 0);
}
