#include "methods/semi_overlap.h"

#include "base/status.h"

#include <stdlib.h>

typedef struct search {
  ts_semi_pair *pair;
  ts_semi_overlap *out;
} search;

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

/// The edges of triangle `own` of a body through triangle `other` of the other one.
static ts_status cross_edges(search *s, int body, uint32_t own, uint32_t other) {
  const ts_semi_side *side = &s->pair->side[body], *beside = &s->pair->side[1 - body];
  uint32_t patch = beside->patches->patch_of[other];
  double height[3], snap = s->pair->s.snap_m;
  ts_vec3 v[3], t[3];
  corners_of(v, side, own);
  for (int i = 0; i < 3; i++)
    height[i] = ts_vec3_dot(beside->normals[patch], v[i]) - beside->offsets_m[patch];
  if ((height[0] >= -snap && height[1] >= -snap && height[2] >= -snap) ||
      (height[0] <= snap && height[1] <= snap && height[2] <= snap))
    return TS_OK;
  corners_of(t, beside, other);
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t h = 3 * own + i, k = (i + 1) % 3;
    uint32_t in = height[i] < height[k] ? i : k, out = i + k - in;
    ts_semi_crossing c = {.body = body, .half_edge = h, .triangle = other};
    if (h > side->mesh->edge_twin[h]) // comes with its other triangle
      continue;
    if (!(height[in] < -snap && height[out] > snap) || !goes_through(&c.point, v[out], v[in], t))
      continue;
    c.inside = side->mesh->triangles[own][in];
    TS_TRY(ts_semi_grow((void **)&s->out->crossings, &s->out->crossing_capacity,
                        s->out->crossing_count, sizeof c, s->pair->host));
    s->out->crossings[s->out->crossing_count++] = c;
  }
  return TS_OK;
}

static ts_status visit(void *context, uint32_t t0, uint32_t t1) {
  TS_TRY(cross_edges(context, 0, t0, t1));
  return cross_edges(context, 1, t1, t0);
}

ts_status ts_semi_find_crossings(ts_semi_overlap *out, ts_semi_pair *pair) {
  *out = (ts_semi_overlap){.crossing_count = 0};
  search s = {pair, out};
  return ts_bvh_tandem(pair->side[0].shape->triangles, pair->side[1].shape->triangles,
                       pair->other_to_frame, 0, visit, &s);
}

