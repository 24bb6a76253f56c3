// SPDX-License-Identifier: MIT
#include "reports/study/sign_test.h"

#include "base/random.h"

#include <math.h>

/// Any fixed number does.
#define SEED 1935

#define DRAWS       10000
#define ENOUGH_HITS 200

/// Of the sum of all magnitudes: sums that differ by less are equal but for rounding.
#define ROUNDING 1e-12

/// What a sum of signed differences is compared with.
typedef struct test {
  const double *differences;
  size_t count;
  double far;     ///< a sum at least this far from 0 is a hit
  double squares; ///< the sum of the squares
} test;

/// Number of hits among the sums of all signs of the differences from `i` on, added to `sum`.
static double count_hits(const test *t, size_t i, double sum) {
  while (i < t->count && t->differences[i] == 0)
    i++;
  if (i == t->count)
    return fabs(sum) >= t->far;
  return count_hits(t, i + 1, sum + t->differences[i]) +
         count_hits(t, i + 1, sum - t->differences[i]);
}

static double sum_with_random_signs(const test *t, ts_random *random) {
  double sum = 0;
  for (size_t i = 0; i < t->count;) {
    uint64_t bits = ts_random_u64(random);
    for (int bit = 0; bit < 64 && i < t->count; bit++, i++)
      sum += bits >> bit & 1 ? t->differences[i] : -t->differences[i];
  }
  return sum;
}

static double drawn_p(const test *t) {
  ts_random random = ts_random_seed(SEED, 0);
  size_t hits = 0, draws = 0;
  while (draws < DRAWS && hits < ENOUGH_HITS) {
    hits += fabs(sum_with_random_signs(t, &random)) >= t->far;
    draws++;
  }
  if (hits == ENOUGH_HITS)
    return (double)hits / (double)draws;
  return (double)(hits + 1) / (double)(draws + 1);
}

double ts_sign_test(const double *differences, size_t count) {
  test t = {.differences = differences, .count = count};
  double sum = 0, magnitudes = 0;
  size_t others = 0;
  for (size_t i = 0; i < count; i++) {
    sum += differences[i];
    magnitudes += fabs(differences[i]);
    t.squares += differences[i] * differences[i];
    others += differences[i] != 0;
  }
  if (others == 0)
    return 1;
  t.far = fabs(sum) - ROUNDING * magnitudes;
  if (others <= TS_SIGN_EXACT_MAX)
    return count_hits(&t, 0, 0) / (double)(UINT64_C(1) << others);
  double bound = 2 * exp(-t.far * t.far / (2 * t.squares));
  return bound < 1.0 / DRAWS ? bound : drawn_p(&t);
}
