// SPDX-License-Identifier: MIT
// covers: geometry/contact_set.c
#include "base/hash.h"
#include "base/random.h"
#include "base/status.h"
#include "geometry/contact_set.h"
#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

static ts_contact contact_at(double x, double y, double z) {
  return (ts_contact){.point = {x, y, z}, .normal = {0, 1, 0}, .gap_m = 0, .area_m2 = NAN};
}

static void push(ts_contact_set *set, ts_contact contact) {
  cr_assert_eq(ts_contact_set_push(set, &contact, 1), TS_OK);
}

static void canonicalise(ts_contact_set *set, double size_m) {
  cr_assert_eq(ts_contact_set_canonicalise(set, size_m), TS_OK);
}

static void shuffle(ts_contact_set *set, ts_random *random) {
  for (size_t i = set->count; i > 1; i--) {
    size_t k = (size_t)(ts_random_u64(random) % i);
    ts_contact swapped = set->contacts[i - 1];
    set->contacts[i - 1] = set->contacts[k];
    set->contacts[k] = swapped;
  }
}

Test(geometry_contact_set, push_appends_copies_and_counts) {
  ts_contact_set set = {.body_a = 1, .body_b = 2};
  for (int i = 0; i < 100; i++) {
    ts_contact two[2] = {contact_at(i, 0, 0), contact_at(i, 1, 0)};
    cr_assert_eq(ts_contact_set_push(&set, two, 2), TS_OK);
  }
  cr_assert_eq(set.count, 200);
  cr_assert_eq(set.delivered, 200);
  cr_assert(set.contacts[199].point.x == 99 && set.contacts[199].point.y == 1);
  cr_assert_eq(ts_contact_set_push(&set, NULL, 0), TS_OK);
  ts_contact_set_clear(&set);
  cr_assert_null(set.contacts);
  cr_assert_eq(set.count + set.capacity + set.delivered, 0);
  cr_assert_eq(set.body_b, 2);
}

Test(geometry_contact_set, push_beyond_memory_leaves_the_set_as_it_was) {
  ts_contact_set set = {0};
  ts_contact one = contact_at(1, 2, 3);
  push(&set, one);
  cr_assert_eq(ts_contact_set_push(&set, &one, SIZE_MAX / 4), TS_E_MEMORY);
  cr_assert_eq(ts_contact_set_push(&set, &one, SIZE_MAX), TS_E_MEMORY);
  cr_assert_eq(set.count, 1);
  cr_assert_eq(set.delivered, 1);
  cr_assert_eq(set.contacts[0].point.z, 3);
  ts_contact_set_clear(&set);
}

Test(geometry_contact_set, an_empty_set_is_canonical) {
  ts_contact_set set = {0};
  canonicalise(&set, 1);
  cr_assert_eq(set.count, 0);
  cr_assert_neq(ts_contact_set_hash(TS_HASH_START, &set), TS_HASH_START);
}

Test(geometry_contact_set, of_duplicates_one_stays_with_the_area_of_all) {
  const double areas_m2[3] = {0.25, 0.5, 2};
  for (int first = 0; first < 3; first++) {
    ts_contact_set set = {0};
    for (int i = 0; i < 3; i++) {
      ts_contact c = contact_at(0, 1e-9 * i, 0);
      c.area_m2 = areas_m2[(first + i) % 3];
      push(&set, c);
    }
    push(&set, contact_at(1, 0, 0));
    canonicalise(&set, 1);
    cr_assert_eq(set.count, 2);
    cr_expect_eq(set.contacts[0].area_m2, 2.75);
    cr_expect(isnan(set.contacts[1].area_m2), "what has no area gets none");
    ts_contact_set_clear(&set);
  }
}

