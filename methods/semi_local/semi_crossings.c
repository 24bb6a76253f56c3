// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_crossings.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/mesh/winding.h"
#include "geometry/tolerances.h"

#include <stdlib.h>

static void corners_of(ts_vec3 out[3], const ts_semi_side *side, uint32_t triangle) {
  for (int i = 0; i < 3; i++)
    out[i] = side->vertices[side->mesh->triangles[triangle][i]];
}

/// Where a segment goes through a triangle, from `outer` to `inner` or the other way.
static bool goes_through(ts_vec3 *out, ts_vec3 outer, ts_vec3 inner, const ts_vec3 t[3]) {
  ts_vec3 way = ts_vec3_sub(inner, outer);
  double side[3];
  for (int i = 0; i < 3; i++)
    side[i] = ts_vec3_dot(
        ts_vec3_cross(ts_vec3_sub(t[i], outer), ts_vec3_sub(t[(i + 1) % 3], outer)), way);
  if ((side[0] > 0 || side[1] > 0 || side[2] > 0) && (side[0] < 0 || side[1] < 0 || side[2] < 0))
    return false;
  ts_vec3 normal = ts_vec3_cross(ts_vec3_sub(t[1], t[0]), ts_vec3_sub(t[2], t[0]));
  double speed = ts_vec3_dot(normal, way);
  if (speed == 0)
    return false;
  *out = ts_vec3_add_scaled(outer, ts_vec3_dot(normal, ts_vec3_sub(t[0], outer)) / speed, way);
  return true;
}

/// Heights of the corners of triangle `own` of a body over the plane of triangle `other` of the
/// other one. False when all are on one side of it, so that the triangles are apart.
static bool meets_plane(double height[3], const ts_semi_pair *pair, int body, uint32_t own,
                        uint32_t other) {
  const ts_semi_side *side = &pair->side[body], *beside = &pair->side[1 - body];
  uint32_t patch = beside->patches->patch_of[other];
  // The triangle itself may be off the plane of its patch.
  double snap = pair->s.snap_m + beside->patches->flat_m;
  bool is_above = true, is_below = true;
  for (int i = 0; i < 3; i++) {
    ts_vec3 v = side->vertices[side->mesh->triangles[own][i]];
    height[i] = ts_vec3_dot(beside->normals[patch], v) - beside->offsets_m[patch];
    is_above &= height[i] > snap;
    is_below &= height[i] < -snap;
  }
  return !is_above && !is_below;
}

/// The crossings and touches being gathered.
typedef struct crossing_list {
  const ts_semi_pair *pair;
  ts_semi_crossing *crossings;
  size_t count, capacity;
  ts_semi_touch *touches;
  size_t touch_count, touch_capacity;
  bool *is_on[2];
  const ts_semi_block_boxes *boxes[2];
} crossing_list;

static ts_status add_crossing(crossing_list *list, ts_semi_crossing c) {
  TS_TRY(TS_SEMI_GROW(list->crossings, list->capacity, list->count, list->pair->memory));
  list->crossings[list->count++] = c;
  return TS_OK;
}

static ts_status add_touch(crossing_list *list, ts_semi_touch touch) {
  TS_TRY(TS_SEMI_GROW(list->touches, list->touch_capacity, list->touch_count, list->pair->memory));
  list->touches[list->touch_count++] = touch;
  return TS_OK;
}

/// The edges of triangle `own` of a body, with its heights, through triangle `other` of the other
/// one.
static ts_status cross_edges(crossing_list *list, int body, uint32_t own, uint32_t other,
                             const double height[3]) {
  const ts_semi_pair *pair = list->pair;
  const ts_semi_side *side = &pair->side[body];
  double snap = pair->s.snap_m;
  ts_vec3 v[3], t[3];
  corners_of(v, side, own);
  corners_of(t, &pair->side[1 - body], other);
  for (int i = 0; i < 3; i++)
    if (fabs(height[i]) <= snap && ts_closest_point_triangle(v[i], t).distance_m <= 2 * snap) {
      list->is_on[body][side->mesh->triangles[own][i]] = true;
      TS_TRY(add_touch(list, (ts_semi_touch){body, 3 * own + (uint32_t)i, other}));
    }
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t h = 3 * own + i, k = (i + 1) % 3;
    uint32_t in = height[i] < height[k] ? i : k, outer = i + k - in;
    ts_semi_crossing c = {.body = body, .half_edge = h, .triangle = other};
    if (h > side->mesh->edge_twin[h]) // comes with its other triangle
      continue;
    if (!(height[in] < -snap && height[outer] > snap) ||
        !goes_through(&c.point, v[outer], v[in], t))
      continue;
    c.inside = side->mesh->triangles[own][in];
    TS_TRY(add_crossing(list, c));
  }
  return TS_OK;
}

