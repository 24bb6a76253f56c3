// SPDX-License-Identifier: MIT
/// Stage 2 of a pair: patches in contact.
#ifndef TS_METHODS_SEMI_REGIONS_H
#define TS_METHODS_SEMI_REGIONS_H

#include "methods/semi_local/semi_choose.h"
#include "methods/semi_local/semi_close.h"

typedef struct ts_semi_corner {
  double u, v, height[2]; ///< [m]; heights of both surfaces along the normal
} ts_semi_corner;

/// A convex polygon in which two patches lie on each other. The axes (u, v) are those of
/// ts_vec3_tangents().
typedef struct ts_semi_region {
  uint32_t patches[2];  ///< of body 0, of body 1
  ts_vec3 normal, u, v; ///< from body 0 to body 1
  size_t corner_count;
  const ts_semi_corner *corners; ///< [corner_count] counter-clockwise about the normal
  size_t contact_count;
  const ts_semi_corner *contacts; ///< [contact_count] where its contacts are (semi_corners.h)
  double misfit_m;                ///< largest absolute gap of a corner
  double gap_min_m;
  uint32_t triangles[2]; ///< that lie on each other in it
  /// Another region is taken in its place: it makes no contacts, but explains sites still.
  bool is_dropped;
} ts_semi_region;

typedef struct ts_semi_regions {
  size_t count;
  const ts_semi_region *regions; ///< [count] sorted by patches
} ts_semi_regions;

/// In: the close pairs. Out: a region for each connected part of each pair of opposite patches that
/// lie on each other within the range of gaps. Parts too narrow for their misfit are left out: they
/// are overlaps of ridges, which ts_semi_find_sites() sees.
ts_status ts_semi_find_regions(ts_semi_regions *out, const ts_semi_pair *pair,
                               const ts_semi_close_pairs *close);

/// The first region of a patch of body 0; where it has none, one of another patch, or their count.
size_t ts_semi_regions_of(const ts_semi_regions *regions, uint32_t patch_0);

/// Distance [m] of a point from a region, seen along its normal; 0 inside.
double ts_semi_region_distance(const ts_semi_region *region, ts_vec3 point);

/// The gap [m] under a point, from the plane through three corners of the region.
double ts_semi_region_gap(const ts_semi_region *region, ts_vec3 point);

/// The candidate at a contact of a region.
ts_semi_candidate ts_semi_region_candidate(const ts_semi_region *region, size_t contact);

#endif
