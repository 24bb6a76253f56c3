// SPDX-License-Identifier: MIT
/// Which features of two blocks of triangles may meet: tests in single precision, over several
/// features at a time, that pass all that meet and some that do not. What passes is for an exact
/// test to decide, so that neither their rounding nor the width of a register changes a result.
#ifndef TS_METHODS_BLOCK_FILTER_H
#define TS_METHODS_BLOCK_FILTER_H

#include <stdint.h>

/// Faces of a block, and edges or points, at most.
enum { TS_BLOCK_FACES = 8, TS_BLOCK_FEATURES = 3 * TS_BLOCK_FACES };

/// Lanes of edges or points: a whole number of the widest registers.
enum { TS_BLOCK_LANES = 32 };

/// The features of a block, one to a lane, in a frame and a unit in which no coordinate is above 1
/// in size. Lanes past the counts hold any number. A registerful lies in one line of the cache
/// where the whole begins with one.
typedef struct ts_block_lanes {
  float edge_start[3][TS_BLOCK_LANES];
  float edge[3][TS_BLOCK_LANES]; ///< its direction: unit, or zero where it has none
  float edge_length[TS_BLOCK_LANES];
  float edge_start_along[TS_BLOCK_LANES]; ///< start . direction
  /// From the start of each edge to the corners off it of the triangles that meet there; twice the
  /// same of an edge that the block knows one triangle of.
  float edge_third[2][3][TS_BLOCK_LANES];
  float point[3][TS_BLOCK_LANES];
  /// Four planes of each face, p . (planes 0 to 2) - plane 3: its own, with the outward normal, and
  /// those upright on its edges, with normals into the face; unit, or zero where a face has none.
  float face[4][4][TS_BLOCK_FACES];
  float face_corner[3][3][TS_BLOCK_FACES]; ///< corners 0 to 2 of each face
  uint32_t face_edges[TS_BLOCK_FACES];     ///< edges of each face, bit i: the edge of lane i
  uint32_t face_points[TS_BLOCK_FACES];    ///< likewise the points that are listed for its corners
  uint32_t point_count, edge_count, face_count;
  float low[3], high[3]; ///< around all
  /// Between which heights over a plane with this normal all lie. The normal is the mean one of the
  /// faces: unit, or zero, with all at 0, where there is none.
  float slab_normal[3], slab_low, slab_high;
} ts_block_lanes;

/// Some of the features of a block, bit i: the feature of lane i.
typedef struct ts_block_part {
  uint32_t faces, edges, points;
} ts_block_part;

/// Pairs of features, by their lanes.
typedef struct ts_block_pairs {
  uint32_t count;
  struct {
    uint8_t a, b;
  } items[TS_BLOCK_FEATURES * TS_BLOCK_FEATURES];
} ts_block_pairs;

/// Lengths are in the unit of the lanes. Functions with pairs look at the features given, as in
/// ts_block_part, and replace what is in `out`; pairs are in order of a, then b.
typedef struct ts_block_filter {
  /// The faces within `reach` of the box and of the slab around another block: bit i, face i.
  uint32_t (*faces_near)(const ts_block_lanes *faces, const ts_block_lanes *other, float reach);
  /// Edges of two blocks whose lines come closest within `reach` and no more than `slack` outside
  /// either. The reach is for the edge from a and the box of b: it saves time.
  void (*crossing_edges)(ts_block_pairs *out, const ts_block_lanes *a, uint32_t edges_a,
                         const ts_block_lanes *b, uint32_t edges_b, float reach, float slack);
  /// Of these, those whose triangles, on both sides of each together, are no more than `apart`
  /// apart along the cross product of the edges.
  void (*crossing_edges_of_triangles)(ts_block_pairs *out, const ts_block_lanes *a,
                                      uint32_t edges_a, const ts_block_lanes *b, uint32_t edges_b,
                                      float reach, float slack, float apart);
  /// Points (a) and faces (b): within `height` of the plane, no more than `slack` outside the
  /// planes upright on the edges.
  void (*points_over_faces)(ts_block_pairs *out, const ts_block_lanes *a, uint32_t points_a,
                            const ts_block_lanes *b, uint32_t faces_b, float height, float slack);
  /// Points (a) and edges (b): within `reach` of the line, the foot no more than `slack` outside
  /// the edge.
  void (*points_near_edges)(ts_block_pairs *out, const ts_block_lanes *a, uint32_t points_a,
                            const ts_block_lanes *b, uint32_t edges_b, float reach, float slack);
  /// Points of two blocks within `reach` of each other.
  void (*points_near_points)(ts_block_pairs *out, const ts_block_lanes *a, uint32_t points_a,
                             const ts_block_lanes *b, uint32_t points_b, float reach);
} ts_block_filter;

/// For every processor; for those with AVX2 or AVX-512 (F and DQ), on x86-64; and the fastest one
/// that this processor has. All find the same.
const ts_block_filter *ts_block_filter_plain(void);
const ts_block_filter *ts_block_filter_avx2(void);
const ts_block_filter *ts_block_filter_avx512(void);
const ts_block_filter *ts_block_filter_fastest(void);

#endif
