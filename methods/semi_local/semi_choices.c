// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_choices.h"

#include "base/status.h"
#include "geometry/tolerances.h"
#include "methods/semi_local/semi_implied.h"
#include "methods/semi_local/semi_scratch.h"

#include <stdlib.h>

static bool has_face(const uint32_t *faces, int count, uint32_t patch) {
  for (int i = 0; i < count; i++)
    if (faces[i] == patch)
      return true;
  return false;
}

/// Whether two runs of a body share a patch and together are still a run. Those of a corner's cover
/// may share patches and are different parts of the solid.
static bool fit_together(const ts_semi_pair *pair, const ts_semi_site *a, const ts_semi_site *b,
                         int body) {
  if (a->covers[body] && a->covers[body] == b->covers[body])
    return a->runs_of_covers[body] == b->runs_of_covers[body];
  bool shares = false;
  for (int i = 0; i < a->face_count[body]; i++)
    shares |= has_face(b->faces[body], b->face_count[body], a->faces[body][i]);
  for (int i = 0; i < a->face_count[body] && shares; i++)
    for (int k = 0; k < b->face_count[body]; k++) {
      bool is_convex = true;
      uint32_t p = a->faces[body][i], q = b->faces[body][k];
      if (p != q &&
          ts_semi_shared_edge(&is_convex, &pair->side[body], p, q, a->point) != TS_SEMI_NO_EDGE &&
          !is_convex)
        return false;
    }
  return shares;
}

/// Whether what fits by one misfit fits better than what another one says: that site does not look
/// as far around.
static bool fits_better(const ts_semi_pair *pair, double misfit_m, double than_m) {
  return pair->s.slack > 0 && pair->s.slack * misfit_m + pair->s.snap_m < than_m;
}

/// A site by a number.
typedef struct site_key {
  double by;
  uint32_t site;
} site_key;

static int compare_keys(const void *left, const void *right) {
  const site_key *l = left, *r = right;
  if (l->by != r->by)
    return l->by < r->by ? -1 : 1;
  return (l->site > r->site) - (l->site < r->site);
}

/// Sites that are being joined.
typedef struct joining {
  const ts_semi_pair *pair;
  const ts_semi_site *sites;
  size_t count;
  double slack_max_m;
  site_key *places;  ///< [count] by x
  site_key *fits;    ///< [count] by misfit
  uint32_t *rank_of; ///< [site] in `places`
  bool *is_seen;     ///< [site] has been joined with what fits better
  double *misfits_m; ///< [root] the smallest of its sites
  site_key *near;    ///< [count] of the current site, by distance
  uint32_t *forest;
} joining;

static ts_status joining_create(joining *out, const ts_semi_pair *pair,
                                const ts_semi_sites *sites) {
  ts_semi_memory *memory = pair->memory;
  size_t count = sites->count;
  *out = (joining){.pair = pair,
                   .sites = sites->sites,
                   .count = count,
                   .places = ts_semi_scratch(memory, count, sizeof *out->places),
                   .fits = ts_semi_scratch(memory, count, sizeof *out->fits),
                   .rank_of = ts_semi_scratch(memory, count, sizeof *out->rank_of),
                   .is_seen = ts_semi_scratch(memory, count, sizeof *out->is_seen),
                   .misfits_m = ts_semi_scratch(memory, count, sizeof *out->misfits_m),
                   .near = ts_semi_scratch(memory, count, sizeof *out->near),
                   .forest = ts_semi_forest_create(memory, count)};
  if (!out->places || !out->fits || !out->rank_of || !out->is_seen || !out->misfits_m ||
      !out->near || !out->forest)
    return TS_E_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    const ts_semi_site *site = &sites->sites[i];
    out->places[i] = (site_key){site->point.x, i};
    out->fits[i] = (site_key){site->misfit_m, i};
    out->misfits_m[i] = site->misfit_m;
    out->slack_max_m = ts_max(out->slack_max_m, site->slack_m);
  }
  if (count > 1) {
    qsort(out->places, count, sizeof *out->places, compare_keys);
    qsort(out->fits, count, sizeof *out->fits, compare_keys);
  }
  for (uint32_t k = 0; k < count; k++)
    out->rank_of[out->places[k].site] = k;
  return TS_OK;
}

/// Lists the sites near one of those that fit no worse, the nearest first.
static size_t list_near(const joining *j, uint32_t site) {
  const ts_semi_site *own = &j->sites[site];
  double reach = own->slack_m + j->slack_max_m;
  size_t rank = j->rank_of[site], count = 0;
  for (int step = -1; step <= 1; step += 2)
    for (size_t k = rank + (size_t)step;
         k < j->count && fabs(j->places[k].by - own->point.x) <= reach; k += (size_t)step) {
      uint32_t other = j->places[k].site;
      double distance = ts_vec3_distance(own->point, j->sites[other].point);
      if (j->is_seen[other] && distance <= own->slack_m + j->sites[other].slack_m)
        j->near[count++] = (site_key){distance, other};
    }
  if (count > 1)
    qsort(j->near, count, sizeof *j->near, compare_keys);
  return count;
}

