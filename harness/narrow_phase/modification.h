// SPDX-License-Identifier: MIT
/// What modifiers do to the contacts of all candidates, and what those were before.
#ifndef TS_HARNESS_MODIFICATION_H
#define TS_HARNESS_MODIFICATION_H

#include "harness/narrow_phase/candidates.h"
#include "methods/modifiers/modifier_chain.h"

/// All zero: no modifiers.
typedef struct ts_modification {
  const ts_modifier_chain *chain; ///< borrowed; NULL or empty: none
  size_t count;
  ts_contact_set *before; ///< [count], of the last time at the poses of the candidates
  size_t time_count, time_capacity;
  double *times_ns; ///< [time_count], of all candidates together
} ts_modification;

static inline bool ts_modification_is_any(const ts_modification *modification) {
  return modification->chain && modification->chain->count > 0;
}

/// Modifies canonical sets [candidates->count], found with the candidates' bodies at poses `pairs`
/// [candidates->pair_count]; `is_here`: those of the candidates. `scratch` is rewound. TS_E_MEMORY,
/// errors and skips of modifiers.
ts_status ts_modification_apply(ts_modification *modification, ts_contact_set *sets,
                                const ts_candidates *candidates, const ts_pair *pairs, bool is_here,
                                const ts_scene *scene, ts_arena *scratch);

/// Forgets sets and times; the chain stays.
void ts_modification_clear(ts_modification *modification);

/// Median; NaN without one. Reorders the times.
double ts_modification_ns(ts_modification *modification);

#endif
