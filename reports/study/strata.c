// SPDX-License-Identifier: MIT
#include "reports/study/strata.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

/// The normal quantile of 0.975.
#define NORMAL 1.959963984540054

typedef struct value {
  double value;
  size_t stratum;
} value;

static int compare_values(const void *a, const void *b) {
  const value *x = a, *y = b;
  if (x->stratum != y->stratum)
    return x->stratum < y->stratum ? -1 : 1;
  return (x->value > y->value) - (x->value < y->value);
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

/// Fills in the strata of values that are sorted.
static void fill_strata(ts_strata *out, ts_stratum *strata, double *plain, const value *values) {
  double sum = 0;
  for (size_t first = 0, end; first < out->value_count; first = end) {
    end = run_end(values, out->value_count, first);
    ts_stratum s = {.values = &plain[first], .count = end - first};
    for (size_t i = first; i < end; i++) {
      plain[i] = values[i].value;
      s.sum += plain[i];
    }
    double mean = s.sum / (double)s.count;
    for (size_t i = first; i < end && s.count > 1; i++)
      s.variance += (plain[i] - mean) * (plain[i] - mean) / (double)(s.count - 1);
    sum += s.sum;
    strata[out->count++] = s;
  }
  out->strata = strata;
  out->mean = sum / (double)out->value_count;
}

ts_status ts_strata_make(ts_strata *out, ts_arena *arena, const double *values,
                         const size_t *strata, size_t count) {
  *out = (ts_strata){.value_count = count, .mean = (double)NAN};
  if (count == 0)
    return TS_OK;
  ts_stratum *found = ts_arena_array(arena, count, sizeof *found);
  double *plain = ts_arena_array(arena, count, sizeof *plain);
  value *sorted = ts_arena_array(arena, count, sizeof *sorted);
  if (!found || !plain || !sorted)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    sorted[i] = (value){values[i], strata ? strata[i] : 0};
  qsort(sorted, count, sizeof *sorted, compare_values);
  join_singles(sorted, count);
  fill_strata(out, found, plain, sorted);
  return TS_OK;
}

static double find_freedom(const ts_strata *s) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < s->count; i++) {
    double part = (double)s->strata[i].count * s->strata[i].variance;
    sum += part;
    squares += part > 0 ? part * part / (double)(s->strata[i].count - 1) : 0;
  }
  return squares > 0 ? sum * sum / squares : 1;
}

double ts_strata_student_factor(const ts_strata *strata) {
  const double x = NORMAL, x2 = x * x;
  const double terms[] = {(x2 + 1) / 4, ((5 * x2 + 16) * x2 + 3) / 96,
                          (((3 * x2 + 19) * x2 + 17) * x2 - 15) / 384,
                          ((((79 * x2 + 776) * x2 + 1482) * x2 - 1920) * x2 - 945) / 92160};
  double freedom = find_freedom(strata), sum = 1, power = 1;
  for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
    power /= freedom;
    sum += terms[i] * power;
  }
  return sum;
}

double ts_strata_error(const ts_strata *strata) {
  double sum = 0;
  for (size_t i = 0; i < strata->count; i++)
    sum += (double)strata->strata[i].count * strata->strata[i].variance;
  return sqrt(sum) / (double)strata->value_count;
}

double ts_strata_normal_distance(const ts_strata *strata, double distance) {
  double error = ts_strata_error(strata), freedom = find_freedom(strata);
  if (!(error > 0))
    return distance;
  double t = distance / error;
  return error * (8 * freedom + 1) / (8 * freedom + 3) * sqrt(freedom * log1p(t * t / freedom));
}

double ts_strata_half_width(const ts_strata *strata) {
  if (strata->value_count < 2)
    return (double)NAN;
  return NORMAL * ts_strata_student_factor(strata) * ts_strata_error(strata);
}

static size_t most_frequent(const ts_stratum *s) {
  size_t most = 0;
  for (size_t first = 0, end; first < s->count; first = end) {
    for (end = first + 1; end < s->count && s->values[end] == s->values[first];)
      end++;
    most = end - first > most ? end - first : most;
  }
  return most;
}

size_t ts_strata_exceptions(const ts_strata *strata) {
  size_t count = 0;
  for (size_t i = 0; i < strata->count; i++)
    count += strata->strata[i].count - most_frequent(&strata->strata[i]);
  return count;
}
