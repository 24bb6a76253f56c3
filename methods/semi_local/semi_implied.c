// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_implied.h"

#include "base/status.h"
#include "geometry/cone.h"
#include "geometry/terms.h"
#include "geometry/tolerances.h"

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

/// Which of the choices are dropped, while that is decided.
typedef struct implied_choices {
  const ts_semi_pair *pair;
  const ts_semi_regions *regions;
  ts_semi_places places;
  size_t count;
  ts_vec3 *normals; ///< [candidate]
  bool *is_dropped; ///< [count]
  bool *is_asked;   ///< [count] together with others
} implied_choices;

/// Whether `other` implies a choice. Of two with one candidate each the reduction keeps the deeper.
static bool implies(const implied_choices *c, const ts_semi_choice *other,
                    const ts_semi_choice *choice) {
  const ts_semi_candidate *candidates = c->places.candidates;
  for (size_t i = 0; i < other->count; i++) {
    const ts_semi_candidate *contact = &candidates[other->first + i];
    if (contact->is_elsewhere ||
        !ts_semi_serves(c->pair, contact, candidates + choice->first, choice->count))
      return false;
  }
  return true;
}

static bool is_implied_by_one(const implied_choices *c, size_t choice) {
  const ts_semi_choice *choices = c->places.choices;
  size_t other, rank = ts_semi_places_begin(&c->places, choice);
  while ((other = ts_semi_places_next(&c->places, choice, &rank)) != SIZE_MAX)
    if (!c->is_dropped[other] && implies(c, &choices[other], &choices[choice]))
      return true;
  return false;
}

/// Whether a choice blocks what its normals say: the bodies touch along all of them, here.
static bool is_term(const implied_choices *c, size_t choice) {
  const ts_semi_choice *of = &c->places.choices[choice];
  for (size_t i = 0; i < of->count; i++) {
    const ts_semi_candidate *at = &c->places.candidates[of->first + i];
    if (at->is_elsewhere || ts_semi_is_beside(c->pair, at) || fabs(at->gap_m) > c->pair->s.snap_m)
      return false;
  }
  return !c->is_dropped[choice] && !c->is_asked[choice];
}

static ts_term term_of(const implied_choices *c, size_t choice) {
  const ts_semi_choice *of = &c->places.choices[choice];
  return (ts_term){(int)of->count, c->normals + of->first};
}

/// The normals of regions that touch at a point, as terms; returns how many there are, up to
/// `most`.
static size_t list_regions(ts_term *out, const implied_choices *c, ts_vec3 point, size_t most) {
  size_t count = 0;
  for (size_t r = 0; r < c->regions->count && count < most; r++) {
    const ts_semi_region *region = &c->regions->regions[r];
    if (region->is_dropped || region->contact_count == 0 || region->misfit_m > c->pair->s.snap_m)
      continue;
    ts_vec3 from = ts_vec3_sub(point, ts_semi_region_candidate(region, 0).point);
    if (fabs(ts_vec3_dot(region->normal, from)) <= c->places.reach_m &&
        ts_semi_region_distance(region, point) <= c->places.reach_m)
      out[count++] = (ts_term){1, &region->normal};
  }
  return count;
}

/// Drops those of the choices where `choice` is that others there, and regions, imply together.
static void drop_at_place(implied_choices *c, size_t choice) {
  ts_term terms[TS_TERMS_MAX];
  size_t choices[TS_TERMS_MAX], count = 0, other, rank = ts_semi_places_begin(&c->places, choice);
  bool is_dropped[TS_TERMS_MAX];
  choices[count++] = choice;
  while (count < TS_TERMS_MAX &&
         (other = ts_semi_places_next(&c->places, choice, &rank)) != SIZE_MAX)
    if (is_term(c, other))
      choices[count++] = other;
  if (count < 2)
    return;
  ts_vec3 point = c->places.candidates[c->places.choices[choice].first].point;
  size_t of_regions = list_regions(terms, c, point, TS_TERMS_MAX - count);
  for (size_t i = 0; i < count; i++)
    terms[of_regions + i] = term_of(c, choices[i]);
  ts_terms_drop_implied(is_dropped, terms, of_regions + count, of_regions, TS_SEMI_IMPLIED_RAD);
  for (size_t i = 0; i < count; i++) {
    c->is_asked[choices[i]] = true;
    c->is_dropped[choices[i]] = is_dropped[of_regions + i];
  }
}

static ts_status implied_choices_create(implied_choices *out, const ts_semi_pair *pair,
                                        const ts_semi_regions *regions,
                                        const ts_semi_choices *choices) {
  ts_semi_memory *memory = pair->memory;
  *out = (implied_choices){
      .pair = pair,
      .regions = regions,
      .count = choices->count,
      .normals = ts_semi_scratch(memory, choices->candidate_count, sizeof *out->normals),
      .is_dropped = ts_semi_scratch(memory, choices->count, sizeof *out->is_dropped),
      .is_asked = ts_semi_scratch(memory, choices->count, sizeof *out->is_asked)};
  if (!out->normals || !out->is_dropped || !out->is_asked)
    return TS_E_MEMORY;
  for (size_t i = 0; i < choices->candidate_count; i++)
    out->normals[i] = choices->candidates[i].normal;
  return ts_semi_places_create(&out->places, pair, choices->choices, choices->count,
                               choices->candidates);
}

ts_status ts_semi_drop_implied(ts_semi_choice *out, size_t *out_count, const ts_semi_pair *pair,
                               const ts_semi_regions *regions, const ts_semi_choices *choices) {
  implied_choices c;
  TS_TRY(implied_choices_create(&c, pair, regions, choices));
  for (size_t i = c.count; i-- > 0;)
    c.is_dropped[i] = choices->choices[i].count > 1 && is_implied_by_one(&c, i);
  for (size_t i = 0; i < c.count; i++)
    if (choices->choices[i].count > 0 && is_term(&c, i))
      drop_at_place(&c, i);
  *out_count = 0;
  for (size_t i = 0; i < c.count; i++)
    if (!c.is_dropped[i])
      out[(*out_count)++] = choices->choices[i];
  return TS_OK;
}
