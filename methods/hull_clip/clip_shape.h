// SPDX-License-Identifier: MIT
/// A convex polyhedron as hull_clip takes it: corners, polygonal faces and the edges between them,
/// once for each shape.
#ifndef TS_METHODS_CLIP_SHAPE_H
#define TS_METHODS_CLIP_SHAPE_H

#include "base/arena.h"
#include "geometry/vec3.h"

/// A face: a patch of coplanar triangles.
typedef struct ts_clip_face {
  const uint32_t *corners; ///< [count] counter-clockwise seen from outside, from the lowest on
  const uint32_t *sides;   ///< [count] edges; the i-th leads from corner i to the next
  uint32_t count;          ///< below 3 for a sliver that has no polygon
  uint32_t triangle;       ///< of the mesh: the lowest of the patch
} ts_clip_face;

typedef struct ts_clip_edge {
  uint32_t vertices[2]; ///< the lower first
  uint32_t faces[2];    ///< the first lies to the left of the way between them, seen from outside
  /// 1 / the cosine of half the angle between the normals of the faces: a linear function of the
  /// directions between them is at most that times its larger end.
  double widening;
  uint32_t id; ///< of the mesh: of one of the edges that it consists of
} ts_clip_edge;

/// Everything lives in `arena`, the shape itself too. Local frame. Vertices are sorted by their
/// coordinates, edges and faces by their vertices, and what is computed follows that order: the
/// order of the mesh does not show, but in the ids of features.
typedef struct ts_clip_shape {
  ts_arena *arena;
  size_t vertex_count, face_count, edge_count;
  const ts_vec3 *vertices;    ///< [vertex_count] the corners of faces
  const uint32_t *vertex_ids; ///< [vertex_count] of the mesh
  const ts_clip_face *faces;  ///< [face_count]
  const ts_vec3 *normals;     ///< [face_count] unit, outward
  const double *offsets_m;    ///< [face_count] normal . p of the plane
  const ts_clip_edge *edges;  ///< [edge_count]
  ts_vec3 centre;             ///< mean of the vertices
} ts_clip_shape;

/// TS_E_UNSUPPORTED for a mesh one of whose faces is no simple polygon, as those of convex bodies
/// are.
ts_status ts_clip_shape_create(ts_clip_shape **out, const ts_mesh *mesh);

/// NULL is fine.
void ts_clip_shape_destroy(ts_clip_shape *shape);

/// Below, at or above zero: an order of shapes that depends on the places of their vertices only.
int ts_clip_shape_compare(const ts_clip_shape *one, const ts_clip_shape *other);

#endif
