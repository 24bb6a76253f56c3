// SPDX-License-Identifier: MIT
/// Blocks of neighbouring triangles of a surface, placed in a frame, with their features each once.
#ifndef TS_METHODS_TRIANGLE_BLOCK_H
#define TS_METHODS_TRIANGLE_BLOCK_H

#include "geometry/aabb.h"
#include "geometry/pose.h"
#include "methods/surface/block_filter.h"
#include "methods/surface/surface.h"

/// An edge of triangles of a block. Corners of a block are numbered 3 * triangle + corner.
typedef struct ts_block_edge {
  uint8_t half_edge_count; ///< 1 or 2: half-edges whose triangle is in the block
  uint8_t half_edge[2];    ///< the corners at which they start; the second may be the first again
  uint8_t third[2];        ///< the corners of their triangles that are not on the edge
  /// Corners at its ends, in the direction of the half-edge that is its id, so that all blocks
  /// agree.
  uint8_t end[2];
} ts_block_edge;

typedef struct ts_triangle_block {
  ts_block_lanes lanes; ///< of all edges, owned vertices, and faces
  uint32_t triangle_count;
  uint32_t triangles[TS_BLOCK_FACES]; ///< [triangle_count]
  ts_vec3 corners[TS_BLOCK_FEATURES]; ///< [3 * triangle_count], in the frame
  ts_vec3 normals[TS_BLOCK_FACES];    ///< [triangle_count], in the frame, unit, outward
  ts_aabb bounds;                     ///< in the frame
  double height_m;                    ///< the largest of a triangle over one of its edges
  uint32_t edge_count, owned_edge_count, vertex_count;
  ts_block_edge edges[TS_BLOCK_FEATURES]; ///< [edge_count], those the block owns first
  uint8_t vertices[TS_BLOCK_FEATURES];    ///< [vertex_count], corners at the vertices it owns
} ts_triangle_block;

/// Where the lanes of blocks have their origin, and their unit: coordinate (p - origin) * per_m.
typedef struct ts_lane_frame {
  ts_vec3 origin;
  double per_m;
} ts_lane_frame;

/// Places a block of the hierarchy of `surface`.
void ts_triangle_block_place(ts_triangle_block *out, const ts_surface *surface, ts_pose to_frame,
                             ts_lane_frame lane_frame, ts_bvh_block triangles);

/// The half-edge of the mesh that starts at a corner of the block.
static inline uint32_t ts_triangle_block_half_edge(const ts_triangle_block *block,
                                                   uint32_t corner) {
  return 3 * block->triangles[corner / 3] + corner % 3;
}

/// The edges of a block that it owns, as bits of a ts_block_part.
static inline uint32_t ts_triangle_block_owned_edges(const ts_triangle_block *block) {
  return (1u << block->owned_edge_count) - 1;
}

/// A vertex of a surface in the frame; the same bits each time.
static inline ts_vec3 ts_surface_placed_vertex(const ts_surface *surface, ts_pose to_frame,
                                               uint32_t vertex) {
  return ts_pose_point(to_frame, surface->mesh->vertices[vertex]);
}

#endif
