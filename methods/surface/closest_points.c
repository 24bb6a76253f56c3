// SPDX-License-Identifier: MIT
/// Closest points between pairs of features of two eroded bodies (Erleben 2018, section 6).
///
/// A vertex is paired with the closest point of each closed triangle, within the face, on an edge
/// or at a corner; two edges are paired where the closest points of their lines are inside both.
/// Each pair of features is processed once, in the pair of triangles that own the two.
///
/// There is a contact only when the separation vector leaves a through its outside and enters b
/// from its outside. Bodies that overlap have no separation vector between the features that
/// overlap, and those that touch have none that rises above the surface: neither makes a contact,
/// and there is no fallback.
#include "methods/surface/triangle_pairs.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "methods/edge_pair.h"

#include <math.h>

static const char *const erosion_choices[] = {"vertices", "faces", NULL};

enum { PARAM_EROSION_M, PARAM_EROSION };

static const ts_param params[] = {
    [PARAM_EROSION_M] = {.name = "erosion_m",
                         .summary = "How far the bodies are eroded; features closer than twice "
                                    "this make contacts.",
                         .kind = TS_PARAM_REAL,
                         .is_length = 1,
                         .default_value = 0.01,
                         .minimum = 1e-6,
                         .maximum = 1},
    [PARAM_EROSION] = {.name = "erosion",
                       .summary = "What is moved inwards: vertices, along their angle-weighted "
                                  "normals, or face planes, exactly.",
                       .kind = TS_PARAM_CHOICE,
                       .default_value = 0,
                       .choices = erosion_choices},
};

static ts_status envelope(ts_envelope *out, const double *values) {
  out->kind = TS_ENVELOPE_ERODED;
  out->mode = values[PARAM_EROSION] > 0 ? TS_ENVELOPE_FACES : TS_ENVELOPE_VERTICES;
  out->size_m = values[PARAM_EROSION_M];
  out->reach_m = 2 * values[PARAM_EROSION_M];
  return TS_OK;
}

typedef struct finder {
  ts_triangle_pairs pairs;
  double
      limit_m; ///< includes the allowance, so tips exactly at the limit are found after any motion
} finder;

/// A feature of one side and its point closest to the other side's feature.
typedef struct witness {
  int side;
  ts_feature feature;
  ts_vec3 point;
} witness;

/// Whether the unit direction (in the frame) leaves the side's body through its outside.
static bool is_outward(const finder *f, const witness *w, ts_vec3 direction, double sine) {
  const ts_placed_surface *placed = &f->pairs.side[w->side];
  ts_vec3 local = ts_quat_rotate(ts_quat_conjugate(placed->to_frame.rotation), direction);
  return ts_surface_is_outward(placed->surface, w->feature, local, sine);
}

static ts_status emit(finder *f, const witness *one, const witness *other) {
  const witness *a = one->side == 0 ? one : other, *b = one->side == 0 ? other : one;
  ts_vec3 separation = ts_vec3_sub(b->point, a->point);
  double distance_m = ts_vec3_norm(separation);
  if (distance_m <= f->pairs.allowance_m || distance_m > f->limit_m)
    return TS_OK;
  ts_vec3 normal = ts_vec3_unit(separation);
  double sine = f->pairs.allowance_m / distance_m;
  if (!is_outward(f, a, normal, sine) || !is_outward(f, b, ts_vec3_neg(normal), sine))
    return TS_OK;
  ts_contact contact = {.point = ts_vec3_mid(a->point, b->point),
                        .normal = normal,
                        .gap_m = distance_m,
                        .area_m2 = NAN,
                        .feature_a = a->feature,
                        .feature_b = b->feature};
  return ts_triangle_pairs_push(&f->pairs, &contact);
}

static ts_closest_on_triangle closest_on(const finder *f, ts_vec3 p, int side, uint32_t triangle) {
  ts_vec3 corners[3];
  ts_triangle_pairs_corners(corners, &f->pairs, side, triangle);
  return ts_closest_point_triangle(p, corners);
}

/// Whether that vertex is the point closest to `p` of some triangle around it.
static bool vertex_is_closest(const finder *f, ts_vec3 p, int side, uint32_t vertex) {
  const ts_surface *surface = f->pairs.side[side].surface;
  for (uint32_t i = surface->fan_start[vertex]; i < surface->fan_start[vertex + 1]; i++) {
    uint32_t half_edge = surface->fan[i];
    ts_closest_on_triangle r = closest_on(f, p, side, half_edge / 3);
    if (r.kind == TS_FEATURE_VERTEX && (uint32_t)r.corner == half_edge % 3)
      return true;
  }
  return false;
}

/// Whether the point closest to `p` of some triangle of an edge is in that edge; `here` is the
/// result for the triangle that owns it.
static bool edge_is_closest(const finder *f, ts_vec3 p, int side, uint32_t half_edge,
                            const ts_closest_on_triangle *here) {
  if (here->kind == TS_FEATURE_EDGE && (uint32_t)here->corner == half_edge % 3)
    return true;
  uint32_t twin = f->pairs.side[side].surface->mesh->edge_twin[half_edge];
  ts_closest_on_triangle there = closest_on(f, p, side, twin / 3);
  return there.kind == TS_FEATURE_EDGE && (uint32_t)there.corner == twin % 3;
}

