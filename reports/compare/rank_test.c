// SPDX-License-Identifier: MIT
#include "reports/compare/rank_test.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

typedef struct mark {
  double value;
  bool is_new;
} mark;

static int compare_marks(const void *a, const void *b) {
  const mark *x = a, *y = b;
  return (x->value > y->value) - (x->value < y->value);
}

/// Statistics of the ranks of both samples.
typedef struct rank_sums {
  double u;
  double tie_sum; ///< of t^3 - t over the groups of t equal numbers
  bool has_ties;
} rank_sums;

/// Visits the numbers [count] in order: each of `new` counts the old ones before it, and half of
/// those equal to it.
static rank_sums sum_ranks(const mark *marks, size_t count) {
  rank_sums sums = {0};
  double old_before = 0;
  for (size_t first = 0, end; first < count; first = end) {
    double old_here = 0, new_here = 0;
    for (end = first; end < count && marks[end].value == marks[first].value; end++) {
      old_here += !marks[end].is_new;
      new_here += marks[end].is_new;
    }
    double t = old_here + new_here;
    sums.u += new_here * (old_before + old_here / 2);
    sums.tie_sum += t * t * t - t;
    sums.has_ties |= t > 1;
    old_before += old_here;
  }
  return sums;
}

/// Exact two-sided p: counts the orderings of m and n numbers that have at most a given U. Of the
/// orderings of i old and j new numbers, those that end with an old one have the U of (i - 1, j),
/// and those that end with a new one have that of (i, j - 1) plus i. Counts are divided by the
/// number of orderings, so that they cannot overflow.
static ts_status exact_p(double *out, ts_arena *arena, size_t m, size_t n, double u) {
  size_t most = m * n, width = most + 1;
  double *shares = ts_arena_array(arena, (n + 1) * width, sizeof *shares);
  if (!shares)
    return TS_E_MEMORY;
  for (size_t j = 0; j <= n; j++)
    shares[j * width] = 1; // no old numbers: U is 0
  for (size_t i = 1; i <= m; i++)
    for (size_t j = 1; j <= n; j++) {
      double *here = shares + j * width;
      const double *fewer_new = here - width; // now of i old numbers
      double old_last = (double)i / (double)(i + j), new_last = (double)j / (double)(i + j);
      for (size_t k = most + 1; k-- > 0;)
        here[k] = here[k] * old_last + (k >= i ? fewer_new[k - i] * new_last : 0);
    }
  double tail = 0, less = fmin(u, (double)most - u);
  for (size_t k = 0; (double)k <= less; k++)
    tail += shares[n * width + k];
  *out = fmin(1, 2 * tail);
  return TS_OK;
}

static double normal_p(const rank_sums *sums, double m, double n) {
  double count = m + n;
  double variance = m * n / 12 * (count + 1 - sums->tie_sum / (count * (count - 1)));
  double distance = fmax(0, fabs(sums->u - m * n / 2) - 0.5);
  return variance > 0 ? erfc(distance / sqrt(2 * variance)) : 1;
}

static ts_status run_marks(ts_rank_test *out, ts_arena *arena, const mark *marks, size_t m,
                           size_t n) {
  rank_sums sums = sum_ranks(marks, m + n);
  out->u = sums.u;
  out->new_is_larger = sums.u / ((double)m * (double)n);
  out->is_exact = !sums.has_ties && m + n <= TS_RANK_EXACT_MAX;
  if (out->is_exact)
    return exact_p(&out->p, arena, m, n, sums.u);
  out->p = normal_p(&sums, (double)m, (double)n);
  return TS_OK;
}

ts_status ts_rank_test_run(ts_rank_test *out, ts_arena *arena, const double *old, size_t old_count,
                           const double *new, size_t new_count) {
  *out = (ts_rank_test){(double)NAN, (double)NAN, (double)NAN, false};
  if (old_count == 0 || new_count == 0)
    return TS_OK;
  ts_arena_mark start = ts_arena_get_mark(arena);
  mark *marks = ts_arena_array(arena, old_count + new_count, sizeof *marks);
  if (!marks)
    return TS_E_MEMORY;
  for (size_t i = 0; i < old_count; i++)
    marks[i] = (mark){old[i], false};
  for (size_t i = 0; i < new_count; i++)
    marks[old_count + i] = (mark){new[i], true};
  qsort(marks, old_count + new_count, sizeof *marks, compare_marks);
  ts_status status = run_marks(out, arena, marks, old_count, new_count);
  ts_arena_rewind(arena, start);
  return status;
}

static int compare_pointed(const void *a, const void *b) {
  double x = **(double *const *)a, y = **(double *const *)b;
  return (x > y) - (x < y);
}

ts_status ts_rank_adjust(double *p, ts_arena *arena, size_t count) {
  ts_arena_mark start = ts_arena_get_mark(arena);
  double **order = ts_arena_array(arena, count, sizeof *order);
  if (!order)
    return TS_E_MEMORY;
  size_t tested = 0;
  for (size_t i = 0; i < count; i++)
    if (!isnan(p[i]))
      order[tested++] = &p[i];
  qsort(order, tested, sizeof *order, compare_pointed);
  double largest = 0;
  for (size_t i = 0; i < tested; i++) {
    largest = fmax(largest, fmin(1, *order[i] * (double)(tested - i)));
    *order[i] = largest;
  }
  ts_arena_rewind(arena, start);
  return TS_OK;
}
