// SPDX-License-Identifier: MIT
#include "harness/judge/judge.h"

#include "base/geometry_kind.h"
#include "base/status.h"
#include "cases/truth/curved_truth.h"
#include "geometry/tolerances.h"

/// How close a direction is to the normals that are right in a region, up to sign.
typedef struct closeness {
  size_t feasible;      ///< the closest feasible normal
  ts_vec3 normal;       ///< the closest right one: that, or one between several
  double gap_m;         ///< the true gap along it
  double angle_measure; ///< sine - cosine: increases with the angle, at least as fast, from 0 to 90
                        ///< degrees
  double cosine;        ///< signed
} closeness;

static double rad_to_deg(double rad) {
  return rad * (180 / 3.14159265358979323846);
}

static double envelope_size(ts_envelope envelope, ts_envelope_kind kind) {
  return envelope.kind == (int32_t)kind ? envelope.size_m : 0;
}

/// Twice the envelope: the gap or penetration that it causes between two touching surfaces.
static double envelope_reach(ts_envelope envelope) {
  return 2 * (envelope.kind == TS_ENVELOPE_NONE ? 0 : envelope.size_m);
}

/// Whether contacts are judged exactly as the published tables do.
static bool is_published(ts_scoring scoring) {
  return scoring.rule == TS_RULE_PUBLISHED || scoring.reference == TS_REFERENCE_PUBLISHED;
}

/// Whether a normal, as delivered, matches a feasible one, up to sign.
static bool accepts(const ts_judged_pair *pair, ts_vec3 normal, ts_vec3 feasible) {
  return fabs(1 - fabs(ts_vec3_dot(normal, feasible))) <= pair->normal_tolerance;
}

/// Whether a normal, as delivered, is right in a region, up to sign.
static bool accepts_any(ts_scoring scoring, const ts_judged_pair *pair, const ts_region *region,
                        ts_vec3 normal) {
  const ts_feasible_set *set = &region->feasible[scoring.reference];
  for (size_t i = 0; i < set->count; i++)
    if (accepts(pair, normal, set->normals[i].normal))
      return true;
  ts_vec3 direction = ts_vec3_unit(normal);
  return accepts(pair, normal, ts_judged_cone(scoring, region, direction).direction) ||
         accepts(pair, normal,
                 ts_judged_cone(scoring, region, ts_vec3_scale(direction, -1)).direction);
}

static bool has_direction(const ts_contact *contact) {
  return ts_vec3_norm2(ts_vec3_unit(contact->normal)) > 0;
}

const ts_region *ts_judged_regions(const ts_judgement *judgement, const ts_judged_pair *pair) {
  // NULL has no elements to point at.
  return pair->region_count > 0 ? &judgement->scene->regions[pair->first_region] : NULL;
}

/// Distance [m] of a point from where the contacts of a region may be.
static double distance_from(const ts_judged_pair *pair, const ts_region *region, ts_vec3 point) {
  return fmax(0, ts_region_distance(region, point) - pair->clip_m);
}

/// Whether a contact that is no phantom is where a region may have one.
static bool is_in_place(const ts_judged_pair *pair, const ts_region *region, ts_vec3 point) {
  return distance_from(pair, region, point) <= pair->position_tolerance_m + pair->allowance.place_m;
}

bool ts_judged_serves(const ts_judgement *judgement, const ts_judged_pair *pair, size_t index,
                      size_t region) {
  const ts_contact *contact = &pair->set->contacts[index];
  const ts_verdict *verdict = &pair->verdicts[index];
  if (!ts_judged_counts(pair, index) || verdict->is_phantom || !has_direction(contact))
    return false;
  if (verdict->region == region)
    return true;
  const ts_region *other = &judgement->scene->regions[region];
  return !is_published(judgement->scoring) && is_in_place(pair, other, contact->point) &&
         accepts_any(judgement->scoring, pair, other, contact->normal);
}

bool ts_judged_is_of(const ts_judgement *judgement, const ts_judged_pair *pair, size_t index,
                     size_t region) {
  return pair->verdicts[index].region == region || ts_judged_serves(judgement, pair, index, region);
}

static size_t count_serving(const ts_judgement *judgement, const ts_judged_pair *pair,
                            size_t region, size_t enough) {
  size_t count = 0;
  for (size_t i = 0; i < pair->set->count && count < enough; i++)
    count += ts_judged_serves(judgement, pair, i, region);
  return count;
}

bool ts_judged_misses(const ts_judgement *judgement, const ts_judged_pair *pair, size_t region) {
  return ts_region_needed_normals(&judgement->scene->regions[region], judgement->scoring.reference,
                                  pair->limits) > 0 &&
         count_serving(judgement, pair, region, 1) == 0;
}

size_t ts_judged_missing_contacts(const ts_judgement *judgement, const ts_judged_pair *pair,
                                  size_t region) {
  size_t needed = ts_region_minimum(&judgement->scene->regions[region],
                                    judgement->scoring.reference, pair->limits);
  return needed - count_serving(judgement, pair, region, needed);
}

