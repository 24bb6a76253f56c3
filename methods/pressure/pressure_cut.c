// SPDX-License-Identifier: MIT
#include "methods/pressure/pressure_cut.h"

#include "geometry/closest.h"
#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include <math.h>
#include <string.h>

/// Keeps what is above a face. Corners within `on_m` of it count as above, so that rounding takes
/// nothing from a polygon that lies in the face. False when nothing is left.
static bool clip(ts_pressure_cut *cut, const ts_linear *height, double on_m) {
  double heights[TS_PRESSURE_CORNERS_MAX];
  bool is_cut = false;
  for (int i = 0; i < cut->count; i++) {
    heights[i] = ts_linear_at(height, cut->corners[i]);
    is_cut |= heights[i] < -on_m;
  }
  if (!is_cut)
    return true;
  ts_vec3 kept[2 * TS_PRESSURE_CORNERS_MAX];
  int count = 0;
  for (int i = 0; i < cut->count; i++) {
    int next = (i + 1) % cut->count;
    bool is_in = heights[i] >= -on_m, is_next_in = heights[next] >= -on_m;
    if (is_in)
      kept[count++] = cut->corners[i];
    if (is_in == is_next_in || (is_in ? heights[i] : heights[next]) <= 0)
      continue; // a corner on the face is where it crosses
    kept[count++] = ts_vec3_lerp(cut->corners[i], cut->corners[next],
                                 heights[i] / (heights[i] - heights[next]));
  }
  // A convex polygon gains one corner at most; what rounding adds to that is not one.
  cut->count = count <= TS_PRESSURE_CORNERS_MAX ? count : 0;
  memcpy(cut->corners, kept, (size_t)cut->count * sizeof *kept);
  return cut->count >= 3;
}

/// How far a corner is from the line between its neighbours, or from the nearer of them.
static double stands_out_m(const ts_pressure_cut *cut, int corner) {
  ts_vec3 at = cut->corners[corner];
  ts_vec3 before = cut->corners[(corner + cut->count - 1) % cut->count];
  ts_vec3 after = cut->corners[(corner + 1) % cut->count];
  double t = ts_closest_point_segment(at, before, after);
  return ts_min(ts_vec3_distance(at, ts_vec3_lerp(before, after, t)),
                ts_min(ts_vec3_distance(at, before), ts_vec3_distance(at, after)));
}

/// Drops corners that are none, those that stand out least first.
static void drop_flat_corners(ts_pressure_cut *cut, double same_m) {
  while (cut->count >= 3) {
    double least_m = INFINITY;
    int flattest = 0;
    for (int i = 0; i < cut->count; i++) {
      double out_m = stands_out_m(cut, i);
      if (out_m < least_m) {
        least_m = out_m;
        flattest = i;
      }
    }
    if (least_m > same_m)
      return;
    cut->count--;
    memmove(&cut->corners[flattest], &cut->corners[flattest + 1],
            (size_t)(cut->count - flattest) * sizeof *cut->corners);
  }
}

/// Area, and whether the polygon is wider than `same_m`.
static bool measure(ts_pressure_cut *cut, double same_m) {
  double extent_m = 0;
  ts_vec3 twice = {0, 0, 0};
  for (int i = 1; i < cut->count; i++) {
    ts_vec3 side = ts_vec3_sub(cut->corners[i], cut->corners[0]);
    ts_vec3 next = ts_vec3_sub(cut->corners[(i + 1) % cut->count], cut->corners[0]);
    twice = ts_vec3_add(twice, ts_vec3_cross(side, next));
    extent_m = ts_max(extent_m, ts_vec3_norm(side));
  }
  cut->area_m2 = 0.5 * ts_vec3_norm(twice);
  return cut->area_m2 > same_m * extent_m;
}

/// Halves the area where the polygon lies in a face inside the body.
static void share_face(ts_pressure_cut *cut, const ts_placed_tet *tet, double on_m) {
  for (int f = 0; f < 4; f++) {
    bool is_in_face = !(tet->tet->surface >> f & 1);
    for (int i = 0; is_in_face && i < cut->count; i++)
      is_in_face = fabs(ts_linear_at(&tet->heights[f], cut->corners[i])) <= on_m;
    if (is_in_face)
      cut->area_m2 /= 2;
  }
}

static bool is_deep(const ts_pressure_cut *cut, double touch_m) {
  for (int i = 0; i < cut->count; i++)
    if (ts_linear_at(&cut->depth, cut->corners[i]) > touch_m)
      return true;
  return false;
}

