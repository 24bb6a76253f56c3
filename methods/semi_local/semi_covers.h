// SPDX-License-Identifier: MIT
/// Corners of a shape at which ridges and valleys do not determine the convex runs: star-shaped
/// tips, monkey saddles, and a third of the corners of a finely meshed saddle.
#ifndef TS_METHODS_SEMI_COVERS_H
#define TS_METHODS_SEMI_COVERS_H

#include "geometry/convex_runs.h"
#include "geometry/mesh/patches.h"

/// The runs of such a corner, as of ts_convex_cover().
typedef struct ts_semi_cover {
  int count;
  ts_convex_run runs[TS_RUNS_MAX]; ///< [count]; face i is the i-th of the corner's patches
} ts_semi_cover;

/// In the arena: [corner_count], NULL where the runs of ts_convex_runs() are right, or none can be
/// found; NULL itself where they all are right.
ts_status ts_semi_find_covers(const ts_semi_cover *const **out, ts_arena *arena,
                              const ts_patches *patches);

#endif
