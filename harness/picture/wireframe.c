// SPDX-License-Identifier: MIT
#include "harness/picture/wireframe.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "geometry/pose.h"

#include <stdlib.h>

/// Cosines of the angle between two faces: above the first they are coplanar, above the second
/// they look coplanar, above the third the edge is soft.
#define COS_SAME_PLANE (1 - 1e-9)
#define COS_ONE_PLANE  0.99999
#define COS_ROUND      0.9

/// Length, relative to the size of the picture, below which nothing is visible.
#define LENGTH_MIN 1e-5

/// A visible piece of an edge between two hidden pieces is an artefact (a slit between adjacent
/// triangles) when it is no longer than this, relative to the size of the picture.
#define SLIT_LENGTH 3e-3

/// Part of an edge, as fractions of its length.
typedef struct interval {
  double start, end;
} interval;

typedef enum wire_kind { NONE, SOFT, HARD } wire_kind;

typedef struct work {
  ts_wireframe *out;
  ts_arena *arena;
  size_t wire_capacity;
  size_t triangle_count;
  ts_view_triangle *triangles; ///< [triangle_count], that face the viewer
  uint32_t *found;             ///< [triangle_count + 1]
  interval *hidden;            ///< likewise
} work;

ts_view ts_view_three_quarter(ts_vec3 up) {
  // 35 degrees to the right, 22 up.
  ts_quat turn = ts_quat_unit((ts_quat){1 + up.y, up.z, 0, -up.x});
  ts_vec3 right = {0.81915204, 0, -0.57357644};
  ts_vec3 towards = {0.57357644 * 0.92718385, 0.37460659, 0.81915204 * 0.92718385};
  right = ts_vec3_unit(ts_quat_rotate(turn, right));
  towards = ts_vec3_unit(ts_quat_rotate(turn, towards));
  return (ts_view){right, ts_vec3_cross(towards, right), towards};
}

ts_vec3 ts_view_point(const ts_view *view, ts_vec3 world) {
  return (ts_vec3){ts_vec3_dot(world, view->right), ts_vec3_dot(world, view->above),
                   ts_vec3_dot(world, view->towards)};
}

static ts_vec3 normal_of(const ts_vec3 corners[3]) {
  return ts_vec3_unit(
      ts_vec3_cross(ts_vec3_sub(corners[1], corners[0]), ts_vec3_sub(corners[2], corners[0])));
}

/// Narrows the interval to where a quantity that varies linearly from f0 to f1 is above `min`.
static void narrow(interval *in, double f0, double f1, double min) {
  f0 -= min;
  f1 -= min;
  if (f0 <= 0 && f1 <= 0)
    in->end = in->start;
  else if (f0 <= 0)
    in->start = ts_max(in->start, f0 / (f0 - f1));
  else if (f1 <= 0)
    in->end = ts_min(in->end, f0 / (f0 - f1));
}

/// Distance of a point to the left of a side, as seen by the viewer.
static double inside_of(ts_vec3 from, ts_vec3 to, ts_vec3 point) {
  double dx = to.x - from.x, dy = to.y - from.y;
  double length = sqrt(dx * dx + dy * dy);
  return length > 0 ? (dx * (point.y - from.y) - dy * (point.x - from.x)) / length : 0;
}

/// The part of a segment that is behind a triangle by more than `min`.
static bool find_hidden(interval *out, const ts_view_triangle *t, ts_vec3 from, ts_vec3 to,
                        double min) {
  if (ts_min(from.x, to.x) >= t->max.x || ts_max(from.x, to.x) <= t->min.x ||
      ts_min(from.y, to.y) >= t->max.y || ts_max(from.y, to.y) <= t->min.y ||
      ts_min(from.z, to.z) >= t->max.z)
    return false;
  *out = (interval){0, 1};
  for (int k = 0; k < 3 && out->start < out->end; k++) {
    ts_vec3 a = t->corners[k], b = t->corners[(k + 1) % 3];
    narrow(out, inside_of(a, b, from), inside_of(a, b, to), min);
  }
  narrow(out, -ts_vec3_dot(t->normal, ts_vec3_sub(from, t->corners[0])),
         -ts_vec3_dot(t->normal, ts_vec3_sub(to, t->corners[0])), min);
  return out->start < out->end;
}

