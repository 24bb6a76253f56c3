// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_implied.h"

#include "base/status.h"
#include "geometry/cone.h"
#include "geometry/tolerances.h"

#include <stdlib.h>

/// Of how many candidates at one place sums are asked for, the first ones: more are of a fine mesh,
/// where it takes too long to look at the cones of all.
enum { SUMS_MAX = 16 };

bool ts_semi_serves(const ts_semi_pair *pair, const ts_semi_candidate *contact,
                    const ts_semi_candidate *all, size_t count) {
  double snap = pair->s.snap_m, same = TS_SEMI_CORNER_SNAPS * snap;
  ts_vec3 normals[SUMS_MAX];
  double gaps_m[SUMS_MAX], gap_m = 0;
  size_t here = 0;
  for (size_t i = 0; i < count; i++) {
    if (all[i].is_elsewhere || ts_vec3_distance(contact->point, all[i].point) > same)
      continue;
    if (contact->gap_m <= all[i].gap_m + snap &&
        ts_vec3_distance(contact->normal, all[i].normal) <= 2 * TS_SEMI_CONE_RAD)
      return true;
    if (here == SUMS_MAX)
      continue;
    normals[here] = all[i].normal;
    gaps_m[here++] = all[i].gap_m;
  }
  ts_cone_direction sum = ts_cone_closest(contact->normal, normals, here);
  for (size_t i = 0; i < sum.count; i++)
    gap_m += sum.weights[i] * gaps_m[sum.rays[i]];
  return sum.count > 0 && sum.angle_rad <= TS_SEMI_IMPLIED_RAD && contact->gap_m <= gap_m + snap;
}

/// A choice by the place of its first candidate.
typedef struct place_key {
  double x;
  size_t choice;
} place_key;

static int compare_places(const void *left, const void *right) {
  const place_key *l = left, *r = right;
  if (l->x != r->x)
    return l->x < r->x ? -1 : 1;
  return (l->choice > r->choice) - (l->choice < r->choice);
}

/// The choices by place, and where each of them is there.
typedef struct places {
  const ts_semi_pair *pair;
  ts_semi_choice *choices;
  const ts_semi_candidate *candidates;
  size_t count;
  place_key *keys;  ///< [count]
  size_t *rank_of;  ///< [choice]
  bool *is_dropped; ///< [choice]
} places;

/// Whether `other` implies a choice. Of two with one candidate each the reduction keeps the deeper.
static bool implies(const places *p, const ts_semi_choice *other, const ts_semi_choice *choice) {
  if (choice->count == 1)
    return false;
  for (size_t i = 0; i < other->count; i++) {
    const ts_semi_candidate *c = &p->candidates[other->first + i];
    if (c->is_elsewhere ||
        !ts_semi_serves(p->pair, c, p->candidates + choice->first, choice->count))
      return false;
  }
  return true;
}

static bool is_implied(const places *p, size_t choice) {
  size_t rank = p->rank_of[choice];
  double reach = TS_SEMI_CORNER_SNAPS * p->pair->s.snap_m;
  for (int step = -1; step <= 1; step += 2)
    for (size_t k = rank + (size_t)step;
         k < p->count && fabs(p->keys[k].x - p->keys[rank].x) <= reach; k += (size_t)step) {
      size_t other = p->keys[k].choice;
      if (!p->is_dropped[other] && implies(p, &p->choices[other], &p->choices[choice]))
        return true;
    }
  return false;
}

static ts_status sort_places(places *out, size_t choice_count) {
  const ts_host *host = out->pair->host;
  out->keys = ts_semi_scratch(host, choice_count, sizeof *out->keys);
  out->rank_of = ts_semi_scratch(host, choice_count, sizeof *out->rank_of);
  out->is_dropped = ts_semi_scratch(host, choice_count, sizeof *out->is_dropped);
  if (!out->keys || !out->rank_of || !out->is_dropped)
    return TS_E_MEMORY;
  for (size_t i = 0; i < choice_count; i++)
    if (out->choices[i].count)
      out->keys[out->count++] = (place_key){out->candidates[out->choices[i].first].point.x, i};
  if (out->count > 1)
    qsort(out->keys, out->count, sizeof *out->keys, compare_places);
  for (size_t k = 0; k < out->count; k++)
    out->rank_of[out->keys[k].choice] = k;
  return TS_OK;
}

ts_status ts_semi_drop_implied(size_t *count, const ts_semi_pair *pair, ts_semi_choice *choices,
                               const ts_semi_candidate *candidates) {
  places p = {.pair = pair, .choices = choices, .candidates = candidates};
  TS_TRY(sort_places(&p, *count));
  for (size_t i = *count; i-- > 0;)
    p.is_dropped[i] = choices[i].count > 1 && is_implied(&p, i);
  size_t kept = 0;
  for (size_t i = 0; i < *count; i++)
    if (!p.is_dropped[i])
      choices[kept++] = choices[i];
  *count = kept;
  return TS_OK;
}
