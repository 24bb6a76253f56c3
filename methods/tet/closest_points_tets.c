// SPDX-License-Identifier: MIT
/// Closest points between pairs of features of two eroded tetrahedra (Erleben 2018, section 6): the
/// method closest_points on pairs of tets instead of surfaces.
///
/// Features are the nodes, edges and faces of a tet that belong to its surface faces. A node meets
/// each surface face at the closest point of the closed triangle, within the face, on an edge or at
/// a corner; two edges meet where the closest points of their lines are inside both. Where that is
/// within twice the erosion there is a contact: the midpoint, the unit separation vector, its
/// length.
///
/// A pair of tets knows nothing of its neighbours. So the separation vector must leave a through
/// one of the surface faces around the feature in that tet, and enter b through one. What the tets
/// around see differently is found there; only where the face that has the closest point and the
/// face that the vector leaves through belong to two tets does neither find a contact that whole
/// surfaces have. Features that touch or are behind each other's faces have no separation vector,
/// and nothing is made up for them.
///
/// profile=prox2018: nodes in front of faces give the face normal. Edges give the cross product of
/// a's edge with the line from its start to the end of b's, which is not square to b's edge. Both
/// have as gap what the distance leaves of the limit, which is twice the erosion (0.02 m there,
/// whatever the erosion and the scale). Edges that cross faces give a contact for each crossing,
/// with the depth of the deeper end, however deep.
#include "methods/tet/tet_bodies.h"

#include "geometry/closest.h"
#include "geometry/tet.h"
#include "geometry/tolerances.h"
#include "methods/edge_pair.h"
#include "methods/tet/prox_tet.h"
#include "methods/tet/tet_kernels.h"

#include <float.h>
#include <stdbool.h>

#ifndef TS_SINGLE
enum { PARAM_PROFILE, PARAM_EROSION_M = TS_TET_BODIES_PARAMS, PARAM_COUNT };

static const ts_param params[PARAM_COUNT] = {
    [PARAM_PROFILE] = TS_PARAM_PROFILE,
    [PARAM_EROSION_M] = {.name = "erosion_m",
                         .summary = "How far the bodies are eroded; features closer than twice "
                                    "this make contacts.",
                         .kind = TS_PARAM_REAL,
                         .is_length = 1,
                         .default_value = 0.01,
                         .minimum = 1e-6,
                         .maximum = 1},
};

static ts_status envelope(ts_envelope *out, const double *values) {
  out->kind = TS_ENVELOPE_ERODED;
  out->mode = TS_ENVELOPE_VERTICES;
  out->size_m = values[PARAM_EROSION_M];
  out->reach_m = 2 * values[PARAM_EROSION_M];
  return TS_OK;
}
#endif

/// The surface faces around a node and around an edge, as bits.
static inline unsigned around_node(unsigned surface, int i) {
  return surface & ~(1u << i);
}

static inline unsigned around_edge(unsigned surface, int e) {
  return surface & ~(1u << ts_tet_edge_nodes[e][0]) & ~(1u << ts_tet_edge_nodes[e][1]);
}

/// What of two tets can be closer than a limit, as the planes of their faces tell.
typedef struct nearness {
  /// [side][node] bit f: farther in front of face f of the other tet, on the surface or not.
  unsigned beyond[2][4];
} nearness;

/// Returns false when all nodes of one tet are beyond a face of the other.
static bool set_nearness(nearness *out, const ts_tet_pair *pair, double limit_m) {
  for (int side = 0; side < 2; side++) {
    const ts_vec3 *node = pair->corners[side], *other = pair->corners[1 - side];
    unsigned *beyond = out->beyond[side];
    for (int i = 0; i < 4; i++)
      beyond[i] = 0;
    for (int f = 0; f < 4; f++) {
      ts_vec3 n = pair->normals[1 - side][f], base = other[(f + 1) & 3];
      for (int i = 0; i < 4; i++)
        beyond[i] |= (unsigned)(ts_vec3_dot(n, ts_vec3_sub(node[i], base)) > limit_m) << f;
    }
    if (beyond[0] & beyond[1] & beyond[2] & beyond[3])
      return false;
  }
  return true;
}

