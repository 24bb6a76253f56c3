// SPDX-License-Identifier: MIT
/// Pairs of nearby blocks of triangles of two posed bodies in one frame, and passing contacts to
/// the host: shared by all methods on surface triangles.
///
/// The frame is the local one of body a. Only the difference of the two poses matters there, so no
/// digits are lost far from the world's origin. Contacts are transformed to the world at the end.
#ifndef TS_METHODS_TRIANGLE_PAIRS_H
#define TS_METHODS_TRIANGLE_PAIRS_H

#include "methods/contact_batch.h"
#include "methods/surface/surface.h"
#include "methods/surface/triangle_block.h"

/// A surface and its pose in the frame.
typedef struct ts_placed_surface {
  const ts_surface *surface;
  ts_pose to_frame;
} ts_placed_surface;

/// A pair of bodies during contact generation.
typedef struct ts_triangle_pairs {
  ts_placed_surface side[2]; ///< a, b
  /// By how much equal lengths may differ after a rigid motion [m]: TS_TOUCH_RELATIVE of the pair.
  double allowance_m;
  const ts_block_filter *filter;
  ts_lane_frame lane_frame; ///< of the blocks
  ts_contact_batch batch;
} ts_triangle_pairs;

/// A block of each side, and which of its features may be near the other.
typedef struct ts_near_blocks {
  const ts_triangle_block *blocks[2];
  ts_block_part parts[2];
} ts_near_blocks;

/// Called for a pair of blocks; any status except TS_OK ends the visit and is its result.
typedef ts_status (*ts_block_visit)(void *context, const ts_near_blocks *near);

/// Starts a pair whose shapes were prepared by ts_surface_prepare.
void ts_triangle_pairs_begin(ts_triangle_pairs *out, const ts_host *host, const ts_pair *pair,
                             const void *surface_a, const void *surface_b);

/// Visits at least the pairs of blocks with triangles that come within `reach_m` of each other, and
/// some that are a little farther apart; each once, and so each pair of triangles. The parts have
/// at least the features of those triangles, of the edges and points that the block lists. The
/// blocks are in the scratch memory of the host. TS_E_MEMORY.
ts_status ts_triangle_pairs_visit(const ts_triangle_pairs *pairs, double reach_m,
                                  ts_block_visit visit, void *context);

/// A length in the unit of the lanes of blocks.
static inline float ts_triangle_pairs_lane_length(const ts_triangle_pairs *pairs, double length_m) {
  return (float)(length_m * pairs->lane_frame.per_m);
}

/// A vertex of one side (0: a, 1: b) in the frame; the same bits each time.
ts_vec3 ts_triangle_pairs_vertex(const ts_triangle_pairs *pairs, int side, uint32_t vertex);

void ts_triangle_pairs_corners(ts_vec3 out[3], const ts_triangle_pairs *pairs, int side,
                               uint32_t triangle);

/// Outward unit normal of a triangle in the frame.
ts_vec3 ts_triangle_pairs_normal(const ts_triangle_pairs *pairs, int side, uint32_t triangle);

/// Takes a contact whose point and normal are in the frame and passes it to the host, in batches.
ts_status ts_triangle_pairs_push(ts_triangle_pairs *pairs, const ts_contact *contact);

/// Passes the rest to the host.
ts_status ts_triangle_pairs_end(ts_triangle_pairs *pairs);

#endif
