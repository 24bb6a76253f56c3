// SPDX-License-Identifier: MIT
/// Intersections of two surfaces, tet by tet: Erleben 2018, section 6, on the faces of two tets
/// that are on the surfaces of the bodies. What intersection.c is for triangles.
///
/// A vertex within the reach of a face's plane, on either side, and inside the prism over the face
/// makes a contact where the vertex is. Two edges make one when the tets come within the reach, the
/// cross product does not separate the two tets, and the closest points of the edges' lines lie on
/// the edges. Every pair of features is looked at once in a pair of tets, though several faces of
/// one tet may share it; an edge has a gap for each pair of tets around it.
///
/// Tets have a volume where triangles have none: of two faces flush in one plane it tells the way
/// out, and an edge's depth is that of the solids. Only where both ways out are as long, as along
/// an axis on which the tets are concentric, do the centres decide, and where they tell nothing
/// either, both directions are given.
///
/// profile=prox2018: faces that do not cross make no contacts; a vertex makes one however deep it
/// is below a face, and none above; the normal is twice the face's area long and the gap in its
/// units. Closest points at the ends of edges, and in front of either face, do not count. The first
/// cross product along which the tets are apart or just touch ends the whole pair. Which way an
/// edge normal points is told by the near ends of the tets, so that the same edges, found again
/// from a face that runs along them the other way, may make a second contact.
#include "methods/tet/tet_bodies.h"
#include "methods/tet/tet_kernels.h"

#include "geometry/closest.h"
#include "geometry/tet.h"
#include "geometry/tolerances.h"
#include "methods/edge_pair.h"
#include "methods/tet/prox_tet.h"

// A contact for each vertex and face of the two, and for each pair of edges one in either
// direction. In single precision a pair of edges may have some more.
_Static_assert(2 * 4 * 4 + 2 * 6 * 6 <= TS_TET_CONTACTS_MAX, "contacts of a pair have room");

static void push(ts_tet_contacts *out, ts_vec3 point, ts_vec3 normal, double gap_m) {
  if (out->count == TS_TET_CONTACTS_MAX)
    return;
  out->contacts[out->count++] =
      (ts_contact){.point = point, .normal = normal, .gap_m = gap_m, .area_m2 = (double)NAN};
}

/// Where the two tets lie along an axis.
typedef struct extents {
  double low[2], high[2]; ///< a, b
} extents;

/// Heights above `origin`.
static inline extents extents_along(ts_vec3 axis, ts_vec3 origin, const ts_vec3 *const node[2]) {
  extents e;
  for (int side = 0; side < 2; side++) {
    double h[4];
    for (int i = 0; i < 4; i++)
      h[i] = ts_vec3_dot(axis, ts_vec3_sub(node[side][i], origin));
    e.low[side] = ts_min(ts_min(h[0], h[1]), ts_min(h[2], h[3]));
    e.high[side] = ts_max(ts_max(h[0], h[1]), ts_max(h[2], h[3]));
  }
  return e;
}

typedef struct finder {
  ts_tet_contacts *out;
  const ts_tet_pair *pair;
  double allowance_m;
  double reach_m; ///< with the allowance
  /// Of the nodes of tet [side] over the planes of the other one's faces.
  double height_m[2][4][4]; ///< [side][face][node]
  bool is_near;             ///< the tets are known to come within the reach
} finder;

/// False when a face plane has all of the other tet farther in front of it than the reach.
static bool set_heights(finder *f) {
  for (int side = 0; side < 2; side++)
    for (int face = 0; face < 4; face++) {
      ts_vec3 base = f->pair->corners[1 - side][(face + 1) & 3];
      ts_vec3 normal = f->pair->normals[1 - side][face];
      double *h = f->height_m[side][face];
      for (int i = 0; i < 4; i++)
        h[i] = ts_vec3_dot(normal, ts_vec3_sub(f->pair->corners[side][i], base));
      if (ts_min(ts_min(h[0], h[1]), ts_min(h[2], h[3])) > f->reach_m)
        return false;
    }
  return true;
}

