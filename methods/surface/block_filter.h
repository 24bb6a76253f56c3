// SPDX-License-Identifier: MIT
/// Which features of two blocks of triangles may meet: tests in single precision, over several
/// features at a time, that pass all that meet and some that do not. What passes is for an exact
/// test to decide, so that neither their rounding nor the width of a register changes a result.
#ifndef TS_METHODS_BLOCK_FILTER_H
#define TS_METHODS_BLOCK_FILTER_H

#include <stdint.h>

/// Faces of a block, and edges or points, at most.
enum { TS_BLOCK_FACES = 8, TS_BLOCK_FEATURES = 3 * TS_BLOCK_FACES };

/// The features of a block, one to a lane, in a frame and a unit in which no coordinate is above 1
/// in size. Lanes past the counts hold any number.
typedef struct ts_block_lanes {
  uint32_t point_count, edge_count, face_count;
  float edge_start[3][TS_BLOCK_FEATURES];
  float edge[3][TS_BLOCK_FEATURES]; ///< its direction: unit, or zero where it has none
  float edge_length[TS_BLOCK_FEATURES];
  float edge_start_along[TS_BLOCK_FEATURES]; ///< start . direction
  float low[3], high[3];                     ///< around all
  float point[3][TS_BLOCK_FEATURES];
  /// Four planes of each face, p . (planes 0 to 2) - plane 3: its own, with the outward normal, and
  /// those upright on its edges, with normals into the face; unit, or zero where a face has none.
  float face[4][4][TS_BLOCK_FACES];
} ts_block_lanes;

/// Pairs of features, by their lanes.
typedef struct ts_block_pairs {
  uint32_t count;
  struct {
    uint8_t a, b;
  } items[TS_BLOCK_FEATURES * TS_BLOCK_FEATURES];
} ts_block_pairs;

/// Lengths are in the unit of the lanes. Each function replaces what is in `out`; pairs are in
/// order of a, then b.
typedef struct ts_block_filter {
  /// Edges of two blocks, the first `count` of each, whose lines come closest within `reach` and no
  /// more than `slack` outside either. The reach is for the edge from a and the box of b: it saves
  /// time.
  void (*crossing_edges)(ts_block_pairs *out, const ts_block_lanes *a, uint32_t count_a,
                         const ts_block_lanes *b, uint32_t count_b, float reach, float slack);
  /// Points (a) and faces (b): within `height` of the plane, no more than `slack` outside the
  /// planes upright on the edges.
  void (*points_over_faces)(ts_block_pairs *out, const ts_block_lanes *points,
                            const ts_block_lanes *faces, float height, float slack);
  /// Points (a) and edges (b), the first `edge_count`: within `reach` of the line, the foot no more
  /// than `slack` outside the edge.
  void (*points_near_edges)(ts_block_pairs *out, const ts_block_lanes *points,
                            const ts_block_lanes *edges, uint32_t edge_count, float reach,
                            float slack);
  /// Points of two blocks within `reach` of each other.
  void (*points_near_points)(ts_block_pairs *out, const ts_block_lanes *a, const ts_block_lanes *b,
                             float reach);
} ts_block_filter;

/// For every processor; for those with AVX2, on x86-64; and the fastest one that this processor
/// has. All find the same pairs.
const ts_block_filter *ts_block_filter_plain(void);
const ts_block_filter *ts_block_filter_avx2(void);
const ts_block_filter *ts_block_filter_fastest(void);

#endif
