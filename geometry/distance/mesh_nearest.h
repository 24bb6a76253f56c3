// SPDX-License-Identifier: MIT
/// The point of a closed surface that is nearest to a point, and whether that one is inside.
#ifndef TS_GEOMETRY_MESH_NEAREST_H
#define TS_GEOMETRY_MESH_NEAREST_H

#include "geometry/closest.h"
#include "geometry/mesh/bvh.h"

#include <stdbool.h>

typedef struct ts_mesh_nearest {
  ts_closest_on_triangle at; ///< distance INFINITY: none, since the point is not finite
  uint32_t triangle;
} ts_mesh_nearest;

/// Of a mesh and the hierarchy of its triangles; of several nearest points, one. The search ends at
/// the first triangle that is within `enough_m`, which then need not be the nearest one.
ts_status ts_mesh_find_nearest(ts_mesh_nearest *out, const ts_mesh *mesh, const ts_bvh *bvh,
                               ts_vec3 from, double enough_m);

/// The outward normal at a nearest point, not of unit length: at an edge the sum of those of its
/// faces, at a vertex that weighted by the angles of its faces (Baerentzen and Aanaes 2005).
ts_vec3 ts_mesh_nearest_normal(const ts_mesh *mesh, const ts_mesh_nearest *nearest);

/// Whether `from`, of which `nearest` is the nearest point, is inside: by the normal there. Exact
/// but for rounding, so that it says nothing where the distance is no more than that. The surface
/// must not cross itself near there.
bool ts_mesh_is_inside_of(const ts_mesh *mesh, const ts_mesh_nearest *nearest, ts_vec3 from);

#endif
