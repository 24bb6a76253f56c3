// SPDX-License-Identifier: MIT
#include "geometry/polygon.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/predicates.h"

#include <stdlib.h>
#include <string.h>

static int compare_points(const void *left, const void *right) {
  const double *a = left, *b = right;
  int by_x = (a[0] > b[0]) - (a[0] < b[0]);
  return by_x ? by_x : (a[1] > b[1]) - (a[1] < b[1]);
}

/// Sorts points and leaves out repetitions; returns how many are left. Few are sorted in place:
/// most hulls are of few points, for which a call for each comparison takes longest.
static size_t sort_points(double (*points)[2], size_t count) {
  enum { FEW = 32 };
  if (count > FEW)
    qsort(points, count, sizeof *points, compare_points);
  for (size_t i = 1; count <= FEW && i < count; i++) {
    const double own[2] = {points[i][0], points[i][1]};
    size_t at = i;
    for (; at > 0 && compare_points(own, points[at - 1]) < 0; at--)
      memcpy(points[at], points[at - 1], sizeof *points);
    memcpy(points[at], own, sizeof own);
  }
  size_t kept = 1;
  for (size_t i = 1; i < count; i++)
    if (compare_points(points[kept - 1], points[i]) != 0)
      memmove(points[kept++], points[i], sizeof *points);
  return kept;
}

/// Puts `p` at the end of the chain out[begin .. count), after dropping the corners that no longer
/// turn left; the first of the chain stays.
static size_t push_turning_left(double (*out)[2], size_t begin, size_t count, const double p[2]) {
  while (count >= begin + 2 && ts_orient2d(out[count - 2], out[count - 1], p) <= 0)
    count--;
  out[count][0] = p[0];
  out[count][1] = p[1];
  return count + 1;
}

// Andrew's monotone chain. A point goes to the lower chain when it lies below the line from the
// first to the last point, to the upper one when above, so that the output never needs more room
// than the input.
size_t ts_convex_hull_2d(double (*out)[2], double (*points)[2], size_t count) {
  if (count == 0)
    return 0;
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < 2; k++)
      points[i][k] += 0.0; // -0 and 0 must not differ in bits where they are equal in order
  count = sort_points(points, count);
  const double *first = points[0], *last = points[count - 1];
  size_t corners = push_turning_left(out, 0, 0, first);
  if (count == 1)
    return corners;
  for (size_t i = 1; i + 1 < count; i++)
    if (ts_orient2d(first, last, points[i]) < 0)
      corners = push_turning_left(out, 0, corners, points[i]);
  corners = push_turning_left(out, 0, corners, last);
  size_t upper = corners - 1;
  for (size_t i = count - 1; i-- > 1;)
    if (ts_orient2d(first, last, points[i]) > 0)
      corners = push_turning_left(out, upper, corners, points[i]);
  while (corners >= upper + 2 && ts_orient2d(out[corners - 2], out[corners - 1], first) <= 0)
    corners--;
  return corners;
}

double ts_polygon_area_2d(const double (*corners)[2], size_t count) {
  double twice = 0;
  for (size_t i = 2; i < count; i++)
    twice += (corners[i - 1][0] - corners[0][0]) * (corners[i][1] - corners[0][1]) -
             (corners[i - 1][1] - corners[0][1]) * (corners[i][0] - corners[0][0]);
  return 0.5 * twice;
}

/// The convex hull of finite points, projected along `normal`: its corners in the plane through the
/// first of them, along the tangents of the normal.
typedef struct flat_hull {
  ts_vec3 origin, u, v;
  size_t count;
  double (*corners)[2]; ///< [count], in the arena
} flat_hull;

static ts_status make_flat_hull(flat_hull *out, ts_arena *arena, const ts_vec3 *points,
                                size_t count, ts_vec3 normal) {
  double(*flat)[2] = ts_arena_array(arena, count, sizeof *flat);
  double(*hull)[2] = ts_arena_array(arena, count, sizeof *hull);
  if (!flat || !hull)
    return TS_E_MEMORY;
  *out = (flat_hull){.corners = hull};
  ts_vec3_tangents(&out->u, &out->v, normal);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (!ts_vec3_is_finite(points[i]))
      continue;
    if (kept == 0)
      out->origin = points[i]; // differences are exact far from the origin, projections are not
    ts_vec3 p = ts_vec3_sub(points[i], out->origin);
    flat[kept][0] = ts_vec3_dot(p, out->u);
    flat[kept][1] = ts_vec3_dot(p, out->v);
    kept++;
  }
  out->count = ts_convex_hull_2d(hull, flat, kept);
  return TS_OK;
}