static ts_status cross_triangles(crossing_list *list, uint32_t t0, uint32_t t1) {
  double height[2][3];
  if (!meets_plane(height[0], list->pair, 0, t0, t1) ||
      !meets_plane(height[1], list->pair, 1, t1, t0))
    return TS_OK;
  TS_TRY(cross_edges(list, 0, t0, t1, height[0]));
  return cross_edges(list, 1, t1, t0, height[1]);
}

/// Triangles of two blocks.
static ts_status cross_blocks(crossing_list *list, const ts_semi_close_pairs *close,
                              const uint32_t met[2]) {
  const ts_semi_block_boxes *a = &list->boxes[0][met[0]], *b = &list->boxes[1][met[1]];
  if (!ts_aabb_overlap(a->around, b->around))
    return TS_OK;
  const uint32_t *of_0 = ts_semi_triangles_of(list->pair, close, 0, met[0]);
  const uint32_t *of_1 = ts_semi_triangles_of(list->pair, close, 1, met[1]);
  for (uint64_t left = ts_box_block_meet(&a->of, &b->of); left; left &= left - 1) {
    int bit = __builtin_ctzll(left);
    TS_TRY(cross_triangles(list, of_0[bit / TS_BOX_BLOCK_MOST], of_1[bit % TS_BOX_BLOCK_MOST]));
  }
  return TS_OK;
}

static int compare_indices(uint32_t l, uint32_t r) {
  return (l > r) - (l < r);
}

static int compare_crossings(const void *left, const void *right) {
  const ts_semi_crossing *l = left, *r = right;
  int order = l->body - r->body;
  order = order ? order : compare_indices(l->half_edge, r->half_edge);
  return order ? order : compare_indices(l->triangle, r->triangle);
}

static int compare_touches(const void *left, const void *right) {
  const ts_semi_touch *l = left, *r = right;
  int order = l->body - r->body;
  order = order ? order : compare_indices(l->half_edge, r->half_edge);
  return order ? order : compare_indices(l->triangle, r->triangle);
}

ts_status ts_semi_find_crossings(ts_semi_crossings *out, const ts_semi_pair *pair,
                                 const ts_semi_close_pairs *close) {
  crossing_list list = {.pair = pair};
  for (int body = 0; body < 2; body++) {
    size_t vertex_count = pair->side[body].mesh->vertex_count;
    list.is_on[body] = ts_semi_scratch(pair->memory, vertex_count, sizeof *list.is_on[body]);
    if (!list.is_on[body])
      return TS_E_MEMORY;
    TS_TRY(ts_semi_boxes_of(&list.boxes[body], pair, close, body));
  }
  for (size_t i = 0; i < close->block_count; i++)
    TS_TRY(cross_blocks(&list, close, close->blocks[i].met));
  if (list.count > 1)
    qsort(list.crossings, list.count, sizeof *list.crossings, compare_crossings);
  if (list.touch_count > 1)
    qsort(list.touches, list.touch_count, sizeof *list.touches, compare_touches);
  *out = (ts_semi_crossings){.count = list.count,
                             .crossings = list.crossings,
                             .touch_count = list.touch_count,
                             .touches = list.touches,
                             .is_on = {list.is_on[0], list.is_on[1]}};
  return TS_OK;
}

ts_aabb ts_semi_box(const ts_semi_side *side) {
  ts_aabb box = ts_aabb_empty();
  for (size_t v = 0; v < side->mesh->vertex_count; v++)
    box = ts_aabb_add(box, side->vertices[v]);
  return box;
}

/// Whether a point is inside a body, and not on its surface.
static bool is_within(const ts_semi_side *side, ts_vec3 p) {
  return ts_winding(side->mesh, side->vertices, p) > TS_SEMI_WITHIN_WINDING;
}

