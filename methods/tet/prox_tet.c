// SPDX-License-Identifier: MIT
#include "methods/tet/prox_tet.h"

#include "geometry/tet.h"
#include "geometry/tolerances.h"

/// Corners of face f in the order in which they are tried as its base.
static const int face_nodes[4][3] = {{3, 2, 1}, {2, 3, 0}, {3, 1, 0}, {1, 2, 0}};

static inline void project(double *out_low, double *out_high, const ts_vec3 node[4], ts_vec3 n) {
  double d0 = ts_vec3_dot(n, node[0]), d1 = ts_vec3_dot(n, node[1]);
  double d2 = ts_vec3_dot(n, node[2]), d3 = ts_vec3_dot(n, node[3]);
  *out_low = ts_min(ts_min(d0, d1), ts_min(d2, d3));
  *out_high = ts_max(ts_max(d0, d1), ts_max(d2, d3));
}

static double largest_coordinate(const ts_tet_pair *pair) {
  double of[8];
  for (int i = 0; i < 8; i++) {
    ts_vec3 p = pair->corners[i / 4][i % 4];
    of[i] = ts_max(fabs(p.x), ts_max(fabs(p.y), fabs(p.z)));
  }
  return ts_max(ts_max(ts_max(of[0], of[1]), ts_max(of[2], of[3])),
                ts_max(ts_max(of[4], of[5]), ts_max(of[6], of[7])));
}

/// What rounding can do to the height of a point along the cross of two edges. With coordinates
/// below `reach_m`, edges stay below 2 reach_m, crosses below 8 reach_m^2, and sums of three
/// products, 8 roundings each, are off by less than 5e-14 reach_m^3. Like the filter of a
/// predicate, it changes how much work is done and no answer.
static double height_rounding(double reach_m) {
  return 200 * TS_ROUNDING_RELATIVE * reach_m * reach_m * reach_m;
}

static ts_prox_plane face_plane(const ts_vec3 node[4], int f) {
  ts_vec3 edge[3];
  for (int i = 0; i < 3; i++)
    edge[i] = ts_vec3_sub(node[face_nodes[f][(i + 1) % 3]], node[face_nodes[f][i]]);
  ts_prox_plane plane = {.normal = {0, 0, 0}};
  double longest = -1;
  for (int i = 0; i < 3; i++) {
    ts_vec3 n = ts_vec3_cross(edge[(i + 2) % 3], edge[i]);
    double length2 = ts_vec3_norm2(n);
    if (length2 > longest) {
      longest = length2;
      plane = (ts_prox_plane){node[face_nodes[f][i]], n};
    }
  }
  if (ts_vec3_dot(plane.normal, ts_vec3_sub(node[f], plane.on)) > 0)
    plane.normal = ts_vec3_neg(plane.normal);
  return plane;
}

void ts_prox_planes(ts_prox_plane out[4], const ts_vec3 node[4]) {
  for (int f = 0; f < 4; f++)
    out[f] = face_plane(node, f);
}

void ts_prox_pair_planes_set(ts_prox_pair_planes *out, const ts_tet_pair *pair) {
  ts_prox_planes(out->of[0], pair->corners[0]);
  ts_prox_planes(out->of[1], pair->corners[1]);
}

/// Whether all nodes come out in front of a face that none of them is behind of by more than
/// rounding. The plane has its offset from the normal made unit once, and its normal made unit
/// twice: where those differ, faces that touch are apart.
static bool is_in_front(const ts_vec3 node[4], const ts_vec3 other[4], int f) {
  ts_vec3 base = other[face_nodes[f][2]];
  ts_vec3 n = ts_vec3_cross(ts_vec3_sub(other[face_nodes[f][0]], base),
                            ts_vec3_sub(other[face_nodes[f][1]], base));
  n = ts_vec3_unit(ts_vec3_dot(n, ts_vec3_sub(other[f], base)) > 0 ? ts_vec3_neg(n) : n);
  double offset = ts_vec3_dot(n, base);
  n = ts_vec3_unit(n);
  for (int i = 0; i < 4; i++)
    if (!(ts_vec3_dot(n, node[i]) - offset > 0))
      return false;
  return true;
}

