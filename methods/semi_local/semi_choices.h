// SPDX-License-Identifier: MIT
/// Stage 4 of a pair: choices, the candidates of each place, of which any one will do.
#ifndef TS_METHODS_SEMI_CHOICES_H
#define TS_METHODS_SEMI_CHOICES_H

#include "methods/semi_local/semi_sites.h"

/// Sites that are one, seen from several features: close to each other, with patches in common and
/// no valley between them.
typedef struct ts_semi_choice {
  double slack_m;  ///< of the first of the sites
  double misfit_m; ///< the smallest of the sites
  int face_count[2];
  uint32_t faces[2][TS_SEMI_FACES_MAX]; ///< patches of all the sites, as far as there is room
  size_t first, count;                  ///< in ts_semi_choices::candidates; may be none
  /// How many of them, at the front, the surfaces show: those of faces and ridges, or all where
  /// they all are of cuts.
  size_t shown_count;
} ts_semi_choice;

typedef struct ts_semi_choices {
  size_t count;
  const ts_semi_choice *choices; ///< [count] in the order of their first sites
  size_t candidate_count;
  const ts_semi_candidate *candidates; ///< [candidate_count]
} ts_semi_choices;

/// In: regions and sites. Out: the choices, each with the candidates of its sites, every normal
/// once, without those of features that do not meet there. A choice is left out where what violates
/// all of its candidates violates all of those of another one at the place, or of one of several
/// others or regions there (semi_implied.h).
ts_status ts_semi_find_choices(ts_semi_choices *out, const ts_semi_pair *pair,
                               const ts_semi_regions *regions, const ts_semi_sites *sites);

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

/// The places of choices [choice_count], borrowed, and their candidates.
ts_status ts_semi_places_create(ts_semi_places *out, const ts_semi_pair *pair,
                                const ts_semi_choice *choices, size_t choice_count,
                                const ts_semi_candidate *candidates);

/// The first rank whose choice may be where a choice is.
size_t ts_semi_places_begin(const ts_semi_places *places, size_t choice);

/// The next choice from `*rank` on, other than `choice`, that is where it is; SIZE_MAX after the
/// last.
size_t ts_semi_places_next(const ts_semi_places *places, size_t choice, size_t *rank);

#endif
