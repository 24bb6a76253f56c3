// SPDX-License-Identifier: MIT
/// Where two bodies press on each other with the same pressure, one polygon for two tets, or for a
/// triangle of a rigid body and a tet of a soft one.
#ifndef TS_METHODS_PRESSURE_CUT_H
#define TS_METHODS_PRESSURE_CUT_H

#include "methods/pressure/pressure_body.h"

/// A plane through two tets has at most 4 + 8 corners, a triangle in a tet 3 + 4.
enum { TS_PRESSURE_CORNERS_MAX = 12 };

/// A convex polygon of a contact surface.
typedef struct ts_pressure_cut {
  int count; ///< 3 or more
  ts_vec3 corners[TS_PRESSURE_CORNERS_MAX];
  ts_vec3 normal; ///< unit, out of the first body
  /// A half where it lies in a face between two tets of one body, as both of them have it; a
  /// quarter where in one of each body.
  double area_m2;
  ts_linear depth; ///< of the overlap [m]
} ts_pressure_cut;

/// The part of the plane p_a = p_b that is in both tets. The normal is that of the plane, towards
/// where p_b is larger; the depth is p (1/k_a + 1/k_b), k the slope of each pressure along the
/// inward normal. False when there is none: no common part that is wider than rounding and deeper
/// than touch (TS_PRESSURE_SAME_RELATIVE, TS_TOUCH_RELATIVE of `size_m`), or one of the
/// pressures does not grow along the normal (TS_PRESSURE_ALONG_COSINE).
bool ts_pressure_cut_tets(ts_pressure_cut *out, const ts_placed_tet *a, const ts_placed_tet *b,
                          double size_m);

/// The part of a triangle of a rigid body, with its outward unit normal, that is in a tet of a soft
/// one; the normal is that of the triangle, the depth p / k. False likewise.
bool ts_pressure_cut_triangle(ts_pressure_cut *out, const ts_vec3 triangle[3], ts_vec3 normal,
                              const ts_placed_tet *soft, double size_m);

#endif
