// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_overlap.h"

#include "base/key_sort.h"
#include "base/status.h"
#include "methods/semi_local/semi_scratch.h"

#include <stdlib.h>
#include <string.h>

/// Keys [count], and behind them as many for sorting; NULL when out of memory.
static ts_key *keys_create(ts_semi_memory *memory, size_t count) {
  return ts_semi_scratch(memory, count, 2 * sizeof(ts_key));
}

/// A vertex that was reached.
typedef struct reached_vertex {
  uint32_t half_edge; ///< that begins in it
  uint32_t node;
} reached_vertex;

/// What is connected, as sets of nodes: the crossings, then the vertices of both bodies in the
/// order in which they come. Only what the overlap reaches is looked at.
typedef struct connection {
  const ts_semi_crossings *crossings;
  const ts_semi_pair *pair;
  uint32_t *forest; ///< [node_count]
  size_t node_count, capacity;
  uint8_t *is_cut[2];   ///< of each body, a bit for each half edge, by the ids of edges
  uint32_t *node_of[2]; ///< [vertex_count] of each body, 1 + node; 0: none
  reached_vertex *reached[2];
  size_t reached_count[2], reached_capacity[2];
} connection;

static ts_status connection_create(connection *f, const ts_semi_crossings *crossings,
                                   const ts_semi_pair *pair) {
  *f = (connection){.crossings = crossings,
                    .pair = pair,
                    .forest = ts_semi_forest_create(pair->memory, crossings->count),
                    .node_count = crossings->count,
                    .capacity = crossings->count};
  if (!f->forest)
    return TS_E_MEMORY;
  for (int body = 0; body < 2; body++) {
    const ts_mesh *mesh = pair->side[body].mesh;
    f->is_cut[body] = ts_semi_scratch(pair->memory, 3 * mesh->triangle_count / 8 + 1, 1);
    f->node_of[body] = ts_semi_scratch(pair->memory, mesh->vertex_count, sizeof *f->node_of[body]);
    if (!f->is_cut[body] || !f->node_of[body])
      return TS_E_MEMORY;
  }
  return TS_OK;
}

/// The node of the vertex that a half edge begins in, made when there is none.
static ts_status find_node(uint32_t *out, connection *f, int body, uint32_t half_edge) {
  uint32_t *known = &f->node_of[body][ts_semi_start(f->pair->side[body].mesh, half_edge)];
  if (!*known) {
    TS_TRY(TS_SEMI_GROW(f->forest, f->capacity, f->node_count, f->pair->memory));
    f->forest[f->node_count] = (uint32_t)f->node_count;
    *known = (uint32_t)++f->node_count;
  }
  *out = *known - 1;
  return TS_OK;
}

/// Reaches the vertex that a half edge begins in, and joins it with a node.
static ts_status reach(connection *f, int body, uint32_t half_edge, uint32_t from) {
  size_t before = f->node_count;
  uint32_t node;
  TS_TRY(find_node(&node, f, body, half_edge));
  ts_semi_forest_join(f->forest, from, node);
  if (f->node_count == before)
    return TS_OK;
  TS_TRY(TS_SEMI_GROW(f->reached[body], f->reached_capacity[body], f->reached_count[body],
                      f->pair->memory));
  f->reached[body][f->reached_count[body]++] = (reached_vertex){half_edge, node};
  return TS_OK;
}

static void set_cut(connection *f, int body, uint32_t half_edge) {
  f->is_cut[body][half_edge / 8] |= (uint8_t)(1u << half_edge % 8);
}

static bool is_cut(const connection *f, int body, uint32_t half_edge) {
  return f->is_cut[body][half_edge / 8] >> half_edge % 8 & 1;
}

/// A crossing along its edge.
typedef struct step {
  uint32_t crossing;
  double along2; ///< squared distance from the start of the edge
  bool goes_in, goes_out;
} step;

static int compare_steps(const void *left, const void *right) {
  const step *l = left, *r = right;
  if (l->along2 != r->along2)
    return l->along2 < r->along2 ? -1 : 1;
  return (l->crossing > r->crossing) - (l->crossing < r->crossing);
}

static step make_step(const connection *f, uint32_t crossing) {
  const ts_semi_crossing *c = &f->crossings->crossings[crossing];
  const ts_semi_side *side = &f->pair->side[c->body];
  uint32_t start = ts_semi_start(side->mesh, c->half_edge);
  return (step){.crossing = crossing,
                .along2 = ts_vec3_norm2(ts_vec3_sub(c->point, side->vertices[start])),
                .goes_in = c->inside != TS_SEMI_NO_VERTEX && c->inside != start,
                .goes_out = c->inside == start};
}

