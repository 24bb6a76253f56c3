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
  double slack_m;     ///< more than rounding and the allowance can do to a length
} finder;

enum { NEARNESS_UNKNOWN, NEAR, FAR };

/// Two blocks of triangles, and which of them are near each other.
typedef struct block_pair {
  const ts_triangle_block *const *blocks; ///< [2]
  uint8_t nearness[TS_BLOCK_FACES][TS_BLOCK_FACES];
} block_pair;

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

/// A vertex that a block of its side owns, at a corner, against a face of the other block.
static ts_status vertex_face(finder *f, const ts_triangle_block *const blocks[2], int side,
                             uint32_t corner, uint32_t face_index) {
  int other = 1 - side;
  uint32_t triangle = blocks[other]->triangles[face_index];
  const ts_vec3 *corners = blocks[other]->corners + 3 * (size_t)face_index;
  ts_vec3 point = blocks[side]->corners[corner];
  ts_vec3 normal = ts_triangle_pairs_normal(&f->pairs, other, triangle);
  double gap_m = ts_vec3_dot(normal, ts_vec3_sub(point, corners[0]));
  if (fabs(gap_m) > f->closeness_m || !inside_prism(point, corners, normal, f->pairs.allowance_m))
    return TS_OK;
  ts_feature vertex = ts_surface_vertex(f->pairs.side[side].surface,
                                        blocks[side]->triangles[corner / 3], (int)(corner % 3));
  ts_feature face = ts_surface_face(triangle);
  ts_contact contact = {.point = point,
                        .normal = side == 1 ? normal : ts_vec3_neg(normal),
                        .gap_m = gap_m,
                        .area_m2 = NAN,
                        .feature_a = side == 0 ? vertex : face,
                        .feature_b = side == 1 ? vertex : face};
  return ts_triangle_pairs_push(&f->pairs, &contact);
}

static ts_status vertices_faces(finder *f, const ts_near_blocks *near, int side) {
  const ts_triangle_block *const *blocks = near->blocks;
  ts_block_pairs found;
  f->pairs.filter->points_over_faces(
      &found, &blocks[side]->lanes, near->parts[side].points, &blocks[1 - side]->lanes,
      near->parts[1 - side].faces, ts_triangle_pairs_lane_length(&f->pairs, f->closeness_m),
      ts_triangle_pairs_lane_length(&f->pairs, f->pairs.allowance_m));
  for (uint32_t i = 0; i < found.count; i++)
    TS_TRY(
        vertex_face(f, blocks, side, blocks[side]->vertices[found.items[i].a], found.items[i].b));
  return TS_OK;
}

/// How far b must move along an axis, forwards and backwards, to separate from a.
typedef struct translations {
  double forth_m, back_m;
} translations;

static translations separate(const ts_vec3 a[3], const ts_vec3 b[3], ts_vec3 axis) {
  // Heights above a corner of a, so that no digits are lost far from the frame's origin.
  const ts_vec3 *corners[2] = {a, b};
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++) {
      double h = ts_vec3_dot(axis, ts_vec3_sub(corners[side][i], a[0]));
      low[side] = ts_min(low[side], h);
      high[side] = ts_max(high[side], h);
    }
  return (translations){high[0] - low[1], high[1] - low[0]};
}

/// +1 when the normal from a to b is the axis, -1 when it is the opposite, 0 when both are equally
/// good. The shorter translation decides; if they are equal, as between faces in one plane, the
/// direction in which the faces face each other.
static int orient(const finder *f, const uint32_t triangles[2], ts_vec3 axis, translations apart) {
  double difference = apart.forth_m - apart.back_m;
  if (fabs(difference) > f->pairs.allowance_m)
    return difference < 0 ? 1 : -1;
  ts_vec3 normal_a = ts_triangle_pairs_normal(&f->pairs, 0, triangles[0]);
  ts_vec3 normal_b = ts_triangle_pairs_normal(&f->pairs, 1, triangles[1]);
  double facing = ts_vec3_dot(axis, ts_vec3_sub(normal_a, normal_b));
  if (fabs(facing) > TS_SAME_PLANE_SINE)
    return facing > 0 ? 1 : -1;
  return 0;
}

