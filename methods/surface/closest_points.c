// SPDX-License-Identifier: MIT
/// Closest points between pairs of features of two eroded bodies (Erleben 2018, section 6).
///
/// A vertex is paired with the closest point of each closed triangle, within the face, on an edge
/// or at a corner; two edges are paired where the closest points of their lines are inside both.
/// Each pair of features is processed once, in the pair of blocks of triangles that own the two.
///
/// There is a contact only when the separation vector leaves a through its outside and enters b
/// from its outside. Bodies that overlap have no separation vector between the features that
/// overlap, and those that touch have none that rises above the surface: neither makes a contact,
/// and there is no fallback.
#include "methods/surface/triangle_pairs.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "methods/edge_pair.h"
#include "methods/surface/clearly_closest.h"

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
  const ts_placed_surface *placed = &f->pairs.side[side];
  const ts_surface *surface = placed->surface;
  ts_vec3 local = ts_pose_point_local(placed->to_frame, p);
  bool unclear = false;
  for (uint32_t i = surface->fan_start[vertex]; i < surface->fan_start[vertex + 1]; i++) {
    ts_clearness is = ts_vertex_clearly_closest(surface->mesh, surface->fan[i], local);
    if (is == TS_CLEARLY)
      return true;
    unclear |= is == TS_UNCLEAR;
  }
  for (uint32_t i = surface->fan_start[vertex]; unclear && i < surface->fan_start[vertex + 1];
       i++) {
    uint32_t half_edge = surface->fan[i];
    ts_closest_on_triangle r = closest_on(f, p, side, half_edge / 3);
    if (r.kind == TS_FEATURE_VERTEX && (uint32_t)r.corner == half_edge % 3)
      return true;
  }
  return false;
}

/// Whether the point closest to `p` of some triangle of an edge is in that edge.
static bool edge_is_closest(const finder *f, ts_vec3 p, int side, uint32_t half_edge) {
  const ts_placed_surface *placed = &f->pairs.side[side];
  const ts_mesh *mesh = placed->surface->mesh;
  ts_vec3 local = ts_pose_point_local(placed->to_frame, p);
  const uint32_t half_edges[2] = {half_edge, mesh->edge_twin[half_edge]};
  ts_clearness is[2];
  for (int i = 0; i < 2; i++) {
    is[i] = ts_edge_clearly_closest(mesh, half_edges[i], local);
    if (is[i] == TS_CLEARLY)
      return true;
  }
  for (int i = 0; i < 2; i++) {
    if (is[i] == TS_CLEARLY_NOT)
      continue;
    ts_closest_on_triangle r = closest_on(f, p, side, half_edges[i] / 3);
    if (r.kind == TS_FEATURE_EDGE && (uint32_t)r.corner == half_edges[i] % 3)
      return true;
  }
  return false;
}

/// A vertex that a block owns.
static witness vertex_of(const finder *f, const ts_triangle_block *const blocks[2], int side,
                         uint32_t vertex) {
  const ts_triangle_block *block = blocks[side];
  uint32_t corner = block->vertices[vertex];
  return (witness){side,
                   ts_surface_vertex(f->pairs.side[side].surface, block->triangles[corner / 3],
                                     (int)(corner % 3)),
                   block->corners[corner]};
}

static ts_status vertex_face(finder *f, const witness *vertex, const ts_triangle_block *block,
                             uint32_t face_index) {
  ts_closest_on_triangle here =
      ts_closest_point_triangle(vertex->point, block->corners + 3 * (size_t)face_index);
  if (here.kind != TS_FEATURE_FACE || here.distance_m > f->limit_m)
    return TS_OK;
  witness face = {1 - vertex->side, ts_surface_face(block->triangles[face_index]), here.point};
  return emit(f, vertex, &face);
}

static ts_status vertex_edge(finder *f, const witness *vertex, const ts_triangle_block *block,
                             const ts_block_edge *on) {
  int side = 1 - vertex->side;
  uint32_t half_edge = ts_triangle_block_half_edge(block, on->half_edge[0]);
  ts_vec3 start = block->corners[on->end[0]], end = block->corners[on->end[1]];
  double t = ts_closest_point_segment(vertex->point, start, end);
  witness edge = {side,
                  ts_surface_edge(f->pairs.side[side].surface, half_edge / 3, (int)(half_edge % 3)),
                  ts_vec3_lerp(start, end, t)};
  if (ts_vec3_distance(vertex->point, edge.point) > f->limit_m ||
      !edge_is_closest(f, vertex->point, side, half_edge))
    return TS_OK;
  return emit(f, vertex, &edge);
}