/// The surface edges of a tet whose ends are not both beyond one face, as bits.
static unsigned near_edges(const nearness *near, const ts_tet_pair *pair, int side) {
  const unsigned *beyond = near->beyond[side];
  unsigned edges = 0;
  for (int e = 0; e < 6; e++)
    if (around_edge(pair->surface[side], e) &&
        !(beyond[ts_tet_edge_nodes[e][0]] & beyond[ts_tet_edge_nodes[e][1]]))
      edges |= 1u << e;
  return edges;
}

/// The edges of a tet: where each starts and how it goes.
typedef struct tet_edges {
  ts_vec3 start[6], along[6];
} tet_edges;

static void set_edges(tet_edges *out, const ts_vec3 node[4]) {
  for (int e = 0; e < 6; e++) {
    out->start[e] = node[ts_tet_edge_nodes[e][0]];
    out->along[e] = ts_vec3_sub(node[ts_tet_edge_nodes[e][1]], node[ts_tet_edge_nodes[e][0]]);
  }
}

/// Whether the lines of two edges are closer than twice the limit: twice, so that the rounding of
/// nearly parallel ones decides nothing.
static inline bool lines_are_near(const tet_edges edges[2], int i, int j, double limit_m) {
  ts_vec3 cross = ts_vec3_cross(edges[0].along[i], edges[1].along[j]);
  double volume = ts_vec3_dot(cross, ts_vec3_sub(edges[1].start[j], edges[0].start[i]));
  return !(volume * volume > 4 * limit_m * limit_m * ts_vec3_norm2(cross));
}

static void push(ts_tet_contacts *out, ts_vec3 point, ts_vec3 normal, double gap_m) {
  if (out->count < TS_TET_CONTACTS_MAX)
    out->contacts[out->count++] =
        (ts_contact){.point = point, .normal = normal, .gap_m = gap_m, .area_m2 = (double)NAN};
}

// The paper's text.

typedef struct finder {
  const ts_tet_pair *pair;
  ts_tet_contacts *out;
  double size_m, allowance_m;
  double limit_m; ///< with the allowance: tips exactly at the limit are found after any motion
  nearness near;
} finder;

/// A feature's point closest to the other tet's, and the surface faces around the feature.
typedef struct witness {
  ts_vec3 point;
  unsigned faces;
} witness;

/// Whether a vector from a feature rises above one of the surface faces around it.
static bool is_outward(const ts_vec3 normals[4], unsigned faces, ts_vec3 v, double allowance_m) {
  for (int f = 0; f < 4; f++)
    if (faces >> f & 1 && ts_vec3_dot(normals[f], v) > allowance_m)
      return true;
  return false;
}

/// Features that share the closest point, as where a node is over an edge of two faces.
static bool is_known(const finder *f, ts_vec3 point, ts_vec3 normal, double gap_m) {
  double tolerance_m = TS_SAME_POINT_RELATIVE * f->size_m;
  for (size_t i = 0; i < f->out->count; i++) {
    const ts_contact *c = &f->out->contacts[i];
    if (ts_vec3_distance(c->point, point) <= tolerance_m && fabs(c->gap_m - gap_m) <= tolerance_m &&
        ts_vec3_distance(c->normal, normal) <= TS_SAME_NORMAL)
      return true;
  }
  return false;
}

static void emit(finder *f, const witness *a, const witness *b) {
  const ts_tet_pair *pair = f->pair;
  ts_vec3 separation = ts_vec3_sub(b->point, a->point);
  if (!is_outward(pair->normals[0], a->faces, separation, f->allowance_m) ||
      !is_outward(pair->normals[1], b->faces, ts_vec3_neg(separation), f->allowance_m))
    return;
  double distance_m = ts_vec3_norm(separation);
  if (!(distance_m > f->allowance_m && distance_m <= f->limit_m))
    return;
  ts_vec3 point = ts_vec3_mid(a->point, b->point);
  ts_vec3 normal = ts_vec3_scale(separation, 1 / distance_m);
  if (!is_known(f, point, normal, distance_m))
    push(f->out, point, normal, distance_m);
}

