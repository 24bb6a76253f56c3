// SPDX-License-Identifier: MIT
#include "geometry/mesh/mesh_columns.h"

#include "base/status.h"

/// A triangle seen from above, counter-clockwise.
typedef struct seen_triangle {
  double places_m[3][2], heights_m[3];
  double twice_area_m2;
  int facing; ///< 0: edge-on
} seen_triangle;

struct ts_mesh_columns {
  ts_placed_mesh surfaces[2];
  ts_vec3 right, above, along, middle;
  double size_m;
  ts_bvh *trees[2]; ///< of the triangles seen from above, at height 0
};

/// Twice the signed area of a triangle.
static double cross(const double a[2], const double b[2], const double c[2]) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static void see_triangle(seen_triangle *out, const ts_mesh_columns *columns, int which,
                         size_t triangle) {
  const ts_placed_mesh *surface = &columns->surfaces[which];
  for (int i = 0; i < 3; i++) {
    ts_vec3 p =
        ts_vec3_sub(surface->vertices[surface->mesh->triangles[triangle][i]], columns->middle);
    out->places_m[i][0] = ts_vec3_dot(p, columns->right);
    out->places_m[i][1] = ts_vec3_dot(p, columns->above);
    out->heights_m[i] = ts_vec3_dot(p, columns->along);
  }
  double area = cross(out->places_m[0], out->places_m[1], out->places_m[2]);
  out->facing = (area > 0) - (area < 0);
  out->twice_area_m2 = fabs(area);
  if (area >= 0)
    return;
  for (int k = 0; k < 2; k++) {
    double swap = out->places_m[1][k];
    out->places_m[1][k] = out->places_m[2][k];
    out->places_m[2][k] = swap;
  }
  double swap = out->heights_m[1];
  out->heights_m[1] = out->heights_m[2];
  out->heights_m[2] = swap;
}

/// Height of a triangle at a place in it. A triangle that is seen nearly edge-on knows its place on
/// its slope badly, but never leaves its own heights.
static double height_at(const seen_triangle *t, const double place_m[2]) {
  double weights[3] = {cross(t->places_m[1], t->places_m[2], place_m),
                       cross(t->places_m[2], t->places_m[0], place_m),
                       cross(t->places_m[0], t->places_m[1], place_m)};
  double height = 0, low = t->heights_m[0], high = t->heights_m[0];
  for (int i = 0; i < 3; i++) {
    height += weights[i] / t->twice_area_m2 * t->heights_m[i];
    low = ts_min(low, t->heights_m[i]);
    high = ts_max(high, t->heights_m[i]);
  }
  return ts_min(ts_max(height, low), high);
}

static ts_status plant_tree(ts_mesh_columns *columns, ts_arena *arena, int which) {
  size_t count = columns->surfaces[which].mesh->triangle_count;
  ts_aabb *boxes = ts_arena_array(arena, count, sizeof *boxes);
  if (!boxes)
    return TS_E_MEMORY;
  for (size_t t = 0; t < count; t++) {
    seen_triangle seen;
    see_triangle(&seen, columns, which, t);
    boxes[t] = ts_aabb_empty();
    for (int i = 0; i < 3; i++)
      boxes[t] = ts_aabb_add(boxes[t], (ts_vec3){seen.places_m[i][0], seen.places_m[i][1], 0});
  }
  return ts_bvh_create(&columns->trees[which], arena, boxes, count);
}

static ts_status find_bounds(ts_aabb *out, ts_placed_mesh surface) {
  *out = ts_aabb_empty();
  for (size_t i = 0; i < surface.mesh->vertex_count; i++) {
    if (!ts_vec3_is_finite(surface.vertices[i]))
      return ts_fail(TS_E_INPUT, "vertex %zu of a surface is not finite", i);
    *out = ts_aabb_add(*out, surface.vertices[i]);
  }
  return TS_OK;
}

ts_status ts_mesh_columns_create(ts_mesh_columns **out, ts_arena *arena, ts_placed_mesh a,
                                 ts_placed_mesh b, ts_vec3 along) {
  ts_mesh_columns *columns = ts_arena_alloc(arena, sizeof *columns);
  if (!columns)
    return TS_E_MEMORY;
  ts_aabb box_a, box_b;
  TS_TRY(find_bounds(&box_a, a));
  TS_TRY(find_bounds(&box_b, b));
  *columns = (ts_mesh_columns){.surfaces = {a, b},
                               .along = along,
                               .middle = ts_vec3_mid(ts_vec3_max(box_a.low, box_b.low),
                                                     ts_vec3_min(box_a.high, box_b.high))};
  ts_vec3_tangents(&columns->right, &columns->above, along);
  columns->size_m = ts_max(ts_aabb_extent(box_a), ts_aabb_extent(box_b));
  for (int which = 0; which < 2; which++)
    if (columns->surfaces[which].mesh->triangle_count > 0)
      TS_TRY(plant_tree(columns, arena, which));
  *out = columns;
  return TS_OK;
}

