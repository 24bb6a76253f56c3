// SPDX-License-Identifier: MIT
/// Bodies made smaller or larger: the envelope that a method wants its bodies in.
#ifndef TS_GEOMETRY_MESH_OFFSET_H
#define TS_GEOMETRY_MESH_OFFSET_H

#include "geometry/mesh/mesh.h"

// Both refuse, with TS_E_INPUT and the place named, a result that is not a valid mesh, or in which
// a triangle has turned over or an edge between two planes turned round: the body was too thin.
// Parts of a surface that grow into each other are not looked for. Vertices that no triangle uses
// stay where they are. An offset of 0 is a copy.

/// Moves every vertex by `distance_m` (negative: erode) along its angle-weighted normal (unit mean
/// of the face normals around the vertex, weighted by the angle of each face there; Thuermer and
/// Wuethrich 1998). A box of side 1 eroded by 0.01 loses 0.00577 on each side. Refused also when a
/// vertex has no normal (TS_VERTEX_NORMAL_LENGTH).
ts_status ts_mesh_offset_vertices(ts_mesh **out, ts_arena *arena, const ts_mesh *mesh,
                                  double distance_m);

/// Moves every face plane by `distance_m` along its normal: each vertex goes to the point that lies
/// on all moved planes around it, the nearest one to where it was when there are fewer than three.
/// Exact for planes; refused also when more planes meet at a vertex than have a common point
/// (TS_OFFSET_RELATIVE), as on finely curved meshes.
ts_status ts_mesh_offset_faces(ts_mesh **out, ts_arena *arena, const ts_mesh *mesh,
                               double distance_m);

/// By how much `moved`, which is `mesh` with its vertices elsewhere and perhaps more of them
/// inside, lies further out than `mesh` along the unit vector `outward`, where it is closest to
/// `point` among the triangles that face that way (by a cosine of 1/2 at least; else that face it
/// at all): the displacement there, interpolated between the vertices [m]. NaN when no triangle
/// faces it, or the meshes are not alike. Local frame. Cost grows with the triangles.
double ts_mesh_offset_along(const ts_mesh *mesh, const ts_mesh *moved, ts_vec3 point,
                            ts_vec3 outward);

#endif
