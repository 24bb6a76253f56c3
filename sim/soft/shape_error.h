// SPDX-License-Identifier: MIT
/// How far the shapes of deformable bodies are from others, and how much they are bent (Saupin
/// 2008, Table 1, whose norm is not given).
#ifndef TS_SIM_SHAPE_ERROR_H
#define TS_SIM_SHAPE_ERROR_H

#include "sim/soft/soft_world.h"

/// The rigid motion (least squares over points with weights [count], not below 0 and not all 0;
/// NULL: equal) that takes `from` nearest to `to`; `*out_distance_m` is the root of the weighted
/// mean of the squared distances that are left. Either may be NULL. Where several motions are the
/// best (points on a line), one of them, the same for the same points; without points, none and
/// NaN.
void ts_shape_fit(ts_pose *out, double *out_distance_m, const ts_vec3 *from, const ts_vec3 *to,
                  const double *weights, size_t count);

typedef struct ts_shape_errors {
  /// Distance of the shape from the exact one after the best rigid fit, over the distance of the
  /// exact shape from rest, fitted likewise; over all deformable bodies. NaN where nothing is
  /// deformed (TS_SHAPE_ROUNDING).
  double deformation;
  /// Plain distance of the nodes over the exact displacement from where they started. NaN where
  /// nothing has moved.
  double displacement;
  double exact_deformation_m; ///< that distance of the exact shape from rest, root mean square
  double exact_displacement_m;
} ts_shape_errors;

/// Compares the nodes of two worlds of the same bodies; `started` are the bodies as the worlds were
/// created from, with their shapes. Distances are roots of the mean of squares over the nodes of
/// all deformable bodies, which count the same; each body is fitted by itself.
void ts_shape_compare(ts_shape_errors *out, const ts_soft_world *world, const ts_soft_world *exact,
                      const ts_shape *shapes, const ts_body *started);

/// Largest rotation [rad] of a node of a deformable body against how the body as a whole has
/// turned: the best rigid fit, or its pose as created where nodes are clamped. The rotation of a
/// node is that nearest to the mean deformation of the tets at it, weighted by volume, as they are
/// now. 0 without deformable bodies; NaN when out of memory.
double ts_shape_largest_rotation_rad(const ts_soft_world *world, const ts_body *started);

#endif
