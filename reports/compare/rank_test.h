// SPDX-License-Identifier: MIT
/// The Mann-Whitney U test: whether numbers of one sample tend to be larger than those of another,
/// whatever their distribution; and Holm's correction for testing many samples.
#ifndef TS_REPORTS_RANK_TEST_H
#define TS_REPORTS_RANK_TEST_H

#include "base/arena.h"

#include <stdbool.h>

/// p is exact up to this many numbers in both samples together, if no two of them are equal.
#define TS_RANK_EXACT_MAX 40

typedef struct ts_rank_test {
  double
      u; ///< number of pairs (old, new) in which new is larger; pairs of equal numbers count half
  double new_is_larger; ///< the same as a share of all pairs: the effect size; 0.5 is no effect
  double p;      ///< two-sided: probability of an effect at least as large if both have the same
                 ///< distribution
  bool is_exact; ///< otherwise the normal approximation, corrected for ties and for continuity
} ts_rank_test;

/// Tests `old` [old_count] against `new` [new_count], all finite. An empty sample gives NaN for
/// everything, and numbers that are all equal p = 1. Scratch memory comes from the arena and is
/// returned to it.
ts_status ts_rank_test_run(ts_rank_test *out, ts_arena *arena, const double *old, size_t old_count,
                           const double *new, size_t new_count);

/// Replaces p values [count] by those adjusted by Holm (1979): if all at or below alpha are taken
/// as significant, the probability of even one false alarm is at most alpha, however the tests
/// depend on each other. NaN means no test and stays NaN.
ts_status ts_rank_adjust(double *p, ts_arena *arena, size_t count);

#endif
