// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_shared.h"

#include "base/hitting_set.h"
#include "base/status.h"
#include "geometry/tolerances.h"
#include "methods/semi_local/semi_places.h"

/// More choices at a place, and more normals, each keep their own.
enum { NORMALS_MAX = 64 };

/// The choices at one place and the normals that they may take.
typedef struct shared_place {
  size_t choice_count;
  size_t choices[TS_HITTING_SETS_MAX];
  uint64_t normals_of[TS_HITTING_SETS_MAX]; ///< bit n: the normal n is as good as any
  int normal_count;
  ts_vec3 normals[NORMALS_MAX];
} shared_place;

/// Bit of a normal; 0 when there is no room.
static uint64_t bit_of(shared_place *place, ts_vec3 normal) {
  int n = 0;
  while (n < place->normal_count &&
         ts_vec3_distance(place->normals[n], normal) > 2 * TS_SEMI_CONE_RAD)
    n++;
  if (n == NORMALS_MAX)
    return 0;
  if (n == place->normal_count)
    place->normals[place->normal_count++] = normal;
  return (uint64_t)1 << n;
}

static void add_choice(shared_place *place, size_t choice) {
  if (place->choice_count < TS_HITTING_SETS_MAX)
    place->choices[place->choice_count++] = choice;
}

/// The chosen normals come first, so that of equally few these are taken.
static void list_normals(shared_place *place, const size_t *chosen, const ts_semi_pair *pair,
                         const ts_semi_choices *choices) {
  const ts_semi_candidate *all = choices->candidates;
  for (size_t i = 0; i < place->choice_count; i++)
    place->normals_of[i] = bit_of(place, all[chosen[place->choices[i]]].normal);
  for (size_t i = 0; i < place->choice_count; i++) {
    const ts_semi_choice *choice = &choices->choices[place->choices[i]];
    const ts_semi_candidate *best = &all[chosen[place->choices[i]]];
    for (size_t k = choice->first; k < choice->first + choice->count; k++)
      if (ts_semi_is_as_good(pair, &all[k], best))
        place->normals_of[i] |= bit_of(place, all[k].normal);
  }
}

/// Gives each choice the first of its candidates that is as good and has one of the normals that
/// are taken; the chosen one where that has.
static void take_shared(size_t *chosen, shared_place *place, const ts_semi_pair *pair,
                        const ts_semi_choices *choices) {
  uint64_t taken = ts_hitting_set(place->normals_of, place->choice_count);
  const ts_semi_candidate *all = choices->candidates;
  for (size_t i = 0; i < place->choice_count; i++) {
    const ts_semi_choice *choice = &choices->choices[place->choices[i]];
    size_t best = chosen[place->choices[i]], k = choice->first;
    if (bit_of(place, all[best].normal) & taken)
      continue;
    while (k < choice->first + choice->count && !(ts_semi_is_as_good(pair, &all[k], &all[best]) &&
                                                  (bit_of(place, all[k].normal) & taken)))
      k++;
    if (k < choice->first + choice->count)
      chosen[place->choices[i]] = k;
  }
}

ts_status ts_semi_share_candidates(size_t *chosen, const ts_semi_pair *pair,
                                   const ts_semi_choices *choices) {
  ts_semi_places places;
  bool *is_done = ts_semi_scratch(pair->host, choices->count, sizeof *is_done);
  if (!is_done)
    return TS_E_MEMORY;
  TS_TRY(
      ts_semi_places_create(&places, pair, choices->choices, choices->count, choices->candidates));
  for (size_t i = 0; i < choices->count; i++) {
    if (chosen[i] == SIZE_MAX || is_done[i])
      continue;
    shared_place place = {.choice_count = 0};
    add_choice(&place, i);
    size_t other, rank = ts_semi_places_begin(&places, i);
    while ((other = ts_semi_places_next(&places, i, &rank)) != SIZE_MAX)
      if (chosen[other] != SIZE_MAX && !is_done[other])
        add_choice(&place, other);
    for (size_t k = 0; k < place.choice_count; k++)
      is_done[place.choices[k]] = true;
    if (place.choice_count < 2)
      continue;
    list_normals(&place, chosen, pair, choices);
    take_shared(chosen, &place, pair, choices);
  }
  return TS_OK;
}
