// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_choose.h"

#include "base/status.h"
#include "geometry/tolerances.h"

#include <stdlib.h>

/// The bodies are apart until the largest of gap_i + speed_i t is no more than the tolerance: the
/// first such time up to the horizon, 0 when there is none.
static double time_of_impact(const ts_semi_pair *pair, const ts_semi_candidate *candidates,
                             size_t count) {
  double from = 0, to = pair->s.horizon_s, tolerance = pair->s.snap_m;
  for (size_t i = 0; i < count; i++) {
    double above = candidates[i].gap_m - tolerance;
    double speed = ts_vec3_dot(candidates[i].normal, ts_semi_velocity(pair, candidates[i].point));
    if (speed < 0)
      from = ts_max(from, above / -speed);
    else if (speed > 0)
      to = ts_min(to, -above / speed);
    else if (above > 0)
      return 0;
  }
  return from <= to ? from : 0;
}

size_t ts_semi_choose(const ts_semi_pair *pair, const ts_semi_candidate *candidates, size_t count) {
  if (count == 1)
    return 0;
  double t = time_of_impact(pair, candidates, count), largest = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    ts_vec3 velocity = ts_semi_velocity(pair, candidates[i].point);
    largest =
        ts_max(largest, candidates[i].gap_m + t * ts_vec3_dot(candidates[i].normal, velocity));
  }
  size_t best = 0;
  bool is_first = true;
  double best_speed = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    ts_vec3 velocity = ts_semi_velocity(pair, candidates[i].point);
    double speed = ts_vec3_dot(candidates[i].normal, velocity);
    if (candidates[i].gap_m + t * speed < largest - pair->s.snap_m)
      continue;
    // Symmetric bodies have normals that are violated alike: rounding must not choose.
    double rounding = TS_SAME_DIRECTION_RAD * ts_vec3_norm(velocity);
    bool is_here = !candidates[i].is_elsewhere, best_is_here = !candidates[best].is_elsewhere;
    if (is_first || (is_here && !best_is_here) ||
        (is_here == best_is_here && speed > best_speed + rounding)) {
      is_first = false;
      best_speed = speed;
      best = i;
    }
  }
  return best;
}

static ts_status add(ts_semi_pair *pair, const ts_semi_candidate *candidate, size_t site,
                     uint32_t group) {
  TS_TRY(ts_semi_grow((void **)&pair->contacts, &pair->contact_capacity, pair->contact_count,
                      sizeof *pair->contacts, pair->host));
  pair->contacts[pair->contact_count++] =
      (ts_semi_contact){.at = *candidate, .site = site, .group = group};
  return TS_OK;
}

/// How far apart the runs of a site are at least: as its slack tells, which is for all that is
/// near its corner, and no less than all of its normals say. Infinite when no slack tells.
static double misfit_m(const ts_semi_pair *pair, const ts_semi_site *site) {
  if (!(pair->slack > 0))
    return INFINITY;
  double least = INFINITY, beyond = site->slack_m - TS_SEMI_CORNER_SNAPS * pair->s.snap_m;
  for (size_t i = 0; i < site->count; i++)
    least = ts_min(least, fabs(pair->candidates[site->first + i].gap_m));
  return ts_max(beyond / pair->slack, least);
}

/// Whether what one site sees lies beyond all that another one looks at.
static bool fits_better(const ts_semi_pair *pair, const ts_semi_candidate *c,
                        const ts_semi_candidate *than) {
  return pair->slack > 0 && pair->slack * c->misfit_m + pair->s.snap_m < than->misfit_m;
}

