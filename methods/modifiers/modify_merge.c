// SPDX-License-Identifier: MIT
/// Of contacts that are near each other and push nearly the same way, keeps the deepest.
#include "geometry/vec3.h"
#include "methods/modifiers/modifier.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { DISTANCE, ANGLE, PARAM_COUNT };

static const ts_param params[PARAM_COUNT] = {
    [DISTANCE] = {.name = "distance_relative",
                  .summary = "Distance up to which contacts are near, of the pair's size.",
                  .kind = TS_PARAM_REAL,
                  .default_value = 1e-3,
                  .minimum = 0,
                  .maximum = 1},
    [ANGLE] = {.name = "angle_deg",
               .summary = "Angle up to which two normals are one.",
               .kind = TS_PARAM_REAL,
               .default_value = 1,
               .minimum = 0,
               .maximum = 180},
};

/// A contact in the order in which it is looked at.
typedef struct entry {
  double gap_m;
  size_t index;
} entry;

/// By depth, unknown gaps last; of equal ones the first contact.
static int compare(const void *left, const void *right) {
  const entry *l = left, *r = right;
  int by_nan = (isnan(l->gap_m) != 0) - (isnan(r->gap_m) != 0);
  if (by_nan != 0)
    return by_nan;
  if (l->gap_m != r->gap_m && !isnan(l->gap_m))
    return l->gap_m < r->gap_m ? -1 : 1;
  return (l->index > r->index) - (l->index < r->index);
}

/// The kept contacts, in a grid whose cells are as wide as contacts may be apart.
typedef struct grid {
  double cell_m;
  size_t bucket_count;  ///< a power of two
  size_t *first, *next; ///< [bucket_count], [contacts]; SIZE_MAX: none
} grid;

static size_t bucket_of(const grid *g, const double cell[3]) {
  uint64_t hash = 0;
  for (int i = 0; i < 3; i++)
    hash = (hash ^ (uint64_t)(int64_t)cell[i]) * UINT64_C(0x9e3779b97f4a7c15) ^ hash >> 29;
  return (size_t)(hash >> 20) & (g->bucket_count - 1);
}

static void cell_of(double out[3], const grid *g, ts_vec3 point) {
  const double at[3] = {point.x, point.y, point.z};
  for (int i = 0; i < 3; i++) { // far cells are one, which costs time only
    double cell = floor(at[i] / g->cell_m);
    out[i] = cell > -1e15 && cell < 1e15 ? cell : 0;
  }
}

typedef struct search {
  const ts_contact *contacts;
  grid grid;
  double distance_m, cosine;
} search;

static bool is_near(const search *s, const ts_contact *a, const ts_contact *b) {
  return a->group == b->group && ts_vec3_dot(a->normal, b->normal) >= s->cosine &&
         ts_vec3_distance(a->point, b->point) <= s->distance_m;
}

/// Whether a kept contact is near, in one of the 27 cells around.
static bool has_near(const search *s, const ts_contact *contact) {
  double home[3];
  cell_of(home, &s->grid, contact->point);
  for (int k = 0; k < 27; k++) {
    const double cell[3] = {home[0] + k % 3 - 1, home[1] + k / 3 % 3 - 1, home[2] + k / 9 - 1};
    for (size_t i = s->grid.first[bucket_of(&s->grid, cell)]; i != SIZE_MAX; i = s->grid.next[i])
      if (is_near(s, &s->contacts[i], contact))
        return true;
  }
  return false;
}

static void keep(search *s, size_t index) {
  double home[3];
  cell_of(home, &s->grid, s->contacts[index].point);
  size_t bucket = bucket_of(&s->grid, home);
  s->grid.next[index] = s->grid.first[bucket];
  s->grid.first[bucket] = index;
}

static ts_status open_grid(grid *out, const ts_host *host, size_t count, double cell_m) {
  out->cell_m = cell_m > 0 ? cell_m : 1;
  out->bucket_count = 16;
  while (out->bucket_count < count)
    out->bucket_count *= 2;
  out->first = host->scratch(host, out->bucket_count * sizeof *out->first);
  out->next = host->scratch(host, count * sizeof *out->next);
  if (!out->first || !out->next)
    return TS_E_MEMORY;
  for (size_t i = 0; i < out->bucket_count; i++)
    out->first[i] = SIZE_MAX;
  return TS_OK;
}

static ts_status apply(const ts_host *host, const ts_pair *pair, const ts_contact *contacts,
                       size_t count, const double *values) {
  search s = {.contacts = contacts,
              .distance_m = values[DISTANCE] * pair->size_m,
              .cosine = cos(values[ANGLE] * (3.14159265358979323846 / 180))};
  entry *order = host->scratch(host, count * sizeof *order);
  ts_status status = open_grid(&s.grid, host, count, s.distance_m);
  if (!order || status != TS_OK)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    order[i] = (entry){contacts[i].gap_m, i};
  qsort(order, count, sizeof *order, compare);
  for (size_t i = 0; i < count && status == TS_OK; i++) {
    const ts_contact *contact = &contacts[order[i].index];
    if (has_near(&s, contact))
      continue;
    keep(&s, order[i].index);
    status = host->push(host, contact, 1);
  }
  return status;
}

const ts_modifier ts_modifier_merge = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_modifier),
    .name = "merge",
    .summary = "Of contacts that are near each other and push the same way, keeps the deepest.",
    .source = "Contact merging of rigid body engines.",
    .params = params,
    .param_count = PARAM_COUNT,
    .apply = apply,
};
