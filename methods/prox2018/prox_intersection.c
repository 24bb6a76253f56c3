// SPDX-License-Identifier: MIT
/// Intersections of the surface faces of two tets, as PROX finds them.
///
/// Faces that do not cross make no contacts; a vertex makes one however deep it is below a face,
/// and none above, and again for each face that it is a corner of; the normal is twice the face's
/// area long and the gap in its units. Closest points at the ends of edges, and in front of either
/// face, do not count. The first cross product
/// along which the tets are apart or just touch ends the whole pair. Which way an edge normal
/// points depends on the near ends of the tets, so that the same edges, found again from a face
/// that runs along them the other way, may make a second contact.
#include "geometry/tet.h"
#include "methods/prox2018/prox_kernels.h"
#include "methods/prox2018/prox_planes.h"

#include <stdbool.h>

/// Where the two tets lie along an axis.
typedef struct extents {
  ts_real low[2], high[2]; ///< a, b
} extents;

static inline extents extents_along(ts_real3 axis, const ts_real3 node[2][4]) {
  extents e;
  for (int side = 0; side < 2; side++) {
    ts_real h[4];
    for (int i = 0; i < 4; i++)
      h[i] = ts_real3_dot(axis, node[side][i]);
    e.low[side] = ts_real_min(ts_real_min(h[0], h[1]), ts_real_min(h[2], h[3]));
    e.high[side] = ts_real_max(ts_real_max(h[0], h[1]), ts_real_max(h[2], h[3]));
  }
  return e;
}

typedef struct finder {
  ts_prox_contacts *out;
  ts_real3 node[2][4]; ///< of positive volume
  unsigned surface[2];
  ts_prox_plane planes[2][4];
  uint64_t edges_overlap; ///< whose cross product separates nothing; bit 6 * i + j
} finder;

static ts_real volume(const ts_real3 tet[4]) {
  ts_real3 u = ts_real3_sub(tet[1], tet[0]), v = ts_real3_sub(tet[2], tet[0]);
  return ts_real3_dot(ts_real3_cross(u, v), ts_real3_sub(tet[3], tet[0])) / 6;
}

/// Exchanges two nodes of a tet of negative volume.
static void set_nodes(finder *f, const ts_prox_pair *pair) {
  for (int side = 0; side < 2; side++) {
    const ts_real3 *given = pair->corners[side];
    unsigned surface = pair->surface[side];
    bool is_mirrored = volume(given) < 0;
    for (int i = 0; i < 4; i++)
      f->node[side][i] = given[is_mirrored && i > 1 ? 5 - i : i];
    f->surface[side] =
        is_mirrored ? (surface & 3) | (surface & 4) << 1 | (surface & 8) >> 1 : surface;
  }
}

/// On which side of each surface face of tet `side` the nodes of the other lie. The offset of the
/// plane comes from a normal made unit once, the height from one made unit twice.
static void set_sides(unsigned front[4], unsigned back[4], const finder *f, int side) {
  const ts_real3 *own = f->node[side], *other = f->node[1 - side];
  for (int face = 0; face < 4; face++) {
    front[face] = back[face] = 0;
    if (!(f->surface[side] >> face & 1))
      continue;
    ts_real3 base = own[ts_tet_face_nodes[face][0]];
    ts_real3 n = ts_real3_unit(ts_real3_cross(ts_real3_sub(own[ts_tet_face_nodes[face][1]], base),
                                              ts_real3_sub(own[ts_tet_face_nodes[face][2]], base)));
    ts_real offset = ts_real3_dot(n, base);
    n = ts_real3_unit(n);
    for (int i = 0; i < 4; i++) {
      ts_real height = ts_real3_dot(n, other[i]) - offset;
      front[face] |= (unsigned)(height > 0) << i;
      back[face] |= (unsigned)(height < 0) << i;
    }
  }
}

