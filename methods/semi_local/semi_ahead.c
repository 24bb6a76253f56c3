// SPDX-License-Identifier: MIT
// Stage 7 of a pair: contacts as rays of a cone in seven dimensions. Those that are within the
// accuracy of the cone of others are left out.
#include "methods/semi_local/semi_reduce.h"

#include "base/status.h"
#include "geometry/cone_distance.h"
#include "geometry/tolerances.h"
#include "geometry/twist/twist_cone.h"

/// Six of a row, and the gap.
enum { DIMENSION = 7, GAP = 6 };

/// The contacts, and those of them that the others are measured against.
typedef struct selection {
  const ts_semi_pair *pair;
  double touch_m; ///< gap up to which bodies touch
  double reach_m; ///< largest motion that is to be stopped
  size_t count;
  const ts_semi_contact *contacts; ///< [count]
  const ts_twist_row *rows;        ///< [count]
  double *missing;                 ///< [count] as implied by some of the generators, or infinite
  size_t generator_count;          ///< contacts whose rays span the cone
  size_t *generators;              ///< [count]
  double (*rays)[DIMENSION];       ///< [count + 1] of the generators, after that of a smaller gap
} selection;

/// Whether a feature of a body is a facet of a curve, or of one.
static bool is_of_facet(const ts_semi_side *side, ts_feature feature) {
  const ts_patches *patches = side->patches;
  const bool *is_facet = side->shape->is_facet;
  uint32_t index = feature.index;
  switch (feature.kind) {
  case TS_FEATURE_FACE:
    return is_facet[patches->patch_of[index]];
  case TS_FEATURE_EDGE:
    return is_facet[patches->patch_of[index / 3]] ||
           is_facet[patches->patch_of[side->mesh->edge_twin[index] / 3]];
  case TS_FEATURE_VERTEX: {
    uint32_t at = patches->corner_of_vertex[index];
    const ts_patch_corner *corner = at == TS_NO_CORNER ? NULL : &patches->corners[at];
    for (uint32_t i = 0; corner && i < corner->patch_count; i++)
      if (is_facet[patches->patches_of_corners[corner->first_patch + i]])
        return true;
    return false;
  }
  default:
    return false;
  }
}

/// Whether a contact may be left out. Of faces that lie on each other both are facets, or the hull
/// of what they share is exact.
static bool may_go(const selection *s, const ts_semi_contact *c) {
  if (c->group != 0 || !(c->at.gap_m > s->touch_m))
    return false;
  bool of_0 = is_of_facet(&s->pair->side[0], c->at.features[0]);
  bool of_1 = is_of_facet(&s->pair->side[1], c->at.features[1]);
  return c->choice == TS_SEMI_NO_CHOICE ? of_0 && of_1 : of_0 || of_1;
}

/// A contact as a ray. The gap is scaled so that what is missing of it weighs as much as what is
/// missing of the row, of which a motion within reach makes a length.
static void set_ray(double out[DIMENSION], const selection *s, size_t contact, double gap_m) {
  for (int i = 0; i < GAP; i++)
    out[i] = s->rows[contact].of[i];
  out[GAP] = 2 * gap_m / s->reach_m;
}

/// How far a contact is from being implied by the generators, over the accuracy: 1 is near enough.
/// Half of the accuracy is for the row, and half for the gap.
static double missing(const selection *s, size_t contact) {
  double gap_m = ts_max(s->contacts[contact].at.gap_m, s->touch_m), target[DIMENSION];
  double accuracy = 0.5 * TS_SEMI_AHEAD_GAP * gap_m / s->reach_m;
  set_ray(target, s, contact, gap_m);
  target[GAP] += accuracy;
  return ts_cone_distance(&s->rays[0][0], DIMENSION, s->generator_count + 1, target, accuracy) /
         accuracy;
}

static void add_generator(selection *s, size_t contact) {
  s->generators[s->generator_count++] = contact;
  set_ray(s->rays[s->generator_count], s, contact, ts_max(s->contacts[contact].at.gap_m, 0));
  s->missing[contact] = 0;
}

/// Whether a contact that is in no group is missing as much as that, or nearly.
static bool is_missing(const selection *s, size_t contact, double most) {
  return s->contacts[contact].group == 0 && s->missing[contact] > most * (1 - TS_SEMI_AHEAD_TIE);
}