/// Whether a point lies inside the planes through the edges of a face along its normal; closed.
static bool inside_prism(ts_vec3 p, const ts_vec3 node[4], int face, ts_vec3 normal,
                         double allowance_m) {
  for (int k = 1; k < 4; k++) {
    ts_vec3 start = node[(face + k) & 3], end = node[(face + k % 3 + 1) & 3];
    ts_vec3 apex = node[(face + (k + 1) % 3 + 1) & 3];
    ts_vec3 edge = ts_vec3_sub(end, start);
    ts_vec3 across = ts_vec3_cross(normal, edge);
    double width = ts_vec3_dot(across, ts_vec3_sub(apex, start));
    double at = ts_vec3_dot(across, ts_vec3_sub(p, start));
    double inside = width < 0 ? -at : at;
    if (inside < 0 && inside < -allowance_m * ts_vec3_norm(edge))
      return false;
  }
  return true;
}

/// The vertices of tet `side` that are on the surface against the surface faces of the other.
static void vertices_faces(finder *f, int side) {
  const ts_tet_pair *pair = f->pair;
  unsigned faces = pair->surface[1 - side];
  for (int face = 0; face < 4; face++) {
    ts_vec3 normal = pair->normals[1 - side][face];
    if (!(faces >> face & 1) || !(ts_vec3_norm2(normal) > 0))
      continue;
    for (int i = 0; i < 4; i++) {
      double gap_m = f->height_m[side][face][i];
      ts_vec3 point = pair->corners[side][i];
      if (!(fabs(gap_m) <= f->reach_m) || !(pair->surface[side] & ~(1u << i)) ||
          !inside_prism(point, pair->corners[1 - side], face, normal, f->allowance_m))
        continue;
      push(f->out, point, side == 1 ? normal : ts_vec3_neg(normal), gap_m);
      f->is_near = true;
    }
  }
}

/// +1 when the normal from a to b is the axis, -1 when it is the opposite, 0 when nothing tells the
/// two apart: the way on which b has to go less far to be apart from a; when both are as long, the
/// one towards its centre.
static int orient(const finder *f, ts_vec3 axis, double forth_m, double back_m) {
  double difference = back_m - forth_m;
  if (fabs(difference) <= f->allowance_m) {
    ts_vec3 towards = {0, 0, 0};
    for (int i = 0; i < 4; i++)
      towards = ts_vec3_add(towards, ts_vec3_sub(f->pair->corners[1][i], f->pair->corners[0][i]));
    difference = 0.25 * ts_vec3_dot(towards, axis);
  }
  return (difference > f->allowance_m) - (difference < -f->allowance_m);
}

static void edge_edge(finder *f, const ts_vec3 a[2], const ts_vec3 b[2]) {
  double allowance_m = f->allowance_m;
  ts_edge_pair edges;
  if (!ts_edge_pair_cross(&edges, a, b) || edges.inside_a_m < -allowance_m ||
      edges.inside_b_m < -allowance_m || !(ts_vec3_norm2(edges.axis) > 0))
    return;
  // Heights above an end of a's, so that no digits are lost far from the frame's origin.
  const ts_vec3 *const node[2] = {f->pair->corners[0], f->pair->corners[1]};
  extents e = extents_along(edges.axis, a[0], node);
  double forth_m = e.high[0] - e.low[1], back_m = e.high[1] - e.low[0];
  if (!(forth_m >= -allowance_m) || !(back_m >= -allowance_m))
    return;
  f->is_near |= ts_vec3_distance(edges.on_a, edges.on_b) <= f->reach_m;
  ts_vec3 point = ts_vec3_mid(edges.on_a, edges.on_b);
  int direction = orient(f, edges.axis, forth_m, back_m);
  if (direction >= 0)
    push(f->out, point, edges.axis, -forth_m);
  if (direction <= 0)
    push(f->out, point, ts_vec3_neg(edges.axis), -back_m);
}

/// An edge of a tet.
typedef struct tet_edge {
  ts_vec3 ends[2], along;
  double slack; ///< the share of its length by which a point may be beyond an end; generous
} tet_edge;

/// The edges beside a face on the surface. Returns their number.
static int set_edges(tet_edge out[6], const ts_vec3 node[4], unsigned faces, double allowance_m) {
  int count = 0;
  for (int e = 0; e < 6; e++) {
    int i = ts_tet_edge_nodes[e][0], j = ts_tet_edge_nodes[e][1];
    if (!(faces & ~(1u << i | 1u << j)))
      continue;
    ts_vec3 along = ts_vec3_sub(node[j], node[i]);
    out[count++] = (tet_edge){{node[i], node[j]}, along, 2 * allowance_m / ts_vec3_norm(along)};
  }
  return count;
}

