// SPDX-License-Identifier: MIT
#include "geometry/mesh/sheet_layers.h"

#include "base/arena.h"
#include "base/status.h"
#include "geometry/mesh/bvh.h"
#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include <math.h>
#include <stdbool.h>

/// Pairs of prisms that are looked at before they are made shorter, for each triangle: twelve are
/// its neighbours.
enum { PAIRS_PER_TRIANGLE = 40 };

/// By which factor they are made shorter then.
static const double SHORTENED = 0.25;

/// Corners of a triangle that has been cut by the three walls of a prism.
enum { CUT_CORNERS_MAX = 6 };

/// Of the depth at which another triangle is behind one, how thick the sheet may be: where that is
/// the back of something solid, and where there is room in between, which is for bodies.
static const double BACK_SHARE = 0.5, LAYER_SHARE = 0.05;

typedef struct layers {
  const ts_open_mesh *mesh; ///< in a frame whose y is up, where there is an up
  ts_vec3 up;               ///< zero: none
  double layer_m, length_m; ///< of the prisms
  double thickest_m;        ///< that the sheet may be, as found so far
  size_t pairs_left;
} layers;

typedef struct prism {
  ts_vec3 corners[3], normal, down; ///< unit vectors
} prism;

static prism prism_of(const layers *l, uint32_t triangle) {
  prism out;
  for (int i = 0; i < 3; i++)
    out.corners[i] = l->mesh->vertices[l->mesh->triangles[triangle][i]];
  ts_vec3 along = ts_vec3_sub(out.corners[1], out.corners[0]);
  out.normal = ts_vec3_unit(ts_vec3_cross(along, ts_vec3_sub(out.corners[2], out.corners[0])));
  bool has_up = ts_vec3_norm2(l->up) > 0;
  out.down = ts_vec3_neg(has_up ? l->up : out.normal);
  return out;
}

/// Cuts a convex polygon by the plane of a wall, so that what stays is above `least_m` inside of
/// it.
static int cut_by_wall(ts_vec3 *polygon, int count, ts_vec3 on_wall, ts_vec3 inward,
                       double least_m) {
  ts_vec3 kept[CUT_CORNERS_MAX];
  int kept_count = 0;
  for (int i = 0; i < count; i++) {
    ts_vec3 from = polygon[i], to = polygon[(i + 1) % count];
    double at_from = ts_vec3_dot(ts_vec3_sub(from, on_wall), inward) - least_m;
    double at_to = ts_vec3_dot(ts_vec3_sub(to, on_wall), inward) - least_m;
    if (at_from > 0)
      kept[kept_count++] = from;
    if ((at_from > 0) != (at_to > 0))
      kept[kept_count++] = ts_vec3_lerp(from, to, at_from / (at_from - at_to));
  }
  for (int i = 0; i < kept_count; i++)
    polygon[i] = kept[i];
  return kept_count;
}

/// The least depth below the triangle of a prism at which another triangle is in it; INFINITY where
/// it is beside it.
static double depth_in(const prism *of, const prism *other, double rounding_m) {
  ts_vec3 polygon[CUT_CORNERS_MAX] = {other->corners[0], other->corners[1], other->corners[2]};
  int count = 3;
  for (int i = 0; i < 3 && count > 0; i++) {
    ts_vec3 edge = ts_vec3_sub(of->corners[(i + 1) % 3], of->corners[i]);
    ts_vec3 inward = ts_vec3_unit(ts_vec3_cross(edge, of->down));
    count = cut_by_wall(polygon, count, of->corners[i], inward, rounding_m);
  }
  double depth_m = INFINITY, per_m = ts_vec3_dot(of->normal, of->down);
  for (int i = 0; i < count; i++)
    depth_m =
        fmin(depth_m, ts_vec3_dot(ts_vec3_sub(polygon[i], of->corners[0]), of->normal) / per_m);
  return depth_m;
}

/// One triangle in the prism below another.
static ts_status look(layers *l, uint32_t of, uint32_t other) {
  prism p = prism_of(l, of), q = prism_of(l, other);
  // Neighbours end at a wall of the prism, or begin in its triangle, within rounding.
  double rounding_m = TS_CONVEX_RELATIVE * ts_vec3_distance(p.corners[0], p.corners[1]);
  double depth_m = depth_in(&p, &q, rounding_m);
  bool is_back = ts_vec3_dot(q.normal, p.down) > TS_CONVEX_RELATIVE;
  if (depth_m > l->layer_m && depth_m < l->length_m)
    l->thickest_m = fmin(l->thickest_m, (is_back ? BACK_SHARE : LAYER_SHARE) * depth_m);
  if (!is_back || depth_m < -rounding_m || depth_m > l->layer_m)
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "triangles %u and %u face away from each other with less than a right angle, or "
                 "less than %g m, between them, so that there is nothing solid behind them: give a "
                 "closed body with such an edge as a mesh",
                 of, other, l->layer_m);
}