/// Contacts that differ in one thing each, in canonical order.
static size_t ladder(ts_contact *out) {
  ts_contact c = contact_at(0, 0, 0);
  c.area_m2 = 1;
  size_t n = 0;
  out[n++] = c;
  c.normal = (ts_vec3){1, 0, 0};
  out[n++] = c;
  c.gap_m = 0.5;
  out[n++] = c;
  c = contact_at(0, 0, 1);
  out[n++] = c;
  c = contact_at(0, 0, NAN);
  out[n++] = c;
  c.area_m2 = -1;
  c.feature_a.kind = TS_FEATURE_FACE;
  c.feature_a.index = 7;
  out[n - 1] = c;
  c.feature_a.index = 8;
  out[n++] = c;
  c.feature_b.index = 1;
  out[n++] = c;
  c.area_m2 = NAN;
  out[n++] = c;
  c = contact_at(0, 1, 0);
  out[n++] = c;
  c = contact_at(0, NAN, 0);
  out[n++] = c;
  c = contact_at(1, 0, 0);
  c.gap_m = -INFINITY;
  out[n++] = c;
  c.gap_m = INFINITY;
  out[n++] = c;
  c.gap_m = NAN;
  out[n++] = c;
  c.normal.x = NAN;
  out[n++] = c;
  c = contact_at(INFINITY, 0, 0);
  out[n++] = c;
  c = contact_at(NAN, 0, 0);
  out[n++] = c;
  return n;
}

Test(geometry_contact_set, the_order_is_total_with_nan_last) {
  ts_contact expected[32];
  size_t n = ladder(expected);
  ts_random random = ts_random_seed(1, 0);
  for (int round = 0; round < 50; round++) {
    ts_contact_set set = {0};
    cr_assert_eq(ts_contact_set_push(&set, expected, n), TS_OK);
    shuffle(&set, &random);
    canonicalise(&set, 1);
    cr_assert_eq(set.count, n);
    for (size_t i = 0; i < n; i++) {
      ts_contact want = expected[i];
      cr_assert_eq(memcmp(&set.contacts[i], &want, sizeof want), 0, "place %zu", i);
    }
    ts_contact_set_clear(&set);
  }
}

Test(geometry_contact_set, zeros_and_nans_have_one_form) {
  ts_contact_set a = {0}, b = {0};
  ts_contact c = contact_at(0, 0, 0), d = contact_at(-0.0, -0.0, -0.0);
  d.normal = (ts_vec3){-0.0, 1, -0.0};
  d.gap_m = -0.0;
  d.area_m2 = copysign(NAN, signbit(c.area_m2) ? 1.0 : -1.0);
  push(&a, c);
  push(&b, d);
  cr_assert_neq(ts_contact_set_hash(0, &a), ts_contact_set_hash(0, &b));
  canonicalise(&a, 1);
  canonicalise(&b, 1);
  cr_assert_eq(ts_contact_set_hash(0, &a), ts_contact_set_hash(0, &b));
  ts_contact_set_clear(&a);
  ts_contact_set_clear(&b);
}

Test(geometry_contact_set, groups_are_numbered_as_they_come_and_keep_equal_contacts_apart) {
  ts_random random = ts_random_seed(3, 0);
  for (int round = 0; round < 5; round++) {
    // Groups 7, 4 and 9; the contact at x = 1 is in two of them and needed by itself, too.
    static const uint32_t groups[] = {9, 9, 0, 4, 9, 0, 7, 7};
    static const double at[] = {3, 3.5, 2, 1, 1, 1, 0.5, 4};
    ts_contact_set set = {.body_a = 0, .body_b = 1};
    for (int i = 0; i < 8; i++) {
      ts_contact c = contact_at(at[i], 0, 0);
      c.group = groups[i];
      push(&set, c);
      push(&set, c);
    }
    shuffle(&set, &random);
    canonicalise(&set, 1);
    static const uint32_t expected[] = {1, 0, 2, 3, 0, 3, 3, 1};
    cr_assert_eq(set.count, 8, "%zu", set.count);
    for (int i = 0; i < 8; i++)
      cr_expect_eq(set.contacts[i].group, expected[i], "contact %d: %u", i, set.contacts[i].group);
    ts_contact_set_clear(&set);
  }
}

Test(geometry_contact_set, the_hash_sees_groups_where_there_are_any) {
  ts_contact_set set = {.body_a = 0, .body_b = 1};
  push(&set, contact_at(1, 2, 3));
  uint64_t without = ts_contact_set_hash(TS_HASH_START, &set);
  set.contacts[0].group = 1;
  uint64_t with = ts_contact_set_hash(TS_HASH_START, &set);
  cr_expect_neq(with, without);
  set.contacts[0].group = 2;
  cr_expect_neq(ts_contact_set_hash(TS_HASH_START, &set), with);
  ts_contact_set_clear(&set);
}

