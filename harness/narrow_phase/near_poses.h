// SPDX-License-Identifier: MIT
/// Poses that a method has not been asked at before, and at which the same contacts are right:
/// times are those of answers at such poses, so that an answer that was only remembered is not
/// timed.
#ifndef TS_HARNESS_NEAR_POSES_H
#define TS_HARNESS_NEAR_POSES_H

#include "methods/method.h"

/// The length in which bodies are moved [m]: 2^-50 of the smallest pair, or the rounding of the
/// largest coordinate where that is more. 0 without pairs.
double ts_near_poses_unit_m(const ts_pair *pairs, size_t count);

/// The pairs [count] at nearby poses: each body is translated by up to 512 units along each axis,
/// as follows from `number` and its index; number 0 leaves the poses as they are. That is 5e-13 of
/// the pair size, or 512 roundings of a coordinate far from the origin: below every tolerance.
void ts_near_poses(ts_pair *out, const ts_pair *pairs, size_t count, double unit_m,
                   uint64_t number);

#endif