/// Whether the cross product of two edges separates the triangles, by any gap at all. One end
/// represents an edge, and the corner off it represents the rest; the choice of the end decides the
/// effect of rounding on triangles that touch.
static bool edges_separate(const ts_real3 a[3], const ts_real3 b[3]) {
  static const int shown_a[3][2] = {{1, 2}, {1, 2}, {0, 2}};
  static const int shown_b[3][3][2] = {
      {{1, 2}, {0, 1}, {0, 1}}, {{1, 2}, {1, 2}, {0, 1}}, {{1, 2}, {1, 2}, {0, 2}}};
  const ts_real3 edges_a[3] = {ts_real3_sub(a[1], a[0]), ts_real3_sub(a[2], a[0]),
                               ts_real3_sub(a[2], a[1])};
  const ts_real3 edges_b[3] = {ts_real3_sub(b[1], b[0]), ts_real3_sub(b[2], b[0]),
                               ts_real3_sub(b[2], b[1])};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      ts_real3 n = ts_real3_cross(edges_a[i], edges_b[j]);
      const int *of_a = shown_a[i], *of_b = shown_b[i][j];
      ts_real a0 = ts_real3_dot(n, a[of_a[0]]), a1 = ts_real3_dot(n, a[of_a[1]]);
      ts_real b0 = ts_real3_dot(n, b[of_b[0]]), b1 = ts_real3_dot(n, b[of_b[1]]);
      if (ts_real_max(a0, a1) < ts_real_min(b0, b1) || ts_real_min(a0, a1) > ts_real_max(b0, b1))
        return true;
    }
  return false;
}

typedef struct face_edge {
  ts_real3 start, end, direction;
} face_edge;

/// A face of each tet. The order of their corners decides which cross product comes first, and so
/// which ends the pair.
typedef struct face_pair {
  int face[2];
  ts_real3 corners[2][3];
  face_edge edges[2][3]; ///< edge i starts at corner i
} face_pair;

static void set_faces(face_pair *out, const finder *f, int face_a, int face_b) {
  out->face[0] = face_a;
  out->face[1] = face_b;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++)
      out->corners[side][i] = f->node[side][ts_tet_face_nodes[out->face[side]][i]];
}

static void set_face_edges(face_pair *out) {
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++) {
      ts_real3 start = out->corners[side][i], end = out->corners[side][(i + 1) % 3];
      out->edges[side][i] = (face_edge){start, end, ts_real3_unit(ts_real3_sub(end, start))};
    }
}

/// The corners of the face of `side` behind the other one.
static void vertices_face(finder *f, const face_pair *faces, int side) {
  int other = 1 - side;
  const ts_prox_plane *plane = &f->planes[other][faces->face[other]];
  const ts_real3 *corner = faces->corners[other];
  for (int k = 0; k < 3; k++) {
    ts_real3 p = faces->corners[side][k];
    ts_real depth = ts_prox_height(plane, p);
    bool inside = !(depth > 0);
    for (int i = 0; i < 3 && inside; i++) {
      ts_real3 edge = ts_real3_sub(corner[(i + 1) % 3], corner[i]);
      ts_real3 inward = ts_real3_cross(plane->normal, edge);
      inside = !(ts_real3_dot(inward, ts_real3_sub(p, corner[i])) < 0);
    }
    if (inside)
      ts_prox_contacts_push(f->out, p, side == 1 ? plane->normal : ts_real3_neg(plane->normal),
                            depth);
  }
}

static bool is_within(const face_edge *edge, ts_real3 p) {
  return ts_real3_dot(edge->direction, ts_real3_sub(p, edge->end)) < -ts_prox_small &&
         -ts_real3_dot(edge->direction, ts_real3_sub(p, edge->start)) < -ts_prox_small;
}

/// The middle of the closest points of two lines. False when one is not between the ends.
static bool meet(ts_real3 *out, const face_edge *a, const face_edge *b) {
  ts_real3 between = ts_real3_sub(b->start, a->start);
  ts_real k = ts_real3_dot(a->direction, b->direction);
  ts_real along_a = ts_real3_dot(a->direction, between);
  ts_real along_b = -ts_real3_dot(b->direction, between);
  ts_real sine2 = 1 - k * k;
  bool is_parallel = !(ts_real_abs(sine2) > ts_prox_small);
  ts_real s = is_parallel ? 0 : (along_a + k * along_b) / sine2;
  ts_real3 on_a = ts_real3_add_scaled(a->start, s, a->direction);
  if (!is_within(a, on_a))
    return false;
  ts_real t = is_parallel ? 0 : (along_b + k * along_a) / sine2;
  ts_real3 on_b = ts_real3_add_scaled(b->start, t, b->direction);
  *out = ts_real3_mid(on_a, on_b);
  return is_within(b, on_b);
}

