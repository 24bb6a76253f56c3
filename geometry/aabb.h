// SPDX-License-Identifier: MIT
/// Axis-aligned boxes.
#ifndef TS_GEOMETRY_AABB_H
#define TS_GEOMETRY_AABB_H

#include "geometry/vec3.h"

typedef struct ts_aabb {
  ts_vec3 low, high;
} ts_aabb;

/// The box that holds nothing: the neutral element of ts_aabb_join.
static inline ts_aabb ts_aabb_empty(void) {
  return (ts_aabb){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline ts_aabb ts_aabb_add(ts_aabb box, ts_vec3 p) {
  return (ts_aabb){ts_vec3_min(box.low, p), ts_vec3_max(box.high, p)};
}

static inline ts_aabb ts_aabb_join(ts_aabb a, ts_aabb b) {
  return (ts_aabb){ts_vec3_min(a.low, b.low), ts_vec3_max(a.high, b.high)};
}

static inline ts_aabb ts_aabb_inflate(ts_aabb box, double margin) {
  ts_vec3 m = {margin, margin, margin};
  return (ts_aabb){ts_vec3_sub(box.low, m), ts_vec3_add(box.high, m)};
}

/// Closed test: touching boxes overlap.
static inline int ts_aabb_overlap(ts_aabb a, ts_aabb b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}

static inline int ts_aabb_contains(ts_aabb box, ts_vec3 p) {
  return box.low.x <= p.x && p.x <= box.high.x && box.low.y <= p.y && p.y <= box.high.y &&
         box.low.z <= p.z && p.z <= box.high.z;
}

static inline ts_vec3 ts_aabb_centre(ts_aabb box) {
  return ts_vec3_mid(box.low, box.high);
}

/// The largest edge of the box [m]; 0 for the empty box.
static inline double ts_aabb_extent(ts_aabb box) {
  ts_vec3 d = ts_vec3_sub(box.high, box.low);
  double extent = fmax(d.x, fmax(d.y, d.z));
  return extent > 0 ? extent : 0;
}

/// The largest coordinate of its corners, by size [m].
static inline double ts_aabb_largest_coordinate(ts_aabb box) {
  double low = fmax(fabs(box.low.x), fmax(fabs(box.low.y), fabs(box.low.z)));
  double high = fmax(fabs(box.high.x), fmax(fabs(box.high.y), fabs(box.high.z)));
  return fmax(low, high);
}

#endif
