// SPDX-License-Identifier: MIT
#include "harness/controls/node_foot.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/mesh/primitive_distance.h"
#include "geometry/tolerances.h"

#include <math.h>

static bool has_exact_surface(const ts_shape *shape) {
  int32_t kind = shape->geometry.kind;
  return shape->torus.tube_m > 0 || kind == TS_GEOMETRY_SPHERE || kind == TS_GEOMETRY_BOX ||
         kind == TS_GEOMETRY_PLANE;
}

/// Of a box. A point beside a face differs from it along one axis only, to the bit, however near it
/// is; one on it is on the face that it is least inside of.
static ts_vec3 outward_of_box(ts_vec3 half_m, ts_vec3 from, const ts_nearest *nearest) {
  ts_vec3 away = ts_vec3_unit(ts_vec3_sub(from, nearest->point));
  if (ts_vec3_norm2(away) > 0)
    return nearest->distance_m > 0 ? away : ts_vec3_neg(away);
  double x = fabs(from.x) - half_m.x, y = fabs(from.y) - half_m.y, z = fabs(from.z) - half_m.z;
  if (x >= y && x >= z)
    return ts_vec3_make(copysign(1, from.x), 0, 0);
  return y >= z ? ts_vec3_make(0, copysign(1, from.y), 0) : ts_vec3_make(0, 0, copysign(1, from.z));
}

static ts_node_foot foot_on_exact(const ts_shape *shape, ts_vec3 from) {
  const ts_geometry *g = &shape->geometry;
  if (shape->torus.tube_m > 0) {
    ts_nearest nearest = ts_torus_nearest(shape->torus, from);
    double off_axis_m = hypot(nearest.point.x, nearest.point.z);
    double to_middle = shape->torus.ring_m / off_axis_m;
    ts_vec3 middle = {nearest.point.x * to_middle, 0, nearest.point.z * to_middle};
    return (ts_node_foot){
        nearest.distance_m, ts_vec3_unit(ts_vec3_sub(nearest.point, middle)), {0, 0}};
  }
  ts_nearest nearest = ts_geometry_nearest(g, from);
  ts_vec3 outward = g->kind == TS_GEOMETRY_SPHERE ? ts_vec3_unit(nearest.point)
                    : g->kind == TS_GEOMETRY_BOX  ? outward_of_box(g->half_size_m, from, &nearest)
                                                  : ts_vec3_make(0, 1, 0);
  return (ts_node_foot){nearest.distance_m, outward, {0, 0}};
}

/// Search for the triangle of a mesh that is nearest to a point.
typedef struct search {
  const ts_surface *surface;
  ts_vec3 from;
  ts_closest_on_triangle best;
  uint32_t triangle;
  double reach_m; ///< up to which it is looked for
} search;

static void corners_of(ts_vec3 out[3], const ts_mesh *mesh, uint32_t triangle) {
  for (int i = 0; i < 3; i++)
    out[i] = mesh->vertices[mesh->triangles[triangle][i]];
}

/// Of equally near ones the first, whatever the order of the search.
static ts_status look_at(void *context, uint32_t triangle, uint32_t unused) {
  (void)unused;
  search *s = context;
  ts_vec3 corners[3];
  corners_of(corners, s->surface->mesh, triangle);
  ts_closest_on_triangle found = ts_closest_point_triangle(s->from, corners);
  if (found.distance_m > s->reach_m || found.distance_m > s->best.distance_m ||
      (found.distance_m == s->best.distance_m && triangle > s->triangle))
    return TS_OK;
  s->best = found;
  s->triangle = triangle;
  return TS_OK;
}

/// A way from a point, and the first triangle on it.
typedef struct way {
  const ts_surface *surface;
  ts_vec3 from, direction;
  double reach_m; ///< to that triangle
  bool leaves;    ///< the solid, there
} way;

static ts_status cross(void *context, uint32_t triangle, uint32_t unused) {
  (void)unused;
  way *w = context;
  ts_vec3 p[3];
  corners_of(p, w->surface->mesh, triangle);
  ts_vec3 u = ts_vec3_sub(p[1], p[0]), v = ts_vec3_sub(p[2], p[0]), to = ts_vec3_sub(w->from, p[0]);
  ts_vec3 across = ts_vec3_cross(w->direction, v), other = ts_vec3_cross(to, u);
  double volume = ts_vec3_dot(u, across);
  double s = ts_vec3_dot(to, across) / volume, t = ts_vec3_dot(w->direction, other) / volume;
  double along_m = ts_vec3_dot(v, other) / volume;
  bool is_hit = s >= 0 && t >= 0 && s + t <= 1 && along_m >= 0 && along_m < w->reach_m;
  if (!is_hit) // NaN where the way lies in the plane
    return TS_OK;
  w->reach_m = along_m;
  w->leaves = ts_vec3_dot(w->surface->face_normals[triangle], w->direction) > 0;
  return TS_OK;
}