static ts_status vertex_edge(finder *f, const witness *vertex, const ts_triangle_pair *triangles,
                             int corner, const ts_closest_on_triangle *here) {
  int side = 1 - vertex->side;
  const ts_surface *surface = f->pairs.side[side].surface;
  uint32_t triangle = triangles->triangle[side];
  ts_vec3 ends[2];
  ts_triangle_pairs_edge(ends, &f->pairs, triangles, side, corner);
  double t = ts_closest_point_segment(vertex->point, ends[0], ends[1]);
  witness edge = {side, ts_surface_edge(surface, triangle, corner),
                  ts_vec3_lerp(ends[0], ends[1], t)};
  if (ts_vec3_distance(vertex->point, edge.point) > f->limit_m ||
      !edge_is_closest(f, vertex->point, side, 3 * triangle + (uint32_t)corner, here))
    return TS_OK;
  return emit(f, vertex, &edge);
}

/// Two vertices are paired when either is the closest point of a triangle to the other.
static ts_status vertex_vertex(finder *f, const witness *a, const ts_triangle_pair *triangles,
                               int corner_b) {
  witness b = {1, ts_surface_vertex(f->pairs.side[1].surface, triangles->triangle[1], corner_b),
               triangles->corners[1][corner_b]};
  if (ts_vec3_distance(a->point, b.point) > f->limit_m ||
      !(vertex_is_closest(f, a->point, 1, b.feature.index) ||
        vertex_is_closest(f, b.point, 0, a->feature.index)))
    return TS_OK;
  return emit(f, a, &b);
}

/// A vertex that the triangle of its side owns against what the other triangle owns: its face,
/// edges and corners.
static ts_status vertex_triangle(finder *f, const ts_triangle_pair *triangles, int side,
                                 int corner) {
  int other = 1 - side;
  const ts_surface *surface = f->pairs.side[other].surface;
  uint32_t triangle = triangles->triangle[other];
  witness vertex = {
      side, ts_surface_vertex(f->pairs.side[side].surface, triangles->triangle[side], corner),
      triangles->corners[side][corner]};
  ts_closest_on_triangle here = ts_closest_point_triangle(vertex.point, triangles->corners[other]);
  if (here.distance_m > f->limit_m)
    return TS_OK;
  if (here.kind == TS_FEATURE_FACE) {
    witness face = {other, ts_surface_face(triangle), here.point};
    TS_TRY(emit(f, &vertex, &face));
  }
  for (int i = 0; i < 3; i++) {
    if (ts_surface_owns_edge(surface, triangle, i))
      TS_TRY(vertex_edge(f, &vertex, triangles, i, &here));
    if (side == 0 && ts_surface_owns_vertex(surface, triangle, i))
      TS_TRY(vertex_vertex(f, &vertex, triangles, i));
  }
  return TS_OK;
}

/// Edges whose closest points are inside both. Where one is an end, its vertex makes the contact;
/// parallel edges are closest at an end as well.
static ts_status edge_edge(finder *f, const ts_triangle_pair *triangles, int corner_a,
                           int corner_b) {
  ts_vec3 ends_a[2], ends_b[2];
  ts_triangle_pairs_edge(ends_a, &f->pairs, triangles, 0, corner_a);
  ts_triangle_pairs_edge(ends_b, &f->pairs, triangles, 1, corner_b);
  ts_edge_pair edges;
  if (!ts_edge_pair_cross(&edges, ends_a, ends_b) || edges.inside_a_m <= f->pairs.allowance_m ||
      edges.inside_b_m <= f->pairs.allowance_m)
    return TS_OK;
  witness a = {0, ts_surface_edge(f->pairs.side[0].surface, triangles->triangle[0], corner_a),
               edges.on_a};
  witness b = {1, ts_surface_edge(f->pairs.side[1].surface, triangles->triangle[1], corner_b),
               edges.on_b};
  return emit(f, &a, &b);
}

static ts_status visit(void *context, const ts_triangle_pair *triangles) {
  finder *f = context;
  const ts_surface *a = f->pairs.side[0].surface, *b = f->pairs.side[1].surface;
  for (int i = 0; i < 3; i++) {
    if (ts_surface_owns_vertex(a, triangles->triangle[0], i))
      TS_TRY(vertex_triangle(f, triangles, 0, i));
    if (ts_surface_owns_vertex(b, triangles->triangle[1], i))
      TS_TRY(vertex_triangle(f, triangles, 1, i));
    if (!ts_surface_owns_edge(a, triangles->triangle[0], i))
      continue;
    for (int j = 0; j < 3; j++)
      if (ts_surface_owns_edge(b, triangles->triangle[1], j))
        TS_TRY(edge_edge(f, triangles, i, j));
  }
  return TS_OK;
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *values) {
  (void)pair_state;
  finder f;
  ts_triangle_pairs_begin(&f.pairs, host, pair, shape_a, shape_b);
  f.limit_m = 2 * values[PARAM_EROSION_M] + f.pairs.allowance_m;
  TS_TRY(ts_triangle_pairs_visit(&f.pairs, f.limit_m, visit, &f));
  return ts_triangle_pairs_end(&f.pairs);
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

const ts_method ts_method_closest_points = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_method),
    .name = "closest_points",
    .summary = "Closest points of vertices, edges and faces of eroded bodies, normal along the "
               "separation vector.",
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
