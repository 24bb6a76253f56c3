// SPDX-License-Identifier: MIT
/// Which feature of a triangle is closest to a point, where that is clear at a glance: what
/// ts_closest_point_triangle would say, for a few products.
#ifndef TS_METHODS_CLEARLY_CLOSEST_H
#define TS_METHODS_CLEARLY_CLOSEST_H

#include "base/types.h"

/// TS_UNCLEAR where rounding might decide, and for triangles far from equilateral.
typedef enum ts_clearness { TS_UNCLEAR, TS_CLEARLY, TS_CLEARLY_NOT } ts_clearness;

/// Whether the point of the half-edge's triangle closest to `p` (local frame) is the vertex at
/// which the half-edge starts.
ts_clearness ts_vertex_clearly_closest(const ts_mesh *mesh, uint32_t half_edge, ts_vec3 p);

/// Whether it lies within the edge.
ts_clearness ts_edge_clearly_closest(const ts_mesh *mesh, uint32_t half_edge, ts_vec3 p);

#endif
