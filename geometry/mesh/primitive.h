// SPDX-License-Identifier: MIT
/// Primitives: the solids of ts_geometry that are given by a few lengths (sphere, capsule,
/// cylinder, cone and box), and the meshes that represent them.
#ifndef TS_GEOMETRY_PRIMITIVE_H
#define TS_GEOMETRY_PRIMITIVE_H

#include "base/geometry_kind.h"
#include "geometry/mesh/hull.h"
#include "geometry/mesh/mesh.h"

#include <stdbool.h>

/// The coarsest mesh of a primitive that is off by no more than `error_m` (above 0; of no effect
/// for a box), and how far off it is, in `geometry`. Arrays in the arena.
///
/// The mesh contains the primitive, and each of its faces touches it or comes near: a body that
/// touches the primitive touches the mesh, or is in it by the error at most. A sphere has the
/// vertices of an icosahedron with edges divided into equal parts; a capsule is the hull of two
/// such spheres; a cylinder and a cone have a regular polygon of 4 n sides. Equal primitives have
/// equal meshes, to the bit.
///
/// TS_E_INPUT, naming the length, when one of the primitive is not finite or not above 0, or the
/// error is less than TS_TESSELLATION_RELATIVE_MIN of the radius, or not above 0.
ts_status ts_primitive_tessellate(ts_hull *out, ts_arena *arena, ts_geometry *geometry,
                                  double error_m);

/// Volume, centre and inertia of the exact primitive.
ts_mass_properties ts_primitive_mass_properties(const ts_geometry *geometry, double density_kg_m3);

/// The primitive with its surface moved out by `offset_m` (in, below 0). False where nothing of it
/// is left, and for kinds without an offset (ts_geometry_has_offset).
bool ts_primitive_offset(ts_geometry *out, const ts_geometry *geometry, double offset_m);

#endif
