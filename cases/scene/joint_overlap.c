// SPDX-License-Identifier: MIT
#include "cases/scene/joint_overlap.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/polygon.h"
#include "geometry/tolerances.h"

#include <stdlib.h>

ts_vec3 ts_joint_area_vector(const ts_vec3 *corners, size_t count) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 1; i + 1 < count; i++) {
    ts_vec3 side = ts_vec3_sub(corners[i], corners[0]);
    ts_vec3 next = ts_vec3_sub(corners[i + 1], corners[0]);
    sum = ts_vec3_add(sum, ts_vec3_cross(side, next));
  }
  return ts_vec3_scale(sum, 0.5);
}

void ts_joint_orient(ts_vec3 *out, const ts_vec3 *corners, size_t count, ts_vec3 normal) {
  bool is_clockwise = count >= 3 && ts_vec3_dot(ts_joint_area_vector(corners, count), normal) < 0;
  for (size_t i = 0; i < count; i++)
    out[i] = corners[is_clockwise ? count - 1 - i : i];
}

// Moves points of the plane of `from` half way to the plane through `to`.
static void lift_half_way(ts_vec3 *points, size_t count, ts_vec3 to, ts_vec3 normal) {
  for (size_t i = 0; i < count; i++) {
    double height = ts_vec3_dot(normal, ts_vec3_sub(to, points[i]));
    points[i] = ts_vec3_add_scaled(points[i], 0.5 * height, normal);
  }
}

// Where a point projects on another feature, if it does: the region's one vertex.
static size_t touch_point(ts_vec3 *out, ts_vec3 point, const ts_vec3 *other, size_t count,
                          const ts_placed_joint *placed) {
  ts_vec3 on_other = other[0];
  if (count == 2) {
    ts_vec3 along = ts_vec3_sub(other[1], other[0]);
    double length = ts_vec3_norm(along);
    double beyond_m = ts_vec3_dot(ts_vec3_sub(point, other[0]), along) / length;
    if (beyond_m < -placed->tolerance_m || beyond_m > length + placed->tolerance_m)
      return 0;
    on_other =
        ts_vec3_lerp(other[0], other[1], ts_closest_point_segment(point, other[0], other[1]));
  } else if (count >= 3) {
    double height = ts_vec3_dot(placed->normal, ts_vec3_sub(point, other[0]));
    on_other = ts_vec3_add_scaled(point, -height, placed->normal);
    if (ts_convex_distance(on_other, other, count, placed->normal) > placed->tolerance_m)
      return 0;
  }
  out[0] = ts_vec3_mid(point, on_other);
  return 1;
}

// Where two segments cross, seen along the normal, if they do: the region's one vertex, midway
// between them. Their crossing has one normal, and no other is meant.
static ts_status touch_crossing(size_t *out_count, ts_vec3 *out, const ts_placed_joint *placed) {
  ts_vec3 along_a = ts_vec3_sub(placed->a[1], placed->a[0]);
  ts_vec3 along_b = ts_vec3_sub(placed->b[1], placed->b[0]);
  ts_vec3 across = ts_vec3_cross(along_a, along_b), seen = placed->normal;
  double area = ts_vec3_norm(across), seen_area = ts_vec3_dot(across, seen);
  if (!placed->crosses_along_normal) {
    ts_vec3 tilt = ts_vec3_cross(ts_vec3_scale(across, 1 / area), placed->normal);
    if (!(ts_vec3_norm(tilt) <= TS_SAME_NORMAL))
      return ts_fail(TS_E_INPUT,
                     "the segments of the joint of the bodies %d and %d are not parallel, and its "
                     "normal is not that of their crossing: give the cross product of the two",
                     placed->body_a, placed->body_b);
    seen = across;
    seen_area = area * area;
  }
  ts_vec3 to_b = ts_vec3_sub(placed->b[0], placed->a[0]);
  double at_a = ts_vec3_dot(ts_vec3_cross(to_b, along_b), seen) / seen_area;
  double at_b = ts_vec3_dot(ts_vec3_cross(to_b, along_a), seen) / seen_area;
  double slack_a = placed->tolerance_m / ts_vec3_norm(along_a);
  double slack_b = placed->tolerance_m / ts_vec3_norm(along_b);
  bool crosses = at_a >= -slack_a && at_a <= 1 + slack_a && at_b >= -slack_b && at_b <= 1 + slack_b;
  *out_count = crosses ? 1 : 0;
  if (crosses)
    out[0] = ts_vec3_mid(ts_vec3_lerp(placed->a[0], placed->a[1], at_a),
                         ts_vec3_lerp(placed->b[0], placed->b[1], at_b));
  return TS_OK;
}

