// SPDX-License-Identifier: MIT
/// The pressure inside one body, prepared once: 0 on the surface, 1 where it is deepest, linear in
/// each tet between its nodes. A unit is the elasticity that all bodies share.
#ifndef TS_METHODS_PRESSURE_BODY_H
#define TS_METHODS_PRESSURE_BODY_H

#include "base/arena.h"
#include "geometry/mesh/bvh.h"

#include <stdbool.h>

/// In the local frame.
typedef struct ts_pressure_tet {
  ts_vec3 corners[4];
  double pressure[4]; ///< at the corners
  uint8_t surface;    ///< bit i: the face opposite corner i is on the surface
} ts_pressure_tet;

/// Everything is in `arena`, the body itself too.
typedef struct ts_pressure_body {
  ts_arena *arena;
  const ts_mesh *mesh; ///< Borrowed.
  ts_bvh *triangle_bvh;
  size_t tet_count;
  ts_pressure_tet *tets; ///< [tet_count]
  ts_bvh *tet_bvh;
  double depth_m;     ///< distance from the surface where the pressure is 1
  size_t flat_count;  ///< tets of the mesh whose nodes are all on the surface, which were split
  size_t still_count; ///< tets that have no pressure all the same: only where a node inside is on
                      ///< the surface up to rounding
} ts_pressure_body;

/// Of a convex mesh, tets between its triangles and its centre; of any other, its own tets, split
/// where they lie between points of the surface (pressure_split.h). TS_E_INPUT for a mesh that has
/// none and is not convex; TS_E_MEMORY. Destroyed by its arena; the mesh must stay until then.
ts_status ts_pressure_body_create(ts_pressure_body **out, const ts_mesh *mesh);

/// A linear function of space.
typedef struct ts_linear {
  ts_vec3 slope;
  ts_vec3 at; ///< where it has `value`
  double value;
} ts_linear;

double ts_linear_at(const ts_linear *linear, ts_vec3 point);

/// A tet in the frame of a pair.
typedef struct ts_placed_tet {
  const ts_pressure_tet *tet;
  ts_vec3 corners[4];
  ts_linear heights[4]; ///< [m] above the face opposite each corner, towards the corner
  ts_linear pressure;
} ts_placed_tet;

/// False when the tet is flat, so that it has no slope.
bool ts_pressure_place(ts_placed_tet *out, const ts_pressure_tet *tet, ts_pose to_frame);

#endif