/// Whether the truth needs a contact along a feasible normal where a contact is: at the closest
/// corner.
static bool is_closed_at(const ts_judged_pair *pair, const ts_region *region,
                         const ts_feasible *feasible, ts_vec3 point) {
  size_t closest = 0;
  for (size_t v = 1; v < region->vertex_count; v++)
    if (ts_vec3_distance(region->vertices[v], point) <
        ts_vec3_distance(region->vertices[closest], point))
      closest = v;
  return ts_region_corner_is_closed(region, feasible, closest, pair->limits);
}

ts_demand ts_judged_demand(const ts_judgement *judgement, const ts_judged_pair *pair,
                           const ts_contact *contact) {
  ts_demand found = TS_DEMAND_NONE;
  for (size_t r = pair->first_region; r < pair->first_region + pair->region_count; r++) {
    const ts_region *region = &judgement->scene->regions[r];
    const ts_feasible_set *set = &region->feasible[TS_REFERENCE_FEASIBLE];
    if (!is_in_place(pair, region, contact->point))
      continue;
    bool is_swapped = !region->needs_all && set->count > 1 && !ts_judged_misses(judgement, pair, r);
    for (size_t n = 0; n < set->count; n++) {
      if (!accepts(pair, contact->normal, set->normals[n].normal))
        continue;
      if (!is_swapped && is_closed_at(pair, region, &set->normals[n], contact->point))
        return TS_DEMAND_CLOSED;
      found = TS_DEMAND_FREE;
    }
  }
  return found;
}

bool ts_judged_is_at_corner(const ts_judgement *judgement, const ts_judged_pair *pair,
                            const ts_contact *contact, double within_m) {
  for (size_t r = pair->first_region; r < pair->first_region + pair->region_count; r++) {
    const ts_region *region = &judgement->scene->regions[r];
    const ts_feasible_set *set = &region->feasible[TS_REFERENCE_FEASIBLE];
    bool has_normal = false;
    for (size_t n = 0; n < set->count && !has_normal; n++)
      has_normal = accepts(pair, contact->normal, set->normals[n].normal);
    for (size_t v = 0; v < region->vertex_count && has_normal; v++)
      if (ts_vec3_distance(region->vertices[v], contact->point) <= within_m)
        return true;
  }
  return false;
}

/// Whether a contact in C in the place of the region has this normal, or, with NULL, one that is
/// right there.
static bool is_met(const ts_judgement *judgement, const ts_judged_pair *pair, size_t index,
                   const ts_vec3 *normal) {
  const ts_region *region = &judgement->scene->regions[index];
  for (size_t i = 0; i < pair->set->count; i++) {
    ts_vec3 delivered = pair->set->contacts[i].normal;
    bool is_here = ts_judged_counts(pair, i) && ts_judged_is_of(judgement, pair, i, index);
    if (is_here && (normal ? accepts(pair, delivered, *normal)
                           : accepts_any(judgement->scoring, pair, region, delivered)))
      return true;
  }
  return false;
}

bool ts_judged_meets_normal(const ts_judgement *judgement, const ts_judged_pair *pair, size_t index,
                            size_t normal) {
  const ts_region *region = &judgement->scene->regions[index];
  return is_met(judgement, pair, index,
                &region->feasible[judgement->scoring.reference].normals[normal].normal);
}

size_t ts_judged_met_normals(const ts_judgement *judgement, const ts_judged_pair *pair,
                             size_t index) {
  const ts_region *region = &judgement->scene->regions[index];
  const ts_feasible_set *set = &region->feasible[judgement->scoring.reference];
  if (!region->needs_all)
    return is_met(judgement, pair, index, NULL);
  size_t met = 0;
  for (size_t i = 0; i < set->count; i++)
    if (!ts_feasible_is_open(&set->normals[i], pair->limits))
      met += ts_judged_meets_normal(judgement, pair, index, i);
  return met;
}

double ts_judged_overlap_m(const ts_judgement *judgement, const ts_judged_pair *pair) {
  double overlap_m = 0;
  for (size_t r = pair->first_region; r < pair->first_region + pair->region_count; r++) {
    const ts_feasible_set *set =
        &judgement->scene->regions[r].feasible[judgement->scoring.reference];
    for (size_t i = 0; i < set->count; i++)
      overlap_m = fmax(overlap_m, -set->normals[i].gap_m);
  }
  return overlap_m;
}

size_t ts_judged_minimum(const ts_judgement *judgement, const ts_judged_pair *pair,
                         ts_corner_set corners) {
  return ts_regions_minimum(ts_judged_regions(judgement, pair), pair->region_count,
                            judgement->scoring.reference, pair->limits, corners);
}

