// SPDX-License-Identifier: MIT
/// Times the kernels over the pairs of tests/reference/.
#ifndef TS_TESTS_BENCHMARK_BENCH_MEASURE_H
#define TS_TESTS_BENCHMARK_BENCH_MEASURE_H

#include "tests/benchmark/bench_kernels.h"
#include "tests/benchmark/bench_rows.h"

/// One pair, as passed to a kernel.
typedef struct bench_pair {
  int id; ///< in the reference
  ts_tet_pair pair;
  ts_prox_pair prox; ///< the same in single precision
  double size_m;
} bench_pair;

/// Pairs [count], contiguous in an arena.
typedef struct bench_pairs {
  size_t count;
  bench_pair *items;
  ts_tet_nodes_pair *nodes; ///< of the items
  bool *overlaps;           ///< room for what a batch finds
} bench_pairs;

/// Reads the pairs of the reference in `folder`; the reach of a kernel is set when it runs.
ts_status bench_pairs_read(bench_pairs *out, ts_arena *arena, const char *folder);

/// Compares the baseline with ts_tet_tet_overlap() on each pair that is not within
/// TS_TOUCH_RELATIVE of its size of touching; `*out_checked` is the number of those. TS_E_INPUT,
/// naming the pair, where they disagree: one of the two is wrong then.
ts_status bench_check_baseline(size_t *out_checked, const bench_pairs *pairs);

/// Measures the baseline and each kernel, or the one called `only` if that is not NULL, and adds
/// the geometric means when it measures all. Fills the rows except the texts about the build.
///
/// One repeat is: baseline, kernel, baseline, next kernel, ..., baseline, each over all pairs. The
/// ratio of a repeat is the time of the kernel to the mean of the two baselines around it, so that
/// a machine that slows down for a while slows both. An uncounted warm-up comes first. TS_E_INPUT
/// if the number of contacts of a kernel differs between repeats.
ts_status bench_measure(bench_rows *out, ts_arena *arena, const bench_pairs *pairs,
                        const char *only, size_t repeats);

#endif