/// Joins a site with those near it that fit together and no worse. Two places that both fit better
/// than it stay two: it is seen from there, and joins the nearer one.
static void join_site(joining *j, uint32_t site) {
  const ts_semi_site *own = &j->sites[site];
  size_t count = list_near(j, site);
  for (size_t i = 0; i < count; i++) {
    uint32_t other = j->near[i].site;
    uint32_t root = ts_semi_forest_root(j->forest, site);
    uint32_t beside = ts_semi_forest_root(j->forest, other);
    if (root == beside || (fits_better(j->pair, j->misfits_m[root], own->misfit_m) &&
                           fits_better(j->pair, j->misfits_m[beside], own->misfit_m)))
      continue;
    if (!fit_together(j->pair, own, &j->sites[other], 0) ||
        !fit_together(j->pair, own, &j->sites[other], 1))
      continue;
    double misfit_m = ts_min(j->misfits_m[root], j->misfits_m[beside]);
    ts_semi_forest_join(j->forest, root, beside);
    j->misfits_m[ts_semi_forest_root(j->forest, root)] = misfit_m;
  }
  j->is_seen[site] = true;
}

/// Joins sites that are one in a forest.
static ts_status join_sites(uint32_t **out, const ts_semi_pair *pair, const ts_semi_sites *sites) {
  joining j;
  TS_TRY(joining_create(&j, pair, sites));
  for (size_t i = 0; i < j.count; i++)
    join_site(&j, j.fits[i].site);
  *out = j.forest;
  return TS_OK;
}

/// A candidate among those of one choice.
typedef struct gathered {
  ts_semi_candidate at;
  double misfit_m; ///< of its site
  int more;        ///< how many others like it the point is the mean of
} gathered;

/// Merges another candidate of the same normal: the deeper one stays, where both are as deep the
/// one of a site that fits better, and of equal ones the mean of their points, so that neither
/// rounding nor their order decides. A site that looks farther around sees deeper by a tilt. What a
/// surface shows counts before a cut.
static void merge(const ts_semi_pair *pair, gathered *into, const gathered *c) {
  if (into->at.is_cut != c->at.is_cut) {
    if (into->at.is_cut)
      *into = *c;
    return;
  }
  if (into->at.is_elsewhere != c->at.is_elsewhere) {
    if (into->at.is_elsewhere)
      *into = *c;
    return;
  }
  bool better = fits_better(pair, c->misfit_m, into->misfit_m);
  bool differ = better || fits_better(pair, into->misfit_m, c->misfit_m);
  double as_deep = TS_TOUCH_RELATIVE * pair->size_m, deeper = into->at.gap_m - c->at.gap_m;
  if (differ)
    as_deep = pair->s.snap_m + pair->s.angle_rad * fabs(into->misfit_m - c->misfit_m);
  if (differ || fabs(deeper) > as_deep) {
    bool is_beside = ts_semi_is_beside(pair, &c->at);
    if (ts_semi_is_beside(pair, &into->at) != is_beside)
      *into = is_beside ? *into : *c;
    else if (fabs(deeper) > as_deep ? deeper > 0 : better)
      *into = *c;
    return;
  }
  into->more++;
  into->at.point = ts_vec3_lerp(into->at.point, c->at.point, 1.0 / (1 + into->more));
  into->at.beside_m = ts_min(into->at.beside_m, c->at.beside_m);
}

/// Whether a candidate is that of features which do not meet here. No normal separates the bodies
/// by more than the distance of two of their points, those of the site that fits best; but along a
/// normal of elsewhere the bodies are measured where they do not meet. And where bodies touch, the
/// sites that touch have all the normals.
static bool is_refuted(const ts_semi_pair *pair, const gathered *c, double misfit_min_m) {
  double snap = pair->s.snap_m, farthest = misfit_min_m + snap;
  if (c->at.gap_m > farthest && !c->at.is_elsewhere)
    return true;
  return c->misfit_m > farthest &&
         (c->at.gap_m > farthest || (misfit_min_m <= snap && c->at.gap_m >= -snap));
}

/// The choices being gathered. Both arrays have room for all.
typedef struct choice_list {
  const ts_semi_pair *pair;
  const ts_semi_sites *sites;
  ts_semi_choice *choices;
  size_t count;
  ts_semi_candidate *candidates;
  size_t candidate_count;
  gathered *here; ///< of the current choice
} choice_list;

