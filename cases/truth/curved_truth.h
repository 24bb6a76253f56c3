// SPDX-License-Identifier: MIT
/// The truth of pairs of which a shape is curved, from its exact surface and not from its
/// triangles. docs/truth.md explains how.
#ifndef TS_CASES_CURVED_TRUTH_H
#define TS_CASES_CURVED_TRUTH_H

#include "cases/scene/scene.h"
#include "geometry/mesh/broad_phase.h"

/// What is known of the shapes of a scene.
typedef struct ts_curved_shapes ts_curved_shapes;

/// `*out` is in the arena; the scene's shapes are borrowed. Nothing in a scene without curved
/// shapes; else the cost grows with the triangles of all shapes. TS_E_MEMORY.
ts_status ts_curved_shapes_create(ts_curved_shapes **out, ts_arena *arena, const ts_scene *scene);

/// Whether a shape of the pair is a sphere, a capsule, a cylinder or a cone.
bool ts_curved_pair(const ts_scene *scene, ts_body_pair pair);

typedef struct ts_curved_truth {
  size_t count;
  ts_region *regions; ///< [count] in the world; 0: the bodies are apart
  double gap_m;       ///< the least gap of both, below 0 the least way out; NaN: not known
  ts_vec3 at;         ///< where that is, in the world
} ts_curved_truth;

/// Where a curved pair touches at the poses of the scene, up to `touch_m`: a point, a segment, or a
/// flat place with arcs, of whose corners few are needed. Bodies that overlap have the regions that
/// they have after the least way out, moved back half of it.
///
/// The other shape may be curved, a plane or convex; one that is not convex may have pieces, and
/// needs none where a sphere or a capsule touches it: these touch at the points of its surface that
/// are nearest to the centre, or the axis, round about.
///
/// `is_moved`: the regions have the gap that is there, and its slope; else that of exact touch. All
/// in `arena`.
///
/// TS_SKIPPED, with the reason, when the bodies overlap and no way out is the least one, or it is
/// not known. TS_E_UNSUPPORTED when the other shape is not convex, has no pieces, and comes near.
/// TS_E_MEMORY.
ts_status ts_curved_truth_find(ts_curved_truth *out, ts_arena *arena, ts_curved_shapes *shapes,
                               const ts_scene *scene, ts_body_pair pair, double touch_m,
                               bool is_moved);

#endif
