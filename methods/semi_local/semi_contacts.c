// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_contacts.h"

#include "base/hitting_set.h"
#include "base/status.h"
#include "geometry/point_hash.h"
#include "geometry/tolerances.h"
#include "methods/semi_local/semi_implied.h"

/// The contacts being gathered; there is room for all.
typedef struct contact_list {
  const ts_semi_pair *pair;
  ts_semi_contact *contacts;
  size_t count;
  uint32_t group_count;
  ts_point_hash places; ///< of the contacts
} contact_list;

static ts_status contact_list_create(contact_list *out, const ts_semi_pair *pair,
                                     const ts_semi_regions *regions,
                                     const ts_semi_choices *choices) {
  ts_semi_memory *memory = pair->memory;
  size_t count_max = choices->candidate_count;
  for (size_t r = 0; r < regions->count; r++)
    count_max += regions->regions[r].contact_count;
  *out = (contact_list){.pair = pair,
                        .contacts = ts_semi_scratch(memory, count_max, sizeof *out->contacts)};
  if (!out->contacts)
    return TS_E_MEMORY;
  return ts_point_hash_create(&out->places, count_max, TS_SEMI_CORNER_SNAPS * pair->s.snap_m,
                              ts_semi_array_from_scratch, memory);
}

static void add_contact(contact_list *list, const ts_semi_contact *contact) {
  ts_point_hash_add(&list->places, contact->at.point, list->count);
  list->contacts[list->count++] = *contact;
}

static void add_region_contacts(contact_list *list, const ts_semi_regions *regions) {
  for (size_t r = 0; r < regions->count; r++) {
    const ts_semi_region *region = &regions->regions[r];
    for (size_t i = 0; i < region->contact_count && !region->is_dropped; i++)
      add_contact(list, &(ts_semi_contact){.at = ts_semi_region_candidate(region, i),
                                           .choice = TS_SEMI_NO_CHOICE});
  }
}

/// Makes one of candidates [count] that lie close together around the vertices of a finely meshed
/// curve: their mean, with the way out along it. Any direction between the extreme ones keeps the
/// bodies apart as they do, and of a smooth surface the mean is the best. False when they do not,
/// when one of them is that of a flat face, which has no normals but its own, or when their gaps
/// differ by more than `spread_m`: then the deeper ones keep nothing apart.
static bool smooth(ts_semi_candidate *out, const ts_semi_candidate *all, size_t count,
                   double spread_m) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < count; i++)
    sum = ts_vec3_add(sum, all[i].normal);
  ts_vec3 mean = ts_vec3_unit(sum), middle = {0, 0, 0};
  double gap = -INFINITY, low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    double cosine = ts_vec3_dot(mean, all[i].normal);
    if (!(cosine >= TS_SEMI_SMOOTH_COSINE) || all[i].is_elsewhere || !all[i].is_of_curve)
      return false;
    // The bodies are apart as soon as they are along one of the alternatives.
    gap = ts_max(gap, all[i].gap_m / cosine);
    low = ts_min(low, all[i].gap_m);
    high = ts_max(high, all[i].gap_m);
    middle = ts_vec3_add_scaled(middle, 1.0 / (double)count, all[i].point);
  }
  if (high - low > spread_m)
    return false;
  *out = all[0];
  out->normal = mean;
  out->gap_m = gap;
  out->point = middle;
  for (size_t i = 1; i < count; i++)
    out->beside_m = ts_min(out->beside_m, all[i].beside_m);
  out->patches[0] = out->patches[1] = TS_SEMI_NO_PATCH;
  return true;
}

/// Candidates that a contact is to serve.
typedef struct serving {
  const contact_list *list;
  const ts_semi_candidate *all;
  size_t count;
} serving;

static bool serves(const void *context, size_t contact) {
  const serving *s = context;
  return ts_semi_serves(s->list->pair, &s->list->contacts[contact].at, s->all, s->count);
}

/// Whether a contact here is enough for a choice.
static bool is_settled(const contact_list *list, const ts_semi_candidate *all, size_t count) {
  const serving s = {list, all, count};
  for (size_t i = 0; i < count; i++)
    if (!all[i].is_elsewhere && ts_point_hash_any(&list->places, all[i].point, serves, &s))
      return true;
  return false;
}

/// Whether a contact claims a touch of surfaces that are out of the range of gaps: one only reaches
/// the other's plane.
static bool is_out_of_range(const ts_semi_pair *pair, const ts_semi_candidate *c, double misfit_m) {
  return isfinite(misfit_m) && misfit_m > pair->s.gap_m + pair->s.snap_m &&
         fabs(c->gap_m) <= pair->s.snap_m;
}

/// How many of the candidates of a choice, from the first, are told or chosen from: what the
/// surfaces show; but where the bodies touch all, since what is blocked there hangs on which. How
/// deep an overlap is along a cut is not as well known.
static size_t count_choosable(const ts_semi_pair *pair, const ts_semi_choice *choice,
                              const ts_semi_candidate *all) {
  for (size_t i = 0; i < choice->count && !pair->s.all_alternatives; i++)
    if (fabs(all[i].gap_m) > pair->s.snap_m)
      return choice->shown_count;
  return choice->count;
}

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

