// SPDX-License-Identifier: MIT
/// Convex cones of directions, spanned by a few rays.
#ifndef TS_GEOMETRY_CONE_H
#define TS_GEOMETRY_CONE_H

#include "base/types.h"

#include <stdbool.h>
#include <stddef.h>

/// A direction of a cone as a sum of at most three of its rays, each with a weight above zero.
typedef struct ts_cone_direction {
  ts_vec3 direction; ///< unit
  double angle_rad;  ///< between it and the direction asked for, 0 to pi
  size_t count;      ///< 1 to 3; 0: the cone has no ray
  size_t rays[3];    ///< [count] indices
  double weights[3]; ///< [count] the sum of weights x rays is the direction
} ts_cone_direction;

/// The direction of the convex cone spanned by unit rays [count] that is closest to the unit
/// `direction`. A direction inside the cone is its own answer, with angle 0. Two rays that are
/// opposite within TS_CONE_OPPOSITE span nothing between them, and three around a plane only that.
/// Of equally close answers the one with fewer rays, then the one with lower
/// indices. Cost grows with the cube of the count.
ts_cone_direction ts_cone_closest(ts_vec3 direction, const ts_vec3 *rays, size_t count);

/// All directions within an angle of an axis.
typedef struct ts_round_cone {
  ts_vec3 axis; ///< unit
  double cosine, sine;
  bool is_narrow; ///< The angle is below a right angle; else cosine and sine mean nothing.
} ts_round_cone;

/// A round cone that holds unit directions [count], about their mean.
ts_round_cone ts_round_cone_around(const ts_vec3 *directions, size_t count);

/// Widens a cone until it holds another one.
void ts_round_cone_widen(ts_round_cone *cone, const ts_round_cone *other);

/// Whether no direction of one cone is within an angle, given by its cosine and sine, of one of the
/// other; false where that is not certain.
bool ts_round_cones_are_apart(const ts_round_cone *a, const ts_round_cone *b, double cosine,
                              double sine);

#endif
