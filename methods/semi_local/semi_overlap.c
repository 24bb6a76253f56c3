// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_overlap.h"

#include "base/status.h"
#include "methods/semi_local/semi_scratch.h"

#include <stdlib.h>

/// What is connected, as sets of the vertices of both bodies, then the crossings. Only what the
/// overlap reaches is looked at.
typedef struct connection {
  const ts_semi_crossings *crossings;
  const ts_semi_pair *pair;
  uint32_t *forest;
  uint32_t first_vertex[2], first_crossing;
  uint8_t *is_cut[2]; ///< [half edge count] of each body, by the ids of edges
  /// A half edge from each vertex that was reached, per body in the order of reaching, and whether
  /// a vertex was.
  uint32_t *reached[2];
  size_t reached_count[2];
  uint8_t *is_reached[2];
} connection;

static ts_status connection_create(connection *f, const ts_semi_crossings *crossings,
                                   const ts_semi_pair *pair) {
  const ts_mesh *mesh[2] = {pair->side[0].mesh, pair->side[1].mesh};
  *f = (connection){.crossings = crossings,
                    .pair = pair,
                    .first_vertex = {0, (uint32_t)mesh[0]->vertex_count},
                    .first_crossing = (uint32_t)(mesh[0]->vertex_count + mesh[1]->vertex_count)};
  uint32_t count = f->first_crossing + (uint32_t)crossings->count;
  f->forest = ts_semi_forest_create(pair->host, count);
  if (!f->forest)
    return TS_E_MEMORY;
  for (int body = 0; body < 2; body++) {
    f->is_cut[body] = ts_semi_scratch(pair->host, 3 * mesh[body]->triangle_count, 1);
    f->reached[body] =
        ts_semi_scratch(pair->host, mesh[body]->vertex_count, sizeof *f->reached[body]);
    f->is_reached[body] = ts_semi_scratch(pair->host, mesh[body]->vertex_count, 1);
    if (!f->is_cut[body] || !f->reached[body] || !f->is_reached[body])
      return TS_E_MEMORY;
  }
  return TS_OK;
}

static void reach(connection *f, int body, uint32_t half_edge) {
  uint32_t vertex = ts_semi_start(f->pair->side[body].mesh, half_edge);
  if (f->is_reached[body][vertex])
    return;
  f->is_reached[body][vertex] = 1;
  f->reached[body][f->reached_count[body]++] = half_edge;
}

/// A crossing along its edge.
typedef struct step {
  int body;
  uint32_t half_edge, crossing;
  double along2; ///< squared distance from the start of the edge
  bool goes_in, goes_out;
} step;

static int compare_steps(const void *left, const void *right) {
  const step *l = left, *r = right;
  if (l->body != r->body)
    return l->body < r->body ? -1 : 1;
  if (l->half_edge != r->half_edge)
    return l->half_edge < r->half_edge ? -1 : 1;
  if (l->along2 != r->along2)
    return l->along2 < r->along2 ? -1 : 1;
  return (l->crossing > r->crossing) - (l->crossing < r->crossing);
}

/// Joins the crossings of one edge with what of the edge is inside: the stretch between going in
/// and going out, and the vertices at its ends.
static void join_edge(connection *f, const step *steps, size_t count) {
  int body = steps[0].body;
  uint32_t h = steps[0].half_edge;
  const ts_mesh *mesh = f->pair->side[body].mesh;
  f->is_cut[body][h] = 1;
  for (size_t i = 1; i < count; i++)
    if (steps[i - 1].goes_in || steps[i].goes_out)
      ts_semi_forest_join(f->forest, f->first_crossing + steps[i - 1].crossing,
                          f->first_crossing + steps[i].crossing);
  if (steps[0].goes_out) {
    reach(f, body, h);
    ts_semi_forest_join(f->forest, f->first_crossing + steps[0].crossing,
                        f->first_vertex[body] + ts_semi_start(mesh, h));
  }
  uint32_t twin = mesh->edge_twin[h];
  if (steps[count - 1].goes_in) {
    reach(f, body, twin);
    ts_semi_forest_join(f->forest, f->first_crossing + steps[count - 1].crossing,
                        f->first_vertex[body] + ts_semi_start(mesh, twin));
  }
}

static ts_status join_edges(connection *f) {
  size_t count = f->crossings->count;
  step *steps = ts_semi_scratch(f->pair->host, count, sizeof *steps);
  if (!steps)
    return TS_E_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    const ts_semi_crossing *c = &f->crossings->crossings[i];
    const ts_semi_side *side = &f->pair->side[c->body];
    uint32_t start = ts_semi_start(side->mesh, c->half_edge);
    steps[i] = (step){.body = c->body,
                      .half_edge = c->half_edge,
                      .crossing = i,
                      .along2 = ts_vec3_norm2(ts_vec3_sub(c->point, side->vertices[start])),
                      .goes_in = c->inside != TS_SEMI_NO_VERTEX && c->inside != start,
                      .goes_out = c->inside == start};
  }
  if (count > 1)
    qsort(steps, count, sizeof *steps, compare_steps);
  for (size_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count; end++)
      if (steps[end].body != steps[first].body || steps[end].half_edge != steps[first].half_edge)
        break;
    join_edge(f, steps + first, end - first);
  }
  return TS_OK;
}

