// SPDX-License-Identifier: MIT
#include "elastic/inside_joins.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/tolerances.h"

#include <stdlib.h>
#include <string.h>

/// A piece that ends at a triangle of the other body.
typedef struct meeting {
  uint32_t triangles[2]; ///< of a and b
  uint32_t node;
} meeting;

static void join(uint32_t *parents, uint32_t i, uint32_t k) {
  uint32_t a = ts_inside_root(parents, i), b = ts_inside_root(parents, k);
  parents[a > b ? a : b] = a > b ? b : a;
}

static void join_in_surface(ts_inside_graph *g, int group, size_t i, size_t k) {
  uint32_t first = (uint32_t)g->first_node[group];
  join(g->surface, first + (uint32_t)i, first + (uint32_t)k);
  join(g->overlap, first + (uint32_t)i, first + (uint32_t)k);
}

/// The stretch of the edge from `from` to `to` that a piece lies along, as lengths from its start.
/// False when it does not.
static bool lies_along(double out[2], const ts_inside_graph *g, const ts_inside_piece *piece,
                       ts_vec3 from, ts_vec3 to) {
  ts_vec3 way = ts_vec3_unit(ts_vec3_sub(to, from));
  out[0] = INFINITY;
  out[1] = -INFINITY;
  for (size_t i = 0; i < piece->corner_count; i++) {
    ts_vec3 p = ts_vec3_sub(piece->corners[i], from);
    double at = ts_vec3_dot(way, p);
    if (ts_vec3_norm(ts_vec3_add_scaled(p, -at, way)) > g->tolerance_m)
      continue;
    out[0] = ts_min(out[0], at);
    out[1] = ts_max(out[1], at);
  }
  return out[1] - out[0] > g->tolerance_m;
}

/// Joins the pieces of two triangles that lie along the edge between them.
static void join_across(ts_inside_graph *g, int group, uint32_t half_edge, uint32_t other) {
  const ts_cutter *cutter = g->joins->cutters[group];
  const ts_elastic_body *of = &g->joins->pair->body[cutter->body];
  const ts_inside_piece *pieces = cutter->pieces;
  const uint32_t *first = g->joins->first_piece[group], *v = of->mesh->triangles[half_edge / 3];
  ts_vec3 from = of->vertices[v[half_edge % 3]], to = of->vertices[v[(half_edge + 1) % 3]];
  uint32_t own = half_edge / 3;
  for (uint32_t i = first[own]; i < first[own + 1]; i++) {
    double here[2], there[2];
    if (!lies_along(here, g, &pieces[i], from, to))
      continue;
    for (uint32_t k = first[other]; k < first[other + 1]; k++)
      if (lies_along(there, g, &pieces[k], from, to) &&
          ts_min(here[1], there[1]) - ts_max(here[0], there[0]) > g->tolerance_m)
        join_in_surface(g, group, i, k);
  }
}

static void join_surface(ts_inside_graph *g, int group) {
  const ts_cutter *cutter = g->joins->cutters[group];
  const ts_mesh *mesh = g->joins->pair->body[cutter->body].mesh;
  const uint32_t *first = g->joins->first_piece[group];
  for (size_t i = 0; i < cutter->join_count; i++)
    join_in_surface(g, group, cutter->joins[i].pieces[0], cutter->joins[i].pieces[1]);
  for (uint32_t t = 0; t < mesh->triangle_count; t++)
    for (uint32_t k = 0; first[t] < first[t + 1] && k < 3; k++) {
      uint32_t other = mesh->edge_twin[3 * t + k] / 3;
      if (t < other && first[other] < first[other + 1])
        join_across(g, group, 3 * t + k, other);
    }
}

static int compare_meetings(const void *left, const void *right) {
  const meeting *x = left, *y = right;
  for (int i = 0; i < 2; i++)
    if (x->triangles[i] != y->triangles[i])
      return x->triangles[i] < y->triangles[i] ? -1 : 1;
  return (x->node > y->node) - (x->node < y->node);
}

/// Two triangles cross in one line, so that whatever ends there, of both, is connected.
static ts_status join_crossings(ts_inside_graph *g) {
  ts_cutter *const *cutters = g->joins->cutters;
  size_t count = 0;
  for (int group = 0; group < TS_INSIDE_GROUPS; group++)
    count += cutters[group]->end_count;
  meeting *meetings = ts_arena_array(g->joins->scratch, count, sizeof *meetings);
  if (!meetings)
    return TS_E_MEMORY;
  count = 0;
  for (int group = 0; group < TS_INSIDE_GROUPS; group++)
    for (size_t i = 0; i < cutters[group]->end_count; i++) {
      int body = cutters[group]->body;
      ts_cut_end end = cutters[group]->ends[i];
      meeting m = {.node = (uint32_t)(g->first_node[group] + end.piece)};
      m.triangles[body] = cutters[group]->pieces[end.piece].triangle;
      m.triangles[1 - body] = end.triangle;
      meetings[count++] = m;
    }
  if (count)
    qsort(meetings, count, sizeof *meetings, compare_meetings);
  for (size_t i = 1; i < count; i++)
    if (memcmp(meetings[i].triangles, meetings[i - 1].triangles, sizeof meetings[i].triangles) == 0)
      join(g->overlap, meetings[i - 1].node, meetings[i].node);
  return TS_OK;
}

