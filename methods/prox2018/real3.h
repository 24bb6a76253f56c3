// SPDX-License-Identifier: MIT
/// The numbers and vectors of the kernels in this folder: floats, since the simulator PROX, whose
/// runs the published tables come from, stores and computes everything in single precision. At an
/// exact touch its rounding decides what is found.
///
/// The tests also compile the folder with TS_REAL=double, because the reference pairs were computed
/// in double precision. So a constant that is not a whole number is cast to ts_real, and a
/// tolerance is relative to the rounding unit (methods/prox2018/prox_tolerances.h).
#ifndef TS_METHODS_REAL3_H
#define TS_METHODS_REAL3_H

#include <float.h>
#include <math.h>

#ifndef TS_REAL
#define TS_REAL float
#endif
typedef TS_REAL ts_real;

#define TS_REAL_EPSILON _Generic((ts_real)0, float : FLT_EPSILON, double : DBL_EPSILON)

/// A tolerance for floats, scaled to the rounding unit of ts_real. A double, so that the product
/// with a length is rounded once.
#define TS_REAL_TOLERANCE(for_floats) ((for_floats) * (double)TS_REAL_EPSILON / (double)FLT_EPSILON)

typedef struct ts_real3 {
  ts_real x, y, z;
} ts_real3;

/// The smaller of two numbers; b when either is NaN.
static inline ts_real ts_real_min(ts_real a, ts_real b) {
  return a < b ? a : b;
}

/// The larger of two numbers; b when either is NaN.
static inline ts_real ts_real_max(ts_real a, ts_real b) {
  return a > b ? a : b;
}

// Through double, which gives the same bits as fabsf and sqrtf and which compilers replace by them.
static inline ts_real ts_real_abs(ts_real a) {
  return (ts_real)fabs((double)a);
}

static inline ts_real ts_real_sqrt(ts_real a) {
  return (ts_real)sqrt((double)a);
}

static inline ts_real3 ts_real3_add(ts_real3 a, ts_real3 b) {
  return (ts_real3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline ts_real3 ts_real3_sub(ts_real3 a, ts_real3 b) {
  return (ts_real3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline ts_real3 ts_real3_scale(ts_real3 a, ts_real s) {
  return (ts_real3){a.x * s, a.y * s, a.z * s};
}

/// Not the same bits as a scale by 1 / s.
static inline ts_real3 ts_real3_divide(ts_real3 a, ts_real s) {
  return (ts_real3){a.x / s, a.y / s, a.z / s};
}

static inline ts_real3 ts_real3_neg(ts_real3 a) {
  return (ts_real3){-a.x, -a.y, -a.z};
}

/// a + s b
static inline ts_real3 ts_real3_add_scaled(ts_real3 a, ts_real s, ts_real3 b) {
  return (ts_real3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

/// a + t (b - a); exactly a at t = 0.
static inline ts_real3 ts_real3_lerp(ts_real3 a, ts_real3 b, ts_real t) {
  return ts_real3_add_scaled(a, t, ts_real3_sub(b, a));
}

static inline ts_real3 ts_real3_mid(ts_real3 a, ts_real3 b) {
  return ts_real3_scale(ts_real3_add(a, b), (ts_real)0.5);
}

static inline ts_real ts_real3_dot(ts_real3 a, ts_real3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline ts_real3 ts_real3_cross(ts_real3 a, ts_real3 b) {
  return (ts_real3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline ts_real ts_real3_norm2(ts_real3 a) {
  return ts_real3_dot(a, a);
}

static inline ts_real ts_real3_norm(ts_real3 a) {
  return ts_real_sqrt(ts_real3_norm2(a));
}

static inline ts_real ts_real3_distance(ts_real3 a, ts_real3 b) {
  return ts_real3_norm(ts_real3_sub(a, b));
}

/// Unit vector along a; the zero vector when a has no direction (zero, or not finite).
static inline ts_real3 ts_real3_unit(ts_real3 a) {
  ts_real norm = ts_real3_norm(a);
  return norm > 0 && isfinite(norm) ? ts_real3_scale(a, 1 / norm) : (ts_real3){0, 0, 0};
}

/// The largest absolute value of a coordinate.
static inline ts_real ts_real3_reach(ts_real3 a) {
  return ts_real_max(ts_real_abs(a.x), ts_real_max(ts_real_abs(a.y), ts_real_abs(a.z)));
}

#endif
