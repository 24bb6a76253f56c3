// SPDX-License-Identifier: MIT
/// A surface prepared for contact generation: what depends on one shape and is computed once.
#ifndef TS_METHODS_SURFACE_H
#define TS_METHODS_SURFACE_H

#include "geometry/mesh/bvh.h"
#include "geometry/mesh/mesh.h"
#include "methods/method.h"

#include <stdbool.h>

/// Everything is allocated in `arena`, including the surface itself. Local frame.
typedef struct ts_surface {
  ts_arena *arena;
  const ts_mesh *mesh;         ///< Borrowed.
  ts_bvh *bvh;                 ///< Over blocks of the triangles.
  const uint32_t *places;      ///< [triangle_count], where each is in the order of blocks
  const ts_vec3 *face_normals; ///< [triangle_count], unit, outward
  /// Half-edges that start at vertex v, ascending: fan[fan_start[v]] to fan[fan_start[v + 1] - 1];
  /// none for a vertex that no triangle uses. The triangles around v are theirs.
  const uint32_t *fan_start; ///< [vertex_count + 1]
  const uint32_t *fan;       ///< [3 * triangle_count]
} ts_surface;

/// Fits ts_method::prepare_shape; `*out` is a ts_surface. The mesh must stay until the release.
ts_status ts_surface_prepare(void **out, const ts_host *host, const ts_mesh *mesh,
                             const double *params);

/// Fits ts_method::release_shape.
void ts_surface_release(void *surface);

/// Each vertex and each edge is owned by one of its triangles, so that a pair of features is
/// processed in one pair of triangles only. The owner depends on the order of the triangles, the
/// contacts do not.
bool ts_surface_owns_vertex(const ts_surface *surface, uint32_t triangle, int corner);
bool ts_surface_owns_edge(const ts_surface *surface, uint32_t triangle, int corner);

/// The features of a triangle, with their ids: see ts_feature.
ts_feature ts_surface_vertex(const ts_surface *surface, uint32_t triangle, int corner);
ts_feature ts_surface_edge(const ts_surface *surface, uint32_t triangle, int corner);
ts_feature ts_surface_face(uint32_t triangle);

/// Whether the unit `direction` (local frame) leaves the solid from a point of a feature: from
/// within a face or an edge, or from a vertex. For edges it must be perpendicular to the edge. It
/// must rise above the surface by more than `sine`, so that a direction along the surface never
/// counts.
bool ts_surface_is_outward(const ts_surface *surface, ts_feature feature, ts_vec3 direction,
                           double sine);

#endif
