// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_contacts.h"

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
  const ts_host *host = pair->host;
  size_t count_max = choices->candidate_count;
  for (size_t r = 0; r < regions->count; r++)
    count_max += regions->regions[r].contact_count;
  *out = (contact_list){.pair = pair,
                        .contacts = ts_semi_scratch(host, count_max, sizeof *out->contacts)};
  if (!out->contacts)
    return TS_E_MEMORY;
  return ts_point_hash_create(&out->places, count_max, TS_SEMI_CORNER_SNAPS * pair->s.snap_m,
                              ts_semi_array_from_scratch, &host);
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

/// What a contact is to serve: candidates, among those of the first contacts.
typedef struct serving {
  const contact_list *list;
  size_t contact_count;
  const ts_semi_candidate *all;
  size_t count;
} serving;

static bool serves(const void *context, size_t contact) {
  const serving *s = context;
  return contact < s->contact_count &&
         ts_semi_serves(s->list->pair, &s->list->contacts[contact].at, s->all, s->count);
}

/// Whether a contact here, among the first `contact_count`, is enough for a choice.
static bool is_settled(const contact_list *list, size_t contact_count, const ts_semi_candidate *all,
                       size_t count) {
  const serving s = {list, contact_count, all, count};
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

/// Adds the contact of a choice, unless another choice has it already, or all of its candidates.
static void add_choice(contact_list *list, const ts_semi_choices *choices, size_t index) {
  const ts_semi_pair *pair = list->pair;
  const ts_semi_choice *choice = &choices->choices[index];
  const ts_semi_candidate *all = choices->candidates + choice->first;
  size_t count = count_choosable(pair, choice, all);
  ts_semi_candidate chosen;
  if (!pair->s.all_alternatives) {
    if (!(choice->shown_count > 1 &&
          smooth(&chosen, all, choice->shown_count, choice->misfit_m + pair->s.snap_m)))
      chosen = all[ts_semi_choose(pair, all, count)];
    if (count > 1 && is_settled(list, list->count, &chosen, 1))
      return;
    all = &chosen;
    count = 1;
  }
  uint32_t group = count > 1 ? ++list->group_count : 0;
  for (size_t i = 0; i < count; i++)
    if (!all[i].is_elsewhere && !ts_semi_is_beside(pair, &all[i]) &&
        !is_out_of_range(pair, &all[i], choice->misfit_m))
      add_contact(list, &(ts_semi_contact){all[i], index, group});
}

ts_status ts_semi_find_contacts(ts_semi_contacts *out, const ts_semi_pair *pair,
                                const ts_semi_regions *regions, const ts_semi_choices *choices) {
  contact_list list;
  TS_TRY(contact_list_create(&list, pair, regions, choices));
  add_region_contacts(&list, regions);
  // Those of one candidate come first: they may settle others.
  size_t settling = 0;
  for (int has_alternatives = 0; has_alternatives < 2; has_alternatives++) {
    for (size_t i = 0; i < choices->count; i++) {
      const ts_semi_choice *choice = &choices->choices[i];
      const ts_semi_candidate *all = choices->candidates + choice->first;
      size_t choosable = count_choosable(pair, choice, all);
      if (choosable && (choosable > 1) == has_alternatives &&
          !(has_alternatives && is_settled(&list, settling, all, choice->count)))
        add_choice(&list, choices, i);
    }
    if (!has_alternatives)
      settling = list.count;
  }
  *out = (ts_semi_contacts){list.count, list.contacts, list.group_count};
  return TS_OK;
}