static ts_vec3 middle_of(const ts_inside_piece *piece) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < piece->corner_count; i++)
    sum = ts_vec3_add(sum, piece->corners[i]);
  return ts_vec3_scale(sum, 1.0 / (double)piece->corner_count);
}

/// A piece of a triangle that a point is in; TS_NO_NODE when there is none in this group.
static uint32_t node_at(const ts_inside_graph *g, int group, uint32_t triangle, ts_vec3 point) {
  const ts_cutter *cutter = g->joins->cutters[group];
  const uint32_t *first = g->joins->first_piece[group];
  if (cutter->piece_count == 0)
    return TS_NO_NODE;
  for (uint32_t i = first[triangle]; i < first[triangle + 1]; i++)
    if (ts_inside_piece_holds(&cutter->pieces[i],
                              g->joins->pair->body[cutter->body].normals[triangle], point,
                              g->tolerance_m))
      return (uint32_t)(g->first_node[group] + i);
  return TS_NO_NODE;
}

/// Joins each piece of one group to the one of the other in whose place it is.
static void join_twins(ts_inside_graph *g, int group, int other) {
  const ts_cutter *cutter = g->joins->cutters[group];
  for (size_t i = 0; i < cutter->piece_count; i++) {
    const ts_inside_piece *piece = &cutter->pieces[i];
    uint32_t twin = node_at(g, other, piece->triangle, middle_of(piece));
    if (twin != TS_NO_NODE)
      join(g->overlap, (uint32_t)(g->first_node[group] + i), twin);
  }
}

/// A way inwards from a piece, and the first triangle through which it leaves a body.
typedef struct way_in {
  const ts_elastic_pair *pair;
  ts_vec3 from, direction; ///< frame
  int body;                ///< being searched
  int from_body;
  uint32_t from_triangle;
  double at_m; ///< of the nearest exit; infinite: none yet
  double reach_m;
  int at_body;
  uint32_t at_triangle;
  double tolerance_m;
} way_in;

static ts_status leave_through(void *context, uint32_t triangle, uint32_t unused) {
  (void)unused;
  way_in *w = context;
  const ts_elastic_body *body = &w->pair->body[w->body];
  double speed = ts_vec3_dot(body->normals[triangle], w->direction);
  if (!(speed > 0) || (w->body == w->from_body && triangle == w->from_triangle))
    return TS_OK;
  ts_vec3 c[3];
  ts_elastic_corners(c, body, triangle);
  double at_m = ts_vec3_dot(body->normals[triangle], ts_vec3_sub(c[0], w->from)) / speed;
  ts_vec3 p = ts_vec3_add_scaled(w->from, at_m, w->direction);
  if (!(at_m >= -w->tolerance_m && at_m < w->at_m))
    return TS_OK;
  for (int i = 0; i < 3; i++) {
    ts_vec3 edge = ts_vec3_sub(c[(i + 1) % 3], c[i]);
    // Within the tolerance, so that no line leaves between two triangles.
    if (ts_vec3_dot(ts_vec3_cross(edge, ts_vec3_sub(p, c[i])), body->normals[triangle]) <
        -w->tolerance_m * ts_vec3_norm(edge))
      return TS_OK;
  }
  w->at_m = at_m;
  w->reach_m = at_m + 2 * w->tolerance_m;
  w->at_body = w->body;
  w->at_triangle = triangle;
  return TS_OK;
}

/// The piece at which the overlap ends along a way inwards from the middle of another one;
/// TS_NO_NODE when there is none.
static ts_status look_inwards(uint32_t *out, ts_inside_graph *g, uint32_t node, ts_vec3 direction) {
  const ts_elastic_pair *pair = g->joins->pair;
  int group;
  const ts_inside_piece *piece = ts_inside_node(g, node, &group);
  way_in w = {.pair = pair,
              .from = middle_of(piece),
              .direction = direction,
              .from_body = g->joins->cutters[group]->body,
              .from_triangle = piece->triangle,
              .at_m = INFINITY,
              .reach_m = INFINITY,
              .tolerance_m = g->tolerance_m};
  for (w.body = 0; w.body < 2; w.body++) {
    const ts_elastic_body *of = &pair->body[w.body];
    ts_vec3 way = ts_quat_rotate(ts_quat_conjugate(of->to_frame.rotation), w.direction);
    // From a little before the piece, for what lies on it.
    ts_vec3 from = ts_vec3_add_scaled(w.from, -w.tolerance_m, w.direction);
    TS_TRY(ts_bvh_along(of->bvh, ts_pose_point_local(of->to_frame, from), way, &w.reach_m,
                        leave_through, &w));
  }
  *out = TS_NO_NODE;
  if (isinf(w.at_m))
    return TS_OK;
  ts_vec3 point = ts_vec3_add_scaled(w.from, w.at_m, w.direction);
  for (int at = 0; at < TS_INSIDE_GROUPS && *out == TS_NO_NODE; at++)
    if (g->joins->cutters[at]->body == w.at_body)
      *out = node_at(g, at, w.at_triangle, point);
  return TS_OK;
}

