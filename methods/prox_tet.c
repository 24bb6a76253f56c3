#include "methods/prox_tet.h"

#include "geometry/tolerances.h"

/// Corners of face f in the order in which they are tried as its base.
static const int face_nodes[4][3] = {{3, 2, 1}, {2, 3, 0}, {3, 1, 0}, {1, 2, 0}};
static const int edge_nodes[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

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

bool ts_prox_overlap(const ts_tet_pair *pair) {
  if (!ts_tet_tet_overlap(pair->corners[0], pair->corners[1], 0))
    return false;
  for (int side = 0; side < 2; side++) {
    const ts_vec3 *node = pair->corners[1 - side], *other = pair->corners[side];
    for (int f = 0; f < 4; f++) {
      ts_vec3 n = pair->normals[side][f], base = other[face_nodes[f][2]];
      bool touches = true;
      for (int i = 0; i < 4 && touches; i++)
        touches = ts_vec3_dot(n, ts_vec3_sub(node[i], base)) >=
                  -TS_TOUCH_RELATIVE * (fabs(node[i].x) + fabs(node[i].y) + fabs(node[i].z));
      if (touches && is_in_front(node, other, f))
        return false;
    }
  }
  return true;
}

static inline double height(const ts_prox_plane *plane, ts_vec3 p) {
  return ts_vec3_dot(plane->normal, ts_vec3_sub(p, plane->on));
}

/// Adds the nodes of one tet that are in the other and its edges' crossings with it.
static void add_points(ts_tet_points *out, const ts_vec3 node[4], const ts_prox_plane planes[4]) {
  double heights[4][4]; // [node][plane]
  unsigned above[4];    // bit f: the node is above plane f
  for (int i = 0; i < 4; i++) {
    above[i] = 0;
    for (int f = 0; f < 4; f++) {
      heights[i][f] = height(&planes[f], node[i]);
      above[i] |= (unsigned)(heights[i][f] > 0) << f;
    }
    if (!above[i])
      out->points[out->count++] = node[i];
  }
  for (int e = 0; e < 6; e++) {
    int i = edge_nodes[e][0], j = edge_nodes[e][1];
    // Heights of points between the ends lie between theirs, up to rounding, which a plane above
    // both ends does not leave room for unless both touch it.
    unsigned crossed = above[i] ^ above[j];
    for (int f = 0; f < 4; f++) {
      double at_i = heights[i][f], at_j = heights[j][f];
      if (!(crossed >> f & 1) || at_i == 0 || at_j == 0)
        continue;
      ts_vec3 p = ts_vec3_lerp(node[i], node[j], at_i / (at_i - at_j));
      if (!(height(&planes[f], p) > 0) && !(height(&planes[(f + 1) % 4], p) > 0) &&
          !(height(&planes[(f + 2) % 4], p) > 0) && !(height(&planes[(f + 3) % 4], p) > 0))
        out->points[out->count++] = p;
    }
  }
}

void ts_prox_points(ts_tet_points *out, const ts_tet_pair *pair,
                    const ts_prox_pair_planes *planes) {
  out->count = 0;
  add_points(out, pair->corners[0], planes->of[1]);
  add_points(out, pair->corners[1], planes->of[0]);
}

typedef struct best_axis {
  double overlap_m;
  ts_vec3 axis;
} best_axis;

static inline double least(double a, double b) {
  return a < b ? a : b;
}

static inline double most(double a, double b) {
  return a > b ? a : b;
}

static inline void project(double *out_low, double *out_high, const ts_vec3 node[4], ts_vec3 n) {
  double d0 = ts_vec3_dot(n, node[0]), d1 = ts_vec3_dot(n, node[1]);
  double d2 = ts_vec3_dot(n, node[2]), d3 = ts_vec3_dot(n, node[3]);
  *out_low = least(least(d0, d1), least(d2, d3));
  *out_high = most(most(d0, d1), most(d2, d3));
}

/// `n` is unit.
static inline void consider(best_axis *best, const ts_tet_pair *pair, ts_vec3 n) {
  double low_a, high_a, low_b, high_b;
  project(&low_a, &high_a, pair->corners[0], n);
  project(&low_b, &high_b, pair->corners[1], n);
  bool a_first = low_a <= low_b;
  double overlap_m = a_first ? high_a - low_b : high_b - low_a;
  if (overlap_m < best->overlap_m)
    *best = (best_axis){overlap_m, a_first ? n : ts_vec3_neg(n)};
}

static inline void set_edges(ts_vec3 out[6], const ts_vec3 node[4]) {
  for (int e = 0; e < 6; e++)
    out[e] = ts_vec3_sub(node[edge_nodes[e][1]], node[edge_nodes[e][0]]);
}

ts_vec3 ts_prox_least_overlap_axis(const ts_tet_pair *pair, const ts_prox_pair_planes *planes,
                                   ts_tet_axes axes) {
  best_axis best = {INFINITY, {0, 0, 0}};
  for (int f = 0; f < 4; f++)
    for (int side = 0; side < 2; side++)
      if (axes.faces[side] >> f & 1)
        consider(&best, pair, ts_vec3_unit(planes->of[side][f].normal));
  ts_vec3 edges[2][6];
  set_edges(edges[0], pair->corners[0]);
  set_edges(edges[1], pair->corners[1]);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      if (!(axes.edges[0] >> i & 1) || !(axes.edges[1] >> j & 1))
        continue;
      ts_vec3 n = ts_vec3_cross(edges[0][i], edges[1][j]);
      double length = ts_vec3_norm(n);
      if (length > 0)
        consider(&best, pair, (ts_vec3){n.x / length, n.y / length, n.z / length});
    }
  return best.axis;
}

void ts_prox_sat(ts_tet_contacts *out, const ts_tet_pair *pair, ts_tet_axes axes, double size_m) {
  if (!ts_prox_overlap(pair))
    return;
  ts_prox_pair_planes planes;
  ts_tet_points points;
  ts_prox_pair_planes_set(&planes, pair);
  ts_prox_points(&points, pair, &planes);
  if (points.count)
    ts_tet_points_report(out, &points, ts_prox_least_overlap_axis(pair, &planes, axes),
                         TS_PROFILE_PROX2018, size_m);
}
