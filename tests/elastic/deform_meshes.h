// SPDX-License-Identifier: MIT
/// Meshes with made-up contact zones, for tests of the deformer.
#ifndef TS_TESTS_ELASTIC_DEFORM_MESHES_H
#define TS_TESTS_ELASTIC_DEFORM_MESHES_H

#include "base/arena.h"
#include "elastic/deform.h"
#include "geometry/mesh/mesh.h"

#include <stdbool.h>

/// A sphere of 20 * 4^level triangles around `centre`, with corners on it.
ts_mesh *deform_icosphere(ts_arena *arena, int level, double radius_m, ts_vec3 centre);

/// A block of the sides 2 size_m, 0.5 size_m and 2 size_m around `centre`, whose sides are grids of
/// `cells` cells, with diagonals of both kinds. `shear` moves inner corners of the top and bottom
/// by that much of a cell (0: regular).
ts_mesh *deform_block(ts_arena *arena, int cells, double size_m, double shear, ts_vec3 centre);

/// A flat body above the plane normal . p = offset_m, with the relative stiffness 1 - `stiffness`.
/// The part of the mesh that is more than `margin_m` in it is the zone; it is pushed back, against
/// `normal` (unit), by the share 1 - `stiffness` of how deep it is in it.
typedef struct deform_plane {
  ts_vec3 normal;
  double offset_m, stiffness, margin_m;
} deform_plane;

ts_deform_zone deform_plane_zone(ts_arena *arena, const ts_mesh *mesh, deform_plane plane);

/// The zones of several planes, which do not meet.
ts_deform_zone deform_plane_zones(ts_arena *arena, const ts_mesh *mesh, const deform_plane *planes,
                                  size_t plane_count);

/// The same mesh with each vertex at scale * p + offset; and the zone that goes with it.
ts_mesh *deform_moved_mesh(ts_arena *arena, const ts_mesh *mesh, double scale, ts_vec3 offset);
ts_deform_zone deform_scaled_zone(ts_arena *arena, const ts_mesh *mesh, ts_deform_zone zone,
                                  double scale);

#endif