size_t ts_judgement_count(const ts_judgement *judgement) {
  size_t count = 0;
  for (size_t p = 0; p < judgement->pair_count; p++)
    for (size_t i = 0; i < judgement->pairs[p].set->count; i++)
      count += ts_judged_counts(&judgement->pairs[p], i);
  return count;
}

/// A contact's place and the direction of its normal.
typedef struct ray {
  ts_vec3 point, direction;
} ray;

static closeness closeness_to(ray r, const ts_feasible *feasible, size_t index) {
  double sine = ts_vec3_norm(ts_vec3_cross(r.direction, feasible->normal));
  double cosine = ts_vec3_dot(r.direction, feasible->normal);
  return (closeness){index, feasible->normal, ts_feasible_gap_at(feasible, r.point),
                     sine - fabs(cosine), cosine};
}

/// The closest feasible normal. Ties go to one that is not flipped, then to the first: on symmetric
/// bodies the choice must not depend on rounding.
static closeness closest_feasible(ray r, const ts_feasible_set *set) {
  if (set->count == 1)
    return closeness_to(r, &set->normals[0], 0);
  double min = INFINITY;
  for (size_t i = 0; i < set->count; i++)
    min = fmin(min, closeness_to(r, &set->normals[i], i).angle_measure);
  closeness best = {.angle_measure = min};
  bool found = false;
  for (size_t i = 0; i < set->count; i++) {
    closeness c = closeness_to(r, &set->normals[i], i);
    if (c.angle_measure > min + TS_SAME_DIRECTION_RAD)
      continue;
    if (!found || (best.cosine < -TS_SAME_DIRECTION_RAD && c.cosine >= -TS_SAME_DIRECTION_RAD))
      best = c;
    found = true;
  }
  return best;
}

/// Most feasible normals whose cone is looked at; above, only the normals themselves are right.
#define CONE_RAYS_MAX 32

/// Whether normals between the feasible ones of a region are right, too.
static bool spans_cone(ts_scoring scoring, const ts_region *region) {
  size_t count = region->feasible[scoring.reference].count;
  return !region->needs_all && !is_published(scoring) && count > 1 && count <= CONE_RAYS_MAX;
}

ts_cone_direction ts_judged_cone(ts_scoring scoring, const ts_region *region, ts_vec3 direction) {
  if (!spans_cone(scoring, region))
    return (ts_cone_direction){.count = 0};
  const ts_feasible_set *set = &region->feasible[scoring.reference];
  ts_vec3 rays[CONE_RAYS_MAX];
  for (size_t i = 0; i < set->count; i++)
    rays[i] = set->normals[i].normal;
  return ts_cone_closest(direction, rays, set->count);
}

/// The closest normal that is right in a region. Between feasible normals there is only one where
/// any one is right; where one of them is as close, it is that.
static closeness closest_right(ts_scoring scoring, const ts_region *region, ray r) {
  const ts_feasible_set *set = &region->feasible[scoring.reference];
  closeness best = closest_feasible(r, set);
  if (!spans_cone(scoring, region))
    return best;
  for (int sign = 1; sign >= -1; sign -= 2) {
    ts_cone_direction d = ts_judged_cone(scoring, region, ts_vec3_scale(r.direction, sign));
    double measure = sin(d.angle_rad) - cos(d.angle_rad);
    if (d.count < 2 || measure >= best.angle_measure - TS_SAME_DIRECTION_RAD)
      continue;
    // The gap along a sum of normals is the sum of their gaps: one offset of the bodies has them
    // all.
    closeness c = {.feasible = best.feasible,
                   .normal = d.direction,
                   .angle_measure = measure,
                   .cosine = ts_vec3_dot(r.direction, d.direction)};
    for (size_t i = 0; i < d.count; i++)
      c.gap_m += d.weights[i] * ts_feasible_gap_at(&set->normals[d.rays[i]], r.point);
    best = c;
  }
  return best;
}

/// The region of its pair that a contact belongs to, and how close its normal is to a feasible one
/// there. A point that is not finite counts as equally near to all regions. `distances_m`
/// [region_count] is scratch: it keeps how far the point is from each.
static size_t find_region(closeness *out_closeness, double *distances_m,
                          const ts_judgement *judgement, const ts_judged_pair *pair,
                          const ts_contact *contact, ts_vec3 direction) {
  const ts_region *regions = ts_judged_regions(judgement, pair);
  bool is_finite = ts_vec3_is_finite(contact->point);
  double nearest = INFINITY;
  for (size_t i = 0; is_finite && i < pair->region_count; i++) {
    distances_m[i] = distance_from(pair, &regions[i], contact->point);
    nearest = fmin(nearest, distances_m[i]);
  }
  double limit = nearest + TS_TOUCH_RELATIVE * pair->size_m;
  if (!is_published(judgement->scoring))
    limit = fmax(limit, pair->position_tolerance_m + pair->allowance.place_m);
  size_t best = TS_NO_REGION;
  for (size_t i = 0; i < pair->region_count; i++) {
    if (is_finite && distances_m[i] > limit)
      continue;
    closeness c = closest_right(judgement->scoring, &regions[i], (ray){contact->point, direction});
    if (best != TS_NO_REGION &&
        c.angle_measure >= out_closeness->angle_measure - TS_SAME_DIRECTION_RAD)
      continue;
    best = pair->first_region + i;
    *out_closeness = c;
  }
  return best;
}