bool ts_wireframe_hides(const ts_wireframe *wireframe, ts_vec3 point) {
  double min = LENGTH_MIN * wireframe->size_m;
  const uint32_t *found;
  size_t count = ts_view_grid_at(&found, &wireframe->grid, point);
  for (size_t i = 0; i < count; i++) {
    const ts_view_triangle *t = &wireframe->grid.triangles[found[i]];
    bool covers = true;
    for (int k = 0; k < 3; k++)
      covers = covers && inside_of(t->corners[k], t->corners[(k + 1) % 3], point) >= 0;
    if (covers && ts_vec3_dot(t->normal, ts_vec3_sub(point, t->corners[0])) < -min)
      return true;
  }
  return false;
}

static void add_wire(work *w, ts_vec3 from, ts_vec3 to, interval part, bool is_hidden,
                     bool is_soft) {
  if ((part.end - part.start) * ts_vec3_distance(from, to) < LENGTH_MIN * w->out->size_m)
    return;
  w->out->wires[w->out->wire_count++] = (ts_wire){
      ts_vec3_lerp(from, to, part.start), ts_vec3_lerp(from, to, part.end), is_hidden, is_soft};
}

static int by_start(const void *a, const void *b) {
  const interval *x = a, *y = b;
  return x->start != y->start ? (x->start > y->start) - (x->start < y->start)
                              : (x->end > y->end) - (x->end < y->end);
}

static ts_status add_edge(work *w, ts_vec3 from, ts_vec3 to, bool is_soft) {
  size_t count = 0, near = ts_view_grid_find(w->found, &w->out->grid, from, to);
  double min = LENGTH_MIN * w->out->size_m;
  for (size_t i = 0; i < near; i++)
    count += find_hidden(&w->hidden[count], &w->triangles[w->found[i]], from, to, min);
  qsort(w->hidden, count, sizeof *w->hidden, by_start);
  TS_TRY(
      TS_ARENA_GROW(w->out->wires, w->wire_capacity, w->out->wire_count, 2 * count + 1, w->arena));
  double slit = SLIT_LENGTH * w->out->size_m / ts_max(ts_vec3_distance(from, to), min);
  double seen = 0;
  for (size_t i = 0; i < count;) {
    interval all = w->hidden[i++];
    for (; i < count && w->hidden[i].start <= all.end + slit; i++)
      all.end = ts_max(all.end, w->hidden[i].end);
    add_wire(w, from, to, (interval){seen, all.start}, false, is_soft);
    add_wire(w, from, to, all, true, is_soft);
    seen = all.end;
  }
  add_wire(w, from, to, (interval){seen, 1}, false, is_soft);
  return TS_OK;
}

/// The vertices of a body in the frame of the view.
static ts_vec3 *view_vertices(ts_arena *arena, const ts_snapshot_body *body, ts_vec3 shift,
                              const ts_view *view) {
  const ts_mesh *mesh = body->designed.mesh;
  ts_vec3 *out = ts_arena_array(arena, mesh->vertex_count, sizeof *out);
  for (size_t i = 0; out && i < mesh->vertex_count; i++)
    out[i] = ts_view_point(view, ts_vec3_add(body->designed.world[i], shift));
  return out;
}

static ts_view_triangle view_triangle(const ts_vec3 *vertices, const uint32_t corners[3]) {
  ts_view_triangle t;
  for (int k = 0; k < 3; k++)
    t.corners[k] = vertices[corners[k]];
  t.normal = normal_of(t.corners);
  t.min = ts_vec3_min(ts_vec3_min(t.corners[0], t.corners[1]), t.corners[2]);
  t.max = ts_vec3_max(ts_vec3_max(t.corners[0], t.corners[1]), t.corners[2]);
  return t;
}

