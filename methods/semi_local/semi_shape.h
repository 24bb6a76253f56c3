// SPDX-License-Identifier: MIT
/// Before the stages of a pair, once for each shape: its patches, and hierarchies over what can
/// meet.
#ifndef TS_METHODS_SEMI_SHAPE_H
#define TS_METHODS_SEMI_SHAPE_H

#include "geometry/cone.h"
#include "geometry/distance/box_block.h"
#include "geometry/mesh/bvh.h"
#include "methods/method.h"
#include "methods/semi_local/semi_covers.h"

/// Lists, one for each triangle or block: of the k-th items[first[k]] up to, but not including,
/// items[first[k + 1]].
typedef struct ts_semi_listed {
  const uint32_t *first, *items;
} ts_semi_listed;

/// The directions between two unit vectors: cosine and sine of half the angle.
typedef struct ts_semi_arc {
  double cosine, sine;
} ts_semi_arc;

/// What few pairs ask for, and those of few places: found when it is first asked for.
typedef struct ts_semi_asked {
  double *thickness_m;    ///< [patch_count] for ts_semi_thickness(); below zero: not asked for yet
  ts_semi_covers *covers; ///< for ts_semi_cover_of(); NULL: there are no valleys
  ts_bvh *triangles;      ///< for ts_semi_shape_triangles(); NULL: not asked for yet
} ts_semi_asked;

enum { TS_SEMI_BESIDE_MOST = 64 };

/// Everything lives in `arena`, the shape itself too. Local frame.
typedef struct ts_semi_shape {
  ts_arena *arena;
  const ts_patches *patches;
  double reach_m; ///< gaps and depths up to which the shape serves
  ts_aabb bounds; ///< of the mesh
  bool is_convex; ///< within rounding, as of ts_shape_is_convex()
  bool is_smooth; ///< All ridges are blunt: it stands for a body with a smooth surface.
  /// The box of each triangle, in its block, with its ridges and corners. They are inflated by
  /// the distance at which they can matter, at most the reach, so that what has boxes which do not
  /// overlap can be skipped. Two patches lie on each other when they are four times as wide as they
  /// are apart. Two ridges meet when they pass each other at least `slack` distances from their
  /// ends: half of their length over twice the slack. A corner matters while it is closer than half
  /// of its longest edge; what is deeper is left to ts_semi_find_penetration().
  const ts_box_block *boxes; ///< [block_count]
  ts_semi_listed blocks;     ///< triangles beside each other, up to TS_BOX_BLOCK_MOST in each block
  size_t block_count;
  const ts_round_cone *block_normals; ///< [block_count] of all patches of what is in its box
  ts_bvh *surface;                    ///< over the boxes of the blocks
  ts_semi_listed ridges;              ///< of each triangle: convex ones of patches->edges
  const ts_semi_arc *arcs;            ///< [edge_count] of the normals of each ridge
  const uint8_t *with_corners;  ///< [block_count] which triangles of each, by bits, have corners
  ts_semi_listed corners;       ///< of each triangle: patches->corners, each under its first one
  const double *corner_reach_m; ///< [corner_count]
  const double *face_reach_m;   ///< [patch_count] half of how far a patch may be from another
  const ts_vec3 *normals;       ///< [patch_count] as in `patches`, side by side
  const double *offsets_m;      ///< [patch_count]
  /// [patch_count] Bit q: shares an edge with patch q. NULL where there are more than
  /// TS_SEMI_BESIDE_MOST patches, or valleys.
  const uint64_t *beside;
  const bool *is_facet; ///< [patch_count] whether a patch is one of many that make a curve
  ts_semi_asked *asked;
} ts_semi_shape;

/// In: a mesh. Out: the shape, const from here on but for `asked`. `flat_m`: see
/// ts_patches_create(); `reach_m`: gaps and depths up to which the boxes and the thickness have to
/// serve; `slack`: as in ts_semi_settings, or less. The mesh must stay until the release.
ts_status ts_semi_shape_create(ts_semi_shape **out, const ts_mesh *mesh, double flat_m,
                               double reach_m, double slack);

/// How far the solid goes on behind a patch [m], below the middle of the triangle where it goes
/// farthest; infinite from the reach of the shape on. Measured when first asked for: few patches
/// are ever asked.
double ts_semi_thickness(const ts_semi_shape *shape, uint32_t patch);

/// The hierarchy over the triangles as they are, for geometry/convex/.
ts_status ts_semi_shape_triangles(const ts_bvh **out, const ts_semi_shape *shape);

/// NULL is fine.
void ts_semi_shape_destroy(ts_semi_shape *shape);

#endif
