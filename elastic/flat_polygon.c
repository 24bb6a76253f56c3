// SPDX-License-Identifier: MIT
#include "elastic/flat_polygon.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/tolerances.h"

ts_status ts_flat_polygon_create(ts_flat_polygon *out, ts_arena *arena, const double (*corners)[2],
                                 size_t count) {
  out->count = count;
  out->corners = ts_arena_copy(arena, corners, count, sizeof *corners);
  return out->corners ? TS_OK : TS_E_MEMORY;
}

static double value_at(ts_flat_line line, const double p[2]) {
  return line.x * p[0] + line.y * p[1] + line.constant;
}

ts_status ts_flat_polygon_clip(ts_flat_polygon *out, ts_arena *arena,
                               const ts_flat_polygon *polygon, ts_flat_line line) {
  const ts_flat_polygon from = *polygon;
  bool is_whole = true;
  for (size_t i = 0; i < from.count; i++)
    is_whole &= value_at(line, from.corners[i]) >= 0;
  *out = from;
  if (is_whole)
    return TS_OK;
  *out = (ts_flat_polygon){0, ts_arena_array(arena, 2 * from.count, sizeof *from.corners)};
  if (!out->corners)
    return TS_E_MEMORY;
  for (size_t i = 0; i < from.count; i++) {
    const double *p = from.corners[i], *q = from.corners[i + 1 < from.count ? i + 1 : 0];
    double at_p = value_at(line, p), at_q = value_at(line, q);
    if (at_p >= 0) {
      out->corners[out->count][0] = p[0];
      out->corners[out->count++][1] = p[1];
    }
    if ((at_p > 0 && at_q < 0) || (at_p < 0 && at_q > 0)) {
      double t = at_p / (at_p - at_q);
      out->corners[out->count][0] = p[0] + t * (q[0] - p[0]);
      out->corners[out->count++][1] = p[1] + t * (q[1] - p[1]);
    }
  }
  if (out->count < 3)
    out->count = 0;
  return TS_OK;
}

static double side_length(const ts_flat_polygon *polygon, size_t side) {
  const double *p = polygon->corners[side],
               *q = polygon->corners[side + 1 < polygon->count ? side + 1 : 0];
  double x = p[1] - q[1], y = q[0] - p[0];
  return sqrt(x * x + y * y);
}

/// The line through a side, its inner side above 0, as distances.
static ts_flat_line side_of(const ts_flat_polygon *polygon, size_t side) {
  const double *p = polygon->corners[side],
               *q = polygon->corners[side + 1 < polygon->count ? side + 1 : 0];
  double x = p[1] - q[1], y = q[0] - p[0], length = side_length(polygon, side);
  if (length > 0) {
    x /= length;
    y /= length;
  }
  return (ts_flat_line){x, y, -(x * p[0] + y * p[1])};
}

ts_status ts_flat_polygon_overlap(ts_flat_polygon *out, ts_arena *arena, const ts_flat_polygon *a,
                                  const ts_flat_polygon *b) {
  *out = *a;
  for (size_t i = 0; i < b->count && out->count; i++)
    TS_TRY(ts_flat_polygon_clip(out, arena, out, side_of(b, i)));
  return TS_OK;
}

ts_status ts_flat_polygon_subtract(ts_flat_polygon **list, size_t *count, size_t *capacity,
                                   ts_arena *arena, const ts_flat_polygon *a,
                                   const ts_flat_polygon *b) {
  ts_flat_polygon rest = *a, beyond;
  // Rounding says where a side points that is no longer than this: it may cut off all of `b`.
  double least_m = TS_ELASTIC_JOIN * ts_aabb_extent(ts_flat_polygon_bounds(b));
  for (size_t i = 0; i < b->count && rest.count; i++) {
    if (!(side_length(b, i) > least_m))
      continue;
    ts_flat_line in = side_of(b, i), out = {-in.x, -in.y, -in.constant};
    TS_TRY(ts_flat_polygon_clip(&beyond, arena, &rest, out));
    TS_TRY(ts_flat_polygon_clip(&rest, arena, &rest, in));
    if (ts_flat_polygon_area(&beyond) > 0) {
      TS_TRY(TS_ARENA_GROW(*list, *capacity, *count, 1, arena));
      (*list)[(*count)++] = beyond;
    }
  }
  return TS_OK;
}

ts_aabb ts_flat_polygon_bounds(const ts_flat_polygon *polygon) {
  ts_aabb box = ts_aabb_empty();
  for (size_t i = 0; i < polygon->count; i++)
    box = ts_aabb_add(box, (ts_vec3){polygon->corners[i][0], polygon->corners[i][1], 0});
  return box;
}

double ts_flat_polygon_area(const ts_flat_polygon *polygon) {
  const double(*c)[2] = (const double(*)[2])polygon->corners;
  double twice = 0;
  for (size_t i = 2; i < polygon->count; i++)
    twice += (c[i - 1][0] - c[0][0]) * (c[i][1] - c[0][1]) -
             (c[i - 1][1] - c[0][1]) * (c[i][0] - c[0][0]);
  return 0.5 * twice;
}

void ts_flat_polygon_middle(double *x, double *y, const ts_flat_polygon *polygon) {
  *x = *y = 0;
  for (size_t i = 0; i < polygon->count; i++) {
    *x += polygon->corners[i][0] / (double)polygon->count;
    *y += polygon->corners[i][1] / (double)polygon->count;
  }
}

bool ts_flat_polygon_is_sliver(const ts_flat_polygon *polygon, double width_m) {
  return polygon->count < 3 || !(ts_flat_polygon_area(polygon) >
                                 width_m * ts_aabb_extent(ts_flat_polygon_bounds(polygon)));
}

bool ts_flat_polygon_is_level(const ts_flat_polygon *polygon, ts_flat_line line, double tolerance) {
  for (size_t i = 0; i < polygon->count; i++)
    if (fabs(value_at(line, polygon->corners[i])) > tolerance)
      return false;
  return true;
}

bool ts_flat_polygon_holds(const ts_flat_polygon *polygon, double x, double y, double tolerance_m) {
  const double p[2] = {x, y};
  for (size_t i = 0; i < polygon->count; i++)
    if (value_at(side_of(polygon, i), p) < -tolerance_m)
      return false;
  return polygon->count >= 3;
}