static void add_to_place(shared_place *place, size_t choice) {
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

/// In: choices, and of each the candidate that is chosen, an index into their candidates, or
/// SIZE_MAX for none. Out, in place: where the bodies touch, and the velocity violates others of a
/// choice as little as the chosen one, the ones with which the place needs the fewest normals.
static ts_status share_candidates(size_t *chosen, const ts_semi_pair *pair,
                                  const ts_semi_choices *choices) {
  ts_semi_places places;
  bool *is_done = ts_semi_scratch(pair->memory, choices->count, sizeof *is_done);
  if (!is_done)
    return TS_E_MEMORY;
  TS_TRY(
      ts_semi_places_create(&places, pair, choices->choices, choices->count, choices->candidates));
  for (size_t i = 0; i < choices->count; i++) {
    if (chosen[i] == SIZE_MAX || is_done[i])
      continue;
    shared_place place = {.choice_count = 0};
    add_to_place(&place, i);
    size_t other, rank = ts_semi_places_begin(&places, i);
    while ((other = ts_semi_places_next(&places, i, &rank)) != SIZE_MAX)
      if (chosen[other] != SIZE_MAX && !is_done[other])
        add_to_place(&place, other);
    for (size_t k = 0; k < place.choice_count; k++)
      is_done[place.choices[k]] = true;
    if (place.choice_count < 2)
      continue;
    list_normals(&place, chosen, pair, choices);
    take_shared(chosen, &place, pair, choices);
  }
  return TS_OK;
}

/// How deep an alternative may be. Where bodies touch those that are deeper than their place is
/// wide keep nothing apart: they are normals of features next to it.
static double deepest_alternative_m(const ts_semi_pair *pair, const ts_semi_candidate *all,
                                    size_t count) {
  double largest = -INFINITY;
  for (size_t i = 0; i < count; i++)
    largest = ts_max(largest, all[i].gap_m);
  double snap = pair->s.snap_m;
  return fabs(largest) <= snap ? -TS_SEMI_CORNER_SNAPS * snap : -(double)INFINITY;
}

/// Adds contacts of a choice: one, or alternatives.
static void add_contacts(contact_list *list, const ts_semi_choices *choices, size_t index,
                         const ts_semi_candidate *all, size_t count) {
  double least_m = deepest_alternative_m(list->pair, all, count);
  size_t group_size = 0;
  for (size_t i = 0; i < count; i++)
    group_size += all[i].gap_m >= least_m;
  uint32_t group = group_size > 1 ? ++list->group_count : 0;
  for (size_t i = 0; i < count; i++)
    if (all[i].gap_m >= least_m && !all[i].is_elsewhere &&
        !ts_semi_is_beside(list->pair, &all[i]) &&
        !is_out_of_range(list->pair, &all[i], choices->choices[index].misfit_m))
      add_contact(list, &(ts_semi_contact){all[i], index, group});
}

/// Adds the contact of a choice, unless another one has it already.
static void add_chosen(contact_list *list, const ts_semi_choices *choices, size_t index,
                       const ts_semi_candidate *chosen) {
  if (!is_settled(list, chosen, 1))
    add_contacts(list, choices, index, chosen, 1);
}

/// Adds one contact for each choice that is `open`: a mean, or the candidate that is chosen.
static ts_status add_one_of_each(contact_list *list, const ts_semi_choices *choices,
                                 const bool *open) {
  const ts_semi_pair *pair = list->pair;
  size_t *chosen = ts_semi_scratch(pair->memory, choices->count, sizeof *chosen);
  if (!chosen)
    return TS_E_MEMORY;
  for (size_t i = 0; i < choices->count; i++) {
    const ts_semi_choice *choice = &choices->choices[i];
    const ts_semi_candidate *all = choices->candidates + choice->first;
    ts_semi_candidate mean;
    chosen[i] = SIZE_MAX;
    if (!open[i])
      continue;
    if (choice->shown_count > 1 &&
        smooth(&mean, all, choice->shown_count, choice->misfit_m + pair->s.snap_m))
      add_chosen(list, choices, i, &mean);
    else
      chosen[i] = choice->first + ts_semi_choose(pair, all, count_choosable(pair, choice, all));
  }
  TS_TRY(share_candidates(chosen, pair, choices));
  for (size_t i = 0; i < choices->count; i++)
    if (chosen[i] != SIZE_MAX)
      add_chosen(list, choices, i, &choices->candidates[chosen[i]]);
  return TS_OK;
}

/// Adds the contacts of the choices that have no alternatives. They may settle others: `open` are
/// those of the others that they do not.
static void add_needed(bool *open, contact_list *list, const ts_semi_choices *choices) {
  for (size_t i = 0; i < choices->count; i++) {
    const ts_semi_choice *choice = &choices->choices[i];
    const ts_semi_candidate *all = choices->candidates + choice->first;
    if (count_choosable(list->pair, choice, all) == 1)
      add_contacts(list, choices, i, all, 1);
  }
  for (size_t i = 0; i < choices->count; i++) {
    const ts_semi_choice *choice = &choices->choices[i];
    const ts_semi_candidate *all = choices->candidates + choice->first;
    open[i] = count_choosable(list->pair, choice, all) > 1 && !is_settled(list, all, choice->count);
  }
}

ts_status ts_semi_find_contacts(ts_semi_contacts *out, const ts_semi_pair *pair,
                                const ts_semi_regions *regions, const ts_semi_choices *choices) {
  contact_list list;
  TS_TRY(contact_list_create(&list, pair, regions, choices));
  bool *open = ts_semi_scratch(pair->memory, choices->count, sizeof *open);
  if (!open)
    return TS_E_MEMORY;
  add_region_contacts(&list, regions);
  add_needed(open, &list, choices);
  if (!pair->s.all_alternatives)
    TS_TRY(add_one_of_each(&list, choices, open));
  for (size_t i = 0; i < choices->count && pair->s.all_alternatives; i++)
    if (open[i])
      add_contacts(&list, choices, i, choices->candidates + choices->choices[i].first,
                   choices->choices[i].count);
  *out = (ts_semi_contacts){list.count, list.contacts, list.group_count};
  return TS_OK;
}
