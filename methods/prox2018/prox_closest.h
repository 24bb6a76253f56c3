// SPDX-License-Identifier: MIT
/// Closest points of a point and a triangle, and of two segments: those of geometry/closest.h in
/// ts_real.
#ifndef TS_METHODS_PROX_CLOSEST_H
#define TS_METHODS_PROX_CLOSEST_H

#include "methods/prox2018/real3.h"

typedef struct ts_prox_closest {
  ts_real3 on_a, on_b;
  ts_real distance_m;
} ts_prox_closest;

/// a: the point, b: the closed triangle.
ts_prox_closest ts_prox_closest_point_triangle(ts_real3 p, const ts_real3 triangle[3]);

/// a: segment p0-p1, b: segment q0-q1.
ts_prox_closest ts_prox_closest_segments(ts_real3 p0, ts_real3 p1, ts_real3 q0, ts_real3 q1);

#endif
