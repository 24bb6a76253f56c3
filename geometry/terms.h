// SPDX-License-Identifier: MIT
/// What normals at one point block together, and which of them are not needed for it.
///
/// A term is a set of normals of which any one keeps the bodies apart: it blocks the velocities of
/// b relative to a that violate all of them, an open convex cone. The terms of a point block what
/// some of them blocks, the union of these cones (geometry/convex_runs.h: a term for each pair of
/// runs). Others imply a term when that union holds the term's own cone; no single one of them has
/// to hold it.
#ifndef TS_GEOMETRY_TERMS_H
#define TS_GEOMETRY_TERMS_H

#include "base/types.h"

#include <stdbool.h>
#include <stddef.h>

/// Most terms of a point that are compared with each other, and most normals of one
/// (TS_EXTREME_NORMALS_MAX).
enum { TS_TERMS_MAX = 64, TS_TERM_NORMALS_MAX = 64 };

typedef struct ts_term {
  int count;              ///< up to TS_TERM_NORMALS_MAX
  const ts_vec3 *normals; ///< [count], unit, from a to b; all terms of a point in one frame
} ts_term;

/// Half the opening angle of the widest round cone of velocities that a term blocks, as its sine: 1
/// for one normal, 0 where it blocks nothing.
double ts_term_width_sine(ts_term term);

/// Whether every velocity that a term blocks is blocked by some of `others` [count up to
/// TS_TERMS_MAX] too. What is left between them does not count where no round cone of the half
/// angle `angle_rad` fits in: so much is noise of the normals. False for a term that blocks nothing
/// wider, and for one without normals. Neither the frame nor the order of anything changes the
/// answer, but by rounding.
///
/// Decided by taking off what the others block, one after the other. Of 16 random terms this takes
/// a millisecond, of 64 some ten: those of corners are fewer.
bool ts_term_is_implied(ts_term term, const ts_term *others, size_t count, double angle_rad);

/// Which of `terms` [count up to TS_TERMS_MAX] those that stay imply, one by one, the narrowest
/// first, so that few are left; of equal ones the last. The first `kept` stay in any case.
void ts_terms_drop_implied(bool *out_is_dropped, const ts_term *terms, size_t count, size_t kept,
                           double angle_rad);

#endif