static ts_status visit(void *context, uint32_t a, uint32_t b) {
  layers *l = context;
  if (l->pairs_left == 0)
    return TS_SKIPPED;
  l->pairs_left--;
  TS_TRY(look(l, a, b));
  return look(l, b, a);
}

/// Looks at all prisms. TS_SKIPPED: too many lie across each other.
static ts_status look_at_all(layers *l, ts_arena *arena) {
  ts_arena_mark mark = ts_arena_get_mark(arena);
  size_t count = l->mesh->triangle_count;
  ts_aabb *boxes = ts_arena_array(arena, count, sizeof *boxes);
  if (!boxes)
    return TS_E_MEMORY;
  for (uint32_t t = 0; t < count; t++) {
    prism p = prism_of(l, t);
    boxes[t] = ts_aabb_empty();
    for (int i = 0; i < 3; i++) {
      boxes[t] = ts_aabb_add(boxes[t], p.corners[i]);
      boxes[t] = ts_aabb_add(boxes[t], ts_vec3_add_scaled(p.corners[i], l->length_m, p.down));
    }
  }
  ts_bvh *bvh;
  TS_TRY(ts_bvh_create(&bvh, arena, boxes, count));
  l->pairs_left = PAIRS_PER_TRIANGLE * count;
  l->thickest_m = 0.5 * l->length_m;
  ts_status status = ts_bvh_self(bvh, 0, visit, l);
  ts_arena_rewind(arena, mark);
  return status;
}

/// The mesh turned so that `up` is along y: there the boxes of prisms are slender.
static ts_status turn(ts_open_mesh *out, ts_arena *arena, const ts_open_mesh *mesh, ts_vec3 up) {
  ts_vec3 x, z;
  ts_vec3_tangents(&x, &z, up);
  ts_vec3 *vertices = ts_arena_array(arena, mesh->vertex_count, sizeof *vertices);
  if (!vertices)
    return TS_E_MEMORY;
  for (size_t v = 0; v < mesh->vertex_count; v++) {
    ts_vec3 p = mesh->vertices[v];
    vertices[v] = ts_vec3_make(ts_vec3_dot(p, z), ts_vec3_dot(p, up), ts_vec3_dot(p, x));
  }
  *out = *mesh;
  out->vertices = vertices;
  return TS_OK;
}

/// The same with shorter prisms, until they are few.
static ts_status look_at_shorter(layers *l, ts_arena *arena, double longest_m) {
  l->length_m = l->layer_m; // shorter ones make no difference
  ts_status status = look_at_all(l, arena);
  if (status == TS_SKIPPED)
    return ts_fail(TS_E_INPUT, "too many triangles lie on each other: give each place one");
  TS_TRY(status);
  do {
    longest_m *= SHORTENED;
    l->length_m = fmax(longest_m, l->layer_m);
    status = look_at_all(l, arena);
  } while (status == TS_SKIPPED);
  return status;
}

static ts_status limit(double *thickness_m, layers *l, ts_arena *arena) {
  ts_open_mesh turned;
  if (ts_vec3_norm2(l->up) > 0) {
    TS_TRY(turn(&turned, arena, l->mesh, l->up));
    l->mesh = &turned;
    l->up = ts_vec3_make(0, 1, 0);
  }
  l->length_m = 2 * *thickness_m;
  ts_status status = look_at_all(l, arena);
  if (status == TS_SKIPPED)
    status = look_at_shorter(l, arena, 2 * *thickness_m);
  if (status == TS_OK)
    *thickness_m = l->thickest_m;
  return status;
}

ts_status ts_sheet_limit(double *thickness_m, const ts_open_mesh *mesh, ts_vec3 up,
                         double layer_m) {
  if (!isfinite(layer_m))
    return TS_OK;
  layers l = {.mesh = mesh, .up = up, .layer_m = layer_m};
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = limit(thickness_m, &l, arena);
  ts_arena_destroy(arena);
  return status;
}
