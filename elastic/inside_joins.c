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

/// Pieces are nodes: those of a, then those of b. The root of a set is its lowest node.
typedef struct graph {
  const ts_inside_joins *joins;
  size_t node_count, first_node[2];
  uint32_t *surface; ///< [node_count] sets of pieces connected within a surface
  uint32_t *overlap; ///< [node_count] sets of pieces of one part of the overlap
  double tolerance_m;
} graph;

static uint32_t root_of(uint32_t *parents, uint32_t i) {
  while (parents[i] != i) {
    parents[i] = parents[parents[i]];
    i = parents[i];
  }
  return i;
}

static void join(uint32_t *parents, uint32_t i, uint32_t k) {
  uint32_t a = root_of(parents, i), b = root_of(parents, k);
  parents[a > b ? a : b] = a > b ? b : a;
}

static void join_in_surface(graph *g, int body, size_t i, size_t k) {
  uint32_t first = (uint32_t)g->first_node[body];
  join(g->surface, first + (uint32_t)i, first + (uint32_t)k);
  join(g->overlap, first + (uint32_t)i, first + (uint32_t)k);
}

static const ts_inside_piece *piece_of(const graph *g, uint32_t node, int *body) {
  *body = node >= g->first_node[1];
  return &g->joins->cutters[*body]->pieces[node - g->first_node[*body]];
}

/// The stretch of the edge from `from` to `to` that a piece lies along, as lengths from its start.
/// False when it does not.
static bool lies_along(double out[2], const graph *g, const ts_inside_piece *piece, ts_vec3 from,
                       ts_vec3 to) {
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
static void join_across(graph *g, int body, uint32_t half_edge, uint32_t other) {
  const ts_elastic_body *of = &g->joins->pair->body[body];
  const ts_inside_piece *pieces = g->joins->cutters[body]->pieces;
  const uint32_t *first = g->joins->first_piece[body], *v = of->mesh->triangles[half_edge / 3];
  ts_vec3 from = of->vertices[v[half_edge % 3]], to = of->vertices[v[(half_edge + 1) % 3]];
  uint32_t own = half_edge / 3;
  for (uint32_t i = first[own]; i < first[own + 1]; i++) {
    double here[2], there[2];
    if (!lies_along(here, g, &pieces[i], from, to))
      continue;
    for (uint32_t k = first[other]; k < first[other + 1]; k++)
      if (lies_along(there, g, &pieces[k], from, to) &&
          ts_min(here[1], there[1]) - ts_max(here[0], there[0]) > g->tolerance_m)
        join_in_surface(g, body, i, k);
  }
}

static void join_surface(graph *g, int body) {
  const ts_mesh *mesh = g->joins->pair->body[body].mesh;
  const ts_cutter *cutter = g->joins->cutters[body];
  const uint32_t *first = g->joins->first_piece[body];
  for (size_t i = 0; i < cutter->join_count; i++)
    join_in_surface(g, body, cutter->joins[i].pieces[0], cutter->joins[i].pieces[1]);
  for (uint32_t t = 0; t < mesh->triangle_count; t++)
    for (uint32_t k = 0; first[t] < first[t + 1] && k < 3; k++) {
      uint32_t other = mesh->edge_twin[3 * t + k] / 3;
      if (t < other && first[other] < first[other + 1])
        join_across(g, body, 3 * t + k, other);
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
static ts_status join_crossings(graph *g) {
  meeting *meetings = ts_arena_array(g->joins->scratch, 2 * g->node_count, sizeof *meetings);
  if (!meetings)
    return TS_E_MEMORY;
  size_t count = 0;
  for (uint32_t node = 0; node < g->node_count; node++) {
    int body;
    const ts_inside_piece *piece = piece_of(g, node, &body);
    const ts_cut_ends *ends = &g->joins->cutters[body]->ends[node - g->first_node[body]];
    const uint32_t others[2] = {ends->left, ends->right};
    for (int i = 0; i < 2; i++) {
      if (others[i] == TS_NO_TRIANGLE)
        continue;
      meeting m = {.node = node};
      m.triangles[body] = piece->triangle;
      m.triangles[1 - body] = others[i];
      meetings[count++] = m;
    }
  }
  qsort(meetings, count, sizeof *meetings, compare_meetings);
  for (size_t i = 1; i < count; i++)
    if (memcmp(meetings[i].triangles, meetings[i - 1].triangles, sizeof meetings[i].triangles) == 0)
      join(g->overlap, meetings[i - 1].node, meetings[i].node);
  return TS_OK;
}

/// A way inwards from a piece, and the first triangle through which it leaves a body.
typedef struct way_in {
  const ts_elastic_pair *pair;
  ts_vec3 from, direction; ///< frame
  int body;                ///< being searched
  int from_body;
  uint32_t from_triangle;
  double at_m; ///< of the nearest exit; infinite: none yet
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
    if (ts_vec3_dot(ts_vec3_cross(edge, ts_vec3_sub(p, c[i])), body->normals[triangle]) < 0)
      return TS_OK;
  }
  w->at_m = at_m;
  w->at_body = w->body;
  w->at_triangle = triangle;
  return TS_OK;
}

static ts_vec3 middle_of(const ts_inside_piece *piece) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < piece->corner_count; i++)
    sum = ts_vec3_add(sum, piece->corners[i]);
  return ts_vec3_scale(sum, 1.0 / (double)piece->corner_count);
}

