// SPDX-License-Identifier: MIT
/// Where the features of a joint overlap, seen along a normal.
#ifndef TS_CASES_JOINT_OVERLAP_H
#define TS_CASES_JOINT_OVERLAP_H

#include "cases/scene/scene.h"

/// One joint where its bodies are: both features in the frame of body a.
typedef struct ts_placed_joint {
  int32_t body_a, body_b;
  size_t count_a, count_b;
  /// [count_a], [count_b]; polygons are counter-clockwise about `normal` (ts_joint_orient).
  const ts_vec3 *a, *b;
  ts_vec3 normal;
  double tolerance_m;   ///< up to which a feature may be past the end of the other one
  double corner_m;      ///< up to which corners of an overlap are one
  double parallel_sine; ///< up to which segments count as parallel
  /// Segments that are not parallel cross where they do along `normal`, whatever that is; false:
  /// along their cross product, which `normal` has to be.
  bool crosses_along_normal;
} ts_placed_joint;

/// Copies a feature, a polygon counter-clockwise about the normal.
void ts_joint_orient(ts_vec3 *out, const ts_vec3 *corners, size_t count, ts_vec3 normal);

/// The area of a planar polygon [m2] along its normal; zero for a point and a segment.
ts_vec3 ts_joint_area_vector(const ts_vec3 *corners, size_t count);

/// The corners of the overlap, midway between the two features: one for a point, two for a segment,
/// three or more for a polygon; 0 when there is none. `out` has room for count_a + count_b.
/// TS_E_INPUT, with the bodies, for segments that cross and have another normal.
ts_status ts_joint_overlap(size_t *out_count, ts_vec3 *out, const ts_placed_joint *placed);

/// The joints of a scene by their bodies (body_a, then body_b), and as they were added: indices
/// [joint_count], in the arena; NULL when out of memory.
const size_t *ts_joint_order(ts_arena *arena, const ts_scene *scene);

/// Whether a joint goes on with the place of the one before it in that order.
bool ts_joints_are_one_place(const ts_joint *before, const ts_joint *joint);

#endif