/// Gathers the candidates of a site with those [count] of others that are one with it, each normal
/// once. Returns how many there are.
static size_t gather(const choice_list *list, size_t count, const ts_semi_site *site,
                     double misfit_min_m) {
  gathered *here = list->here;
  for (size_t i = 0; i < site->count; i++) {
    gathered c = {.at = list->sites->candidates[site->first + i], .misfit_m = site->misfit_m};
    if (is_refuted(list->pair, &c, misfit_min_m))
      continue;
    size_t k = 0;
    while (k < count &&
           ts_vec3_distance(here[k].at.normal, c.at.normal) > 2 * TS_SEMI_CONE_WIDE_RAD)
      k++;
    if (k == count)
      here[count++] = c;
    else
      merge(list->pair, &here[k], &c);
  }
  return count;
}

/// A site under the first of the sites that are one with it.
typedef struct member {
  uint32_t root, site;
} member;

static int compare_members(const void *left, const void *right) {
  const member *l = left, *r = right;
  if (l->root != r->root)
    return l->root < r->root ? -1 : 1;
  return (l->site > r->site) - (l->site < r->site);
}

/// Adds the choice of sites that are one, members [count].
static void add_choice(choice_list *list, const member *members, size_t count) {
  const ts_semi_site *sites = list->sites->sites;
  ts_semi_choice choice = {.slack_m = sites[members[0].site].slack_m,
                           .misfit_m = INFINITY,
                           .first = list->candidate_count};
  for (size_t i = 0; i < count; i++) {
    const ts_semi_site *site = &sites[members[i].site];
    choice.misfit_m = ts_min(choice.misfit_m, site->misfit_m);
    for (int body = 0; body < 2; body++) {
      uint32_t *faces = choice.faces[body];
      int *face_count = &choice.face_count[body];
      for (int k = 0; k < site->face_count[body] && *face_count < TS_SEMI_FACES_MAX; k++)
        if (!has_face(faces, *face_count, site->faces[body][k]))
          faces[(*face_count)++] = site->faces[body][k];
    }
  }
  for (size_t i = 0; i < count; i++)
    choice.count = gather(list, choice.count, &sites[members[i].site], choice.misfit_m);
  for (int is_cut = 0; is_cut < 2; is_cut++) {
    for (size_t i = 0; i < choice.count; i++)
      if (list->here[i].at.is_cut == is_cut)
        list->candidates[list->candidate_count++] = list->here[i].at;
    if (choice.shown_count == 0)
      choice.shown_count = list->candidate_count - choice.first;
  }
  list->choices[list->count++] = choice;
}

ts_status ts_semi_find_choices(ts_semi_choices *out, const ts_semi_pair *pair,
                               const ts_semi_regions *regions, const ts_semi_sites *sites) {
  ts_semi_memory *memory = pair->memory;
  uint32_t *forest;
  member *members = ts_semi_scratch(memory, sites->count, sizeof *members);
  choice_list list = {.pair = pair,
                      .sites = sites,
                      .choices = ts_semi_scratch(memory, sites->count, sizeof *list.choices),
                      .candidates =
                          ts_semi_scratch(memory, sites->candidate_count, sizeof *list.candidates),
                      .here = ts_semi_scratch(memory, sites->candidate_count, sizeof *list.here)};
  if (!members || !list.choices || !list.candidates || !list.here)
    return TS_E_MEMORY;
  TS_TRY(join_sites(&forest, pair, sites));
  for (uint32_t i = 0; i < sites->count; i++)
    members[i] = (member){ts_semi_forest_root(forest, i), i};
  if (sites->count > 1)
    qsort(members, sites->count, sizeof *members, compare_members);
  for (size_t first = 0, end; first < sites->count; first = end) {
    for (end = first + 1; end < sites->count && members[end].root == members[first].root; end++)
      ;
    add_choice(&list, members + first, end - first);
  }
  *out = (ts_semi_choices){list.count, list.choices, list.candidate_count, list.candidates};
  return ts_semi_drop_implied(list.choices, &out->count, pair, regions, out);
}

// ---- places ------------------------------------------------------------------------------------

static int compare_places(const void *left, const void *right) {
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
  *out = (ts_semi_places){.choices = choices,
                          .candidates = candidates,
                          .reach_m = TS_SEMI_CORNER_SNAPS * pair->s.snap_m,
                          .keys = ts_semi_scratch(pair->memory, choice_count, sizeof *out->keys),
                          .rank_of =
                              ts_semi_scratch(pair->memory, choice_count, sizeof *out->rank_of)};
  if (!out->keys || !out->rank_of)
    return TS_E_MEMORY;
  for (size_t i = 0; i < choice_count; i++)
    if (choices[i].count > 0)
      out->keys[out->count++] = (ts_semi_place_key){point_of(out, i).x, i};
  if (out->count > 1)
    qsort(out->keys, out->count, sizeof *out->keys, compare_places);
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