/// Takes another candidate of the same normal: the deeper one stays, where both are as deep the one
/// of a site that fits better, and of equal ones the mean of their points, so that neither
/// rounding nor their order chooses. A site that looks farther around sees deeper for a tilt.
static void take(const ts_semi_pair *pair, ts_semi_candidate *into, const ts_semi_candidate *c) {
  if (into->is_elsewhere != c->is_elsewhere) {
    if (into->is_elsewhere)
      *into = *c;
    return;
  }
  bool better = fits_better(pair, c, into), differ = better || fits_better(pair, into, c);
  double as_deep = TS_TOUCH_RELATIVE * pair->size_m, deeper = into->gap_m - c->gap_m;
  if (differ)
    as_deep = pair->s.snap_m + pair->s.angle_rad * fabs(into->misfit_m - c->misfit_m);
  if (differ || fabs(deeper) > as_deep) {
    if (fabs(deeper) > as_deep ? deeper > 0 : better)
      *into = *c;
    return;
  }
  into->more++;
  into->point = ts_vec3_lerp(into->point, c->point, 1.0 / (1 + into->more));
}

/// Whether a candidate is that of features which do not meet here. No normal parts bodies by more
/// than the distance of two of their points, those of the site that fits best; but along a normal
/// of elsewhere bodies are measured where they do not meet. And where bodies touch, the sites that
/// do touch know all normals.
static bool is_refuted(const ts_semi_pair *pair, const ts_semi_candidate *c, double nearest_m) {
  double snap = pair->s.snap_m, farthest = nearest_m + snap;
  if (c->gap_m > farthest && !c->is_elsewhere)
    return true;
  return c->misfit_m > farthest &&
         (c->gap_m > farthest || (nearest_m <= snap && c->gap_m >= -snap));
}

/// Whether a contact claims a touch of surfaces that are out of the range of gaps: one only reaches
/// the other's plane.
static bool is_out_of_range(const ts_semi_pair *pair, const ts_semi_candidate *c,
                            double nearest_m) {
  return isfinite(nearest_m) && nearest_m > pair->s.gap_m + pair->s.snap_m &&
         fabs(c->gap_m) <= pair->s.snap_m;
}

/// Adds the candidates of a site to those [count] of others that are one with it, each normal
/// once. `nearest_m`: the least misfit of all of them.
static size_t gather(ts_semi_candidate *out, size_t count, const ts_semi_pair *pair,
                     const ts_semi_site *site, double nearest_m) {
  for (size_t i = 0; i < site->count; i++) {
    ts_semi_candidate c = pair->candidates[site->first + i];
    c.misfit_m = misfit_m(pair, site);
    if (is_refuted(pair, &c, nearest_m))
      continue;
    size_t k = 0;
    while (k < count && ts_vec3_distance(out[k].normal, c.normal) > 2 * TS_SEMI_CONE_WIDE_RAD)
      k++;
    if (k == count)
      out[count++] = c;
    else
      take(pair, &out[k], &c);
  }
  return count;
}

/// Makes one of alternatives [count] that lie close together, as around the vertices of a finely
/// meshed curve: their mean, with the way out along it. Any direction between the extreme ones is
/// as right as they are, and of a smooth surface the mean is the best. False when they do not, or
/// when their gaps differ by more than `spread_m`: then the deeper ones keep nothing apart.
static bool smooth(ts_semi_candidate *all, size_t count, double spread_m) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < count; i++)
    sum = ts_vec3_add(sum, all[i].normal);
  ts_vec3 mean = ts_vec3_unit(sum), middle = {0, 0, 0};
  double gap = -INFINITY, least = INFINITY, most = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    double cosine = ts_vec3_dot(mean, all[i].normal);
    if (!(cosine >= TS_SEMI_SMOOTH_COSINE) || all[i].is_elsewhere)
      return false;
    // The bodies are apart as soon as they are along one of the alternatives.
    gap = ts_max(gap, all[i].gap_m / cosine);
    least = ts_min(least, all[i].gap_m);
    most = ts_max(most, all[i].gap_m);
    middle = ts_vec3_add_scaled(middle, 1.0 / (double)count, all[i].point);
  }
  if (most - least > spread_m)
    return false;
  all[0].normal = mean;
  all[0].gap_m = gap;
  all[0].point = middle;
  all[0].patches[0] = all[0].patches[1] = TS_SEMI_NO_PATCH;
  return true;
}

