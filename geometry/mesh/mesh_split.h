// SPDX-License-Identifier: MIT
/// The same solid with shorter edges.
#ifndef TS_GEOMETRY_MESH_SPLIT_H
#define TS_GEOMETRY_MESH_SPLIT_H

#include "geometry/mesh/mesh.h"

/// Most triangles that ts_mesh_split_edges() makes: some 500 MiB.
#define TS_SPLIT_EDGES_TRIANGLES_MAX ((size_t)4000000)

/// Cuts edges that are longer than `edge_max_m` (above 0) in the middle until none is, with the
/// triangles beside them; without tets. `*out` is `mesh` itself where none is. The vertices of
/// `mesh` come first, to the bit; the solid is the same but for the rounding of the middles.
/// TS_E_INPUT for more than TS_SPLIT_EDGES_TRIANGLES_MAX triangles, and as ts_mesh_create() for
/// triangles that become too small; TS_E_MEMORY.
ts_status ts_mesh_split_edges(const ts_mesh **out, ts_arena *arena, const ts_mesh *mesh,
                              double edge_max_m);

#endif