/// Whether one tet is in front of a face of the other: by the normals of the pair, but where the
/// gap may be rounding.
static bool any_face_separates(const ts_tet_pair *pair) {
  double sure_m = TS_TOUCH_RELATIVE * largest_coordinate(pair);
  for (int side = 0; side < 2; side++) {
    const ts_vec3 *own = pair->corners[side], *other = pair->corners[1 - side];
    for (int f = 0; f < 4; f++) {
      ts_vec3 n = pair->normals[side][f];
      double low_m, high_m;
      project(&low_m, &high_m, other, n);
      double gap_m = low_m - ts_vec3_dot(n, own[face_nodes[f][2]]);
      if (gap_m > sure_m || (gap_m >= -sure_m && is_in_front(other, own, f)))
        return true;
    }
  }
  return false;
}

/// One vector for each edge of b, by coordinate: loops over them are short and alike, so that
/// compilers make vector instructions of them.
typedef struct lanes {
  double x[6], y[6], z[6];
} lanes;

static inline void set_lane(lanes *out, int j, ts_vec3 v) {
  out->x[j] = v.x;
  out->y[j] = v.y;
  out->z[j] = v.z;
}

/// The crosses of one edge of a with all edges of b, of any length.
typedef struct edge_crosses {
  const ts_tet_pair *pair;
  lanes edges;                  ///< of b
  lanes nodes[3];               ///< of b, those looked at
  lanes axes;                   ///< the crosses
  double low[2][6], high[2][6]; ///< [tet][edge of b] extents along them, in their lengths
} edge_crosses;

/// Both ends of an edge lie as far along its crosses, so PROX leaves one of them out. Which one
/// matters where tets touch, and where edges are nearly parallel and their cross is noise. It is
/// node 0 where the edge has it, else the end; of an edge of b that comes later in its tet than the
/// edge of a it is the end too.
static int left_out(int edge, bool is_later) {
  return ts_tet_edge_nodes[edge][edge < 3 && !is_later ? 0 : 1];
}

/// The k-th of the three other nodes.
static inline ts_vec3 without(const ts_vec3 node[4], int out, int k) {
  return node[k < out ? k : k + 1];
}

static void set_nodes(edge_crosses *c, int i, int j) {
  int out = left_out(j, j > i);
  for (int k = 0; k < 3; k++)
    set_lane(&c->nodes[k], j, without(c->pair->corners[1], out, k));
}

static void edge_crosses_begin(edge_crosses *c, const ts_tet_pair *pair) {
  const ts_vec3 *b = pair->corners[1];
  c->pair = pair;
  for (int j = 0; j < 6; j++) {
    set_lane(&c->edges, j, ts_vec3_sub(b[ts_tet_edge_nodes[j][1]], b[ts_tet_edge_nodes[j][0]]));
    set_nodes(c, 0, j);
  }
}

/// The least and the most of three, for each edge of b.
static inline void set_extents(double low[6], double high[6], double along[3][6]) {
  for (int j = 0; j < 6; j++)
    low[j] = ts_min(ts_min(along[0][j], along[1][j]), along[2][j]);
  for (int j = 0; j < 6; j++)
    high[j] = ts_max(ts_max(along[0][j], along[1][j]), along[2][j]);
}