Test(geometry_contact_set, the_hash_sees_everything) {
  ts_contact_set set = {.body_a = 1, .body_b = 2};
  push(&set, contact_at(1, 2, 3));
  uint64_t hash = ts_contact_set_hash(TS_HASH_START, &set);
  set.contacts[0].area_m2 = 1;
  cr_expect_neq(ts_contact_set_hash(TS_HASH_START, &set), hash);
  set.contacts[0].area_m2 = NAN;
  cr_expect_eq(ts_contact_set_hash(TS_HASH_START, &set), hash);
  set.contacts[0].feature_b.index = 1;
  cr_expect_neq(ts_contact_set_hash(TS_HASH_START, &set), hash);
  set.contacts[0].feature_b.index = 0;
  set.contacts[0].point.x = nextafter(1, 2);
  cr_expect_neq(ts_contact_set_hash(TS_HASH_START, &set), hash);
  set.contacts[0].point.x = 1;
  set.body_b = 3;
  cr_expect_neq(ts_contact_set_hash(TS_HASH_START, &set), hash);
  ts_contact_set_clear(&set);
}

/// Two contacts, apart by `by` tolerances along one of the seven numbers, at a place.
static size_t kept_of_two(int which, double by, double size_m, ts_contact first) {
  ts_contact_set set = {0};
  ts_contact second = first;
  double d = by * (which < 3 || which == 6 ? TS_SAME_POINT_RELATIVE * size_m : TS_SAME_NORMAL);
  double *numbers[7] = {&second.point.x,  &second.point.y,  &second.point.z, &second.normal.x,
                        &second.normal.y, &second.normal.z, &second.gap_m};
  *numbers[which] += d;
  if (which != 0) // so that the first one comes first, whatever the sign
    second.point.x = nextafter(second.point.x, INFINITY);
  push(&set, first);
  push(&set, second);
  canonicalise(&set, size_m);
  size_t kept = set.count;
  cr_assert_eq(set.delivered, 2);
  ts_contact_set_clear(&set);
  return kept;
}

Test(geometry_contact_set, the_tolerance_is_met_on_every_axis_wherever_the_contact_lies) {
  ts_random random = ts_random_seed(2, 0);
  for (int round = 0; round < 3000; round++) {
    double size = round % 3 == 0 ? 1e-3 : round % 3 == 1 ? 1 : 1e3;
    ts_contact c = contact_at(ts_random_uniform(&random, -size, size), 0, 0);
    c.point.y = ts_random_uniform(&random, -size, size);
    c.normal = ts_vec3_unit((ts_vec3){c.point.x, c.point.y, size});
    c.gap_m = ts_random_uniform(&random, -size, size);
    if (round % 5 == 0)
      c = contact_at(0, 0, 0);
    for (int which = 0; which < 7; which++)
      for (int sign = -1; sign <= 1; sign += 2) {
        cr_assert_eq(kept_of_two(which, sign * 0.99, size, c), 1, "number %d, size %g", which,
                     size);
        cr_assert_eq(kept_of_two(which, sign * 1.01, size, c), 2, "number %d, size %g", which,
                     size);
      }
  }
}

Test(geometry_contact_set, far_away_equal_contacts_are_still_dropped) {
  ts_random random = ts_random_seed(3, 0);
  const double far[4] = {1e4, 1e9, 1e15, 1e300};
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 200; i++) {
      ts_contact_set set = {0};
      ts_contact c = contact_at(far[k] * ts_random_unit(&random), far[k], -far[k]);
      push(&set, c);
      push(&set, c);
      canonicalise(&set, 0.1);
      cr_assert_eq(set.count, 1);
      ts_contact_set_clear(&set);
    }
}