/// Joins a piece to the one that is straight inwards of its middle.
static ts_status join_inwards(graph *g, uint32_t node) {
  const ts_elastic_pair *pair = g->joins->pair;
  int body;
  const ts_inside_piece *piece = piece_of(g, node, &body);
  ts_vec3 normal = pair->body[body].normals[piece->triangle];
  way_in w = {.pair = pair,
              .from = middle_of(piece),
              .direction = ts_vec3_neg(normal),
              .from_body = body,
              .from_triangle = piece->triangle,
              .at_m = INFINITY,
              .tolerance_m = g->tolerance_m};
  for (w.body = 0; w.body < 2; w.body++) {
    const ts_elastic_body *of = &pair->body[w.body];
    ts_vec3 way = ts_quat_rotate(ts_quat_conjugate(of->to_frame.rotation), w.direction);
    // From a little before the piece, for what lies on it.
    ts_vec3 from = ts_vec3_add_scaled(w.from, -w.tolerance_m, w.direction);
    double reach_m = w.at_m + 2 * w.tolerance_m;
    TS_TRY(ts_bvh_along(of->bvh, ts_pose_point_local(of->to_frame, from), way, &reach_m,
                        leave_through, &w));
  }
  if (isinf(w.at_m))
    return TS_OK;
  const uint32_t *first = g->joins->first_piece[w.at_body];
  ts_vec3 p = ts_vec3_add_scaled(w.from, w.at_m, w.direction);
  for (uint32_t i = first[w.at_triangle]; i < first[w.at_triangle + 1]; i++)
    if (ts_inside_piece_holds(&g->joins->cutters[w.at_body]->pieces[i],
                              pair->body[w.at_body].normals[w.at_triangle], p, g->tolerance_m)) {
      join(g->overlap, node, (uint32_t)(g->first_node[w.at_body] + i));
      break;
    }
  return TS_OK;
}

/// For a set of pieces that has none of the other body, as where all lines in which the surfaces
/// cross are flush: from its largest piece inwards.
static ts_status join_through_solid(graph *g) {
  uint8_t *bodies = ts_arena_array(g->joins->scratch, g->node_count, 1);
  uint32_t *largest = ts_arena_array(g->joins->scratch, g->node_count, sizeof *largest);
  if (!bodies || !largest)
    return TS_E_MEMORY;
  for (uint32_t node = 0; node < g->node_count; node++) {
    int body, unused;
    uint32_t root = root_of(g->overlap, node);
    double area_m2 = piece_of(g, node, &body)->area_m2;
    if (!bodies[root] || area_m2 > piece_of(g, largest[root], &unused)->area_m2)
      largest[root] = node;
    bodies[root] |= (uint8_t)(1 << body);
  }
  for (uint32_t node = 0; node < g->node_count; node++)
    if (bodies[node] == 1 || bodies[node] == 2)
      TS_TRY(join_inwards(g, largest[node]));
  return TS_OK;
}

