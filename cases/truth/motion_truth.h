// SPDX-License-Identifier: MIT
/// The motions of one body against another that the truth of their regions allows.
#ifndef TS_CASES_MOTION_TRUTH_H
#define TS_CASES_MOTION_TRUTH_H

#include "cases/scene/scene.h"
#include "geometry/contact_set.h"
#include "geometry/twist/twist_cone.h"

/// Motions of each class that a scene has, shared out over its touching pairs, and the minimum that
/// a pair gets.
#define TS_MOTION_SCENE_TWISTS ((size_t)4096)
#define TS_MOTION_PAIR_TWISTS  ((size_t)32)

/// A class is left as full as it is after this many tries for each of its motions, and left empty
/// after so many tries without a single one.
#define TS_MOTION_TRIES       ((size_t)32)
#define TS_MOTION_TRIES_EMPTY ((size_t)8192)

/// Motions of each class that each of `touching` pairs gets.
static inline size_t ts_motion_twists(size_t touching) {
  size_t share =
      touching > 0 ? (TS_MOTION_SCENE_TWISTS + touching - 1) / touching : TS_MOTION_SCENE_TWISTS;
  return share > TS_MOTION_PAIR_TWISTS ? share : TS_MOTION_PAIR_TWISTS;
}

/// Where in the sequence the stretch of the touching pair number `index` begins: each has one of
/// its own, so that equal joints are not all measured by the same few motions.
static inline uint32_t ts_motion_first_twist(size_t touching, size_t index) {
  return (uint32_t)(index * TS_MOTION_TRIES * ts_motion_twists(touching));
}

/// Whether a pair that has been asked about `tried` motions is asked about another one.
static inline bool ts_motion_goes_on(size_t tried, size_t wanted, size_t free, size_t blocked) {
  bool is_full = free >= wanted && blocked >= wanted;
  bool is_empty = tried >= TS_MOTION_TRIES_EMPTY && (free == 0 || blocked == 0);
  return tried < TS_MOTION_TRIES * wanted && !is_full && !is_empty;
}

/// The frame of the twists of a pair: axes of body a; centre in the middle of the vertices of its
/// closed regions (of all of them when all are open); half of the smaller diagonal of the two local
/// boxes for a length.
ts_twist_frame ts_motion_frame(const ts_scene *scene, int32_t body_a, int32_t body_b,
                               const ts_region *regions, size_t region_count);

/// That of the regions that the scene has for a pair; without any, centre in the middle of the box
/// around its contacts (ts_contact_points_box), unless that is empty.
ts_twist_frame ts_motion_frame_or_box(const ts_scene *scene, int32_t body_a, int32_t body_b,
                                      ts_aabb of_contacts);

/// What the regions [region_count] of one pair let through, in the arena. A region that needs all
/// normals gives a term for each of its vertices and each closed normal. One where any one will do
/// gives a term for each of its edges (a point: for the point) with all its feasible normals; and
/// where `choice` is not NULL a term for each of its vertices with the one `choice[i]` of region i.
/// Open regions give nothing, and with TS_CORNERS_CLOSED neither do corners that are not closed:
/// what these rows block is blocked for certain, and what those of TS_CORNERS_ALL leave is free for
/// certain. Of a region with arcs these rows are half way between its needed corners and its
/// middle, within what contacts spread along the arcs span. The feasible normals count, whatever
/// the reference: motion knows no other. Of a polygon where any one will do only the edges are
/// looked at.
ts_status ts_motion_truth(ts_twist_cone *out, ts_arena *arena, const ts_scene *scene,
                          const ts_twist_frame *frame, const ts_region *regions,
                          size_t region_count, const ts_vec3 *choice, ts_corner_set corners);

#endif
