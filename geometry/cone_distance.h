// SPDX-License-Identifier: MIT
/// How far a vector is from a convex cone, in a few dimensions.
#ifndef TS_GEOMETRY_CONE_DISTANCE_H
#define TS_GEOMETRY_CONE_DISTANCE_H

#include <stddef.h>

enum { TS_CONE_DIMENSION_MAX = 7 };

/// Distance of `target` [dimension] from the cone that `rays` [count][dimension] span: from the
/// nearest sum of them with factors not below 0, by the active set method of Lawson and Hanson
/// (1974, chapter 23). Without rays the length of the target. 1 <= dimension <=
/// TS_CONE_DIMENSION_MAX. Vectors are about unit: what is shorter than TS_CONE_RESIDUAL_ROUNDING
/// comes out as 0, and rounding is about 1e-12. When it is no more than `enough` the answer may be
/// larger than the distance, but no more than that.
double ts_cone_distance(const double *rays, int dimension, size_t count, const double *target,
                        double enough);

#endif
