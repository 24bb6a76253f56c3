// SPDX-License-Identifier: MIT
/// Tetrahedra on which a function that is zero on the surface can be linear without being zero all
/// over one of them.
///
/// A tet, an inner face or an inner edge whose nodes are all on the surface gets a node in its
/// middle. Which ones do follows from the tets and the surface alone, so that the order of tets and
/// nodes does not matter, and the pieces meet in whole faces.
#ifndef TS_METHODS_PRESSURE_SPLIT_H
#define TS_METHODS_PRESSURE_SPLIT_H

#include "base/arena.h"
#include "base/types.h"

#include <stdbool.h>

/// A filled solid, in the local frame of its body. Everything is in an arena.
typedef struct ts_pressure_tets {
  size_t point_count;
  ts_vec3 *points;  ///< [point_count], those of the mesh first
  bool *on_surface; ///< [point_count]
  size_t tet_count;
  uint32_t (*tets)[4];  ///< [tet_count]
  uint8_t *faces;       ///< [tet_count], bit i: the face opposite node i is on the surface
  size_t flat_count;    ///< tets of the mesh whose nodes are all on the surface
  size_t capacity;      ///< of `tets` and `faces`
  size_t face_capacity; ///< of `faces`
} ts_pressure_tets;

/// The tets of a mesh, which has some, split where they have to be. O(n log n). TS_E_MEMORY.
ts_status ts_pressure_split(ts_pressure_tets *out, ts_arena *arena, const ts_mesh *mesh);

/// The tets between the triangles of a convex mesh and its centre of volume, which is the last
/// point. O(n). TS_E_MEMORY.
ts_status ts_pressure_fan(ts_pressure_tets *out, ts_arena *arena, const ts_mesh *mesh);

#endif
