// SPDX-License-Identifier: MIT
/// Contacts of a scene compared with those of a variant of it.
#ifndef TS_HARNESS_RELATION_COMPARE_H
#define TS_HARNESS_RELATION_COMPARE_H

#include "harness/relations/relation.h"

#include <stdbool.h>

/// Contacts of a scene: of each pair at most one canonical set.
typedef struct ts_scene_contacts {
  ts_contact_set *sets; ///< [count]
  size_t count;
} ts_scene_contacts;

/// How far the contacts of the pairs of a scene are from those of a variant.
typedef struct ts_relation_difference {
  size_t pairs;          ///< that have contacts in the scene or in the variant
  size_t pairs_measured; ///< those where the sets have no alternatives (ts_contact::group)
  size_t pairs_differ;   ///< those with a distance above TS_RELATION_DISTANCE
  /// Largest distance of a wrench of the scene from the cone of the variant's, which the variant
  /// has lost, and the reverse; NaN where nothing was measured.
  double lost_max, added_max;
  int32_t worst_a, worst_b; ///< the pair with the larger of the two; -1: none
} ts_relation_difference;

/// In the frame of motion.md (ts_motion_frame); around the middle of the contacts where the truth
/// has no region. `arena` is for what is gone afterwards. TS_E_MEMORY.
ts_status ts_relation_difference_find(ts_relation_difference *out, ts_arena *arena,
                                      const ts_scene *scene, ts_scene_contacts expected,
                                      ts_scene_contacts seen, const ts_variant *variant);

#endif