static bool is_behind(const ts_prox_plane *plane, ts_real3 p) {
  return !(ts_prox_height(plane, p) > ts_prox_small * ts_real3_norm(plane->normal));
}

static bool meet_behind(ts_real3 *out, const finder *f, const face_pair *faces, int k, int i) {
  return meet(out, &faces->edges[0][k], &faces->edges[1][i]) &&
         is_behind(&f->planes[0][faces->face[0]], *out) &&
         is_behind(&f->planes[1][faces->face[1]], *out);
}

/// The bit of two edges in finder::edges_overlap, from whichever faces they come.
static uint64_t edges_bit(const face_pair *faces, int k, int i) {
  static const int edge_index[4][4] = {{0, 0, 1, 2}, {0, 0, 3, 4}, {1, 3, 0, 5}, {2, 4, 5, 0}};
  const int *a = ts_tet_face_nodes[faces->face[0]], *b = ts_tet_face_nodes[faces->face[1]];
  return (uint64_t)1 << (6 * edge_index[a[k]][a[(k + 1) % 3]] + edge_index[b[i]][b[(i + 1) % 3]]);
}

/// False when the cross product of the edges ends the pair.
static bool edge_edge(finder *f, const face_pair *faces, int k, int i) {
  ts_real3 p;
  uint64_t bit = edges_bit(faces, k, i);
  bool overlap = (f->edges_overlap & bit) != 0;
  if (overlap && !meet_behind(&p, f, faces, k, i))
    return true;
  ts_real3 n = ts_real3_cross(faces->edges[0][k].direction, faces->edges[1][i].direction);
  if (ts_real3_norm(n) < ts_prox_small)
    return true;
  n = ts_real3_unit(n);
  extents e = extents_along(n, (const ts_real3(*)[4])f->node);
  if (e.high[0] <= e.low[1] || e.high[1] <= e.low[0])
    return false;
  f->edges_overlap |= bit;
  if (!overlap && !meet_behind(&p, f, faces, k, i))
    return true;
  if (e.low[0] <= e.low[1] && e.low[1] <= e.high[0])
    ts_prox_contacts_push(f->out, p, n, e.low[1] - e.high[0]);
  if (e.low[1] <= e.low[0] && e.low[0] <= e.high[1])
    ts_prox_contacts_push(f->out, p, ts_real3_neg(n), e.low[0] - e.high[1]);
  return true;
}

/// False when the pair of tets is finished.
static bool faces_meet(finder *f, face_pair *faces) {
  set_face_edges(faces);
  vertices_face(f, faces, 0);
  vertices_face(f, faces, 1);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++)
      if (!edge_edge(f, faces, k, i))
        return false;
  return true;
}

void ts_prox_intersection(ts_prox_contacts *out, const ts_prox_pair *pair) {
  finder f = {.out = out};
  out->count = 0;
  set_nodes(&f, pair);
  unsigned front[2][4], back[2][4];
  set_sides(front[0], back[0], &f, 0);
  set_sides(front[1], back[1], &f, 1);
  bool has_planes = false;
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 4; b++) {
      if (!(f.surface[0] >> a & f.surface[1] >> b & 1))
        continue;
      unsigned of_a = 15 & ~(1u << a), of_b = 15 & ~(1u << b);
      if (!(of_b & ~front[0][a]) || !(of_b & ~back[0][a]) || !(of_a & ~front[1][b]) ||
          !(of_a & ~back[1][b]))
        continue;
      face_pair faces;
      set_faces(&faces, &f, a, b);
      if (edges_separate(faces.corners[0], faces.corners[1]))
        continue;
      if (!has_planes) {
        ts_prox_planes(f.planes[0], f.node[0]);
        ts_prox_planes(f.planes[1], f.node[1]);
        has_planes = true;
      }
      if (!faces_meet(&f, &faces))
        return;
    }
}