/// Cuts off what is to the right of the line from `from` to `to`. Returns the new number of
/// corners, at most one more.
static size_t cut(double (*out)[2], const double (*in)[2], size_t count, const double from[2],
                  const double to[2]) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    const double *p = in[i], *q = in[(i + 1) % count];
    double side_p = cross(from, to, p), side_q = cross(from, to, q);
    if (side_p >= 0) {
      out[kept][0] = p[0];
      out[kept++][1] = p[1];
    }
    if ((side_p > 0 && side_q < 0) || (side_p < 0 && side_q > 0)) {
      double share = side_p / (side_p - side_q);
      out[kept][0] = p[0] + share * (q[0] - p[0]);
      out[kept++][1] = p[1] + share * (q[1] - p[1]);
    }
  }
  return kept;
}

typedef struct visit_work {
  const ts_mesh_columns *columns;
  ts_column_visit visit;
  void *context;
} visit_work;

static ts_status visit_pair(void *context, uint32_t triangle_a, uint32_t triangle_b) {
  const visit_work *w = context;
  seen_triangle a, b;
  see_triangle(&a, w->columns, 0, triangle_a);
  see_triangle(&b, w->columns, 1, triangle_b);
  if (a.facing == 0 || b.facing == 0)
    return TS_OK;
  // Rounding may let a corner slip in at every cut: one more than in exact arithmetic each.
  double from[2 * TS_COLUMN_CORNERS_MAX][2], to[2 * TS_COLUMN_CORNERS_MAX][2];
  size_t count = 3;
  memcpy(from, a.places_m, sizeof a.places_m);
  for (int i = 0; i < 3 && count >= 3; i++) {
    count = cut(to, (const double(*)[2])from, count, b.places_m[i], b.places_m[(i + 1) % 3]);
    memcpy(from, to, count * sizeof *to);
  }
  if (count < 3 || count > TS_COLUMN_CORNERS_MAX)
    return TS_OK;
  ts_column_patch patch = {triangle_a, triangle_b, a.facing, b.facing, count, {{0}}, {0}, {0}};
  for (size_t i = 0; i < count; i++) {
    memcpy(patch.places_m[i], from[i], sizeof from[i]);
    patch.heights_a_m[i] = height_at(&a, from[i]);
    patch.heights_b_m[i] = height_at(&b, from[i]);
  }
  return w->visit(w->context, &patch);
}

ts_status ts_mesh_columns_visit(const ts_mesh_columns *columns, ts_column_visit visit,
                                void *context) {
  visit_work work = {columns, visit, context};
  if (!columns->trees[0] || !columns->trees[1])
    return TS_OK;
  return ts_bvh_tandem(columns->trees[0], columns->trees[1], ts_pose_identity(), 0, visit_pair,
                       &work);
}

typedef struct crossing_work {
  const ts_mesh_columns *columns;
  int which;
  const double *place_m;
  double low_m, high_m;
  bool is_crossed;
} crossing_work;

static ts_status look_for_crossing(void *context, uint32_t triangle, uint32_t unused) {
  crossing_work *w = context;
  (void)unused;
  seen_triangle seen;
  see_triangle(&seen, w->columns, w->which, triangle);
  if (seen.facing == 0)
    return TS_OK;
  for (int i = 0; i < 3; i++)
    if (cross(seen.places_m[i], seen.places_m[(i + 1) % 3], w->place_m) < 0)
      return TS_OK;
  double height = height_at(&seen, w->place_m);
  w->is_crossed = w->is_crossed || (height > w->low_m && height < w->high_m);
  return TS_OK;
}

ts_status ts_mesh_columns_are_crossed(bool *out, const ts_mesh_columns *columns,
                                      const double place_m[2], double low_m, double high_m) {
  crossing_work work = {columns, 0, place_m, low_m, high_m, false};
  for (work.which = 0; work.which < 2; work.which++)
    if (columns->trees[work.which])
      TS_TRY(ts_bvh_near(columns->trees[work.which], (ts_vec3){place_m[0], place_m[1], 0}, 0,
                         look_for_crossing, &work));
  *out = work.is_crossed;
  return TS_OK;
}

ts_vec3 ts_mesh_columns_point(const ts_mesh_columns *columns, const double place_m[2],
                              double height_m) {
  ts_vec3 p = ts_vec3_add_scaled(columns->middle, place_m[0], columns->right);
  p = ts_vec3_add_scaled(p, place_m[1], columns->above);
  return ts_vec3_add_scaled(p, height_m, columns->along);
}

double ts_mesh_columns_size_m(const ts_mesh_columns *columns) {
  return columns->size_m;
}

double ts_column_area_m2(const double (*places_m)[2], size_t count) {
  double sum = 0;
  for (size_t i = 1; i + 1 < count; i++)
    sum += cross(places_m[0], places_m[i], places_m[i + 1]);
  return sum / 2;
}

double ts_column_integral(const double (*places_m)[2], const double *values, size_t count) {
  double sum = 0;
  for (size_t i = 1; i + 1 < count; i++)
    sum += cross(places_m[0], places_m[i], places_m[i + 1]) *
           (values[0] + values[i] + values[i + 1]) / 6;
  return sum;
}
