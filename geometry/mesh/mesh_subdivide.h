// SPDX-License-Identifier: MIT
/// The same solid with more triangles.
#ifndef TS_GEOMETRY_MESH_SUBDIVIDE_H
#define TS_GEOMETRY_MESH_SUBDIVIDE_H

#include "geometry/mesh/mesh.h"

/// Most triangles that ts_mesh_subdivide() makes: some 500 MiB.
#define TS_SUBDIVIDE_TRIANGLES_MAX ((size_t)4000000)

/// Cuts each triangle into four at the middles of its edges, `times` (0 or more) times; without
/// tets. The vertices of `mesh` come first, to the bit; the solid is the same but for the rounding
/// of the middles. TS_E_INPUT for more than TS_SUBDIVIDE_TRIANGLES_MAX triangles and as
/// ts_mesh_create(), for triangles that become too small; TS_E_MEMORY.
ts_status ts_mesh_subdivide(const ts_mesh **out, ts_arena *arena, const ts_mesh *mesh, int times);

#endif