/// How far `gap` lies outside the interval that the envelope and the noise of the scene explain.
static double gap_error(double gap, double true_gap, ts_envelope envelope, double noise_m) {
  double low = true_gap - noise_m - 2 * envelope_size(envelope, TS_ENVELOPE_DILATED);
  double high = true_gap + noise_m + 2 * envelope_size(envelope, TS_ENVELOPE_ERODED);
  return gap < low ? low - gap : gap > high ? gap - high : 0;
}

/// The gap of a contact after its pair has moved out of an overlap.
static double gap_outside(const ts_judged_pair *pair, const ts_contact *contact) {
  return contact->gap_m + ts_vec3_dot(ts_vec3_unit(contact->normal), pair->way_out);
}

static bool is_ahead_of_touch(const ts_judgement *judgement, const ts_judged_pair *pair,
                              const ts_contact *contact, const ts_verdict *verdict) {
  double touch_m = envelope_reach(judgement->envelope) + pair->limits.open_m;
  // Triangles may overlap where nothing touches.
  double closed_m = pair->may_touch ? 0 : pair->allowance.error_m;
  if (contact->gap_m + closed_m > touch_m)
    return true;
  if (verdict->region == TS_NO_REGION)
    return false;
  bool is_of_region =
      verdict->is_correct && verdict->position_error_m <= pair->position_tolerance_m;
  if (!is_of_region && gap_outside(pair, contact) > touch_m)
    return true;
  const ts_region *region = &judgement->scene->regions[verdict->region];
  ts_reference reference = judgement->scoring.reference;
  const ts_feasible_set *set = &region->feasible[reference];
  bool is_open = ts_region_is_open(region, reference, pair->limits) ||
                 (has_direction(contact) &&
                  ts_feasible_is_open(&set->normals[verdict->feasible], pair->limits));
  double dilation = envelope_size(judgement->envelope, TS_ENVELOPE_DILATED);
  return is_open && contact->gap_m + 2 * dilation > 0;
}

/// How far off the gaps of a pair may be in truth, beyond the tolerance. What touches after a way
/// out may be three tolerances off; and triangles are as far off as they state.
static double noise_m(const ts_judged_pair *pair) {
  double noise_m = fmax(0, pair->limits.open_m - TS_POSITION_RELATIVE * pair->size_m);
  return noise_m + pair->allowance.error_m +
         (ts_vec3_norm2(pair->way_out) > 0 ? 2 * pair->limits.open_m : 0);
}

/// `place_m`: how far the contact may be from where the bodies touch (allow_place). `distances_m`
/// [region_count] is scratch.
static ts_verdict judge_contact(const ts_judgement *judgement, const ts_judged_pair *pair,
                                const ts_contact *contact, double place_m, double *distances_m) {
  ts_verdict v = {
      .region = TS_NO_REGION, .position_error_m = NAN, .normal_error_deg = NAN, .gap_error_m = NAN};
  double length = ts_vec3_norm(contact->normal);
  ts_vec3 direction = ts_vec3_unit(contact->normal);
  v.is_invalid = !(fabs(length - 1) <= TS_UNIT_NORMAL);
  closeness close = {.feasible = 0};
  v.region = find_region(&close, distances_m, judgement, pair, contact, direction);
  if (v.region != TS_NO_REGION) {
    const ts_region *region = &judgement->scene->regions[v.region];
    v.feasible = close.feasible;
    if (ts_vec3_is_finite(contact->point))
      v.position_error_m = fmax(0, distances_m[v.region - pair->first_region] - place_m);
    v.is_correct = accepts_any(judgement->scoring, pair, region, contact->normal);
    if (has_direction(contact)) {
      double sine = ts_vec3_norm(ts_vec3_cross(direction, close.normal));
      double angle_rad = atan2(sine, fabs(close.cosine));
      v.normal_error_deg = rad_to_deg(fmax(0, angle_rad - pair->allowance.angle_rad));
      v.is_flipped = close.cosine < -TS_SAME_DIRECTION_RAD;
    }
    // Where regions were carried along with moved bodies, their gaps are unknown.
    if (judgement->scene->truth_is_moved || !(region->place_error_m > 0))
      v.gap_error_m = gap_error(contact->gap_m, close.gap_m, judgement->envelope, noise_m(pair));
  }
  // A place elsewhere on curved surfaces is one where normal and gap are as right as there.
  if (v.region != TS_NO_REGION && isinf(place_m) &&
      !(v.is_correct && v.gap_error_m <= pair->gap_tolerance_m))
    v.position_error_m = distance_from(pair, &judgement->scene->regions[v.region], contact->point);
  if (!isfinite(contact->gap_m))
    v.gap_error_m = judgement->scoring.has_no_gaps ? NAN : INFINITY;
  v.is_speculative = judgement->scoring.rule == TS_RULE_TOUCHSTONE &&
                     is_ahead_of_touch(judgement, pair, contact, &v);
  bool is_in_place = v.position_error_m <= pair->position_tolerance_m;
  if (v.is_speculative) {
    // What the truth says of its normal there is right; else the surfaces are asked.
    v.is_wrong_ahead =
        !(is_in_place && v.is_correct && !v.is_flipped && v.gap_error_m <= pair->gap_tolerance_m);
    // What touches elsewhere says nothing about it.
    v.normal_error_deg = NAN;
    v.is_flipped = false;
  }
  v.is_phantom = !v.is_speculative && !(pair->may_touch && is_in_place) && !pair->is_unknown &&
                 !judgement->scene->truth_is_unknown;
  v.is_gap_wrong = !v.is_speculative && !v.is_phantom && v.gap_error_m > pair->gap_tolerance_m;
  return v;
}

