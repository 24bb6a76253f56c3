// SPDX-License-Identifier: MIT
// covers: methods/semi_local/semi_*.c
/// Bodies that are not convex and overlap, or nearly touch: every overlap has a contact or a reason
/// why it has none, no contact is beside a body, and none overlaps where the bodies do not.
/// TOUCHSTONE_SOLID_PAIRS in the environment is how many pairs of each kind to try,
/// TOUCHSTONE_SOLID_FIRST the first seed.
#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "tests/methods/semi_local/semi_fixture.h"
#include "tests/methods/semi_local/solid_oracle.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ts_method *const method = &ts_method_semi_local;

/// What is wrong with the contacts of pairs.
typedef struct tally {
  int overlaps, gaps;
  int refused;  ///< with a reason
  int missed;   ///< overlap, and no contact of less than no gap
  int beside;   ///< some contact is farther from a body than its gap
  int either;   ///< some contact that overlaps is farther from one of them
  int phantom;  ///< a contact overlaps, the bodies do not
  int doubtful; ///< of bodies of which rounding decides whether they overlap
  double worst_beside;
  uint64_t first_wrong;
} tally;

static void judge(tally *t, method_fixture *f, const solid_kind *kind, uint64_t seed) {
  ts_random random = ts_random_seed(seed, 9);
  double part = pow(10, ts_random_uniform(&random, -6, log10(0.05))), size_m;
  double way = ts_random_unit(&random) < 0.75 ? part : -part;
  fixture_pair pair = solid_random_pair(f, &random, kind, way, &size_m);
  double depth_m = solid_depth(&pair);
  bool overlaps = depth_m > 1e-9 * size_m, wrong = false;
  if (!overlaps && depth_m > 1e-12 * size_m) {
    t->doubtful++;
    return;
  }
  t->overlaps += overlaps;
  t->gaps += !overlaps;
  ts_status status = fixture_try(f, method, NULL, &pair);
  if (status != TS_OK) {
    cr_expect_gt(strlen(ts_status_detail()), 20);
    t->refused++;
    return;
  }
  double deepest = INFINITY, beside = 0, either = 0;
  for (size_t i = 0; i < f->set.count; i++) {
    const ts_contact *c = &f->set.contacts[i];
    deepest = ts_min(deepest, c->gap_m);
    double away[2];
    for (int body = 0; body < 2; body++)
      away[body] = solid_distance(pair.mesh[body], pair.pose[body], c->point) - fabs(c->gap_m);
    beside = ts_max(beside, ts_min(away[0], away[1]));
    if (c->gap_m < 0)
      either = ts_max(either, ts_max(away[0], away[1]));
  }
  bool is_missed = overlaps && !(deepest < 0), is_beside = beside > 1e-6 * size_m,
       is_phantom = !overlaps && deepest < -1e-9 * size_m;
  wrong = is_missed || is_beside || is_phantom;
  t->missed += is_missed;
  t->beside += is_beside;
  t->either += either > 1e-6 * size_m;
  t->phantom += is_phantom;
  t->worst_beside = ts_max(t->worst_beside, beside / size_m);
  if (wrong && t->first_wrong == UINT64_MAX)
    t->first_wrong = seed;
}

static tally judge_kind(const solid_kind *kind, uint64_t first, uint64_t count) {
  tally t = {.first_wrong = UINT64_MAX};
  for (uint64_t seed = first; seed < first + count; seed++) {
    method_fixture f;
    fixture_open(&f);
    judge(&t, &f, kind, seed);
    fixture_close(&f);
  }
  return t;
}

Test(methods_semi_overlap, every_overlap_has_a_contact_and_no_contact_is_beside_a_body) {
  fixture_seeds seeds = fixture_seeds_of("SOLID", 20);
  if (seeds.is_asked)
    printf("%-22s %8s %5s %8s %7s %7s %7s %7s %7s %9s\n", "kind", "overlaps", "gaps", "doubtful",
           "refused", "missed", "beside", "either", "phantom", "away");
  for (int k = 0; k < SOLID_KIND_COUNT; k++) {
    tally t = judge_kind(&solid_kinds[k], seeds.first, seeds.count);
    if (seeds.is_asked)
      printf("%-22s %8d %5d %8d %7d %7d %7d %7d %7d %9.1e\n", solid_kinds[k].name, t.overlaps,
             t.gaps, t.doubtful, t.refused, t.missed, t.beside, t.either, t.phantom,
             t.worst_beside);
    cr_expect(t.missed + t.beside + t.phantom == 0,
              "%s: of %d overlaps %d missed, %d contacts beside a body, %d phantoms; first seed "
              "%llu",
              solid_kinds[k].name, t.overlaps, t.missed, t.beside, t.phantom,
              (unsigned long long)t.first_wrong);
  }
}

// Found wrong, and mended: overlap was looked for only where there was no contact, or one that
// overlaps; bodies that do not overlap had contacts that do; and a part of an overlap that is a
// piece of a plane in which the bodies touch got a way out.
Test(methods_semi_overlap, the_hardest_pairs_of_many_are_right) {
  static const struct {
    int kind;
    uint64_t seed;
  } pairs[] = {{4, 184}, {6, 100}, {7, 165}, {9, 165}, {6, 125}, {9, 168}, {3, 129}, {3, 156}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const solid_kind *kind = &solid_kinds[pairs[i].kind];
    tally t = judge_kind(kind, pairs[i].seed, 1);
    cr_expect_eq(t.missed + t.beside + t.phantom + t.refused + t.doubtful, 0, "%s, seed %llu",
                 kind->name, (unsigned long long)pairs[i].seed);
  }
}