/// Joins the crossings of one edge with what of the edge is inside: the stretch between going in
/// and going out, and the vertices at its ends.
static ts_status join_edge(connection *f, const step *steps, size_t count) {
  int body = f->crossings->crossings[steps[0].crossing].body;
  uint32_t h = f->crossings->crossings[steps[0].crossing].half_edge;
  set_cut(f, body, h);
  for (size_t i = 1; i < count; i++)
    if (steps[i - 1].goes_in || steps[i].goes_out)
      ts_semi_forest_join(f->forest, steps[i - 1].crossing, steps[i].crossing);
  if (steps[0].goes_out)
    TS_TRY(reach(f, body, h, steps[0].crossing));
  if (steps[count - 1].goes_in)
    TS_TRY(reach(f, body, f->pair->side[body].mesh->edge_twin[h], steps[count - 1].crossing));
  return TS_OK;
}

static ts_status join_edges(connection *f) {
  size_t count = f->crossings->count;
  step *steps = ts_semi_scratch(f->pair->memory, count, sizeof *steps);
  ts_key *keys = keys_create(f->pair->memory, count);
  if (!steps || !keys)
    return TS_E_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    const ts_semi_crossing *c = &f->crossings->crossings[i];
    keys[i] = (ts_key){(uint64_t)c->body << 32 | c->half_edge, i};
  }
  ts_keys_sort(keys, keys + count, count);
  for (size_t first = 0, end; first < count; first = end) {
    for (end = first; end < count && keys[end].key == keys[first].key; end++)
      steps[end] = make_step(f, keys[end].index);
    if (end - first > 1)
      qsort(steps + first, end - first, sizeof *steps, compare_steps);
    TS_TRY(join_edge(f, steps + first, end - first));
  }
  return TS_OK;
}

/// Joins vertices over mesh edges that no triangle of the other body cuts, from those that are
/// reached.
static ts_status join_vertices(connection *f, int body) {
  const ts_mesh *mesh = f->pair->side[body].mesh;
  for (size_t i = 0; i < f->reached_count[body]; i++) {
    const reached_vertex from = f->reached[body][i];
    uint32_t h = from.half_edge;
    // The surface goes on outside.
    if (f->crossings->is_on[body][ts_semi_start(mesh, h)])
      continue;
    do {
      uint32_t twin = mesh->edge_twin[h];
      if (!is_cut(f, body, h < twin ? h : twin))
        TS_TRY(reach(f, body, twin, from.node));
      h = ts_semi_around(mesh, h);
    } while (h != from.half_edge);
  }
  return TS_OK;
}

/// Two triangles that cut each other, with an end of the line in which they do.
static ts_key cut_key(int body, uint32_t own, uint32_t other, uint32_t node) {
  uint64_t of_0 = body == 0 ? own : other, of_1 = body == 0 ? other : own;
  return (ts_key){of_0 << 32 | of_1, node};
}

/// Joins the ends of the lines in which triangles cut each other: crossings, or vertices that lie
/// on the other surface.
static ts_status join_lines(connection *f) {
  const ts_semi_crossings *crossings = f->crossings;
  size_t room = 2 * crossings->count + crossings->touch_count, count = 0;
  ts_key *cuts = keys_create(f->pair->memory, room);
  if (!cuts)
    return TS_E_MEMORY;
  for (uint32_t i = 0; i < crossings->count; i++) {
    const ts_semi_crossing *c = &crossings->crossings[i];
    uint32_t twin = f->pair->side[c->body].mesh->edge_twin[c->half_edge];
    cuts[count++] = cut_key(c->body, c->half_edge / 3, c->triangle, i);
    cuts[count++] = cut_key(c->body, twin / 3, c->triangle, i);
  }
  for (size_t i = 0; i < crossings->touch_count; i++) {
    const ts_semi_touch *touch = &crossings->touches[i];
    uint32_t node;
    TS_TRY(find_node(&node, f, touch->body, touch->half_edge));
    cuts[count++] = cut_key(touch->body, touch->half_edge / 3, touch->triangle, node);
  }
  ts_keys_sort(cuts, cuts + room, count);
  for (size_t i = 1; i < count; i++)
    if (cuts[i - 1].key == cuts[i].key)
      ts_semi_forest_join(f->forest, cuts[i - 1].index, cuts[i].index);
  return TS_OK;
}

/// Lowers the number of the set that a node is in.
static void lower(uint32_t *numbers, connection *f, uint32_t node, uint32_t number) {
  uint32_t *known = &numbers[ts_semi_forest_root(f->forest, node)];
  *known = number < *known ? number : *known;
}

