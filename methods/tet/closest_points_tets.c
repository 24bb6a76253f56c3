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
/// profile=prox2018: methods/prox2018/prox_closest_points.c.
#include "methods/tet/tet_bodies.h"

#include "geometry/closest.h"
#include "geometry/tet.h"
#include "geometry/tolerances.h"
#include "methods/edge_pair.h"
#include "methods/tet/tet_kernels.h"

#include <stdbool.h>

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

/// The surface faces around a node and around an edge, as bits.
static inline unsigned around_node(unsigned surface, int i) {
  return surface & ~(1u << i);
}

static inline unsigned around_edge(unsigned surface, int e) {
  return surface & ~(1u << ts_tet_edge_nodes[e][0]) & ~(1u << ts_tet_edge_nodes[e][1]);
}

/// Which parts of two tets can be closer than a limit, according to the planes of their faces.
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

void ts_tet_closest_points(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m) {
  double allowance_m = TS_TOUCH_RELATIVE * size_m;
  finder f = {.pair = pair,
              .out = out,
              .size_m = size_m,
              .allowance_m = allowance_m,
              .limit_m = pair->reach_m + allowance_m};
  out->count = 0;
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

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *values) {
  (void)pair_state;
  return ts_tet_bodies_generate(host, pair, shape_a, shape_b,
                                &ts_tet_kernels_of[TS_TET_CLOSEST_POINTS], values);
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