static inline bool is_outside(double parameter, double one, double slack) {
  return parameter < -slack * one || parameter > one + slack * one;
}

/// Whether the closest points of the lines of two edges are beyond their ends for certain: what
/// ts_edge_pair_cross tells, without roots and divisions, and not to the last digit.
static inline bool miss(const tet_edge *a, const tet_edge *b) {
  ts_vec3 n = ts_vec3_cross(a->along, b->along), between = ts_vec3_sub(b->ends[0], a->ends[0]);
  double one = ts_vec3_norm2(n);
  return is_outside(ts_vec3_dot(ts_vec3_cross(between, b->along), n), one, a->slack) ||
         is_outside(ts_vec3_dot(ts_vec3_cross(between, a->along), n), one, b->slack);
}

static void edges_edges(finder *f) {
  const ts_tet_pair *pair = f->pair;
  tet_edge of_a[6], of_b[6];
  int count_a = set_edges(of_a, pair->corners[0], pair->surface[0], f->allowance_m);
  int count_b = set_edges(of_b, pair->corners[1], pair->surface[1], f->allowance_m);
  for (int i = 0; i < count_a; i++)
    for (int j = 0; j < count_b; j++)
      if (!miss(&of_a[i], &of_b[j]))
        edge_edge(f, of_a[i].ends, of_b[j].ends);
}

/// Whether the tets come within the reach: the dearest question, put last. The overlap test takes
/// all flat tets in one plane for overlapping; but edges in one plane that have passed so far meet.
static bool are_near(const finder *f) {
  const ts_vec3 *a = f->pair->corners[0], *b = f->pair->corners[1];
  return f->is_near || ts_tet_tet_overlap(a, b, 0) ||
         (ts_tet_tet_overlap(a, b, f->reach_m) &&
          ts_closest_tet_tet(a, b).distance_m <= f->reach_m);
}

static void find(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m) {
  finder f = {.out = out, .pair = pair, .allowance_m = TS_TOUCH_RELATIVE * size_m};
  f.reach_m = pair->reach_m + f.allowance_m;
  if (!set_heights(&f))
    return;
  vertices_faces(&f, 0);
  vertices_faces(&f, 1);
  size_t vertex_count = out->count;
  edges_edges(&f);
  if (out->count > vertex_count && !are_near(&f))
    out->count = vertex_count;
}

// The profile prox2018. Where rounding decides, operations are in PROX's order.

