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

/// Where the bound of p is less, hits are too rare to be met by fair signs.
#define RARE 0.1

/// Where it is less than this, it stands for p, whatever the number of comparisons.
#define NEGLIGIBLE 1e-9

/// About every second tilted draw is a hit: these tell p to some 10 percent, however small it is.
#define TILTED_DRAWS 500

#define NEWTON_STEPS 30

/// Of the sum of all magnitudes: sums that differ by less are equal but for rounding, and so are
/// deviations from the mean that are less and 0.
#define ROUNDING 1e-12

/// Numbers that get random signs, none of them 0, and what their sum is compared with.
typedef struct test {
  double squares, magnitudes; ///< of the numbers, summed
  double *numbers;            ///< [count]
  uint32_t *shares;           ///< [count], scratch memory: of 2^32 tilted signs, how many are plus
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

/// The logarithm of cosh(x), which itself may be too large for a number.
static double log_cosh(double x) {
  return fabs(x) + log1p(exp(-2 * fabs(x))) - log(2);
}

/// The tilt with which the sum is `far` in the mean: a number x keeps its sign exp(2 tilt x) times
/// as often as not. By Newton's method from below, which the mean, concave in the tilt, never lets
/// overshoot. If no tilt is large enough, the last one does: nothing below depends on it but how
/// sharp the bound is and how often a draw is a hit.
static double find_tilt(const test *t) {
  double tilt = fmax(t->far / t->squares, 0);
  for (int step = 0; step < NEWTON_STEPS; step++) {
    double mean = 0, slope = 0;
    for (size_t i = 0; i < t->count; i++) {
      double x = t->numbers[i], share = tanh(tilt * x);
      mean += x * share;
      slope += x * x * (1 - share * share);
    }
    if (!(mean < t->far) || !(slope > 0))
      break;
    tilt += (t->far - mean) / slope;
  }
  return tilt;
}

/// p by importance sampling: signs are drawn so that a hit is common, and each hit counts by how
/// much rarer it is among fair signs, exp(log_norm - tilt sum).
static double tilted_p(const test *t, double tilt, double log_norm) {
  for (size_t i = 0; i < t->count; i++)
    t->shares[i] = (uint32_t)(UINT32_MAX / (1 + exp(-2 * tilt * t->numbers[i])));
  ts_random random = ts_random_seed(SEED, 1);
  double total = 0;
  for (int draw = 0; draw < TILTED_DRAWS; draw++) {
    double sum = 0;
    for (size_t i = 0; i < t->count; i += 2) {
      uint64_t bits = ts_random_u64(&random);
      sum += bits >> 32 < t->shares[i] ? t->numbers[i] : -t->numbers[i];
      if (i + 1 < t->count)
        sum += (bits & UINT32_MAX) < t->shares[i + 1] ? t->numbers[i + 1] : -t->numbers[i + 1];
    }
    total += sum >= t->far ? exp(log_norm - tilt * sum) : 0;
  }
  return 2 * total / TILTED_DRAWS;
}

static double find_p(const test *t) {
  // Deviations from means of strata may be too small for the total that they are compared with.
  // Then p is that of the normal distribution, which with ts_strata_normal_distance() is Student's.
  if (t->count > 0 && t->far > t->magnitudes)
    return erfc(t->far / sqrt(2 * t->squares));
  if (t->count <= TS_SIGN_EXACT_MAX)
    return count_hits(t, 0, 0) / (double)(UINT64_C(1) << t->count);
  double tilt = find_tilt(t), log_norm = 0;
  for (size_t i = 0; i < t->count; i++)
    log_norm += log_cosh(tilt * t->numbers[i]);
  double bound = 2 * exp(log_norm - tilt * t->far);
  if (bound > RARE)
    return drawn_p(t);
  double p = bound < NEGLIGIBLE ? bound : fmin(bound, tilted_p(t, tilt, log_norm));
  return fmax(p, ldexp(1, 1 - (int)t->count)); // two of all signs are always as far out
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
      if (fabs(number) <= ROUNDING * magnitudes)
        continue;
      t->numbers[t->count++] = number;
      t->squares += number * number;
      t->magnitudes += fabs(number);
    }
  }
  double n = (double)strata->value_count;
  t->far = fabs(sum);
  // Deviations that are rounding say nothing about how far out the sum is.
  if (!is_one && t->count > 0)
    t->far = n * ts_strata_normal_distance(strata, t->far / n);
  t->far -= ROUNDING * magnitudes;
}

ts_status ts_sign_test(double *out_p, ts_arena *arena, const ts_strata *differences) {
  *out_p = (double)NAN;
  if (differences->value_count == 0)
    return TS_OK;
  ts_arena_mark start = ts_arena_get_mark(arena);
  test t = {.numbers = ts_arena_array(arena, differences->value_count, sizeof *t.numbers),
            .shares = ts_arena_array(arena, differences->value_count, sizeof *t.shares)};
  if (!t.numbers || !t.shares)
    return TS_E_MEMORY;
  collect(&t, differences);
  *out_p = find_p(&t);
  ts_arena_rewind(arena, start);
  return TS_OK;
}
