// SPDX-License-Identifier: MIT
/// Which choices of a pair are at one place, found without comparing all of them.
#ifndef TS_METHODS_SEMI_PLACES_H
#define TS_METHODS_SEMI_PLACES_H

#include "methods/semi_local/semi_choices.h"

/// A choice by the place of its first candidate.
typedef struct ts_semi_place_key {
  double x;
  size_t choice;
} ts_semi_place_key;

typedef struct ts_semi_places {
  const ts_semi_choice *choices;
  const ts_semi_candidate *candidates;
  double reach_m; ///< Points this close are one place.
  size_t count;
  ts_semi_place_key *keys; ///< [count] choices with candidates, by x
  size_t *rank_of;         ///< [choice] where it is in `keys`
} ts_semi_places;

/// Of choices [choice_count], borrowed, and their candidates.
ts_status ts_semi_places_create(ts_semi_places *out, const ts_semi_pair *pair,
                                const ts_semi_choice *choices, size_t choice_count,
                                const ts_semi_candidate *candidates);

/// The first rank whose choice may be where a choice is.
size_t ts_semi_places_begin(const ts_semi_places *places, size_t choice);

/// The next choice from `*rank` on, other than `choice`, that is where it is; SIZE_MAX after the
/// last.
size_t ts_semi_places_next(const ts_semi_places *places, size_t choice, size_t *rank);

#endif