/// Two vertices are paired when either is the closest point of a triangle to the other.
static ts_status vertex_vertex(finder *f, const witness *a, const witness *b) {
  if (ts_vec3_distance(a->point, b->point) > f->limit_m ||
      !(vertex_is_closest(f, a->point, 1, b->feature.index) ||
        vertex_is_closest(f, b->point, 0, a->feature.index)))
    return TS_OK;
  return emit(f, a, b);
}

/// The vertices of one side against faces and edges of the other.
static ts_status vertices_triangles(finder *f, const ts_near_blocks *near, int side) {
  const ts_triangle_block *const *blocks = near->blocks;
  const ts_triangle_block *block = blocks[side], *other = blocks[1 - side];
  const ts_block_part *part = &near->parts[side], *other_part = &near->parts[1 - side];
  const float limit = ts_triangle_pairs_lane_length(&f->pairs, f->limit_m);
  ts_block_pairs found;
  f->pairs.filter->points_over_faces(&found, &block->lanes, part->points, &other->lanes,
                                     other_part->faces, limit, 0);
  for (uint32_t i = 0; i < found.count; i++) {
    witness vertex = vertex_of(f, blocks, side, found.items[i].a);
    TS_TRY(vertex_face(f, &vertex, other, found.items[i].b));
  }
  f->pairs.filter->points_near_edges(&found, &block->lanes, part->points, &other->lanes,
                                     other_part->edges & ts_triangle_block_owned_edges(other),
                                     limit, 0);
  for (uint32_t i = 0; i < found.count; i++) {
    witness vertex = vertex_of(f, blocks, side, found.items[i].a);
    TS_TRY(vertex_edge(f, &vertex, other, &other->edges[found.items[i].b]));
  }
  return TS_OK;
}

static ts_status vertices_vertices(finder *f, const ts_near_blocks *near) {
  const ts_triangle_block *const *blocks = near->blocks;
  ts_block_pairs found;
  f->pairs.filter->points_near_points(&found, &blocks[0]->lanes, near->parts[0].points,
                                      &blocks[1]->lanes, near->parts[1].points,
                                      ts_triangle_pairs_lane_length(&f->pairs, f->limit_m));
  for (uint32_t i = 0; i < found.count; i++) {
    witness a = vertex_of(f, blocks, 0, found.items[i].a);
    witness b = vertex_of(f, blocks, 1, found.items[i].b);
    TS_TRY(vertex_vertex(f, &a, &b));
  }
  return TS_OK;
}

static witness edge_of(const finder *f, const ts_triangle_block *block, int side,
                       const ts_block_edge *edge, ts_vec3 point) {
  uint32_t half_edge = ts_triangle_block_half_edge(block, edge->half_edge[0]);
  return (witness){
      side, ts_surface_edge(f->pairs.side[side].surface, half_edge / 3, (int)(half_edge % 3)),
      point};
}

/// Edges whose closest points are inside both. Where one is an end, its vertex makes the contact;
/// parallel edges are closest at an end as well.
static ts_status edge_edge(finder *f, const ts_triangle_block *const blocks[2],
                           const ts_block_edge *edge_a, const ts_block_edge *edge_b) {
  const ts_block_edge *of[2] = {edge_a, edge_b};
  ts_vec3 ends[2][2];
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 2; i++)
      ends[side][i] = blocks[side]->corners[of[side]->end[i]];
  ts_edge_pair edges;
  if (!ts_edge_pair_cross(&edges, ends[0], ends[1]) || edges.inside_a_m <= f->pairs.allowance_m ||
      edges.inside_b_m <= f->pairs.allowance_m)
    return TS_OK;
  witness a = edge_of(f, blocks[0], 0, edge_a, edges.on_a);
  witness b = edge_of(f, blocks[1], 1, edge_b, edges.on_b);
  return emit(f, &a, &b);
}

static ts_status edges_edges(finder *f, const ts_near_blocks *near) {
  const ts_triangle_block *const *blocks = near->blocks;
  uint32_t owned[2];
  for (int side = 0; side < 2; side++)
    owned[side] = near->parts[side].edges & ts_triangle_block_owned_edges(blocks[side]);
  ts_block_pairs found;
  f->pairs.filter->crossing_edges(&found, &blocks[0]->lanes, owned[0], &blocks[1]->lanes, owned[1],
                                  ts_triangle_pairs_lane_length(&f->pairs, f->limit_m), 0);
  for (uint32_t i = 0; i < found.count; i++)
    TS_TRY(edge_edge(f, blocks, &blocks[0]->edges[found.items[i].a],
                     &blocks[1]->edges[found.items[i].b]));
  return TS_OK;
}

static ts_status visit(void *context, const ts_near_blocks *near) {
  finder *f = context;
  TS_TRY(vertices_triangles(f, near, 0));
  TS_TRY(vertices_triangles(f, near, 1));
  TS_TRY(vertices_vertices(f, near));
  return edges_edges(f, near);
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