/// A part being added up.
typedef struct sum {
  ts_inside_part part;
  ts_aabb box;
  double spread[2]; ///< sum of area times the square of a normal's distance from the mean
  uint32_t root, rank;
} sum;

/// What the bodies only graze each other by, or what has a surface of one body only.
static bool is_graze(const sum *s, double tolerance_m) {
  double least_m2 = tolerance_m * ts_aabb_extent(s->box);
  return !(s->part.area_m2[0] > least_m2 && s->part.area_m2[1] > least_m2);
}

static int compare_sums(const void *left, const void *right) {
  const sum *x = left, *y = right;
  double area_x = x->part.area_m2[0] + x->part.area_m2[1];
  double area_y = y->part.area_m2[0] + y->part.area_m2[1];
  if (area_x != area_y)
    return area_x > area_y ? -1 : 1;
  return (x->root > y->root) - (x->root < y->root);
}

static void add_piece_to_sum(sum *s, int body, const ts_inside_piece *piece, ts_vec3 normal) {
  s->part.area_m2[body] += piece->area_m2;
  s->part.area_vector_m2[body] =
      ts_vec3_add_scaled(s->part.area_vector_m2[body], piece->area_m2, normal);
  for (size_t i = 0; i < piece->corner_count; i++)
    s->box = ts_aabb_add(s->box, piece->corners[i]);
}

/// Numbers the sets, without grazes, by falling area; `part_of` [node_count] gets the number of
/// each node's set.
static ts_status number_parts(sum **out, size_t *out_count, uint32_t *part_of, graph *g) {
  size_t root_count = 0;
  for (uint32_t node = 0; node < g->node_count; node++)
    root_count += root_of(g->overlap, node) == node;
  sum *sums = ts_arena_array(g->joins->scratch, root_count, sizeof *sums);
  uint32_t *place = ts_arena_array(g->joins->scratch, g->node_count, sizeof *place);
  if (!sums || !place)
    return TS_E_MEMORY;
  size_t count = 0;
  for (uint32_t node = 0; node < g->node_count; node++) {
    int body;
    uint32_t root = root_of(g->overlap, node);
    const ts_inside_piece *piece = piece_of(g, node, &body);
    if (root == node) {
      place[root] = (uint32_t)count;
      sums[count++] = (sum){.box = ts_aabb_empty(), .root = root};
    }
    add_piece_to_sum(&sums[place[root]], body, piece,
                     g->joins->pair->body[body].normals[piece->triangle]);
  }
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (!is_graze(&sums[i], g->tolerance_m))
      sums[kept++] = sums[i];
  if (kept)
    qsort(sums, kept, sizeof *sums, compare_sums);
  for (size_t node = 0; node < g->node_count; node++)
    place[node] = TS_NO_PART;
  for (size_t i = 0; i < kept; i++)
    place[sums[i].root] = (uint32_t)i;
  for (uint32_t node = 0; node < g->node_count; node++)
    part_of[node] = place[root_of(g->overlap, node)];
  *out = sums;
  *out_count = kept;
  return TS_OK;
}