/// Whether a point, which is not near the surface, is inside of it: whether the first triangle on a
/// way from there faces along it. The way is along no axis, so that it seldom meets an edge.
static ts_status find_inside(bool *out, const ts_surface *surface, ts_vec3 from) {
  way w = {.surface = surface, .from = from, .reach_m = INFINITY};
  w.direction = ts_vec3_unit(ts_vec3_make(0.31, 0.59, 0.73));
  ts_status status = ts_bvh_along(surface->bvh, from, w.direction, &w.reach_m, cross, &w);
  *out = w.leaves;
  return status;
}

/// The nearest triangle within reach; of a point inside the nearest one however far it is.
static ts_status search_mesh(search *s, double reach_m) {
  s->reach_m = reach_m;
  s->best.distance_m = INFINITY;
  TS_TRY(ts_bvh_near(s->surface->bvh, s->from, s->reach_m, look_at, s));
  bool is_inside = false;
  ts_aabb box = ts_bvh_bounds(s->surface->bvh);
  if (isinf(s->best.distance_m) && ts_aabb_contains(box, s->from))
    TS_TRY(find_inside(&is_inside, s->surface, s->from));
  double least_m = TS_POSITION_RELATIVE * ts_aabb_extent(box);
  while (is_inside && isinf(s->best.distance_m)) {
    s->reach_m = fmax(2 * s->reach_m, least_m);
    TS_TRY(ts_bvh_near(s->surface->bvh, s->from, s->reach_m, look_at, s));
  }
  return TS_OK;
}

/// The mean of the normals of the faces around a feature, by their angles there (Baerentzen and
/// Aanaes 2005): a point is outside if it is on that side of its nearest point. Not unit.
static ts_vec3 pseudo_normal(const search *s) {
  const ts_surface *surface = s->surface;
  const ts_mesh *mesh = surface->mesh;
  ts_vec3 normal = surface->face_normals[s->triangle];
  uint32_t half_edge = 3 * s->triangle + (uint32_t)s->best.corner;
  if (s->best.kind == TS_FEATURE_EDGE)
    return ts_vec3_add(normal, surface->face_normals[mesh->edge_twin[half_edge] / 3]);
  if (s->best.kind != TS_FEATURE_VERTEX)
    return normal;
  uint32_t vertex = mesh->triangles[s->triangle][s->best.corner];
  ts_vec3 sum = {0, 0, 0};
  for (uint32_t k = surface->fan_start[vertex]; k < surface->fan_start[vertex + 1]; k++) {
    uint32_t h = surface->fan[k], t = h / 3;
    ts_vec3 at = mesh->vertices[vertex];
    ts_vec3 next = mesh->vertices[mesh->triangles[t][(h + 1) % 3]];
    ts_vec3 last = mesh->vertices[mesh->triangles[t][(h + 2) % 3]];
    double angle_rad = ts_vec3_angle(ts_vec3_sub(next, at), ts_vec3_sub(last, at));
    sum = ts_vec3_add_scaled(sum, angle_rad, surface->face_normals[t]);
  }
  return sum;
}

static ts_status foot_on_mesh(ts_node_foot *out, const ts_surface *surface, ts_vec3 from,
                              double reach_m) {
  search s = {.surface = surface, .from = from};
  *out = (ts_node_foot){.gap_m = INFINITY};
  TS_TRY(search_mesh(&s, reach_m));
  if (isinf(s.best.distance_m))
    return TS_OK;
  ts_vec3 away = ts_vec3_sub(from, s.best.point), pseudo = pseudo_normal(&s);
  double sign = ts_vec3_dot(away, pseudo) < 0 ? -1 : 1;
  // On the surface the way from it is rounding.
  bool is_on = s.best.distance_m <= TS_TOUCH_RELATIVE * ts_aabb_extent(ts_bvh_bounds(surface->bvh));
  *out = (ts_node_foot){.gap_m = sign * s.best.distance_m,
                        .outward = ts_vec3_unit(is_on ? pseudo : ts_vec3_scale(away, sign)),
                        .feature = ts_surface_face(s.triangle)};
  return TS_OK;
}

ts_status ts_node_foot_find(ts_node_foot *out, const ts_shape *shape, const ts_surface *surface,
                            ts_vec3 from, double reach_m) {
  if (!shape || !has_exact_surface(shape))
    return foot_on_mesh(out, surface, from, reach_m);
  *out = foot_on_exact(shape, from);
  return TS_OK;
}
