// SPDX-License-Identifier: MIT
/// The joints of a scene whose file gives contact regions: a region says where two bodies touch,
/// but not which of their features do.
#ifndef TS_CASES_TOLD_TRUTH_H
#define TS_CASES_TOLD_TRUTH_H

#include "cases/scene/scene.h"

typedef struct ts_told_truth {
  const ts_scene *scene; ///< has the joints of the pairs that are known
  size_t unknown_count;
  const ts_unknown_pair *unknown; ///< [unknown_count] the others, sorted by (body_a, body_b)
} ts_told_truth;

/// Derives the truth of `told` (borrowed), which has regions and no joints, from its surfaces
/// (ts_derive_truth), and takes over the joints of each pair for which it is the told one: the same
/// minimum, and the same normals at the corners. Everything is in the arena. TS_E_MEMORY.
ts_status ts_told_truth_find(ts_told_truth *out, ts_arena *arena, const ts_scene *told);

#endif