// What two segments share: of parallel ones the part along their direction, midway between them.
static ts_status touch_segments(size_t *out_count, ts_vec3 *out, const ts_placed_joint *placed) {
  ts_vec3 along = ts_vec3_sub(placed->a[1], placed->a[0]);
  ts_vec3 along_b = ts_vec3_sub(placed->b[1], placed->b[0]);
  double length = ts_vec3_norm(along), length_b = ts_vec3_norm(along_b);
  ts_vec3 direction = ts_vec3_unit(along);
  double sine = ts_vec3_norm(ts_vec3_cross(direction, along_b)) / length_b;
  if (!(sine <= placed->parallel_sine))
    return touch_crossing(out_count, out, placed);
  ts_vec3 to_b = ts_vec3_sub(placed->b[0], placed->a[0]);
  double start_b = ts_vec3_dot(to_b, direction);
  double end_b = start_b + ts_vec3_dot(along_b, direction);
  double low = fmax(0, fmin(start_b, end_b)), high = fmin(length, fmax(start_b, end_b));
  *out_count = 0;
  if (high - low <= placed->tolerance_m)
    return TS_OK;
  ts_vec3 half_across = ts_vec3_scale(ts_vec3_add_scaled(to_b, -start_b, direction), 0.5);
  ts_vec3 origin = ts_vec3_add(placed->a[0], half_across);
  out[0] = ts_vec3_add_scaled(origin, low, direction);
  out[1] = ts_vec3_add_scaled(origin, high, direction);
  *out_count = 2;
  return TS_OK;
}

// The part of a segment or polygon that lies over a polygon.
static size_t touch_polygon(ts_vec3 *out, const ts_vec3 *subject, size_t subject_count,
                            const ts_vec3 *polygon, size_t polygon_count,
                            const ts_placed_joint *placed) {
  size_t count = ts_polygon_clip(out, subject, subject_count, polygon, polygon_count,
                                 placed->normal, placed->corner_m);
  if (count < (subject_count == 2 ? 2u : 3u))
    return 0;
  lift_half_way(out, count, polygon[0], placed->normal);
  return count;
}

ts_status ts_joint_overlap(size_t *out_count, ts_vec3 *out, const ts_placed_joint *placed) {
  if (placed->count_a == 1) {
    *out_count = touch_point(out, placed->a[0], placed->b, placed->count_b, placed);
  } else if (placed->count_b == 1) {
    *out_count = touch_point(out, placed->b[0], placed->a, placed->count_a, placed);
  } else if (placed->count_a == 2 && placed->count_b == 2) {
    return touch_segments(out_count, out, placed);
  } else {
    // The smaller one is cut by the larger one: where it lies inside, its own corners come through
    // untouched.
    double area_a = ts_vec3_norm(ts_joint_area_vector(placed->a, placed->count_a));
    double area_b = ts_vec3_norm(ts_joint_area_vector(placed->b, placed->count_b));
    *out_count =
        area_a < area_b
            ? touch_polygon(out, placed->a, placed->count_a, placed->b, placed->count_b, placed)
            : touch_polygon(out, placed->b, placed->count_b, placed->a, placed->count_a, placed);
  }
  return TS_OK;
}

typedef struct joint_key {
  int32_t body_a, body_b;
  size_t index;
} joint_key;

static int compare_keys(const void *left, const void *right) {
  const joint_key *l = left, *r = right;
  if (l->body_a != r->body_a)
    return l->body_a < r->body_a ? -1 : 1;
  if (l->body_b != r->body_b)
    return l->body_b < r->body_b ? -1 : 1;
  return (l->index > r->index) - (l->index < r->index);
}

const size_t *ts_joint_order(ts_arena *arena, const ts_scene *scene) {
  size_t count = scene->joint_count;
  joint_key *keys = ts_arena_array(arena, count, sizeof *keys);
  size_t *order = ts_arena_array(arena, count, sizeof *order);
  if (!keys || !order)
    return NULL;
  for (size_t i = 0; i < count; i++)
    keys[i] = (joint_key){scene->joints[i].body_a, scene->joints[i].body_b, i};
  qsort(keys, count, sizeof *keys, compare_keys);
  for (size_t i = 0; i < count; i++)
    order[i] = keys[i].index;
  return order;
}

bool ts_joints_are_one_place(const ts_joint *before, const ts_joint *joint) {
  return joint->place != 0 && joint->place == before->place && joint->body_a == before->body_a &&
         joint->body_b == before->body_b;
}
