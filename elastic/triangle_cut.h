// SPDX-License-Identifier: MIT
/// The part of one triangle that is inside the other body, as convex pieces.
#ifndef TS_ELASTIC_TRIANGLE_CUT_H
#define TS_ELASTIC_TRIANGLE_CUT_H

#include "elastic/inside.h"

#include <stdbool.h>

/// A piece that ends at a triangle of the other body.
typedef struct ts_cut_end {
  uint32_t piece, triangle;
} ts_cut_end;

/// Two pieces that lie beside each other in one triangle.
typedef struct ts_cut_join {
  uint32_t pieces[2];
} ts_cut_join;

/// The pieces of one body, growing. Everything that lasts is in the pair's arena, the rest in
/// `scratch`. All but `pair`, `body`, `offset_m` and the arenas is zero at first.
typedef struct ts_cutter {
  const ts_elastic_pair *pair;
  int body;        ///< whose triangles are cut
  double offset_m; ///< how far they are taken to be moved outwards
  ts_arena *scratch;
  ts_inside_piece *pieces;
  size_t piece_count, piece_capacity;
  /// Integral of the normal times the winding number of the other body, which is 1 inside, and more
  /// where a mesh crosses itself: over both bodies it is zero, whatever they are, as it is around
  /// every overlap that is cut right.
  ts_vec3 winding_m2;
  ts_cut_end *ends; ///< by piece
  size_t end_count, end_capacity;
  ts_cut_join *joins;
  size_t join_count, join_capacity;
  struct ts_cut_segment *segments; ///< of the section being swept
  size_t segment_count, segment_capacity;
  struct ts_cut_segment *level_segments; ///< those that run along a level, by rising level
  size_t level_segment_count, level_segment_capacity;
  double *levels;
  size_t level_count, level_capacity;
  struct ts_cut_crossing *crossings;
  size_t crossing_capacity;
} ts_cutter;

/// Appends the pieces of a triangle, and how they join. O(k^2) for a triangle whose plane cuts k
/// triangles of the other body beside it.
ts_status ts_cut_triangle(ts_cutter *cutter, uint32_t triangle);

/// Appends a triangle as one piece, all inside, where the other body's winding number is this.
ts_status ts_cut_whole(ts_cutter *cutter, uint32_t triangle, int winding);

/// Whether a point of the plane of a piece, whose unit normal is given, is in the piece.
bool ts_inside_piece_holds(const ts_inside_piece *piece, ts_vec3 normal, ts_vec3 point,
                           double tolerance_m);

#endif
