// SPDX-License-Identifier: MIT
/// The smallest gap between a body and static ground, which is solid below without end.
#ifndef TS_GEOMETRY_GROUND_GAP_H
#define TS_GEOMETRY_GROUND_GAP_H

#include "geometry/mesh/body.h"

/// Smallest signed gap [m] as ts_mesh_gap() has it, between a closed mesh and `ground`
/// (ts_geometry_is_ground), both at their poses.
///
/// A plane: the height above it of the lowest vertex of the surface, exact at any depth, and beyond
/// the border of the plane's mesh, too. A height field, or a surface whose triangles have a common
/// up: by its sheet, made as thick as it takes for no way out to lead through its lower side,
/// however far the mesh has fallen through; the walls below its border count as its surface. A
/// surface that lies above itself, or whose triangles face no common direction, is solid in its
/// sheet as it is only, and where that is made of prisms, their walls count, too.
///
/// `reach_m` as there. A sheet is made anew for a mesh that is deep below ground, in time n log n
/// of its triangles. `arena` is for work and left as it was. TS_E_MEMORY; TS_E_INPUT as
/// ts_sheet_create(), for a mesh that is some 1e10 times the length of a triangle below ground.
ts_status ts_ground_gap(double *out_m, ts_arena *arena, const ts_shape *ground, ts_pose ground_pose,
                        const ts_mesh *mesh, ts_pose pose, double reach_m);

#endif