/// The number of the part that each root is: by the first vertex in it of body 0, else of body 1,
/// else its first crossing. NULL when out of memory.
static uint32_t *number_parts(connection *f) {
  ts_semi_memory *memory = f->pair->memory;
  uint32_t *numbers = ts_semi_scratch(memory, f->node_count, sizeof *numbers);
  ts_key *keys = keys_create(memory, f->node_count);
  if (!numbers || !keys)
    return NULL;
  const ts_mesh *mesh[2] = {f->pair->side[0].mesh, f->pair->side[1].mesh};
  const uint32_t first[3] = {0, (uint32_t)mesh[0]->vertex_count,
                             (uint32_t)(mesh[0]->vertex_count + mesh[1]->vertex_count)};
  memset(numbers, 0xff, f->node_count * sizeof *numbers);
  for (int body = 0; body < 2; body++)
    for (size_t i = 0; i < f->reached_count[body]; i++)
      lower(numbers, f, f->reached[body][i].node,
            first[body] + ts_semi_start(mesh[body], f->reached[body][i].half_edge));
  for (size_t i = 0; i < f->crossings->touch_count; i++) {
    const ts_semi_touch *touch = &f->crossings->touches[i];
    uint32_t vertex = ts_semi_start(mesh[touch->body], touch->half_edge);
    lower(numbers, f, f->node_of[touch->body][vertex] - 1, first[touch->body] + vertex);
  }
  for (uint32_t i = 0; i < f->crossings->count; i++)
    lower(numbers, f, i, first[2] + i);
  size_t count = 0;
  for (uint32_t node = 0; node < f->node_count; node++)
    if (f->forest[node] == node)
      keys[count++] = (ts_key){numbers[node], node};
  ts_keys_sort(keys, keys + f->node_count, count);
  for (uint32_t part = 0; part < count; part++)
    numbers[keys[part].index] = part;
  return numbers;
}

/// The points of the overlap, those of a part one after the other.
typedef struct point_list {
  ts_semi_overlap_point *points;
  ts_key *keys; ///< by part, body and index
  size_t count;
} point_list;

static void add_point(point_list *list, const ts_semi_overlap_point *p) {
  uint64_t body = (uint64_t)(p->body + 1);
  list->keys[list->count] =
      (ts_key){(uint64_t)p->part << 34 | body << 32 | p->index, (uint32_t)list->count};
  list->points[list->count++] = *p;
}

static void add_reached(point_list *list, connection *f, const uint32_t *part_of, int body) {
  const ts_semi_side *side = &f->pair->side[body];
  ts_aabb room = ts_aabb_inflate(ts_semi_box(&f->pair->side[1 - body]), f->pair->s.snap_m);
  for (size_t i = 0; i < f->reached_count[body]; i++) {
    uint32_t half_edge = f->reached[body][i].half_edge;
    uint32_t vertex = ts_semi_start(side->mesh, half_edge);
    if (!ts_aabb_contains(room, side->vertices[vertex]))
      continue; // a cut along a face that lies in one plane with another was not seen
    add_point(list, &(ts_semi_overlap_point){
                        part_of[ts_semi_forest_root(f->forest, f->reached[body][i].node)], body,
                        vertex, half_edge, side->vertices[vertex]});
  }
}

static ts_status list_points(ts_semi_overlap *out, connection *f) {
  const ts_semi_crossings *crossings = f->crossings;
  size_t most = crossings->count + f->reached_count[0] + f->reached_count[1];
  const uint32_t *part_of = number_parts(f);
  point_list list = {.points = ts_semi_scratch(f->pair->memory, most, sizeof *list.points),
                     .keys = keys_create(f->pair->memory, most)};
  ts_semi_overlap_point *sorted = ts_semi_scratch(f->pair->memory, most, sizeof *sorted);
  if (!part_of || !list.points || !list.keys || !sorted)
    return TS_E_MEMORY;
  for (uint32_t i = 0; i < crossings->count; i++)
    add_point(&list, &(ts_semi_overlap_point){part_of[ts_semi_forest_root(f->forest, i)], -1, i,
                                              crossings->crossings[i].half_edge,
                                              crossings->crossings[i].point});
  for (int body = 0; body < 2; body++)
    add_reached(&list, f, part_of, body);
  ts_keys_sort(list.keys, list.keys + most, list.count);
  for (size_t i = 0; i < list.count; i++)
    sorted[i] = list.points[list.keys[i].index];
  *out = (ts_semi_overlap){list.count, sorted};
  return TS_OK;
}

ts_status ts_semi_find_overlap(ts_semi_overlap *out, const ts_semi_pair *pair,
                               const ts_semi_crossings *crossings) {
  connection f;
  TS_TRY(connection_create(&f, crossings, pair));
  TS_TRY(join_edges(&f));
  for (int body = 0; body < 2; body++)
    TS_TRY(join_vertices(&f, body));
  TS_TRY(join_lines(&f));
  return list_points(out, &f);
}
