// SPDX-License-Identifier: MIT
/// Runs of which a local solid is the union, whatever its ridges and valleys.
#ifndef TS_GEOMETRY_CONVEX_COVER_H
#define TS_GEOMETRY_CONVEX_COVER_H

#include "geometry/convex_runs.h"

#include <stddef.h>

/// Part of a face around the point: between two unit directions less than half a turn apart. The
/// parts of all faces are all of the surface there, each point of it once.
typedef struct ts_face_sector {
  int face; ///< of the ts_local_surface
  ts_vec3 from, to;
} ts_face_sector;

/// Makes the largest runs, `count` by ts_convex_runs(), a cover of the solid. Those of them stay
/// that are right: no surface reaches into the cone behind their faces. For what they leave over of
/// the surface, and that may be all, others follow, first for the broadest part: as many planes,
/// those of faces and those of cuts, as it takes for nothing but solid to be behind them all. So
/// the local solid is the union of the cones of the runs. Where all of the largest runs are right,
/// and mostly they are, nothing changes.
///
/// `angle_rad`: what reaches no deeper into a cone, and what is no wider, does not count.
///
/// Returns how many runs; -1 when there are more than TS_RUNS_MAX, or more pieces of surface
/// between planes than can be distinguished here. A `count` of -1 counts as 0.
int ts_convex_cover(ts_convex_run runs[TS_RUNS_MAX], int count, const ts_local_surface *surface,
                    const ts_face_sector *sectors, size_t sector_count, double angle_rad);

#endif
