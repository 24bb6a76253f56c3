// SPDX-License-Identifier: MIT
#include "methods/sdf_samples/sdf_field.h"

#include "geometry/distance/mesh_nearest.h"

#include <stdbool.h>

enum {
  EDGE_INTERVALS = 16, ///< between the first points on an edge
  GOLDEN_STEPS = 40,   ///< at most; they shorten an eighth of an edge below 1e-9 of it
  TRIANGLE_STEPS = 16
};
#define GOLDEN      0.61803398874989484820
// Golden sections end at so many times what counts as equal.
#define GOLDEN_ENDS 10

typedef struct search {
  const ts_sdf_field *field;
  ts_vec3 from;
  ts_mesh_nearest best;
  double reach_m; ///< what is as near as the best
} search;

/// -1, 0, 1 for a number below, equal to, and above another.
static int compare(double x, double y, double equal) {
  return fabs(x - y) <= equal ? 0 : x < y ? -1 : 1;
}

static int compare_points(ts_vec3 p, ts_vec3 q, double equal) {
  int order = compare(p.x, q.x, equal);
  order = order ? order : compare(p.y, q.y, equal);
  return order ? order : compare(p.z, q.z, equal);
}

/// Whether a nearest point goes before another at the same distance: the lesser point, and where
/// they are one point, the corner, the edge, the face.
static bool goes_first(const search *s, const ts_closest_on_triangle *at) {
  int order = compare_points(at->point, s->best.at.point, s->field->equal_m);
  return order ? order < 0 : at->kind < s->best.at.kind;
}

static ts_status visit(void *context, uint32_t triangle, uint32_t none) {
  (void)none;
  search *s = context;
  const ts_mesh *mesh = s->field->mesh;
  ts_vec3 corners[3];
  for (int i = 0; i < 3; i++)
    corners[i] = mesh->vertices[mesh->triangles[triangle][i]];
  ts_closest_on_triangle at = ts_closest_point_triangle(s->from, corners);
  bool nearer = at.distance_m < s->best.at.distance_m - s->field->equal_m;
  if (nearer || (at.distance_m <= s->reach_m && goes_first(s, &at)))
    s->best = (ts_mesh_nearest){at, triangle};
  s->reach_m = ts_min(s->reach_m, at.distance_m + s->field->equal_m);
  return TS_OK;
}

static ts_feature feature_of(const ts_mesh *mesh, const ts_mesh_nearest *nearest) {
  switch (nearest->at.kind) {
  case TS_FEATURE_VERTEX:
    return (ts_feature){TS_FEATURE_VERTEX, mesh->triangles[nearest->triangle][nearest->at.corner]};
  case TS_FEATURE_EDGE:
    return (ts_feature){TS_FEATURE_EDGE,
                        ts_mesh_edge_id(mesh, nearest->triangle, nearest->at.corner)};
  default:
    return (ts_feature){TS_FEATURE_FACE, nearest->triangle};
  }
}

/// The surface is known to be within that distance of the point.
static ts_sdf_value exact_at(const ts_sdf_field *field, ts_vec3 point, double within_m) {
  search s = {field, point, {.at.distance_m = INFINITY}, within_m + 2 * field->equal_m};
  // The visitor never fails.
  (void)ts_bvh_nearest(field->bvh, point, &s.reach_m, visit, &s);
  double distance_m = s.best.at.distance_m;
  if (!isfinite(distance_m))
    return (ts_sdf_value){.phi_m = INFINITY};
  double sign = ts_mesh_is_inside_of(field->mesh, &s.best, point) ? -1 : 1;
  ts_vec3 gradient = distance_m > field->equal_m
                         ? ts_vec3_scale(ts_vec3_sub(point, s.best.at.point), sign)
                         : ts_mesh_nearest_normal(field->mesh, &s.best);
  return (ts_sdf_value){sign * distance_m, ts_vec3_unit(gradient),
                        feature_of(field->mesh, &s.best)};
}

ts_sdf_value ts_sdf_at(const ts_sdf_field *field, ts_vec3 point) {
  if (!field->grid)
    return exact_at(field, point, INFINITY);
  return (ts_sdf_value){.phi_m = ts_sdf_grid_value(field->grid, point),
                        .gradient = ts_sdf_grid_gradient(field->grid, point)};
}

static double phi_at(const ts_sdf_field *field, ts_vec3 point) {
  return field->grid ? ts_sdf_grid_value(field->grid, point)
                     : exact_at(field, point, INFINITY).phi_m;
}

/// An edge, and the last value on it: a distance changes by no more than the way.
typedef struct edge {
  const ts_sdf_field *field;
  const ts_vec3 *ends; ///< [2]
  double length_m, known_t, known_m;
} edge;