/// Compares two pairs of bodies: negative, zero or positive.
static int compare_pairs(int32_t a0, int32_t b0, int32_t a1, int32_t b1) {
  if (a0 != a1)
    return a0 < a1 ? -1 : 1;
  return b0 < b1 ? -1 : b0 > b1;
}

/// Position in the merge of contact sets, regions and oracle pairs.
typedef struct merge {
  const ts_scene *scene;
  const ts_contact_set *sets;
  size_t set_count, oracle_count;
  size_t set, region, oracle, unknown;
} merge;

static merge merge_start(const ts_scene *scene, const ts_contact_set *sets, size_t set_count) {
  return (merge){.scene = scene,
                 .sets = sets,
                 .set_count = set_count,
                 .oracle_count = scene->oracle ? scene->oracle->pair_count : 0};
}

/// Keeps the bodies when they sort before those found so far; returns whether there are any.
static bool take_first(int32_t out_bodies[2], bool found, int32_t a, int32_t b) {
  if (!found || compare_pairs(a, b, out_bodies[0], out_bodies[1]) < 0) {
    out_bodies[0] = a;
    out_bodies[1] = b;
  }
  return true;
}

/// The bodies of the next pair; false at the end.
static bool next_bodies(int32_t out[2], const merge *m) {
  bool found = false;
  if (m->set < m->set_count)
    found = take_first(out, found, m->sets[m->set].body_a, m->sets[m->set].body_b);
  if (m->region < m->scene->region_count) {
    const ts_region *region = &m->scene->regions[m->region];
    found = take_first(out, found, region->body_a, region->body_b);
  }
  if (m->oracle < m->oracle_count) {
    const ts_oracle_pair *pair = &m->scene->oracle->pairs[m->oracle];
    found = take_first(out, found, pair->body_a, pair->body_b);
  }
  if (m->unknown < m->scene->unknown_count) {
    const ts_unknown_pair *pair = &m->scene->unknown[m->unknown];
    found = take_first(out, found, pair->body_a, pair->body_b);
  }
  return found;
}

/// Takes the next pair that has anything to judge. False at the end.
static bool next_pair(ts_judged_pair *out, int32_t out_bodies[2], merge *m) {
  while (next_bodies(out_bodies, m)) {
    int32_t a = out_bodies[0], b = out_bodies[1];
    *out = (ts_judged_pair){.first_region = m->region};
    const ts_contact_set *set = m->set < m->set_count ? &m->sets[m->set] : NULL;
    if (set && compare_pairs(a, b, set->body_a, set->body_b) == 0) {
      out->set = set;
      m->set++;
    }
    for (; m->region < m->scene->region_count; m->region++, out->region_count++) {
      const ts_region *next = &m->scene->regions[m->region];
      if (compare_pairs(a, b, next->body_a, next->body_b) != 0)
        break;
    }
    const ts_oracle_pair *known =
        m->oracle < m->oracle_count ? &m->scene->oracle->pairs[m->oracle] : NULL;
    if (known && compare_pairs(a, b, known->body_a, known->body_b) == 0) {
      out->oracle = known;
      m->oracle++;
    }
    if (m->unknown < m->scene->unknown_count &&
        compare_pairs(a, b, m->scene->unknown[m->unknown].body_a,
                      m->scene->unknown[m->unknown].body_b) == 0) {
      out->is_unknown = true;
      m->unknown++;
    }
    if (out->region_count > 0 || out->oracle || out->is_unknown || out->set->count > 0)
      return true;
  }
  return false;
}

/// The deepest overlap that the contacts of a pair report.
static double reported_overlap(const ts_contact_set *set) {
  double overlap_m = 0;
  for (size_t i = 0; i < set->count; i++)
    overlap_m = fmax(overlap_m, -set->contacts[i].gap_m);
  return overlap_m;
}

