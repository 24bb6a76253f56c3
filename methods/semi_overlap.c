#include "methods/semi_overlap.h"

#include "base/status.h"
#include "geometry/closest.h"

#include <stdlib.h>

static uint32_t next_corner(uint32_t half_edge) {
  return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1;
}

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

/// The edges of triangle `own` of a body, with its heights, through triangle `other` of the other
/// one.
static ts_status cross_edges(ts_semi_overlap *out, const ts_semi_pair *pair, int body, uint32_t own,
                             uint32_t other, const double height[3]) {
  const ts_semi_side *side = &pair->side[body];
  double snap = pair->s.snap_m;
  ts_vec3 v[3], t[3];
  corners_of(v, side, own);
  corners_of(t, &pair->side[1 - body], other);
  for (int i = 0; i < 3; i++)
    if (fabs(height[i]) <= snap && ts_closest_point_triangle(v[i], t).distance_m <= 2 * snap)
      out->is_on[body][side->mesh->triangles[own][i]] = 1;
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
    TS_TRY(ts_semi_grow((void **)&out->crossings, &out->crossing_capacity, out->crossing_count,
                        sizeof c, pair->host));
    out->crossings[out->crossing_count++] = c;
  }
  return TS_OK;
}

ts_status ts_semi_find_crossings(ts_semi_overlap *out, ts_semi_pair *pair) {
  *out = (ts_semi_overlap){.crossing_count = 0};
  for (int body = 0; body < 2; body++) {
    out->is_on[body] = ts_semi_scratch(pair->host, pair->side[body].mesh->vertex_count, 1);
    if (!out->is_on[body])
      return TS_E_MEMORY;
  }
  for (size_t i = 0; i < pair->close_count; i++) {
    const uint32_t *t = pair->close[i].triangles;
    double height[2][3];
    if (!meets_plane(height[0], pair, 0, t[0], t[1]) ||
        !meets_plane(height[1], pair, 1, t[1], t[0]))
      continue;
    TS_TRY(cross_edges(out, pair, 0, t[0], t[1], height[0]));
    TS_TRY(cross_edges(out, pair, 1, t[1], t[0], height[1]));
  }
  return TS_OK;
}

/// Which ends of an edge are inside, as its crossings have it. One that goes in and out again has
/// both outside, or both inside.
enum { NOT_CUT = 0, START_INSIDE = 1, END_INSIDE = 2, UNKNOWN_INSIDE = 3 };

/// A forest over the vertices of both bodies, then the crossings. Only what the overlap reaches is
/// looked at.
typedef struct forest {
  const ts_semi_overlap *overlap;
  const ts_semi_pair *pair;
  uint32_t *parent;
  uint32_t first_vertex[2], first_crossing;
  uint8_t *ends[2]; ///< [half edge count] of each body, by the ids of edges
  /// A half edge from each vertex that was reached, per body in the order of reaching, and whether
  /// a vertex was.
  uint32_t *reached[2];
  size_t reached_count[2];
  uint8_t *is_reached[2];
} forest;

