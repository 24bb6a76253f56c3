// SPDX-License-Identifier: MIT
#include "methods/edge_pair.h"

#include "geometry/tolerances.h"

static double inside(double parameter, double length) {
  return fmin(parameter, 1 - parameter) * length;
}

bool ts_edge_pair_cross(ts_edge_pair *out, const ts_vec3 a[2], const ts_vec3 b[2]) {
  ts_vec3 u = ts_vec3_sub(a[1], a[0]), v = ts_vec3_sub(b[1], b[0]);
  double length_a = ts_vec3_norm(u), length_b = ts_vec3_norm(v);
  ts_vec3 cross = ts_vec3_cross(u, v);
  double area = ts_vec3_norm(cross);
  if (!(length_a > 0) || !(length_b > 0) || !(area >= TS_PARALLEL_SINE * length_a * length_b))
    return false;
  // Cross products have a relative error of 1e-16 / sine here; the dot products of the normal
  // equations would have 1e-16 / sine^2, which is no digit left at an angle of 1e-8.
  ts_vec3 axis = ts_vec3_scale(cross, 1 / area);
  ts_vec3 between = ts_vec3_sub(b[0], a[0]);
  double s = ts_vec3_dot(ts_vec3_cross(between, v), axis) / area;
  double t = ts_vec3_dot(ts_vec3_cross(between, u), axis) / area;
  out->axis = axis;
  out->on_a = ts_vec3_add_scaled(a[0], s, u);
  out->on_b = ts_vec3_add_scaled(b[0], t, v);
  out->inside_a_m = inside(s, length_a);
  out->inside_b_m = inside(t, length_b);
  return true;
}
