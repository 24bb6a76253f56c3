// SPDX-License-Identifier: MIT
/// Vector arithmetic. Argument and result in any one frame.
#ifndef TS_GEOMETRY_VEC3_H
#define TS_GEOMETRY_VEC3_H

#include "base/types.h"

#include <math.h>

/// The smaller of two numbers; b when either is NaN. A single instruction, unlike fmin.
static inline double ts_min(double a, double b) {
  return a < b ? a : b;
}

/// The larger of two numbers; b when either is NaN.
static inline double ts_max(double a, double b) {
  return a > b ? a : b;
}

static inline ts_vec3 ts_vec3_make(double x, double y, double z) {
  return (ts_vec3){x, y, z};
}

static inline ts_vec3 ts_vec3_add(ts_vec3 a, ts_vec3 b) {
  return (ts_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline ts_vec3 ts_vec3_sub(ts_vec3 a, ts_vec3 b) {
  return (ts_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline ts_vec3 ts_vec3_scale(ts_vec3 a, double s) {
  return (ts_vec3){a.x * s, a.y * s, a.z * s};
}

static inline ts_vec3 ts_vec3_neg(ts_vec3 a) {
  return (ts_vec3){-a.x, -a.y, -a.z};
}

/// a + s b
static inline ts_vec3 ts_vec3_add_scaled(ts_vec3 a, double s, ts_vec3 b) {
  return (ts_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

/// a + t (b - a); exactly a at t = 0.
static inline ts_vec3 ts_vec3_lerp(ts_vec3 a, ts_vec3 b, double t) {
  return ts_vec3_add_scaled(a, t, ts_vec3_sub(b, a));
}

static inline ts_vec3 ts_vec3_mid(ts_vec3 a, ts_vec3 b) {
  return (ts_vec3){0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z)};
}

static inline double ts_vec3_dot(ts_vec3 a, ts_vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline ts_vec3 ts_vec3_cross(ts_vec3 a, ts_vec3 b) {
  return (ts_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double ts_vec3_norm2(ts_vec3 a) {
  return ts_vec3_dot(a, a);
}

static inline double ts_vec3_norm(ts_vec3 a) {
  return sqrt(ts_vec3_dot(a, a));
}

/// Angle [rad] between two vectors, 0 to pi; exact to rounding also where it is small.
static inline double ts_vec3_angle(ts_vec3 a, ts_vec3 b) {
  return atan2(ts_vec3_norm(ts_vec3_cross(a, b)), ts_vec3_dot(a, b));
}

static inline double ts_vec3_distance(ts_vec3 a, ts_vec3 b) {
  return ts_vec3_norm(ts_vec3_sub(a, b));
}

/// Unit vector along a; the zero vector when a has no direction (zero, or not finite).
static inline ts_vec3 ts_vec3_unit(ts_vec3 a) {
  double norm = ts_vec3_norm(a);
  return norm > 0 && isfinite(norm) ? ts_vec3_scale(a, 1 / norm) : (ts_vec3){0, 0, 0};
}

static inline int ts_vec3_is_finite(ts_vec3 a) {
  return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline ts_vec3 ts_vec3_min(ts_vec3 a, ts_vec3 b) {
  return (ts_vec3){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

static inline ts_vec3 ts_vec3_max(ts_vec3 a, ts_vec3 b) {
  return (ts_vec3){a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

/// Two unit vectors that make (out_u, out_v, n) a right-handed orthonormal frame. `n` is unit. The
/// same n gives the same bits.
static inline void ts_vec3_tangents(ts_vec3 *out_u, ts_vec3 *out_v, ts_vec3 n) {
  double ax = fabs(n.x), ay = fabs(n.y), az = fabs(n.z);
  ts_vec3 smallest = ax <= ay && ax <= az ? (ts_vec3){1, 0, 0}
                     : ay <= az           ? (ts_vec3){0, 1, 0}
                                          : (ts_vec3){0, 0, 1};
  *out_u = ts_vec3_unit(ts_vec3_cross(smallest, n));
  *out_v = ts_vec3_cross(n, *out_u);
}

#endif
