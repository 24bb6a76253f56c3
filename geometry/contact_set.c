// SPDX-License-Identifier: MIT
#include "geometry/contact_set.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/status.h"
#include "geometry/contact_sort.h"
#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

ts_status ts_contact_set_push(ts_contact_set *set, const ts_contact *contacts, size_t count) {
  if (count == 0)
    return TS_OK;
  TS_TRY(TS_HEAP_GROW(set->contacts, set->capacity, set->count, count));
  memcpy(set->contacts + set->count, contacts, count * sizeof *contacts);
  set->count += count;
  set->delivered += count;
  return TS_OK;
}

ts_aabb ts_contact_points_box(ts_aabb box, const ts_contact *contacts, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (ts_vec3_is_finite(contacts[i].point))
      box = ts_aabb_add(box, contacts[i].point);
  return box;
}

void ts_contact_set_clear(ts_contact_set *set) {
  free(set->contacts);
  set->contacts = NULL;
  set->count = set->capacity = set->delivered = 0;
}

static int is_finite(const ts_contact *contact) {
  return ts_vec3_is_finite(contact->point) && ts_vec3_is_finite(contact->normal) &&
         isfinite(contact->gap_m);
}

static int is_same(const ts_contact *a, const ts_contact *b, double tolerance_m) {
  return a->group == b->group && fabs(a->gap_m - b->gap_m) <= tolerance_m &&
         ts_vec3_distance(a->point, b->point) <= tolerance_m &&
         ts_vec3_distance(a->normal, b->normal) <= TS_SAME_NORMAL;
}

// Kept contacts are in a hash grid over all that a contact is judged by, point, normal and gap,
// so that neither a plane full of contacts nor one point with many normals fills a cell. A cell is
// CELL_TOLERANCES tolerances wide: a duplicate lies in the contact's own cell or, where the contact
// is within a tolerance of the cell's border, in the next one.
#define DIMENSIONS      7
#define CELL_TOLERANCES 8.0
#define BORDER          (1.001 / CELL_TOLERANCES) // in cells; 1.001: quotients are rounded
// Where 0 lies in its cell: clear of the borders, for zeros are everywhere in contacts.
#define CELL_OFFSET     0.39
#define NO_CONTACT      SIZE_MAX

typedef struct grid {
  double cell[DIMENSIONS]; ///< Widths.
  size_t bucket_count;     ///< A power of two.
  size_t *first;           ///< [bucket_count]; index of a kept contact, or NO_CONTACT
  size_t *next;            ///< [contacts]; the next one in its bucket
} grid;

static ts_status grid_create(grid *out, size_t contact_count, double tolerance_m) {
  for (int i = 0; i < DIMENSIONS; i++)
    out->cell[i] = CELL_TOLERANCES * (i >= 3 && i < 6 ? TS_SAME_NORMAL : tolerance_m);
  out->bucket_count = 16;
  while (out->bucket_count < contact_count)
    out->bucket_count *= 2;
  out->first = malloc(out->bucket_count * sizeof *out->first);
  out->next = malloc(contact_count * sizeof *out->next);
  if (!out->first || !out->next) {
    free(out->first);
    free(out->next);
    return ts_fail(TS_E_MEMORY, "out of memory: sorting out the duplicates of %zu contacts",
                   contact_count);
  }
  for (size_t i = 0; i < out->bucket_count; i++)
    out->first[i] = NO_CONTACT;
  return TS_OK;
}

static void grid_destroy(grid *g) {
  free(g->first);
  free(g->next);
}

/// Cell of a contact, and in `side` the neighbour to search too: -1, +1 or 0 for none.
static void locate(double out_cell[DIMENSIONS], double side[DIMENSIONS], const grid *g,
                   const ts_contact *contact) {
  const double value[DIMENSIONS] = {contact->point.x,  contact->point.y,  contact->point.z,
                                    contact->normal.x, contact->normal.y, contact->normal.z,
                                    contact->gap_m};
  for (int i = 0; i < DIMENSIONS; i++) {
    double at = value[i] / g->cell[i] + CELL_OFFSET;
    if (!isfinite(at)) { // the tolerance is practically zero: equal values share a cell
      out_cell[i] = value[i];
      side[i] = 0;
      continue;
    }
    out_cell[i] = floor(at) + 0.0;
    side[i] = at - out_cell[i] < BORDER ? -1 : at - out_cell[i] > 1 - BORDER ? 1 : 0;
  }
}

