// SPDX-License-Identifier: MIT
/// The Mann-Whitney U test: whether numbers of one sample tend to be larger than those of another,
/// whatever their distribution; and Holm's correction for asking that of many samples.
#ifndef TS_REPORTS_RANK_TEST_H
#define TS_REPORTS_RANK_TEST_H

#include "base/arena.h"

#include <stdbool.h>

/// Up to this many numbers in both samples together, and no two of them equal, p is exact.
#define TS_RANK_EXACT_MAX 40

typedef struct ts_rank_test {
  double u; ///< pairs (old, new) in which new is larger, those in which both are equal as halves
  double new_is_larger; ///< the same as a share of all pairs: the effect; 0.5 is none
  double p;      ///< two-sided: how likely so large an effect is when both are of one distribution
  bool is_exact; ///< else the normal approximation, corrected for ties and for continuity
} ts_rank_test;

/// Tests `old` [old_count] against `new` [new_count], all finite. An empty sample gives NaN for
/// everything, and numbers that are all equal p = 1. Scratch memory is taken from the arena and
/// given back.
ts_status ts_rank_test_run(ts_rank_test *out, ts_arena *arena, const double *old, size_t old_count,
                           const double *new, size_t new_count);

/// Replaces p values [count] by those of Holm (1979): with them, taking all at or below alpha
/// raises a single false alarm among all with probability alpha at most, however they depend on
/// each other. NaN is no test and stays NaN.
ts_status ts_rank_adjust(double *p, ts_arena *arena, size_t count);

#endif