bool ts_semi_is_inside(const ts_semi_pair *pair) {
  for (int body = 0; body < 2; body++) {
    const ts_semi_side *outer = &pair->side[body], *inner = &pair->side[1 - body];
    ts_aabb box = ts_semi_box(inner), room = ts_semi_box(outer);
    if (ts_aabb_contains(room, box.low) && ts_aabb_contains(room, box.high) &&
        is_within(outer, inner->vertices[inner->mesh->triangles[0][0]]))
      return true;
  }
  return false;
}

/// Whether both bodies are solid close below a triangle, near one of its corners.
static bool overlaps_below(const ts_semi_pair *pair, int body, uint32_t half_edge) {
  static const double nearness[2] = {TS_SEMI_BELOW, TS_SEMI_BELOW_CLOSE};
  const ts_semi_side *side = &pair->side[body];
  ts_vec3 c[3];
  corners_of(c, side, half_edge / 3);
  ts_vec3 corner = c[half_edge % 3];
  ts_vec3 middle = ts_vec3_scale(ts_vec3_add(ts_vec3_add(c[0], c[1]), c[2]), 1.0 / 3);
  ts_vec3 normal = side->normals[side->patches->patch_of[half_edge / 3]];
  ts_vec3 way = ts_vec3_add_scaled(ts_vec3_sub(middle, corner),
                                   -TS_SEMI_BELOW * ts_vec3_distance(middle, corner), normal);
  for (int i = 0; i < 2; i++) {
    ts_vec3 p = ts_vec3_add_scaled(corner, nearness[i], way);
    if (is_within(&pair->side[0], p) && is_within(&pair->side[1], p))
      return true;
  }
  return false;
}

/// Adds the crossings at a vertex that lies on the other body: its edges into that, or one that
/// represents the vertex. `*overlaps` is set where there is overlap beside it.
static ts_status cross_at_vertex(crossing_list *list, bool *overlaps, const ts_semi_touch *touch,
                                 const bool *is_on) {
  const ts_semi_pair *pair = list->pair;
  const ts_semi_side *side = &pair->side[touch->body];
  const ts_mesh *mesh = side->mesh;
  uint32_t first = touch->half_edge, h = first;
  ts_semi_crossing c = {.point = side->vertices[ts_semi_start(mesh, first)],
                        .body = touch->body,
                        .half_edge =
                            first < mesh->edge_twin[first] ? first : mesh->edge_twin[first],
                        .inside = TS_SEMI_NO_VERTEX,
                        .triangle = touch->triangle};
  bool goes_in = false;
  do {
    uint32_t twin = mesh->edge_twin[h], end = ts_semi_start(mesh, twin);
    if (!is_on[end] && is_within(&pair->side[1 - touch->body], side->vertices[end])) {
      goes_in = true;
      ts_semi_crossing in = c;
      in.half_edge = h < twin ? h : twin;
      in.inside = end;
      TS_TRY(add_crossing(list, in));
    }
    *overlaps = *overlaps || goes_in || overlaps_below(pair, touch->body, h);
    h = ts_semi_around(mesh, h);
  } while (h != first);
  return goes_in ? TS_OK : add_crossing(list, c);
}

bool ts_semi_may_look_for_flush(const ts_semi_pair *pair, const ts_semi_crossings *touching) {
  size_t triangles = pair->side[0].mesh->triangle_count + pair->side[1].mesh->triangle_count;
  return touching->touch_count <= TS_SEMI_FLUSH_LOOKS / triangles;
}

ts_status ts_semi_find_flush(ts_semi_crossings *out, const ts_semi_pair *pair,
                             const ts_semi_crossings *touching) {
  crossing_list list = {.pair = pair};
  bool *is_done[2], overlaps = false;
  for (int body = 0; body < 2; body++) {
    size_t vertex_count = pair->side[body].mesh->vertex_count;
    is_done[body] = ts_semi_scratch(pair->memory, vertex_count, sizeof *is_done[body]);
    if (!is_done[body])
      return TS_E_MEMORY;
  }
  for (size_t i = 0; i < touching->touch_count; i++) {
    const ts_semi_touch *touch = &touching->touches[i];
    uint32_t vertex = ts_semi_start(pair->side[touch->body].mesh, touch->half_edge);
    if (is_done[touch->body][vertex])
      continue;
    is_done[touch->body][vertex] = true;
    TS_TRY(cross_at_vertex(&list, &overlaps, touch, touching->is_on[touch->body]));
  }
  *out = *touching;
  out->count = overlaps ? list.count : 0;
  out->crossings = list.crossings;
  return TS_OK;
}
