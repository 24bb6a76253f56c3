// SPDX-License-Identifier: MIT
#include "geometry/contact_sort.h"

#include "base/key_sort.h"
#include "geometry/vec3.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// One zero and one NaN: others with the same meaning have other bits.
static double plain(double value) {
  return isnan(value) ? (double)NAN : value + 0.0;
}

static ts_vec3 plain_vec3(ts_vec3 v) {
  return (ts_vec3){plain(v.x), plain(v.y), plain(v.z)};
}

static int compare_doubles(double a, double b) {
  int by_nan = (isnan(a) != 0) - (isnan(b) != 0);
  return by_nan ? by_nan : (a > b) - (a < b);
}

static int compare_vec3(ts_vec3 a, ts_vec3 b) {
  int order = compare_doubles(a.x, b.x);
  if (!order)
    order = compare_doubles(a.y, b.y);
  return order ? order : compare_doubles(a.z, b.z);
}

static int compare_features(ts_feature a, ts_feature b) {
  int order = (a.kind > b.kind) - (a.kind < b.kind);
  return order ? order : (a.index > b.index) - (a.index < b.index);
}

static int compare_contacts(const void *left, const void *right) {
  const ts_contact *a = left, *b = right;
  int order = compare_vec3(a->point, b->point);
  if (!order)
    order = compare_vec3(a->normal, b->normal);
  if (!order)
    order = compare_doubles(a->gap_m, b->gap_m);
  if (!order)
    order = compare_doubles(a->area_m2, b->area_m2);
  if (!order)
    order = compare_features(a->feature_a, b->feature_a);
  if (!order)
    order = compare_features(a->feature_b, b->feature_b);
  return order ? order : (a->group > b->group) - (a->group < b->group);
}

/// PROX's order: by y, then x, then z.
static int compare_vec3_prox(ts_vec3 a, ts_vec3 b) {
  int order = compare_doubles(a.y, b.y);
  if (!order)
    order = compare_doubles(a.x, b.x);
  return order ? order : compare_doubles(a.z, b.z);
}

/// What PROX ignores comes last.
static int compare_contacts_prox(const void *left, const void *right) {
  const ts_contact *a = left, *b = right;
  int order = compare_vec3_prox(a->point, b->point);
  if (!order)
    order = compare_vec3_prox(a->normal, b->normal);
  if (!order)
    order = compare_doubles(a->gap_m, b->gap_m);
  return order ? order : compare_contacts(left, right);
}

/// A number as an integer of the same order.
static uint64_t ordered_bits(double plain_value) {
  uint64_t bits;
  memcpy(&bits, &plain_value, sizeof bits);
  return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/// Sorts by the first coordinate, then the stretches where it is the same. False, with nothing
/// done, when out of memory.
static bool sort_by_keys(ts_contact *contacts, size_t count, bool by_y,
                         int (*compare)(const void *, const void *)) {
  ts_key *keys = malloc(2 * count * sizeof *keys);
  ts_contact *sorted = malloc(count * sizeof *sorted);
  bool there_is_room = keys && sorted;
  if (there_is_room) {
    for (uint32_t i = 0; i < count; i++)
      keys[i] = (ts_key){ordered_bits(by_y ? contacts[i].point.y : contacts[i].point.x), i};
    ts_keys_sort(keys, keys + count, count);
    for (size_t i = 0; i < count; i++)
      sorted[i] = contacts[keys[i].index];
    for (size_t begin = 0, end; begin < count; begin = end) {
      for (end = begin + 1; end < count && keys[end].key == keys[begin].key;)
        end++;
      if (end - begin > 1)
        qsort(sorted + begin, end - begin, sizeof *sorted, compare);
    }
    memcpy(contacts, sorted, count * sizeof *sorted);
  }
  free(keys);
  free(sorted);
  return there_is_room;
}

// Up to here, comparing contacts is faster than counting bytes.
#define FEW 64

void ts_contact_sort(ts_contact *contacts, size_t count, ts_contact_order order) {
  for (size_t i = 0; i < count; i++) {
    ts_contact *c = &contacts[i];
    c->point = plain_vec3(c->point);
    c->normal = plain_vec3(c->normal);
    c->gap_m = plain(c->gap_m);
    c->area_m2 = plain(c->area_m2);
  }
  bool is_prox = order == TS_CONTACT_ORDER_PROX;
  int (*compare)(const void *, const void *) = is_prox ? compare_contacts_prox : compare_contacts;
  bool has_keys = count > FEW && count <= UINT32_MAX;
  if (count > 1 && !(has_keys && sort_by_keys(contacts, count, is_prox, compare)))
    qsort(contacts, count, sizeof *contacts, compare);
}
