// SPDX-License-Identifier: MIT
/// Stage 1 of a pair: which triangles are close; and which patches are near each corner.
#ifndef TS_METHODS_SEMI_CLOSE_H
#define TS_METHODS_SEMI_CLOSE_H

#include "methods/semi_local/semi_pair.h"

/// Two blocks whose boxes meet.
typedef struct ts_semi_close_blocks {
  uint32_t met[2]; ///< of body 0, of body 1: indices into ts_semi_close_pairs::met
  /// Bit TS_BOX_BLOCK_MOST i + k: triangle i of the one and k of the other are close. None where
  /// the normals of both are apart from all that they meet.
  uint64_t close;
  /// Whether some normal of the one may be opposite to one of the other, so that triangles may lie
  /// on each other and ridges may meet. False where none of them are close.
  bool may_face;
} ts_semi_close_blocks;

/// The boxes of the triangles of a block as they are, inflated by the snap length, so that what has
/// boxes that do not overlap is 2 of these apart; and the box around them.
typedef struct ts_semi_block_boxes {
  ts_aabb around;
  ts_box_block of;
} ts_semi_block_boxes;

/// In an order that later stages do not depend on.
typedef struct ts_semi_close_pairs {
  size_t met_count[2];
  const uint32_t *met[2]; ///< [met_count] of each body, its blocks that meet one of the other
  /// [met_count] whether the normals of each are farther from being opposite to any of the blocks
  /// that it meets than those that keep bodies apart
  const bool *is_apart[2];
  ts_aabb bounds[2];                 ///< of each body in the frame, and somewhat more
  const ts_semi_block_boxes **boxes; ///< [2] for ts_semi_boxes_of(); NULL: not asked for yet
  size_t block_count;
  const ts_semi_close_blocks *blocks; ///< [block_count] hold all triangles that meet
} ts_semi_close_pairs;

/// In: the bodies. Out: the blocks that hold all pairs of triangles that later stages have to
/// consider. Where surfaces cut through each other there is a normal that keeps the bodies apart in
/// few places: pairs are listed only where the normals around a block of either body are close to
/// opposite to those of any block that it meets.
ts_status ts_semi_find_close_pairs(ts_semi_close_pairs *out, const ts_semi_pair *pair);

/// The boxes [met_count] of the blocks of a body that are met, in the frame. Measured when first
/// asked for: bodies that lie on each other, as boxes do, need none.
ts_status ts_semi_boxes_of(const ts_semi_block_boxes **out, const ts_semi_pair *pair,
                           const ts_semi_close_pairs *close, int body);

/// The triangles of a block of a body that is met, by its index into close->met[body].
static inline const uint32_t *ts_semi_triangles_of(const ts_semi_pair *pair,
                                                   const ts_semi_close_pairs *close, int body,
                                                   uint32_t met) {
  const ts_semi_listed *blocks = &pair->side[body].shape->blocks;
  return blocks->items + blocks->first[close->met[body][met]];
}

/// A triangle of the other body that may be near a corner.
typedef struct ts_semi_near_triangle {
  uint32_t triangle;
  uint32_t next;  ///< of the same corner: 1 + its index; 0: none
  double apart_m; ///< The corner is no closer, but for rounding.
} ts_semi_near_triangle;

/// A patch of the other body near a corner.
typedef struct ts_semi_near_patch {
  uint32_t patch, triangle; ///< the triangle of it that is nearest
  double distance_m;
} ts_semi_near_patch;

/// The corners of one body and what of the other is near them.
typedef struct ts_semi_corner_search {
  const ts_semi_pair *pair;
  const ts_semi_side *own, *other;
  const bool *is_left_out; ///< [corner_count] or NULL
  double reach_m;
  uint32_t *last; ///< [corner_count] 1 + the index of the last triangle of each; 0: none
  ts_semi_near_triangle *triangles;
  size_t count, capacity;
  ts_semi_near_patch *near; ///< of the corner that was asked for last
  size_t near_capacity;
} ts_semi_corner_search;

/// In: the close pairs. Out: the triangles that may be near each corner of a body, but for the
/// corners `is_left_out` [corner_count], borrowed; NULL: none.
ts_status ts_semi_corner_search_create(ts_semi_corner_search *out, const ts_semi_pair *pair,
                                       int body, const ts_semi_close_pairs *close,
                                       const bool *is_left_out);

/// The patches within the slack of a corner, each once and sorted, in search->near [*out_count];
/// the nearest first when there are too many for a neighbourhood. The slack is that of the nearest
/// which faces the corner. None, where none does, or where their normals are too far from those of
/// the corner for any to keep both bodies apart: most corners of surfaces that cut through each
/// other.
ts_status ts_semi_find_near(size_t *out_count, double *out_slack_m, ts_semi_corner_search *search,
                            uint32_t corner);

#endif
