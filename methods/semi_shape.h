/// A shape made ready for semi_local: its patches, and hierarchies over what can meet.
#ifndef TS_METHODS_SEMI_SHAPE_H
#define TS_METHODS_SEMI_SHAPE_H

#include "geometry/bvh.h"
#include "geometry/patches.h"
#include "methods/method.h"

/// Everything lives in `arena`, the shape itself too. Local frame.
typedef struct ts_semi_shape {
  ts_arena *arena;
  const ts_patches *patches;
  ts_bvh *triangles; ///< Over those of the mesh.
  /// Over triangles, corners and convex edges, each box larger by how far its item can matter, so
  /// that boxes which do not overlap need no look. Two patches lie on each other when they are
  /// four times as wide as they are apart: half of a quarter of the extent of its patch. Two ridges
  /// meet when they pass each other at least `slack` distances from their ends: half of their
  /// length over twice the slack. A corner tells something while it is closer than half of its
  /// longest edge; what is deeper is the business of ts_semi_find_deep(). And none farther than the
  /// reach.
  ts_bvh *faces, *corners, *ridges;
  const double *corner_reach_m; ///< [corner_count]
  size_t ridge_count;
  const uint32_t *ridge_edges; ///< [ridge_count] into patches->edges
  const ts_vec3 *normals;      ///< [patch_count] as in `patches`, side by side
  const double *offsets_m;     ///< [patch_count]
  /// [patch_count] How far the solid goes on behind a patch, below the middle of the triangle where
  /// it goes farthest; infinite from the reach on.
  const double *thickness_m;
} ts_semi_shape;

/// `flat_m`: see ts_patches_create(); `reach_m`: gaps and depths up to which the hierarchies and
/// the thickness are to serve; `slack`: as in ts_semi_settings, or less. The mesh must stay until
/// the release.
ts_status ts_semi_shape_create(ts_semi_shape **out, const ts_mesh *mesh, double flat_m,
                               double reach_m, double slack);

/// NULL is fine.
void ts_semi_shape_destroy(ts_semi_shape *shape);

#endif