ts_status ts_hull_area(double *out_m2, ts_arena *arena, const ts_vec3 *points, size_t count,
                       ts_vec3 normal) {
  ts_arena_mark mark = ts_arena_get_mark(arena);
  flat_hull hull;
  ts_status status = make_flat_hull(&hull, arena, points, count, normal);
  if (status == TS_OK)
    *out_m2 = ts_polygon_area_2d((const double(*)[2])hull.corners, hull.count);
  ts_arena_rewind(arena, mark);
  return status;
}

double ts_hull_length(const ts_vec3 *points, size_t count, ts_vec3 direction) {
  double low = INFINITY, high = -INFINITY;
  ts_vec3 origin = {0, 0, 0};
  for (size_t i = 0; i < count; i++) {
    if (!ts_vec3_is_finite(points[i]))
      continue;
    if (low > high)
      origin = points[i];
    double at = ts_vec3_dot(ts_vec3_sub(points[i], origin), direction);
    low = fmin(low, at);
    high = fmax(high, at);
  }
  return high > low ? high - low : 0;
}

/// A side of the clip polygon: the points p with inward . (p - point) >= 0 are kept.
typedef struct half_space {
  ts_vec3 point, inward; ///< inward: unit, or zero for a side of no length
} half_space;

static half_space clip_side(const ts_vec3 *clip, size_t count, size_t side, ts_vec3 normal) {
  ts_vec3 edge = ts_vec3_sub(clip[side + 1 < count ? side + 1 : 0], clip[side]);
  return (half_space){clip[side], ts_vec3_unit(ts_vec3_cross(normal, edge))};
}

static double height_over(half_space side, ts_vec3 p) {
  return ts_vec3_dot(side.inward, ts_vec3_sub(p, side.point));
}

/// Where the line from `inside` to `outside` leaves the half space.
static ts_vec3 crossing(half_space side, ts_vec3 inside, ts_vec3 outside) {
  double from = height_over(side, inside), to = height_over(side, outside);
  return ts_vec3_lerp(inside, outside, from / (from - to));
}

static void reverse(ts_vec3 *points, size_t count) {
  for (size_t i = 0, k = count; i + 1 < k; i++) {
    ts_vec3 swapped = points[i];
    points[i] = points[--k];
    points[k] = swapped;
  }
}

static void rotate_left(ts_vec3 *points, size_t count, size_t by) {
  reverse(points, by);
  reverse(points + by, count - by);
  reverse(points, count);
}

/// Cuts a convex polygon by one half space, in place. What is kept is the run of corners inside
/// around the deepest one: rounding along a shared side may turn single corners in or out, but the
/// polygon never grows by more than one corner.
static size_t cut(ts_vec3 *points, size_t count, half_space side) {
  size_t deepest = count;
  double depth = 0;
  for (size_t i = 0; i < count; i++) {
    double height = height_over(side, points[i]);
    if (deepest == count ? height >= 0 : height > depth) {
      deepest = i;
      depth = height;
    }
  }
  if (deepest == count)
    return 0;
  size_t before = 0, after = 0;
  while (after + 1 < count && height_over(side, points[(deepest + after + 1) % count]) >= 0)
    after++;
  while (before + after + 1 < count &&
         height_over(side, points[(deepest + count - before - 1) % count]) >= 0)
    before++;
  size_t kept = before + after + 1;
  if (kept == count)
    return count;
  rotate_left(points, count, (deepest + count - before) % count);
  ts_vec3 leave = crossing(side, points[kept - 1], points[kept]);
  ts_vec3 enter = crossing(side, points[0], points[count - 1]);
  points[kept] = leave;
  points[kept + 1] = enter;
  return kept + 2;
}

static ts_vec3 flatten(ts_vec3 p, ts_vec3 normal) {
  return ts_vec3_add_scaled(p, -ts_vec3_dot(p, normal), normal);
}

/// Distance of b from the segment a-c, all projected along the normal.
static double deviation(ts_vec3 a, ts_vec3 b, ts_vec3 c, ts_vec3 normal) {
  const ts_vec3 origin = {0, 0, 0};
  ts_vec3 from = flatten(ts_vec3_sub(a, b), normal), to = flatten(ts_vec3_sub(c, b), normal);
  double t = ts_closest_point_segment(origin, from, to);
  return ts_vec3_norm(ts_vec3_lerp(from, to, t));
}

/// Drops the corners that deviate no more than `tolerance_m`, smallest deviation first: dropping
/// one changes the chord of its neighbours.
static size_t drop_corners(ts_vec3 *points, size_t count, ts_vec3 normal, double tolerance_m) {
  while (count >= 3) {
    size_t index = 0;
    double smallest = INFINITY;
    for (size_t i = 0; i < count; i++) {
      double d =
          deviation(points[(i + count - 1) % count], points[i], points[(i + 1) % count], normal);
      if (d < smallest) {
        smallest = d;
        index = i;
      }
    }
    if (!(smallest <= tolerance_m))
      break;
    memmove(points + index, points + index + 1, (count - index - 1) * sizeof *points);
    count--;
  }
  return count;
}