/// Joins vertices over mesh edges that no triangle of the other body cuts, from those that are
/// reached.
static void join_vertices(connection *f, int body) {
  const ts_mesh *mesh = f->pair->side[body].mesh;
  for (size_t i = 0; i < f->reached_count[body]; i++) {
    uint32_t first = f->reached[body][i], h = first;
    // The surface goes on outside.
    if (f->crossings->is_on[body][ts_semi_start(mesh, first)])
      continue;
    do {
      uint32_t twin = mesh->edge_twin[h];
      if (!f->is_cut[body][h < twin ? h : twin]) {
        reach(f, body, twin);
        ts_semi_forest_join(f->forest, f->first_vertex[body] + ts_semi_start(mesh, h),
                            f->first_vertex[body] + ts_semi_start(mesh, twin));
      }
      h = ts_semi_around(mesh, h);
    } while (h != first);
  }
}

/// Two triangles that cut each other, and an end of the line in which they do: a crossing, or a
/// vertex that lies on the other surface.
typedef struct cut {
  uint32_t triangles[2], node;
} cut;

static int compare_cuts(const void *left, const void *right) {
  const cut *l = left, *r = right;
  for (int i = 0; i < 2; i++)
    if (l->triangles[i] != r->triangles[i])
      return l->triangles[i] < r->triangles[i] ? -1 : 1;
  return (l->node > r->node) - (l->node < r->node);
}

/// Joins the ends of the lines in which triangles cut each other.
static ts_status join_lines(connection *f) {
  const ts_semi_crossings *crossings = f->crossings;
  cut *cuts =
      ts_semi_scratch(f->pair->host, 2 * crossings->count + crossings->touch_count, sizeof *cuts);
  if (!cuts)
    return TS_E_MEMORY;
  size_t count = 0;
  for (uint32_t i = 0; i < crossings->count; i++) {
    const ts_semi_crossing *c = &crossings->crossings[i];
    const uint32_t own[2] = {c->half_edge / 3,
                             f->pair->side[c->body].mesh->edge_twin[c->half_edge] / 3};
    for (int k = 0; k < 2; k++) {
      cut *at = &cuts[count++];
      at->node = f->first_crossing + i;
      at->triangles[c->body] = own[k];
      at->triangles[1 - c->body] = c->triangle;
    }
  }
  for (size_t i = 0; i < crossings->touch_count; i++) {
    const ts_semi_touch *touch = &crossings->touches[i];
    cut *at = &cuts[count++];
    at->node = f->first_vertex[touch->body] +
               ts_semi_start(f->pair->side[touch->body].mesh, touch->half_edge);
    at->triangles[touch->body] = touch->half_edge / 3;
    at->triangles[1 - touch->body] = touch->triangle;
  }
  if (count > 1)
    qsort(cuts, count, sizeof *cuts, compare_cuts);
  for (size_t i = 1; i < count; i++)
    if (cuts[i - 1].triangles[0] == cuts[i].triangles[0] &&
        cuts[i - 1].triangles[1] == cuts[i].triangles[1])
      ts_semi_forest_join(f->forest, cuts[i - 1].node, cuts[i].node);
  return TS_OK;
}

static int compare_points(const void *left, const void *right) {
  const ts_semi_overlap_point *l = left, *r = right;
  if (l->part != r->part)
    return l->part < r->part ? -1 : 1;
  if (l->body != r->body)
    return l->body < r->body ? -1 : 1;
  return (l->index > r->index) - (l->index < r->index);
}

ts_status ts_semi_find_overlap(ts_semi_overlap *out, const ts_semi_pair *pair,
                               const ts_semi_crossings *crossings) {
  connection f;
  TS_TRY(connection_create(&f, crossings, pair));
  TS_TRY(join_edges(&f));
  for (int body = 0; body < 2; body++)
    join_vertices(&f, body);
  TS_TRY(join_lines(&f));
  ts_semi_overlap_point *points = ts_semi_scratch(
      pair->host, crossings->count + f.reached_count[0] + f.reached_count[1], sizeof *points);
  if (!points)
    return TS_E_MEMORY;
  size_t count = 0;
  for (uint32_t i = 0; i < crossings->count; i++)
    points[count++] =
        (ts_semi_overlap_point){ts_semi_forest_root(f.forest, f.first_crossing + i), -1, i,
                                crossings->crossings[i].half_edge, crossings->crossings[i].point};
  for (int body = 0; body < 2; body++) {
    const ts_semi_side *side = &pair->side[body];
    ts_aabb room = ts_aabb_inflate(ts_semi_box(&pair->side[1 - body]), pair->s.snap_m);
    for (size_t i = 0; i < f.reached_count[body]; i++) {
      uint32_t vertex = ts_semi_start(side->mesh, f.reached[body][i]);
      if (!ts_aabb_contains(room, side->vertices[vertex]))
        continue; // a cut along a face that lies in one plane with another was not seen
      points[count++] =
          (ts_semi_overlap_point){ts_semi_forest_root(f.forest, f.first_vertex[body] + vertex),
                                  body, vertex, f.reached[body][i], side->vertices[vertex]};
    }
  }
  if (count > 1)
    qsort(points, count, sizeof *points, compare_points);
  *out = (ts_semi_overlap){count, points};
  return TS_OK;
}
