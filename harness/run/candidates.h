// SPDX-License-Identifier: MIT
/// Candidate pairs: the bodies that may touch, and of these the pairs of parts, which is what a
/// method is called with.
#ifndef TS_HARNESS_CANDIDATES_H
#define TS_HARNESS_CANDIDATES_H

#include "harness/run/parts.h"

/// Two bodies whose boxes come within reach.
typedef struct ts_candidate {
  int32_t body_a, body_b; ///< body_a < body_b
  bool is_turned;         ///< The method gets body_b first.
  double size_m;          ///< ts_pair_size_m of the bodies as designed
  size_t first, count;    ///< Its pairs of parts; none when no two of them come within reach.
} ts_candidate;

/// Two parts of a candidate: what stands beside the ts_pair that the method gets.
typedef struct ts_part_pair {
  size_t part_a, part_b; ///< of ts_parts, in the order of the ts_pair
  void *state;           ///< What the method made of the pair; NULL: not prepared.
} ts_part_pair;

typedef struct ts_candidates {
  size_t count;
  ts_candidate *items; ///< [count], sorted by (a, b)
  size_t pair_count;
  ts_pair *pairs;           ///< [pair_count], candidate by candidate
  ts_part_pair *part_pairs; ///< [pair_count]
  int64_t pairing_ns;       ///< What it took to find all of them.
} ts_candidates;

/// Finds them at the poses of `scene`, in the arena, and marks the parts that are in use. Bodies
/// and parts come within reach when their boxes, of the larger of the designed and the enveloped
/// ones, do. TS_E_INPUT for a body that is nowhere.
ts_status ts_candidates_find(ts_candidates *out, ts_arena *arena, const ts_scene *scene,
                             ts_parts *parts, const ts_method *method, const ts_envelope *envelope);

#endif
