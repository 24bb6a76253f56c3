// SPDX-License-Identifier: MIT
/// Closest points between pairs of features of two eroded tets, as PROX finds them.
///
/// Nodes in front of faces give the face normal. Edges give the cross product of a's edge with the
/// line from its start to the end of b's, which is not perpendicular to b's edge. Both have as gap
/// what the distance leaves of the limit, which is twice the erosion (0.02 m in PROX, whatever the
/// erosion and the scale). Edges that cross faces give a contact for each crossing, with the depth
/// of the deeper end, however deep.
#include "geometry/tet.h"
#include "methods/prox2018/prox_kernels.h"
#include "methods/prox2018/prox_planes.h"

#include <stdbool.h>

/// The surface faces around a node and around an edge, as bits.
static inline unsigned around_node(unsigned surface, int i) {
  return surface & ~(1u << i);
}

static inline unsigned around_edge(unsigned surface, int e) {
  return surface & ~(1u << ts_tet_edge_nodes[e][0]) & ~(1u << ts_tet_edge_nodes[e][1]);
}

/// What the planes of their faces say about which parts of two tets can be closer than a limit.
typedef struct nearness {
  /// [side][node] bit f: farther in front of face f of the other tet, on the surface or not.
  unsigned beyond[2][4];
} nearness;

/// Returns false when all nodes of one tet are beyond a face of the other.
static bool set_nearness(nearness *out, const ts_prox_pair *pair, ts_real limit_m) {
  for (int side = 0; side < 2; side++) {
    const ts_real3 *node = pair->corners[side], *other = pair->corners[1 - side];
    unsigned *beyond = out->beyond[side];
    for (int i = 0; i < 4; i++)
      beyond[i] = 0;
    for (int f = 0; f < 4; f++) {
      ts_real3 n = pair->normals[1 - side][f], base = other[(f + 1) & 3];
      for (int i = 0; i < 4; i++)
        beyond[i] |= (unsigned)(ts_real3_dot(n, ts_real3_sub(node[i], base)) > limit_m) << f;
    }
    if (beyond[0] & beyond[1] & beyond[2] & beyond[3])
      return false;
  }
  return true;
}

/// The surface edges of a tet whose ends are not both beyond one face, as bits.
static unsigned near_edges(const nearness *near, const ts_prox_pair *pair, int side) {
  const unsigned *beyond = near->beyond[side];
  unsigned edges = 0;
  for (int e = 0; e < 6; e++)
    if (around_edge(pair->surface[side], e) &&
        !(beyond[ts_tet_edge_nodes[e][0]] & beyond[ts_tet_edge_nodes[e][1]]))
      edges |= 1u << e;
  return edges;
}

/// The edges of a tet: start and direction, as long as the edge.
typedef struct tet_edges {
  ts_real3 start[6], along[6];
} tet_edges;

static void set_edges(tet_edges *out, const ts_real3 node[4]) {
  for (int e = 0; e < 6; e++) {
    out->start[e] = node[ts_tet_edge_nodes[e][0]];
    out->along[e] = ts_real3_sub(node[ts_tet_edge_nodes[e][1]], node[ts_tet_edge_nodes[e][0]]);
  }
}

/// Whether the lines of two edges are closer than twice the limit: twice, so that the rounding of
/// nearly parallel ones decides nothing.
static inline bool lines_are_near(const tet_edges edges[2], int i, int j, ts_real limit_m) {
  ts_real3 cross = ts_real3_cross(edges[0].along[i], edges[1].along[j]);
  ts_real volume = ts_real3_dot(cross, ts_real3_sub(edges[1].start[j], edges[0].start[i]));
  return !(volume * volume > 4 * limit_m * limit_m * ts_real3_norm2(cross));
}

typedef struct finder {
  const ts_prox_pair *pair;
  ts_prox_contacts *out;
  ts_real limit_m;
  nearness near;
  tet_edges edges[2];
  ts_prox_pair_planes planes;
  ts_real length[2][4]; ///< [side][face], of the plane's normal
  /// [side][node][face of the other side], times the length of its normal.
  ts_real height[2][4][4];
  bool is_inverted[2];
  unsigned faces[2]; ///< surface faces whose normal has a finite length above zero
  /// Nodes that met a face. The same for edges of b that met an edge; of a's edges, only the first
  /// is ever marked, whichever met one.
  unsigned used_nodes[2], used_edges_b;
  bool used_first_edge_a;
} finder;

