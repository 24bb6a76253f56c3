// SPDX-License-Identifier: MIT
/// Two overlapping bodies in one frame, as everything in this folder takes them.
///
/// The frame has its origin in the middle of the box in which the bodies' boxes overlap, and the
/// axes of body a. Coordinates there are no larger than the bodies, so that no digits are lost
/// where a pose, or a mesh in its local frame, is far from its origin.
#ifndef TS_ELASTIC_ELASTIC_PAIR_H
#define TS_ELASTIC_ELASTIC_PAIR_H

#include "geometry/mesh/bvh.h"

/// A body and where it is.
typedef struct ts_elastic_shape {
  const ts_mesh *mesh; ///< Borrowed, local frame, closed.
  const ts_bvh *bvh;   ///< Borrowed: ts_bvh_create_for_mesh().
  ts_pose pose;        ///< Local to world.
} ts_elastic_shape;

typedef struct ts_elastic_body {
  const ts_mesh *mesh;     ///< Borrowed; its vertices are in the local frame.
  const ts_bvh *bvh;       ///< Borrowed, local frame.
  ts_pose to_frame;        ///< Local to frame.
  const ts_vec3 *vertices; ///< [mesh->vertex_count] in the frame
  const ts_vec3 *normals;  ///< [mesh->triangle_count] unit, outward, in the frame
} ts_elastic_body;

typedef struct ts_elastic_pair {
  ts_arena *arena; ///< Holds this and whatever is made of the pair.
  ts_elastic_body body[2];
  ts_pose frame_to_world;
  double size_m; ///< The larger extent of the smaller body's box.
} ts_elastic_pair;

/// In the arena; NULL when the boxes of the bodies are apart, so that they do not overlap. O(n).
ts_status ts_elastic_pair_create(ts_elastic_pair **out, ts_arena *arena, ts_elastic_shape a,
                                 ts_elastic_shape b);

/// The corners of a triangle of body 0 or 1, in the frame.
static inline void ts_elastic_corners(ts_vec3 out[3], const ts_elastic_body *body,
                                      uint32_t triangle) {
  for (int i = 0; i < 3; i++)
    out[i] = body->vertices[body->mesh->triangles[triangle][i]];
}

#endif
