// SPDX-License-Identifier: MIT
/// A solid as convex pieces.
///
/// Tetrahedra that fill the solid are cut by planes through its valleys (edges at which the surface
/// is not convex), a part at a time, until no valley is left inside the hull of any part (after
/// Chazelle 1984: a plane through a valley and within the solid beside it resolves it). The pieces
/// are the hulls of the parts.
#ifndef TS_GEOMETRY_CONVEX_SPLIT_H
#define TS_GEOMETRY_CONVEX_SPLIT_H

#include "geometry/mesh/body.h"
#include "geometry/mesh/hull.h"

#include <stdbool.h>

/// Largest number of pieces that can be asked for.
#define TS_CONVEX_SPLIT_MAX 1024

typedef struct ts_convex_split {
  size_t count;
  ts_hull *pieces; ///< [count]
  bool is_exact;
  ts_pieces_error error; ///< zeros when exact
} ts_convex_split;

/// Splits a solid with tets into `count_max` pieces or fewer; in the arena, unit of the mesh.
///
/// Exact pieces are inside the solid, do not overlap, and fill it, all within TS_CONVEX_RELATIVE.
/// Where that takes more than `count_max`, or more than TS_SPLIT_WORK, the pieces are those of the
/// least volume in excess that were found: together they still contain the solid, they stand out of
/// it by the stated error, and may overlap by as much. Same input, same bits.
///
/// TS_E_INPUT: the solid has more separate parts than `count_max`, which can have no piece in
/// common; or the pieces cannot be made hulls since they are too thin.
ts_status ts_convex_split_mesh(ts_convex_split *out, ts_arena *arena, const ts_mesh *solid,
                               size_t count_max);

#endif