/// Collects the triangles that face the viewer.
static ts_status find_triangles(work *w, const ts_snapshot *snapshot, ts_vec3 *const *vertices) {
  ts_wireframe *out = w->out;
  size_t total = 0;
  for (size_t i = 0; i < snapshot->body_count; i++)
    total += snapshot->bodies[i].designed.mesh->triangle_count;
  w->triangles = ts_arena_array(w->arena, total, sizeof *w->triangles);
  w->found = ts_arena_array(w->arena, total + 1, sizeof *w->found);
  w->hidden = ts_arena_array(w->arena, total + 1, sizeof *w->hidden);
  if (!w->triangles || !w->found || !w->hidden)
    return TS_E_MEMORY;
  ts_vec3 min = {INFINITY, INFINITY, INFINITY}, max = {-INFINITY, -INFINITY, -INFINITY};
  for (size_t i = 0; i < snapshot->body_count; i++) {
    const ts_mesh *mesh = snapshot->bodies[i].designed.mesh;
    for (size_t k = 0; k < mesh->triangle_count; k++) {
      ts_view_triangle t = view_triangle(vertices[i], mesh->triangles[k]);
      min = ts_vec3_min(min, t.min);
      max = ts_vec3_max(max, t.max);
      if (t.normal.z > 0)
        w->triangles[w->triangle_count++] = t;
    }
  }
  out->size_m = total > 0 ? ts_vec3_distance(min, max) : 1;
  return ts_view_grid_create(&out->grid, w->arena, w->triangles, w->triangle_count);
}

static bool faces_viewer(const ts_mesh *mesh, const ts_vec3 *vertices, size_t triangle) {
  return view_triangle(vertices, mesh->triangles[triangle]).normal.z > 0;
}

/// How an edge is drawn: not at all between triangles of one plane, unless it is the outline of a
/// surface so fine that each edge is between nearly coplanar triangles.
static wire_kind kind_of(const ts_mesh *mesh, const ts_vec3 *vertices, size_t h) {
  size_t face = h / 3, other = mesh->edge_twin[h] / 3;
  double cosine = ts_vec3_dot(ts_mesh_face_normal(mesh, face), ts_mesh_face_normal(mesh, other));
  if (cosine <= COS_ROUND)
    return HARD;
  if (cosine < COS_SAME_PLANE &&
      faces_viewer(mesh, vertices, face) != faces_viewer(mesh, vertices, other))
    return HARD;
  return cosine < COS_ONE_PLANE ? SOFT : NONE;
}

/// Adds the edges of a body that are of a kind. Without `w` they are only counted, in `count`.
static ts_status add_edges(work *w, size_t *count, const ts_mesh *mesh, const ts_vec3 *vertices,
                           wire_kind kind) {
  for (size_t h = 0; h < 3 * mesh->triangle_count; h++) {
    const uint32_t *corners = mesh->triangles[h / 3];
    if (mesh->edge_twin[h] < h || kind_of(mesh, vertices, h) != kind)
      continue;
    (*count)++;
    if (w)
      TS_TRY(add_edge(w, vertices[corners[h % 3]], vertices[corners[(h + 1) % 3]], kind == SOFT));
  }
  return TS_OK;
}

/// Adds the edges of the bodies; the soft ones only if they are not too many.
static ts_status add_bodies(work *w, const ts_snapshot *snapshot, ts_vec3 *const *vertices) {
  size_t soft = 0, hard = 0;
  for (size_t i = 0; i < snapshot->body_count; i++)
    TS_TRY(add_edges(NULL, &soft, snapshot->bodies[i].designed.mesh, vertices[i], SOFT));
  w->out->is_thinned = soft > TS_WIREFRAME_SOFT_MAX;
  for (size_t i = 0; i < snapshot->body_count; i++) {
    const ts_mesh *mesh = snapshot->bodies[i].designed.mesh;
    if (!w->out->is_thinned)
      TS_TRY(add_edges(w, &soft, mesh, vertices[i], SOFT));
    TS_TRY(add_edges(w, &hard, mesh, vertices[i], HARD));
  }
  return TS_OK;
}

ts_status ts_wireframe_create(ts_wireframe *out, ts_arena *arena, const ts_snapshot *snapshot,
                              const ts_vec3 *shifts, const ts_view *view) {
  *out = (ts_wireframe){.size_m = 1};
  work w = {.out = out, .arena = arena};
  ts_vec3 **vertices = ts_arena_array(arena, snapshot->body_count, sizeof *vertices);
  if (!vertices)
    return TS_E_MEMORY;
  for (size_t i = 0; i < snapshot->body_count; i++) {
    vertices[i] = view_vertices(arena, &snapshot->bodies[i], shifts[i], view);
    if (!vertices[i])
      return TS_E_MEMORY;
  }
  TS_TRY(find_triangles(&w, snapshot, vertices));
  return add_bodies(&w, snapshot, vertices);
}
