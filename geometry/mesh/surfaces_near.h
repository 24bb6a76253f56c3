// SPDX-License-Identifier: MIT
/// Whether two surfaces come close to each other.
#ifndef TS_GEOMETRY_SURFACES_NEAR_H
#define TS_GEOMETRY_SURFACES_NEAR_H

#include "geometry/mesh/bvh.h"

#include <stdbool.h>

/// A surface and the hierarchy of its triangles (ts_bvh_create_for_mesh).
typedef struct ts_surface {
  const ts_mesh *mesh;
  const ts_bvh *bvh;
} ts_surface;

/// Whether surface b, moved by `b_to_a`, comes within `within_m` [m] of surface a. One that is
/// inside the other without touching it is not near. TS_E_MEMORY.
ts_status ts_surfaces_are_near(bool *out, ts_surface a, ts_surface b, ts_pose b_to_a,
                               double within_m);

#endif