/// A forest over the vertices of both bodies, then the crossings.
typedef struct forest {
  uint32_t *parent;
  uint32_t first_vertex[2], first_crossing;
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

/// Joins vertices over mesh edges that no triangle of the other body cuts.
static ts_status join_vertices(forest *f, const ts_semi_overlap *overlap, const ts_semi_pair *pair,
                               int body) {
  const ts_mesh *mesh = pair->side[body].mesh;
  uint32_t half_edge_count = (uint32_t)(3 * mesh->triangle_count);
  uint8_t *is_cut = ts_semi_scratch(pair->host, half_edge_count, sizeof *is_cut);
  if (!is_cut)
    return TS_E_MEMORY;
  for (size_t i = 0; i < overlap->crossing_count; i++) {
    const ts_semi_crossing *c = &overlap->crossings[i];
    if (c->body == body)
      is_cut[c->half_edge] = is_cut[mesh->edge_twin[c->half_edge]] = 1;
  }
  for (uint32_t h = 0; h < half_edge_count; h++)
    if (!is_cut[h] && h < mesh->edge_twin[h])
      join(f->parent, f->first_vertex[body] + mesh->triangles[h / 3][h % 3],
           f->first_vertex[body] + mesh->triangles[h / 3][next_corner(h) % 3]);
  return TS_OK;
}

/// Tells of each edge that is cut whether the crossings agree which end is inside. One that goes in
/// and out again has both outside, or both inside.
static ts_status mark_ends(uint8_t **out, const ts_semi_overlap *overlap, const ts_semi_pair *pair,
                           int body) {
  enum { START = 1, END = 2 };
  const ts_mesh *mesh = pair->side[body].mesh;
  *out = ts_semi_scratch(pair->host, 3 * mesh->triangle_count, sizeof **out);
  if (!*out)
    return TS_E_MEMORY;
  for (size_t i = 0; i < overlap->crossing_count; i++) {
    const ts_semi_crossing *c = &overlap->crossings[i];
    if (c->body == body)
      (*out)[c->half_edge] |=
          mesh->triangles[c->half_edge / 3][c->half_edge % 3] == c->inside ? START : END;
  }
  return TS_OK;
}

/// Joins each crossing with what is inside and with the others in its triangles.
static ts_status join_crossings(forest *f, const ts_semi_overlap *overlap,
                                const ts_semi_pair *pair) {
  uint32_t *last[2];
  uint8_t *ends[2];
  for (int body = 0; body < 2; body++) {
    last[body] =
        ts_semi_scratch(pair->host, pair->side[body].mesh->triangle_count, sizeof *last[body]);
    if (!last[body])
      return TS_E_MEMORY;
    TS_TRY(mark_ends(&ends[body], overlap, pair, body));
  }
  for (uint32_t i = 0; i < overlap->crossing_count; i++) {
    const ts_semi_crossing *c = &overlap->crossings[i];
    uint32_t node = f->first_crossing + i;
    if (ends[c->body][c->half_edge] != 3)
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

ts_status ts_semi_find_parts(ts_semi_overlap *overlap, ts_semi_pair *pair) {
  size_t vertex_count[2] = {pair->side[0].mesh->vertex_count, pair->side[1].mesh->vertex_count};
  size_t count = vertex_count[0] + vertex_count[1] + overlap->crossing_count;
  forest f = {.first_vertex = {0, (uint32_t)vertex_count[0]},
              .first_crossing = (uint32_t)(vertex_count[0] + vertex_count[1])};
  f.parent = ts_semi_scratch(pair->host, count, sizeof *f.parent);
  uint8_t *is_part = ts_semi_scratch(pair->host, count, sizeof *is_part);
  overlap->points = ts_semi_scratch(pair->host, count, sizeof *overlap->points);
  if (!f.parent || !is_part || !overlap->points)
    return TS_E_MEMORY;
  ts_aabb room[2];
  for (int body = 0; body < 2; body++) {
    room[body] = ts_aabb_empty();
    for (size_t v = 0; v < vertex_count[body]; v++)
      room[body] = ts_aabb_add(room[body], pair->side[body].vertices[v]);
    room[body] = ts_aabb_inflate(room[body], pair->s.snap_m);
  }
  for (uint32_t i = 0; i < count; i++)
    f.parent[i] = i;
  for (int body = 0; body < 2; body++)
    TS_TRY(join_vertices(&f, overlap, pair, body));
  TS_TRY(join_crossings(&f, overlap, pair));
  for (uint32_t i = 0; i < overlap->crossing_count; i++)
    is_part[root_of(f.parent, f.first_crossing + i)] = 1;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t root = root_of(f.parent, i);
    if (!is_part[root])
      continue;
    int body = i >= f.first_crossing ? -1 : i >= f.first_vertex[1] ? 1 : 0;
    uint32_t index = i - (body < 0 ? f.first_crossing : f.first_vertex[body]);
    if (body >= 0 && !ts_aabb_contains(room[1 - body], pair->side[body].vertices[index]))
      continue; // a cut along a face that lies in one plane with another was not seen
    overlap->points[overlap->point_count++] = (ts_semi_overlap_point){
        root, body, index,
        body < 0 ? overlap->crossings[index].point : pair->side[body].vertices[index]};
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
    ts_aabb box = ts_aabb_empty(), room = ts_aabb_empty();
    for (size_t v = 0; v < inner->mesh->vertex_count; v++)
      box = ts_aabb_add(box, inner->vertices[v]);
    for (size_t v = 0; v < outer->mesh->vertex_count; v++)
      room = ts_aabb_add(room, outer->vertices[v]);
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
