// SPDX-License-Identifier: MIT
// The direction of growth is that of a gap of a hundredth of a tet, so that the last bits of these
// points are its third digit: operations and their order are those of PROX.
#include "methods/prox2018/prox_distance.h"

#include "geometry/tet.h"
#include "geometry/tolerances.h"
#include "methods/prox2018/prox_pair.h"
#include "methods/prox2018/prox_planes.h"

#include <stdbool.h>

/// A tet with what its pairs share.
typedef struct solid {
  const ts_real3 *node;
  ts_real3 edge[6], direction[6]; ///< the direction is unit
  ts_real edge2[6], length_m[6];
  ts_prox_plane planes[4];
  ts_real area2[4]; ///< twice the area of a face
  ts_real outward;  ///< -1 where ts_tet_face_nodes run clockwise, else 1
} solid;

static void set_solid(solid *out, const ts_real3 node[4]) {
  out->node = node;
  for (int e = 0; e < 6; e++) {
    ts_real3 edge = ts_real3_sub(node[ts_tet_edge_nodes[e][1]], node[ts_tet_edge_nodes[e][0]]);
    out->edge[e] = edge;
    out->edge2[e] = ts_real3_norm2(edge);
    out->length_m[e] = ts_real_sqrt(out->edge2[e]);
    out->direction[e] = ts_real3_scale(edge, 1 / out->length_m[e]);
  }
  ts_prox_planes(out->planes, node);
  for (int f = 0; f < 4; f++)
    out->area2[f] = ts_real3_norm(out->planes[f].normal);
  ts_real3 base = ts_real3_cross(out->edge[0], out->edge[1]);
  out->outward = ts_real3_dot(base, out->edge[2]) < 0 ? -1 : 1;
}

typedef struct search {
  solid tets[2];
  ts_prox_distance best;
  ts_real best2; ///< square of its distance before the root, which saves the others' roots
} search;

/// `side`: of p; q is on the other tet.
static void set_best(search *s, int side, ts_real3 p, ts_real3 q, ts_real distance_m) {
  if (distance_m < s->best.distance_m)
    s->best = (ts_prox_distance){side ? q : p, side ? p : q, distance_m};
}

static inline void take(search *s, int side, ts_real3 p, ts_real3 q) {
  ts_real distance2 = ts_real3_norm2(ts_real3_sub(p, q));
  if (!(distance2 < s->best2))
    return;
  s->best2 = distance2;
  set_best(s, side, p, q, ts_real_sqrt(distance2));
}

static void try_nodes(search *s) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      take(s, 0, s->tets[0].node[i], s->tets[1].node[j]);
}

/// Node i of a side and the inside of each edge of the other.
static void try_node_edges(search *s, int side, int i) {
  const solid *other = &s->tets[1 - side];
  ts_real3 p = s->tets[side].node[i];
  for (int e = 0; e < 6; e++) {
    ts_real3 start = other->node[ts_tet_edge_nodes[e][0]];
    ts_real along = ts_real3_dot(ts_real3_sub(p, start), other->edge[e]);
    if (!(along > 0 && along < other->edge2[e]))
      continue;
    take(s, side, p, ts_real3_add_scaled(start, along / other->edge2[e], other->edge[e]));
  }
}

static void try_edges(search *s, int i, int j) {
  const solid *a = &s->tets[0], *b = &s->tets[1];
  ts_real3 start_a = a->node[ts_tet_edge_nodes[i][0]], start_b = b->node[ts_tet_edge_nodes[j][0]];
  ts_real3 r = ts_real3_sub(start_b, start_a);
  ts_real cosine = ts_real3_dot(a->direction[i], b->direction[j]);
  ts_real along_a = ts_real3_dot(a->direction[i], r), along_b = -ts_real3_dot(b->direction[j], r);
  ts_real sine2 = 1 - cosine * cosine;
  if (ts_real_abs(sine2) < ts_prox_small)
    return;
  ts_real at_a = (along_a + cosine * along_b) / sine2;
  if (!(at_a > 0 && at_a < a->length_m[i]))
    return;
  ts_real at_b = (along_b + cosine * along_a) / sine2;
  if (!(at_b > 0 && at_b < b->length_m[j]))
    return;
  take(s, 0, ts_real3_add_scaled(start_a, at_a, a->direction[i]),
       ts_real3_add_scaled(start_b, at_b, b->direction[j]));
}

/// Whether p is between the planes that stand on the edges of a face.
static bool is_over(const solid *tet, int f, ts_real3 p) {
  for (int m = 0; m < 3; m++) {
    ts_real3 start = tet->node[ts_tet_face_nodes[f][m]];
    ts_real3 edge = ts_real3_sub(tet->node[ts_tet_face_nodes[f][(m + 1) % 3]], start);
    ts_real3 inward = ts_real3_cross(tet->planes[f].normal, edge);
    if (tet->outward * ts_real3_dot(ts_real3_sub(p, start), inward) < 0)
      return false;
  }
  return true;
}

/// Node i of a side and the faces of the other that it is in front of.
static void try_node_faces(search *s, int side, int i) {
  const solid *other = &s->tets[1 - side];
  ts_real3 p = s->tets[side].node[i];
  for (int f = 0; f < 4; f++) {
    ts_real height = ts_prox_height(&other->planes[f], p);
    if (height < 0)
      continue;
    ts_real distance_m = height / other->area2[f];
    if (!(distance_m < s->best.distance_m) || !is_over(other, f, p))
      continue;
    ts_real3 normal = other->planes[f].normal;
    ts_real3 down = ts_real3_divide(ts_real3_scale(normal, height), ts_real3_norm2(normal));
    set_best(s, side, p, ts_real3_sub(p, down), distance_m);
  }
}

ts_prox_distance ts_prox_tet_distance(const ts_real3 a[4], const ts_real3 b[4]) {
  search s;
  set_solid(&s.tets[0], a);
  set_solid(&s.tets[1], b);
  s.best = (ts_prox_distance){a[0], b[0], INFINITY};
  s.best2 = INFINITY;
  try_nodes(&s);
  for (int i = 0; i < 4; i++)
    for (int side = 0; side < 2; side++)
      try_node_edges(&s, side, i);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      try_edges(&s, i, j);
  for (int i = 0; i < 4; i++)
    for (int side = 0; side < 2; side++)
      try_node_faces(&s, side, i);
  return s.best;
}
