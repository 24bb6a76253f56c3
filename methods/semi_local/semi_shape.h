// SPDX-License-Identifier: MIT
/// A shape made ready for semi_local: its patches, and hierarchies over what can meet.
#ifndef TS_METHODS_SEMI_SHAPE_H
#define TS_METHODS_SEMI_SHAPE_H

#include "geometry/mesh/bvh.h"
#include "methods/method.h"
#include "methods/semi_local/semi_covers.h"

/// Everything lives in `arena`, the shape itself too. Local frame.
typedef struct ts_semi_shape {
  ts_arena *arena;
  const ts_patches *patches;
  ts_bvh *triangles; ///< Over those of the mesh.
  /// Over the corners, and over the triangles with the ridges that each stands for. Each box is
  /// larger by how far what is in it can matter, so that boxes which do not overlap need no look.
  /// Two patches lie on each other when they are four times as wide as they are apart. Two ridges
  /// meet when they pass each other at least `slack` distances from their ends: half of their
  /// length over twice the slack. A corner tells something while it is closer than half of its
  /// longest edge; what is deeper is the business of ts_semi_find_penetration(). And none farther
  /// than the reach.
  ts_bvh *corners, *faces;
  /// The convex ones of patches->edges; triangle t stands for ridges[first_ridge[t]] up to, not
  /// with, ridges[first_ridge[t + 1]].
  const uint32_t *first_ridge, *ridges;
  const double *corner_reach_m; ///< [corner_count]
  const double *face_reach_m;   ///< [patch_count] half of how far a patch may be from another
  const ts_vec3 *normals;       ///< [patch_count] as in `patches`, side by side
  const double *offsets_m;      ///< [patch_count]
  /// [patch_count] How far the solid goes on behind a patch, below the middle of the triangle where
  /// it goes farthest; infinite from the reach on.
  const double *thickness_m;
  const ts_semi_cover *const *covers; ///< [corner_count] or NULL, as of ts_semi_find_covers()
} ts_semi_shape;

/// `flat_m`: see ts_patches_create(); `reach_m`: gaps and depths up to which the hierarchies and
/// the thickness are to serve; `slack`: as in ts_semi_settings, or less. The mesh must stay until
/// the release.
ts_status ts_semi_shape_create(ts_semi_shape **out, const ts_mesh *mesh, double flat_m,
                               double reach_m, double slack);

/// NULL is fine.
void ts_semi_shape_destroy(ts_semi_shape *shape);

#endif
