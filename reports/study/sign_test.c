// SPDX-License-Identifier: MIT
#include "reports/study/sign_test.h"

#include "base/random.h"
#include "base/status.h"

#include <math.h>
#include <stdbool.h>

/// Any fixed number does.
#define SEED 1935

#define DRAWS       10000
#define ENOUGH_HITS 200

/// Of the sum of all magnitudes: sums that differ by less are equal but for rounding, and so are
/// deviations from the mean that are less and 0.
#define ROUNDING 1e-12

/// Numbers that get random signs, none of them 0, and what their sum is compared with.
typedef struct test {
  double *numbers; ///< [count]
  size_t count;
  double far; ///< a sum at least this far from 0 is a hit
} test;

/// Number of hits among the sums of all signs of the numbers from `i` on, added to `sum`.
static double count_hits(const test *t, size_t i, double sum) {
  if (i == t->count)
    return fabs(sum) >= t->far;
  return count_hits(t, i + 1, sum + t->numbers[i]) + count_hits(t, i + 1, sum - t->numbers[i]);
}

static double sum_with_random_signs(const test *t, ts_random *random) {
  double sum = 0;
  for (size_t i = 0; i < t->count;) {
    uint64_t bits = ts_random_u64(random);
    for (int bit = 0; bit < 64 && i < t->count; bit++, i++)
      sum += bits >> bit & 1 ? t->numbers[i] : -t->numbers[i];
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

static double find_p(const test *t) {
  if (t->count <= TS_SIGN_EXACT_MAX)
    return count_hits(t, 0, 0) / (double)(UINT64_C(1) << t->count);
  double squares = 0;
  for (size_t i = 0; i < t->count; i++)
    squares += t->numbers[i] * t->numbers[i];
  double bound = 2 * exp(-t->far * t->far / (2 * squares));
  return bound < 1.0 / DRAWS ? bound : drawn_p(t);
}

/// Collects the numbers that get signs: the values, or their deviations from the means of strata.
static void collect(test *t, const ts_strata *strata) {
  bool is_one = strata->count == 1;
  double sum = 0, magnitudes = 0;
  for (size_t s = 0; s < strata->count; s++)
    for (size_t i = 0; i < strata->strata[s].count; i++)
      magnitudes += fabs(strata->strata[s].values[i]);
  for (size_t s = 0; s < strata->count; s++) {
    const ts_stratum *stratum = &strata->strata[s];
    double n = (double)stratum->count, centre = is_one ? 0 : stratum->sum / n;
    double widening = is_one ? 1 : sqrt(n / (n - 1));
    sum += stratum->sum;
    for (size_t i = 0; i < stratum->count; i++) {
      double number = (stratum->values[i] - centre) * widening;
      if (fabs(number) > ROUNDING * magnitudes)
        t->numbers[t->count++] = number;
    }
  }
  t->far = fabs(sum) / (is_one ? 1 : ts_strata_student_factor(strata)) - ROUNDING * magnitudes;
}

ts_status ts_sign_test(double *out_p, ts_arena *arena, const ts_strata *differences) {
  *out_p = (double)NAN;
  if (differences->value_count == 0)
    return TS_OK;
  ts_arena_mark start = ts_arena_get_mark(arena);
  test t = {.numbers = ts_arena_array(arena, differences->value_count, sizeof *t.numbers)};
  if (!t.numbers)
    return TS_E_MEMORY;
  collect(&t, differences);
  *out_p = find_p(&t);
  ts_arena_rewind(arena, start);
  return TS_OK;
}
