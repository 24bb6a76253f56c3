// SPDX-License-Identifier: MIT
/// Two convex polyhedra in one frame, in an order of their own.
#ifndef TS_METHODS_CLIP_PAIR_H
#define TS_METHODS_CLIP_PAIR_H

#include "methods/hull_clip/clip_shape.h"
#include "methods/method.h"

#include <stdbool.h>

/// A shape in the frame of the pair.
typedef struct ts_clip_body {
  const ts_clip_shape *shape;
  const ts_vec3 *vertices; ///< [vertex_count]
  const ts_vec3 *normals;  ///< [face_count]
  const double *offsets_m; ///< [face_count]
  ts_vec3 centre;
} ts_clip_body;

/// In the local frame of body 0. Lengths [m].
typedef struct ts_clip_pair {
  const ts_host *host;
  ts_clip_body body[2];
  bool is_swapped;        ///< body 0 is the pair's b
  ts_pose frame_to_world; ///< of body 0
  double touch_m;         ///< lengths that differ by no more are equal
} ts_clip_pair;

/// Which body is which follows from the shapes and from how they lie to each other: not from
/// a and b, and not from where the two are. Only two equal shapes that half a turn exchanges have
/// nothing that tells them apart but their poses. Memory is the host's scratch.
ts_status ts_clip_pair_create(ts_clip_pair *out, const ts_host *host, const ts_pair *pair,
                              const ts_clip_shape *a, const ts_clip_shape *b);

#endif