/// Whether a contact that is shallower than its bodies overlap is as their surfaces are where they
/// have moved out. Its point may be anywhere between that on a and that on b: as far as the
/// surfaces are, or at either, or midway. The one moves with a, the other with b: either may be the
/// feature that makes the contact. Where the normal is not that of the way out the bodies slide as
/// they move, and edges cross elsewhere, no farther off than that.
static ts_status is_right_outside(bool *out, const ts_judgement *judgement,
                                  const ts_judged_pair *pair, const ts_contact *contact,
                                  ts_ahead_tolerance tolerance) {
  int32_t a = pair->set->body_a, b = pair->set->body_b;
  ts_vec3 normal = ts_vec3_unit(contact->normal), way_out = pair->way_out;
  double slide_m = ts_vec3_norm(ts_vec3_cross(normal, way_out));
  double depth_m = fmax(-contact->gap_m, 0), to_a_m, to_b_m;
  TS_TRY(ts_ahead_distance(&to_a_m, judgement->ahead, a, contact->point, depth_m));
  TS_TRY(ts_ahead_distance(&to_b_m, judgement->ahead, b, contact->point, depth_m));
  const double from_a_m[5] = {0, 0.5 * depth_m, depth_m, fmin(to_a_m, depth_m),
                              fmax(depth_m - to_b_m, 0)};
  *out = false;
  for (int i = 0; i < 5 && !*out; i++) {
    ts_contact on_a = *contact;
    on_a.gap_m = gap_outside(pair, contact);
    on_a.point = ts_vec3_add_scaled(contact->point, from_a_m[i], normal);
    ts_contact on_b = on_a;
    on_b.point = ts_vec3_add(ts_vec3_add_scaled(on_a.point, contact->gap_m, normal), way_out);
    TS_TRY(ts_ahead_is_right(out, judgement->ahead, a, b, way_out, &on_a, tolerance));
    if (!*out)
      TS_TRY(ts_ahead_is_right(out, judgement->ahead, a, b, way_out, &on_b, tolerance));
    if (!*out)
      TS_TRY(ts_ahead_is_crossing(out, judgement->ahead, a, b, way_out, &on_a, tolerance, slide_m));
  }
  return TS_OK;
}

/// Whether a contact ahead of a touch is as the surfaces are: where the bodies are, or, where they
/// overlap and the way out is known, where they have moved out.
static ts_status is_right_ahead(bool *out, const ts_judgement *judgement,
                                const ts_judged_pair *pair, const ts_contact *contact,
                                ts_ahead_tolerance tolerance) {
  bool is_known = ts_vec3_norm2(pair->way_out) > 0;
  if (is_known)
    tolerance.position_m =
        pair->gap_tolerance_m + pair->allowance.error_m + envelope_reach(judgement->envelope);
  *out = false;
  // The gap of triangles is less than that of the shapes, by their error at most.
  ts_contact of_shapes = *contact;
  double error_m = pair->allowance.error_m;
  if (error_m > 0)
    of_shapes.gap_m = 0.5 * (fmax(contact->gap_m, 0) + contact->gap_m + error_m);
  if (!is_known || contact->gap_m > pair->limits.open_m)
    TS_TRY(ts_ahead_is_right(out, judgement->ahead, pair->set->body_a, pair->set->body_b,
                             ts_vec3_make(0, 0, 0), &of_shapes, tolerance));
  return *out || !is_known ? TS_OK : is_right_outside(out, judgement, pair, contact, tolerance);
}

/// What the triangles of a body's shape are allowed, if the contacts were found on them.
static void allow_body(ts_mesh_allowance *sum, const ts_scene *scene, int32_t body,
                       uint32_t takes) {
  const ts_geometry *geometry = &scene->shapes[scene->bodies[body].shape].geometry;
  if (!ts_geometry_is_curved(geometry->kind) || (takes & TS_TAKES(geometry->kind)))
    return;
  sum->error_m += geometry->mesh_error_m;
  sum->angle_rad += geometry->mesh_angle_rad;
  // The normal turns by that from one end of a facet to the other; that of a cone by less than the
  // facet spans of the circle round the axis.
  bool is_cone = geometry->kind == TS_GEOMETRY_CONE;
  double along =
      is_cone ? 2 * geometry->half_length_m / hypot(2 * geometry->half_length_m, geometry->radius_m)
              : 1;
  sum->place_m += geometry->radius_m * geometry->mesh_angle_rad / along + geometry->mesh_error_m;
}

/// The same of approximate convex pieces, whose normals may be any.
static void allow_pieces(ts_mesh_allowance *sum, const ts_shape *shape) {
  if (shape->pieces_kind != TS_PIECES_APPROXIMATE || ts_shape_is_convex(shape))
    return;
  sum->error_m += shape->pieces_error.distance_m;
  sum->place_m += shape->pieces_error.distance_m;
}