/// Whether two triangles come close enough: found out once for all pairs of their edges. Points of
/// the two that are clearly closer save the most expensive test.
static bool are_near(const finder *f, block_pair *pair, uint32_t a, uint32_t b,
                     const ts_edge_pair *edges) {
  if (pair->nearness[a][b] == NEARNESS_UNKNOWN) {
    bool near = ts_vec3_distance(edges->on_a, edges->on_b) < f->closeness_m - f->slack_m ||
                ts_closest_triangle_triangle(pair->blocks[0]->corners + 3 * (size_t)a,
                                             pair->blocks[1]->corners + 3 * (size_t)b)
                        .distance_m <= f->closeness_m;
    pair->nearness[a][b] = near ? NEAR : FAR;
  }
  return pair->nearness[a][b] == NEAR;
}

static ts_status push_edges(finder *f, ts_contact *contact, ts_vec3 normal, double overlap_m) {
  contact->normal = normal;
  contact->gap_m = -overlap_m;
  return ts_triangle_pairs_push(&f->pairs, contact);
}

/// Two edges as edges of two triangles, whose half-edges start at these corners.
static ts_status edges_of_triangles(finder *f, block_pair *pair, const uint32_t corners[2],
                                    const ts_edge_pair *edges) {
  const uint32_t a = corners[0] / 3, b = corners[1] / 3;
  double allowance_m = f->pairs.allowance_m;
  translations apart = separate(pair->blocks[0]->corners + 3 * (size_t)a,
                                pair->blocks[1]->corners + 3 * (size_t)b, edges->axis);
  if (apart.forth_m < -allowance_m || apart.back_m < -allowance_m ||
      !are_near(f, pair, a, b, edges))
    return TS_OK;
  const uint32_t triangles[2] = {pair->blocks[0]->triangles[a], pair->blocks[1]->triangles[b]};
  ts_contact contact = {
      .point = ts_vec3_mid(edges->on_a, edges->on_b),
      .area_m2 = NAN,
      .feature_a = ts_surface_edge(f->pairs.side[0].surface, triangles[0], (int)(corners[0] % 3)),
      .feature_b = ts_surface_edge(f->pairs.side[1].surface, triangles[1], (int)(corners[1] % 3))};
  // If the two directions are equally good (two faces flush in one plane), no choice would be
  // invariant under both a rigid motion and a swap of the bodies: both are reported.
  int direction = orient(f, triangles, edges->axis, apart);
  if (direction >= 0)
    TS_TRY(push_edges(f, &contact, edges->axis, apart.forth_m));
  if (direction <= 0)
    TS_TRY(push_edges(f, &contact, ts_vec3_neg(edges->axis), apart.back_m));
  return TS_OK;
}

/// The heights of a triangle over one of its edges.
typedef struct range {
  double low, high;
} range;

static inline range range_of(double height) {
  return (range){ts_min(height, 0), ts_max(height, 0)};
}

/// Whether triangles with these heights may not be apart along the cross product of two of their
/// edges, for which a quotient and two roots less are needed than to know. The edge of b is at
/// `at_b`.
static inline bool may_overlap_along(double at_b, range a, range b, double slack2) {
  double apart = ts_max(at_b + b.low - a.high, a.low - (at_b + b.high));
  return (apart <= 0) | (apart * apart <= slack2);
}

