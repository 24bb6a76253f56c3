// SPDX-License-Identifier: MIT
/// The polygons of mesh files as triangles.
#ifndef TS_GEOMETRY_FACE_CUT_H
#define TS_GEOMETRY_FACE_CUT_H

#include "base/arena.h"

/// Most corners of a polygon that does not become a fan: it takes time with their square.
#define TS_FACE_CUT_CORNERS_MAX 500

/// Cuts a polygon into `count` - 2 triangles `out`, which turn the same way; no corner is added,
/// and none is left out, so that the faces beside it keep their edges.
///
/// corners [count, 3 or more] are indices of `vertices`. A polygon that its first corner sees all
/// of, as it does of any convex one, becomes a fan round that corner. Any other, seen along the
/// axis that is closest to its normal, loses one corner after the other, each time the one whose
/// triangle is the least slender: where a corner is convex and what is left within its triangle is
/// exact (geometry/predicates.h).
///
/// TS_E_INPUT with the reason, which names no file: it has no area; it is bent
/// (TS_POLYGON_BENT_RELATIVE); it crosses or touches itself; it is not a fan and has more than
/// TS_FACE_CUT_CORNERS_MAX corners. `arena` is for work and left as it was.
ts_status ts_face_cut(uint32_t (*out)[3], ts_arena *arena, const ts_vec3 *vertices,
                      const uint32_t *corners, size_t count);

#endif