/// What rounding leaves of a piece says nothing about what is inwards of it.
static bool is_sliver(const ts_inside_graph *g, uint32_t node) {
  int body;
  const ts_inside_piece *piece = ts_inside_node(g, node, &body);
  ts_aabb box = ts_aabb_empty();
  for (size_t i = 0; i < piece->corner_count; i++)
    box = ts_aabb_add(box, piece->corners[i]);
  return !(piece->area_m2 > g->tolerance_m * ts_aabb_extent(box));
}

/// Joins a piece to what is straight inwards of it, and inwards to each of its sides, as long as
/// its set has none of the other body. `bodies` [node_count]: bit by bit, of each root's set.
static ts_status join_inwards(ts_inside_graph *g, uint32_t node, uint8_t *bodies) {
  int group;
  const ts_inside_piece *piece = ts_inside_node(g, node, &group);
  int body = g->joins->cutters[group]->body;
  ts_vec3 inwards = ts_vec3_neg(g->joins->pair->body[body].normals[piece->triangle]);
  ts_vec3 middle = middle_of(piece), way = inwards;
  for (size_t i = 0; i <= piece->corner_count; i++) {
    uint32_t root = ts_inside_root(g->overlap, node), other;
    if (bodies[root] == 3)
      return TS_OK;
    if (i > 0) {
      ts_vec3 side = ts_vec3_mid(piece->corners[i - 1], piece->corners[i % piece->corner_count]);
      ts_vec3 along = ts_vec3_unit(ts_vec3_sub(side, middle));
      way = ts_vec3_unit(ts_vec3_add_scaled(along, 0.1, inwards));
    }
    TS_TRY(look_inwards(&other, g, node, way));
    if (other == TS_NO_NODE)
      continue;
    uint8_t both = (uint8_t)(bodies[root] | bodies[ts_inside_root(g->overlap, other)]);
    join(g->overlap, node, other);
    bodies[ts_inside_root(g->overlap, node)] = both;
  }
  return TS_OK;
}

/// For sets of pieces that have none of the other body, as where all lines in which the surfaces
/// cross are flush, or edges of both.
static ts_status join_through_solid(ts_inside_graph *g) {
  uint8_t *bodies = ts_arena_array(g->joins->scratch, g->node_count, 1);
  if (!bodies)
    return TS_E_MEMORY;
  for (uint32_t node = 0; node < g->node_count; node++) {
    int group;
    (void)ts_inside_node(g, node, &group);
    if (!is_sliver(g, node))
      bodies[ts_inside_root(g->overlap, node)] |= (uint8_t)(1 << g->joins->cutters[group]->body);
  }
  for (uint32_t node = 0; node < g->node_count; node++)
    if (bodies[ts_inside_root(g->overlap, node)] != 3 && !is_sliver(g, node))
      TS_TRY(join_inwards(g, node, bodies));
  return TS_OK;
}

ts_status ts_inside_join(ts_inside_graph *out, const ts_inside_joins *joins) {
  ts_inside_graph g = {.joins = joins, .tolerance_m = TS_ELASTIC_JOIN * joins->pair->size_m};
  for (int group = 0; group < TS_INSIDE_GROUPS; group++) {
    g.first_node[group] = g.node_count;
    g.node_count += joins->cutters[group]->piece_count;
  }
  g.surface = ts_arena_array(joins->scratch, g.node_count, sizeof *g.surface);
  g.overlap = ts_arena_array(joins->scratch, g.node_count, sizeof *g.overlap);
  if (!g.surface || !g.overlap)
    return TS_E_MEMORY;
  for (uint32_t i = 0; i < g.node_count; i++)
    g.surface[i] = g.overlap[i] = i;
  for (int group = 0; group < TS_INSIDE_GROUPS; group++)
    if (joins->cutters[group]->piece_count)
      join_surface(&g, group);
  TS_TRY(join_crossings(&g));
  join_twins(&g, TS_INSIDE_A, TS_INSIDE_FLUSH);
  join_twins(&g, TS_INSIDE_FLUSH, TS_INSIDE_A);
  TS_TRY(join_through_solid(&g));
  *out = g;
  return TS_OK;
}