static double phi_on(edge *e, double t) {
  ts_vec3 point = ts_vec3_lerp(e->ends[0], e->ends[1], t);
  double within_m = fabs(e->known_m) + fabs(t - e->known_t) * e->length_m;
  e->known_m = e->field->grid ? ts_sdf_grid_value(e->field->grid, point)
                              : exact_at(e->field, point, within_m).phi_m;
  e->known_t = t;
  return e->known_m;
}

/// Where between `low` and `high` the field is least, if it has one valley there.
static double golden_section(edge *e, double low, double high) {
  double enough = GOLDEN_ENDS * e->field->equal_m / e->length_m;
  double left = high - GOLDEN * (high - low), right = low + GOLDEN * (high - low);
  double phi_left = phi_on(e, left), phi_right = phi_on(e, right);
  for (int i = 0; i < GOLDEN_STEPS && high - low > enough; i++) {
    if (phi_left < phi_right) {
      high = right;
      right = left;
      phi_right = phi_left;
      left = high - GOLDEN * (high - low);
      phi_left = phi_on(e, left);
    } else {
      low = left;
      left = right;
      phi_left = phi_right;
      right = low + GOLDEN * (high - low);
      phi_right = phi_on(e, right);
    }
  }
  return 0.5 * (low + high);
}

ts_sdf_place ts_sdf_least_on_edge(const ts_sdf_field *field, const ts_vec3 ends[2]) {
  edge e = {field, ends, ts_vec3_distance(ends[0], ends[1]), 0, INFINITY};
  int best = EDGE_INTERVALS / 2;
  double least_m = phi_on(&e, 0.5);
  for (int from_middle = 1; from_middle <= EDGE_INTERVALS / 2; from_middle++)
    for (int side = -1; side <= 1; side += 2) {
      int i = EDGE_INTERVALS / 2 + side * from_middle;
      double phi_m = phi_on(&e, (double)i / EDGE_INTERVALS);
      if (phi_m < least_m - field->equal_m) {
        best = i;
        least_m = phi_m;
      }
    }
  bool at_end = best == 0 || best == EDGE_INTERVALS;
  double t = (double)best / EDGE_INTERVALS;
  double low = best > 0 ? (double)(best - 1) / EDGE_INTERVALS : 0;
  double high = best < EDGE_INTERVALS ? (double)(best + 1) / EDGE_INTERVALS : 1;
  double refined = isfinite(least_m) ? golden_section(&e, low, high) : t;
  double phi_m = phi_on(&e, refined);
  if (phi_m < least_m - field->equal_m) {
    t = refined;
    least_m = phi_m;
    at_end = false;
  }
  return (ts_sdf_place){ts_vec3_lerp(ends[0], ends[1], t), least_m,
                        at_end ? TS_FEATURE_VERTEX : TS_FEATURE_EDGE, best > 0};
}

/// The corner that lies farthest against a direction.
static int farthest_against(const ts_vec3 corners[3], ts_vec3 direction, double equal_m) {
  int best = 0;
  for (int i = 1; i < 3; i++)
    if (ts_vec3_dot(ts_vec3_sub(corners[i], corners[best]), direction) < -equal_m)
      best = i;
  return best;
}

ts_sdf_place ts_sdf_least_on_triangle(const ts_sdf_field *field, const ts_vec3 corners[3]) {
  ts_vec3 sum = ts_vec3_add(ts_vec3_add(corners[0], corners[1]), corners[2]);
  ts_sdf_place best = {.point = ts_vec3_scale(sum, 1.0 / 3), .kind = TS_FEATURE_FACE};
  best.phi_m = phi_at(field, best.point);
  for (int i = 0; i < 3; i++) {
    double phi_m = phi_at(field, corners[i]);
    if (phi_m < best.phi_m - field->equal_m)
      best = (ts_sdf_place){corners[i], phi_m, TS_FEATURE_VERTEX, i};
  }
  ts_vec3 point = best.point;
  for (int k = 0; k < TRIANGLE_STEPS; k++) {
    ts_sdf_value value = ts_sdf_at(field, point);
    if (value.phi_m < best.phi_m - field->equal_m)
      best = (ts_sdf_place){point, value.phi_m, TS_FEATURE_FACE, 0};
    int towards = farthest_against(corners, value.gradient, field->equal_m);
    point = ts_vec3_lerp(point, corners[towards], 2.0 / (k + 2));
  }
  double phi_m = phi_at(field, point);
  if (phi_m < best.phi_m - field->equal_m)
    best = (ts_sdf_place){point, phi_m, TS_FEATURE_FACE, 0};
  return best;
}
