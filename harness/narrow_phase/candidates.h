// SPDX-License-Identifier: MIT
/// Candidate pairs: the bodies that may touch, and the pairs of their parts, which are what a
/// method is called with.
#ifndef TS_HARNESS_CANDIDATES_H
#define TS_HARNESS_CANDIDATES_H

#include "harness/narrow_phase/parts.h"

/// Two bodies whose boxes are within reach.
typedef struct ts_candidate {
  int32_t body_a, body_b; ///< body_a < body_b
  bool is_turned;         ///< The method is given body_b first.
  double size_m;          ///< ts_pair_size_m of the bodies as designed
  size_t first, count;    ///< Its pairs of parts; none when no two of them are within reach.
} ts_candidate;

/// Two parts of a candidate, in addition to the ts_pair that the method is given.
typedef struct ts_part_pair {
  size_t part_a, part_b; ///< indices into ts_parts, in the order of the ts_pair
  void *state;           ///< The method's prepared state of the pair; NULL: not prepared, or none.
  bool is_prepared;
} ts_part_pair;

typedef struct ts_candidates {
  size_t count;
  ts_candidate *items; ///< [count], sorted by (a, b)
  size_t pair_count;
  ts_pair *pairs;           ///< [pair_count], candidate by candidate
  ts_part_pair *part_pairs; ///< [pair_count]
  int64_t pairing_ns;       ///< Time to find all of them.
} ts_candidates;

/// Finds the candidates at the poses of `scene`, in the arena, and marks the parts that are in use.
/// Bodies and parts are within reach when their boxes are (the larger of the designed and the
/// enveloped box). TS_E_INPUT for a body with a non-finite pose.
ts_status ts_candidates_find(ts_candidates *out, ts_arena *arena, const ts_scene *scene,
                             ts_parts *parts, const ts_method *method, const ts_envelope *envelope);

#endif
