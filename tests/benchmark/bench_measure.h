// SPDX-License-Identifier: MIT
/// Times the kernels over the pairs of tests/reference/.
#ifndef TS_TESTS_BENCHMARK_BENCH_MEASURE_H
#define TS_TESTS_BENCHMARK_BENCH_MEASURE_H

#include "tests/benchmark/bench_kernels.h"
#include "tests/benchmark/bench_rows.h"

/// One pair, as a kernel is given it.
typedef struct bench_pair {
  int id; ///< in the reference
  ts_tet_pair pair;
  double size_m;
} bench_pair;

/// Pairs [count] side by side in memory, of an arena.
typedef struct bench_pairs {
  size_t count;
  bench_pair *items;
} bench_pairs;

/// Reads the pairs of the reference in `folder`; what a kernel is to reach is set as it runs.
ts_status bench_pairs_read(bench_pairs *out, ts_arena *arena, const char *folder);

/// Holds the baseline against ts_tet_tet_overlap() on each pair that is not within
/// TS_TOUCH_RELATIVE of its size of touching; `*out_checked` is the number of those. TS_E_INPUT,
/// naming the pair, where they disagree: the ruler or the test is wrong then.
ts_status bench_check_baseline(size_t *out_checked, const bench_pairs *pairs);

/// Measures the baseline and each kernel, or the one called `only` when that is not NULL, and adds
/// the geometric means when it measures all. Fills all of a row but the texts about the build.
///
/// One repeat is: baseline, kernel, baseline, next kernel, ..., baseline, each over all pairs. The
/// ratio of a repeat is the time of the kernel to the mean of the two baselines around it, so that
/// a machine that slows down for a while slows both. A repeat before the first warms everything and
/// is not counted. TS_E_INPUT when the contacts of a kernel are others in some repeat.
ts_status bench_measure(bench_rows *out, ts_arena *arena, const bench_pairs *pairs,
                        const char *only, size_t repeats);

#endif