static void set_side(finder *f, int side) {
  const ts_real3 *node = f->pair->corners[side];
  tet_edges *edges = &f->edges[side];
  set_edges(edges, node);
  ts_real3 cross = ts_real3_cross(edges->along[0], edges->along[1]);
  f->is_inverted[side] = ts_real3_dot(cross, edges->along[2]) < 0;
  for (int g = 0; g < 4; g++) {
    f->length[side][g] = ts_real3_norm(f->planes.of[side][g].normal);
    f->faces[side] |= (unsigned)(f->length[side][g] > 0 && isfinite(f->length[side][g])) << g;
  }
  f->faces[side] &= f->pair->surface[side];
}

static void set_heights(finder *f, int side) {
  for (int g = 0; g < 4; g++) {
    const ts_prox_plane *plane = &f->planes.of[1 - side][g];
    for (int i = 0; i < 4; i++) {
      ts_real3 p = f->pair->corners[side][i];
      f->height[side][i][g] = ts_prox_height(plane, p);
    }
  }
}

/// Whether a point is in the prism over a face.
static bool in_prism(const finder *f, int side, int g, ts_real3 p) {
  const ts_real3 *node = f->pair->corners[side];
  ts_real3 n = f->planes.of[side][g].normal;
  for (int m = 0; m < 3; m++) {
    ts_real3 from = node[ts_tet_face_nodes[g][m]], to = node[ts_tet_face_nodes[g][(m + 1) % 3]];
    ts_real3 start = f->is_inverted[side] ? to : from, end = f->is_inverted[side] ? from : to;
    ts_real3 inward = ts_real3_cross(n, ts_real3_sub(end, start));
    if (ts_real3_dot(ts_real3_sub(p, start), inward) < 0)
      return false;
  }
  return true;
}

/// From a to b: against the outward normal of b's face, along that of a's.
static ts_real3 face_normal(const finder *f, int side_of_face, int g) {
  ts_real3 n = ts_real3_unit(f->planes.of[side_of_face][g].normal);
  return side_of_face == 1 ? ts_real3_neg(n) : n;
}

static void nodes_faces(finder *f, int side) {
  for (int i = 0; i < 4; i++) {
    if (!around_node(f->pair->surface[side], i))
      continue;
    ts_real3 p = f->pair->corners[side][i];
    for (int g = 0; g < 4; g++) {
      if (!(f->faces[1 - side] >> g & 1))
        continue;
      ts_real distance_m = f->height[side][i][g] / f->length[1 - side][g];
      if (!(distance_m > 0 && distance_m <= f->limit_m) || !in_prism(f, 1 - side, g, p))
        continue;
      ts_real3 normal = face_normal(f, 1 - side, g);
      ts_real3 n = f->planes.of[1 - side][g].normal,
               down = ts_real3_scale(n, f->height[side][i][g]);
      ts_real length2 = ts_real3_norm2(n);
      ts_real3 foot = ts_real3_sub(p, ts_real3_divide(down, length2));
      ts_prox_contacts_push(f->out, ts_real3_mid(p, foot), normal, f->limit_m - distance_m);
      f->used_nodes[side] |= 1u << i;
    }
  }
}

static void edge_edge(finder *f, int i, int j) {
  ts_real3 a0 = f->edges[0].start[i], b0 = f->edges[1].start[j];
  ts_real3 edge_a = f->edges[0].along[i], edge_b = f->edges[1].along[j];
  ts_real3 u = ts_real3_unit(edge_a), v = ts_real3_unit(edge_b), between = ts_real3_sub(b0, a0);
  ts_real cosine = ts_real3_dot(u, v), along_a = ts_real3_dot(u, between);
  ts_real along_b = -ts_real3_dot(v, between), sine2 = 1 - cosine * cosine;
  if (!(ts_real_abs(sine2) >= ts_prox_small))
    return;
  ts_real s = (along_a + cosine * along_b) / sine2, t = (along_b + cosine * along_a) / sine2;
  if (!(s > 0 && t > 0 && s < ts_real3_norm(edge_a) && t < ts_real3_norm(edge_b)))
    return;
  ts_real3 on_a = ts_real3_add_scaled(a0, s, u), on_b = ts_real3_add_scaled(b0, t, v);
  ts_real distance_m = ts_real3_distance(on_a, on_b);
  if (!(distance_m > 0 && distance_m <= f->limit_m))
    return;
  ts_real3 b1 = f->pair->corners[1][ts_tet_edge_nodes[j][1]];
  ts_real3 normal = ts_real3_unit(ts_real3_cross(edge_a, ts_real3_sub(b1, a0)));
  if (ts_real3_dot(on_a, normal) > ts_real3_dot(on_b, normal))
    normal = ts_real3_neg(normal);
  ts_prox_contacts_push(f->out, ts_real3_mid(on_a, on_b), normal, f->limit_m - distance_m);
  f->used_edges_b |= 1u << j;
  f->used_first_edge_a = true;
}

