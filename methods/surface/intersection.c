// SPDX-License-Identifier: MIT
/// Intersections of two surfaces, triangle by triangle, with normals from the features that meet
/// (Erleben 2018, section 6).
///
/// A vertex within `closeness_m` of a face's plane, on either side, and inside the prism over the
/// face makes a contact at the vertex. Two edges of triangles that come within `closeness_m`
/// make a contact when the triangles are not apart along the cross product and the closest points
/// of the edges' lines lie on the edges. The distance of those points does not matter, and one pair
/// of edges may give several gaps, one for each pair of triangles around them. The paper defines
/// both that way, and both are part of what is wrong with the method.
#include "methods/surface/triangle_pairs.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/tolerances.h"
#include "methods/edge_pair.h"

#include <math.h>

enum { PARAM_CLOSENESS_M };

static const ts_param params[] = {
    [PARAM_CLOSENESS_M] = {.name = "closeness_m",
                           .summary = "Distance of a vertex from a face, and of two triangles from "
                                      "each other, up to which they meet.",
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

typedef struct finder {
  ts_triangle_pairs pairs;
  double closeness_m; ///< includes the allowance
} finder;

/// Whether a point lies inside the planes through the edges of a face along its normal; closed.
static bool inside_prism(ts_vec3 p, const ts_vec3 corners[3], ts_vec3 normal, double allowance_m) {
  for (int i = 0; i < 3; i++) {
    ts_vec3 edge = ts_vec3_unit(ts_vec3_sub(corners[(i + 1) % 3], corners[i]));
    ts_vec3 inward = ts_vec3_cross(normal, edge);
    if (ts_vec3_dot(inward, ts_vec3_sub(p, corners[i])) < -allowance_m)
      return false;
  }
  return true;
}

/// A vertex that the triangle of its side owns against the face of the other triangle.
static ts_status vertex_face(finder *f, const ts_triangle_pair *triangles, int side, int corner) {
  int other = 1 - side;
  uint32_t triangle = triangles->triangle[other];
  ts_vec3 point = triangles->corners[side][corner];
  ts_vec3 normal = ts_triangle_pairs_normal(&f->pairs, other, triangle);
  double gap_m = ts_vec3_dot(normal, ts_vec3_sub(point, triangles->corners[other][0]));
  if (fabs(gap_m) > f->closeness_m ||
      !inside_prism(point, triangles->corners[other], normal, f->pairs.allowance_m))
    return TS_OK;
  ts_feature vertex =
      ts_surface_vertex(f->pairs.side[side].surface, triangles->triangle[side], corner);
  ts_feature face = ts_surface_face(triangle);
  ts_contact contact = {.point = point,
                        .normal = side == 1 ? normal : ts_vec3_neg(normal),
                        .gap_m = gap_m,
                        .area_m2 = NAN,
                        .feature_a = side == 0 ? vertex : face,
                        .feature_b = side == 1 ? vertex : face};
  return ts_triangle_pairs_push(&f->pairs, &contact);
}

/// How far b must move along an axis, forwards and backwards, to separate from a.
typedef struct translations {
  double forth_m, back_m;
} translations;

static translations separate(const ts_triangle_pair *triangles, ts_vec3 axis) {
  // Heights above a corner of a, so that no digits are lost far from the frame's origin.
  ts_vec3 origin = triangles->corners[0][0];
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++) {
      double h = ts_vec3_dot(axis, ts_vec3_sub(triangles->corners[side][i], origin));
      low[side] = fmin(low[side], h);
      high[side] = fmax(high[side], h);
    }
  return (translations){high[0] - low[1], high[1] - low[0]};
}

/// +1 when the normal from a to b is the axis, -1 when it is the opposite, 0 when both are equally
/// good. The shorter translation decides; if they are equal, as between faces in one plane, the
/// direction in which the faces face each other.
static int orient(const finder *f, const ts_triangle_pair *triangles, ts_vec3 axis,
                  translations apart) {
  double difference = apart.forth_m - apart.back_m;
  if (fabs(difference) > f->pairs.allowance_m)
    return difference < 0 ? 1 : -1;
  ts_vec3 normal_a = ts_triangle_pairs_normal(&f->pairs, 0, triangles->triangle[0]);
  ts_vec3 normal_b = ts_triangle_pairs_normal(&f->pairs, 1, triangles->triangle[1]);
  double facing = ts_vec3_dot(axis, ts_vec3_sub(normal_a, normal_b));
  if (fabs(facing) > TS_SAME_PLANE_SINE)
    return facing > 0 ? 1 : -1;
  return 0;
}

static ts_status push_edges(finder *f, ts_contact *contact, ts_vec3 normal, double overlap_m) {
  contact->normal = normal;
  contact->gap_m = -overlap_m;
  return ts_triangle_pairs_push(&f->pairs, contact);
}

static ts_status edge_edge(finder *f, const ts_triangle_pair *triangles, int corner_a, int corner_b,
                           int *near) {
  double allowance_m = f->pairs.allowance_m;
  ts_vec3 ends_a[2], ends_b[2];
  ts_triangle_pairs_edge(ends_a, &f->pairs, triangles, 0, corner_a);
  ts_triangle_pairs_edge(ends_b, &f->pairs, triangles, 1, corner_b);
  ts_edge_pair edges;
  if (!ts_edge_pair_cross(&edges, ends_a, ends_b) || edges.inside_a_m < -allowance_m ||
      edges.inside_b_m < -allowance_m)
    return TS_OK;
  translations apart = separate(triangles, edges.axis);
  if (apart.forth_m < -allowance_m || apart.back_m < -allowance_m)
    return TS_OK;
  // The distance of the triangles is the most expensive test: last, and once for all nine pairs.
  if (*near < 0)
    *near = ts_closest_triangle_triangle(triangles->corners[0], triangles->corners[1]).distance_m <=
            f->closeness_m;
  if (!*near)
    return TS_OK;
  const ts_surface *a = f->pairs.side[0].surface, *b = f->pairs.side[1].surface;
  ts_contact contact = {.point = ts_vec3_mid(edges.on_a, edges.on_b),
                        .area_m2 = NAN,
                        .feature_a = ts_surface_edge(a, triangles->triangle[0], corner_a),
                        .feature_b = ts_surface_edge(b, triangles->triangle[1], corner_b)};
  // If the two directions are equally good (two faces flush in one plane), no choice would be
  // invariant under both a rigid motion and a swap of the bodies: both are reported.
  int direction = orient(f, triangles, edges.axis, apart);
  if (direction >= 0)
    TS_TRY(push_edges(f, &contact, edges.axis, apart.forth_m));
  if (direction <= 0)
    TS_TRY(push_edges(f, &contact, ts_vec3_neg(edges.axis), apart.back_m));
  return TS_OK;
}

static ts_status visit(void *context, const ts_triangle_pair *triangles) {
  finder *f = context;
  int near = -1; ///< whether the triangles come close enough; negative: not known yet
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++)
      if (ts_surface_owns_vertex(f->pairs.side[side].surface, triangles->triangle[side], i))
        TS_TRY(vertex_face(f, triangles, side, i));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      TS_TRY(edge_edge(f, triangles, i, j, &near));
  return TS_OK;
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *values) {
  (void)pair_state;
  finder f;
  ts_triangle_pairs_begin(&f.pairs, host, pair, shape_a, shape_b);
  f.closeness_m = values[PARAM_CLOSENESS_M] + f.pairs.allowance_m;
  TS_TRY(ts_triangle_pairs_visit(&f.pairs, f.closeness_m, visit, &f));
  return ts_triangle_pairs_end(&f.pairs);
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

const ts_method ts_method_intersection = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_method),
    .name = "intersection",
    .summary =
        "Vertices at faces with the face's normal; edges whose lines are closest within both, "
        "however far apart, with their cross product.",
    .source = "Erleben 2018, section 6",
    .needs = TS_NEEDS_CLOSED,
    .gives = TS_GIVES_GAP | TS_GIVES_FEATURES,
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .envelope = envelope,
    .prepare_shape = ts_surface_prepare,
    .generate = generate,
    .release_shape = ts_surface_release,
    .taxonomy = &taxonomy,
};