Test(geometry_contact_set, near_duplicates_that_are_not_neighbours_are_dropped) {
  // Between the two copies are contacts with an x between theirs.
  ts_contact_set set = {0};
  push(&set, contact_at(0, 5, 0));
  push(&set, contact_at(1e-9, 7, 0));
  push(&set, contact_at(2e-9, 8, 0));
  push(&set, contact_at(3e-9, 5, 0));
  canonicalise(&set, 1);
  cr_assert_eq(set.count, 3);
  cr_assert_eq(set.contacts[0].point.y, 5);
  cr_assert_eq(set.contacts[0].point.x, 0);
  ts_contact_set_clear(&set);
}

Test(geometry_contact_set, a_chain_of_near_duplicates_is_judged_by_those_kept) {
  // Steps of 0.6 tolerances: the second is dropped, the third is far enough from the first.
  ts_contact_set set = {0};
  for (int i = 0; i < 7; i++)
    push(&set, contact_at(i * 0.6 * TS_SAME_POINT_RELATIVE, 0, 0));
  canonicalise(&set, 1);
  cr_assert_eq(set.count, 4);
  ts_contact_set_clear(&set);
}

Test(geometry_contact_set, contacts_that_are_not_finite_are_all_kept) {
  ts_contact_set set = {0};
  for (int i = 0; i < 3; i++) {
    push(&set, contact_at(NAN, 0, 0));
    push(&set, contact_at(INFINITY, 0, 0));
    ts_contact c = contact_at(0, 0, 0);
    c.normal.y = NAN;
    push(&set, c);
    c = contact_at(0, 0, 0);
    c.gap_m = -INFINITY;
    push(&set, c);
    push(&set, contact_at(0, 0, 0));
  }
  canonicalise(&set, 1);
  cr_assert_eq(set.count, 13);
  ts_contact_set_clear(&set);
}

Test(geometry_contact_set, without_a_size_only_equal_contacts_are_dropped) {
  const double sizes[3] = {0, NAN, INFINITY};
  for (int k = 0; k < 3; k++) {
    ts_contact_set set = {0};
    push(&set, contact_at(1, 0, 0));
    push(&set, contact_at(1, 0, 0));
    push(&set, contact_at(nextafter(1, 2), 0, 0));
    canonicalise(&set, sizes[k]);
    cr_assert_eq(set.count, 2);
    ts_contact_set_clear(&set);
  }
}

static int is_same(const ts_contact *a, const ts_contact *b) {
  return fabs(a->gap_m - b->gap_m) <= TS_SAME_POINT_RELATIVE &&
         ts_vec3_distance(a->point, b->point) <= TS_SAME_POINT_RELATIVE &&
         ts_vec3_distance(a->normal, b->normal) <= TS_SAME_NORMAL;
}

Test(geometry_contact_set, the_order_of_arrival_does_not_matter_and_brute_force_agrees) {
  ts_random random = ts_random_seed(4, 0);
  for (int round = 0; round < 20; round++) {
    ts_contact_set set = {0};
    for (int i = 0; i < 400; i++) { // clusters about as wide as the tolerance
      ts_contact c = contact_at((double)(ts_random_u64(&random) % 4), 0, 0);
      c.point.x += ts_random_uniform(&random, -3e-7, 3e-7);
      c.point.z += ts_random_uniform(&random, -1e-7, 1e-7);
      c.normal.x += ts_random_uniform(&random, -1e-6, 1e-6);
      c.gap_m = ts_random_uniform(&random, -1e-7, 1e-7);
      push(&set, c);
    }
    ts_contact_set all = {0}, copy = {0};
    cr_assert_eq(ts_contact_set_push(&all, set.contacts, set.count), TS_OK);
    cr_assert_eq(ts_contact_set_push(&copy, set.contacts, set.count), TS_OK);
    shuffle(&copy, &random);
    canonicalise(&set, 1);
    canonicalise(&copy, 1);
    cr_assert_eq(ts_contact_set_hash(0, &set), ts_contact_set_hash(0, &copy));
    cr_assert_lt(set.count, 400);
    // Without a size the order alone is made; then each is compared with all that are kept.
    canonicalise(&all, 0);
    size_t kept = 0;
    for (size_t i = 0; i < all.count; i++) {
      int found = 0;
      for (size_t k = 0; k < kept; k++)
        found |= is_same(&all.contacts[k], &all.contacts[i]);
      if (!found)
        all.contacts[kept++] = all.contacts[i];
    }
    cr_assert_eq(kept, set.count);
    cr_assert_eq(memcmp(all.contacts, set.contacts, kept * sizeof *all.contacts), 0);
    ts_contact_set_clear(&all);
    ts_contact_set_clear(&copy);
    ts_contact_set_clear(&set);
  }
}

