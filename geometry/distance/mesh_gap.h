// SPDX-License-Identifier: MIT
/// The smallest gap between two closed meshes, whatever a contact generator says.
#ifndef TS_GEOMETRY_MESH_GAP_H
#define TS_GEOMETRY_MESH_GAP_H

#include "geometry/mesh/mesh.h"

/// Smallest signed gap [m] between meshes a and b at their poses: above 0 their distance; below 0
/// the depth of the deepest sampled point of one in the other, by its distance from the other's
/// surface. Sampled are the vertices of the surfaces; along edges that cross the other's surface
/// the middle of each stretch inside; and points within both, for bodies in one place, none of
/// whose surface is inside the other: the centres of mass, and the centroids of tets where a mesh
/// has some, which need not be valid. So a depth is never too large, and too small where the
/// deepest point is none of these. Surfaces that touch give 0 up to rounding, of either sign.
///
/// `reach_m`, from 0, may be INFINITY: distances above it are not looked for, and give INFINITY;
/// depths have no such limit, also that of a mesh inside the other. Surfaces must not cross
/// themselves where they overlap.
///
/// Time is about that of building a hierarchy of the triangles of each, plus a search for each
/// surface vertex inside, and for each tet in the box of what both share; nothing of that where the
/// boxes are apart by more than the reach. `arena` is for work and left as it was. TS_E_MEMORY.
ts_status ts_mesh_gap(double *out_m, ts_arena *arena, const ts_mesh *a, ts_pose pose_a,
                      const ts_mesh *b, ts_pose pose_b, double reach_m);

#endif