/// The variance of each part, and what it has of triangles and sheets.
static ts_status fill_parts(sum *sums, size_t count, const uint32_t *part_of, graph *g) {
  const ts_elastic_pair *pair = g->joins->pair;
  size_t *capacity = ts_arena_array(g->joins->scratch, 4 * count, sizeof *capacity);
  uint32_t *sheet_of = ts_arena_array(g->joins->scratch, g->node_count, sizeof *sheet_of);
  if (!capacity || !sheet_of)
    return TS_E_MEMORY;
  for (uint32_t node = 0; node < g->node_count; node++) {
    int body;
    const ts_inside_piece *piece = piece_of(g, node, &body);
    if (part_of[node] == TS_NO_PART)
      continue;
    sum *s = &sums[part_of[node]];
    ts_inside_part *part = &s->part;
    ts_vec3 normal = pair->body[body].normals[piece->triangle];
    ts_vec3 mean = ts_vec3_scale(part->area_vector_m2[body], 1 / part->area_m2[body]);
    s->spread[body] += piece->area_m2 * ts_vec3_norm2(ts_vec3_sub(normal, mean));
    uint32_t *triangles = (uint32_t *)(uintptr_t)part->triangles[body];
    ts_inside_sheet *sheets = (ts_inside_sheet *)(uintptr_t)part->sheets[body];
    size_t *room = &capacity[4 * part_of[node] + 2 * (size_t)body];
    size_t triangle_count = part->triangle_count[body];
    if (triangle_count == 0 || triangles[triangle_count - 1] != piece->triangle) {
      TS_TRY(TS_ARENA_GROW(triangles, room[0], triangle_count, 1, pair->arena));
      triangles[triangle_count] = piece->triangle;
      part->triangle_count[body]++;
    }
    uint32_t root = root_of(g->surface, node);
    if (root == node) {
      TS_TRY(TS_ARENA_GROW(sheets, room[1], part->sheet_count[body], 1, pair->arena));
      sheet_of[root] = (uint32_t)part->sheet_count[body]++;
      sheets[sheet_of[root]] = (ts_inside_sheet){{0, 0, 0}};
    }
    ts_inside_sheet *sheet = &sheets[sheet_of[root]];
    sheet->area_vector_m2 = ts_vec3_add_scaled(sheet->area_vector_m2, piece->area_m2, normal);
    part->triangles[body] = triangles;
    part->sheets[body] = sheets;
  }
  for (size_t i = 0; i < count; i++)
    for (int body = 0; body < 2; body++)
      sums[i].part.variance[body] = sums[i].spread[body] / sums[i].part.area_m2[body];
  return TS_OK;
}

static ts_status collect(ts_inside *out, graph *g) {
  uint32_t *part_of = ts_arena_array(g->joins->scratch, g->node_count, sizeof *part_of);
  sum *sums;
  if (!part_of)
    return TS_E_MEMORY;
  TS_TRY(number_parts(&sums, &out->part_count, part_of, g));
  TS_TRY(fill_parts(sums, out->part_count, part_of, g));
  ts_inside_part *parts = ts_arena_array(g->joins->pair->arena, out->part_count, sizeof *parts);
  if (!parts)
    return TS_E_MEMORY;
  for (size_t i = 0; i < out->part_count; i++)
    parts[i] = sums[i].part;
  out->parts = parts;
  for (int body = 0; body < 2; body++) {
    ts_cutter *cutter = g->joins->cutters[body];
    for (size_t i = 0; i < cutter->piece_count; i++)
      cutter->pieces[i].part = part_of[g->first_node[body] + i];
    out->piece_count[body] = cutter->piece_count;
    out->pieces[body] = cutter->pieces;
  }
  return TS_OK;
}

ts_status ts_inside_join(ts_inside *out, ts_inside_joins *joins) {
  size_t count_a = joins->cutters[0]->piece_count;
  graph g = {.joins = joins,
             .node_count = count_a + joins->cutters[1]->piece_count,
             .first_node = {0, count_a},
             .tolerance_m = TS_ELASTIC_JOIN * joins->pair->size_m};
  g.surface = ts_arena_array(joins->scratch, g.node_count, sizeof *g.surface);
  g.overlap = ts_arena_array(joins->scratch, g.node_count, sizeof *g.overlap);
  if (!g.surface || !g.overlap)
    return TS_E_MEMORY;
  for (uint32_t i = 0; i < g.node_count; i++)
    g.surface[i] = g.overlap[i] = i;
  join_surface(&g, 0);
  join_surface(&g, 1);
  TS_TRY(join_crossings(&g));
  TS_TRY(join_through_solid(&g));
  return collect(out, &g);
}
