// SPDX-License-Identifier: MIT
#include "geometry/contact_sort.h"

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

/// The first coordinate that an order goes by, as an integer of the same order, and whose it is.
typedef struct key {
  uint64_t value;
  size_t index;
} key;

static uint64_t ordered_bits(double plain_value) {
  uint64_t bits;
  memcpy(&bits, &plain_value, sizeof bits);
  return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

// A byte at a time, the least first: each pass keeps the order of those before where bytes are
// equal.
#define KEY_BYTES   8
#define BYTE_VALUES 256

/// Sorts keys; those of equal value stay in order. Returns where they are: `keys` or `spare`.
static key *sort_keys(key *keys, key *spare, size_t count) {
  for (int byte = 0; byte < KEY_BYTES; byte++) {
    size_t begin[BYTE_VALUES + 1] = {0};
    for (size_t i = 0; i < count; i++)
      begin[(keys[i].value >> 8 * byte & 255) + 1]++;
    if (begin[(keys[0].value >> 8 * byte & 255) + 1] == count)
      continue; // one value: nothing to do
    for (int value = 0; value < BYTE_VALUES; value++)
      begin[value + 1] += begin[value];
    for (size_t i = 0; i < count; i++)
      spare[begin[keys[i].value >> 8 * byte & 255]++] = keys[i];
    key *sorted = spare;
    spare = keys;
    keys = sorted;
  }
  return keys;
}

/// Sorts by the first coordinate, then the stretches where it is the same. False, with nothing
/// done, when out of memory.
static bool sort_by_keys(ts_contact *contacts, size_t count, bool by_y,
                         int (*compare)(const void *, const void *)) {
  key *keys = malloc(2 * count * sizeof *keys);
  ts_contact *sorted = malloc(count * sizeof *sorted);
  bool there_is_room = keys && sorted;
  if (there_is_room) {
    for (size_t i = 0; i < count; i++)
      keys[i] = (key){ordered_bits(by_y ? contacts[i].point.y : contacts[i].point.x), i};
    const key *order = sort_keys(keys, keys + count, count);
    for (size_t i = 0; i < count; i++)
      sorted[i] = contacts[order[i].index];
    for (size_t begin = 0, end; begin < count; begin = end) {
      for (end = begin + 1; end < count && order[end].value == order[begin].value;)
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
  if (count > 1 && (count <= FEW || !sort_by_keys(contacts, count, is_prox, compare)))
    qsort(contacts, count, sizeof *contacts, compare);
}
