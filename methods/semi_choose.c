#include "methods/semi_choose.h"

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
      from = ts_most(from, above / -speed);
    else if (speed > 0)
      to = ts_least(to, -above / speed);
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
        ts_most(largest, candidates[i].gap_m + t * ts_vec3_dot(candidates[i].normal, velocity));
  }
  size_t best = 0;
  double best_speed = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    ts_vec3 velocity = ts_semi_velocity(pair, candidates[i].point);
    double speed = ts_vec3_dot(candidates[i].normal, velocity);
    if (candidates[i].gap_m + t * speed < largest - pair->s.snap_m)
      continue;
    // Symmetric bodies have normals that are violated alike: rounding must not choose.
    double rounding = TS_SAME_DIRECTION_RAD * ts_vec3_norm(velocity);
    if (speed > best_speed + rounding) {
      best_speed = speed;
      best = i;
    }
  }
  return best;
}

static ts_status add(ts_semi_pair *pair, const ts_semi_candidate *candidate, size_t place) {
  TS_TRY(ts_semi_grow((void **)&pair->contacts, &pair->contact_capacity, pair->contact_count,
                      sizeof *pair->contacts, pair->host));
  pair->contacts[pair->contact_count++] = (ts_semi_contact){.at = *candidate, .place = place};
  return TS_OK;
}

/// Takes another candidate of the same normal: the deeper one stays, and of equal ones the mean of
/// their points, so that neither rounding nor their order chooses.
static void take(const ts_semi_pair *pair, ts_semi_candidate *into, const ts_semi_candidate *c) {
  double deeper = into->gap_m - c->gap_m, equal = TS_TOUCH_RELATIVE * pair->size_m;
  if (into->is_elsewhere != c->is_elsewhere || fabs(deeper) > equal) {
    if (into->is_elsewhere != c->is_elsewhere ? into->is_elsewhere : deeper > 0)
      *into = *c;
    return;
  }
  into->more++;
  into->point = ts_vec3_lerp(into->point, c->point, 1.0 / (1 + into->more));
}

/// Adds the candidates of a place to those [count] of others that are one with it, each normal
/// once.
static size_t gather(ts_semi_candidate *out, size_t count, const ts_semi_pair *pair,
                     const ts_semi_place *place) {
  for (size_t i = 0; i < place->count; i++) {
    const ts_semi_candidate *c = &pair->candidates[place->first + i];
    size_t k = 0;
    while (k < count && ts_vec3_distance(out[k].normal, c->normal) > 2 * TS_SEMI_CONE_WIDE_RAD)
      k++;
    if (k == count)
      out[count++] = *c;
    else
      take(pair, &out[k], c);
  }
  return count;
}

/// Makes one of alternatives [count] that lie close together, as around the vertices of a finely
/// meshed curve: their mean, with the way out along it. Any direction between the extreme ones is
/// as right as they are, and of a smooth surface the mean is the best. False when they do not.
static bool smooth(ts_semi_candidate *all, size_t count) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < count; i++)
    sum = ts_vec3_add(sum, all[i].normal);
  ts_vec3 mean = ts_vec3_unit(sum), middle = {0, 0, 0};
  double gap = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    double cosine = ts_vec3_dot(mean, all[i].normal);
    if (!(cosine >= TS_SEMI_SMOOTH_COSINE) || all[i].is_elsewhere)
      return false;
    // The bodies are apart as soon as they are along one of the alternatives.
    gap = ts_most(gap, all[i].gap_m / cosine);
    middle = ts_vec3_add_scaled(middle, 1.0 / (double)count, all[i].point);
  }
  all[0].normal = mean;
  all[0].gap_m = gap;
  all[0].point = middle;
  all[0].patches[0] = all[0].patches[1] = TS_SEMI_NO_PATCH;
  return true;
}

/// The contacts of one place, of its candidates [count], at least one.
static ts_status add_choice(ts_semi_pair *pair, ts_semi_candidate *all, size_t count,
                            size_t place) {
  if (!pair->s.all_alternatives) {
    if (count > 1 && smooth(all, count))
      count = 1;
    all[0] = all[ts_semi_choose(pair, all, count)];
    count = 1;
  }
  for (size_t i = 0; i < count; i++)
    if (!all[i].is_elsewhere)
      TS_TRY(add(pair, &all[i], place));
  return TS_OK;
}

typedef struct place_key {
  size_t same_as, index;
} place_key;

static int compare_keys(const void *left, const void *right) {
  const place_key *l = left, *r = right;
  if (l->same_as != r->same_as)
    return l->same_as < r->same_as ? -1 : 1;
  return (l->index > r->index) - (l->index < r->index);
}

ts_status ts_semi_add_place_contacts(ts_semi_pair *pair) {
  size_t place_count = pair->place_count;
  ts_semi_candidate *all = ts_semi_scratch(pair->host, pair->candidate_count, sizeof *all);
  place_key *keys = ts_semi_scratch(pair->host, place_count, sizeof *keys);
  if (!all || !keys)
    return TS_E_MEMORY;
  for (size_t p = 0; p < place_count; p++)
    keys[p] = (place_key){pair->places[p].same_as, p};
  if (place_count > 1)
    qsort(keys, place_count, sizeof *keys, compare_keys);
  for (size_t first = 0, end; first < place_count; first = end) {
    size_t count = 0;
    for (end = first; end < place_count && keys[end].same_as == keys[first].same_as; end++)
      count = gather(all, count, pair, &pair->places[keys[end].index]);
    TS_TRY(add_choice(pair, all, count, keys[first].same_as));
  }
  return TS_OK;
}