static uint32_t root_of(uint32_t *parent, uint32_t i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

static void join(uint32_t *parent, uint32_t i, uint32_t k) {
  uint32_t a = root_of(parent, i), b = root_of(parent, k);
  parent[a > b ? a : b] = a > b ? b : a;
}

static ts_status forest_create(forest *f, const ts_semi_overlap *overlap,
                               const ts_semi_pair *pair) {
  const ts_mesh *mesh[2] = {pair->side[0].mesh, pair->side[1].mesh};
  *f = (forest){.overlap = overlap,
                .pair = pair,
                .first_vertex = {0, (uint32_t)mesh[0]->vertex_count},
                .first_crossing = (uint32_t)(mesh[0]->vertex_count + mesh[1]->vertex_count)};
  uint32_t count = f->first_crossing + (uint32_t)overlap->crossing_count;
  f->parent = ts_semi_scratch(pair->host, count, sizeof *f->parent);
  if (!f->parent)
    return TS_E_MEMORY;
  for (uint32_t i = 0; i < count; i++)
    f->parent[i] = i;
  for (int body = 0; body < 2; body++) {
    f->ends[body] = ts_semi_scratch(pair->host, 3 * mesh[body]->triangle_count, 1);
    f->reached[body] =
        ts_semi_scratch(pair->host, mesh[body]->vertex_count, sizeof *f->reached[body]);
    f->is_reached[body] = ts_semi_scratch(pair->host, mesh[body]->vertex_count, 1);
    if (!f->ends[body] || !f->reached[body] || !f->is_reached[body])
      return TS_E_MEMORY;
  }
  for (size_t i = 0; i < overlap->crossing_count; i++) {
    const ts_semi_crossing *c = &overlap->crossings[i];
    bool is_start = mesh[c->body]->triangles[c->half_edge / 3][c->half_edge % 3] == c->inside;
    f->ends[c->body][c->half_edge] |= is_start ? START_INSIDE : END_INSIDE;
  }
  return TS_OK;
}

static void reach(forest *f, int body, uint32_t half_edge) {
  uint32_t vertex = f->pair->side[body].mesh->triangles[half_edge / 3][half_edge % 3];
  if (f->is_reached[body][vertex])
    return;
  f->is_reached[body][vertex] = 1;
  f->reached[body][f->reached_count[body]++] = half_edge;
}

/// Joins vertices over mesh edges that no triangle of the other body cuts, from the ends of cut
/// edges that are inside.
static void join_vertices(forest *f, int body) {
  const ts_mesh *mesh = f->pair->side[body].mesh;
  for (size_t i = 0; i < f->overlap->crossing_count; i++) {
    const ts_semi_crossing *c = &f->overlap->crossings[i];
    if (c->body != body)
      continue;
    if (f->ends[body][c->half_edge] == START_INSIDE)
      reach(f, body, c->half_edge);
    else if (f->ends[body][c->half_edge] == END_INSIDE)
      reach(f, body, mesh->edge_twin[c->half_edge]);
  }
  for (size_t i = 0; i < f->reached_count[body]; i++) {
    uint32_t first = f->reached[body][i], h = first;
    // The surface goes on outside.
    if (f->overlap->is_on[body][mesh->triangles[first / 3][first % 3]])
      continue;
    do {
      uint32_t twin = mesh->edge_twin[h];
      if (f->ends[body][h < twin ? h : twin] == NOT_CUT) {
        reach(f, body, twin);
        join(f->parent, f->first_vertex[body] + mesh->triangles[h / 3][h % 3],
             f->first_vertex[body] + mesh->triangles[twin / 3][twin % 3]);
      }
      h = mesh->edge_twin[next_corner(next_corner(h))]; // the next one around the vertex
    } while (h != first);
  }
}

/// Joins each crossing with what is inside and with the others in its triangles.
static ts_status join_crossings(forest *f) {
  const ts_semi_overlap *overlap = f->overlap;
  const ts_semi_pair *pair = f->pair;
  uint32_t *last[2];
  for (int body = 0; body < 2; body++) {
    last[body] =
        ts_semi_scratch(pair->host, pair->side[body].mesh->triangle_count, sizeof *last[body]);
    if (!last[body])
      return TS_E_MEMORY;
  }
  for (uint32_t i = 0; i < overlap->crossing_count; i++) {
    const ts_semi_crossing *c = &overlap->crossings[i];
    uint32_t node = f->first_crossing + i;
    if (f->ends[c->body][c->half_edge] != UNKNOWN_INSIDE)
      join(f->parent, node, f->first_vertex[c->body] + c->inside);
    uint32_t twin = pair->side[c->body].mesh->edge_twin[c->half_edge];
    uint32_t *seen[3] = {&last[c->body][c->half_edge / 3], &last[c->body][twin / 3],
                         &last[1 - c->body][c->triangle]};
    for (int k = 0; k < 3; k++) {
      if (*seen[k])
        join(f->parent, node, f->first_crossing + *seen[k] - 1);
      *seen[k] = i + 1;
    }
  }
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

static ts_aabb box_of(const ts_semi_side *side) {
  ts_aabb box = ts_aabb_empty();
  for (size_t v = 0; v < side->mesh->vertex_count; v++)
    box = ts_aabb_add(box, side->vertices[v]);
  return box;
}

ts_status ts_semi_find_parts(ts_semi_overlap *overlap, ts_semi_pair *pair) {
  forest f;
  TS_TRY(forest_create(&f, overlap, pair));
  for (int body = 0; body < 2; body++)
    join_vertices(&f, body);
  TS_TRY(join_crossings(&f));
  overlap->points =
      ts_semi_scratch(pair->host, overlap->crossing_count + f.reached_count[0] + f.reached_count[1],
                      sizeof *overlap->points);
  if (!overlap->points)
    return TS_E_MEMORY;
  for (uint32_t i = 0; i < overlap->crossing_count; i++)
    overlap->points[overlap->point_count++] = (ts_semi_overlap_point){
        root_of(f.parent, f.first_crossing + i), -1, i, overlap->crossings[i].point};
  for (int body = 0; body < 2; body++) {
    const ts_semi_side *side = &pair->side[body];
    ts_aabb room = ts_aabb_inflate(box_of(&pair->side[1 - body]), pair->s.snap_m);
    for (size_t i = 0; i < f.reached_count[body]; i++) {
      uint32_t h = f.reached[body][i], vertex = side->mesh->triangles[h / 3][h % 3];
      if (!ts_aabb_contains(room, side->vertices[vertex]))
        continue; // a cut along a face that lies in one plane with another was not seen
      overlap->points[overlap->point_count++] = (ts_semi_overlap_point){
          root_of(f.parent, f.first_vertex[body] + vertex), body, vertex, side->vertices[vertex]};
    }
  }
  if (overlap->point_count > 1)
    qsort(overlap->points, overlap->point_count, sizeof *overlap->points, compare_points);
  return TS_OK;
}

/// Solid angle of a triangle seen from a point (Van Oosterom and Strackee 1983), halved.
static double half_solid_angle(ts_vec3 p, const ts_vec3 t[3]) {
  ts_vec3 a = ts_vec3_sub(t[0], p), b = ts_vec3_sub(t[1], p), c = ts_vec3_sub(t[2], p);
  double la = ts_vec3_norm(a), lb = ts_vec3_norm(b), lc = ts_vec3_norm(c);
  double below =
      la * lb * lc + ts_vec3_dot(a, b) * lc + ts_vec3_dot(b, c) * la + ts_vec3_dot(c, a) * lb;
  return atan2(ts_vec3_dot(a, ts_vec3_cross(b, c)), below);
}

bool ts_semi_is_inside(const ts_semi_pair *pair) {
  for (int body = 0; body < 2; body++) {
    const ts_semi_side *outer = &pair->side[body], *inner = &pair->side[1 - body];
    ts_aabb box = box_of(inner), room = box_of(outer);
    if (!ts_aabb_contains(room, box.low) || !ts_aabb_contains(room, box.high))
      continue;
    double sum = 0;
    for (uint32_t t = 0; t < outer->mesh->triangle_count; t++) {
      ts_vec3 corners[3];
      corners_of(corners, outer, t);
      sum += half_solid_angle(inner->vertices[inner->mesh->triangles[0][0]], corners);
    }
    if (sum > 3.14159265358979323846) // half of a full turn's half: 2 pi inside, 0 outside
      return true;
  }
  return false;
}