/// Whether both ends of an edge met faces. PROX asks this of b's nodes, too, by the numbers of a's.
static inline bool is_used(unsigned used_nodes, int e) {
  return used_nodes >> ts_tet_edge_nodes[e][0] & used_nodes >> ts_tet_edge_nodes[e][1] & 1;
}

static void edges_edges(finder *f) {
  unsigned near_a = near_edges(&f->near, f->pair, 0), near_b = near_edges(&f->near, f->pair, 1);
  for (int i = 0; i < 6; i++) {
    if (!(near_a >> i & 1) || is_used(f->used_nodes[0], i) || is_used(f->used_nodes[1], i))
      continue;
    for (int j = 0; j < 6; j++)
      if (near_b >> j & 1 && !(f->used_edges_b >> j & 1) &&
          lines_are_near(f->edges, i, j, f->limit_m))
        edge_edge(f, i, j);
  }
}

static void edge_faces(finder *f, int side, int e) {
  const ts_real *at_start = f->height[side][ts_tet_edge_nodes[e][0]];
  const ts_real *at_end = f->height[side][ts_tet_edge_nodes[e][1]];
  for (int g = 0; g < 4; g++) {
    bool crosses = (at_start[g] > 0 && at_end[g] < 0) || (at_start[g] < 0 && at_end[g] > 0);
    if (!(f->faces[1 - side] >> g & 1) || !crosses)
      continue;
    ts_real from = ts_real_abs(at_start[g]);
    ts_real t = from / (from + ts_real_abs(at_end[g]));
    ts_real3 p = ts_real3_add_scaled(f->edges[side].start[e], t, f->edges[side].along[e]);
    ts_real lower = at_start[g] < at_end[g] ? at_start[g] : at_end[g];
    if (!in_prism(f, 1 - side, g, p))
      continue;
    ts_real3 n = f->planes.of[1 - side][g].normal;
    ts_real length = side == 0 ? -f->length[1 - side][g] : f->length[1 - side][g];
    ts_prox_contacts_push(f->out, p, ts_real3_divide(n, length), lower / ts_real_abs(length));
  }
}

/// PROX takes an edge of b when the node of the same number is on the surface and met no face, so
/// that it never takes the last two.
static void edges_faces(finder *f) {
  for (int e = f->used_first_edge_a ? 1 : 0; e < 6; e++)
    if (around_edge(f->pair->surface[0], e))
      edge_faces(f, 0, e);
  for (int e = 0; e < 4; e++)
    if (around_node(f->pair->surface[1], e) && !(f->used_nodes[1] >> e & 1))
      edge_faces(f, 1, e);
}

void ts_prox_closest_points(ts_prox_contacts *out, const ts_prox_pair *pair) {
  finder f = {.pair = pair, .out = out, .limit_m = pair->reach_m};
  out->count = 0;
  // Beyond twice the limit, so that rounding decides nothing there. Edges that cross faces have no
  // limit, but their tets are not apart.
  if (!set_nearness(&f.near, pair, 2 * f.limit_m))
    return;
  ts_prox_pair_planes_set(&f.planes, pair);
  for (int side = 0; side < 2; side++)
    set_side(&f, side);
  for (int side = 0; side < 2; side++)
    set_heights(&f, side);
  nodes_faces(&f, 0);
  nodes_faces(&f, 1);
  edges_edges(&f);
  edges_faces(&f);
}
