// SPDX-License-Identifier: MIT
/// A bounding volume hierarchy of axis-aligned boxes: for the triangles of a mesh in its local
/// frame, and for the bodies of a scene in the world.
#ifndef TS_GEOMETRY_BVH_H
#define TS_GEOMETRY_BVH_H

#include "base/arena.h"
#include "geometry/aabb.h"
#include "geometry/mesh/mesh.h"
#include "geometry/pose.h"

typedef struct ts_bvh ts_bvh;

/// Called for a pair of items; anything but TS_OK ends the traversal and is its result.
typedef ts_status (*ts_bvh_visit)(void *context, uint32_t item_a, uint32_t item_b);

/// Builds over boxes [count] in O(n log n); the boxes are copied. Item i is boxes[i]. Count 0 is
/// fine. The same boxes in the same order give the same tree. A box that is not finite or is upside
/// down is refused (TS_E_INPUT).
ts_status ts_bvh_create(ts_bvh **out, ts_arena *arena, const ts_aabb *boxes, size_t count);

/// Over the triangles of a mesh, local frame.
ts_status ts_bvh_create_for_mesh(ts_bvh **out, ts_arena *arena, const ts_mesh *mesh);

/// Most triangles in a block: as many single-precision numbers as a vector register has.
enum { TS_BVH_BLOCK_MOST = 8 };

/// Neighbouring triangles of a mesh, a leaf of its hierarchy.
typedef struct ts_bvh_block {
  uint32_t number;       ///< Other blocks have other numbers, near ones mostly near numbers.
  uint32_t first, count; ///< 1 to TS_BVH_BLOCK_MOST triangles, from the first of ts_bvh_items()
  const uint32_t *items; ///< [count] these
} ts_bvh_block;

/// Over blocks of triangles of a mesh, local frame, for ts_bvh_tandem_blocks(). All else works on
/// it too.
ts_status ts_bvh_create_for_blocks(ts_bvh **out, ts_arena *arena, const ts_mesh *mesh);

/// All items, those of a leaf one after the other.
const uint32_t *ts_bvh_items(const ts_bvh *bvh);

/// The box of all; the empty box when there is none.
ts_aabb ts_bvh_bounds(const ts_bvh *bvh);

/// Tandem traversal: visits at least the pairs of items whose boxes, `b`'s seen through `b_to_a`,
/// come within `margin_m` of each other. Boxes turned against each other are tested on their six
/// face axes, so that some pairs a little apart are visited too; the visitor decides. Each pair
/// once. Rounding here is allowed for (TS_BOX_ROUNDING of the boxes and of b_to_a); what was
/// rounded before, such as poses far from the origin, is for the margin to cover.
ts_status ts_bvh_tandem(const ts_bvh *a, const ts_bvh *b, ts_pose b_to_a, double margin_m,
                        ts_bvh_visit visit, void *context);

/// Called for a pair of blocks; any status except TS_OK ends the traversal and is its result.
typedef ts_status (*ts_bvh_visit_blocks)(void *context, ts_bvh_block a, ts_bvh_block b);

/// The same for the boxes of blocks of triangles.
ts_status ts_bvh_tandem_blocks(const ts_bvh *a, const ts_bvh *b, ts_pose b_to_a, double margin_m,
                               ts_bvh_visit_blocks visit, void *context);

/// Visits at least the items whose boxes come within `margin_m` of a point, in the frame of the
/// hierarchy, as item_a; item_b is 0. Rounding is allowed for as above. Nothing is near a point
/// that is not finite.
ts_status ts_bvh_near(const ts_bvh *bvh, ts_vec3 point, double margin_m, ts_bvh_visit visit,
                      void *context);

/// Visits at least the pairs of items whose boxes, `b`'s seen through `b_to_a`, come within
/// `*reach_m` of each other, nearer ones first, more or less. `*reach_m` is read again before each
/// step, so that a visitor that found what it looks for can shorten it: the closest pair of two
/// surfaces is found among few. Distances of boxes are by their face axes in either frame, which is
/// no more than they are apart. Rounding is allowed for as above.
ts_status ts_bvh_tandem_nearest(const ts_bvh *a, const ts_bvh *b, ts_pose b_to_a,
                                const double *reach_m, ts_bvh_visit visit, void *context);

/// The same for a point, in the frame of the hierarchy, and its items, as item_a; item_b is 0.
/// Nothing is near a point that is not finite.
ts_status ts_bvh_nearest(const ts_bvh *bvh, ts_vec3 point, const double *reach_m,
                         ts_bvh_visit visit, void *context);

/// Visits at least the items whose boxes the way from a point along a unit direction meets before
/// `*reach_m`, as item_a, those of nearer boxes first, more or less; item_b is 0. `*reach_m` is
/// read again before each step, so that a visitor that found what it looks for can shorten the way.
/// Rounding is allowed for as above. There is no way from a point, or along a direction, that is
/// not finite.
ts_status ts_bvh_along(const ts_bvh *bvh, ts_vec3 from, ts_vec3 direction, const double *reach_m,
                       ts_bvh_visit visit, void *context);

/// Visits the pairs of different items of one hierarchy whose boxes are no more than `margin_m`
/// apart along each axis; each once, item_a < item_b.
ts_status ts_bvh_self(const ts_bvh *bvh, double margin_m, ts_bvh_visit visit, void *context);

#endif
