// SPDX-License-Identifier: MIT
#include "tests/methods/semi_local/convex_oracle.h"

#include "geometry/closest.h"
#include "geometry/mesh/mesh.h"
#include "geometry/predicates.h"

#include <criterion/criterion.h>
#include <float.h>
#include <string.h>

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 wide;
#else
typedef long double wide;
_Static_assert(LDBL_MANT_DIG >= 64, "the oracle needs more digits than a double has");
#endif

typedef struct wide_vec3 {
  wide x, y, z;
} wide_vec3;

static wide_vec3 widen(ts_vec3 p) {
  return (wide_vec3){p.x, p.y, p.z};
}

static ts_vec3 narrow(wide_vec3 p) {
  return (ts_vec3){(double)p.x, (double)p.y, (double)p.z};
}

static wide_vec3 wide_sub(wide_vec3 a, wide_vec3 b) {
  return (wide_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static wide wide_dot(wide_vec3 a, wide_vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static wide_vec3 wide_cross(wide_vec3 a, wide_vec3 b) {
  return (wide_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Newton's iteration from the root in double precision.
static wide wide_sqrt(wide square) {
  wide root = sqrt((double)square);
  for (int i = 0; i < 3 && root > 0; i++)
    root = (root + square / root) / 2;
  return root;
}

static wide_vec3 wide_unit(wide_vec3 a) {
  // Squares of short vectors lose nothing: the type has the exponents of long double.
  wide length = wide_sqrt(wide_dot(a, a));
  return length > 0 ? (wide_vec3){a.x / length, a.y / length, a.z / length} : a;
}

static wide_vec3 wide_place(ts_pose pose, ts_vec3 local) {
  wide w = pose.rotation.w, x = pose.rotation.x, y = pose.rotation.y, z = pose.rotation.z;
  wide length2 = w * w + x * x + y * y + z * z;
  wide_vec3 axis = {x, y, z}, p = widen(local), c = wide_cross(axis, p);
  wide_vec3 t = {2 * c.x, 2 * c.y, 2 * c.z}, u = wide_cross(axis, t);
  return (wide_vec3){p.x + (w * t.x + u.x) / length2 + pose.translation.x,
                     p.y + (w * t.y + u.y) / length2 + pose.translation.y,
                     p.z + (w * t.z + u.z) / length2 + pose.translation.z};
}

/// A body in the world: vertices, face normals and edges, all also rounded.
typedef struct solid {
  size_t vertex_count, face_count, edge_count;
  wide_vec3 *vertices, *normals, *edges;
  ts_vec3 *vertices_rounded, *edges_rounded;
} solid;

static solid place(const ts_mesh *mesh, ts_pose pose, ts_arena *arena, ts_vec3 origin) {
  solid s = {.vertex_count = mesh->vertex_count, .face_count = mesh->triangle_count};
  s.vertices = ts_arena_array(arena, s.vertex_count, sizeof *s.vertices);
  s.vertices_rounded = ts_arena_array(arena, s.vertex_count, sizeof *s.vertices_rounded);
  s.normals = ts_arena_array(arena, s.face_count, sizeof *s.normals);
  s.edges = ts_arena_array(arena, 3 * s.face_count, sizeof *s.edges);
  s.edges_rounded = ts_arena_array(arena, 3 * s.face_count, sizeof *s.edges_rounded);
  cr_assert(s.vertices && s.vertices_rounded && s.normals && s.edges && s.edges_rounded);
  for (size_t i = 0; i < s.vertex_count; i++) {
    s.vertices[i] = wide_sub(wide_place(pose, mesh->vertices[i]), widen(origin));
    s.vertices_rounded[i] = narrow(s.vertices[i]);
  }
  for (size_t h = 0; h < 3 * s.face_count; h++) {
    const uint32_t *t = mesh->triangles[h / 3];
    wide_vec3 edge = wide_sub(s.vertices[t[(h + 1) % 3]], s.vertices[t[h % 3]]);
    if (h % 3 == 0)
      s.normals[h / 3] = wide_unit(wide_cross(edge, wide_sub(s.vertices[t[2]], s.vertices[t[0]])));
    if (h > mesh->edge_twin[h])
      continue;
    s.edges[s.edge_count] = wide_unit(edge);
    s.edges_rounded[s.edge_count] = narrow(s.edges[s.edge_count]);
    s.edge_count++;
  }
  return s;
}

/// The axes under test.
typedef struct axis_search {
  const solid *a, *b;
  double rounding_m;
  double rounded_m; ///< the best so far, in double precision
  wide best_m;
  wide_vec3 normal;
} axis_search;

/// The larger of the separations both ways along a unit axis, in double precision.
static double measure_rounded(const axis_search *s, ts_vec3 axis) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  const solid *both[2] = {s->a, s->b};
  for (int body = 0; body < 2; body++)
    for (size_t i = 0; i < both[body]->vertex_count; i++) {
      double along = ts_vec3_dot(axis, both[body]->vertices_rounded[i]);
      low[body] = ts_min(low[body], along);
      high[body] = ts_max(high[body], along);
    }
  return ts_max(low[1] - high[0], low[0] - high[1]);
}

static void measure(axis_search *s, wide_vec3 axis) {
  const solid *both[2] = {s->a, s->b};
  wide low[2], high[2];
  for (int body = 0; body < 2; body++)
    for (size_t i = 0; i < both[body]->vertex_count; i++) {
      wide along = wide_dot(axis, both[body]->vertices[i]);
      if (i == 0 || along < low[body])
        low[body] = along;
      if (i == 0 || along > high[body])
        high[body] = along;
    }
  wide there = low[1] - high[0], back = low[0] - high[1];
  if (there > s->best_m) {
    s->best_m = there;
    s->normal = axis;
  }
  if (back > s->best_m) {
    s->best_m = back;
    s->normal = (wide_vec3){-axis.x, -axis.y, -axis.z};
  }
}

/// Axes that rounding cannot have put behind the best are measured exactly.
static void try_axis(axis_search *s, wide_vec3 axis) {
  double rounded = measure_rounded(s, narrow(axis));
  if (rounded < s->rounded_m - s->rounding_m)
    return;
  s->rounded_m = ts_max(s->rounded_m, rounded);
  measure(s, axis);
}

static void try_cross(axis_search *s, size_t edge_a, size_t edge_b) {
  ts_vec3 rounded = ts_vec3_cross(s->a->edges_rounded[edge_a], s->b->edges_rounded[edge_b]);
  double sine = ts_vec3_norm(rounded);
  // Of edges that are nearly parallel the rounded cross product says nothing.
  if (sine > 1e-6 && measure_rounded(s, ts_vec3_scale(rounded, 1 / sine)) <
                         s->rounded_m - (1 + 1e6) * s->rounding_m)
    return;
  wide_vec3 axis = wide_unit(wide_cross(s->a->edges[edge_a], s->b->edges[edge_b]));
  if (wide_dot(axis, axis) > 0.5)
    try_axis(s, axis);
}

convex_truth convex_oracle(const fixture_pair *pair) {
  ts_arena *arena;
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  ts_vec3 origin = ts_pose_point(pair->pose[0], pair->mesh[0]->vertices[0]);
  solid a = place(pair->mesh[0], pair->pose[0], arena, origin);
  solid b = place(pair->mesh[1], pair->pose[1], arena, origin);
  double largest = 0;
  for (size_t i = 0; i < a.vertex_count; i++)
    largest = ts_max(largest, ts_vec3_norm(a.vertices_rounded[i]));
  for (size_t i = 0; i < b.vertex_count; i++)
    largest = ts_max(largest, ts_vec3_norm(b.vertices_rounded[i]));
  axis_search s = {&a, &b, 1e-15 * largest, -INFINITY, -(wide)1e300, {0, 0, 0}};
  for (size_t i = 0; i < a.face_count; i++)
    try_axis(&s, a.normals[i]);
  for (size_t i = 0; i < b.face_count; i++)
    try_axis(&s, b.normals[i]);
  for (size_t i = 0; i < a.edge_count; i++)
    for (size_t k = 0; k < b.edge_count; k++)
      try_cross(&s, i, k);
  ts_arena_destroy(arena);
  return (convex_truth){(double)s.best_m, narrow(s.normal)};
}

double convex_distance(const ts_mesh *mesh, ts_pose pose, ts_vec3 point) {
  ts_vec3 p = ts_pose_point_local(pose, point);
  bool is_inside = true;
  double nearest = INFINITY;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    const uint32_t *c = mesh->triangles[t];
    const ts_vec3 v[3] = {mesh->vertices[c[0]], mesh->vertices[c[1]], mesh->vertices[c[2]]};
    is_inside &= ts_vec3_dot(ts_mesh_face_normal(mesh, t), ts_vec3_sub(p, v[0])) <= 0;
    nearest = ts_min(nearest, ts_closest_point_triangle(p, v).distance_m);
  }
  return is_inside ? 0 : nearest;
}

enum { POINTS_MAX = 40, FACES_MAX = 2 * POINTS_MAX };

/// A hull under construction. Faces are counter-clockwise from outside.
typedef struct hull {
  const ts_vec3 *points;
  uint32_t faces[FACES_MAX][3];
  size_t face_count;
} hull;

static int sees(const hull *h, const uint32_t face[3], uint32_t point) {
  return ts_orient3d(h->points[face[0]], h->points[face[1]], h->points[face[2]], h->points[point]) >
         0;
}

/// Whether a visible face has the edge from `to` to `from`.
static bool has_edge(const hull *h, const bool *is_seen, uint32_t from, uint32_t to) {
  for (size_t i = 0; i < h->face_count; i++)
    for (int k = 0; is_seen[i] && k < 3; k++)
      if (h->faces[i][k] == to && h->faces[i][(k + 1) % 3] == from)
        return true;
  return false;
}

/// Replaces the faces that a point sees by those over their outline.
static void add_point(hull *h, uint32_t point) {
  bool is_seen[FACES_MAX];
  hull next = {.points = h->points};
  for (size_t i = 0; i < h->face_count; i++)
    is_seen[i] = sees(h, h->faces[i], point);
  for (size_t i = 0; i < h->face_count; i++) {
    const uint32_t *f = h->faces[i];
    if (!is_seen[i]) {
      memcpy(next.faces[next.face_count++], f, sizeof h->faces[i]);
      continue;
    }
    for (int k = 0; k < 3; k++)
      if (!has_edge(h, is_seen, f[k], f[(k + 1) % 3])) {
        cr_assert_lt(next.face_count, FACES_MAX);
        memcpy(next.faces[next.face_count++], (uint32_t[3]){f[k], f[(k + 1) % 3], point},
               sizeof h->faces[i]);
      }
  }
  *h = next;
}

static const ts_mesh *make_hull(method_fixture *f, const ts_vec3 *points, uint32_t count) {
  hull h = {.points = points};
  int side = ts_orient3d(points[0], points[1], points[2], points[3]);
  if (!side)
    return NULL;
  static const uint32_t first[2][4][3] = {{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}},
                                          {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
  memcpy(h.faces, first[side > 0], sizeof first[0]);
  h.face_count = 4;
  for (uint32_t i = 4; i < count; i++)
    add_point(&h, i);
  uint32_t new_index[POINTS_MAX];
  ts_vec3 used[POINTS_MAX];
  uint32_t used_count = 0;
  memset(new_index, 0xff, sizeof new_index);
  for (size_t i = 0; i < 3 * h.face_count; i++) {
    uint32_t *v = &h.faces[i / 3][i % 3];
    if (new_index[*v] == UINT32_MAX) {
      used[used_count] = points[*v];
      new_index[*v] = used_count++;
    }
    *v = new_index[*v];
  }
  ts_mesh *mesh;
  // Points of a grid may be in one line.
  return ts_mesh_create(&mesh, f->arena, used, used_count, (const uint32_t(*)[3])h.faces,
                        h.face_count) == TS_OK
             ? mesh
             : NULL;
}

const convex_kind convex_kinds[CONVEX_KIND_COUNT] = {
    {"doubles", CONVEX_DOUBLES, 1, 1, 1, 0, false},
    {"thin", CONVEX_DOUBLES, 0.1, 1, 1, 0, false},
    {"floats", CONVEX_FLOATS, 1, 1, 1, 0, false},
    {"thin floats", CONVEX_FLOATS, 0.1, 1, 1, 0, false},
    {"millimetres", CONVEX_MILLIMETRES, 1, 1, 1, 0, false},
    {"thin millimetres", CONVEX_MILLIMETRES, 0.1, 1, 1, 0, false},
    {"sizes to 1:100", CONVEX_DOUBLES, 1, 100, 1, 0, false},
    {"thin, sizes to 1:100", CONVEX_DOUBLES, 0.1, 100, 1, 0, false},
    {"thin, turned", CONVEX_DOUBLES, 0.1, 3, 1, 0, true},
    {"thin, 1e4 m away", CONVEX_DOUBLES, 0.1, 3, 1, 1e4, true},
    {"scale 0.001", CONVEX_DOUBLES, 0.3, 3, 1e-3, 0, true},
    {"scale 1000", CONVEX_DOUBLES, 0.3, 3, 1e3, 0, true},
};

double convex_on_grid(double x, convex_grid grid) {
  return grid == CONVEX_DOUBLES  ? x
         : grid == CONVEX_FLOATS ? (double)(float)x
                                 : round(x * 1000) / 1000;
}

static ts_quat random_rotation(ts_random *random) {
  double u[3];
  for (int i = 0; i < 3; i++)
    u[i] = ts_random_unit(random);
  return ts_quat_uniform(u[0], u[1], u[2]);
}

static ts_vec3 random_direction(ts_random *random) {
  return ts_quat_rotate(random_rotation(random), (ts_vec3){0, 0, 1});
}

const ts_mesh *convex_random(method_fixture *f, ts_random *random, const convex_kind *kind,
                             double size_m) {
  ts_vec3 points[POINTS_MAX];
  uint32_t count = 8 + (uint32_t)(ts_random_u64(random) % (POINTS_MAX - 7));
  // Half of them in a box, half on an ellipsoid.
  bool is_round = ts_random_u64(random) % 2;
  ts_quat turn = random_rotation(random);
  for (uint32_t i = 0; i < count; i++) {
    ts_vec3 p = random_direction(random);
    if (!is_round)
      for (int k = 0; k < 3; k++)
        (&p.x)[k] = ts_random_uniform(random, -1, 1);
    p.z *= kind->thinness;
    p = ts_vec3_scale(ts_quat_rotate(turn, p), 0.5 * size_m);
    points[i] =
        ts_vec3_scale((ts_vec3){convex_on_grid(p.x, kind->grid), convex_on_grid(p.y, kind->grid),
                                convex_on_grid(p.z, kind->grid)},
                      kind->scale);
  }
  return make_hull(f, points, count);
}

/// A point inside.
static ts_vec3 middle_of(const ts_mesh *mesh) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < mesh->vertex_count; i++)
    sum = ts_vec3_add(sum, mesh->vertices[i]);
  return ts_vec3_scale(sum, 1.0 / (double)mesh->vertex_count);
}

fixture_pair convex_random_bodies(method_fixture *f, ts_random *random, const convex_kind *kind) {
  fixture_pair pair;
  double size[2] = {ts_random_uniform(random, 0.05, 0.15), 0};
  size[1] = size[0];
  if (kind->ratio > 1)
    size[0] *= pow(kind->ratio, ts_random_unit(random));
  if (ts_random_u64(random) % 2) {
    double swap = size[0];
    size[0] = size[1];
    size[1] = swap;
  }
  ts_vec3 away = ts_vec3_scale(random_direction(random), kind->away_m);
  for (int body = 0; body < 2; body++) {
    do
      pair.mesh[body] = convex_random(f, random, kind, size[body]);
    while (!pair.mesh[body]);
    pair.pose[body] = (ts_pose){ts_quat_identity(), away};
    if (kind->is_turned)
      pair.pose[body].rotation = random_rotation(random);
  }
  return pair;
}

fixture_pair convex_random_pair(method_fixture *f, ts_random *random, const convex_kind *kind,
                                double gap_of_size) {
  fixture_pair pair = convex_random_bodies(f, random, kind);
  ts_aabb box[2] = {ts_mesh_bounds(pair.mesh[0]), ts_mesh_bounds(pair.mesh[1])};
  double gap_m = gap_of_size * fmin(ts_aabb_extent(box[0]), ts_aabb_extent(box[1]));
  // Somewhere in the surface of body 0; from there out along the shortest way.
  const uint32_t *t = pair.mesh[0]->triangles[ts_random_u64(random) % pair.mesh[0]->triangle_count];
  double u = ts_random_unit(random), v = ts_random_unit(random);
  const ts_vec3 *corners = pair.mesh[0]->vertices;
  ts_vec3 place = ts_vec3_lerp(ts_vec3_lerp(corners[t[0]], corners[t[1]], u), corners[t[2]], v);
  ts_vec3 middle = middle_of(pair.mesh[0]), own = middle_of(pair.mesh[1]);
  convex_truth truth = {.gap_m = INFINITY};
  for (int turn = 0; turn < 40 && truth.gap_m > gap_m; turn++) {
    ts_vec3 to = ts_pose_point(pair.pose[0], place);
    pair.pose[1].translation = ts_vec3_sub(to, ts_quat_rotate(pair.pose[1].rotation, own));
    truth = convex_oracle(&pair);
    place = ts_vec3_lerp(place, middle, 0.3);
  }
  pair.pose[1].translation =
      ts_vec3_add_scaled(pair.pose[1].translation, gap_m - truth.gap_m, truth.normal);
  return pair;
}