/// Contacts of which a number is the same for all: a plane, a line, a point.
static void expect_all_kept(int same, size_t count) {
  ts_random random = ts_random_seed(5, 0);
  ts_contact_set set = {0};
  for (size_t i = 0; i < count; i++) {
    ts_contact c = contact_at(0, 0, 0);
    c.point.y = same < 2 ? ts_random_unit(&random) : 0;
    c.point.z = same < 1 ? ts_random_unit(&random) : 0;
    if (same == 2) {
      c.normal.x = ts_random_uniform(&random, -1, 1);
      c.normal.z = ts_random_uniform(&random, -1, 1);
    }
    if (same == 3)
      c.gap_m = ts_random_unit(&random);
    push(&set, c);
    push(&set, c);
  }
  canonicalise(&set, 1e-3);
  cr_assert_geq(set.count, count - count / 100, "%zu of %zu", set.count, count);
  cr_assert_leq(set.count, count);
  ts_contact_set_clear(&set);
}

Test(geometry_contact_set, many_contacts_of_one_plane_line_or_point_are_distinguished) {
  for (int same = 0; same < 4; same++)
    expect_all_kept(same, 50000);
}

/// Contacts kept of two that differ by `by` tolerances in one of their seven numbers, the lower one
/// first.
static size_t prox_kept_of_two(int which, double by, ts_contact first) {
  ts_contact_set set = {0};
  ts_contact second = first;
  double *numbers[7] = {&second.point.x,  &second.point.y,  &second.point.z, &second.normal.x,
                        &second.normal.y, &second.normal.z, &second.gap_m};
  *numbers[which] += by * TS_PROX_SAME_CONTACT;
  push(&set, second);
  push(&set, first);
  ts_contact_set_canonicalise_prox(&set);
  size_t kept = set.count;
  cr_assert_eq(set.delivered, 2);
  cr_assert_eq(memcmp(&set.contacts[0], &first, sizeof first), 0, "the first in order is kept");
  ts_contact_set_clear(&set);
  return kept;
}

Test(geometry_contact_set, prox_drops_neighbours_within_its_tolerance_in_each_number) {
  ts_contact c = contact_at(0.5, -2, 3);
  c.gap_m = -0.01;
  for (int which = 0; which < 7; which++) {
    cr_expect_eq(prox_kept_of_two(which, 0.999, c), 1, "number %d", which);
    cr_expect_eq(prox_kept_of_two(which, 1.001, c), 2, "number %d", which);
  }
  ts_contact_set set = {0}; // Coordinates count one by one, not the distance.
  ts_contact d = c;
  d.point = ts_vec3_add(c.point, (ts_vec3){1.1e-6, 1.1e-6, 1.1e-6});
  push(&set, c);
  push(&set, d);
  ts_contact_set_canonicalise_prox(&set);
  cr_expect_eq(set.count, 1);
  ts_contact_set_clear(&set);
}

Test(geometry_contact_set, prox_keeps_near_duplicates_that_are_not_neighbours) {
  ts_contact_set set = {0}, other = {0};
  const ts_contact contacts[] = {contact_at(5, 0, 0), contact_at(7, 1e-9, 0),
                                 contact_at(8, 2e-9, 0), contact_at(5, 3e-9, 0)};
  cr_assert_eq(ts_contact_set_push(&set, contacts, 4), TS_OK);
  cr_assert_eq(ts_contact_set_push(&other, contacts, 4), TS_OK);
  ts_contact_set_canonicalise_prox(&set);
  canonicalise(&other, 1);
  cr_expect_eq(set.count, 4);
  cr_expect_eq(other.count, 3);
  ts_contact_set_clear(&set);
  ts_contact_set_clear(&other);
}

