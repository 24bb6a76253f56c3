// SPDX-License-Identifier: MIT
/// The part of a moved truth that needs no joints: pairs with a curved shape are derived again
/// where the bodies are. For cases/truth/moved_truth.c only.
#ifndef TS_CASES_MOVED_CURVED_H
#define TS_CASES_MOVED_CURVED_H

#include "cases/truth/curved_truth.h"

/// Regions of bodies that have moved, on their way.
typedef struct ts_moved_regions {
  size_t count;
  ts_region *regions; ///< [count] sorted by (body_a, body_b)
  size_t unknown_count;
  ts_unknown_pair *unknown; ///< [unknown_count] pairs whose truth is unknown there
} ts_moved_regions;

/// Adds those of the curved pairs of a scene, but for the pairs of `told` [count], whose truth is
/// unknown as built. In the scene's arena; TS_E_MEMORY.
ts_status ts_moved_curved_add(ts_moved_regions *regions, const ts_scene *scene,
                              ts_curved_shapes *shapes, const ts_unknown_pair *told, size_t count);

#endif
