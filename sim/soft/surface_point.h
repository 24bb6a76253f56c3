// SPDX-License-Identifier: MIT
/// The surface of a deformable body as it lies now, and its point nearest to a contact. For
/// sim/soft/ alone.
#ifndef TS_SIM_SURFACE_POINT_H
#define TS_SIM_SURFACE_POINT_H

#include "base/arena.h"
#include "base/types.h"

typedef struct ts_surface ts_surface;

/// A material point: a mean of three nodes, weighted. Weights are from 0 and their sum is 1; nodes
/// with a weight above 0 are distinct.
typedef struct ts_surface_point {
  uint32_t nodes[3];
  double weights[3];
} ts_surface_point;

/// In the arena; the triangles of `mesh` with `nodes` [vertex_count] for its vertices are borrowed.
/// TS_E_INPUT for nodes that are not finite.
ts_status ts_surface_create(ts_surface **out, ts_arena *arena, const ts_mesh *mesh,
                            const ts_vec3 *nodes);

/// The point nearest to `p` among triangles whose outward normal has a positive component along the
/// unit vector `facing` (those at right angles have none: TS_SAME_COSINE), any nearest if there are
/// none: of an inverted or flat surface. Of triangles equally near, the first. `guess_m` is about
/// how far it is: a wrong guess costs time. TS_E_MEMORY.
ts_status ts_surface_nearest(ts_surface_point *out, const ts_surface *surface, ts_vec3 p,
                             ts_vec3 facing, double guess_m);

#endif