/// Corners of face f, counter-clockwise seen from outside of a tet of positive volume. The order
/// decides which cross product comes first, and so which ends the pair.
static const int face_nodes[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

/// PROX has one small number for all: sines up to which edges are parallel, lengths by which points
/// must be inside of edges, and by which they may be in front of faces; whatever the size.
static const double prox_small = TS_PROX_SAME_POINT_M;

typedef struct prox_finder {
  ts_tet_contacts *out;
  ts_vec3 node[2][4]; ///< of positive volume
  unsigned surface[2];
  ts_prox_plane planes[2][4];
  // The same features are found from every face that they are part of.
  unsigned vertices_tried[2]; ///< [side]; bit 4 * face + node
  uint64_t edges_overlap;     ///< whose cross product separates nothing; bit 6 * i + j
  /// [against, along] the cross product of the edges from lower to higher nodes; given already
  uint64_t edges_given[2];
} prox_finder;

/// Exchanges two nodes of a tet of negative volume.
static void set_nodes(prox_finder *f, const ts_tet_pair *pair) {
  for (int side = 0; side < 2; side++) {
    const ts_vec3 *given = pair->corners[side];
    unsigned surface = pair->surface[side];
    bool is_mirrored = ts_tet_volume(given) < 0;
    for (int i = 0; i < 4; i++)
      f->node[side][i] = given[is_mirrored && i > 1 ? 5 - i : i];
    f->surface[side] =
        is_mirrored ? (surface & 3) | (surface & 4) << 1 | (surface & 8) >> 1 : surface;
  }
}

/// On which side of each surface face of tet `side` the nodes of the other lie. The offset of the
/// plane comes from the normal made unit once, its normal is made unit twice.
static void set_sides(unsigned front[4], unsigned back[4], const prox_finder *f, int side) {
  const ts_vec3 *own = f->node[side], *other = f->node[1 - side];
  for (int face = 0; face < 4; face++) {
    front[face] = back[face] = 0;
    if (!(f->surface[side] >> face & 1))
      continue;
    ts_vec3 base = own[face_nodes[face][0]];
    ts_vec3 n = ts_vec3_unit(ts_vec3_cross(ts_vec3_sub(own[face_nodes[face][1]], base),
                                           ts_vec3_sub(own[face_nodes[face][2]], base)));
    double offset = ts_vec3_dot(n, base);
    n = ts_vec3_unit(n);
    for (int i = 0; i < 4; i++) {
      double height = ts_vec3_dot(n, other[i]) - offset;
      front[face] |= (unsigned)(height > 0) << i;
      back[face] |= (unsigned)(height < 0) << i;
    }
  }
}

/// Whether the cross product of two edges separates the triangles, by more than nothing. An edge
/// stands for one of its ends, and the corner off it for the rest; which end decides what rounding
/// makes of triangles that touch.
static bool edges_separate(const ts_vec3 a[3], const ts_vec3 b[3]) {
  static const int shown_a[3][2] = {{1, 2}, {1, 2}, {0, 2}};
  static const int shown_b[3][3][2] = {
      {{1, 2}, {0, 1}, {0, 1}}, {{1, 2}, {1, 2}, {0, 1}}, {{1, 2}, {1, 2}, {0, 2}}};
  const ts_vec3 edges_a[3] = {ts_vec3_sub(a[1], a[0]), ts_vec3_sub(a[2], a[0]),
                              ts_vec3_sub(a[2], a[1])};
  const ts_vec3 edges_b[3] = {ts_vec3_sub(b[1], b[0]), ts_vec3_sub(b[2], b[0]),
                              ts_vec3_sub(b[2], b[1])};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      ts_vec3 n = ts_vec3_cross(edges_a[i], edges_b[j]);
      const int *of_a = shown_a[i], *of_b = shown_b[i][j];
      double a0 = ts_vec3_dot(n, a[of_a[0]]), a1 = ts_vec3_dot(n, a[of_a[1]]);
      double b0 = ts_vec3_dot(n, b[of_b[0]]), b1 = ts_vec3_dot(n, b[of_b[1]]);
      if (ts_max(a0, a1) < ts_min(b0, b1) || ts_min(a0, a1) > ts_max(b0, b1))
        return true;
    }
  return false;
}

typedef struct prox_edge {
  ts_vec3 start, end, direction;
} prox_edge;

/// A face of each tet.
typedef struct prox_faces {
  int face[2];
  ts_vec3 corners[2][3];
  prox_edge edges[2][3]; ///< edge i starts at corner i
} prox_faces;

static void set_faces(prox_faces *out, const prox_finder *f, int face_a, int face_b) {
  out->face[0] = face_a;
  out->face[1] = face_b;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++)
      out->corners[side][i] = f->node[side][face_nodes[out->face[side]][i]];
}

static void set_face_edges(prox_faces *out) {
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++) {
      ts_vec3 start = out->corners[side][i], end = out->corners[side][(i + 1) % 3];
      out->edges[side][i] = (prox_edge){start, end, ts_vec3_unit(ts_vec3_sub(end, start))};
    }
}

static inline double prox_height(const ts_prox_plane *plane, ts_vec3 p) {
  return ts_vec3_dot(plane->normal, ts_vec3_sub(p, plane->on));
}

/// The corners of the face of `side` behind the other one.
static void prox_vertices_face(prox_finder *f, const prox_faces *faces, int side) {
  int other = 1 - side;
  const ts_prox_plane *plane = &f->planes[other][faces->face[other]];
  const ts_vec3 *corner = faces->corners[other];
  for (int k = 0; k < 3; k++) {
    ts_vec3 p = faces->corners[side][k];
    unsigned bit = 1u << (4 * faces->face[other] + face_nodes[faces->face[side]][k]);
    if (f->vertices_tried[side] & bit)
      continue;
    f->vertices_tried[side] |= bit;
    double depth = prox_height(plane, p);
    bool inside = !(depth > 0);
    for (int i = 0; i < 3 && inside; i++) {
      ts_vec3 edge = ts_vec3_sub(corner[(i + 1) % 3], corner[i]);
      ts_vec3 inward = ts_vec3_cross(plane->normal, edge);
      inside = !(ts_vec3_dot(inward, ts_vec3_sub(p, corner[i])) < 0);
    }
    if (inside)
      push(f->out, p, side == 1 ? plane->normal : ts_vec3_neg(plane->normal), depth);
  }
}