Test(geometry_contact_set, prox_judges_a_chain_by_the_last_one_kept) {
  ts_contact_set set = {0}; // Steps of 0.6 tolerances: each second one is far enough.
  for (int i = 6; i >= 0; i--)
    push(&set, contact_at(i * 0.6 * TS_PROX_SAME_CONTACT, 0, 0));
  ts_contact_set_canonicalise_prox(&set);
  cr_assert_eq(set.count, 4);
  for (int i = 0; i < 4; i++)
    cr_expect_eq(set.contacts[i].point.x, 2 * i * 0.6 * TS_PROX_SAME_CONTACT);
  ts_contact_set_clear(&set);
}

Test(geometry_contact_set, prox_takes_none_one_and_what_is_not_finite) {
  ts_contact_set set = {0};
  ts_contact_set_canonicalise_prox(&set);
  cr_expect_eq(set.count, 0);
  ts_contact negative = contact_at(-0.0, -1, 2);
  push(&set, negative);
  ts_contact_set_canonicalise_prox(&set);
  cr_expect_eq(set.count, 1);
  cr_expect_not(signbit(set.contacts[0].point.x), "zeros have one form here too");
  for (int i = 0; i < 2; i++) {
    push(&set, contact_at(NAN, 0, 0));
    push(&set, contact_at(INFINITY, 0, 0));
    ts_contact c = contact_at(0, 0, 0);
    c.gap_m = NAN;
    push(&set, c);
    c = contact_at(0, 0, 0);
    c.normal.z = NAN;
    push(&set, c);
  }
  ts_contact_set_canonicalise_prox(&set);
  cr_expect_eq(set.count, 9, "NaN and infinity are equal to nothing");
  cr_expect(isnan(set.contacts[8].point.x) && isinf(set.contacts[6].point.x), "NaN last");
  ts_contact_set_clear(&set);
}

Test(geometry_contact_set, the_order_of_arrival_does_not_matter_to_prox) {
  ts_random random = ts_random_seed(7, 0);
  ts_contact_set set = {0}, copy = {0};
  for (int i = 0; i < 400; i++) {
    ts_contact c = contact_at((double)(ts_random_u64(&random) % 4), 0, 0);
    c.point.x += ts_random_uniform(&random, -3e-5, 3e-5);
    c.gap_m = ts_random_uniform(&random, -1e-6, 1e-6);
    push(&set, c);
  }
  cr_assert_eq(ts_contact_set_push(&copy, set.contacts, set.count), TS_OK);
  shuffle(&copy, &random);
  ts_contact_set_canonicalise_prox(&set);
  ts_contact_set_canonicalise_prox(&copy);
  cr_expect_eq(ts_contact_set_hash(0, &set), ts_contact_set_hash(0, &copy));
  cr_expect(set.count > 10 && set.count < 400, "%zu", set.count);
  ts_contact_set_clear(&set);
  ts_contact_set_clear(&copy);
}

// What the published counts rest on: only neighbours in an order by y, x and z are compared.
Test(geometry_contact_set, prox_compares_neighbours_in_its_own_order) {
  ts_contact_set set = {0};
  push(&set, contact_at(0, 3, 0));
  push(&set, contact_at(0.5e-6, 1, 0));
  push(&set, contact_at(0, 1 + 0.5e-6, 0)); // by x it would be a neighbour of the first
  push(&set, contact_at(7, 1 + 0.2e-6, 0)); // between the two by y
  push(&set, contact_at(7, 1 + 0.2e-6, 1.1e-6));
  push(&set, contact_at(7, 1 + 0.2e-6, 2.2e-6)); // near the one that was dropped, not the one kept
  ts_contact_set_canonicalise_prox(&set);
  cr_assert_eq(set.count, 5, "%zu", set.count);
  const double y[5] = {1, 1 + 0.2e-6, 1 + 0.2e-6, 1 + 0.5e-6, 3};
  for (size_t i = 0; i < 5; i++)
    cr_expect_eq(set.contacts[i].point.y, y[i], "contact %zu", i);
  cr_expect_eq(set.contacts[1].point.z, 0);
  cr_expect_eq(set.contacts[2].point.z, 2.2e-6);
  ts_contact_set_clear(&set);
}