/// The pairs of half-edges of two edges whose triangles may not be apart, as bits 2 * a + b. Of an
/// edge with one half-edge it is taken twice: that is faster than a branch.
static unsigned overlapping_half_edges(const finder *f, const ts_triangle_block *const blocks[2],
                                       const ts_block_edge *a, const ts_block_edge *b) {
  const ts_vec3 *corners_a = blocks[0]->corners, *corners_b = blocks[1]->corners;
  ts_vec3 start_a = corners_a[a->end[0]], start_b = corners_b[b->end[0]];
  ts_vec3 edge_a = ts_vec3_sub(corners_a[a->end[1]], start_a);
  ts_vec3 edge_b = ts_vec3_sub(corners_b[b->end[1]], start_b);
  ts_vec3 axis = ts_vec3_cross(edge_a, edge_b);
  double at_b = ts_vec3_dot(ts_vec3_sub(start_b, start_a), axis);
  double slack2 = f->slack_m * f->slack_m * ts_vec3_norm2(edge_a) * ts_vec3_norm2(edge_b);
  range of_a[2], of_b[2];
  for (int i = 0; i < 2; i++) {
    of_a[i] = range_of(ts_vec3_dot(ts_vec3_sub(corners_a[a->third[i]], start_a), axis));
    of_b[i] = range_of(ts_vec3_dot(ts_vec3_sub(corners_b[b->third[i]], start_b), axis));
  }
  unsigned bits = (unsigned)may_overlap_along(at_b, of_a[0], of_b[0], slack2) |
                  (unsigned)may_overlap_along(at_b, of_a[0], of_b[1], slack2) << 1 |
                  (unsigned)may_overlap_along(at_b, of_a[1], of_b[0], slack2) << 2 |
                  (unsigned)may_overlap_along(at_b, of_a[1], of_b[1], slack2) << 3;
  return bits & (a->half_edge_count == 2 ? 15u : 3u) & (b->half_edge_count == 2 ? 15u : 5u);
}

static ts_status edge_edge(finder *f, block_pair *pair, const ts_block_edge *a,
                           const ts_block_edge *b) {
  unsigned overlapping = overlapping_half_edges(f, pair->blocks, a, b);
  if (!overlapping)
    return TS_OK;
  double allowance_m = f->pairs.allowance_m;
  ts_vec3 ends_a[2], ends_b[2];
  for (int i = 0; i < 2; i++) {
    ends_a[i] = pair->blocks[0]->corners[a->end[i]];
    ends_b[i] = pair->blocks[1]->corners[b->end[i]];
  }
  ts_edge_pair edges;
  if (!ts_edge_pair_cross(&edges, ends_a, ends_b) || edges.inside_a_m < -allowance_m ||
      edges.inside_b_m < -allowance_m)
    return TS_OK;
  for (unsigned i = 0; i < 4; i++)
    if (overlapping >> i & 1) {
      const uint32_t corners[2] = {a->half_edge[i / 2], b->half_edge[i % 2]};
      TS_TRY(edges_of_triangles(f, pair, corners, &edges));
    }
  return TS_OK;
}

/// Triangles that are not apart along an axis square to an edge of each are no farther apart along
/// it than their heights over those edges, and the edges' lines are closest along it.
static ts_status edges_edges(finder *f, const ts_near_blocks *near) {
  const ts_triangle_block *const *blocks = near->blocks;
  double reach_m = blocks[0]->height_m + blocks[1]->height_m + f->slack_m;
  if (!ts_aabb_overlap(ts_aabb_inflate(blocks[0]->bounds, reach_m), blocks[1]->bounds))
    return TS_OK;
  ts_block_pairs found;
  f->pairs.filter->crossing_edges_of_triangles(
      &found, &blocks[0]->lanes, near->parts[0].edges, &blocks[1]->lanes, near->parts[1].edges,
      ts_triangle_pairs_lane_length(&f->pairs, reach_m),
      ts_triangle_pairs_lane_length(&f->pairs, f->pairs.allowance_m),
      ts_triangle_pairs_lane_length(&f->pairs, f->slack_m));
  block_pair pair = {.blocks = blocks};
  for (uint32_t i = 0; i < found.count; i++)
    TS_TRY(edge_edge(f, &pair, &blocks[0]->edges[found.items[i].a],
                     &blocks[1]->edges[found.items[i].b]));
  return TS_OK;
}

static ts_status visit(void *context, const ts_near_blocks *near) {
  finder *f = context;
  TS_TRY(vertices_faces(f, near, 0));
  TS_TRY(vertices_faces(f, near, 1));
  return edges_edges(f, near);
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *values) {
  (void)pair_state;
  finder f;
  ts_triangle_pairs_begin(&f.pairs, host, pair, shape_a, shape_b);
  f.closeness_m = values[PARAM_CLOSENESS_M] + f.pairs.allowance_m;
  f.slack_m = 4 * f.pairs.allowance_m + TS_BLOCK_ROUNDING / f.pairs.lane_frame.per_m;
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
