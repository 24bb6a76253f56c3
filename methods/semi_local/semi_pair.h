// SPDX-License-Identifier: MIT
/// The two bodies of a pair in one frame, and how closely to look at them: what all stages of
/// semi_local read and none of them changes.
///
/// Frame: the local frame of body 0, the one with more triangles; body 1 is the other. Normals
/// point from body 0 to body 1, gaps are negative where the bodies overlap. Lengths [m].
#ifndef TS_METHODS_SEMI_PAIR_H
#define TS_METHODS_SEMI_PAIR_H

#include "geometry/pose.h"
#include "geometry/tolerances.h"
#include "methods/semi_local/semi_scratch.h"
#include "methods/semi_local/semi_shape.h"

#include <stdbool.h>

/// Lengths [m] at the pair's size.
typedef struct ts_semi_settings {
  double gap_m, depth_m; ///< Range of gaps reported: -depth_m to gap_m.
  double snap_m;         ///< Points this close are one; ten times the noise of coordinates.
  double angle_rad;      ///< Up to which two faces lie on each other.
  double slack;          ///< How far around a site features count, in distances of the bodies.
  double horizon_s;      ///< How far ahead to look for the time of impact.
  bool all_alternatives; ///< Report all normals of which any one will do, not one of them.
} ts_semi_settings;

/// A body in the frame of body 0.
typedef struct ts_semi_side {
  const ts_semi_shape *shape;
  const ts_patches *patches;
  const ts_mesh *mesh;
  const ts_vec3 *vertices; ///< [mesh->vertex_count]
  const ts_vec3 *normals;  ///< [patch_count]
  const double *offsets_m; ///< [patch_count]
} ts_semi_side;

typedef struct ts_semi_angle {
  double cosine, sine;
} ts_semi_angle;

typedef struct ts_semi_pair {
  ts_semi_memory *memory;
  ts_semi_settings s;
  ts_semi_side side[2];
  ts_pose other_to_frame; ///< from the local frame of body 1
  ts_pose frame_to_world;
  bool is_swapped;                  ///< Body 0 is b of the ts_pair.
  ts_vec3 velocity_m_s, spin_rad_s; ///< of body 1 relative to body 0, at the frame's origin
  double size_m;                    ///< as in ts_pair
  /// Up to which normals of both bodies are opposite where one keeps them apart: twice
  /// ts_semi_widest_cone().
  ts_semi_angle opposite;
} ts_semi_pair;

static inline bool ts_semi_are_convex(const ts_semi_pair *pair) {
  return pair->side[0].shape->is_convex && pair->side[1].shape->is_convex;
}

/// In: two shapes (semi_shape.h) as posed. Out: the pair, const from here on.
ts_status ts_semi_pair_create(ts_semi_pair *out, ts_semi_memory *memory, const ts_pair *pair,
                              const ts_semi_shape *shape_a, const ts_semi_shape *shape_b,
                              const ts_semi_settings *settings);

/// The velocity of body 1 relative to body 0 at a point [m/s].
ts_vec3 ts_semi_velocity(const ts_semi_pair *pair, ts_vec3 point);

/// The distance [m] around a point within which features count, where the bodies are this far
/// apart.
static inline double ts_semi_slack(const ts_semi_pair *pair, double distance_m) {
  return TS_SEMI_CORNER_SNAPS * pair->s.snap_m + pair->s.slack * distance_m;
}

/// The angle [rad] up to which a normal outside of a cone is taken to be in it where no other is.
double ts_semi_widest_cone(const ts_semi_pair *pair);

/// The edge that two patches of a body share; of several the nearest to a point, the first of
/// equals; TS_SEMI_NO_EDGE when none.
uint32_t ts_semi_shared_edge(bool *out_is_convex, const ts_semi_side *side, uint32_t p, uint32_t q,
                             ts_vec3 near);
#define TS_SEMI_NO_EDGE UINT32_MAX

/// Where the lines through two segments come closest. False when they are parallel: when the sine
/// between them, times the length of the shorter, is no more than TS_SEMI_PARALLEL_SNAPS snap
/// lengths, or a segment has no length.
bool ts_semi_closest_of_lines(ts_vec3 *out_a, ts_vec3 *out_b, const ts_vec3 a[2],
                              const ts_vec3 b[2], double snap_m);

#endif
