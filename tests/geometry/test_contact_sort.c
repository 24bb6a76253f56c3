// SPDX-License-Identifier: MIT
// covers: geometry/contact_sort.c
#include "geometry/contact_sort.h"

#include "base/hash.h"
#include "base/random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/// Numbers of which many are equal, of all kinds.
static double number(ts_random *random, int variety) {
  static const double special[] = {0, -0.0, INFINITY, -INFINITY, 1e-310, -1e-310, 1e300, -1e300};
  uint64_t choice = ts_random_u64(random) % 16;
  if (choice < 8)
    return special[choice];
  if (choice == 8)
    return NAN;
  if (choice == 9)
    return -(double)NAN;
  return (double)(int64_t)(ts_random_u64(random) % (uint64_t)variety) - variety / 2.0;
}

static ts_vec3 numbers(ts_random *random, int variety) {
  double x = number(random, variety), y = number(random, variety);
  return (ts_vec3){x, y, number(random, variety)};
}

static ts_contact some_contact(ts_random *random, int variety) {
  ts_contact c = {.point = numbers(random, variety), .normal = numbers(random, 2)};
  c.gap_m = number(random, 3);
  c.area_m2 = number(random, 3);
  c.feature_a = (ts_feature){TS_FEATURE_EDGE, (uint32_t)(ts_random_u64(random) % 3)};
  c.feature_b = (ts_feature){(int32_t)(ts_random_u64(random) % 4), 1};
  c.group = (uint32_t)(ts_random_u64(random) % 2);
  return c;
}

/// The numbers of a contact in the order that they count.
static void list(double out[13], const ts_contact *c, ts_contact_order order) {
  const double all[13] = {
      c->point.x,        c->point.y,         c->point.z, c->normal.x,       c->normal.y,
      c->normal.z,       c->gap_m,           c->area_m2, c->feature_a.kind, c->feature_a.index,
      c->feature_b.kind, c->feature_b.index, c->group};
  memcpy(out, all, sizeof all);
  if (order == TS_CONTACT_ORDER_PROX)
    for (int i = 0; i < 6; i += 3) {
      out[i] = all[i + 1];
      out[i + 1] = all[i];
    }
}

/// Whether a contact may stand before another.
static bool in_order(const ts_contact *a, const ts_contact *b, ts_contact_order order) {
  double p[13], q[13];
  list(p, a, order);
  list(q, b, order);
  for (int i = 0; i < 13; i++) {
    if (isnan(p[i]) && isnan(q[i]))
      continue;
    if (isnan(p[i]) || isnan(q[i]))
      return isnan(q[i]);
    if (p[i] != q[i])
      return p[i] < q[i];
  }
  return true;
}

static uint64_t hash_of(const ts_contact *c) {
  return ts_hash_bytes(TS_HASH_START, c, sizeof *c);
}

Test(geometry_contact_sort, few_and_many_contacts_are_in_order_and_all_there) {
  enum { MOST = 3000 };
  static const size_t counts[] = {0, 1, 2, 63, 64, 65, 300, MOST};
  static const int varieties[] = {2, 1000000};
  static ts_contact got[MOST], alone[1];
  ts_random random = ts_random_seed(1, 0);
  for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++)
    for (int round = 0; round < 4; round++) {
      ts_contact_order order = round % 2 ? TS_CONTACT_ORDER_PROX : TS_CONTACT_ORDER_CANONICAL;
      uint64_t before = 0, after = 0; // sums of hashes, whatever the order
      for (size_t i = 0; i < counts[n]; i++) {
        got[i] = some_contact(&random, varieties[round / 2]);
        alone[0] = got[i];
        ts_contact_sort(alone, 1, order); // plain numbers
        before += hash_of(alone);
      }
      ts_contact_sort(got, counts[n], order);
      for (size_t i = 0; i < counts[n]; i++) {
        after += hash_of(&got[i]);
        cr_assert(i == 0 || in_order(&got[i - 1], &got[i], order), "%zu of %zu", i, counts[n]);
      }
      cr_assert_eq(before, after);
    }
}

Test(geometry_contact_sort, the_order_of_arrival_does_not_matter) {
  enum { COUNT = 500 };
  static ts_contact one[COUNT], other[COUNT];
  ts_random random = ts_random_seed(2, 0);
  for (size_t i = 0; i < COUNT; i++)
    one[i] = other[COUNT - 1 - i] = some_contact(&random, 4);
  ts_contact_sort(one, COUNT, TS_CONTACT_ORDER_CANONICAL);
  ts_contact_sort(other, COUNT, TS_CONTACT_ORDER_CANONICAL);
  cr_assert_eq(memcmp(one, other, sizeof one), 0);
}