static size_t bucket_of(const grid *g, const double cell[DIMENSIONS]) {
  uint64_t hash = 0;
  for (int i = 0; i < DIMENSIONS; i++) {
    uint64_t bits;
    memcpy(&bits, &cell[i], sizeof bits);
    hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 32;
  }
  return (size_t)hash & (g->bucket_count - 1);
}

static size_t bucket_find(const grid *g, const double cell[DIMENSIONS], const ts_contact *kept,
                          const ts_contact *contact, double tolerance_m) {
  for (size_t i = g->first[bucket_of(g, cell)]; i != NO_CONTACT; i = g->next[i])
    if (is_same(&kept[i], contact, tolerance_m))
      return i;
  return NO_CONTACT;
}

/// A kept contact that is the same, or NO_CONTACT. Looks through the contact's cell and every
/// neighbour that `side` names.
static size_t grid_find(const grid *g, const double cell[DIMENSIONS], const double side[DIMENSIONS],
                        const ts_contact *kept, const ts_contact *contact, double tolerance_m) {
  int sides[DIMENSIONS], side_count = 0;
  for (int i = 0; i < DIMENSIONS; i++)
    if (side[i] != 0)
      sides[side_count++] = i;
  for (unsigned step = 0; step < 1u << side_count; step++) {
    double near[DIMENSIONS];
    memcpy(near, cell, sizeof near);
    for (int i = 0; i < side_count; i++)
      if (step >> i & 1)
        near[sides[i]] += side[sides[i]];
    size_t found = bucket_find(g, near, kept, contact, tolerance_m);
    if (found != NO_CONTACT)
      return found;
  }
  return NO_CONTACT;
}

// A run is a stretch of the order in which each contact is within a tolerance of the one before
// along x, so that no contact is a duplicate of one in another run. Most runs are short.
#define SHORT_RUN 16

/// Where the run from `begin` on ends. A little more than the tolerance: distances are rounded.
static size_t run_end(const ts_contact_set *set, size_t begin, double tolerance_m) {
  size_t end = begin + 1;
  while (end < set->count &&
         !(set->contacts[end].point.x - set->contacts[end - 1].point.x > 1.001 * tolerance_m))
    end++;
  return end;
}

/// Adds contacts [begin, end) to those kept, from `first` on, without duplicates: each against all
/// of the run.
static size_t keep_short_run(ts_contact_set *set, size_t first, size_t begin, size_t end,
                             double tolerance_m) {
  size_t kept = first;
  for (size_t i = begin; i < end; i++) {
    const ts_contact contact = set->contacts[i];
    size_t same = is_finite(&contact) ? first : kept; // others equal nothing
    while (same < kept && !is_same(&set->contacts[same], &contact, tolerance_m))
      same++;
    if (same < kept)
      set->contacts[same].area_m2 += contact.area_m2;
    else
      set->contacts[kept++] = contact;
  }
  return kept;
}

/// The same by a grid. `*kept` is advanced.
static ts_status keep_long_run(size_t *kept, ts_contact_set *set, size_t begin, size_t end,
                               double tolerance_m) {
  grid g;
  TS_TRY(grid_create(&g, end - begin, tolerance_m));
  ts_contact *first = set->contacts + *kept;
  size_t count = 0;
  for (size_t i = begin; i < end; i++) {
    ts_contact contact = set->contacts[i];
    if (is_finite(&contact)) { // others equal nothing; in one cell they would only cost time
      double cell[DIMENSIONS], side[DIMENSIONS];
      locate(cell, side, &g, &contact);
      size_t same = grid_find(&g, cell, side, first, &contact, tolerance_m);
      if (same != NO_CONTACT) {
        first[same].area_m2 += contact.area_m2;
        continue;
      }
      size_t bucket = bucket_of(&g, cell);
      g.next[count] = g.first[bucket];
      g.first[bucket] = count;
    }
    first[count++] = contact;
  }
  *kept += count;
  grid_destroy(&g);
  return TS_OK;
}

static ts_status drop_duplicates(ts_contact_set *set, double tolerance_m) {
  size_t kept = 0;
  for (size_t begin = 0, end; begin < set->count; begin = end) {
    end = run_end(set, begin, tolerance_m);
    ts_status status = TS_OK;
    if (end - begin <= SHORT_RUN)
      kept = keep_short_run(set, kept, begin, end, tolerance_m);
    else
      status = keep_long_run(&kept, set, begin, end, tolerance_m);
    if (status != TS_OK) { // the rest as it is
      size_t rest = set->count - begin;
      memmove(set->contacts + kept, set->contacts + begin, rest * sizeof *set->contacts);
      set->count = kept + rest;
      return status;
    }
  }
  set->count = kept;
  return TS_OK;
}