/// Clips what is there of the polygon by the tets [tet_count], and measures the rest.
static bool finish(ts_pressure_cut *cut, const ts_placed_tet *const *tets, int tet_count,
                   double size_m) {
  double on_m = TS_PRESSURE_ON_RELATIVE * size_m, same_m = TS_PRESSURE_SAME_RELATIVE * size_m;
  for (int t = 0; t < tet_count; t++)
    for (int f = 0; f < 4; f++)
      if (!clip(cut, &tets[t]->heights[f], on_m))
        return false;
  drop_flat_corners(cut, same_m);
  if (cut->count < 3 || !measure(cut, same_m) || !is_deep(cut, TS_TOUCH_RELATIVE * size_m))
    return false;
  for (int t = 0; t < tet_count; t++)
    share_face(cut, tets[t], 2 * on_m);
  return true;
}

/// Whether the pressure grows that way, so that there is a depth.
static bool is_along(ts_vec3 normal, ts_vec3 slope) {
  return ts_vec3_dot(normal, slope) > TS_PRESSURE_ALONG_COSINE * ts_vec3_norm(slope);
}

/// Whether a linear function has both signs, or none, at the corners of a tet.
static bool may_vanish(const ts_linear *difference, const ts_vec3 corners[4], double on) {
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < 4; i++) {
    double value = ts_linear_at(difference, corners[i]);
    low = ts_min(low, value);
    high = ts_max(high, value);
  }
  return low <= on && high >= -on;
}

/// A square of the plane with this middle.
static void make_square(ts_pressure_cut *cut, ts_vec3 middle, double half_m) {
  ts_vec3 u, v;
  ts_vec3_tangents(&u, &v, cut->normal);
  static const int signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  cut->count = 4;
  for (int i = 0; i < 4; i++)
    cut->corners[i] = ts_vec3_add_scaled(ts_vec3_add_scaled(middle, signs[i][0] * half_m, u),
                                         signs[i][1] * half_m, v);
}

/// A square of the plane where a function vanishes that goes beyond the tet on all sides.
static void make_plane(ts_pressure_cut *cut, const ts_linear *difference, double slope,
                       const ts_vec3 corners[4]) {
  ts_vec3 middle = ts_vec3_scale(
      ts_vec3_add(ts_vec3_add(corners[0], corners[1]), ts_vec3_add(corners[2], corners[3])), 0.25);
  double reach_m = 0;
  for (int i = 0; i < 4; i++)
    reach_m = ts_max(reach_m, ts_vec3_distance(middle, corners[i]));
  double above_m = ts_linear_at(difference, middle) / slope;
  make_square(cut, ts_vec3_add_scaled(middle, -above_m, cut->normal), 2 * reach_m);
}

bool ts_pressure_cut_tets(ts_pressure_cut *out, const ts_placed_tet *a, const ts_placed_tet *b,
                          double size_m) {
  ts_linear difference = {ts_vec3_sub(b->pressure.slope, a->pressure.slope), a->pressure.at, 0};
  difference.value = ts_linear_at(&b->pressure, difference.at) - a->pressure.value;
  double slope = ts_vec3_norm(difference.slope);
  if (!(slope > 0))
    return false;
  double on = TS_PRESSURE_ON_RELATIVE * size_m * slope;
  if (!may_vanish(&difference, a->corners, on) || !may_vanish(&difference, b->corners, on))
    return false;
  out->normal = ts_vec3_scale(difference.slope, 1 / slope);
  if (!is_along(out->normal, ts_vec3_neg(a->pressure.slope)) ||
      !is_along(out->normal, b->pressure.slope))
    return false;
  double k_a = -ts_vec3_dot(out->normal, a->pressure.slope);
  double k_b = ts_vec3_dot(out->normal, b->pressure.slope);
  double compliance = 1 / k_a + 1 / k_b;
  out->depth = (ts_linear){ts_vec3_scale(a->pressure.slope, compliance), a->pressure.at,
                           a->pressure.value * compliance};
  make_plane(out, &difference, slope, a->corners);
  return finish(out, (const ts_placed_tet *const[]){a, b}, 2, size_m);
}

bool ts_pressure_cut_triangle(ts_pressure_cut *out, const ts_vec3 triangle[3], ts_vec3 normal,
                              const ts_placed_tet *soft, double size_m) {
  out->normal = normal;
  double k = ts_vec3_dot(normal, soft->pressure.slope);
  if (!is_along(normal, soft->pressure.slope))
    return false;
  out->depth = (ts_linear){ts_vec3_scale(soft->pressure.slope, 1 / k), soft->pressure.at,
                           soft->pressure.value / k};
  out->count = 3;
  memcpy(out->corners, triangle, 3 * sizeof *triangle);
  return finish(out, &soft, 1, size_m);
}
