// SPDX-License-Identifier: MIT
/// Whether points are inside closed meshes.
#ifndef TS_GEOMETRY_WINDING_H
#define TS_GEOMETRY_WINDING_H

#include "geometry/mesh/mesh.h"

/// The share of all directions from a point that the surface closes off, by the solid angles of its
/// triangles (Van Oosterom and Strackee 1983): 1 inside, 0 outside, 1/2 on a flat part of it.
/// `vertices` [mesh->vertex_count]: those of the mesh, or where they have moved to. O(triangles).
double ts_winding(const ts_mesh *mesh, const ts_vec3 *vertices, ts_vec3 point);

#endif
