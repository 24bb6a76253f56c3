// SPDX-License-Identifier: MIT
#include "reports/study/bootstrap.h"

#include "base/random.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/// Any fixed number does.
#define SEED 95

/// Share of the studies whose interval lies below the true mean, and of those above.
#define TAIL 0.025

/// The normal quantile of 1 - TAIL.
#define NORMAL 1.959963984540054

typedef struct value {
  double value;
  size_t stratum;
} value;

/// Values [count] of one stratum.
typedef struct stratum {
  const value *values;
  size_t count;
  double sum, variance; ///< of the values; the variance with n - 1
} stratum;

static int compare_values(const void *a, const void *b) {
  const value *x = a, *y = b;
  if (x->stratum != y->stratum)
    return x->stratum < y->stratum ? -1 : 1;
  return (x->value > y->value) - (x->value < y->value);
}

static int compare_numbers(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/// The end of the run of one stratum that starts at `first`.
static size_t run_end(const value *values, size_t count, size_t first) {
  size_t end = first + 1;
  while (end < count && values[end].stratum == values[first].stratum)
    end++;
  return end;
}

/// Puts the values that are alone in their stratum together; a single such value joins another
/// stratum. The values are sorted, and sorted again afterwards.
static void join_singles(value *values, size_t count) {
  size_t single_count = 0, other = SIZE_MAX;
  for (size_t first = 0, end; first < count; first = end) {
    end = run_end(values, count, first);
    if (end - first == 1)
      single_count++;
    else
      other = values[first].stratum;
  }
  size_t home = single_count == 1 ? other : SIZE_MAX;
  for (size_t first = 0, end; first < count; first = end) {
    end = run_end(values, count, first);
    if (end - first == 1)
      values[first].stratum = home;
  }
  qsort(values, count, sizeof *values, compare_values);
}

/// The strata of the values, sorted; returns their number.
static size_t find_strata(stratum *out, const value *values, size_t count) {
  size_t stratum_count = 0;
  for (size_t first = 0, end; first < count; first = end) {
    end = run_end(values, count, first);
    stratum s = {.values = &values[first], .count = end - first};
    for (size_t i = 0; i < s.count; i++)
      s.sum += s.values[i].value;
    double mean = s.sum / (double)s.count;
    for (size_t i = 0; i < s.count && s.count > 1; i++)
      s.variance += (s.values[i].value - mean) * (s.values[i].value - mean) / (double)(s.count - 1);
    out[stratum_count++] = s;
  }
  return stratum_count;
}

/// Adds to `shifts` [TS_BOOTSTRAP_RESAMPLES] by how much the sum over the stratum changes in each
/// resample, made larger so that its variance is that of the stratum.
static void add_shifts(double *shifts, const stratum *s, size_t index) {
  if (s->values[0].value == s->values[s->count - 1].value)
    return; // sorted: all are equal
  ts_random random = ts_random_seed(SEED, index);
  double widening = sqrt((double)s->count / (double)(s->count - 1));
  for (size_t r = 0; r < TS_BOOTSTRAP_RESAMPLES; r++) {
    double sum = 0;
    for (size_t i = 0; i < s->count; i++)
      sum += s->values[(ts_random_u64(&random) >> 32) * s->count >> 32].value;
    shifts[r] += (sum - s->sum) * widening;
  }
}

/// How much further out than a normal quantile that of Student's t is, by the expansion of Cornish
/// and Fisher (Abramowitz and Stegun 1964, 26.7.5): within 0.2 percent from 3 degrees of freedom
/// on, 11 percent too little at 1.
static double student_over_normal(double freedom) {
  const double x = NORMAL, x2 = x * x;
  const double terms[] = {(x2 + 1) / 4, ((5 * x2 + 16) * x2 + 3) / 96,
                          (((3 * x2 + 19) * x2 + 17) * x2 - 15) / 384,
                          ((((79 * x2 + 776) * x2 + 1482) * x2 - 1920) * x2 - 945) / 92160};
  double sum = 1, power = 1;
  for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
    power /= freedom;
    sum += terms[i] * power;
  }
  return sum;
}

/// Degrees of freedom of the variance of the sum over the strata, by Welch and Satterthwaite.
static double find_freedom(const stratum *strata, size_t count) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < count; i++) {
    double part = (double)strata[i].count * strata[i].variance;
    sum += part;
    squares += part > 0 ? part * part / (double)(strata[i].count - 1) : 0;
  }
  return squares > 0 ? sum * sum / squares : 1;
}

static ts_status find_ends(ts_interval *out, ts_arena *arena, const stratum *strata,
                           size_t stratum_count) {
  double *shifts = ts_arena_array(arena, TS_BOOTSTRAP_RESAMPLES, sizeof *shifts);
  if (!shifts)
    return TS_E_MEMORY;
  for (size_t i = 0; i < stratum_count; i++)
    add_shifts(shifts, &strata[i], i);
  qsort(shifts, TS_BOOTSTRAP_RESAMPLES, sizeof *shifts, compare_numbers);
  size_t beyond = (size_t)(TAIL * TS_BOOTSTRAP_RESAMPLES);
  double scale = student_over_normal(find_freedom(strata, stratum_count)) / (double)out->count;
  out->low = out->mean + scale * shifts[beyond];
  out->high = out->mean + scale * shifts[TS_BOOTSTRAP_RESAMPLES - 1 - beyond];
  return TS_OK;
}

static ts_status find_interval(ts_interval *out, ts_arena *arena, value *values) {
  stratum *strata = ts_arena_array(arena, out->count, sizeof *strata);
  if (!strata)
    return TS_E_MEMORY;
  qsort(values, out->count, sizeof *values, compare_values);
  join_singles(values, out->count);
  size_t stratum_count = find_strata(strata, values, out->count);
  double sum = 0;
  for (size_t i = 0; i < stratum_count; i++)
    sum += strata[i].sum;
  out->mean = sum / (double)out->count;
  return out->count > 1 ? find_ends(out, arena, strata, stratum_count) : TS_OK;
}

ts_status ts_bootstrap_mean(ts_interval *out, ts_arena *arena, const double *values,
                            const size_t *strata, size_t count) {
  *out = (ts_interval){(double)NAN, (double)NAN, (double)NAN, count};
  if (count == 0)
    return TS_OK;
  ts_arena_mark start = ts_arena_get_mark(arena);
  value *sorted = ts_arena_array(arena, count, sizeof *sorted);
  if (!sorted)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    sorted[i] = (value){values[i], strata ? strata[i] : 0};
  ts_status status = find_interval(out, arena, sorted);
  ts_arena_rewind(arena, start);
  return status;
}