/// The surface faces of a tet that have a point which is in one of its faces: of two where it is on
/// an edge, of three where it is a node.
static unsigned faces_at(const finder *f, int side, ts_vec3 point) {
  const ts_vec3 *node = f->pair->corners[side], *normals = f->pair->normals[side];
  unsigned faces = 0;
  for (int g = 0; g < 4; g++) {
    double height_m = ts_vec3_dot(normals[g], ts_vec3_sub(point, node[(g + 1) & 3]));
    faces |= (unsigned)(fabs(height_m) <= f->allowance_m) << g;
  }
  return faces & f->pair->surface[side];
}

static void node_face(finder *f, int side, int i, int g) {
  const ts_tet_pair *pair = f->pair;
  const ts_vec3 *other = pair->corners[1 - side];
  ts_vec3 p = pair->corners[side][i];
  ts_vec3 triangle[3] = {other[(g + 1) & 3], other[(g + 2) & 3], other[(g + 3) & 3]};
  ts_vec3 n = pair->normals[1 - side][g];
  if (fabs(ts_vec3_dot(n, ts_vec3_sub(p, triangle[0]))) > f->limit_m)
    return;
  ts_closest_on_triangle closest = ts_closest_point_triangle(p, triangle);
  if (!(closest.distance_m <= f->limit_m))
    return;
  witness node = {p, around_node(pair->surface[side], i)};
  witness on_face = {closest.point, faces_at(f, 1 - side, closest.point)};
  emit(f, side == 0 ? &node : &on_face, side == 0 ? &on_face : &node);
}

static void nodes_faces(finder *f, int side) {
  const unsigned *own = f->near.beyond[side], *far = f->near.beyond[1 - side];
  for (int i = 0; i < 4; i++) {
    if (own[i] || !around_node(f->pair->surface[side], i))
      continue;
    for (int g = 0; g < 4; g++)
      if (f->pair->surface[1 - side] >> g & 1 &&
          !(far[(g + 1) & 3] & far[(g + 2) & 3] & far[(g + 3) & 3]))
        node_face(f, side, i, g);
  }
}

/// Whether the closest points of two lines are inside both edges, but for rounding at their ends.
static inline bool is_inside_both(const tet_edges edges[2], int i, int j) {
  ts_vec3 u = edges[0].along[i], v = edges[1].along[j], cross = ts_vec3_cross(u, v);
  ts_vec3 between = ts_vec3_sub(edges[1].start[j], edges[0].start[i]);
  double area2 = ts_vec3_norm2(cross);
  double s = ts_vec3_dot(ts_vec3_cross(between, v), cross);
  double t = ts_vec3_dot(ts_vec3_cross(between, u), cross);
  return s >= 0 && t >= 0 && s <= area2 && t <= area2;
}

/// Where the closest point of one line is an end of its edge, the node makes the contact; parallel
/// edges are closest in an end as well.
static void edge_edge(finder *f, int i, int j) {
  const ts_tet_pair *pair = f->pair;
  ts_vec3 a[2] = {pair->corners[0][ts_tet_edge_nodes[i][0]],
                  pair->corners[0][ts_tet_edge_nodes[i][1]]};
  ts_vec3 b[2] = {pair->corners[1][ts_tet_edge_nodes[j][0]],
                  pair->corners[1][ts_tet_edge_nodes[j][1]]};
  ts_edge_pair edges;
  if (!ts_edge_pair_cross(&edges, a, b) || !(edges.inside_a_m > f->allowance_m) ||
      !(edges.inside_b_m > f->allowance_m))
    return;
  witness on_a = {edges.on_a, around_edge(pair->surface[0], i)};
  witness on_b = {edges.on_b, around_edge(pair->surface[1], j)};
  emit(f, &on_a, &on_b);
}

