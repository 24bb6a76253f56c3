// SPDX-License-Identifier: MIT
/// Which points of a flat region become contacts: the corners of its hull, those that protrude by
/// no more than noise left out, so that they change by little when the hull does.
#ifndef TS_METHODS_SEMI_CORNERS_H
#define TS_METHODS_SEMI_CORNERS_H

#include "methods/semi_local/semi_scratch.h"

// The corners beside one of `count` around a polygon; a division would take as long as what is done
// with them.

static inline size_t ts_semi_corner_before(size_t corner, size_t count) {
  return corner > 0 ? corner - 1 : count - 1;
}

static inline size_t ts_semi_corner_after(size_t corner, size_t count) {
  return corner + 1 < count ? corner + 1 : 0;
}

/// Drops the corners that protrude by no more than `tolerance_m` from the chord of their
/// neighbours, the flattest first, in place. Returns how many are left.
size_t ts_semi_simplify(double (*corners)[2], size_t count, double tolerance_m);

/// The points that stand for a convex polygon: those of its corners that protrude, as above.
///
/// A corner that was dropped at a threshold would come and go in the middle of a side, far from
/// anything that stays: two equal faces that turn against each other cross in the middle of their
/// sides. So a corner leaves its neighbour only gradually: from a protrusion of `tolerance_m` on it
/// moves along their common side, by at most TS_SEMI_CORNER_SPEED times what it protrudes more,
/// until it is where it should be. The neighbour is the one before it, or the one after it where
/// that is much nearer. Of two corners close to each other that protrude alike neither stays alone,
/// but a point between them.
///
/// Both are counter-clockwise; `out` has room for `count`, and may be `corners`. TS_E_MEMORY.
ts_status ts_semi_steady_corners(double (*out)[2], size_t *out_count, ts_semi_memory *memory,
                                 const double (*corners)[2], size_t count, double tolerance_m);

#endif
