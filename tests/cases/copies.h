// SPDX-License-Identifier: MIT
/// Copies of a scene that describe the same bodies otherwise.
#ifndef TS_TESTS_COPIES_H
#define TS_TESTS_COPIES_H

#include "base/random.h"
#include "cases/scene/scene.h"

typedef struct copy_kind {
  size_t cuts;     ///< Edges and faces that are cut, for each triangle of a shape.
  double thin;     ///< Least height, over the longest edge, of the triangles that this makes.
  bool is_rounded; ///< Coordinates are in single precision, in the world.
  bool is_turned;  ///< The whole scene is turned, and moved by half a metre at most, at scale 1.
  double offset_m; ///< Then the scene is this far from the origin, with poses that say so.
  double noise_m;  ///< Each coordinate of a vertex is off by up to this much.
} copy_kind;

/// A copy of the bodies of a scene, without truth, in its arena: edges and faces of their meshes
/// are cut at random points, flat edges are turned, vertices and triangles are in another order.
/// Fails the test when that fails. `out_motion` takes the scene to where the copy is.
ts_scene *copy_scene(ts_pose *out_motion, const ts_scene *scene, copy_kind kind, ts_random *random);

#endif
