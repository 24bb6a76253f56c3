// SPDX-License-Identifier: MIT
/// Before the stages of a pair, once for each shape: its patches, and hierarchies over what can
/// meet.
#ifndef TS_METHODS_SEMI_SHAPE_H
#define TS_METHODS_SEMI_SHAPE_H

#include "geometry/mesh/bvh.h"
#include "methods/method.h"
#include "methods/semi_local/semi_covers.h"

/// Everything lives in `arena`, the shape itself too. Local frame.
typedef struct ts_semi_shape {
  ts_arena *arena;
  const ts_patches *patches;
  bool is_convex;    ///< within rounding, as of ts_shape_is_convex()
  bool is_smooth;    ///< All ridges are blunt: it stands for a body with a smooth surface.
  ts_bvh *triangles; ///< Over those of the mesh.
  /// Over the corners, and over the triangles with their ridges. Each box is inflated by the
  /// distance at which its item can matter, at most the reach, so that boxes which do not overlap
  /// can be skipped. Two patches lie on each other when they are four times as wide as they are
  /// apart. Two ridges meet when they pass each other at least `slack` distances from their ends:
  /// half of their length over twice the slack. A corner matters while it is closer than half of
  /// its longest edge; what is deeper is left to ts_semi_find_penetration().
  ts_bvh *corners, *faces;
  /// The convex ones of patches->edges; those of triangle t are ridges[first_ridge[t]] up to, but
  /// not including, ridges[first_ridge[t + 1]].
  const uint32_t *first_ridge, *ridges;
  const double *corner_reach_m; ///< [corner_count]
  const double *face_reach_m;   ///< [patch_count] half of how far a patch may be from another
  const ts_vec3 *normals;       ///< [patch_count] as in `patches`, side by side
  const double *offsets_m;      ///< [patch_count]
  /// [patch_count] How far the solid goes on behind a patch, below the middle of the triangle where
  /// it goes farthest; infinite from the reach on.
  const double *thickness_m;
  const bool *is_facet; ///< [patch_count] whether a patch is one of many that make a curve
  const ts_semi_cover *const *covers; ///< [corner_count] or NULL, as of ts_semi_find_covers()
} ts_semi_shape;

/// In: a mesh. Out: the shape, const from here on. `flat_m`: see ts_patches_create(); `reach_m`:
/// gaps and depths up to which the hierarchies and the thickness have to serve; `slack`: as in
/// ts_semi_settings, or less. The mesh must stay until the release.
ts_status ts_semi_shape_create(ts_semi_shape **out, const ts_mesh *mesh, double flat_m,
                               double reach_m, double slack);

/// NULL is fine.
void ts_semi_shape_destroy(ts_semi_shape *shape);

#endif
