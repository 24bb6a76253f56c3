// SPDX-License-Identifier: MIT
/// How high the bulge of a deformed surface must be for its volume to be kept (Brunel 2021, section
/// 5.3): where each vertex moves along a line, the volume that a mesh encloses is a cubic in the
/// height, exactly.
#ifndef TS_ELASTIC_BULGE_HEIGHT_H
#define TS_ELASTIC_BULGE_HEIGHT_H

#include "base/types.h"

#include <stdbool.h>

/// The volume [m3] enclosed with each vertex at moved + height * directions, less that enclosed by
/// `vertices`, as coefficients of height^0 to height^3. All arrays [vertex_count], in one frame
/// with its origin in or near the mesh. Exactly 0 where nothing moves.
void ts_bulge_cubic(double out[4], const ts_mesh *mesh, const ts_vec3 *vertices,
                    const ts_vec3 *moved, const ts_vec3 *directions);

/// The smallest root of a cubic above 0, or 0 when its constant is 0; false when there is none, or
/// a coefficient is not finite. A root where the cubic touches 0 within its rounding is one.
bool ts_smallest_positive_root(double *out, const double cubic[4]);

#endif
