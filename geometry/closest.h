// SPDX-License-Identifier: MIT
/// Closest points of points, segments, triangles and tetrahedra.
///
/// All take degenerate input (a segment of no length, a flat triangle or tet) and answer for the
/// set of points that it is. When several pairs are closest, one of them comes back, the same for
/// the same input.
#ifndef TS_GEOMETRY_CLOSEST_H
#define TS_GEOMETRY_CLOSEST_H

#include "base/types.h"

/// Witness points and their distance [m]; distance 0 when the two sets share a point, which is then
/// both witnesses.
typedef struct ts_closest {
  ts_vec3 on_a, on_b;
  double distance_m;
} ts_closest;

/// Where on a triangle a point lies: inside the face, on an edge, or at a corner.
typedef struct ts_closest_on_triangle {
  ts_vec3 point;
  double distance_m;
  int32_t kind; ///< ts_feature_kind of the part the point lies on
  int corner;   ///< TS_FEATURE_VERTEX: the corner; TS_FEATURE_EDGE: the corner the edge starts at
} ts_closest_on_triangle;

/// Parameter in [0, 1] of the point of segment a-b closest to p.
double ts_closest_point_segment(ts_vec3 p, ts_vec3 a, ts_vec3 b);

ts_closest_on_triangle ts_closest_point_triangle(ts_vec3 p, const ts_vec3 triangle[3]);

/// Segments p0-p1 and q0-q1. `out_s`, `out_t` (either may be NULL) get the parameters in [0, 1].
/// Parallel segments that overlap along their direction answer with an end of one of them.
ts_closest ts_closest_segment_segment(double *out_s, double *out_t, ts_vec3 p0, ts_vec3 p1,
                                      ts_vec3 q0, ts_vec3 q1);

/// Nonzero when segment p-q and the triangle, not all in one plane, share a point: exact, ends and
/// rims included. `*out_t` gets the parameter of that point in [0, 1], rounded.
int ts_segment_meets_triangle(double *out_t, ts_vec3 p, ts_vec3 q, const ts_vec3 triangle[3]);

/// Triangles as solid sets of points: crossing triangles have distance 0.
ts_closest ts_closest_triangle_triangle(const ts_vec3 a[3], const ts_vec3 b[3]);

/// Tetrahedra as solids: one inside the other has distance 0.
ts_closest ts_closest_tet_tet(const ts_vec3 a[4], const ts_vec3 b[4]);

#endif