static void find(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m) {
  double allowance_m = TS_TOUCH_RELATIVE * size_m;
  finder f = {.pair = pair,
              .out = out,
              .size_m = size_m,
              .allowance_m = allowance_m,
              .limit_m = pair->reach_m + allowance_m};
  if (!set_nearness(&f.near, pair, f.limit_m))
    return;
  nodes_faces(&f, 0);
  nodes_faces(&f, 1);
  unsigned near_a = near_edges(&f.near, pair, 0), near_b = near_edges(&f.near, pair, 1);
  if (!near_a || !near_b)
    return;
  tet_edges edges[2];
  set_edges(&edges[0], pair->corners[0]);
  set_edges(&edges[1], pair->corners[1]);
  for (int i = 0; i < 6; i++)
    for (int j = 0; near_a >> i & 1 && j < 6; j++)
      if (near_b >> j & 1 && lines_are_near(edges, i, j, f.limit_m) && is_inside_both(edges, i, j))
        edge_edge(&f, i, j);
}

// The simulator.

/// Square of the sine up to which edges are parallel.
static const double prox_parallel_sine2 = 10 * DBL_EPSILON;

/// Corners of the faces, counter-clockwise from outside when the tet's volume is positive.
static const int face_nodes[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

typedef struct prox_finder {
  const ts_tet_pair *pair;
  ts_tet_contacts *out;
  double limit_m;
  nearness near;
  tet_edges edges[2];
  ts_prox_pair_planes planes;
  double length[2][4]; ///< [side][face], of the plane's normal
  /// [side][node][face of the other side], times the length of its normal.
  double height[2][4][4];
  bool is_inverted[2];
  unsigned faces[2]; ///< surface faces with an area that can be computed with
  /// Nodes that met a face. The same for edges of b that met an edge; of a's edges, only the first
  /// is ever marked, whichever met one.
  unsigned used_nodes[2], used_edges_b;
  bool used_first_edge_a;
} prox_finder;

static void prox_set_side(prox_finder *f, int side) {
  const ts_vec3 *node = f->pair->corners[side];
  tet_edges *edges = &f->edges[side];
  set_edges(edges, node);
  ts_vec3 cross = ts_vec3_cross(edges->along[0], edges->along[1]);
  f->is_inverted[side] = ts_vec3_dot(cross, edges->along[2]) < 0;
  ts_prox_planes(f->planes.of[side], node);
  for (int g = 0; g < 4; g++) {
    f->length[side][g] = ts_vec3_norm(f->planes.of[side][g].normal);
    f->faces[side] |= (unsigned)(f->length[side][g] > 0 && isfinite(f->length[side][g])) << g;
  }
  f->faces[side] &= f->pair->surface[side];
}

static void prox_set_heights(prox_finder *f, int side) {
  for (int g = 0; g < 4; g++) {
    const ts_prox_plane *plane = &f->planes.of[1 - side][g];
    for (int i = 0; i < 4; i++) {
      ts_vec3 p = f->pair->corners[side][i];
      f->height[side][i][g] = ts_vec3_dot(plane->normal, ts_vec3_sub(p, plane->on));
    }
  }
}

/// Whether a point is in the prism over a face.
static bool prox_in_prism(const prox_finder *f, int side, int g, ts_vec3 p) {
  const ts_vec3 *node = f->pair->corners[side];
  ts_vec3 n = f->planes.of[side][g].normal;
  for (int m = 0; m < 3; m++) {
    ts_vec3 from = node[face_nodes[g][m]], to = node[face_nodes[g][(m + 1) % 3]];
    ts_vec3 start = f->is_inverted[side] ? to : from, end = f->is_inverted[side] ? from : to;
    ts_vec3 inward = ts_vec3_cross(n, ts_vec3_sub(end, start));
    if (ts_vec3_dot(ts_vec3_sub(p, start), inward) < 0)
      return false;
  }
  return true;
}

/// From a to b: against the outward normal of b's face, along that of a's.
static ts_vec3 prox_face_normal(const prox_finder *f, int side_of_face, int g) {
  ts_vec3 n = ts_vec3_unit(f->planes.of[side_of_face][g].normal);
  return side_of_face == 1 ? ts_vec3_neg(n) : n;
}

static void prox_nodes_faces(prox_finder *f, int side) {
  for (int i = 0; i < 4; i++) {
    if (!around_node(f->pair->surface[side], i))
      continue;
    ts_vec3 p = f->pair->corners[side][i];
    for (int g = 0; g < 4; g++) {
      if (!(f->faces[1 - side] >> g & 1))
        continue;
      double distance_m = f->height[side][i][g] / f->length[1 - side][g];
      if (!(distance_m > 0 && distance_m <= f->limit_m) || !prox_in_prism(f, 1 - side, g, p))
        continue;
      ts_vec3 normal = prox_face_normal(f, 1 - side, g);
      ts_vec3 n = f->planes.of[1 - side][g].normal, down = ts_vec3_scale(n, f->height[side][i][g]);
      double length2 = ts_vec3_norm2(n);
      ts_vec3 foot = {p.x - down.x / length2, p.y - down.y / length2, p.z - down.z / length2};
      push(f->out, ts_vec3_mid(p, foot), normal, f->limit_m - distance_m);
      f->used_nodes[side] |= 1u << i;
    }
  }
}

static void prox_edge_edge(prox_finder *f, int i, int j) {
  ts_vec3 a0 = f->edges[0].start[i], b0 = f->edges[1].start[j];
  ts_vec3 edge_a = f->edges[0].along[i], edge_b = f->edges[1].along[j];
  ts_vec3 u = ts_vec3_unit(edge_a), v = ts_vec3_unit(edge_b), between = ts_vec3_sub(b0, a0);
  double cosine = ts_vec3_dot(u, v), along_a = ts_vec3_dot(u, between);
  double along_b = -ts_vec3_dot(v, between), sine2 = 1 - cosine * cosine;
  if (!(fabs(sine2) >= prox_parallel_sine2))
    return;
  double s = (along_a + cosine * along_b) / sine2, t = (along_b + cosine * along_a) / sine2;
  if (!(s > 0 && t > 0 && s < ts_vec3_norm(edge_a) && t < ts_vec3_norm(edge_b)))
    return;
  ts_vec3 on_a = ts_vec3_add_scaled(a0, s, u), on_b = ts_vec3_add_scaled(b0, t, v);
  double distance_m = ts_vec3_distance(on_a, on_b);
  if (!(distance_m > 0 && distance_m <= f->limit_m))
    return;
  ts_vec3 b1 = f->pair->corners[1][ts_tet_edge_nodes[j][1]];
  ts_vec3 normal = ts_vec3_unit(ts_vec3_cross(edge_a, ts_vec3_sub(b1, a0)));
  if (ts_vec3_dot(on_a, normal) > ts_vec3_dot(on_b, normal))
    normal = ts_vec3_neg(normal);
  push(f->out, ts_vec3_mid(on_a, on_b), normal, f->limit_m - distance_m);
  f->used_edges_b |= 1u << j;
  f->used_first_edge_a = true;
}

/// Whether both ends of an edge met faces. Of b the nodes with the numbers of a's edge are asked.
static inline bool prox_is_used(unsigned used_nodes, int e) {
  return used_nodes >> ts_tet_edge_nodes[e][0] & used_nodes >> ts_tet_edge_nodes[e][1] & 1;
}

static void prox_edges_edges(prox_finder *f) {
  unsigned near_a = near_edges(&f->near, f->pair, 0), near_b = near_edges(&f->near, f->pair, 1);
  for (int i = 0; i < 6; i++) {
    if (!(near_a >> i & 1) || prox_is_used(f->used_nodes[0], i) ||
        prox_is_used(f->used_nodes[1], i))
      continue;
    for (int j = 0; j < 6; j++)
      if (near_b >> j & 1 && !(f->used_edges_b >> j & 1) &&
          lines_are_near(f->edges, i, j, f->limit_m))
        prox_edge_edge(f, i, j);
  }
}

static void prox_edge_faces(prox_finder *f, int side, int e) {
  const double *at_start = f->height[side][ts_tet_edge_nodes[e][0]];
  const double *at_end = f->height[side][ts_tet_edge_nodes[e][1]];
  for (int g = 0; g < 4; g++) {
    bool crosses = (at_start[g] > 0 && at_end[g] < 0) || (at_start[g] < 0 && at_end[g] > 0);
    if (!(f->faces[1 - side] >> g & 1) || !crosses)
      continue;
    double t = fabs(at_start[g]) / (fabs(at_start[g]) + fabs(at_end[g]));
    ts_vec3 p = ts_vec3_add_scaled(f->edges[side].start[e], t, f->edges[side].along[e]);
    double lower = at_start[g] < at_end[g] ? at_start[g] : at_end[g];
    if (!prox_in_prism(f, 1 - side, g, p))
      continue;
    ts_vec3 n = f->planes.of[1 - side][g].normal;
    double length = side == 0 ? -f->length[1 - side][g] : f->length[1 - side][g];
    push(f->out, p, (ts_vec3){n.x / length, n.y / length, n.z / length}, lower / fabs(length));
  }
}

/// Of b, the edge with a node's number is asked for when the node is on the surface and met no
/// face, so that the last two never are.
static void prox_edges_faces(prox_finder *f) {
  for (int e = f->used_first_edge_a ? 1 : 0; e < 6; e++)
    if (around_edge(f->pair->surface[0], e))
      prox_edge_faces(f, 0, e);
  for (int e = 0; e < 4; e++)
    if (around_node(f->pair->surface[1], e) && !(f->used_nodes[1] >> e & 1))
      prox_edge_faces(f, 1, e);
}

static void find_prox(ts_tet_contacts *out, const ts_tet_pair *pair) {
  prox_finder f = {.pair = pair, .out = out, .limit_m = pair->reach_m};
  // Beyond twice the limit, so that rounding decides nothing there. Edges that cross faces have no
  // limit, but their tets are not apart.
  if (!set_nearness(&f.near, pair, 2 * f.limit_m))
    return;
  for (int side = 0; side < 2; side++)
    prox_set_side(&f, side);
  for (int side = 0; side < 2; side++)
    prox_set_heights(&f, side);
  prox_nodes_faces(&f, 0);
  prox_nodes_faces(&f, 1);
  prox_edges_edges(&f);
  prox_edges_faces(&f);
}

void ts_tet_closest_points(ts_tet_contacts *out, const ts_tet_pair *pair, ts_profile profile,
                           double size_m) {
  out->count = 0;
  if (profile == TS_PROFILE_PROX2018)
    find_prox(out, pair);
  else
    find(out, pair, size_m);
}

#ifndef TS_SINGLE
static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *values) {
  (void)pair_state;
  return ts_tet_bodies_generate(host, pair, shape_a, shape_b, ts_tet_closest_points, values);
}

static const ts_taxonomy taxonomy = {.locality = TS_LOCALITY_LOCAL,
                                     .testing = TS_TESTING_SURFACE,
                                     .normals = TS_NORMALS_CLOSEST_POINTS,
                                     .instant = TS_INSTANT_DISCRETE,
                                     .exact = TS_SUPPORT_FULL,
                                     .continuous = TS_SUPPORT_FULL,
                                     .deformable = TS_SUPPORT_FULL,
                                     .topology = TS_SUPPORT_FULL,
                                     .limits = "numerically sensitive"};

const ts_method ts_method_closest_points_tets = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_method),
    .name = "closest_points_tets",
    .summary =
        "Closest points of nodes, edges and surface faces of eroded tetrahedra, normal along "
        "the separation vector.",
    .source = "Erleben 2018, section 6",
    .needs = TS_NEEDS_CLOSED | TS_NEEDS_TETS,
    .gives = TS_GIVES_GAP,
    .params = params,
    .param_count = PARAM_COUNT,
    .envelope = envelope,
    .prepare_shape = ts_tet_bodies_prepare,
    .generate = generate,
    .release_shape = ts_tet_bodies_release,
    .taxonomy = &taxonomy,
};
#endif
