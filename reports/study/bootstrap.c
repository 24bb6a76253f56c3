// SPDX-License-Identifier: MIT
#include "reports/study/bootstrap.h"

#include "base/random.h"
#include "base/status.h"
#include "reports/study/strata.h"

#include <math.h>
#include <stdlib.h>

/// Any fixed number does.
#define SEED 95

/// Share of the studies whose interval lies below the true mean, and of those above.
#define TAIL 0.025

static int compare_numbers(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/// Adds to `shifts` [TS_BOOTSTRAP_RESAMPLES] by how much the sum over the stratum changes in each
/// resample, made larger so that its variance is that of the stratum.
static void add_shifts(double *shifts, const ts_stratum *s, size_t index) {
  if (s->values[0] == s->values[s->count - 1])
    return; // sorted: all are equal
  ts_random random = ts_random_seed(SEED, index);
  double widening = sqrt((double)s->count / (double)(s->count - 1));
  for (size_t r = 0; r < TS_BOOTSTRAP_RESAMPLES; r++) {
    double sum = 0;
    for (size_t i = 0; i < s->count; i += 2) {
      uint64_t bits = ts_random_u64(&random);
      sum += s->values[(bits >> 32) * s->count >> 32];
      if (i + 1 < s->count)
        sum += s->values[(bits & UINT32_MAX) * s->count >> 32];
    }
    shifts[r] += (sum - s->sum) * widening;
  }
}

static ts_status find_ends(ts_interval *out, ts_arena *arena, const ts_strata *s) {
  double *shifts = ts_arena_array(arena, TS_BOOTSTRAP_RESAMPLES, sizeof *shifts);
  if (!shifts)
    return TS_E_MEMORY;
  for (size_t i = 0; i < s->count; i++)
    add_shifts(shifts, &s->strata[i], i);
  qsort(shifts, TS_BOOTSTRAP_RESAMPLES, sizeof *shifts, compare_numbers);
  size_t beyond = (size_t)(TAIL * TS_BOOTSTRAP_RESAMPLES);
  double scale = ts_strata_student_factor(s) / (double)s->value_count;
  out->low = out->mean + scale * shifts[beyond];
  out->high = out->mean + scale * shifts[TS_BOOTSTRAP_RESAMPLES - 1 - beyond];
  return TS_OK;
}

static ts_status find_interval(ts_interval *out, ts_arena *arena, const double *values,
                               const size_t *strata) {
  ts_strata s;
  TS_TRY(ts_strata_make(&s, arena, values, strata, out->count));
  out->mean = s.mean;
  out->exceptions = ts_strata_exceptions(&s);
  return out->count > 1 ? find_ends(out, arena, &s) : TS_OK;
}

ts_status ts_bootstrap_mean(ts_interval *out, ts_arena *arena, const double *values,
                            const size_t *strata, size_t count) {
  *out = (ts_interval){(double)NAN, (double)NAN, (double)NAN, count, 0};
  ts_arena_mark start = ts_arena_get_mark(arena);
  ts_status status = find_interval(out, arena, values, strata);
  ts_arena_rewind(arena, start);
  return status;
}
