// SPDX-License-Identifier: MIT
/// Orientation tests whose sign is exact for all finite doubles (no overflow or underflow of the
/// products). The fast path is a floating-point filter; when it cannot decide, the determinant is
/// summed exactly with floating-point expansions (Shewchuk 1997).
#ifndef TS_GEOMETRY_PREDICATES_H
#define TS_GEOMETRY_PREDICATES_H

#include "base/types.h"

/// +1, 0 or -1: the side of the plane through a, b, c that d lies on. +1 when d is on the side that
/// the counter-clockwise normal (b - a) x (c - a) points to; that is, the sign of
/// ((b - a) x (c - a)) . (d - a).
int ts_orient3d(ts_vec3 a, ts_vec3 b, ts_vec3 c, ts_vec3 d);

/// The filter of ts_orient3d alone: +1 or -1 where it is sure of the sign, 0 where it is not.
int ts_orient3d_filter(ts_vec3 a, ts_vec3 b, ts_vec3 c, ts_vec3 d);

/// +1 when (ax, ay), (bx, by), (cx, cy) turn counter-clockwise, 0 collinear, -1 clockwise.
int ts_orient2d(const double a[2], const double b[2], const double c[2]);

#endif
