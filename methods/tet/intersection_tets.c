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
/// Unlike triangles, tets have a volume: for two faces flush in one plane it determines the way
/// out, and an edge's depth is that of the solids. Only where both ways out are equally long, as
/// along an axis on which the tets are concentric, do the centres decide, and where these do not
/// decide either, both directions are reported.
///
/// profile=prox2018: methods/prox2018/prox_intersection.c.
#include "methods/tet/tet_bodies.h"
#include "methods/tet/tet_kernels.h"

#include "geometry/closest.h"
#include "geometry/tet.h"
#include "geometry/tolerances.h"
#include "methods/edge_pair.h"

// A contact for each vertex and face of the two, and for each pair of edges one in either
// direction.
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

/// +1 when the normal from a to b is the axis, -1 when it is the opposite, 0 when both are equally
/// good. The shorter way for b to separate from a decides; if both are equally long, the direction
/// towards b's centre.
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

/// Whether the closest points of the lines of two edges are beyond their ends for certain: the test
/// of ts_edge_pair_cross, without roots and divisions, and not exact to the last digit.
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

/// Whether the tets come within the reach: the most expensive test, so it comes last. The overlap
/// test takes all flat tets in one plane for overlapping; but edges in one plane that have passed
/// so far meet.
static bool are_near(const finder *f) {
  const ts_vec3 *a = f->pair->corners[0], *b = f->pair->corners[1];
  return f->is_near || ts_tet_tet_overlap(a, b, 0) ||
         (ts_tet_tet_overlap(a, b, f->reach_m) &&
          ts_closest_tet_tet(a, b).distance_m <= f->reach_m);
}

void ts_tet_intersection(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m) {
  finder f = {.out = out, .pair = pair, .allowance_m = TS_TOUCH_RELATIVE * size_m};
  f.reach_m = pair->reach_m + f.allowance_m;
  out->count = 0;
  if (!set_heights(&f))
    return;
  vertices_faces(&f, 0);
  vertices_faces(&f, 1);
  size_t vertex_count = out->count;
  edges_edges(&f);
  if (out->count > vertex_count && !are_near(&f))
    out->count = vertex_count;
}

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
  return ts_tet_bodies_generate(host, pair, shape_a, shape_b,
                                &ts_tet_kernels_of[TS_TET_INTERSECTION], values);
}

static const ts_taxonomy taxonomy = {.locality = TS_LOCALITY_LOCAL,
                                     .testing = TS_TESTING_SURFACE,
                                     .normals = TS_NORMALS_FEATURES,
                                     .instant = TS_INSTANT_DISCRETE,
                                     .exact = TS_SUPPORT_FULL,
                                     .continuous = TS_SUPPORT_FULL,
                                     .deformable = TS_SUPPORT_FULL,
                                     .topology = TS_SUPPORT_FULL,
                                     .limits = "considers surfaces only"};

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