static void allow_pair(ts_judged_pair *pair, const ts_judgement *judgement,
                       const int32_t bodies[2]) {
  const ts_scene *scene = judgement->scene;
  for (int i = 0; i < 2; i++) {
    allow_body(&pair->allowance, scene, bodies[i], judgement->scoring.takes);
    if (judgement->scoring.is_on_pieces)
      allow_pieces(&pair->allowance, &scene->shapes[scene->bodies[bodies[i]].shape]);
  }
  pair->normal_tolerance = judgement->scoring.normal_tolerance;
  if (pair->allowance.angle_rad > 0)
    pair->normal_tolerance =
        1 - cos(acos(1 - fmin(pair->normal_tolerance, 1)) + pair->allowance.angle_rad);
}

/// Whether the ends of a contact, its point and its gap along its normal, are on the surfaces of
/// both bodies.
static ts_status is_between(bool *out, const ts_judgement *judgement, const ts_judged_pair *pair,
                            const ts_contact *contact, double tolerance_m) {
  ts_vec3 normal = ts_vec3_unit(contact->normal);
  double length_m = fabs(contact->gap_m), to_m[2];
  const int32_t bodies[2] = {pair->set->body_a, pair->set->body_b};
  *out = isfinite(length_m) && ts_vec3_is_finite(contact->point) && ts_vec3_norm2(normal) > 0;
  for (int i = 0; i < 2 && *out; i++) {
    TS_TRY(ts_ahead_distance(&to_m[i], judgement->ahead, bodies[i], contact->point,
                             length_m + tolerance_m));
    *out = isfinite(to_m[i]);
  }
  if (!*out)
    return TS_OK;
  double to_a_m = fmin(to_m[0], length_m), sign = contact->gap_m < 0 ? 1 : -1;
  const ts_vec3 ends[2] = {ts_vec3_add_scaled(contact->point, sign * to_a_m, normal),
                           ts_vec3_add_scaled(contact->point, sign * (to_a_m - length_m), normal)};
  for (int i = 0; i < 2 && *out; i++) {
    TS_TRY(ts_ahead_distance(&to_m[i], judgement->ahead, bodies[i], ends[i], tolerance_m));
    *out = isfinite(to_m[i]);
  }
  return TS_OK;
}

/// How far a contact may be from where the bodies touch.
///
/// On account of triangles: 0 for a contact that is farther from the surface of either body than
/// these are, and `overlap_m`. Where a surface is curved it is as close to the other round about,
/// within the tolerance: INFINITY for a contact whose ends are on both.
static ts_status allow_place(double *out, const ts_judgement *judgement, const ts_judged_pair *pair,
                             const ts_contact *contact, double overlap_m) {
  bool is_curved =
      ts_curved_pair(judgement->scene, (ts_body_pair){pair->set->body_a, pair->set->body_b});
  bool is_on_both = false;
  if (is_curved && pair->allowance.place_m == 0)
    TS_TRY(is_between(&is_on_both, judgement, pair, contact,
                      pair->gap_tolerance_m + envelope_reach(judgement->envelope)));
  *out = is_on_both ? (double)INFINITY : pair->allowance.place_m;
  double within_m = pair->allowance.error_m + overlap_m + pair->gap_tolerance_m +
                    envelope_reach(judgement->envelope);
  for (int i = 0; i < 2 && *out > 0 && !is_on_both; i++) {
    double distance_m;
    TS_TRY(ts_ahead_distance(&distance_m, judgement->ahead,
                             i ? pair->set->body_b : pair->set->body_a, contact->point, within_m));
    if (!isfinite(distance_m))
      *out = 0;
  }
  return TS_OK;
}

