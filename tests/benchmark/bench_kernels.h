// SPDX-License-Identifier: MIT
/// The kernels of the benchmark, one line each.
#ifndef TS_TESTS_BENCHMARK_BENCH_KERNELS_H
#define TS_TESTS_BENCHMARK_BENCH_KERNELS_H

#include "geometry/tet_overlap_batch.h"
#include "methods/tet/tet_kernels.h"

typedef struct bench_kernel {
  /// Measured in each profile; once if there is none for prox2018.
  const ts_tet_kernels *kernels;
  double reach_m;            ///< of its pairs; mostly 0
  double author_ns_per_pair; ///< see bench_kernels.c; NaN when there is none
  /// Has all pairs at once; NULL: one by one, by the kernels. `out`: room for as many.
  void (*batch)(bool *out, const ts_tet_nodes_pair *pairs, size_t count);
} bench_kernel;

/// The baseline as a kernel: counts a pair that overlaps as one contact.
extern const bench_kernel bench_baseline;

/// The kernels that are compared with it, in the order of the table.
extern const bench_kernel bench_kernels[];
extern const size_t bench_kernel_count;

#endif
