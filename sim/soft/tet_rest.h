// SPDX-License-Identifier: MIT
/// What a body of tets is at rest: how long, and where its material points are. For sim/soft/
/// alone.
#ifndef TS_SIM_TET_REST_H
#define TS_SIM_TET_REST_H

#include "sim/soft/tet_elements.h"

/// Length [m] of elements [count], count above 0: that of a bar whose mass is spread as far along
/// its axis, sqrt(12 times the largest eigenvalue of the covariance of the mass). The edge of a
/// cube, and of a bar its length; it does not depend on the frame.
double ts_tet_rest_length_m(const ts_tet_element *elements, size_t count, const ts_vec3 *rest);

/// A material point: a mean of the nodes of a tet. Weights may be negative; their sum is 1.
typedef struct ts_tet_point {
  uint32_t nodes[4];
  double weights[4];
} ts_tet_point;

/// The point [m] of elements [count], count above 0: its barycentric coordinates in the first tet
/// that holds it, or else in the nearest one, the first of several.
ts_tet_point ts_tet_rest_point(const ts_tet_element *elements, size_t count, const ts_vec3 *rest,
                               ts_vec3 point);

#endif