/// Fills axes and extents for edge i of a; to be called for every edge, in ascending order.
static void edge_crosses_set(edge_crosses *c, int i) {
  const ts_vec3 *a = c->pair->corners[0];
  const lanes *e = &c->edges;
  ts_vec3 d = ts_vec3_sub(a[ts_tet_edge_nodes[i][1]], a[ts_tet_edge_nodes[i][0]]);
  lanes n;
  for (int j = 0; j < 6; j++)
    n.x[j] = d.y * e->z[j] - d.z * e->y[j];
  for (int j = 0; j < 6; j++)
    n.y[j] = d.z * e->x[j] - d.x * e->z[j];
  for (int j = 0; j < 6; j++)
    n.z[j] = d.x * e->y[j] - d.y * e->x[j];
  c->axes = n;
  if (i == 1 || i == 2)
    set_nodes(c, i, i); // no longer later than the edge of a
  double along_a[3][6], along_b[3][6];
  for (int k = 0; k < 3; k++) {
    ts_vec3 p = without(a, left_out(i, false), k);
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
  double gap[6];
  for (int j = 0; j < 6; j++)
    gap[j] = ts_max(c->low[1][j] - c->high[0][j], c->low[0][j] - c->high[1][j]);
  return ts_max(ts_max(ts_max(gap[0], gap[1]), ts_max(gap[2], gap[3])), ts_max(gap[4], gap[5])) > 0;
}

bool ts_prox_overlap(const ts_tet_pair *pair) {
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

static inline double height(const ts_prox_plane *plane, ts_vec3 p) {
  return ts_vec3_dot(plane->normal, ts_vec3_sub(p, plane->on));
}

/// One tet's nodes over the other's planes, in lengths of their normals.
typedef struct seen_nodes {
  double height[4][4]; ///< [node][plane]
  unsigned above[4];   ///< [node] bit f: above plane f
  unsigned clear[4];   ///< [node] bit f: above plane f by more than rounding
} seen_nodes;

static void see_nodes(seen_nodes *out, const ts_vec3 node[4], const ts_prox_plane planes[4],
                      double rounding) {
  for (int i = 0; i < 4; i++) {
    out->above[i] = out->clear[i] = 0;
    for (int f = 0; f < 4; f++) {
      double h = height(&planes[f], node[i]);
      out->height[i][f] = h;
      out->above[i] |= (unsigned)(h > 0) << f;
      out->clear[i] |= (unsigned)(h > rounding) << f;
    }
  }
}

/// Whether the point at t of an edge, between ends of these heights, is above a plane by more than
/// rounding.
static inline bool is_clear(const double at_i[4], const double at_j[4], double t, double rounding) {
  double over[4];
  for (int g = 0; g < 4; g++)
    over[g] = at_i[g] + t * (at_j[g] - at_i[g]);
  return ts_max(ts_max(over[0], over[1]), ts_max(over[2], over[3])) > rounding;
}

/// One tet seen by the planes of the other.
typedef struct seen_tet {
  const ts_vec3 *node;
  const ts_prox_plane *planes; ///< of the other
  seen_nodes seen;
} seen_tet;

/// The crossing of an edge with one plane, when it is not outside of another: the heights of the
/// ends tell of most crossings that they are; the others are made and looked at.
static void add_crossing(ts_tet_points *out, const seen_tet *tet, int e, int f, double rounding) {
  int i = ts_tet_edge_nodes[e][0], j = ts_tet_edge_nodes[e][1];
  const double *at_i = tet->seen.height[i], *at_j = tet->seen.height[j];
  if (!((tet->seen.above[i] ^ tet->seen.above[j]) >> f & 1) || at_i[f] == 0 || at_j[f] == 0)
    return;
  double t = at_i[f] / (at_i[f] - at_j[f]);
  if (is_clear(at_i, at_j, t, rounding))
    return;
  ts_vec3 p = ts_vec3_lerp(tet->node[i], tet->node[j], t);
  const ts_prox_plane *planes = tet->planes;
  if (!(height(&planes[f], p) > 0) && !(height(&planes[(f + 1) % 4], p) > 0) &&
      !(height(&planes[(f + 2) % 4], p) > 0) && !(height(&planes[(f + 3) % 4], p) > 0))
    out->points[out->count++] = p;
}

// In PROX's order, b before a: of points that are nearly the same the first stays.
void ts_prox_points(ts_tet_points *out, const ts_tet_pair *pair,
                    const ts_prox_pair_planes *planes) {
  double rounding = height_rounding(largest_coordinate(pair));
  seen_tet tets[2] = {{.node = pair->corners[1], .planes = planes->of[0]},
                      {.node = pair->corners[0], .planes = planes->of[1]}};
  for (int k = 0; k < 2; k++)
    see_nodes(&tets[k].seen, tets[k].node, tets[k].planes, rounding);
  out->count = 0;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 2; k++)
      if (!tets[k].seen.above[i])
        out->points[out->count++] = tets[k].node[i];
  for (int e = 0; e < 6; e++) {
    bool may_cross[2];
    for (int k = 0; k < 2; k++)
      may_cross[k] = !(tets[k].seen.clear[ts_tet_edge_nodes[e][0]] &
                       tets[k].seen.clear[ts_tet_edge_nodes[e][1]]);
    for (int f = 0; f < 4; f++)
      for (int k = 0; k < 2; k++)
        if (may_cross[k])
          add_crossing(out, &tets[k], e, f, rounding);
  }
}

typedef struct best_axis {
  double overlap_m;
  ts_vec3 axis;
} best_axis;

/// `n` is unit. False when the tets are apart along it.
static inline bool consider(best_axis *best, const ts_tet_pair *pair, ts_vec3 n) {
  double low_a, high_a, low_b, high_b;
  project(&low_a, &high_a, pair->corners[0], n);
  project(&low_b, &high_b, pair->corners[1], n);
  if (high_a < low_b || high_b < low_a)
    return false;
  if (low_a <= low_b && high_a - low_b < best->overlap_m)
    *best = (best_axis){high_a - low_b, n};
  if (low_b <= low_a && high_b - low_a < best->overlap_m)
    *best = (best_axis){high_b - low_a, ts_vec3_neg(n)};
  return true;
}

static bool consider_faces(best_axis *best, const ts_tet_pair *pair,
                           const ts_prox_pair_planes *planes, ts_tet_axes axes) {
  for (int f = 0; f < 4; f++)
    for (int side = 0; side < 2; side++)
      if (axes.faces[side] >> f & 1 &&
          !consider(best, pair, ts_vec3_unit(planes->of[side][f].normal)))
        return false;
  return true;
}

/// Bit j: the cross with edge j of b may be better than the best so far, or separate. Its overlap
/// before it is made unit tells, which spares most crosses the root.
static unsigned worth_a_look(const edge_crosses *c, const best_axis *best, double reach_m) {
  const lanes *n = &c->axes;
  double limit_m = best->overlap_m + TS_TOUCH_RELATIVE * reach_m;
  double rounding = height_rounding(reach_m), excess[6];
  for (int j = 0; j < 6; j++) {
    double after = c->high[0][j] - c->low[1][j], before = c->high[1][j] - c->low[0][j];
    double overlap = ts_max(ts_min(after, before) - rounding, 0);
    double length2 = n->x[j] * n->x[j] + n->y[j] * n->y[j] + n->z[j] * n->z[j];
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
    ts_vec3 n = {c->axes.x[j], c->axes.y[j], c->axes.z[j]};
    double length = ts_vec3_norm(n);
    // The one precision that PROX has for points serves it for areas too.
    if (length > TS_PROX_SAME_POINT_M &&
        !consider(best, c->pair, (ts_vec3){n.x / length, n.y / length, n.z / length}))
      return false;
  }
  return true;
}

bool ts_prox_least_overlap_axis(ts_vec3 *out, ts_prox_pair_planes *out_planes,
                                const ts_tet_pair *pair, ts_tet_axes axes) {
  best_axis best = {INFINITY, {0, 0, 0}};
  if (any_face_separates(pair))
    return false;
  ts_prox_pair_planes_set(out_planes, pair);
  if (!consider_faces(&best, pair, out_planes, axes))
    return false;
  double reach_m = largest_coordinate(pair);
  edge_crosses c;
  edge_crosses_begin(&c, pair);
  for (int i = 0; i < 6; i++) {
    edge_crosses_set(&c, i);
    if (any_separates(&c))
      return false;
    if (axes.edges[0] >> i & 1 &&
        !consider_edges(&best, &c, axes.edges[1] & worth_a_look(&c, &best, reach_m)))
      return false;
  }
  *out = best.axis;
  return ts_vec3_norm2(best.axis) > 0;
}

void ts_prox_sat(ts_tet_contacts *out, const ts_tet_pair *pair, ts_tet_axes axes, double size_m) {
  ts_prox_pair_planes planes;
  ts_tet_points points;
  ts_vec3 axis;
  if (!ts_prox_least_overlap_axis(&axis, &planes, pair, axes))
    return;
  ts_prox_points(&points, pair, &planes);
  if (points.count)
    ts_tet_points_report(out, &points, axis, TS_PROFILE_PROX2018, size_m);
}