static bool is_within(const prox_edge *edge, ts_vec3 p) {
  return ts_vec3_dot(edge->direction, ts_vec3_sub(p, edge->end)) < -prox_small &&
         -ts_vec3_dot(edge->direction, ts_vec3_sub(p, edge->start)) < -prox_small;
}

/// The middle of the closest points of two lines. False when one is not between the ends.
static bool prox_meet(ts_vec3 *out, const prox_edge *a, const prox_edge *b) {
  ts_vec3 between = ts_vec3_sub(b->start, a->start);
  double k = ts_vec3_dot(a->direction, b->direction);
  double along_a = ts_vec3_dot(a->direction, between);
  double along_b = -ts_vec3_dot(b->direction, between);
  double sine2 = 1 - k * k;
  bool is_parallel = !(fabs(sine2) > prox_small);
  double s = is_parallel ? 0 : (along_a + k * along_b) / sine2;
  ts_vec3 on_a = ts_vec3_add_scaled(a->start, s, a->direction);
  if (!is_within(a, on_a))
    return false;
  double t = is_parallel ? 0 : (along_b + k * along_a) / sine2;
  ts_vec3 on_b = ts_vec3_add_scaled(b->start, t, b->direction);
  *out = ts_vec3_mid(on_a, on_b);
  return is_within(b, on_b);
}

static bool is_behind(const ts_prox_plane *plane, ts_vec3 p) {
  return !(prox_height(plane, p) > prox_small * ts_vec3_norm(plane->normal));
}

static bool prox_meet_behind(ts_vec3 *out, const prox_finder *f, const prox_faces *faces, int k,
                             int i) {
  return prox_meet(out, &faces->edges[0][k], &faces->edges[1][i]) &&
         is_behind(&f->planes[0][faces->face[0]], *out) &&
         is_behind(&f->planes[1][faces->face[1]], *out);
}

/// The bit of the two edges, and whether their cross product is that of the edges as they run from
/// the lower node to the higher.
static bool prox_edges_bit(uint64_t *out, const prox_faces *faces, int k, int i) {
  static const int edge_index[4][4] = {{0, 0, 1, 2}, {0, 0, 3, 4}, {1, 3, 0, 5}, {2, 4, 5, 0}};
  const int *a = face_nodes[faces->face[0]], *b = face_nodes[faces->face[1]];
  int a0 = a[k], a1 = a[(k + 1) % 3], b0 = b[i], b1 = b[(i + 1) % 3];
  *out = (uint64_t)1 << (6 * edge_index[a0][a1] + edge_index[b0][b1]);
  return (a0 < a1) == (b0 < b1);
}

/// From another face the same two edges come out rounded otherwise, which double rounds too little
/// for two contacts to be told apart, and single does not.
static void push_edges(prox_finder *f, uint64_t bit, bool along, ts_vec3 p, ts_vec3 n,
                       double depth) {
#ifndef TS_SINGLE
  if (f->edges_given[along] & bit)
    return;
#endif
  push(f->out, p, n, depth);
  f->edges_given[along] |= bit;
}

/// False when the cross product of the edges ends the pair.
static bool prox_edges(prox_finder *f, const prox_faces *faces, int k, int i) {
  ts_vec3 p;
  uint64_t bit;
  bool along = prox_edges_bit(&bit, faces, k, i), overlap = (f->edges_overlap & bit) != 0;
  if (overlap && !prox_meet_behind(&p, f, faces, k, i))
    return true;
  ts_vec3 n = ts_vec3_cross(faces->edges[0][k].direction, faces->edges[1][i].direction);
  if (ts_vec3_norm(n) < prox_small)
    return true;
  n = ts_vec3_unit(n);
  const ts_vec3 *const node[2] = {f->node[0], f->node[1]};
  extents e = extents_along(n, (ts_vec3){0, 0, 0}, node);
  if (e.high[0] <= e.low[1] || e.high[1] <= e.low[0])
    return false;
  f->edges_overlap |= bit;
  if (!overlap && !prox_meet_behind(&p, f, faces, k, i))
    return true;
  if (e.low[0] <= e.low[1] && e.low[1] <= e.high[0])
    push_edges(f, bit, along, p, n, e.low[1] - e.high[0]);
  if (e.low[1] <= e.low[0] && e.low[0] <= e.high[1])
    push_edges(f, bit, !along, p, ts_vec3_neg(n), e.low[0] - e.high[1]);
  return true;
}

