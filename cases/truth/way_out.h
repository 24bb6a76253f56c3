// SPDX-License-Identifier: MIT
/// The shortest way out of two bodies that overlap: the translation that parts them with the least
/// motion. Where it is one, it says in which direction they touch, and how deep they are in each
/// other.
#ifndef TS_CASES_WAY_OUT_H
#define TS_CASES_WAY_OUT_H

#include "cases/scene/scene.h"
#include "geometry/mesh/surfaces_near.h"

/// The convex pieces of a shape, itself where it is convex.
typedef struct ts_convex_pieces {
  const char *name;     ///< of the shape
  size_t count;         ///< 0: it is neither convex nor has pieces that fill it
  bool are_approximate; ///< it has other pieces, which are not used
  ts_arena *arena;
  ts_surface *surfaces; ///< [count] a hierarchy is NULL until it is needed
  const ts_bvh *boxes;  ///< of the pieces
} ts_convex_pieces;

/// In `arena`, which also gets what is needed later; `triangles` is the hierarchy of the shape's
/// mesh, and borrowed like that. TS_E_MEMORY.
ts_status ts_convex_pieces_create(ts_convex_pieces *out, ts_arena *arena, const ts_shape *shape,
                                  const ts_bvh *triangles);

/// The least translation of b that leaves it touching a, in the frame of a, at scale [m]; zero
/// where they do not overlap by more than `touch_m`. Exact for bodies that are convex, or filled by
/// convex pieces (ts_shape): every pair of pieces has to part, and each parts along a normal of a
/// face of either or along a cross product of two edges. All choices of one such direction for each
/// pair of pieces are compared.
///
/// `touch_m`: overlap up to which bodies touch; translations whose lengths are closer than that are
/// equally short.
///
/// With the reason in the detail line: TS_E_UNSUPPORTED when a body is neither convex nor has
/// pieces that fill it; TS_SKIPPED when two different translations are equally short, or when there
/// are too many to compare: more than TS_WAY_OUT_WAYS directions of one pair of pieces, or more
/// than TS_WAY_OUT_CHOICES choices. TS_E_MEMORY.
ts_status ts_find_way_out(ts_vec3 *out, const ts_convex_pieces *a, const ts_convex_pieces *b,
                          ts_pose b_to_a, double touch_m);

/// The shortest translation of b after which the regions [count] of a pair have no gap below zero,
/// along each of their normals where all are needed, along that with the largest gap where any one
/// is; world [m]. Zero where none overlaps, or where more than some ten normals do.
ts_vec3 ts_way_out_of_regions(const ts_region *regions, size_t count);

#define TS_WAY_OUT_WAYS    512
#define TS_WAY_OUT_CHOICES 100000

#endif
