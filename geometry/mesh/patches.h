// SPDX-License-Identifier: MIT
/// The surface of a mesh as a designer sees it: flat patches, the straight edges between them and
/// the corners where edges end. How the flat parts are cut into triangles does not show.
#ifndef TS_GEOMETRY_PATCHES_H
#define TS_GEOMETRY_PATCHES_H

#include "base/arena.h"
#include "geometry/mesh/mesh.h"

#include <stdbool.h>

/// A connected set of triangles in one plane: normal . p = offset_m.
typedef struct ts_patch {
  ts_vec3 normal; ///< Unit, outward: of the sum of the triangles' area vectors.
  double offset_m;
  double area_m2;
  uint32_t first_triangle, triangle_count; ///< in ts_patches::triangles
  uint32_t first_edge, edge_count;         ///< in ts_patches::edges_of_patches
} ts_patch;

/// A straight piece of the border between two patches, however many mesh edges it has. Patch
/// `patches[0]` lies to the left of the way from the first vertex to the second, seen from outside.
typedef struct ts_patch_edge {
  uint32_t vertices[2];
  uint32_t patches[2];
  uint32_t half_edge; ///< Of the mesh: the first of the piece, in a triangle of patches[0].
  bool is_convex;     ///< A ridge; false: a valley.
} ts_patch_edge;

/// A vertex where an edge ends.
typedef struct ts_patch_corner {
  uint32_t vertex;
  uint32_t first_patch, patch_count; ///< in ts_patches::patches_of_corners, ascending
  uint32_t first_edge, edge_count;   ///< in ts_patches::edges_of_corners, ascending
} ts_patch_corner;

#define TS_NO_CORNER UINT32_MAX

/// All in one arena; the mesh is borrowed. Local frame.
typedef struct ts_patches {
  const ts_mesh *mesh;
  double flat_m; ///< How far a vertex may lie from the plane of its patch's seed.
  size_t patch_count, edge_count, corner_count;
  const ts_patch *patches;        ///< [patch_count], by falling area of their seeds
  const ts_patch_edge *edges;     ///< [edge_count]
  const ts_patch_corner *corners; ///< [corner_count], by vertex
  const uint32_t *patch_of;       ///< [triangle_count] the patch of each triangle
  const uint32_t *triangles;      ///< [triangle_count] the triangles of each patch, ascending
  const uint32_t *edges_of_patches, *patches_of_corners, *edges_of_corners;
  const uint32_t *corner_of_vertex; ///< [vertex_count]; TS_NO_CORNER: within a patch or an edge
} ts_patches;

/// Finds them in O(n log n). Triangles by falling area are seeds; a patch is flooded from its seed
/// over mesh edges to triangles whose corners are all within `flat_m` [m] of the plane of the seed
/// and that are not folded against it (TS_PATCH_FOLD_COSINE). Comparing with the seed and not with
/// the neighbour keeps patches of a curved mesh from drifting. Where the border of two patches
/// bends by more than `flat_m` it is cut in straight edges.
ts_status ts_patches_create(ts_patches **out, ts_arena *arena, const ts_mesh *mesh, double flat_m);

/// The same; then each patch takes in the smaller ones beside it all of whose vertices are within
/// `flat_m` of its own plane, which many triangles determine, until none is. So noise that tilts
/// the seeds of a finely cut face, or turns its slivers over, does not divide it.
ts_status ts_patches_create_joined(ts_patches **out, ts_arena *arena, const ts_mesh *mesh,
                                   double flat_m);

#endif