/// False when the pair of tets is at its end.
static bool prox_faces_meet(prox_finder *f, prox_faces *faces) {
  set_face_edges(faces);
  prox_vertices_face(f, faces, 0);
  prox_vertices_face(f, faces, 1);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++)
      if (!prox_edges(f, faces, k, i))
        return false;
  return true;
}

static void find_prox(ts_tet_contacts *out, const ts_tet_pair *pair) {
  prox_finder f = {.out = out};
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
      prox_faces faces;
      set_faces(&faces, &f, a, b);
      if (edges_separate(faces.corners[0], faces.corners[1]))
        continue;
      if (!has_planes) {
        ts_prox_planes(f.planes[0], f.node[0]);
        ts_prox_planes(f.planes[1], f.node[1]);
        has_planes = true;
      }
      if (!prox_faces_meet(&f, &faces))
        return;
    }
}

void ts_tet_intersection(ts_tet_contacts *out, const ts_tet_pair *pair, ts_profile profile,
                         double size_m) {
  out->count = 0;
  if (profile == TS_PROFILE_PROX2018)
    find_prox(out, pair);
  else
    find(out, pair, size_m);
}

#ifndef TS_SINGLE
enum { PARAM_PROFILE, PARAM_CLOSENESS_M };

static const ts_param params[] = {
    [PARAM_PROFILE] = {.name = "profile",
                       .summary = "paper: what the paper's text says; prox2018: what its author's "
                                  "simulator does, whose normals at faces have twice the face's "
                                  "area for length and whose gaps there are in that unit.",
                       .kind = TS_PARAM_CHOICE,
                       .default_value = TS_PROFILE_PAPER,
                       .choices = ts_profile_names},
    [PARAM_CLOSENESS_M] = {.name = "closeness_m",
                           .summary = "Distance of a vertex from a face, and of two tets from each "
                                      "other, up to which they meet; prox2018 has none.",
                           .kind = TS_PARAM_REAL,
                           .is_length = 1,
                           .default_value = 0.01,
                           .minimum = 0,
                           .maximum = 1},
};

static ts_status envelope(ts_envelope *out, const double *values) {
  out->kind = TS_ENVELOPE_NONE;
  out->mode = TS_ENVELOPE_VERTICES;
  out->size_m = 0;
  out->reach_m = values[PARAM_CLOSENESS_M];
  return TS_OK;
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *values) {
  (void)pair_state;
  return ts_tet_bodies_generate(host, pair, shape_a, shape_b, ts_tet_intersection, values);
}

static const ts_taxonomy taxonomy = {.locality = TS_LOCALITY_LOCAL,
                                     .testing = TS_TESTING_SURFACE,
                                     .normals = TS_NORMALS_FEATURES,
                                     .instant = TS_INSTANT_DISCRETE,
                                     .exact = TS_SUPPORT_FULL,
                                     .continuous = TS_SUPPORT_FULL,
                                     .deformable = TS_SUPPORT_FULL,
                                     .topology = TS_SUPPORT_FULL,
                                     .limits = "looks at surfaces only"};

const ts_method ts_method_intersection_tets = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_method),
    .name = "intersection_tets",
    .summary = "Intersection on the surface faces of tetrahedra: vertices at faces with the face's "
               "normal, edges with their cross product and the overlap of the tets along it.",
    .source = "Erleben 2018, section 6",
    .needs = TS_NEEDS_CLOSED | TS_NEEDS_TETS,
    .gives = TS_GIVES_GAP,
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .envelope = envelope,
    .prepare_shape = ts_tet_bodies_prepare,
    .generate = generate,
    .release_shape = ts_tet_bodies_release,
    .taxonomy = &taxonomy,
};
#endif
