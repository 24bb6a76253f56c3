// SPDX-License-Identifier: MIT
/// Two bodies at a pair's touch, as the derived truth sees them: the flat parts, straight edges and
/// corners of each that come near the other, and the surface of each around a point. For
/// cases/truth/derived_places.c and cases/truth/derived_truth.c only.
#ifndef TS_CASES_DERIVED_SURFACE_H
#define TS_CASES_DERIVED_SURFACE_H

#include "geometry/convex_runs.h"
#include "geometry/mesh/bvh.h"
#include "geometry/mesh/patches.h"

/// What a shape needs once, in its local frame.
typedef struct ts_derived_shape {
  ts_patches *patches;
  ts_bvh *triangles;
} ts_derived_shape;

/// A convex polygon of a patch, counter-clockwise about the patch's normal. A patch that is not
/// convex is cut in several.
typedef struct ts_derived_part {
  uint32_t patch;
  size_t count;
  ts_vec3 *corners; ///< [count]
} ts_derived_part;

/// One of the two bodies: what of it is near the other, in the frame of body a.
typedef struct ts_derived_side {
  const ts_patches *patches;
  ts_pose to_frame;
  ts_vec3 *vertices; ///< [mesh vertex_count]
  bool *is_near;     ///< [patch_count]
  size_t part_count, part_capacity, edge_count, corner_count;
  ts_derived_part *parts; ///< of the near patches
  uint32_t *edges;        ///< of the near patches, indices into patches->edges
  uint32_t *corners;      ///< vertices where these end
  ts_bvh *part_boxes, *edge_boxes, *corner_boxes;
} ts_derived_side;

typedef struct ts_derived_pair {
  ts_arena *arena;         ///< scratch
  ts_derived_side side[2]; ///< a and b
  double touch_m;          ///< features at most this far apart touch
  double angles_rad[2]; ///< angles within which a direction is in a cone; the second if nothing is
                        ///< within the first
} ts_derived_pair;

/// Finds what of the two bodies is near; no parts when nothing is. All in pair->arena.
ts_status ts_derived_pair_prepare(ts_derived_pair *pair, const ts_derived_shape *a,
                                  const ts_derived_shape *b, ts_pose b_to_a);

/// Normal of a patch in the frame.
ts_vec3 ts_derived_normal(const ts_derived_side *side, uint32_t patch);

/// The ends of an edge in the frame.
void ts_derived_ends(ts_vec3 out[2], const ts_derived_side *side, uint32_t edge);

/// The surface around a point.
typedef struct ts_derived_around {
  ts_local_surface surface;
  uint32_t patches[TS_LOCAL_FACES_MAX]; ///< of its faces
  int run_count;
  ts_convex_run runs[TS_RUNS_MAX];
} ts_derived_around;

/// The patches that meet at a point, which of them share an edge there, and their convex runs. No
/// faces when the point is not on the surface. TS_E_UNSUPPORTED when more than TS_LOCAL_FACES_MAX
/// meet, or more than TS_RUNS_MAX runs are needed.
ts_status ts_derived_look_around(ts_derived_around *out, const ts_derived_pair *pair, int side,
                                 ts_vec3 point);

/// Fills in the runs.
ts_status ts_derived_find_runs(ts_derived_around *around, const ts_derived_pair *pair, int side,
                               ts_vec3 point);

/// Makes polygons [*count] of one plane fewer: joins those whose union is convex, all of them when
/// that is, else two by two unless there are too many to try; in place. Not always as few as can
/// be.
ts_status ts_derived_join(ts_derived_part *parts, size_t *count, ts_arena *arena, ts_vec3 normal,
                          double touch_m);

#endif