/// A group and its first contact.
typedef struct group {
  uint32_t was, now;
  size_t first;
} group;

static int compare_groups(const void *left, const void *right) {
  const group *l = left, *r = right;
  return (l->was > r->was) - (l->was < r->was);
}

static int compare_firsts(const void *left, const void *right) {
  const group *l = left, *r = right;
  return (l->first > r->first) - (l->first < r->first);
}

static int compare_groups_and_firsts(const void *left, const void *right) {
  int order = compare_groups(left, right);
  return order ? order : compare_firsts(left, right);
}

/// Numbers the groups in the order of their first contacts, from 1.
static ts_status number_groups(ts_contact_set *set) {
  size_t grouped = 0, count = 0;
  for (size_t i = 0; i < set->count; i++)
    grouped += set->contacts[i].group != 0;
  if (!grouped)
    return TS_OK;
  group *groups = malloc(grouped * sizeof *groups);
  if (!groups)
    return ts_fail(TS_E_MEMORY, "out of memory for the groups of %zu contacts", grouped);
  for (size_t i = 0; i < set->count; i++)
    if (set->contacts[i].group)
      groups[count++] = (group){.was = set->contacts[i].group, .first = i};
  qsort(groups, count, sizeof *groups, compare_groups_and_firsts);
  size_t kept = 0; // each once, with its first contact
  for (size_t i = 0; i < count; i++)
    if (i == 0 || groups[i].was != groups[i - 1].was)
      groups[kept++] = groups[i];
  qsort(groups, kept, sizeof *groups, compare_firsts);
  for (size_t i = 0; i < kept; i++)
    groups[i].now = (uint32_t)i + 1;
  qsort(groups, kept, sizeof *groups, compare_groups);
  for (size_t i = 0; i < set->count; i++) {
    group key = {.was = set->contacts[i].group};
    const group *found = bsearch(&key, groups, kept, sizeof *groups, compare_groups);
    if (found) // 0: in no group
      set->contacts[i].group = found->now;
  }
  free(groups);
  return TS_OK;
}

ts_status ts_contact_set_canonicalise(ts_contact_set *set, double size_m) {
  if (set->count == 0)
    return TS_OK;
  ts_contact_sort(set->contacts, set->count, TS_CONTACT_ORDER_CANONICAL);
  TS_TRY(drop_duplicates(set, isfinite(size_m) ? TS_SAME_POINT_RELATIVE * fabs(size_m) : 0));
  return number_groups(set);
}

static int is_near(double a, double b) {
  return fabs(a - b) <= TS_PROX_SAME_CONTACT;
}

static int is_near_vec3(ts_vec3 a, ts_vec3 b) {
  return is_near(a.x, b.x) && is_near(a.y, b.y) && is_near(a.z, b.z);
}

void ts_contact_set_canonicalise_prox(ts_contact_set *set) {
  ts_contact_sort(set->contacts, set->count, TS_CONTACT_ORDER_PROX);
  size_t kept = 0;
  for (size_t i = 0; i < set->count; i++) {
    const ts_contact *c = &set->contacts[i], *before = set->contacts + kept - (kept > 0);
    if (kept > 0 && is_near_vec3(c->point, before->point) &&
        is_near_vec3(c->normal, before->normal) && is_near(c->gap_m, before->gap_m))
      continue;
    set->contacts[kept++] = *c;
  }
  set->count = kept;
}

uint64_t ts_contact_set_hash(uint64_t hash, const ts_contact_set *set) {
  const uint64_t count = set->count;
  hash = ts_hash_bytes(hash, &set->body_a, sizeof set->body_a);
  hash = ts_hash_bytes(hash, &set->body_b, sizeof set->body_b);
  hash = ts_hash_bytes(hash, &count, sizeof count);
  for (size_t i = 0; i < set->count; i++) {
    const ts_contact *c = &set->contacts[i];
    hash = ts_hash_bytes(hash, c, offsetof(ts_contact, group));
    // A set without alternatives has the fingerprint of its contacts alone.
    if (c->group)
      hash = ts_hash_bytes(hash, &c->group, sizeof c->group);
  }
  return hash;
}
