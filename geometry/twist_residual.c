// SPDX-License-Identifier: MIT
// The distance of a wrench from a cone of wrenches, by non-negative least squares.
#include "geometry/twist_cone.h"

#include "geometry/tolerances.h"

enum { SWEEPS_MAX = 200 };

typedef struct active_set {
  const ts_twist_row *rows;
  const double *target; // [6]
  int count;
  size_t index[6];
  double factor[6];
} active_set;

static double dot6(const double a[6], const double b[6]) {
  double sum = 0;
  for (int i = 0; i < 6; i++)
    sum += a[i] * b[i];
  return sum;
}

static void take_out(double v[6], const double unit[6], double by) {
  for (int i = 0; i < 6; i++)
    v[i] -= by * unit[i];
}

/// The factors, of any sign, by which the active rows come closest to the target: Gram-Schmidt,
/// each row twice, so that nearly parallel ones keep their digits.
static void solve(double out[6], const active_set *set) {
  double q[6][6], r[6][6] = {{0}};
  for (int j = 0; j < set->count; j++) {
    for (int i = 0; i < 6; i++)
      q[j][i] = set->rows[set->index[j]].of[i];
    for (int twice = 0; twice < 2; twice++)
      for (int k = 0; k < j; k++) {
        double along = dot6(q[k], q[j]);
        take_out(q[j], q[k], along);
        r[k][j] += along;
      }
    r[j][j] = sqrt(dot6(q[j], q[j]));
    for (int i = 0; i < 6; i++)
      q[j][i] = r[j][j] > 0 ? q[j][i] / r[j][j] : 0;
  }
  for (int j = set->count - 1; j >= 0; j--) {
    double right = dot6(q[j], set->target);
    for (int k = j + 1; k < set->count; k++)
      right -= r[j][k] * out[k];
    out[j] = r[j][j] > 0 ? right / r[j][j] : 0;
  }
}

static void drop_spent(active_set *set) {
  int kept = 0;
  for (int j = 0; j < set->count; j++) {
    if (!(set->factor[j] > 0))
      continue;
    set->index[kept] = set->index[j];
    set->factor[kept++] = set->factor[j];
  }
  set->count = kept;
}

/// Goes to the best factors of the active rows; those that would fall below 0 leave on the way.
static void settle(active_set *set) {
  while (set->count > 0) {
    double best[6], step = 1;
    int first = -1;
    solve(best, set);
    for (int j = 0; j < set->count; j++) {
      if (best[j] > 0)
        continue;
      double until = set->factor[j] > 0 ? set->factor[j] / (set->factor[j] - best[j]) : 0;
      if (first < 0 || until < step) {
        step = until;
        first = j;
      }
    }
    for (int j = 0; j < set->count; j++)
      set->factor[j] += step * (best[j] - set->factor[j]);
    if (first < 0)
      return;
    set->factor[first] = 0;
    drop_spent(set);
  }
}

static void set_residual(double out[6], const active_set *set) {
  for (int i = 0; i < 6; i++)
    out[i] = set->target[i];
  for (int j = 0; j < set->count; j++)
    take_out(out, set->rows[set->index[j]].of, set->factor[j]);
}

/// The row with the largest cosine to the residual; `count` when none does enough.
static size_t next_row(const ts_twist_row *rows, size_t count, const double residual[6],
                       double norm) {
  size_t best = count;
  double largest = TS_CONE_JOIN_COSINE * norm;
  for (size_t i = 0; i < count; i++) {
    double along = dot6(rows[i].of, residual);
    if (along > largest) {
      largest = along;
      best = i;
    }
  }
  return best;
}

double ts_twist_row_residual(const ts_twist_row *rows, size_t count, const ts_twist_row *row) {
  active_set set = {.rows = rows, .target = row->of};
  double residual[6], smallest = INFINITY;
  for (int sweep = 0; sweep < SWEEPS_MAX; sweep++) {
    set_residual(residual, &set);
    double norm = sqrt(dot6(residual, residual));
    // Rounding alone keeps a sweep from coming closer; the smallest so far is then the answer.
    if (!(norm < smallest))
      break;
    smallest = norm;
    size_t next = next_row(rows, count, residual, norm);
    if (norm < TS_CONE_RESIDUAL_ROUNDING || next == count || set.count == 6)
      break;
    set.index[set.count] = next;
    set.factor[set.count++] = 0;
    settle(&set);
  }
  return smallest < TS_CONE_RESIDUAL_ROUNDING ? 0 : smallest;
}
