// SPDX-License-Identifier: MIT
/// Corners of a shape at which ridges and valleys do not determine the convex runs: star-shaped
/// tips, monkey saddles, and a third of the corners of a finely meshed saddle. What it takes to
/// tell is done for the corners that come near another body.
#ifndef TS_METHODS_SEMI_COVERS_H
#define TS_METHODS_SEMI_COVERS_H

#include "geometry/convex_runs.h"
#include "geometry/mesh/patches.h"

/// The runs of such a corner, as of ts_convex_cover().
typedef struct ts_semi_cover {
  int count;
  ts_convex_run runs[TS_RUNS_MAX]; ///< [count]; face i is the i-th of the corner's patches
} ts_semi_cover;

/// The covers of a shape, found one by one.
typedef struct ts_semi_covers {
  ts_arena *arena;
  const ts_patches *patches;
  const ts_semi_cover **known; ///< [corner_count] NULL: not looked for yet
  /// The triangles around vertex v are triangles[first[v]] up to, but not including,
  /// triangles[first[v + 1]]. NULL: not needed so far.
  uint32_t *first, *triangles;
} ts_semi_covers;

/// In the arena, which has to last as long. NULL where the shape has no valleys: all runs of
/// ts_convex_runs() are right.
ts_status ts_semi_covers_create(ts_semi_covers **out, ts_arena *arena, const ts_patches *patches);

/// The cover of a corner; NULL where the runs of ts_convex_runs() are right, or none can be found.
ts_status ts_semi_cover_of(const ts_semi_cover **out, ts_semi_covers *covers, uint32_t corner);

#endif