/// Twice the signed area about the normal.
static double turn(const ts_vec3 *points, size_t count, ts_vec3 normal) {
  double sum = 0;
  for (size_t i = 2; i < count; i++)
    sum += ts_vec3_dot(normal, ts_vec3_cross(ts_vec3_sub(points[i - 1], points[0]),
                                             ts_vec3_sub(points[i], points[0])));
  return sum;
}

/// A segment that runs along a side, outside by rounding only, is still inside; so heights are
/// judged with the tolerance.
static size_t clip_segment(ts_vec3 out[2], const ts_vec3 subject[2], const ts_vec3 *clip,
                           size_t clip_count, ts_vec3 normal, double tolerance_m) {
  double begin = 0, end = 1;
  for (size_t i = 0; i < clip_count; i++) {
    half_space side = clip_side(clip, clip_count, i, normal);
    double from = height_over(side, subject[0]), to = height_over(side, subject[1]);
    if (!(fmax(from, to) >= -tolerance_m))
      return 0;
    if (from < -tolerance_m)
      begin = fmax(begin, fmin(from / (from - to), 1));
    if (to < -tolerance_m)
      end = fmin(end, fmax(from / (from - to), 0));
  }
  if (!(begin <= end))
    return 0;
  ts_vec3 first = ts_vec3_lerp(subject[0], subject[1], begin);
  ts_vec3 last = end < 1 ? ts_vec3_lerp(subject[0], subject[1], end) : subject[1];
  out[0] = first;
  out[1] = last;
  double length = ts_vec3_norm(flatten(ts_vec3_sub(last, first), normal));
  return length > tolerance_m ? 2 : 1;
}

size_t ts_polygon_clip(ts_vec3 *out, const ts_vec3 *subject, size_t subject_count,
                       const ts_vec3 *clip, size_t clip_count, ts_vec3 normal,
                       double corner_tolerance_m) {
  if (subject_count < 2 || clip_count < 3)
    return 0;
  if (subject_count == 2)
    return clip_segment(out, subject, clip, clip_count, normal, corner_tolerance_m);
  memcpy(out, subject, subject_count * sizeof *out);
  size_t count = subject_count;
  for (size_t i = 0; i < clip_count && count > 0; i++)
    count = cut(out, count, clip_side(clip, clip_count, i, normal));
  count = drop_corners(out, count, normal, corner_tolerance_m);
  if (turn(out, count, normal) < 0)
    reverse(out, count);
  return count;
}

ts_status ts_hull_in_plane(ts_vec3 *out, size_t *out_count, ts_arena *arena, const ts_vec3 *points,
                           size_t count, ts_vec3 normal, double corner_tolerance_m) {
  ts_arena_mark mark = ts_arena_get_mark(arena);
  flat_hull hull;
  ts_status status = make_flat_hull(&hull, arena, points, count, normal);
  if (status == TS_OK) {
    for (size_t i = 0; i < hull.count; i++)
      out[i] = ts_vec3_add_scaled(ts_vec3_add_scaled(hull.origin, hull.corners[i][0], hull.u),
                                  hull.corners[i][1], hull.v);
    *out_count = hull.count < 3 ? 0 : drop_corners(out, hull.count, normal, corner_tolerance_m);
  }
  ts_arena_rewind(arena, mark);
  return status;
}

static double edge_distance(ts_vec3 point, ts_vec3 a, ts_vec3 b) {
  return ts_vec3_distance(point, ts_vec3_lerp(a, b, ts_closest_point_segment(point, a, b)));
}

/// Whether the point lies over the interior of the polygon. Its rim does not belong to it, so a
/// polygon without area has no interior.
static int is_over(ts_vec3 point, const ts_vec3 *corners, size_t count, ts_vec3 normal) {
  size_t sides = 0;
  for (size_t i = 0; i < count; i++) {
    half_space side = clip_side(corners, count, i, normal);
    if (ts_vec3_norm2(side.inward) == 0)
      continue;
    if (!(height_over(side, point) > 0))
      return 0;
    sides++;
  }
  return sides > 0;
}

double ts_convex_distance(ts_vec3 point, const ts_vec3 *corners, size_t count, ts_vec3 normal) {
  if (!ts_vec3_is_finite(point))
    return NAN;
  if (count >= 3 && is_over(point, corners, count, normal))
    return fabs(ts_vec3_dot(normal, ts_vec3_sub(point, corners[0])));
  double smallest = INFINITY;
  for (size_t i = 0; i < count && smallest > 0; i++)
    smallest = fmin(smallest, edge_distance(point, corners[i], corners[i + 1 < count ? i + 1 : 0]));
  return smallest;
}
