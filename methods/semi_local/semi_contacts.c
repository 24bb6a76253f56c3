// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_contacts.h"

#include "base/status.h"
#include "geometry/tolerances.h"
#include "methods/semi_local/semi_implied.h"

/// The contacts being gathered; there is room for all.
typedef struct contact_list {
  const ts_semi_pair *pair;
  ts_semi_contact *contacts;
  size_t count;
  uint32_t group_count;
} contact_list;

static ts_status contact_list_create(contact_list *out, const ts_semi_pair *pair,
                                     const ts_semi_regions *regions,
                                     const ts_semi_choices *choices) {
  size_t count_max = choices->candidate_count;
  for (size_t r = 0; r < regions->count; r++)
    count_max += regions->regions[r].contact_count;
  *out = (contact_list){.pair = pair,
                        .contacts = ts_semi_scratch(pair->host, count_max, sizeof *out->contacts)};
  return out->contacts ? TS_OK : TS_E_MEMORY;
}

static void add_region_contacts(contact_list *list, const ts_semi_regions *regions) {
  for (size_t r = 0; r < regions->count; r++) {
    const ts_semi_region *region = &regions->regions[r];
    for (size_t i = 0; i < region->contact_count && !region->is_dropped; i++)
      list->contacts[list->count++] =
          (ts_semi_contact){.at = ts_semi_region_candidate(region, i), .choice = TS_SEMI_NO_CHOICE};
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

/// Whether a contact here, among the first `contact_count`, is enough for a choice.
static bool is_settled(const contact_list *list, size_t contact_count, const ts_semi_candidate *all,
                       size_t count) {
  for (size_t i = 0; i < contact_count; i++)
    if (ts_semi_serves(list->pair, &list->contacts[i].at, all, count))
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

/// Adds the contact of a choice, unless another choice has it already, or all of its candidates.
static void add_choice(contact_list *list, const ts_semi_choices *choices, size_t index) {
  const ts_semi_pair *pair = list->pair;
  const ts_semi_choice *choice = &choices->choices[index];
  const ts_semi_candidate *all = choices->candidates + choice->first;
  size_t count = count_choosable(pair, choice, all);
  ts_semi_candidate chosen;
  double least_m = deepest_alternative_m(pair, all, count);
  if (!pair->s.all_alternatives) {
    if (!(choice->shown_count > 1 &&
          smooth(&chosen, all, choice->shown_count, choice->misfit_m + pair->s.snap_m)))
      chosen = all[ts_semi_choose(pair, all, count)];
    if (count > 1 && is_settled(list, list->count, &chosen, 1))
      return;
    all = &chosen;
    count = 1;
  }
  size_t group_size = 0;
  for (size_t i = 0; i < count; i++)
    group_size += all[i].gap_m >= least_m;
  uint32_t group = group_size > 1 ? ++list->group_count : 0;
  for (size_t i = 0; i < count; i++)
    if (all[i].gap_m >= least_m && !all[i].is_elsewhere && !ts_semi_is_beside(pair, &all[i]) &&
        !is_out_of_range(pair, &all[i], choice->misfit_m))
      list->contacts[list->count++] = (ts_semi_contact){all[i], index, group};
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