/// Whether one of alternatives [count] is told at this point in any case: what violates all of them
/// violates that one.
static bool is_implied(const ts_semi_pair *pair, size_t contact_count, const ts_semi_candidate *all,
                       size_t count) {
  double same = TS_SEMI_CORNER_SNAPS * pair->s.snap_m;
  for (size_t i = 0; i < contact_count; i++) {
    const ts_semi_candidate *told = &pair->contacts[i].at;
    for (size_t k = 0; k < count; k++)
      if (!all[k].is_elsewhere && told->gap_m <= all[k].gap_m + pair->s.snap_m &&
          ts_vec3_distance(told->normal, all[k].normal) <= 2 * TS_SEMI_CONE_RAD &&
          ts_vec3_distance(told->point, all[k].point) <= same)
        return true;
  }
  return false;
}

/// The contacts of one site, of its candidates [count], at least one; `nearest_m`: see gather().
static ts_status add_choice(ts_semi_pair *pair, ts_semi_candidate *all, size_t count, size_t site,
                            double nearest_m) {
  if (!pair->s.all_alternatives) {
    if (count > 1 && smooth(all, count, nearest_m + pair->s.snap_m))
      count = 1;
    all[0] = all[ts_semi_choose(pair, all, count)];
    count = 1;
  }
  uint32_t group = count > 1 ? ++pair->group_count : 0;
  for (size_t i = 0; i < count; i++)
    if (!all[i].is_elsewhere && !is_out_of_range(pair, &all[i], nearest_m))
      TS_TRY(add(pair, &all[i], site, group));
  return TS_OK;
}

typedef struct site_key {
  size_t same_as, index;
} site_key;

static int compare_keys(const void *left, const void *right) {
  const site_key *l = left, *r = right;
  if (l->same_as != r->same_as)
    return l->same_as < r->same_as ? -1 : 1;
  return (l->index > r->index) - (l->index < r->index);
}

/// Of sites that are one, keys [count], all candidates. Returns how many.
static size_t gather_all(ts_semi_candidate *out, double *out_nearest_m, const ts_semi_pair *pair,
                         const site_key *keys, size_t count) {
  *out_nearest_m = INFINITY;
  for (size_t i = 0; i < count; i++)
    *out_nearest_m = ts_min(*out_nearest_m, misfit_m(pair, &pair->sites[keys[i].index]));
  size_t found = 0;
  for (size_t i = 0; i < count; i++)
    found = gather(out, found, pair, &pair->sites[keys[i].index], *out_nearest_m);
  return found;
}

ts_status ts_semi_add_site_contacts(ts_semi_pair *pair) {
  size_t site_count = pair->site_count;
  ts_semi_candidate *all = ts_semi_scratch(pair->host, pair->candidate_count, sizeof *all);
  site_key *keys = ts_semi_scratch(pair->host, site_count, sizeof *keys);
  if (!all || !keys)
    return TS_E_MEMORY;
  for (size_t p = 0; p < site_count; p++)
    keys[p] = (site_key){pair->sites[p].same_as, p};
  if (site_count > 1)
    qsort(keys, site_count, sizeof *keys, compare_keys);
  // Sites without a choice come first: they may leave none to others.
  size_t without_choice = 0;
  for (int has_choice = 0; has_choice < 2; has_choice++) {
    for (size_t first = 0, end; first < site_count; first = end) {
      for (end = first; end < site_count && keys[end].same_as == keys[first].same_as; end++)
        ;
      double nearest_m;
      size_t count = gather_all(all, &nearest_m, pair, keys + first, end - first);
      if (count && (count > 1) == has_choice &&
          !(has_choice && is_implied(pair, without_choice, all, count)))
        TS_TRY(add_choice(pair, all, count, keys[first].same_as, nearest_m));
    }
    without_choice = pair->contact_count;
  }
  return TS_OK;
}
