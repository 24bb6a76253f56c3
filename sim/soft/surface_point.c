// SPDX-License-Identifier: MIT
#include "sim/soft/surface_point.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/mesh/bvh.h"
#include "geometry/tolerances.h"

#include <math.h>
#include <stdbool.h>

struct ts_surface {
  const ts_mesh *mesh;
  const ts_vec3 *nodes;
  ts_bvh *bvh;
};

static void get_corners(ts_vec3 out[3], const ts_surface *surface, uint32_t triangle) {
  for (int i = 0; i < 3; i++)
    out[i] = surface->nodes[surface->mesh->triangles[triangle][i]];
}

ts_status ts_surface_create(ts_surface **out, ts_arena *arena, const ts_mesh *mesh,
                            const ts_vec3 *nodes) {
  ts_surface *surface = ts_arena_alloc(arena, sizeof *surface);
  ts_aabb *boxes = ts_arena_array(arena, mesh->triangle_count, sizeof *boxes);
  if (!surface || !boxes)
    return TS_E_MEMORY;
  *surface = (ts_surface){.mesh = mesh, .nodes = nodes};
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    ts_vec3 corners[3];
    get_corners(corners, surface, (uint32_t)t);
    boxes[t] = ts_aabb_empty();
    for (int i = 0; i < 3; i++)
      boxes[t] = ts_aabb_add(boxes[t], corners[i]);
  }
  *out = surface;
  return ts_bvh_create(&surface->bvh, arena, boxes, mesh->triangle_count);
}

typedef struct candidate {
  uint32_t triangle;
  ts_closest_on_triangle at;
} candidate;

typedef struct search {
  const ts_surface *surface;
  ts_vec3 p, facing;
  candidate facing_best, any_best; ///< at an infinite distance: none yet
} search;

static void keep_nearer(candidate *best, uint32_t triangle, const ts_closest_on_triangle *at) {
  if (at->distance_m < best->at.distance_m ||
      (at->distance_m == best->at.distance_m && triangle < best->triangle))
    *best = (candidate){triangle, *at};
}

static ts_status look_at(void *context, uint32_t triangle, uint32_t unused) {
  (void)unused;
  search *s = context;
  ts_vec3 c[3];
  get_corners(c, s->surface, triangle);
  ts_closest_on_triangle at = ts_closest_point_triangle(s->p, c);
  keep_nearer(&s->any_best, triangle, &at);
  ts_vec3 normal = ts_vec3_cross(ts_vec3_sub(c[1], c[0]), ts_vec3_sub(c[2], c[0]));
  if (ts_vec3_dot(normal, s->facing) > TS_SAME_COSINE * ts_vec3_norm(normal))
    keep_nearer(&s->facing_best, triangle, &at);
  return TS_OK;
}

/// Weights of a point inside a triangle: areas opposite the corners, along the normal.
static void weigh_face(double out[3], const ts_vec3 c[3], ts_vec3 p) {
  ts_vec3 normal = ts_vec3_cross(ts_vec3_sub(c[1], c[0]), ts_vec3_sub(c[2], c[0]));
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    ts_vec3 to_next = ts_vec3_sub(c[(i + 1) % 3], p), to_last = ts_vec3_sub(c[(i + 2) % 3], p);
    out[i] = ts_max(ts_vec3_dot(ts_vec3_cross(to_next, to_last), normal), 0);
    sum += out[i];
  }
  for (int i = 0; i < 3; i++)
    out[i] = sum > 0 ? out[i] / sum : 1.0 / 3;
}

/// Takes weights that are rounding off. One on the only node that can move would be displaced by
/// the gap over it.
static void drop_rounding(double weights[3]) {
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    weights[i] = weights[i] > TS_WEIGHT_ROUNDING ? weights[i] : 0;
    sum += weights[i];
  }
  for (int i = 0; i < 3; i++)
    weights[i] /= sum;
}

static ts_surface_point make_point(const ts_surface *surface, const candidate *best) {
  const uint32_t *nodes = surface->mesh->triangles[best->triangle];
  ts_surface_point out = {{nodes[0], nodes[1], nodes[2]}, {0, 0, 0}};
  int corner = best->at.corner, next = (corner + 1) % 3;
  ts_vec3 c[3];
  get_corners(c, surface, best->triangle);
  if (best->at.kind == TS_FEATURE_VERTEX)
    out.weights[corner] = 1;
  else if (best->at.kind == TS_FEATURE_EDGE) {
    double along = ts_closest_point_segment(best->at.point, c[corner], c[next]);
    out.weights[corner] = 1 - along;
    out.weights[next] = along;
  } else
    weigh_face(out.weights, c, best->at.point);
  drop_rounding(out.weights);
  return out;
}

ts_status ts_surface_nearest(ts_surface_point *out, const ts_surface *surface, ts_vec3 p,
                             ts_vec3 facing, double guess_m) {
  ts_aabb bounds = ts_bvh_bounds(surface->bvh);
  double diagonal = ts_vec3_distance(bounds.low, bounds.high);
  double farthest = ts_vec3_distance(p, ts_aabb_centre(bounds)) + diagonal;
  double reach = ts_min(guess_m + 0.02 * diagonal, farthest);
  search s = {.surface = surface, .p = p, .facing = facing};
  for (;;) {
    s.facing_best.at.distance_m = s.any_best.at.distance_m = INFINITY;
    TS_TRY(ts_bvh_near(surface->bvh, p, reach, look_at, &s));
    if (s.facing_best.at.distance_m <= reach || reach >= farthest)
      break;
    reach = ts_min(4 * reach, farthest);
  }
  bool is_found = isfinite(s.facing_best.at.distance_m);
  *out = make_point(surface, is_found ? &s.facing_best : &s.any_best);
  return TS_OK;
}
