// SPDX-License-Identifier: MIT
/// The signed distance to a closed mesh at the nodes of a regular grid, in a band around the
/// surface only. Blocks of nodes away from the band take no memory.
#ifndef TS_METHODS_SDF_GRID_H
#define TS_METHODS_SDF_GRID_H

#include "geometry/mesh/mesh.h"

typedef struct ts_sdf_grid ts_sdf_grid;

/// A grid along the axes of the local frame, with `cells` along the longest side of the mesh's box
/// and a node at its low corner. Values are known where a point of the surface is within `reach_m`
/// and a few cells more, so that ts_sdf_grid_gradient() has its neighbours there. TS_E_MEMORY.
ts_status ts_sdf_grid_create(ts_sdf_grid **out, ts_arena *arena, const ts_mesh *mesh, int cells,
                             double reach_m);

/// Trilinear, negative inside [m]; INFINITY where the grid knows nothing, in the depth of the solid
/// too.
double ts_sdf_grid_value(const ts_sdf_grid *grid, ts_vec3 point_local);

/// The unit direction in which the value grows, by differences over a cell around the point; the
/// zero vector where a neighbour is not known or the value is flat. Unlike the derivative of one
/// cell it does not jump where the point crosses into the next.
ts_vec3 ts_sdf_grid_gradient(const ts_sdf_grid *grid, ts_vec3 point_local);

#endif
