// SPDX-License-Identifier: MIT
/// Corners of a shape whose ridges and valleys do not tell its convex runs: star-shaped tips,
/// monkey saddles, and a third of the corners of a finely meshed saddle.
#ifndef TS_METHODS_SEMI_COVERS_H
#define TS_METHODS_SEMI_COVERS_H

#include "geometry/convex_runs.h"
#include "geometry/mesh/patches.h"

/// The runs of a corner whose ridges and valleys do not tell them: ts_convex_cover()'s.
typedef struct ts_semi_cover {
  int count;
  ts_convex_run runs[TS_RUNS_MAX]; ///< [count]; face i is the i-th of the corner's patches
} ts_semi_cover;

/// In the arena: [corner_count], NULL where the runs of ts_convex_runs() are right, or none can be
/// told; NULL itself where they all are.
ts_status ts_semi_find_covers(const ts_semi_cover *const **out, ts_arena *arena,
                              const ts_patches *patches);

#endif