static ts_status judge_pair(ts_judged_pair *pair, const int32_t bodies[2],
                            const ts_judgement *judgement) {
  const ts_scene *scene = judgement->scene;
  pair->size_m = ts_pair_size_m(&scene->shapes[scene->bodies[bodies[0]].shape],
                                &scene->shapes[scene->bodies[bodies[1]].shape]);
  pair->limits = ts_touch_limits_of(scene, pair->size_m);
  double place_error_m = 0;
  pair->touches = pair->may_touch = pair->oracle != NULL;
  for (size_t r = pair->first_region; r < pair->first_region + pair->region_count; r++) {
    pair->touches |= ts_region_needed_normals(&scene->regions[r], judgement->scoring.reference,
                                              pair->limits) > 0;
    pair->may_touch |=
        !ts_region_is_open(&scene->regions[r], judgement->scoring.reference, pair->limits);
    place_error_m = fmax(place_error_m, scene->regions[r].place_error_m);
    pair->way_out = scene->regions[r].way_out;
    if (pair->region_count > 1 && !scene->truth_is_moved && !is_published(judgement->scoring))
      pair->clip_m = fmax(pair->clip_m, ts_region_largest_gap(&scene->regions[r]));
  }
  pair->counts =
      pair->may_touch || judgement->scoring.rule == TS_RULE_PUBLISHED || scene->truth_is_unknown;
  double relative = judgement->scoring.position_tolerance_relative;
  if (scene->touch_relative > TS_POSITION_RELATIVE) // the truth is no better known than that
    relative = fmax(relative, scene->touch_relative);
  pair->position_tolerance_m =
      relative * pair->size_m + envelope_reach(judgement->envelope) + place_error_m;
  pair->gap_tolerance_m = relative * pair->size_m;
  allow_pair(pair, judgement, bodies);
  if (!pair->set) {
    ts_contact_set *empty = ts_arena_alloc(judgement->arena, sizeof *empty);
    if (!empty)
      return TS_E_MEMORY;
    empty->body_a = bodies[0];
    empty->body_b = bodies[1];
    pair->set = empty;
  }
  // Bodies that were never meant to touch may have moved to where they do. Of curved ones the truth
  // is found anew wherever they are.
  bool is_known = ts_curved_pair(scene, (ts_body_pair){bodies[0], bodies[1]});
  if (scene->truth_is_moved && pair->region_count == 0 && !pair->is_unknown && !is_known)
    TS_TRY(ts_ahead_are_near(&pair->is_unknown, judgement->ahead, bodies[0], bodies[1],
                             pair->position_tolerance_m));
  size_t count = pair->set->count;
  ts_verdict *verdicts = ts_arena_array(judgement->arena, count, sizeof *verdicts);
  double *distances_m = ts_arena_array(judgement->arena, pair->region_count, sizeof *distances_m);
  if (!verdicts || !distances_m)
    return TS_E_MEMORY;
  // The surfaces that a method saw are off by the envelope, and where bodies overlap a feature may
  // end inside the other one, by as much as they do. Where it is not known,
  // since the truth was carried along or there is none, the displacement bounds it, but would
  // excuse any contact just ahead of a touch; the overlap that the contacts report is a tighter
  // bound. Ten times that, because directions may be off by only a tenth of the tolerance
  // (is_closest in ahead.c).
  double overlap_m = ts_judged_overlap_m(judgement, pair);
  double reported_m = 10 * reported_overlap(pair->set);
  if (pair->is_unknown)
    overlap_m = reported_m;
  else if (!scene->truth_is_moved)
    overlap_m += fmin(place_error_m, reported_m);
  const ts_ahead_tolerance ahead = {pair->normal_tolerance,
                                    pair->gap_tolerance_m + pair->allowance.error_m +
                                        envelope_reach(judgement->envelope) + overlap_m};
  for (size_t i = 0; i < count; i++) {
    const ts_contact *contact = &pair->set->contacts[i];
    double place_m;
    TS_TRY(allow_place(&place_m, judgement, pair, contact, overlap_m));
    verdicts[i] = judge_contact(judgement, pair, contact, place_m, distances_m);
    bool is_right = true;
    if (verdicts[i].is_wrong_ahead)
      TS_TRY(is_right_ahead(&is_right, judgement, pair, contact, ahead));
    verdicts[i].is_wrong_ahead = !is_right;
  }
  pair->verdicts = verdicts;
  return TS_OK;
}

/// Shapes of other kinds are triangles to a method that wants its bodies larger or smaller.
static uint32_t takes_in(ts_envelope envelope, uint32_t takes) {
  for (int32_t kind = 0; envelope.kind != TS_ENVELOPE_NONE && kind < TS_GEOMETRY_KIND_COUNT; kind++)
    if (!ts_geometry_has_offset(kind))
      takes &= ~TS_TAKES(kind);
  return takes;
}

ts_status ts_judge(ts_judgement *out, ts_arena *arena, const ts_scene *scene,
                   const ts_contact_set *sets, size_t set_count, ts_envelope envelope,
                   ts_scoring scoring) {
  ts_judgement judgement = {
      .scene = scene, .scoring = scoring, .envelope = envelope, .arena = arena};
  judgement.scoring.takes = takes_in(envelope, scoring.takes);
  TS_TRY(ts_ahead_create(&judgement.ahead, arena, scene));
  ts_judged_pair pair;
  int32_t bodies[2];
  size_t count = 0;
  merge at = merge_start(scene, sets, set_count);
  while (next_pair(&pair, bodies, &at))
    count++;
  ts_judged_pair *pairs = ts_arena_array(arena, count, sizeof *pairs);
  if (!pairs)
    return TS_E_MEMORY;
  at = merge_start(scene, sets, set_count);
  for (size_t i = 0; i < count; i++) {
    next_pair(&pairs[i], bodies, &at);
    TS_TRY(judge_pair(&pairs[i], bodies, &judgement));
  }
  judgement.pair_count = count;
  judgement.pairs = pairs;
  *out = judgement;
  return TS_OK;
}
