// SPDX-License-Identifier: MIT
#include "tests/methods/tet/prox_reference.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void prox_reference_open(prox_reference *out) {
  cr_assert_eq(prox_reference_read(out, TS_REFERENCE_FOLDER), TS_OK, "%s", ts_status_detail());
}

static bool near(ts_vec3 a, ts_vec3 b, double tolerance) {
  return fabs(a.x - b.x) <= tolerance && fabs(a.y - b.y) <= tolerance &&
         fabs(a.z - b.z) <= tolerance;
}

static bool holds(const ts_contact *set, size_t count, const ts_contact *c, double tolerance) {
  for (size_t i = 0; i < count; i++)
    if (near(set[i].point, c->point, tolerance) && near(set[i].normal, c->normal, tolerance) &&
        fabs(set[i].gap_m - c->gap_m) <= tolerance)
      return true;
  return false;
}

static bool all_held(const ts_contact *set, size_t count, const ts_contact *some, size_t some_count,
                     double tolerance) {
  for (size_t i = 0; i < some_count; i++)
    if (!holds(set, count, &some[i], tolerance))
      return false;
  return true;
}

bool prox_same_contacts(const ts_contact *got, size_t got_count, const ts_contact *expected,
                        size_t expected_count, double tolerance) {
  return all_held(got, got_count, expected, expected_count, tolerance) &&
         all_held(expected, expected_count, got, got_count, tolerance);
}

static void print_set(const char *what, const ts_contact *contacts, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const ts_contact *c = &contacts[i];
    fprintf(stderr, "  %s point %.12g %.12g %.12g normal %.12g %.12g %.12g gap %.12g\n", what,
            c->point.x, c->point.y, c->point.z, c->normal.x, c->normal.y, c->normal.z, c->gap_m);
  }
}

prox_agreement prox_reference_compare(const prox_reference *reference, prox_method method,
                                      ts_tet_kernel kernel, bool *disagree) {
  prox_agreement total = {.pairs = reference->count};
  bool verbose = getenv("TOUCHSTONE_PROX_VERBOSE") != NULL;
  static ts_tet_contacts got; // large, and each test has a process of its own
  for (size_t i = 0; i < reference->count; i++) {
    const prox_pair *p = &reference->pairs[i];
    const ts_contact *expected = p->contacts[method];
    size_t expected_count = p->contact_count[method];
    got.count = 0;
    kernel(&got, &p->pair, p->size_m);
    bool same = prox_same_contacts(got.contacts, got.count, expected, expected_count, 1e-9);
    total.agree += same;
    total.same_count += same && got.count == expected_count;
    total.with_contacts += expected_count > 0;
    total.agree_with_contacts += same && expected_count > 0;
    if (disagree)
      disagree[i] = !same;
    if (!same && verbose) {
      fprintf(stderr, "pair %d (%s, offset %g, %s)\n", p->id, p->family, p->offset_m,
              p->overlaps ? "overlapping" : "apart");
      print_set("expected", expected, expected_count);
      print_set("got     ", got.contacts, got.count);
    }
  }
  return total;
}
