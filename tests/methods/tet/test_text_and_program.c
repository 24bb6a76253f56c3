// SPDX-License-Identifier: MIT
// covers: methods/tet/tet_kernels.c
// How far the text of Erleben 2018 and its program agree, on the reference pairs: the figures of
// docs/paper_and_program.md.
#include "methods/tet/tet_kernels.h"
#include "tests/methods/tet/prox_reference.h"

#include <criterion/criterion.h>
#include <math.h>

/// Pairs that have contacts by the text or by the program, and how many of them have the same ones,
/// the same normals, and the same points.
typedef struct counts {
  size_t pairs, contacts, normals, points;
} counts;

typedef struct row {
  int kernel;
  prox_method method;
  double reach_m;
  counts expected;
} row;

static bool near(ts_vec3 a, ts_vec3 b) {
  return fabs(a.x - b.x) < 1e-6 && fabs(a.y - b.y) < 1e-6 && fabs(a.z - b.z) < 1e-6;
}

typedef bool (*likeness)(const ts_contact *a, const ts_contact *b);

static bool same_normal(const ts_contact *a, const ts_contact *b) {
  return near(ts_vec3_unit(a->normal), ts_vec3_unit(b->normal));
}

static bool same_point(const ts_contact *a, const ts_contact *b) {
  return near(a->point, b->point);
}

static bool same_contact(const ts_contact *a, const ts_contact *b) {
  return same_point(a, b) && same_normal(a, b) && fabs(a->gap_m - b->gap_m) < 1e-6;
}

static bool all_in(const ts_contact *some, size_t some_count, const ts_contact *set, size_t count,
                   likeness is_like) {
  for (size_t i = 0; i < some_count; i++) {
    size_t k = 0;
    while (k < count && !is_like(&some[i], &set[k]))
      k++;
    if (k == count)
      return false;
  }
  return true;
}

static size_t are_alike(const ts_tet_contacts *got, const prox_pair *p, prox_method m,
                        likeness is_like) {
  const ts_contact *expected = p->contacts[m];
  size_t count = p->contact_count[m];
  return all_in(got->contacts, got->count, expected, count, is_like) &&
         all_in(expected, count, got->contacts, got->count, is_like);
}

Test(methods_text_and_program, agree_on_as_many_pairs_as_the_page_says) {
  static const row rows[] = {
      {TS_TET_CLOSEST_POINTS, PROX_CLOSEST_POINTS, 0.02, {899, 13, 70, 143}},
      {TS_TET_INTERSECTION, PROX_INTERSECTION, 0.01, {954, 4, 20, 24}},
      {TS_TET_VERTEX_ONLY, PROX_VERTEX_ONLY, 0.01, {436, 174, 178, 396}},
      {TS_TET_CONSISTENT_VERTEX, PROX_CONSISTENT_VERTEX, 0.01, {342, 88, 88, 212}},
      {TS_TET_VOLUME_SAT, PROX_VOLUME_SAT, 0.01, {701, 208, 563, 257}},
      {TS_TET_SURFACE_SAT, PROX_SURFACE_SAT, 0.01, {697, 213, 571, 240}},
      {TS_TET_OPPOSING, PROX_OPPOSING, 0.01, {499, 50, 95, 88}},
      {TS_TET_GROWTH, PROX_GROWTH, 0.01, {697, 87, 210, 272}},
  };
  static ts_tet_contacts got;
  prox_reference reference;
  prox_reference_open(&reference);
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    const char *name = ts_tet_kernels_of[rows[r].kernel].name;
    counts c = {0};
    for (size_t i = 0; i < reference.count; i++) {
      const prox_pair *p = &reference.pairs[i];
      ts_tet_pair pair = p->pair;
      pair.reach_m = rows[r].reach_m;
      got.count = 0;
      ts_tet_kernels_of[rows[r].kernel].paper(&got, &pair, p->size_m);
      if (got.count == 0 && p->contact_count[rows[r].method] == 0)
        continue;
      c.pairs++;
      c.contacts += are_alike(&got, p, rows[r].method, same_contact);
      c.normals += are_alike(&got, p, rows[r].method, same_normal);
      c.points += are_alike(&got, p, rows[r].method, same_point);
    }
    cr_expect_eq(c.pairs, rows[r].expected.pairs, "%s: %zu pairs", name, c.pairs);
    cr_expect_eq(c.contacts, rows[r].expected.contacts, "%s: %zu contacts", name, c.contacts);
    cr_expect_eq(c.normals, rows[r].expected.normals, "%s: %zu normals", name, c.normals);
    cr_expect_eq(c.points, rows[r].expected.points, "%s: %zu points", name, c.points);
  }
  prox_reference_close(&reference);
}
