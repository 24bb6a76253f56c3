// SPDX-License-Identifier: MIT
/// The layer of a picture with the regions where bodies truly touch, on both bodies, and the
/// normals that they need.
#ifndef TS_HARNESS_DRAW_REGIONS_H
#define TS_HARNESS_DRAW_REGIONS_H

#include "harness/picture/drawing.h"

/// Most regions, and most arrows of needed normals, in a picture.
#define TS_DRAWN_REGIONS_MAX ((size_t)1000)
#define TS_DRAWN_NORMALS_MAX ((size_t)200)

/// What is drawn of the regions: those that miss contacts first, then those that lack some.
typedef struct ts_drawn_regions {
  size_t count;                         ///< regions drawn
  const ts_snapshot_region **regions;   ///< [count], in that order
  size_t totals[TS_REGION_STATE_COUNT]; ///< of all regions
  /// Needed normals: of regions that are not met, or without a method of all.
  size_t normal_total, normal_count; ///< of which drawn
  bool has_all, has_any;             ///< some need all of their normals; some any one of several
} ts_drawn_regions;

ts_status ts_drawn_regions_choose(ts_drawn_regions *out, const ts_drawing *d);

/// Draws them, a region on each of its two bodies; pale where it is behind a face. States differ in
/// colour, and for readers who see none in fill: plain, hatched, cross-hatched, outline only.
ts_status ts_draw_regions(const ts_drawing *d, const ts_drawn_regions *regions);

/// Draws the normals that regions need and do not have.
void ts_draw_needed_normals(const ts_drawing *d, const ts_drawn_regions *regions);

/// The sign of a state in the legend: of a region with that many vertices, around `at`.
void ts_draw_region_sign(FILE *file, ts_region_state state, size_t vertex_count, ts_svg_point at);

/// The arrow of a needed normal, in colours of `state`; `is_one_of` several that would do.
void ts_draw_normal_sign(FILE *file, ts_region_state state, bool is_one_of, ts_svg_point from,
                         ts_svg_point to);

#endif
