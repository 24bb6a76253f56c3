// SPDX-License-Identifier: MIT
#include "geometry/cone.h"

#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include <math.h>

/// Replaces the best when the sum of the weighted rays is closer by more than rounding.
static void offer(ts_cone_direction *best, ts_vec3 direction, const ts_vec3 *rays, size_t count,
                  const size_t *indices, const double *weights) {
  ts_vec3 sum = {0, 0, 0};
  double weight = 0;
  for (size_t i = 0; i < count; i++) {
    if (!(weights[i] > 0))
      return;
    weight += weights[i];
    sum = ts_vec3_add_scaled(sum, weights[i], rays[indices[i]]);
  }
  double length = ts_vec3_norm(sum);
  // What takes much of some rays to reach is what noise leaves of opposite ones.
  if (!(length > TS_CONE_OPPOSITE * weight))
    return;
  ts_vec3 unit = ts_vec3_scale(sum, 1 / length);
  double angle = ts_vec3_angle(direction, unit);
  if (best->count > 0 && angle >= best->angle_rad - TS_SAME_DIRECTION_RAD)
    return;
  *best = (ts_cone_direction){.direction = unit, .angle_rad = angle, .count = count};
  for (size_t i = 0; i < count; i++) {
    best->rays[i] = indices[i];
    best->weights[i] = weights[i] / length;
  }
}

/// The closest direction on the arc between two rays, unless that is one of the rays.
static void offer_arc(ts_cone_direction *best, ts_vec3 direction, const ts_vec3 *rays, size_t i,
                      size_t k) {
  ts_vec3 across = ts_vec3_cross(rays[i], rays[k]);
  double sine2 = ts_vec3_norm2(across);
  if (!(sine2 > TS_SAME_DIRECTION_RAD * TS_SAME_DIRECTION_RAD))
    return; // one ray, or opposite ones
  // The weights of the projection onto the plane of the two rays.
  const double weights[2] = {ts_vec3_dot(ts_vec3_cross(direction, rays[k]), across) / sine2,
                             ts_vec3_dot(ts_vec3_cross(rays[i], direction), across) / sine2};
  offer(best, direction, rays, 2, (const size_t[]){i, k}, weights);
}

/// The direction itself when it is inside the cone of three rays.
static void offer_inside(ts_cone_direction *best, ts_vec3 direction, const ts_vec3 *rays, size_t i,
                         size_t j, size_t k) {
  ts_vec3 jk = ts_vec3_cross(rays[j], rays[k]);
  double volume = ts_vec3_dot(rays[i], jk);
  if (!(fabs(volume) > TS_SAME_DIRECTION_RAD))
    return; // in a plane: the arcs cover it
  const double weights[3] = {ts_vec3_dot(direction, jk) / volume,
                             ts_vec3_dot(direction, ts_vec3_cross(rays[k], rays[i])) / volume,
                             ts_vec3_dot(direction, ts_vec3_cross(rays[i], rays[j])) / volume};
  offer(best, direction, rays, 3, (const size_t[]){i, j, k}, weights);
}

ts_cone_direction ts_cone_closest(ts_vec3 direction, const ts_vec3 *rays, size_t count) {
  ts_cone_direction best = {.count = 0};
  for (size_t i = 0; i < count; i++)
    offer(&best, direction, rays, 1, &i, (const double[]){1});
  for (size_t i = 0; i < count; i++)
    for (size_t k = i + 1; k < count; k++)
      offer_arc(&best, direction, rays, i, k);
  for (size_t i = 0; i < count; i++)
    for (size_t j = i + 1; j < count; j++)
      for (size_t k = j + 1; k < count; k++)
        offer_inside(&best, direction, rays, i, j, k);
  return best;
}

// ---- round cones -------------------------------------------------------------------------------

static void set_cosine(ts_round_cone *cone, double cosine) {
  cone->cosine = cosine;
  cone->is_narrow = cosine > 0;
  cone->sine = sqrt(ts_max(0, 1 - cosine * cosine));
}

ts_round_cone ts_round_cone_around(const ts_vec3 *directions, size_t count) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < count; i++)
    sum = ts_vec3_add(sum, directions[i]);
  ts_round_cone out = {.axis = ts_vec3_unit(sum)};
  double cosine = 1;
  for (size_t i = 0; i < count; i++)
    cosine = ts_min(cosine, ts_vec3_dot(out.axis, directions[i]));
  set_cosine(&out, cosine);
  return out;
}

void ts_round_cone_widen(ts_round_cone *cone, const ts_round_cone *other) {
  double between = ts_vec3_dot(cone->axis, other->axis);
  double sine = sqrt(ts_max(0, 1 - between * between));
  double farthest = between * other->cosine - sine * other->sine;
  // Past a half turn the cosine grows again.
  bool is_narrow = cone->is_narrow && other->is_narrow && between > 0;
  set_cosine(cone, is_narrow ? ts_min(cone->cosine, farthest) : -1);
}

bool ts_round_cones_are_apart(const ts_round_cone *a, const ts_round_cone *b, double cosine,
                              double sine) {
  if (!a->is_narrow || !b->is_narrow)
    return false;
  double cosine_of_both = a->cosine * b->cosine - a->sine * b->sine;
  double sine_of_both = a->sine * b->cosine + a->cosine * b->sine;
  // Both and the angle; a half turn or more holds everything.
  double cosine_of_all = cosine_of_both * cosine - sine_of_both * sine;
  double sine_of_all = sine_of_both * cosine + cosine_of_both * sine;
  return sine_of_all > 0 && ts_vec3_dot(a->axis, b->axis) < cosine_of_all;
}
