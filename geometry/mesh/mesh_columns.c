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
  double size_m, pair_size_m; ///< extents of the larger and of the smaller surface
  ts_bvh *trees[2];           ///< of the triangles seen from above, at height 0
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
  columns->pair_size_m = ts_min(ts_aabb_extent(box_a), ts_aabb_extent(box_b));
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

/// The part of a convex polygon [count], with room for TS_COLUMN_CORNERS_MAX corners, that is above
/// or below a triangle. Returns its number of corners; less than 3: none.
static size_t cut_to_triangle(double (*places_m)[2], size_t count, const seen_triangle *t,
                              size_t room) {
  // Rounding may let a corner slip in at every cut: one more than in exact arithmetic each.
  double from[2 * TS_COLUMN_CORNERS_MAX][2], to[2 * TS_COLUMN_CORNERS_MAX][2];
  memcpy(from, places_m, count * sizeof *from);
  for (int i = 0; i < 3 && count >= 3; i++) {
    count = cut(to, (const double(*)[2])from, count, t->places_m[i], t->places_m[(i + 1) % 3]);
    memcpy(from, to, count * sizeof *to);
  }
  if (count > room)
    return 0;
  memcpy(places_m, from, count * sizeof *from);
  return count;
}

bool ts_mesh_columns_patch(ts_column_patch *out, const ts_mesh_columns *columns,
                           uint32_t triangle_a, uint32_t triangle_b) {
  seen_triangle a, b;
  see_triangle(&a, columns, 0, triangle_a);
  see_triangle(&b, columns, 1, triangle_b);
  if (a.facing == 0 || b.facing == 0)
    return false;
  *out = (ts_column_patch){triangle_a, triangle_b, a.facing, b.facing, 0, {{0}}, {0}, {0}};
  memcpy(out->places_m, a.places_m, sizeof a.places_m);
  out->count = cut_to_triangle(out->places_m, 3, &b, TS_COLUMN_CORNERS_MAX);
  if (out->count < 3)
    return false;
  for (size_t i = 0; i < out->count; i++) {
    out->heights_a_m[i] = height_at(&a, out->places_m[i]);
    out->heights_b_m[i] = height_at(&b, out->places_m[i]);
  }
  return true;
}

static ts_status visit_pair(void *context, uint32_t triangle_a, uint32_t triangle_b) {
  const visit_work *w = context;
  ts_column_patch patch;
  if (!ts_mesh_columns_patch(&patch, w->columns, triangle_a, triangle_b))
    return TS_OK;
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

typedef struct between_work {
  const ts_mesh_columns *columns;
  const ts_column_patch *patch;
  seen_triangle ends[2]; ///< of a and b
  int which;
  double margin_m;
  ts_column_between visit;
  void *context;
} between_work;

/// The part of a convex polygon [count] where values at its corners, linear between them, are above
/// 0. Returns its number of corners, at most one more.
static size_t cut_by_value(double (*out)[2], const double (*in)[2], const double *values,
                           size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    size_t next = (i + 1) % count;
    if (values[i] > 0)
      memcpy(out[kept++], in[i], sizeof *out);
    if ((values[i] > 0) == (values[next] > 0))
      continue;
    double share = values[i] / (values[i] - values[next]);
    for (int k = 0; k < 2; k++)
      out[kept][k] = in[i][k] + share * (in[next][k] - in[i][k]);
    kept++;
  }
  return kept;
}

static ts_status look_between(void *context, uint32_t triangle, uint32_t unused) {
  const between_work *w = context;
  const uint32_t own = w->which == 0 ? w->patch->triangle_a : w->patch->triangle_b;
  double places[4 * TS_COLUMN_CORNERS_MAX][2], cut[4 * TS_COLUMN_CORNERS_MAX][2];
  double values[4 * TS_COLUMN_CORNERS_MAX];
  seen_triangle seen;
  (void)unused;
  see_triangle(&seen, w->columns, w->which, triangle);
  if (seen.facing == 0 || triangle == own)
    return TS_OK;
  memcpy(places, w->patch->places_m, sizeof w->patch->places_m);
  size_t count = cut_to_triangle(places, w->patch->count, &seen, 2 * TS_COLUMN_CORNERS_MAX);
  for (int end = 0; end < 2 && count >= 3; end++) {
    for (size_t i = 0; i < count; i++) {
      double above = height_at(&seen, places[i]) - height_at(&w->ends[end], places[i]);
      values[i] = (end == 0 ? -above : above) - w->margin_m;
    }
    count = cut_by_value(cut, (const double(*)[2])places, values, count);
    memcpy(places, cut, count * sizeof *cut);
  }
  return count < 3 ? TS_OK : w->visit(w->context, (const double(*)[2])places, count);
}

ts_status ts_mesh_columns_between(const ts_mesh_columns *columns, const ts_column_patch *patch,
                                  double margin_m, ts_column_between visit, void *context) {
  between_work work = {
      .columns = columns, .patch = patch, .margin_m = margin_m, .visit = visit, .context = context};
  see_triangle(&work.ends[0], columns, 0, patch->triangle_a);
  see_triangle(&work.ends[1], columns, 1, patch->triangle_b);
  ts_aabb box = ts_aabb_empty();
  for (size_t i = 0; i < patch->count; i++)
    box = ts_aabb_add(box, (ts_vec3){patch->places_m[i][0], patch->places_m[i][1], 0});
  double reach_m = ts_vec3_distance(box.low, box.high) / 2;
  for (work.which = 0; work.which < 2; work.which++)
    TS_TRY(
        ts_bvh_near(columns->trees[work.which], ts_aabb_centre(box), reach_m, look_between, &work));
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

double ts_mesh_columns_pair_size_m(const ts_mesh_columns *columns) {
  return columns->pair_size_m;
}
