// SPDX-License-Identifier: MIT
/// The pair that semi_local is at: both bodies in the frame of the larger one, and what is found.
#ifndef TS_METHODS_SEMI_PAIR_H
#define TS_METHODS_SEMI_PAIR_H

#include "geometry/convex_runs.h"
#include "geometry/pose.h"
#include "methods/semi_local/semi_shape.h"

#include <stdbool.h>

/// Lengths [m] at the pair's size.
typedef struct ts_semi_settings {
  double gap_m, depth_m; ///< Range of gaps told: -depth_m to gap_m.
  double snap_m;         ///< Points this close are one; ten times the noise of coordinates.
  double angle_rad;      ///< Up to which two faces lie on each other.
  double slack;          ///< How far around a site features count, in distances of the bodies.
  double horizon_s;      ///< How far ahead the time of impact is looked for.
  bool all_alternatives;
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

/// A site where two patches lie on each other. The frame (u, v) is that of ts_vec3_tangents().
typedef struct ts_semi_region {
  uint32_t patches[2];  ///< of body 0, of body 1
  ts_vec3 normal, u, v; ///< from body 0 to body 1
  size_t first, count;  ///< corners, in ts_semi_pair::corners; counter-clockwise about the normal
  double misfit_m;      ///< largest absolute gap of a corner
  double least_gap_m;
  uint32_t triangles[2]; ///< of the first piece
  bool is_dropped;
} ts_semi_region;

typedef struct ts_semi_corner {
  double u, v, height[2]; ///< heights of both surfaces along the normal
} ts_semi_corner;

enum { TS_SEMI_FACES_MAX = TS_LOCAL_FACES_MAX };

/// A normal that is right at a site, with where it is.
typedef struct ts_semi_candidate {
  ts_vec3 normal; ///< from body 0 to body 1
  ts_vec3 point;  ///< midway
  double gap_m;
  uint32_t patches[2]; ///< TS_SEMI_NO_PATCH: the normal is not that of a face of that body
  ts_feature features[2];
  /// It keeps the bodies apart, but where two ridges cross that is not here.
  bool is_elsewhere;
  double misfit_m; ///< how far apart the bodies are at its site; set where sites are joined
  int more;        ///< how many like it the point is the mean of, besides the first
} ts_semi_candidate;
#define TS_SEMI_NO_PATCH UINT32_MAX

/// Alternatives: a pair of convex runs that meet at a point; one of the candidates will do.
typedef struct ts_semi_site {
  ts_vec3 point;
  double slack_m;
  int face_count[2];
  uint32_t faces[2][TS_SEMI_FACES_MAX]; ///< patches of the runs
  const ts_semi_cover *covers[2];       ///< that the runs are of; NULL: of none
  const ts_convex_run *runs_of_covers[2];
  size_t first, count; ///< in ts_semi_pair::candidates
  size_t same_as;      ///< the first of the sites that are one with it
} ts_semi_site;

/// A contact to be.
typedef struct ts_semi_contact {
  ts_semi_candidate at;
  size_t site;    ///< SIZE_MAX: of a region
  uint32_t group; ///< as in ts_contact
  bool is_dropped;
} ts_semi_contact;

/// Triangles that stand for something that may meet.
typedef struct ts_semi_close {
  uint32_t triangles[2]; ///< of body 0, of body 1
} ts_semi_close;

typedef struct ts_semi_pair {
  const ts_host *host;
  ts_semi_settings s;
  ts_semi_side side[2];
  ts_pose other_to_frame, frame_to_world;
  bool is_swapped;                  ///< Body 0 is b of the pair.
  ts_vec3 velocity_m_s, spin_rad_s; ///< of body 1 against body 0: at the frame's origin
  double size_m;
  double slack; ///< by which the sites were found: that of the settings, or more
  size_t close_count, close_capacity;
  ts_semi_close *close; ///< All that is to be looked at.

  size_t region_count, region_capacity;
  ts_semi_region *regions; ///< sorted by patches
  size_t corner_count, corner_capacity;
  ts_semi_corner *corners;
  size_t site_count, site_capacity;
  ts_semi_site *sites;
  size_t candidate_count, candidate_capacity;
  ts_semi_candidate *candidates;
  size_t contact_count, contact_capacity;
  ts_semi_contact *contacts;
  uint32_t group_count;
} ts_semi_pair;

/// Brings both bodies in one frame and lists what is close. Memory is the host's scratch, all of
/// it.
ts_status ts_semi_pair_begin(ts_semi_pair *out, const ts_host *host, const ts_pair *pair,
                             const ts_semi_shape *shape_a, const ts_semi_shape *shape_b,
                             ts_semi_settings settings);

/// Room for one more item of `size` bytes in an array of the host's scratch.
ts_status ts_semi_grow(void **array, size_t *capacity, size_t count, size_t size,
                       const ts_host *host);

/// Scratch memory, zeroed; NULL, with the detail line set, when it is out.
void *ts_semi_scratch(const ts_host *host, size_t count, size_t size);

/// The velocity of body 1 against body 0 at a point [m/s].
ts_vec3 ts_semi_velocity(const ts_semi_pair *pair, ts_vec3 point);

/// The edge that two patches of a body share, of several the nearest to a point, the first of
/// equals; TS_SEMI_NO_PATCH when none.
uint32_t ts_semi_shared_edge(bool *out_is_convex, const ts_semi_side *side, uint32_t p, uint32_t q,
                             ts_vec3 near);

/// Where the lines through two segments come closest. False when they are parallel: when the sine
/// between them, over the length of the shorter, is no more than TS_SEMI_PARALLEL_SNAPS snaps, or a
/// segment has no length.
bool ts_semi_closest_of_lines(ts_vec3 *out_a, ts_vec3 *out_b, const ts_vec3 a[2],
                              const ts_vec3 b[2], double snap_m);

/// Distance [m] of the point from a region, seen along its normal; 0 inside.
double ts_semi_region_distance(const ts_semi_pair *pair, const ts_semi_region *region,
                               ts_vec3 point);

/// The regions of a pair of patches: how many, from `*out_first` on.
size_t ts_semi_regions_between(size_t *out_first, const ts_semi_pair *pair, uint32_t patch_0,
                               uint32_t patch_1);

#endif
