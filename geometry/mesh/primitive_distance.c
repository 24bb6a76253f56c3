// SPDX-License-Identifier: MIT
#include "geometry/mesh/primitive_distance.h"

#include "base/geometry_kind.h"
#include "geometry/closest.h"
#include "geometry/vec3.h"

#include <math.h>

bool ts_geometry_has_distance(int32_t kind) {
  return ts_geometry_is_primitive(kind) || kind == TS_GEOMETRY_PLANE;
}

/// Of a ball around a centre.
static ts_nearest nearest_on_ball(ts_vec3 centre, double radius_m, ts_vec3 from) {
  ts_vec3 out = ts_vec3_sub(from, centre);
  double distance_m = ts_vec3_norm(out);
  ts_vec3 direction = distance_m > 0 ? ts_vec3_scale(out, 1 / distance_m) : ts_vec3_make(1, 0, 0);
  return (ts_nearest){ts_vec3_add_scaled(centre, radius_m, direction), distance_m - radius_m};
}

/// Of a solid of revolution about y whose outline in the half-plane is a chain of straight edges
/// from axis to axis, `corners` [count] with x the distance from the axis; inside is to the left.
static ts_nearest nearest_on_turned(const ts_vec3 *corners, int count, ts_vec3 from) {
  double off_axis_m = hypot(from.x, from.z);
  ts_vec3 at = ts_vec3_make(off_axis_m, from.y, 0), best = corners[0];
  double least_m = INFINITY;
  bool is_outside = false;
  for (int i = 0; i + 1 < count; i++) {
    ts_vec3 along = ts_vec3_sub(corners[i + 1], corners[i]), to = ts_vec3_sub(at, corners[i]);
    is_outside |= along.x * to.y - along.y * to.x < 0;
    double t = ts_closest_point_segment(at, corners[i], corners[i + 1]);
    ts_vec3 on_edge = ts_vec3_lerp(corners[i], corners[i + 1], t);
    double distance_m = ts_vec3_distance(at, on_edge);
    if (distance_m < least_m) {
      least_m = distance_m;
      best = on_edge;
    }
  }
  double x = off_axis_m > 0 ? from.x / off_axis_m : 1, z = off_axis_m > 0 ? from.z / off_axis_m : 0;
  return (ts_nearest){ts_vec3_make(best.x * x, best.y, best.x * z),
                      is_outside ? least_m : -least_m};
}

static double clamp(double value, double limit) {
  return fmin(fmax(value, -limit), limit);
}

static ts_nearest nearest_on_box(ts_vec3 half, ts_vec3 from) {
  ts_vec3 point = ts_vec3_make(clamp(from.x, half.x), clamp(from.y, half.y), clamp(from.z, half.z));
  double distance_m = ts_vec3_distance(from, point);
  if (distance_m > 0)
    return (ts_nearest){point, distance_m};
  const double inside_m[3] = {half.x - fabs(from.x), half.y - fabs(from.y), half.z - fabs(from.z)};
  if (inside_m[0] <= inside_m[1] && inside_m[0] <= inside_m[2])
    point.x = copysign(half.x, from.x);
  else if (inside_m[1] <= inside_m[2])
    point.y = copysign(half.y, from.y);
  else
    point.z = copysign(half.z, from.z);
  return (ts_nearest){point, -ts_vec3_distance(from, point)};
}

ts_nearest ts_geometry_nearest(const ts_geometry *g, ts_vec3 from) {
  double r = g->radius_m, h = g->half_length_m;
  switch (g->kind) {
  case TS_GEOMETRY_SPHERE:
    return nearest_on_ball(ts_vec3_make(0, 0, 0), r, from);
  case TS_GEOMETRY_CAPSULE:
    return nearest_on_ball(ts_vec3_make(0, clamp(from.y, h), 0), r, from);
  case TS_GEOMETRY_CYLINDER:
    return nearest_on_turned((const ts_vec3[]){{0, -h, 0}, {r, -h, 0}, {r, h, 0}, {0, h, 0}}, 4,
                             from);
  case TS_GEOMETRY_CONE:
    return nearest_on_turned((const ts_vec3[]){{0, -h, 0}, {r, -h, 0}, {0, h, 0}}, 3, from);
  case TS_GEOMETRY_BOX:
    return nearest_on_box(g->half_size_m, from);
  default: // a plane
    return (ts_nearest){ts_vec3_make(from.x, 0, from.z), from.y};
  }
}

ts_nearest ts_torus_nearest(ts_torus_radii torus, ts_vec3 from) {
  double off_axis_m = hypot(from.x, from.z);
  double x = off_axis_m > 0 ? from.x / off_axis_m : 1, z = off_axis_m > 0 ? from.z / off_axis_m : 0;
  // Seen from the middle of the tube, in the plane of the axis and the point.
  double across_m = off_axis_m - torus.ring_m, from_middle_m = hypot(across_m, from.y);
  double outwards = from_middle_m > 0 ? across_m / from_middle_m : 0;
  double upwards = from_middle_m > 0 ? from.y / from_middle_m : 1;
  double on_surface_m = torus.ring_m + torus.tube_m * outwards;
  return (ts_nearest){{on_surface_m * x, torus.tube_m * upwards, on_surface_m * z},
                      from_middle_m - torus.tube_m};
}

double ts_geometry_depth_along(const ts_geometry *geometry, ts_vec3 start, ts_vec3 stop) {
  // The distance is convex along a line: its least value is between the two points that are left.
  double low = 0, high = 1;
  for (int i = 0; i < 35; i++) {
    double left = low + (high - low) / 3, right = high - (high - low) / 3;
    double at_left = ts_geometry_nearest(geometry, ts_vec3_lerp(start, stop, left)).distance_m;
    double at_right = ts_geometry_nearest(geometry, ts_vec3_lerp(start, stop, right)).distance_m;
    if (at_left < at_right)
      high = right;
    else
      low = left;
  }
  ts_vec3 middle = ts_vec3_lerp(start, stop, 0.5 * (low + high));
  return fmax(0, -ts_geometry_nearest(geometry, middle).distance_m);
}
