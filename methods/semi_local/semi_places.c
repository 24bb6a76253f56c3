// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_places.h"

#include "base/status.h"
#include "geometry/tolerances.h"

#include <stdlib.h>

static int compare_keys(const void *left, const void *right) {
  const ts_semi_place_key *l = left, *r = right;
  if (l->x != r->x)
    return l->x < r->x ? -1 : 1;
  return (l->choice > r->choice) - (l->choice < r->choice);
}

static ts_vec3 point_of(const ts_semi_places *places, size_t choice) {
  return places->candidates[places->choices[choice].first].point;
}

ts_status ts_semi_places_create(ts_semi_places *out, const ts_semi_pair *pair,
                                const ts_semi_choice *choices, size_t choice_count,
                                const ts_semi_candidate *candidates) {
  *out =
      (ts_semi_places){.choices = choices,
                       .candidates = candidates,
                       .reach_m = TS_SEMI_CORNER_SNAPS * pair->s.snap_m,
                       .keys = ts_semi_scratch(pair->host, choice_count, sizeof *out->keys),
                       .rank_of = ts_semi_scratch(pair->host, choice_count, sizeof *out->rank_of)};
  if (!out->keys || !out->rank_of)
    return TS_E_MEMORY;
  for (size_t i = 0; i < choice_count; i++)
    if (choices[i].count > 0)
      out->keys[out->count++] = (ts_semi_place_key){point_of(out, i).x, i};
  if (out->count > 1)
    qsort(out->keys, out->count, sizeof *out->keys, compare_keys);
  for (size_t k = 0; k < out->count; k++)
    out->rank_of[out->keys[k].choice] = k;
  return TS_OK;
}

size_t ts_semi_places_begin(const ts_semi_places *places, size_t choice) {
  size_t rank = places->rank_of[choice];
  double least = places->keys[rank].x - places->reach_m;
  while (rank > 0 && places->keys[rank - 1].x >= least)
    rank--;
  return rank;
}

size_t ts_semi_places_next(const ts_semi_places *places, size_t choice, size_t *rank) {
  ts_vec3 point = point_of(places, choice);
  while (*rank < places->count && places->keys[*rank].x <= point.x + places->reach_m) {
    size_t other = places->keys[(*rank)++].choice;
    if (other != choice && ts_vec3_distance(point, point_of(places, other)) <= places->reach_m)
      return other;
  }
  return SIZE_MAX;
}