/// Adds generators until all contacts are implied that may go, or all that may not: the one that is
/// missing most comes next, with those that are missing as much, since of contacts that mirror each
/// other rounding would choose one. A cone that grows comes no farther from any contact, so that
/// what was implied stays so, and is not looked at again.
static void add_generators(selection *s, bool may_they_go) {
  for (double most = INFINITY; most > 1;) {
    most = 1;
    for (size_t i = 0; i < s->count; i++) {
      if (!is_missing(s, i, most) || may_go(s, &s->contacts[i]) != may_they_go)
        continue;
      s->missing[i] = missing(s, i);
      most = ts_max(most, s->missing[i]);
    }
    for (size_t i = 0; i < s->count && most > 1; i++)
      if (is_missing(s, i, most) && may_go(s, &s->contacts[i]) == may_they_go)
        add_generator(s, i);
  }
}

/// The rows of the contacts, about their middle.
static const ts_twist_row *make_rows(const selection *s) {
  ts_twist_row *rows = ts_semi_scratch(s->pair->memory, s->count, sizeof *rows);
  ts_twist_frame frame = {.axes = ts_pose_identity().rotation, .length_m = 0.5 * s->pair->size_m};
  for (size_t i = 0; rows && i < s->count; i++)
    frame.centre =
        ts_vec3_add_scaled(frame.centre, 1.0 / (double)s->count, s->contacts[i].at.point);
  for (size_t i = 0; rows && i < s->count; i++)
    rows[i] = ts_twist_row_make(&frame, s->contacts[i].at.point, s->contacts[i].at.normal);
  return rows;
}

static bool may_any_go(const selection *s) {
  for (size_t i = 0; i < s->count; i++)
    if (may_go(s, &s->contacts[i]))
      return true;
  return false;
}

static ts_status make_room(selection *s) {
  ts_semi_memory *memory = s->pair->memory;
  s->rows = make_rows(s);
  s->missing = ts_semi_scratch(memory, s->count, sizeof *s->missing);
  s->generators = ts_semi_scratch(memory, s->count, sizeof *s->generators);
  s->rays = ts_semi_scratch(memory, s->count + 1, sizeof *s->rays);
  if (!s->rows || !s->missing || !s->generators || !s->rays)
    return TS_E_MEMORY;
  for (size_t i = 0; i < s->count; i++)
    s->missing[i] = INFINITY;
  s->rays[0][GAP] = 1; // a sum may have a smaller gap
  return TS_OK;
}

/// Adds the contacts with the smallest gap of those in no group.
static void add_deepest(selection *s) {
  double least_m = INFINITY;
  for (size_t i = 0; i < s->count; i++)
    if (s->contacts[i].group == 0)
      least_m = ts_min(least_m, s->contacts[i].at.gap_m);
  for (size_t i = 0; i < s->count; i++)
    if (s->contacts[i].group == 0 &&
        s->contacts[i].at.gap_m <= least_m + TS_SEMI_AHEAD_TIE * s->pair->size_m)
      add_generator(s, i);
}

ts_status ts_semi_reduce_ahead(ts_semi_contacts *out, const ts_semi_pair *pair,
                               const ts_semi_contacts *contacts) {
  selection s = {.pair = pair,
                 .touch_m = TS_POSITION_RELATIVE * pair->size_m,
                 .reach_m = ts_max(pair->s.gap_m, pair->s.snap_m),
                 .count = contacts->count,
                 .contacts = contacts->contacts};
  *out = *contacts;
  if (!may_any_go(&s))
    return TS_OK;
  TS_TRY(make_room(&s));
  ts_semi_contact *kept = ts_semi_scratch(pair->memory, s.count, sizeof *kept);
  bool *is_generator = ts_semi_scratch(pair->memory, s.count, sizeof *is_generator);
  if (!kept || !is_generator)
    return TS_E_MEMORY;
  add_deepest(&s);
  add_generators(&s, false);
  add_generators(&s, true);
  for (size_t k = 0; k < s.generator_count; k++)
    is_generator[s.generators[k]] = true;
  *out = (ts_semi_contacts){.contacts = kept, .group_count = contacts->group_count};
  for (size_t i = 0; i < s.count; i++)
    if (is_generator[i] || !may_go(&s, &s.contacts[i]))
      kept[out->count++] = s.contacts[i];
  return TS_OK;
}
