// SPDX-License-Identifier: MIT
/// The smallest gap between two closed meshes, whatever a contact generator says.
#ifndef TS_GEOMETRY_MESH_GAP_H
#define TS_GEOMETRY_MESH_GAP_H

#include "geometry/mesh/bvh.h"
#include "geometry/mesh/mesh.h"

/// Smallest signed gap [m] between meshes a and b at their poses: above 0 their distance; below 0
/// the depth of the deepest sampled point of one in the other, by its distance from the other's
/// surface. Sampled are the vertices, and along edges that cross the other's surface the middle of
/// each stretch inside. `reach_m`: gaps above it are not looked for, and give INFINITY. Surfaces
/// must not cross themselves where they overlap. TS_E_MEMORY.
ts_status ts_mesh_gap(double *out_m, ts_arena *arena, const ts_mesh *a, ts_pose pose_a,
                      const ts_mesh *b, ts_pose pose_b, double reach_m);

#endif
