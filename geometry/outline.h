// SPDX-License-Identifier: MIT
/// The inside of outlines in a plane, cut into convex polygons.
#ifndef TS_GEOMETRY_OUTLINE_H
#define TS_GEOMETRY_OUTLINE_H

#include "base/arena.h"
#include "geometry/vec3.h"

/// A straight piece of an outline. Seen against the normal, what is inside is to its left.
typedef struct ts_outline_edge {
  ts_vec3 from, to;
} ts_outline_edge;

/// A convex polygon, counter-clockwise about the normal.
typedef struct ts_outline_piece {
  size_t count;
  ts_vec3 *corners; ///< [count]
} ts_outline_piece;

/// Area [m2] within closed outlines, projected along the unit `normal`.
double ts_outline_area(const ts_outline_edge *edges, size_t count, ts_vec3 normal);

/// Cuts what closed outlines [count edges, in any order] enclose. They may have holes, fall apart
/// and touch themselves; where they overlap, what is inside any of them is inside. The pieces
/// depend on the outlines only: one where they are convex, its corners as by ts_hull_in_plane(),
/// else strips at right angles to the longest edge, as long as they stay convex, with all corners
/// that are more than rounding (TS_OUTLINE_CORNER). Strips no wider than `tolerance_m` are left
/// out. In the arena. O(n log n), and n times what lies side by side in a strip.
ts_status ts_outline_cut(ts_outline_piece **out, size_t *out_count, ts_arena *arena,
                         const ts_outline_edge *edges, size_t count, ts_vec3 normal,
                         double tolerance_m);

#endif
