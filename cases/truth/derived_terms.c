// SPDX-License-Identifier: MIT
// What a place demands: the terms of its pairs of convex runs, and which of them follow from
// others.
#include "base/array.h"
#include "base/status.h"
#include "cases/truth/derived_search.h"
#include "geometry/polygon.h"

#include <string.h>

/// Whether a direction is in the cone of the normals [count], `but` one (-1: none).
static bool is_spanned(const ts_derived_search *s, ts_vec3 direction, const ts_vec3 *normals,
                       int count, int but) {
  ts_vec3 others[TS_EXTREME_NORMALS_MAX];
  int other_count = 0;
  for (int i = 0; i < count; i++)
    if (i != but)
      others[other_count++] = normals[i];
  return ts_cone_sine(direction, others, other_count) <= s->pair->angles_rad[1];
}

/// Whether what violates all of `term` violates all of `other`: the normals of `other` are in the
/// cone of those of `term`.
bool ts_derived_follows(const ts_derived_search *s, const ts_term *term, const ts_term *other) {
  for (int i = 0; i < other->count; i++)
    if (!is_spanned(s, other->normals[i], term->normals, term->count, -1))
      return false;
  return true;
}

static ts_status add_term(ts_derived_terms *list, ts_arena *arena, ts_term term) {
  TS_TRY(TS_ARENA_GROW(list->terms, list->capacity, list->count, 1, arena));
  list->terms[list->count++] = term;
  return TS_OK;
}

/// Those of the normals that are not sums of others, in the arena.
static ts_status make_term(ts_term *out, const ts_derived_search *s,
                           const ts_extreme_normal *extreme, int count) {
  ts_vec3 *normals = ts_arena_array(s->pair->arena, (size_t)count, sizeof *normals);
  if (!normals)
    return TS_E_MEMORY;
  for (int i = 0; i < count; i++)
    normals[i] = extreme[i].normal;
  for (int i = count - 1; i >= 0; i--)
    if (count > 1 && is_spanned(s, normals[i], normals, count, i)) {
      memmove(normals + i, normals + i + 1, (size_t)(count - i - 1) * sizeof *normals);
      count--;
    }
  *out = (ts_term){.count = count, .normals = normals};
  return TS_OK;
}

static void note_overlap(ts_derived_search *s, ts_vec3 at) {
  s->out->overlap = true;
  s->out->overlap_at = at;
}

static ts_status list_all(ts_derived_terms *out, ts_derived_search *s, ts_vec3 point) {
  ts_derived_around around[2];
  for (int i = 0; i < 2; i++)
    TS_TRY(ts_derived_look_around(&around[i], s->pair, i, point));
  for (int i = 0; i < around[0].run_count; i++)
    for (int k = 0; k < around[1].run_count; k++) {
      ts_extreme_normal extreme[TS_EXTREME_NORMALS_MAX];
      int count = ts_extreme_normals(extreme, &around[0].surface, around[0].runs[i],
                                     &around[1].surface, around[1].runs[k], s->pair->angles_rad, 2);
      count =
          ts_extreme_normals_of_cuts(extreme, count, &around[0].surface, around[0].runs[i],
                                     &around[1].surface, around[1].runs[k], s->pair->angles_rad, 2);
      if (count == 0) {
        note_overlap(s, point);
        return TS_OK;
      }
      ts_term term;
      TS_TRY(make_term(&term, s, extreme, count));
      TS_TRY(add_term(out, s->pair->arena, term));
    }
  return TS_OK;
}

static bool is_here(const ts_derived_search *s, const ts_derived_demand *d, ts_vec3 point) {
  return ts_convex_distance(point, d->vertices, d->vertex_count, d->term.normals[0]) <=
         3 * s->pair->touch_m;
}

/// Whether a demand whose place the point is on implies the term.
static bool is_implied(const ts_derived_search *s, const ts_term *term, ts_vec3 point) {
  const ts_derived_places *found = s->out;
  for (size_t i = 0; i < found->count; i++)
    if (is_here(s, &found->demands[i], point) &&
        ts_derived_follows(s, term, &found->demands[i].term))
      return true;
  return false;
}

/// Drops the terms that what was found before implies, and then, one by one, those that one other
/// of the list implies.
static void drop_followers(const ts_derived_search *s, ts_derived_terms *list, ts_vec3 point) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++)
    if (!is_implied(s, &list->terms[i], point))
      list->terms[kept++] = list->terms[i];
  list->count = kept;
  for (size_t i = list->count; i-- > 0;)
    for (size_t k = 0; k < list->count; k++)
      if (k != i && ts_derived_follows(s, &list->terms[i], &list->terms[k])) {
        memmove(list->terms + i, list->terms + i + 1, (list->count - i - 1) * sizeof *list->terms);
        list->count--;
        break;
      }
}

/// Drops the terms that several others imply together, those found before among them.
static void drop_implied(const ts_derived_search *s, ts_derived_terms *list, ts_vec3 point) {
  ts_term terms[TS_TERMS_MAX];
  bool is_dropped[TS_TERMS_MAX];
  size_t before = 0, kept = 0;
  if (list->count > TS_TERMS_MAX)
    return;
  for (size_t i = 0; i < s->out->count && before + list->count < TS_TERMS_MAX; i++)
    if (is_here(s, &s->out->demands[i], point))
      terms[before++] = s->out->demands[i].term;
  memcpy(terms + before, list->terms, list->count * sizeof *terms);
  ts_terms_drop_implied(is_dropped, terms, before + list->count, before, s->pair->angles_rad[1]);
  for (size_t i = 0; i < list->count; i++)
    if (!is_dropped[before + i])
      list->terms[kept++] = list->terms[i];
  list->count = kept;
}

ts_status ts_derived_list_terms(ts_derived_terms *out, ts_derived_search *s, ts_vec3 point) {
  TS_TRY(list_all(out, s, point));
  drop_followers(s, out, point);
  if (out->count > 0)
    drop_implied(s, out, point);
  return TS_OK;
}
