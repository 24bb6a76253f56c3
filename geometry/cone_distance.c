// SPDX-License-Identifier: MIT
#include "geometry/cone_distance.h"

#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include <math.h>
#include <stdbool.h>

enum { SWEEPS_MAX = 200 };

enum { DIMENSION_MAX = TS_CONE_DIMENSION_MAX };

typedef struct active_set {
  const double *rays; // [.][dimension]
  int dimension;
  const double *target; // [dimension]
  int count;
  size_t index[DIMENSION_MAX];
  double factor[DIMENSION_MAX];
} active_set;

static const double *active_ray(const active_set *set, int j) {
  return set->rays + set->index[j] * (size_t)set->dimension;
}

static double dot(const double *a, const double *b, int dimension) {
  double sum = 0;
  for (int i = 0; i < dimension; i++)
    sum += a[i] * b[i];
  return sum;
}

static void take_out(double *v, const double *of, double by, int dimension) {
  for (int i = 0; i < dimension; i++)
    v[i] -= by * of[i];
}

/// The factors, of any sign, by which the active rays come closest to the target: Gram-Schmidt,
/// each ray twice, so that nearly parallel ones keep their digits.
static void solve(double out[DIMENSION_MAX], const active_set *set) {
  double q[DIMENSION_MAX][DIMENSION_MAX], r[DIMENSION_MAX][DIMENSION_MAX] = {{0}};
  int dimension = set->dimension;
  for (int j = 0; j < set->count; j++) {
    for (int i = 0; i < dimension; i++)
      q[j][i] = active_ray(set, j)[i];
    for (int twice = 0; twice < 2; twice++)
      for (int k = 0; k < j; k++) {
        double along = dot(q[k], q[j], dimension);
        take_out(q[j], q[k], along, dimension);
        r[k][j] += along;
      }
    r[j][j] = sqrt(dot(q[j], q[j], dimension));
    for (int i = 0; i < dimension; i++)
      q[j][i] = r[j][j] > 0 ? q[j][i] / r[j][j] : 0;
  }
  for (int j = set->count - 1; j >= 0; j--) {
    double right = dot(q[j], set->target, dimension);
    for (int k = j + 1; k < set->count; k++)
      right -= r[j][k] * out[k];
    out[j] = r[j][j] > 0 ? right / r[j][j] : 0;
  }
}

/// Drops the rays whose factor is no more than `spent`. Returns whether there were any.
static bool drop_spent(active_set *set, double spent) {
  int kept = 0, count = set->count;
  for (int j = 0; j < count; j++) {
    if (!(set->factor[j] > spent))
      continue;
    set->index[kept] = set->index[j];
    set->factor[kept++] = set->factor[j];
  }
  set->count = kept;
  return kept < count;
}

/// Goes to the best factors of the active rays; those that would fall below 0 leave on the way.
static void settle(active_set *set) {
  while (set->count > 0) {
    double best[DIMENSION_MAX], step = 1;
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
    if (first >= 0)
      set->factor[first] = 0;
    drop_spent(set, 0); // of those at their best, too: in the way of the next ray
    if (first < 0)
      return;
  }
}

static void set_residual(double out[DIMENSION_MAX], const active_set *set) {
  for (int i = 0; i < set->dimension; i++)
    out[i] = set->target[i];
  for (int j = 0; j < set->count; j++)
    take_out(out, active_ray(set, j), set->factor[j], set->dimension);
}

/// The ray, of `count`, with the largest cosine to the residual; `count` when none does enough.
static size_t next_ray(const active_set *set, size_t count, const double *residual, double norm) {
  size_t best = count;
  double largest = TS_CONE_JOIN_COSINE * norm;
  for (size_t i = 0; i < count; i++) {
    double along = dot(set->rays + i * (size_t)set->dimension, residual, set->dimension);
    if (along > largest) {
      largest = along;
      best = i;
    }
  }
  return best;
}

/// Whether a ray is the target so nearly that what it leaves of it is certain to be rounding: at
/// most their difference, and a few units in the last place of the target, which is not long.
static bool is_target(const active_set *set, const double *ray, double norm) {
  double farthest = 0;
  for (int i = 0; i < set->dimension; i++)
    farthest = ts_max(farthest, fabs(ray[i] - set->target[i]));
  return farthest <= 0.1 * TS_CONE_RESIDUAL_ROUNDING && norm <= 2;
}

double ts_cone_distance(const double *rays, int dimension, size_t count, const double *target,
                        double enough) {
  active_set set = {.rays = rays, .dimension = dimension, .target = target};
  double residual[DIMENSION_MAX], smallest = INFINITY;
  for (int sweep = 0; sweep < SWEEPS_MAX; sweep++) {
    set_residual(residual, &set);
    double norm = sqrt(dot(residual, residual, dimension));
    // Rounding alone keeps a sweep from coming closer; the smallest so far is then the answer,
    // unless a ray whose factor is but rounding left the last one that joined no way to go.
    if (!(norm < smallest) && !drop_spent(&set, TS_CONE_RESIDUAL_ROUNDING))
      break;
    smallest = fmin(norm, smallest);
    if (norm < TS_CONE_RESIDUAL_ROUNDING || norm <= enough || set.count == dimension)
      break;
    size_t next = next_ray(&set, count, residual, norm);
    if (next == count)
      break;
    if (set.count == 0 && is_target(&set, rays + next * (size_t)dimension, norm))
      return 0;
    set.index[set.count] = next;
    set.factor[set.count++] = 0;
    settle(&set);
  }
  return smallest < TS_CONE_RESIDUAL_ROUNDING ? 0 : smallest;
}
