// SPDX-License-Identifier: MIT
/// Where triangles of both bodies lie on each other, for semi_regions.h.
#ifndef TS_METHODS_SEMI_PIECES_H
#define TS_METHODS_SEMI_PIECES_H

#include "methods/semi_local/semi_close.h"

enum { TS_SEMI_PIECE_CORNERS_MAX = 8 };

/// Where two triangles lie on each other: a convex polygon, seen along the normal of its patches'
/// ts_semi_facing.
typedef struct ts_semi_piece {
  uint32_t patches[2], triangles[2];
  int count;
  /// [count] (u, v) [m], counter-clockwise about the normal.
  double corners[TS_SEMI_PIECE_CORNERS_MAX][2];
  double low_u, high_u, low_v, high_v;
} ts_semi_piece;

typedef struct ts_semi_pieces {
  size_t count;
  const ts_semi_piece *pieces; ///< [count] sorted by patches, then by low_u
} ts_semi_pieces;

/// A pair of opposite patches seen along their normal, that of the larger one. The axes are those
/// of ts_vec3_tangents(); heights are linear in (u, v).
typedef struct ts_semi_facing {
  uint32_t patches[2];
  ts_vec3 normal, u, v;
  double slope[2][3];    ///< height of each: [0] + [1] u + [2] v
  double gap_m, depth_m; ///< range of gaps in which they may lie on each other
} ts_semi_facing;

ts_semi_facing ts_semi_face_patches(const ts_semi_pair *pair, const uint32_t patches[2]);

/// The height [m] along the normal of the patch of a body over (u, v).
static inline double ts_semi_facing_height(const ts_semi_facing *f, int body, double u, double v) {
  return f->slope[body][0] + f->slope[body][1] * u + f->slope[body][2] * v;
}

static inline double ts_semi_facing_gap(const ts_semi_facing *f, double u, double v) {
  return ts_semi_facing_height(f, 1, u, v) - ts_semi_facing_height(f, 0, u, v);
}

/// In: the close pairs. Out: those that lie on each other within the range of gaps, of patches that
/// are opposite up to the angle of the settings.
ts_status ts_semi_find_pieces(ts_semi_pieces *out, const ts_semi_pair *pair,
                              const ts_semi_close_pairs *close);

#endif
